# SPDX-License-Identifier: GPL-3.0-or-later
"""a_lm and noise of catalogues: direct sums of spherical harmonics in extended precision, healpy's
map2alm for objects at the centres of all pixels, NumPy's least squares for templates, and the mean
bandpowers of simulated catalogues. TAP.

Usage: catalogue2alm-healpy.py PATH-OF-ARMILLA
"""

import healpy
import numpy as np
from astropy.io import fits

from comparison import check, end, node, ok, random, random_map, read_alm, run, write_map

LMAX, MASK_LMAX, N = 24, 40, 500
EXACT = "2e-13"


def write_catalogue(name, lon, lat, **more):
    columns = [fits.Column(name=n, format="D", unit="deg", array=a)
               for n, a in zip(("RA", "DEC"), (lon, lat))]
    columns += [fits.Column(name=n, format="D", array=a) for n, a in more.items()]
    fits.BinTableHDU.from_columns(columns).writeto(name, overwrite=True)


def places(n):
    return random.uniform(0, 360, n), np.degrees(np.arcsin(random.uniform(-1, 1, n)))


def factorials(a, b):
    """a! / b!"""
    out = np.longdouble(1)
    for k in range(min(a, b) + 1, max(a, b) + 1):
        out = out * k if a > b else out / k
    return out


def harmonics(lmax, s, lon, lat):
    """[healpy's index][object] of sY_lm = (-1)^s sqrt ((2l + 1) / 4 pi) d^l_{m,-s} exp (i m phi), by
    the recurrence of Wigner's d in l."""
    theta = np.longdouble(np.pi / 2) - np.radians(np.asarray(lat, dtype=np.longdouble))
    theta += np.longdouble("6.123233995736766035868820147292e-17")  # the rest of pi / 2
    phi = np.radians(np.asarray(lon, dtype=np.longdouble))
    half_c, half_s, z = np.cos(theta / 2), np.sin(theta / 2), np.cos(theta)
    out = np.zeros((healpy.Alm.getsize(lmax), theta.size), dtype=np.clongdouble)
    n = -s
    for m in range(lmax + 1):
        first = max(m, abs(s))
        # d^j_{mn} for j = max (|m|, |n|), with one factor only
        if m >= abs(n):
            d = (-1) ** (m - n) * np.sqrt(factorials(2 * m, m + n) / factorials(m - n, 0)) \
                * half_c ** (m + n) * half_s ** (m - n)
        elif n > 0:
            d = np.sqrt(factorials(2 * n, n + m) / factorials(n - m, 0)) \
                * half_c ** (n + m) * half_s ** (n - m)
        else:
            d = (-1) ** (m - n) * np.sqrt(factorials(-2 * n, m - n) / factorials(-n - m, 0)) \
                * half_c ** (-n - m) * half_s ** (m - n)
        before = np.zeros_like(d)
        wave = np.cos(m * phi) + 1j * np.sin(m * phi)
        for l in range(first, lmax + 1):
            size = (-1) ** s * np.sqrt((2 * np.longdouble(l) + 1) / (4 * np.longdouble(np.pi)))
            out[healpy.Alm.getidx(lmax, l, m)] = size * d * wave
            below = np.sqrt(np.longdouble((l * l - m * m) * (l * l - n * n))) / l if l else 0
            above = np.sqrt(np.longdouble(((l + 1)**2 - m * m) * ((l + 1)**2 - n * n))) / (l + 1)
            middle = np.longdouble(m * n) / (l * (l + 1)) if l else 0
            d, before = ((2 * l + 1) * (z - middle) * d - below * before) / above, d
    return out


def direct(lmax, s, lon, lat, values):
    """sum of values conj sY_lm; of spin s > 0 gradient and curl as healpy defines them."""
    values = np.atleast_2d(values)
    if s == 0:
        return np.conj(harmonics(lmax, 0, lon, lat)) @ values[0].astype(np.longdouble)
    complex_values = values[0].astype(np.longdouble) + 1j * values[1].astype(np.longdouble)
    plus = np.conj(harmonics(lmax, s, lon, lat)) @ complex_values
    minus = np.conj(harmonics(lmax, -s, lon, lat)) @ np.conj(complex_values)
    sign = (-1) ** s
    return np.array([-(plus + sign * minus) / 2, 1j * (plus - sign * minus) / 2])


