# SPDX-License-Identifier: GPL-3.0-or-later
"""Every stage as a function of Python."""
import ast
import contextlib
import doctest
import inspect
import os
import re
import sys
import types

import numpy as np
import pytest

import armilla
from armilla import _docstrings, _registry, samples, stages

ALL = {name: stage for name, stage in _registry.stages().items() if not stage.renamed}


def same(a, b):
    """Objects of the same bits and words."""
    assert type(a) is type(b)
    if isinstance(a, (armilla.Table, armilla.Catalogue)):
        assert list(a) == list(b) and dict(a.units) == dict(b.units)
        for name in a:
            np.testing.assert_array_equal(np.asarray(a[name]), np.asarray(b[name]))
    else:
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
        assert (a.names, a.unit) == (b.names, b.unit)


def in_workflow(stage, inputs, output=None, **properties):
    """What a workflow of one node gives."""
    keys = {key.replace("_", "-"): value for key, value in properties.items()}
    node = {"stage": stage, **{name: name for name in inputs}, **keys}
    names = [f"node.{output}" if output else "node"]
    return armilla.Workflow({"node": node}).run(inputs, names)[names[0]]


@pytest.mark.parametrize("name", ALL)
def test_described(name):
    """Signature and docstring have all that the stage has."""
    stage, function = ALL[name], getattr(stages, name)
    parameters = inspect.signature(function).parameters
    assert list(parameters)[:1] != ["arguments"]
    sections = re.split(r"\n\n(\w+)\n-+\n", inspect.getdoc(function))
    text = dict(zip(sections[1::2], sections[2::2]))
    for part in stage.inputs + stage.properties:
        assert part.name.isidentifier()
        positional = parameters[part.name].kind is not inspect.Parameter.KEYWORD_ONLY
        assert positional == (part in stage.inputs or not part.optional)
        assert (parameters[part.name].default is inspect.Parameter.empty) != part.optional
        found = re.search(rf"^{part.name} : (.*)\n    \S", text["Parameters"], re.MULTILINE)
        assert found, part.name
        assert part.kind != "choice" or all(repr(word) in found.group(1)
                                            for word in part.range.split(", "))
        assert not part.units or f"Units: {part.units}." in " ".join(text["Parameters"].split())
    for output in stage.outputs:
        assert re.search(rf"^{output.name} : ", text["Returns"], re.MULTILINE)
    assert ("References" in text) == bool(stage.reference)
    assert function.__name__ == name and function.__module__ == "armilla.stages"
    assert max(len(line) for line in function.__doc__.splitlines()) <= 110


@pytest.mark.parametrize("name", ALL)
def test_example(name, tmp_path, monkeypatch):
    """It runs, and no sample is changed by it."""
    monkeypatch.chdir(tmp_path)
    found = doctest.DocTestFinder().find(getattr(stages, name), name, globs={})
    assert len(found) == 1 and len(found[0].examples) >= 2
    fields = [make().array for make in (samples.alm, samples.teb, samples.map, samples.cl)]
    before = [array.tobytes() for array in fields]  # tasks may use the caller's memory
    assert doctest.DocTestRunner().run(found[0]).failed == 0
    assert [array.tobytes() for array in fields] == before
    if not ALL[name].outputs:
        assert list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ALL)
def test_mistakes(name):
    """Errors name the argument."""
    stage, function = ALL[name], getattr(stages, name)
    used = function if name != "panel" else \
        lambda **arguments: stages.render_panels(stages.panel(**arguments), file="no.png")
    rest = {part.name: {"map": samples.map(), "alm": samples.alm(), "cl": samples.cl(),
                        "table": samples.table(), "catalogue": samples.catalogue(),
                        "matrix": samples.matrix()}.get(part.kind, samples.picture())
            for part in stage.inputs if not part.optional}
    rest.update({part.name: "x" for part in stage.properties if not part.optional})
    if name == "observed_sky":
        rest.update(nside=8, sigma=1)  # without noise its properties are of no use
    with pytest.raises(TypeError, match=f"^{name}: no_such: there is no such argument"):
        function(**rest, no_such=1)
    for part in stage.inputs:
        for bad in object(), {"a": [[1]]}, np.zeros((2, 3, 4, 5)), "text", [np.nan, 1j]:
            with pytest.raises((TypeError, ValueError), match=rf"^{name}: {part.name}(\[\d\])?: "):
                used(**{**rest, part.name: bad})
    for part in stage.properties:
        if not part.name.isidentifier() or part.kind == "text":
            bads = [object(), {"a": 1}]
        else:
            bads = [object(), "nonsense !"]
        for bad in bads:
            with pytest.raises((TypeError, ValueError), match=rf"(?m)^{name}: {part.name}: "):
                used(**{**rest, part.name: bad})
    for part in stage.inputs + stage.properties:
        if not part.optional:
            with pytest.raises(TypeError, match=f"^{name}: missing .*'{part.name}'"):
                function(**{key: value for key, value in rest.items() if key != part.name})
    if len(stage.outputs) > 1:
        with pytest.raises(ValueError, match=f"^{name}: outputs: there is no output 'no'"):
            function(**rest, outputs=["no"])


