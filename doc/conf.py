# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual, by Sphinx: make manual."""
import os

project = "Armilla"
author = "the Armilla developers"
copyright = "the Armilla developers; GPL-3.0-or-later"
release = version = os.environ.get("ARMILLA_VERSION", "")

extensions = ["myst_parser"]
# Links to headings, as in page.md#a-heading.
myst_heading_anchors = 4
exclude_patterns = ["measurements", "run", "Doxyfile.in"]

html_theme = "furo"
html_title = "Armilla"
html_static_path = []
html_extra_path = ["reference-c"] if os.path.isdir("reference-c") else []
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#123f8c", "color-brand-content": "#123f8c"},
    "dark_css_variables": {"color-brand-primary": "#7fb2ff", "color-brand-content": "#7fb2ff"},
}
# Files of workflows; there is no lexer of that name.
highlight_language = "none"

man_pages = [
    ("reference/commands/" + name, name, description, [author], 1)
    for name, description in [
        ("armilla", "process maps and catalogues on the sphere"),
    ]
]
latex_elements = {"papersize": "a4paper"}
