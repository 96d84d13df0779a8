# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of a_lm at points anywhere on the sphere, the adjoint, and a_lm fitted to values.

Arrays have the axes of :mod:`armilla.harmonic`, with points instead of pixels: [..., point] for spin
0, otherwise [..., component, point], Q and U in the basis of the point.
"""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _arrays, _session
from ._core import ffi, lib
from ._scalars import real, whole
from .geometry import Geometry
from .harmonic import Spin, _spins, _to_alm, adjoint_alm2map, alm2map


class PointsPlan(Geometry):
    """Points, and all that their transforms need: repeated transforms do not sort the points again.

    Besides the functions of this module, alm2map, adjoint_alm2map, gradient, adjoint_gradient, and
    map2alm with a tolerance take it as `geometry`, as do SciPy's operators, JAX's and PyTorch's
    functions. What is kept is that of one lmax, mmax, spin and size of the batch; of a few of them
    at a time.

    Parameters
    ----------
    theta, phi : real arrays [n]
        Co-latitudes from 0 to pi, and longitudes; radian. Copied.
    epsilon : float
        Relative accuracy, 2e-13 to 1e-3: the largest rms error of values, as a fraction of their
        rms.

    Examples
    --------
    >>> import armilla, numpy
    >>> plan = armilla.PointsPlan([0.1, 1.2, 3.0], [0.0, 2.0, -1.0])
    >>> values = armilla.alm2map(numpy.ones(6, complex), geometry=plan)
    >>> values.shape
    (3,)
    """

    theta: np.ndarray
    phi: np.ndarray
    epsilon: float

    def __init__(self, theta: Any, phi: Any, epsilon: float = 1e-7):
        columns = [_arrays.as_numbers("theta", theta), _arrays.as_numbers("phi", phi)]
        for name, column in zip(("theta", "phi"), columns):
            if column.ndim != 1 or column.size != columns[0].size:
                raise ValueError(f"{name}: its shape is {column.shape}; theta and phi must have one "
                                 "axis and one length")
            column.flags.writeable = False
        super().__init__(lib.ARMILLA_GRID_RINGS, n_pixels=columns[0].size, lmax=-1, exact=False)
        for name, value in (("theta", columns[0]), ("phi", columns[1]),
                            ("epsilon", real("epsilon", epsilon)), ("_plans", {})):
            object.__setattr__(self, name, value)

    # Points are compared by identity: they may be millions.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"PointsPlan({self.n_pixels} points, epsilon={self.epsilon:g})"

    def __reduce__(self) -> Tuple[Any, ...]:
        return PointsPlan, (self.theta, self.phi, self.epsilon)

    @property
    def plans(self) -> dict:
        return self._plans  # type: ignore[attr-defined]

    def fill(self, shape: Any, keep: list) -> None:
        keep.append(ffi.new("ArmillaPositions *", {
            "n": self.n_pixels, "theta": ffi.from_buffer("double[]", self.theta),
            "phi": ffi.from_buffer("double[]", self.phi), "epsilon": self.epsilon}))
        shape.geometry, shape.positions = self.kind, keep[-1]


Given = Union[PointsPlan, Tuple[Any, Any]]


class Fit(NamedTuple):
    """Fitted a_lm, the number of iterations, and the relative residual of the normal equations."""

    alm: Any
    iterations: int
    residual: float


def _plan_of(points: Given, epsilon: Optional[float], default: float = 1e-7) -> PointsPlan:
    if isinstance(points, PointsPlan):
        if epsilon is not None and epsilon != points.epsilon:
            raise ValueError(f"epsilon: {epsilon}; the plan has {points.epsilon}")
        return points
    try:
        theta, phi = points
    except (TypeError, ValueError):
        raise TypeError("points: they must be a PointsPlan, or theta and phi") from None
    return PointsPlan(theta, phi, default if epsilon is None else epsilon)


@_session.on_all_ranks
def alm2points(alm: Any, points: Given, *, lmax: Optional[int] = None, mmax: Optional[int] = None,
               spin: Spin = 0, epsilon: Optional[float] = None, out: Optional[Any] = None) -> Any:
    """Computes the values of a_lm at points: f_j = sum_lm a_lm Y_lm(theta_j, phi_j).

    Parameters
    ----------
    alm, lmax, mmax, spin, out
        As in alm2map.
    points : PointsPlan, or (theta, phi)
        The points; angles in radian. A plan is for several calls.
    epsilon : float
        Relative accuracy; 1e-7 by default. A plan has its own.

    Returns
    -------
    real array [..., n_points] or [..., component, n_points]

    Examples
    --------
    >>> import armilla, numpy
    >>> alm = numpy.zeros(6, complex)
    >>> alm[1] = numpy.sqrt(4 * numpy.pi / 3)
    >>> bool(numpy.allclose(armilla.alm2points(alm, ([0.3, 2.0], [1.0, 5.0])),
    ...                     numpy.cos([0.3, 2.0]), rtol=1e-6))
    True
    """
    return alm2map(alm, lmax=lmax, mmax=mmax, spin=spin, geometry=_plan_of(points, epsilon), out=out)


@_session.on_all_ranks
def adjoint_alm2points(values: Any, points: Given, lmax: int, mmax: Optional[int] = None, *,
                       spin: Spin = 0, epsilon: Optional[float] = None,
                       out: Optional[Any] = None) -> Any:
    """Applies the adjoint of alm2points: a_lm = sum_j f_j conj Y_lm(theta_j, phi_j).

    >>> import armilla, numpy
    >>> alm = armilla.adjoint_alm2points([2.0], ([0.0], [0.0]), lmax=1)
    >>> bool(numpy.allclose(alm, [2 / numpy.sqrt(4 * numpy.pi), 2 * numpy.sqrt(3 / 4 / numpy.pi), 0],
    ...                     atol=1e-6))
    True
    """
    return adjoint_alm2map(np.asarray(values) if isinstance(values, (list, tuple)) else values,
                           lmax, mmax, spin=spin, geometry=_plan_of(points, epsilon), out=out)


@_session.on_all_ranks
def points2alm(values: Any, points: Given, lmax: int, mmax: Optional[int] = None, *,
               spin: Spin = 0, epsilon: Optional[float] = None, tolerance: float = 1e-9,
               max_iter: int = 100, out: Optional[Any] = None) -> Fit:
    """Fits a_lm to values at points: least squares by conjugate gradients.

    Parameters
    ----------
    values : real array [..., n_points] or [..., component, n_points]
        One value per point, all of the same weight.
    points, spin
        As in alm2points; epsilon is 1e-9 by default.
    lmax, mmax : int
        Highest multipole and order. There must be at least as many points as unknowns.
    tolerance : float
        The residual of the normal equations is reduced to this fraction of its value for a_lm = 0,
        for each member of a batch (on GPUs for all members together).
    max_iter : int
        Maximum number of iterations, each of which costs an alm2points and an adjoint_alm2points.

    Returns
    -------
    Fit
        `alm`, `iterations` and `residual`, the largest one of the batch.

    Raises
    ------
    NotConverged
        max_iter iterations do not suffice, as happens if parts of the sky have no points.

    Examples
    --------
    >>> import armilla, numpy
    >>> plan = armilla.PointsPlan(numpy.linspace(0.1, 3, 40), numpy.arange(40.0) ** 2, epsilon=1e-9)
    >>> alm = numpy.array([1, 2, 3 + 4j])
    >>> bool(numpy.allclose(armilla.points2alm(armilla.alm2points(alm, plan), plan, lmax=1).alm, alm))
    True
    """
    spins, components = _spins(spin)
    how = ffi.new("ArmillaAnalysis *", {"iterations": 0, "tolerance": real("tolerance", tolerance),
                                        "max_iterations": whole("max_iter", max_iter, 1)})
    if not 0 < how.tolerance < 1:
        raise ValueError(f"tolerance: {tolerance}; must be above 0 and below 1")
    found: list = []

    def solve(plan, source, target, failure):
        status = lib.armilla_plan_analysis(plan, source, target, how, failure)
        residual = ffi.new("double *")
        found.extend([lib.armilla_plan_iterations(plan, residual), residual[0]])
        return status

    alm = _to_alm(solve, values, lmax, mmax, spins, components, components,
                  _plan_of(points, epsilon, 1e-9), None, out, 1 + 2 * max_iter)
    return Fit(alm, *found)
