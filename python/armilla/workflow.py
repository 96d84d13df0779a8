# SPDX-License-Identifier: GPL-3.0-or-later
"""Workflows from Python, with arrays instead of files.

>>> import armilla
>>> workflow = armilla.Workflow('''
... [alm]
... stage = map2alm
... map = sky
... lmax = 32
... [smooth]
... stage = smooth-alm
... alm = alm
... fwhm = 5 deg
... ''')
>>> sky = armilla.alm2map(armilla.random_alm([1.0] * 33, seed=1), nside=16)
>>> result = workflow.set("smooth.fwhm", "2 deg").run({"sky": sky})
>>> result["smooth"].lmax
32
"""
from __future__ import annotations

import os
import sys
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from ._flow import Flow
from ._given import as_inputs
from ._session import WorkflowError, on_all_ranks
from .columns import Columns, Table
from .fields import Cl, Field
from .matrix import Matrix

Source = Union[str, "os.PathLike[str]", Mapping[str, Mapping[str, Any]]]
Result = Union[Field, Columns, Matrix]


class Progress(NamedTuple):
    """Progress of a run.

    `share` is from 0 to 1, or None if unknown; `done` counts tasks, and `seconds` are those
    since the run began.
    """

    realisation: int
    realisations: int
    done: int
    share: Optional[float]
    seconds: float


class Results(Dict[str, Union[Result, List[Result]]]):
    """Results of a run by the names of nodes: a list if there are several realisations, one result
    if it was collected over them. For a sweep, a list of the results of all its points."""

    def together(self, name: str) -> Table:
        """Joins all results of a name to one table.

        Parameters
        ----------
        name : str
            Name of results that are tables with the same columns, or spectra.

        Returns
        -------
        Table
            A column for each swept key, a column with the number of the realisation if a point has
            several, and the columns of the tables, or l and the spectra.
        """
        found = self[name]
        results = found if isinstance(found, list) else [found]
        parts = [_columns_of(name, result) for result in results]
        points = [tuple(result.swept.items()) for result in results]
        rows = [len(next(iter(part.values()))) for part in parts]
        columns: Dict[str, Any] = {}
        for key in results[0].swept:
            columns[key] = _repeat([result.swept[key] for result in results], rows)
        if len(set(points)) < len(points):
            columns["realisation"] = _repeat([result.realisation for result in results], rows)
        for column in parts[0]:
            if column in columns or any(list(part) != list(parts[0]) for part in parts):
                raise ValueError(f"{name}: the results differ in their columns, or {column} is "
                                 "the name of a key, too")
            values = [part[column] for part in parts]
            columns[column] = (sum(values, []) if isinstance(values[0], list)
                               else np.concatenate(values))
        units = results[0].units if isinstance(results[0], Columns) else {}
        return Table(columns, units=units)

    def _repr_html_(self) -> str:
        parts = []
        for name, result in self.items():
            first = result[0] if isinstance(result, list) else result
            parts.append(f"<h4>{name}</h4>{first._repr_html_()}")
        return "".join(parts)


class Workflow:
    """A workflow.

    Parameters
    ----------
    source : str, path or mapping
        Name of a workflow file; text of a workflow (any text with a line break); or its contents,
        ``{"sky": {"stage": "read-map", "file": "sky.fits"}}``.

    Raises
    ------
    FileError
        The file cannot be read. :meth:`check` and :meth:`run` report errors in the workflow.
    """

    def __init__(self, source: Source):
        self._path: Optional[str] = None
        self._text: Optional[str] = None
        self._settings: List[Sequence[str]] = []
        if isinstance(source, Mapping):
            self._text = _text_of(source)
        elif isinstance(source, str) and "\n" in source:
            self._text = source
        elif isinstance(source, (str, os.PathLike)):
            self._path = os.fspath(source)
        else:
            raise TypeError(f"source: it is of the type {type(source).__name__}; it must be a "
                            "file's name, a text or a mapping")
        self._flow(None)

    def set(self, name: str, value: Any) -> "Workflow":
        """Sets a property or a variable.

        Parameters
        ----------
        name : str
            "node.key", as for `armilla run --set`; or the name of a variable, as for -D.
        value
            A text, a number or a bool.

        Returns
        -------
        Workflow
            Itself.
        """
        if not isinstance(name, str):
            raise TypeError(f"name: it is of the type {type(name).__name__}; it must be a text")
        kind = "set" if "." in name else "define"
        self._settings.append((kind, f"{name}={_value(value)}"))
        return self

    def check(self, inputs: Optional[Mapping[str, Any]] = None) -> None:
        """Checks the workflow without running it.

        Raises
        ------
        WorkflowError
            The workflow is invalid; the text lists all errors.
        FileError
            Files do not exist.
        """
        self._flow(inputs).check()

    @on_all_ranks
    def run(self, inputs: Optional[Mapping[str, Any]] = None,
            outputs: Optional[Sequence[str]] = None, *, overwrite: bool = False,
            progress: Union[None, bool, Callable[[Progress], Any]] = None) -> Results:
        """Runs the workflow in the current session.

        Parameters
        ----------
        inputs : mapping of name to array
            Arrays that replace nodes; other nodes refer to them by name, ``map = sky``. Complex
            arrays are a_lm, other arrays HEALPix maps in ring order, and mappings and structured
            arrays catalogues; use :class:`Map`, :class:`Alm`, :class:`Cl`, :class:`Catalogue` and
            :class:`Table` for other data or to set units and spins.
        outputs : sequence of str
            Requested outputs: "node", or "node.output" if the node has several. By default every
            output that no node reads; () for none.
        overwrite : bool
            Whether files that exist may be replaced.
        progress : callable or bool
            Called with a :class:`Progress` a few times per second; it cannot compute with Armilla.
            True for a bar of tqdm, False for none; by default a bar in notebooks if tqdm is
            installed.

        Returns
        -------
        Results
            Results by the names of nodes.

        Raises
        ------
        WorkflowError, FileError, MemoryShortage, NotConverged, Cancelled, SessionError
            Errors, with the text that the program `armilla` prints.
        KeyboardInterrupt
            Ctrl-C has stopped the run; partial files are removed.
        """
        flow = self._flow(inputs)
        for name in [None] if outputs is None else _names(outputs):
            flow.ask(name)
        with _Bar(progress) as bar:
            found = flow.run(bool(overwrite), bar.tell if bar.shows else None)
        return _gather(found)

    def _flow(self, inputs: Optional[Mapping[str, Any]]) -> Flow:
        flow = Flow.of_text(self._path, self._text)
        for kind, text in self._settings:
            getattr(flow, kind)(text)
        if inputs is not None and not isinstance(inputs, Mapping):
            raise TypeError(f"inputs: it is of the type {type(inputs).__name__}; it must be a "
                            "mapping of names to arrays")
        for name, value in (inputs or {}).items():
            flow.give(str(name), as_inputs(str(name), value))
        return flow


