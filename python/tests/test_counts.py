# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs and triangles, counted one by one."""
import numpy as np
import pytest

import armilla

EDGES = np.array([0.05, 0.3, 0.7, 1.2])


@pytest.fixture
def sky(rng):
    longitude, latitude = rng.uniform(0, 360, 150), rng.uniform(-80, 80, 150)
    a, d = np.radians(longitude), np.radians(latitude)
    return longitude, latitude, np.stack([np.cos(d) * np.cos(a), np.cos(d) * np.sin(a),
                                          np.sin(d)], -1)


def bins(vectors):
    chord = np.linalg.norm(vectors[:, None] - vectors[None, :], axis=-1)
    angle = 2 * np.arcsin(np.minimum(chord / 2, 1))
    return np.digitize(angle, EDGES) - 1, angle


@pytest.mark.parametrize("by_vectors", [False, True])
def test_pairs(sky, by_vectors, rng):
    longitude, latitude, vectors = sky
    weight = rng.uniform(0, 2, 150)
    points = armilla.Points(vectors=vectors, weight=weight) if by_vectors \
        else armilla.Points(longitude, latitude, weight=weight)
    found = armilla.count_pairs(points, edges=EDGES, separations=True)
    bin_of, angle = bins(vectors)
    i, j = np.triu_indices(150, 1)
    for k in range(3):
        inside = bin_of[i, j] == k
        w = (weight[i] * weight[j])[inside]
        assert found.count[k] == inside.sum() > 0
        np.testing.assert_allclose(found.weight[k], w.sum(), rtol=1e-12)
        np.testing.assert_allclose(found.separation[k], (w * angle[i, j][inside]).sum() / w.sum(),
                                   rtol=1e-10)
    assert found.xi_plus is None


def test_two_catalogues(sky):
    longitude, latitude, vectors = sky
    a = armilla.Points(longitude[:50], latitude[:50])
    b = armilla.Points(longitude[50:], latitude[50:])
    bin_of, _ = bins(vectors)
    expected = [(bin_of[:50, 50:] == k).sum() for k in range(3)]
    np.testing.assert_array_equal(armilla.count_pairs(a, b, edges=EDGES).count, expected)


def test_shears():
    points = armilla.Points([10, 20], [0, 0], g1=[0.25, 0.5], g2=[0.125, -0.5])
    found = armilla.count_pairs(points, edges=EDGES)
    np.testing.assert_allclose(found.xi_plus[0], 0.25 * 0.5 - 0.125 * 0.5, atol=1e-14)
    np.testing.assert_allclose(found.xi_minus[0], 0.25 * 0.5 + 0.125 * 0.5, atol=1e-14)


@pytest.mark.parametrize("how", ["count_pairs", "shear-correlation"])
def test_shears_on_poles(how, rng):
    """On a pole north is the meridian of the longitude that is given: sums over all pairs."""
    n = 120
    longitude, latitude = rng.uniform(0, 360, n), rng.uniform(40, 89, n)
    latitude[:20], latitude[60:] = 90, -latitude[60:]
    latitude[60:70] = -90
    g = rng.normal(size=n) + 1j * rng.normal(size=n)
    a, sine, cosine = np.radians(longitude), np.sin(np.radians(latitude)), np.sin(
        np.radians(90 - np.abs(latitude)))

    def bearing(i, j):
        return np.arctan2(np.sin(a[j] - a[i]) * cosine[j], cosine[i] * sine[j]
                          - sine[i] * cosine[j] * np.cos(a[j] - a[i]))

    vectors = np.stack([cosine * np.cos(a), cosine * np.sin(a), sine], -1)
    bin_of, _ = bins(vectors)
    i, j = np.triu_indices(n, 1)
    x, y = g[i] * np.exp(-2j * bearing(i, j)), g[j] * np.exp(-2j * bearing(j, i))
    inside = [bin_of[i, j] == k for k in range(3)]
    if how == "count_pairs":
        points = armilla.Points(longitude, latitude, g1=g.real, g2=g.imag)
        found = armilla.count_pairs(points, edges=EDGES)
        plus, minus = found.xi_plus, found.xi_minus
    else:
        points = armilla.Catalogue({"longitude": longitude, "latitude": latitude, "g1": g.real,
                                    "g2": g.imag})
        table = armilla.Workflow("[xi]\nstage = shear-correlation\ncatalogue = points\n"
                                 "edges = 0.05 rad, 0.3 rad, 0.7 rad, 1.2 rad\n"
                                 ).run({"points": points})["xi.table"]
        plus, minus = table["xi_plus"], table["xi_minus"]
    np.testing.assert_allclose(plus, [(x * y.conj()).real[k].mean() for k in inside], atol=1e-12)
    np.testing.assert_allclose(minus, [(x * y).real[k].mean() for k in inside], atol=1e-12)


