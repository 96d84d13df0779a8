# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever is done to public attributes and to arrays that were given, the library reads no memory
that is not there: attributes cannot be changed, and arrays cannot be resized while they are used."""
import copy
import dataclasses
import pickle

import numpy as np
import pytest

import armilla

NSIDE, LMAX = 8, 12
RESIZED = "cannot resize"


def objects():
    """One of each class, results of a run among them."""
    table = armilla.Table({"a": np.arange(5.0), "t": ["x"] * 5, "n": np.arange(5)}, {"a": "K"})
    stars = armilla.Catalogue({"ra": [1.0, 2], "dec": [3.0, 4], "z": [5.0, 6], "patch": [0, 1]})
    sky = armilla.Map(np.ones((3, 12 * NSIDE**2)), unit="K", coordinates="G", names="IQU")
    flow = armilla.Workflow({"alm": {"stage": "map2alm", "map": "sky", "lmax": LMAX},
                             "cl": {"stage": "alm2cl", "alm": "alm"},
                             "sum": {"stage": "expression", "table": "t",
                                     "expression": "a + 1"},
                             "far": {"stage": "select-rows", "catalogue": "stars",
                                     "condition": "z > 5"}})
    results = flow.run({"sky": sky, "t": table, "stars": stars},
                       ["alm", "cl", "sum", "far", "sky"])
    return [sky, armilla.Alm(np.zeros(6, complex)), armilla.Cl(np.zeros(4)), table, stars,
            armilla.Points([1.0, 2], [3.0, 4]), armilla.geometry.healpix(4),
            armilla.geometry.rings([1.0, 2], [4, 4]), armilla.Session(),
            armilla.count_pairs(armilla.Points([1.0, 2], [3.0, 4]), edges=[0.01, 0.1]),
            *results.values()]


def public(thing):
    return [name for name in dir(thing) if not name.startswith("_")]


def test_attributes_cannot_be_changed():
    wrong = (None, (), 0, 10**9, "a", np.zeros(3))
    tried = set()
    for thing in objects():
        for name in public(thing):
            before = getattr(thing, name)
            for value in wrong:
                with pytest.raises(AttributeError, match=name):
                    setattr(thing, name, value)
            with pytest.raises(AttributeError, match=name):
                delattr(thing, name)
            assert type(getattr(thing, name)) is type(before)
            tried.add(f"{type(thing).__name__}.{name}")
    assert {"Map.names", "Map.array", "Map.spins", "Map.geometry", "Map.kind", "Alm.lmax",
            "Alm.mmax", "Cl.lmax", "Table.n", "Table.units", "Catalogue.coordinates", "Points.n",
            "Geometry.rings", "Session.handle", "Session.communicator", "PairCounts.count",
            "Map.realisation"} <= tried


def test_views_and_lists_are_apart():
    """What an attribute gives can be changed in its shape or length without a change of the field."""
    sky = armilla.Map(np.arange(96.0).reshape(2, 48), spin=0)
    sky.array.shape = (96,)
    assert sky.array.shape == (2, 48) and np.asarray(sky).shape == (2, 48)
    sky.array[1, 2] = 7
    assert sky.array[1, 2] == 7
    table = armilla.Table({"a": [1.0, 2], "t": ["x", "y"]})
    table["t"].pop()
    table["a"].shape = (2, 1)
    assert table["t"] == ["x", "y"] and table["a"].shape == (2,)
    with pytest.raises(TypeError):
        table.units["a"] = "K"
    found = armilla.Workflow({"o": {"stage": "expression", "table": "t",
                                    "expression": "2 * a"}}).run({"t": table})["o"]
    assert found["t"] == ["x", "y"] and found.n == 2


def test_given_arrays_cannot_be_resized():
    """Not even without NumPy's count of references, as long as the field that has them lives."""
    for kind, make in ((armilla.Map, lambda: np.arange(48.0)), (armilla.Cl, lambda: np.arange(4.0)),
                       (armilla.Alm, lambda: np.zeros(6, complex))):
        whole = make()
        for given in (whole, whole[:]):
            field = kind(given)
            with pytest.raises(ValueError, match=RESIZED):
                whole.resize(3, refcheck=False)
            assert field.array.size == whole.size
            del field, given
        whole.resize(3, refcheck=False)
        assert whole.size == 3