def test_list():
    """Those of the library, and no others."""
    assert sorted(dir(stages)) == sorted(ALL) == sorted(stages.__all__)
    assert len(ALL) >= 58
    with pytest.raises(AttributeError, match="no attribute 'purifi'"):
        stages.purifi  # pylint: disable=pointless-statement


def test_stubs():
    """The package has stubs of its own stages, which are Python and up to date."""
    path = os.path.join(os.path.dirname(armilla.__file__), "stages.pyi")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    tree = ast.parse(text)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for name, node in functions.items():
        parameters = inspect.signature(getattr(stages, name)).parameters
        told = node.args.args + node.args.kwonlyargs
        assert [one.arg for one in told] == list(parameters)
    assert sorted(functions) == sorted(ALL)
    assert text == _docstrings.stubs(ALL)


def test_purify():
    inputs = {"map": samples.iqu(), "mask": samples.mask()}
    got = stages.purify(*inputs.values(), pure="eb", mask_lmax=40)
    same(got, in_workflow("purify", inputs, pure="eb", mask_lmax=40))
    assert got.spins == (0, 2) and got.unit == "uK"


def test_bandpowers():
    spectra = samples.spectra()
    got = stages.bandpowers(spectra.array, delta_l=8, lmin=2)
    same(got, in_workflow("bandpowers", {"cl": armilla.Cl(spectra.array)}, delta_l=8, lmin=2))
    # a bandpower is the mean over the multipoles of its bin
    first, last = int(got["l_min"][0]), int(got["l_max"][0])
    column = next(name for name in got if name not in ("l", "l_min", "l_max"))
    assert np.isclose(got[column][0], spectra.array[0, first:last + 1].mean(), rtol=1e-13)


def test_coupling_and_decouple():
    matrix = stages.coupling(mask=samples.mask(), lmax=24)
    same(matrix, in_workflow("coupling", {"mask": samples.mask()}, lmax=24))
    np.testing.assert_array_equal(matrix.rows.values, np.arange(25))
    cl = armilla.Cl(samples.cl().array[:25])
    got = stages.decouple(cl, matrix, delta_l=5, outputs=("windows", "table"))
    assert got._fields == ("windows", "table")
    same(got.table, in_workflow("decouple", {"cl": cl, "coupling": matrix}, "table", delta_l=5))
    same(got.windows, in_workflow("decouple", {"cl": cl, "coupling": matrix}, "windows", delta_l=5))
    again = armilla.Matrix(np.asarray(matrix), rows=matrix.rows, columns=matrix.columns,
                           names=matrix.names, unit=matrix.unit)
    same(stages.decouple(cl, again, delta_l=5), got.table)


def test_pair_correlation():
    words = {"min": "1 deg", "max": "30 deg", "bins": 6}
    inputs = {"catalogue": samples.catalogue(), "random": samples.random()}
    got = stages.pair_correlation(*inputs.values(), **words)
    same(got, in_workflow("pair-correlation", inputs, "table", **words))
    points = samples.catalogue()
    a = np.radians(points["longitude"]), np.radians(points["latitude"])
    vectors = np.stack([np.cos(a[1]) * np.cos(a[0]), np.cos(a[1]) * np.sin(a[0]), np.sin(a[1])], -1)
    angles = np.degrees(np.arccos(np.clip(vectors @ vectors.T, -1, 1)))
    angles = angles[np.triu_indices(points.n, 1)]
    edges = np.append(got["theta_min"], got["theta_max"][-1])
    np.testing.assert_array_equal(got["DD"], np.histogram(angles, edges)[0])


