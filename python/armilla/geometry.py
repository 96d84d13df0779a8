# SPDX-License-Identifier: GPL-3.0-or-later
"""Pixelisations of maps."""
from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _arrays, _session
from ._core import ffi, lib
from ._scalars import whole

MAX_NSIDE = 2**29  # as in the library


@dataclass(frozen=True)
class Geometry:
    """Rings of pixels, created by the functions of this module; equal rings compare equal.

    Attributes
    ----------
    n_pixels : int
        Number of pixels of a map.
    lmax : int
        Default of the highest multipole of an analysis.
    exact : bool
        Whether a quadrature without iterations recovers a_lm exactly, up to `lmax`.
    car : tuple or None
        For images, made by :func:`car`: columns, rows, CRPIX1, CRPIX2, CDELT1, CDELT2 and CRVAL1.
    """

    kind: int
    nside: int = 0
    n_theta: int = 0
    n_phi: int = 0
    n_pixels: int = 0
    lmax: int = 0
    exact: bool = True
    rings: Optional[Tuple[bytes, ...]] = field(default=None, repr=False)
    car: Optional[Tuple[float, ...]] = None

    def __post_init__(self) -> None:
        """Checks the columns of `rings`: the library reads as many numbers of each as the first one
        has."""
        for name in "kind", "nside", "n_theta", "n_phi", "n_pixels", "lmax":
            whole(name, getattr(self, name), max_value=2**63 - 1)
        if self.rings is None:
            return
        if (not isinstance(self.rings, tuple) or len(self.rings) != 5
                or any(type(column) is not bytes or len(column) != len(self.rings[0])
                       for column in self.rings) or len(self.rings[0]) % 8 != 0):
            raise ValueError("rings: they must come from armilla.geometry.rings()")

    def fill(self, shape, keep: list) -> None:
        """Fills an ArmillaPlanShape; `keep` holds the objects to which it points."""
        self.__post_init__()
        if self.car is not None:
            keep.append(_car(self.car))
            shape.car = keep[-1]
            return
        shape.geometry = self.kind
        shape.nside, shape.n_theta, shape.n_phi = self.nside, self.n_theta, self.n_phi
        if self.rings is None:
            return
        theta, phi0, weight, n_phi, first = self.rings
        rings = ffi.new("ArmillaRings *")
        rings.n = len(theta) // 8
        rings.theta = ffi.from_buffer("double[]", theta)
        rings.phi0 = ffi.from_buffer("double[]", phi0)
        rings.weight = ffi.from_buffer("double[]", weight)
        rings.n_phi = ffi.from_buffer("int64_t[]", n_phi)
        rings.first = ffi.from_buffer("int64_t[]", first)
        keep.append(rings)
        shape.rings = rings

    @property
    def plans(self) -> Optional[dict]:
        """Cache of transforms for these points; None for grids, whose transforms all objects share."""
        return None

    def beside(self, name: str, array: Any) -> Any:
        """Returns the array where transforms can use it: on the host for points."""
        return array if self.plans is None else _arrays.brought_to_host(name, array)

    @property
    def image_shape(self) -> Optional[Tuple[int, int]]:
        """Numbers of rows and columns of an image; None for other geometries."""
        return None if self.car is None else (int(self.car[1]), int(self.car[0]))

    def _image(self) -> Tuple[int, int]:
        if self.image_shape is None:
            raise TypeError("geometry: it is not an image; make one by armilla.geometry.car()")
        return self.image_shape

    def pixels_of(self, name: str, image: Any, outside: float = 0) -> np.ndarray:
        """Returns the pixels [..., n_pixels] of an image [..., row, column], from north to south and
        eastwards: a view of whole rows, otherwise a copy with `outside` in the other pixels."""
        array = _arrays.on_host(name, image).view(np.ndarray)
        rows, columns = self._image()
        if array.shape[-2:] != (rows, columns):
            raise ValueError(f"{name}: its shape is {array.shape}; the last two axes must be {rows} "
                             f"rows and {columns} columns")
        array, leading = self._turn(array), array.shape[:-2]
        if columns < self.n_phi:
            wide = np.full(leading + (rows, self.n_phi), outside, array.dtype)
            wide[..., :columns] = array
            array = wide
        return array.reshape(leading + (self.n_pixels,))

    def image_of(self, pixels: np.ndarray) -> np.ndarray:
        """Returns the image [..., row, column] of pixels [..., n_pixels], a view."""
        rows, columns = self._image()
        return self._turn(pixels.reshape(pixels.shape[:-1] + (rows, self.n_phi))[..., :columns])

    def _turn(self, array: np.ndarray) -> np.ndarray:
        """Reverses the axes whose direction differs between an image and rings; its own inverse."""
        assert self.car is not None
        return array[..., ::-1 if self.car[5] > 0 else 1, ::-1 if self.car[4] < 0 else 1]

    def wcs(self, coordinates: Optional[str] = None) -> Any:
        """Returns the world coordinate system of an image, for astropy and pixell. Needs astropy.

        `coordinates` is "C" (the default), "G" or "E".
        """
        from astropy.wcs import WCS
        self._image()
        assert self.car is not None
        made = WCS(naxis=2)
        made.wcs.ctype = {"G": ["GLON-CAR", "GLAT-CAR"], "E": ["ELON-CAR", "ELAT-CAR"]}.get(
            coordinates or "C", ["RA---CAR", "DEC--CAR"])
        made.wcs.crpix, made.wcs.cdelt = self.car[2:4], self.car[4:6]
        made.wcs.crval = self.car[6], 0
        made.wcs.cunit = ["deg", "deg"]
        return made


