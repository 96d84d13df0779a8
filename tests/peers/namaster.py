#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare spectra of masked skies with NaMaster's. TAP; or times, with --times.

    namaster.py ARMILLA [NSIDE...]
    namaster.py --times [--threads N] [--repeats N] [--no-namaster] ARMILLA [LMAX...]
    namaster.py --whole [--threads N] [--repeats N] [--no-namaster] ARMILLA [NSIDE...]

ARMILLA is the program. Needs numpy, healpy and pymaster (2.0 or later), and skips without them.
Pseudo-spectra, coupling matrices, bandpowers and their windows must agree to 1e-10 of the
largest element of each matrix, and of the largest bandpower of each spectrum.

Times are of coupling matrices alone, from the same spectrum of a mask: the span of the tasks in a
trace of armilla's, NmtWorkspace.from_fields of fields that have their masks' a_lm already, and
ducc0.misc.experimental.coupling_matrix_rect where that is there; each the best of the repeats.
With --whole they are of purified bandpowers of Q and U, from the files of map and mask to a table:
the whole run of the program, and of NaMaster's functions once they are imported."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings

parser = argparse.ArgumentParser()
parser.add_argument("--times", action="store_true")
parser.add_argument("--whole", action="store_true")
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--repeats", type=int, default=3)
parser.add_argument("--no-namaster", action="store_true")
parser.add_argument("armilla")
parser.add_argument("sizes", type=int, nargs="*")
options = parser.parse_args()
if options.times or options.whole:  # read when the libraries are loaded
    os.environ["OMP_NUM_THREADS"] = os.environ["STARPU_NCPU"] = str(options.threads)
try:
    import healpy
    import numpy as np
    import pymaster as nmt
    from astropy.io import fits
except ImportError as error:
    print(f"1..0 # SKIP {error}")
    sys.exit(0)

warnings.simplefilter("ignore")
armilla = os.path.abspath(options.armilla)
random = np.random.default_rng(20261125)
BOUND = 1e-10
NAMES = ["TT", "EE", "BB", "TE", "EB", "TB"]
count = failed = 0


def check(what, ours, theirs):
    global count, failed
    error = np.max(np.abs(np.asarray(ours) - theirs)) / np.max(np.abs(theirs))
    count += 1
    failed += not error <= BOUND
    print("ok" if error <= BOUND else "not ok", count, f"- {what}: {error:.2g}", flush=True)


def run(nodes, *words):
    """Run the workflow with these nodes, each a dictionary of keys."""
    with open("run.workflow", "w") as file:
        for name, keys in nodes.items():
            file.write(f"[{name}]\n")
            file.writelines(f"{key.replace('_', '-')} = {value}\n" for key, value in keys.items())
    subprocess.run([armilla, "run", "--quiet", "--overwrite", *words, "run.workflow"], check=True)


def make_maps(nside, seed):
    """A sky in T, Q and U, and a mask with soft edges, of some 40 % of it."""
    lmax = 3 * nside - 1
    l = np.arange(lmax + 1)
    tt, ee, bb = 1 / (l + 10.0)**2, 0.3 / (l + 10.0)**2, 0.02 / (l + 10.0)**2
    np.random.seed(seed)
    maps = healpy.synfast([tt, ee, bb, 0.5 * np.sqrt(tt * ee)], nside, new=True, pol=True)
    z, phi = healpy.pix2ang(nside, np.arange(12 * nside**2))
    hard = np.where((np.abs(np.cos(z)) > 0.3 + 0.05 * seed) & (np.cos(3 * phi) > -0.7), 1.0, 0.0)
    return maps, nmt.mask_apodization(hard, 5.0, apotype="C1")


def write(number, maps, mask):
    healpy.write_map(f"whole{number}.fits", maps, dtype=np.float64, overwrite=True)
    healpy.write_map(f"sky{number}.fits", maps * mask, dtype=np.float64, overwrite=True)
    healpy.write_map(f"mask{number}.fits", mask, dtype=np.float64, overwrite=True)


