#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mean spectra of lensed skies against those that CAMB computes from the same unlensed spectra.

    lensed-spectra.py [--skies N] [--lmax L] [--beyond L] [--epsilon E] [--seed S]

CAMB's unlensed spectra and those of the lensing potential, up to --lmax + --beyond, are written as
its lenspotentialCls.dat and read by read-camb; lensed-sky draws skies on a Gauss-Legendre grid,
each with a potential of its own, and map2alm and alm2cl measure them. CAMB's correlation functions
give the lensed spectra of the same input. For TT, EE, TE and BB: chi-square of bins of 50
multipoles with the Gaussian variance of the mean (its standard deviation is sqrt (2 bins)), not for
BB, which is not Gaussian; and the mean ratio to CAMB with its error from the scatter of the skies.
Exits with 1 if TT, EE or TE are off by more than 3 standard deviations, or BB by more than 1 % and
3 errors. Needs the packages armilla and camb; 100 skies to lmax 3000 take two hours of two cores.
"""
import argparse
import sys
import tempfile
from pathlib import Path

import armilla
import camb
import camb.correlations
import numpy as np

WORKFLOW = """
[workflow]
repeat = {skies}
[theory]
stage = read-camb
file = {file}
columns = all
[sky]
stage = lensed-sky
cl = theory
grid = gauss-legendre
n-theta = {rings}
n-phi = {pixels}
lmax = {lmax}
seed = {seed}
epsilon = {epsilon}
[measured]
stage = map2alm
map = sky.map
lmax = {lmax}
iterations = 0
[spectra]
stage = alm2cl
alm = measured
"""
PAIRS = {"TT": (0, "TT", "TT"), "EE": (1, "EE", "EE"), "BB": (2, "BB", "BB"),
         "TE": (3, "TT", "EE")}


def theory(lmax):
    """The rows of CAMB's lenspotentialCls.dat from l = 2 on, in uK^2, uK and 1."""
    parameters = camb.set_params(H0=67.4, ombh2=0.0224, omch2=0.120, mnu=0.06, tau=0.054,
                                 As=2.1e-9, ns=0.965, lmax=lmax + 500, lens_potential_accuracy=2)
    results = camb.get_results(parameters)
    sky = results.get_unlensed_scalar_cls(lmax, CMB_unit="muK")
    potential = results.get_lens_potential_cls(lmax, CMB_unit="muK")
    return np.column_stack([np.arange(lmax + 1), sky, potential])[2:]


def lensed(rows, lmax):
    """CAMB's lensed C_l of the same rows, by name."""
    whole = np.zeros((len(rows) + 2, 5))
    whole[2:] = rows[:, 1:6]
    found = camb.correlations.lensed_cls(whole[:, :4], whole[:, 4], lmax_lensed=lmax,
                                         theta_max=None)
    l = np.maximum(np.arange(lmax + 1), 1)
    return {name: found[:lmax + 1, i] * 2 * np.pi / (l * (l + 1))
            for name, (i, _, _) in PAIRS.items()}


def binned(values, degrees):
    """Means in bins of 50, by 2 l + 1 times l (l + 1)."""
    weights = (2 * degrees + 1.0) * degrees * (degrees + 1)
    edges = np.arange(2, degrees[-1] + 2, 50)
    return np.array([np.average(values[..., (degrees >= a) & (degrees < a + 50)], axis=-1,
                                weights=weights[(degrees >= a) & (degrees < a + 50)])
                     for a in edges if a + 50 <= degrees[-1] + 1])


def variance(expected, pair, degrees):
    """Of the binned mean of one sky, if the lensed fields were Gaussian."""
    _, a, b = PAIRS[pair]
    each = expected[a] * expected[b] + (expected[pair] ** 2)
    each = each[degrees] / (2 * degrees + 1)
    weights = (2 * degrees + 1.0) * degrees * (degrees + 1)
    return np.array([(weights[k] ** 2 * each[k]).sum() / weights[k].sum() ** 2
                     for a in np.arange(2, degrees[-1] + 2, 50) if a + 50 <= degrees[-1] + 1
                     for k in [(degrees >= a) & (degrees < a + 50)]])


def compare(pair, skies, expected, degrees):
    """Prints a line; returns whether the mean agrees."""
    i = PAIRS[pair][0]
    found = binned(skies[:, i][:, degrees], degrees)
    want = binned(expected[pair][degrees], degrees)
    n, bins = len(skies), len(want)
    chi2 = ((found.mean(1) - want) ** 2 / (variance(expected, pair, degrees) / n)).sum()
    strength = np.abs(want).sum()
    ratios = (found * np.sign(want)[:, None]).sum(0) / strength
    error = ratios.std(ddof=1) / np.sqrt(n)
    off = (chi2 - bins) / np.sqrt(2 * bins)
    chosen = "" if pair == "BB" else f"chi-square {chi2:.1f} of {bins} bins ({off:+.2f} sigma), "
    print(f"{pair}: {chosen}ratio - 1 = {ratios.mean() - 1:+.2e} +- {error:.1e}")
    if pair == "BB":
        return abs(ratios.mean() - 1) < 0.01 + 3 * error
    return abs(off) < 3


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--skies", type=int, default=100)
    parser.add_argument("--lmax", type=int, default=3000)
    parser.add_argument("--beyond", type=int, default=1500)
    parser.add_argument("--epsilon", type=float, default=1e-6)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    unlensed = given.lmax + given.beyond
    rows = theory(unlensed)
    # A lensed sky has multipoles beyond those of the unlensed one, which must not be aliased to
    # those measured: B is small compared with them. They end at twice the unlensed lmax, and are
    # negligible beyond a margin of 1000 where E is damped.
    rings = min(given.lmax + 2 * unlensed, given.lmax + unlensed + 1000) // 2 + 1
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "lenspotentialCls.dat"
        names = "L TT EE BB TE PP TP EP"
        np.savetxt(file, rows, fmt=["%6d"] + ["%.9e"] * 7, header=names)
        rows = np.loadtxt(file)
        text = WORKFLOW.format(file=file, rings=rings, pixels=2 * rings, **vars(given))
        found = armilla.Workflow(text).run(outputs=["spectra"])["spectra"]
    found = found if isinstance(found, list) else [found]
    skies = np.array([one.array[[0, 1, 2, 3]] for one in found])
    degrees = np.arange(2, given.lmax + 1)
    expected = lensed(rows, given.lmax)
    print(f"{given.skies} skies, l 2 to {given.lmax}, unlensed to {unlensed}, "
          f"{rings} x {2 * rings} pixels")
    return 0 if all([compare(pair, skies, expected, degrees) for pair in PAIRS]) else 1


if __name__ == "__main__":
    sys.exit(main())
