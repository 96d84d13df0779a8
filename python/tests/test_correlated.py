# SPDX-License-Identifier: GPL-3.0-or-later
"""Random a_lm of correlated fields, whose spectra are found by their names or their order."""
import numpy as np
import pytest

import armilla
from armilla import stages

LMAX = 40
NAMES = ["TT", "EE", "BB", "TE", "PP", "TP", "EP"]


@pytest.fixture
def cl():
    fall = 1 / (1 + np.arange(LMAX + 1.0))
    return np.outer([4, 2, 0.5, 1, 3, -1.5, 0.7], fall)


def draw(cl, names=NAMES, **options):
    return stages.random_alm(armilla.Cl(cl, names=names), seed=5, **options)


def test_names_and_spins(cl):
    """A potential after T, E and B does not change them, and E and B are a pair."""
    found = draw(cl, fields="T, E, B, P")
    assert found.spins == (0, 2, 0)
    np.testing.assert_array_equal(found.array[:3], draw(cl[:4], NAMES[:4]).array)
    assert stages.alm2map(found, nside=8).names == ("TEMPERATURE", "Q_POLARISATION",
                                                    "U_POLARISATION", "P")


def test_order_of_columns(cl):
    """Names decide, not places; ET is TE; unused spectra are ignored."""
    order = [5, 3, 0, 6, 2, 1, 4]
    names = [NAMES[i] for i in order]
    names[1] = "ET"
    np.testing.assert_array_equal(draw(cl[order], names, fields="T, E, B, P").array,
                                  draw(cl, fields="T, E, B, P").array)
    p = draw(cl, fields="P")
    assert p.spins == (0,)
    np.testing.assert_array_equal(p.array, draw(cl[4], None).array)


def test_covariance(cl):
    """As cos and sin of two independent fields have it, l by l; T has that of a field alone."""
    found = draw(cl, fields="T, P").array
    white = draw(np.ones(LMAX + 1), None).array
    l = np.concatenate([np.arange(m, LMAX + 1) for m in range(LMAX + 1)])
    np.testing.assert_allclose(found[0], white * np.sqrt(cl[0, l]), rtol=1e-15)
    rest = found[1] - white * (cl[5] / np.sqrt(cl[0]))[l]
    independent = draw(np.ones((3, LMAX + 1)), ["11", "22", "33"], fields="1, 2, 3").array[1]
    np.testing.assert_allclose(rest, independent * np.sqrt(cl[4] - cl[5]**2 / cl[0])[l],
                               atol=1e-14)


def test_order_of_alm2cl(cl):
    """The spectra of four scalars, as alm2cl writes them, by order and by name."""
    alm = np.random.default_rng(2).normal(size=(4, (LMAX + 1) * (LMAX + 2) // 2))
    spectra = stages.alm2cl(armilla.Alm(alm.astype(complex), spin=0))
    assert len(spectra.array) == 10
    by_order = stages.random_alm(spectra, seed=1)
    by_name = stages.random_alm(spectra, seed=1, fields="FIELD1, FIELD2, FIELD3, FIELD4")
    np.testing.assert_array_equal(by_order.array, by_name.array)
    assert by_order.spins == (0, 0, 0, 0)


def test_mistakes(cl):
    with pytest.raises(armilla.Error, match="no spectrum is named XX; the spectra are TT, EE"):
        draw(cl, fields="T, X")
    with pytest.raises(armilla.Error, match="P occurs twice"):
        draw(cl, fields="P, T, P")
    with pytest.raises(armilla.Error, match="cl has 7 spectra; must be one .* name the fields"):
        draw(cl)
    wrong = cl.copy()
    wrong[5, 7] *= 3
    with pytest.raises(armilla.Error, match=r"at l = 7, TP = .* violate \|TP\|\^2 <= TT PP"):
        draw(wrong, fields="T, E, B, P")
    wrong[5] = np.sqrt(0.95 * cl[0] * cl[4])
    wrong[6] = -np.sqrt(0.95 * cl[1] * cl[4])
    with pytest.raises(armilla.Error, match="at l = 0 the spectra together are impossible"):
        draw(wrong, fields="T, E, B, P")


def test_two_draws_of_one_theory(cl):
    """Of different fields in turn, in each of several realisations."""
    found = armilla.Workflow({
        "workflow": {"repeat": 3},
        "many": {"stage": "random-alm", "cl": "cl", "fields": "T, E, B, P", "seed": 5},
        "few": {"stage": "random-alm", "cl": "cl", "fields": "P", "seed": 6},
    }).run({"cl": armilla.Cl(cl, names=NAMES)}, ["many", "few"])
    for i in range(3):
        np.testing.assert_array_equal(found["many"][i].array,
                                      draw(cl, fields="T, E, B, P", realisation=i).array)
        alone = stages.random_alm(armilla.Cl(cl[4]), seed=6, realisation=i)
        np.testing.assert_array_equal(found["few"][i].array, alone.array)