def read_matrix(name):
    with fits.open(name) as file:
        header, data = file[1].header, file[1].data
        data = data[None] if data.ndim == 2 else data
        return {header[f"FIELD{i + 1}"].strip(): data[i] for i in range(len(data))}


def read_bandpowers(name):
    with fits.open(name) as file:
        table = file[1].data
        return {column: np.array(table[column], dtype=float) for column in table.names}


def workflow(lmax, lmax_mask, bins, cross, pure):
    """Spectra of sky1, or of sky1 with sky2, decoupled."""
    nodes = {}
    for i in (1, 2)[: 1 + cross]:
        nodes[f"mask{i}"] = {"stage": "read-map", "file": f"mask{i}.fits"}
        nodes[f"sky{i}"] = {"stage": "read-map", "file": f"sky{i}.fits", "fields": "0, 1, 2"}
        nodes[f"alm{i}"] = {"stage": "map2alm", "map": f"sky{i}", "lmax": lmax}
        if pure:
            nodes[f"sky{i}"]["file"] = f"whole{i}.fits"
            nodes[f"alm{i}"].update(stage="purify", mask=f"mask{i}", pure=pure,
                                    mask_lmax=lmax_mask)
    nodes["cl"] = {"stage": "alm2cl", "alm": "alm1"}
    nodes["coupling"] = {"stage": "coupling", "mask": "mask1", "lmax": lmax,
                         "mask_lmax": lmax_mask}
    nodes["powers"] = {"stage": "decouple", "cl": "cl", "coupling": "coupling", "beam": "beam",
                       "noise": "noise", **bins}
    if pure:
        nodes["coupling"]["pure"] = "true"
        nodes["powers"]["pure"] = pure
    nodes["beam"] = {"stage": "read-cl", "file": "beam.fits"}
    nodes["noise"] = {"stage": "read-cl", "file": "noise.fits"}
    if cross:
        nodes["cl"]["alm2"] = "alm2"
        nodes["back"] = {"stage": "alm2cl", "alm": "alm2", "alm2": "alm1"}
        nodes["coupling"]["mask2"] = "mask2"
        nodes["powers"]["cl2"] = "back"
    nodes["out-cl"] = {"stage": "write-cl", "cl": "cl", "file": "cl.fits"}
    nodes["out-matrix"] = {"stage": "write-matrix", "matrix": "coupling", "file": "matrix.fits"}
    nodes["out-table"] = {"stage": "write-table", "table": "powers.table", "file": "table.fits"}
    nodes["theory"] = {"stage": "read-cl", "file": "theory.fits"}
    nodes["expected"] = {"stage": "bandpowers", "cl": "theory", "windows": "powers.windows",
                         "spectra": ", ".join(NAMES), **bins}
    nodes["out-expected"] = {"stage": "write-table", "table": "expected", "file": "expected.fits"}
    nodes["out-windows"] = {"stage": "write-matrix", "matrix": "powers.windows",
                            "file": "windows.fits"}
    return nodes


def couplings(names, pure):
    """Of spectra of fields of spin 2, or of one of them and a scalar: what couples each to each."""
    for i, name in enumerate(names):
        purified = sum(letter.lower() in pure for letter in name)
        pair = len(names) == 4
        yield i, i, [["0+", "0p"], ["++", "+p", "pp"]][pair][purified], 1
        if pair:
            yield i, 3 - i, "--", 0 if purified else 1 if i in (0, 3) else -1


