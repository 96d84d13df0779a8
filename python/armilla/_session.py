# SPDX-License-Identifier: GPL-3.0-or-later
"""The session that computes, and its exceptions."""
from __future__ import annotations

import atexit
import functools
import os
import sys
import threading
import warnings
from typing import Any, Callable, Optional, TypeVar, cast

from . import _interrupts
from ._core import ffi, lib
from ._frozen import Frozen
from ._scalars import whole

F = TypeVar("F", bound=Callable[..., Any])


class Error(Exception):
    """Something other than an argument is wrong."""


class MemoryShortage(Error, MemoryError):
    """Out of memory."""


class NotConverged(Error, ArithmeticError):
    """An iteration does not converge."""


class Cancelled(Error):
    """The call was cancelled."""


class SessionError(Error, RuntimeError):
    """The workers do not start, or belong to another process."""


class FileError(Error, OSError):
    """A file of a workflow is unreadable, unwritable or damaged."""


class WorkflowError(Error, ValueError):
    """A workflow, or an input passed to it, is invalid. The text is the one that the program
    `armilla` prints."""


_ERRORS = {
    lib.ARMILLA_STATUS_ARGUMENT: ValueError,
    lib.ARMILLA_STATUS_MEMORY: MemoryShortage,
    lib.ARMILLA_STATUS_NUMERIC: NotConverged,
    lib.ARMILLA_STATUS_CANCELLED: Cancelled,
    lib.ARMILLA_STATUS_SESSION: SessionError,
    lib.ARMILLA_STATUS_FILE: FileError,
}


# Whether the interpreter is shutting down.
_exiting = False


def check(status, failure, told: bool = False) -> None:
    """Raises the exception for the status and text that a function of the library returned.

    `told`: whether the library has reported the error to the other ranks already.
    """
    if status != lib.ARMILLA_STATUS_OK:
        error = error_of(status)(ffi.string(failure.text).decode("utf-8", "replace"))
        error.told = told
        raise error


def error_of(status) -> type:
    """Returns the exception for a status."""
    if status == lib.ARMILLA_STATUS_CANCELLED and _exiting:
        return SystemExit  # ends a daemon thread silently
    return _ERRORS[status]


class Session(Frozen):
    """The workers; one session per process at a time owns them.

    They start with the first call that needs them and sleep between calls. A session with default
    settings exists from the beginning; :func:`session` creates one with other settings.
    """

    def __init__(self, cores: int = 0, memory: int = 0, gpus: bool = True, communicator=None):
        options = ffi.new("ArmillaSessionOptions *", {"cores": cores, "memory": memory,
                                                      "without_gpus": not gpus})
        if communicator is not None:
            options.communicator = ffi.cast("void *", _address(communicator))
        # The communicator lives as long as the session. `_within`: the enclosing `with` session.
        self._set(communicator=communicator, _within=None, _entered=False, _noted=False,
                  handle=ffi.gc(lib.armilla_session_new(options), lib.armilla_session_free))

    def start(self) -> None:
        """Starts the workers now instead of with the first call."""
        check_caller()
        failure = ffi.new("ArmillaFailure *")
        check(lib.armilla_session_start(self.handle, failure), failure)
        self.note()

    def note(self) -> None:
        """Warns once if the library has a message for the user about the start of the workers."""
        if self._noted:
            return
        self._set(_noted=True)
        note = ffi.new("ArmillaFailure *")
        if lib.armilla_session_note(self.handle, note):
            warnings.warn(ffi.string(note.text).decode("utf-8", "replace"), RuntimeWarning,
                          stacklevel=3)

    def stop(self) -> None:
        """Stops the workers; the next call starts them again."""
        check_caller()
        lib.armilla_session_stop(self.handle)
        self._set(_noted=False)

    def refuse(self, why: str) -> None:
        """Makes the call of the other ranks fail, because this rank cannot make it."""
        lib.armilla_session_refuse(self.handle, why.encode(), ffi.new("ArmillaFailure *"))

    def cancel(self) -> bool:
        """Makes the running call of another thread raise Cancelled. Returns whether there was
        one."""
        return bool(lib.armilla_session_cancel(self.handle))

    @property
    def cores(self) -> int:
        """Number of CPU workers; 0 while they are not running."""
        return lib.armilla_session_cores(self.handle)

    @property
    def gpus(self) -> int:
        """Number of GPUs in use; 0 while the workers are not running."""
        return lib.armilla_session_gpus(self.handle)

    def __enter__(self) -> "Session":
        self._set(_entered=True)
        return self

    def __exit__(self, *_: object) -> None:
        global _current
        with busy:
            self.stop()
            self._set(_entered=False)
            if _current is self:
                within = self._within
                _current = within if within is not None and within._entered else Session()


