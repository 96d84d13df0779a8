# SPDX-License-Identifier: GPL-3.0-or-later
"""Text tables of many kinds: makes them, and compares what Armilla reads with astropy and pandas.

text-tables.py make [ROWS]   writes t00.txt, t01.txt ..., the last one with ROWS rows (20000)
text-tables.py check [ROWS]  compares t00.ecsv, ..., which Armilla wrote of these, with its peers
"""
import io
import sys
import warnings

import numpy as np
import pandas as pd
from astropy.io import ascii as text
from astropy.table import Table, MaskedColumn

WORDS = ["NGC 44", "M31", 'he said "no"', "a, b", "x; y", "", "tab\tbed", "two\nlines", "NA?", "ü",
         "5'", "# one"]
ROWS = 40


def frame(rows=ROWS, seed=1, words=WORDS):
    rng = np.random.default_rng(seed)
    return pd.DataFrame({
        "name": [words[k] for k in rng.integers(0, len(words), rows)],
        "ra": rng.uniform(0, 360, rows),
        "z err": np.where(rng.random(rows) < 0.2, np.nan, rng.normal(size=rows) * 1e-3),
        "id": rng.integers(-10**15, 10**15, rows),
    })


def plain(rows=ROWS, seed=2):
    return frame(rows, seed, ["NGC44", "M31", "x-y", "ab"])


def csv(data, **how):
    how.setdefault("index", False)
    return lambda: (data.to_csv(**how), lambda s: pd.read_csv(io.StringIO(s), sep=how.get("sep", ",")))


def numbers():
    return plain()[["ra", "z err", "id"]]


def astro(form, data=None, **how):
    def make():
        table = Table.from_pandas(plain() if data is None else data)
        out = io.StringIO()
        text.write(table, out, format=form, **how)
        return out.getvalue(), lambda s: text.read(s, format=form, **{
            k: v for k, v in how.items() if k == "delimiter"}).to_pandas()
    return make


def ecsv(delimiter, masked=True):
    def make():
        data = frame(words=["NGC 44", "M31", "a, b", 'q "q"'])
        table = Table(masked=masked)
        table["name"] = list(data["name"])
        table["ra"] = np.array(data["ra"])
        table["ra"].unit = "deg"
        table["n"] = MaskedColumn(np.arange(ROWS, dtype="i4"), mask=np.arange(ROWS) % 7 == 3) \
            if masked else np.arange(ROWS, dtype="i4")
        table["f"] = np.array(data["ra"], dtype="f4")
        table["f"].unit = "km / s"
        table["ok"] = np.arange(ROWS) % 3 == 0
        out = io.StringIO()
        table.write(out, format="ascii.ecsv", delimiter=delimiter)
        return out.getvalue(), lambda s: Table.read(s, format="ascii.ecsv")
    return make


def changed(make, change):
    """The same table, of text that was changed."""
    def both():
        written, read = make()
        return change(written), lambda s: read(written)
    return both


def no_header(sep):
    data = plain()
    return lambda: (data.to_csv(index=False, header=False, sep=sep),
                    lambda s: pd.read_csv(io.StringIO(s), header=None, sep=sep))


def savetxt(header, delimiter=" "):
    data = numbers()[["ra", "id"]]

    def make():
        out = io.StringIO()
        np.savetxt(out, data.to_numpy(), header=header, delimiter=delimiter)
        return out.getvalue(), lambda s: pd.DataFrame(
            np.loadtxt(io.StringIO(s), delimiter=None if delimiter == " " else delimiter),
            columns=["ra", "id"])
    return make


