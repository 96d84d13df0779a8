# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the C library from the clone that contains this folder, as a part of the package.

The library has no MPI, so it uses one machine, and has CUDA if ARMILLA_CUDA is set. The first build
takes some minutes, and two more if StarPU is built too, on a machine with more cores than Debian's
StarPU supports. If this folder is a copy outside a clone, ARMILLA_FROM_CLONE must name a clone.
"""
import glob
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.environ.get("ARMILLA_FROM_CLONE") or os.path.dirname(HERE)
CUDA = bool(os.environ.get("ARMILLA_CUDA"))
BUILD = os.path.join(TOP, "build-python-cuda" if CUDA else "build-python")
OWN_STARPU = os.path.join(BUILD, "starpu")
CARRIED = os.path.join(HERE, "armilla", "_library")
# Folder in which NVIDIA's packages of PyPI install CUDA 13, relative to the package armilla.
NVIDIA = "../nvidia/cu13/lib"


def _run(folder, *command):
    print("armilla:", *command, file=sys.stderr, flush=True)
    try:
        subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)
    except FileNotFoundError:
        raise SystemExit(f"armilla: {command[0]} is not installed; install the packages listed in "
                         "the README, or an Armilla that pkg-config finds") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"armilla: {' '.join(command)} failed with status {error.returncode}; "
                         "see its output above") from None


def _options(folder):
    """Returns the options of nvcc in a build folder, except that warnings are errors there."""
    with open(os.path.join(folder, "Makefile"), encoding="utf-8") as file:
        return sorted(line.replace(" -Werror all-warnings", "").rstrip() for line in file
                      if line.startswith(("NVCC =", "NVCCFLAGS =", "AM_NVCCFLAGS =")))


def _take_kernels(other):
    """Copies CUDA kernels from another build folder with the same options, as nvcc takes long.

    Kernels do not depend on MPI. make compiles those again whose sources have changed since.
    """
    if not os.path.exists(os.path.join(other, "Makefile")) or _options(other) != _options(BUILD):
        return
    for known in glob.glob(os.path.join(other, "codelets", "*", ".deps", "*.cu.d")):
        room = os.path.relpath(os.path.dirname(os.path.dirname(known)), other)
        name = os.path.basename(known)[:-len(".cu.d")]
        # Automake's rules compile objects again that are older than the stamps of their folders.
        files = [os.path.join(room, ".dirstamp"), os.path.join(room, ".deps", ".dirstamp"),
                 os.path.join(room, ".deps", name + ".cu.d"), os.path.join(room, name + ".lo"),
                 os.path.join(room, ".libs", name + ".o")]
        if all(os.path.exists(os.path.join(other, file)) for file in files):
            for file in files:
                os.makedirs(os.path.dirname(os.path.join(BUILD, file)), exist_ok=True)
                shutil.copy2(os.path.join(other, file), os.path.join(BUILD, file))


def _starpu():
    """Returns PKG_CONFIG_PATH for a StarPU that uses all cores, which is built if necessary."""
    environment = dict(os.environ) if CUDA else dict(os.environ, CUDA_HOME="no")
    command = [os.path.join(TOP, "build-aux", "choose-starpu"), OWN_STARPU]
    try:
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                              env=environment).stdout.strip()
    except subprocess.CalledProcessError:
        raise SystemExit("armilla: building StarPU failed for the reason above. Set "
                         "STARPU_SOURCE=no to use the installed StarPU") from None


def _configure():
    """Configures the build folder unless it is configured for the right StarPU already."""
    starpu = _starpu()
    makefile = os.path.join(BUILD, "Makefile")
    if os.path.exists(makefile):
        with open(makefile, encoding="utf-8") as file:
            if f"PKG_CONFIG_PATH = {starpu}".strip() in (line.strip() for line in file):
                return
        # Objects that were compiled for another StarPU cannot be used.
        _run(BUILD, "make", "--silent", "clean")
    _run(BUILD, os.path.join(TOP, "configure"), "--without-mpi",
         "--with-cuda" if CUDA else "--without-cuda", f"PKG_CONFIG_PATH={starpu}")


def _carry_starpu():
    """Copies StarPU next to the library, which searches its own folder, if it was built here."""
    with open(os.path.join(BUILD, "Makefile"), encoding="utf-8") as file:
        used = f"-L{OWN_STARPU}/lib" in file.read()
    for library in glob.glob(os.path.join(OWN_STARPU, "lib", "libstarpu-1.?.so.?")) if used else ():
        shutil.copy(library, CARRIED)


def build_library():
    """Builds the library into the package. Returns the folder of the headers, and the library."""
    if not os.path.exists(os.path.join(TOP, "configure.ac")):
        raise SystemExit("armilla: pkg-config finds no installed Armilla, and this folder is not "
                         "in a clone of its repository; install Armilla, or add the folder of "
                         "armilla.pc to PKG_CONFIG_PATH")
    os.makedirs(BUILD, exist_ok=True)
    if not os.path.exists(os.path.join(TOP, "configure")):
        _run(TOP, "autoreconf", "--install", "--force")
    _configure()
    if CUDA:
        _take_kernels(os.path.join(TOP, "build-cuda"))
    _run(BUILD, "make", f"-j{os.environ.get('JOBS', os.cpu_count())}",
         f"LDFLAGS={os.environ.get('LDFLAGS', '')} -Wl,-rpath,'$$ORIGIN'", "libarmilla.la",
         "plugins/render.la")
    library = os.path.join(CARRIED, "libarmilla.so.1")
    # The folder in which the library searches for modules. This module is separate because it needs
    # cairo, which the library does not.
    folder = os.path.join(CARRIED, "armilla", "plugins")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    shutil.copy(os.path.join(BUILD, ".libs", "libarmilla.so.1"), library)
    _carry_starpu()
    if CUDA:  # replaces the folder of CUDA on this machine
        _run(TOP, "patchelf", "--set-rpath", f"$ORIGIN/../{NVIDIA}", library)
    module = shutil.copy(os.path.join(BUILD, "plugins", ".libs", "render.so"), folder)
    # Only for tools that check dependencies: libarmilla is loaded already when it loads the module.
    if shutil.which("patchelf"):
        _run(TOP, "patchelf", "--set-rpath", "$ORIGIN/../..", module)
    return os.path.join(TOP, "include"), library
