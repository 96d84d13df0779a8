# SPDX-License-Identifier: GPL-3.0-or-later
"""Replaces functions of healpy by Armilla's in the running process, and restores them."""
from __future__ import annotations

import contextlib
import functools
import importlib
from typing import Any, Callable, Iterator, List, Tuple

from . import _healpy_core as core

# healpy module, names in it, and their replacements.
_PLACES: List[Tuple[str, str, Callable[..., Any]]] = [
    ("healpy._sphtools", "map2alm", core.map2alm),
    ("healpy._sphtools", "alm2cl", core.alm2cl),
    ("healpy._sphtools", "almxfl", core.almxfl),
    ("healpy._sphtools", "alm2map_spin_healpy", core.alm2map_spin),
    ("healpy._sphtools", "map2alm_spin_healpy", core.map2alm_spin),
    ("healpy._sphtools", "rotate_alm", core.rotate_alm),
    ("healpy._healpy_sph_transform_lib", "_alm2map", core.alm2map),
    ("healpy._healpy_sph_transform_lib", "_alm2map_der1", core.alm2map_der1),
    ("healpy.sphtfunc", "alm2map_spin", core.alm2map_spin),
    ("healpy.sphtfunc", "map2alm_spin", core.map2alm_spin),
    ("healpy.rotator", "rotate_alm", core.rotate_alm),
    ("healpy", "alm2map_spin", core.alm2map_spin),
    ("healpy", "map2alm_spin", core.map2alm_spin),
    ("healpy", "rotate_alm", core.rotate_alm),
]

_before: List[Tuple[Any, str, Any]] = []


def _over(ours: Callable[..., Any], theirs: Callable[..., Any]) -> Callable[..., Any]:
    """Returns Armilla's function, which calls healpy's for arguments that Armilla does not
    support."""
    @functools.wraps(theirs)
    def either(*arguments: Any, **options: Any) -> Any:
        try:
            return ours(*arguments, **options)
        except NotImplementedError:
            core.calls["healpy"] += 1
            return theirs(*arguments, **options)
    return either


def install() -> None:
    """Replaces the inner functions that healpy's functions call by Armilla's.

    Functions that Armilla does not implement (spins above 3, random numbers) still call healpy's
    own. Does nothing if the functions are replaced already.
    """
    if _before:
        return
    for module, name, ours in _PLACES:
        place = importlib.import_module(module)
        theirs = getattr(place, name, None)
        if theirs is not None:
            _before.append((place, name, theirs))
            setattr(place, name, _over(ours, theirs))


def uninstall() -> None:
    """Restores healpy's own functions."""
    while _before:
        place, name, theirs = _before.pop()
        setattr(place, name, theirs)


@contextlib.contextmanager
def installed() -> Iterator[None]:
    """Replaces healpy's inner functions by Armilla's within a `with` block."""
    already = bool(_before)
    install()
    try:
        yield
    finally:
        if not already:
            uninstall()
