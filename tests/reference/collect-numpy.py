#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What test-collect.sh has collected, by NumPy from the files of all realisations in the folder out.

collect-numpy.py N: N realisations. collect-numpy.py --same A B: data of all files are the same."""
import os
import sys

import healpy
import numpy as np
from astropy.io import fits


def table(path):
    """Columns of an ECSV file, by name."""
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if not line.startswith("#")]
    return {name: [row[i] for row in lines[1:]] for i, name in enumerate(lines[0])}


def column(of, name):
    return np.array([float(x) for x in of[name]])


def near(name, found, wanted, scale=None):
    found, wanted = np.asarray(found), np.asarray(wanted)
    scale = np.abs(wanted) if scale is None else scale
    error = np.max(np.abs(found - wanted) / np.where(scale > 0, scale, 1))
    print(f"# {name}: {error:.1e}")
    assert found.shape == wanted.shape and error < 1e-12, name


def read_maps(path):
    return np.array(healpy.read_map(path, field=None, dtype=np.float64))


def read_alms(path):
    return np.array([healpy.read_alm(path, hdu=h) for h in (1, 2, 3)])


def check_spectra(n):
    names = ["TT", "EE", "BB", "TE", "EB", "TB"]
    cl = np.array([healpy.read_cl(f"out/each-cl-{i}.fits") for i in range(n)])
    mean, std = cl.mean(0), cl.std(0, ddof=1)
    scale = np.abs(cl).max(0)
    near("mean", healpy.read_cl("out/cl-mean.fits"), mean, scale)
    near("variance", healpy.read_cl("out/cl-variance.fits"), std**2, scale**2)
    near("error of the mean", healpy.read_cl("out/cl-error.fits"), std / np.sqrt(n), scale)
    near("minimum", healpy.read_cl("out/cl-minimum.fits"), cl.min(0))
    found = table("out/cl.ecsv")
    wanted = ["l"] + [x for name in names for x in (name, name + "_error")]
    assert list(found) == wanted, list(found)
    assert [int(x) for x in found["l"]] == list(range(cl.shape[2]))
    percentiles = table("out/percentiles.ecsv")
    covariance = table("out/covariance.ecsv")
    rows = cl.shape[2]
    for i, name in enumerate(names):
        near(name, column(found, name), mean[i], scale[i])
        near(name + "_error", column(found, name + "_error"), std[i], scale[i])
        for p in ("2.5", "50", "97.5"):
            near(f"percentile {p}", column(percentiles, f"{name}_p{p}"),
                 np.percentile(cl[:, i], float(p), axis=0), scale[i])
        for j in range(i, len(names)):
            key = name if i == j else f"{name}_{names[j]}"
            both = np.cov(cl[:, i].T, cl[:, j].T)
            c = both[:rows, rows:]
            si, sj = std[i][:, None], std[j][None, :]
            size = scale[i][:, None] * scale[j][None, :]
            near("covariance " + key, column(covariance, key).reshape(rows, rows), c, size)
            near("its error", column(covariance, key + "_error").reshape(rows, rows),
                 np.sqrt((c**2 + (si * sj) ** 2) / (n - 1)), size)


def check_maps(n):
    maps = np.array([read_maps(f"out/each-map-{i}.fits") for i in range(n)])
    seen = maps[0] > -1e30
    assert 0 < seen.sum() < seen.size
    for name, wanted in (("mean", maps.mean(0)), ("variance", maps.var(0, ddof=1)),
                         ("minimum", maps.min(0)), ("maximum", maps.max(0))):
        found = read_maps(f"out/map-{name}.fits")
        assert np.all((found > -1e30) == seen), name
        scale = np.abs(maps[:, seen]).max(0) ** (2 if name == "variance" else 1)
        near("map " + name, found[seen], wanted[seen], scale)


def check_alms(n):
    alms = np.array([read_alms(f"out/each-alm-{i}.fits") for i in range(n)])
    size = np.abs(alms).max(0)
    near("a_lm mean", read_alms("out/alm-mean.fits"), alms.mean(0), size)
    near("a_lm variance", read_alms("out/alm-variance.fits"), alms.var(0, ddof=1), size**2)


def check_numbers(n):
    maps = np.array([read_maps(f"out/each-map-{i}.fits") for i in range(n)])
    found, most = table("out/numbers.ecsv"), table("out/maximum.ecsv")
    assert found["FIELD"] == most["FIELD"] and len(found["FIELD"]) == 3
    assert "COUNT_error" not in found
    for f in range(3):
        seen = maps[:, f, maps[0, f] > -1e30]
        assert int(found["COUNT"][f]) == seen.shape[1]
        variance = seen.var(1, ddof=1)
        near("table mean", column(found, "VARIANCE")[f], variance.mean())
        near("table error", column(found, "VARIANCE_error")[f], variance.std(ddof=1))
        near("table maximum", column(most, "MAX")[f], seen.max())


def compare(a, b):
    """Headers tell of the command line."""
    for name in sorted(os.listdir(a)):
        x, y = os.path.join(a, name), os.path.join(b, name)
        if name.endswith(".fits"):
            with fits.open(x) as one, fits.open(y) as other:
                assert len(one) == len(other), name
                for p, q in zip(one, other):
                    assert p.data is None or p.data.tobytes() == q.data.tobytes(), name
        elif name.endswith(".ecsv"):
            assert table(x) == table(y), name


if sys.argv[1] == "--same":
    compare(*sys.argv[2:])
else:
    number = int(sys.argv[1])
    check_spectra(number)
    check_maps(number)
    check_alms(number)
    check_numbers(number)
