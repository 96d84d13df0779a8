#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The memory of alm2map from file to file: the largest resident size less that of the same program
at nside 16, in units of a_lm + map.

    memory.py [--threads N] [--nside N] ARMILLA
"""
import argparse
import os
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--nside", type=int, default=2048)
parser.add_argument("armilla", help="the program")
args = parser.parse_args()
os.environ.update(STARPU_NCPU=str(args.threads), STARPU_NCUDA="0")
armilla = os.path.abspath(args.armilla)


def run(text):
    """Largest resident size, in bytes, of a workflow."""
    with open("run.workflow", "w") as file:
        file.write(text)
    child = os.posix_spawn(armilla, [armilla, "run", "--quiet", "--overwrite", "run.workflow"],
                           os.environ)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"{sys.argv[0]}: {args.armilla} ended; it says why above")
    return 1024 * usage.ru_maxrss


def synthesis(nside):
    lmax = 2 * nside
    with open("cl.txt", "w") as file:
        file.writelines(f"{l} 1\n" for l in range(lmax + 1))
    run("[cl]\nstage = read-cl\nfile = cl.txt\n[draw]\nstage = random-alm\ncl = cl\nseed = 1\n"
        "[out]\nstage = write-alm\nalm = draw\nfile = alm.fits\n")
    return run("[alm]\nstage = read-alm\nfile = alm.fits\n"
               f"[map]\nstage = alm2map\nalm = alm\nnside = {nside}\n"
               "[out]\nstage = write-map\nmap = map\nfile = map.fits\ndtype = float64\n")


with tempfile.TemporaryDirectory(prefix="armilla-memory-") as folder:
    os.chdir(folder)
    used = synthesis(args.nside) - synthesis(16)
    os.chdir("/")
lmax = 2 * args.nside
least = 16 * (lmax + 1) * (lmax + 2) // 2 + 8 * 12 * args.nside**2
print(f"alm2map from file to file, nside {args.nside}, lmax {lmax}, {args.threads} thread(s): "
      f"{used / 1e6:.0f} MB, {used / least:.2f} times a_lm + map")
