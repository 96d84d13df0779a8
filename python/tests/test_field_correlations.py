# SPDX-License-Identifier: GPL-3.0-or-later
"""Correlations of numbers, values and shears (NG, NK, KK, KG) against sums pair by pair."""
import numpy as np
import pytest

import armilla
from armilla import stages

BINS = {"edges": "0.5 deg, 1 deg, 2.5 deg, 7 deg"}
EDGES = np.radians([0.5, 1, 2.5, 7])
PATCHES = 4


def catalogue(seed, n):
    """Columns; numbers whose products with the weight are floats, as TreeCorr keeps them."""
    rng = np.random.default_rng(seed)
    columns = {"ra": rng.uniform(20, 32, n), "dec": rng.uniform(60, 70, n),
               "weight": 2.0 ** rng.integers(-3, 2, n), "g1": rng.normal(0, 0.2, n),
               "g2": rng.normal(0, 0.2, n), "k": rng.normal(0.5, 1, n)}
    for name in ("g1", "g2", "k"):
        columns[name] = columns[name].astype(np.float32).astype(float)
    columns["weight"][::17] = 0
    columns["patch"] = ((columns["ra"] - 20) // 3).astype(int)
    return columns


@pytest.fixture(scope="module")
def a():
    return catalogue(1, 150)


@pytest.fixture(scope="module")
def b():
    return catalogue(2, 170)


@pytest.fixture(scope="module")
def random():
    return catalogue(3, 300)


def objects(columns, *names, weight=True):
    names = ("ra", "dec") + (("weight",) if weight else ()) + names
    return armilla.Catalogue({name: columns[name] for name in names})


def pairs(x, y, skip=None):
    """Weights, bins, and tangential and cross shear of the second object, of every pair."""
    lon, lat = np.radians(x["ra"])[:, None], np.radians(x["dec"])[:, None]
    lon2, lat2 = np.radians(y["ra"])[None], np.radians(y["dec"])[None]
    # position angle at the second object of the first one, from north over east
    angle = np.arctan2(np.cos(lat) * np.sin(lon - lon2),
                       np.cos(lat2) * np.sin(lat) - np.sin(lat2) * np.cos(lat) * np.cos(lon - lon2))
    half = np.sin((lat - lat2) / 2) ** 2 + np.cos(lat) * np.cos(lat2) * np.sin((lon - lon2) / 2) ** 2
    weight = x["weight"][:, None] * y["weight"][None]
    if skip is not None:
        weight = weight * (x["patch"] != skip)[:, None] * (y["patch"] != skip)[None]
    # shears count from west over north: an angle from north over east is 90 deg less
    turned = (y["g1"] + 1j * y["g2"])[None] * np.exp(-2j * (angle + np.pi / 2))
    return weight, np.digitize(2 * np.arcsin(np.sqrt(half)), EDGES) - 1, -turned.real, -turned.imag


def means(kind, x, y, within=False, skip=None):
    """The functions of a correlation, [function][bin]."""
    weight, number, tangential, cross = pairs(x, y, skip)
    if within:
        weight = np.triu(weight, 1)
    values = {"ng": [tangential, cross], "nk": [y["k"][None]],
              "kk": [x["k"][:, None] * y["k"][None]],
              "kg": [x["k"][:, None] * tangential, x["k"][:, None] * cross]}[kind]
    return np.array([[(weight * value)[number == i].sum() / weight[number == i].sum()
                      for i in range(3)] for value in values])


NAMES = {"ng": ("gamma_t", "gamma_x"), "nk": ("xi",), "kk": ("xi",), "kg": ("xi_t", "xi_x")}
ERRORS = {"ng": ("error_t", "error_x"), "nk": ("error",), "kk": ("error",),
          "kg": ("error_t", "error_x")}
CARRIED = {"n": (), "k": ("k",), "g": ("g1", "g2")}


def computed(kind, x, y, *rest, **options):
    inputs = [objects(x, *CARRIED[kind[0]])]
    if y is not None:
        inputs.append(objects(y, *CARRIED[kind[1]]))
    inputs += [objects(one) for one in rest]
    return getattr(stages, kind + "_correlation")(*inputs, **BINS, **options)


@pytest.mark.parametrize("kind", NAMES)
def test_means(kind, a, b):
    """Every function, the number of pairs and their weight."""
    table = computed(kind, a, b)
    weight, number, _, _ = pairs(a, b)
    for name, expected in zip(NAMES[kind], means(kind, a, b)):
        np.testing.assert_allclose(table[name], expected, rtol=0,
                                   atol=1e-12 * np.abs(expected).max())
    for i in range(3):
        assert table["pairs"][i] == ((number == i) & (weight > 0)).sum()
        np.testing.assert_allclose(table["pairs_weight"][i], weight[number == i].sum(), rtol=1e-13)


def test_within(a):
    """Pairs within one catalogue, each once, and none of an object with itself."""
    expected = means("kk", a, a, within=True)[0]
    node = {"stage": "kk-correlation", "catalogue": "one", "catalogue2": "one", **BINS}
    twice = armilla.Workflow({"kk": node}).run({"one": objects(a, "k")}, ["kk.table"])["kk.table"]
    for table in (computed("kk", a, None), twice):
        np.testing.assert_allclose(table["xi"], expected, rtol=1e-12)
        weight, number, _, _ = pairs(a, a)
        inside = (number >= 0) & (number < 3) & (weight > 0)
        assert table["pairs"].sum() == np.triu(inside, 1).sum()


@pytest.mark.parametrize("kind", ["ng", "nk"])
def test_random(kind, a, b, random):
    """What is around random objects is subtracted."""
    table = computed(kind, a, b, random)
    expected = means(kind, a, b) - means(kind, random, b)
    for name, values in zip(NAMES[kind], expected):
        np.testing.assert_allclose(table[name], values, rtol=0, atol=1e-12)


def test_shears_from_north(a, b):
    """The other convention has the opposite sign."""
    west, north = (computed("ng", a, b, shears_from=name) for name in ("west", "north"))
    for name in NAMES["ng"]:
        np.testing.assert_array_equal(west[name], -north[name])


def test_a_lens():
    """Shears around one lens that are tangential by construction, in the usual convention: a galaxy
    north of the lens is elongated from east to west, so that g1 is positive."""
    sources = {"ra": [10.0, 10.0, 11.0, 9.0], "dec": [1.0, -1.0, 0.0, 0.0],
               "g1": [0.1, 0.1, -0.1, -0.1], "g2": [0.0, 0.0, 0.0, 0.0]}
    table = stages.ng_correlation({"ra": [10.0], "dec": [0.0]}, sources, edges="0.5 deg, 2 deg")
    np.testing.assert_allclose(table["gamma_t"], 0.1, rtol=1e-3)
    np.testing.assert_allclose(table["gamma_x"], 0, atol=1e-3)
    assert list(table["pairs"]) == [4]


@pytest.mark.parametrize("kind", NAMES)
def test_noise(kind, a, b):
    """Errors without patches: the scatter of what objects carry, in pairs that share no object."""
    table = computed(kind, a, b)
    variance = {"n": lambda c: (c["weight"] ** 2).sum(),
                "k": lambda c: (c["weight"] ** 2
                                * (c["k"] - np.average(c["k"], weights=c["weight"])) ** 2).sum(),
                "g": lambda c: (c["weight"] ** 2 * (c["g1"] ** 2 + c["g2"] ** 2)).sum() / 2}
    of_pair = 1.0
    for which, columns in zip(kind, (a, b)):
        of_pair *= variance[which](columns) / (columns["weight"] > 0).sum()
    for name in ERRORS[kind]:
        np.testing.assert_allclose(table[name] * table["pairs_weight"],
                                   np.sqrt(of_pair * table["pairs"]), rtol=1e-12)


@pytest.mark.parametrize("kind", NAMES)
def test_jackknife(kind, a, b, tmp_path):
    """Errors by leaving out one patch at a time, and the covariance."""
    given = {}
    for name, columns in (("a", a), ("b", b)):
        path = tmp_path / f"{name}.csv"
        np.savetxt(path, np.column_stack(list(columns.values())), delimiter=",", comments="",
                   header=",".join(columns), fmt="%.17g")
        given[name] = stages.read_catalogue(
            str(path), weight="weight", patch="patch", patches=PATCHES, values="k",
            longitude_unit="deg", latitude_unit="deg",
            **({"g1": "g1", "g2": "g2"}))
    table, covariance = getattr(stages, kind + "_correlation")(
        given["a"], given["b"], outputs=["table", "covariance"], **BINS)
    samples = np.array([means(kind, a, b, skip=p) for p in range(PATCHES)])
    off = samples - samples.mean(0)
    expected = (PATCHES - 1) / PATCHES * np.einsum("pfi,pfj->fij", off, off)
    for f, (name, error) in enumerate(zip(NAMES[kind], ERRORS[kind])):
        np.testing.assert_allclose(np.asarray(covariance[name]).reshape(3, 3), expected[f],
                                   rtol=1e-9, atol=1e-12 * expected[f].max())
        np.testing.assert_allclose(table[error] ** 2, np.diag(expected[f]), rtol=1e-9)


@pytest.mark.parametrize("kind", NAMES)
def test_treecorr(kind, a, b):
    """TreeCorr, pair by pair."""
    treecorr = pytest.importorskip("treecorr")

    def theirs(columns, carried):
        return treecorr.Catalog(ra=columns["ra"], dec=columns["dec"], ra_units="deg",
                                dec_units="deg", w=columns["weight"],
                                **{name: columns[name] for name in CARRIED[carried]})
    other = getattr(treecorr, kind.upper() + "Correlation")(
        min_sep=0.5, max_sep=7, nbins=5, sep_units="deg", metric="Arc", brute=True)
    other.process(theirs(a, kind[0]), theirs(b, kind[1]))
    table = getattr(stages, kind + "_correlation")(
        objects(a, *CARRIED[kind[0]]), objects(b, *CARRIED[kind[1]]),
        min="0.5 deg", max="7 deg", bins=5)
    np.testing.assert_array_equal(table["pairs"], other.npairs)
    np.testing.assert_allclose(table["pairs_weight"], other.weight, rtol=1e-12)
    for name, values in zip(NAMES[kind], [other.xi, getattr(other, "xi_im", None)]):
        np.testing.assert_allclose(table[name], values, rtol=0, atol=1e-12 * np.abs(values).max())


def test_mistakes(a, b):
    """Errors name the argument."""
    values = armilla.Catalogue({**{n: b[n] for n in ("ra", "dec", "k")}, "other": b["k"]})
    with pytest.raises(armilla.Error, match="ng_correlation: .*catalogue2 has no shears"):
        stages.ng_correlation(objects(a), values, **BINS)
    with pytest.raises(armilla.Error, match="nk_correlation: .*column is not set; .*k, other"):
        stages.nk_correlation(objects(a), values, **BINS)
    with pytest.raises(armilla.Error, match="nk_correlation: column: .*no column q; it has k, other"):
        stages.nk_correlation(objects(a), values, column="q", **BINS)
    with pytest.raises(armilla.Error, match="kk_correlation: .*no column of values"):
        stages.kk_correlation(objects(a), **BINS)
    with pytest.raises(armilla.Error, match="kk_correlation: .*column2 requires catalogue2"):
        stages.kk_correlation(values, column="k", column2="other", **BINS)
    broken = dict(b, k=np.where(np.arange(len(b["k"])) == 3, np.nan, b["k"]))
    with pytest.raises(armilla.Error, match="kk_correlation: .*1 of 170 objects have no finite"):
        stages.kk_correlation(objects(broken, "k"), **BINS)
    broken["weight"] = np.where(np.arange(len(b["k"])) == 3, 0, b["weight"])
    assert np.isfinite(stages.kk_correlation(objects(broken, "k"), **BINS)["xi"]).all()
    with pytest.raises(armilla.Error, match="sum to 0"):
        stages.ng_correlation({**{n: a[n] for n in ("ra", "dec")}, "weight": 0 * a["ra"]},
                              objects(b, "g1", "g2"), **BINS)