def compare(nside, lmax, lmax_mask, edges, cross, modes, dl, pure=""):
    what = f"nside {nside}, lmax {lmax}, mask to {lmax_mask}" + (", cross" if cross else "")
    what += f", pure {pure}" if pure else ""
    what += (", 2 l + 1" if modes else "") + (", D_l" if dl else "")
    skies = [make_maps(nside, i) for i in (1, 2)[: 1 + cross]]
    for i, (maps, mask) in enumerate(skies):
        write(i + 1, maps, mask)
    l = np.arange(lmax + 1)
    beam = np.exp(-0.5 * l * (l + 1) * np.radians(1.0)**2 / 5)
    noise = 1e-6 * random.standard_normal((6, lmax + 1))
    healpy.write_cl("beam.fits", beam, dtype=np.float64, overwrite=True)
    theory = (1 + 0.3 * random.random((6, lmax + 1))) / (l + 5.0)**2
    healpy.write_cl("noise.fits", noise, dtype=np.float64, overwrite=True)
    healpy.write_cl("theory.fits", theory, dtype=np.float64, overwrite=True)
    run(workflow(lmax, lmax_mask,
                 {"edges": ", ".join(map(str, edges)), "dl": "true" if dl else "false",
                  "weights": "modes" if modes else "uniform"}, cross, pure))
    ours = {name: spectrum for name, spectrum in zip(NAMES, healpy.read_cl("cl.fits"))}
    expected = read_bandpowers("expected.fits")
    matrix, powers, windows = (read_matrix("matrix.fits"), read_bandpowers("table.fits"),
                               read_matrix("windows.fits"))

    fields = [[nmt.NmtField(mask, part, n_iter=3, n_iter_mask=3, lmax=lmax, lmax_mask=lmax_mask,
                            beam=beam, spin=spin, purify_e=bool(spin) and "e" in pure,
                            purify_b=bool(spin) and "b" in pure)
               for spin, part in ((0, [maps[0]]), (2, [maps[1], maps[2]]))] for maps, mask in skies]
    one, two = fields[0], fields[-1]
    ell = np.arange(edges[0], edges[-1])
    bpws = np.searchsorted(edges, ell, side="right") - 1
    bins = nmt.NmtBin(bpws=bpws, ells=ell, weights=2 * ell + 1.0 if modes else np.ones(len(ell)),
                      lmax=lmax, f_ell=ell * (ell + 1) / (2 * np.pi) if dl else None)
    check(f"{what}: effective degrees", powers["l"], bins.get_effective_ells())
    n = lmax + 1
    zero = dict.fromkeys(("TT", "EE", "BB", "TE", "EB", "TB", "ET", "BE", "BT"), np.zeros(n))
    zero.update(zip(NAMES, noise))
    if not cross:
        zero.update(ET=zero["TE"], BE=zero["EB"], BT=zero["TB"])
    for a, b, names in ((0, 0, ["TT"]), (0, 1, ["TE", "TB"]), (1, 1, ["EE", "EB", "BE", "BB"]),
                        (1, 0, ["ET", "BT"])):
        if (a, b) == (1, 0) and not cross:
            continue
        pseudo = nmt.compute_coupled_cell(one[a], two[b])
        for name, theirs in zip(names, pseudo):
            if name in ours:
                check(f"{what}: pseudo-C_l {name}", ours[name], theirs)
        space = nmt.NmtWorkspace.from_fields(one[a], two[b], bins)
        theirs = space.get_coupling_matrix().reshape(n, len(names), n, len(names))
        if a + b == 0:
            check(f"{what}: 00", matrix["00"], theirs[:, 0, :, 0])
        for i, j, kind, sign in couplings(names, pure) if a + b else ():
            # Where nothing comes from j, theirs has rounding errors: beside what couples i to i.
            own = theirs[:, i, :, i] if i != j else 0
            check(f"{what}: {names[i]} from {names[j]}, {kind}", own + sign * matrix[kind],
                  own + theirs[:, i, :, j])
        theirs = space.decouple_cell(pseudo, cl_noise=np.array([zero[name] for name in names]))
        for name, power in zip(names, theirs):
            if name in powers:
                check(f"{what}: bandpowers {name}", powers[name], power)
        whole = [theory[NAMES.index(name if name in NAMES else name[::-1])] for name in names]
        theirs = space.decouple_cell(space.couple_cell(whole))
        for name, power in zip(names, theirs):
            if name in expected:
                check(f"{what}: expected {name}", expected[name], power)
        theirs = space.get_bandpower_windows()
        for i, name in enumerate(names):
            for j, other in enumerate(names):
                alone = not cross and name in ("EB", "BE") and not pure
                if f"{name} of {other}" in windows and not alone:
                    check(f"{what}: window {name} of {other}", windows[f"{name} of {other}"],
                          theirs[i, :, j])


