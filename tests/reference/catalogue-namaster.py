# SPDX-License-Identifier: GPL-3.0-or-later
"""Bandpowers of catalogues against NaMaster, whose sums over objects have an error of 1e-5. TAP.

Usage: catalogue-namaster.py PATH-OF-ARMILLA
"""

import sys

try:
    import pymaster as nmt
    nmt.NmtFieldCatalogMomentum  # of pymaster 2.5 and later
except (ImportError, AttributeError) as error:
    print("1..0 # SKIP %s" % error)
    sys.exit(0)

import healpy
import numpy as np
from astropy.io import fits

from comparison import end, node, ok, random, run, write_map

LMAX, MASK_LMAX, WIDTH, NSIDE, BOUND = 95, 140, 12, 32, 1e-5
bins = nmt.NmtBin.from_lmax_linear(LMAX, WIDTH)
BINS = dict(lmax=LMAX, delta_l=WIDTH, epsilon="1e-10")


def places(n):
    """Within 60 degrees of the north pole."""
    return random.uniform(0, 360, n), np.degrees(np.arcsin(random.uniform(0.5, 1, n)))


def write(name, n):
    """Objects with smooth values, weights, and templates that are smooth, too."""
    lon, lat = places(n)
    phi, z = np.radians(lon), np.sin(np.radians(lat))
    more = {"f": np.cos(3 * phi) * z + 0.3 * random.standard_normal(n),
            "q": np.sin(2 * phi) * z**2 + 0.3 * random.standard_normal(n),
            "u": np.cos(phi) + 0.3 * random.standard_normal(n),
            "t": z + 0.2 * np.cos(phi), "v": np.sin(phi), "w": random.uniform(0.2, 1, n)}
    columns = [fits.Column(name=k, format="D", unit=unit, array=a)
               for k, unit, a in [("RA", "deg", lon), ("DEC", "deg", lat)]
               + [(k, None, a) for k, a in more.items()]]
    fits.BinTableHDU.from_columns(columns).writeto(name + ".fits", overwrite=True)
    return np.array([lon, lat]), more


def read(name):
    return node(name, stage="read-catalogue", file=name + ".fits", weight="w",
                values="f, q, u, t, v")


NAMES = {0: ["TT"], 2: ["EE", "EB", "BE", "BB"]}


def bandpowers(what, fields, table, names):
    """Compares a table with the decoupled spectrum of one field or two."""
    one, two = fields[0], fields[-1]
    work = nmt.NmtWorkspace.from_fields(one, two, bins)
    theirs = work.decouple_cell(nmt.compute_coupled_cell(one, two))
    data = fits.getdata(table, 1)
    for i, name in enumerate(names):
        if name not in data.names:
            ok("no %s in %s" % (name, what), name == "BE" and one is two)
            continue
        far = np.max(np.abs(data[name] - theirs[i])) / np.max(np.abs(theirs))
        ok("%s, %s: %.2g" % (name, what, far), far <= BOUND)


def auto(what, theirs, spin=0, inputs=(), **keys):
    run(read("data"), *inputs,
        node("p", stage="catalogue-spectra", catalogue="data", spin=spin, **BINS, **keys),
        node("w", stage="write-table", table="p.table", file="table.fits"))
    bandpowers(what, [theirs], "table.fits", NAMES[spin])


def check_sampled():
    for spin, names, templates in ((0, ["f"], [["t"], ["v"]]), (2, ["q", "u"], [["t", "v"]])):
        values = [data[k] for k in names]
        keys = dict(columns=", ".join(names), mask_lmax=MASK_LMAX)
        ours = dict(lmax_mask=MASK_LMAX, spin=spin, lonlat=True)
        auto("spin %d" % spin, nmt.NmtFieldCatalog(places1, data["w"], values, LMAX, **ours), spin,
             **keys)
        theirs = nmt.NmtFieldCatalog(places1, data["w"], values, LMAX, **ours,
                                     templates=[[data[k] for k in t] for t in templates])
        auto("templates, spin %d" % spin, theirs, spin, **keys,
             templates=", ".join(sum(templates, [])))


def check_clustering():
    theirs = nmt.NmtFieldCatalogClustering(places1, data["w"], places2, other["w"], LMAX,
                                           lmax_mask=MASK_LMAX, lonlat=True)
    auto("clustering with random objects", theirs, random="other", mask_lmax=MASK_LMAX,
         inputs=[read("other")])
    theirs = nmt.NmtFieldCatalogMomentum(places1, data["w"], [data["f"]], places2, other["w"], LMAX,
                                         lmax_mask=MASK_LMAX, lonlat=True)
    auto("momentum", theirs, columns="f", random="other", mask_lmax=MASK_LMAX,
         inputs=[read("other")])
    theirs = nmt.NmtFieldCatalogClustering(places1, data["w"], None, None, LMAX, mask=mask,
                                           lonlat=True)
    auto("clustering with a mask", theirs, mask="mask",
         inputs=[node("mask", stage="read-map", file="mask.fits")])


