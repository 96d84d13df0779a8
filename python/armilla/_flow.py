# SPDX-License-Identifier: GPL-3.0-or-later
"""Workflows as the library has them: an ArmillaFlow, which lives for one check or run."""
from __future__ import annotations

import functools
import operator
import sys
import threading
from typing import Any, Callable, Iterable, List, Optional, Tuple, Union

import numpy as np

from . import _arrays, _session
from ._core import ffi, lib
from .columns import Catalogue, Column, Columns, Table
from .fields import Alm, Cl, Field, Map
from .geometry import Geometry, healpix

_KINDS = {"map": lib.ARMILLA_FLOW_MAP, "alm": lib.ARMILLA_FLOW_ALM, "cl": lib.ARMILLA_FLOW_CL,
          "table": lib.ARMILLA_FLOW_TABLE, "catalogue": lib.ARMILLA_FLOW_CATALOGUE}


# Of a map on rings that a workflow has chosen.
_NO_GEOMETRY = Geometry(lib.ARMILLA_GEOMETRY_RINGS)


class WorkflowError(_session.Error, ValueError):
    """A workflow, or what was given to it, is wrong. The text is that of the program `armilla`."""


class _Running(threading.local):
    """What the thread that runs a workflow calls now and then, and what that has raised."""

    tell: Optional[Callable[[Any], None]] = None
    raised: Optional[BaseException] = None


_running = _Running()


def _keep(_kind, value, _traceback) -> None:
    """Ctrl-C and what a caller's function raises end the run, and are raised at its end."""
    _running.raised = value


@ffi.def_extern(name="armilla_python_tell", error=1, onerror=_keep)
def _tell(_user, progress) -> int:
    if _running.tell is not None:
        _running.tell(progress)
    return 0


class Flow:
    """A workflow of the library's."""

    def __init__(self, path: Optional[str], text: Optional[str]):
        made, self._failure = ffi.new("ArmillaFlow **"), ffi.new("ArmillaFailure *")
        status = lib.armilla_flow_new(_text(path), _text(text), made, self._failure)
        _session.check(status, self._failure)
        self._flow = ffi.gc(made[0], lib.armilla_flow_free)
        self._keep: list = []

    def set(self, text: str) -> None:
        """node.key=value"""
        lib.armilla_flow_set(self._flow, _text(text))

    def define(self, text: str) -> None:
        """variable=value"""
        lib.armilla_flow_define(self._flow, _text(text))

    def give(self, name: str, value: Union[Field, Columns]) -> None:
        """Arrays in the place of a node."""
        if isinstance(value, Columns):
            self._give_columns(name, value)
        else:
            self._give_field(name, value)

    def _give_columns(self, name: str, columns: Columns) -> None:
        stored = columns.stored()
        told = ffi.new("ArmillaResultColumn[]", len(stored))
        keep: list = []
        for to, (column, values) in zip(told, stored):
            keep.append(_arrays.Hold(values))
            if len(values) != columns.n:
                raise WorkflowError(f"{name}: {column}: the column has {len(values)} rows; the "
                                    f"{columns.kind} has {columns.n}")
            kind, memory, owner = _values(column, values)
            words = _text(column), _text(columns.units.get(column, ""))
            to.kind, to.values, (to.name, to.unit) = kind, memory, words
            keep += [owner, memory, words]
        given = ffi.new("ArmillaFlowInput *", {
            "kind": _KINDS[columns.kind], "n_rows": columns.n, "n_columns": len(stored),
            "columns": told})
        if columns.coordinates is not None:
            keep.append(_text(columns.coordinates))
            given.coordinates = keep[-1]
        self._check(lib.armilla_flow_give(self._flow, _text(name), given, self._failure))

    def _give_field(self, name: str, field: Field) -> None:
        told, array = _arrays.describe(name, np.atleast_2d(field.array), field.n_fields)
        if field.names is not None and len(field.names) != told.shape[1]:
            raise WorkflowError(f"{name}: names: there are {len(field.names)}; the {field.kind} "
                                f"has {told.shape[1]} fields")
        given = ffi.new("ArmillaFlowInput *", {"kind": _KINDS[field.kind], "array": told})
        keep = [told, array, given]
        if not isinstance(field, Cl):
            given.shape = shape = _shape(field, keep)
            keep.append(shape)
        for attribute in "unit", "coordinates":
            value = getattr(field, attribute)
            if value is not None:
                keep.append(_text(value))
                setattr(given, attribute, keep[-1])
        if field.names is not None:
            keep += [_text(one) for one in field.names]
            given.names = names = ffi.new("const char *[]", keep[-len(field.names):])
            keep.append(names)
        self._keep += keep
        self._check(lib.armilla_flow_give(self._flow, _text(name), given, self._failure))

    def ask(self, name: Optional[str]) -> None:
        """What shall come back; None for all that no node uses."""
        lib.armilla_flow_ask(self._flow, ffi.NULL if name is None else _text(name))

    def check(self) -> None:
        """Raises what is wrong."""
        self._check(lib.armilla_flow_check(self._flow, self._failure))

    def run(self, overwrite: bool, tell: Optional[Callable[[Any], None]]
            ) -> List[Tuple[str, Union[Field, Columns]]]:
        """Runs it with the session that computes. A function that raises ends the run."""
        try:
            return self._run(overwrite, tell)
        except Exception as error:
            error.told = True  # to other ranks, by the library
            raise

    def _run(self, overwrite: bool, tell: Optional[Callable[[Any], None]]
             ) -> List[Tuple[str, Union[Field, Columns]]]:
        with _session.busy:
            outer, _running.tell, _running.raised = _running.tell, tell, None
            try:
                status = lib.armilla_flow_run(self._flow, _session.current().handle, overwrite,
                                              lib.armilla_python_tell, ffi.NULL, self._failure)
                raised = _running.raised
            finally:
                _running.tell, _running.raised = outer, None
        if raised is not None:
            raise raised
        self._check(status)
        _session.current().note()
        n = lib.armilla_flow_n_results(self._flow)
        return [_result(lib.armilla_flow_result(self._flow, i)) for i in range(n)]

    def _check(self, status: int) -> None:
        if status == lib.ARMILLA_STATUS_OK:
            return
        text = ffi.string(lib.armilla_flow_problem(self._flow)).decode("utf-8", "replace")
        if status == lib.ARMILLA_STATUS_ARGUMENT:
            raise WorkflowError(text)
        raise _session.error_of(status)(text)


