# SPDX-License-Identifier: GPL-3.0-or-later
"""Workflows with arrays at their ends: results against the functions of the package and against
the program `armilla`, and what they say when something is wrong."""
import os
import shutil
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import armilla

NSIDE, LMAX = 16, 32
ANALYSIS = """
[alm]
stage = map2alm
map = sky
lmax = ${lmax}
iterations = 0
[cl]
stage = alm2cl
alm = alm
[variables]
lmax = 32
"""
LONG = {
    "workflow": {"repeat": 400},
    "cl": {"stage": "alm2cl", "alm": "alm"},
    "alm": {"stage": "map2alm", "map": "sky", "lmax": 128, "iterations": 20},
}


def program():
    """The program that belongs to the library."""
    found = shutil.which("armilla")
    try:
        folder = subprocess.run(["pkg-config", "--variable=exec_prefix", "armilla"], text=True,
                                stdout=subprocess.PIPE, check=True).stdout.strip()
        beside = os.path.join(folder, "bin", "armilla")
        found = beside if os.path.exists(beside) else found
    except (OSError, subprocess.CalledProcessError):
        pass
    return found or pytest.skip("there is no program armilla")


@pytest.fixture
def sky(rng):
    return rng.normal(size=12 * NSIDE**2)


def test_map_to_spectra(sky):
    found = armilla.Workflow(ANALYSIS).run({"sky": sky}, ["alm", "cl"])
    alm = armilla.map2alm(sky, LMAX, iter=0)
    np.testing.assert_allclose(found["alm"].array, alm, atol=1e-14)
    np.testing.assert_allclose(found["cl"], armilla.alm2cl(alm), rtol=1e-12)
    assert found["alm"].lmax == LMAX and found["alm"].spins == (0,)


def test_as_healpy(sky):
    healpy = pytest.importorskip("healpy")
    found = armilla.Workflow(ANALYSIS).run({"sky": sky}, ["alm", "cl"])
    alm = healpy.map2alm(sky, LMAX, iter=0)
    np.testing.assert_allclose(found["alm"].array, alm, atol=1e-13)
    np.testing.assert_allclose(found["cl"], healpy.alm2cl(alm), rtol=1e-10)


def test_unused_comes_back(sky):
    assert list(armilla.Workflow(ANALYSIS).run({"sky": sky})) == ["cl"]
    assert armilla.Workflow(ANALYSIS).run({"sky": sky}, ()) == {}


def test_told_cannot_compute(sky):
    def tell(_):
        armilla.alm2map(np.zeros(6, complex), nside=4)
    with pytest.raises(armilla.SessionError, match="called to report the progress"):
        armilla.Workflow(ANALYSIS).run({"sky": sky}, progress=tell)
    assert armilla.alm2map(np.zeros(6, complex), nside=4).shape == (192,)


def test_last_that_is_told(sky):
    told = []
    armilla.Workflow(ANALYSIS).run({"sky": sky}, progress=told.append)
    assert told[-1].share == 1 and told[-1].done > 0 and told[-1].seconds > 0


def test_short_forms_come_back_by_their_names(sky):
    nodes = {"smooth": {"stage": "smoothing", "map": "sky", "fwhm": "20 deg"}}
    assert list(armilla.Workflow(nodes).run({"sky": sky})) == ["smooth"]


def test_set(sky):
    found = armilla.Workflow(ANALYSIS).set("lmax", 20).set("alm.iterations", 3).run({"sky": sky})
    want = armilla.alm2cl(armilla.map2alm(sky, 20, iter=3))
    np.testing.assert_allclose(found["cl"], want, rtol=1e-12)


def test_words_travel(rng):
    sky = armilla.Map(rng.normal(size=(3, 12 * NSIDE**2)), unit="K", coordinates="G")
    workflow = armilla.Workflow({"alm": {"stage": "map2alm", "map": "sky", "lmax": LMAX,
                                         "iterations": 0}})
    found = workflow.run({"sky": sky})["alm"]
    assert (found.unit, found.coordinates, found.spins) == ("K", "G", (0, 2))
    want = armilla.map2alm(sky.array, LMAX, iter=0, spin=(0, 2))
    np.testing.assert_allclose(found.array, want, atol=1e-14)
    back = armilla.Workflow({"map": {"stage": "alm2map", "alm": "found", "nside": NSIDE}})
    again = back.run({"found": found})["map"]
    assert (again.unit, again.coordinates, again.spins) == ("K", "G", (0, 2))
    np.testing.assert_allclose(again.array,
                               armilla.alm2map(want, nside=NSIDE, spin=(0, 2)), atol=1e-13)


