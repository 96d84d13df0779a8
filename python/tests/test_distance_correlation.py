# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs by distance: counts against exact fractions and Corrfunc, functions against sums in NumPy."""
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import armilla
from armilla import stages

SIDE = 64.0
EDGES = (0.5, 2.0, 5.0, 11.0, 23.5)


class Result:
    """The tables of a call."""

    def __init__(self, *inputs, **keys):
        self.table, self.projection, self.covariance = stages.distance_correlation(
            *inputs, outputs=["table", "projection", "covariance"], **keys)


def pairs(*inputs, **keys):
    return stages.distance_correlation(*inputs, **keys)["DD"]


def text(edges):
    return ", ".join(repr(float(edge)) for edge in edges)


def box(n, seed, **more):
    x, y, z = np.random.default_rng(seed).uniform(0, SIDE, (3, n))
    return armilla.Catalogue({"x": x, "y": y, "z": z, **more}, coordinates="box")


def survey(n, seed, **more):
    draw = np.random.default_rng(seed)
    columns = {"ra": draw.uniform(100, 130, n), "dec": draw.uniform(-10, 15, n),
               "distance": draw.uniform(300, 400, n), "patch": draw.integers(0, 5, n), **more}
    return armilla.Catalogue(columns, coordinates="C")


def bin_of(edges, square):
    """The bin of an exact square."""
    for k in range(len(edges) - 1):
        if Fraction(edges[k]) ** 2 <= square < Fraction(edges[k + 1]) ** 2:
            return k
    return None


@pytest.mark.parametrize("sight", ["midpoint", "z"])
@pytest.mark.parametrize("separation", ["s", "s-mu", "rp-pi"])
def test_fractions(separation, sight):
    """Positions are doubles of all bits; duplicates and the observer's place are among them."""
    places = np.random.default_rng(3).uniform(-8, 8, (150, 3))
    places[3], places[4], places[5:9] = 0, places[2], places[2] * [[1, 1, 1], [1, 1, -1], [2, 2, 2], [-1, -1, -1]]
    mu, pi = (0, 0.2, 0.5, 0.95), (0, 1.5, 4, 7.25)
    expected = np.zeros((len(EDGES) - 1, 1 if separation == "s" else 3), int)
    for a, b in combinations([[Fraction(x) for x in one] for one in places], 2):
        d = [x - y for x, y in zip(a, b)]
        l = [x + y for x, y in zip(a, b)] if sight == "midpoint" else [0, 0, 1]
        s2, l2 = sum(x * x for x in d), sum(x * x for x in l)
        p2 = sum(x * y for x, y in zip(d, l)) ** 2
        along = p2 / l2 if l2 else Fraction(0)
        if separation == "rp-pi":
            first, second = bin_of(EDGES, s2 - along), bin_of(pi, along)
        else:
            first = bin_of(EDGES, s2)
            second = 0 if separation == "s" else bin_of(mu, along / s2 if s2 else Fraction(0))
        if first is not None and second is not None:
            expected[first, second] += 1
    more = {} if separation == "s" else {"edges2": text(mu if separation == "s-mu" else pi), "line_of_sight": sight}
    x, y, z = places.T
    cat = armilla.Catalogue({"x": x, "y": y, "z": z}, coordinates="box")
    assert expected.sum() > 1000
    assert np.array_equal(pairs(cat, separation=separation, edges=text(EDGES), **more), expected.ravel())


