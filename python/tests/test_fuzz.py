# SPDX-License-Identifier: GPL-3.0-or-later
"""The short form of fuzz.py; tests/fuzz/long has the long one."""
import os
import re
import subprocess
import sys

N = int(os.environ.get("FUZZ_INPUTS", 400))


def test_mutated_calls():
    program = os.path.join(os.path.dirname(__file__), "fuzz.py")
    ended = subprocess.run([sys.executable, program, os.environ.get("FUZZ_FIRST", "0"), str(N)],
                           stdout=subprocess.PIPE, text=True, check=False)
    print(ended.stdout)
    assert ended.returncode == 0 and f"{N} cases" in ended.stdout
    results = sum(map(int, re.findall(r"^# \w+ result: (\d+)$", ended.stdout, re.MULTILINE)))
    assert N / 5 < results < N * 4 / 5  # or the mutations would test little
