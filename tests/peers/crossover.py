#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""From which width on the harmonic way is faster than the ring way, and whether method = auto takes the
faster one: both methods in turn, for a grid of nside, FWHM and accuracy."""
import argparse
import json
import re
import subprocess
import tempfile

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--nside", default="256,512,1024")
parser.add_argument("--pixels", default="3,6,12,24,60,120",
                    help="FWHM in pixels of 1.02 / nside radian")
parser.add_argument("--accuracy", default="1e-4,1e-6")
parser.add_argument("--repeats", type=int, default=3)
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--gpus", type=int, default=0)
parser.add_argument("armilla", help="the program")
args = parser.parse_args()

WORKFLOW = """[theory]
stage = read-cl
file = {cl}
[drawn]
stage = random-alm
cl = theory
lmax = 8
seed = 1
[sky]
stage = alm2map
alm = drawn
nside = {nside}
[smooth]
stage = convolve
map = sky
fwhm = {fwhm} arcmin
accuracy = {accuracy}
[spectrum]
stage = map2alm
map = smooth
lmax = 8
iterations = 0
[out]
stage = write-alm
alm = spectrum
file = {out}
"""


def seconds(nside, fwhm, accuracy, method):
    words = [args.armilla, "bench", "convolve", "--nside", nside, "--fwhm", fwhm, "--accuracy",
             accuracy, "--method", method, "--threads", args.threads, "--gpus", args.gpus,
             "--repeats", args.repeats, "--resident", "--json"]
    text = subprocess.run([str(word) for word in words], check=True, capture_output=True,
                          text=True).stdout
    return json.loads(text)["results"][0]["best_seconds"]


def choice(nside, fwhm, accuracy):
    """What the stage says."""
    with tempfile.TemporaryDirectory() as room:
        with open(f"{room}/cl.txt", "w") as file:
            file.write("".join(f"{l} 1\n" for l in range(9)))
        with open(f"{room}/w", "w") as file:
            file.write(WORKFLOW.format(cl=f"{room}/cl.txt", nside=nside, fwhm=fwhm,
                                       accuracy=accuracy, out=f"{room}/out.fits"))
        words = ["env", f"STARPU_NCPU={args.threads}", f"STARPU_NCUDA={args.gpus}", args.armilla,
                 "run", f"{room}/w"]
        text = subprocess.run(words, check=True, capture_output=True, text=True).stderr
    found = re.search(r"predicted: ([\d.e+-]+) s by rings, ([\d.e+-]+) s by way", text)
    return "ring" if "ring by ring (" in text else "harmonic", found.groups()


right = cases = 0
for nside in map(int, args.nside.split(",")):
    for accuracy in args.accuracy.split(","):
        for pixels in map(float, args.pixels.split(",")):
            fwhm = round(pixels * 3520 / nside, 2)
            ring = seconds(nside, fwhm, accuracy, "ring")
            harmonic = seconds(nside, fwhm, accuracy, "harmonic")
            chosen, predicted = choice(nside, fwhm, accuracy)
            best = "ring" if ring <= harmonic else "harmonic"
            cases += 1
            right += chosen == best
            print(f"nside {nside}, FWHM {fwhm:g} arcmin ({pixels:g} pixels), accuracy {accuracy}: ring "
                  f"{ring:.4f} s (predicted {predicted[0]}), harmonic {harmonic:.4f} s "
                  f"({predicted[1]}); auto takes {chosen}"
                  + ("" if chosen == best else ", the slower one"), flush=True)
print(f"auto took the faster method in {right} of {cases} cases")
