# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms of JAX arrays with gradients. Needs JAX, in 64 bits (``jax_enable_x64``) for full
precision. The transforms run on the host, as calls from within compiled functions."""
from __future__ import annotations

from typing import Any, Optional

import jax
import jax.numpy as jnp
import numpy as np

from . import _gradients, harmonic
from .geometry import Geometry
from .harmonic import Spin
from .points import PointsPlan


def _called(function: Any, shape: Any, dtype: Any, *arguments: Any) -> Any:
    """Returns the result of a function of NumPy arrays."""
    return jax.pure_callback(lambda *arrays: np.asarray(function(*(np.asarray(array) for array in arrays)), dtype),
                             jax.ShapeDtypeStruct(shape, dtype), *arguments,
                             vmap_method="sequential")


def alm2map(alm: Any, nside: Optional[int] = None, *, lmax: Optional[int] = None,
            mmax: Optional[int] = None, spin: Spin = 0,
            geometry: Optional[Geometry] = None) -> Any:
    """armilla.alm2map for JAX arrays.

    >>> import jax, jax.numpy
    >>> power = lambda alm: jax.numpy.sum(alm2map(alm, 4) ** 2)
    >>> jax.grad(power)(jax.numpy.ones(6, complex)).shape
    (6,)
    """
    what = _gradients.Transform(nside, geometry, alm.shape[-1], lmax, mmax, spin)

    @jax.custom_vjp
    def transform(alm):
        return _called(what.synthesis, alm.shape[:-1] + (what.n_pixels,), alm.real.dtype, alm)

    def forward(alm):
        return transform(alm), alm

    def backward(alm, cotangent):
        # JAX's convention is d/dx - i d/dy, the conjugate of the gradient.
        back = _called(what.synthesis_gradient, alm.shape, alm.dtype, cotangent)
        return (jnp.conj(back),)

    transform.defvjp(forward, backward)
    return transform(jnp.asarray(alm, jnp.result_type(alm, jnp.complex64)))


def alm2points(alm: Any, theta: Any, phi: Any, *, lmax: Optional[int] = None,
               mmax: Optional[int] = None, epsilon: float = 1e-7) -> Any:
    """armilla.alm2points of scalars for JAX arrays, with gradients with respect to the a_lm and to
    the points. Without these, alm2map with a PointsPlan takes fields of any spin, and sorts the
    points once.

    >>> import jax, jax.numpy
    >>> value = lambda theta: alm2points(jax.numpy.ones(6, complex), theta, jax.numpy.ones(3)).sum()
    >>> jax.grad(value)(jax.numpy.array([0.2, 1, 2])).shape
    (3,)
    """
    how: dict = {"lmax": lmax, "mmax": mmax}

    def values(alm, theta, phi):
        return harmonic.alm2map(alm, geometry=PointsPlan(theta, phi, epsilon), **how)

    def by_alm(alm, theta, phi, cotangent):
        plan = PointsPlan(theta, phi, epsilon)
        what = _gradients.Transform(None, plan, alm.shape[-1], lmax, mmax, 0)
        return what.synthesis_gradient(cotangent)

    def by_points(alm, theta, phi, cotangent):
        return _gradients.slopes(alm, theta, phi, cotangent, lmax, mmax, epsilon)

    @jax.custom_vjp
    def transform(alm, theta, phi):
        return _called(values, alm.shape[:-1] + theta.shape, alm.real.dtype, alm, theta, phi)

    def forward(alm, theta, phi):
        return transform(alm, theta, phi), (alm, theta, phi)

    def backward(given, cotangent):
        back = _called(by_alm, given[0].shape, given[0].dtype, *given, cotangent)
        slopes = _called(by_points, (2,) + given[1].shape, given[1].dtype, *given, cotangent)
        return jnp.conj(back), slopes[0], slopes[1].astype(given[2].dtype)

    transform.defvjp(forward, backward)
    return transform(jnp.asarray(alm, jnp.result_type(alm, jnp.complex64)),
                     *(jnp.asarray(angle, jnp.result_type(angle, jnp.float32))
                       for angle in (theta, phi)))


def map2alm(map: Any, lmax: Optional[int] = None, mmax: Optional[int] = None, *, spin: Spin = 0,
            geometry: Optional[Geometry] = None) -> Any:
    """armilla.map2alm for JAX arrays, without iterations.

    >>> import jax, jax.numpy
    >>> power = lambda map: jax.numpy.sum(jax.numpy.abs(map2alm(map, 3)) ** 2)
    >>> jax.grad(power)(jax.numpy.ones(48)).shape
    (48,)
    """
    grid = harmonic._grid(None, geometry, map.shape[-1])
    degrees = harmonic._degrees(grid, lmax, mmax)
    what = _gradients.Transform(None, grid, harmonic.alm_size(*degrees), *degrees, spin)

    @jax.custom_vjp
    def transform(map):
        return _called(what.analysis, map.shape[:-1] + (what.n_alm,),
                       jnp.result_type(map, jnp.complex64), map)

    def forward(map):
        return transform(map), map

    def backward(map, cotangent):
        return (_called(what.analysis_gradient, map.shape, map.dtype, jnp.conj(cotangent)),)

    transform.defvjp(forward, backward)
    return transform(jnp.asarray(map, jnp.result_type(map, jnp.float32)))
