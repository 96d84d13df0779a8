# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of workflows as Python objects."""
from __future__ import annotations

import functools
import sys
from typing import Any, Iterable, Tuple, Union

import numpy as np

from . import _arrays
from ._core import ffi, lib
from .columns import Catalogue, Column, Columns, Table
from .fields import Alm, Cl, Field, Map
from .geometry import NO_GEOMETRY, Geometry, _of_car, healpix
from .matrix import Axis, Matrix

Data = Union[Field, Columns, Matrix]


def _string(text) -> str:
    return ffi.string(text).decode("utf-8", "replace")


def _strings(texts, n: int) -> Tuple[str, ...]:
    return tuple(_string(texts[i]) for i in range(n))


def _memory(owner, dtype: np.dtype, n: int) -> np.ndarray:
    """The numbers of a map, a_lm, spectra or matrices."""
    return _view(owner, owner.array.data, dtype, n)


def _view(owner, address, dtype: np.dtype, n: int) -> np.ndarray:
    """Returns an array of memory that belongs to an owner, which is freed with the last array."""
    data = ffi.gc(ffi.cast("char *", address), functools.partial(_arrays.forget, owner))
    return np.frombuffer(ffi.buffer(data, n * dtype.itemsize), dtype)


def _numbers(owner, complex_numbers: bool) -> np.ndarray:
    told = owner.array
    dtype = np.dtype(np.complex128 if complex_numbers else np.float64)
    n_fields, n = told.shape[1], told.shape[2]
    array = _memory(owner, dtype, n_fields * n)
    return array if n_fields == 1 else array.reshape(n_fields, n)


def _geometry(owner) -> Geometry:
    if owner.car != ffi.NULL:
        return _of_car(owner.car, owner.geometry, owner.n_theta, owner.n_phi)
    if owner.geometry == lib.ARMILLA_GRID_HEALPIX:
        return healpix(owner.nside)
    if owner.geometry == lib.ARMILLA_GRID_RINGS:
        return NO_GEOMETRY
    return Geometry(owner.geometry, n_theta=owner.n_theta, n_phi=owner.n_phi,
                    n_pixels=owner.array.shape[2])


def _pairs(spins, n: int) -> Tuple[int, ...]:
    """Returns the spin of each transform, from the spins of all fields."""
    found, i = [], 0
    while i < n:
        found.append(spins[i])
        i += 2 if spins[i] > 0 else 1
    return tuple(found)


def _swept(value: str) -> Union[int, float, str]:
    """Returns a value of a sweep, as a number if it has no unit."""
    for kind in int, float:
        try:
            return kind(value)
        except ValueError:
            pass
    return value


def as_object(result) -> Tuple[str, Data]:
    """Returns the name of an ArmillaResult, and an object that takes ownership of it."""
    owner = ffi.gc(result, lib.armilla_result_free)
    if owner.kind in (lib.ARMILLA_FLOW_TABLE, lib.ARMILLA_FLOW_CATALOGUE):
        made: Data = _columns(owner)
    elif owner.kind == lib.ARMILLA_FLOW_MATRIX:
        made = _matrix(owner)
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
        return Cl.of_library(numbers, lmax=owner.lmax, **words)
    spins = _pairs(owner.spins, n)
    if owner.kind == lib.ARMILLA_FLOW_ALM:
        return Alm.of_library(numbers, lmax=owner.lmax, mmax=owner.mmax, spins=spins, **words)
    geometry = _geometry(owner)
    if geometry.car is not None:
        return Map(geometry.image_of(numbers), spin=spins, geometry=geometry, **words)
    return Map.of_library(numbers, spins=spins, geometry=geometry, **words)


def _axis(axis) -> Axis:
    values = np.frombuffer(bytearray(ffi.buffer(axis.values, 8 * axis.n)), np.float64)
    return Axis(values, label=_string(axis.label), unit=_string(axis.unit))


def _matrix(owner) -> Matrix:
    n, rows, columns = owner.array.shape[0:3]
    array = _memory(owner, np.dtype(np.float64), n * rows * columns)
    return Matrix(array.reshape((n, rows, columns) if n > 1 else (rows, columns)),
                  rows=_axis(owner.axes[0]), columns=_axis(owner.axes[1]),
                  names=_strings(owner.names, n), unit=_string(owner.units[0]) or None)


def _columns(owner) -> Columns:
    columns = [(_string(column.name), _string(column.unit), _column(owner, column))
               for column in owner.columns[0:owner.n_columns]]
    if owner.kind == lib.ARMILLA_FLOW_TABLE:
        return Table({name: values for name, _, values in columns},
                     {name: unit for name, unit, _ in columns})
    return Catalogue.made(columns, owner.n_places,
                          _string(owner.coordinates) if owner.coordinates else None)


def _column(owner, column) -> Column:
    n = owner.n_rows
    if column.kind == lib.ARMILLA_COLUMN_STRING:
        texts = ffi.cast("char **", column.values)
        return [_string(texts[i]) for i in range(n)]
    if column.kind == lib.ARMILLA_COLUMN_INT128:
        return np.array(list(_wide(bytes(ffi.buffer(column.values, 16 * n)))), object)
    dtype = np.dtype(np.float64 if column.kind == lib.ARMILLA_COLUMN_DOUBLE else np.int64)
    return _view(owner, column.values, dtype, n) if n > 0 else np.zeros(0, dtype)


def _wide(memory: bytes) -> Iterable[int]:
    for at in range(0, len(memory), 16):
        yield int.from_bytes(memory[at:at + 16], sys.byteorder, signed=True)