FIELDS = ["T", "EB"]


def spectra_between(cls, a, b, s, t, lmax):
    """What NaMaster takes for the spectra of fields a and b (0: T; 1: E and B) of skies s and t."""
    def one(x, y):
        if x + y in NAMES:
            return cls[s, t][NAMES.index(x + y)]
        return cls[t, s][NAMES.index(y + x)]
    return np.array([one(x, y) for x in FIELDS[a] for y in FIELDS[b]])


def compare_covariance(nside, lmax, edges, cross, dl, pure=""):
    """Every covariance of T, E and B, of skies whose fields are all correlated."""
    what = f"nside {nside}, covariance" + (", cross" if cross else "") + (", D_l" if dl else "")
    what += f", pure {pure}" if pure else ""
    masks = [make_maps(nside, i)[1] for i in (1, 2)]
    skies = (0, 1) if cross else (0,)
    cls = {(s, t): (1 + 0.3 * random.random((6, 1))) / (np.arange(lmax + 1) + 5.0)**2
           + 1e-4 * random.standard_normal((6, lmax + 1)) for s in skies for t in skies}
    beam = np.exp(-1e-5 * np.arange(lmax + 1)**2)
    healpy.write_cl("beam.fits", beam, dtype=np.float64, overwrite=True)
    nodes = {"beam": {"stage": "read-cl", "file": "beam.fits"},
             "coupling": {"stage": "coupling", "mask": "mask1", "lmax": lmax,
                          **({"pure": "true"} if pure else {})},
             "covariance": {"stage": "covariance", "mask": "mask1", "coupling": "coupling",
                            "cl": "cl11", "spectra": ", ".join(NAMES), "beam": "beam",
                            "edges": ", ".join(map(str, edges)),
                            "dl": "true" if dl else "false", "mixing": "namaster",
                            **({"pure": pure} if pure else {})},
             "out": {"stage": "write-matrix", "matrix": "covariance", "file": "covariance.fits"}}
    for s in skies:
        healpy.write_map(f"mask{s + 1}.fits", masks[s], dtype=np.float64, overwrite=True)
        nodes[f"mask{s + 1}"] = {"stage": "read-map", "file": f"mask{s + 1}.fits"}
        for t in skies:
            name = f"cl{s + 1}{t + 1}"
            healpy.write_cl(f"{name}.fits", cls[s, t], dtype=np.float64, overwrite=True)
            nodes[name] = {"stage": "read-cl", "file": f"{name}.fits"}
            if cross:
                nodes["covariance"]["cl" if s + t == 0 else name] = name
    if cross:
        nodes["coupling"]["mask2"] = nodes["covariance"]["mask2"] = "mask2"
    run(nodes)
    ours = read_matrix("covariance.fits")

    two = 1 if cross else 0
    fields = [[nmt.NmtField(mask, None if not pure else np.zeros((1 + (spin > 0), mask.size)),
                            spin=spin, n_iter=3, n_iter_mask=3, lmax=lmax, lmax_mask=lmax,
                            beam=beam, purify_e=spin > 0 and "e" in pure,
                            purify_b=spin > 0 and "b" in pure)
               for spin in (0, 2)] for mask in masks[: 1 + cross]]
    ell = np.arange(edges[0], edges[-1])
    bins = nmt.NmtBin(bpws=np.searchsorted(edges, ell, side="right") - 1, ells=ell,
                      weights=np.ones(len(ell)), lmax=lmax,
                      f_ell=ell * (ell + 1) / (2 * np.pi) if dl else None)
    spaces = {(a, b): nmt.NmtWorkspace.from_fields(fields[0][a], fields[two][b], bins)
              for a in (0, 1) for b in (0, 1)}
    whole = nmt.NmtCovarianceWorkspace.from_fields(fields[0][0], fields[two][0], fields[0][0],
                                                   fields[two][0], all_spins=True)
    n = len(edges) - 1
    for a, b in spaces:
        for c, d in spaces:
            theirs = whole.gaussian_covariance(
                *(spectra_between(cls, x, y, s, t, lmax)
                  for x, y, s, t in ((a, c, 0, 0), (a, d, 0, two), (b, c, two, 0), (b, d, two, two))),
                spaces[a, b], spaces[c, d], spins=[2 * a, 2 * b, 2 * c, 2 * d])
            theirs = theirs.reshape(n, (1 + a) * (1 + b), n, (1 + c) * (1 + d))
            rows = [x + y for x in FIELDS[a] for y in FIELDS[b]]
            columns = [x + y for x in FIELDS[c] for y in FIELDS[d]]
            for i, row in enumerate(rows):
                for j, column in enumerate(columns):
                    if f"{row} {column}" in ours:
                        check(f"{what}: {row} {column}", ours[f"{row} {column}"],
                              theirs[:, i, :, j])


