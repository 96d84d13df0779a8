# SPDX-License-Identifier: GPL-3.0-or-later
"""FITS files of astropy's through the stages that read them, row by row against astropy. TAP.

Usage: fits-astropy.py PATH-OF-ARMILLA
"""

import gzip
import shutil

import astropy.io.fits as fits
import healpy
import numpy as np
from astropy.table import MaskedColumn, Table

from comparison import end, node, ok, random, run

INTEGERS = ["u1", "i1", "i2", "u2", "i4", "u4", "i8", "u8"]
made = []  # names of all files


def integers(dtype, shape):
    """All bits at random, both ends among them."""
    limits = np.iinfo(dtype)
    values = random.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    values.flat[:2] = limits.min, limits.max
    return values


def texts(n, width, alphabet="abc XYZ019-_'\"#,"):
    letters = np.array(list(alphabet))
    return np.array(["".join(random.choice(letters, random.integers(0, width + 1))).strip()
                     for _ in range(n)], dtype="U%d" % width)


def save(name, *hdus):
    fits.HDUList([fits.PrimaryHDU(), *hdus]).writeto(name, overwrite=True)
    made.append(name)
    return name


def table_hdu(**columns):
    """astropy takes int8 for truth values: bytes that are 128 more, and TZERO, are written."""
    signed = {name for name, x in columns.items() if np.asarray(x).dtype == np.int8}
    hdu = fits.table_to_hdu(Table({
        name: (x.astype(np.int16) + 128).astype(np.uint8) if name in signed else x
        for name, x in columns.items()}))
    for index, name in enumerate(columns, 1):
        if name in signed:
            hdu.header.set("TZERO%d" % index, -128, after="TFORM%d" % index)
    return hdu


def same_number(ours, theirs):
    """Integers exactly, whether they came back as integers or as digits; doubles by their bits."""
    if ours.dtype.kind == "U":
        return theirs.dtype.kind in "iu" and [int(x) for x in ours] == [int(x) for x in theirs]
    if theirs.dtype.kind in "iub":
        if ours.dtype.kind not in "iu":
            return False
        return [int(x) for x in ours] == [int(x) for x in theirs]
    return np.array_equal(ours, theirs.astype(float), equal_nan=True)


def same_column(ours, theirs, null):
    """`null`: which rows are undefined."""
    if theirs.dtype.kind in "US":
        return [str(x).rstrip() for x in ours] == [str(x).rstrip() for x in theirs]
    if not null.any():
        return same_number(ours, theirs)
    if ours.dtype.kind == "U":  # integers that no double equals
        return ([x == "" for x in ours] == list(null)
                and [int(x) for x in ours[~null]] == [int(x) for x in theirs[~null]])
    return np.array_equal(np.isnan(ours), null) and np.array_equal(
        ours[~null], theirs[~null].astype(float)) and all(
            int(x) == int(y) for x, y in zip(ours[~null], theirs[~null]))


def compare_table(name, hdu, nulls):
    """Row by row; a vector is a column for each element."""
    ours = fits.getdata("out-" + name.replace(".gz", ""), 1)
    with fits.open(name) as file:
        theirs, head = file[hdu].data, file[hdu].header
        columns = []
        for column in file[hdu].columns:
            values = np.asarray(theirs[column.name])
            wide = values.reshape(len(values), int(np.prod(values.shape[1:])))
            single = wide.shape[1] == 1
            columns += [(column.name if single else "%s_%d" % (column.name, k + 1), wide[:, k],
                         column) for k in range(wide.shape[1])]
        same = [x.name for x in ours.columns] == [x[0] for x in columns]
        for index, (title, values, column) in enumerate(columns if same else []):
            null = nulls.get(title, np.zeros(len(values), bool))
            same &= len(ours) == len(values) and same_column(np.asarray(ours[title]), values, null)
            same &= (ours.columns[index].unit or "") == (column.unit or "")
        ok("table %s, %d rows, %d columns" % (name, head["NAXIS2"], len(columns)), same)


