# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions with healpy's names, arguments and results; and Armilla under healpy itself.

The functions here need no healpy. ``install()`` puts Armilla under an installed healpy in the
running process, so that a script of healpy calls gains the speed by one line.
"""
from __future__ import annotations

from typing import Any, Dict, List, Optional

import numpy as np

from . import _healpy_core as core
from . import alm as _alm
from ._healpy_core import UNSEEN, alm2cl as _alm2cl, alm2map_spin, map2alm_spin
from ._healpy_core import almxfl, rotate_alm
from ._healpy_install import install, installed, uninstall
from .harmonic import alm_lmax, alm_size

__all__ = ["Alm", "UNSEEN", "alm2cl", "alm2map", "alm2map_der1", "alm2map_spin", "almxfl",
           "anafast", "calls", "gauss_beam", "install", "installed", "map2alm", "map2alm_spin",
           "rotate_alm", "smoothalm", "smoothing", "synalm", "synfast", "uninstall"]


def calls() -> Dict[str, int]:
    """How often each function has reached Armilla, by its name; "healpy": and how often not."""
    return dict(core.calls)


class Alm:
    """Where a_lm are in their array.

    >>> Alm.getsize(4), Alm.getlmax(15), Alm.getidx(4, 3, 2)
    (15, 4, 10)
    """

    @staticmethod
    def getsize(lmax: int, mmax: Optional[int] = None) -> int:
        """How many a_lm there are."""
        return alm_size(lmax, None if mmax is None or mmax < 0 else min(mmax, lmax))

    @staticmethod
    def getlmax(s: int, mmax: Optional[int] = None) -> int:
        """The lmax of so many; -1 where there is none."""
        try:
            return alm_lmax(s, None if mmax is None or mmax < 0 else mmax)
        except ValueError:
            return -1

    @staticmethod
    def getidx(lmax: int, l: Any, m: Any) -> Any:
        """The number of a_lm."""
        return m * (2 * lmax + 1 - m) // 2 + l

    @staticmethod
    def getlm(lmax: int, i: Optional[Any] = None) -> Any:
        """l and m of the numbers i, or of all."""
        i = np.arange(alm_size(lmax)) if i is None else i
        m = np.ceil(((2 * lmax + 1) - np.sqrt((2 * lmax + 1) ** 2 - 8 * (i - lmax))) / 2)
        m = m.astype(int) if isinstance(m, np.ndarray) else int(m)
        return i - m * (2 * lmax + 1 - m) // 2, m


def map2alm(maps: Any, lmax: Optional[int] = None, mmax: Optional[int] = None, iter: int = 3,
            pol: bool = True, use_weights: bool = False, datapath: Optional[str] = None,
            gal_cut: float = 0) -> np.ndarray:
    """a_lm of a map in ring order, or T, E and B of I, Q and U; UNSEEN counts as 0.

    >>> import numpy
    >>> map2alm(numpy.ones(48), lmax=2).shape
    (6,)
    """
    rows, single = core.rows(maps, np.float64)
    options = {"lmax": lmax, "mmax": mmax, "niter": iter, "use_weights": use_weights,
               "datapath": datapath, "gal_cut": gal_cut}
    if single:
        return core.map2alm(rows[0], **options)
    if pol and len(rows) == 3:
        return np.array(core.map2alm(rows, **options))
    return np.array([core.map2alm(row, **options) for row in rows])


def _windows(n: int, lmax: int, fwhm: float, sigma: Optional[float],
             beam_window: Optional[Any]) -> List[np.ndarray]:
    """Those of n fields: of T, E, B where there are three."""
    if beam_window is not None:
        beam = np.asarray(beam_window, np.float64)
        return [beam if beam.ndim == 1 else beam[:, min(i, beam.shape[1] - 1)] for i in range(n)]
    width = fwhm / np.sqrt(8 * np.log(2)) if sigma is None else sigma
    l = np.arange(lmax + 1.0)
    scalar = np.exp(-0.5 * l * (l + 1) * width**2)
    return [scalar * (np.exp(2 * width**2) if i > 0 else 1) for i in range(n)]


def alm2map(alms: Any, nside: int, lmax: Optional[int] = None, mmax: Optional[int] = None,
            fwhm: float = 0.0, sigma: Optional[float] = None, pol: bool = True) -> np.ndarray:
    """A map in ring order from its a_lm, or I, Q and U from T, E and B.

    >>> import numpy
    >>> alm2map(numpy.zeros(6, complex), 2).shape
    (48,)
    """
    rows, single = core.rows(alms, np.complex128)
    if fwhm or sigma:
        rows = smoothalm(rows, fwhm, sigma, pol=pol, mmax=mmax, inplace=False)
    options = {"nside": nside, "lmax": -1 if lmax is None else lmax,
               "mmax": -1 if mmax is None else mmax}
    if single:
        return core.alm2map(rows[0], **options)
    if pol and len(rows) == 3:
        return np.array(core.alm2map(tuple(rows), **options))
    return np.array([core.alm2map(row, **options) for row in rows])


def alm2map_der1(alm: Any, nside: int, lmax: Optional[int] = None,
                 mmax: Optional[int] = None) -> np.ndarray:
    """A map, its derivative in theta, and that in phi over sin theta.

    >>> import numpy
    >>> alm2map_der1(numpy.zeros(6, complex), 2).shape
    (3, 48)
    """
    return np.array(core.alm2map_der1(alm, nside, -1 if lmax is None else lmax,
                                      -1 if mmax is None else mmax))


def alm2cl(alms1: Any, alms2: Optional[Any] = None, lmax: Optional[int] = None,
           mmax: Optional[int] = None, lmax_out: Optional[int] = None,
           nspec: Optional[int] = None) -> np.ndarray:
    """Spectra; of several fields TT, EE, BB, TE, EB, TB.

    >>> import numpy
    >>> alm2cl(numpy.ones((3, 6), complex)).shape
    (6, 3)
    """
    return np.array(_alm2cl(alms1, alms2, lmax, mmax, lmax_out))[slice(nspec)]


def gauss_beam(fwhm: float, lmax: int = 512, pol: bool = False) -> np.ndarray:
    """b_l of a Gaussian beam [degree]; with pol [degree, 4]: T, E, B and TE.

    >>> float(gauss_beam(0.1, lmax=2)[0])
    1.0
    """
    sigma = fwhm / np.sqrt(8 * np.log(2))
    l = np.arange(lmax + 1.0)
    beam = np.exp(-0.5 * l * (l + 1) * sigma**2)
    if not pol:
        return beam
    return beam[:, None] * np.exp([0.0, 2 * sigma**2, 2 * sigma**2, sigma**2])


def smoothalm(alms: Any, fwhm: float = 0.0, sigma: Optional[float] = None,
              beam_window: Optional[Any] = None, pol: bool = True, mmax: Optional[int] = None,
              inplace: bool = True) -> Any:
    """a_lm times a beam; T, E and B times that of their spins.

    >>> import numpy
    >>> bool(abs(smoothalm(numpy.ones(6, complex), fwhm=1.0)[2]) < 1)
    True
    """
    rows, single = core.rows(alms, np.complex128)
    lmax = alm_lmax(rows[0].size, mmax)
    windows = _windows(len(rows), lmax, fwhm, sigma, beam_window)
    if not pol or len(rows) != 3:
        windows = windows[:1] * len(rows)
    result = [core.almxfl(row, window, mmax) for row, window in zip(rows, windows)]
    if inplace:
        for row, smooth in zip([alms] if single else alms, result):
            if isinstance(row, np.ndarray) and row.dtype == np.complex128:
                row[...] = smooth
        if isinstance(alms, np.ndarray):
            return alms
    return result[0] if single else np.array(result)


def smoothing(map_in: Any, fwhm: float = 0.0, sigma: Optional[float] = None,
              beam_window: Optional[Any] = None, pol: bool = True, iter: int = 3,
              lmax: Optional[int] = None, mmax: Optional[int] = None, use_weights: bool = False,
              datapath: Optional[str] = None) -> np.ndarray:
    """A map times a beam; UNSEEN pixels count as 0, and stay.

    >>> import numpy
    >>> smoothing(numpy.ones(48), fwhm=1.0).shape
    (48,)
    """
    rows, single = core.rows(map_in, np.float64)
    bad = [(row == UNSEEN) | np.isclose(row, UNSEEN, rtol=1e-5) for row in rows]
    alms = map2alm(rows[0] if single else rows, lmax, mmax, iter, pol, use_weights, datapath)
    smooth = smoothalm(alms, fwhm, sigma, beam_window, pol, mmax, inplace=False)
    nside = core.nside_of(rows[0].size)
    maps = alm2map(smooth, nside, lmax, mmax, pol=pol)
    for map, mask in zip([maps] if single else maps, bad):
        map[mask] = UNSEEN
    return maps


def anafast(map1: Any, map2: Optional[Any] = None, nspec: Optional[int] = None,
            lmax: Optional[int] = None, mmax: Optional[int] = None, iter: int = 3,
            alm: bool = False, pol: bool = True, use_weights: bool = False,
            datapath: Optional[str] = None, gal_cut: float = 0) -> Any:
    """Spectra of a map, or cross spectra of two.

    >>> import numpy
    >>> anafast(numpy.ones(48), lmax=2).shape
    (3,)
    """
    options = {"pol": pol, "use_weights": use_weights, "datapath": datapath, "gal_cut": gal_cut}
    first = map2alm(map1, lmax, mmax, iter, **options)
    second = None if map2 is None else map2alm(map2, lmax, mmax, iter, **options)
    cls = alm2cl(first, second, lmax=lmax, mmax=mmax, nspec=nspec)
    if not alm:
        return cls
    return (cls, first) if second is None else (cls, first, second)


def synalm(cls: Any, lmax: Optional[int] = None, mmax: Optional[int] = None, new: bool = False,
           seed: Optional[int] = None) -> np.ndarray:
    """Random a_lm of a spectrum; T, E and B of TT, EE, BB, TE (new) or TT, TE, EE, BB.

    What is drawn is Armilla's, not healpy's: the same for equal `seed`, and of NumPy's global
    generator where that is not given.

    >>> synalm([1.0, 1.0, 1.0], seed=1).shape
    (6,)
    """
    spectra = np.atleast_2d(np.asarray(cls, np.float64))
    if spectra.shape[0] not in (1, 4, 6):
        raise TypeError("cls must be one spectrum, or four or six of them")
    if spectra.shape[0] == 4 and not new:
        spectra = spectra[[0, 2, 3, 1]]
    elif spectra.shape[0] == 6 and not new:
        spectra = spectra[[0, 3, 5, 1, 4, 2]]
    if seed is None:
        seed = int(np.random.randint(0, 2**63 - 1, dtype=np.int64))
    return _alm.random_alm(spectra[0] if spectra.shape[0] == 1 else spectra, lmax, mmax, seed=seed)


def synfast(cls: Any, nside: int, lmax: Optional[int] = None, mmax: Optional[int] = None,
            alm: bool = False, pol: bool = True, fwhm: float = 0.0,
            sigma: Optional[float] = None, new: bool = False, seed: Optional[int] = None) -> Any:
    """A random map of a spectrum; see synalm.

    >>> synfast([1.0, 1.0, 1.0], 2, seed=1).shape
    (48,)
    """
    n_l = np.shape(cls)[-1]
    lmax = min(3 * nside - 1, n_l - 1) if lmax is None or lmax < 0 else lmax
    alms = synalm(cls, lmax, mmax, new, seed)
    maps = alm2map(alms, nside, lmax, mmax, fwhm, sigma, pol)
    return (maps, alms) if alm else maps
