# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of stages: converts Python arguments for the library, and results from it."""
from __future__ import annotations

import collections
import contextlib
import difflib
import inspect
import numbers
import os
import re
import warnings
from typing import Any, Callable, Dict, Iterator, List, Sequence, Tuple

import numpy as np

from . import _arrays
from ._core import ffi, lib
from ._flow import Flow
from ._given import CLASSES, as_key, as_kind, as_text, fill_inputs
from ._gpu import GpuArray, is_on_gpu, package
from ._registry import Part, Stage, python_name, stages
from ._session import LONG, Error, on_all_ranks
from .columns import Columns
from .fields import Field
from .matrix import Matrix

# Packages with arrays in host memory.
_PACKAGES = ("torch", "jax", "jaxlib")
# Kinds of data that are returned as objects.
RETURNED = {*CLASSES, "any", "as the input"}


class Deferred:
    """The result of a stage that cannot be represented by an array, such as a picture.

    The stage runs as part of the call that has the result as input.
    """

    def __init__(self, stage: Stage, arguments: Dict[str, Any], output: Part):
        self._stage, self._arguments, self._output = stage, arguments, output
        self.kind = output.kind

    def __repr__(self) -> str:
        return f"<{self.kind} of armilla.stages.{self._stage.name}>"


def has_outputs_argument(stage: Stage) -> bool:
    """Returns whether the function has an argument for the choice of outputs."""
    return len(stage.outputs) > 1


def _parameters(stage: Stage) -> List[inspect.Parameter]:
    required = [part for part in stage.inputs + stage.properties if not part.optional]
    by_name, by_keyword = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = [inspect.Parameter(part.name, by_name) for part in required]
    parameters += [inspect.Parameter(part.name, by_name, default=None) for part in stage.inputs
                   if part.optional]
    parameters += [inspect.Parameter(part.name, by_keyword, default=_default(part))
                   for part in stage.properties if part.optional]
    taken = {parameter.name for parameter in parameters}
    if has_outputs_argument(stage) and "outputs" not in taken:
        parameters.append(inspect.Parameter("outputs", by_keyword, default=None))
    if not stage.outputs and "overwrite" not in taken:
        parameters.append(inspect.Parameter("overwrite", by_keyword, default=False))
    return parameters


def _default(part: Part) -> Any:
    """Returns the default of a property as a Python value; None if it has none."""
    if part.initial is None or part.initial == "":
        return None
    if part.kind == "boolean":
        return part.initial == "true"
    for kind in (int, float) if part.kind in ("whole number", "number") else ():
        try:
            return kind(part.initial)
        except ValueError:
            pass
    return part.initial


def signature(stage: Stage) -> inspect.Signature:
    """Returns the signature: required inputs and properties, optional inputs, and the other
    properties by keyword."""
    return inspect.Signature(_parameters(stage))


