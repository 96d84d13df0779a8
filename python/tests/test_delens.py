# SPDX-License-Identifier: GPL-3.0-or-later
"""Inverses of deflections: delensing by iteration and by magnification, aberration; short forms."""
import numpy as np
import pytest

import armilla
from armilla import stages

LMAX = 20
LENSED = 120  # a_lm of lensed skies fall below 1e-10 of the largest before
L = np.concatenate([np.arange(m, LMAX + 1) for m in range(LMAX + 1)])
M = np.concatenate([np.full(LMAX + 1 - m, m) for m in range(LMAX + 1)])
GRID = {"grid": "gauss-legendre", "n_theta": LENSED + 1, "n_phi": 2 * LENSED + 2}
ACCURATE = {"epsilon": 1e-12}


def draw(rng, n, slope, lowest):
    alm = (rng.standard_normal((n, L.size)) + 1j * rng.standard_normal((n, L.size))) / (L + 5.)**slope
    alm[:, M == 0] = alm[:, M == 0].real
    alm[:, L < lowest] = 0
    return alm


@pytest.fixture
def teb(rng):
    alm = draw(rng, 3, 1, 0)
    alm[1:, L < 2] = 0
    return armilla.Alm(alm, spin=(0, 2))


@pytest.fixture
def phi(rng):
    return armilla.Alm(0.3 * draw(rng, 1, 3, 1)[0])


@pytest.fixture
def curl(rng):
    return armilla.Alm(0.1 * draw(rng, 1, 3, 1)[0])


def close(found, expected, tolerance):
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * np.abs(expected).max())


def deflected(phi, curl=None):
    return stages.deflection(phi, curl, outputs="map", **GRID)


def test_deflection(phi, curl):
    """The gradient, and the curl turned by 90 deg; together the sum."""
    def part(alm):
        return stages.alm2map(stages.gradient(alm, keep=False), **GRID).array
    np.testing.assert_array_equal(deflected(phi).array, part(phi))
    south, east = part(curl)
    both = deflected(phi, curl)
    assert both.spins == (1,)
    close(both.array, part(phi) + np.array([-east, south]), 1e-13)


@pytest.mark.parametrize("with_curl", [False, True])
def test_delens(teb, phi, curl, with_curl):
    """A sky that is lensed and delensed is the sky, T, Q and U."""
    curl = curl if with_curl else None
    lensed = stages.lens(teb, deflected(phi, curl), **ACCURATE)
    alm = stages.map2alm(lensed, lmax=LENSED)
    found = stages.delens(alm, phi, curl, iterations=60, outputs="map", **GRID, **ACCURATE)
    plain = stages.alm2map(teb, **GRID).array
    assert np.abs(lensed.array - plain).max() > 0.01 * np.abs(plain).max()
    close(found.array, plain, 1e-10)


def test_iterations(phi):
    """Each of them reduces the error; a deflection of 0 needs none."""
    moved = deflected(phi)
    alm = stages.gradient(phi, keep=False)
    inverse = [stages.inverse_deflection(alm, moved, iterations=i, epsilon=1e-12).array
               for i in (0, 4, 8, 60)]
    np.testing.assert_array_equal(inverse[0], -moved.array)
    errors = [np.abs(one - inverse[3]).max() for one in inverse[:3]]
    assert errors[1] < 0.1 * errors[0] and errors[2] < 0.1 * errors[1]


@pytest.mark.parametrize("with_curl", [False, True])
def test_magnification(teb, phi, curl, with_curl):
    """The integral of |A| is 4 pi, and |A| times a lensed sky has the mean of the sky; adjoint-lens
    then finds the a_lm of the sky."""
    curl = curl if with_curl else None
    sizes = stages.magnification(phi, curl, **GRID).array
    assert sizes.min() < 0.95 and sizes.max() > 1.05
    nodes, weights = np.polynomial.legendre.leggauss(LENSED + 1)
    weights = (weights * 2 * np.pi / GRID["n_phi"])[:, None] * np.ones(GRID["n_phi"])
    weights = weights.ravel()
    assert abs((sizes * weights).sum() / (4 * np.pi) - 1) < 1e-12
    moved = deflected(phi, curl)
    lensed = stages.lens(teb, moved, **ACCURATE)
    back = stages.adjoint_lens(armilla.Map(sizes * weights * lensed.array, spin=(0, 2),
                                           geometry=lensed.geometry), moved, lmax=LMAX, **ACCURATE)
    close(back.array, teb.array, 1e-10)


def place(lon, lat):
    """Unit vectors of the pixels, and of a direction."""
    theta = np.repeat(np.arccos(np.polynomial.legendre.leggauss(LENSED + 1)[0][::-1]), GRID["n_phi"])
    phi = np.tile(2 * np.pi * np.arange(GRID["n_phi"]) / GRID["n_phi"], LENSED + 1)
    return vector(theta, phi), vector(np.radians(90 - lat), np.radians(lon))


def vector(theta, phi):
    return np.array([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)])


@pytest.mark.parametrize("beta, power", [(0.00123, 0), (0.3, 0), (-0.3, 1), (0.3, 3)])
def test_aberration(teb, beta, power):
    """The closed form about any axis: T, and the modulus of the polarisation, at the place that cos
    t' gives on the great circle through the axis; and D^p."""
    found = stages.aberrate(teb, beta=beta, lon=200, lat=-35, power=power, outputs="map", **GRID,
                            **ACCURATE)
    n, axis = place(200, -35)
    c = axis @ n
    there = (c - beta) / (1 - beta * c)
    ring = (n - axis[:, None] * c) / np.sqrt(1 - c**2)
    to = axis[:, None] * there + ring * np.sqrt(1 - there**2)
    points = {"ra": np.degrees(np.arctan2(to[1], to[0])), "dec": np.degrees(np.arcsin(to[2]))}
    expected = stages.alm2points(teb, points, columns="t, q, u", epsilon=1e-12)
    doppler = np.sqrt(1 - beta**2) / (1 - beta * c)
    close(found.array[0], expected["t"] * doppler**power, 1e-9)
    close(np.hypot(*found.array[1:]), np.hypot(expected["q"], expected["u"]) * doppler**power, 1e-9)


@pytest.mark.parametrize("power", [0, 1])
def test_boost_and_back(teb, power):
    options = {"lon": 264, "lat": 48, "power": power, "outputs": "map", **GRID, **ACCURATE}
    there = stages.aberrate(teb, beta=0.1, **options)
    back = stages.aberrate(stages.map2alm(there, lmax=LENSED), beta=-0.1, **options)
    plain = stages.alm2map(teb, **GRID).array
    assert np.abs(there.array - plain).max() > 0.1 * np.abs(plain).max()
    close(back.array, plain, 1e-10)
