# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms against sums of SciPy's harmonics, and by identities."""
import math

import numpy as np
import pytest
from conftest import alm_product, product

import armilla
from armilla import geometry

GRIDS = {
    "healpix": (geometry.healpix(8), 16, 16),
    "gauss": (geometry.gauss_legendre(12, 24), 11, 11),
    "fejer1": (geometry.fejer1(24, 23), 11, 9),
    "fejer1, resampled": (geometry.fejer1(13, 25), 12, 12),
    "clenshaw-curtis": (geometry.clenshaw_curtis(25, 24), 12, 12),
    "clenshaw-curtis, resampled": (geometry.clenshaw_curtis(15, 24), 12, 11),
    "driscoll-healy": (geometry.driscoll_healy(24, 9), 11, 11),
    "rings": (geometry.rings([0.3, 1.2, 2.0], [9, 20, 15], [0, 0.1, 0.2], [20, 0, 29],
                             [0.5, 0.2, 2]), 6, 4),
}
SPINS = [0, 1, 2, 3, (0, 2)]


def components(spin):
    return {0: (0,), (0, 2): (0, 2, 2)}.get(spin, (spin, spin))


def squeeze(array, spin):
    return array[..., 0, :] if spin == 0 else array


def random_alm_of(lmax, mmax, n, spin, rng):
    """Without a_lm below the spin."""
    alm = [np.zeros((n, lmax + 1 - m), complex) for m in range(mmax + 1)]
    for m, column in enumerate(alm):
        first = max(spin - m, 0)
        size = column[:, first:].shape
        column[:, first:] = rng.uniform(-1, 1, size) + (m > 0) * 1j * rng.uniform(-1, 1, size)
    return np.concatenate(alm, axis=1)


