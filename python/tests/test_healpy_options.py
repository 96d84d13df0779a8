# SPDX-License-Identifier: GPL-3.0-or-later
"""healpy's arguments, all of them: their order, weights, windows, masks, nested maps, spectra."""
import functools
import inspect

import numpy as np
import pytest

import armilla
import armilla.healpy as ours
from armilla import _healpy_files, _healpy_order

hp = pytest.importorskip("healpy")
from test_healpy import LMAX, NSIDE, compare, maps, same, teb  # noqa: E402,F401

pytestmark = pytest.mark.filterwarnings("ignore")
FUNCTIONS = sorted(set(ours.__all__) - {"Alm", "UNSEEN", "calls", "install", "installed",
                                        "uninstall"})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_same_arguments(name):
    """In the same order, with the same defaults; what only ours has goes by name."""
    try:
        theirs = inspect.signature(getattr(hp, name)).parameters
    except ValueError:
        pytest.skip("this healpy does not say what it takes")
    mine = inspect.signature(getattr(ours, name)).parameters
    by_place = [p.name for p in mine.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    # Not in all versions of healpy: the first is deprecated, the second (of pixwin) new.
    lacking = {"verbose", "datapath"} - set(theirs)
    by_place = [n for n in by_place if n not in lacking]
    assert by_place == list(theirs)
    for n in theirs:
        if (name, n) != ("alm2map_spin", "lmax"):  # which healpy must be given
            assert mine[n].default == theirs[n].default, n


@pytest.fixture
def weights_folder(tmp_path, rng):
    """A folder with random weights of all pixels."""
    fits = pytest.importorskip("astropy.io.fits")
    path = tmp_path / _healpy_files.pixel_weights_name(NSIDE)
    path.parent.mkdir()
    n = (3 * NSIDE + 1) * (NSIDE + 1) // 4
    table = fits.BinTableHDU.from_columns(
        [fits.Column("COMPRESSED PIXEL WEIGHTS", "D", array=rng.uniform(-0.1, 0.1, n))])
    table.header["NSIDE"] = NSIDE
    table.writeto(path)
    return tmp_path


@pytest.mark.parametrize("iter", [0, 2])
def test_pixel_weights(weights_folder, maps, iter):  # noqa: F811
    maps[0, 50:90] = hp.UNSEEN
    options = {"use_pixel_weights": True, "datapath": str(weights_folder), "iter": iter}
    compare("map2alm", maps[0], **options)
    compare("map2alm", maps, lmax=30, **options)
    compare("anafast", maps[0], maps[1], **options)
    compare("smoothing", maps[0], fwhm=0.1, **options)
    assert np.ptp(_healpy_files.pixel_weights(
        str(weights_folder / _healpy_files.pixel_weights_name(NSIDE)), NSIDE)) > 0.1


@pytest.mark.parametrize("nside", [1, 2, 4, 8, 5])
def test_pixel_weights_are_all_used(nside, tmp_path):
    fits = pytest.importorskip("astropy.io.fits")
    n = (3 * nside + 1) * (nside + 1) // 4
    path = str(tmp_path / "weights.fits")
    fits.BinTableHDU.from_columns([fits.Column("W", "D", array=np.arange(n))]).writeto(path)
    found = _healpy_files.pixel_weights(path, nside)
    assert found.size == 12 * nside**2
    np.testing.assert_array_equal(np.unique(found), 1 + np.arange(n))
    with pytest.raises(ValueError, match="weights"):
        _healpy_files.pixel_weights(path, nside + 1)


def test_weights_that_are_not_there(maps, tmp_path):  # noqa: F811
    with pytest.raises(FileNotFoundError, match="full_weights"):
        ours.map2alm(maps[0], use_pixel_weights=True, datapath=str(tmp_path))
    with pytest.raises(FileNotFoundError, match="weight_ring"):
        ours.map2alm(maps[0], use_weights=True, datapath=str(tmp_path))
    with pytest.raises(RuntimeError, match="use_weights"):
        ours.map2alm(maps[0], use_weights=True, use_pixel_weights=True)


@pytest.mark.parametrize("pol", [True, False])
def test_pixel_windows(teb, pol, monkeypatch):  # noqa: F811
    windows = 1 / (1 + 0.01 * np.arange(3 * NSIDE)), 1 / (1 + 0.02 * np.arange(3 * NSIDE))
    monkeypatch.setattr(_healpy_files, "pixel_windows", lambda nside: windows)
    monkeypatch.setattr(hp.sphtfunc, "pixwin", lambda nside, pol: windows)
    compare("alm2map", teb, NSIDE, pixwin=True, pol=pol, fwhm=0.05)
    compare("alm2map", teb[0], NSIDE, pixwin=True)


def test_names_of_healpy():
    """What is not here is healpy's own."""
    for name in ("read_map", "ud_grade", "query_disc", "Rotator", "mollview", "nside2npix"):
        assert getattr(ours, name) is getattr(hp, name)
    np.testing.assert_array_equal(ours.ud_grade(np.arange(48.0), 1), hp.ud_grade(np.arange(48.0), 1))
    for name in ("no_such_function", "_no_such"):
        with pytest.raises(AttributeError, match=name):
            getattr(ours, name)
    assert ours.map2alm is not hp.map2alm


def test_inplace(teb):  # noqa: F811
    for inplace in (False, True):
        a, b = teb.copy(), teb.copy()
        same(ours.alm2map(a, NSIDE, fwhm=0.1, inplace=inplace),
             hp.alm2map(b, NSIDE, fwhm=0.1, inplace=inplace))
        same(a, b)
        assert (a == teb).all() is np.bool_(not inplace)
    a = teb.copy()
    assert ours.smoothalm(a, fwhm=0.1) is a
    rows = list(teb.astype(np.complex64))
    assert isinstance(ours.smoothalm(rows, fwhm=0.1), np.ndarray)


@pytest.mark.parametrize("nside", [1, 2, 8, 64])
def test_nested_order(nside):
    np.testing.assert_array_equal(_healpy_order.ring_numbers(nside),
                                  hp.nest2ring(nside, np.arange(12 * nside**2)))


def test_nested_maps(maps):  # noqa: F811
    compare("smoothing", maps[0], fwhm=0.2, nest=True)
    compare("smoothing", maps, fwhm=0.2, nest=True, lmax=30)
    maps[1, 5:40] = hp.UNSEEN
    in_rings = hp.reorder(maps, n2r=True)
    same(ours.smoothing(maps, fwhm=0.2, nest=True),
         hp.reorder(ours.smoothing(in_rings, fwhm=0.2), r2n=True))
    with pytest.raises(ValueError, match="power of 2"):
        ours.smoothing(np.ones(108), fwhm=0.1, nest=True)


def test_masked_stays_masked(maps):  # noqa: F811
    maps[0, 5:40] = hp.UNSEEN
    masked = hp.ma(maps[0])
    theirs, mine = hp.smoothing(masked, fwhm=0.2), ours.smoothing(masked, fwhm=0.2)
    assert isinstance(theirs, np.ma.MaskedArray) and isinstance(mine, np.ma.MaskedArray)
    np.testing.assert_array_equal(theirs.mask, mine.mask)
    same(theirs.filled(0), mine.filled(0))
    assert not isinstance(ours.smoothing(maps[0], fwhm=0.2), np.ma.MaskedArray)


@pytest.mark.parametrize("n", [1, 2, 4])
def test_numbers_of_maps(maps, teb, n):  # noqa: F811
    many, alms = np.resize(maps, (n,) + maps.shape[1:]), np.resize(teb, (n,) + teb.shape[1:])
    compare("map2alm", many, pol=False, lmax=20)
    compare("alm2map", alms, NSIDE, pol=False)
    compare("anafast", many, pol=False, lmax=20)
    if n == 1:
        compare("map2alm", many)
        return
    compare("smoothing", many, pol=False, fwhm=0.1)
    for call in (lambda: hp.map2alm(many), lambda: ours.map2alm(many),
                 lambda: hp.alm2map(alms, NSIDE), lambda: ours.alm2map(alms, NSIDE)):
        with pytest.raises((TypeError, ValueError)):
            call()
        with ours.installed(), pytest.raises((TypeError, ValueError)):
            call()


def mean_spectra(cls, n=150, **options):
    return np.mean([hp.alm2cl(ours.synalm(cls, seed=i, **options)) for i in range(n)], axis=0)


def test_spectra_by_row_and_by_diagonal():
    """Of n fields; the order of what comes back is by diagonal."""
    l = np.arange(31.0)
    a, b, ab = 4 + 0 * l, 1 + 0 * l, 1.5 + 0 * l
    for cls, new in (([a, ab, b], False), ([a, b, ab], True)):
        found = mean_spectra(cls, new=new)
        assert found.shape == (3, 31)
        np.testing.assert_allclose(found[:, 5:].mean(-1), [4, 1, 1.5], rtol=0.03)
    found = mean_spectra([a, None, None, b, 0.5 * b, b], n=60)
    np.testing.assert_allclose(found[:, 5:].mean(-1), [4, 1, 1, 0, 0.5, 0], atol=0.05, rtol=0.05)
    assert ours.synalm([a]).shape == (1, 496) and ours.synalm(a).shape == (496,)
    assert ours.synalm([a, b[:5], None], new=True).shape == (2, 496)


def test_fields_that_determine_each_other():
    """B is zero, E is half of T."""
    t = np.ones(20)
    sky = ours.synalm([t, 0.5 * t, None, 0.25 * t, None, None], seed=3)
    np.testing.assert_allclose(sky[1], 0.5 * sky[0], atol=1e-12)
    assert not sky[2].any()


# TT, EE, BB, TE, EB, TB at one multipole, and the covariance of T, E, B that healpy draws from them.
NO_FIELDS = [
    ([1, 1, 1, 1.5, 0, 0], [[1, 1.5, 0], [1.5, 2.25, 0], [0, 0, 1]]),
    ([1, 1, 1, 1 + 1e-11, 0, 0], [[1, 1, 0], [1, 1, 0], [0, 0, 1]]),
    ([1, -1, 1, 0, 0, 0], [[1, 0, 0], [0, 0, 0], [0, 0, 1]]),
    ([-1, 1, 1, 0.3, 0, 0], [[0, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ([0, 1, 1, 0.3, 0, 0], [[0, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ([1, 1, 1, 0.6, 0.8, 0], [[1, 0.6, 0], [0.6, 1, 0.8], [0, 0.8, 1]]),
    ([1, 1, 0.5, 0.6, 0.8, 0], [[1, 0.6, 0], [0.6, 1, 0.8], [0, 0.8, 1]]),
]


def covariance(synalm, cls):
    """Of T, E and B, over the a_lm of l from 10 on."""
    alm = synalm(np.outer(cls, np.ones(61)), lmax=60, new=True)[:, 61:]
    return (alm @ alm.conj().T).real / alm.shape[1]


@pytest.mark.parametrize("cls, expected", NO_FIELDS)
def test_spectra_of_no_field(cls, expected):
    """Covariances are those of healpy. The mean of 1830 numbers has a standard error of about 0.03."""
    np.testing.assert_allclose(covariance(functools.partial(ours.synalm, seed=7), cls), expected,
                               atol=0.15)
    np.random.seed(8)
    np.testing.assert_allclose(covariance(hp.synalm, cls), expected, atol=0.15)
    assert ours.synfast(np.outer(cls, np.ones(9)), 2, new=True, seed=1).shape == (3, 48)


def test_measured_spectra():
    """Six of a map of few multipoles: most of their matrices are not positive."""
    cls = hp.anafast(np.random.default_rng(3).normal(size=(3, 192)), lmax=7)
    cls[3:] *= 1.5
    alm = ours.synalm(cls, new=True, seed=2)
    assert alm.shape == (3, 36) and np.isfinite(alm).all() and alm.any()
    assert not ours.synalm([-1.0, -2.0], seed=1).any()
    assert ours.synalm([-1.0, 1.0], seed=1)[1] != 0
    with pytest.raises(ValueError, match="cl: .* impossible"):
        armilla.random_alm(cls, seed=2)
    for bad in ([[1.0]] * 5, [[1.0], [np.nan], [1.0]]):
        with pytest.raises((TypeError, ValueError), match="cls"):
            ours.synalm(bad)


@pytest.mark.parametrize("excess, fine", [(5e-7, True), (2e-6, False)])
def test_one_tolerance(excess, fine):
    """Of random_alm and of the stage random-alm."""
    cl = np.outer([1, 1, 1, np.sqrt(1 + excess)], np.ones(5))
    draw = {"cl": armilla.Cl(cl)}
    flow = armilla.Workflow("[a]\nstage = random-alm\ncl = cl\nseed = 1\n")
    if fine:
        np.testing.assert_array_equal(flow.run(draw)["a"], armilla.random_alm(cl, seed=1))
        return
    with pytest.raises(ValueError, match="which is impossible"):
        armilla.random_alm(cl, seed=1)
    with pytest.raises(Exception, match="which is impossible"):
        flow.run(draw)


def test_seeds():
    a, b = ours.synalm(np.ones(9), seed=1), ours.synalm(np.ones(9), seed=2)
    assert (a == ours.synalm(np.ones(9), seed=1)).all() and (a != b).any()
    drawn = []
    for _ in range(2):
        np.random.seed(5)
        drawn.append(ours.synfast(np.ones(9), 4))
    np.testing.assert_array_equal(*drawn)
    map, alm = ours.synfast(np.ones(9), 4, alm=True)
    same(map, ours.alm2map(alm, 4))
