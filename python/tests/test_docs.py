# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of the docstrings are right."""
import doctest
import importlib
import os
import re

import pytest

MODULES = ["armilla", "armilla._healpy_order", "armilla._healpy_random", "armilla._session",
           "armilla.alm", "armilla.columns", "armilla.convolution", "armilla.counts",
           "armilla.fields", "armilla.geometry", "armilla.harmonic", "armilla.healpy", "armilla.jax",
           "armilla.operators", "armilla.torch", "armilla.workflow"]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        pytest.skip(str(error))
    assert doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


def test_readme():
    """Its lines of Python can be copied and run."""
    path = os.path.join(os.path.dirname(__file__), os.pardir, "README.md")
    with open(path, encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 1
    names: dict = {}
    exec(blocks[0], names)
    assert names["cl"].shape == (129,) and abs(names["cl"][100:].mean() - 1) < 0.2
