# SPDX-License-Identifier: GPL-3.0-or-later
"""A plugin of pytest's that runs other tests with Armilla under healpy.

    python -m pytest -p under_healpy FOLDER-OF-HEALPY'S-TESTS

Its last lines say how often healpy's functions reached Armilla.
"""
import armilla.healpy


def pytest_configure():
    armilla.healpy.install()


def pytest_terminal_summary(terminalreporter):
    for name, n in sorted(armilla.healpy.calls().items()):
        terminalreporter.write_line(f"armilla: {name} {n}")
