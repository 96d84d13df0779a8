# SPDX-License-Identifier: GPL-3.0-or-later
"""Lensing and its adjoint."""
import numpy as np
import pytest

import armilla
from armilla import stages

LMAX = 60
N = (LMAX + 1) * (LMAX + 2) // 2
L = np.concatenate([np.arange(m, LMAX + 1) for m in range(LMAX + 1)])
M = np.concatenate([np.full(LMAX + 1 - m, m) for m in range(LMAX + 1)])


@pytest.fixture
def teb(rng):
    alm = (rng.standard_normal((3, N)) + 1j * rng.standard_normal((3, N))) / (L + 10.0)
    alm[:, :LMAX + 1].imag = 0
    alm[1:, L < 2] = 0
    return alm


@pytest.fixture
def phi(rng):
    alm = 0.03 * (rng.standard_normal(N) + 1j * rng.standard_normal(N)) / (L + 1.0) ** 2
    alm[:LMAX + 1].imag = 0
    alm[0] = 0
    return alm


def fields(alm):
    return armilla.Alm(alm, spin=(0, 2))


def deflection(phi, **grid):
    return stages.alm2map(stages.gradient(armilla.Alm(phi), keep=False), **grid)


def angles(nside):
    """Co-latitude and longitude of the pixels of HEALPix, ring by ring."""
    theta, longitude = [], []
    for i in range(1, 4 * nside):
        near = min(i, 4 * nside - i)
        n = 4 * min(near, nside)
        z = 1 - near**2 / (3 * nside**2) if near < nside else (2 * nside - i) * 2 / (3 * nside)
        z = z if near >= nside or i < 2 * nside else -z
        shift = 0.5 if near < nside or (i - nside) % 2 == 0 else 0.0
        theta.append(np.full(n, np.arccos(z)))
        longitude.append(2 * np.pi * (np.arange(n) + shift) / n)
    return np.concatenate(theta), np.concatenate(longitude)


def values_at(alm, theta, longitude):
    """T, Q and U at points."""
    points = {"ra": np.degrees(longitude), "dec": 90 - np.degrees(theta)}
    found = stages.alm2points(fields(alm), points, columns="t, q, u", epsilon=1e-12)
    return np.array([found["t"], found["q"], found["u"]])


@pytest.mark.parametrize("grid", [{"nside": 16},
                                  {"grid": "clenshaw-curtis", "n_theta": 33, "n_phi": 40}])
def test_ducc0(grid, teb, phi):
    """What lenspyx computes with ducc0, also at the poles."""
    ducc0 = pytest.importorskip("ducc0")
    moved = deflection(phi, **grid)
    found = stages.lens(fields(teb), moved, epsilon=1e-12).array
    if "nside" in grid:
        rings = ducc0.healpix.Healpix_Base(grid["nside"], "RING").sht_info()
    else:
        n_theta, n_phi = grid["n_theta"], grid["n_phi"]
        rings = {"theta": np.linspace(0, np.pi, n_theta), "phi0": np.zeros(n_theta),
                 "nphi": np.full(n_theta, n_phi, np.uint64),
                 "ringstart": n_phi * np.arange(n_theta, dtype=np.uint64)}
    to = ducc0.misc.get_deflected_angles(
        theta=rings["theta"], phi0=rings["phi0"], nphi=rings["nphi"],
        ringstart=rings["ringstart"], calc_rotation=True, deflect=moved.array.T.copy())
    loc = np.ascontiguousarray(to[:, :2])
    t = ducc0.sht.synthesis_general(alm=teb[:1], spin=0, lmax=LMAX, loc=loc, epsilon=1e-12)[0]
    q, u = ducc0.sht.synthesis_general(alm=teb[1:], spin=2, lmax=LMAX, loc=loc, epsilon=1e-12)
    p = (q + 1j * u) * np.exp(2j * to[:, 2])
    for one, expected in zip(found, (t, p.real, p.imag)):
        np.testing.assert_allclose(one, expected, rtol=0, atol=2e-11 * np.abs(expected).max())


def test_no_deflection(teb):
    """The unlensed sky."""
    nothing = armilla.Map(np.zeros((2, 3072)), spin=1)
    plain = stages.alm2map(fields(teb), nside=16).array
    np.testing.assert_allclose(stages.lens(fields(teb), nothing, epsilon=1e-12).array, plain,
                               rtol=0, atol=1e-11 * np.abs(plain).max())


def test_half_turn(teb):
    """Along the meridians through the pole, to the other side: a rotation by 180 deg about it."""
    theta, _ = angles(16)
    near = theta < np.pi / 4
    moved = armilla.Map(np.array([np.where(near, -2 * theta, 0), 0 * theta]), spin=1)
    turned = stages.alm2map(fields(teb * (-1.0) ** M), nside=16).array
    found = stages.lens(fields(teb), moved, epsilon=1e-12).array
    np.testing.assert_allclose(found[:, near], turned[:, near], rtol=0,
                               atol=1e-11 * np.abs(turned).max())


