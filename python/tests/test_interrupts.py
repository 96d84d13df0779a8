# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C ends a call that takes long, and the session stays as it was."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import armilla

NSIDE = 128
SOON = 10  # seconds, on a machine that is busy; the calls below take minutes
LONG = 2000


def long_call(map):
    return armilla.map2alm(map, 2 * NSIDE, iter=LONG)


@pytest.fixture
def sky():
    """A map, and what it takes to know that the session is none the worse: its a_lm."""
    map = armilla.alm2map(armilla.random_alm([1.0] * (2 * NSIDE + 1), seed=1), NSIDE)
    return map, armilla.map2alm(map, 2 * NSIDE, iter=1)


def after(seconds, number):
    """Sends this process a signal."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), number))
    timer.start()
    return timer


def settle(timers):
    """Waits for all signals: one may arrive a little later than the thread that sent it ends."""
    before = None
    while before is None:
        try:
            before = signal.signal(signal.SIGINT, lambda *_: None)
        except KeyboardInterrupt:
            pass
    for timer in timers:
        timer.join()
    time.sleep(0.5)
    signal.signal(signal.SIGINT, before)


def test_from_a_thread(sky):
    map, expected = sky
    for delay in (0.001, 0.3):
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            timer = after(delay, signal.SIGINT)
            long_call(map)
        timer.join()
        assert time.monotonic() - begin < SOON
        assert np.array_equal(armilla.map2alm(map, 2 * NSIDE, iter=1), expected)


def test_twice(sky):
    """Who is impatient does not get the arrays back while workers write to them."""
    map, expected = sky
    with pytest.raises(KeyboardInterrupt):
        timers = [after(0.3 + i / 1000, signal.SIGINT) for i in range(5)]
        try:
            long_call(map)
        finally:
            settle(timers)
    assert np.array_equal(armilla.map2alm(map, 2 * NSIDE, iter=1), expected)


def test_what_a_handler_raises(sky):
    """A limit of time, as programs set it."""
    def too_late(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, too_late)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(TimeoutError):
            long_call(sky[0])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_handler_that_goes_on(sky):
    """It may even compute."""
    map, expected = sky
    heard = []

    def hear(*_):
        heard.append(armilla.map2alm(map, 2 * NSIDE, iter=1))

    before = signal.signal(signal.SIGALRM, hear)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        while not heard:
            assert np.array_equal(armilla.map2alm(map, 2 * NSIDE, iter=1), expected)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert np.array_equal(heard[0], expected)


def test_from_outside():
    program = f"""
import armilla, numpy
map = numpy.ones(12 * {NSIDE} ** 2)
armilla.map2alm(map, {2 * NSIDE}, iter=0)
try:
    print("computes", flush=True)
    armilla.map2alm(map, {2 * NSIDE}, iter={LONG})
except KeyboardInterrupt:
    print("ended", abs(armilla.map2alm(map, 4, iter=3)[0] - (4 * numpy.pi) ** 0.5) < 1e-6)
"""
    run = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "computes\n"
    time.sleep(0.5)
    begin = time.monotonic()
    run.send_signal(signal.SIGINT)
    said, _ = run.communicate(timeout=60)
    assert said == "ended True\n" and run.returncode == 0
    assert time.monotonic() - begin < SOON