def _value(name: str, value: Any) -> str:
    """Returns the value of a property in the syntax of workflow files."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        if isinstance(text, str):
            return text
    if hasattr(value, "unit") and hasattr(value, "to_value") and np.ndim(value.value) == 0:
        return f"{_value(name, value.value)} {_unit(name, value.unit)}".rstrip()
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return _value(name, value[()])
    if isinstance(value, (list, tuple, range)) or (isinstance(value, np.ndarray)
                                                   and value.ndim == 1):
        return ", ".join(_value(name, one) for one in value)
    raise TypeError(f"{name}: it is of the type {type(value).__name__}; it must be a number, a "
                    "text, a bool, a quantity of astropy.units, or a list of these")


def _unit(name: str, unit: Any) -> str:
    """Returns the name of an astropy unit in workflow files."""
    text = unit.to_string()
    return {"byte": "B", "kibyte": "KiB", "Mibyte": "MiB", "Gibyte": "GiB"}.get(text, text)


def _connected(stage: Stage, arguments: Dict[str, Any]) -> List[Tuple[Part, str, Any]]:
    """Returns the part, the key and the value of each argument; a list that is connected to inputs
    of one name and many numbers gives one for each of them."""
    found: List[Tuple[Part, str, Any]] = []
    for name, value in arguments.items():
        part = stage.arguments[name]
        if not part.others or not isinstance(value, (list, tuple)):
            found.append((part, part.key, value))
            continue
        keys = (part.key,) + part.others
        if not 1 <= len(value) <= len(keys):
            raise ValueError(f"{stage.name}: {name}: it has {len(value)} elements; it must have 1 "
                             f"to {len(keys)}")
        found += [(part, key, one) for key, one in zip(keys, value)]
    return found


class _Request:
    """An ArmillaStageCall, and the objects that it refers to."""

    def __init__(self, stage: Stage, arguments: Dict[str, Any]):
        self.keep: List[Any] = []
        self.like: Any = None  # input array that determines the package of results
        self.lists = False  # whether the stage runs once for each of several inputs
        connected = _connected(stage, arguments)
        told = ffi.new("ArmillaStageArgument[]", max(len(connected), 1))
        for to, (part, key, value) in zip(told, connected):
            to.name = as_key(key)
            if isinstance(value, Deferred) and part.is_input:
                self._connect(to, value)
                continue
            try:
                self._fill(stage, to, part, value)
            except (TypeError, ValueError) as error:
                raise type(error)(f"{stage.name}: {error}") from None
        self.call = ffi.new("ArmillaStageCall *")
        self.call.stage, self.call.arguments = as_key(stage.key), told
        self.call.n_arguments = len(connected)
        self.keep.append(told)

    def _text(self, text: str) -> Any:
        self.keep.append(as_text(text))
        return self.keep[-1]

    def _connect(self, to: Any, value: Deferred) -> None:
        request = _Request(value._stage, value._arguments)
        self.keep.append(request)
        self.lists = self.lists or request.lists
        to.call, to.output = request.call, as_key(value._output.key)

    def _fill(self, stage: Stage, to: Any, part: Part, value: Any) -> None:
        if not part.is_input:
            to.value = self._text(_value(part.name, value))
        else:
            several = isinstance(value, (list, tuple)) and (
                stage.gathers or all(isinstance(one, (Field, Columns, Matrix)) for one in value))
            values = list(value) if several else [value]
            self.lists = self.lists or (several and not stage.gathers)
            if not values:
                raise ValueError(f"{part.name}: it is an empty list; at least one array is needed")
            inputs, keep = fill_inputs(part.name, [self._data(part, one) for one in values])
            to.inputs, to.n_inputs = inputs, len(values)
            self.keep += keep

    def _data(self, part: Part, value: Any) -> Any:
        if part.kind not in RETURNED:
            raise TypeError(f"{part.name}: it is of the type {type(value).__name__}; it must be a "
                            f"{part.kind} that another stage has returned")
        shown = value.array if isinstance(value, Field) else value
        if self.like is None and (is_on_gpu(shown) or package(shown) in _PACKAGES):
            self.like = shown
        return as_kind(part.name, part.kind, value)


def _python_names(text: str) -> str:
    """Returns error lines of the library with the names of arguments in Python."""
    def named(found: Any) -> str:
        rank, stage, key = found.group(1) or "", python_name(found.group(2)), found.group(3)
        if stage not in stages():
            return found.group()
        return f"{rank}{stage}: " + ("" if key is None else f"{python_name(key)}: ")
    return re.sub(r"^(rank \d+: )?([a-z][\w-]*): (?:([a-z][\w-]*): )?", named, text,
                  flags=re.MULTILINE)


@contextlib.contextmanager
def named(**names: str) -> Iterator[None]:
    """Makes the errors of a stage name the arguments of the calling function, if the names
    differ."""
    try:
        yield
    except (Error, TypeError, ValueError) as error:
        text = re.sub(r"^(rank \d+: )?\w+: (?=\w+: )", lambda found: found.group(1) or "", str(error),
                      flags=re.MULTILINE)
        for key, name in names.items():
            text = re.sub(rf"^(rank \d+: )?{key}(?=: )", lambda found: (found.group(1) or "") + name,
                          text, flags=re.MULTILINE)
        error.args = (text,)
        raise


def _chosen(stage: Stage, outputs: Any) -> List[Part]:
    """Returns the names of the outputs to compute."""
    if outputs is None:
        return stage.outputs[:1]
    names = [outputs] if isinstance(outputs, str) else list(outputs)
    known = {output.name: output for output in stage.outputs}
    for name in names:
        if name not in known:
            raise ValueError(f"{stage.name}: outputs: there is no output {name!r}; outputs: "
                             f"{', '.join(known)}")
    return [known[name] for name in names]


def _run(stage: Stage, request: _Request, outputs: Sequence[Part], overwrite: bool, short: bool
         ) -> Dict[Part, Any]:
    asked = ffi.new("const char *[]", [as_key(output.key) for output in outputs] + [ffi.NULL])
    flow = Flow(lib.armilla_stage_flow, request.call, asked, keep=[request])
    results: Dict[Part, Any] = {}
    found = flow.run(overwrite, None, short)
    for name, made in sorted(found, key=lambda one: one[1].realisation):
        key = name.partition(".")[2]
        output = next(one for one in outputs if key in ("", one.key))
        if request.like is not None and isinstance(made, Field):
            made._set(_shown=_arrays.like_anywhere(request.like, made.host))
        if request.lists and not stage.gathers:
            results.setdefault(output, []).append(made)
        else:
            results[output] = made
    return results


def _bind(stage: Stage, called: inspect.Signature, arguments: Sequence[Any],
          named: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the arguments of the call by name."""
    for part in stage.inputs:
        if part.old in named:
            warnings.warn(f"{stage.name}: {part.old} is now called {part.name}; the next release "
                          "will not know the former name", FutureWarning, stacklevel=5)
            named[part.name] = named.pop(part.old)
    for name in named:
        if name not in called.parameters:
            near = difflib.get_close_matches(name, called.parameters, 1)
            hint = f"; did you mean {near[0]!r}?" if near else "; arguments: " \
                f"{', '.join(called.parameters)}"
            raise TypeError(f"{stage.name}: {name}: there is no such argument{hint}")
    if not arguments and all(part.optional or name in named
                             for name, part in stage.arguments.items()):
        return named  # bind() takes longer than the rest of this function
    try:
        return dict(called.bind(*arguments, **named).arguments)
    except TypeError as error:
        raise TypeError(f"{stage.name}: {error}") from None


