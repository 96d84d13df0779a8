#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What recording a trace costs: the same run with and without --trace, in turn.

    tracing.py [--threads N] [--rounds N] [--nside N] [--repeat N] ARMILLA

A round is two runs without a trace and one with, in an order that changes from round to round. Of each
the ratio of processor time (user and system, of the process and its threads) and of wall time is taken:
with a trace over the geometric mean of those without, and one without over the other. Printed are the
medians and their errors: half the width of the interval that holds the median in 68 % of the cases
(from the order of the ratios, whatever their distribution). Where the ratio of equal runs is not 1
within its error the machine is too busy for the other ratio to mean anything. The difference in
processor time is told for a task, too.

Workers that have nothing to do poll, which is processor time, too: more than half of it at nside 16, where
tasks are so short that workers wait for them. So tasks should be long enough for workers to be busy, as
they are at the default nside, in whole realisations of which only a spectrum is written. What a core
reaches, which a traced run measures once a week, is measured before the first round. The time in which
the trace is written to its file is part of the runs that have one.
"""
import argparse
import os
import sys
import tempfile
import time

import times

parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--rounds", type=int, default=25)
parser.add_argument("--nside", type=int, default=512)
parser.add_argument("--repeat", type=int, default=12, help="realisations a run")
parser.add_argument("armilla", help="the program")
args = parser.parse_args()
if args.rounds < 5:
    parser.error("--rounds: at least 5, or there is no error to tell")
armilla = os.path.abspath(args.armilla)


def run(traced):
    """Processor time and wall time of a run, in seconds."""
    words = [armilla, "run", "--quiet", "--overwrite", "run.workflow"]
    if traced:
        words += ["--trace", "trace.json"]
    begin = time.perf_counter()
    child = os.posix_spawn(armilla, words, os.environ)
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - begin
    if status != 0:
        sys.exit(f"{sys.argv[0]}: {args.armilla} ended; it says why above")
    return usage.ru_utime + usage.ru_stime, wall


def ratios(rounds):
    """For processor and wall time: (with over without, without over without) of each round; and the
    processor time that a trace added in each."""
    found = [[], []]
    added = []
    for i in range(rounds):
        took = {which: run(which == "traced")
                for which in times.order(["one", "other", "traced"], i)}
        for k in range(2):
            one, other, traced = (took[which][k] for which in ("one", "other", "traced"))
            found[k].append((traced / (one * other)**0.5, other / one))
            if k == 0:
                added.append(traced - (one + other) / 2)
    return found, added


os.environ.update(STARPU_NCPU=str(args.threads), STARPU_NCUDA="0")
with tempfile.TemporaryDirectory(prefix="armilla-tracing-") as folder:
    os.chdir(folder)
    os.environ["XDG_CACHE_HOME"] = folder  # there the peak of a core is kept, whatever the home is
    times.write_realisations("run.workflow", args.repeat, args.nside, 1)
    run(True)  # the peak of a core, models of StarPU, and the files in the cache
    with open("trace.json") as file:
        tasks = sum('"cat":"task"' in line for line in file)
    seconds = run(False)
    print(f"{args.repeat} realisations, nside {args.nside}, lmax {2 * args.nside}, "
          f"{args.threads} thread(s), {tasks} tasks: {seconds[0]:.2f} s of processors, "
          f"{seconds[1]:.2f} s", flush=True)
    found, added = ratios(args.rounds)
    for what, pairs in zip(("processor time", "wall time"), found):
        for i, name in enumerate(("with a trace over without", "without over without")):
            ratio, error = times.median_and_error([pair[i] for pair in pairs])
            print(f"{what}, {name}: {ratio:.4f} +- {error:.4f} ({args.rounds} rounds)", flush=True)
    added, error = times.median_and_error([1e6 * seconds / tasks for seconds in added])
    print(f"processor time that a trace adds: {added:.1f} +- {error:.1f} us a task", flush=True)
    os.chdir("/")
