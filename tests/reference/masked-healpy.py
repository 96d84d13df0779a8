# SPDX-License-Identifier: GPL-3.0-or-later
"""Spectra of masked skies against healpy and quadrature: coupling matrices as integrals of three
Wigner d functions over the sphere, bandpowers by inverting the whole of what couples E and B. TAP.

Usage: masked-healpy.py PATH-OF-ARMILLA
"""

import functools

import healpy
import numpy as np
from astropy.io import fits

from comparison import check, end, node, ok, random, run, write_map

NSIDE = 16
LMAX, MASK_LMAX = 40, 47
NAMES = ["TT", "EE", "BB", "TE", "EB", "TB"]


def wigner_d(m, n, x):
    """d^l_mn of arccos x, l = 0..LMAX, m = n = 0 or m = 2: [l][x]."""
    d = np.zeros((LMAX + 2, len(x)), dtype=np.longdouble)
    start = max(m, abs(n))
    d[start] = {(0, 0): 1 + 0 * x, (2, 2): ((1 + x) / 2) ** 2, (2, -2): ((1 - x) / 2) ** 2,
                (2, 0): np.sqrt(np.longdouble(6)) / 4 * (1 - x * x)}[m, n]
    for l in range(start, LMAX + 1):
        if l == 0:
            d[1] = x
            continue
        up = l * np.sqrt(np.longdouble(((l + 1) ** 2 - m * m) * ((l + 1) ** 2 - n * n)))
        down = (l + 1) * np.sqrt(np.longdouble((l * l - m * m) * (l * l - n * n)))
        d[l + 1] = ((2 * l + 1) * (l * (l + 1) * x - m * n) * d[l] - down * d[l - 1]) / up
    return d[:LMAX + 1]


def gauss(n):
    """Nodes and weights of Gauss and Legendre in extended precision: NumPy's, made better."""
    x = np.polynomial.legendre.leggauss(n)[0].astype(np.longdouble)
    for _ in range(3):
        before, p = np.ones_like(x), x
        for l in range(1, n):
            before, p = p, ((2 * l + 1) * x * p - l * before) / (l + 1)
        slope = n * (before - x * p) / (1 - x * x)
        x = x - p / slope
    return x, 2 / ((1 - x * x) * slope * slope)


def couplings(spectrum):
    """00, 0+, ++, --: the integral of d^l1 d^l2 P_l3 is twice a product of two 3j symbols."""
    x, weights = gauss(80)
    l = np.arange(len(spectrum))
    xi = np.polynomial.legendre.legval(x, (2 * l + 1) / (4 * np.pi) * spectrum)
    scale = (2 * np.arange(LMAX + 1) + 1) / 2

    def integral(m, n):
        d = wigner_d(m, n, x)
        return (np.einsum("ix,jx,x->ij", d, d, xi * weights) * scale).astype(float)

    same, opposite = integral(2, 2), integral(2, -2)
    return {"00": integral(0, 0), "0+": integral(2, 0), "++": (same + opposite) / 2,
            "--": (same - opposite) / 2}


def read_matrix(name):
    with fits.open(name) as file:
        ok("%s has good checksums" % name,
           all(hdu.verify_checksum() == 1 and hdu.verify_datasum() == 1 for hdu in file[1:]))
        header, data = file[1].header, file[1].data
        data = data[None] if data.ndim == 2 else data
        return ({header["FIELD%d" % (i + 1)].strip(): data[i] for i in range(len(data))},
                file["ROWS"].data["l"], file["COLUMNS"].data["l"])