def test_collect():
    rng = np.random.default_rng(2)
    maps = [armilla.Map(rng.standard_normal(192), unit="K") for _ in range(5)]
    got = stages.collect(maps, outputs=("mean", "variance", "maximum"))
    text = armilla.Workflow({"workflow": {"repeat": 5}, "c": {"stage": "collect", "input": "maps"}})
    found = text.run({"maps": maps}, ["c.mean", "c.variance", "c.maximum"])
    together = np.stack([one.array for one in maps])
    for result, name, expected in (
            (got.mean, "mean", together.mean(0)), (got.variance, "variance", together.var(0, ddof=1)),
            (got.maximum, "maximum", together.max(0))):
        same(result, found[f"c.{name}"])
        np.testing.assert_allclose(result.array, expected, rtol=1e-12, atol=1e-14)
    with pytest.raises(ValueError, match=r"^collect: input\[1\]: "):
        stages.collect([maps[0].array, np.full(192, np.nan)])
    with pytest.raises(ValueError, match="^collect: input: it is an empty list"):
        stages.collect([])
    with pytest.raises(ValueError, match="repeat must be 5 or less"):
        armilla.Workflow({"workflow": {"repeat": 6}, "c": {"stage": "collect", "input": "maps"}}) \
            .run({"maps": maps}, ["c.mean"])


def test_sweep_table():
    tables = [armilla.Table({"x": [1.0 * k, 2.0]}) for k in range(3)]
    got = stages.sweep_table(tables)
    assert list(got) == ["point", "x"]
    np.testing.assert_array_equal(got["point"], [0, 0, 1, 1, 2, 2])
    np.testing.assert_array_equal(got["x"], [0, 2, 1, 2, 2, 2])


def test_render(tmp_path):
    sky, cl = samples.map(), samples.cl()
    stages.render(tmp_path / "a.png", map=sky, title="100% ${x} \\n", width=300)
    nodes = {"node": {"stage": "render", "map": "map", "file": tmp_path / "b.png", "width": 300,
                      "title": "100% $${x} \\\\n"}}
    armilla.Workflow(nodes).run({"map": sky})
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    with pytest.raises(armilla.FileError, match="^render: file: "):
        stages.render(tmp_path / "a.png", map=sky)
    stages.render(tmp_path / "a.png", map=sky, overwrite=True, width=300)
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "b.png").read_bytes()
    left, right = stages.panel(map=sky, title="sky"), stages.panel(cl=cl)
    stages.render_panels(left, panel2=right, file=tmp_path / "c.png", width=400)
    nodes = {"left": {"stage": "panel", "map": "map", "title": "sky"},
             "right": {"stage": "panel", "cl": "cl"},
             "node": {"stage": "render-panels", "panel": "left", "panel2": "right", "width": 400,
                      "file": tmp_path / "d.png"}}
    armilla.Workflow(nodes).run({"map": sky, "cl": cl})
    assert (tmp_path / "c.png").read_bytes() == (tmp_path / "d.png").read_bytes()
    with pytest.raises(TypeError, match="^render_panels: panel: .* must be a picture that another"):
        stages.render_panels(sky, file="e.png")
    with pytest.raises(ValueError, match="(?m)^panel: levels: "):
        stages.render_panels(stages.panel(map=sky, levels="a"), file=tmp_path / "e.png")


def test_units():
    units = pytest.importorskip("astropy.units")
    got = stages.smooth_alm(samples.alm(), fwhm=5 * units.deg)
    same(got, stages.smooth_alm(samples.alm(), fwhm="5 deg"))
    same(got, stages.smooth_alm(samples.alm(), fwhm="5deg"))
    same(stages.smooth_alm(samples.alm(), fwhm=0.1 * units.rad),
         stages.smooth_alm(samples.alm(), fwhm="0.1 rad"))
    with pytest.raises(ValueError, match="^smooth_alm: fwhm: .*m"):
        stages.smooth_alm(samples.alm(), fwhm=5 * units.m)
    with pytest.raises(ValueError, match="^smooth_alm: fwhm: \"5\" has no unit"):
        stages.smooth_alm(samples.alm(), fwhm=5)
    sky = samples.map().array * units.K
    assert stages.map2alm(sky, lmax=8).unit == "K"


def test_values(tmp_path):
    """Numbers of NumPy, lists, paths and None."""
    sky = samples.iqu()
    got = stages.set_fields(sky, fields=[2, 1], names=("U", "Q"), spin=0, unit=None)
    np.testing.assert_array_equal(got.array, sky.array[[2, 1]])
    assert got.names == ("U", "Q")
    same(stages.ud_grade(sky, np.int64(8)), stages.ud_grade(sky, nside="2 * 4"))
    file = tmp_path / " odd $name\\ "
    os.mkdir(file)
    stages.write_map(sky, file / "sky.fits")
    np.testing.assert_array_equal(stages.read_map(file / "sky.fits", fields="all").array, sky.array)
    assert stages.mask(map=sky.array[0].astype(np.float32), mask=samples.mask()).names is not None


