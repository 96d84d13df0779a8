# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of maps at objects: what healpy's get_interp_val and ang2pix give, and numpy on the grids
that healpy does not have. Peaks of maps: what get_all_neighbours gives. TAP.

Usage: points-healpy.py PATH-OF-ARMILLA
"""

import subprocess

import healpy
import numpy as np
from astropy.io import fits

from comparison import (check, end, masked_map, node, ok, program, random, random_map, run,
                        write_map)


# Many ring blocks, so that values need pixels of several.
blocks = node("workflow", ring_block=3)


def write_points(name, lon, lat, names=("RA", "DEC"), **more):
    columns = [fits.Column(name=n, format="D", unit="deg", array=a)
               for n, a in zip(names, (lon, lat))]
    columns += [fits.Column(name=n, format="D", array=a) for n, a in more.items()]
    fits.BinTableHDU.from_columns(columns).writeto(name, overwrite=True)


def places(nside):
    """Random places; poles, places close to them and between them and the first ring; the meridian 0
    from both sides; centres of pixels."""
    lon = random.uniform(0, 360, 3000)
    lat = np.degrees(np.arcsin(random.uniform(-1, 1, 3000)))
    near = 90 - np.array([0, 1e-12, 1e-6, 0.1, 20 / nside, 40 / nside])
    ends = np.concatenate([near, -near])
    pixels = random.integers(0, 12 * nside**2, 200)
    centre_lon, centre_lat = healpy.pix2ang(nside, pixels, lonlat=True)
    wrap = random.uniform(-90, 90, 60)
    return (np.concatenate([lon, random.uniform(0, 360, ends.size), np.zeros(20),
                            np.full(20, 1e-13), np.full(20, 360 - 1e-12), centre_lon]),
            np.concatenate([lat, ends, wrap, centre_lat]))


def sample(map_nodes, what, points="points.fits", read=(), **keys):
    run(blocks, *map_nodes, node("points", stage="read-catalogue", file=points, **dict(read)),
        node("values", stage="sample-map", map="map", points="points", **keys),
        node("out", stage="write-catalogue", catalogue="values", file="values.fits"))
    table = fits.getdata("values.fits", 1)
    return np.array([table[name] for name in what])


def check_healpix():
    for nside, nest in ((1, False), (2, True), (5, False), (16, False), (64, True)):
        maps = random_map(2, nside)
        write_map("map.fits", maps, nest=False)
        if nest:
            write_map("map.fits", healpy.reorder(maps, r2n=True), nest=True)
        lon, lat = places(nside)
        write_points("points.fits", lon, lat)
        read = [node("map", stage="read-map", file="map.fits", fields="all", spin=0)]
        what = "nside %d, %s" % (nside, "nested" if nest else "ring")
        theirs = [healpy.get_interp_val(m, lon, lat, lonlat=True) for m in maps]
        check("bilinear, " + what, sample(read, "ab", columns="a, b"), theirs, 1e-11)
        # The interpolation of healpy is continuous, so that roundings do not matter; the pixels at
        # edges, to which centres and poles belong, are a matter of them.
        inside = slice(0, 3000)
        write_points("points.fits", lon[inside], lat[inside])
        pixels = healpy.ang2pix(nside, lon[inside], lat[inside], lonlat=True)
        check("nearest, " + what, sample(read, "ab", columns="a, b", method="nearest"),
              maps[:, pixels], 0)
    check("one field", sample(read, ["x"], fields=1, columns="x", method="nearest"), maps[1, pixels],
          0)


def check_unseen():
    nside = 16
    maps = masked_map(nside, 0.4)
    write_map("map.fits", maps)
    lon, lat = places(nside)
    lon, lat = lon[:3000], lat[:3000]
    write_points("points.fits", lon, lat)
    read = [node("map", stage="read-map", file="map.fits", fields="all", spin=0)]
    pixels, weights = healpy.get_interp_weights(nside, lon, lat, lonlat=True)
    theirs = []
    for m in maps:
        seen = m[pixels] != healpy.UNSEEN
        total = np.sum(weights * seen, axis=0)
        mean = np.sum(weights * np.where(seen, m[pixels], 0), axis=0)
        theirs.append(np.where(total >= 0.5, mean / np.where(total > 0, total, 1), healpy.UNSEEN))
    ok("some values are UNSEEN, and some have lost weight",
       0 < np.mean(np.array(theirs) == healpy.UNSEEN) < 0.5 and np.mean(total < 1) > 0.5)
    check("bilinear with UNSEEN pixels", sample(read, "abc", columns="a, b, c"), theirs, 1e-11)
    pixels = healpy.ang2pix(nside, lon, lat, lonlat=True)
    check("nearest with UNSEEN pixels", sample(read, "abc", columns="a, b, c", method="nearest"),
          maps[:, pixels], 0)
    rings = [node("map", stage="read-map", file="map.fits", spin=0, theta_min="0.5 rad",
                  theta_max="1.2 rad")]
    ours = sample(rings, "a", columns="a", method="nearest")[0]
    theta = healpy.pix2ang(nside, pixels)[0]
    check("rings of a part", ours, np.where((theta >= 0.5) & (theta <= 1.2), maps[0, pixels],
                                            healpy.UNSEEN), 0)


def check_coordinates():
    nside = 8
    maps = random_map(3, nside)
    lon, lat = places(nside)
    write_points("points.fits", lon, lat, ("GLON", "GLAT"))
    write_map("map.fits", maps, coord="C")
    read = [node("map", stage="read-map", file="map.fits", fields="all", spin=0)]
    theta, phi = healpy.Rotator(coord=["G", "C"])(np.radians(90 - lat), np.radians(lon))
    check("galactic objects, an equatorial map",
          sample(read, "abc", columns="a, b, c", read=dict(coordinates="galactic")),
          [healpy.get_interp_val(m, theta, phi) for m in maps], 1e-11)


def rings_of(grid, n):
    index = np.arange(n)
    if grid == "gauss-legendre":
        return np.arccos(np.polynomial.legendre.leggauss(n)[0][::-1])
    return {"fejer1": (index + 0.5) / n, "clenshaw-curtis": index / (n - 1),
            "driscoll-healy": index / n}[grid] * np.pi


def read_rings(n_theta, n_phi):
    """The map on its rings. Images of equiangular rings begin in the south-east."""
    with fits.open("map.fits") as file:
        if file[0].data is not None:
            return np.squeeze(file[0].data)[::-1, ::-1].astype(float)
        return np.asarray(file[1].data, dtype=float).reshape(n_theta, n_phi)


def on_rings(values, rings, lon, lat):
    """Two rings times two pixels; the pole is the mean of the ring next to it."""
    out = []
    n = values.shape[1]
    for phi, theta in zip(np.radians(lon % 360), np.radians(90 - lat)):
        x = phi * n / (2 * np.pi)
        i = int(np.floor(x))
        along = (1 - x + i) * values[:, i % n] + (x - i) * values[:, (i + 1) % n]
        above = np.searchsorted(rings, theta, side="right") - 1
        if above < 0:
            w = theta / rings[0]
            out.append(w * along[0] + (1 - w) * values[0].mean())
        elif above == rings.size - 1:
            w = 1 if rings[-1] >= np.pi else (np.pi - theta) / (np.pi - rings[-1])
            out.append(w * along[-1] + (1 - w) * values[-1].mean())
        else:
            w = (theta - rings[above]) / (rings[above + 1] - rings[above])
            out.append((1 - w) * along[above] + w * along[above + 1])
    return np.array(out)


def check_rings():
    lon, lat = places(16)
    lon, lat = lon[:3072], lat[:3072]
    write_points("points.fits", lon, lat)
    np.savetxt("cl.dat", np.column_stack([np.arange(25), np.ones(25)]))
    for grid, n_theta, n_phi in (("gauss-legendre", 27, 50), ("fejer1", 30, 53),
                                 ("clenshaw-curtis", 29, 50), ("driscoll-healy", 52, 51)):
        draw = [node("cl", stage="read-cl", file="cl.dat"),
                node("alm", stage="random-alm", cl="cl", seed=5),
                node("map", stage="alm2map", alm="alm", grid=grid, n_theta=n_theta, n_phi=n_phi),
                node("write", stage="write-map", map="map", file="map.fits")]
        ours = sample(draw, "a", columns="a")[0]
        values = read_rings(n_theta, n_phi)
        rings = rings_of(grid, n_theta)
        check("bilinear, %s" % grid, ours, on_rings(values, rings, lon, lat), 1e-11)
        ours = sample(draw, "a", columns="a", method="nearest")[0]
        ring = np.abs(np.radians(90 - lat)[:, None] - rings).argmin(axis=1)
        pixel = np.floor(lon % 360 * n_phi / 360 + 0.5).astype(int) % n_phi
        inside = slice(0, 3000)
        check("nearest, %s" % grid, ours[inside], values[ring, pixel][inside], 0)


def check_cut_out():
    """An image of a part of the sky: outside it pixels are UNSEEN."""
    alm = [node("cl", stage="read-cl", file="cl.dat"),
           node("alm", stage="random-alm", cl="cl", seed=7)]
    keys = dict(stage="alm2map", alm="alm", grid="fejer1", resolution="3 deg")
    whole = alm + [node("map", **keys)]
    part = alm + [node("map", footprint="-19.5 deg, 49.5 deg, 330 deg, 399 deg", **keys)]
    lon, lat = random.uniform(0, 360, 3000), np.degrees(np.arcsin(random.uniform(-1, 1, 3000)))
    lon[:50] = 0
    write_points("points.fits", lon, lat)
    east = (lon + 30) % 360
    for method, margin in (("nearest", 1.4), ("bilinear", -0.1)):
        all_sky = sample(whole, "a", columns="a", method=method)[0]
        ours = sample(part, "a", columns="a", method=method)[0]
        inside = ((lat > -19.5 - margin) & (lat < 49.5 + margin) & (east > -margin)
                  & (east < 69 + margin))
        outside = (lat < -23) | (lat > 53) | (east > 73) & (east < 357)
        check("%d objects in an image, %s" % (inside.sum(), method), ours[inside],
              all_sky[inside], 1e-12)
        ok("%d objects outside it" % outside.sum(), np.all(ours[outside] == healpy.UNSEEN))
    found = []
    for nodes in (whole, part):
        table = find(nodes, type="both")
        east, dec = (table.field(0) + 30) % 360, table.field(1)
        inner = (dec > -18) & (dec < 48) & (east > 1) & (east < 68)
        found.append(sorted(zip(np.round(east[inner], 6), np.round(dec[inner], 6))))
        everywhere = np.all((dec > -20) & (dec < 50) & (east < 70))
    ok("%d peaks in an image" % len(found[0]), found[0] == found[1] and len(found[0]) > 20)
    ok("none outside it", everywhere)


def check_numbers():
    nside = 4
    maps = random_map(1, nside)
    write_map("map.fits", maps)
    read = [node("map", stage="read-map", file="map.fits")]
    write_points("points.fits", [12.5], [-77])
    check("one object", sample(read, ["VALUE"], columns="VALUE")[0],
          healpy.get_interp_val(maps[0], [12.5], [-77], lonlat=True), 1e-12)
    write_points("points.fits", np.full(10**6, 359.9), np.full(10**6, 89.9))
    values = sample(read, ["a"], columns="a")[0]
    ok("a million equal objects", values.size == 10**6 and np.all(values == values[0]))
    check("their value", values[:1],
          healpy.get_interp_val(maps[0], [359.9], [89.9], lonlat=True), 1e-12)
    run(*read, node("none", stage="find-peaks", map="map", threshold=1e9),
        node("values", stage="sample-map", map="map", points="none", columns="a"),
        node("out", stage="write-catalogue", catalogue="values", file="values.fits"))
    ok("no object", fits.getdata("values.fits", 1).size == 0)


def bearing(lon1, lat1, lon2, lat2):
    """Direction from 1 to 2, from north through east."""
    return np.arctan2(np.sin(lon2 - lon1) * np.cos(lat2),
                      np.cos(lat1) * np.sin(lat2)
                      - np.sin(lat1) * np.cos(lat2) * np.cos(lon2 - lon1))


def patches(maps, spin, lon, lat, side, resolution, value, radial=True):
    """[object][field][row][column], by the formulas of navigation; spin of the last two fields."""
    lon, lat = np.radians(lon)[:, None, None], np.radians(lat)[:, None, None]
    step = (np.arange(side) - (side - 1) / 2) * np.radians(resolution)
    south, east = step[:, None], -step[None, :]
    r, pa = np.hypot(south, east), np.arctan2(east, -south)
    there = np.arcsin(np.sin(lat) * np.cos(r) + np.cos(lat) * np.sin(r) * np.cos(pa))
    at = lon + np.arctan2(np.sin(pa) * np.sin(r) * np.cos(lat),
                          np.cos(r) - np.sin(lat) * np.sin(there))
    values = np.array([value(m, np.pi / 2 - there, at % (2 * np.pi)) for m in maps])
    # away from the centre, from south through east
    angle = np.pi - (bearing(at, there, lon, lat) + np.pi)
    if not radial:
        angle = angle - (np.pi - pa)
    turned = np.where(r == 0, 1, np.exp(-1j * spin * angle)) * (values[-2] + 1j * values[-1])
    return np.array([*values[:-2], turned.real, turned.imag]).swapaxes(0, 1)


def stack(map_keys, points_keys, **keys):
    run(blocks, node("map", stage="read-map", file="map.fits", fields="all", **map_keys),
        node("points", stage="read-catalogue", file="points.fits", **points_keys),
        node("stack", stage="stack", map="map", points="points", **keys),
        node("out", stage="write-matrix", matrix="stack.mean", file="mean.fits"),
        node("out2", stage="write-matrix", matrix="stack.error", file="error.fits"))
    return fits.getdata("mean.fits"), fits.getdata("error.fits")


def jackknife(sums, weights):
    """@sums, @weights: [group]..."""
    means = (sums.sum(axis=0) - sums) / (weights.sum(axis=0) - weights)
    n = len(sums)
    return np.sqrt((n - 1) / n * np.sum((means - means.mean(axis=0))**2, axis=0))


def check_stack():
    nside, n = 32, 40
    maps = random_map(3, nside)
    write_map("map.fits", maps, coord="C")
    lon, lat = random.uniform(0, 360, n), np.degrees(np.arcsin(random.uniform(-1, 1, n)))
    lat[:4] = 89.5, -89.9, 80, -85
    lon[4:8] = 0.01, 359.99, 0, 180
    weight, patch = random.uniform(0.5, 2, n), np.arange(n) * 7 // n
    write_points("points.fits", lon, lat, W=weight, P=patch.astype(float))
    heavy = weight[:, None, None, None]

    def bilinear(m, theta, phi):
        return healpy.get_interp_val(m, theta, phi)

    def nearest(m, theta, phi):
        return m[healpy.ang2pix(nside, theta, phi)]
    for side, resolution, method, value, spins in ((9, 2, "bilinear", bilinear, "0, 2, 2"),
                                                   (12, 5.5, "bilinear", bilinear, "0, 1, 1"),
                                                   (8, 1.3, "nearest", nearest, "0, 3, 3")):
        for frame in ("radial", "north"):
            keys = dict(size="%g deg" % (side * resolution), resolution="%g deg" % resolution,
                        method=method, frame=frame)
            each = patches(maps, int(spins[-1]), lon, lat, side, resolution, value,
                           frame == "radial")
            mean, error = stack(dict(spin=spins), {}, groups=n, **keys)
            what = "%d x %d, %s, %s" % (side, side, method, frame)
            check("stack of %s" % what, mean, each.mean(axis=0), 1e-10)
            check("its errors", error, each.std(axis=0, ddof=1) / np.sqrt(n), 1e-10)
    mean, error = stack(dict(spin=spins), dict(weight="W", patch="P", patches=7), **keys)
    sums = np.array([(heavy * each)[patch == p].sum(axis=0) for p in range(7)])
    weights = np.array([weight[patch == p].sum() for p in range(7)])[:, None, None, None]
    check("weights and patches", mean, sums.sum(axis=0) / weights.sum(), 1e-10)
    check("their errors", error, jackknife(sums, weights), 1e-10)
    header = fits.getheader("mean.fits", 1)
    ok("names of the fields", [header["FIELD%d" % (i + 1)] for i in range(3)]
       == ["TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"])
    axes = [fits.getdata("mean.fits", name).field(0) for name in ("ROWS", "COLUMNS")]
    check("axes", axes, [(np.arange(side) - 3.5) * resolution] * 2, 1e-12)
    first = stack({}, dict(weight="W"), errors="bootstrap", groups=n, resamples=3000, seed=4, **keys)
    again = stack({}, dict(weight="W"), errors="bootstrap", groups=n, resamples=3000, seed=4, **keys)
    other = stack({}, dict(weight="W"), errors="bootstrap", groups=n, resamples=3000, seed=5, **keys)
    ok("a bootstrap is a matter of the seed", np.array_equal(first, again)
       and np.array_equal(first[0], other[0]) and not np.array_equal(first[1], other[1]))
    # n - 1 against n, a ratio of sums, and 3000 resamples: a few percent
    plain = jackknife(heavy * patches(maps, 2, lon, lat, side, resolution, value, False),
                      np.broadcast_to(heavy, (n, 1, 1, 1)))
    ok("bootstrap errors: %.3f times those of the jackknife" % np.mean(first[1] / plain),
       np.all(np.abs(first[1] / plain - 1) < 0.15))


def check_holes():
    """Left out are pixels that are UNSEEN; with Q also U."""
    nside, n = 16, 12
    maps = masked_map(nside, 0.5)
    write_map("map.fits", maps)
    lon, lat = random.uniform(0, 360, n), random.uniform(-60, 60, n)
    write_points("points.fits", lon, lat)

    def nearest(m, theta, phi):
        return m[healpy.ang2pix(nside, theta, phi)]
    seen = patches((maps != healpy.UNSEEN).astype(float), 0, lon, lat, 6, 4, nearest)
    seen[:, 1:] = seen[:, 1:].prod(axis=1, keepdims=True)
    each = patches(np.where(maps != healpy.UNSEEN, maps, 0), 2, lon, lat, 6, 4, nearest)
    mean, error = stack(dict(spin="0, 2, 2"), {}, size="24 deg", resolution="4 deg",
                        method="nearest", groups=n)
    total = seen.sum(axis=0)
    expected = np.where(total > 0, (each * seen).sum(axis=0) / np.maximum(total, 1), np.nan)
    both = np.isfinite(mean) & np.isfinite(expected)
    ok("means with holes: %d of %d" % (both.sum(), both.size),
       np.array_equal(np.isnan(mean), np.isnan(expected))
       and np.allclose(mean[both], expected[both], atol=1e-12))
    ok("errors need two objects", np.array_equal(np.isfinite(error), total > 1))
    # Only rings between the co-latitudes 0.5 and 1.2, so that some objects are outside.
    lat = np.linspace(89, -20, n)
    write_points("points.fits", lon, lat)
    maps = random_map(3, nside)
    write_map("map.fits", maps)
    theta = healpy.pix2ang(nside, np.arange(maps.shape[1]))[0]
    there = (theta >= 0.5) & (theta <= 1.2)
    seen = patches(there * np.ones((3, 1)), 0, lon, lat, 9, 6, nearest)
    each = patches(np.where(there, maps, 0), 2, lon, lat, 9, 6, nearest)
    mean, _ = stack(dict(spin="0, 2, 2", theta_min="0.5 rad", theta_max="1.2 rad"), {},
                    size="54 deg", resolution="6 deg", method="nearest")
    total = seen.sum(axis=0)
    expected = np.where(total > 0, each.sum(axis=0) / np.maximum(total, 1), 0)
    check("stack of rings of a part", np.where(np.isnan(mean), 0, mean), expected, 1e-10)
    ok("objects outside them count", any(seen[i].any() for i in (0, n - 1)))


def refused(what, message, *nodes):
    with open("bad.workflow", "w", encoding="utf-8") as file:
        file.write("\n".join(nodes))
    done = subprocess.run([program, "run", "bad.workflow"], capture_output=True, text=True,
                          check=False)
    said = " ".join(done.stderr.split())
    passed = done.returncode == 1 and message in said
    if not passed:
        print("# " + said)
    ok("%s is refused" % what, passed)


def check_refused():
    write_map("map.fits", random_map(3, 4), coord="C",
              column_names=("TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"))
    read = node("map", stage="read-map", file="map.fits", fields="all")
    out = node("out", stage="write-catalogue", catalogue="values", file="refused.fits")

    def nodes(points="points.fits", read_keys=(), **keys):
        return (read, node("points", stage="read-catalogue", file=points, **dict(read_keys)),
                node("values", stage="sample-map", map="map", points="points", **keys), out)
    write_points("points.fits", [1, np.nan, 3], [1, 2, 3])
    refused("a position that is NaN", "object 2", *nodes())
    write_points("points.fits", [1, 2, 3], [1, 2, 3], z=[1.0, 2, 3])
    refused("a field that is not there", "no column \"E\"", *nodes(fields="E"))
    refused("too few names", "2 name(s) given", *nodes(columns="a, b"))
    refused("a column that is there", "already is a column z",
            *nodes(read_keys=dict(values="z"), fields=0, columns="z"))
    write_points("points.fits", [1, 2, 3], [1, 2, 3], ("GLON", "GLAT"))
    galactic = dict(coordinates="galactic")
    refused("Q of galactic objects on an equatorial map", "rotate-map",
            *nodes(read_keys=galactic))
    run(*nodes(read_keys=galactic, fields="temperature"))
    ok("not its temperature", fits.getdata("refused.fits", 1).size == 3)


def find(map_nodes, **keys):
    run(blocks, *map_nodes, node("peaks", stage="find-peaks", map="map", **keys),
        node("out", stage="write-catalogue", catalogue="peaks", file="peaks.fits"))
    return fits.getdata("peaks.fits", 1)


def brute_force(values, neighbours, sign=1, threshold=-np.inf):
    """@neighbours: [pixel] of numbers of pixels."""
    found = []
    for pixel, around in enumerate(neighbours):
        around = [n for n in around if values[n] != healpy.UNSEEN]
        if values[pixel] != healpy.UNSEEN and around and sign * values[pixel] >= threshold and all(
                sign * values[pixel] > sign * values[n] for n in around):
            found.append(pixel)
    return found


def same_peaks(what, table, values, neighbours, signs=(1,), threshold=-np.inf):
    expected = sorted((p, s) for s in signs for p in brute_force(values, neighbours, s, threshold))
    pixels = np.array([p for p, _ in expected], dtype=int)
    ok("%s: %d peaks" % (what, pixels.size),
       np.array_equal(table["PIXEL"], pixels) and np.array_equal(table["VALUE"], values[pixels])
       and np.array_equal(table["TYPE"], [s for _, s in expected]))
    return pixels


def healpix_neighbours(nside):
    around = healpy.get_all_neighbours(nside, np.arange(12 * nside**2)).T
    return [set(a[a >= 0]) for a in around]


def check_peaks():
    for nside in (1, 2, 3, 4, 5, 16):
        values = random_map(1, nside)[0]
        write_map("map.fits", values)
        read = [node("map", stage="read-map", file="map.fits")]
        around = healpix_neighbours(nside)
        table = find(read, type="both")
        pixels = same_peaks("peaks, nside %d" % nside, table, values, around, (1, -1))
        lon, lat = healpy.pix2ang(nside, pixels, lonlat=True)
        check("their places", healpy.ang2vec(table.field(0), table.field(1), lonlat=True),
              healpy.ang2vec(lon, lat, lonlat=True), 1e-14)
    # so many that every neighbour of every pixel decides about one
    for nside in (1, 2, 3):
        maps = random_map(80, nside)
        write_map("map.fits", maps)
        around = healpix_neighbours(nside)
        run(node("map", stage="read-map", file="map.fits", fields="all", spin=0),
            *[text for f in range(80) for text in (
                node("peaks%d" % f, stage="find-peaks", map="map", type="both", field=f),
                node("out%d" % f, stage="write-catalogue", catalogue="peaks%d" % f,
                     file="peaks%d.fits" % f))])
        expected = [sorted(brute_force(m, around) + brute_force(m, around, -1)) for m in maps]
        ours = [list(fits.getdata("peaks%d.fits" % f, 1)["PIXEL"]) for f in range(80)]
        ok("80 fields, nside %d: %d peaks" % (nside, sum(map(len, ours))), ours == expected)
    values = random_map(1, 16)[0]
    write_map("map.fits", healpy.reorder(values, r2n=True), nest=True, coord="G",
              column_units="uK")
    table = find(read, type="minima", threshold=1)
    around = healpix_neighbours(16)
    same_peaks("minima below -1, nested", table, values, around, (-1,), 1)
    header = fits.getheader("peaks.fits", 1)
    ok("coordinates and units", header["COORDSYS"] == "G" and "uK" in header.values()
       and "GLON" in table.names)
    values = np.floor(3 * values)
    write_map("map.fits", values)
    same_peaks("with plateaus", find(read, type="both"), values, around, (1, -1))
    values[random.random(values.size) < 0.6] = healpy.UNSEEN
    write_map("map.fits", values)
    same_peaks("with UNSEEN pixels", find(read, type="both"), values, around, (1, -1))
    rings = [node("map", stage="read-map", file="map.fits", theta_min="0.5 rad",
                  theta_max="1.2 rad")]
    theta = healpy.pix2ang(16, np.arange(values.size))[0]
    part = np.where((theta >= 0.5) & (theta <= 1.2), values, healpy.UNSEEN)
    same_peaks("rings of a part", find(rings, type="both"), part, around, (1, -1))
    ok("no peak", find(read, threshold=1e9).size == 0)


def ring_neighbours(rings, n):
    """[pixel]: neighbours on rings of n pixels each."""
    around = []
    pole = [np.sin(theta) < 1e-12 for theta in rings]
    for r in range(rings.size):
        for j in range(n):
            if pole[r]:
                near = [(r + 1 if r == 0 else r - 1, k) for k in range(n) if j == 0]
            else:
                near = [(r, k) for k in range(n) if k != j
                        and (r in (0, rings.size - 1) or (k - j) % n in (1, n - 1))]
                near += [(r + s, 0 if pole[r + s] else (j + k) % n) for s in (-1, 1)
                         for k in (-1, 0, 1) if 0 <= r + s < rings.size]
            around.append({a * n + b for a, b in near})
    return around


def check_ring_peaks():
    for grid, n_theta, n_phi in (("gauss-legendre", 27, 50), ("fejer1", 30, 53),
                                 ("clenshaw-curtis", 29, 50), ("driscoll-healy", 52, 51)):
        draw = [node("cl", stage="read-cl", file="cl.dat"),
                node("alm", stage="random-alm", cl="cl", seed=6),
                node("map", stage="alm2map", alm="alm", grid=grid, n_theta=n_theta, n_phi=n_phi),
                node("write", stage="write-map", map="map", file="map.fits")]
        table = find(draw, type="both")
        values = read_rings(n_theta, n_phi).ravel()
        same_peaks("peaks, %s" % grid, table, values,
                   ring_neighbours(rings_of(grid, n_theta), n_phi), (1, -1))
    # the poles of a dipole along the axis: single objects, though a ring is there
    np.savetxt("cl.dat", np.column_stack([np.arange(2), [0, 1]]))
    dipole = [node("cl", stage="read-cl", file="cl.dat"),
              node("alm", stage="random-alm", cl="cl", seed=6, mmax=0),
              node("map", stage="alm2map", alm="alm", grid="clenshaw-curtis", n_theta=9, n_phi=8)]
    table = find(dipole, type="both")
    ok("a peak on a ring at a pole", sorted(table["PIXEL"]) == [0, 64]
       and sorted(table.field(1)) == [-90, 90] and sorted(table["TYPE"]) == [-1, 1])


check_healpix()
check_unseen()
check_coordinates()
check_rings()
check_cut_out()
check_numbers()
check_peaks()
check_ring_peaks()
check_stack()
check_holes()
check_refused()
end()