def test_box():
    """A periodic box: the natural estimator with expected counts, and its projections."""
    n = 700
    cat = box(n, 4)
    one = Result(cat, separation="s", edges=text(EDGES), box="64")
    volume = 4 / 3 * np.pi * np.diff(np.array(EDGES) ** 3)
    expected = n * (n - 1) / 2 * volume / SIDE**3
    np.testing.assert_allclose(one.table["RR"], expected, rtol=1e-14)
    np.testing.assert_allclose(one.table["xi"], one.table["DD"] / expected - 1, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(one.projection["xi"], one.table["xi"], rtol=1e-15)
    np.testing.assert_allclose(one.projection["error_xi"], (1 + one.table["xi"]) / np.sqrt(one.table["DD"]), rtol=1e-13)
    both = Result(cat, separation="rp-pi", edges=text(EDGES), pi_max=24, pi_bins=6,
                                       line_of_sight="x", box="64")
    xi = both.table["xi"].reshape(4, 6)
    area = np.pi * np.diff(np.array(EDGES) ** 2)
    np.testing.assert_allclose(both.table["RR"].reshape(4, 6), np.outer(n * (n - 1) / 2 * area / SIDE**3, np.full(6, 8.0)),
                               rtol=1e-13)
    np.testing.assert_allclose(both.projection["wp"], 2 * 4 * xi.sum(axis=1), rtol=1e-12)
    other = Result(cat, catalogue2=box(500, 5), separation="s", edges=text(EDGES), box="64")
    np.testing.assert_allclose(other.table["RR"], n * 500 * volume / SIDE**3, rtol=1e-14)


def multipole(degree, xi, edges):
    polynomial = np.polynomial.legendre.Legendre.basis(degree).integ()
    return (2 * degree + 1) / (edges[-1] - edges[0]) * xi @ np.diff(polynomial(edges))


def test_survey():
    """Multipoles, wedges and their jackknife, of counts without one patch at a time."""
    weight = np.random.default_rng(8).uniform(0.5, 2, 1500)
    data, random = survey(400, 6), survey(1500, 7, weight=weight)
    keys = dict(separation="s-mu", min=10, max=50, bins=3, spacing="linear", mu_bins=10)

    def xi(a, b):
        table = stages.distance_correlation(a, random=b, **keys)
        w, v = b["weight"], a.n
        pairs = (w.sum() ** 2 - (w**2).sum()) / 2
        rr = table["RR_weight"] / pairs
        value = (table["DD"] / (v * (v - 1) / 2) - 2 * table["DR_weight"] / (v * w.sum()) + rr) / rr
        np.testing.assert_allclose(table["xi"], value, rtol=1e-9, atol=1e-12)
        return value.reshape(3, 10)

    def functions(value):
        edges = np.linspace(0, 1, 11)
        return np.array([multipole(degree, value, edges) for degree in (0, 2, 4)]
                        + [value[:, :5].mean(axis=1), value[:, 5:].mean(axis=1)])

    def without(cat, patch):
        keep = cat["patch"] != patch
        return armilla.Catalogue({name: cat[name][keep] for name in cat if name != "patch"}, coordinates="C")

    names = ("xi0", "xi2", "xi4", "wedge1", "wedge2")
    result = Result(data, random=random, patches_by="column", patches=5, wedges=2, **keys)
    parts = [without(data, 9), without(random, 9)]
    np.testing.assert_allclose([result.projection[name] for name in names], functions(xi(*parts)), rtol=1e-9, atol=1e-10)
    assert np.isfinite(result.projection["xi4"]).all()
    samples = np.array([functions(xi(without(data, p), without(random, p))) for p in range(5)])
    errors = np.sqrt(4 / 5 * ((samples - samples.mean(axis=0)) ** 2).sum(axis=0))
    np.testing.assert_allclose([result.projection["error_" + name] for name in names], errors, rtol=1e-7)
    np.testing.assert_allclose(np.sqrt(result.covariance["xi2"][::4]), errors[1], rtol=1e-7)


def test_redshifts(tmp_path):
    """Distances against Simpson's rule with 2^15 intervals."""
    path = tmp_path / "z.csv"
    redshift = np.array([0, 1e-6, 0.01, 0.3, 1.1, 3, 20, 1100])
    np.savetxt(path, np.c_[np.arange(8), np.arange(8), redshift], header="ra,dec,redshift", delimiter=",", comments="", fmt="%.17g")
    cat = stages.read_catalogue(str(path), redshift="redshift", omega_m=0.27, w0=-0.8, wa=0.3, longitude_unit="deg", latitude_unit="deg")
    t = np.linspace(0, 1, 2**15 + 1)
    weights = np.r_[1, np.tile([4, 2], 2**14)]
    weights[-1] = 1
    for z, distance in zip(redshift, cat["distance"]):
        u = t * np.log1p(z)
        a = np.exp(-u)
        energy = a ** (-3 * 0.5) * np.exp(-0.9 * (1 - a))
        values = 1 / (a * np.sqrt(0.27 / a**3 + 0.73 * energy))
        expected = 2997.92458 * (weights @ values) * np.log1p(z) / 3 / 2**15
        assert distance == pytest.approx(expected, rel=2e-12, abs=0)


def test_corrfunc():
    theory, mocks = pytest.importorskip("Corrfunc.theory"), pytest.importorskip("Corrfunc.mocks")
    edges = np.logspace(-0.5, 1.4, 15)
    for periodic in (True, False):
        cat = box(5000, 11)
        x, y, z = (cat[name] for name in "xyz")
        own = {"boxsize": SIDE, "periodic": periodic}
        keys = {"edges": text(edges), "box": "64" if periodic else ""}
        assert np.array_equal(theory.DD(1, 1, edges, x, y, z, **own)["npairs"],
                              2 * pairs(cat, separation="s", **keys))
        assert np.array_equal(theory.DDrppi(1, 1, 20.0, edges, x, y, z, **own)["npairs"],
                              2 * pairs(cat, separation="rp-pi", pi_max=20, pi_bins=20,
                                                              line_of_sight="z", **keys))
        assert np.array_equal(theory.DDsmu(1, 1, edges, 0.5, 10, x, y, z, **own)["npairs"],
                              2 * pairs(cat, separation="s-mu", mu_max=0.5, mu_bins=10,
                                                              line_of_sight="z", **keys))
    cat = box(5000, 11)
    x, y, z = (cat[name] for name in "xyz")
    result = Result(cat, separation="rp-pi", edges=text(edges), pi_max=20, pi_bins=20,
                                         line_of_sight="z", box="64")
    wp = theory.wp(SIDE, 20.0, 1, edges, x, y, z)
    np.testing.assert_allclose(wp["wp"], result.projection["wp"], rtol=1e-9)
    xi = theory.xi(SIDE, 1, edges, x, y, z)
    own = Result(cat, separation="s", edges=text(edges), box="64")
    np.testing.assert_allclose(xi["xi"], own.projection["xi"], rtol=1e-9, atol=1e-9)
    for a, b in ((survey(2000, 12), None), (survey(2000, 12), survey(1500, 13))):
        one = (a["longitude"], a["latitude"], a["distance"])
        two = {} if b is None else {"RA2": b["longitude"], "DEC2": b["latitude"], "CZ2": b["distance"]}
        auto, twice = (1, 2) if b is None else (0, 1)
        rppi = mocks.DDrppi_mocks(auto, 1, 1, 20.0, edges, *one, is_comoving_dist=True, **two)
        smu = mocks.DDsmu_mocks(auto, 1, 1, 1.0, 10, edges, *one, is_comoving_dist=True, **two)
        keys = {"edges": text(edges)} if b is None else {"edges": text(edges), "catalogue2": b}
        assert np.array_equal(rppi["npairs"], twice * pairs(
            a, separation="rp-pi", pi_max=20, pi_bins=20, **keys))
        assert np.array_equal(smu["npairs"], twice * pairs(
            a, separation="s-mu", mu_bins=10, **keys))
