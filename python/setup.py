# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of the build that pyproject.toml cannot describe: a module linked with libarmilla."""
import os
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_ext import build_ext

# pip does not add this folder to the path, but cffi imports build_core.py.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


class BuildWithStubs(build_ext):
    """Builds the package, then runs it to write the type stubs of stages."""

    def run(self):
        super().run()
        folder = os.path.abspath(self.build_lib)
        if self.inplace or not os.path.isdir(os.path.join(folder, "armilla")):
            return
        environment = {**os.environ, "PYTHONPATH": folder, "ARMILLA_PLUGIN_PATH": ""}
        made = subprocess.run([sys.executable, "-m", "armilla.stubs"], env=environment, text=True,
                              cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)
        if made.returncode != 0:  # CUDA may be missing on the machine that builds a wheel
            print("armilla: type stubs of stages were not written:", made.stderr, file=sys.stderr)
            return
        with open(os.path.join(folder, "armilla", "stages.pyi"), "w", encoding="utf-8") as file:
            file.write(made.stdout)


setup(
    cffi_modules=["build_core.py:builder"],
    # The compiled module works with all versions of Python from 3.9 on.
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
    cmdclass={"build_ext": BuildWithStubs},
)