def test_rotation(teb):
    """A rotation of the sphere, pixel by pixel along geodesics; polarisation is turned by what
    parallel transport lacks, so that only its modulus is that of the rotated sky."""
    theta, longitude = angles(16)
    n = np.array([np.sin(theta) * np.cos(longitude), np.sin(theta) * np.sin(longitude),
                  np.cos(theta)])
    c, s = np.cos(0.4), np.sin(0.4)
    to = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ n
    away = to - n * (n * to).sum(0)
    size = np.arctan2(np.linalg.norm(away, axis=0), (n * to).sum(0)) / np.linalg.norm(away, axis=0)
    south = np.array([np.cos(theta) * np.cos(longitude), np.cos(theta) * np.sin(longitude),
                      -np.sin(theta)])
    east = np.array([-np.sin(longitude), np.cos(longitude), 0 * theta])
    moved = armilla.Map(size * np.array([(away * south).sum(0), (away * east).sum(0)]), spin=1)
    found = stages.lens(fields(teb), moved, epsilon=1e-12).array
    direct = values_at(teb, np.arccos(to[2]), np.arctan2(to[1], to[0]))
    scale = np.abs(direct).max()
    np.testing.assert_allclose(found[0], direct[0], rtol=0, atol=1e-11 * scale)
    np.testing.assert_allclose(np.hypot(*found[1:]), np.hypot(*direct[1:]), rtol=0,
                               atol=1e-11 * scale)


def test_aberration(teb):
    """Along meridians no basis turns: the closed form of a boost along the axis."""
    theta, longitude = angles(16)
    to = np.arccos((np.cos(theta) + 0.1) / (1 + 0.1 * np.cos(theta)))
    moved = armilla.Map(np.array([to - theta, 0 * theta]), spin=1)
    expected = values_at(teb, to, longitude)
    np.testing.assert_allclose(stages.lens(fields(teb), moved, epsilon=1e-12).array, expected,
                               rtol=0, atol=1e-11 * np.abs(expected).max())


@pytest.mark.parametrize("epsilon", [1e-3, 1e-7])
def test_adjoint(teb, phi, rng, epsilon):
    """<L a, y> = <a, L' y>, at any accuracy."""
    moved = deflection(phi, nside=16)
    y = rng.standard_normal((3, 3072))
    there = stages.lens(fields(teb), moved, epsilon=epsilon).array
    back = stages.adjoint_lens(armilla.Map(y, spin=(0, 2)), moved, lmax=LMAX, epsilon=epsilon).array
    weights = np.where(M == 0, 1, 2)
    products = (weights * (teb.real * back.real + teb.imag * back.imag)).sum()
    np.testing.assert_allclose((there * y).sum(), products, rtol=1e-12)


def test_unseen(teb, phi, rng):
    """Where the deflection is UNSEEN, so is the sky; the adjoint has nothing from there."""
    moved = deflection(phi, nside=16).array.copy()
    whole = stages.lens(fields(teb), armilla.Map(moved, spin=1)).array
    moved[:, 100:200] = -1.6375e30
    found = stages.lens(fields(teb), armilla.Map(moved, spin=1)).array
    seen = np.ones(3072, bool)
    seen[100:200] = False
    np.testing.assert_array_equal(found[:, seen], whole[:, seen])
    assert (found[:, ~seen] == -1.6375e30).all()
    y = rng.standard_normal((3, 3072))
    zero, y[:, ~seen] = np.where(seen, y, 0), -1.6375e30
    backs = [stages.adjoint_lens(armilla.Map(one, spin=(0, 2)), armilla.Map(moved, spin=1),
                                 lmax=LMAX).array for one in (zero, y)]
    np.testing.assert_array_equal(*backs)


def test_one_field(teb, phi):
    """T alone has the bits that it has beside Q and U."""
    moved = deflection(phi, nside=16)
    np.testing.assert_array_equal(stages.lens(armilla.Alm(teb[0]), moved).array,
                                  stages.lens(fields(teb), moved).array[0])


def test_realisations(phi):
    """Each realisation has its sky, and all the same deflection."""
    skies = armilla.Workflow({
        "workflow": {"repeat": 2},
        "alm": {"stage": "random-alm", "cl": "cl", "seed": 1},
        "gradient": {"stage": "gradient", "alm": "phi", "keep": False},
        "deflection": {"stage": "alm2map", "alm": "gradient", "nside": 8},
        "lensed": {"stage": "lens", "alm": "alm", "deflection": "deflection"},
    }).run({"cl": armilla.Cl(np.ones(LMAX + 1)), "phi": armilla.Alm(phi)}, ["lensed", "alm"])
    moved = deflection(phi, nside=8)
    for sky, alm in zip(skies["lensed"], skies["alm"]):
        np.testing.assert_array_equal(sky.array, stages.lens(alm, moved).array)


def test_mistakes(teb, phi):
    scalar = armilla.Map(np.zeros(3072))
    with pytest.raises(armilla.Error, match="lens: deflection: .* 1 field.s. of spin 0"):
        stages.lens(fields(teb), scalar)
    far = armilla.Map(np.array([np.full(3072, 2.0), np.zeros(3072)]), spin=1)
    with pytest.raises(armilla.Error, match="deflection of a pixel is above 90 deg"):
        stages.lens(fields(teb), far)
    with pytest.raises(armilla.Error, match="different grids"):
        stages.adjoint_lens(armilla.Map(np.zeros(768)), deflection(phi, nside=16), lmax=8)
    galactic = armilla.Alm(teb, spin=(0, 2), coordinates="G")
    with pytest.raises(armilla.Error, match="coordinates G, the deflection E"):
        stages.lens(galactic, armilla.Map(np.zeros((2, 3072)), spin=1, coordinates="E"))