def field(catalogue="objects.fits", values="f, q, u, t1, t2, v1, v2", before=(), **keys):
    """a_lm, a_lm of the mask, and both noises."""
    keys = {"lmax": LMAX, "mask_lmax": MASK_LMAX, "epsilon": EXACT, **keys}
    write = [node("w-" + port, stage="write-alm", alm="field." + port, file=port + ".fits")
             for port in ("alm", "mask-alm")]
    write += [node("w-" + port, stage="write-cl", cl="field." + port, file=port + ".fits")
              for port in ("noise", "mask-noise")]
    run(node("objects", stage="read-catalogue", file=catalogue, weight="w", values=values), *before,
        node("field", stage="catalogue2alm", catalogue="objects", **keys), *write)
    n = 2 if keys.get("spin", 0) else 1
    noise = [np.array([table[name] for name in table.names], dtype=float)
             for table in (fits.getdata(port + ".fits", 1) for port in ("noise", "mask-noise"))]
    return read_alm("alm.fits", n), read_alm("mask-alm.fits", 1)[0], noise[0], noise[1]


def objects(n=N):
    lon, lat = places(n)
    lon[:2], lat[:2] = 0, (90, -90)  # at a pole Q and U are those of longitude 0
    more = {name: random.standard_normal(n) for name in ("f", "q", "u", "t1", "t2", "v1", "v2")}
    weights = random.uniform(0, 2, n)
    weights[2] = 0
    return lon, lat, weights, more


def check_noise(what, noise, expected, lmax):
    """Noise of the auto spectra, which come first, and none of others."""
    n = 1 if noise.shape[0] == 1 else 2
    whole = np.zeros_like(noise)
    whole[:n] = expected
    check(what, noise, whole, 1e-13)
    ok("l of the noise, " + what, noise.shape[1] == lmax + 1)


def check_spins(lon, lat, w, more):
    mask = direct(MASK_LMAX, 0, lon, lat, w)
    for spin in range(4):
        names = ["f"] if spin == 0 else ["q", "u"]
        values = w * np.array([more[name] for name in names])
        alm, mask_alm, noise, mask_noise = field(columns=", ".join(names), spin=spin)
        what = "spin %d" % spin
        check("a_lm, " + what, alm, direct(LMAX, spin, lon, lat, values), 1e-12)
        check("a_lm of the mask, " + what, mask_alm, mask, 1e-12)
        check_noise("noise, " + what, noise,
                    np.sum(values**2) / (4 * np.pi * len(names)), LMAX)
        check_noise("noise of the mask, " + what, mask_noise, np.sum(w**2) / (4 * np.pi), MASK_LMAX)
    values = np.array([more["q"], more["u"]])
    alm = field(columns="q, u", spin=2, weighted="true")[0]
    check("values with weights", alm, direct(LMAX, 2, lon, lat, values), 1e-12)
    alm = field(columns="f", epsilon="1e-6")[0]
    check("epsilon = 1e-6", alm, direct(LMAX, 0, lon, lat, w * more["f"]), 1e-6)


def check_shears(lon, lat, w, more):
    run(node("objects", stage="read-catalogue", file="objects.fits", weight="w", g1="q", g2="u"),
        node("field", stage="catalogue2alm", catalogue="objects", lmax=LMAX, spin=2, epsilon=EXACT),
        node("w", stage="write-alm", alm="field.alm", file="alm.fits"))
    check("shears", read_alm("alm.fits", 2),
          direct(LMAX, 2, lon, lat, w * np.array([more["q"], -more["u"]])), 1e-12)


def check_cross(lon, lat, w, more):
    """Spectra of a scalar and a pair: alm2cl of a_lm with other fields."""
    scalar = direct(LMAX, 0, lon, lat, w * more["f"]).astype(complex)
    pair = direct(LMAX, 2, lon, lat, w * np.array([more["q"], more["u"]])).astype(complex)
    fields = [node(name, stage="catalogue2alm", catalogue="objects", lmax=LMAX, epsilon=EXACT,
                   **keys) for name, keys in (("f", dict(columns="f")),
                                              ("p", dict(columns="q, u", spin=2)))]
    for first, second, a, b, names in (("f", "p", [scalar], pair, ("G-T", "C-T")),
                                       ("p", "f", pair, [scalar], ("ET", "BT"))):
        run(node("objects", stage="read-catalogue", file="objects.fits", weight="w",
                 values="f, q, u"), *fields,
            node("cl", stage="alm2cl", alm=first + ".alm", alm2=second + ".alm"),
            node("out", stage="write-cl", cl="cl", file="cl.fits"))
        table = fits.getdata("cl.fits", 1)
        ok("names of spectra of spins 0 and 2", tuple(table.names) == names)
        check("spectra of spins 0 and 2", [table[name] for name in names],
              [healpy.alm2cl(x, y) for x in a for y in b], 1e-12)