def check_tables():
    tables = []  # name, HDU, rows that are undefined

    def add(name, *hdus, hdu=1, **nulls):
        tables.append((save(name, *hdus), hdu, nulls))

    for dtype in INTEGERS:
        add("t-%s.fits" % dtype, table_hdu(X=integers(dtype, 300), V=integers(dtype, (300, 3))))
        hidden = random.random(300) < 0.3
        values = integers(dtype, 300)
        if dtype not in ("i1", "u2", "u4", "u8"):  # astropy compares TNULL with scaled values
            column = MaskedColumn(values, mask=hidden, fill_value=77)
            column[column.data == 77] = 78
            add("n-%s.fits" % dtype, table_hdu(X=column), X=hidden)
    for name, dtype in (("f4", "f4"), ("f8", "f8")):
        values = random.standard_normal((200, 5)).astype(dtype)
        values[3, 2], values[4, 0], values[5, 1] = np.nan, np.inf, -np.inf
        add("t-%s.fits" % name, table_hdu(X=values[:, 0], V=values))
    add("bool.fits", table_hdu(FLAG=random.random(100) < 0.5, FLAGS=random.random((100, 4)) < 0.5))
    add("text.fits", table_hdu(NAME=texts(150, 12), CODE=texts(150, 3, "01"),
                               TAGS=texts(450, 5).reshape(150, 3), N=integers("i4", 150)))
    # astropy 8 fails on K with a TZERO other than 2^63.
    for form, bscale, bzero in (("I", 0.01, 100), ("J", 1e-6, -3.5), ("B", 2.5, 0), ("K", 1e-3, 0),
                                ("E", 0.1, 5), ("D", -3, 0.25), ("I", 2, 0), ("J", -1, 10)):
        raw = random.integers(0, 100, 80)
        column = fits.Column(name="S", format=form, array=raw)
        table = fits.BinTableHDU.from_columns([column])
        table.header["TSCAL1"], table.header["TZERO1"] = bscale, bzero
        add("s-%s-%g.fits" % (form, bscale), table)
    units = Table({"R": random.random(9), "S": random.random((9, 2)), "T": np.arange(9)})
    units["R"].unit, units["S"].unit, units["T"].unit = "deg", "mJy", "s"
    add("unit.fits", fits.table_to_hdu(units))
    add("second.fits", table_hdu(A=np.arange(3)), fits.ImageHDU(np.zeros((4, 5))),
        table_hdu(B=integers("u8", 40), C=random.random(40)), hdu=3)
    add("empty.fits", fits.BinTableHDU.from_columns(
        [fits.Column(name="A", format="K"), fits.Column(name="B", format="D")], nrows=0))
    n = 10**6
    add("million.fits", table_hdu(ID=integers("u8", n), FLUX=random.random(n).astype("f4"),
                                  RA=random.random(n) * 360, F=random.random(n) < 0.1,
                                  K=integers("i2", n), V=integers("u2", (n, 2))))
    with open("t-u8.fits", "rb") as plain, gzip.open("z.fits.gz", "wb") as packed:
        shutil.copyfileobj(plain, packed)
    made.append("z.fits.gz")
    tables.append(("z.fits.gz", 1, {}))
    nodes = []
    for i, (name, hdu, _) in enumerate(tables):
        nodes += [node("t%d" % i, stage="read-table", file=name, hdu=hdu),
                  node("o%d" % i, stage="write-table", table="t%d" % i,
                       file="out-" + name.replace(".gz", ""))]
    run(*nodes)
    for table in tables:
        compare_table(*table)


def map_hdu(columns, **keys):
    hdu = table_hdu(**columns)
    for key, value in {"PIXTYPE": "HEALPIX", "ORDERING": "RING", **keys}.items():
        hdu.header[key] = value
    return hdu


