# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual, by Sphinx. build-aux/make-manual puts together what this is run in."""
import inspect
import os
import pathlib
import re
import sys

from docutils import nodes
from docutils.utils.math import latex2mathml

here = pathlib.Path(__file__).parent
project = "Armilla"
author = "the Armilla developers"
copyright = "the Armilla developers, GPL-3.0-or-later"  # Sphinx wants this name.
release = version = os.environ.get("ARMILLA_VERSION", "")

extensions = ["myst_parser"]
myst_enable_extensions = ["deflist", "dollarmath"]
# Links to headings, as in page.md#a-heading.
myst_heading_anchors = 4
exclude_patterns = ["extra", "measurements"]
# Pages generated from optional inputs that may be missing.
suppress_warnings = ["toc.excluded", "toc.not_readable"]
if "ARMILLA_PACKAGES" in os.environ:
    sys.path.insert(0, os.environ["ARMILLA_PACKAGES"])
    extensions += ["sphinx.ext.autodoc", "sphinx.ext.napoleon"]
    autodoc_typehints = "none"
    # armilla.jax and armilla.torch are described wherever the manual is made.
    autodoc_mock_imports = ["jax", "torch"]
    autodoc_member_order = "bysource"
else:
    exclude_patterns += ["python-functions.md", "python-stages.md"]
    # Links to these two; build-aux/check-docs checks all links between pages.
    suppress_warnings.append("myst.xref_missing")

if not (here / "extra").is_dir():
    exclude_patterns.append("c-functions.md")

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_math_renderer = "mathml"
html_title = "Armilla"
html_show_sphinx = False
html_domain_indices = False
html_extra_path = ["extra"] if (here / "extra").is_dir() else []
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#123f8c", "color-brand-content": "#123f8c"},
    # All dark colours: Debian's furo has none of its own for readers who choose by their system.
    "dark_css_variables": {
        "color-brand-primary": "#7fb2ff",
        "color-brand-content": "#7fb2ff",
        "color-foreground-primary": "#dfe3e8",
        "color-foreground-secondary": "#a4abb3",
        "color-foreground-muted": "#868e97",
        "color-foreground-border": "#6a727a",
        "color-background-primary": "#14171b",
        "color-background-secondary": "#1a1e23",
        "color-background-hover": "#232830ff",
        "color-background-hover--transparent": "#23283000",
        "color-background-border": "#323941",
        "color-background-item": "#434b54",
        "color-highlighted-background": "#1c3a63",
        "color-highlight-on-target": "#2b3320",
        "color-admonition-background": "#191d22",
        "color-card-background": "#191d22",
        "color-api-keyword": "#a4abb3",
        "color-api-overall": "#a4abb3",
        "color-problematic": "#ff8f8f",
    },
}
# Workflow files have no lexer that knows their variables.
highlight_language = "none"
# Styles all of whose colours stand out from their grounds.
pygments_style = "default"
pygments_dark_style = "github-dark"

commands = here / "commands" / "index.txt"
man_pages = [("commands/armilla", "armilla",
              "process maps and catalogues on the sphere", [author], 1)]
for line in commands.read_text(encoding="utf-8").splitlines() if commands.exists() else []:
    name, description = line.split("\t")
    man_pages.append((f"commands/{name}", name, description, [author], 1))


def math(writer, node):
    """Formulas as MathML, which browsers draw themselves: the manual needs no network for them."""
    block = isinstance(node, nodes.math_block)
    # Docutils has turned the sense of this argument round.
    turned = "as_block" in inspect.signature(latex2mathml.tex2mathml).parameters
    formula = latex2mathml.tex2mathml(node.astext(), block if turned else not block)
    writer.body.append(f'<div class="math">{formula}</div>' if block else formula)
    raise nodes.SkipNode


def plain(_app, _what, name, _object, _options, lines):
    """Docstrings of stages are plain text, in which *, | and a _ at the end mean nothing."""
    if not name.startswith("armilla.stages."):
        return
    for i, line in enumerate(lines):
        if not re.match(r">>>|\.\.\. |\w+ : ", line):
            lines[i] = re.sub(r"([*|`\\]|_(?!\w))", r"\\\1", line)


def setup(app):
    app.add_html_math_renderer("mathml", (math, None), (math, None))
    if "ARMILLA_PACKAGES" in os.environ:
        app.connect("autodoc-process-docstring", plain, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