def check_templates():
    """Templates of densities and momenta, of which NaMaster fits the a_lm."""
    sky = np.array([np.cos(theta)**2, np.sin(theta) * np.cos(phi)])
    write_map("templates.fits", sky)
    randoms = dict(lmax_mask=MASK_LMAX, lonlat=True)
    for end_, more in ((None, {}), (60, {"templates_lmax": 60})):
        ours = dict(more, random="other", mask_lmax=MASK_LMAX, inputs=[read("other")])
        fit = dict(randoms, lmax_deproj=end_)
        theirs = nmt.NmtFieldCatalogClustering(places1, data["w"], places2, other["w"], LMAX, **fit,
                                               templates=[[other["t"]], [other["v"]]])
        auto("templates of a density, %s" % end_, theirs, templates="t, v", **ours)
        theirs = nmt.NmtFieldCatalogMomentum(places1, data["w"], [data["q"], data["u"]], places2,
                                             other["w"], LMAX, spin=2, **fit,
                                             templates=[[other["t"], other["v"]]])
        auto("templates of a momentum of spin 2, %s" % end_, theirs, 2, columns="q, u",
             templates="t, v", **ours)
        theirs = nmt.NmtFieldCatalogClustering(places1, data["w"], None, None, LMAX, mask=mask,
                                               lonlat=True, templates=sky[:, None],
                                               lmax_deproj=end_)
        auto("templates of a density in a mask, %s" % end_, theirs, mask="mask",
             template_maps="sky", **more,
             inputs=[node("mask", stage="read-map", file="mask.fits"),
                     node("sky", stage="read-map", file="templates.fits", fields="all", spin=0)])


def check_cross():
    for spin, names in ((0, ["f"]), (2, ["q", "u"])):
        ours = dict(lmax_mask=MASK_LMAX, spin=spin, lonlat=True)
        one = nmt.NmtFieldCatalog(places1, data["w"], [data[k] for k in names], LMAX, **ours)
        two = nmt.NmtFieldCatalog(places2, other["w"], [other[k] for k in names], LMAX, **ours)
        run(read("data"), read("other"),
            node("p", stage="catalogue-spectra", catalogue="data", catalogue2="other", spin=spin,
                 columns=", ".join(names), mask_lmax=MASK_LMAX, **BINS),
            node("w", stage="write-table", table="p.cross", file="cross.fits"))
        bandpowers("two catalogues, spin %d" % spin, [one, two], "cross.fits", NAMES[spin])
    scalar = nmt.NmtFieldCatalog(places1, data["w"], [data["f"]], LMAX, lmax_mask=MASK_LMAX,
                                 lonlat=True)
    shear = nmt.NmtFieldCatalog(places2, other["w"], [other["q"], other["u"]], LMAX, spin=2,
                                lmax_mask=MASK_LMAX, lonlat=True)
    for one, two, names in ((scalar, shear, ["TE", "TB"]), (shear, scalar, ["ET", "BT"])):
        first, second = ("field", "field2")[::1 if one is scalar else -1]
        run(read("data"), read("other"),
            node("field", stage="catalogue2alm", catalogue="data", columns="f", lmax=LMAX,
                 mask_lmax=MASK_LMAX, epsilon="1e-10"),
            node("field2", stage="catalogue2alm", catalogue="other", columns="q, u", spin=2,
                 lmax=LMAX, mask_lmax=MASK_LMAX, epsilon="1e-10"),
            node("cl", stage="alm2cl", alm=first + ".alm", alm2=second + ".alm"),
            node("masks", stage="alm2cl", alm="field.mask-alm", alm2="field2.mask-alm"),
            node("coupling", stage="coupling", cl="masks", lmax=LMAX, spins="0x2"),
            node("p", stage="decouple", cl="cl", coupling="coupling", delta_l=WIDTH),
            node("w", stage="write-table", table="p.table", file="cross.fits"))
        bandpowers("spins 0 and 2", [one, two], "cross.fits", names)
    # a map: the analysis of NaMaster has as many iterations
    sky = random.standard_normal(mask.size)
    write_map("sky.fits", sky)
    one = nmt.NmtFieldCatalog(places1, data["w"], [data["f"]], LMAX, lmax_mask=LMAX, lonlat=True)
    two = nmt.NmtField(mask, [sky], lmax=LMAX, lmax_mask=LMAX, n_iter=3)
    run(read("data"), node("mask", stage="read-map", file="mask.fits"),
        node("sky", stage="read-map", file="sky.fits"),
        node("seen", stage="mask", map="sky", mask="mask"),
        node("field", stage="catalogue2alm", catalogue="data", columns="f", lmax=LMAX,
             epsilon="1e-10"),
        node("field2", stage="map2alm", map="seen", lmax=LMAX),
        node("mask2", stage="map2alm", map="mask", lmax=LMAX),
        node("cl", stage="alm2cl", alm="field.alm", alm2="field2"),
        node("masks", stage="alm2cl", alm="field.mask-alm", alm2="mask2"),
        node("coupling", stage="coupling", cl="masks", spins=0),
        node("p", stage="decouple", cl="cl", coupling="coupling", delta_l=WIDTH),
        node("w", stage="write-table", table="p.table", file="cross.fits"))
    bandpowers("a catalogue and a map", [one, two], "cross.fits", ["TT"])


places1, data = write("data", 3000)
places2, other = write("other", 8000)
theta, phi = healpy.pix2ang(NSIDE, np.arange(12 * NSIDE**2))
mask = np.clip((np.pi / 3 - theta) * 5, 0, 1)
write_map("mask.fits", mask)
check_sampled()
check_clustering()
check_templates()
check_cross()
end()
