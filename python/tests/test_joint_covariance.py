# SPDX-License-Identifier: GPL-3.0-or-later
"""Patches of the sky, and the joint covariance of several statistics counted with them."""
import numpy as np
import pytest

import armilla
from armilla import stages

EDGES = "1 deg, 2 deg, 4 deg, 7 deg"
PATCHES = 6


def columns(seed, n):
    rng = np.random.default_rng(seed)
    return {"ra": rng.uniform(20, 38, n), "dec": rng.uniform(-6, 6, n),
            "weight": 2.0 ** rng.integers(-3, 2, n),
            "g1": rng.normal(0, 0.2, n).astype(np.float32).astype(float),
            "g2": rng.normal(0, 0.2, n).astype(np.float32).astype(float)}


def catalogue(of, *names):
    return armilla.Catalogue({name: of[name] for name in ("ra", "dec", "weight") + names})


@pytest.fixture(scope="module")
def sky():
    """Catalogues with the patches of the random objects: lenses, random, sources."""
    random = stages.assign_patches(catalogue(columns(3, 900)), patches=PATCHES)
    return {"random": random,
            "lenses": stages.assign_patches(catalogue(columns(1, 300)), like=random),
            "sources": stages.assign_patches(catalogue(columns(2, 400), "g1", "g2"), like=random)}


def counts(sky, outputs):
    lenses, random, sources = sky["lenses"], sky["random"], sky["sources"]
    return [stages.pair_correlation(lenses, random, edges=EDGES, outputs=outputs),
            stages.ng_correlation(lenses, sources, edges=EDGES, outputs=outputs),
            stages.shear_correlation(sources, edges=EDGES, outputs=outputs)]


def joint(samples, **options):
    found = stages.joint_covariance(samples, outputs=["vector", "covariance"], **options)
    n = found.vector.n
    assert list(found.covariance["bin1"]) == sorted(list(range(n)) * n)
    assert list(found.covariance["bin2"]) == list(range(n)) * n
    return found.vector, np.reshape(found.covariance["covariance"], (n, n))


def test_vector(sky):
    """The functions of all statistics, in order, without cross shears."""
    w, ng, xi = counts(sky, "table")
    vector, covariance = joint(counts(sky, "samples"), labels=["w", "gt", "xi"])
    assert list(vector["statistic"]) == ["w"] * 3 + ["gt"] * 3 + ["xi"] * 6
    assert list(vector["function"]) == (["w"] * 3 + ["gamma_t"] * 3 + ["xi_plus"] * 3
                                        + ["xi_minus"] * 3)
    assert list(vector["bin"]) == [0, 1, 2] * 4
    np.testing.assert_array_equal(
        vector["value"], np.concatenate([w["w"], ng["gamma_t"], xi["xi_plus"], xi["xi_minus"]]))
    np.testing.assert_allclose(
        vector["error"], np.concatenate([w["error"], ng["error_t"], xi["error_plus"],
                                         xi["error_minus"]]), rtol=1e-12)
    np.testing.assert_allclose(vector["error"] ** 2, np.diag(covariance), rtol=1e-14)
    for name in ("theta_min", "theta_max", "theta"):
        np.testing.assert_array_equal(vector[name], np.concatenate([w[name], ng[name], xi[name],
                                                                    xi[name]]))


def test_covariance(sky):
    """(P - 1) / P times the scatter of the samples without one patch."""
    tables = counts(sky, "samples")
    values = [table[name].reshape(PATCHES + 1, 3)[1:] for table, names in
              zip(tables, (["w"], ["gamma_t", "gamma_x"], ["xi_plus", "xi_minus"]))
              for name in names]
    values = np.concatenate(values, axis=1)
    away = values - values.mean(axis=0)
    expected = (PATCHES - 1) / PATCHES * away.T @ away
    _, covariance = joint(tables, functions="w, gamma_t, gamma_x, xi_plus, xi_minus")
    np.testing.assert_allclose(covariance, expected, rtol=0, atol=1e-12 * expected.max())