def test_strided_and_single(sky):
    single = np.repeat(sky.astype(np.float32), 2)[::2]
    found = armilla.Workflow(ANALYSIS).run({"sky": single})["cl"]
    want = armilla.alm2cl(armilla.map2alm(single.astype(float), LMAX, iter=0))
    np.testing.assert_allclose(found, want, rtol=1e-12)


def test_realisations():
    workflow = armilla.Workflow({"workflow": {"repeat": 3},
                                 "alm": {"stage": "random-alm", "cl": "cl", "lmax": LMAX,
                                         "seed": 7}})
    found = workflow.run({"cl": armilla.Cl(np.ones(LMAX + 1))})["alm"]
    want = armilla.random_alm(np.ones(LMAX + 1), seed=7, copies=3)
    assert [one.realisation for one in found] == [0, 1, 2]
    np.testing.assert_array_equal([one.array for one in found], want)


def test_collected():
    nodes = {"workflow": {"repeat": 5},
             "alm": {"stage": "random-alm", "cl": "cl", "lmax": LMAX, "seed": 7},
             "power": {"stage": "alm2cl", "alm": "alm"},
             "all": {"stage": "collect", "input": "power"}}
    given = {"cl": armilla.Cl(np.ones(LMAX + 1))}
    each = armilla.Workflow(nodes).run(given, outputs=["power", "all.mean", "all.table"])
    power = np.array([one.array for one in each["power"]]).reshape(5, LMAX + 1)
    np.testing.assert_allclose(np.ravel(each["all.mean"].array), power.mean(axis=0), rtol=1e-12)
    table = each["all.table"]
    np.testing.assert_allclose(table[list(table)[2]], power.std(axis=0, ddof=1), rtol=1e-12)
    unasked = armilla.Workflow(nodes).run(given)
    np.testing.assert_array_equal(unasked["all.mean"].array, each["all.mean"].array)


def test_results_outlive_all(sky):
    cl = armilla.Workflow(ANALYSIS).run({"sky": sky})["cl"].array
    want = cl.copy()
    armilla.Workflow(ANALYSIS).run({"sky": 2 * sky})
    np.testing.assert_array_equal(cl, want)


def test_array_takes_the_place_of_a_node(sky):
    text = ANALYSIS + "[sky]\nstage = read-map\nfile = nowhere.fits\n"
    assert "cl" in armilla.Workflow(text).run({"sky": sky})


def test_tables(sky):
    found = armilla.Workflow({"s": {"stage": "map-statistics", "map": "sky"}}).run({"sky": sky})
    table = found["s.out"]
    assert isinstance(table, armilla.Table)
    np.testing.assert_allclose(table["MEAN"], [sky.mean()], atol=1e-14)
    assert "MEAN" in table._repr_html_()


COLUMNS = {"RA": [10.0, 20, 350, 80], "dec": [0.0, 5, -60, -90], "Weight": [1, 2, 1, 0],
           "g1": [0.1, -0.2, 0, 0.1], "g2": [0.0, 0.1, 0.2, 0], "patch": [0, 1, 1, 0],
           "mag": [4.5, 5, 6, 7]}


def objects(columns, **options):
    """A catalogue there and back."""
    stars = armilla.Catalogue(columns, units={"mag": "mag"}, coordinates="C", **options)
    workflow = armilla.Workflow({"map": {"stage": "bin-catalogue", "catalogue": "stars",
                                         "nside": NSIDE}})
    return workflow.run({"stars": stars}, ["stars"])["stars"]


@pytest.mark.parametrize("word, letter", [("EQUATORIAL", "C"), ("Galactic", "G"), ("ecliptic", "E"),
                                          ("ICRS", "C"), ("FK5", "C"), ("J2000", "C"), ("g", "G")])
