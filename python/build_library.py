# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the C library of the clone that this folder is in, for the package to carry.

Without MPI and CUDA: a package for one machine. Takes some minutes the first time.
"""
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
BUILD = os.path.join(TOP, "build-python")
CARRIED = os.path.join(HERE, "armilla", "_library")
MODULES = ("arithmetic", "catalogue", "convolution", "correlation", "harmonic", "io", "render")


def _run(folder, *command):
    print("armilla:", *command, file=sys.stderr, flush=True)
    try:
        subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)
    except FileNotFoundError:
        raise SystemExit(f"armilla: there is no {command[0]}; install the packages that the "
                         "README names, or an Armilla that pkg-config finds") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"armilla: {' '.join(command)} failed with status {error.returncode}; "
                         "what it said is above") from None


def build_library():
    """The folder of the headers, and the library, which lies in the package afterwards."""
    if not os.path.exists(os.path.join(TOP, "configure.ac")):
        raise SystemExit("armilla: pkg-config finds no installed Armilla, and this is no clone of "
                         "its repository; install it, or name the folder of armilla.pc in "
                         "PKG_CONFIG_PATH")
    os.makedirs(BUILD, exist_ok=True)
    if not os.path.exists(os.path.join(TOP, "configure")):
        _run(TOP, "autoreconf", "--install", "--force")
    if not os.path.exists(os.path.join(BUILD, "Makefile")):
        _run(BUILD, os.path.join(TOP, "configure"), "--without-mpi", "--without-cuda")
    _run(BUILD, "make", f"-j{os.environ.get('JOBS', os.cpu_count())}", "libarmilla.la",
         *(f"plugins/{name}.la" for name in MODULES))
    library = os.path.join(CARRIED, "libarmilla.so.0")
    # Where the library looks for its modules.
    folder = os.path.join(CARRIED, "armilla", "plugins")
    os.makedirs(folder, exist_ok=True)
    shutil.copy(os.path.join(BUILD, ".libs", "libarmilla.so.0"), library)
    for name in MODULES:
        module = shutil.copy(os.path.join(BUILD, "plugins", ".libs", f"{name}.so"), folder)
        # For tools that look for libraries; the one that loads modules is there already.
        if shutil.which("patchelf"):
            _run(TOP, "patchelf", "--set-rpath", "$ORIGIN/../..", module)
    return os.path.join(TOP, "include"), library
