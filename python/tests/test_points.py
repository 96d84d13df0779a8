# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of a_lm at points, the adjoint and fits, against ducc0, sums and dense solutions."""
import gc
import pickle

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


def general(spin, lmax, theta, phi):
    """Arguments of ducc0's general transforms."""
    return {"spin": spin, "lmax": lmax, "loc": np.stack([theta, phi % (2 * np.pi)], axis=1),
            "epsilon": 3e-13}


@pytest.mark.parametrize("spin", [0, 2, 3])
def test_arrays(spin):
    """A batch of two, in double and in single precision, with a plan and without."""
    sht = pytest.importorskip("ducc0").sht
    _, theta, phi = points(500, 9)
    each = 1 if spin == 0 else 2
    alm = random_alm([spin] * 2 * each, 40, 40, 5).reshape(2, each, -1)
    expected = np.stack([sht.synthesis_general(alm=one, **general(spin, 40, theta, phi))
                         for one in alm])
    given = alm[:, 0] if spin == 0 else alm
    expected = expected[:, 0] if spin == 0 else expected
    plan = armilla.PointsPlan(theta, phi, epsilon=1e-10)
    found = armilla.alm2points(given, plan, spin=spin)
    assert found.shape == expected.shape and relative(found, expected) < 1e-10
    np.testing.assert_array_equal(armilla.alm2points(given, plan, spin=spin), found)
    np.testing.assert_array_equal(armilla.alm2map(given, geometry=plan, spin=spin), found)
    np.testing.assert_array_equal(
        armilla.alm2points(given, (theta, phi), spin=spin, epsilon=1e-10), found)
    single = armilla.alm2points(given.astype(np.complex64), plan, spin=spin)
    assert single.dtype == np.float32 and relative(single, expected) < 1e-6
    wide = np.zeros(expected.shape[:-1] + (1000,))
    out = wide[..., ::2]
    assert armilla.alm2points(given, plan, spin=spin, out=out) is out
    np.testing.assert_array_equal(out, found)
    assert not wide[..., 1::2].any()
    back = armilla.adjoint_alm2points(found, plan, 40, spin=spin)
    for one, values in zip(back.reshape(alm.shape), found.reshape(2, each, -1)):
        assert relative(one, sht.adjoint_synthesis_general(
            map=values, **general(spin, 40, theta, phi))) < 1e-9
    assert relative(armilla.adjoint_alm2points(out.astype(np.float32), plan, 40, spin=spin),
                    back) < 1e-6


def test_one_plan_for_several_shapes():
    """Another lmax, spin, batch or session does not change what a plan computes."""
    _, theta, phi = points(200, 2)
    plan = armilla.PointsPlan(theta, phi)
    many = [(0, lmax, n) for lmax in (3, 9) for n in (1, 2, 3)] + [((0, 2), 5, 1), (1, 5, 2)]
    alms = [random_alm({0: [0], 1: [1, 1]}.get(spin, [0, 2, 2]) * n, lmax, lmax, 7).reshape(
        (n,) + ({0: ()}.get(spin, (2 if spin == 1 else 3,))) + (-1,)) for spin, lmax, n in many]
    first = [armilla.alm2points(alm, plan, spin=spin) for alm, (spin, *_) in zip(alms, many)]
    with armilla.session(cores=1):
        again = [armilla.alm2points(alm, plan, spin=spin) for alm, (spin, *_) in zip(alms, many)]
    for one, other, alm, (spin, *_) in zip(first, again, alms, many):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(armilla.alm2points(alm, (theta, phi), spin=spin), one)
    copy = pickle.loads(pickle.dumps(plan))
    np.testing.assert_array_equal(armilla.alm2points(alms[0], copy), first[0])
    theta[:], phi[:] = 1, 1  # copied
    np.testing.assert_array_equal(armilla.alm2points(alms[0], plan), first[0])


