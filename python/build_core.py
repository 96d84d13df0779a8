# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds armilla._core, the functions of <armilla/arrays.h> and <armilla/workflow-arrays.h>.

cffi reads the declarations from the headers. The module is linked with the installed library if
pkg-config finds one. Otherwise, or if ARMILLA_FROM_CLONE is set to the folder of a clone, the
library of the clone is built and becomes part of the package.
"""
import os
import re
import shlex
import subprocess

from cffi import FFI

from build_library import build_library

STANDARD_FOLDERS = ("/usr/lib", "/usr/lib64", "/lib")


def pkg_config(*options):
    """Returns the output of pkg-config for Armilla; None if Armilla is not installed."""
    program = os.environ.get("PKG_CONFIG", "pkg-config")
    try:
        return subprocess.run([program, *options, "armilla"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def declarations(header):
    """Returns a header without comments, directives and extern "C", as cffi requires."""
    with open(header, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", " ", text, flags=re.DOTALL)
    return re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)


def run_path(folder):
    """Returns linker options for a library in a folder that the loader does not search."""
    standard = any(folder == f or folder.startswith(f + "/") for f in STANDARD_FOLDERS)
    return [] if standard else [f"-Wl,-rpath,{folder}"]


def find_library():
    """Returns the folder of the headers, compiler options and linker options."""
    if not os.environ.get("ARMILLA_FROM_CLONE") and pkg_config("--exists") is not None:
        return (pkg_config("--variable=includedir"), shlex.split(pkg_config("--cflags")),
                shlex.split(pkg_config("--libs"))
                + run_path(pkg_config("--variable=libdir")))
    headers, library = build_library()
    return headers, [f"-I{headers}"], [library, "-Wl,-rpath,$ORIGIN/_library"]


headers, compiling, linking = find_library()
builder = FFI()
for name in "types.h", "arrays.h", "workflow-arrays.h":
    builder.cdef(declarations(os.path.join(headers, "armilla", name)))
builder.set_source("armilla._core", "#include <armilla/workflow-arrays.h>", py_limited_api=True,
                   extra_compile_args=compiling, extra_link_args=linking)

if __name__ == "__main__":
    builder.compile(verbose=True)
