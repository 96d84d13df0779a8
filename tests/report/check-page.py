#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-page.py PAGE: a report is well-formed, needs nothing from elsewhere, and points to nothing that is not there.

Prints what it holds: numbers of nodes and edges of the graph, of pictures, rows, spans; titles; checksums."""

import html.parser
import json
import re
import sys
import xml.etree.ElementTree

text = open(sys.argv[1], encoding="utf-8").read()
SPACE = "{http://www.w3.org/1999/xhtml}"
VOID = {"meta", "img"}


class Page(html.parser.HTMLParser):
    """What a parser of HTML, not of XML, makes of it."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.sources = [], [], [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        self.links += [attrs["href"]] if "href" in attrs else []
        self.sources += [attrs["src"]] if "src" in attrs else []
        assert tag != "img" or attrs["alt"]

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


page = Page()
page.feed(text)
page.close()
assert not page.open, page.open
assert len(set(page.ids)) == len(page.ids), "an id is there twice"
assert all(link[0] == "#" and link[1:] in page.ids for link in page.links), page.links
assert all(source.startswith("data:image/") for source in page.sources)
assert not re.search(r"url\((?!#)|@import|https?://(?!www\.w3\.org/)", text), "it needs something from elsewhere"

root = xml.etree.ElementTree.fromstring(text.replace("<!DOCTYPE html>", "", 1))
spans = json.loads(root.find(f".//{SPACE}script[@id='spans']").text)
assert len(spans["spans"]) % 6 == 0
for i in range(0, len(spans["spans"]), 6):
    lane, node, name, start, length, n = spans["spans"][i : i + 6]
    assert 0 <= lane < len(spans["lanes"]) and 0 <= node < len(spans["nodes"]) and n >= 1
    assert -1 <= name < len(spans["names"]) and 0 <= start and start + length <= spans["us"] + 2
boxes = [box for box in root.iter("{http://www.w3.org/2000/svg}rect") if box.get("class") == "box"]
edges = [path for path in root.iter("{http://www.w3.org/2000/svg}path") if path.get("class") == "edge"]
print("title:", root.find(f".//{SPACE}h1").text)
print("state:", "".join(root.find(f".//{SPACE}p[@class='state']").itertext()))
print("nodes:", len(boxes), "edges:", len(edges), "pictures:", len(page.sources))
print("rows:", len([row for row in root.iter(f"{SPACE}tr") if (row.get("id") or "").startswith("node-")]))
print("tasks:", sum(spans["spans"][5::6]), "lanes:", " ".join(spans["lanes"]))
print("seeds:", *["".join(d.itertext()) for t, d in zip(root.iter(f"{SPACE}dt"), root.iter(f"{SPACE}dd")) if t.text == "seeds"])
print(root.find(f".//{SPACE}pre[@class='sums']").text, end="")
