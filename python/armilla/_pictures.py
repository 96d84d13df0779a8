# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures in notebooks, drawn by Armilla's stage `render`."""
from __future__ import annotations

import base64
import html
import os
import tempfile
from typing import Union

from . import stages
from .fields import Alm, Field
from .matrix import Matrix

WIDTH = 800


def png(data: Union[Field, Matrix], width: int = WIDTH) -> bytes:
    """Draws a map's first field, spectra, the spectra of a_lm, or matrices; returns a PNG."""
    shown = stages.alm2cl(data) if isinstance(data, Alm) else data
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "picture.png")
        stages.render(file, width=width, **{shown.kind: shown})
        with open(file, "rb") as picture_file:
            return picture_file.read()


def picture(data: Union[Field, Matrix]) -> str:
    """Returns the picture as HTML."""
    image = base64.b64encode(png(data)).decode("ascii")
    return f'<img alt="{html.escape(repr(data))}" src="data:image/png;base64,{image}"/>'


# Assigned here, since the modules fields and matrix cannot import stages, which imports them.
Field._repr_html_ = picture  # type: ignore[attr-defined]
Matrix._repr_html_ = picture  # type: ignore[attr-defined]
