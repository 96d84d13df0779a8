# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps convolved with radial kernels."""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from . import _arrays, _plans, _session
from ._core import ffi, lib
from ._scalars import real
from .geometry import Geometry
from .harmonic import _copies, _grid


def _column(name: str, values: Any) -> np.ndarray:
    column = _arrays.as_numbers(name, values)
    if column.ndim != 1 or column.size == 0:
        raise ValueError(f"{name}: its shape is {column.shape}; it must be a list of numbers")
    return column


def _kernel(fwhm, radius, window, profile, keep: list):
    if sum(part is not None for part in (fwhm, radius, window, profile)) != 1:
        raise ValueError("one of fwhm, radius, window and profile must be given")
    kernel = ffi.new("ArmillaRadialKernel *")
    if fwhm is not None:
        kernel.fwhm = real("fwhm", fwhm)
    if radius is not None:
        kernel.radius = real("radius", radius)
    if window is not None:
        keep.append(_column("window", window))
        kernel.window, kernel.n_window = ffi.from_buffer("double[]", keep[-1]), keep[-1].size
    if profile is not None:
        try:
            theta, values = profile
        except (TypeError, ValueError):
            raise TypeError("profile: it must be two arrays, angles and values") from None
        theta, values = _column("profile", theta), _column("profile", values)
        if theta.size != values.size:
            raise ValueError("profile: angles and values must be as many")
        keep += [theta, values]
        kernel.theta = ffi.from_buffer("double[]", theta)
        kernel.profile = ffi.from_buffer("double[]", values)
        kernel.n_profile = theta.size
    return kernel


def _convolve(function, map, fwhm, radius, window, profile, accuracy, geometry, out):
    host = _arrays.as_input("map", map, False)
    grid = _grid(None, geometry, host.shape[-1])
    keep: list = []
    kernel = _kernel(fwhm, radius, window, profile, keep)
    accuracy = real("accuracy", accuracy)
    plan = (grid, 0, 0, (0,), _copies(host, None), None)
    result = _arrays.as_output("out", out, host.shape, host, False)
    _arrays.check_apart("map", host, "out", result)
    there, host = _arrays.in_one_order(None, result, host)
    source, host = _arrays.describe("map", host, None)
    target, _ = _arrays.describe("out", there, None, written=True)
    _plans.call(_arrays.work(host), function, plan, source, kernel, accuracy, target)
    return out if out is not None else _arrays.like(map, result)


@_session.on_all_ranks
def convolve(map: Any, *, fwhm: Optional[float] = None, radius: Optional[float] = None,
             window: Optional[Any] = None, profile: Optional[Tuple[Any, Any]] = None,
             accuracy: float = 1e-4, geometry: Optional[Geometry] = None,
             out: Optional[Any] = None) -> Any:
    """A map convolved with a radial kernel, ring by ring or by its a_lm.

    Parameters
    ----------
    map : real array [..., n_pixels]
        Pixels of the value UNSEEN (-1.6375e30) count as 0, and stay.
    fwhm : float
        Of a Gaussian beam, radian.
    radius : float
        Or of a disc over which the map is averaged, radian.
    window : real array
        Or b_l, from l = 0 on.
    profile : two real arrays
        Or angles from 0 on, radian, and the kernel's values there.
    accuracy : float
        Root of the mean square of the error over that of the result, 1e-12 to 0.1.
    geometry : Geometry
        For maps that are not HEALPix.

    Examples
    --------
    >>> import armilla, numpy
    >>> grid = armilla.geometry.gauss_legendre(32, 64)
    >>> map = armilla.convolve(numpy.ones(grid.n_pixels), fwhm=0.5, geometry=grid)
    >>> bool(numpy.allclose(map, 1, atol=1e-4))
    True
    """
    return _convolve(lib.armilla_plan_convolve, map, fwhm, radius, window, profile, accuracy,
                     geometry, out)


@_session.on_all_ranks
def adjoint_convolve(map: Any, *, fwhm: Optional[float] = None, radius: Optional[float] = None,
                     window: Optional[Any] = None, profile: Optional[Tuple[Any, Any]] = None,
                     accuracy: float = 1e-4, geometry: Optional[Geometry] = None,
                     out: Optional[Any] = None) -> Any:
    """The adjoint of convolve, to the accuracy.

    >>> import armilla, numpy
    >>> armilla.adjoint_convolve(numpy.ones(768), fwhm=0.5).shape
    (768,)
    """
    return _convolve(lib.armilla_plan_adjoint_convolve, map, fwhm, radius, window, profile,
                     accuracy, geometry, out)
