# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of the docstrings are right."""
import doctest
import importlib

import pytest

MODULES = ["armilla", "armilla._session", "armilla.alm", "armilla.convolution", "armilla.counts",
           "armilla.geometry", "armilla.harmonic", "armilla.healpy", "armilla.operators"]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        pytest.skip(str(error))
    assert doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0
