#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether legendre = auto takes the faster way: transforms by a table of compressed matrices, by
recurrence and as auto chooses, in turn, on Gauss-Legendre grids; the fastest call of each counts.
Each table is made first, into a folder that is gone afterwards (1.9 GB at lmax 2047, 10 GB at
4095). With --gpus the recurrence and auto compute on these alone; a table is always applied by the
cores."""
import os
import re
import subprocess
import tempfile

import times

parser = times.parser(__doc__)
parser.add_argument("--lmax", default="255,511,1023")
parser.add_argument("--maps", default="1,8,64", help="transformed together")
parser.add_argument("--tolerance", default="1e-4,1e-10")
parser.set_defaults(repeats=15)
parser.add_argument("--gpus", type=int, default=0)
parser.add_argument("--near", type=float, default=0.05,
                    help="ways whose times differ by less, relative, are as good as each other")
parser.add_argument("armilla", help="the program")
args = parser.parse_args()
times.start(args)
WAYS = ["butterfly", "recurrence", "auto"]


def words(name, lmax, maps, tolerance, table, way):
    return [args.armilla, "bench", name, "--grid", "gauss", "--lmax", lmax, "--batch", maps,
            "--legendre", way, "--table", table, "--table-tolerance", tolerance,
            *(["--threads", args.threads, "--gpus", 0] if way == "butterfly" or args.gpus == 0
              else ["--threads", 0, "--gpus", args.gpus])]


def said(*case):
    """What auto says: the blocks of orders that go by the table, of how many."""
    text = subprocess.run([str(word) for word in words(*case, "auto") + ["--repeats", 1]],
                          check=True, capture_output=True, text=True).stdout
    found = re.search(r"(\d+) of (\d+) blocks of orders by table", text)
    return (int(found[1]), int(found[2])) if found else (0, 1)


def measure(*case):
    """Seconds of the fastest call of each way."""
    programs = [times.Armilla(*words(*case, way), "--repeats", 1000000, "--step")
                for way in WAYS]
    rounds = [[program.call()[0] for program in programs] for _ in range(args.repeats + 1)]
    for program in programs:
        program.close()
    return list(map(min, zip(*rounds[1:])))


def judge(case, taken, blocks, table, recurrence, auto):
    """Prints a line. Returns whether auto took the faster way, or what is as good, and what its
    choice takes over what the faster way does."""
    loss = auto / min(table, recurrence)
    if 0 < taken < blocks:
        right = loss < 1 + args.near
        verdict = "a part of each, " + ("no slower than either" if right else "slower than one")
    elif abs(table / recurrence - 1) < args.near:
        right, verdict = True, "as good as the other"
    else:
        right = (taken > 0) == (table < recurrence)
        verdict = "the faster" if right else "the slower"
    print(f"{case}: {table:.4f} s by table, {recurrence:.4f} s by recurrence (gain "
          f"{recurrence / table:.2f}); auto takes the table for {taken} of {blocks} blocks, "
          f"{verdict}: {auto:.4f} s, {loss:.2f} times the faster way's", flush=True)
    return right, loss


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
                                       *measure(*case))
                    right += good
                    losses.append(loss)
            os.unlink(table)
print(f"auto took the faster way, or one as good, in {right} of {len(losses)} cases; "
      f"it took {sorted(losses)[len(losses) // 2]:.2f} times what the faster way takes, at worst "
      f"{max(losses):.2f} times")
