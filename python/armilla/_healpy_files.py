# SPDX-License-Identifier: GPL-3.0-or-later
"""healpy's data files: ring weights, pixel weights, and pixel windows."""
from __future__ import annotations

import functools
import importlib.util
import os
from typing import Optional, Tuple

import numpy as np

from . import stages
from .fields import Alm

# Address of healpy's data files, and their package name in astropy's cache.
SITE = "https://healpy.github.io/healpy-data/"
MAX_COMPUTED = 2048  # as in the library


def _column(path: str, number: int) -> np.ndarray:
    from astropy.io import fits
    with fits.open(path) as file:
        return np.array(file[1].data.field(number), np.float64).ravel()


def find(name: str, datapath: Optional[str]) -> str:
    """Returns the path of a file in the folder; without a folder, in healpy's package or in
    healpy's cache.

    Nothing is downloaded.
    """
    tried = []
    if datapath is None:
        healpy = importlib.util.find_spec("healpy")
        if healpy is not None and healpy.origin is not None:
            tried += [os.path.join(os.path.dirname(healpy.origin), part, name)
                      for part in ("data", "")]
    else:
        tried.append(os.path.join(datapath, name))
    for path in tried:
        if os.path.isfile(path):
            return path
    if datapath is None and importlib.util.find_spec("astropy") is not None:
        from astropy.utils import data
        if data.is_url_in_cache(SITE + name):
            return data.download_file(SITE + name, cache=True, show_progress=False)
    raise FileNotFoundError(f"datapath: {datapath} has no file {name}; {SITE} has it" if datapath
                            else f"no file {name} found; download it from {SITE} to a folder, and "
                            "pass the folder as datapath")


def ring_weights(nside: int, datapath: Optional[str]) -> np.ndarray:
    """Returns the factors of the rings from the north pole to the equator."""
    return 1 + _column(find(f"weight_ring_n{nside:05d}.fits", datapath), 0)[:2 * nside]


def pixel_weights_name(nside: int) -> str:
    """Returns the name of the file of pixel weights."""
    return f"full_weights/healpix_full_weights_nside_{nside:04d}.fits"


def pixel_weights(path: str, nside: int) -> np.ndarray:
    """Returns a factor for each pixel of a map in ring order.

    For each ring down to the equator, the file has the values that differ: the four quarters of a
    ring are equal, each quarter is its own mirror image, and the south is the mirror image of the
    north.
    """
    kept = 1 + _column(path, 0)
    if kept.size != (3 * nside + 1) * (nside + 1) // 4:
        raise ValueError(f"{path}: it has {kept.size} weights, which is not the number for nside = "
                         f"{nside}")
    north, taken = [], 0
    for ring in range(1, 2 * nside + 1):
        quarter = min(ring, nside)
        # Whether the mirror image of the quarter's first pixel is within the quarter.
        shifted = ring < nside or (ring - nside) % 2 == 0
        j = np.arange(quarter)
        mirrored = np.minimum(j, quarter - int(shifted) - j)
        north.append(np.tile(kept[taken + mirrored], 4))
        taken += int(mirrored.max()) + 1
    return np.concatenate(north + north[-2::-1])


def pixel_windows(nside: int,
                  datapath: Optional[str] = None) -> Tuple[np.ndarray, np.ndarray]:
    """Returns b_l of a pixel up to l = 4 nside, for temperature and for polarisation.

    Without a folder, they are computed if healpy's file does not exist.
    """
    try:
        path = find(f"pixel_window_functions/pixel_window_n{nside:04d}.fits", datapath)
    except FileNotFoundError as error:
        if datapath is not None:
            raise
        if nside > MAX_COMPUTED:
            raise FileNotFoundError(f"{error}, and windows are computed up to nside = "
                                    f"{MAX_COMPUTED} only") from None
        return computed_windows(nside)
    return _column(path, 0), _column(path, 1)


@functools.lru_cache(maxsize=8)
def computed_windows(nside: int) -> Tuple[np.ndarray, np.ndarray]:
    """Returns the windows that the stage `smooth-alm` computes: its output for a_l0 = 1."""
    ones = Alm(np.ones((3, 4 * nside + 1), np.complex128), lmax=4 * nside, mmax=0, spin=(0, 2))
    found = stages.smooth_alm(ones, pixel_window=f"compute {nside}").array.real
    windows = found[0].copy(), found[1].copy()
    for window in windows:
        window.flags.writeable = False  # cached for other calls
    return windows
