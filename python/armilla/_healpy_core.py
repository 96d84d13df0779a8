# SPDX-License-Identifier: GPL-3.0-or-later
"""The computations of armilla.healpy, with the arguments of healpy's inner functions."""
from __future__ import annotations

import math
from collections import Counter
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from . import _healpy_files as files
from . import alm as _alm
from . import harmonic
from ._scalars import UNSEEN
from .geometry import healpix

POLARISED = (0, 2)

calls: "Counter[str]" = Counter()


def rows(data: Any, dtype: type) -> Tuple[List[np.ndarray], bool]:
    """Returns the arrays of a list, or a list of a single array; and whether it was a single
    array."""
    single = np.ndim(data[0]) == 0 if len(data) > 0 else True
    return [_filled(row, dtype) for row in ([data] if single else data)], single


def _filled(row: Any, dtype: type) -> np.ndarray:
    """Replaces masked pixels by UNSEEN."""
    if np.ma.isMaskedArray(row):
        row = row.filled(UNSEEN)
    array = np.asarray(row)
    if array.dtype.kind == "c" and dtype is np.float64:
        array = array.real
    return np.ascontiguousarray(array, dtype)


def _degree(lmax: Optional[int]) -> Optional[int]:
    """Replaces healpy's -1 by None."""
    return None if lmax is None or lmax < 0 else int(lmax)


def is_unseen(map: np.ndarray) -> np.ndarray:
    """Returns which pixels are UNSEEN, compared in single precision."""
    return np.isclose(map, UNSEEN, rtol=1e-5, atol=0)


def nside_of(n_pixels: int) -> int:
    """Returns the nside of a map with this number of pixels."""
    nside = int(np.sqrt(n_pixels / 12) + 0.5)
    if nside < 1 or 12 * nside * nside != n_pixels:
        raise TypeError("bad number of pixels")
    return nside


def _latitude_cut(nside: int, degrees: float) -> np.ndarray:
    """Returns whether each pixel is closer to the equator than an angle in degrees."""
    ring = np.arange(1, 4 * nside)
    cap = np.minimum(ring, 4 * nside - ring)
    z = np.where(cap < nside, (1 - cap**2 / (3.0 * nside**2)) * np.sign(2 * nside - ring),
                 (4 - 2.0 * ring / nside) / 3)
    # Bit for bit as in healpy, since a ring may be on the edge.
    latitude = 90 - np.degrees([math.acos(value) for value in z])
    return np.repeat(np.abs(latitude) < degrees, 4 * np.minimum(cap, nside))


def map2alm(m: Any, lmax: Optional[int] = None, mmax: Optional[int] = None, niter: int = 3,
            use_weights: bool = False, datapath: Optional[str] = None, gal_cut: float = 0,
            pixel_weights_filename: Optional[str] = None) -> Any:
    """Transforms one map, or I, Q and U to T, E and B."""
    maps, _ = rows(m, np.float64)
    nside = nside_of(maps[0].size)
    if len(maps) not in (1, 3):
        raise ValueError(f"maps: there are {len(maps)} of them; with pol there must be 1 or 3")
    if gal_cut > 0:
        cut = _latitude_cut(nside, gal_cut)
        maps = [np.where(cut, 0.0, map) for map in maps]
    if pixel_weights_filename is not None:
        factors = files.pixel_weights(pixel_weights_filename, nside)
        # A multiplied UNSEEN would no longer be recognised.
        maps = [np.where(is_unseen(map), 0.0, map * factors) for map in maps]
        niter = 0  # as healpy: residuals of a weighted map are meaningless
    weights = files.ring_weights(nside, datapath) if use_weights else None
    calls["map2alm"] += 1
    result = harmonic.map2alm(
        np.stack(maps) if len(maps) == 3 else maps[0], _degree(lmax), _degree(mmax), iter=niter,
        ring_weights=weights, spin=POLARISED if len(maps) == 3 else 0, geometry=healpix(nside))
    return list(result) if len(maps) == 3 else result


def alm2map(alm: Any, nside: int = 64, lmax: int = -1, mmax: int = -1) -> Any:
    """Transforms one set of a_lm, or T, E and B to I, Q and U."""
    alms, single = rows(alm, np.complex128)
    if not single and len(alms) != 3:
        raise TypeError(f"alms: there are {len(alms)} of them; with pol there must be 1 or 3")
    calls["alm2map"] += 1
    if len(alms) == 3:
        return list(harmonic.alm2map(np.stack(alms), nside, lmax=_degree(lmax),
                                     mmax=_degree(mmax), spin=POLARISED))
    return harmonic.alm2map(alms[0], nside, lmax=_degree(lmax), mmax=_degree(mmax))


def alm2map_der1(alm: Any, nside: int = 64, lmax: int = -1, mmax: int = -1) -> Tuple[Any, ...]:
    """Returns the map, its derivative in theta, and its derivative in phi divided by sin theta."""
    values = _filled(alm, np.complex128)
    calls["alm2map_der1"] += 1
    degrees = {"lmax": _degree(lmax), "mmax": _degree(mmax)}
    map = harmonic.alm2map(values, nside, **degrees)
    return (map, *harmonic.gradient(values, nside, **degrees))


def _checked_spin(spin: int) -> Any:
    if spin < 0 or spin > 3:
        raise NotImplementedError(f"spin {spin}")
    return (0, 0) if spin == 0 else int(spin)