@on_all_ranks
def _call(stage: Stage, called: inspect.Signature, given: Sequence[Any], named: Dict[str, Any],
          short: bool) -> Any:
    arguments = {name: value for name, value in _bind(stage, called, given, named).items()
                 if value is not None}
    own = stage.arguments
    outputs = arguments.pop("outputs", None) if "outputs" not in own else None
    overwrite = bool(arguments.pop("overwrite", False)) if "overwrite" not in own else False
    chosen = _chosen(stage, outputs)
    results: Dict[Part, Any] = {output: Deferred(stage, arguments, output) for output in chosen
                                if output.kind not in RETURNED}
    returned = [output for output in chosen if output.kind in RETURNED]
    if returned or not results:
        request = _Request(stage, arguments)
        try:
            results.update(_run(stage, request, returned, overwrite, short))
        except Error as error:
            error.args = (_python_names(str(error)),)
            raise
    made = [results[output] for output in chosen]
    if outputs is None or isinstance(outputs, str):
        return made[0] if made else None
    kind = collections.namedtuple(stage.name, [output.name for output in chosen])  # type: ignore
    return kind(*made)


def function(stage: Stage, docstring: str) -> Callable[..., Any]:
    """Returns the Python function of a stage.

    Its attribute `of_work` is the same function with an additional argument, the amount of work as
    for _session.compute(): short calls need not be interruptible.
    """
    called = signature(stage)

    def call(*arguments: Any, **named: Any) -> Any:
        return _call(stage, called, arguments, named, False)

    def call_of_work(work: float, **named: Any) -> Any:
        return _call(stage, called, (), named, work < LONG)

    call.of_work = call_of_work  # type: ignore[attr-defined]
    call.__name__ = call.__qualname__ = stage.name
    call.__module__ = "armilla.stages"
    call.__doc__ = docstring
    call.__signature__ = called  # type: ignore[attr-defined]
    return call