def test_gradient():
    """Derivatives at points against differences of ducc0's values, of fourth order."""
    sht = pytest.importorskip("ducc0").sht
    _, theta, phi = points(300, 4)
    theta = np.clip(theta, 0.05, 3.09)
    alm = random_alm([0], 16, 16, 8)[0]
    found = armilla.gradient(alm, geometry=armilla.PointsPlan(theta, phi, epsilon=1e-11))

    def values(d_theta, d_phi):
        return sht.synthesis_general(alm=alm[None], **general(0, 16, theta + d_theta, phi + d_phi))[0]

    def slope(at):
        return (8 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3
    assert relative(found[0], slope(lambda step: values(step, 0))) < 1e-8
    assert relative(found[1], slope(lambda step: values(0, step)) / np.sin(theta)) < 1e-8


@pytest.mark.parametrize("spin", [0, 2])
def test_gradients_by_alm(spin):
    """JAX's and PyTorch's gradients of a quadratic function of values, by ducc0's adjoint."""
    sht = pytest.importorskip("ducc0").sht
    _, theta, phi = points(100, 6)
    plan = armilla.PointsPlan(theta, phi, epsilon=1e-11)
    alm = random_alm([spin] * (1 if spin == 0 else 2), 6, 6, 9)
    how = general(spin, 6, theta, phi)
    expected = 2 * sht.adjoint_synthesis_general(map=sht.synthesis_general(alm=alm, **how), **how)
    expected[:, 7:] *= 2
    given, expected = (alm[0], expected[0]) if spin == 0 else (alm, expected)
    tested = 0
    try:
        import jax
        jax.config.update("jax_enable_x64", True)
        from armilla import jax as with_jax
        tested += 1
        found = jax.grad(lambda alm: (with_jax.alm2map(alm, geometry=plan, spin=spin) ** 2).sum())(
            jax.numpy.asarray(given))
        assert relative(np.conj(found), expected) < 1e-9
    except ImportError:
        pass
    try:
        import torch
        from armilla import torch as with_torch
        tested += 1
        tensor = torch.tensor(given, requires_grad=True)
        (with_torch.alm2map(tensor, geometry=plan, spin=spin) ** 2).sum().backward()
        assert relative(tensor.grad.numpy(), expected) < 1e-9
    except ImportError:
        pass
    if not tested:
        pytest.skip("neither JAX nor PyTorch")


def matrix(spin, lmax, theta, phi):
    """Values at points of each real number of the a_lm, by ducc0; and these numbers as a_lm."""
    sht = pytest.importorskip("ducc0").sht
    parts = 1 if spin == 0 else 2
    l = np.concatenate([np.arange(m, lmax + 1) for m in range(lmax + 1)])
    unknowns = []
    for part in range(parts):
        for k in np.flatnonzero(l >= spin):
            for unit in (1, 1j) if k > lmax else (1,):
                unknowns.append(np.zeros((parts, l.size), complex))
                unknowns[-1][part, k] = unit
    return np.stack([sht.synthesis_general(alm=one, **general(spin, lmax, theta, phi)).ravel()
                     for one in unknowns], axis=1), np.stack(unknowns)


@pytest.mark.parametrize("spin", [0, 2])
def test_fit(spin):
    """Noise is fitted as by a dense least-squares solution."""
    _, theta, phi = points(400, 11)
    parts, lmax = (1 if spin == 0 else 2), 7
    dense, unknowns = matrix(spin, lmax, theta, phi)
    values = np.random.default_rng(2).standard_normal((parts, 400))
    best = np.tensordot(np.linalg.lstsq(dense, values.ravel(), rcond=None)[0], unknowns, 1)
    given = values[0] if spin == 0 else values
    fit = armilla.points2alm(given, (theta, phi), lmax, spin=spin, epsilon=1e-12, tolerance=1e-12)
    assert relative(np.atleast_2d(fit.alm), best) < 1e-10
    assert 1 <= fit.iterations <= 100 and 0 < fit.residual <= 1e-12
    columns = {"longitude": np.degrees(phi), "latitude": 90 - np.degrees(theta)}
    names = ["A", "B"][:parts]
    stage = stages.points2alm({**columns, **dict(zip(names, values))}, names, lmax, spin=spin,
                              epsilon=1e-12, tolerance=1e-12)
    assert relative(stage.array, best) < 1e-10


def test_fit_recovers_alm():
    """Values of a_lm give these back, each member of a batch by its own; as ducc0 does it."""
    sht = pytest.importorskip("ducc0").sht
    _, theta, phi = points(6000, 12)
    alm = random_alm([0, 0], 30, 30, 13)
    how = general(0, 30, theta, phi)
    values = np.concatenate([sht.synthesis_general(alm=one[None], **how) for one in alm])
    fit = armilla.points2alm(values, (theta, phi), 30, epsilon=1e-11, tolerance=1e-10)
    assert relative(fit.alm, alm) < 1e-9
    other = sht.pseudo_analysis_general(map=values[:1], maxiter=200, **{**how, "epsilon": 1e-10})
    assert relative(fit.alm[:1], other[0]) < 1e-8
    alone = armilla.points2alm(values[1], (theta, phi), 30, epsilon=1e-11, tolerance=1e-10)
    np.testing.assert_array_equal(alone.alm, fit.alm[1])
    nothing = armilla.points2alm(np.zeros(6000), (theta, phi), 3)
    assert not nothing.alm.any() and nothing.iterations == 0 and nothing.residual == 0


def test_bad_points():
    _, theta, phi = points(100, 3)
    plan = armilla.PointsPlan(theta, phi)
    alm = random_alm([0], 8, 8, 1)[0]
    for bad in (np.nan, -0.1, 3.2):
        with pytest.raises(ValueError, match="point 5 has theta"):
            armilla.alm2points(alm, (np.where(np.arange(100) == 5, bad, theta), phi))
    with pytest.raises(ValueError, match="point 7 has .* phi = inf"):
        armilla.alm2points(alm, (theta, np.where(np.arange(100) == 7, np.inf, phi)))
    with pytest.raises(ValueError, match="one length"):
        armilla.PointsPlan(theta, phi[1:])
    with pytest.raises(TypeError, match="PointsPlan, or theta and phi"):
        armilla.alm2points(alm, 3)
    for epsilon in (0, 1e-14, 0.1, np.nan):
        with pytest.raises(ValueError, match="epsilon"):
            armilla.alm2points(alm, (theta, phi), epsilon=epsilon)
    with pytest.raises(ValueError, match="epsilon"):
        armilla.alm2points(alm, plan, epsilon=1e-5)
    with pytest.raises(ValueError, match="lmax"):
        armilla.adjoint_alm2map(theta, geometry=plan)
    with pytest.raises(ValueError, match="numbers|points|100"):
        armilla.adjoint_alm2points(theta[1:], plan, 8)
    for call in (lambda: armilla.map2alm(theta, 8, geometry=plan),
                 lambda: armilla.adjoint_map2alm(alm, geometry=plan)):
        with pytest.raises(ValueError, match="points have no quadrature weights"):
            call()
    with pytest.raises(ValueError, match="121 unknowns, but there are 100 points"):
        armilla.points2alm(theta, plan, 10)
    with pytest.raises(ValueError, match="1 unknowns, but there are 0 points"):
        armilla.points2alm([], ([], []), 0)
    with pytest.raises(armilla.NotConverged, match="after 2 iterations"):
        armilla.points2alm(theta, plan, 8, max_iter=2)
    with pytest.raises(armilla.NotConverged, match="not finite"):
        armilla.points2alm(np.full(100, np.nan), plan, 2)
    with pytest.raises(ValueError, match="tolerance"):
        armilla.points2alm(theta, plan, 2, tolerance=0)
    assert np.isnan(armilla.adjoint_alm2points(np.full(100, np.nan), plan, 2)).all()
    assert armilla.alm2points(alm, ([], [])).shape == (0,)


def test_gradients_by_points():
    """JAX's gradients of a quadratic function of a batch of values, by differences of ducc0's."""
    sht, jax = pytest.importorskip("ducc0").sht, pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    from armilla import jax as with_jax
    _, theta, phi = points(40, 6)
    theta = np.clip(theta, 0.05, 3.09)
    alm = random_alm([0, 0], 8, 8, 9)

    def power(alm, theta, phi):
        return (with_jax.alm2points(alm, theta, phi, epsilon=1e-11) ** 2).sum()

    def powers(theta, phi):  # of each point
        return sum(sht.synthesis_general(alm=one[None], **general(0, 8, theta, phi))[0] ** 2
                   for one in alm)

    def slope(at):
        return (8 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3
    found = jax.jit(jax.grad(power, (0, 1, 2)))(alm, theta, phi)
    assert relative(found[1], slope(lambda step: powers(theta + step, phi))) < 1e-7
    assert relative(found[2], slope(lambda step: powers(theta, phi + step))) < 1e-7
    how = general(0, 8, theta, phi)
    for one, back in zip(alm, found[0]):
        expected = 2 * sht.adjoint_synthesis_general(
            map=sht.synthesis_general(alm=one[None], **how), **how)[0]
        expected[9:] *= 2
        assert relative(np.conj(back), expected) < 1e-9
