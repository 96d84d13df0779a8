# SPDX-License-Identifier: GPL-3.0-or-later
"""A cache of the library's transform plans."""
from __future__ import annotations

import functools
from typing import Optional, Tuple

import numpy as np

from . import _session
from ._core import ffi, lib
from .geometry import Geometry


def call(work, function, geometry: Geometry, lmax: int, mmax: int, spins: Tuple[int, ...],
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


@functools.lru_cache(maxsize=8)
def _plan(session, geometry, lmax, mmax, spins, copies, weights):
    """Returns an ArmillaPlan, from the cache or a new one."""
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
