#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The results of tests/peers/all as a table of Markdown: tables.py RESULTS.json"""
import json
import sys

with open(sys.argv[1]) as file:
    records = [json.loads(line) for line in file]
print("| case | threads | armilla, s | peer | peer, s | ratio |")
print("|---|---|---|---|---|---|")
for r in records:
    grid = {"healpix": f"nside {r['size']}", "points": f"{r['size']} points"}.get(r["grid"], "Gauss-Legendre")
    case = f", {r['batch']} maps" if r["batch"] > 1 else ""
    case += f", spin {r['spin']}" if r.get("spin", "0") != "0" else ""
    case += f", FWHM {r['fwhm']:g} arcmin" if "fwhm" in r else ""
    print(f"| {r['name']}, {grid}, lmax {r['lmax']}{case} | {r['threads']} | {r['seconds']:.4f} "
          f"| {r['peer']} {r['version']} | {r['peer_seconds']:.4f} | {r['ratio']:.2f} |")