def check_pixels():
    """Objects at all centres with the pixel area as weight are a map without iterations."""
    nside = 16
    maps = random_map(3, nside)
    theta, phi = healpy.pix2ang(nside, np.arange(12 * nside**2))
    write_catalogue("pixels.fits", np.degrees(phi), 90 - np.degrees(theta), f=maps[0], q=maps[1],
                    u=maps[2], w=np.full(theta.size, healpy.nside2pixarea(nside)))
    theirs = healpy.map2alm(maps, lmax=LMAX, iter=0)
    alm = field("pixels.fits", values="f, q, u", columns="f")[0]
    check("map2alm of T", alm[0], theirs[0], 1e-12)
    alm = field("pixels.fits", values="f, q, u", columns="q, u", spin=2)[0]
    check("map2alm of Q and U", alm, theirs[1:], 1e-12)


def check_templates(lon, lat, w, more):
    for spin, columns, templates in ((0, ["f"], [["t1"], ["v1"]]),
                                     (2, ["q", "u"], [["t1", "t2"], ["v1", "v2"]])):
        values = (w * np.array([more[c] for c in columns])).ravel()
        matrix = np.array([(w * np.array([more[c] for c in t])).ravel() for t in templates]).T
        rest = values - matrix @ np.linalg.lstsq(matrix, values, rcond=None)[0]
        rest = rest.reshape(len(columns), -1)
        for more_names, what in (([], ""), (templates[0], ", one of them twice")):
            names = ", ".join(sum(templates, []) + more_names)
            alm, _, noise, _ = field(columns=", ".join(columns), spin=spin, templates=names)
            check("templates, spin %d%s" % (spin, what), alm, direct(LMAX, spin, lon, lat, rest),
                  1e-12)
            check_noise("noise after deprojection%s" % what, noise,
                        np.sum(rest**2) / (4 * np.pi * len(columns)), LMAX)


def check_clustering(lon, lat, w, more):
    r_lon, r_lat = places(3 * N)
    r_w = random.uniform(0, 3, 3 * N)
    write_catalogue("random.fits", r_lon, r_lat, w=r_w)
    alpha = w.sum() / r_w.sum()
    noise_w = np.sum(r_w**2) / (4 * np.pi)
    randoms = [node("random", stage="read-catalogue", file="random.fits", weight="w")]
    values = w / alpha
    for mask_lmax in (MASK_LMAX, LMAX):
        alm, mask, noise, mask_noise = field(random="random", before=randoms, mask_lmax=mask_lmax)
        what = "random objects, mask-lmax %d" % mask_lmax
        check("density, " + what, alm[0], direct(LMAX, 0, lon, lat, values)
              - direct(LMAX, 0, r_lon, r_lat, r_w), 1e-12)
        check("mask, " + what, mask, direct(mask_lmax, 0, r_lon, r_lat, r_w), 1e-12)
        check_noise("noise, " + what, noise, np.sum(values**2) / (4 * np.pi) + noise_w, LMAX)
        check_noise("noise of the mask, " + what, mask_noise, noise_w, mask_lmax)
    values = w * np.array([more["q"], more["u"]]) / alpha
    alm, _, noise, _ = field(random="random", before=randoms, columns="q, u", spin=1)
    check("momentum of spin 1", alm, direct(LMAX, 1, lon, lat, values), 1e-12)
    check_noise("noise of a momentum", noise, np.sum(values**2) / (8 * np.pi), LMAX)

    nside = 16
    pixels = random.uniform(0, 5, 12 * nside**2)
    pixels[:500] = healpy.UNSEEN
    write_map("mask.fits", pixels)
    pixels[:500] = 0
    masks = [node("map", stage="read-map", file="mask.fits")]
    values = w * pixels.sum() * healpy.nside2pixarea(nside) / w.sum()
    for keys, analysed in (({"mask_lmax": LMAX}, LMAX), ({"mask_lmax": -1}, 3 * nside - 1)):
        alm, mask, noise, mask_noise = field(mask="map", before=masks, **keys)
        what = "mask, mask-lmax %d" % analysed
        check("density, " + what, alm[0], direct(LMAX, 0, lon, lat, values)
              - healpy.map2alm(pixels, lmax=LMAX, iter=3), 1e-11)
        check("a_lm of the " + what, mask, healpy.map2alm(pixels, lmax=analysed, iter=3), 1e-11)
        check_noise("noise, " + what, noise, np.sum(values**2) / (4 * np.pi), LMAX)
        ok("a mask has no noise", np.array_equal(mask_noise, np.zeros((1, analysed + 1))))


