# SPDX-License-Identifier: GPL-3.0-or-later
"""The build of the package from the top of a clone, where `pip install .` looks for one."""
import os

from setuptools.build_meta import *  # pylint: disable=wildcard-import,unused-wildcard-import

# What setuptools is asked for is in this folder. pip names the folders of results in full.
os.chdir(os.path.dirname(os.path.abspath(__file__)))