def test_words_of_coordinates(word, letter):
    workflow = armilla.Workflow({"alm": {"stage": "map2alm", "map": "sky"}})
    found = workflow.run({"sky": armilla.Map(np.zeros(768), coordinates=word)}, ["alm"])["alm"]
    assert found.coordinates == letter
    stars = armilla.Catalogue({"ra": [1.0], "dec": [2.0]}, coordinates=word)
    workflow = armilla.Workflow({"map": {"stage": "bin-catalogue", "catalogue": "stars",
                                         "nside": NSIDE}})
    assert workflow.run({"stars": stars}, ["stars"])["stars"].coordinates == letter


def test_catalogue_there_and_back():
    found = objects(COLUMNS)
    assert list(found) == ["longitude", "latitude", "weight", "g1", "g2", "patch", "mag"]
    assert (found.n, found.coordinates, found.units["mag"]) == (4, "C", "mag")
    np.testing.assert_allclose(found["latitude"], COLUMNS["dec"], atol=1e-13)
    np.testing.assert_allclose(found["longitude"][:3], COLUMNS["RA"][:3], atol=1e-13)
    assert found["longitude"][3] == 0  # a pole
    for name in "patch", "mag":
        np.testing.assert_array_equal(found[name], COLUMNS[name])
    np.testing.assert_array_equal(found["weight"], COLUMNS["Weight"])
    np.testing.assert_array_equal(found["g1"][:3], COLUMNS["g1"][:3])
    vectors = np.stack([found[name] for name in "xyz"])
    np.testing.assert_allclose((vectors ** 2).sum(0), 1, rtol=1e-15)
    again = objects(found)
    for name in (*found, "x", "y", "z"):
        np.testing.assert_array_equal(again[name], found[name])


def test_catalogue_is_counted(rng):
    longitude, latitude = rng.uniform(0, 20, 300), rng.uniform(-5, 5, 300)
    table = np.zeros(300, [("lon", "f8"), ("lat", "f4"), ("id", "i4")])
    table["lon"], table["lat"] = longitude, latitude
    workflow = armilla.Workflow({
        "random": {"stage": "random-catalogue", "number": 500, "longitude-max": "20 deg",
                   "latitude-min": "-5 deg", "latitude-max": "5 deg"},
        "pairs": {"stage": "pair-correlation", "catalogue": "stars", "random": "random",
                  "min": "1 deg", "max": "10 deg", "bins": 5}})
    found = workflow.run({"stars": table}, ["random", "stars", "pairs.table"])
    pairs, random = found["pairs.table"], found["random"]
    edges = np.radians(np.geomspace(1, 10, 6))
    for name, one, two in (("DD", found["stars"], None), ("RR", random, None),
                           ("DR", found["stars"], random)):
        want = armilla.count_pairs(one.points, two and two.points, edges=edges).count
        np.testing.assert_array_equal(pairs[name], want)
    assert random.n == 500 and not set(random) & {"weight", "patch"}
    np.testing.assert_array_equal(found["stars"]["id"], table["id"])


def test_catalogue_in_files(tmp_path):
    file = tmp_path / "stars.fits"
    stars = armilla.Catalogue(COLUMNS)
    armilla.Workflow({"out": {"stage": "write-catalogue", "catalogue": "stars", "file": file,
                              "positions": "vectors"}}).run({"stars": stars})
    fits = pytest.importorskip("astropy.io.fits")
    with fits.open(file) as hdus:
        np.testing.assert_array_equal(hdus[1].data["mag"], COLUMNS["mag"])
        np.testing.assert_allclose(hdus[1].data["Z"], np.sin(np.radians(COLUMNS["dec"])), 1e-15)
    workflow = armilla.Workflow({"stars": {"stage": "read-catalogue", "file": file, "x": "X",
                                           "y": "Y", "z": "Z", "values": "mag"}})
    found = workflow.run()["stars"]
    for name in "x", "y", "z":
        np.testing.assert_allclose(found[name], stars[name], atol=1e-15)
    np.testing.assert_array_equal(found["mag"], COLUMNS["mag"])


def test_catalogue_shows(rng):
    found = objects({"x": rng.normal(size=50) * 0 + 1.0, "y": np.zeros(50), "z": np.zeros(50),
                     "mag": np.arange(50.0)})
    assert found._repr_html_().count("<tr>") == 22  # names, 20 rows, how many there are
    assert "latitude [deg]" in found._repr_html_() and "50 rows" in found._repr_html_()
    array = np.asarray(found)
    assert array.dtype.names == ("longitude", "latitude", "mag") and array["mag"][7] == 7
    assert "x" in found and "longitude" in found and "weight" not in found


