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

# NVIDIA's packages with libraries that the loader may lack.
_PACKAGES = {"libcudart": "nvidia-cuda-runtime", "libcufft": "nvidia-cufft"}


def load(name: str = "armilla._core") -> None:
    """Imports a compiled module.

    It finds CUDA's libraries beside this package, where pip puts those of NVIDIA's packages. Where
    they are elsewhere on sys.path (this package in a folder of its own, an environment upon another
    one), they are loaded from there beforehand.
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
                raise ImportError(f"{missing} is not here: pip install {package}, or install "
                                  "armilla in place of armilla-cuda13 where there is no GPU"
                                  ) from error
            ctypes.CDLL(path)
            loaded.append(missing)


def missing_library(message: str) -> Optional[str]:
    """Which library of CUDA's the loader has not found; None for any other message."""
    found = re.match(r"(lib\w+)\.so\.\d+", message)
    return found.group(0) if found and found.group(1) in _PACKAGES else None


def find(library: str, folders: Iterable[str]) -> Optional[str]:
    """Where a library of NVIDIA's packages is, below folders that Python has packages in."""
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), "nvidia", "*", "lib",
                                                  library))):
            return path
    return None


def installed(folder: str) -> List[str]:
    """Which packages in a folder have put files into armilla/."""
    found = (re.fullmatch(r"(armilla(?:_cuda\d+)?)-[^-]*\.dist-info", name)
             for name in os.listdir(folder))
    return sorted(match.group(1).replace("_", "-") for match in found if match)


def warn_of_two(folder: str) -> None:
    """pip knows of no package that excludes another one; files of one are then the other's."""
    packages = installed(folder)
    if len(packages) > 1:
        warnings.warn(f"{' and '.join(packages)} are both installed, each with files of the other; "
                      f"pip uninstall {' '.join(packages)}, then install the one that is wanted",
                      RuntimeWarning, stacklevel=3)


try:
    warn_of_two(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
except OSError:  # not a folder (a zip file), or unreadable
    pass
load()