# Held during each computation, so that no other thread replaces the session. The library
# serialises calls anyway, and Ctrl-C can interrupt the wait for a Python lock.
busy = threading.RLock()
_current = Session()


def _after_fork() -> None:
    """Replaces the lock: its holder does not exist in the forked process."""
    global busy
    busy = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


# The thread that receives the progress of a run.
_told: Optional[int] = None


def tell(function: Callable[[Any], None], progress: Any) -> None:
    """Calls the user's progress function, while the session computes for this thread."""
    global _told
    _told = threading.get_ident()
    try:
        function(progress)
    finally:
        _told = None


def check_caller() -> None:
    """Raises SessionError in functions called by tell(), which would wait for their own run."""
    if _told == threading.get_ident():
        raise SessionError("this function was called to report the progress of a run, which uses "
                           "the session; use the session after the run has ended")


def current() -> Session:
    """Returns the current session; valid while `busy` is held."""
    return _current


# Calls on fewer numbers need no interruption: a transform of this size takes about 20 ms on one
# core. For a tenth of this size, another thread would add a tenth to the time.
LONG = 1_000_000
PATIENCE = 0.02  # seconds until the cancellation of a running call is repeated


def compute(work, function, *arguments) -> None:
    """Calls a function of the library whose last argument is a failure, while `busy` is held.

    `work`: number of elements of host arrays whose processing takes as long as the call; short
    calls are not interruptible.
    """
    arguments += (ffi.new("ArmillaFailure *"),)
    if work < LONG:
        status = function(*arguments)
    else:
        status = _interrupts.call(function, arguments, _current.cancel)
    check(status, arguments[-1], told=True)
    _current.note()


def _address(communicator) -> int:
    """Returns the address of the MPI_Comm of an mpi4py communicator."""
    for base in type(communicator).__mro__:
        address = getattr(sys.modules.get(base.__module__), "_addressof", None)
        if address is not None:
            return address(communicator)
    raise TypeError(f"communicator: it is of the type {type(communicator).__name__}; it must be a "
                    "communicator of mpi4py")


def on_all_ranks(function: F) -> F:
    """Decorates a function that calls the library once: if it raises before that call, the other
    ranks raise too."""
    @functools.wraps(function)
    def together(*arguments, **named):
        try:
            return function(*arguments, **named)
        except Exception as error:
            if not getattr(error, "told", False):
                with busy:
                    if _current.communicator is not None:
                        _current.refuse(str(error))
                error.told = True
            raise
    return cast(F, together)


def session(cores: int = 0, memory: int = 0, gpus: bool = True, communicator=None) -> Session:
    """Replaces the current session by one with other settings.

    Parameters
    ----------
    cores : int
        Number of cores to use; 0: the value of STARPU_NCPU or OMP_NUM_THREADS, or all cores.
    memory : int
        Bytes of memory that the process may use, including its own data and the arrays; 0: all. A
        call raises MemoryShortage if they leave no memory for the computation.
    gpus : bool
        Whether to use GPUs too: all of them, or the number in STARPU_NCUDA.
    communicator : mpi4py.MPI.Comm, optional
        Communicator whose ranks share the work. All ranks must make the same calls, including this
        one, with the same inputs, and all ranks get the complete results. None: this process
        computes alone.

    Returns
    -------
    Session
        The session, which is also a context manager: at its end the default settings are restored,
        or those of the enclosing `with` block.

    Examples
    --------
    >>> import armilla, numpy
    >>> with armilla.session(cores=1):
    ...     map = armilla.alm2map(numpy.zeros(10, complex), nside=2)
    """
    global _current
    cores = whole("cores", cores, 0)
    memory = whole("memory", memory, 0, 2**63 - 1)
    made = Session(cores, memory, gpus, communicator)
    with busy:
        _current.stop()
        made._set(_within=_current if _current._entered else None)
        _current = made
    return made


def stop() -> None:
    """Stops the workers; the next call starts them again."""
    _current.stop()


def _exit() -> None:
    """Cancels calls that daemon threads make at the interpreter's exit."""
    global _exiting
    _exiting = True
    while not busy.acquire(timeout=PATIENCE):  # keeps the lock, so that no other call begins
        _current.cancel()
    stop()


atexit.register(_exit)
