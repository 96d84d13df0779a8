# SPDX-License-Identifier: GPL-3.0-or-later
"""The Wiener filter against a dense solution, and its limits."""
import numpy as np
import pytest

import armilla
from armilla import stages

NSIDE, LMAX = 8, 12


def matrix(spin, nside=NSIDE, lmax=LMAX):
    """The synthesis as a matrix, [field and pixel][real unknown], and the a_lm of each unknown."""
    n_fields = 2 if spin else 1
    l, m = (np.concatenate(one) for one in
            zip(*[(np.arange(m, lmax + 1), np.full(lmax + 1 - m, m)) for m in range(lmax + 1)]))
    columns, unknowns = [], []
    for field in range(n_fields):
        for k in range(l.size):
            for part in ((1,) if m[k] == 0 else (1, 1j)):
                if l[k] < spin:
                    continue
                alm = np.zeros((n_fields, l.size), complex)
                # orthonormal real unknowns: those of m > 0 count twice
                alm[field, k] = part / (1 if m[k] == 0 else np.sqrt(2))
                unknowns.append(alm)
                columns.append(armilla.alm2map(alm if spin else alm[0], nside, lmax=lmax,
                                               spin=spin).ravel())
    return np.stack(columns, axis=1), np.stack(unknowns), l


def spectra(n_fields, lmax=LMAX):
    l = np.arange(lmax + 1.0)
    cl = np.stack([3 / (l + 1) ** 2, 1 / (l + 2)])[:n_fields]
    cl[:, :2] = 0
    return cl


def sky(spin, seed, nside=NSIDE, lmax=LMAX):
    rng = np.random.default_rng(seed)
    n_pixels = 12 * nside**2
    map_ = rng.normal(size=(2 if spin else 1, n_pixels))
    weights = rng.uniform(0.5, 30, n_pixels)
    weights[:200] = 0
    weights[300:320] = -1.6375e30
    map_[:, 500:510] = -1.6375e30
    map_[:, :100] = 1e6  # has no weight
    beam = np.exp(-0.5 * 0.01 * np.arange(lmax + 1.0) ** 2)
    return map_, weights, beam


def dense(map_, weights, cl, beam, spin, *size):
    a, unknowns, l = matrix(spin, *size)
    n = np.where(weights > 0, weights, 0) * (map_ > -1e30)
    d = np.where(n > 0, map_, 0)
    lf = np.argmax(np.abs(unknowns).reshape(len(unknowns), -1), axis=1)
    field, degree = lf // l.size, l[lf % l.size]
    c, b = cl[field, degree], beam[degree]
    keep = c > 0
    ab = (a * b)[:, keep]
    left = np.diag(1 / c[keep]) + ab.T @ (n.reshape(-1)[:, None] * ab)
    x = np.linalg.solve(left, ab.T @ (n * d).reshape(-1))
    return np.einsum("k,kfi->fi", x, unknowns[keep])


def filtered(map_, weights, cl, beam, spin, **options):
    given = armilla.Map(map_ if spin else map_[0], spin=spin)
    return stages.wiener(given, armilla.Map(weights), armilla.Cl(cl if spin else cl[0]),
                         beam=armilla.Cl(beam), **options)


@pytest.mark.parametrize("spin, nside, lmax", [(0, 8, 12), (2, 8, 12), (0, 32, 32)])
def test_dense(spin, nside, lmax):
    """The solution of the equations by elimination; the last ones have a coarse level."""
    map_, weights, beam = sky(spin, 1, nside, lmax)
    cl = spectra(2 if spin else 1, lmax)
    expected = dense(map_, weights, cl, beam, spin, nside, lmax)
    found = filtered(map_, weights, cl, beam, spin, tolerance=1e-12)
    np.testing.assert_allclose(found.array.reshape(expected.shape), expected, rtol=0,
                               atol=1e-10 * np.abs(expected).max())


def test_certain():
    """With little noise the filter divides by the beam; with much the result vanishes."""
    cl = spectra(1)
    alm = armilla.random_alm(cl[0], seed=2)
    beam = np.exp(-0.001 * np.arange(LMAX + 1.0) ** 2)
    map_ = armilla.alm2map(alm * beam[armilla_l()], NSIDE, lmax=LMAX)
    found = filtered(map_[None], np.full(map_.size, 1e12), cl, beam, 0, tolerance=1e-13)
    np.testing.assert_allclose(found.array, alm, atol=1e-9 * np.abs(alm).max())
    found = filtered(map_[None], np.full(map_.size, 1e-12), cl, beam, 0)
    assert np.abs(found.array).max() < 1e-9 * np.abs(alm).max()


def armilla_l():
    return np.concatenate([np.arange(m, LMAX + 1) for m in range(LMAX + 1)])


def test_constrained():
    """Realisations scatter about the filtered a_lm as the inverse of the equations' matrix says."""
    map_, weights, beam = sky(0, 3)
    cl = spectra(1)
    a, unknowns, l = matrix(0)
    n = np.where(weights > 0, weights, 0) * (map_[0] > -1e30)
    degree = l[np.argmax(np.abs(unknowns[:, 0]), axis=1)]
    keep = degree >= 2
    ab = (a * beam[degree])[:, keep]
    covariance = np.linalg.inv(np.diag(1 / cl[0, degree[keep]]) + ab.T @ (n[:, None] * ab))
    rng = np.random.default_rng(4)
    count, chi2, size = 60, 0.0, keep.sum()
    mean = filtered(map_, weights, cl, beam, 0, tolerance=1e-9).array
    for seed in range(count):
        own = armilla.random_alm(cl[0], seed=100 + seed)
        noise = rng.normal(size=n.size) / np.sqrt(np.where(n > 0, n, 1))
        simulated = armilla.alm2map(own * beam[l], NSIDE, lmax=LMAX) + noise
        rest = np.where(n > 0, map_[0] - simulated, -1.6375e30)
        sample = filtered(rest[None], weights, cl, beam, 0, tolerance=1e-9).array + own
        away = sample - mean
        # real unknowns: those of m > 0 count twice
        twice = np.where(np.abs(np.abs(unknowns[keep, 0]).max(axis=1) - 1) < 1e-12, 1, 2)
        x = twice * np.real(np.einsum("i,ki->k", away, np.conj(unknowns[keep, 0])))
        chi2 += x @ np.linalg.solve(covariance, x)
    # chi^2 of count * size degrees of freedom, within five standard deviations
    assert abs(chi2 - count * size) < 5 * np.sqrt(2 * count * size)


def refused(match, map_, weights, cl, **options):
    with pytest.raises(armilla.Error, match=match):
        stages.wiener(map_, weights, cl, **options)


def test_errors():
    map_, weights, _ = sky(0, 5)
    cl = spectra(1)[0]
    one, full = armilla.Map(map_[0]), armilla.Map(weights)
    refused("its sum is 0 or not finite", one, armilla.Map(np.zeros(weights.size)), cl)
    refused("C_l is -1 at l = 4", one, full, np.where(np.arange(LMAX + 1) == 4, -1.0, cl))
    refused("cl has 2 spectra; must be one", one, full, np.stack([cl, cl]))
    refused("map has 2 fields", armilla.Map(np.stack([map_[0]] * 2), spin=0), full, cl)
    refused("has 2 fields; must be one", one, armilla.Map(np.stack([weights] * 2)), cl)
    refused("after 2 iterations", one, full, cl, max_iterations=2, tolerance=1e-10)
    refused("nside", one, armilla.Map(np.ones(12)), cl)