def _car(car: Tuple[float, ...]) -> Any:
    """Returns an ArmillaCar."""
    columns, rows, *numbers = car
    return ffi.new("ArmillaCar *", {"n_x": int(columns), "n_y": int(rows), "crpix": numbers[0:2],
                                    "cdelt": numbers[2:4], "crval": numbers[4]})


def _of_car(car: Any, kind: int, n_theta: int, n_phi: int) -> Geometry:
    """Returns the geometry of an ArmillaCar on a grid."""
    numbers = (car.n_x, car.n_y, *car.crpix, *car.cdelt, car.crval)
    less, divisor = (2, 2) if kind == lib.ARMILLA_GRID_DRISCOLL_HEALY else (1, 2)
    return Geometry(kind, n_theta=n_theta, n_phi=n_phi, n_pixels=car.n_y * n_phi,
                    lmax=max((n_theta - less) // divisor, 0), car=numbers)


def car(shape: Sequence[int], wcs: Any) -> Geometry:
    """An image of the sky, or of a part of it, in the projection CAR, as those of pixell and ACT.

    Maps are arrays [..., row, column] in the order of the image. A Fejer 1 grid of n rings for the
    whole sky determines a_lm up to lmax = n - 1, a Clenshaw-Curtis grid up to n - 2.

    Parameters
    ----------
    shape : sequence of int
        Shape of the image; the last two numbers are those of rows and columns.
    wcs : astropy.wcs.WCS, astropy.io.fits.Header or dict
        World coordinate system: CTYPE1, CRPIX1, CDELT1, CRVAL1 and so on.

    Examples
    --------
    >>> header = {"CTYPE1": "RA---CAR", "CTYPE2": "DEC--CAR", "CDELT1": -3.0, "CDELT2": 3.0,
    ...           "CRPIX1": 60.5, "CRPIX2": 30.5, "CRVAL1": 1.5, "CRVAL2": 0.0}
    >>> whole_sky = car((60, 120), header)
    >>> whole_sky.n_theta, whole_sky.n_phi, whole_sky.image_shape
    (60, 120, (60, 120))
    """
    return _read_car(shape, wcs)[0]


def _read_car(shape: Sequence[int], wcs: Any) -> Tuple[Geometry, str]:
    """Returns the geometry of an image, and the letter of its coordinates."""
    if len(shape) < 2:
        raise ValueError(f"shape: it is {tuple(shape)}; the last two numbers must be those of rows "
                         "and columns")
    rows, columns = (whole("shape", n, 1) for n in shape[-2:])
    made, found = ffi.new("ArmillaCar *"), ffi.new("ArmillaPlanShape *")
    letter, failure = ffi.new("const char **"), ffi.new("ArmillaFailure *")
    status = lib.armilla_car_read(_cards(wcs), columns, rows, made, found, letter, failure)
    try:
        _session.check(status, failure)
    except ValueError as error:
        error.args = ("wcs: " + str(error).replace("header: HDU 0: ", ""),)
        raise
    return (_of_car(made, found.geometry, found.n_theta, found.n_phi),
            ffi.string(letter[0]).decode("ascii"))


def _cards(wcs: Any) -> bytes:
    """Returns the cards of a FITS header."""
    if hasattr(wcs, "to_header"):
        wcs = {**wcs.to_header(relax=True), **_exact(getattr(wcs, "wcs", None))}
    try:
        pairs = dict(wcs).items()
    except (TypeError, ValueError):
        raise TypeError(f"wcs: it is of the type {type(wcs).__name__}; it must be a WCS of astropy, "
                        "a FITS header or a dict") from None
    cards = [f"{key:8}= " + (f"'{value:8}'" if isinstance(value, str) else f"{value!r:>20}")
             for key, value in pairs
             if isinstance(value, str) or (isinstance(value, float) or type(value) is int)]
    return "".join(f"{card[:80]:80}" for card in cards).encode("ascii", "replace")


def _exact(wcs: Any) -> Mapping[str, float]:
    """Returns the exact numbers of a WCS, whose last digits astropy rounds in a header."""
    found = {}
    for name in ("crpix", "crval", "cdelt") if wcs is not None else ():
        for i, value in enumerate(getattr(wcs, name)):
            found[f"{name.upper()}{i + 1}"] = float(value)
    return found


def _of_image(image: Any) -> Optional[Tuple[Geometry, Optional[str]]]:
    """Returns geometry and coordinates of an image: a Map, or an array with a world coordinate
    system, such as pixell's enmap; None of any other array."""
    own = getattr(image, "geometry", None)
    if isinstance(own, Geometry):
        return None if own.car is None else (own, image.coordinates)
    wcs = getattr(image, "wcs", None)
    return None if wcs is None or not hasattr(wcs, "to_header") else _read_car(image.shape, wcs)


def healpix(nside: int) -> Geometry:
    """HEALPix in RING order, any nside: 12 nside**2 pixels."""
    return _healpix(whole("nside", nside, 1, MAX_NSIDE))


@functools.lru_cache(maxsize=16)
def _healpix(nside: int) -> Geometry:
    return Geometry(lib.ARMILLA_GRID_HEALPIX, nside=nside, n_pixels=12 * nside * nside,
                    lmax=3 * nside - 1, exact=False)


def gauss_legendre(n_theta: int, n_phi: int) -> Geometry:
    """Gauss-Legendre nodes: n_theta rings of n_phi pixels each."""
    return _equal_rings(lib.ARMILLA_GRID_GAUSS_LEGENDRE, n_theta, n_phi, 1, 1)


def fejer1(n_theta: int, n_phi: int) -> Geometry:
    """Equiangular, theta = (i + 1/2) pi / n_theta: no pixels on the poles."""
    return _equal_rings(lib.ARMILLA_GRID_FEJER1, n_theta, n_phi, 1, 2)


def clenshaw_curtis(n_theta: int, n_phi: int) -> Geometry:
    """Equiangular, theta = i pi / (n_theta - 1): both poles have a ring."""
    return _equal_rings(lib.ARMILLA_GRID_CLENSHAW_CURTIS, n_theta, n_phi, 1, 2)


def driscoll_healy(n_theta: int, n_phi: int) -> Geometry:
    """Equiangular, theta = i pi / n_theta, n_theta even: the north pole has a ring."""
    return _equal_rings(lib.ARMILLA_GRID_DRISCOLL_HEALY, n_theta, n_phi, 2, 2)


def rings(theta: Sequence[float], n_phi: Sequence[int], phi0: Optional[Sequence[float]] = None,
          first: Optional[Sequence[int]] = None,
          weight: Optional[Sequence[float]] = None) -> Geometry:
    """Rings defined by the caller, from north to south.

    Parameters
    ----------
    theta : array of float
        Co-latitudes, radian.
    n_phi : array of int
        Number of pixels of each ring, equidistant in azimuth.
    phi0 : array of float
        Azimuth of the first pixel of each ring, radian; 0 by default.
    first : array of int
        Index in the map of the first pixel of each ring; by default one ring follows the other.
    weight : array of float
        Quadrature weight of a pixel of each ring, steradian; 1 by default.
    """
    columns = [_arrays.as_numbers("theta", theta)]
    n = columns[0].size
    lengths = _whole_numbers("n_phi", n_phi)
    if first is None:
        first = np.concatenate(([0], np.cumsum(lengths)[:-1])) if lengths.size else []
    columns += [np.zeros(n) if phi0 is None else _arrays.as_numbers("phi0", phi0),
                np.ones(n) if weight is None else _arrays.as_numbers("weight", weight),
                lengths, _whole_numbers("first", first)]
    if any(column.shape != (n,) for column in columns):
        raise ValueError("theta, n_phi, phi0, first and weight must have one number per ring")
    if n == 0:
        raise ValueError("theta: at least one ring is needed")
    n_pixels = int((columns[4] + columns[3]).max())
    return Geometry(lib.ARMILLA_GRID_RINGS, n_pixels=n_pixels, lmax=max(n - 1, 0), exact=False,
                    rings=tuple(column.tobytes() for column in columns))


def _whole_numbers(name: str, values: Sequence[int]) -> np.ndarray:
    numbers = _arrays.on_host(name, values)
    if numbers.size > 0 and numbers.dtype.kind not in "iu":
        raise TypeError(f"{name}: it must be whole numbers")
    return np.ascontiguousarray(numbers, np.int64)


def _equal_rings(kind: int, n_theta: int, n_phi: int, less: int, divisor: int) -> Geometry:
    """Returns a grid of equal rings, whose quadrature is exact up to lmax = (n_theta - less) /
    divisor."""
    n_theta, n_phi = whole("n_theta", n_theta, 1), whole("n_phi", n_phi, 1)
    return Geometry(kind, n_theta=n_theta, n_phi=n_phi, n_pixels=n_theta * n_phi,
                    lmax=max((n_theta - less) // divisor, 0))


# Geometry of maps on rings selected by a workflow.
NO_GEOMETRY = Geometry(lib.ARMILLA_GRID_RINGS)
