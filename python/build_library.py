# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the C library of the clone that this folder is in, for the package to carry.

Without MPI: a package for one machine. With CUDA where ARMILLA_CUDA is set. Takes some minutes the
first time, and two more on a machine with more cores than Debian's StarPU uses. ARMILLA_FROM_CLONE names the clone where this folder is a copy of its own.
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
# Where NVIDIA's packages of PyPI have the libraries of CUDA 13, beside the package armilla.
NVIDIA = "../nvidia/cu13/lib"


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


def _options(folder):
    """What nvcc is told in a build folder; what is an error there and a warning here aside."""
    with open(os.path.join(folder, "Makefile"), encoding="utf-8") as file:
        return sorted(line.replace(" -Werror all-warnings", "").rstrip() for line in file
                      if line.startswith(("NVCC =", "NVCCFLAGS =", "AM_NVCCFLAGS =")))


def _take_kernels(other):
    """Kernels that nvcc, which takes long, has compiled in another folder with the same options.

    They know nothing of MPI; make compiles those anew whose sources have changed since.
    """
    if not os.path.exists(os.path.join(other, "Makefile")) or _options(other) != _options(BUILD):
        return
    for known in glob.glob(os.path.join(other, "codelets", "*", ".deps", "*.cu.d")):
        room = os.path.relpath(os.path.dirname(os.path.dirname(known)), other)
        name = os.path.basename(known)[:-len(".cu.d")]
        # Automake's rules compile anew what is older than the stamps of its folders.
        files = [os.path.join(room, ".dirstamp"), os.path.join(room, ".deps", ".dirstamp"),
                 os.path.join(room, ".deps", name + ".cu.d"), os.path.join(room, name + ".lo"),
                 os.path.join(room, ".libs", name + ".o")]
        if all(os.path.exists(os.path.join(other, file)) for file in files):
            for file in files:
                os.makedirs(os.path.dirname(os.path.join(BUILD, file)), exist_ok=True)
                shutil.copy2(os.path.join(other, file), os.path.join(BUILD, file))


def _starpu():
    """PKG_CONFIG_PATH of a StarPU that uses all cores, which is built if need be."""
    environment = dict(os.environ) if CUDA else dict(os.environ, CUDA_HOME="no")
    command = [os.path.join(TOP, "build-aux", "choose-starpu"), OWN_STARPU]
    try:
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                              env=environment).stdout.strip()
    except subprocess.CalledProcessError:
        raise SystemExit("armilla: StarPU could not be built; the reason is above. "
                         "STARPU_SOURCE=no takes Debian's as it is") from None


def _configure():
    """Configures the build folder unless it is for the StarPU that is to be used."""
    starpu = _starpu()
    makefile = os.path.join(BUILD, "Makefile")
    if os.path.exists(makefile):
        with open(makefile, encoding="utf-8") as file:
            if f"PKG_CONFIG_PATH = {starpu}".strip() in (line.strip() for line in file):
                return
        # What was compiled for another StarPU knows nothing of this one.
        _run(BUILD, "make", "--silent", "clean")
    _run(BUILD, os.path.join(TOP, "configure"), "--without-mpi",
         "--with-cuda" if CUDA else "--without-cuda", f"PKG_CONFIG_PATH={starpu}")


def _carry_starpu():
    """Copies a StarPU that was built here beside the library, which looks for it there."""
    with open(os.path.join(BUILD, "Makefile"), encoding="utf-8") as file:
        used = f"-L{OWN_STARPU}/lib" in file.read()
    for library in glob.glob(os.path.join(OWN_STARPU, "lib", "libstarpu-1.?.so.?")) if used else ():
        shutil.copy(library, CARRIED)


def build_library():
    """The folder of the headers, and the library, which lies in the package afterwards."""
    if not os.path.exists(os.path.join(TOP, "configure.ac")):
        raise SystemExit("armilla: pkg-config finds no installed Armilla, and this is no clone of "
                         "its repository; install it, or name the folder of armilla.pc in "
                         "PKG_CONFIG_PATH")
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
    # Where the library looks for modules; this one needs cairo, which the library does not.
    folder = os.path.join(CARRIED, "armilla", "plugins")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    shutil.copy(os.path.join(BUILD, ".libs", "libarmilla.so.1"), library)
    _carry_starpu()
    if CUDA:  # instead of the toolkit's folder on this machine
        _run(TOP, "patchelf", "--set-rpath", f"$ORIGIN/../{NVIDIA}", library)
    module = shutil.copy(os.path.join(BUILD, "plugins", ".libs", "render.so"), folder)
    # For tools that look for libraries; the one that loads modules is there already.
    if shutil.which("patchelf"):
        _run(TOP, "patchelf", "--set-rpath", "$ORIGIN/../..", module)
    return os.path.join(TOP, "include"), library