def check_maps():
    nodes, expected = [], []

    def add(name, hdu, theirs):
        save(name, hdu)
        nodes.extend([node("m%d" % len(expected), stage="read-map", file=name),
                      node("o%d" % len(expected), stage="write-map", map="m%d" % len(expected),
                           file="out-" + name)])
        expected.append((name, theirs))

    for i, dtype in enumerate(INTEGERS + ["f4", "f8", "?"]):
        side, size = 16, (1, 1024, 12)[i % 3]
        n = 12 * side**2
        # beyond 2^53 a map cannot hold every integer
        values = random.integers(0, 2 if dtype == "?" else 120, n).astype(dtype)
        if dtype in ("u8", "i8"):
            values[:100] = random.integers(0, 2**53, 100)
        nested = i % 2 == 1
        kind = {"?": "bool"}.get(dtype, dtype)
        add("m-%s.fits" % kind, map_hdu({"M": values.reshape(-1, size) if size > 1 else values},
                                        NSIDE=side, ORDERING="NESTED" if nested else "RING"),
            healpy.reorder(values.astype(float), n2r=True) if nested else values.astype(float))
        if dtype in INTEGERS:
            side = 4
            pixels = random.permutation(120)[:60]
            sparse = np.full(12 * side**2, healpy.UNSEEN)
            sparse[pixels] = np.arange(60)
            add("p-%s.fits" % dtype,
                map_hdu({"PIXEL": pixels.astype(dtype), "M": np.arange(60).astype("f4")},
                        NSIDE=side, INDXSCHM="EXPLICIT", OBJECT="PARTIAL"), sparse)
    run(*nodes)
    for name, theirs in expected:
        ours = fits.getdata("out-" + name, 1).field(0).ravel()
        ok("map %s" % name, np.array_equal(ours, theirs))


def check_catalogues():
    nodes, tables = [], []
    for i, dtype in enumerate(INTEGERS):
        n = 200
        columns = {"RA": random.random(n) * 360, "DEC": random.random(n) * 100 - 50,
                   "W": random.integers(0, 120, n).astype(dtype),
                   "ID": random.integers(0, min(np.iinfo(dtype).max, 2**53), n).astype(dtype),
                   "REGION": random.integers(0, 4, n).astype(dtype)}
        hdu = table_hdu(**columns)
        if dtype == "u8":  # an array of varying length beside them is not read
            lists = fits.Column(name="LISTS", format="PE()", array=np.array(
                [np.arange(k % 4, dtype="f4") for k in range(n)], dtype=object))
            hdu = fits.BinTableHDU.from_columns(hdu.columns + fits.ColDefs([lists]))
        hdu.header["TUNIT1"] = hdu.header["TUNIT2"] = "deg"
        save("c-%s.fits" % dtype, hdu)
        tables.append((dtype, columns))
        nodes += [node("c%d" % i, stage="read-catalogue", file="c-%s.fits" % dtype, weight="W",
                       values="ID", patch="REGION", patches=4),
                  node("o%d" % i, stage="write-catalogue", catalogue="c%d" % i,
                       file="out-c-%s.fits" % dtype)]
    run(*nodes)
    for dtype, theirs in tables:
        ours = fits.getdata("out-c-%s.fits" % dtype, 1)
        ok("catalogue %s" % dtype,
           np.array_equal(ours["WEIGHT"], theirs["W"].astype(float))
           and np.array_equal(ours["ID"], theirs["ID"].astype(float))
           and np.array_equal(ours["PATCH"], theirs["REGION"].astype(int))
           and np.allclose(ours["RA"], theirs["RA"], rtol=0, atol=1e-12))


def check_alms():
    nodes, expected = [], []
    l, m = healpy.Alm.getlm(8)
    index = l * l + l + m + 1
    for i, dtype in enumerate(INTEGERS):
        alm = random.standard_normal(l.size) + 1j * random.standard_normal(l.size) * (m > 0)
        save("a-%s.fits" % dtype, table_hdu(index=index.astype(dtype), real=alm.real,
                                            imag=alm.imag))
        expected.append((dtype, alm))
        nodes += [node("a%d" % i, stage="read-alm", file="a-%s.fits" % dtype),
                  node("o%d" % i, stage="write-alm", alm="a%d" % i, file="out-a-%s.fits" % dtype)]
    run(*nodes)
    for dtype, alm in expected:
        ok("a_lm %s" % dtype, np.array_equal(healpy.read_alm("out-a-%s.fits" % dtype), alm))


check_tables()
check_maps()
check_catalogues()
check_alms()
ok("%d files" % len(made), len(set(made)) == len(made) >= 30)
end()
