# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts Python objects to inputs of workflows: each fills an ArmillaFlowInput."""
from __future__ import annotations

import functools
import operator
import sys
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arrays
from ._core import ffi, lib
from ._session import WorkflowError
from .columns import Catalogue, Column, Columns, Table
from .fields import Alm, Cl, Field, Map
from .geometry import NO_GEOMETRY
from .matrix import Axis, Matrix

Data = Union[Field, Columns, Matrix]

CLASSES: Dict[str, Callable[..., Any]] = {"map": Map, "alm": Alm, "cl": Cl, "table": Table,
                                          "catalogue": Catalogue, "matrix": Matrix}
_KINDS = {"map": lib.ARMILLA_FLOW_MAP, "alm": lib.ARMILLA_FLOW_ALM, "cl": lib.ARMILLA_FLOW_CL,
          "table": lib.ARMILLA_FLOW_TABLE, "catalogue": lib.ARMILLA_FLOW_CATALOGUE,
          "matrix": lib.ARMILLA_FLOW_MATRIX}


def fill_inputs(name: str, values: Sequence[Data]) -> Tuple[Any, List[Any]]:
    """Returns an array of ArmillaFlowInput, and the objects that must exist as long as it."""
    keep: List[Any] = []
    inputs = ffi.new("ArmillaFlowInput[]", len(values))
    for to, value in zip(inputs, values):
        if isinstance(value, Columns):
            _fill_columns(name, to, value, keep)
        elif isinstance(value, Matrix):
            _fill_matrix(to, value, keep)
        else:
            _fill_field(name, to, value, keep)
    keep.append(inputs)
    return inputs, keep


def _fill_columns(name: str, to: Any, columns: Columns, keep: List[Any]) -> None:
    stored = columns.stored()
    told = ffi.new("ArmillaResultColumn[]", len(stored))
    keep.append(told)
    for column_to, (column, values) in zip(told, stored):
        keep.append(_arrays.Hold(values))
        if len(values) != columns.n:
            raise WorkflowError(f"{name}: {column}: the column has {len(values)} rows; the "
                                f"{columns.kind} has {columns.n}")
        kind, memory, owner = _values(column, values)
        words = as_text(column), as_text(columns.units.get(column, ""))
        column_to.kind, column_to.values, (column_to.name, column_to.unit) = kind, memory, words
        keep += [owner, memory, words]
    to.kind, to.n_rows, to.n_columns, to.columns = (_KINDS[columns.kind], columns.n, len(stored),
                                                    told)
    if columns.coordinates is not None:
        keep.append(as_text(columns.coordinates))
        to.coordinates = keep[-1]


def _fill_field(name: str, to: Any, field: Field, keep: List[Any]) -> None:
    told, array = _arrays.describe(name, np.atleast_2d(field._array), field.n_fields)
    if field.names is not None and len(field.names) != told.shape[1]:
        raise WorkflowError(f"{name}: names: {len(field.names)} given; the {field.kind} has "
                            f"{told.shape[1]} fields")
    to.kind, to.array, to.any_numbers = _KINDS[field.kind], told, field._any_numbers
    keep += [told, array, field]
    if not isinstance(field, Cl):
        if not isinstance(field.spins, (tuple, list)):  # cffi would take a number for a length
            raise WorkflowError(f"{name}: spins: {field.spins!r} is not a list of numbers")
        to.shape = shape = _shape(field, keep)
        keep.append(shape)
    for attribute in "unit", "coordinates":
        value = getattr(field, attribute)
        if value is not None:
            keep.append(as_text(value))
            setattr(to, attribute, keep[-1])
    _fill_names(to, field.names, keep)


def _fill_names(to: Any, given: Optional[Sequence[str]], keep: List[Any]) -> None:
    if given is not None:
        texts = [as_text(one) for one in given]
        to.names = names = ffi.new("const char *[]", texts)
        keep += [texts, names]


def _fill_axis(to: Any, axis: Axis, keep: List[Any]) -> None:
    words = as_text(axis.label), as_text(axis.unit)
    values = np.ascontiguousarray(axis.values, np.float64)
    memory = ffi.from_buffer("double[]", values)
    to.label, to.unit, to.n, to.values = words[0], words[1], len(values), memory
    keep += [words, values, memory]


