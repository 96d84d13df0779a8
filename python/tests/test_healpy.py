# SPDX-License-Identifier: GPL-3.0-or-later
"""The same as healpy: by functions of the same name, and with Armilla under healpy."""
import numpy as np
import pytest

import armilla.healpy as ours

hp = pytest.importorskip("healpy")
pytestmark = pytest.mark.filterwarnings("ignore")
NSIDE, LMAX = 16, 40


@pytest.fixture
def maps(rng):
    return rng.normal(size=(3, 12 * NSIDE**2)) + 2


@pytest.fixture
def teb(random_alm):
    return random_alm(LMAX, spins=(0, 2, 2))


def same(a, b, atol=1e-11):
    assert np.shape(a) == np.shape(b)
    np.testing.assert_allclose(a, b, atol=atol, rtol=1e-10)


def compare(name, *arguments, **options):
    """Ours and theirs, with the arguments that both take."""
    theirs = getattr(hp, name)(*arguments, **options)
    same(getattr(ours, name)(*arguments, **options), theirs)
    before = ours.calls()
    with ours.installed():
        same(getattr(hp, name)(*arguments, **options), theirs)
    assert sum(ours.calls().values()) > sum(before.values())
    assert ours.calls().get("healpy", 0) == before.get("healpy", 0)


@pytest.mark.parametrize("options", [{}, {"lmax": LMAX}, {"lmax": 20, "mmax": 10, "iter": 0},
                                     {"gal_cut": 20}, {"pol": False}])
def test_map2alm(maps, options):
    compare("map2alm", maps[0], **options)
    compare("map2alm", maps, **options)
    compare("map2alm", list(maps), **options)


def test_unseen_and_masked(maps):
    maps[0, 100:300] = hp.UNSEEN
    compare("map2alm", maps[0], lmax=20)
    compare("smoothing", maps[0], fwhm=0.2)
    masked = hp.ma(maps[0])
    same(ours.map2alm(masked, lmax=20), hp.map2alm(masked, lmax=20))


def test_ring_weights(maps):
    path = hp.__file__.replace("__init__.py", "data")
    import os
    if not os.path.exists(os.path.join(path, f"weight_ring_n{NSIDE:05d}.fits")):
        pytest.skip("this healpy has no ring weights")
    compare("map2alm", maps[0], lmax=20, use_weights=True)


@pytest.mark.parametrize("options", [{}, {"pol": False}, {"fwhm": 0.1}])
def test_alm2map(teb, options):
    compare("alm2map", teb[0], NSIDE, **options)
    compare("alm2map", teb, NSIDE, **options)


def test_limited_orders(random_alm):
    compare("alm2map", random_alm(30, 12)[0], NSIDE, lmax=30, mmax=12)


@pytest.mark.parametrize("spin", [0, 1, 2, 3])
def test_spins(random_alm, maps, spin):
    compare("alm2map_spin", list(random_alm(LMAX, spins=(spin, spin))), NSIDE, spin, LMAX)
    compare("map2alm_spin", list(maps[:2]), spin, lmax=LMAX)


def test_derivatives(teb):
    compare("alm2map_der1", teb[0], NSIDE)


def test_spectra(teb):
    compare("alm2cl", teb[0])
    compare("alm2cl", teb)
    compare("alm2cl", teb, teb[::-1], lmax_out=50, nspec=4)


def test_windows(teb):
    compare("almxfl", teb[0], 1.0 / np.arange(1, 30))
    compare("almxfl", teb[0], np.ones(100))
    compare("smoothalm", teb[0].copy(), fwhm=0.1, inplace=False)
    compare("smoothalm", teb.copy(), fwhm=0.1, inplace=False)
    again, theirs = teb[0].copy(), teb[0].copy()
    ours.smoothalm(again, sigma=0.05)
    hp.smoothalm(theirs, sigma=0.05)
    same(again, theirs)


def test_maps_to_maps(maps):
    compare("smoothing", maps[0], fwhm=0.1)
    compare("smoothing", maps, fwhm=0.1)
    compare("anafast", maps[0])
    compare("anafast", maps, lmax=20)
    compare("anafast", maps[0], maps[1], lmax=20)


