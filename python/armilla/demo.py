# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m armilla.demo``: a sky, its picture, and how long that took beside healpy."""
from __future__ import annotations

import argparse
import struct
import time
import zlib
from typing import Any, Callable, Tuple

import numpy as np

import armilla

WIDTH = 800
COLOURS = np.array([[5, 10, 60], [30, 110, 190], [240, 240, 235], [225, 120, 50], [110, 10, 30]])


def pixel_of(nside: int, z: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """Nearest ring, and the nearest pixel of it: close enough for a picture."""
    polar = nside * np.sqrt(3 * (1 - np.abs(z)))
    ring = np.where(np.abs(z) > 2 / 3, np.where(z > 0, polar, 4 * nside - polar),
                    2 * nside - 1.5 * nside * z)
    ring = np.clip(np.rint(ring).astype(int), 1, 4 * nside - 1)
    cap = np.minimum(ring, 4 * nside - ring)
    n_phi = 4 * np.minimum(cap, nside)
    shift = np.where((cap < nside) | ((ring - nside) % 2 == 0), 0.5, 0.0)
    j = np.rint(phi / (2 * np.pi) * n_phi - shift).astype(int) % n_phi
    lengths = 4 * np.minimum(np.minimum(np.arange(4 * nside), 4 * nside - np.arange(4 * nside)),
                             nside)
    return np.cumsum(lengths)[ring - 1] + j


def mollweide(map: np.ndarray, nside: int) -> np.ndarray:
    """The whole sky as colours, [row][column][3]; white outside."""
    x = (np.arange(WIDTH) + 0.5) / WIDTH * 4 - 2
    y = 1 - (np.arange(WIDTH // 2) + 0.5) / (WIDTH // 2) * 2
    x, y = np.meshgrid(x, y)
    inside = (x / 2) ** 2 + y**2 < 1
    angle = np.arcsin(y)
    z = (2 * angle + np.sin(2 * angle)) / np.pi
    longitude = np.where(inside, -np.pi * x / (2 * np.maximum(np.cos(angle), 1e-9)), 0)
    values = map[pixel_of(nside, z, longitude % (2 * np.pi))]
    level = np.clip((values / np.std(map) + 2.5) / 5, 0, 1) * (len(COLOURS) - 1)
    picture = np.stack([np.interp(level, np.arange(len(COLOURS)), COLOURS[:, i])
                        for i in range(3)], -1)
    return np.where(inside[..., None], picture, 255).astype(np.uint8)


def write_png(path: str, picture: np.ndarray) -> None:
    """Without any package for it."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    height, width, _ = picture.shape
    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n"
                   + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def timed(function: Callable[[], Any]) -> Tuple[Any, float]:
    """The result of the second call, and its seconds."""
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
    write_png(options.picture, mollweide(map, nside))
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