@pytest.mark.parametrize("columns, says", [
    ({"ra": [1.0]}, "latitude: there is no such column"),
    ({"ra": [1.0], "x": [1.0], "y": [0.0]}, "latitude: there is no such column"),
    ({"x": [1.0], "y": [0.0]}, "z: there is no such column"),
    ({"ra": [1.0], "dec": [91.0]}, "object 1: the declination .* is 91 deg"),
    ({"ra": [1.0, 2], "dec": [1.0]}, "latitude: it has 1 rows, and others have 2"),
    ({"ra": [1.0], "RA": [1.0], "dec": [1.0]}, "another column is longitude too"),
    ({"ra": [1.0], "dec": [np.nan]}, "object 1: the declination"),
    ({"ra": [1.0], "dec": [1.0], "weight": [-1.0]}, "object 1: the weight is -1"),
    ({"ra": [1.0], "dec": [1.0], "g1": [0.0]}, "shears need both"),
    ({"ra": [1.0], "dec": [1.0], "patch": [0.5]}, "patch: it must be integers"),
    ({"ra": [1.0], "dec": [1.0], "patch": [-1]}, "object 1: patch is -1"),
    ({"ra": [1.0] * 3, "dec": [1.0] * 3, "weight": [1, np.nan, np.nan]},
     r"object 2: the weight is nan; .* \(2 of 3 objects"),
    ({"ra": [1.0], "dec": [1.0], "name": ["Vega"]}, "name: .* real numbers"),
    ({"x": [3.0], "y": [0.0], "z": [0.0]}, "object 1: "),
    ({}, "positions"),
])
def test_wrong_catalogues(columns, says):
    workflow = armilla.Workflow({"map": {"stage": "bin-catalogue", "catalogue": "stars",
                                         "nside": NSIDE}})
    with pytest.raises((ValueError, TypeError), match=f"stars: .*{says}"):
        workflow.run({"stars": columns})


def test_integers_are_exact(tmp_path):
    """Floating-point numbers would round them."""
    stars = {"ra": [10.0, 20], "dec": [0.0, 0]}
    for number in 2**53 + 1, -2**53 - 1, 2**63 - 1:
        for make in (lambda array: armilla.Catalogue({**stars, "id": array}),
                     lambda array: armilla.Map(np.resize(array, 12)), armilla.Cl):
            with pytest.raises(ValueError, match=f"{number} is an integer beyond 2.53"):
                make(np.array([1, number]))
    with pytest.raises(ValueError, match=f"{2**53 + 1} is an integer beyond 2.53"):
        armilla.Map(np.full(12, 2**53 + 1, np.uint64))
    assert armilla.Catalogue({**stars, "id": np.array([2**53 + 2, 2**63], np.uint64)}
                             )["id"].tolist() == [2**53 + 2, 2**63]
    for numbers in [1, 2**64 - 1], [0, 2**63]:
        table = armilla.Table({"n": np.array(numbers, np.uint64)})
        armilla.stages.write_table(table, file=tmp_path / "t.csv", overwrite=True)
        assert (tmp_path / "t.csv").read_text().split() == ["n", *map(str, numbers)]


def test_nan_in_a_column():
    """Allowed where it is not used; otherwise wrong, and no iteration that does not converge."""
    stars = {"ra": [10.0, 20, 30], "dec": [0.0, 0, 0], "mag": [1, np.nan, np.inf]}
    keys = {"stage": "select-rows", "catalogue": "stars"}
    found = armilla.Workflow({"all": {**keys, "condition": "lon > 0"},
                              "good": {**keys, "condition": "mag < 5"}}).run({"stars": stars})
    np.testing.assert_array_equal(found["all"]["mag"], stars["mag"])
    np.testing.assert_allclose(found["good"]["longitude"], [10], rtol=1e-14)
    mean = armilla.Workflow({"map": {"stage": "bin-catalogue", "catalogue": "stars",
                                     "nside": NSIDE, "quantity": "mean", "column": "mag"}})
    with pytest.raises(armilla.WorkflowError, match="mag: 2 of the 3 objects .*first is object 2"):
        mean.run({"stars": stars})
    mean.run({"stars": found["good"]})
    with pytest.raises(armilla.WorkflowError, match="weight is nan.*1 of 3 objects"):
        mean.run({"stars": {**stars, "weight": [1, 1, np.nan]}})