def test_columns_are_copies():
    a, b = np.linspace(0, 50, 1000), np.zeros(1000)
    a, b = a.copy(), b.copy()
    table, points = armilla.Table({"a": a}), armilla.Points(a, b)
    want = armilla.count_pairs(points, edges=[0.01, 0.1]).count
    for one in (a, b):
        one[:] = -1
        one.resize(3, refcheck=False)
    assert table.n == 1000 and table["a"][999] == 50
    np.testing.assert_array_equal(armilla.count_pairs(points, edges=[0.01, 0.1]).count, want)
    edges = np.array([0.01, 0.1])
    geometry = armilla.geometry.rings(np.array([1.0, 2]), np.array([4, 4]))
    edges.resize(1, refcheck=False)
    assert geometry.n_pixels == 8


def test_arrays_cannot_be_resized_during_a_run():
    """The function that is told of a run tries to, and other threads could. The results are those
    of the arrays as they were."""
    sky = np.random.default_rng(1).normal(size=12 * NSIDE**2)
    want = armilla.map2alm(sky, LMAX)
    refused = []

    def tell(_):
        for resize in (lambda: sky.resize(3, refcheck=False),
                       lambda: setattr(given, "names", ()),
                       lambda: given.array.resize(3, refcheck=False)):
            try:
                resize()
            except (ValueError, AttributeError) as error:
                refused.append(str(error))
    given = armilla.Map(sky)
    flow = armilla.Workflow({"alm": {"stage": "map2alm", "map": "sky", "lmax": LMAX}})
    found = flow.run({"sky": given}, progress=tell)["alm"].array
    assert len(refused) >= 3 and len(refused) % 3 == 0
    np.testing.assert_allclose(found, want, atol=1e-12)


def test_lengths_are_checked_when_a_run_begins():
    """Behind the attributes: what was changed all the same is an error that names it."""
    flow = armilla.Workflow({"o": {"stage": "map2alm", "map": "m", "lmax": 3}})
    sky = armilla.Map(np.zeros((3, 48)))
    vars(sky)["names"] = ("a",)
    with pytest.raises(armilla.WorkflowError, match="m: names: 1 given; the map has 3 fields"):
        flow.run({"m": sky})
    for name, value, says in (("spins", (0,) * 9, "its spins describe 9"),
                              ("spins", 2**31, "spins: 2147483648 is not a list of numbers"),
                              ("spins", 3, "spins: 3 is not a list of numbers"),
                              ("geometry", armilla.geometry.healpix(16), "48 numbers")):
        sky = armilla.Map(np.zeros((3, 48)))
        vars(sky)[name] = value
        with pytest.raises(armilla.WorkflowError, match=f"m: .*{says}"):
            flow.run({"m": sky})
    table = armilla.Table({"a": ["x"] * 5, "wide": np.array([2**100] * 5, object)})
    flow = armilla.Workflow({"o": {"stage": "expression", "table": "t",
                                   "expression": "row"}})
    table._columns["a"] = ("x",) * 4
    with pytest.raises(armilla.WorkflowError, match="t: a: the column has 4 rows; the table has 5"):
        flow.run({"t": table})
    table._columns["a"] = ("x",) * 5
    for bad in ("x", 1.5, 2**127, None):
        table["wide"][2] = bad
        with pytest.raises(armilla.WorkflowError, match="wide: it must be integers"):
            flow.run({"t": table})


@pytest.mark.parametrize("rings", [(), (b"",) * 4, (b"1" * 16,) * 4 + (b"1" * 8,), [b"1" * 8] * 5,
                                   (b"1" * 7,) * 5, (bytearray(8),) * 5])
def test_geometries_have_rings_of_one_length(rings):
    whole = armilla.geometry.rings([1.0, 2], [4, 4])
    with pytest.raises(ValueError, match="rings"):
        dataclasses.replace(whole, rings=rings)
    with pytest.raises((TypeError, ValueError), match="n_pixels"):
        dataclasses.replace(whole, n_pixels="many")


def test_copies():
    for thing in objects():
        if isinstance(thing, armilla.Session):
            continue
        for made in (copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))):
            assert type(made) is type(thing)
            if isinstance(thing, (armilla.Map, armilla.Alm, armilla.Cl, armilla.Table)):
                assert list(np.asarray(made).flat) == list(np.asarray(thing).flat)
            with pytest.raises(AttributeError):
                made.n = 10**9 if not hasattr(made, "array") else None
                made.array = None
