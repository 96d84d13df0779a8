# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables and a picture of what the script schedule has measured."""
from xml.sax.saxutils import escape

TITLES = {
    "loops": "Calls in a loop",
    "pauses": "Calls with pauses of 20 ms",
    "spins": "Fields with a spin",
    "gauss": "Gauss-Legendre grids",
    "batches": "Several maps in one call",
    "busy": "Beside a process whose NumPy computes on all cores, over alone",
    "skies": "From a spectrum to skies and their spectra",
    "default": "GPU and cores, over the better of both alone",
    "ranks": "Ranks, over one process",
    "pair": "Two runs at once, over one after the other",
}
COLOURS = ["#3b6ea5", "#c0693a", "#6a9a4b", "#8c5aa8", "#b0a030", "#4aa0a0", "#a04060", "#606060"]
WIDTH, HEIGHT, LEFT, TOP, GAP = 400, 260, 56, 56, 70


def seconds(value):
    return f"{1e3 * value:.3g} ms" if value < 1 else f"{value:.3g} s"


def describe(record):
    return (f"{record['kind']}: {record['case']}, {record['direction']}, {record['threads']} "
            f"thread(s): ratio {record['ratio']:.2f} ({seconds(record['seconds'])}, "
            f"{record['peer']} {seconds(record['peer_seconds'])})")


def row(record):
    cells = [record["case"], record["direction"], str(record["threads"])]
    for prefix in ("", "peer_"):
        cells.append(", ".join(seconds(record[prefix + key])
                               for key in ("seconds", "best_seconds", "seconds_95")))
    return "| " + " | ".join([*cells, record["peer"], f"{record['ratio']:.2f}"]) + " |"


def markdown(document):
    """Times are the median, the best and the 95th percentile."""
    machine = document["machine"]
    gpus = f", {len(machine['gpus'])} x {machine['gpus'][0]}" if machine["gpus"] else ""
    lines = [f"{machine['date']}, {machine['processor']}, {machine['cores']} cores{gpus}; "
             f"{machine['program']}; load at the start {machine['load']:.1f}. Times are the "
             "median, the best and the 95th percentile.", ""]
    for kind, title in TITLES.items():
        records = [r for r in document["results"] if r["kind"] == kind]
        if records:
            lines += [f"### {title}", "", "| case | what | threads | Armilla | peer's | peer "
                      "| ratio |", "|---|---|---|---|---|---|---|", *map(row, records), ""]
    return "\n".join(lines)


def line(records, threads, place, colour):
    points = [(r["nside"], r["ratio"]) for r in records if r["threads"] == threads]
    text = " ".join("{:.1f},{:.1f}".format(*place(*point)) for point in sorted(points))
    dots = "".join('<circle cx="{:.1f}" cy="{:.1f}" r="3" fill="{}"/>'.format(*place(*p), colour)
                   for p in points)
    return f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="2"/>{dots}'


def panel(records, direction, left):
    """Ratio over nside, a line for each number of threads."""
    records = [r for r in records if r["direction"] == direction]
    sizes = sorted({r["nside"] for r in records})
    most = max(2.0, *(1.05 * r["ratio"] for r in records))

    def place(nside, ratio):
        step = WIDTH / max(1, len(sizes) - 1)
        return left + step * sizes.index(nside), TOP + HEIGHT * (1 - ratio / most)

    lines = [f'<text x="{left}" y="{TOP - 10}" font-size="13">{escape(direction)}</text>',
             f'<rect x="{left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" '
             'stroke="#999"/>']
    for i in range(int(2 * most) + 1):
        y = place(sizes[0], i / 2)[1]
        style = 'stroke="black"' if i == 2 else 'stroke="#ddd"'
        lines += [f'<line x1="{left}" y1="{y:.1f}" x2="{left + WIDTH}" y2="{y:.1f}" {style}/>',
                  f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{i / 2:g}</text>']
    for nside in sizes:
        x = place(nside, 0)[0]
        lines.append(f'<text x="{x:.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{nside}'
                     '</text>')
    for i, threads in enumerate(sorted({r["threads"] for r in records})):
        lines.append(line(records, threads, place, COLOURS[i % len(COLOURS)]))
    return lines


def picture(document, path):
    """Of the loops; nothing is drawn if there are none."""
    records = [dict(r, nside=int(r["case"].split()[1])) for r in document["results"]
               if r["kind"] == "loops"]
    if not records:
        return
    machine = document["machine"]
    directions = [d for d in ("alm2map", "adjoint") if any(r["direction"] == d for r in records)]
    width = LEFT + len(directions) * (WIDTH + GAP)
    height = TOP + HEIGHT + 70
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="{LEFT}" y="24" font-size="15">Times as fast as '
             f'{escape(records[0]["peer"])}, by nside: {escape(machine["processor"])} '
             f'({escape(machine["date"])})</text>']
    for i, direction in enumerate(directions):
        lines += panel(records, direction, LEFT + i * (WIDTH + GAP))
    for i, threads in enumerate(sorted({r["threads"] for r in records})):
        x, y = LEFT + 110 * i, height - 20
        lines += [f'<rect x="{x}" y="{y - 10}" width="12" height="12" '
                  f'fill="{COLOURS[i % len(COLOURS)]}"/>',
                  f'<text x="{x + 17}" y="{y}">{threads} thread{"s" if threads > 1 else ""}</text>']
    with open(path, "w") as file:
        file.write("\n".join([*lines, "</svg>"]) + "\n")
