# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of the build that pyproject.toml cannot say: a module compiled against libarmilla."""
import os
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_ext import build_ext

# For build_core.py, which pip does not look for here.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


class BuildWithStubs(build_ext):
    """The type stubs of stages are made by the package, once it is built."""

    def run(self):
        super().run()
        folder = os.path.abspath(self.build_lib)
        if self.inplace or not os.path.isdir(os.path.join(folder, "armilla")):
            return
        environment = {**os.environ, "PYTHONPATH": folder, "ARMILLA_PLUGIN_PATH": ""}
        made = subprocess.run([sys.executable, "-m", "armilla.stubs"], env=environment, text=True,
                              cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)
        if made.returncode != 0:  # CUDA's libraries may be missing where a wheel is built
            print("armilla: no type stubs of stages:", made.stderr, file=sys.stderr)
            return
        with open(os.path.join(folder, "armilla", "stages.pyi"), "w", encoding="utf-8") as file:
            file.write(made.stdout)


setup(
    cffi_modules=["build_core.py:builder"],
    # One module for all Pythons from 3.9 on.
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
    cmdclass={"build_ext": BuildWithStubs},
)
