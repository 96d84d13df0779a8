# SPDX-License-Identifier: GPL-3.0-or-later
"""Spectra of masked skies against healpy and quadrature: coupling matrices as integrals of three
Wigner d functions over the sphere, bandpowers by inverting the whole of what couples E and B. TAP.

Usage: masked-healpy.py PATH-OF-ARMILLA
"""

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


def decouple(matrix, cl, edges, weights, factors, beam):
    """Bandpowers and windows of TT; of TE; and of EE, EB, BE, BB by one system of four."""
    n = LMAX + 1
    bins = len(edges) - 1
    average, spread = np.zeros((bins, n)), np.zeros((n, bins))
    for b in range(bins):
        own = slice(edges[b], edges[b + 1])
        average[b, own] = weights[own] / weights[own].sum() * factors[own]
        spread[own, b] = 1 / factors[own]
    plus, minus, none = matrix["++"], matrix["--"], np.zeros((n, n))
    whole = np.block([[plus, none, none, minus], [none, plus, -minus, none],
                      [none, -minus, plus, none], [minus, none, none, plus]])
    powers, windows = {}, {}
    for names, m in ((["TT"], matrix["00"]), (["TE"], matrix["0+"]), (["TB"], matrix["0+"]),
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


def check_flat():
    """A sky that is white in T: bandpowers of its masked spectrum stay flat but for the noise of one
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
check_flat()
end()