def decouple(matrix, cl, edges, weights, factors, beam, pure=""):
    """Bandpowers and windows of TT; of TE; of TB; and of EE, EB, BE, BB by one system of four. No
    other field is in one that is purified."""
    n = LMAX + 1
    bins = len(edges) - 1
    average, spread = np.zeros((bins, n)), np.zeros((n, bins))
    for b in range(bins):
        own = slice(edges[b], edges[b + 1])
        average[b, own] = weights[own] / weights[own].sum() * factors[own]
        spread[own, b] = 1 / factors[own]
    none = np.zeros((n, n))

    def own(name):
        """What couples a spectrum to itself, and what it has of EE for BB or of EB for BE."""
        purified = sum(letter.lower() in pure for letter in name)
        if "T" in name:
            return matrix["0p" if purified else "0+"], none
        return matrix[["++", "+p", "pp"][purified]], none if purified else matrix["--"]

    (ee, e), (eb, x), (be, y), (bb, b) = [own(name) for name in ("EE", "EB", "BE", "BB")]
    whole = np.block([[ee, none, none, e], [none, eb, -x, none],
                      [none, -y, be, none], [b, none, none, bb]])
    powers, windows = {}, {}
    for names, m in ((["TT"], matrix["00"]), (["TE"], own("TE")[0]), (["TB"], own("TB")[0]),
                     (["EE", "EB", "BE", "BB"], whole)):
        k = len(names)
        a, s = np.kron(np.eye(k), average), np.kron(np.eye(k), spread)
        m = m * np.tile(beam, k)
        pseudo = np.concatenate([cl["EB" if name == "BE" else name] for name in names])
        solved = np.linalg.solve(a @ m @ s, np.column_stack([a @ pseudo, a @ m]))
        for i, name in enumerate(names):
            powers[name] = solved[i * bins:(i + 1) * bins, 0]
            for j, other in enumerate(names):
                windows["%s of %s" % (name, other)] = solved[i * bins:(i + 1) * bins,
                                                            1 + j * n:1 + (j + 1) * n]
    return powers, windows


def check_sky(dl, modes):
    pixels = np.arange(12 * NSIDE ** 2)
    z, phi = np.cos(healpy.pix2ang(NSIDE, pixels)[0]), healpy.pix2ang(NSIDE, pixels)[1]
    mask = np.clip((np.abs(z) - 0.2 + 0.1 * np.cos(phi)) / 0.2, 0, 1)
    sky = random.standard_normal((3, pixels.size)) * [[5], [1], [1]]
    write_map("mask.fits", mask)
    write_map("sky.fits", sky)
    l = np.arange(LMAX + 1)
    beam = np.exp(-l * (l + 1) * np.radians(4) ** 2 / (16 * np.log(2)))
    edges = [2, 5, 9, 14, 20, 27, 35]
    run(node("mask", stage="read-map", file="mask.fits"),
        node("sky", stage="read-map", file="sky.fits", fields="all"),
        node("masked", stage="mask", map="sky", mask="mask"),
        node("alm", stage="map2alm", map="masked", lmax=LMAX),
        node("cl", stage="alm2cl", alm="alm"),
        node("coupling", stage="coupling", mask="mask", lmax=LMAX),
        node("powers", stage="decouple", cl="cl", coupling="coupling", fwhm="4 deg",
             edges=", ".join(map(str, edges)), dl=str(dl).lower(),
             weights="modes" if modes else "uniform"),
        node("binned", stage="bandpowers", cl="cl", delta_l=7, dl=str(dl).lower()),
        node("w1", stage="write-table", table="powers.table", file="powers.fits"),
        node("w2", stage="write-matrix", matrix="powers.windows", file="windows.fits"),
        node("w3", stage="write-matrix", matrix="coupling", file="coupling.fits"),
        node("w4", stage="write-table", table="binned", file="binned.fits"))
    what = ", D_l" * dl + ", 2 l + 1" * modes
    expected = couplings(healpy.anafast(mask, lmax=MASK_LMAX, iter=3))
    matrix, rows, columns = read_matrix("coupling.fits")
    ok("axes of the coupling", np.array_equal(rows, l) and np.array_equal(columns, l)
       and list(matrix) == ["00", "0+", "++", "--"])
    for kind in expected:
        check("coupling " + kind, matrix[kind].ravel(), expected[kind].ravel(), 1e-12)

    cl = dict(zip(NAMES, healpy.anafast(sky * mask, lmax=LMAX, iter=3)))
    weights = 2.0 * l + 1 if modes else np.ones(LMAX + 1)
    factors = l * (l + 1) / (2 * np.pi) if dl else np.ones(LMAX + 1)
    # The Gaussian beam of a field of spin 2 has another height, which NumPy's beam has not.
    spin = np.exp(2 * np.radians(4) ** 2 / (8 * np.log(2)))
    powers, windows = decouple(expected, cl, edges, weights, factors, beam ** 2)
    with fits.open("powers.fits") as file:
        table = file[1].data
    ok("columns of bandpowers" + what, table.names == ["l", "l_min", "l_max"] + NAMES)
    ok("degrees of bins" + what, list(table["l_min"]) == edges[:-1]
       and list(table["l_max"] + 1) == edges[1:])
    check("effective degrees" + what, table["l"],
          [np.average(l[a:b], weights=weights[a:b]) for a, b in zip(edges, edges[1:])], 1e-14)
    ours = read_matrix("windows.fits")[0]
    for name in NAMES:
        pairs = sum(letter != "T" for letter in name)
        check("bandpowers %s%s" % (name, what), table[name] * spin ** pairs, powers[name], 1e-11)
    for name, window in ours.items():
        # EB alone is taken for BE as well, so that its window has both.
        theirs = windows[name] + (windows["EB of BE"] if name == "EB of EB" else 0)
        check("window %s%s" % (name, what), window.ravel(), theirs.ravel(), 1e-11)
    with fits.open("binned.fits") as file:
        table = file[1].data
    check("means without a mask" + what, table["TE"],
          [np.mean((factors * cl["TE"])[a:a + 7]) for a in range(2, LMAX - 5, 7)], 1e-12)