def _columns_of(name: str, result: Result) -> Dict[str, Any]:
    if isinstance(result, Table):
        return {column: result[column] for column in result}
    if not isinstance(result, Cl):
        raise TypeError(f"{name}: it is a {result.kind}; only tables and spectra can be joined")
    spectra = np.atleast_2d(result.array)
    names = result.names or [f"CL{i}" if i > 0 else "CL" for i in range(len(spectra))]
    return {"l": np.arange(spectra.shape[1]), **dict(zip(names, spectra))}


def _repeat(values: List[Any], rows: List[int]) -> Any:
    """Returns a column that repeats each value for the rows of its result."""
    if any(isinstance(value, str) for value in values):
        return [str(value) for value, n in zip(values, rows) for _ in range(n)]
    return np.repeat(np.asarray(values), rows)


def _names(outputs: Sequence[str]) -> List[str]:
    try:
        return [outputs] if isinstance(outputs, str) else [str(name) for name in outputs]
    except TypeError:
        raise TypeError(f"outputs: it is of the type {type(outputs).__name__}; it must be names "
                        "of nodes") from None


def _gather(found: Sequence[Any]) -> Results:
    """Returns the results of several realisations as lists, in order."""
    results = Results()
    several = {name for name, result in found if result.realisation > 0}
    for name, result in sorted(found, key=lambda pair: pair[1].realisation):
        if name in several:
            results.setdefault(name, []).append(result)  # type: ignore[union-attr]
        else:
            results[name] = result
    return results


def _value(value: Any) -> str:
    """Returns a value in the syntax of workflow files."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _text_of(groups: Mapping[str, Mapping[str, Any]]) -> str:
    lines: List[str] = []
    for name, keys in groups.items():
        lines.append(f"[{name}]")
        if not isinstance(keys, Mapping):
            raise TypeError(f"source: [{name}] is of the type {type(keys).__name__}; it must be a "
                            "mapping of keys to values")
        for key, value in keys.items():
            text = _value(value)
            if "\n" in text or "\n" in str(key):
                raise WorkflowError(f"[{name}] {key}: its value contains a line break")
            lines.append(f"{key} = {text}")
    return "\n".join(lines) + "\n"


class _Bar:
    """Display of the progress of a run: a function of the caller, a tqdm bar, or none."""

    def __init__(self, progress: Union[None, bool, Callable[[Progress], Any]]):
        if progress is not None and not isinstance(progress, bool) and not callable(progress):
            raise TypeError(f"progress: it is of the type {type(progress).__name__}; it must be a "
                            "function, or True or False")
        self._function = progress if callable(progress) else None
        self._bar: Any = None
        if progress is True or (progress is None and _in_notebook()):
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}{postfix}")

    @property
    def shows(self) -> bool:
        return self._function is not None or self._bar is not None

    def tell(self, told: Any) -> None:
        now = Progress(told.realisation, told.n_realisations, told.n_done,
                       None if told.share < 0 else told.share, told.seconds)
        if self._function is not None:
            self._function(now)
        if self._bar is not None:
            self._bar.n = round(now.share or 0.0, 3)
            self._bar.set_postfix_str(f"{now.done} tasks", refresh=True)

    def __enter__(self) -> "_Bar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _in_notebook() -> bool:
    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python is not None else None
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})
