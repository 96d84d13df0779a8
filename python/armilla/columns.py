# SPDX-License-Identifier: GPL-3.0-or-later
"""Catalogues and tables, inputs and results of workflows: columns by their names.

>>> import armilla
>>> stars = armilla.Catalogue({"RA": [10.0, 20.0], "DEC": [0.0, 5.0], "mag": [4.5, 6.0]})
>>> stars.n, list(stars), stars["longitude"]
(2, ['longitude', 'latitude', 'mag'], array([10., 20.]))
"""
from __future__ import annotations

import html
from types import MappingProxyType
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arrays
from ._frozen import Frozen
from ._scalars import text

Column = Union[np.ndarray, List[str]]
_Stored = Union[np.ndarray, Tuple[str, ...]]

# Accepted names of position columns.
_ANGLES = {"longitude": ("ra", "raj2000", "lon", "glon", "elon"),
           "latitude": ("dec", "de", "dej2000", "decj2000", "lat", "glat", "elat")}
_VECTOR = ("x", "y", "z")
_PLACES = ("longitude", "latitude", *_VECTOR, "weight", "g1", "g2", "patch")
_WIDEST = 2**127
_MAX_ROWS_SHOWN = 20


class Columns(Frozen, Mapping[str, Column]):
    """Base class of tables and catalogues: columns of equal length, in their order.

    Columns are copies of the arguments. Their numbers can be changed; attributes, lengths and
    strings cannot: each access to a column of strings returns a new list.

    Attributes
    ----------
    n : int
        Number of rows.
    units : mapping
        Unit of each column, "" for none.
    realisation : int
        Number of the realisation of a result.
    swept : dict
        Values of the swept keys of a result of a sweep, by the names of the keys.
    """

    kind = ""
    coordinates: Optional[str] = None

    def __init__(self, columns: Mapping[str, Column], units: Mapping[str, str],
                 position: Mapping[str, np.ndarray] = MappingProxyType({})):
        stored: Dict[str, _Stored] = {
            name: tuple(column) if isinstance(column, list) else column
            for name, column in columns.items()}
        together: List[Tuple[str, _Stored]] = [*position.items(), *stored.items()]
        if not together:
            raise ValueError(f"{self.kind}: it has no column")
        n = len(together[0][1])
        for name, column in together:
            if len(column) != n:
                raise ValueError(f"{name}: it has {len(column)} rows, and others have {n}")
        self._set(_columns=stored, n=n, realisation=0, _swept={})
        self._set(_units={name: str(units.get(name, "")) for name in self})
        for name in units:
            if name not in self._units:
                raise ValueError(f"units: there is no column {name!r}")

    @property
    def swept(self) -> Dict[str, Union[int, float, str]]:
        """Values of the swept keys: numbers, or strings such as "5arcmin"."""
        return dict(self._swept)

    @property
    def units(self) -> Mapping[str, str]:
        """Unit of each column, "" for none."""
        return MappingProxyType(self._units)

    def __getitem__(self, name: str) -> Column:
        column = self._columns[name]
        return column.view() if isinstance(column, np.ndarray) else list(column)

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
        return _html(self)

    def stored(self) -> List[Tuple[str, Column]]:
        """Returns the columns in the form in which workflows take them."""
        return [(name, self[name]) for name in self._columns]


class Table(Columns):
    """A table that is an input or a result of a workflow.

    Parameters
    ----------
    columns : mapping of name to array
        One-dimensional arrays of equal length, of real numbers, integers or strings.
    units : mapping of name to str
        Unit of each column that has one.
    """

    kind = "table"

    def __init__(self, columns: Mapping[str, Any], units: Optional[Mapping[str, str]] = None):
        super().__init__({str(name): _column(str(name), value)
                          for name, value in _items("table", columns)}, _mapping(units))


