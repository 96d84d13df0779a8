#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the stage `covariance` says of bandpowers of masked skies against simulated skies.

    covariance-skies.py [N_SKIES [CUT ...]]

For masks with galactic cuts (degrees, apodised) and with holes at point sources, and for BB / EE
from 1 to 1e-3: the variance of EE, EB and BB as predicted, over that of N_SKIES simulated skies,
with theory spectra and with the mean spectra of masked maps over the mean square of the mask. The
ratio is given for the median bin and for the lowest one. The scatter of a variance of N skies is
sqrt (2 / N). Needs the package armilla and astropy; 1,000 skies take ten minutes of a core.
"""
import sys
import tempfile
from pathlib import Path

import armilla
import numpy as np
from astropy.io import fits

NSIDE, LMAX, APODISE = 32, 64, 8
EDGES = [2, 8, 16, 24, 32, 40, 48, 56, 65]
SPECTRA = ["EE", "EB", "BB"]

COVARIANCE = """
[coupling]
stage = coupling
mask = mask
lmax = {lmax}
[matrix]
stage = write-matrix
matrix = coupling
file = {folder}/coupling.fits
[scatter]
stage = covariance
mask = mask
cl = cl
coupling = coupling
spectra = TT, EE, BB, TE, EB, TB
edges = {edges}
mixing = {mixing}
[written]
stage = write-matrix
matrix = scatter
file = {folder}/scatter.fits
[workflow]
overwrite = true
"""
MASK = """
[apodised]
stage = mask
mask = hard
apodise = {apodise} deg
"""


def hard_mask(kind):
    """A cut of so many degrees on either side of the equator; or "holes" of 3 degrees."""
    z = np.concatenate([np.full(n, z) for n, z in rings()])
    if kind != "holes":
        return (np.abs(z) > np.sin(np.radians(float(kind)))).astype(float)
    rng = np.random.default_rng(1)
    phi = np.concatenate([2 * np.pi * np.arange(n) / n for n, _ in rings()])
    pixel = np.stack([np.sqrt(1 - z**2) * np.cos(phi), np.sqrt(1 - z**2) * np.sin(phi), z])
    centre = rng.normal(size=(60, 3))
    centre /= np.linalg.norm(centre, axis=1)[:, None]
    return (np.max(centre @ pixel, axis=0) < np.cos(np.radians(3))).astype(float)


def rings():
    """Pixels and cosine of the co-latitude of each ring of HEALPix; phases do not matter here."""
    for i in range(1, 4 * NSIDE):
        cap = min(i, 4 * NSIDE - i)
        z = 1 - cap**2 / (3 * NSIDE**2) if cap < NSIDE else (4 - 2 * cap / NSIDE) / 3
        yield 4 * min(cap, NSIDE), z if i <= 2 * NSIDE else -z


def matrices(folder):
    with fits.open(f"{folder}/coupling.fits") as file:
        header = file[1].header
        return {header[f"FIELD{i + 1}"].strip(): np.array(m, float)
                for i, m in enumerate(file[1].data)}


def binned(matrix):
    return np.array([[matrix[a:b, c:d].sum() / (b - a) for c, d in zip(EDGES, EDGES[1:])]
                     for a, b in zip(EDGES, EDGES[1:])])


def predicted(mask, cl, mixing, folder):
    text = COVARIANCE.format(lmax=LMAX, edges=", ".join(map(str, EDGES)), mixing=mixing,
                             folder=folder)
    try:
        armilla.Workflow(text).run({"mask": mask, "cl": armilla.Cl(cl)}, [])
    except armilla.Error as error:
        return {name: np.full(len(EDGES) - 1, np.nan) for name in SPECTRA}, str(error)
    with fits.open(f"{folder}/scatter.fits") as file:
        header = file[1].header
        return {header[f"FIELD{i + 1}"].split()[0]: np.diag(m).astype(float)
                for i, m in enumerate(file[1].data)
                if len(set(header[f"FIELD{i + 1}"].split())) == 1}, ""


def simulated(mask, theory, n_skies, folder):
    """Variances of decoupled bandpowers, and the mean spectra of masked maps."""
    power = []
    for first in range(0, n_skies, 100):
        alm = armilla.random_alm(theory, LMAX, seed=5, realisation=first,
                                 copies=min(100, n_skies - first))
        sky = armilla.alm2map(alm, NSIDE, spin=(0, 2)) * mask
        power.append(armilla.alm2cl(armilla.map2alm(sky, LMAX, spin=(0, 2)), cross=True))
    power = np.concatenate(power)  # TT, EE, BB, TE, EB, TB
    m = matrices(folder)
    same, other = binned(m["++"]), binned(m["--"])
    means = np.stack([power[:, 1:5, a:b].mean(-1) for a, b in zip(EDGES, EDGES[1:])], -1)
    eb = np.linalg.solve(same - other, means[:, 3].T).T
    both = np.linalg.solve(np.block([[same, other], [other, same]]),
                           np.concatenate([means[:, 0], means[:, 1]], -1).T).T
    n = len(EDGES) - 1
    variance = {"EE": both[:, :n].var(0), "BB": both[:, n:].var(0), "EB": eb.var(0)}
    return variance, power.mean(0) / np.mean(mask**2)


def main():
    n_skies = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    masks = sys.argv[2:] or ["5", "10", "20", "30", "40", "holes"]
    l = np.arange(LMAX + 1.0)
    flat = 1 / (l + 10) ** 2
    print("| mask | BB / EE | cl | mixing | EE | EB | BB |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for kind in masks:
            apodise = 3 if kind == "holes" else min(APODISE, max(float(kind), 2))
            mask = np.asarray(armilla.Workflow(MASK.format(apodise=apodise)).run(
                {"hard": hard_mask(kind)})["apodised"])
            for ratio in (1, 1e-1, 1e-2, 1e-3):
                theory = np.stack([10 * flat, flat, ratio * flat, 0 * l, 0 * l, 0 * l])
                theory[1:, :2] = 0
                predicted(mask, theory, "namaster", folder)  # writes the coupling
                variance, mean = simulated(mask, theory, n_skies, folder)
                for name, cl in (("theory", theory), ("masked maps", mean)):
                    for mixing in ("half", "namaster"):
                        found, why = predicted(mask, cl, mixing, folder)
                        ratios = {s: found[s] / variance[s] for s in SPECTRA}
                        print(f"| {kind} | {ratio:g} | {name} | {mixing} | " + " | ".join(
                            f"{np.median(r):.2f}, {r[0]:.2f}" for r in ratios.values())
                            + " |" + (f" {why[-60:]}" if why else ""), flush=True)


if __name__ == "__main__":
    main()