@pytest.mark.parametrize("name", ["z", "Z", "x", "Y", "zz"])
def test_a_redshift_beside_angles(name, tmp_path):
    """Where there are angles, x, y and z are ordinary columns: given, read from a file, and given
    again as they come back, beside the components of the positions."""
    ra, dec, values = np.array([10.0, 20, 30]), np.array([-5.0, 15, 40]), np.array([0.1, 0.2, 0.3])
    far = armilla.Workflow({"far": {"stage": "select-rows", "catalogue": "stars",
                                    "condition": f"{name} > 0.15"}})
    file = tmp_path / "stars.csv"
    np.savetxt(file, np.transpose([ra, dec, values]), delimiter=",", comments="",
               header=f"ra,dec,{name}")
    read = armilla.Workflow({"read": {"stage": "read-catalogue", "file": file, "values": name,
                                      "longitude-unit": "deg", "latitude-unit": "deg"}})
    columns = {"RA": ra, "DEC": dec, name: values}
    structured = np.rec.fromarrays([ra, dec, values], names=f"ra,dec,{name}")
    for given in (columns, structured, armilla.Catalogue(columns), read.run()["read"],
                  armilla.Catalogue(read.run()["read"])):
        found = far.run({"stars": given})["far"]
        assert list(found) == ["longitude", "latitude", name]
        np.testing.assert_array_equal(found[name], values[1:])
        np.testing.assert_allclose(found["longitude"], ra[1:], rtol=1e-14)
        np.testing.assert_allclose(found["latitude"], dec[1:], rtol=1e-14)
        again = far.run({"stars": found})["far"]
        np.testing.assert_array_equal(again._position["z"], found._position["z"])
        np.testing.assert_array_equal(again[name], values[1:])
        sine = found._position["z"]
        np.testing.assert_allclose(sine, np.sin(np.radians(dec[1:])), rtol=1e-14)
        if name not in ("x", "z"):
            np.testing.assert_array_equal(found["z"], sine)


def test_capitals_of_ordinary_columns(tmp_path):
    """A further column that a file calls as a catalogue calls a shear stays an ordinary column."""
    file = tmp_path / "stars.csv"
    file.write_text("ra,dec,G1,WEIGHT\n10,-5,5,7\n20,15,6,8\n")
    keys = {"stage": "read-catalogue", "file": file, "longitude-unit": "deg",
            "latitude-unit": "deg"}
    found = armilla.Workflow({"read": {**keys, "values": "G1, WEIGHT"}}).run()["read"]
    assert list(found) == ["longitude", "latitude", "G1", "WEIGHT"]
    assert "weight" not in found
    again = armilla.Workflow({"all": {"stage": "select-rows", "catalogue": "stars",
                                      "condition": "G1 > 0"}}).run({"stars": found})["all"]
    assert list(again) == list(found) and list(again["WEIGHT"]) == [7, 8]
    found = armilla.Workflow({"read": {**keys, "weight": "WEIGHT"}}).run()["read"]
    assert list(found["weight"]) == [7, 8]


def test_no_objects():
    found = objects({"ra": [], "dec": [], "mag": []})
    assert found.n == 0 and found["longitude"].shape == found["mag"].shape == (0,)


def test_tables_there_and_back(tmp_path):
    table = armilla.Table({"n": [1, -2**63], "wide": np.array([2**100, -2**90], object),
                           "value": [1.5, np.nan], "name": ["α", ""]}, {"value": "K"})
    file = tmp_path / "table.ecsv"
    workflow = armilla.Workflow({"out": {"stage": "write-table", "table": "table", "file": file}})
    found = workflow.run({"table": table}, ["table"])["table"]
    assert list(found) == list(table) and found.units == table.units
    for name in table:
        np.testing.assert_array_equal(found[name], table[name])
    assert file.read_text().splitlines()[-2:] == [
        f"1 {2**100} 1.5 α", f'{-2**63} {-2**90} nan ""']
    for columns, says in (({}, "no column"), ({"a": [1], "b": [1, 2]}, "b: it has 2 rows"),
                          ({"a": [[1]]}, "one dimension"), ({"a": [1j]}, "real numbers"),
                          ({"a": np.array([2**127], object)}, "numbers or texts")):
        with pytest.raises((ValueError, TypeError), match=says):
            armilla.Table(columns)
    with pytest.raises(ValueError, match="no column 'b'"):
        armilla.Table({"a": [1]}, {"b": "K"})