def _text(text: Optional[str]):
    """As the library has it; without a 0, where it would end."""
    if text is None:
        return ffi.NULL
    if "\0" in text:
        raise WorkflowError(f"{text!r}: it has a character of the number 0 in it")
    try:
        return ffi.new("char[]", text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        raise WorkflowError(f"{text!r}: it has a surrogate in it, which is no character") from None


def _shape(field: Union[Map, Alm], keep: list):
    shape = ffi.new("ArmillaPlanShape *")
    spins = ffi.new("int[]", field.spins)
    keep.append(spins)
    shape.spins, shape.n_spins, shape.copies = spins, len(field.spins), 1
    if isinstance(field, Alm):
        shape.lmax, shape.mmax = field.lmax, field.mmax
    elif field.geometry == _NO_GEOMETRY:
        raise WorkflowError("geometry: rings of a workflow's own have no name; give a Map with a "
                            "geometry")
    else:
        field.geometry.fill(shape, keep)
    return shape


def _string(text) -> str:
    return ffi.string(text).decode("utf-8", "replace")


def _strings(texts, n: int) -> Tuple[str, ...]:
    return tuple(_string(texts[i]) for i in range(n))


def _numbers(owner, complex_numbers: bool) -> np.ndarray:
    """The library's memory, which goes with the last array that shows it."""
    told = owner.array
    dtype = np.dtype(np.complex128 if complex_numbers else np.float64)
    n_fields, n = told.shape[1], told.shape[2]
    data = ffi.gc(ffi.cast("char *", told.data), functools.partial(_arrays.forget, owner))
    array = np.frombuffer(ffi.buffer(data, n_fields * n * dtype.itemsize), dtype)
    return array if n_fields == 1 else array.reshape(n_fields, n)


def _geometry(owner) -> Geometry:
    if owner.geometry == lib.ARMILLA_GEOMETRY_HEALPIX:
        return healpix(owner.nside)
    if owner.geometry == lib.ARMILLA_GEOMETRY_RINGS:
        return _NO_GEOMETRY
    return Geometry(owner.geometry, n_theta=owner.n_theta, n_phi=owner.n_phi,
                    n_pixels=owner.array.shape[2])


def _pairs(spins, n: int) -> Tuple[int, ...]:
    """A spin for each transform, of one for each field."""
    found, i = [], 0
    while i < n:
        found.append(spins[i])
        i += 2 if spins[i] > 0 else 1
    return tuple(found)


def _swept(value: str) -> Union[int, float, str]:
    """A value of a sweep: a number where it is nothing but one."""
    for kind in int, float:
        try:
            return kind(value)
        except ValueError:
            pass
    return value


def _result(result) -> Tuple[str, Union[Field, Columns]]:
    owner = ffi.gc(result, lib.armilla_result_free)
    if owner.kind in (lib.ARMILLA_FLOW_TABLE, lib.ARMILLA_FLOW_CATALOGUE):
        made: Union[Field, Columns] = _columns(owner)
    else:
        made = _field(owner)
    swept = {_string(owner.swept_keys[i]): _swept(_string(owner.swept_values[i]))
             for i in range(owner.n_swept)}
    made._set(realisation=owner.realisation, _swept=swept)
    return _string(owner.name), made


def _field(owner) -> Field:
    n = owner.array.shape[1]
    words = {"names": _strings(owner.names, n), "unit": _string(owner.units[0]) or None,
             "coordinates": _string(owner.coordinates) if owner.coordinates else None}
    numbers = _numbers(owner, owner.kind == lib.ARMILLA_FLOW_ALM)
    if owner.kind == lib.ARMILLA_FLOW_CL:
        return Cl(numbers, **words)
    spins = _pairs(owner.spins, n)
    if owner.kind == lib.ARMILLA_FLOW_ALM:
        return Alm(numbers, lmax=owner.lmax, mmax=owner.mmax, spin=spins, **words)
    return Map(numbers, spin=spins, geometry=_geometry(owner), **words)


def _columns(owner) -> Columns:
    columns = [(_string(column.name), _string(column.unit), _column(column, owner.n_rows))
               for column in owner.columns[0:owner.n_columns]]
    if owner.kind == lib.ARMILLA_FLOW_TABLE:
        return Table({name: values for name, _, values in columns},
                     {name: unit for name, unit, _ in columns})
    return Catalogue.made(columns, owner.n_places,
                          _string(owner.coordinates) if owner.coordinates else None)


def _column(column, n: int) -> Column:
    if column.kind == lib.ARMILLA_COLUMN_KIND_TEXT:
        texts = ffi.cast("char **", column.values)
        return [_string(texts[i]) for i in range(n)]
    if column.kind == lib.ARMILLA_COLUMN_KIND_INT128:
        return np.array(list(_wide(bytes(ffi.buffer(column.values, 16 * n)))), object)
    dtype = np.float64 if column.kind == lib.ARMILLA_COLUMN_KIND_DOUBLE else np.int64
    return np.frombuffer(bytearray(ffi.buffer(column.values, 8 * n)), dtype)


def _values(name: str, column: Column):
    """Kind and memory of a column's values, and what must live as long."""
    if isinstance(column, list):
        texts = [_text(text) for text in column]
        return lib.ARMILLA_COLUMN_KIND_TEXT, ffi.new("char *[]", texts), texts
    if column.dtype.kind == "O":
        try:
            memory = b"".join(operator.index(one).to_bytes(16, sys.byteorder, signed=True)
                              for one in column)
        except (OverflowError, TypeError):
            raise WorkflowError(f"{name}: it must be whole numbers of 128 bits") from None
        return lib.ARMILLA_COLUMN_KIND_INT128, ffi.from_buffer(memory), memory
    kind = lib.ARMILLA_COLUMN_KIND_INT64 if column.dtype == np.int64 \
        else lib.ARMILLA_COLUMN_KIND_DOUBLE
    return kind, ffi.from_buffer(column), column


def _wide(memory: bytes) -> Iterable[int]:
    for at in range(0, len(memory), 16):
        yield int.from_bytes(memory[at:at + 16], sys.byteorder, signed=True)
