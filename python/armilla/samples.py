# SPDX-License-Identifier: GPL-3.0-or-later
"""Small data of each kind, for examples and experiments.

>>> from armilla import samples
>>> samples.iqu()
<armilla.Map of the shape (3, 3072), unit='uK'>
"""
from __future__ import annotations

import functools
from typing import Dict

import numpy as np

from . import stages
from ._calls import Deferred
from .columns import Catalogue, Table
from .fields import Alm, Cl, Map
from .matrix import Axis, Matrix

_NSIDE, _LMAX = 16, 32


@functools.lru_cache(maxsize=None)
def cl() -> Cl:
    """A spectrum that falls as a power of l, up to multipole 32."""
    spectrum = 1 / (np.arange(_LMAX + 1) + 1.0) ** 2
    spectrum[:2] = 0
    return Cl(spectrum, unit="uK^2")


@functools.lru_cache(maxsize=None)
def spectra() -> Cl:
    """Spectra of T, E and B: TT, EE, BB and TE."""
    tt = cl().array
    return Cl(np.stack([tt, 0.1 * tt, 0.01 * tt, 0.2 * tt]), unit="uK^2")


@functools.lru_cache(maxsize=None)
def alm() -> Alm:
    """Random a_lm of one field, up to multipole 32."""
    return stages.random_alm(cl(), seed=1)


@functools.lru_cache(maxsize=None)
def teb() -> Alm:
    """Random a_lm of T, E and B."""
    return stages.random_alm(spectra(), seed=1)


@functools.lru_cache(maxsize=None)
def map() -> Map:
    """A random map of one field, of nside 16."""
    return stages.alm2map(alm(), nside=_NSIDE)


@functools.lru_cache(maxsize=None)
def iqu() -> Map:
    """A random map of I, Q and U, of nside 16."""
    return stages.alm2map(teb(), nside=_NSIDE)


@functools.lru_cache(maxsize=None)
def lensing_spectra() -> Cl:
    """Spectra of T, E and B and of a lensing potential P, with names."""
    tt = cl().array
    return Cl(np.stack([tt, 0.1 * tt, 0.01 * tt, 0.2 * tt, 1e-6 * tt**2]),
              names=["TT", "EE", "BB", "TE", "PP"])


@functools.lru_cache(maxsize=None)
def potential() -> Alm:
    """Random a_lm of a lensing potential."""
    return Alm(1e-3 * alm().array, lmax=_LMAX)


@functools.lru_cache(maxsize=None)
def deflection_alm() -> Alm:
    """The a_lm of the deflection by :func:`potential`, a pair of spin 1 in radian."""
    return stages.gradient(potential(), keep=False)


@functools.lru_cache(maxsize=None)
def deflection() -> Map:
    """The deflection by :func:`potential`, a map of spin 1 in radian, of nside 16."""
    return stages.alm2map(deflection_alm(), nside=_NSIDE)


@functools.lru_cache(maxsize=None)
def teb_maps() -> Map:
    """Random maps of T, E and B, three scalars."""
    return Map(stages.iqu2teb(iqu()).array, spin=0, names=["T", "E", "B"])


@functools.lru_cache(maxsize=None)
def theory() -> Table:
    """Spectra as CAMB writes them: l, then D_l of TT, EE, BB and TE."""
    l = np.arange(2, _LMAX + 1)
    factors = l * (l + 1) / (2 * np.pi)
    values = factors * spectra().array[:, 2:]
    return Table({"l": l, "TT": values[0], "EE": values[1], "BB": values[2], "TE": values[3]})


@functools.lru_cache(maxsize=None)
def mask() -> Map:
    """A mask of a cap of 60 degrees about the north pole, with a soft edge."""
    z = np.concatenate([np.full(n, z) for z, n in _rings(_NSIDE)])
    angle = np.degrees(np.arccos(z))
    return Map(np.where(angle < 60, np.cos(np.radians(1.5 * angle)) ** 2, 0.0))