def factors(l):
    """sqrt (l (l + 1)), sqrt ((l + 2)! / (l - 2)!), and 1 over that, 0 below l = 2."""
    x = l * (l + 1.0)
    second = np.sqrt(np.maximum(x * (x - 2), 0))
    return np.sqrt(x), second, np.divide(1, second, out=0 * x, where=second > 0)


def purify(sky, mask, pure):
    """E and B with the derivatives of the mask: healpy's transforms of spin 1 and 2."""
    l = np.arange(max(LMAX, MASK_LMAX) + 1)
    first, second, norm = factors(l)
    q, u = sky[1], sky[2]
    alm = list(healpy.map2alm_spin([q * mask, u * mask], 2, lmax=LMAX))
    mask_alm = healpy.map2alm(mask, lmax=MASK_LMAX, iter=0)
    for spin, window, factor in ((1, -first, 2 * norm * first), (2, second, norm)):
        made = healpy.almxfl(mask_alm, window)
        a, b = healpy.alm2map_spin([made, 0 * made], NSIDE, spin, MASK_LMAX)
        product = [a * q + b * u, a * u - b * q]
        more = (healpy.map2alm_spin(product, 1, lmax=LMAX) if spin == 1 else
                [healpy.map2alm(p, lmax=LMAX, iter=0) for p in product])
        for i, letter in enumerate("eb"):
            if letter in pure:
                alm[i] = alm[i] + healpy.almxfl(more[i], factor)
    return [healpy.map2alm(sky[0] * mask, lmax=LMAX, iter=0)] + alm


def check_pure(pure):
    """Spectra of purified fields, and their bandpowers by one system of four."""
    pixels = np.arange(12 * NSIDE ** 2)
    z, phi = np.cos(healpy.pix2ang(NSIDE, pixels)[0]), healpy.pix2ang(NSIDE, pixels)[1]
    mask = np.clip((np.abs(z) - 0.1 + 0.1 * np.cos(phi)) / 0.6, 0, 1) ** 2
    sky = random.standard_normal((3, pixels.size)) * [[5], [3], [3]]
    write_map("mask.fits", mask)
    write_map("sky.fits", sky)
    edges = [2, 8, 15, 24, 33]
    run(node("mask", stage="read-map", file="mask.fits"),
        node("sky", stage="read-map", file="sky.fits", fields="all"),
        node("alm", stage="purify", map="sky", mask="mask", pure=pure, lmax=LMAX, iterations=0),
        node("cl", stage="alm2cl", alm="alm"),
        node("coupling", stage="coupling", mask="mask", lmax=LMAX, pure="true"),
        node("powers", stage="decouple", cl="cl", coupling="coupling", pure=pure,
             edges=", ".join(map(str, edges))),
        node("w0", stage="write-cl", cl="cl", file="pure.fits"),
        node("w1", stage="write-table", table="powers.table", file="powers.fits"),
        node("w2", stage="write-matrix", matrix="powers.windows", file="windows.fits"),
        node("w3", stage="write-matrix", matrix="coupling", file="coupling.fits"))
    cl = dict(zip(NAMES, healpy.alm2cl(purify(sky, mask, pure))))
    for name, ours in zip(NAMES, healpy.read_cl("pure.fits")):
        check("pure %s: pseudo-spectrum %s" % (pure, name), ours, cl[name], 1e-12)

    l = np.arange(LMAX + 1)
    second, norm = factors(l)[1:]
    ratio = np.outer(norm, second)
    matrix = couplings(healpy.anafast(mask, lmax=MASK_LMAX, iter=3))
    matrix.update({"0p": ratio * matrix["00"], "+p": ratio * matrix["0+"],
                   "pp": ratio ** 2 * matrix["00"]})
    ours = read_matrix("coupling.fits")[0]
    for kind in matrix:
        check("coupling " + kind, ours[kind].ravel(), matrix[kind].ravel(), 1e-12)
    with fits.open("powers.fits") as file:
        table = file[1].data
    powers, windows = decouple(matrix, cl, edges, np.ones(LMAX + 1), np.ones(LMAX + 1),
                               np.ones(LMAX + 1), pure)
    for name in NAMES:
        check("pure %s: bandpowers %s" % (pure, name), table[name], powers[name], 1e-11)
    for name, window in read_matrix("windows.fits")[0].items():
        check("pure %s: window %s" % (pure, name), window.ravel(), windows[name].ravel(), 1e-11)


