# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes armilla._core: the functions of <armilla/arrays.h> and <armilla/workflow-arrays.h>.

The declarations are those of the header itself. The library is the installed one that pkg-config
knows; where there is none, or ARMILLA_FROM_CLONE names a clone, the one of the clone is built and
goes into the package.
"""
import os
import re
import shlex
import subprocess

from cffi import FFI

from build_library import build_library

STANDARD_FOLDERS = ("/usr/lib", "/usr/lib64", "/lib")


def pkg_config(*options):
    """What pkg-config says of an installed Armilla; None where there is none."""
    program = os.environ.get("PKG_CONFIG", "pkg-config")
    try:
        return subprocess.run([program, *options, "armilla"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def declarations(header):
    """What cffi can read of the header: no comments, no directives, no extern "C"."""
    with open(header, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", " ", text, flags=re.DOTALL)
    return re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)


def run_path(folder):
    """So that the library is found where no loader looks by itself."""
    standard = any(folder == f or folder.startswith(f + "/") for f in STANDARD_FOLDERS)
    return [] if standard else [f"-Wl,-rpath,{folder}"]


def find_library():
    """Folder of the headers, and options of the compiler and of the linker."""
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
