# SPDX-License-Identifier: GPL-3.0-or-later
"""Values, peaks and stacks of maps in arrays, at the objects of catalogues in arrays."""
import numpy as np
import pytest

import armilla
from armilla import stages


def dipole(nside):
    """cos theta at the centres of the pixels, ring by ring."""
    ring = np.concatenate([np.repeat(np.arange(1, nside), 4 * np.arange(1, nside)),
                           np.repeat(np.arange(nside, 2 * nside + 1), 4 * nside)])
    north = np.where(ring < nside, 1 - ring**2 / (3 * nside**2), 4 / 3 - 2 * ring / (3 * nside))
    return np.concatenate([north, -north[:north.size - 4 * nside][::-1]])


def test_sample_map():
    """A field that is linear in z, at rings: there bilinear interpolation is exact."""
    nside = 8
    sky = dipole(nside)
    values = np.unique(sky)
    where = {"longitude": np.linspace(0, 500, values.size),
             "latitude": np.degrees(np.arcsin(values))}
    out = stages.sample_map(sky, where, columns="z")
    assert np.abs(np.asarray(out["z"]) - values).max() < 1e-14
    near = stages.sample_map(np.arange(12 * nside**2) * 1.0, {"longitude": [45], "latitude": [90]},
                             method="nearest")
    assert np.asarray(near["TEMPERATURE"])[0] == 0
    with pytest.raises(ValueError, match="finite|NaN|nan"):
        stages.sample_map(sky, {"longitude": [1, np.nan], "latitude": [2, 3]})


def test_find_peaks():
    sky = np.zeros(12 * 4**2)
    sky[100], sky[7] = 3, -2
    peaks = stages.find_peaks(sky, type="both")
    assert list(peaks["PIXEL"]) == [7, 100]
    assert list(peaks["VALUE"]) == [-2, 3] and list(peaks["TYPE"]) == [-1, 1]
    assert list(stages.find_peaks(sky, threshold=1)["PIXEL"]) == [100]


def test_stack():
    """Patches of a constant, and of a single object."""
    where = {"longitude": [10, 200, 300], "latitude": [-80, 0, 45]}
    mean, error = stages.stack(np.full(12 * 16**2, 2.5), where, size="10 deg",
                               resolution="2 deg", outputs=("mean", "error"))
    assert np.asarray(mean).shape[-2:] == (5, 5)
    assert np.abs(np.asarray(mean) - 2.5).max() < 1e-14
    assert np.abs(np.asarray(error)).max() < 1e-14
    mean, error = stages.stack(dipole(64), {"longitude": [30], "latitude": [20]}, size="10 deg",
                               resolution="2 deg", outputs=("mean", "error"))
    rows = np.sin(np.radians(20 - 2 * (np.arange(5) - 2)))
    assert np.abs(np.squeeze(np.asarray(mean))[:, 2] - rows).max() < 1e-3
    assert np.isnan(np.asarray(error)).all()
