# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms between maps and a_lm, and their adjoints.

Axes are [..., number] for one field of spin 0, and [..., component, number] otherwise: Q and U (or
E and B) of a field of spin 2, or I, Q and U if ``spin=(0, 2)``. Leading axes are a batch, whose
members share the work; on CPUs each member has the same bits as alone. Pixels are in ring order.
Only the a_lm of m >= 0 are stored, in healpy's order: the coefficient of multipole l and order m
has the index ``m * (2 * lmax + 1 - m) // 2 + l``.
"""
from __future__ import annotations

import functools
import math
import operator
from typing import Any, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arrays, _session
from ._core import ffi, lib
from ._scalars import real, whole
from .geometry import Geometry, _of_image, healpix

Spin = Union[int, Sequence[int]]
MAX_LMAX = 2**24  # as in the library
MAX_PLANS_OF_POINTS = 4  # each has sorted points


def alm_size(lmax: int, mmax: Optional[int] = None) -> int:
    """Returns the number of a_lm.

    >>> alm_size(2), alm_size(2, 0)
    (6, 3)
    """
    lmax, mmax = degrees(lmax, mmax)
    return (mmax + 1) * (2 * lmax - mmax + 2) // 2


def degrees(lmax: Any, mmax: Any) -> Tuple[int, int]:
    """Returns the checked highest multipole and order; the default of the latter is lmax."""
    lmax = whole("lmax", lmax, 0, MAX_LMAX)
    mmax = lmax if mmax is None else whole("mmax", mmax)
    if not 0 <= mmax <= lmax:
        raise ValueError(f"mmax: {mmax} is not from 0 to lmax = {lmax}")
    return lmax, mmax


def alm_lmax(size: int, mmax: Optional[int] = None) -> int:
    """Returns the lmax of this number of a_lm; raises ValueError if there is none.

    >>> alm_lmax(6), alm_lmax(3, 0)
    (2, 2)
    """
    size = whole("size", size, max_value=2**63 - 1)
    if mmax is None:
        lmax = (math.isqrt(max(8 * size + 1, 0)) - 3) // 2
    else:
        mmax = whole("mmax", mmax, 0, MAX_LMAX)
        lmax = (2 * size // (mmax + 1) + mmax - 2) // 2
    guess = max(lmax, mmax or 0)
    if alm_size(guess, mmax) != size:
        raise ValueError(f"alm: there is no lmax with {size} coefficients; lmax = {guess} has "
                         f"{alm_size(guess, mmax)}, lmax = {guess + 1} "
                         f"{alm_size(guess + 1, mmax)}")
    return guess


def _spins(spin: Spin) -> Tuple[Tuple[int, ...], Optional[int]]:
    """Returns the spins for the library, and the number of components (None: no such axis)."""
    if isinstance(spin, int) and spin == 0:  # other code takes a percent of a small transform
        return (0,), None
    try:
        spins = tuple(operator.index(s) for s in ((spin,) if np.ndim(spin) == 0 else spin))
    except (TypeError, ValueError):
        raise TypeError(f"spin: {spin!r} is neither a whole number nor a list of them") from None
    if not spins or any(not 0 <= s <= 3 for s in spins):
        raise ValueError(f"spin: {spin!r}; spins are from 0 to 3")
    components = sum(2 if s > 0 else 1 for s in spins)
    return spins, None if np.ndim(spin) == 0 and spins == (0,) else components


def _grid(nside: Optional[int], geometry: Optional[Geometry], pixels: Optional[int] = None):
    if geometry is not None:
        if nside is not None:
            raise ValueError("geometry: give either geometry or nside, not both")
        if not isinstance(geometry, Geometry):
            image = _of_image(geometry)
            if image is None:
                raise TypeError("geometry: it must come from armilla.geometry, or be an image with "
                                "a WCS")
            return image[0]
        return geometry
    if nside is not None:
        return healpix(nside)
    if pixels is None:
        raise ValueError("nside: nside or geometry must be given")
    nside = math.isqrt(pixels // 12)
    if nside < 1 or 12 * nside * nside != pixels:
        raise ValueError(f"map: {pixels} pixels; must be 12 nside^2 without geometry")
    return healpix(nside)


def _layout(alm: np.ndarray, lmax: Optional[int], mmax: Optional[int]) -> Tuple[int, int]:
    size = alm.shape[-1]
    lmax, mmax = degrees(alm_lmax(size, mmax) if lmax is None else lmax, mmax)
    if alm_size(lmax, mmax) != size:
        raise ValueError(f"alm: it has {size} coefficients; lmax = {lmax} and mmax = {mmax} have "
                         f"{alm_size(lmax, mmax)}")
    return lmax, mmax


def _degrees(geometry: Geometry, lmax: Optional[int], mmax: Optional[int]) -> Tuple[int, int]:
    if lmax is None and geometry.lmax < 0:
        raise ValueError("lmax: must be given for points")
    return degrees(geometry.lmax if lmax is None else lmax, mmax)


def _copies(array: np.ndarray, components: Optional[int]) -> int:
    leading = array.shape[:-1] if components is None else array.shape[:-2]
    copies = math.prod(leading)
    if copies < 1:
        raise ValueError("the batch is empty: an axis has the length 0")
    return copies


def _weights(ring_weights: Optional[Any]) -> Optional[np.ndarray]:
    if ring_weights is None:
        return None
    weights = _arrays.as_numbers("ring_weights", ring_weights)
    if weights.ndim != 1:
        raise ValueError(f"ring_weights: their shape is {weights.shape}; they must have one axis")
    return weights


def _outer(array: np.ndarray, name: str, components: Optional[int],
           parts: Optional[int], n: int) -> Tuple[int, ...]:
    """Returns the shape of a result: the leading axes of `array`, `parts` components, `n`
    numbers."""
    if components is not None and (array.ndim < 2 or array.shape[-2] != components):
        raise ValueError(f"{name}: its shape is {array.shape}; the last axis but one must have "
                         f"{components} components")
    leading = array.shape[:-1] if components is None else array.shape[:-2]
    return leading + (() if parts is None else (parts,)) + (n,)


def _call(work, function, geometry: Geometry, lmax: int, mmax: int, spins: Tuple[int, ...],
          copies: int, ring_weights: Optional[np.ndarray], *arguments) -> None:
    """Calls a function of the library whose first argument is a plan and whose last one is a
    failure.

    The work determines whether the call must be interruptible; the arguments up to the weights are
    the shape of the plan.
    """
    weights = None if ring_weights is None else ring_weights.tobytes()
    _session.check_caller()
    with _session.busy:
        plan = _plan(_session.current(), geometry, lmax, mmax, spins, copies, weights)
        _session.compute(work, function, plan, *arguments)


def _plan(session, geometry, *shape):
    """Returns an ArmillaPlan, from a cache or a new one; the plan of points has a cache of its
    own, which is freed with it."""
    made = geometry.plans
    if made is None:
        return _kept(session, geometry, *shape)
    key = (session, *shape)
    if key not in made:
        while len(made) >= MAX_PLANS_OF_POINTS:
            made.pop(next(iter(made)))
        made[key] = _new_plan(session, geometry, *shape)
    return made[key]


def _new_plan(session, geometry, lmax, mmax, spins, copies, weights):
    keep: list = []
    shape = ffi.new("ArmillaPlanShape *")
    geometry.fill(shape, keep)
    given = ffi.new("int[]", spins)
    shape.spins, shape.n_spins, shape.copies = given, len(spins), copies
    shape.lmax, shape.mmax = lmax, mmax
    if weights is not None:
        shape.ring_weights = ffi.from_buffer("double[]", weights)
        shape.n_ring_weights = len(weights) // 8
    result, failure = ffi.new("ArmillaPlan **"), ffi.new("ArmillaFailure *")
    _session.check(lib.armilla_plan_new(session.handle, shape, result, failure), failure)
    return ffi.gc(result[0], lib.armilla_plan_free)


_kept = functools.lru_cache(maxsize=8)(_new_plan)


def _to_image(function, alm, lmax, mmax, spins, alm_components, components, grid, ring_weights,
              out):
    """Computes the map of an image: its whole rings, of which the image is a part."""
    host = _arrays.on_host("alm", _arrays.as_input("alm", alm, True))
    shape = _outer(host, "alm", alm_components, components, grid.n_pixels)
    if out is not None:
        _arrays.as_output("out", out, shape[:-1] + grid.image_shape, host, False)
        _arrays.check_apart("alm", host, "out", _arrays.on_host("out", out))
    pixels = np.empty(shape, _arrays.real_type(host))
    lmax, mmax = _layout(host, lmax, mmax)
    source, _ = _arrays.describe("alm", host, alm_components)
    target, _ = _arrays.describe("out", pixels, components, written=True)
    _call(_arrays.work(pixels), function, grid, lmax, mmax, spins,
                _copies(host, alm_components), ring_weights, source, target)
    if out is None:
        return grid.image_of(pixels)
    out[...] = grid.image_of(pixels)
    return out


def _to_map(function, alm, nside, lmax, mmax, spins, alm_components, components, geometry,
            ring_weights, out):
    grid = _grid(nside, geometry)
    host = _arrays.as_input("alm", grid.beside("alm", alm), True)
    if grid.car is not None:
        return _to_image(function, alm, lmax, mmax, spins, alm_components, components, grid,
                         ring_weights, out)
    lmax, mmax = _layout(host, lmax, mmax)
    shape = _outer(host, "alm", alm_components, components, grid.n_pixels)
    plan = (grid, lmax, mmax, spins, _copies(host, alm_components), ring_weights)
    result = _arrays.as_output("out", out, shape, host, False)
    _arrays.check_apart("alm", host, "out", result)
    there, host = _arrays.in_one_order(components, result, host)
    source, host = _arrays.describe("alm", host, alm_components)
    target, _ = _arrays.describe("out", there, components, written=True)
    _call(_arrays.work(result), function, *plan, source, target)
    return out if out is not None else _like(grid, alm, result)


def _like(grid, original, result):
    """Returns the result as an array of the package of the original, and where that is."""
    return (_arrays.like if grid.plans is None else _arrays.like_anywhere)(original, result)


def _to_alm(function, map, lmax, mmax, spins, components, alm_components, geometry, ring_weights,
            out, times=1):
    image = _of_image(map) if geometry is None else None
    geometry = geometry if image is None else image[0]
    grid = geometry if isinstance(geometry, Geometry) else None
    host = _arrays.as_input("map", map if grid is None else grid.beside("map", map), False)
    grid = _grid(None, geometry, host.shape[-1])
    if grid.car is not None:
        host = _arrays.as_input("map", grid.pixels_of("map", host), False)
    lmax, mmax = _degrees(grid, lmax, mmax)
    shape = _outer(host, "map", components, alm_components, alm_size(lmax, mmax))
    plan = (grid, lmax, mmax, spins, _copies(host, components), ring_weights)
    result = _arrays.as_output("out", out, shape, host, True)
    _arrays.check_apart("map", host, "out", result)
    there, host = _arrays.in_one_order(alm_components, result, host)
    source, host = _arrays.describe("map", host, components)
    target, _ = _arrays.describe("out", there, alm_components, written=True)
    _call(_arrays.work(host) * times, function, *plan, source, target)
    return out if out is not None else _like(grid, map, result)


@_session.on_all_ranks
def alm2map(alm: Any, nside: Optional[int] = None, *, lmax: Optional[int] = None,
            mmax: Optional[int] = None, spin: Spin = 0, geometry: Optional[Geometry] = None,
            out: Optional[Any] = None) -> Any:
    """Computes a map from its a_lm: f(p) = sum_lm a_lm Y_lm(p).

    Parameters
    ----------
    alm : complex array [..., n_alm] or [..., component, n_alm]
        The a_lm; imaginary parts of m = 0 count as 0.
    nside : int
        Resolution parameter of the HEALPix map.
    lmax, mmax : int
        Highest multipole and order; by default lmax follows from n_alm, and mmax is lmax.
    spin : int, or several
        Spin of the field, 0 to 3; (0, 2) for T, E, B to I, Q, U.
    geometry : Geometry
        Instead of nside; or an image with a WCS, such as pixell's enmap.
    out : real array
        Array to which the map is written.

    Returns
    -------
    real array [..., n_pixels] or [..., component, n_pixels]
        The map, of single precision if alm is. Images have two axes instead of the last one: [...,
        row, column].

    Examples
    --------
    >>> import armilla, numpy
    >>> alm = numpy.zeros(armilla.alm_size(2), complex)
    >>> alm[0] = numpy.sqrt(4 * numpy.pi)
    >>> bool(numpy.allclose(armilla.alm2map(alm, nside=4), 1))
    True
    """
    spins, components = _spins(spin)
    return _to_map(lib.armilla_plan_synthesis, alm, nside, lmax, mmax, spins, components,
                   components, geometry, None, out)


@_session.on_all_ranks
def adjoint_alm2map(map: Any, lmax: Optional[int] = None, mmax: Optional[int] = None, *,
                    spin: Spin = 0, geometry: Optional[Geometry] = None,
                    out: Optional[Any] = None) -> Any:
    """Applies the adjoint of alm2map: a_lm = sum_p f(p) conj Y_lm(p), without weights.

    The scalar product of two sets of a_lm is the sum over all m, including m < 0.

    >>> import armilla, numpy
    >>> alm = armilla.adjoint_alm2map(numpy.ones(48), lmax=2)
    >>> bool(numpy.isclose(alm[0].real, 48 / numpy.sqrt(4 * numpy.pi)))
    True
    """
    spins, components = _spins(spin)
    return _to_alm(lib.armilla_plan_adjoint_synthesis, map, lmax, mmax, spins, components,
                   components, geometry, None, out)


@_session.on_all_ranks
def map2alm(map: Any, lmax: Optional[int] = None, mmax: Optional[int] = None, *,
            iter: Optional[int] = None, tolerance: float = 0.0, max_iter: int = 100,
            ring_weights: Optional[Any] = None, spin: Spin = 0,
            geometry: Optional[Geometry] = None, out: Optional[Any] = None) -> Any:
    """Computes the a_lm of a map.

    Parameters
    ----------
    map : real array [..., n_pixels] or [..., component, n_pixels]
        Pixels of the value UNSEEN (-1.6375e30) count as 0. An image, [..., row, column], may have a
        WCS, as pixell's enmap, instead of `geometry`; outside a part of the sky the map is 0.
    lmax, mmax : int
        Highest multipole and order. By default lmax is 3 nside - 1 for HEALPix, otherwise the
        highest multipole for which the quadrature is exact, and mmax is lmax.
    iter : int
        Number of residual iterations. By default the number that the grid needs: 3 for HEALPix and
        for the caller's own rings, 0 for other grids. Fejer and Clenshaw-Curtis grids determine
        a_lm exactly up to lmax = n - 1 and n - 2, for n rings.
    tolerance : float
        Above 0: least squares by conjugate gradients, until the residual of the normal equations
        has decreased by this factor, for each member of a batch (on GPUs for all members together).
    max_iter : int
        Maximum number of iterations of conjugate gradients before NotConverged is raised.
    ring_weights : array of float
        Factors of the quadrature weights, from the north pole to the equator: 2 nside of them.
    spin, geometry
        Field and pixelisation, as in alm2map.
    out : complex array
        Array to which the a_lm are written.

    Returns
    -------
    complex array [..., n_alm] or [..., component, n_alm]

    Raises
    ------
    ValueError
        The rings of a grid other than HEALPix do not determine a_lm up to lmax, or their pixels not
        up to mmax, and neither iter nor tolerance is given; iter = 0 then computes the plain sum of
        the quadrature.

    Examples
    --------
    >>> import armilla, numpy
    >>> alm = armilla.map2alm(numpy.ones(48), lmax=2)
    >>> bool(numpy.isclose(alm[0].real, numpy.sqrt(4 * numpy.pi)))
    True
    """
    spins, components = _spins(spin)
    tolerance = real("tolerance", tolerance)
    if iter is not None and tolerance:
        raise ValueError("iter: not used with a tolerance above 0; give max_iter")
    iterations = -1 if iter is None else whole("iter", iter, 0)
    how = ffi.new("ArmillaAnalysis *", {"iterations": iterations, "tolerance": tolerance,
                                        "max_iterations": whole("max_iter", max_iter, 1)})

    def analysis(plan, source, target, failure):
        if iterations < 0:
            lib.armilla_plan_choose_analysis(plan, how, ffi.NULL)  # the next call reports the error
        return lib.armilla_plan_analysis(plan, source, target, how, failure)

    usual = 0 if geometry is not None and _grid(None, geometry).exact else 3
    return _to_alm(analysis, map, lmax, mmax, spins, components, components, geometry,
                   _weights(ring_weights), out,
                   1 + 2 * (max_iter if tolerance else usual if iter is None else iter))


@_session.on_all_ranks
def adjoint_map2alm(alm: Any, nside: Optional[int] = None, *, lmax: Optional[int] = None,
                    mmax: Optional[int] = None, iter: int = 0,
                    ring_weights: Optional[Any] = None, spin: Spin = 0,
                    geometry: Optional[Geometry] = None, out: Optional[Any] = None) -> Any:
    """Applies the adjoint of map2alm with `iter` iterations; without iterations f(p) = w(p) sum_lm
    a_lm Y_lm(p), with the weights of the quadrature if it is exact.

    >>> import armilla, numpy
    >>> map = armilla.adjoint_map2alm(numpy.zeros(6), nside=2)
    >>> map.shape
    (48,)
    """
    spins, components = _spins(spin)
    if whole("iter", iter, 0) > 0:
        degrees = _layout(_arrays.as_input("alm", alm, True), lmax, mmax)
        how = {"spin": spin, "geometry": _grid(nside, geometry)}
        given = alm
        for _ in range(iter):  # the sum of (1 - S* A*)^k, for map2alm A and alm2map S
            map = adjoint_map2alm(alm, lmax=degrees[0], mmax=degrees[1],
                                  ring_weights=ring_weights, **how)
            alm = given + (alm - adjoint_alm2map(map, *degrees, **how))
    return _to_map(lib.armilla_plan_adjoint_analysis, alm, nside, lmax, mmax, spins, components,
                   components, geometry, _weights(ring_weights), out)


@_session.on_all_ranks
def gradient(alm: Any, nside: Optional[int] = None, *, lmax: Optional[int] = None,
             mmax: Optional[int] = None, geometry: Optional[Geometry] = None,
             out: Optional[Any] = None) -> Any:
    """Computes the gradient of a scalar map from its a_lm.

    Returns
    -------
    real array [..., 2, n_pixels]
        The derivative in theta, and the derivative in phi divided by sin theta, for angles in
        radian.

    Examples
    --------
    >>> import armilla, numpy
    >>> alm = numpy.zeros(6, complex)
    >>> armilla.gradient(alm, nside=2).shape
    (2, 48)
    """
    return _to_map(lib.armilla_plan_gradient, alm, nside, lmax, mmax, (1,), None, 2, geometry,
                   None, out)


@_session.on_all_ranks
def adjoint_gradient(map: Any, lmax: Optional[int] = None, mmax: Optional[int] = None, *,
                     geometry: Optional[Geometry] = None, out: Optional[Any] = None) -> Any:
    """Applies the adjoint of gradient.

    >>> import armilla, numpy
    >>> armilla.adjoint_gradient(numpy.zeros((2, 48)), lmax=3).shape
    (10,)
    """
    return _to_alm(lib.armilla_plan_adjoint_gradient, map, lmax, mmax, (1,), 2, None, geometry,
                   None, out)
