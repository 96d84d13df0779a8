# SPDX-License-Identifier: GPL-3.0-or-later
"""Convolution of maps with radial kernels."""
from __future__ import annotations

import contextlib
import os
import tempfile
from typing import Any, Dict, Optional, Tuple

import numpy as np

from . import _arrays, _session, stages
from ._calls import named
from ._scalars import UNSEEN, real
from .fields import Map
from .geometry import Geometry
from .harmonic import _copies, _grid, adjoint_map2alm


def _column(name: str, values: Any) -> np.ndarray:
    column = _arrays.as_numbers(name, values)
    if column.ndim != 1 or column.size == 0:
        raise ValueError(f"{name}: its shape is {column.shape}; it must be a list of numbers")
    return column


def _kernel(fwhm: Any, radius: Any, window: Any, profile: Any, stack: contextlib.ExitStack
            ) -> Dict[str, Any]:
    """Returns the properties of the stage that describe the kernel; numbers are passed in files."""
    parts = {"fwhm": fwhm, "radius": radius, "window": window, "profile": profile}
    given = [name for name, part in parts.items() if part is not None]
    if len(given) != 1:
        raise ValueError("exactly one of fwhm, radius, window and profile must be given, not "
                         + (" and ".join(given) or "none"))
    if fwhm is not None:
        return {"fwhm": f"{real('fwhm', fwhm)!r} rad"}
    if radius is not None:
        return {"radius": f"{real('radius', radius)!r} rad"}
    file = os.path.join(stack.enter_context(tempfile.TemporaryDirectory()), "kernel.txt")
    if window is not None:
        np.savetxt(file, _column("window", window), "%.17g")
        return {"beam": file}
    try:
        theta, values = profile
    except (TypeError, ValueError):
        raise TypeError("profile: it must be two arrays, angles and values") from None
    theta, values = _column("profile", theta), _column("profile", values)
    if theta.size != values.size:
        raise ValueError("profile: there must be as many values as angles")
    np.savetxt(file, np.stack((theta, values), -1), "%.17g")
    return {"profile": file, "profile_unit": "rad"}


def _convolve(map: Any, geometry: Optional[Geometry], accuracy: float, out: Any, kernel: Tuple,
              adjoint: bool = False) -> Any:
    host = _arrays.as_input("map", _arrays.brought_to_host("map", map), False)
    grid = _grid(None, geometry, host.shape[-1])
    _copies(host, None)
    target = _arrays.Target("map", map, out, host.shape, False)
    rows = host.reshape(-1, host.shape[-1]).astype(np.float64, copy=False)
    weights = None
    if adjoint and grid.nside == 0:  # the pixels of HEALPix have equal weights
        monopole = np.array([np.sqrt(4 * np.pi) + 0j])
        weights = adjoint_map2alm(monopole, lmax=0, geometry=grid)
        if not weights.all():
            raise ValueError("geometry: some rings have the weight 0; the adjoint divides by it")
        rows = np.where(rows == UNSEEN, UNSEEN, rows / weights)
    with contextlib.ExitStack() as stack:
        properties = _kernel(*kernel, stack)
        with named(beam="window"):
            given = Map(rows, spin=0, geometry=grid)._unchecked()
            made = stages.convolve.of_work(4 * rows.size, map=given,
                                           accuracy=real("accuracy", accuracy), **properties).host
    if weights is not None:
        made = np.where(made == UNSEEN, UNSEEN, made * weights)
    return target.give(made.reshape(host.shape))


@_session.on_all_ranks
def convolve(map: Any, *, fwhm: Optional[float] = None, radius: Optional[float] = None,
             window: Optional[Any] = None, profile: Optional[Tuple[Any, Any]] = None,
             accuracy: float = 1e-4, geometry: Optional[Geometry] = None,
             out: Optional[Any] = None) -> Any:
    """Convolves a map with a radial kernel, ring by ring or by its a_lm.

    Parameters
    ----------
    map : real array [..., n_pixels]
        The map. Pixels of the value UNSEEN (-1.6375e30) count as 0, and remain UNSEEN.
    fwhm : float
        Full width at half maximum of a Gaussian beam, radian.
    radius : float
        Radius of a disc over which the map is averaged, radian.
    window : real array
        Window b_l of the kernel, from l = 0 on.
    profile : two real arrays
        Angles from 0 on, radian, and the kernel's values at these angles.
    accuracy : float
        RMS of the error relative to the RMS of the result, 1e-12 to 0.1.
    geometry : Geometry
        Pixelisation, for maps that are not HEALPix.

    Examples
    --------
    >>> import armilla, numpy
    >>> grid = armilla.geometry.gauss_legendre(32, 64)
    >>> map = armilla.convolve(numpy.ones(grid.n_pixels), fwhm=0.5, geometry=grid)
    >>> bool(numpy.allclose(map, 1, atol=1e-4))
    True
    """
    return _convolve(map, geometry, accuracy, out, (fwhm, radius, window, profile))


@_session.on_all_ranks
def adjoint_convolve(map: Any, *, fwhm: Optional[float] = None, radius: Optional[float] = None,
                     window: Optional[Any] = None, profile: Optional[Tuple[Any, Any]] = None,
                     accuracy: float = 1e-4, geometry: Optional[Geometry] = None,
                     out: Optional[Any] = None) -> Any:
    """Applies the adjoint of convolve, to the same accuracy.

    >>> import armilla, numpy
    >>> armilla.adjoint_convolve(numpy.ones(768), fwhm=0.5).shape
    (768,)
    """
    return _convolve(map, geometry, accuracy, out, (fwhm, radius, window, profile), adjoint=True)
