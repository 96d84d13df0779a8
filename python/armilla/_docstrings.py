# SPDX-License-Identifier: GPL-3.0-or-later
"""Docstrings and type stubs of stages, from the library's descriptions."""
from __future__ import annotations

import inspect
import re
import textwrap
from typing import Dict, List, Sequence, Tuple

from . import _calls
from ._given import CLASSES
from ._registry import Part, Stage, python_name

_WIDTH = 80
# Types of properties in docstrings.
_WORDS = {"whole number": "int", "number": "float", "boolean": "bool", "text": "str",
          "list of texts": "sequence of str", "angle": "str or Quantity", "size": "str or Quantity",
          "time": "str or Quantity"}
_STUBS = {"whole number": "Union[int, str]", "number": "Union[float, str]", "boolean": "bool",
          "text": "Union[str, int, float, Sequence[Any], PathLike[str]]",
          "list of texts": "Union[str, Sequence[str]]"}
_OWN = {
    "outputs": ("str or sequence of str", "Outputs to compute: one by its name, or several, which "
                                          "come as a named tuple. The first one if not given."),
    "overwrite": ("bool, default False", "Whether files that exist may be replaced."),
}


def _sentence(text: str) -> str:
    """Adds a full stop, and a capital unless the first word is a symbol."""
    text = text.strip()
    if re.match(r"[a-z]{2,}[ ,;:]", text):
        text = text[0].upper() + text[1:]
    return text if not text or text[-1] in ".:" else text + "."


def _renamed(stage: Stage, text: str) -> str:
    """Returns a text of the library with the names of properties in Python."""
    for part in stage.inputs + stage.properties:
        if part.name != part.key:
            text = re.sub(rf"(?<![\w-]){re.escape(part.key)}(?![\w-])", part.name, text)
    return text


def _wrapped(text: str, indent: int = 0) -> List[str]:
    return textwrap.wrap(" ".join(text.split()), _WIDTH, initial_indent=" " * indent,
                         subsequent_indent=" " * indent, break_long_words=False,
                         break_on_hyphens=False)


def _data(kind: str) -> str:
    """Returns the class name of a kind of data, for docstrings."""
    if kind in CLASSES:
        return CLASSES[kind].__name__  # type: ignore[attr-defined]
    return {"any": "Map, Alm, Cl or Table", "as the input": "as the input"}.get(kind, kind)


def _type_of(stage: Stage, part: Part) -> str:
    """Returns the type of a parameter: the text after its name and colon."""
    if part in stage.properties:
        default = _calls.signature(stage).parameters[part.name].default
        words = [f"{{{', '.join(repr(one) for one in part.range.split(', '))}}}"
                 if part.kind == "choice" else _WORDS.get(part.kind, part.kind)]
        if part.range and part.kind != "choice":
            words.append(part.range)
        if not part.optional:
            pass
        elif default is None:
            words.append("optional")
        else:
            words.append(f"default {default!r}" if part.kind in ("choice", "boolean", "text")
                         else f"default {default}")
        return ", ".join(words)
    several = " or list, one for each " + ("point" if stage.joins else "realisation") \
        if stage.gathers else f" or list of 1 to {len(part.others) + 1}" if part.others else ""
    return _data(part.kind) + several + (", optional" if part.optional else "")


def _parameters(stage: Stage) -> List[str]:
    lines = []
    for name in _calls.signature(stage).parameters:
        found = [part for part in stage.inputs + stage.properties if part.name == name]
        if found:
            kind, text = _type_of(stage, found[0]), _sentence(_renamed(stage, found[0].blurb))
            if found[0].units:
                text += f" Units: {found[0].units}."
        else:
            kind, text = _OWN[name]
        lines += [f"{name} : {kind}"] + _wrapped(text, 4)
    return lines


def _section(title: str, lines: Sequence[str]) -> List[str]:
    return ["", title, "-" * len(title), *lines] if lines else []


def _example(stage: Stage, stages: Dict[str, Stage]) -> List[str]:
    """Returns lines that can be copied and run: the calls of the stage's example, or a call with
    samples of its inputs."""
    calls: List[Tuple[Stage, Dict[str, str]]] = []
    for line in stage.example.split(";"):
        group = re.fullmatch(r"\s*\[(.+)\]\s*", line)
        key, equals, value = line.partition("=")
        if group:
            calls.append((stages[python_name(group.group(1))], {}))
        elif equals:
            calls = calls or [(stage, {})]
            calls[-1][1][python_name(key.strip())] = value.strip()
    calls = calls or [(stage, {})]
    return [line for one, values in calls for line in _example_call(one, values)]