def best(function):
    times = []
    for _ in range(options.repeats):
        start = time.perf_counter()
        got = function()
        times.append(time.perf_counter() - start if got is None else got)
    return min(times)


def armilla_time(lmax):
    """Seconds from the first task of the matrices to the end of the last."""
    run({"w": {"stage": "read-cl", "file": "w.fits"},
         "m": {"stage": "coupling", "cl": "w", "lmax": lmax},
         "p": {"stage": "decouple", "cl": "w", "coupling": "m", "edges": f"2, {lmax + 1}",
               "spectra": "TT"},
         "out": {"stage": "write-table", "table": "p.table", "file": "p.fits"}},
        "--trace", "trace.json")
    with open("trace.json") as file:
        trace = json.load(file)
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    tasks = [e for e in events if e.get("name") in ("coupling", "coupling_table") and "dur" in e]
    return 1e-6 * (max(e["ts"] + e["dur"] for e in tasks) - min(e["ts"] for e in tasks))


def times(lmax):
    """The three workspaces that T, E and B need; a mask of an eighth of the sky."""
    nside = 2**int(np.ceil(np.log2((lmax + 1) / 3)))
    z = np.cos(healpy.pix2ang(nside, np.arange(12 * nside**2))[0])
    mask = np.clip((z - 0.7) / 0.1, 0, 1)
    alm = healpy.map2alm(mask, lmax=lmax, iter=0)
    w = healpy.alm2cl(alm)
    healpy.write_cl("w.fits", w, dtype=np.float64, overwrite=True)
    bins = nmt.NmtBin.from_edges([2], [lmax + 1])

    fields = [nmt.NmtField(mask, None, spin=spin, lmax=lmax, lmax_mask=lmax, n_iter_mask=0)
              for spin in (0, 2)]
    for field in fields:
        field.get_mask_alms()
    ours = best(lambda: armilla_time(lmax))

    def workspaces():
        for a, b in ((0, 0), (0, 1), (1, 1)):
            nmt.NmtWorkspace.from_fields(fields[a], fields[b], bins)

    print(f"lmax {lmax}, 00, 0+, ++ and --, {options.threads} threads: armilla {ours:.3f} s",
          flush=True)
    if not options.no_namaster:
        theirs = best(workspaces)
        print(f"lmax {lmax}, the same: NaMaster {theirs:.3f} s, ratio {theirs / ours:.2f}",
              flush=True)
    try:
        from ducc0.misc.experimental import coupling_matrix_rect
    except ImportError:
        print("# no ducc0")
        return
    spectrum = w * (2 * np.arange(lmax + 1) + 1) / (4 * np.pi)
    spectra = np.array([spectrum] * 3)
    result = np.zeros((4, lmax + 1, lmax + 1))

    def matrices():
        coupling_matrix_rect(spectra, (0, 1, 4), result, nthreads=options.threads)

    theirs = best(matrices)
    print(f"lmax {lmax}, the same: ducc0 {theirs:.3f} s, ratio {theirs / ours:.2f}", flush=True)