def kinds(rows):
    every = frame()
    return {
        "commas": csv(every), "semicolons": csv(every, sep=";"), "tabs": csv(every, sep="\t"),
        "every text in quotes": csv(every, quoting=2), "everything in quotes": csv(every, quoting=1),
        "pandas' index": csv(plain(), index=True), "pandas' index, tabs": csv(plain(), index=True, sep="\t"),
        "an array of pandas": csv(pd.DataFrame(np.arange(12.).reshape(4, 3) / 7), index=True),
        "CR LF": csv(plain(), lineterminator="\r\n"), "CR": changed(csv(plain()), lambda s: s.replace("\n", "\r")),
        "a byte-order mark": changed(csv(every), lambda s: "\ufeff" + s),
        "a byte-order mark and CR LF": changed(csv(plain()), lambda s: "\ufeff" + s.replace("\n", "\r\n")),
        "no end of the last line": changed(csv(plain()), str.rstrip),
        "blank lines": changed(csv(plain()), lambda s: "\n" + s.replace("\n", "\n\n")),
        "blanks around fields": changed(csv(plain()), lambda s: s.replace(",", " , ")),
        "comments": changed(csv(plain()), lambda s: "# some words, here\n#\n" + s.replace("\n", "\n# more\n", 3)),
        "a delimiter behind each row": changed(
            csv(plain()), lambda s: s.replace("\n", ",\n").replace(",\n", "\n", 1)),
        "no value written as NA": csv(plain(), na_rep="NA"), "as null": csv(plain(), na_rep="null"),
        "as nan": csv(plain(), na_rep="nan"), "as N/A, semicolons": csv(plain(), na_rep="N/A", sep=";"),
        "short numbers": csv(plain(), float_format="%.3f"), "exponents": csv(plain(), float_format="%.17e"),
        "truth values": csv(plain().assign(ok=lambda d: d["ra"] > 180)),
        "a column without values": csv(plain().assign(none=np.nan)),
        "no header": no_header(","), "no header, semicolons": no_header(";"), "no header, tabs": no_header("\t"),
        "blanks": csv(plain(), sep=" ", na_rep="nan"), "blanks and quotes": astro("basic"),
        "names in a comment": astro("commented_header"), "fixed width by blanks": changed(
            csv(numbers().rename(columns={"z err": "zerr"}), sep=" ", na_rep="nan"),
            lambda s: s.replace(" ", "     ")),
        "savetxt": savetxt("ra id"), "savetxt, names by commas": savetxt("ra, id"),
        "savetxt, commas": savetxt("ra,id", ","), "astropy's csv": astro("csv"),
        "astropy's tabs": astro("tab"), "ECSV": ecsv(" "), "ECSV, commas": ecsv(","),
        "ECSV without masks": ecsv(" ", False), "ECSV with CR LF": changed(ecsv(","), lambda s: s.replace("\n", "\r\n")),
        "many rows": csv(plain(rows, 5)),
    }


def same_numbers(ours, theirs):
    ours, theirs = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    return ours.shape == theirs.shape and np.array_equal(ours, theirs, equal_nan=True)


def column(table, name):
    """A column as numbers, NaN where there are none, or as texts."""
    values = table[name]
    if isinstance(values, MaskedColumn):
        values = values.filled(np.nan if values.dtype.kind == "f" else "" if values.dtype.kind in "UO" else 0) \
            if values.dtype.kind in "fUO" else np.where(values.mask, np.nan, values.filled(0).astype(float))
    values = np.asarray(values)
    if values.dtype.kind in "biuf":
        return values.astype(float) if values.dtype.kind != "i" else values
    if all(v is None or isinstance(v, (bool, float, np.bool_)) for v in values):
        return np.array([np.nan if v is None else float(v) for v in values])
    return np.array(["" if v is None or v is pd.NA or (isinstance(v, float) and np.isnan(v)) else str(v)
                     for v in values])


def clean(word):
    """Armilla writes a blank for the end of a line in a text."""
    return word.strip(" ").replace("\n", " ")


def check(theirs, ours):
    names = [str(n) for n in (theirs.colnames if isinstance(theirs, Table) else theirs.columns)]
    assert len(names) == len(ours.colnames), (names, ours.colnames)
    for i, (name, mine) in enumerate(zip(names, ours.colnames)):
        known = name.startswith("Unnamed") or mine == f"COLUMN{i + 1}"
        assert known or name.strip() == mine, (name, mine)
        a, b = column(ours, mine), column(theirs, name if isinstance(theirs, Table) else theirs.columns[i])
        assert len(a) == len(b), (name, len(a), len(b))
        if b.dtype.kind == "U":
            for row, (x, y) in enumerate(zip(a, b)):
                assert clean(str(x)) == clean(y), (name, row, x, y)
        elif b.dtype.kind == "i" and a.dtype.kind == "i":
            assert np.array_equal(a, b), name
        else:
            single = isinstance(theirs, Table) and theirs[name].dtype == np.float32
            assert np.allclose(a, b, rtol=1e-7, equal_nan=True) if single else same_numbers(a, b), \
                (name, [(r, x, y) for r, (x, y) in enumerate(zip(a, b)) if x != y][:3])
        if isinstance(theirs, Table):
            assert theirs[name].unit == ours[mine].unit, (name, ours[mine].unit)


def read(name, file, peer):
    if name == "many rows":
        return pd.read_csv(file)
    with open(file, encoding="utf-8", newline="") as opened:
        return peer(opened.read())


def main(what, rows="20000"):
    failed = 0
    warnings.simplefilter("ignore")
    # the default parser of pandas is off in the last digit
    original = pd.read_csv
    pd.read_csv = lambda *args, **how: original(*args, **{"float_precision": "round_trip", **how})
    for k, (name, make) in enumerate(kinds(int(rows)).items()):
        file = f"t{k:02d}.txt"
        written, peer = make()
        if what == "make":
            with open(file, "w", encoding="utf-8", newline="") as opened:
                opened.write(written)
            continue
        try:
            check(read(name, file, peer), Table.read(f"t{k:02d}.ecsv", format="ascii.ecsv"))
            print(f"# {name}: the same")
        except AssertionError as error:
            failed += 1
            print(f"# {file}, {name}: {error}")
    return failed


sys.exit(main(*sys.argv[1:]))
