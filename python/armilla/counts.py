# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs and triangles of objects on the sphere, counted by their separations."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from . import _arrays, _session
from ._core import ffi, lib
from ._frozen import Frozen


class Points(Frozen):
    """Objects on the sphere: a copy of what is given, which cannot be changed.

    Parameters
    ----------
    longitude, latitude : real arrays
        Degrees.
    vectors : real array [n, 3]
        Instead of angles: unit vectors.
    weight : real array
        Finite and not negative; 1 if not given. Objects of weight 0 do not count.
    g1, g2 : real arrays
        Shears: ``g1 + i g2 = |g| exp (2 i psi)``, psi from north to east.

    Examples
    --------
    >>> import armilla
    >>> armilla.count_pairs(armilla.Points([10, 20], [0, 0]), edges=[0.1, 0.2, 0.4]).count
    array([1, 0])
    """

    def __init__(self, longitude: Optional[Any] = None, latitude: Optional[Any] = None, *,
                 vectors: Optional[Any] = None, weight: Optional[Any] = None,
                 g1: Optional[Any] = None, g2: Optional[Any] = None):
        if (vectors is None) == (longitude is None or latitude is None):
            raise ValueError("points need either longitude and latitude, or vectors")
        if vectors is not None and (longitude is not None or latitude is not None):
            raise ValueError("vectors: give them or angles, not both")
        columns = {"weight": weight, "g1": g1, "g2": g2}
        if vectors is None:
            columns.update(longitude=longitude, latitude=latitude)
        else:
            host = _arrays.as_numbers("vectors", vectors)
            if host.ndim != 2 or host.shape[1] != 3:
                raise ValueError(f"vectors: its shape is {host.shape}; it must be (n, 3)")
            columns.update(x=host[:, 0], y=host[:, 1], z=host[:, 2])
        if (g1 is None) != (g2 is None):
            raise ValueError("shears need both g1 and g2")
        found = {name: _arrays.as_numbers(name, value)
                 for name, value in columns.items() if value is not None}
        n = found["longitude" if vectors is None else "x"].size
        for name, column in found.items():
            if column.shape != (n,):
                raise ValueError(f"{name}: its shape is {column.shape}; it must be ({n},)")
        self._set(_columns=found, n=n, has_shears=g1 is not None, has_weights=weight is not None)

    def _told(self):
        told = ffi.new("ArmillaPoints *")
        told.n = min(column.size for column in self._columns.values())
        for name, column in self._columns.items():
            setattr(told, name, ffi.from_buffer("double[]", column))
        return told


@dataclass(frozen=True)
class PairCounts:
    """What was counted, a number a bin.

    Attributes
    ----------
    edges : radian; count : pairs; weight : sum of w_i w_j; separation : their weighted mean,
    radian, NaN in an empty bin; xi_plus, xi_minus : weighted means of the products of shears, or
    None.
    """

    edges: np.ndarray
    count: np.ndarray
    weight: np.ndarray
    separation: np.ndarray
    xi_plus: Optional[np.ndarray] = None
    xi_minus: Optional[np.ndarray] = None


def _edges(edges: Any) -> np.ndarray:
    column = _arrays.as_numbers("edges", edges)
    if column.ndim != 1 or column.size < 2:
        raise ValueError(f"edges: its shape is {column.shape}; it must be at least two numbers")
    return column


def _is_points(name: str, points: Any) -> None:
    if not isinstance(points, Points):
        raise TypeError(f"{name}: it must be armilla.Points")


@_session.on_all_ranks
def count_pairs(a: Points, b: Optional[Points] = None, *, edges: Any,
                separations: bool = False) -> PairCounts:
    """Pairs by their separation.

    Parameters
    ----------
    a : Points
    b : Points
        Pairs of one of a and one of b; without it those within a, each once. Both have shears, or
        neither has.
    edges : real array
        Edges of the bins, radian, increasing, from 0 to pi. A pair whose separation is an edge is
        in the bin above it.
    separations : bool
        Whether the mean separation of each bin is wanted, which takes time; otherwise it is NaN.
    """
    _is_points("a", a)
    if b is not None:
        _is_points("b", b)
    angles = _edges(edges)
    n = angles.size - 1
    shears = a.has_shears
    if b is not None and b.has_shears != shears:
        which = "b" if shears else "a"
        raise ValueError(f"{which}: it has no shears, and the other points have; xi_plus and "
                         "xi_minus need them on both sides: give g1 and g2 to both, or, for counts "
                         "alone, to neither")
    count, sums = np.zeros(n, np.int64), ffi.new("ArmillaPairSums *")
    wanted = ["separation"] if separations else []
    wanted += ["xi_plus", "xi_minus"] if shears else []
    # Where all weigh 1 the number of pairs is their weight, and sums take time.
    weighted = a.has_weights or (b is not None and b.has_weights)
    wanted = (["weight"] if weighted else []) + wanted
    columns = {name: np.zeros(n) for name in wanted}
    sums.count = ffi.from_buffer("int64_t[]", count, require_writable=True)
    for name, column in columns.items():
        setattr(sums, name, ffi.from_buffer("double[]", column, require_writable=True))
    _session.call(a.n * (a if b is None else b).n // 100, lib.armilla_array_pairs, a._told(),
                  ffi.NULL if b is None else b._told(), ffi.from_buffer("double[]", angles), n,
                  sums)
    weight = columns.pop("weight", count.astype(np.float64))
    with np.errstate(invalid="ignore", divide="ignore"):
        means = {name: column / weight for name, column in columns.items()}
    means.setdefault("separation", np.full(n, np.nan))
    return PairCounts(angles, count, weight, **means)


@_session.on_all_ranks
def count_triangles(a: Points, b: Optional[Points] = None, *, edges: Any) -> np.ndarray:
    """Triangles by the bins of their three sides.

    Without b: triangles within a, each once; with it: two objects of a and one of b. Those with a
    side in no bin do not count.

    Returns
    -------
    integer array [n (n + 1) (n + 2) / 6] for n bins
        Sides in the bins k1 <= k2 <= k3; k3 runs fastest, then k2.

    Examples
    --------
    >>> import armilla
    >>> points = armilla.Points([0, 10, 20], [0, 0, 0])
    >>> armilla.count_triangles(points, edges=[0.1, 0.2, 0.4])
    array([0, 1, 0, 0])
    """
    _is_points("a", a)
    if b is not None:
        _is_points("b", b)
    angles = _edges(edges)
    n = angles.size - 1
    counts = np.zeros(n * (n + 1) * (n + 2) // 6, np.int64)
    _session.call(8 * a.n * (a if b is None else b).n, lib.armilla_array_triangles, a._told(),
                  ffi.NULL if b is None else b._told(), ffi.from_buffer("double[]", angles), n,
                  ffi.from_buffer("int64_t[]", counts, require_writable=True))
    return counts
