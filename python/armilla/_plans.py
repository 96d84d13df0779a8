# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of the library, kept as long as they are likely to be wanted again."""
from __future__ import annotations

from collections import OrderedDict
from typing import Optional, Tuple

import numpy as np

from . import _session
from ._core import ffi, lib
from .geometry import Geometry

MOST = 8

_kept: "OrderedDict[tuple, tuple]" = OrderedDict()


def call(work, function, shape: Tuple, *arguments) -> None:
    """A function of the library whose first argument is a plan, and last a failure.

    The work says how long it will take. The shape is that of the plan: geometry, lmax, mmax, spins,
    copies, and ring weights or None.
    """
    _session.check_caller()
    with _session.busy:
        _session.compute(work, function, _plan(*shape), *arguments)


def _plan(geometry: Geometry, lmax: int, mmax: int, spins: Tuple[int, ...], copies: int,
          ring_weights: Optional[np.ndarray]):
    """An ArmillaPlan of the session that computes."""
    session = _session.current()
    weights = None if ring_weights is None else ring_weights.tobytes()
    key = (geometry, lmax, mmax, spins, copies, weights)
    found = _kept.get(key)
    if found is None or found[0] is not session:
        found = _kept[key] = (session, _new(session, *key))
    _kept.move_to_end(key)
    while len(_kept) > MOST:
        _kept.popitem(last=False)
    return found[1]


def _new(session, geometry, lmax, mmax, spins, copies, weights):
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