def check_scalar():
    """Purified B is that of the scalar whose degrees are sqrt ((l + 2)! / (l - 2)!) B_lm, times the
    mask, whatever E there is; so is E. All degrees are so low that pixels do not matter."""
    lmax, nside = 12, 64
    size = healpy.Alm.getsize(lmax)
    e, b = random.standard_normal((2, size)) + 1j * random.standard_normal((2, size))
    l, m = healpy.Alm.getlm(lmax)
    e, b = [np.where(l < 2, 0, np.where(m == 0, a.real, a)) for a in (30 * e, b)]
    w = np.where(l == 0, 10, np.where(m == 0, 1, 1 + 1j) / (l + 1))
    mask = healpy.alm2map(w, nside, lmax=lmax)
    write_map("mask.fits", mask)
    write_map("sky.fits", healpy.alm2map([0 * e, e, b], nside, lmax=lmax))
    run(node("mask", stage="read-map", file="mask.fits"),
        node("sky", stage="read-map", file="sky.fits", fields="1, 2"),
        node("alm", stage="purify", map="sky", mask="mask", pure="eb", lmax=40, mask_lmax=40,
             iterations=8),
        node("out", stage="write-alm", alm="alm", file="pure-alm.fits"))
    degrees = np.arange(41)
    for hdu, name, alm in ((1, "E", e), (2, "B", b)):
        second, norm = factors(degrees)[1:]
        scalar = healpy.alm2map(healpy.almxfl(alm, second), nside, lmax=lmax)
        expected = healpy.almxfl(healpy.map2alm(mask * scalar, lmax=40, iter=8), norm)
        check("purified %s is a scalar times the mask" % name,
              healpy.read_alm("pure-alm.fits", hdu=hdu), expected, 1e-12)


def real_alm(alm, lmax):
    """[field][l] -> m, real and orthonormal: sums of products over it are 2 l + 1 times C_l."""
    l, m = healpy.Alm.getlm(lmax)
    return [[np.concatenate([a[(l == k) & (m == 0)].real, np.sqrt(2) * a[(l == k) & (m > 0)].real,
                             np.sqrt(2) * a[(l == k) & (m > 0)].imag]) for k in range(lmax + 1)]
            for a in alm]