class Catalogue(Columns):
    """Objects on the sphere that are an input or a result of a workflow.

    Parameters
    ----------
    columns : mapping of name to array, or structured array
        Positions by "longitude" and "latitude" in degrees (or "ra" and "dec", "lon" and "lat",
        "glon" and "glat"), or by the components "x", "y" and "z" of unit vectors. "weight":
        finite and not negative. "g1" and "g2": shears, psi from north to east. "patch":
        integers from 0 on. These names may be in capitals. All other columns keep their names,
        such as a magnitude or a redshift, which may be called z if positions are angles.
    units : mapping of name to str
        Units of the other columns.
    coordinates : str
        "G" galactic, "E" ecliptic or "C" equatorial; or words like "ICRS"; or "box" if "x", "y"
        and "z" are positions in space, for distance_correlation.
    """

    kind = "catalogue"

    def __init__(self, columns: Any, *, units: Optional[Mapping[str, str]] = None,
                 coordinates: Optional[str] = None):
        if isinstance(columns, Catalogue):
            position, rest = columns._position, columns._columns
        else:
            position, rest = _places(_items("catalogue", columns))
        self._fill({name: _real(name, position[name]) for name in sorted(position, key=_order)},
                   {name: _whole(name, rest[name]) if name == "patch" else _real(name, rest[name])
                    for name in sorted(rest, key=_order)}, _mapping(units), coordinates)

    @classmethod
    def made(cls, columns: Sequence[Tuple[str, str, np.ndarray]], n_places: int,
             coordinates: Optional[str]) -> "Catalogue":
        """Returns a result of a workflow as a catalogue.

        `columns` are names, units and values: X, Y and Z, the other columns with a meaning (WEIGHT,
        G1, G2, PATCH), and from number `n_places` on further columns.
        """
        self = cls.__new__(cls)
        self._fill({name.lower(): values for name, _, values in columns[:3]},
                   {name.lower() if i < n_places else name: values
                    for i, (name, _, values) in enumerate(columns) if i >= 3},
                   {name: unit for name, unit, _ in columns[n_places:]}, coordinates)
        return self

    def _fill(self, position: Mapping[str, np.ndarray], columns: Mapping[str, Column],
              units: Mapping[str, str], coordinates: Optional[str]) -> None:
        angles = {"longitude": "deg", "latitude": "deg"}
        for name in angles:
            if units.get(name, "deg") != "deg":
                raise ValueError(f"{name}: its unit is {units[name]!r}; it must be in degrees")
        self._set(_position=dict(position), coordinates=text("coordinates", coordinates))
        super().__init__(columns, {**units, **angles}, position)

    def __iter__(self) -> Iterator[str]:
        yield "longitude"
        yield "latitude"
        yield from self._columns

    def __contains__(self, name: object) -> bool:
        return name in self._columns or name in _PLACES[:5]

    def __getitem__(self, name: str) -> Column:
        """Returns a column. Angles are computed from vectors if necessary, and vectors from angles;
        an ordinary column named x, y or z has precedence over a component."""
        if name in self._columns or name not in _PLACES[:5]:
            return super().__getitem__(name)
        if name in self._position:
            return self._position[name].view()
        if name in _VECTOR:
            return self._vectors()[_VECTOR.index(name)]
        x, y, z = (self._position[one] for one in _VECTOR)
        if name == "latitude":
            return np.degrees(np.arctan2(z, np.hypot(x, y)))
        longitude = np.degrees(np.arctan2(y, x)) % 360
        return np.where((longitude == 360) | ((x == 0) & (y == 0)), 0.0, longitude)

    def _vectors(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        longitude, latitude = (np.radians(self._position[name]) for name in _ANGLES)
        return (np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude),
                np.sin(latitude))

    def stored(self) -> List[Tuple[str, Column]]:
        """Positions, then the other columns."""
        return [(name, one.view()) for name, one in self._position.items()] + super().stored()

    @property
    def points(self) -> "Catalogue":
        """The catalogue itself: an argument of :func:`count_pairs` and :func:`count_triangles`."""
        return self


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


def _place(name: str, vectors: bool) -> str:
    """Returns the standard name of a column, such as "longitude", or its own name; x, y and z are
    ordinary columns if there are angles."""
    low = name.lower()
    for place, names in _ANGLES.items():
        if low in names:
            return place
    return low if low in _PLACES and (vectors or low not in _VECTOR) else name


def _order(name: str) -> int:
    """Sort key: position columns first, then the others in their order."""
    return _PLACES.index(name) if name in _PLACES else len(_PLACES)


def _places(items: Sequence[Tuple[Any, Any]]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Returns the position columns, and the others."""
    position: Dict[str, Any] = {}
    rest: Dict[str, Any] = {}
    vectors = not any(_place(str(name), True) in _ANGLES for name, _ in items)
    for name, value in items:
        place = _place(str(name), vectors)
        into = position if place in (_VECTOR if vectors else _ANGLES) else rest
        if place in into:
            raise ValueError(f"{name}: another column is {place} too")
        into[place] = value
    _check_places(position, rest)
    return position, rest


def _check_places(position: Mapping[str, Any], rest: Mapping[str, Any]) -> None:
    if not position:
        raise ValueError("catalogue: its positions must be in columns longitude and latitude, or "
                         "in columns x, y and z")
    for name in _VECTOR if position.keys() <= set(_VECTOR) else _ANGLES:
        if name not in position:
            raise ValueError(f"{name}: there is no such column")
    if ("g1" in rest) != ("g2" in rest):
        raise ValueError("g1, g2: shears need both columns")


def _one_dimension(name: str, column: np.ndarray) -> np.ndarray:
    if column.ndim != 1:
        raise ValueError(f"{name}: its shape is {column.shape}; it must have one dimension")
    return column


def _real(name: str, value: Any) -> np.ndarray:
    host = _arrays.brought_to_host(name, value)
    return _one_dimension(name, _arrays.as_numbers(name, host))


def _whole(name: str, value: Any) -> np.ndarray:
    """Converts to 64-bit integers."""
    column = _one_dimension(name, _arrays.brought_to_host(name, value))
    found = column.astype(np.int64) if column.dtype.kind in "iu" or not column.size else None
    if found is None or not np.array_equal(found, column):
        raise ValueError(f"{name}: it must be integers of at most 64 bits")
    return found


def _column(name: str, value: Any) -> Column:
    """Converts to a type that tables can hold."""
    column = _one_dimension(name, _arrays.brought_to_host(name, value))
    if column.dtype.kind in "US":
        return [text.decode() if isinstance(text, bytes) else str(text) for text in column]
    if column.dtype.kind == "O":
        if all(isinstance(one, str) for one in column):
            return list(column)
        if all(isinstance(one, int) and -_WIDEST <= one < _WIDEST for one in column):
            return column
        raise TypeError(f"{name}: it must be numbers or texts")
    if column.dtype.kind == "u" and column.size and int(column.max()) > np.iinfo(np.int64).max:
        return column.astype(object)
    return _whole(name, column) if column.dtype.kind in "iu" else _real(name, column)


def _html(table: Columns) -> str:
    """The first rows as HTML."""
    def row(tag, cells):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(c))}</{tag}>" for c in cells) + "</tr>"
    names = [name + (f" [{table.units[name]}]" if table.units[name] else "") for name in table]
    columns = [table[name][:_MAX_ROWS_SHOWN] for name in table]
    rows = [row("td", cells) for cells in zip(*columns)]
    if table.n > _MAX_ROWS_SHOWN:
        rows.append(row("td", [f"... {table.n} rows"]))
    return "<table>" + row("th", names) + "".join(rows) + "</table>"
