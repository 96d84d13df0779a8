# SPDX-License-Identifier: GPL-3.0-or-later
"""Synthesis and analysis as SciPy's LinearOperator, for solvers. Needs SciPy.

Vectors of a_lm are real: for each coefficient the real part and, if m > 0, the imaginary part, both
times sqrt(2) for m > 0, so that the scalar product of two vectors is that of the two fields.
"""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from scipy.sparse.linalg import LinearOperator

from .geometry import Geometry
from .harmonic import (Spin, _degrees, _spins, adjoint_alm2map, adjoint_map2alm, alm2map, alm_size,
                       map2alm)


def alm_to_real(alm: np.ndarray, lmax: int) -> np.ndarray:
    """Returns the real vector of a_lm [..., n_alm]: [..., 2 n_alm - lmax - 1].

    >>> import numpy
    >>> alm_to_real(numpy.array([1, 2, 3 + 4j]), 1)
    array([1.        , 2.        , 4.24264069, 5.65685425])
    """
    rest = np.sqrt(2) * alm[..., lmax + 1:]
    return np.concatenate((alm[..., :lmax + 1].real, rest.real, rest.imag), axis=-1)


def real_to_alm(vector: np.ndarray, lmax: int) -> np.ndarray:
    """Returns the a_lm of a real vector; the inverse of alm_to_real.

    >>> import numpy
    >>> real_to_alm(alm_to_real(numpy.array([1, 2, 3 + 4j]), 1), 1)
    array([1.+0.j, 2.+0.j, 3.+4.j])
    """
    n_rest = (vector.shape[-1] - lmax - 1) // 2
    real, imaginary = vector[..., lmax + 1:lmax + 1 + n_rest], vector[..., lmax + 1 + n_rest:]
    return np.concatenate((vector[..., :lmax + 1] + 0j,
                           (real + 1j * imaginary) / np.sqrt(2)), axis=-1)


class _Transform(LinearOperator):
    def __init__(self, geometry: Geometry, lmax: Optional[int], mmax: Optional[int], spin: Spin):
        if geometry.car is not None:
            raise TypeError("geometry: it is an image; operators need the grid of its rings, such as "
                            "armilla.geometry.fejer1")
        self._lmax, self._mmax = _degrees(geometry, lmax, mmax)
        self._how: dict = {"geometry": geometry, "spin": spin}
        self._parts = _spins(spin)[1] or 1
        self._n_real = 2 * alm_size(self._lmax, self._mmax) - self._lmax - 1
        self._scalar = _spins(spin)[1] is None

    def _alm(self, vector: np.ndarray) -> np.ndarray:
        rows = np.ascontiguousarray(vector, np.float64).reshape(self._parts, self._n_real)
        alm = real_to_alm(rows, self._lmax)
        return alm[0] if self._scalar else alm

    def _vector(self, alm: np.ndarray) -> np.ndarray:
        return alm_to_real(alm, self._lmax).reshape(-1)

    def _map(self, vector: np.ndarray) -> np.ndarray:
        rows = np.ascontiguousarray(vector, np.float64).reshape(self._parts, -1)
        return rows[0] if self._scalar else rows

    def _to_map(self, function: Any, vector: np.ndarray) -> np.ndarray:
        return function(self._alm(vector), lmax=self._lmax, mmax=self._mmax,
                        **self._how).reshape(-1)

    def _to_alm(self, function: Any, vector: np.ndarray, **more: int) -> np.ndarray:
        return self._vector(function(self._map(vector), lmax=self._lmax, mmax=self._mmax,
                                     **self._how, **more))


class Synthesis(_Transform):
    """alm2map, from real vectors of a_lm to maps.

    >>> import armilla, numpy
    >>> A = Synthesis(armilla.geometry.healpix(4), lmax=5)
    >>> A.shape
    (192, 36)
    >>> x, y = numpy.ones(36), numpy.arange(192.0)
    >>> bool(numpy.isclose((A @ x) @ y, x @ (A.H @ y)))
    True
    """

    def __init__(self, geometry: Geometry, lmax: Optional[int] = None, mmax: Optional[int] = None,
                 spin: Spin = 0):
        _Transform.__init__(self, geometry, lmax, mmax, spin)
        LinearOperator.__init__(self, np.float64, (self._parts * geometry.n_pixels,
                                                   self._parts * self._n_real))

    def _matvec(self, x: np.ndarray) -> np.ndarray:
        return self._to_map(alm2map, x)

    def _rmatvec(self, x: np.ndarray) -> np.ndarray:
        return self._to_alm(adjoint_alm2map, x)


class Analysis(_Transform):
    """map2alm without iterations, from maps to real vectors of a_lm.

    >>> import armilla
    >>> Analysis(armilla.geometry.gauss_legendre(6, 11)).shape
    (36, 66)
    """

    def __init__(self, geometry: Geometry, lmax: Optional[int] = None, mmax: Optional[int] = None,
                 spin: Spin = 0):
        _Transform.__init__(self, geometry, lmax, mmax, spin)
        LinearOperator.__init__(self, np.float64, (self._parts * self._n_real,
                                                   self._parts * geometry.n_pixels))

    def _matvec(self, x: np.ndarray) -> np.ndarray:
        return self._to_alm(map2alm, x, iter=0)

    def _rmatvec(self, x: np.ndarray) -> np.ndarray:
        return self._to_map(adjoint_map2alm, x)
