#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether legendre = auto takes the faster way: transforms by a table of compressed matrices, by
recurrence and as auto chooses, in turn, on Gauss-Legendre grids. Each table is made first, into a
folder that is gone afterwards (1.9 GB at lmax 2047)."""
import os
import re
import statistics
import subprocess
import tempfile

import times

parser = times.parser(__doc__)
parser.add_argument("--lmax", default="255,511,1023")
parser.add_argument("--maps", default="1,8,64", help="transformed together")
parser.add_argument("--tolerance", default="1e-4,1e-10")
parser.add_argument("--near", type=float, default=0.05,
                    help="ways whose times differ by less, relative, are as good as each other")
parser.add_argument("armilla", help="the program")
args = parser.parse_args()
times.start(args)
WAYS = ["butterfly", "recurrence", "auto"]


def words(name, lmax, maps, tolerance, table, way):
    return [args.armilla, "bench", name, "--grid", "gauss", "--lmax", lmax, "--batch", maps,
            "--legendre", way, "--table", table, "--table-tolerance", tolerance, "--threads",
            args.threads, "--gpus", 0]


def said(*case):
    """What auto says: the blocks of orders that go by the table, of how many."""
    text = subprocess.run([str(word) for word in words(*case, "auto") + ["--repeats", 1]],
                          check=True, capture_output=True, text=True).stdout
    found = re.search(r"(\d+) of (\d+) blocks of orders by table", text)
    return int(found[1]), int(found[2])


def measure(*case):
    """Seconds of each way: of neighbouring calls, a list each."""
    programs = [times.Armilla(*words(*case, way), "--repeats", 1000000, "--step")
                for way in WAYS]
    rounds = [[program.call()[0] for program in programs] for _ in range(args.repeats + 1)]
    for program in programs:
        program.close()
    return list(zip(*rounds[1:]))


def judge(case, taken, blocks, seconds):
    """Prints a line. Returns whether auto took the faster way, or one as good."""
    table, recurrence, auto = map(statistics.median, seconds)
    ratio = statistics.median(r / t for t, r in zip(seconds[0], seconds[1]))
    loss = statistics.median(a / min(t, r) for t, r, a in zip(*seconds))
    if abs(ratio - 1) < args.near:
        verdict = "as good as the other"
    elif 0 < taken < blocks:
        verdict = "a part of each" + ("" if loss < 1 + args.near else ", slower than the better")
    else:
        verdict = "the faster" if (taken > 0) == (ratio > 1) else "the slower"
    print(f"{case}: {table:.4f} s by table, {recurrence:.4f} s by recurrence (ratio {ratio:.2f}); "
          f"auto takes the table for {taken} of {blocks} blocks, {verdict}: {auto:.4f} s, "
          f"{loss:.2f} times the faster way's", flush=True)
    return "slower" not in verdict, loss


right, losses = 0, []
with tempfile.TemporaryDirectory() as room:
    for lmax in map(int, args.lmax.split(",")):
        for tolerance in args.tolerance.split(","):
            table = f"{room}/{lmax}-{tolerance}"
            for maps in map(int, args.maps.split(",")):
                for name in times.directions(args):
                    case = (name, lmax, maps, tolerance, table)
                    if not os.path.exists(table):
                        subprocess.run([str(word) for word in words(*case, "butterfly")
                                        + ["--repeats", 1]], check=True, capture_output=True)
                    good, loss = judge(f"{name}, lmax {lmax}, tolerance {tolerance}, {maps} "
                                       f"map{'s' if maps > 1 else ''}", *said(*case),
                                       measure(*case))
                    right += good
                    losses.append(loss)
            os.unlink(table)
print(f"auto took the faster way, or one as good, in {right} of {len(losses)} cases; it took "
      f"{statistics.median(losses):.2f} times what the faster way takes, at worst "
      f"{max(losses):.2f} times")