def _example_call(stage: Stage, values: Dict[str, str]) -> List[str]:
    arguments = []
    for name, parameter in _calls.signature(stage).parameters.items():
        parts = [part for part in stage.inputs + stage.properties if part.name == name]
        part = parts[0] if parts else None
        if part in stage.inputs:
            if name not in values and part.optional:
                continue
            sample = values.get(name, python_name(part.kind if part.kind != "any" else "map"))
            text = ", ".join(f"samples.{one.strip()}()" for one in sample.split(","))
            text = f"[{text}]" if part.others else text
            text = f"[{text}, {text}]" if stage.gathers else text
        elif name in values:
            text = _literal(values[name])
        else:
            continue
        arguments.append(text if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
                         and part is not None and not part.optional else f"{name}={text}")
    result = f"{stage.outputs[0].name} = " if stage.outputs else ""
    start = f"{result}stages.{stage.name}("
    lines = [start]
    for i, argument in enumerate(arguments):
        word = argument + (", " if i + 1 < len(arguments) else ")")
        if len(lines[-1] + word.rstrip()) > _WIDTH - 4:
            lines.append(" " * len(start))
        lines[-1] += word
    lines[-1] += "" if arguments else ")"
    return [("... " if i else ">>> ") + line.rstrip() for i, line in enumerate(lines)]


def _literal(text: str) -> str:
    """Returns a value of a workflow file as a Python literal."""
    if text in ("true", "false"):
        return text.capitalize()
    try:
        float(text)
    except ValueError:
        return repr(text)
    return text


def docstring(stage: Stage, stages: Dict[str, Stage]) -> str:
    """Returns the docstring of a stage's function, in the format of numpydoc."""
    returns = []
    for output in stage.outputs:
        returns += [f"{output.name} : {_data(output.kind)}"]
        returns += _wrapped(_sentence(_renamed(stage, output.blurb)), 4)
    lines = [_sentence(stage.summary)]
    for paragraph in stage.description.split("\n\n"):
        wrapped = _wrapped(_renamed(stage, paragraph))
        lines += ["", *wrapped] if wrapped else []
    lines += _section("Parameters", _parameters(stage))
    lines += _section("Returns", returns)
    lines += _section("References", _wrapped(_sentence(stage.reference)))
    lines += _section("Examples", [">>> from armilla import samples, stages",
                                   *_example(stage, stages)])
    return "\n".join(lines) + "\n"


def _stub_type(part: Part, is_property: bool, given: bool = True) -> str:
    if not is_property:
        name = CLASSES[part.kind].__name__ if part.kind in CLASSES \
            else "Any"  # type: ignore[attr-defined]
        if name == "Any" or not given:
            return name
        return f"Union[{name}, Mapping[str, Any], ArrayLike]" if part.kind in ("table", "catalogue") \
            else f"Union[{name}, ArrayLike]"
    if part.kind == "choice":
        return f"Literal[{', '.join(repr(one) for one in part.range.split(', '))}]"
    return _STUBS.get(part.kind, "Union[str, Quantity]")


def _stub_arguments(stage: Stage, outputs: str) -> str:
    words: List[str] = []
    starred = False
    for name, parameter in _calls.signature(stage).parameters.items():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            words.append("*")
            starred = True
        parts = [part for part in stage.inputs + stage.properties if part.name == name]
        if not parts:
            words.append(outputs if name == "outputs" else f"{name}: bool = ...")
            continue
        kind = _stub_type(parts[0], parts[0] in stage.properties)
        if (stage.gathers or parts[0].others) and parts[0] in stage.inputs:
            kind = f"Union[{kind}, Sequence[Any]]"
        words.append(f"{name}: Optional[{kind}] = ..." if parts[0].optional else f"{name}: {kind}")
    return ", ".join(words)


def _stub(stage: Stage, text: str) -> str:
    first = _stub_type(stage.outputs[0], False, given=False) if stage.outputs else "None"
    body = textwrap.indent(f'"""{text}"""'.replace("\\", "\\\\"), "    ")
    several = _calls.has_outputs_argument(stage)
    one = f"def {stage.name}({_stub_arguments(stage, 'outputs: None = ...')}) -> {first}:\n{body}\n"
    if not several:
        return one
    other = _stub_arguments(stage, "outputs: Union[str, Sequence[str]]")
    return f"@overload\n{one}@overload\ndef {stage.name}({other}) -> Any: ...\n"


def stubs(stages: Dict[str, Stage]) -> str:
    """Returns the text of stages.pyi, for editors."""
    head = ('# Written by "python -m armilla.stubs".\n'
            "from os import PathLike\n"
            "from typing import Any, Literal, Mapping, Optional, Sequence, Union, overload\n\n"
            "from numpy.typing import ArrayLike\n\n"
            "from . import Alm, Catalogue, Cl, Map, Matrix, Table\n\n"
            "Quantity = Any\n")
    return head + "".join("\n" + _stub(stage, docstring(stage, stages))
                          for stage in stages.values())