class OnGpu:
    """An array of a package that passes for CuPy."""

    __module__ = "cupy"

    def __init__(self, array):
        self.host = np.array(array)
        memory = (self.host.__array_interface__["data"][0], False)
        self.__cuda_array_interface__ = {"shape": self.host.shape, "version": 3, "data": memory,
                                         "typestr": self.host.dtype.str}

    def get(self):
        return self.host.copy()

    def __dlpack_device__(self):
        return 2, 0


def test_arrays_on_a_gpu(monkeypatch):
    """They are copied, and results are arrays of the same package."""
    cuda = types.SimpleNamespace(Device=lambda number: contextlib.nullcontext())
    monkeypatch.setitem(sys.modules, "cupy", types.SimpleNamespace(asarray=OnGpu, cuda=cuda))
    sky = samples.map()
    expected = stages.ud_grade(sky.array, 8)
    got = stages.ud_grade(OnGpu(sky.array), 8)
    assert isinstance(got.array, OnGpu) and isinstance(expected.array, np.ndarray)
    np.testing.assert_array_equal(got.array.host, expected.array)
    np.testing.assert_array_equal(np.asarray(got), expected.array)
    again = stages.map2alm(got, lmax=8)  # a result is an input, on the GPU too
    assert isinstance(again.array, OnGpu) and again.array.host.dtype == np.complex128
    np.testing.assert_array_equal(again.host, stages.map2alm(expected, lmax=8).array)
    assert isinstance(stages.map_statistics(OnGpu(sky.array)), armilla.Table)
    with pytest.raises(ValueError, match="^ud_grade: nside: "):
        stages.ud_grade(OnGpu(sky.array), "x")


def test_arrays_of_jax():
    jax = pytest.importorskip("jax")
    sky = samples.map()
    with jax.enable_x64(True) if hasattr(jax, "enable_x64") else contextlib.nullcontext():
        got = stages.ud_grade(jax.numpy.asarray(sky.array), 8)
        assert isinstance(got.array, jax.Array)
        np.testing.assert_allclose(np.asarray(got.array), stages.ud_grade(sky, 8).array, rtol=1e-6)


def test_kinds():
    with pytest.raises(TypeError, match="^smooth_alm: alm: it is an armilla.Map; it must be an "
                                        "armilla.Alm"):
        stages.smooth_alm(samples.map(), fwhm="1 deg")
    with pytest.raises(ValueError, match="1 values given for 2 rows"):
        armilla.Matrix(np.eye(2), rows=[1.0])
    with pytest.raises(ValueError, match="must be .row, column."):
        armilla.Matrix([1.0])
    with pytest.raises(ValueError, match="names: 1 given for 2 matrices"):
        armilla.Matrix(np.zeros((2, 3, 3)), names=["a"])


def test_threads_of_python():
    """Ctrl-C and threads work as with workflows; a call within a progress function does not."""
    workflow = armilla.Workflow({"a": {"stage": "smoothing", "map": "map", "fwhm": "5 deg"}})

    def tell(_):
        with pytest.raises(armilla.SessionError):
            stages.ud_grade(samples.map(), 8)

    workflow.run({"map": samples.map()}, progress=tell)


def test_former_names():
    """Stages and inputs by the names that they had: the same results, and a warning."""
    alm, sky = samples.alm(), samples.map()
    with pytest.warns(FutureWarning, match="combine_alm is now called combine"):
        former = stages.combine_alm
    same(former(alm, alm, weights=(1, 2)), stages.combine(alm, alm, weights=(1, 2)))
    with pytest.warns(FutureWarning, match="alm2 is now called input2"):
        same(former(alm, alm2=alm), stages.combine(alm, alm))
    with pytest.warns(FutureWarning, match="map is now called input"):
        same(stages.set_fields(map=sky, names="X"), stages.set_fields(sky, names="X"))
    with pytest.warns(FutureWarning, match="expression_cl is now called expression"):
        former = stages.expression_cl
    same(former(samples.cl(), "2 * cl"), stages.expression("2 * cl", cl=samples.cl()))
    assert "combine_alm" not in dir(stages)