def test_treecorr(sky):
    """TreeCorr's covariance of NG, GG and NK from one set of patches. Its NN counts an object with
    itself in the number of all pairs, so that it differs."""
    treecorr = pytest.importorskip("treecorr")
    bins = {"min_sep": 1, "max_sep": 7, "nbins": 3, "sep_units": "deg", "metric": "Arc",
            "bin_slop": 0, "brute": True, "var_method": "jackknife", "cross_patch_weight": "simple"}

    def cat(name, seed, n, *carried):
        of = columns(seed, n)
        return treecorr.Catalog(ra=of["ra"], dec=of["dec"], w=of["weight"], ra_units="deg",
                                dec_units="deg", patch=np.asarray(sky[name]["patch"], int),
                                **{name: of["g1" if name == "k" else name] for name in carried})
    lens, source = cat("lenses", 1, 300), cat("sources", 2, 400, "g1", "g2", "k")
    ng, gg, nk = (kind(bins) for kind in (treecorr.NGCorrelation, treecorr.GGCorrelation,
                                          treecorr.NKCorrelation))
    ng.process(lens, source)
    gg.process(source)
    nk.process(lens, source)
    expected = treecorr.estimate_multi_cov([ng, gg, nk], "jackknife")
    edges = ", ".join(f"{float(edge)!r} deg" for edge in np.geomspace(1, 7, 4))
    valued = armilla.Catalogue({**{name: np.asarray(sky["sources"][name]) for name in
                                   ("longitude", "latitude", "weight", "patch")},
                                "k": np.asarray(sky["sources"]["g1"])}, coordinates="C")
    tables = [stages.ng_correlation(sky["lenses"], sky["sources"], edges=edges,
                                    outputs="samples"),
              stages.shear_correlation(sky["sources"], edges=edges, outputs="samples"),
              stages.nk_correlation(sky["lenses"], valued, edges=edges, outputs="samples")]
    _, covariance = joint(tables)
    error = np.sqrt(np.diag(expected))
    np.testing.assert_allclose(covariance / error / error[:, None],
                               expected / error / error[:, None], rtol=0, atol=1e-10)


def test_workflow(sky, tmp_path):
    """A list of connections, and names with *, in the order of the file."""
    text = f"""
[lens]
each = i: 1..2
stage = select-rows
catalogue = lenses
condition = lat > 3 * (${{i}} - 2)
[gt]
each = i: 1..2
stage = ng-correlation
catalogue = lens-${{i}}
catalogue2 = sources
edges = {EDGES}
[xi]
stage = shear-correlation
catalogue = sources
edges = {EDGES}
[joint]
stage = joint-covariance
samples = xi.samples, gt-*.samples
"""
    inputs = {name: sky[name] for name in ("lenses", "sources")}
    run = armilla.Workflow(text).run(inputs, ["joint.vector", "joint.covariance", "gt-2.table"])
    vector = run["joint.vector"]
    assert list(vector["statistic"]) == ["xi"] * 6 + ["gt-1"] * 3 + ["gt-2"] * 3
    np.testing.assert_array_equal(vector["value"][-3:], run["gt-2.table"]["gamma_t"])
    np.testing.assert_allclose(vector["error"][-3:], run["gt-2.table"]["error_t"], rtol=1e-12)


def test_empty_patch(sky):
    """A statistic without objects in a patch does not change when it is left out."""
    keep = np.asarray(sky["lenses"]["patch"]) != 2
    of = {name: np.asarray(sky["lenses"][name])[keep]
          for name in ("longitude", "latitude", "weight", "patch")}
    few = armilla.Catalogue(of, coordinates="C")
    tables = [stages.ng_correlation(few, sky["sources"], edges=EDGES, outputs="samples"),
              stages.nk_correlation(sky["sources"], armilla.Catalogue(
                  {**of, "k": np.arange(len(of["patch"])) % 7.0},
                  coordinates="C"), edges=EDGES, outputs="samples")]
    assert sorted(set(tables[1]["patch"])) == [-1, 0, 1, 3, 4, 5]
    vector, covariance = joint(tables)
    full = tables[1]["xi"][:3]
    samples = np.insert(tables[1]["xi"].reshape(PATCHES, 3)[1:], 2, full, axis=0)
    away = samples - samples.mean(axis=0)
    expected = (PATCHES - 1) / PATCHES * away.T @ away
    np.testing.assert_allclose(covariance[-3:, -3:], expected, rtol=1e-10,
                               atol=1e-12 * expected.max())


def test_cut():
    """Equal numbers of objects in each patch."""
    patch = stages.assign_patches(catalogue(columns(1, 700)), patches=7)["patch"]
    assert list(np.bincount(patch)) == [100] * 7


def unit(of):
    lon, lat = np.radians(of["longitude"]), np.radians(of["latitude"])
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=1)


def test_k_means():
    """Each object belongs to the closest centre, and centres are the means of their objects."""
    out = stages.assign_patches(catalogue(columns(1, 3000)), patches=9, method="k-means")
    v, patch = unit(out), np.asarray(out["patch"])
    centres = np.stack([v[patch == p].sum(axis=0) for p in range(9)])
    centres /= np.linalg.norm(centres, axis=1)[:, None]
    np.testing.assert_array_equal(np.argmax(v @ centres.T, axis=1), patch)


