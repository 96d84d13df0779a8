#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare map2alm, alm2map and the files of maps with healpy's. TAP.

    healpy-transform.py ARMILLA [NSIDE...]

ARMILLA is the program. Needs numpy and healpy; without them it skips. Where both are double sums of
the same pixels, 1e-12 relative is due: healpy's own rounding, some 1e-13 at lmax 767, included.
"""
import os
import subprocess
import sys
import tempfile
import warnings

try:
    import healpy
    import numpy as np
except ImportError as error:
    print(f"1..0 # SKIP {error}")
    sys.exit(0)

warnings.simplefilter("ignore")
armilla = os.path.abspath(sys.argv[1])
sides = [int(word) for word in sys.argv[2:]] or [32, 64, 256]
random = np.random.default_rng(20261121)
BOUND = 1e-12
count = failed = 0


def check(what, ok):
    global count, failed
    count += 1
    failed += not ok
    print("ok" if ok else "not ok", count, "-", what, flush=True)


def run(**nodes):
    """Run the workflow with these nodes, each a dictionary of keys."""
    with open("run.workflow", "w") as file:
        for name, keys in nodes.items():
            file.write(f"[{name}]\n")
            file.writelines(f"{key.replace('_', '-')} = {value}\n" for key, value in keys.items())
    subprocess.run([armilla, "run", "--quiet", "--overwrite", "run.workflow"], check=True)


def distance(ours, theirs):
    return np.sqrt(np.sum(np.abs(ours - theirs) ** 2) / np.sum(np.abs(theirs) ** 2))


def transforms(nside, lmax):
    sky = random.standard_normal(12 * nside**2)
    healpy.write_map("sky.fits", sky, dtype=np.float64, overwrite=True)
    for iterations in (0, 3):
        run(sky={"stage": "read-map", "file": "sky.fits"},
            alm={"stage": "map2alm", "map": "sky", "lmax": lmax, "iterations": iterations},
            out={"stage": "write-alm", "alm": "alm", "file": "alm.fits"})
        theirs = healpy.map2alm(sky, lmax=lmax, iter=iterations)
        error = distance(healpy.read_alm("alm.fits"), theirs)
        check(f"map2alm nside {nside} lmax {lmax} iterations {iterations}: {error:.2g}",
              error <= BOUND)
    healpy.write_alm("random.fits", theirs, overwrite=True)
    run(alm={"stage": "read-alm", "file": "random.fits"},
        map={"stage": "alm2map", "alm": "alm", "nside": nside},
        out={"stage": "write-map", "map": "map", "file": "map.fits"})
    error = distance(healpy.read_map("map.fits", dtype=np.float64),
                     healpy.alm2map(theirs, nside, lmax=lmax))
    check(f"alm2map nside {nside} lmax {lmax}: {error:.2g}", error <= BOUND)


def read_all(name):
    pixels = np.atleast_2d(healpy.read_map(name, field=None, dtype=None))
    # the mark in float32 and in float64 are the same to healpy
    return np.where(healpy.mask_bad(pixels), healpy.UNSEEN, pixels.astype(np.float64))


def files(nside, dtype, nest, partial, fields, gzip):
    """A map of healpy's through read-map and write-map, with the same choices and with others."""
    pixels = random.standard_normal((fields, 12 * nside**2)).astype(dtype)
    if partial:
        pixels[:, random.random(pixels.shape[1]) < 0.7] = healpy.UNSEEN
    given = healpy.reorder(pixels, r2n=True) if nest else pixels
    source = "in.fits.gz" if gzip else "in.fits"
    healpy.write_map(source, given, nest=nest, dtype=dtype, partial=partial, overwrite=True)
    want = np.where(healpy.mask_bad(pixels), healpy.UNSEEN, pixels.astype(np.float64))
    name = (f"{np.dtype(dtype)} nside {nside}, {fields} columns{', nested' * nest}"
            f"{', partial' * partial}{', .gz' * gzip}")
    targets = {}
    nodes = {"sky": {"stage": "read-map", "file": source, "fields": "all"},
             "turned": {"stage": "change-order", "map": "sky", "order": "nested"}}
    for node in ("sky", "turned"):
        for sparse in ("true", "false"):
            target = f"{node}-{sparse}.fits{'.gz' * (sparse == 'true')}"
            targets[target] = (node == "turned", sparse)
            nodes[f"{node}-{sparse}"] = {"stage": "write-map", "map": node, "file": target,
                                         "partial": sparse, "dtype": np.dtype(dtype)}
    run(**nodes)
    for target, (turned, sparse) in targets.items():
        header = dict(healpy.read_map(target, h=True, dtype=None)[1])
        ok = np.array_equal(read_all(target), want)
        ok &= header["ORDERING"].strip() == ("NESTED" if turned else "RING")
        ok &= (header["INDXSCHM"].strip() == "EXPLICIT") == (sparse == "true")
        check(f"{name} as {target}", ok)


home = os.getcwd()
with tempfile.TemporaryDirectory(prefix="armilla-peers-") as folder:
    os.chdir(folder)
    print(f"# healpy {healpy.__version__}")
    for side in sides:
        transforms(side, 2 * side)
        transforms(side, 3 * side - 1)
    for kind in (np.float32, np.float64):
        for nested in (False, True):
            for sparse in (False, True):
                for columns in (1, 3):
                    files(16, kind, nested, sparse, columns, gzip=columns == 3)
    os.chdir(home)
print(f"1..{count}")
sys.exit(failed > 0)
