# SPDX-License-Identifier: GPL-3.0-or-later
"""Common code of the differentiable transforms of other packages.

A gradient with respect to a_lm is d/dx + i d/dy for a_lm = x + i y. The a_lm of m > 0 represent
those of m < 0 too, and contribute twice to the map, hence the factors of two; imaginary parts of m
= 0 are ignored.
"""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import harmonic
from .geometry import Geometry
from .harmonic import Spin
from .points import PointsPlan


class Transform:
    """A transform and the gradients of its two directions, for arrays of any package."""

    def __init__(self, nside: Optional[int], geometry: Optional[Geometry], n_alm: int,
                 lmax: Optional[int], mmax: Optional[int], spin: Spin):
        self.grid = harmonic._grid(nside, geometry)
        if self.grid.car is not None:
            raise TypeError("geometry: images have no gradients; use the grid of their rings, such as "
                            "armilla.geometry.fejer1")
        self.lmax, self.mmax = harmonic._layout(np.empty(n_alm), lmax, mmax)
        self.n_alm, self.n_pixels = n_alm, self.grid.n_pixels
        self._how: dict = {"spin": spin, "geometry": self.grid}

    def synthesis(self, alm: Any) -> Any:
        """alm2map"""
        return harmonic.alm2map(alm, lmax=self.lmax, mmax=self.mmax, **self._how)

    def analysis(self, map: Any) -> Any:
        """map2alm without iterations"""
        return harmonic.map2alm(map, self.lmax, self.mmax, iter=0, **self._how)

    def synthesis_gradient(self, gradient: Any) -> Any:
        """Returns the gradient with respect to the a_lm from that with respect to the map."""
        alm = harmonic.adjoint_alm2map(gradient, self.lmax, self.mmax, **self._how)
        alm[..., self.lmax + 1:] *= 2
        return alm

    def analysis_gradient(self, gradient: Any) -> Any:
        """Returns the gradient with respect to the map from that with respect to the a_lm."""
        alm = 1 * gradient
        alm[..., self.lmax + 1:] /= 2
        return harmonic.adjoint_map2alm(alm, lmax=self.lmax, mmax=self.mmax, **self._how)


def slopes(alm: Any, theta: Any, phi: Any, gradient: Any, lmax: Optional[int],
           mmax: Optional[int], epsilon: float) -> np.ndarray:
    """Returns the gradients with respect to theta and phi, [2, n_points], from that with respect to
    values of scalars at the points, [..., n_points]."""
    found = harmonic.gradient(alm, lmax=lmax, mmax=mmax, geometry=PointsPlan(theta, phi, epsilon))
    found[..., 1, :] *= np.sin(theta)
    return (found * gradient[..., None, :]).reshape((-1,) + found.shape[-2:]).sum(axis=0)
