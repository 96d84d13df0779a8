# SPDX-License-Identifier: GPL-3.0-or-later
"""Every stage as a function: arrays in, arrays out.

The functions are made from what the library says of its stages, and of those of modules in
ARMILLA_PLUGIN_PATH: names of workflow files with "_" for "-", inputs first, properties by keyword.
``help (armilla.stages.smooth_alm)`` describes one, ``dir (armilla.stages)`` lists all.

Inputs are arrays, or objects that say more: :class:`armilla.Map`, :class:`armilla.Alm`,
:class:`armilla.Cl`, :class:`armilla.Catalogue`, :class:`armilla.Table` and :class:`armilla.Matrix`.
A list of such objects runs the stage once for each, and a list comes back; other inputs have one for
all, or as many. Quantities are texts with a unit, or those of astropy.units. None is as if not
given. A function raises what :meth:`armilla.Workflow.run` raises, and TypeError for an argument that does not exist.

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
