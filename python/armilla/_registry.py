# SPDX-License-Identifier: GPL-3.0-or-later
"""The library's descriptions of its stages."""
from __future__ import annotations

import functools
import itertools
import keyword
import warnings
from typing import Dict, List, NamedTuple, Optional, Tuple

from . import _session
from ._core import ffi, lib


#: number of inputs of one name and numbers from which they are a list in Python
_MANY = 30


class Part(NamedTuple):
    """An input, an output or a property of a stage."""

    key: str  # name in workflow files
    name: str  # name in Python
    kind: str
    units: str
    range: str
    initial: Optional[str]
    blurb: str
    old: str  # former name of an input
    optional: bool
    is_input: bool
    others: Tuple[str, ...] = ()  # keys of the inputs to which a list is connected, after this one


class Stage(NamedTuple):
    """A stage, or a short form of several."""

    key: str
    name: str
    summary: str
    description: str
    reference: str
    example: str
    renamed: str  # current name, if `name` is a former one
    origin: str
    gathers: bool
    joins: bool
    inputs: List[Part]
    outputs: List[Part]
    properties: List[Part]
    arguments: Dict[str, Part]  # inputs and properties by their names in Python


def python_name(key: str) -> str:
    """Returns the name of a stage, port or property in Python."""
    name = key.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def _text(text) -> str:
    return "" if text == ffi.NULL else ffi.string(text).decode("utf-8", "replace")


def _part(told) -> Part:
    return Part(_text(told.name), python_name(_text(told.name)), _text(told.type),
                _text(told.units), _text(told.range),
                None if told.initial == ffi.NULL else _text(told.initial), _text(told.blurb),
                python_name(_text(told.old)), bool(told.optional),
                told.role == lib.ARMILLA_STAGE_INPUT)


def _joined(parts: List[Part]) -> List[Part]:
    """Replaces inputs of one name and many numbers by the first, which accepts a list."""
    keys = [part.key for part in parts]
    joined: List[Part] = []
    for part in parts:
        if joined and part.key in joined[-1].others:
            continue
        others = [f"{part.key}{n}" for n in range(2, len(parts) + 1)]
        others = list(itertools.takewhile(keys.__contains__, others))
        joined.append(part._replace(others=tuple(others)) if len(others) >= _MANY else part)
    return joined


def _stage(told) -> Stage:
    parts = {role: [_part(told.parts[i]) for i in range(told.n_parts) if told.parts[i].role == role]
             for role in (lib.ARMILLA_STAGE_INPUT, lib.ARMILLA_STAGE_OUTPUT,
                          lib.ARMILLA_STAGE_PROPERTY)}
    parts[lib.ARMILLA_STAGE_INPUT] = _joined(parts[lib.ARMILLA_STAGE_INPUT])
    key = _text(told.name)
    arguments = {part.name: part for role in (lib.ARMILLA_STAGE_INPUT, lib.ARMILLA_STAGE_PROPERTY)
                 for part in parts[role]}
    return Stage(key, python_name(key), _text(told.summary), _text(told.description),
                 _text(told.reference), _text(told.example), python_name(_text(told.renamed)),
                 _text(told.origin),
                 bool(told.gathers), bool(told.joins), parts[lib.ARMILLA_STAGE_INPUT],
                 parts[lib.ARMILLA_STAGE_OUTPUT], parts[lib.ARMILLA_STAGE_PROPERTY], arguments)


@functools.lru_cache(maxsize=None)
def stages() -> Dict[str, Stage]:
    """Returns all stages by their names in Python; the first call reads the registry."""
    made, failure = ffi.new("ArmillaStages **"), ffi.new("ArmillaFailure *")
    _session.check(lib.armilla_stages_new(made, failure), failure)
    all_stages = ffi.gc(made[0], lib.armilla_stages_free)
    said = _text(lib.armilla_stages_warnings(all_stages))
    if said:
        warnings.warn(said.rstrip(), RuntimeWarning, stacklevel=3)
    found: Dict[str, Stage] = {}
    while True:
        told = lib.armilla_stages_get(all_stages, len(found))
        if told == ffi.NULL:
            return found
        stage = _stage(told)
        found[stage.name] = stage