def check_covariance():
    """Of noise that is white in T, Q and U what is computed is exact, except for pixels: the covariance
    of each a_lm with each, from maps of one pixel, gives that of spectra, and so of bandpowers."""
    nside, lmax, edges = 8, 14, [2, 5, 9, 13]
    pixels = np.arange(12 * nside ** 2)
    z, phi = np.cos(healpy.pix2ang(nside, pixels)[0]), healpy.pix2ang(nside, pixels)[1]
    mask = np.clip((z + 0.6 + 0.2 * np.cos(phi)) / 1.2, 0, 1) ** 2
    write_map("mask.fits", mask)
    cl = np.zeros((6, lmax + 1))
    cl[0], cl[1:3] = 2, 1
    healpy.write_cl("white.fits", cl, dtype=np.float64, overwrite=True)
    run(node("mask", stage="read-map", file="mask.fits"),
        node("cl", stage="read-cl", file="white.fits"),
        node("coupling", stage="coupling", mask="mask", lmax=lmax, mask_lmax=23),
        node("covariance", stage="covariance", mask="mask", cl="cl", coupling="coupling",
             edges=", ".join(map(str, edges)), spectra=", ".join(NAMES)),
        node("w1", stage="write-matrix", matrix="covariance", file="covariance.fits"),
        node("w2", stage="write-matrix", matrix="coupling", file="coupling.fits"))
    ours, matrix = read_matrix("covariance.fits")[0], read_matrix("coupling.fits")[0]

    columns = []
    for field in range(3):
        for pixel in pixels[mask > 0]:
            sky = np.zeros((3, pixels.size))
            sky[field, pixel] = mask[pixel] * np.sqrt(cl[field, 2] * pixels.size / (4 * np.pi))
            columns.append(real_alm(healpy.map2alm(sky, lmax=lmax, iter=0), lmax))
    parts = [[np.array([column[f][l] for column in columns]) for l in range(lmax + 1)]
             for f in range(3)]
    fields = "TEB"

    @functools.cache
    def product(x, y, l, k):
        return parts[fields.index(x)][l].T @ parts[fields.index(y)][k]

    @functools.cache
    def covariance(one, two):
        """Of pseudo-spectra, [l][l']."""
        return np.array([[(np.sum(product(one[0], two[0], l, k) * product(one[1], two[1], l, k))
                           + np.sum(product(one[0], two[1], l, k) * product(one[1], two[0], l, k)))
                          / ((2 * l + 1) * (2 * k + 1)) for k in range(lmax + 1)]
                         for l in range(lmax + 1)])

    average = np.array([[float(a <= l < b) / (b - a) for l in range(lmax + 1)]
                        for a, b in zip(edges, edges[1:])])
    spread = np.array([[float(a <= l < b) for a, b in zip(edges, edges[1:])]
                       for l in range(lmax + 1)])
    n = len(edges) - 1
    plus, minus = matrix["++"], matrix["--"]
    inverse = {}
    for names, kernel in ((["TT"], matrix["00"]), (["TE"], matrix["0+"]), (["TB"], matrix["0+"]),
                          (["EB"], plus - minus),
                          (["EE", "BB"], np.block([[plus, minus], [minus, plus]]))):
        eye = np.eye(len(names))
        solved = np.linalg.inv(np.kron(eye, average) @ kernel @ np.kron(eye, spread))
        for i, name in enumerate(names):
            inverse[name] = [(other, solved[i * n:(i + 1) * n, j * n:(j + 1) * n] @ average)
                             for j, other in enumerate(names)]
    sigma = {}
    for one in NAMES:
        for two in NAMES:
            sigma[one, two] = sum(a @ covariance(x, y) @ b.T for x, a in inverse[one]
                                  for y, b in inverse[two])
    rest = 0
    for one, two in sigma:
        scale = np.sqrt(np.outer(np.diag(sigma[one, one]), np.diag(sigma[two, two])))
        far = np.max(np.abs(ours["%s %s" % (one, two)] - sigma[one, two]) / scale)
        if one == two or {one, two} == {"EE", "BB"}:
            ok("covariance %s %s of white noise: %.2g" % (one, two, far), far <= 3e-3)
        else:
            rest = max(rest, far)
    ok("others of white noise are 0: %.2g" % rest, rest <= 1e-12)


def check_flat():
    """A sky that is white in T: bandpowers of its masked spectrum stay flat except for the noise of one
    sky; the mean pseudo-spectrum is its variance times the mean square of the mask."""
    mask = np.zeros(12 * NSIDE ** 2)
    mask[:mask.size // 2] = 1
    flat = np.ones(LMAX + 1)
    write_map("mask.fits", mask)
    matrix = couplings(healpy.anafast(mask, lmax=MASK_LMAX, iter=3))
    healpy.write_cl("flat.fits", matrix["00"] @ flat, dtype=np.float64, overwrite=True)
    run(node("mask", stage="read-map", file="mask.fits"),
        node("cl", stage="read-cl", file="flat.fits"),
        node("coupling", stage="coupling", mask="mask", lmax=LMAX, spins=0),
        node("powers", stage="decouple", cl="cl", coupling="coupling", edges="0, 4, 9, 20, 41"),
        node("out", stage="write-table", table="powers.table", file="flat-out.fits"))
    with fits.open("flat-out.fits") as file:
        check("a flat spectrum comes back", file[1].data["TT"], np.ones(4), 1e-12)


for dl in (False, True):
    for modes in (False, True):
        check_sky(dl, modes)
for pure in ("b", "e", "eb"):
    check_pure(pure)
check_scalar()
check_covariance()
check_flat()
end()
