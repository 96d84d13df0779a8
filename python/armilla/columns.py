# SPDX-License-Identifier: GPL-3.0-or-later
"""Catalogues and tables for workflows, and from them: columns by their names.

>>> import armilla
>>> stars = armilla.Catalogue({"RA": [10.0, 20.0], "DEC": [0.0, 5.0], "mag": [4.5, 6.0]})
>>> stars.n, list(stars), stars["longitude"]
(2, ['longitude', 'latitude', 'mag'], array([10., 20.]))
"""
from __future__ import annotations

from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import _arrays
from ._scalars import text
from .counts import Points

Column = Union[np.ndarray, List[str]]

# What columns of positions may be called.
_ANGLES = {"longitude": ("ra", "raj2000", "lon", "glon", "elon"),
           "latitude": ("dec", "de", "dej2000", "decj2000", "lat", "glat", "elat")}
_VECTOR = ("x", "y", "z")
_PLACES = ("longitude", "latitude", *_VECTOR, "weight", "g1", "g2", "patch")
_WIDEST = 2**127


class Columns(Mapping[str, Column]):
    """What tables and catalogues have in common: columns of one length, in their order.

    Attributes
    ----------
    units : dict
        Unit of each column, "" for none.
    realisation : int
        Of a result, its number.
    """

    kind = ""
    coordinates: Optional[str] = None

    def __init__(self, columns: Mapping[str, Column], units: Mapping[str, str]):
        self._columns: Dict[str, Column] = dict(columns)
        if not columns:
            raise ValueError(f"{self.kind}: it has no column")
        self.units = {name: str(units.get(name, "")) for name in self}
        for name in units:
            if name not in self.units:
                raise ValueError(f"units: there is no column {name!r}")
        self.n = len(next(iter(self._columns.values())))
        for name, column in self._columns.items():
            if len(column) != self.n:
                raise ValueError(f"{name}: it has {len(column)} rows, and others have {self.n}")
        self.realisation = 0

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        """A structured array: a field for each column."""
        columns = {name: np.asarray(self[name]) for name in self}
        array = np.empty(self.n, [(name, column.dtype) for name, column in columns.items()])
        for name, column in columns.items():
            array[name] = column
        return array if dtype is None else array.astype(dtype)

    def __repr__(self) -> str:
        return f"<armilla.{type(self).__name__} of {', '.join(self)}>"

    def _repr_html_(self) -> str:
        from ._pictures import table_html
        return table_html(self)

    def stored(self) -> List[Tuple[str, Column]]:
        """The columns as workflows are given them."""
        return list(self._columns.items())


class Table(Columns):
    """A table for a workflow, or from one.

    Parameters
    ----------
    columns : mapping of name to array
        Of one dimension and one length: real or whole numbers, or texts.
    units : mapping of name to str
        Unit of each column that has one.

    Attributes
    ----------
    n : int
        How many rows there are.
    """

    kind = "table"

    def __init__(self, columns: Mapping[str, Any], units: Optional[Mapping[str, str]] = None):
        super().__init__({str(name): _column(str(name), value)
                          for name, value in _items("table", columns)}, _mapping(units))