@pytest.mark.parametrize("angles", [(0.3, 1.1, -2.0), (0.3, -1.1, 2.0), (1, 0, 2), (1, 5.0, 2),
                                    (0.5, np.pi, 0.25)])
def test_rotations(teb, angles):
    a, b, c = teb.copy(), teb.copy(), teb.copy()
    hp.rotate_alm(a, *angles)
    ours.rotate_alm(b, *angles)
    with ours.installed():
        hp.rotate_alm(c, *angles)
    same(a, b)
    same(a, c)


def test_rotators(teb):
    rotator = hp.Rotator(coord=["G", "E"])
    expected = rotator.rotate_alm(teb)
    with ours.installed():
        same(rotator.rotate_alm(teb), expected)
    matrix, a, b = hp.Rotator(rot=(10, 20, 30)).mat, teb[0].copy(), teb[0].copy()
    hp.rotate_alm(a, matrix=matrix)
    ours.rotate_alm(b, matrix=matrix)
    same(a, b)


def test_rotations_with_few_orders(random_alm):
    """Refused, since what is turned has all orders, before anything is changed."""
    alms = random_alm(10, 4, (0, 0))
    before = alms.copy()
    with ours.installed(), pytest.raises(ValueError, match="mmax"):
        hp.rotate_alm(alms, 1, 2, 3, lmax=10, mmax=4)
    np.testing.assert_array_equal(alms, before)


def test_beams():
    same(ours.gauss_beam(0.1, 50), hp.gauss_beam(0.1, 50))
    same(ours.gauss_beam(0.1, 50, pol=True), hp.gauss_beam(0.1, 50, pol=True))


def test_indices():
    for lmax, mmax in ((4, None), (9, 3)):
        assert ours.Alm.getsize(lmax, mmax) == hp.Alm.getsize(lmax, mmax)
        assert ours.Alm.getlmax(ours.Alm.getsize(lmax, mmax), mmax) == lmax
    assert ours.Alm.getlmax(7) == hp.Alm.getlmax(7) == -1
    same(ours.Alm.getlm(6), hp.Alm.getlm(6))
    assert ours.Alm.getlm(6, 20) == hp.Alm.getlm(6, 20)


def test_random_skies():
    """Another generator, but the same spectra in the same order."""
    l = np.arange(LMAX + 1.0)
    old = np.array([4 / (l + 1), 1 / (l + 1), 1 / (l + 1), 0 * l])  # TT, TE, EE, BB
    sky = ours.synfast(old, NSIDE, seed=1)
    assert sky.shape == (3, 12 * NSIDE**2)
    mean = np.mean([hp.alm2cl(ours.synalm(old, seed=i)) for i in range(200)], axis=0)
    for found, wanted in zip(mean, (old[0], old[2], old[3], old[1])):
        assert np.abs((found - wanted) * (l + 1))[10:].mean() < 0.2


def test_install_is_undone(maps):
    before = (hp.alm2map_spin, hp.rotate_alm, hp._sphtools.map2alm)
    ours.install()
    ours.install()
    assert hp.rotate_alm is not before[1]
    ours.uninstall()
    assert (hp.alm2map_spin, hp.rotate_alm, hp._sphtools.map2alm) == before


def test_what_armilla_has_not(teb):
    count = ours.calls().get("healpy", 0)
    pair = [teb[1], teb[2]]
    expected = hp.alm2map_spin(pair, NSIDE, 5, LMAX)
    with ours.installed():
        same(hp.alm2map_spin(pair, NSIDE, 5, LMAX), expected)
    assert ours.calls()["healpy"] == count + 1


def test_cut_along_a_ring(rng):
    """Rings of nside 32 lie at latitudes of 30 degrees, one just below, by a rounding."""
    compare("map2alm", rng.normal(size=12 * 32**2), lmax=40, gal_cut=30)


def test_nan_goes_through():
    """As in healpy: what is NaN stays NaN, and nothing else becomes it."""
    alm = np.ones(hp.Alm.getsize(4), complex)
    window = np.array([1, np.nan, 2, np.nan, 1])
    for name, arguments in (("almxfl", (alm, window)), ("alm2cl", (alm * window[1],))):
        made = np.isnan(getattr(ours, name)(*arguments))
        assert made.any()
        np.testing.assert_array_equal(made, np.isnan(getattr(hp, name)(*arguments)))
