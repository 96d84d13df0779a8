# SPDX-License-Identifier: GPL-3.0-or-later
"""Catalogues as maps and as files: what healpy's pixels, numpy's bins, exact sums, and astropy's
readers make of them. TAP.

Usage: catalogue-healpy.py PATH-OF-ARMILLA
"""

import math
import subprocess

import healpy
import numpy as np
from astropy.io import fits
from astropy.table import Table

from comparison import (check, end, node, ok, program, random, read_map, run, write_map)

N = 20000
lon = random.uniform(0, 360, N)
lat = np.degrees(np.arcsin(random.uniform(-1, 1, N)))
weight = 10.0 ** random.uniform(-6, 6, N)
redshift = random.uniform(-1, 3, N)
magnitude = random.normal(20, 2, N)
g1, g2 = random.normal(0, 0.3, (2, N))
patch = random.integers(0, 5, N)


def write_catalogue(name, order, names=("RA", "DEC")):
    """@order: which objects, in which order."""
    columns = [("D", names[0], "deg", lon), ("D", names[1], "deg", lat), ("D", "W", "", weight),
               ("D", "Z", "", redshift), ("D", "R", "mag", magnitude), ("D", "E1", "", g1),
               ("D", "E2", "", g2), ("J", "P", "", patch)]
    hdu = fits.BinTableHDU.from_columns(
        [fits.Column(name=n, format=f, unit=u, array=a[order]) for f, n, u, a in columns])
    hdu.writeto(name, overwrite=True)


def pixels(nside, order=slice(None)):
    return healpy.ang2pix(nside, lon[order], lat[order], lonlat=True)


def exact(nside, values):
    """The sum of a pixel's values, rounded once."""
    sums = np.zeros(12 * nside**2)
    where = pixels(nside)
    by_pixel = np.argsort(where, kind="stable")
    for part in np.split(by_pixel, np.flatnonzero(np.diff(where[by_pixel])) + 1):
        sums[where[part[0]]] = math.fsum(values[part])
    return sums


def same(what, ours, theirs):
    ours, theirs = np.atleast_2d(ours), np.atleast_2d(theirs)
    ok("%s: %d pixels of %d differ" % (what, np.sum(ours != theirs), theirs.size),
       ours.shape == theirs.shape and np.array_equal(ours, theirs))


def bins(file, nside, **keys):
    """The maps of counts, of weights, and of means of two columns."""
    read = dict(stage="read-catalogue", file=file, values="Z, r")
    run(node("plain", **read, **keys), node("heavy", **read, weight="W", **keys),
        node("counts", stage="bin-catalogue", catalogue="plain", nside=nside),
        node("weights", stage="bin-catalogue", catalogue="heavy", nside=nside, quantity="weights"),
        node("ones", stage="bin-catalogue", catalogue="plain", nside=nside, quantity="weights"),
        node("mean", stage="bin-catalogue", catalogue="heavy", nside=nside, quantity="mean",
             column="R, z"),
        node("even", stage="bin-catalogue", catalogue="plain", nside=nside, quantity="mean",
             column="Z"),
        *[node("write-" + name, stage="write-map", map=name, file=name + ".fits")
          for name in ("counts", "weights", "ones", "mean", "even")])


def mean(sums, weights):
    return np.where(weights > 0, sums / np.where(weights > 0, weights, 1), healpy.UNSEEN)


def check_bins():
    for nside in (1, 5, 16, 64):
        write_catalogue("objects.fits", slice(None))
        bins("objects.fits", nside)
        counts = np.bincount(pixels(nside), minlength=12 * nside**2)
        weights = exact(nside, weight)
        what = "nside %d" % nside
        same("%s, counts" % what, read_map("counts.fits"), counts)
        same("%s, weights that are all 1" % what, read_map("ones.fits"), counts)
        same("%s, weights" % what, read_map("weights.fits"), weights)
        means = np.array([mean(exact(nside, weight * v), weights) for v in (magnitude, redshift)])
        same("%s, means" % what, read_map("mean.fits"), means)
        same("%s, means without weights" % what, read_map("even.fits"),
             mean(exact(nside, redshift), counts))
    header = fits.getheader("mean.fits", 1)
    ok("names and units of the columns", [header.get(k) for k in ("TTYPE1", "TUNIT1", "TTYPE2",
                                                                  "TUNIT2", "COORDSYS")]
       == ["R", "mag", "Z", None, "C"])
    ok("pixels of a mean without objects are UNSEEN", (read_map("mean.fits") == healpy.UNSEEN).any())
    first = [read_map(name + ".fits") for name in ("weights", "mean")]
    write_catalogue("objects.fits", random.permutation(N))
    bins("objects.fits", 64)
    for name, before in zip(("weights", "mean"), first):
        same("other order, %s" % name, read_map(name + ".fits"), before)


