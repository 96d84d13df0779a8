#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pair counts of a real catalogue against Corrfunc and TreeCorr, bin by bin, where they are installed.

  pair-counts.py [--min 0.01] [--max 10] [--bins 20] [--threads 2] [--separation] ARMILLA CATALOGUE.fits

Counts are of pairs i < j: half of Corrfunc's ordered ones; TreeCorr with exact bins and the arc metric.
Exit status: 0 when all agree exactly, 1 when some bin differs, 2 when nothing could be compared. Times: of Armilla the whole process, start and reading
included, and the counting alone (from the first task to the last of its trace); of the peers the call.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

WORKFLOW = """[data]
stage = read-catalogue
file = {file}
[random]
stage = random-catalogue
number = 2
[w]
stage = pair-correlation
catalogue = data
random = random
estimator = natural
mean-separation = {separation}
min = {min} deg
max = {max} deg
bins = {bins}
[out]
stage = write-table
table = w.table
file = dd.ecsv
"""


def read_ecsv(path):
    with open(path) as file:
        rows = [line.split() for line in file if not line.startswith("#")]
    return {name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}


def armilla(options, folder):
    with open(os.path.join(folder, "dd.workflow"), "w") as file:
        file.write(WORKFLOW.format(file=os.path.abspath(options.catalogue), min=options.min,
                                   max=options.max, bins=options.bins,
                                   separation="true" if options.separation else "false"))
    command = [os.path.abspath(options.armilla), "run", "--quiet", "--overwrite"]
    environment = dict(os.environ, STARPU_NCPU=str(options.threads), STARPU_SILENT="1")
    seconds = []
    for _ in range(options.repeats):
        start = time.perf_counter()
        subprocess.run(command + ["dd.workflow"], cwd=folder, env=environment, check=True)
        seconds.append(time.perf_counter() - start)
    subprocess.run(command + ["--trace", "dd.json", "dd.workflow"], cwd=folder, env=environment,
                   check=True, stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, "dd.json")) as file:
        trace = json.load(file)
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    tasks = [e for e in events if e.get("ph") == "X" and e.get("name", "").endswith("histogram")]
    inside = max(e["ts"] + e["dur"] for e in tasks) - min(e["ts"] for e in tasks)
    return read_ecsv(os.path.join(folder, "dd.ecsv")), min(seconds), inside / 1e6


def positions(path):
    from astropy.io import fits
    with fits.open(path) as file:
        table = next(hdu for hdu in file if isinstance(hdu, fits.BinTableHDU)).data
        return table["RA"].astype(float), table["DEC"].astype(float)


def best(repeats, function):
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = function()
        seconds.append(time.perf_counter() - start)
    return result, min(seconds)


def corrfunc(options, edges, ra, dec):
    from Corrfunc.mocks import DDtheta_mocks
    result, seconds = best(options.repeats, lambda: DDtheta_mocks(
        1, options.threads, edges, ra, dec, output_thetaavg=options.separation, verbose=False))
    return [int(n) for n in result["npairs"]], seconds


def treecorr(options, edges, ra, dec):
    import treecorr as tc

    def count():
        catalogue = tc.Catalog(ra=ra, dec=dec, ra_units="deg", dec_units="deg")
        nn = tc.NNCorrelation(min_sep=options.min, max_sep=options.max, nbins=options.bins,
                              sep_units="deg", metric="Arc", bin_slop=0, angle_slop=0)
        nn.process(catalogue, num_threads=options.threads)
        return nn
    result, seconds = best(1, count)
    return [int(n) for n in result.npairs], seconds


def compare(name, ours, theirs, divisor):
    wrong = [(k, a, b) for k, (a, b) in enumerate(zip(ours, theirs)) if a * divisor != b]
    for k, a, b in wrong:
        print(f"{name}: bin {k}: {a}, but {b} / {divisor}")
    print(f"{name}: {len(ours) - len(wrong)} of {len(ours)} bins agree exactly")
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--min", type=float, default=0.01)
    parser.add_argument("--max", type=float, default=10)
    parser.add_argument("--bins", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--separation", action="store_true", help="mean separations, too")
    parser.add_argument("armilla")
    parser.add_argument("catalogue")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table, process, inside = armilla(options, folder)
    ours = [int(n) for n in table["DD"]]
    edges = [float(e) for e in table["theta_min"]] + [float(table["theta_max"][-1])]
    print(f"Armilla: {sum(ours)} pairs, process {process:.3f} s, counting {inside:.3f} s, "
          f"{options.threads} threads")
    good, compared = True, 0
    for name, function, divisor in (("Corrfunc", corrfunc, 2), ("TreeCorr", treecorr, 1)):
        try:
            ra, dec = positions(options.catalogue)
            counts, seconds = function(options, edges, ra, dec)
        except ImportError as error:
            print(f"{name}: left out, {error}")
            continue
        compared += 1
        good = compare(name, ours, counts, divisor) and good
        print(f"{name}: {seconds:.3f} s, {seconds / inside:.2f} times the counting, "
              f"{seconds / process:.2f} times the process")
    if compared == 0:
        print("nothing was compared", file=sys.stderr)
        return 2
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
