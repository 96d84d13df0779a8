# SPDX-License-Identifier: GPL-3.0-or-later
"""What a notebook shows: pictures that Armilla's own stage `render` draws."""
from __future__ import annotations

import base64
import html
import os
import tempfile

from .columns import Columns
from .fields import Alm, Field
from .workflow import Workflow

WIDTH = 800
MOST_ROWS = 20


def png(field: Field, width: int = WIDTH) -> bytes:
    """A picture of a map's first field, of spectra, or of the spectra of a_lm."""
    nodes = {"picture": {"stage": "render", "width": width, "file": "${file}"}}
    if isinstance(field, Alm):
        nodes["spectra"] = {"stage": "alm2cl", "alm": "data"}
        nodes["picture"]["cl"] = "spectra"
    else:
        nodes["picture"][field.kind] = "data"
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "picture.png")
        workflow = Workflow(nodes).set("file", file)
        workflow.run({"data": field}, outputs=(), progress=False)
        with open(file, "rb") as picture:
            return picture.read()


def picture(field: Field) -> str:
    """The picture as HTML."""
    data = base64.b64encode(png(field)).decode("ascii")
    return f'<img alt="{html.escape(repr(field))}" src="data:image/png;base64,{data}"/>'


def table_html(table: Columns) -> str:
    """The first rows as HTML."""
    def row(tag, cells):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(c))}</{tag}>" for c in cells) + "</tr>"
    names = [name + (f" [{table.units[name]}]" if table.units[name] else "") for name in table]
    columns = [table[name][:MOST_ROWS] for name in table]
    rows = [row("td", cells) for cells in zip(*columns)]
    if table.n > MOST_ROWS:
        rows.append(row("td", [f"... {table.n} rows"]))
    return "<table>" + row("th", names) + "".join(rows) + "</table>"
