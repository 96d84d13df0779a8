# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m armilla.demo``: a random sky, its picture, and a comparison of times with healpy."""
from __future__ import annotations

import argparse
import time
from typing import Any, Callable, Tuple

import numpy as np

import armilla

WIDTH = 800


def timed(function: Callable[[], Any]) -> Tuple[Any, float]:
    """Calls a function twice; returns the result and the seconds of the second call."""
    function()
    start = time.perf_counter()
    result = function()
    return result, time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m armilla.demo", description=__doc__)
    parser.add_argument("--nside", type=int, default=512, help="of the maps (512)")
    parser.add_argument("--picture", default="armilla-demo.png", help="file for the picture")
    options = parser.parse_args()
    nside, lmax = options.nside, 2 * options.nside
    cl = 1.0 / np.maximum(np.arange(lmax + 1.0), 2) ** 2
    alm = armilla.random_alm(cl, seed=1)
    map, to_map = timed(lambda: armilla.alm2map(alm, nside))
    back, to_alm = timed(lambda: armilla.map2alm(map, lmax, iter=0))
    print(f"nside {nside}, lmax {lmax}: alm2map {to_map:.3f} s, map2alm {to_alm:.3f} s")
    armilla.stages.render(options.picture, map=map, width=WIDTH, overwrite=True)
    print(f"picture: {options.picture}")
    try:
        import healpy
    except ImportError:
        print("healpy is not installed, so there is nothing to compare with")
        return
    theirs, their_map = timed(lambda: healpy.alm2map(alm, nside, lmax=lmax))
    their_alm, their_back = timed(lambda: healpy.map2alm(map, lmax=lmax, iter=0))
    print(f"healpy {healpy.__version__}: alm2map {their_map:.3f} s, {their_map / to_map:.1f} times "
          f"as long; map2alm {their_back:.3f} s, {their_back / to_alm:.1f} times as long")
    print(f"largest difference: {np.abs(map - theirs).max() / np.abs(map).max():.1e} of the map, "
          f"{np.abs(back - their_alm).max() / np.abs(back).max():.1e} of the a_lm")


if __name__ == "__main__":
    main()
