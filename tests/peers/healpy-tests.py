#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs healpy's own tests of transforms twice, without and with Armilla under healpy, and says which
pass without it and not with it. The Python that runs this needs healpy, pytest and armilla."""
import argparse
import os
import re
import subprocess
import sys

FILES = ["test_sphtfunc.py", "test_spinfunc.py", "test_harmonic_ud_grade.py", "test_almxfl.py",
         "test_pixelweights.py", "test_rotator.py"]
PLUGIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 2, "python", "tests")

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("folder", help="test/ of the source distribution of the healpy that is installed")
folder = parser.parse_args().folder


def passed(*options):
    """The names of the tests that pass, and what the plugin says at the end."""
    path = os.pathsep.join([PLUGIN] + os.environ.get("PYTHONPATH", "").split(os.pathsep))
    output = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *options, *FILES],
        cwd=folder, env={**os.environ, "PYTHONPATH": path.rstrip(os.pathsep)}, text=True,
        stdout=subprocess.PIPE).stdout
    return (set(re.findall(r"^PASSED (\S+)", output, re.MULTILINE)),
            re.findall(r"^armilla: (.*)", output, re.MULTILINE))


without, _ = passed()
with_armilla, calls = passed("-p", "under_healpy")
if not without:
    sys.exit(f"no test of {folder} passes; are they those of the healpy that is installed?")
lost = sorted(without - with_armilla)
print(f"{len(without)} tests pass with healpy, {len(without & with_armilla)} of them with Armilla "
      f"under it; calls that reached it: {', '.join(calls)}")
for name in lost:
    print(f"not with Armilla: {name}")
sys.exit(1 if lost or not calls else 0)