def test_pictures(sky):
    found = armilla.Workflow(ANALYSIS).run({"sky": sky}, ["sky", "alm", "cl"])
    for name in "sky", "alm", "cl":
        assert 'src="data:image/png;base64,iVBOR' in found[name]._repr_html_()
    assert found._repr_html_().count("<img") == 3


def test_progress(sky):
    told = []
    armilla.Workflow(LONG).set("workflow.repeat", 5).run({"sky": sky}, progress=told.append)
    assert told[-1].share == 1 and told[-1].realisations == 5
    shares = [one.share for one in told if one.share is not None]
    assert all(0 <= share <= 1 for share in shares)


def test_what_progress_raises_ends_the_run(sky):
    def stop(_):
        raise KeyError("enough")
    with pytest.raises(KeyError, match="enough"):
        armilla.Workflow(LONG).run({"sky": sky}, progress=stop)
    assert "cl" in armilla.Workflow(ANALYSIS).run({"sky": sky})


def test_ctrl_c(sky):
    timer = threading.Timer(1, signal.raise_signal, [signal.SIGINT])
    begin = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        armilla.Workflow(LONG).set("workflow.repeat", 100000).run({"sky": sky})
    timer.join()
    assert time.monotonic() - begin < 30
    assert "cl" in armilla.Workflow(ANALYSIS).run({"sky": sky})
    armilla.map2alm(sky)


def test_while_another_thread_computes(sky):
    want, failures, done = armilla.map2alm(sky, LMAX, iter=0), [], threading.Event()

    def work():
        while not done.is_set():
            if not np.array_equal(armilla.map2alm(sky, LMAX, iter=0), want):
                failures.append("not the same")
    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(5):
            found = armilla.Workflow(ANALYSIS).run({"sky": sky}, ["alm"])["alm"].array
            np.testing.assert_allclose(found, want, atol=1e-14)
    finally:
        done.set()
        thread.join()
    assert not failures


@pytest.mark.parametrize("text", [
    "[a]\nstage = map2alm\nmap = sky\n",
    "[a]\nstage = smoth-alm\n",
    "nothing\n[a\n",
    "[a]\nstage = random-alm\nlmax = many\nfwmh = 3\n",
    "",
])
def test_says_what_the_program_says(tmp_path, text):
    file = tmp_path / "wrong.workflow"
    file.write_text(text)
    said = subprocess.run([program(), "check", file], text=True, stderr=subprocess.PIPE)
    assert said.returncode == 2
    for call in "check", "run":
        with pytest.raises(armilla.WorkflowError) as caught:
            getattr(armilla.Workflow(file), call)()
        assert str(caught.value) == said.stderr.rstrip("\n")


def test_missing_files(tmp_path):
    file = tmp_path / "gone.workflow"
    said = subprocess.run([program(), "check", file], text=True, stderr=subprocess.PIPE).stderr
    with pytest.raises(armilla.FileError) as caught:
        armilla.Workflow(file)
    assert str(caught.value) == said.rstrip("\n")
    file.write_text("[m]\nstage = read-map\nfile = nowhere.fits\n")
    said = subprocess.run([program(), "check", file], text=True, stderr=subprocess.PIPE).stderr
    with pytest.raises(armilla.FileError) as caught:
        armilla.Workflow(file).check()
    assert str(caught.value) == said.rstrip("\n")


WRONG = [
    ({}, None, armilla.WorkflowError, r'no node "sky"'),
    ({"sky": np.zeros(767)}, None, ValueError, "sky: .*767 pixels"),
    ({"sky": np.array(["a"])}, None, TypeError, "sky|map"),
    ({"sky": np.full(768, np.nan)}, None, armilla.WorkflowError, "^sky: .*768 of 768 pixels of field 0"),
    ({"sky": np.zeros(6, complex)}, None, armilla.WorkflowError, "kind map, but node sky"),
    ({"s k": np.zeros(768)}, None, armilla.WorkflowError, "not a valid name of a node"),
    ({"sky": np.zeros(768)}, ["cll"], armilla.WorkflowError, r'no node "cll"; did you mean "cl"'),
    ({"sky": armilla.Map(np.zeros(768), coordinates="X")}, None, armilla.WorkflowError,
     'coordinates: unknown value "X"'),
    ({"sky": np.zeros(768)}, ["cl.map"], armilla.WorkflowError, 'no output "map"'),
]


