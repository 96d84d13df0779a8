# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of the build that pyproject.toml cannot say: a module compiled against libarmilla."""
import os
import sys

from setuptools import setup

# For build_core.py, which pip does not look for here.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

setup(
    cffi_modules=["build_core.py:builder"],
    # One module for all Pythons from 3.9 on.
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
