#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What share of the workers' time is not spent in kernels during transforms, by the trace of a
benchmark: no task submitted or ready, waiting for data or memory, scheduling.

    overhead.py [--threads N] [--repeats N] [--json FILE] ARMILLA NSIDE
"""
import os
import re
import subprocess
import sys
import tempfile

import times

parser = times.parser(__doc__.split("\n\n")[0])
parser.add_argument("armilla", help="the program")
parser.add_argument("nside", type=int)
args = parser.parse_args()
os.environ["STARPU_NCUDA"] = "0"
for name in times.directions(args):
    with tempfile.TemporaryDirectory(prefix="armilla-overhead-") as folder:
        trace = os.path.join(folder, "trace.json")
        words = [args.armilla, "bench", name, "--nside", args.nside, "--threads", args.threads,
                 "--repeats", args.repeats, "--trace", trace]
        bench = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True)
        table = subprocess.run([args.armilla, "trace", trace], stdout=subprocess.PIPE, text=True)
    if bench.returncode != 0 or table.returncode != 0:
        sys.exit(f"{sys.argv[0]}: {args.armilla} ended; it says why above")
    shares = [[float(x) for x in re.findall(r"([0-9.]+) %", line)]
              for line in table.stdout.splitlines() if re.match(r"rank \d+ CPU", line)]
    busy, data, scheduling, unworthy, behind, nothing = (sum(column) / len(shares) for column in zip(*shares))
    print(f"{name}, nside {args.nside}, lmax {2 * args.nside}, {args.threads} thread(s): "
          f"{100 - busy:.1f} % not in kernels (not submitted {behind:.1f}, not ready {nothing:.1f}, "
          f"data {data:.1f}, scheduling {scheduling + unworthy:.1f})", flush=True)
