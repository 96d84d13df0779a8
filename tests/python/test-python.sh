#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python package: built by pip against an installed Armilla, and its own tests, a case a file. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
. "$source/tests/lib/install-functions.sh"

can_build ()
{
  "$1" -c 'import os, sysconfig
import setuptools, cffi, numpy, pip, pytest, wheel
os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))' > /dev/null 2>&1
}

# The one that PYTHON names; else python3 of PATH, or /usr/bin/python3, for which Debian has packages even where
# PATH has another one first.
for python in ${PYTHON:-python3 /usr/bin/python3} ""; do
  [ -z "$python" ] || ! can_build "$python" || break
done
[ -n "$python" ] || skip_all "no Python here has cffi, numpy, pip, pytest, setuptools, wheel and Python.h"
command -v pkg-config > /dev/null || skip_all "no pkg-config"
tests='test_*.py'
if sanitized; then
  # The sanitizer's library must be the first one, and C++'s be there when it starts, or it stops where muParser
  # throws. What uses healpy, PyTorch and the like is tested without it.
  preload=$(${CC:-cc} -print-file-name=libasan.so)
  [ -e "$preload" ] || skip_all "no libasan.so, without which Python cannot load a library with sanitizers"
  preload="$preload $(${CC:-cc} -print-file-name=libstdc++.so.6)"
  tests='test_arrays.py test_attributes.py test_counts.py test_fuzz.py test_stages.py test_workflow.py'
fi

ok "make install" install_there
cp -r "$source/python" python
chmod -R u+w python
built ()
{
  CC=$(built_with CC) "$python" -m pip install --no-build-isolation --no-deps --no-index --no-warn-script-location \
    --disable-pip-version-check --target "$room/packages" ./python
}
ok "pip install" built
PYTHONPATH=$room/packages${PYTHONPATH:+:$PYTHONPATH}
OMP_NUM_THREADS=1 # healpy's threads spin; of ours there are STARPU_NCPU
export PYTHONPATH OMP_NUM_THREADS
if sanitized; then
  # Where the package is built it has no sanitizer's library.
  stubs () { LD_PRELOAD=$preload "$python" -m armilla.stubs > "$room/packages/armilla/stages.pyi"; }
  ok "type stubs" stubs
fi
example () { LD_PRELOAD=${preload-} "$python" "$source/examples/python/alm2map.py" | tee /dev/stderr |
  grep -q '^north pole 0.6306.., equator -0.3153..$'; }
ok "the example in Python is right" example
cp -r "$source/examples/plugin" plugin
chmod -R u+w plugin
if ! sanitized; then
  ok "a module of a user's is built" make_in plugin CC="$(built_with CC)" CFLAGS="-Wno-deprecated-declarations"
  ARMILLA_TEST_PLUGIN=$room/plugin
  export ARMILLA_TEST_PLUGIN
fi
cd python/tests || exit 99
tested ()
{
  LD_PRELOAD=${preload-} "$python" -m pytest -q -rs -p no:cacheprovider "$1" > said 2>&1
  status=$?
  tail -n 60 said
  return $status
}
for file in $tests; do
  if grep -q 'importorskip("healpy' "$file" && ! "$python" -c 'import healpy' 2> /dev/null; then
    skip "python/tests/$file" "no healpy" # which pytest 8 takes for a failure
  else
    ok "python/tests/$file" tested "$file"
  fi
done
finish
