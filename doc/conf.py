# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual, by Sphinx. build-aux/make-manual puts together what this is run in."""
import os
import pathlib
import sys

here = pathlib.Path(__file__).parent
project = "Armilla"
author = "the Armilla developers"
copyright = "the Armilla developers, GPL-3.0-or-later"  # Sphinx wants this name.
release = version = os.environ.get("ARMILLA_VERSION", "")

extensions = ["myst_parser"]
myst_enable_extensions = ["deflist"]
# Links to headings, as in page.md#a-heading.
myst_heading_anchors = 4
exclude_patterns = ["extra", "measurements"]
# Pages on what was not there to make them from.
suppress_warnings = ["toc.excluded"]
if "ARMILLA_PACKAGES" in os.environ:
    sys.path.insert(0, os.environ["ARMILLA_PACKAGES"])
    extensions += ["sphinx.ext.autodoc", "sphinx.ext.napoleon"]
    autodoc_typehints = "none"
    autodoc_member_order = "bysource"
else:
    exclude_patterns.append("python-functions.md")

if not (here / "extra").is_dir():
    exclude_patterns.append("c-functions.md")

html_theme = "furo"
html_title = "Armilla"
html_show_sphinx = False
html_extra_path = ["extra"] if (here / "extra").is_dir() else []
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#123f8c", "color-brand-content": "#123f8c"},
    "dark_css_variables": {"color-brand-primary": "#7fb2ff", "color-brand-content": "#7fb2ff"},
}
# Workflow files have no lexer that knows their variables.
highlight_language = "none"

commands = here / "commands" / "index.txt"
man_pages = [("commands/armilla", "armilla",
              "process maps and catalogues on the sphere", [author], 1)]
for line in commands.read_text(encoding="utf-8").splitlines() if commands.exists() else []:
    name, description = line.split("\t")
    man_pages.append((f"commands/{name}", name, description, [author], 1))
