# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m armilla.stubs > stages.pyi``: type stubs of :mod:`armilla.stages` for editors.

The package contains the stubs of Armilla's own stages. If ARMILLA_PLUGIN_PATH is set, the output
includes the stages of other modules.
"""
from __future__ import annotations

from . import _docstrings, _registry

if __name__ == "__main__":
    present = {name: stage for name, stage in _registry.stages().items() if not stage.renamed}
    print(_docstrings.stubs(present), end="")