def test_direct_sum(random_alm):
    special = pytest.importorskip("scipy.special")
    n_theta, n_phi, lmax = 7, 9, 5
    grid = geometry.fejer1(n_theta, n_phi)
    alm = random_alm(lmax)[0]
    theta = (np.arange(n_theta) + 0.5) * np.pi / n_theta
    phi = 2 * np.pi * np.arange(n_phi) / n_phi
    expected = np.zeros((n_theta, n_phi))
    for m in range(lmax + 1):
        for l in range(m, lmax + 1):
            a = alm[m * (2 * lmax + 1 - m) // 2 + l]
            norm = np.sqrt((2 * l + 1) / (4 * np.pi)
                           * special.factorial(l - m) / special.factorial(l + m))
            y = norm * special.lpmv(m, l, np.cos(theta))[:, None] * np.exp(1j * m * phi)[None, :]
            expected += (2 if m else 1) * (a * y).real
    np.testing.assert_allclose(armilla.alm2map(alm, geometry=grid), expected.ravel(), atol=1e-13)


def wigner_d(l, m, n, theta):
    """d^l_mn by its sum over factorials: slow, and exact enough for small l."""
    total, f = 0 * theta, math.factorial
    for k in range(max(0, n - m), min(l + n, l - m) + 1):
        total = total + ((-1) ** (m - n + k)
                         * np.cos(theta / 2) ** (2 * l + n - m - 2 * k)
                         * np.sin(theta / 2) ** (m - n + 2 * k)
                         / (f(l + n - k) * f(k) * f(m - n + k) * f(l - m - k)))
    return total * math.sqrt(f(l + m) * f(l - m) * f(l + n) * f(l - n))


@pytest.mark.parametrize("spin", [1, 2, 3])
def test_direct_sum_of_a_spin(spin, random_alm):
    """Q + i U = - sum_lm (E_lm + i B_lm) sY_lm, over all m, where E and B are real fields."""
    theta, n_phi, lmax = np.array([0.0, 0.3, 1.1, 2.0, 3.0, np.pi]), 15, 6
    grid = geometry.rings(theta, [n_phi] * theta.size)
    alm = random_alm(lmax, spins=(spin, spin))
    phi = 2 * np.pi * np.arange(n_phi) / n_phi
    expected = np.zeros((theta.size, n_phi), complex)
    for m in range(-lmax, lmax + 1):
        for l in range(max(abs(m), spin), lmax + 1):
            e, b = alm[:, abs(m) * (2 * lmax + 1 - abs(m)) // 2 + l]
            if m < 0:
                e, b = (-1) ** m * e.conj(), (-1) ** m * b.conj()
            y = (-1) ** spin * math.sqrt((2 * l + 1) / (4 * math.pi)) \
                * wigner_d(l, m, -spin, theta)[:, None] * np.exp(1j * m * phi)[None, :]
            expected -= (e + 1j * b) * y
    q, u = armilla.alm2map(alm, spin=spin, geometry=grid).reshape(2, theta.size, n_phi)
    np.testing.assert_allclose(q + 1j * u, expected, atol=1e-13)


def test_gradient_by_differences(random_alm):
    alm, step = random_alm(8)[0], 1e-5
    theta, phi = np.array([0.4, 1.3, 2.5]), np.array([0.2, 1.0, 2.0])

    def at(theta, phi):
        grid = geometry.rings(theta, [1] * 3, phi)
        return armilla.alm2map(alm, geometry=grid)
    found = armilla.gradient(alm, geometry=geometry.rings(theta, [1] * 3, phi))
    np.testing.assert_allclose(found[0], (at(theta + step, phi) - at(theta - step, phi))
                               / (2 * step), atol=1e-7)
    np.testing.assert_allclose(found[1], (at(theta, phi + step) - at(theta, phi - step))
                               / (2 * step) / np.sin(theta), atol=1e-7)


@pytest.mark.parametrize("spin", SPINS)
@pytest.mark.parametrize("grid", GRIDS)
def test_adjoint(grid, spin, random_alm, rng):
    where, lmax, mmax = GRIDS[grid]
    x = random_alm(lmax, mmax, components(spin), (2,))
    y = rng.uniform(-1, 1, x.shape[:2] + (where.n_pixels,))
    x, y = squeeze(x, spin), squeeze(y, spin)
    pairs = [(armilla.alm2map, armilla.adjoint_alm2map, {}),
             (armilla.adjoint_map2alm, armilla.map2alm, {"iter": 0})]
    for forward, back, more in pairs:
        ax = forward(x, lmax=lmax, mmax=mmax, spin=spin, geometry=where)
        aty = back(y, lmax, mmax, spin=spin, geometry=where, **more)
        error = abs(product(ax, y) - alm_product(x, aty, lmax))
        assert error < 1e-13 * np.linalg.norm(ax) * np.linalg.norm(y)
        assert np.linalg.norm(ax) > 0


def test_adjoint_gradient(random_alm, rng):
    x, y = random_alm(12)[0], rng.uniform(-1, 1, (2, 768))
    ax = armilla.gradient(x, nside=8)
    aty = armilla.adjoint_gradient(y, lmax=12)
    error = abs(product(ax, y) - alm_product(x, aty, 12))
    assert error < 1e-13 * np.linalg.norm(ax) * np.linalg.norm(y)


@pytest.mark.parametrize("mmax", [10, 4])
def test_adjoint_rotation(mmax, random_alm):
    x, y = random_alm(10, mmax)[0], random_alm(10)[0]
    angles = 0.3, 1.2, -2
    ax = armilla.rotate_alm(x, *angles, lmax=10, mmax=mmax)
    aty = armilla.adjoint_rotate_alm(y, *angles, mmax=mmax)
    error = abs(alm_product(ax, y, 10) - alm_product(x, aty, 10))
    assert error < 1e-13 * np.linalg.norm(x) * np.linalg.norm(y)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("spin", SPINS)
def test_adjoint_of_iterations(spin, weighted, random_alm, rng):
    weights = rng.uniform(0.9, 1.1, 16) if weighted else None
    x = squeeze(random_alm(16, 12, components(spin), (2,)), spin)
    y = rng.uniform(-1, 1, x.shape[:-1] + (768,))
    ax = armilla.adjoint_map2alm(x, 8, lmax=16, mmax=12, spin=spin, iter=3, ring_weights=weights)
    aty = armilla.map2alm(y, 16, 12, spin=spin, iter=3, ring_weights=weights)
    error = abs(product(ax, y) - alm_product(x, aty, 16))
    assert error < 1e-13 * np.linalg.norm(ax) * np.linalg.norm(y)


def test_adjoint_convolution(rng):
    x, y = rng.uniform(-1, 1, 768), rng.uniform(-1, 1, 768)
    left = product(armilla.convolve(x, fwhm=0.5, accuracy=1e-8), y)
    right = product(x, armilla.adjoint_convolve(y, fwhm=0.5, accuracy=1e-8))
    assert abs(left - right) < 1e-7 * abs(left)


@pytest.mark.parametrize("how", [{}, {"iter": 2}, {"tolerance": 1e-14}])
@pytest.mark.parametrize("spin", SPINS)
def test_exact_quadrature(spin, how, random_alm):
    grid = geometry.gauss_legendre(17, 33)
    alm = squeeze(random_alm(16, spins=components(spin)), spin)
    back = armilla.map2alm(armilla.alm2map(alm, spin=spin, geometry=grid), spin=spin,
                           geometry=grid, **how)
    np.testing.assert_allclose(back, alm, atol=1e-12)


@pytest.mark.parametrize("spin", SPINS)
@pytest.mark.parametrize("grid", [
    geometry.clenshaw_curtis(33, 34), geometry.fejer1(33, 33), geometry.driscoll_healy(34, 33),
    geometry.gauss_legendre(17, 33), geometry.clenshaw_curtis(32, 33),
    geometry.clenshaw_curtis(18, 33), geometry.fejer1(32, 33), geometry.fejer1(17, 33)])
@pytest.mark.parametrize("iter", [None, 0, 2])
def test_grids_that_hold_16(grid, spin, iter, random_alm):
    alm = squeeze(random_alm(16, spins=components(spin)), spin)
    back = armilla.map2alm(armilla.alm2map(alm, spin=spin, geometry=grid), 16, spin=spin,
                           geometry=grid, iter=iter)
    np.testing.assert_allclose(back, alm, atol=1e-13)


@pytest.mark.parametrize("spin", [0, 1, 2, 3])
@pytest.mark.parametrize("lmax", [1, 2, 15, 64, 255, 511])
def test_full_lmax_of_equidistant_rings(lmax, spin, random_alm):
    """n rings give back a_lm up to n - 1 (Fejer 1) and n - 2 (Clenshaw-Curtis)."""
    if spin > lmax:
        pytest.skip("no such a_lm")
    alm = squeeze(random_alm(lmax, spins=components(spin)), spin)
    for grid in (geometry.fejer1(lmax + 1, 2 * lmax + 1),
                 geometry.clenshaw_curtis(lmax + 2, 2 * lmax + 1)):
        back = armilla.map2alm(armilla.alm2map(alm, spin=spin, geometry=grid), lmax, spin=spin,
                               geometry=grid)
        assert np.sqrt(np.mean(abs(back - alm) ** 2) / np.mean(abs(alm) ** 2)) < 1e-13


@pytest.mark.parametrize("spin", [0, 1, 2, 3])
@pytest.mark.parametrize("name, n_theta, n_phi, lmax, mmax", [
    ("F1", 33, 70, 32, 32), ("F1", 40, 65, 30, 17), ("F1", 97, 200, 96, 96),
    ("CC", 34, 70, 32, 32), ("CC", 41, 65, 30, 17), ("CC", 98, 200, 96, 96)])
def test_analysis_of_ducc0(name, n_theta, n_phi, lmax, mmax, spin, rng):
    """Of fields, and at the highest lmax of anything: ducc0 integrates the same interpolation."""
    sht = pytest.importorskip("ducc0").sht
    grid = {"F1": geometry.fejer1, "CC": geometry.clenshaw_curtis}[name](n_theta, n_phi)
    how = {"spin": spin, "lmax": lmax, "mmax": mmax, "geometry": name}
    alm = random_alm_of(lmax, mmax, 1 if spin == 0 else 2, spin, rng)
    map = sht.synthesis_2d(alm=alm, ntheta=n_theta, nphi=n_phi, **how)
    if n_theta - lmax <= 2:
        adjoint = sht.adjoint_analysis_2d(alm=alm, ntheta=n_theta, nphi=n_phi, **how)
        got = armilla.adjoint_map2alm(squeeze(alm, spin), lmax=lmax, mmax=mmax, spin=spin,
                                      geometry=grid)
        np.testing.assert_allclose(got.reshape(adjoint.shape), adjoint, atol=1e-12)
        map = rng.uniform(-1, 1, adjoint.shape) if name == "F1" else adjoint
    got = armilla.map2alm(squeeze(map.reshape(len(map), -1), spin), lmax, mmax, spin=spin,
                          geometry=grid)
    expected = sht.analysis_2d(map=map, **how)
    np.testing.assert_allclose(got.reshape(expected.shape), expected, atol=1e-12)


@pytest.mark.parametrize("grid, text", [
    (geometry.gauss_legendre(16, 33), "lmax = 16: .*Gauss-Legendre 16 x 33.* up to lmax = 15"),
    (geometry.driscoll_healy(32, 33), "lmax = 16: .*Driscoll-Healy 32 x 33.* up to lmax = 15"),
    (geometry.clenshaw_curtis(17, 33), "lmax = 16: .* up to lmax = 15"),
    (geometry.fejer1(16, 33), "lmax = 16: .* up to lmax = 15"),
    (geometry.gauss_legendre(17, 32), "mmax = 16: .* up to mmax = 15"),
    (geometry.clenshaw_curtis(33, 32), "mmax = 16: .* up to mmax = 15")])
def test_grids_that_do_not_hold_16(grid, text, random_alm):
    map = armilla.alm2map(random_alm(16)[0], geometry=grid)
    with pytest.raises(ValueError, match=text):
        armilla.map2alm(map, 16, geometry=grid)
    for how in ({"iter": 0}, {"iter": 3}, {"tolerance": 0.1}):
        assert np.isfinite(armilla.map2alm(map, 16, geometry=grid, **how)).all()


def test_ring_weights(rng):
    map, weights = rng.uniform(-1, 1, 768), rng.uniform(0.9, 1.1, 16)
    rings = [4 * min(i, 8, 32 - i) for i in range(1, 32)]
    factors = np.concatenate([np.full(n, weights[min(i, 30 - i)]) for i, n in enumerate(rings)])
    np.testing.assert_allclose(armilla.map2alm(map, 10, iter=0, ring_weights=weights),
                               armilla.map2alm(map * factors, 10, iter=0), atol=1e-14)


@pytest.mark.parametrize("spin", [0, 2])
def test_many_cores(spin, random_alm):
    """Three and more work on parts of a ring block at once, with the bits of one."""
    alm = squeeze(random_alm(256, spins=components(spin)), spin)
    results = []
    for cores in (1, 4):
        with armilla.session(cores=cores, gpus=False):
            map = armilla.alm2map(alm, 128, spin=spin)
            results.append((map, armilla.map2alm(map, 256, spin=spin, iter=2)))
    for one, many in zip(*results):
        assert np.array_equal(one, many)


def test_operators(rng):
    pytest.importorskip("scipy.sparse.linalg")
    from armilla.operators import Analysis, Synthesis
    for kind in (Synthesis, Analysis):
        for spin in (0, 2):
            a = kind(geometry.healpix(4), lmax=6, spin=spin)
            x, y = rng.uniform(-1, 1, a.shape[1]), rng.uniform(-1, 1, a.shape[0])
            assert abs((a @ x) @ y - x @ (a.H @ y)) < 1e-12 * np.linalg.norm(a @ x) * 10
