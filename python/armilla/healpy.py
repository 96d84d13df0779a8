# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions with healpy's names, arguments and results; and replacement of healpy's inner
functions.

These functions do not need healpy, except its files of weights. Names that are not defined here,
such as read_map, ud_grade or mollview, are healpy's own if it is installed, so that ``import
armilla.healpy as hp`` can replace ``import healpy as hp``. ``install()`` makes an installed healpy
call Armilla in the running process, so that one line speeds up a script that calls healpy.
`verbose` does nothing, as in healpy.
"""
from __future__ import annotations

import importlib
from typing import Any, Dict, Optional, Tuple

import numpy as np

from . import _healpy_core as core
from . import _healpy_files as files
from ._healpy_core import UNSEEN, alm2map_spin, almxfl, map2alm_spin, rotate_alm
from ._healpy_install import install, installed, uninstall
from ._healpy_order import ring_numbers
from ._healpy_random import synalm
from .harmonic import alm_lmax, alm_size

__all__ = ["Alm", "UNSEEN", "alm2cl", "alm2map", "alm2map_der1", "alm2map_spin", "almxfl",
           "anafast", "calls", "gauss_beam", "install", "installed", "map2alm", "map2alm_spin", "pixwin",
           "rotate_alm", "smoothalm", "smoothing", "synalm", "synfast", "uninstall"]


def calls() -> Dict[str, int]:
    """Returns the number of calls of each function, by its name, that Armilla has computed;
    "healpy" is the number of calls that healpy has computed."""
    return dict(core.calls)


def __getattr__(name: str) -> Any:
    """Returns healpy's own object for names that this module does not define."""
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        healpy = importlib.import_module("healpy")
    except ImportError as error:
        raise AttributeError(f"{__name__} has no {name!r} of its own, and healpy, which may have "
                             f"it, cannot be imported ({error}): pip install healpy") from None
    try:
        return getattr(healpy, name)
    except AttributeError:
        raise AttributeError(f"neither {__name__} nor healpy {healpy.__version__} has "
                             f"{name!r}") from None


class Alm:
    """Indices of a_lm in their array.

    >>> Alm.getsize(4), Alm.getlmax(15), Alm.getidx(4, 3, 2)
    (15, 4, 10)
    """

    @staticmethod
    def getsize(lmax: int, mmax: Optional[int] = None) -> int:
        """Returns the number of a_lm."""
        return alm_size(lmax, None if mmax is None or mmax < 0 else min(mmax, lmax))

    @staticmethod
    def getlmax(s: int, mmax: Optional[int] = None) -> int:
        """Returns the lmax of this number of a_lm; -1 if there is none."""
        try:
            return alm_lmax(s, None if mmax is None or mmax < 0 else mmax)
        except ValueError:
            return -1

    @staticmethod
    def getidx(lmax: int, l: Any, m: Any) -> Any:
        """Returns the index of a_lm."""
        return m * (2 * lmax + 1 - m) // 2 + l

    @staticmethod
    def getlm(lmax: int, i: Optional[Any] = None) -> Any:
        """Returns l and m of the indices i, or of all indices."""
        i = np.arange(alm_size(lmax)) if i is None else i
        m = np.ceil(((2 * lmax + 1) - np.sqrt((2 * lmax + 1) ** 2 - 8 * (i - lmax))) / 2)
        m = m.astype(int) if isinstance(m, np.ndarray) else int(m)
        return i - m * (2 * lmax + 1 - m) // 2, m


def map2alm(maps: Any, lmax: Optional[int] = None, mmax: Optional[int] = None, iter: int = 3,
            pol: bool = True, use_weights: bool = False, datapath: Optional[str] = None,
            gal_cut: float = 0, use_pixel_weights: bool = False,
            verbose: bool = True) -> np.ndarray:
    """Computes a_lm of a map in ring order, or T, E and B of I, Q and U; UNSEEN counts as 0.

    Files of pixel weights must exist in `datapath`, in healpy's package, or in its cache; nothing
    is downloaded. With pixel weights `iter` is ignored, and there are no iterations, as in healpy.

    >>> import numpy
    >>> map2alm(numpy.ones(48), lmax=2).shape
    (6,)
    """
    rows, single = core.rows(maps, np.float64)
    path = None
    if use_pixel_weights:
        if use_weights:
            raise RuntimeError("use_weights, use_pixel_weights: only one of them can be used")
        path = files.find(files.pixel_weights_name(core.nside_of(rows[0].size)), datapath)
    options = {"lmax": lmax, "mmax": mmax, "niter": iter, "use_weights": use_weights,
               "datapath": datapath, "gal_cut": gal_cut, "pixel_weights_filename": path}
    if pol or len(rows) == 1:
        return np.array(core.map2alm(rows[0] if single else rows, **options))
    return np.array([core.map2alm(row, **options) for row in rows])


