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


def _called(function: Any, shape: Any, dtype: Any, argument: Any) -> Any:
    """Returns the result of a function of NumPy arrays."""
    return jax.pure_callback(lambda array: np.asarray(function(np.asarray(array)), dtype),
                             jax.ShapeDtypeStruct(shape, dtype), argument,
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
