# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports the compiled module, after CUDA's libraries if it was built with CUDA."""
from __future__ import annotations

import ctypes
import glob
import importlib
import os
import re
import sys
import warnings
from typing import Iterable, List, Optional

# NVIDIA's packages with libraries that the loader may not find.
_PACKAGES = {"libcudart": "nvidia-cuda-runtime", "libcufft": "nvidia-cufft"}


def load(name: str = "armilla._core") -> None:
    """Imports a compiled module.

    The module finds CUDA's libraries next to this package, where pip installs NVIDIA's packages. If
    they are elsewhere on sys.path (this package is in a separate folder, or in an environment based
    on another one), this function loads them from there first.
    """
    loaded: List[str] = []
    while True:
        try:
            importlib.import_module(name)
            return
        except ImportError as error:
            missing = missing_library(str(error))
            if missing is None or missing in loaded:
                raise
            path = find(missing, sys.path)
            if path is None:
                package = _PACKAGES[missing.partition(".")[0]]
                raise ImportError(f"{missing} is not installed: pip install {package}; or, on a "
                                  "machine without a GPU, install armilla instead of "
                                  "armilla-cuda13") from error
            ctypes.CDLL(path)
            loaded.append(missing)


def missing_library(message: str) -> Optional[str]:
    """Returns the CUDA library that the loader has not found, from its message; None for any other
    message."""
    found = re.match(r"(lib\w+)\.so\.\d+", message)
    return found.group(0) if found and found.group(1) in _PACKAGES else None


def find(library: str, folders: Iterable[str]) -> Optional[str]:
    """Returns the path of a library of NVIDIA's packages, below folders of Python packages."""
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), "nvidia", "*", "lib",
                                                  library))):
            return path
    return None


def installed(folder: str) -> List[str]:
    """Returns the packages in a folder that have files in armilla/."""
    found = (re.fullmatch(r"(armilla(?:_cuda\d+)?)-[^-]*\.dist-info", name)
             for name in os.listdir(folder))
    return sorted(match.group(1).replace("_", "-") for match in found if match)


def warn_of_two(folder: str) -> None:
    """Warns if two packages have files in armilla/: pip cannot declare conflicts, and one package
    overwrites files of the other."""
    packages = installed(folder)
    if len(packages) > 1:
        warnings.warn(f"{' and '.join(packages)} are both installed and overwrite each other's "
                      f"files; pip uninstall {' '.join(packages)}, then install only one of them",
                      RuntimeWarning, stacklevel=3)


try:
    warn_of_two(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
except OSError:  # not a folder (a zip file), or unreadable
    pass
load()