def check_coordinates():
    """Galactic objects on the grid of an equatorial map."""
    write_catalogue("objects.fits", slice(None), ("GLON", "GLAT"))
    write_map("like.fits", np.zeros(12 * 8**2), coord="C")
    run(node("objects", stage="read-catalogue", file="objects.fits", coordinates="galactic"),
        node("like", stage="read-map", file="like.fits"),
        node("galactic", stage="bin-catalogue", catalogue="objects", nside=8),
        node("equatorial", stage="bin-catalogue", catalogue="objects", like="like"),
        *[node("write-" + name, stage="write-map", map=name, file=name + ".fits")
          for name in ("galactic", "equatorial")])
    same("galactic", read_map("galactic.fits"), np.bincount(pixels(8), minlength=768))
    theta, phi = healpy.Rotator(coord=["G", "C"])(np.radians(90 - lat), np.radians(lon))
    same("turned to equatorial", read_map("equatorial.fits"),
         np.bincount(healpy.ang2pix(8, theta, phi), minlength=768))
    ok("their coordinates", [fits.getheader(name + ".fits", 1)["COORDSYS"]
                             for name in ("galactic", "equatorial")] == ["G", "C"])


def check_partial():
    """Only rings of a part: what lies elsewhere is left out, not moved."""
    seen = np.full(12 * 16**2, healpy.UNSEEN)
    seen[healpy.query_strip(16, 0.5, 1.5)] = 1
    write_map("like.fits", seen, partial=True)
    write_catalogue("objects.fits", slice(None))
    run(node("objects", stage="read-catalogue", file="objects.fits"),
        node("like", stage="read-map", file="like.fits", theta_min="0.5 rad", theta_max="1.5 rad"),
        node("map", stage="bin-catalogue", catalogue="objects", like="like"),
        node("out", stage="write-map", map="map", file="out.fits"))
    ours = read_map("out.fits")
    counts = np.bincount(pixels(16), minlength=seen.size).astype(float)
    kept = ours != healpy.UNSEEN
    ok("rings of a part: %d pixels of %d" % (kept.sum(), kept.size), 0 < kept.sum() < kept.size)
    same("their counts", ours[kept], counts[kept])


def catalogue_nodes(out, positions="angles", values="Z, R"):
    return (node("objects", stage="read-catalogue", file="objects.fits", weight="W", g1="E1",
                 g2="E2", patch="P", patches=5, values=values, **galactic),
            node("out", stage="write-catalogue", catalogue="objects", file=out,
                 positions=positions))


galactic = dict(coordinates="galactic")


def check_files():
    write_catalogue("objects.fits", slice(None), ("GLON", "GLAT"))
    columns = [("WEIGHT", weight), ("G1", g1), ("G2", g2), ("PATCH", patch), ("Z", redshift),
               ("R", magnitude)]
    for name in ("out.fits", "out.fits.gz", "out.ecsv", "out.csv", "out.csv.gz"):
        run(*catalogue_nodes(name))
        if ".fits" in name:
            with fits.open(name, checksum=True) as file:
                table = Table(file[1].data)
                header = file[1].header
            ok("%s: keywords" % name,
               (header["COORDSYS"], header["NPATCH"], header["TUNIT1"], header["TUNIT2"],
                header["TUNIT8"], header["TFORM6"]) == ("G", 5, "deg", "deg", "mag", "K")
               and "CHECKSUM" in header and "[objects]" in header["HISTORY"])
        else:
            kind = "ascii.ecsv" if ".ecsv" in name else "ascii.csv"
            table = Table.read(name, format=kind)
        ok("%s: names" % name, table.colnames == ["GLON", "GLAT"] + [n for n, _ in columns])
        for key, values in columns:
            ok("%s: %s is the same" % (name, key), np.array_equal(table[key], values))
        # two roundings of an angle of up to 360 deg, and the sine and cosine between them
        check("%s: longitude" % name, np.cos(np.radians(np.array(table["GLON"]) - lon)),
              np.ones(N), 1e-15)
        check("%s: latitude" % name, np.array(table["GLAT"]) - lat, np.zeros(N), 1e-13)
    run(*catalogue_nodes("vectors.fits", "vectors", "R"))
    table = Table(fits.getdata("vectors.fits", 1))
    vectors = healpy.ang2vec(lon, lat, lonlat=True)
    for k, key in enumerate("XYZ"):
        check("component " + key, np.array(table[key]), vectors[:, k], 3e-16)


def check_refused():
    write_catalogue("objects.fits", slice(None))
    for what, message, keys in [
            ("no such column", "the catalogue has no column W; it has Z, R",
             dict(nside=4, quantity="mean", column="Z, W")),
            ("no column", "column is not set", dict(nside=4, quantity="mean")),
            ("a column of counts", "column requires quantity = mean",
             dict(nside=4, column="Z")),
            ("no grid", "nside is not set", {})]:
        with open("bad.workflow", "w", encoding="utf-8") as file:
            file.write("\n".join([
                node("objects", stage="read-catalogue", file="objects.fits", values="Z, R"),
                node("map", stage="bin-catalogue", catalogue="objects", **keys),
                node("out", stage="write-map", map="map", file="bad.fits")]))
        done = subprocess.run([program, "run", "bad.workflow"], capture_output=True, text=True,
                              check=False)
        ok("%s is refused" % what, done.returncode == 1 and message in done.stderr)


check_bins()
check_coordinates()
check_partial()
check_files()
check_refused()
end()
