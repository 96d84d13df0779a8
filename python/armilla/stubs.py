# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m armilla.stubs > stages.pyi``: type stubs of :mod:`armilla.stages` for editors.

The package has those of Armilla's own stages. With ARMILLA_PLUGIN_PATH set, stages of other modules
are among them.
"""
from __future__ import annotations

from . import _docstrings, _registry

if __name__ == "__main__":
    present = {name: stage for name, stage in _registry.stages().items() if not stage.renamed}
    print(_docstrings.stubs(present), end="")