def alm2map(alms: Any, nside: int, lmax: Optional[int] = None, mmax: Optional[int] = None,
            pixwin: bool = False, fwhm: float = 0.0, sigma: Optional[float] = None,
            pol: bool = True, inplace: bool = False, verbose: bool = True) -> np.ndarray:
    """Computes a map in ring order from its a_lm, or I, Q and U from T, E and B.

    With `inplace` the array of a_lm is itself multiplied by the beam and the pixel window.

    >>> import numpy
    >>> alm2map(numpy.zeros(6, complex), 2).shape
    (48,)
    """
    if fwhm or sigma:
        alms = smoothalm(alms, fwhm, sigma, pol=pol, mmax=mmax, inplace=inplace)
    if pixwin:
        windows = files.pixel_windows(nside)
        if len(alms) == 0:
            raise ValueError("alms: it is empty")
        single = np.ndim(alms[0]) == 0
        # As in healpy, a_lm of higher multipoles become 0.
        smooth = [almxfl(row, windows[1 if pol and i > 0 else 0][:3 * nside], mmax, inplace)
                  for i, row in enumerate([alms] if single else alms)]
        alms = smooth[0] if single else smooth
    rows, single = core.rows(alms, np.complex128)
    options = {"nside": nside, "lmax": -1 if lmax is None else lmax,
               "mmax": -1 if mmax is None else mmax}
    if pol or single:
        return np.array(core.alm2map(rows[0] if single else tuple(rows), **options))
    return np.array([core.alm2map(row, **options) for row in rows])


def alm2map_der1(alm: Any, nside: int, lmax: Optional[int] = None,
                 mmax: Optional[int] = None) -> np.ndarray:
    """Computes a map, its derivative in theta, and its derivative in phi divided by sin theta.

    >>> import numpy
    >>> alm2map_der1(numpy.zeros(6, complex), 2).shape
    (3, 48)
    """
    return np.array(core.alm2map_der1(alm, nside, -1 if lmax is None else lmax,
                                      -1 if mmax is None else mmax))


def alm2cl(alms1: Any, alms2: Optional[Any] = None, lmax: Optional[int] = None,
           mmax: Optional[int] = None, lmax_out: Optional[int] = None,
           nspec: Optional[int] = None) -> np.ndarray:
    """Computes spectra; for several fields TT, EE, BB, TE, EB, TB.

    >>> import numpy
    >>> alm2cl(numpy.ones((3, 6), complex)).shape
    (6, 3)
    """
    return np.array(core.alm2cl(alms1, alms2, lmax, mmax, lmax_out))[slice(nspec)]


def gauss_beam(fwhm: float, lmax: int = 512, pol: bool = False) -> np.ndarray:
    """Returns b_l of a Gaussian beam, [multipole]; with `pol` [multipole, 4]: T, E, B and TE.

    >>> float(gauss_beam(0.1, lmax=2)[0])
    1.0
    """
    sigma = fwhm / np.sqrt(8 * np.log(2))
    l = np.arange(lmax + 1.0)
    beam = np.exp(-0.5 * l * (l + 1) * sigma**2)
    if not pol:
        return beam
    return beam[:, None] * np.exp([0.0, 2 * sigma**2, 2 * sigma**2, sigma**2])


def pixwin(nside: int, pol: bool = False, lmax: Optional[int] = None,
           datapath: Optional[str] = None) -> Any:
    """Returns the pixel window b_l up to lmax = 3 nside - 1; with `pol` a pair, the second of spin
    2.

    It is read from healpy's data if they exist, and computed otherwise, for any nside.

    >>> window = pixwin(8)
    >>> window.shape, float(window[0])
    ((24,), 1.0)
    """
    size = 3 * nside if lmax is None else lmax + 1
    windows = [window[:size].copy() for window in files.pixel_windows(nside, datapath)]
    return tuple(windows) if pol else windows[0]