def check_unbiased():
    """Skies whose spectra are constant in each bin, and no others, so that these constants are the
    mean bandpowers; the distance that chance allows follows from their scatter."""
    n, levels = 80, np.array([3.0, 2, 1.5, 1.2, 1])
    l = np.arange(52)
    level = np.where(l < 2, 0, levels[np.maximum(l - 2, 0) // 10])
    zero = np.zeros(l.size)
    healpy.write_cl("theory.fits", [level, 0.5 * level, 0.25 * level, zero], overwrite=True)
    forms = []
    for name, keys in (("t", dict(columns="T")), ("p", dict(columns="Q, U", spin=2))):
        forms += [node(name, stage="catalogue-spectra", catalogue="sample", lmax=51, mask_lmax=102,
                       delta_l=10, **keys),
                  node(name + "w", stage="write-table", table=name + ".table",
                       file=name + "-${index}.fits")]
    cap = dict(stage="random-catalogue", latitude_min="40 deg")
    sample = [node("theory", stage="read-cl", file="theory.fits"),
              node("sky", stage="random-alm", cl="theory", seed=1, lmax=51),
              node("points", number=1000, seed=2, realisation=0, **cap),
              node("sample", stage="alm2points", alm="sky", points="points", columns="T, Q, U")]
    run(node("workflow", repeat=n), *sample, *forms,
        node("scattered", number=1000, seed=2, **cap),
        node("randoms", number=4000, seed=3, **cap),
        node("d", stage="catalogue-spectra", catalogue="scattered", random="randoms", lmax=51,
             mask_lmax=102, delta_l=10),
        node("dw", stage="write-table", table="d.table", file="d-${index}.fits"),
        node("all", stage="collect", input="p/spectra"),
        node("all-out", stage="write-cl", cl="all.mean", file="mean.fits"))
    run(*sample, *forms[2:3], node("mean-cl", stage="read-cl", file="mean.fits"),
        node("smooth", stage="smooth-alm", alm="p/field.mask-alm", fwhm="8 deg"),
        node("density", stage="alm2map", alm="smooth", nside=64),
        node("square", stage="expression", map="density", expression="map^2"),
        node("mean", stage="map-statistics", map="square"),
        node("known", stage="expression", cl="mean-cl", table="mean.out", names="EE, BB, EB",
             expression="EE / table.MEAN, BB / table.MEAN, 0 * EE"),
        node("covariance", stage="covariance", mask="density", cl="known", coupling="p/coupling",
             mask_lmax=102, delta_l=10),
        node("c", stage="write-matrix", matrix="covariance", file="covariance.fits"))
    for name, column, expected in (("t", "TT", levels), ("p", "EE", 0.5 * levels),
                                   ("p", "BB", 0.25 * levels), ("p", "EB", 0 * levels),
                                   ("d", "TT", 0 * levels)):
        all_ = np.array([fits.getdata("%s-%d.fits" % (name, i), 1)[column] for i in range(n)])
        off = (all_.mean(axis=0) - expected) / (all_.std(axis=0, ddof=1) / np.sqrt(n))
        if name == "d":  # the number of objects sets the mean density, which lowers the first bin
            off = off[1:]
        what = {"t": "fields", "p": "shears", "d": "unclustered objects"}[name]
        ok("mean %s of %s: %.2f sigma" % (column, what, np.abs(off).max()), np.abs(off).max() < 4.5)
    check_covariance(n)


def check_covariance(n):
    """Variances of the bandpowers, against the scatter of the simulated ones."""
    matrices = fits.getdata("covariance.fits", "MATRIX")  # [pair of EE, BB and EB]
    for i, column in enumerate(("EE", "BB")):
        all_ = np.array([fits.getdata("p-%d.fits" % k, 1)[column] for k in range(n)])
        ratio = np.mean(np.diag(matrices[4 * i]) / all_.var(axis=0, ddof=1))
        # 10 % of the approximation, and what the scatter of n catalogues allows
        bound = 0.1 + 4 * np.sqrt(2 / (n - 1) / all_.shape[1])
        ok("variance of %s over that of the simulated ones: %.2f" % (column, ratio),
           abs(ratio - 1) < bound)


lon, lat, weights, more = objects()
write_catalogue("objects.fits", lon, lat, w=weights, **more)
check_spins(lon, lat, weights, more)
check_shears(lon, lat, weights, more)
check_cross(lon, lat, weights, more)
check_pixels()
check_templates(lon, lat, weights, more)
check_clustering(lon, lat, weights, more)
check_unbiased()
end()
