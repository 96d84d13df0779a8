# SPDX-License-Identifier: GPL-3.0-or-later
"""An ArmillaFlow: a workflow of the library, for one check or run."""
from __future__ import annotations

from typing import Any, Callable, List, Optional, Sequence, Tuple

from . import _interrupts, _session
from ._core import ffi, lib
from ._given import Data, as_text, fill_inputs
from ._results import as_object
from ._session import WorkflowError


class Flow:
    """A workflow of the library."""

    def __init__(self, make: Callable[..., int], *arguments: Any, keep: Sequence[Any] = ()):
        made, self._failure = ffi.new("ArmillaFlow **"), ffi.new("ArmillaFailure *")
        status = make(*arguments, made, self._failure)
        if status == lib.ARMILLA_STATUS_ARGUMENT:
            raise WorkflowError(ffi.string(self._failure.text).decode("utf-8", "replace"))
        _session.check(status, self._failure)
        self._flow = ffi.gc(made[0], lib.armilla_flow_free)
        self._keep: list = list(keep)

    @classmethod
    def of_text(cls, path: Optional[str], text: Optional[str]) -> "Flow":
        """Returns the workflow of a file or of a text."""
        return cls(lib.armilla_flow_new, as_text(path), as_text(text))

    def set(self, text: str) -> None:
        """Sets a key of a node; the text is node.key=value."""
        lib.armilla_flow_set(self._flow, as_text(text))

    def define(self, text: str) -> None:
        """Sets a variable; the text is variable=value."""
        lib.armilla_flow_define(self._flow, as_text(text))

    def give(self, name: str, values: Sequence[Data]) -> None:
        """Makes arrays the output of a node: one for all realisations, or one for each."""
        inputs, keep = fill_inputs(name, values)
        self._keep += keep
        self._check(lib.armilla_flow_give(self._flow, as_text(name), inputs, len(values),
                                          self._failure))

    def ask(self, name: Optional[str]) -> None:
        """Requests an output; None requests every output that no node uses."""
        lib.armilla_flow_ask(self._flow, ffi.NULL if name is None else as_text(name))

    def check(self) -> None:
        """Raises an exception if the workflow is invalid."""
        self._check(lib.armilla_flow_check(self._flow, self._failure))

    def run(self, overwrite: bool, tell: Optional[Callable[[Any], None]], short: bool = False
            ) -> List[Tuple[str, Data]]:
        """Runs the workflow in the current session. An exception in the function ends the run.

        A short run cannot be interrupted.
        """
        try:
            return self._run(overwrite, tell, short)
        except Exception as error:
            error.told = True  # the library has reported it to the other ranks
            raise

    def _run(self, overwrite: bool, tell: Optional[Callable[[Any], None]], short: bool
             ) -> List[Tuple[str, Data]]:
        _session.check_caller()
        progress = ffi.new("ArmillaFlowProgress *")

        def watch() -> None:
            lib.armilla_flow_progress(self._flow, progress)
            _session.tell(tell, progress)

        with _session.busy:
            session = _session.current()
            arguments = (self._flow, session.handle, overwrite, self._failure)
            self._check(lib.armilla_flow_run(*arguments) if short else _interrupts.call(
                lib.armilla_flow_run, arguments, session.cancel, None if tell is None else watch))
        if tell is not None:
            lib.armilla_flow_progress(self._flow, progress)
            progress.realisation, progress.share = progress.n_realisations - 1, 1
            _session.tell(tell, progress)
        session.note()
        n = lib.armilla_flow_n_results(self._flow)
        return [as_object(lib.armilla_flow_result(self._flow, i)) for i in range(n)]

    def _check(self, status: int) -> None:
        if status == lib.ARMILLA_STATUS_OK:
            return
        text = ffi.string(lib.armilla_flow_problem(self._flow)).decode("utf-8", "replace")
        if status == lib.ARMILLA_STATUS_ARGUMENT:
            raise WorkflowError(text)
        raise _session.error_of(status)(text)
