# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of the library that Ctrl-C can interrupt.

Python handles signals between bytecode instructions of the main thread, so it handles none while a
function of the library computes there. Therefore another thread makes the calls of the main thread,
which waits for a lock that signals interrupt.
"""
from __future__ import annotations

import os
import queue
import threading

MISSED = 0.2  # maximum delay (s) of a signal that arrived just before the wait for the lock
INTERVAL = 0.1  # polling interval (s) of a watched call
PATIENCE = 0.02  # seconds until the cancellation of a running call is repeated


class _Call:
    """A call for the other thread to make once; `finished` is set afterwards."""

    def __init__(self, function, arguments):
        self.function, self.arguments = function, arguments
        self.result = self.error = None
        self.dropped = self.finished = False
        self.done = threading.Lock()
        self.done.acquire()

    def make(self) -> None:
        if self.finished:
            return
        try:
            if not self.dropped:
                self.result = self.function(*self.arguments)
        except BaseException as error:  # re-raised in the waiting thread
            self.error = error
        self.finished = True
        self.done.release()


def _make_calls(calls) -> None:
    while True:
        calls.get().make()


def _begin() -> None:
    """Resets the state to that without a thread: at import, and after a fork, which has none."""
    global _calls
    _calls = None


_begin()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin)


def call(function, arguments, cancel, watch=None):
    """Calls a function of the library and returns its result.

    Meanwhile the function `watch` is called a few times per second. An exception in it, or from a
    signal, cancels the call, and is raised when the arguments of the call are no longer in use.
    """
    global _calls
    made, calls = _Call(function, arguments), None
    if threading.current_thread() is not threading.main_thread():
        if watch is None:
            return function(*arguments)
        threading.Thread(target=made.make, name="armilla", daemon=True).start()
    else:
        if _calls is None:
            _calls = queue.SimpleQueue()
            threading.Thread(target=_make_calls, args=(_calls,), name="armilla",
                             daemon=True).start()
        calls = _calls
    try:
        if calls is not None:
            calls.put(made)
        while not made.done.acquire(timeout=MISSED if watch is None else INTERVAL):
            if watch is not None:
                watch()
    except BaseException:
        _end(made, calls, cancel)
        raise
    if made.error is not None:
        raise made.error
    return made.result


def _end(made: _Call, calls, cancel) -> None:
    """Waits for the end of a cancelled call, ignoring further signals."""
    made.dropped = True  # if the call has not begun, it is not made
    while not made.finished:
        try:
            if calls is not None:
                calls.put(made)  # the signal may have arrived before the call was queued
                calls = None
            cancel()
            made.done.acquire(timeout=PATIENCE)
        except BaseException:  # an exception is already raised
            pass
