# SPDX-License-Identifier: GPL-3.0-or-later
"""Lensed skies drawn from spectra of CAMB: their mean spectra, and what is refused."""
import numpy as np
import pytest

import armilla
from armilla import stages

LMAX, UNLENSED, SKIES = 250, 350, 12
L = np.arange(UNLENSED + 1)
PAIRS = [(0, 0), (1, 1), (2, 2), (0, 1)]  # TT, EE, BB, TE


def unlensed():
    """TT, EE, BB, TE, PP, TP, EP, with peaks that lensing by 30 arcmin smooths, and no B."""
    wave, fall = np.cos(L / 12), np.exp(-(L / 150)**2) / (L * (L + 1.0) + 30)
    tt, ee = (1.2 + wave) * fall, 0.1 * (1.2 - wave) * fall
    pp = 4e-4 * np.exp(-L / 20) / (L + 1.0)**4
    found = np.array([tt, ee, 0 * tt, 0.5 * np.sqrt(tt * ee), pp, 0.4 * np.sqrt(tt * pp),
                      0.2 * np.sqrt(ee * pp)])
    found[:, :2] = 0
    return found


def file_of(folder, cl):
    """Writes the spectra as CAMB does."""
    square = (L * (L + 1.0))[2:]
    powers = np.array([1, 1, 1, 1, 2, 1.5, 1.5])
    rows = cl[:, 2:] * square ** powers[:, None] / (2 * np.pi)
    path = folder / "lenspotentialCls.dat"
    np.savetxt(path, np.column_stack([L[2:], *rows]), fmt=["%d"] + ["%.17g"] * 7,
               header="L TT EE BB TE PP TP EP")
    return path


@pytest.fixture
def theory(tmp_path):
    return stages.read_camb(file=file_of(tmp_path, unlensed()), columns="all")


def test_file(theory):
    assert theory.names == ("TT", "EE", "BB", "TE", "PP", "TP", "EP")
    np.testing.assert_allclose(theory.array, unlensed(), rtol=1e-14)


def test_short_form(theory):
    """It is what its stages are one by one."""
    sky = stages.lensed_sky(theory, nside=32, seed=4, lmax_unlensed=90, lmax=64,
                            outputs=["map", "alm", "phi", "deflection"])
    drawn = stages.random_alm(theory, fields="T, E, B, P", seed=4, lmax=90)
    np.testing.assert_array_equal(sky.alm.array, drawn.array[:3])
    assert sky.alm.spins == (0, 2) and sky.phi.spins == (0,)
    moved = stages.alm2map(stages.gradient(armilla.Alm(drawn.array[3]), keep=False), nside=32)
    np.testing.assert_array_equal(sky.deflection.array, moved.array)
    lensed = stages.lens(armilla.Alm(drawn.array[:3], spin=(0, 2)), moved)
    np.testing.assert_array_equal(sky.map.array, lensed.array)


def test_mean_spectra(theory):
    """Those that CAMB computes from the same spectra: the chi-square of bins of 25 multipoles is
    within 3 of its standard deviations for TT, EE and TE, with the variance of Gaussian fields; BB,
    which is not Gaussian, is within 4 %, and without lensing 0. Nothing is random from run to run."""
    correlations = pytest.importorskip("camb.correlations")
    rings = UNLENSED + 100
    found = armilla.Workflow({
        "workflow": {"repeat": SKIES},
        "sky": {"stage": "lensed-sky", "cl": "cl", "grid": "gauss-legendre", "n-theta": rings,
                "n-phi": 2 * rings, "lmax": LMAX, "seed": 7, "epsilon": 1e-6},
        "measured": {"stage": "map2alm", "map": "sky.map", "lmax": LMAX, "iterations": 0},
        "spectra": {"stage": "alm2cl", "alm": "measured"},
    }).run({"cl": theory}, ["spectra"])["spectra"]
    mean = np.mean([one.array[:4] for one in found], axis=0)
    factor = L * (L + 1) / (2 * np.pi)
    cls = unlensed()
    dl = correlations.lensed_cls((cls[:4] * factor).T.copy(), cls[4] * factor * L * (L + 1),
                                 theta_max=None, lmax_lensed=LMAX)
    expected = np.zeros((4, LMAX + 1))
    expected[:, 2:] = dl[2:LMAX + 1].T / factor[2:LMAX + 1]
    bins = [np.arange(low, low + 25) for low in range(25, LMAX - 24, 25)]
    for i, (a, b) in enumerate(PAIRS):
        want = np.array([expected[i, l].mean() for l in bins])
        got = np.array([mean[i, l].mean() for l in bins])
        if i == 2:
            np.testing.assert_allclose(got.sum(), want.sum(), rtol=0.04)
            continue
        variance = [((expected[a, l] * expected[b, l] + expected[i, l]**2) / (2 * l + 1)).sum()
                    / len(l)**2 / SKIES for l in bins]
        chi2 = ((got - want)**2 / variance).sum()
        assert abs(chi2 - len(bins)) < 3 * np.sqrt(2 * len(bins))
        # The same bins see that the sky is lensed.
        without = np.array([cls[i, l].mean() for l in bins])
        assert ((got - without)**2 / variance).sum() > 4 * chi2


def test_mistakes(theory):
    with pytest.raises(armilla.Error, match="lmax: the unlensed a_lm end at l = 100, .* to 200"):
        stages.lensed_sky(theory, nside=16, lmax=200, lmax_unlensed=100)
    with pytest.raises(armilla.Error, match="lmax is 1000, but the spectrum ends at l = 350"):
        stages.lensed_sky(theory, nside=16, lmax_unlensed=1000)
    with pytest.raises(armilla.Error, match="no spectrum is named PP"):
        stages.lensed_sky(armilla.Cl(theory.array[:4], names=theory.names[:4]), nside=16)
    large = armilla.Cl(theory.array * np.array([1, 1, 1, 1, 1e8, 1e4, 1e4])[:, None],
                       names=theory.names)
    with pytest.raises(armilla.Error, match="deflection of a pixel is above 90 deg"):
        stages.lensed_sky(large, nside=16)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_bad_potential(theory, bad):
    sky = stages.lensed_sky(theory, nside=16, lmax_unlensed=40, outputs=["alm", "phi"])
    phi = sky.phi.array.copy()
    phi[17] = bad
    with pytest.raises((armilla.Error, ValueError), match="(?i)not a number|NaN|finite"):
        stages.lens(sky.alm, stages.deflection(armilla.Alm(phi), nside=16))
