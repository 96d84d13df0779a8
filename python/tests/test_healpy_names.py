# SPDX-License-Identifier: GPL-3.0-or-later
"""armilla.healpy without healpy and its data: what it lacks, and windows of pixels."""
import os
import sys

import numpy as np
import pytest

import armilla
import armilla.healpy as ours
from armilla import _healpy_files, _healpy_order

FOLDERS = ("/usr/share/healpy/data", os.environ.get("HEALPIX_DATA", ""))


def test_without_healpy(monkeypatch):
    """The error says which package has the function."""
    monkeypatch.setitem(sys.modules, "healpy", None)
    for name in ("read_map", "Rotator"):
        with pytest.raises(AttributeError, match=f"{name}.*install healpy"):
            getattr(ours, name)
    assert not hasattr(ours, "query_disc")
    with pytest.raises(ImportError):
        from armilla.healpy import mollview  # noqa: F401


@pytest.fixture
def no_data(monkeypatch):
    def find(name, datapath):
        raise FileNotFoundError(name)
    monkeypatch.setattr(_healpy_files, "find", find)


def test_any_nside(no_data):
    window = ours.pixwin(3)
    assert window.shape == (9,) and window[0] == 1 and (np.diff(window) < 0).all()


@pytest.mark.parametrize("nside", [1, 2])
def test_computed_window(nside, no_data):
    """The window squared is the mean over pixels of the power of the means of Y_lm; a mean over a
    pixel is one over the pixels of a finer map in it."""
    parts, lmax = 64, 2 * nside
    fine = parts * nside
    windows = ours.pixwin(nside, pol=True)
    assert windows[0].shape == windows[1].shape == (3 * nside,)
    ring = _healpy_order.ring_numbers(fine)
    power = np.zeros(lmax + 1)
    for l in range(lmax + 1):
        for m in range(l + 1):
            for part in (1, 1j)[:1 if m == 0 else 2]:
                alm = np.zeros(armilla.alm_size(lmax), complex)
                alm[m * (2 * lmax + 1 - m) // 2 + l] = part if m == 0 else part / np.sqrt(2)
                means = armilla.alm2map(alm, fine)[ring].reshape(-1, parts**2).mean(axis=1)
                power[l] += np.mean(means**2) * 4 * np.pi / (2 * l + 1)
    np.testing.assert_allclose(windows[0][:lmax + 1], np.sqrt(power), rtol=1e-3)


def test_windows_of_a_map(no_data):
    """alm2map with pixwin multiplies by them, and sets degrees from 3 nside on to 0, as healpy."""
    nside = 4
    rng = np.random.default_rng(1)
    teb = rng.normal(size=(3, armilla.alm_size(14))) + 0j
    scalar, spin2 = ours.pixwin(nside, pol=True)
    want = [ours.almxfl(row, window) for row, window in zip(teb, (scalar, spin2, spin2))]
    np.testing.assert_allclose(ours.alm2map(teb, nside, pixwin=True), ours.alm2map(want, nside),
                               atol=1e-12)
    with pytest.raises(FileNotFoundError, match="2048"):
        ours.pixwin(4096)


@pytest.mark.parametrize("nside", [2, 16, 64])
def test_windows_are_those_of_the_files(nside):
    """Up to nside 128 HEALPix has integrated them, too."""
    folder = next((f for f in FOLDERS if os.path.isfile(f"{f}/pixel_window_n{nside:04d}.fits")),
                  None)
    if folder is None:
        pytest.skip("no files of HEALPix's here")
    fits = pytest.importorskip("astropy.io.fits")
    with fits.open(f"{folder}/pixel_window_n{nside:04d}.fits") as file:
        theirs = [file[1].data.field(i) for i in (0, 1)]
    for found, window in zip(_healpy_files.computed_windows(nside), theirs):
        np.testing.assert_allclose(found[2:], window[2:], atol=2e-6)


def test_empty():
    """Lists without spectra or a_lm are refused by name."""
    for call in (lambda: ours.alm2map([], 4), lambda: ours.alm2map([], 4, fwhm=0.1),
                 lambda: ours.alm2map(np.zeros(0), 4, pixwin=True), lambda: ours.synalm([]),
                 lambda: ours.alm2cl([]), lambda: ours.synfast([], 4),
                 lambda: ours.smoothalm([], 0.1), lambda: ours.map2alm([]),
                 lambda: ours.rotate_alm([], 1, 2, 3), lambda: ours.anafast([])):
        with pytest.raises((ValueError, TypeError)):
            call()
