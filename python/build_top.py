# SPDX-License-Identifier: GPL-3.0-or-later
"""Build backend for `pip install .` at the top of a clone."""
import os

from setuptools.build_meta import *  # pylint: disable=wildcard-import,unused-wildcard-import

# setup.py and pyproject.toml are in this folder. pip passes absolute paths for the results.
os.chdir(os.path.dirname(os.path.abspath(__file__)))