def _sign(spin: int) -> float:
    """Returns healpy's sign of E and B, a minus that healpy applies to spin 0 too."""
    return -1.0 if spin == 0 else 1.0


def alm2map_spin(alms: Sequence[Any], nside: int, spin: int, lmax: Optional[int] = None,
                 mmax: Optional[int] = None) -> List[np.ndarray]:
    """Transforms a pair of a_lm to a pair of maps."""
    pair, _ = rows(alms, np.complex128)
    if len(pair) != 2:
        raise ValueError("alms must be a sequence of two arrays")
    calls["alm2map_spin"] += 1
    return list(_sign(spin) * harmonic.alm2map(np.stack(pair), nside, lmax=_degree(lmax),
                                               mmax=_degree(mmax), spin=_checked_spin(spin)))


def map2alm_spin(maps: Sequence[Any], spin: int, lmax: Optional[int] = None,
                 mmax: Optional[int] = None) -> List[np.ndarray]:
    """Transforms a pair of maps to a pair of a_lm, without iterations."""
    pair, _ = rows(maps, np.float64)
    if len(pair) != 2:
        raise ValueError("maps must be a sequence of two arrays")
    calls["map2alm_spin"] += 1
    return list(_sign(spin) * harmonic.map2alm(np.stack(pair), _degree(lmax), _degree(mmax),
                                               iter=0, spin=_checked_spin(spin),
                                               geometry=healpix(nside_of(pair[0].size))))


def alm2cl(alms: Any, alms2: Optional[Any] = None, lmax: Optional[int] = None,
           mmax: Optional[int] = None, lmax_out: Optional[int] = None) -> Any:
    """Returns the spectrum of a set of a_lm or, for several sets, all spectra in healpy's order."""
    first, single = rows(alms, np.complex128)
    second = None if alms2 is None else rows(alms2, np.complex128)[0]
    lmax = harmonic.alm_lmax(first[0].size, _degree(mmax)) if _degree(lmax) is None else lmax
    calls["alm2cl"] += 1
    cl = _alm.alm2cl(np.stack(first), None if second is None else np.stack(second), lmax=lmax,
                     mmax=_degree(mmax), cross=True,
                     lmax_out=lmax if _degree(lmax_out) is None else min(lmax_out, lmax))
    return cl[0] if single else list(cl)


def almxfl(alm: Any, fl: Any, mmax: Optional[int] = None, inplace: bool = False) -> np.ndarray:
    """Computes f_l a_lm, in a new array or in place in `alm`."""
    values = _filled(alm, np.complex128)
    calls["almxfl"] += 1
    window = np.asarray(fl)
    lmax = harmonic.alm_lmax(values.size, _degree(mmax))
    if window.dtype.kind == "c":
        parts = [_alm.almxfl(values, part, mmax=_degree(mmax)) for part in (window.real,
                                                                          window.imag)]
        result = parts[0] + 1j * parts[1]
    else:
        result = _alm.almxfl(values, window[:lmax + 1], mmax=_degree(mmax))
    zonal = window[:lmax + 1]  # healpy multiplies imaginary parts of m = 0, which Armilla ignores
    result[:zonal.size] = zonal * values[:zonal.size]
    if not inplace:
        return result
    if isinstance(alm, np.ndarray) and alm.dtype == np.complex128:
        alm[...] = result
        return alm
    return result


def _angles(matrix: np.ndarray) -> Tuple[float, float, float]:
    """Returns psi, theta from 0 to pi, and phi of a rotation about z, then y, then z."""
    sine = np.hypot(matrix[2, 0], matrix[2, 1])
    theta = float(np.arctan2(sine, matrix[2, 2]))
    if sine < 1e-15:  # a rotation about z only
        sign = 1.0 if matrix[2, 2] > 0 else -1.0
        return 0.0, theta, float(np.arctan2(sign * matrix[1, 0], sign * matrix[0, 0]))
    return (float(np.arctan2(matrix[2, 1], -matrix[2, 0])), theta,
            float(np.arctan2(matrix[1, 2], matrix[0, 2])))


def _about_z(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def _about_y(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1.0, 0], [-s, 0, c]])


def rotate_alm(alm: Any, psi: float = 0.0, theta: float = 0.0, phi: float = 0.0,
               matrix: Optional[np.ndarray] = None, lmax: Optional[int] = None,
               mmax: Optional[int] = None) -> None:
    """Rotates a_lm in place."""
    if matrix is not None:
        psi, theta, phi = _angles(np.asarray(matrix, np.float64))
    elif not 0 <= theta <= np.pi:
        psi, theta, phi = _angles(_about_z(phi) @ _about_y(theta) @ _about_z(psi))
    calls["rotate_alm"] += 1
    if len(alm) == 0:
        raise ValueError("alm: it is empty")
    for row in ([alm] if np.ndim(alm[0]) == 0 else alm):
        if row.dtype != np.complex128:
            raise ValueError("alm must be of the type complex128, since it is rotated in place")
        degree = harmonic.alm_lmax(row.size, _degree(mmax)) if _degree(lmax) is None else lmax
        if mmax is not None and 0 <= mmax < degree:
            # healpy exits the process here.
            raise ValueError("mmax: it must be lmax, since rotated a_lm have all orders")
        row[...] = _alm.rotate_alm(_filled(row, np.complex128), psi, theta, phi, lmax=degree)
