# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scripts that time Armilla and a peer share.

Both take turns in one run: armilla bench --step waits, its workers asleep, while the peer computes.
All run on the same cores: the first as many as there are threads, unless --no-pin is given.
"""
import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import time

REALISATIONS = """[workflow]
repeat = {skies}
[theory]
stage = read-cl
file = cl.txt
[draw]
stage = random-alm
cl = theory
seed = 1
lmax = {lmax}
[sky]
stage = alm2map
alm = draw
nside = {nside}
[back]
stage = map2alm
map = sky
lmax = {lmax}
iterations = {iterations}
[spectrum]
stage = alm2cl
alm = back
[out]
stage = write-cl
cl = spectrum
file = cl${{index}}.fits
"""


def need(name, package=None):
    """The module of that name; ends the program where it is missing."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        sys.exit(f"{sys.argv[0]}: needs the Python package {package or name}, which is not there"
                 f" ({error}); this script installs nothing")


def parser(description):
    result = argparse.ArgumentParser(description=description)
    result.add_argument("--threads", type=int, default=1)
    result.add_argument("--repeats", type=int, default=7)
    result.add_argument("--json", metavar="FILE", help="append a line of JSON for each ratio")
    result.add_argument("--no-pin", action="store_true",
                        help="let the system choose the cores")
    result.add_argument("--direction", choices=["alm2map", "map2alm", "both"], default="both")
    return result


def start(args):
    """To be called before a peer is imported: cores and threads are set for all from here on."""
    os.environ.update(STARPU_NCUDA=str(getattr(args, "gpus", 0)), STARPU_NCPU=str(args.threads),
                      OMP_NUM_THREADS=str(args.threads), STARPU_WORKERS_NOBIND="1")
    if not args.no_pin:
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) < args.threads:
            sys.exit(f"{sys.argv[0]}: {args.threads} threads want as many cores; "
                     f"{len(cores)} are there")
        os.sched_setaffinity(0, cores[:args.threads])


class Armilla:
    """A program of ours that prints the seconds of one call for each line that it reads."""

    def __init__(self, *words, columns=1, environment=None):
        self.columns = columns
        try:
            self.process = subprocess.Popen([str(word) for word in words], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, text=True, env=environment)
        except OSError as error:
            sys.exit(f"{sys.argv[0]}: {error}")

    def call(self):
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        line = self.process.stdout.readline().split()
        if len(line) != self.columns:
            sys.exit(f"{sys.argv[0]}: {self.process.args[0]} ended; it says why above")
        return [float(word) for word in line]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def bench(program, name, *words, threads):
    return Armilla(program, "bench", name, *words, "--threads", threads, "--gpus", 0,
                   "--repeats", 1000000, "--step")


def timed(function):
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def alternate(ours, peers, repeats):
    """Seconds of one call each, in turn: for each peer a list of (ours, peer's)."""
    for peer in peers:
        peer()
    ours.call()
    pairs = [[] for peer in peers]
    for _ in range(repeats):
        own = ours.call()
        for i, peer in enumerate(peers):
            pairs[i].append((own[i], timed(peer)))
    ours.close()
    return pairs


COMPARED = ("seconds", "best_seconds", "seconds_95", "peer_seconds", "peer_best_seconds",
            "peer_seconds_95", "ratio", "repeats")


def percentile_95(values):
    """The value that at most a twentieth of the others exceeds."""
    return sorted(values)[-1 - len(values) // 20]


def compared(own, other):
    """Median, best and 95th percentile of both; the ratio of the medians."""
    return {"seconds": statistics.median(own), "best_seconds": min(own),
            "seconds_95": percentile_95(own), "peer_seconds": statistics.median(other),
            "peer_best_seconds": min(other), "peer_seconds_95": percentile_95(other),
            "ratio": round(statistics.median(other) / statistics.median(own), 4),
            "repeats": len(own)}


def report(args, case, pairs, **fields):
    """One line: medians, best times, and the median of the ratios of neighbouring calls."""
    own = [pair[0] for pair in pairs]
    other = [pair[1] for pair in pairs]
    ratio = statistics.median(b / a for a, b in pairs)
    print(f"{case}: ratio {ratio:.2f} (armilla {statistics.median(own):.4f} s, "
          f"{fields['peer']} {statistics.median(other):.4f} s; "
          f"best {min(own):.4f}, {min(other):.4f})", flush=True)
    if args.json:
        record = dict(fields, case=case, threads=args.threads, date=time.strftime("%Y-%m-%d"),
                      **dict(compared(own, other), ratio=round(ratio, 4)))
        with open(args.json, "a") as file:
            file.write(json.dumps(record) + "\n")


def median_and_error(values):
    """The median, and half the width of the interval of order statistics around it that holds the
    true one in 68 % of the cases: n/2 -+ sqrt(n)/2."""
    values = sorted(values)
    n = len(values)
    low, high = max(0, int(n / 2 - n**0.5 / 2)), min(n - 1, int(n / 2 + n**0.5 / 2))
    return statistics.median(values), (values[high] - values[low]) / 2


def order(names, i):
    """The order in which they are called in round i: each is the first in its turn, and the last."""
    turned = names[i % len(names):] + names[:i % len(names)]
    return turned[::-1] if i % 2 == 1 else turned


def write_realisations(path, skies, nside, iterations):
    """A workflow from a spectrum, in cl.txt beside it, to a file with the spectrum of each sky."""
    lmax = 2 * nside
    with open(path, "w") as file:
        file.write(REALISATIONS.format(skies=skies, nside=nside, lmax=lmax, iterations=iterations))
    with open("cl.txt", "w") as file:
        file.writelines(f"{l} {1 / (l + 1)**2!r}\n" for l in range(lmax + 1))


def directions(args):
    return ["alm2map", "map2alm"] if args.direction == "both" else [args.direction]


def random_alm(numpy, lmax, batch=1):
    """Of healpy's order, [map][coefficient]; the same for all peers."""
    rng = numpy.random.default_rng(1)
    count = (lmax + 1) * (lmax + 2) // 2
    alm = rng.normal(size=(batch, count)) + 1j * rng.normal(size=(batch, count))
    alm[:, : lmax + 1].imag = 0
    return alm