@pytest.mark.parametrize("inputs, outputs, kind, says", WRONG)
def test_wrong(inputs, outputs, kind, says):
    with pytest.raises(kind, match=says):
        armilla.Workflow(ANALYSIS).run(inputs, outputs)


def test_wrong_settings(sky):
    with pytest.raises(armilla.WorkflowError, match="--set allm.lmax=2: no node"):
        armilla.Workflow(ANALYSIS).set("allm.lmax", 2).check({"sky": sky})
    with pytest.raises(armilla.WorkflowError, match="checkpoint"):
        armilla.Workflow(ANALYSIS).set("workflow.checkpoint", "5 min").run({"sky": sky})
    for key, value in ("report", "run.html"), ("spill", "elsewhere"):
        with pytest.raises(armilla.WorkflowError, match=key + ": .*use armilla run"):
            armilla.Workflow(ANALYSIS).set("workflow." + key, value).run({"sky": sky})
    with pytest.raises(armilla.WorkflowError, match="memory"):
        armilla.Workflow(ANALYSIS).set("workflow.memory", "1 GB").run({"sky": sky})
    with pytest.raises(ValueError, match="spin"):
        armilla.Map(np.zeros((3, 768)), spin=2)
    with pytest.raises(ValueError, match="shape"):
        armilla.Map(np.zeros((2, 3, 768)))


def test_files_are_whole_or_not_there(tmp_path, sky):
    file = tmp_path / "cl.fits"
    workflow = armilla.Workflow(ANALYSIS + f"[w]\nstage = write-cl\ncl = cl\nfile = {file}\n")
    workflow.run({"sky": sky})
    assert file.exists()
    with pytest.raises(armilla.Error, match="cl.fits"):
        workflow.run({"sky": sky})
    workflow.run({"sky": sky}, overwrite=True)


SWEPT = """
[workflow]
repeat = 2
sweep = soft.fwhm: 5, 10 deg; n: 8, 16
[draw]
stage = random-alm
cl = theory
lmax = ${n}
seed = 3
[soft]
stage = smooth-alm
alm = draw
[cl]
stage = alm2cl
alm = soft
[all]
stage = collect
input = cl
"""


def test_results_carry_what_is_swept():
    results = armilla.Workflow(SWEPT).run({"theory": armilla.Cl(np.ones(17))}, ["cl", "all.table"])
    points = [{"soft.fwhm": f, "n": n} for f in ("5deg", "10deg") for n in (8, 16)]
    assert [r.swept for r in results["all.table"]] == points
    assert [r.swept for r in results["cl"]] == [p for p in points for _ in range(2)]
    assert [r.lmax for r in results["cl"]] == [8, 8, 16, 16] * 2
    assert armilla.Cl(np.ones(3)).swept == {}
    with pytest.raises(AttributeError):
        results["cl"][0].swept = {}


def test_results_of_a_sweep_in_one_table():
    results = armilla.Workflow(SWEPT).run({"theory": armilla.Cl(np.ones(17))}, ["cl", "all.table"])
    table = results.together("all.table")
    tables = results["all.table"]
    assert list(table) == ["soft.fwhm", "n", *tables[0]]
    rows = [9, 17, 9, 17]
    assert table["soft.fwhm"] == ["5deg"] * 26 + ["10deg"] * 26
    assert table["n"].tolist() == [n for n, k in zip((8, 16, 8, 16), rows) for _ in range(k)]
    for column in tables[0]:
        assert np.array_equal(table[column], np.concatenate([t[column] for t in tables]))
    spectra = results.together("cl")
    assert list(spectra)[:4] == ["soft.fwhm", "n", "realisation", "l"]
    assert spectra["realisation"].tolist() == [r for r, k in enumerate(np.repeat(rows, 2))
                                               for _ in range(k)]
    ones = armilla.Workflow(SWEPT).run({"theory": armilla.Cl(np.ones(17))}, ["draw"])
    with pytest.raises(TypeError, match="tables and spectra"):
        ones.together("draw")
