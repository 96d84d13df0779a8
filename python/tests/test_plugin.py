# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages of a user's module, ARMILLA_TEST_PLUGIN, are functions without a line of Python."""
import inspect
import os

import numpy as np
import pytest

import armilla
from armilla import _registry, samples, stages
from test_ranks import on_ranks


@pytest.fixture(autouse=True, scope="module")
def module():
    folder = os.environ.get("ARMILLA_TEST_PLUGIN")
    if not folder:
        pytest.skip("ARMILLA_TEST_PLUGIN names no folder with examples/plugin")
    os.environ["ARMILLA_PLUGIN_PATH"] = folder
    _registry.stages.cache_clear()
    yield
    del os.environ["ARMILLA_PLUGIN_PATH"]
    _registry.stages.cache_clear()


def test_function_of_pixels():
    sky = samples.iqu()
    got = stages.polarised_intensity(sky)
    np.testing.assert_array_equal(got.array, np.sqrt(sky.array[1] ** 2 + sky.array[2] ** 2))
    assert got.names == ("P_INTENSITY",) and got.unit == "uK"
    assert "polarised_intensity" in dir(stages)
    with pytest.raises(ValueError, match="^polarised_intensity: map: it must have the fields I, Q"):
        stages.polarised_intensity(samples.map())


def test_codelet():
    sky = samples.map()
    got, scale = stages.stretch(sky, softness=0.05, outputs=("out", "scale"))
    x, low, high = sky.array, sky.array.min(), sky.array.max()
    np.testing.assert_allclose(got.array, np.arcsinh((x - low) / ((high - low) * 0.05))
                               / np.arcsinh(20), rtol=1e-13, atol=1e-15)
    assert repr(scale).endswith("of armilla.stages.stretch>")
    np.testing.assert_allclose(stages.unstretch(got, scale).array, x, rtol=1e-12, atol=1e-14)
    node = armilla.Workflow({"n": {"stage": "stretch", "map": "map", "softness": 0.05}})
    np.testing.assert_array_equal(node.run({"map": sky}, ["n.out"])["n.out"].array, got.array)
    with pytest.raises(ValueError, match="^stretch: softness: 2e6 is out of range; allowed: 1e-06"):
        stages.stretch(sky, softness="2e6")


def test_documentation():
    assert str(inspect.signature(stages.stretch)) == "(map, *, softness=0.1, outputs=None)"
    text = inspect.getdoc(stages.stretch)
    for line in ("softness : float, 1e-06 to 1000000, default 0.1", "map : Map", "out : Map",
                 "    Share of the range in which it is linear.",
                 ">>> out = stages.stretch(samples.map())"):
        assert line in text.splitlines(), text


def test_ranks(tmp_path):
    pytest.importorskip("mpi4py")
    sky = samples.iqu()
    stretched = stages.stretch(stages.polarised_intensity(sky), softness=0.05)
    armilla.stop()
    file = str(tmp_path / "expected.npz")
    np.savez(file, iqu=sky, stretched=stretched)
    said = on_ranks(2, "refused", file)
    if "refused:" in said.stdout:
        pytest.skip("this Armilla refuses communicators, and says why")
    run = on_ranks(2, "plugin", file)
    assert run.returncode == 0, run.stdout
