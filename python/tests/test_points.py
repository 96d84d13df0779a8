# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of a_lm at the objects of a catalogue, and the adjoint, against ducc0 and sums."""
import gc

import numpy as np
import pytest

import armilla
from armilla import stages


def points(n, seed):
    """Random points, as a catalogue and as angles in radian; some longitudes are outside a turn."""
    draw = np.random.default_rng(seed)
    theta, phi = np.arccos(draw.uniform(-1, 1, n)), draw.uniform(-7, 14, n)
    theta[:3], phi[:2] = [0, np.pi, np.pi / 2], 0
    return {"longitude": np.degrees(phi), "latitude": 90 - np.degrees(theta)}, theta, phi


def random_alm(fields, lmax, mmax, seed):
    """Random a_lm, [field][healpy's order], real for m = 0, 0 below the spins."""
    draw = np.random.default_rng(seed)
    m = np.repeat(np.arange(mmax + 1), lmax + 1 - np.arange(mmax + 1))
    l = np.concatenate([np.arange(one, lmax + 1) for one in range(mmax + 1)])
    alm = draw.standard_normal((len(fields), m.size)) + 1j * draw.standard_normal(
        (len(fields), m.size)) * (m > 0)
    return alm * (l >= np.asarray(fields)[:, None])


def relative(a, b):
    """rms of the difference, relative to that of b."""
    return np.sqrt(np.mean(np.abs(np.asarray(a) - b) ** 2) / np.mean(np.abs(b) ** 2))


@pytest.mark.parametrize("spin", [0, 1, 2, 3])
@pytest.mark.parametrize("lmax, mmax, epsilon", [(31, 31, 1e-5), (64, 20, 1e-12)])
def test_ducc0(spin, lmax, mmax, epsilon):
    sht = pytest.importorskip("ducc0").sht
    n_fields = 1 if spin == 0 else 2
    catalogue, theta, phi = points(400, spin)
    alm = random_alm([spin] * n_fields, lmax, mmax, 1 + spin)
    loc = np.stack([theta, phi % (2 * np.pi)], axis=1)
    named = {"epsilon": 3e-13, "spin": spin, "lmax": lmax, "mmax": mmax, "loc": loc}
    expected = sht.synthesis_general(alm=alm, **named)
    names = ["A", "B"][:n_fields]
    found = stages.alm2points(armilla.Alm(alm, lmax=lmax, mmax=mmax, spin=spin), catalogue, columns=names,
                              epsilon=epsilon)
    assert list(found) == ["longitude", "latitude"] + names
    assert relative([found[name] for name in names], expected) < epsilon
    back = stages.adjoint_alm2points(found, columns=names, spin=spin, lmax=lmax, mmax=mmax,
                                     epsilon=epsilon)
    values = np.stack([found[name] for name in names])
    assert relative(back.array, sht.adjoint_synthesis_general(map=values, **named)) < 10 * epsilon


def test_monopole():
    """Other columns and units remain."""
    catalogue, *_ = points(10, 3)
    alm = armilla.Alm(np.array([[np.sqrt(4 * np.pi)]], dtype=complex), lmax=0, unit="uK")
    found = stages.alm2points(alm, {**catalogue, "z": np.arange(10.0)}, columns=["T"], epsilon=1e-9)
    np.testing.assert_allclose(found["T"], 1, rtol=1e-8)
    assert found.units["T"] == "uK"
    np.testing.assert_array_equal(found["z"], np.arange(10.0))


def test_no_points():
    alm = armilla.Alm(random_alm([0], 8, 8, 1), lmax=8)
    nothing = {"longitude": np.zeros(0), "latitude": np.zeros(0), "f": np.zeros(0)}
    assert len(stages.alm2points(alm, nothing, columns=["T"])["T"]) == 0
    assert not stages.adjoint_alm2points(nothing, columns=["f"], lmax=4).array.any()


def test_bad_input():
    catalogue, *_ = points(10, 3)
    alm = armilla.Alm(random_alm([0], 8, 8, 1), lmax=8)
    for epsilon in 1e-14, 0.5, np.nan:
        with pytest.raises(ValueError, match="epsilon"):
            stages.alm2points(alm, catalogue, epsilon=epsilon)
    with pytest.raises(ValueError, match="latitude|pole"):
        stages.alm2points(alm, {"longitude": [0.0], "latitude": [90.5]})
    with pytest.raises(ValueError, match="longitude|finite|number"):
        stages.alm2points(alm, {"longitude": [np.nan], "latitude": [9.0]})
    with pytest.raises(ValueError, match="1 field|as many as"):
        stages.alm2points(alm, catalogue, columns=["a", "b"])
    with pytest.raises(ValueError, match="object 3 is not finite"):
        stages.adjoint_alm2points({**catalogue, "f": np.where(np.arange(10) == 2, np.nan, 1)},
                                  columns=["f"], lmax=4)
    with pytest.raises(ValueError, match="coordinates"):
        stages.alm2points(armilla.Alm(alm.array, lmax=8, coordinates="G"),
                          armilla.Catalogue(catalogue, coordinates="C"))


def test_results_outlive_their_catalogue():
    """Columns of a result are memory of the library, which remains as long as an array needs it."""
    catalogue, *_ = points(1000, 3)
    alm = armilla.Alm(random_alm([0], 16, 16, 1), lmax=16)
    column = stages.alm2points(alm, catalogue, columns=["T"])["T"]
    kept = column.copy()
    gc.collect()
    for _ in range(3):
        stages.alm2points(alm, points(1000, 5)[0], columns=["T"])
    np.testing.assert_array_equal(column, kept)
    column[:] = 0  # writable