def smoothalm(alms: Any, fwhm: float = 0.0, sigma: Optional[float] = None,
              beam_window: Optional[Any] = None, pol: bool = True, mmax: Optional[int] = None,
              verbose: bool = True, inplace: bool = True) -> Any:
    """Multiplies a_lm by a beam; with `pol` all except the first by the beam of spin 2.

    With `inplace`, arrays of the type complex128 are modified in place.

    >>> import numpy
    >>> bool(abs(smoothalm(numpy.ones(6, complex), fwhm=1.0)[2]) < 1)
    True
    """
    width = fwhm / np.sqrt(8 * np.log(2)) if sigma is None else sigma
    if beam_window is None and width == 0:
        return alms
    if len(alms) == 0:
        raise ValueError("alms: it is empty")
    single = np.ndim(alms[0]) == 0
    given = [alms] if single else alms
    smooth = []
    for i, row in enumerate(given):
        l = np.arange(alm_lmax(len(row), mmax) + 1.0)
        spin = 2 if pol and i > 0 else 0
        window = (np.exp(-0.5 * (l * (l + 1) - spin**2) * width**2) if beam_window is None
                  else np.array(beam_window, np.float64))
        smooth.append(almxfl(row, window, mmax, inplace))
    if single:
        return smooth[0]
    if inplace and all(isinstance(row, np.ndarray) and row.dtype == np.complex128
                       for row in given):
        return alms
    return np.array(smooth)


def smoothing(map_in: Any, fwhm: float = 0.0, sigma: Optional[float] = None,
              beam_window: Optional[Any] = None, pol: bool = True, iter: int = 3,
              lmax: Optional[int] = None, mmax: Optional[int] = None, use_weights: bool = False,
              use_pixel_weights: bool = False, datapath: Optional[str] = None,
              verbose: bool = True, nest: bool = False) -> np.ndarray:
    """Smooths a map with a beam; UNSEEN or masked pixels count as 0, and remain UNSEEN or masked.

    This holds for nested maps too, in which healpy 1.20 marks other pixels.

    >>> import numpy
    >>> smoothing(numpy.ones(48), fwhm=1.0).shape
    (48,)
    """
    rows, single = core.rows(map_in, np.float64)
    is_masked = np.ma.isMaskedArray(map_in) or (not single
                                                and any(map(np.ma.isMaskedArray, map_in)))
    nside = core.nside_of(rows[0].size)
    data = np.array(rows)
    bad = core.is_unseen(data)
    ring = ring_numbers(nside) if nest else slice(None)
    in_rings = np.empty_like(data)
    in_rings[:, ring] = data
    alms = map2alm(in_rings[0] if single else in_rings, lmax, mmax, iter, pol, use_weights,
                   datapath, use_pixel_weights=use_pixel_weights)
    alms = smoothalm(alms, fwhm, sigma, beam_window, pol, mmax)
    smooth = np.atleast_2d(alm2map(alms, nside, lmax, mmax, pol=pol))[:, ring]
    smooth[bad] = UNSEEN
    result, bad = (smooth[0], bad[0]) if single else (smooth, bad)
    return np.ma.MaskedArray(result, bad, fill_value=UNSEEN) if is_masked else result


def anafast(map1: Any, map2: Optional[Any] = None, nspec: Optional[int] = None,
            lmax: Optional[int] = None, mmax: Optional[int] = None, iter: int = 3,
            alm: bool = False, pol: bool = True, use_weights: bool = False,
            datapath: Optional[str] = None, gal_cut: float = 0,
            use_pixel_weights: bool = False) -> Any:
    """Computes spectra of a map, or cross spectra of two; with `alm` returns the a_lm too.

    >>> import numpy
    >>> anafast(numpy.ones(48), lmax=2).shape
    (3,)
    """
    options = {"pol": pol, "use_weights": use_weights, "datapath": datapath, "gal_cut": gal_cut,
               "use_pixel_weights": use_pixel_weights}
    first = map2alm(map1, lmax, mmax, iter, **options)
    second = None if map2 is None else map2alm(map2, lmax, mmax, iter, **options)
    cls = alm2cl(first, second, lmax=lmax, mmax=mmax, nspec=nspec)
    if not alm:
        return cls
    return (cls, first) if second is None else (cls, first, second)


def synfast(cls: Any, nside: int, lmax: Optional[int] = None, mmax: Optional[int] = None,
            alm: bool = False, pol: bool = True, pixwin: bool = False, fwhm: float = 0.0,
            sigma: Optional[float] = None, new: bool = False, verbose: bool = True, *,
            seed: Optional[int] = None) -> Any:
    """Draws a random map with a spectrum, or maps with several; see synalm. With `alm` returns the
    a_lm too.

    >>> synfast([1.0, 1.0, 1.0], 2, seed=1).shape
    (48,)
    """
    if len(cls) == 0:
        raise ValueError("cls: it is empty")
    lists = [cls] if np.ndim(cls[0]) == 0 and cls[0] is not None else cls
    if lmax is None or lmax < 0:
        lmax = min(3 * nside - 1, max(len(row) for row in lists if row is not None) - 1)
    alms = synalm(cls, lmax, mmax, new, seed=seed)
    maps: Any = alm2map(alms, nside, lmax, mmax, pixwin, fwhm, sigma, pol, inplace=True)
    result: Tuple[Any, Any] = (maps, alms)
    return result if alm else maps
