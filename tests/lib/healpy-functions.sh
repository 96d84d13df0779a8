# SPDX-License-Identifier: GPL-3.0-or-later
# What the comparisons with healpy share: sourced by them, from the top of the build tree. TAP.

has_healpy () { "$1" -c 'import healpy' > /dev/null 2>&1; }

# compare SCRIPT PROGRAM: runs a script of tests/reference/ with a Python that has healpy: the one that
# HEALPY_PYTHON names; else python3 of PATH, or /usr/bin/python3, which has Debian's python3-healpy even
# where PATH has another one first. Without any the test is skipped.
compare ()
{
  if [ -n "${HEALPY_PYTHON-}" ]; then
    python=$HEALPY_PYTHON
    if ! has_healpy "$python"; then
      echo "Bail out! HEALPY_PYTHON is $python, which cannot import healpy"
      exit 1
    fi
  elif has_healpy python3; then
    python=python3
  elif has_healpy /usr/bin/python3; then
    python=/usr/bin/python3
  else
    echo "1..0 # SKIP no Python here has healpy: install python3-healpy, or name one in HEALPY_PYTHON"
    exit 0
  fi
  # Threads of healpy and NumPy, which are started as these are imported, spin on a machine that others use. -B:
  # nothing is written beside the script.
  OMP_NUM_THREADS=${OMP_NUM_THREADS-1} exec "$python" -B "${srcdir:-.}/tests/reference/$1" "$2"
}
