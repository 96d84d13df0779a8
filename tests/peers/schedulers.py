#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""StarPU's schedulers against the one that Armilla takes, for each kind of graph, in turn.

    schedulers.py [--threads N] [--gpus N] [--rounds N] [--schedulers NAME,...] [--cases WORD,...]
                  [--nside N] [--json FILE] ARMILLA

Times are over those with STARPU_SCHED left out: above 1 Armilla's choice is faster. In a round each is
called once, all in turn, in an order that changes. Printed are the median of the ratios of a round and
its error, half the width of the interval that holds the median in 68 % of the cases. The scheduler that
Armilla takes is among those that are timed: its ratio should be 1 within its error, else the machine is
too busy for the others to mean anything.

Transforms and convolutions are calls within processes that wait, asleep, for their turn. Pair counts and
realisations are whole runs, start and files included. Before the first round each scheduler has calls
that are not timed.
Schedulers that this StarPU does not offer are left out, with a word.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import times

CATALOGUES = """[objects]
stage = random-catalogue
number = {objects}
seed = 1
[others]
stage = random-catalogue
number = {objects}
seed = 2
[correlation]
stage = pair-correlation
catalogue = objects
random = others
min = 0.01 deg
max = 10 deg
[out]
stage = write-table
table = correlation.table
file = pairs.fits
"""

MAPS = """[map]
stage = write-map
map = sky
file = map${index}.fits
"""

parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--gpus", type=int, default=0)
parser.add_argument("--rounds", type=int, default=15)
parser.add_argument("--nside", type=int, default=1024)
parser.add_argument("--objects", type=int, default=200000, help="in each catalogue")
parser.add_argument("--schedulers", default="lws,ws,eager,prio,dm,dmda,dmdas,dmdar,heteroprio")
parser.add_argument("--cases", default="alm2map,map2alm,batch,convolve,pairs,realisations")
parser.add_argument("--json", metavar="FILE", help="append a line of JSON for each ratio")
parser.add_argument("armilla", help="the program")
args = parser.parse_args()
if args.rounds < 5:
    parser.error("--rounds: at least 5, or there is no error to tell")
armilla = os.path.abspath(args.armilla)
workers = ["--threads", args.threads, "--gpus", args.gpus]

BENCHMARKS = {
    "alm2map": [("alm2map", ["alm2map", "--nside", args.nside])],
    "map2alm": [("map2alm", ["map2alm", "--nside", args.nside])],
    "batch": [(f"{name}, 8 maps", [name, "--nside", args.nside // 2, "--batch", 8])
              for name in ("alm2map", "map2alm")],
    "convolve": [("convolve, FWHM of 5 pixels, ring by ring",
                  ["convolve", "--nside", args.nside, "--fwhm", 5 * 3517.9 / args.nside])],
}
WORKFLOWS = {
    "pairs": f"two-point correlation, {args.objects} objects and as many random ones",
    "realisations": f"16 realisations, nside {args.nside // 4}, written",
}


def write_workflow(word, path):
    if word == "pairs":
        with open(path, "w") as file:
            file.write(CATALOGUES.format(objects=args.objects))
    else:
        times.write_realisations(path, 16, args.nside // 4, 1)
        with open(path, "a") as file:
            file.write(MAPS)


def environment(scheduler):
    """With the scheduler, None for Armilla's own."""
    result = dict(os.environ)
    result.pop("STARPU_SCHED", None)
    if scheduler:
        result["STARPU_SCHED"] = scheduler
    return result


def offered():
    """The schedulers that are asked for and that this StarPU has."""
    text = subprocess.run([armilla, "machine"], env=environment("help"), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True).stdout
    there = set(re.findall(r"^(\S+)\s+->", text, re.MULTILINE))
    if not there:
        sys.exit(f"{sys.argv[0]}: StarPU does not list its schedulers under STARPU_SCHED=help")
    names = args.schedulers.split(",")
    for name in names:
        if name not in there:
            print(f"{name}: this StarPU has no such scheduler", flush=True)
    return [name for name in names if name in there]


class Calls:
    """A process of armilla bench that waits between its calls."""

    def __init__(self, words, scheduler):
        self.bench = times.Armilla(armilla, "bench", *words, *workers, "--no-tuning", "--repeats",
                                   1000000, "--step", environment=environment(scheduler))

    def call(self):
        return self.bench.call()[0]

    def close(self):
        self.bench.close()


class Runs:
    """A workflow that is run anew each time."""

    def __init__(self, path, scheduler):
        self.path = path
        self.environment = environment(scheduler)
        self.environment.update(STARPU_NCPU=str(args.threads), STARPU_NCUDA=str(args.gpus))

    def call(self):
        begin = time.perf_counter()
        status = subprocess.run([armilla, "run", "--quiet", "--overwrite", "--no-tuning", self.path],
                                env=self.environment).returncode
        if status != 0:
            sys.exit(f"{sys.argv[0]}: {args.armilla} ended; it says why above")
        return time.perf_counter() - begin

    def close(self):
        pass


def compare(case, schedulers, contestant, warm_up):
    """One line a scheduler; None is Armilla's own."""
    names = [None, *schedulers]
    contestants = {name: contestant(name) for name in names}
    for _ in range(warm_up):
        for name in names:
            contestants[name].call()
    rounds = []
    for i in range(args.rounds):
        rounds.append({name: contestants[name].call() for name in times.order(names, i)})
    for name in names:
        contestants[name].close()
    seconds = [took[None] for took in rounds]
    print(f"{case}, {args.threads} thread(s), {args.gpus} GPU(s): "
          f"{statistics.median(seconds):.4f} s by default", flush=True)
    for name in schedulers:
        ratio, error = times.median_and_error([took[name] / took[None] for took in rounds])
        print(f"  {name}: {ratio:.3f} +- {error:.3f}", flush=True)
        if args.json:
            with open(json_file, "a") as file:
                file.write(json.dumps(dict(
                    case=case, scheduler=name, ratio=round(ratio, 4), error=round(error, 4),
                    threads=args.threads, gpus=args.gpus, rounds=args.rounds,
                    seconds=statistics.median(seconds), date=time.strftime("%Y-%m-%d"))) + "\n")


json_file = os.path.abspath(args.json) if args.json else None
chosen = args.cases.split(",")
for word in chosen:
    if word not in BENCHMARKS and word not in WORKFLOWS:
        parser.error(f"--cases: {word} is none of {', '.join([*BENCHMARKS, *WORKFLOWS])}")
with tempfile.TemporaryDirectory(prefix="armilla-schedulers-") as folder:
    os.chdir(folder)
    os.environ.update(STARPU_HOME=folder, STARPU_SILENT="1")
    schedulers = offered()
    for word in chosen:
        for case, words in BENCHMARKS.get(word, []):
            compare(f"{case}, nside {words[2]}", schedulers, lambda name: Calls(words, name), 3)
        if word in WORKFLOWS:
            path = word + ".workflow"
            write_workflow(word, path)
            compare(WORKFLOWS[word], schedulers, lambda name: Runs(path, name), 1)
    os.chdir("/")
