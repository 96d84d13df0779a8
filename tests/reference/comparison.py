# SPDX-License-Identifier: GPL-3.0-or-later
"""What the comparisons with healpy share: workflows, files, the distance of results, TAP.

A script that imports this has the name of the program as its only argument; it works in a folder of
its own, which is removed at the end.
"""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import warnings

import healpy
import numpy as np

warnings.simplefilter("ignore")
if len(sys.argv) != 2:
    sys.exit("usage: %s PROGRAM" % sys.argv[0])
program = os.path.abspath(sys.argv[1])
# HEALPix's windows and weights, where Debian's healpy-data, or a folder like it, is.
data = os.path.join(os.environ.get("ARMILLA_HEALPY_DATA", "/usr/share/healpy"), "data")
random = np.random.default_rng(20261121)
count = failed = 0
# Longer than any one run takes, on a busy machine and with sanitizers, too.
TIME_LIMIT = 300

folder = tempfile.mkdtemp(prefix="armilla-healpy-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)
os.chdir(folder)


def distance(ours, theirs):
    """Largest RMS of a field's difference, relative to the RMS of that field of theirs (absolute
    where that is 0). Infinite where they cannot be compared: another shape, a number that is not
    finite on either side, a pixel that is UNSEEN on one side only."""
    ours, theirs = np.atleast_2d(ours), np.atleast_2d(theirs)
    if ours.shape != theirs.shape or not (np.isfinite(ours).all() and np.isfinite(theirs).all()):
        return np.inf
    seen = np.ones(ours.shape, dtype=bool)
    if not np.iscomplexobj(ours):
        seen = ~healpy.mask_bad(ours)
        if not np.array_equal(seen, ~healpy.mask_bad(theirs)):
            return np.inf
    worst = 0
    for a, b, s in zip(ours, theirs, seen):
        if s.any():  # no pixel of the field is seen by either: there is nothing to differ
            size = np.sqrt(np.mean(np.abs(b[s]) ** 2))
            worst = max(worst, np.sqrt(np.mean(np.abs(a[s] - b[s]) ** 2)) / (size or 1))
    return worst


def ok(what, passed):
    global count, failed
    count += 1
    failed += not passed
    print("ok" if passed else "not ok", count, "- " + what)
    sys.stdout.flush()


def check(what, ours, theirs, bound):
    far = distance(ours, theirs)
    ok("%s: %.2g" % (what, far), far <= bound)


def skip(what, why):
    global count
    count += 1
    print("ok %d - %s # SKIP %s" % (count, what, why))


def end():
    print("1..%d" % count)
    sys.exit(failed > 0)


def run_program(*words):
    subprocess.run([program, *words], check=True, timeout=TIME_LIMIT)


def node(_name, **keys):
    """A group of a workflow file; a node called from_ has the key from."""
    lines = ["%s = %s" % (key.rstrip("_").replace("_", "-"), value) for key, value in keys.items()]
    return "\n".join(["[%s]" % _name, *lines, ""])


def run(*nodes):
    with open("test.workflow", "w", encoding="utf-8") as file:
        file.write("\n".join(nodes))
    run_program("run", "--quiet", "--overwrite", "test.workflow")


def write_map(name, maps, **options):
    healpy.write_map(name, maps, dtype=np.float64, overwrite=True, **options)


def read_map(name, nest=False):
    return healpy.read_map(name, field=None, dtype=float, nest=nest)


def write_alm(name, alms):
    healpy.write_alm(name, alms, out_dtype=np.float64, overwrite=True)


def read_alm(name, fields):
    return np.array([healpy.read_alm(name, hdu=i + 1) for i in range(fields)])


def random_alm(fields, lmax, lowest=0):
    """White coefficients; those of polarisation begin at l = 2."""
    l, m = healpy.Alm.getlm(lmax)
    alm = random.standard_normal((fields, l.size)) + 1j * random.standard_normal((fields, l.size))
    alm[:, m == 0] = alm[:, m == 0].real
    alm[:, l < lowest] = 0
    return alm


def random_map(fields, nside):
    return random.standard_normal((fields, 12 * nside**2))


def masked_map(nside, share):
    maps = random_map(3, nside)
    maps[random.random(maps.shape) < share] = healpy.UNSEEN
    return maps


def check_distance():
    """What must not be taken for the same: in either place, in memory and through a file."""
    maps = random_map(3, 2)
    maps[0, 5] = healpy.UNSEEN
    alm = random_alm(3, 8)
    pairs = [(maps, maps[:2]), (maps, maps[:, :12]), (maps[0], maps)]
    faults = [(np.nan, (f, 7)) for f in range(3)]
    faults += [(np.nan, (f, slice(None))) for f in (0, 1, 2, slice(None))]
    faults += [(np.nan, (0, 5)), (np.inf, (1, 0)), (-np.inf, (2, 47)), (healpy.UNSEEN, (1, 7)),
               (healpy.UNSEEN, 2), (0, (0, 5))]
    for value, where in faults:
        bad = maps.copy()
        bad[where] = value
        write_map("bad.fits", bad)
        pairs += [(maps, bad), (bad, bad) if not np.isfinite(value) else (bad, maps),
                  (read_map("bad.fits"), maps)]
    for value in (np.nan, 1j * np.nan, np.inf):
        for where in ((0, 3), (1, 0), (2, slice(None))):
            bad = alm.copy()
            bad[where] += value
            pairs += [(alm, bad), (bad, bad)]
    missed = [i for i, (x, y) in enumerate(pairs) for far in (distance(x, y), distance(y, x))
              if far != np.inf]
    ok("NaN, infinity, and UNSEEN on one side are differences: %d of %d, not %s"
       % (len(pairs) - len(missed), len(pairs), missed), not missed)
    for name, field in (("map", maps), ("a_lm", alm)):
        check("%s and itself" % name, field, field, 0)
        more = field.copy()
        more[2, 1:] *= 1 + 1e-10
        far = distance(more, field)
        ok("1e-10 more in one field of the %s is %.2g" % (name, far), 0.9e-10 < far < 1.1e-10)


print("# healpy %s, numpy %s, %s" % (healpy.__version__, np.__version__, sys.executable))
check_distance()