class Catalogue(Columns):
    """Objects on the sphere for a workflow, or from one.

    Parameters
    ----------
    columns : mapping of name to array, or structured array
        Positions by "longitude" and "latitude" in degrees ("ra" and "dec", "lon" and "lat", "glon"
        and "glat" do as well), or by the components "x", "y" and "z" of unit vectors. "weight":
        finite and not negative. "g1" and "g2": shears, psi from north to east. "patch": whole
        numbers from 0 on. These names may be in capitals. All other columns are kept as they are
        called: finite numbers, a magnitude or a redshift.
    units : mapping of name to str
        Units of those others.
    coordinates : str
        "G" galactic, "E" ecliptic or "C" equatorial.

    Attributes
    ----------
    n : int
        How many objects there are.
    """

    kind = "catalogue"

    def __init__(self, columns: Any, *, units: Optional[Mapping[str, str]] = None,
                 coordinates: Optional[str] = None):
        found: Dict[str, Any] = {}
        for name, value in _items("catalogue", columns):
            place = _place(str(name))
            if place in found:
                raise ValueError(f"{name}: there are two columns of {place}")
            found[place] = value
        _check_places(found)
        self._fill({name: _whole(name, found[name]) if name == "patch"
                    else _real(name, found[name])
                    for name in sorted(found, key=_order)}, _mapping(units), coordinates)

    @classmethod
    def made(cls, columns: Mapping[str, np.ndarray], units: Mapping[str, str],
             coordinates: Optional[str]) -> "Catalogue":
        """Of a workflow: X, Y and Z, then those in capitals that have a place, then others."""
        self = cls.__new__(cls)
        names = {name: name.lower() if name.isupper() and name.lower() in _PLACES else name
                 for name in columns}
        self._fill({names[name]: column for name, column in columns.items()},
                   {names[name]: unit for name, unit in units.items()
                    if names[name] not in _PLACES}, coordinates)
        return self

    def _fill(self, columns: Mapping[str, Column], units: Mapping[str, str],
              coordinates: Optional[str]) -> None:
        angles = {"longitude": "deg", "latitude": "deg"}
        for name in angles:
            if units.get(name, "deg") != "deg":
                raise ValueError(f"{name}: its unit is {units[name]!r}; it must be in degrees")
        super().__init__(columns, {**units, **angles})
        self.coordinates = text("coordinates", coordinates)

    def __iter__(self) -> Iterator[str]:
        yield "longitude"
        yield "latitude"
        for name in self._columns:
            if name not in _PLACES[:5]:
                yield name

    def __contains__(self, name: object) -> bool:
        return name in self._columns or name in _PLACES[:5]

    def __getitem__(self, name: str) -> Column:
        """Angles and components of vectors are computed from each other where they must be."""
        if name in self._columns or name not in _PLACES[:5]:
            return self._columns[name]
        if name in _VECTOR:
            return self._vectors()[_VECTOR.index(name)]
        x, y, z = (np.asarray(self._columns[one]) for one in _VECTOR)
        if name == "latitude":
            return np.degrees(np.arctan2(z, np.hypot(x, y)))
        longitude = np.degrees(np.arctan2(y, x)) % 360
        return np.where((longitude == 360) | ((x == 0) & (y == 0)), 0.0, longitude)

    def _vectors(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        longitude, latitude = (np.radians(self._columns[name]) for name in _ANGLES)
        return (np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude),
                np.sin(latitude))

    @property
    def points(self) -> Points:
        """The same objects, to be counted by :func:`count_pairs` and :func:`count_triangles`."""
        named = {name: self._columns.get(name) for name in ("weight", "g1", "g2")}
        if "longitude" in self._columns:
            return Points(self["longitude"], self["latitude"], **named)
        return Points(vectors=np.stack([self[name] for name in _VECTOR], -1), **named)


def _items(kind: str, columns: Any) -> List[Tuple[Any, Any]]:
    """Name and values of each column."""
    if isinstance(columns, Columns):
        return columns.stored()
    if isinstance(columns, np.ndarray) and columns.dtype.names:
        return [(name, columns[name]) for name in columns.dtype.names]
    if not hasattr(columns, "items"):
        raise TypeError(f"{kind}: it is of the type {type(columns).__name__}; it must be a mapping "
                        "of names to columns, or a structured array")
    return list(columns.items())


def _mapping(units: Optional[Mapping[str, str]]) -> Mapping[str, str]:
    if units is not None and not isinstance(units, Mapping):
        raise TypeError(f"units: it is of the type {type(units).__name__}; it must be a mapping of "
                        "names to units")
    return units or {}


def _place(name: str) -> str:
    low = name.lower()
    for place, names in _ANGLES.items():
        if low in names:
            return place
    return low if low in _PLACES else name


def _order(name: str) -> int:
    """Columns that have a place, then the others in their order."""
    return _PLACES.index(name) if name in _PLACES else len(_PLACES)


def _check_places(found: Mapping[str, Any]) -> None:
    angles, vectors = ([name for name in names if name in found] for names in (_ANGLES, _VECTOR))
    if bool(angles) == bool(vectors):
        raise ValueError("catalogue: its positions must be in columns longitude and latitude, or "
                         "in columns x, y and z")
    for name in _ANGLES if angles else _VECTOR:
        if name not in found:
            raise ValueError(f"{name}: there is no such column")
    if ("g1" in found) != ("g2" in found):
        raise ValueError("g1, g2: shears need both")


def _one_dimension(name: str, column: np.ndarray) -> np.ndarray:
    if column.ndim != 1:
        raise ValueError(f"{name}: its shape is {column.shape}; it must have one dimension")
    return column


def _real(name: str, value: Any) -> np.ndarray:
    host = _arrays.brought_to_host(name, value)
    return _one_dimension(name, _arrays.as_numbers(name, host))


def _whole(name: str, value: Any) -> np.ndarray:
    """64-bit whole numbers."""
    column = _one_dimension(name, _arrays.brought_to_host(name, value))
    found = column.astype(np.int64) if column.dtype.kind in "iu" or not column.size else None
    if found is None or not np.array_equal(found, column):
        raise ValueError(f"{name}: it must be whole numbers of 64 bits")
    return found


def _column(name: str, value: Any) -> Column:
    """Whatever a table can have."""
    column = _one_dimension(name, _arrays.brought_to_host(name, value))
    if column.dtype.kind in "US":
        return [text.decode() if isinstance(text, bytes) else str(text) for text in column]
    if column.dtype.kind == "O":
        if all(isinstance(one, str) for one in column):
            return list(column)
        if all(isinstance(one, int) and -_WIDEST <= one < _WIDEST for one in column):
            return column
        raise TypeError(f"{name}: it must be numbers or texts")
    return _whole(name, column) if column.dtype.kind in "iu" else _real(name, column)
