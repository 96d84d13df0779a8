# SPDX-License-Identifier: GPL-3.0-or-later
"""Pixelisations of maps."""
from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Optional, Sequence, Tuple

import numpy as np

from . import _arrays
from ._core import ffi, lib
from ._scalars import whole

MAX_NSIDE = 2**29  # as in the library


@dataclass(frozen=True)
class Geometry:
    """Rings of pixels, created by the functions of this module; equal rings compare equal.

    Attributes
    ----------
    n_pixels : int
        Number of pixels of a map.
    lmax : int
        Default of the highest multipole of an analysis.
    exact : bool
        Whether a quadrature without iterations recovers a_lm exactly, up to `lmax`.
    """

    kind: int
    nside: int = 0
    n_theta: int = 0
    n_phi: int = 0
    n_pixels: int = 0
    lmax: int = 0
    exact: bool = True
    rings: Optional[Tuple[bytes, ...]] = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Checks the columns of `rings`: the library reads as many numbers of each as the first one
        has."""
        for name in "kind", "nside", "n_theta", "n_phi", "n_pixels", "lmax":
            whole(name, getattr(self, name), max_value=2**63 - 1)
        if self.rings is None:
            return
        if (not isinstance(self.rings, tuple) or len(self.rings) != 5
                or any(type(column) is not bytes or len(column) != len(self.rings[0])
                       for column in self.rings) or len(self.rings[0]) % 8 != 0):
            raise ValueError("rings: they must come from armilla.geometry.rings()")

    def fill(self, shape, keep: list) -> None:
        """Fills an ArmillaPlanShape; `keep` holds the objects to which it points."""
        self.__post_init__()
        shape.geometry = self.kind
        shape.nside, shape.n_theta, shape.n_phi = self.nside, self.n_theta, self.n_phi
        if self.rings is None:
            return
        theta, phi0, weight, n_phi, first = self.rings
        rings = ffi.new("ArmillaRings *")
        rings.n = len(theta) // 8
        rings.theta = ffi.from_buffer("double[]", theta)
        rings.phi0 = ffi.from_buffer("double[]", phi0)
        rings.weight = ffi.from_buffer("double[]", weight)
        rings.n_phi = ffi.from_buffer("int64_t[]", n_phi)
        rings.first = ffi.from_buffer("int64_t[]", first)
        keep.append(rings)
        shape.rings = rings


def healpix(nside: int) -> Geometry:
    """HEALPix in RING order, any nside: 12 nside**2 pixels."""
    return _healpix(whole("nside", nside, 1, MAX_NSIDE))


@functools.lru_cache(maxsize=16)
def _healpix(nside: int) -> Geometry:
    return Geometry(lib.ARMILLA_GRID_HEALPIX, nside=nside, n_pixels=12 * nside * nside,
                    lmax=3 * nside - 1, exact=False)


def gauss_legendre(n_theta: int, n_phi: int) -> Geometry:
    """Gauss-Legendre nodes: n_theta rings of n_phi pixels each."""
    return _equal_rings(lib.ARMILLA_GRID_GAUSS_LEGENDRE, n_theta, n_phi, 1, 1)


def fejer1(n_theta: int, n_phi: int) -> Geometry:
    """Equiangular, theta = (i + 1/2) pi / n_theta: no pixels on the poles."""
    return _equal_rings(lib.ARMILLA_GRID_FEJER1, n_theta, n_phi, 1, 2)


def clenshaw_curtis(n_theta: int, n_phi: int) -> Geometry:
    """Equiangular, theta = i pi / (n_theta - 1): both poles have a ring."""
    return _equal_rings(lib.ARMILLA_GRID_CLENSHAW_CURTIS, n_theta, n_phi, 1, 2)


def driscoll_healy(n_theta: int, n_phi: int) -> Geometry:
    """Equiangular, theta = i pi / n_theta, n_theta even: the north pole has a ring."""
    return _equal_rings(lib.ARMILLA_GRID_DRISCOLL_HEALY, n_theta, n_phi, 2, 2)


def rings(theta: Sequence[float], n_phi: Sequence[int], phi0: Optional[Sequence[float]] = None,
          first: Optional[Sequence[int]] = None,
          weight: Optional[Sequence[float]] = None) -> Geometry:
    """Rings defined by the caller, from north to south.

    Parameters
    ----------
    theta : array of float
        Co-latitudes, radian.
    n_phi : array of int
        Number of pixels of each ring, equidistant in azimuth.
    phi0 : array of float
        Azimuth of the first pixel of each ring, radian; 0 by default.
    first : array of int
        Index in the map of the first pixel of each ring; by default one ring follows the other.
    weight : array of float
        Quadrature weight of a pixel of each ring, steradian; 1 by default.
    """
    columns = [_arrays.as_numbers("theta", theta)]
    n = columns[0].size
    lengths = _whole_numbers("n_phi", n_phi)
    if first is None:
        first = np.concatenate(([0], np.cumsum(lengths)[:-1])) if lengths.size else []
    columns += [np.zeros(n) if phi0 is None else _arrays.as_numbers("phi0", phi0),
                np.ones(n) if weight is None else _arrays.as_numbers("weight", weight),
                lengths, _whole_numbers("first", first)]
    if any(column.shape != (n,) for column in columns):
        raise ValueError("theta, n_phi, phi0, first and weight must have one number a ring")
    if n == 0:
        raise ValueError("theta: at least one ring is needed")
    n_pixels = int((columns[4] + columns[3]).max())
    return Geometry(lib.ARMILLA_GRID_RINGS, n_pixels=n_pixels, lmax=max(n - 1, 0), exact=False,
                    rings=tuple(column.tobytes() for column in columns))


def _whole_numbers(name: str, values: Sequence[int]) -> np.ndarray:
    numbers = _arrays.on_host(name, values)
    if numbers.size > 0 and numbers.dtype.kind not in "iu":
        raise TypeError(f"{name}: it must be whole numbers")
    return np.ascontiguousarray(numbers, np.int64)


def _equal_rings(kind: int, n_theta: int, n_phi: int, less: int, divisor: int) -> Geometry:
    """Returns a grid of equal rings, whose quadrature is exact up to lmax = (n_theta - less) /
    divisor."""
    n_theta, n_phi = whole("n_theta", n_theta, 1), whole("n_phi", n_phi, 1)
    return Geometry(kind, n_theta=n_theta, n_phi=n_phi, n_pixels=n_theta * n_phi,
                    lmax=max((n_theta - less) // divisor, 0))


# Geometry of maps on rings selected by a workflow.
NO_GEOMETRY = Geometry(lib.ARMILLA_GRID_RINGS)