def test_weights_of_0(sky, rng):
    """Objects of weight 0 might as well be left out: no sum has them, and no number of pairs."""
    longitude, latitude, _ = sky
    weight = rng.uniform(0.5, 2, 150) * (rng.uniform(size=150) > 0.3)
    some = weight > 0
    g1, g2 = rng.normal(size=(2, 150))
    all_of_them = armilla.Points(longitude, latitude, weight=weight, g1=g1, g2=g2)
    left = armilla.Points(longitude[some], latitude[some], weight=weight[some], g1=g1[some],
                          g2=g2[some])
    for b in ((None, None), (all_of_them, left)):
        found = armilla.count_pairs(all_of_them, b[0], edges=EDGES, separations=True)
        expected = armilla.count_pairs(left, b[1], edges=EDGES, separations=True)
        for name in ("count", "weight", "separation", "xi_plus", "xi_minus"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    np.testing.assert_array_equal(armilla.count_triangles(all_of_them, edges=EDGES),
                                  armilla.count_triangles(left, edges=EDGES))
    nothing = armilla.Points(longitude, latitude, weight=np.zeros(150))
    assert not armilla.count_pairs(nothing, edges=EDGES).count.any()


def test_shears_that_are_none(sky, rng):
    longitude, latitude, _ = sky
    g1, g2 = rng.normal(size=(2, 150))
    g1[[4, 9]] = np.nan, np.inf
    weight = np.where(np.isfinite(g1), 1., 0.)
    some = weight > 0
    points = armilla.Points(longitude, latitude, weight=weight, g1=g1, g2=g2)
    left = armilla.Points(longitude[some], latitude[some], weight=weight[some], g1=g1[some],
                          g2=g2[some])
    counts, expected = (armilla.count_pairs(p, edges=EDGES) for p in (points, left))
    assert np.array_equal(counts.xi_plus, expected.xi_plus)
    assert np.array_equal(counts.count, expected.count)
    unweighted = armilla.Points(longitude, latitude, g1=g1, g2=g2)
    with pytest.raises(armilla.WorkflowError, match="of object 5 is nan, .*, and 2 of 150 objects "
                                                   "have shears that are not finite; exclude "):
        armilla.count_pairs(unweighted, edges=EDGES)
    plain = armilla.Points(longitude, latitude)
    with_shears, without = (
        armilla.stages.pair_correlation(p, plain, min="3 deg", max="40 deg", bins=2)
        for p in (unweighted, plain))
    assert np.array_equal(with_shears["DD"], without["DD"])


def test_shears_of_one_side(sky):
    """TreeCorr has a class for them; Armilla has no such sums and raises."""
    lenses = armilla.Points(sky[0][:50], sky[1][:50])
    sources = armilla.Points(sky[0][50:], sky[1][50:], g1=np.zeros(100), g2=np.zeros(100))
    with pytest.raises(ValueError, match="^a: it has no shears"):
        armilla.count_pairs(lenses, sources, edges=EDGES)
    with pytest.raises(ValueError, match="^b: it has no shears"):
        armilla.count_pairs(sources, lenses, edges=EDGES)
    assert armilla.count_pairs(sources, sources, edges=EDGES).xi_plus is not None


def test_triangles(sky):
    longitude, latitude, vectors = sky
    found = armilla.count_triangles(armilla.Points(longitude[:60], latitude[:60]), edges=EDGES)
    bin_of, _ = bins(vectors[:60])
    expected, order = {}, [(i, j, k) for i in range(3) for j in range(i, 3) for k in range(j, 3)]
    for i in range(60):
        for j in range(i + 1, 60):
            for k in range(j + 1, 60):
                sides = tuple(sorted((bin_of[i, j], bin_of[i, k], bin_of[j, k])))
                expected[sides] = expected.get(sides, 0) + 1
    np.testing.assert_array_equal(found, [expected.get(sides, 0) for sides in order])