def whole(nside):
    """Bandpowers of EE, EB and BB to lmax 2 nside, B pure; three iterations of the transforms."""
    lmax = 2 * nside
    l = np.arange(lmax + 1)
    ee, bb = 0.3 / (l + 10.0)**2, 0.02 / (l + 10.0)**2
    np.random.seed(1)
    maps = healpy.synfast([0 * ee, ee, bb, 0 * ee], nside, new=True, pol=True)
    z = np.cos(healpy.pix2ang(nside, np.arange(12 * nside**2))[0])
    write(1, maps, np.sin(np.pi / 2 * np.clip((z - 0.2) / 0.3, 0, 1))**2)
    edges = np.arange(2, lmax - 1, 32)
    ell = np.arange(edges[0], edges[-1])
    run_ours = lambda: run({
        "mask": {"stage": "read-map", "file": "mask1.fits"},
        "sky": {"stage": "read-map", "file": "whole1.fits", "fields": "1, 2"},
        "alm": {"stage": "purify", "map": "sky", "mask": "mask", "lmax": lmax, "pure": "b",
                "mask_lmax": lmax},
        "cl": {"stage": "alm2cl", "alm": "alm"},
        "coupling": {"stage": "coupling", "mask": "mask", "lmax": lmax, "pure": "true",
                     "spins": "2", "mask_lmax": lmax},
        "powers": {"stage": "decouple", "cl": "cl", "coupling": "coupling", "pure": "b",
                   "edges": ", ".join(map(str, edges))},
        "out": {"stage": "write-table", "table": "powers.table", "file": "table.fits"}})
    ours = best(run_ours)
    print(f"nside {nside}, lmax {lmax}, purified, {options.threads} threads: armilla {ours:.2f} s",
          flush=True)
    if options.no_namaster:
        return
    got = []

    def run_theirs():
        mask = healpy.read_map("mask1.fits", dtype=np.float64)
        q, u = healpy.read_map("whole1.fits", field=(1, 2), dtype=np.float64)
        field = nmt.NmtField(mask, [q, u], spin=2, purify_b=True, n_iter=3, n_iter_mask=3,
                             lmax=lmax, lmax_mask=lmax)
        bins = nmt.NmtBin(bpws=np.searchsorted(edges, ell, side="right") - 1, ells=ell,
                          weights=np.ones(len(ell)), lmax=lmax)
        space = nmt.NmtWorkspace.from_fields(field, field, bins)
        got[:] = space.decouple_cell(nmt.compute_coupled_cell(field, field))
        np.savetxt("theirs.txt", got)

    theirs = best(run_theirs)
    powers = read_bandpowers("table.fits")
    for name, power in zip(("EE", "EB", "BE", "BB"), got):
        if name in powers:
            check(f"bandpowers {name}", powers[name], power)
    print(f"the same: NaMaster {theirs:.2f} s, ratio {theirs / ours:.2f}", flush=True)


os.chdir(tempfile.mkdtemp())
if options.whole:
    for nside in options.sizes or [1024]:
        whole(nside)
    sys.exit(failed > 0)
if options.times:
    for lmax in options.sizes or [3000, 6000]:
        times(lmax)
    sys.exit(0)
for nside in options.sizes or [32, 64]:
    lmax = 3 * nside - 1
    edges = [2, 6, 15, 30, 50, 80, lmax + 1 - nside // 8]
    compare(nside, lmax, lmax, edges, cross=False, modes=False, dl=False)
    compare(nside, 2 * nside, lmax, [2, 8, 20, 40, 2 * nside - 4], False, True, True)
    compare(nside, lmax, lmax, edges, cross=True, modes=False, dl=True)
    for pure, cross in (("b", False), ("e", True), ("eb", False), ("b", True)):
        compare(nside, lmax, lmax, edges, cross, False, False, pure)
    for cross, dl, pure in ((False, False, ""), (True, True, ""), (False, False, "b")):
        compare_covariance(nside, lmax, edges, cross, dl, pure)
print(f"1..{count}")
sys.exit(failed > 0)