def test_like(sky):
    """The patch whose weighted mean direction is the closest, whatever the coordinates."""
    random = sky["random"]
    v, patch = unit(random), np.asarray(random["patch"])
    centres = np.stack([(v * np.asarray(random["weight"])[:, None])[patch == p].sum(axis=0)
                        for p in range(PATCHES)])
    centres /= np.linalg.norm(centres, axis=1)[:, None]
    np.testing.assert_array_equal(np.argmax(unit(sky["lenses"]) @ centres.T, axis=1),
                                  sky["lenses"]["patch"])


def refused(match, samples, **options):
    with pytest.raises((armilla.Error, ValueError), match=match):
        stages.joint_covariance(samples, **options)


def test_errors(sky):
    """What cannot have a joint covariance is refused with the name of the input."""
    good = counts(sky, "samples")
    bare = armilla.Catalogue({name: np.asarray(sky["sources"][name])
                              for name in ("longitude", "latitude", "g1", "g2")}, coordinates="C")
    without = stages.shear_correlation(bare, edges=EDGES, outputs="samples")
    other = stages.shear_correlation(
        stages.assign_patches(bare, patches=4), edges=EDGES, outputs="samples")
    refused("samples2: was counted without patches", [good[0], without])
    refused("samples2: has 4 patches, the statistics before it 6", [good[0], other])
    refused("samples: not a table of samples", [counts(sky, "table")[0]])
    refused("labels: 2 names for 3 statistics", good, labels="a, b")
    refused("functions: no statistic has one of them", good, functions="xi")
    refused("it has 65 elements; it must have 1 to 64", good[:1] * 65)
    refused("it has 0 elements", [])
    broken = {name: np.array(good[0][name]) for name in ("patch", "patches", "theta_min",
                                                         "theta_max", "w")}
    broken["patch"][5] = 9
    refused("rows in another order", [armilla.Table(broken)])
    with pytest.raises(armilla.Error, match="patches: has no effect with like|patches has no"):
        stages.assign_patches(bare, like=sky["random"], patches=3)
    with pytest.raises(armilla.Error, match="patches is not set"):
        stages.assign_patches(bare)
    with pytest.raises(armilla.Error, match="like has no patches"):
        stages.assign_patches(bare, like=bare)


def test_cut_apart(sky):
    """Patches that each statistic cuts for itself are not the same."""
    text = f"""
[gt]
stage = ng-correlation
catalogue = lenses
catalogue2 = sources
edges = {EDGES}
patches = 5
patches-by = cut
[xi]
stage = shear-correlation
catalogue = sources
edges = {EDGES}
patches = 5
patches-by = cut
[joint]
stage = joint-covariance
samples = {{}}
"""
    inputs = {name: sky[name] for name in ("lenses", "sources")}
    with pytest.raises(armilla.Error, match="patches that each statistic cuts for itself differ"):
        armilla.Workflow(text.format("xi.samples, gt.samples")).run(inputs, ["joint.vector"])
    alone = armilla.Workflow(text.format("xi.samples")).run(inputs, ["joint.vector", "xi.table"])
    np.testing.assert_allclose(alone["joint.vector"]["error"][:3], alone["xi.table"]["error_plus"],
                               rtol=1e-12)


@pytest.mark.parametrize("samples, message", [
    ("xi-*.samples", r"no other node is called xi-\*"),
    ("xi.samples, xi.samples\nsamples2 = xi.samples", "also connected by"),
    ("xi.samples, nothing.samples", 'no node "nothing"'),
    (", ".join(["xi.samples"] * 65), "the list has 65 connections; samples accepts at most 64"),
])
def test_lists(sky, samples, message):
    """Lists of connections that do not fit."""
    text = f"""
[xi]
stage = shear-correlation
catalogue = sources
edges = {EDGES}
[joint]
stage = joint-covariance
samples = {samples}
"""
    with pytest.raises(armilla.Error, match=message):
        armilla.Workflow(text).run({"sources": sky["sources"]}, ["joint.vector"])


def named(sky):
    """A vector of two bins of sources and one of lenses, and its covariance."""
    lens, source = sky["lenses"], sky["sources"]
    half = {name: np.asarray(source[name])[::2] for name in
            ("longitude", "latitude", "weight", "g1", "g2", "patch")}
    half = armilla.Catalogue(half, coordinates="C")
    tables = [stages.pair_correlation(lens, sky["random"], edges=EDGES, outputs="samples")]
    tables += [stages.ng_correlation(lens, one, edges=EDGES, outputs="samples")
               for one in (source, half)]
    tables += [stages.shear_correlation(one, edges=EDGES, outputs="samples")
               for one in (source, half)]
    return joint_tables(tables, ["w-1", "gt-1-1", "gt-1-2", "xi-1-1", "xi-2-2"])