def _fill_matrix(to: Any, matrix: Matrix, keep: List[Any]) -> None:
    array = np.ascontiguousarray(matrix.array)
    told, array = _arrays.describe("matrix", array if array.ndim == 3 else array[None],
                                   array.shape[-2])
    axes = ffi.new("ArmillaFlowAxis[2]")
    _fill_axis(axes[0], matrix.rows, keep)
    _fill_axis(axes[1], matrix.columns, keep)
    to.kind, to.array, to.axes = lib.ARMILLA_FLOW_MATRIX, told, axes
    keep += [array, told, axes]
    if matrix.unit is not None:
        keep.append(as_text(matrix.unit))
        to.unit = keep[-1]
    _fill_names(to, matrix.names, keep)


def as_text(text: Optional[str]):
    """Returns the text for the library. Texts end at a NUL there, so a text that contains one is
    rejected."""
    if text is None:
        return ffi.NULL
    if "\0" in text:
        raise WorkflowError(f"{text!r}: it contains a NUL character")
    try:
        return ffi.new("char[]", text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        raise WorkflowError(f"{text!r}: it contains a surrogate, not a character") from None


@functools.lru_cache(maxsize=None)
def as_key(text: str):
    """Like as_text(), for names that the library has returned."""
    return as_text(text)


def _shape(field: Union[Map, Alm], keep: list):
    shape = ffi.new("ArmillaPlanShape *")
    spins = ffi.new("int[]", field.spins)
    keep.append(spins)
    shape.spins, shape.n_spins, shape.copies = spins, len(field.spins), 1
    if isinstance(field, Alm):
        shape.lmax, shape.mmax = field.lmax, field.mmax
    elif field.geometry == NO_GEOMETRY:
        raise WorkflowError("geometry: the map is a result on rings that a workflow selected, "
                            "which has no geometry; make a Map of its array with a geometry")
    else:
        field.geometry.fill(shape, keep)
    return shape


def _values(name: str, column: Column):
    """Returns kind and memory of a column's values, and the objects that own the memory."""
    if isinstance(column, list):
        texts = [as_text(text) for text in column]
        return lib.ARMILLA_COLUMN_STRING, ffi.new("char *[]", texts), texts
    if column.dtype.kind == "O":
        try:
            memory = b"".join(operator.index(one).to_bytes(16, sys.byteorder, signed=True)
                              for one in column)
        except (OverflowError, TypeError):
            raise WorkflowError(f"{name}: it must be integers of at most 128 bits") from None
        return lib.ARMILLA_COLUMN_INT128, ffi.from_buffer(memory), memory
    kind = lib.ARMILLA_COLUMN_INT64 if column.dtype == np.int64 \
        else lib.ARMILLA_COLUMN_DOUBLE
    return kind, ffi.from_buffer(column), column


def _unit(value: Any) -> Tuple[Any, Optional[str]]:
    """Returns the numbers and the unit of an astropy quantity."""
    if hasattr(value, "unit") and hasattr(value, "to_value"):
        return value.value, value.unit.to_string() or None
    return value, None


def as_kind(name: str, kind: str, value: Any) -> Data:
    """Returns the value as data of a kind; for the kind "any" like as_input()."""
    if kind not in CLASSES:
        return as_input(name, value)
    if isinstance(value, (Field, Columns, Matrix)):
        if value.kind != kind:
            raise TypeError(f"{name}: it is an armilla.{type(value).__name__}; it must be an "
                            f"armilla.{CLASSES[kind].__name__}, or an argument for one")
        return value
    value, unit = _unit(value)
    try:
        return CLASSES[kind](value) if unit is None else CLASSES[kind](value, unit=unit)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def as_input(name: str, value: Any) -> Data:
    """Converts an object that is not of a class of this package: complex numbers are a_lm, real
    numbers are pixels of a map, and columns are a catalogue."""
    if isinstance(value, (Field, Columns, Matrix)):
        return value
    if isinstance(value, Mapping) or getattr(getattr(value, "dtype", None), "names", None):
        return as_kind(name, "catalogue", value)
    value, unit = _unit(value)
    array = _arrays.brought_to_host(name, value)
    try:
        return Alm(array, unit=unit) if array.dtype.kind == "c" else Map(array, unit=unit)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}; pass an armilla.Map, armilla.Alm or armilla.Cl"
                          ) from None


def as_inputs(name: str, value: Any) -> List[Data]:
    """Returns one input for all realisations or, for a list of objects of this package, one per
    realisation."""
    if isinstance(value, (list, tuple)) and value \
            and all(isinstance(one, (Field, Columns, Matrix)) for one in value):
        return list(value)
    return [as_input(name, value)]
