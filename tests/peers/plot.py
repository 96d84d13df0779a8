#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture of results: plot.py RESULTS.json PICTURE.svg. A bar for each single-thread transform of
one map and each batch: how many times as fast as the peer, and the seconds of both. The title has the
dates of the first and of the last of them."""
import json
import sys
from xml.sax.saxutils import escape

LABEL, WIDTH, NOTE, ROW, TOP = 365, 330, 190, 24, 62
COLOURS = {"ducc0": "#3b6ea5", "SHTns": "#c0693a", "healpy": "#6a9a4b"}

with open(sys.argv[1]) as file:
    records = [json.loads(line) for line in file]
chosen = [r for r in records if r["peer"] in COLOURS and not r["name"].startswith("recurrence")
          and (r["threads"] == 1 or r["batch"] > 1)]
if not chosen:
    sys.exit(f"{sys.argv[0]}: {sys.argv[1]} holds nothing to draw")
dates = sorted({r["date"] for r in chosen})
date = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
scale = WIDTH / max(1.5, *(r["ratio"] for r in chosen))
height = TOP + ROW * len(chosen) + 44
lines = [
    f'<svg xmlns="http://www.w3.org/2000/svg" width="{LABEL + WIDTH + NOTE}" height="{height}" '
    'font-family="sans-serif" font-size="12">',
    f'<rect width="{LABEL + WIDTH + NOTE}" height="{height}" fill="white"/>',
    f'<text x="12" y="24" font-size="15">Times as fast as a peer, CPU ({escape(date)})</text>',
]
x = 12
for peer, colour in COLOURS.items():
    version = next((r["version"] for r in chosen if r["peer"] == peer), None)
    if version:
        lines.append(f'<rect x="{x}" y="36" width="12" height="12" fill="{colour}"/>'
                     f'<text x="{x + 17}" y="46">{escape(peer)} {escape(version)}</text>')
        x += 120
for i, r in enumerate(chosen):
    y = TOP + ROW * i
    grid = {"healpix": f"nside {r['size']}", "points": f"{r['size']} points"}.get(r["grid"], "Gauss")
    spin = f", spin {r['spin']}" if r.get("spin", "0") != "0" else ""
    width = f", FWHM {r['fwhm']:g} arcmin" if "fwhm" in r else ""
    batch = f", {r['batch']} maps" if r["batch"] > 1 else ""
    threads = f", {r['threads']} threads" if r["threads"] > 1 else ""
    label = f"{r['name']}, {grid}, lmax {r['lmax']}{spin}{width}{batch}{threads}"
    length = r["ratio"] * scale
    lines += [
        f'<text x="{LABEL - 8}" y="{y + 14}" text-anchor="end">{escape(label)}</text>',
        f'<rect x="{LABEL}" y="{y + 2}" width="{length:.1f}" height="{ROW - 6}" '
        f'fill="{COLOURS[r["peer"]]}"/>',
        # clear of the line at 1
        f'<text x="{LABEL + max(length, scale) + 6:.1f}" y="{y + 14}">{r["ratio"]:.2f}'
        f' ({r["seconds"]:.3g} s, {r["peer_seconds"]:.3g} s)</text>',
    ]
one = LABEL + scale
bottom = TOP + ROW * len(chosen)
lines += [
    f'<line x1="{one:.1f}" y1="{TOP - 4}" x2="{one:.1f}" y2="{bottom}" stroke="black" '
    'stroke-dasharray="3 3"/>',
    f'<text x="{one:.1f}" y="{bottom + 14}" text-anchor="middle">1</text>',
    f'<text x="12" y="{bottom + 34}" fill="#555">One thread where nothing else is said; in '
    'parentheses the median times of Armilla and of the peer.</text>',
    '</svg>',
]
with open(sys.argv[2], "w") as file:
    file.write("\n".join(lines) + "\n")