def joint_tables(tables, labels):
    return stages.joint_covariance(tables, labels=labels, outputs=["vector", "covariance"])


def test_two_point_file(sky, tmp_path):
    """The layout of the format: tables per function, and the covariance in their order."""
    fits = pytest.importorskip("astropy.io.fits")
    vector, covariance = named(sky)
    z = {"Z_LOW": [0.0, 0.5], "Z_MID": [0.25, 0.75], "Z_HIGH": [0.5, 1.0], "BIN1": [1.5, 0.5]}
    path = str(tmp_path / "two-point.fits")
    stages.write_two_point(vector, covariance, nz_source=armilla.Table(z), file=path)
    matrix = np.reshape(covariance["covariance"], (vector.n, vector.n))
    names = {"xip": "xi_plus", "xim": "xi_minus", "gammat": "gamma_t", "wtheta": "w"}
    with fits.open(path) as file:
        assert [hdu.name for hdu in file[1:]] == ["COVMAT", *names, "nz_source"]
        order, cards = [], file["COVMAT"].header
        assert cards["COVDATA"] is True
        for number, (name, function) in enumerate(names.items()):
            rows = np.flatnonzero(np.asarray(vector["function"]) == function)
            data, header = file[name].data, file[name].header
            assert cards[f"NAME_{number}"] == name and cards[f"STRT_{number}"] == len(order)
            assert header["2PTDATA"] is True and header["WINDOWS"] == "SAMPLE"
            np.testing.assert_array_equal(data["VALUE"], vector["value"][rows])
            np.testing.assert_allclose(data["ANG"], 60 * vector["theta"][rows], rtol=1e-14)
            np.testing.assert_array_equal(data["ANGBIN"], vector["bin"][rows])
            order += list(rows)
        np.testing.assert_array_equal(file["COVMAT"].data, matrix[np.ix_(order, order)])
        assert list(file["GAMMAT"].data["BIN1"]) == [1] * 6
        assert list(file["GAMMAT"].data["BIN2"]) == [1] * 3 + [2] * 3
        assert list(file["XIM"].data["BIN1"]) == [1] * 3 + [2] * 3
        np.testing.assert_array_equal(file["NZ_SOURCE"].data["BIN1"], z["BIN1"])


def test_twopoint_package(sky, tmp_path):
    """The program of the format's authors reads the file."""
    twopoint = pytest.importorskip("twopoint")
    vector, covariance = named(sky)
    path = str(tmp_path / "two-point.fits")
    stages.write_two_point(vector, covariance, file=path)
    file = twopoint.TwoPointFile.from_fits(path)
    matrix = np.reshape(covariance["covariance"], (vector.n, vector.n))
    assert [(s.name.lower(), s.type1.value, s.type2.value) for s in file.spectra] == [
        ("xip", "G+R", "G+R"), ("xim", "G-R", "G-R"), ("gammat", "GPR", "G+R"),
        ("wtheta", "GPR", "GPR")]
    theta, value = file.get_spectrum("gammat").get_pair(1, 2)
    rows = np.flatnonzero(np.asarray(vector["statistic"]) == "gt-1-2")
    np.testing.assert_array_equal(value, vector["value"][rows])
    np.testing.assert_allclose(theta, 60 * vector["theta"][rows], rtol=1e-14)
    np.testing.assert_allclose(file.get_spectrum("gammat").error[3:],
                               np.sqrt(np.diag(matrix))[rows], rtol=1e-12)


def test_two_point_errors(sky, tmp_path):
    """What the format cannot hold is refused, and no file is left."""
    vector, covariance = named(sky)
    path = tmp_path / "two-point.fits"

    def refused(match, *inputs, **options):
        with pytest.raises((armilla.Error, ValueError), match=match):
            stages.write_two_point(*inputs, file=str(path), **options)
        assert list(tmp_path.iterdir()) == []
    small = stages.joint_covariance(counts(sky, "samples")[:1], outputs="covariance")
    refused("covariance: has 9 rows, and the vector 21", vector, small)
    refused("vector: has no such column", covariance, covariance)
    refused("nz_lens: the columns must be Z_LOW", vector, covariance, nz_lens={"Z": [1.0, 2.0]})
    cross = joint_tables(counts(sky, "samples"), ["a", "b", "c"])
    stages.write_two_point(*cross, file=str(path))
    path.unlink()
    tables = counts(sky, "samples")
    same = joint_tables([tables[2], tables[2]], ["xi-a", "xi-b"])
    refused("xi-b has xi_plus of the bins 1 and 1 again", *same)
    odd = stages.joint_covariance(tables[1:2], functions="gamma_x",
                                  outputs=["vector", "covariance"])
    refused("no name for gamma_x", *odd)
