# SPDX-License-Identifier: GPL-3.0-or-later
"""Every stage as a function: arrays in, arrays out.

The functions are made from the library's descriptions of its stages, and of those of modules in
ARMILLA_PLUGIN_PATH. Names are those of workflow files with "_" for "-"; inputs come first,
properties are passed by keyword. ``dir (armilla.stages)`` lists all, ``help
(armilla.stages.smooth_alm)`` describes one.

Inputs are arrays, or objects with further attributes: :class:`armilla.Map`, :class:`armilla.Alm`,
:class:`armilla.Cl`, :class:`armilla.Catalogue`, :class:`armilla.Table` and :class:`armilla.Matrix`.
A list of such objects runs the stage once for each, and the function returns a list; every other
input must be one object for all runs, or a list of the same length. Quantities are texts with a
unit, or those of astropy.units. None means that an argument is not given. A function raises the
exceptions of :meth:`armilla.Workflow.run`, and TypeError for an argument that does not exist.

>>> from armilla import samples, stages
>>> stages.smooth_alm(samples.alm(), fwhm="5 deg")
<armilla.Alm of the shape (561,)>
"""
from __future__ import annotations

import warnings
from typing import Any, List

from . import _calls, _docstrings, _registry


def __getattr__(name: str) -> Any:
    stages = _registry.stages() if not name.startswith("__") or name == "__all__" else {}
    if name == "__all__":
        return __dir__()
    if name not in stages:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    stage = stages[name]
    if stage.renamed:
        warnings.warn(f"armilla.stages.{name} is now called {stage.renamed}; the next release will "
                      "not know the former name", FutureWarning, stacklevel=2)
    made = _calls.function(stage, _docstrings.docstring(stage, stages))
    globals()[name] = made
    return made


def __dir__() -> List[str]:
    return [name for name, stage in _registry.stages().items() if not stage.renamed]
