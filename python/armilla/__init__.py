# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms on the sphere: arrays in, arrays out.

>>> import armilla
>>> alm = armilla.random_alm([1.0] * 65, seed=1)
>>> map = armilla.alm2map(alm, nside=32)
>>> back = armilla.map2alm(map, lmax=64)
>>> cl = armilla.alm2cl(back)
"""
from . import _libraries  # isort: skip # first, since it loads the compiled module
from . import geometry
from ._scalars import UNSEEN
from ._session import (Cancelled, Error, FileError, MemoryShortage, NotConverged, Session,
                       SessionError, WorkflowError, session, stop)
from .alm import adjoint_rotate_alm, alm2cl, almxfl, random_alm, rotate_alm
from .columns import Catalogue, Table
from .convolution import adjoint_convolve, convolve
from .counts import PairCounts, Points, count_pairs, count_triangles
from .fields import Alm, Cl, Map
from .geometry import Geometry
from .harmonic import (adjoint_alm2map, adjoint_gradient, adjoint_map2alm, alm2map, alm_lmax,
                       alm_size, gradient, map2alm)
from .matrix import Axis, Matrix
from .points import PointsPlan, adjoint_alm2points, alm2points, points2alm
from .workflow import Progress, Results, Workflow

from . import _pictures, samples, stages  # isort: skip # last, since they use all modules

__version__ = "0.3.0"

__all__ = [
    "Alm", "Axis", "Cancelled", "Catalogue", "Cl", "Error", "FileError", "Geometry", "Map",
    "Matrix", "MemoryShortage", "NotConverged", "PairCounts", "Points", "PointsPlan", "Progress",
    "Results", "Session", "SessionError", "Table", "UNSEEN", "Workflow", "WorkflowError",
    "adjoint_alm2map", "adjoint_alm2points", "adjoint_convolve", "adjoint_gradient",
    "adjoint_map2alm", "adjoint_rotate_alm", "alm2cl", "alm2map", "alm2points", "alm_lmax",
    "alm_size", "almxfl", "convolve", "count_pairs", "count_triangles", "geometry", "gradient",
    "map2alm", "points2alm", "random_alm", "rotate_alm", "samples", "session", "stages", "stop",
]
