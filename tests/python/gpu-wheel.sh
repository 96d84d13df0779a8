#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The wheel with CUDA on a machine with a GPU, where nothing need be downloaded: it is installed in a
# folder of its own, finds CUDA's libraries in the packages that Python has there, and the tests of
# arrays on GPUs run with it. A test that is skipped is a failure here.
set -eu

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
  cat >&2 << 'USAGE'
usage: tests/python/gpu-wheel.sh FOLDER

FOLDER holds the wheel that python/build-wheel --cuda has made, and one of cffi where Python has no
cffi. Python (PYTHON, or python3) must have NumPy, pytest, CuPy, PyTorch and JAX.
USAGE
  exit 2
fi
wheels=$(cd "$1" && pwd)
python=${PYTHON:-python3}
cd "$(dirname "$(readlink -f "$0")")/../../python/tests"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

set -- "$wheels"/armilla_cuda13-*.whl
"$python" -c 'import _cffi_backend' 2> /dev/null || set -- "$@" cffi
"$python" -m pip install --quiet --no-index --no-deps --find-links "$wheels" \
  --target "$work/packages" "$@"
PYTHONPATH=$work/packages
STARPU_HOME=$work
export PYTHONPATH STARPU_HOME
unset LD_LIBRARY_PATH

"$python" - "$work/packages" << 'PYTHON'
import sys
import armilla
assert armilla.__file__.startswith(sys.argv[1]), armilla.__file__
with armilla.session() as session:
    session.start()
    print(f"{session.cores} cores, {session.gpus} GPUs")
    assert session.gpus > 0
with open("/proc/self/maps", encoding="utf-8") as maps:
    for path in sorted({line.split()[-1] for line in maps if "libcu" in line}):
        print(path)
PYTHON
status=0
"$python" -m pytest -q -rs -p no:cacheprovider test_gpu.py > "$work/said" 2>&1 || status=$?
tail -n 60 "$work/said"
grep -q ' passed' "$work/said" && ! grep -q ' skipped' "$work/said" && [ $status -eq 0 ]