@functools.lru_cache(maxsize=None)
def catalogue() -> Catalogue:
    """500 objects with a column z, uniform on the sphere."""
    return _objects(500, 1)


@functools.lru_cache(maxsize=None)
def random() -> Catalogue:
    """1000 objects, uniform on the sphere."""
    return _objects(1000, 2)


@functools.lru_cache(maxsize=None)
def shears() -> Catalogue:
    """500 objects with shears."""
    draw = np.random.default_rng(3)
    objects = catalogue()
    return Catalogue({"longitude": objects["longitude"], "latitude": objects["latitude"],
                      "g1": 0.1 * draw.standard_normal(objects.n),
                      "g2": 0.1 * draw.standard_normal(objects.n)}, coordinates="C")


@functools.lru_cache(maxsize=None)
def shear_samples() -> Table:
    """The correlation functions of :func:`shears` without one of 20 patches at a time."""
    patches = stages.assign_patches(shears(), patches=20)
    return stages.shear_correlation(patches, min="1 deg", max="30 deg", bins=5, outputs="samples")


@functools.lru_cache(maxsize=None)
def lens_samples() -> Table:
    """The shears around objects without one of the patches of :func:`shear_samples` at a time."""
    patches = stages.assign_patches(shears(), patches=20)
    return stages.ng_correlation(catalogue(), patches, min="1 deg", max="30 deg", bins=5,
                                 outputs="samples")


@functools.lru_cache(maxsize=None)
def joint_vector() -> Table:
    """The data vector of :func:`shear_samples` and :func:`lens_samples`."""
    return stages.joint_covariance([shear_samples(), lens_samples()])


@functools.lru_cache(maxsize=None)
def joint_covariance() -> Table:
    """The covariance of :func:`joint_vector`."""
    return stages.joint_covariance([shear_samples(), lens_samples()], outputs="covariance")


@functools.lru_cache(maxsize=None)
def galaxies() -> Catalogue:
    """500 positions x, y, z at random in a box with sides of 100."""
    x, y, z = np.random.default_rng(5).uniform(0, 100, (3, 500))
    return Catalogue({"x": x, "y": y, "z": z}, coordinates="box")


@functools.lru_cache(maxsize=None)
def table() -> Table:
    """A table of ten rows, x and its square y."""
    x = np.arange(1, 11)
    return Table({"x": x, "y": x**2.0})


@functools.lru_cache(maxsize=None)
def matrix() -> Matrix:
    """A matrix of 33 rows and columns, whose elements fall with the distance from the diagonal."""
    l = np.arange(_LMAX + 1.0)
    return Matrix(np.exp(-np.abs(l[:, None] - l)), rows=Axis(l, label="l"),
                  columns=Axis(l, label="l"))


@functools.lru_cache(maxsize=None)
def coupling() -> Matrix:
    """The matrices by which :func:`mask` mixes multipoles up to 32."""
    return stages.coupling(mask(), lmax=_LMAX)


def picture() -> Deferred:
    """A picture of :func:`map`."""
    return stages.panel(map=map())


def _objects(n: int, seed: int) -> Catalogue:
    draw = np.random.default_rng(seed)
    columns: Dict[str, np.ndarray] = {"longitude": draw.uniform(0, 360, n),
                                      "latitude": np.degrees(np.arcsin(draw.uniform(-1, 1, n))),
                                      "z": draw.uniform(0, 2, n)}
    return Catalogue(columns, coordinates="C")


def _rings(nside: int):
    """Returns z and the number of pixels of each ring of HEALPix."""
    for ring in range(1, 4 * nside):
        cap = min(ring, 4 * nside - ring, nside)
        z = 1 - cap**2 / (3 * nside**2) if cap < nside else abs(4 / 3 - 2 * ring / (3 * nside))
        north = ring < 2 * nside or (cap == nside and 4 / 3 - 2 * ring / (3 * nside) > 0)
        yield (z if north else -z), 4 * cap
