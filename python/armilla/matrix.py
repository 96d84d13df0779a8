# SPDX-License-Identifier: GPL-3.0-or-later
"""Matrices with labelled axes: inputs and results of stages and workflows.

>>> import armilla
>>> matrix = armilla.Matrix([[1.0, 0.5], [0.5, 1.0]], names=["TT"])
>>> matrix.array.shape, matrix.rows.values
((2, 2), array([0., 1.]))
"""
from __future__ import annotations

from typing import Any, Dict, Optional, Sequence, Union

import numpy as np

from . import _arrays
from ._frozen import Frozen
from ._scalars import text


class Axis(Frozen):
    """Axis of the rows or of the columns of matrices.

    Parameters
    ----------
    values : array or int
        Coordinate of each row or column, such as its multipole; or their number.
    label : str
        Name of the coordinate, such as "l".
    unit : str
        Unit of the values.
    """

    def __init__(self, values: Any, *, label: str = "", unit: str = ""):
        numbers = np.arange(values, dtype=float) if isinstance(values, int) \
            else _arrays.as_numbers("axis", values)
        if numbers.ndim != 1 or numbers.size == 0:
            raise ValueError(f"axis: the shape of the values is {numbers.shape}; it must have one "
                             "dimension, and not be empty")
        self._set(_values=numbers, label=text("label", label) or "", unit=text("unit", unit) or "")

    @property
    def values(self) -> np.ndarray:
        """A value for each row or column."""
        return self._values.view()

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<armilla.Axis of {len(self)} values, label={self.label!r}>"


class Matrix(Frozen):
    """Matrices of one shape, such as couplings, window functions and covariances.

    Parameters
    ----------
    array : array
        [row, column], or [field, row, column] of several matrices.
    rows, columns : Axis, array or int
        Axes of rows and columns; by default they are numbered from 0.
    names : sequence of str
        Name of each matrix.
    unit : str
        Unit of all elements.

    Results have `realisation`, the number of the realisation.
    """

    kind = "matrix"

    def __init__(self, array: Any, *, rows: Union[Axis, Any] = None,
                 columns: Union[Axis, Any] = None, names: Optional[Sequence[str]] = None,
                 unit: Optional[str] = None):
        given = _arrays.brought_to_host(self.kind, array)
        if given.ndim not in (2, 3) or given.size == 0:
            raise ValueError(f"matrix: its shape is {given.shape}; it must be [row, column] or "
                             "[field, row, column], and not empty")
        self._set(_array=_arrays.as_numbers(self.kind, given), realisation=0, _swept={},
                  unit=text("unit", unit),
                  names=None if names is None else tuple(str(name) for name in names))
        for name, axis, n in ("rows", rows, self._array.shape[-2]), \
                             ("columns", columns, self._array.shape[-1]):
            made = axis if isinstance(axis, Axis) else Axis(n if axis is None else axis)
            if len(made) != n:
                raise ValueError(f"{name}: {len(made)} values given for {n} {name}")
            self._set(**{name: made})
        if self.names is not None and len(self.names) != self.n_fields:
            raise ValueError(f"names: {len(self.names)} given for {self.n_fields} matrices")

    @property
    def array(self) -> np.ndarray:
        """The elements. Each access returns a new view."""
        return self._array.view()

    @property
    def n_fields(self) -> int:
        """Number of matrices."""
        return 1 if self._array.ndim == 2 else self._array.shape[0]

    @property
    def swept(self) -> Dict[str, Union[int, float, str]]:
        """Values of the swept keys: numbers, or strings such as "5arcmin"."""
        return dict(self._swept)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        array = self.array if dtype is None else self.array.astype(dtype, copy=False)
        return array.copy() if copy else array

    def __repr__(self) -> str:
        names = f", names={list(self.names)}" if self.names is not None else ""
        return f"<armilla.Matrix of the shape {self._array.shape}{names}>"
