# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts pairs and triangles of objects on the sphere by their separations."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from . import _arrays, _session, stages
from ._calls import named
from .columns import Catalogue, Table


class Points(Catalogue):
    """Objects on the sphere; the arrays are copied. Any :class:`Catalogue` can be counted too.

    Parameters
    ----------
    longitude, latitude : real arrays
        Degrees.
    vectors : real array [n, 3]
        Unit vectors, instead of angles.
    weight : real array
        Weights, finite and not negative; 1 by default. Objects of weight 0 are not counted.
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
        super().__init__({name: column for name, column in columns.items() if column is not None})


@dataclass(frozen=True)
class PairCounts:
    """Counts of pairs, one value per bin.

    Attributes
    ----------
    edges : real array
        Edges of the bins, radian.
    count : real array
        Number of pairs.
    weight : real array
        Sum of w_i w_j.
    separation : real array
        Weighted mean separation, radian; NaN in an empty bin.
    xi_plus, xi_minus : real arrays or None
        Weighted means of the products of shears.
    """

    edges: np.ndarray
    count: np.ndarray
    weight: np.ndarray
    separation: np.ndarray
    xi_plus: Optional[np.ndarray] = None
    xi_minus: Optional[np.ndarray] = None


def _count(work: float, a: Catalogue, b: Optional[Catalogue], edges: Any, **options: Any) -> Table:
    """Counts pairs or triangles; `work` is the work per pair of objects, in the unit of
    _session.compute()."""
    column = _arrays.as_numbers("edges", edges)
    if column.ndim != 1 or column.size < 2:
        raise ValueError(f"edges: its shape is {column.shape}; it must be at least two numbers")
    for name, points in ("a", a), ("b", a if b is None else b):
        if not isinstance(points, Catalogue):
            raise TypeError(f"{name}: it must be armilla.Points or armilla.Catalogue")
    with named(catalogue="a", catalogue2="b"):
        return stages.count_objects.of_work(
            work * a.n * (a if b is None else b).n, catalogue=a, catalogue2=b,
            edges=[f"{edge!r} rad" for edge in column.tolist()], **options)


@_session.on_all_ranks
def count_pairs(a: Points, b: Optional[Points] = None, *, edges: Any,
                separations: bool = False) -> PairCounts:
    """Counts pairs by their separation.

    Parameters
    ----------
    a : Points
    b : Points
        Second set of objects: counts pairs of one object of a and one of b; without b, pairs within
        a, each once. Both or neither must have shears.
    edges : real array
        Edges of the bins, radian, increasing, from 0 to pi. A pair whose separation is an edge is
        in the bin above it.
    separations : bool
        Whether to compute the mean separation of each bin, which takes time; otherwise it is NaN.
    """
    if isinstance(a, Catalogue) and isinstance(b, Catalogue) and ("g1" in a) != ("g1" in b):
        which = "b" if "g1" in a else "a"
        raise ValueError(f"{which}: it has no shears, and the other points have; xi_plus and "
                         "xi_minus need them on both sides: give g1 and g2 to both, or, for counts "
                         "alone, to neither")
    table = _count(0.01, a, b, edges, mean_separation=bool(separations))
    count = table["count"]
    return PairCounts(_arrays.as_numbers("edges", edges), count,
                      table.get("count_weight", count.astype(np.float64)),
                      np.radians(table.get("theta", np.full(len(count), np.nan))),
                      table.get("xi_plus"), table.get("xi_minus"))


@_session.on_all_ranks
def count_triangles(a: Points, b: Optional[Points] = None, *, edges: Any) -> np.ndarray:
    """Counts triangles by the bins of their three sides.

    Without b: triangles within a, each once; with b: two objects of a and one of b. Triangles with
    a side outside all bins are not counted.

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
    return _count(8, a, b, edges, what="triangles")["count"]
