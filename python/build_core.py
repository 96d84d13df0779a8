# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes armilla._core: the functions of <armilla/arrays.h> for Python.

The declarations are those of the installed header itself; pkg-config says where it is.
"""
import os
import re
import shlex
import subprocess

from cffi import FFI

STANDARD_FOLDERS = ("/usr/lib", "/usr/lib64", "/lib")


def pkg_config(*options):
    program = os.environ.get("PKG_CONFIG", "pkg-config")
    try:
        return subprocess.run([program, *options, "armilla"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"armilla: {program} does not find an installed Armilla ({error}); "
                         "install it, or name the folder of armilla.pc in PKG_CONFIG_PATH")


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


builder = FFI()
builder.cdef(declarations(os.path.join(pkg_config("--variable=includedir"), "armilla",
                                       "arrays.h")))
builder.set_source(
    "armilla._core",
    "#include <armilla/arrays.h>",
    py_limited_api=True,
    extra_compile_args=shlex.split(pkg_config("--cflags")),
    extra_link_args=shlex.split(pkg_config("--libs"))
    + run_path(pkg_config("--variable=libdir")),
)

if __name__ == "__main__":
    builder.compile(verbose=True)
