# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps, a_lm and spectra with their metadata: inputs and results of workflows.

>>> import numpy, armilla
>>> sky = armilla.Map(numpy.zeros(768), unit="K", coordinates="G")
>>> sky.geometry.nside, sky.spins, numpy.asarray(sky).shape
(8, (0,), (768,))
"""
from __future__ import annotations

from typing import Any, Dict, Optional, Sequence, Tuple, Type, TypeVar, Union

import numpy as np

from . import _arrays
from ._frozen import Frozen
from .geometry import Geometry, _of_image
from ._scalars import UNSEEN, text, whole
from .harmonic import Spin, _grid, _layout

F = TypeVar("F", bound="Field")


class Field(Frozen):
    """Base class of maps, a_lm and spectra.

    The numbers can be changed, attributes cannot.

    Attributes
    ----------
    array : numpy.ndarray
        A view of the numbers, [number] of a single field, [field, number] of several. Arrays on a
        GPU are copied to the host. Other arrays are used without a copy, and cannot be resized as
        long as the field exists.
    spins : tuple of int
        Spin of each transform: (0,) of a scalar, (0, 2) of I, Q and U. Spectra have none.
    names : tuple of str or None
        Name of each field; None for the usual ones.
    unit, coordinates : str or None
        Unit of the numbers, and "G", "E" or "C".
    realisation : int
        Number of the realisation of a result.
    swept : dict
        Values of the swept keys of a result of a sweep, by the names of the keys.
    """

    kind = ""
    spins: Tuple[int, ...] = ()
    _any_numbers = False  # whether stages accept NaN and infinite numbers

    def __init__(self, array: Any, names: Optional[Sequence[str]], unit: Optional[str],
                 coordinates: Optional[str], complex_numbers: bool):
        given = _arrays.as_input(self.kind, _arrays.brought_to_host(self.kind, array),
                                 complex_numbers)
        self._set(_hold=_arrays.Hold(given), _array=given.view(np.ndarray))
        self._set(realisation=0, _swept={}, _shown=None)
        if self._array.ndim > 2 or self._array.size == 0:
            raise ValueError(f"{self.kind}: its shape is {self._array.shape}; it must be [number] "
                             "or [field, number], and not empty")
        try:
            self._set(names=None if names is None else tuple(str(name) for name in names))
        except TypeError:
            raise TypeError(f"names: it is of the type {type(names).__name__}; it must be a name "
                            "for each field") from None
        if self.names is not None and len(self.names) != self.n_fields:
            raise ValueError(f"names: {len(self.names)} given for {self.n_fields} fields")
        self._set(unit=text("unit", unit), coordinates=text("coordinates", coordinates))

    @classmethod
    def of_library(cls: Type[F], array: np.ndarray, **attributes: Any) -> F:
        """Returns a result of the library, whose attributes need no checks."""
        made = cls.__new__(cls)
        made._set(_hold=None, _array=array, realisation=0, _swept={}, _shown=None, **attributes)
        return made

    @property
    def swept(self) -> Dict[str, Union[int, float, str]]:
        """Values of the swept keys: numbers, or strings such as "5arcmin"."""
        return dict(self._swept)

    @property
    def array(self) -> Any:
        """The numbers. Each access returns a new view, whose shape may be changed.

        Results of :mod:`armilla.stages` have an array of CuPy, PyTorch or JAX if an input was one,
        on the same GPU if it was on one.
        """
        return self._array.view() if self._shown is None else self._shown

    def _unchecked(self: F) -> F:
        """Makes stages accept NaN and infinite numbers, as functions of arrays do."""
        self._set(_any_numbers=True)
        return self

    @property
    def host(self) -> np.ndarray:
        """The numbers in the memory of the host."""
        return self._array.view()

    @property
    def n_fields(self) -> int:
        """Number of fields, or spectra."""
        return 1 if self._array.ndim == 1 else self._array.shape[0]

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        array = self.host if dtype is None else self.host.astype(dtype, copy=False)
        return array.copy() if copy else array

    def __repr__(self) -> str:
        unit = f", unit={self.unit!r}" if self.unit else ""
        return f"<armilla.{type(self).__name__} of the shape {self.host.shape}{unit}>"


class Map(Field):
    """A map that is an input or a result of a workflow.

    Parameters
    ----------
    array : array
        Pixels in ring order, [pixel] or [field, pixel]; UNSEEN if there are no data. Images, [row,
        column] or [field, row, column], have a geometry made by :func:`armilla.geometry.car`, or a
        WCS, as pixell's enmap; an image of a part of the sky is copied.
    spin : int or sequence of int
        (0, 2) for I, Q and U, the default of three fields; 0 for scalars, the default of any
        other number.
    geometry : Geometry
        Pixelisation; HEALPix if not given.
    names : sequence of str
        Name of each field.
    unit : str
        Unit of all fields.
    coordinates : str
        "G" galactic, "E" ecliptic or "C" equatorial; or words like "ICRS".
    """

    kind = "map"

    def __init__(self, array: Any, *, spin: Optional[Spin] = None,
                 geometry: Optional[Geometry] = None, names: Optional[Sequence[str]] = None,
                 unit: Optional[str] = None, coordinates: Optional[str] = None):
        image = _of_image(array) if geometry is None else None
        if image is not None:
            geometry, coordinates = image[0], coordinates or image[1]
        if isinstance(geometry, Geometry) and geometry.car is not None:
            array = geometry.pixels_of("map", array, UNSEEN)
        super().__init__(array, names, unit, coordinates, False)
        self._set(geometry=_grid(None, geometry, self._array.shape[-1]),
                  spins=_spins(spin, self.n_fields))

    @property
    def host(self) -> np.ndarray:
        """The numbers in the memory of the host; [row, column] or [field, row, column] of images."""
        if self.geometry.car is None:
            return self._array.view()
        return self.geometry.image_of(self._array)

    @property
    def array(self) -> Any:
        """The numbers; [row, column] or [field, row, column] of images."""
        return self.host if self._shown is None else self._shown

    @property
    def wcs(self) -> Any:
        """World coordinate system of an image, of astropy: ``pixell.enmap.ndmap(map.array,
        map.wcs)``. None of other maps."""
        return None if self.geometry.car is None else self.geometry.wcs(self.coordinates)


class Alm(Field):
    """a_lm that are an input or a result of a workflow, in healpy's order.

    Parameters
    ----------
    array : array of complex
        [coefficient] or [field, coefficient].
    lmax, mmax : int
        Highest multipole and order; by default derived from the size, with mmax = lmax.
    spin : int or sequence of int
        (0, 2) for T, E and B, the default of three fields.
    names, unit, coordinates
        As those of :class:`Map`.
    """

    kind = "alm"

    def __init__(self, array: Any, *, lmax: Optional[int] = None, mmax: Optional[int] = None,
                 spin: Optional[Spin] = None, names: Optional[Sequence[str]] = None,
                 unit: Optional[str] = None, coordinates: Optional[str] = None):
        super().__init__(array, names, unit, coordinates, True)
        lmax, mmax = _layout(self._array, lmax, mmax)
        self._set(lmax=lmax, mmax=mmax, spins=_spins(spin, self.n_fields))


class Cl(Field):
    """Spectra that are an input or a result of a workflow.

    Their axes are [multipole] or [spectrum, multipole], from multipole 0 on.
    """

    kind = "cl"

    def __init__(self, array: Any, *, names: Optional[Sequence[str]] = None,
                 unit: Optional[str] = None, coordinates: Optional[str] = None):
        super().__init__(array, names, unit, coordinates, False)
        self._set(lmax=self._array.shape[-1] - 1)


def _spins(spin: Optional[Spin], n_fields: int) -> Tuple[int, ...]:
    if spin is None:
        return (0, 2) if n_fields == 3 else (0,) * n_fields
    try:
        spins = tuple(whole("spin", s) for s in spin)  # type: ignore[union-attr]
    except TypeError:
        one = whole("spin", spin)
        spins = (one,) * (n_fields // 2 if one > 0 else n_fields)
    n = sum(2 if s > 0 else 1 for s in spins)
    if n != n_fields:
        raise ValueError(f"spin: {spin} describes {n} fields, but there are {n_fields}")
    return spins
