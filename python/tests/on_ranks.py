# SPDX-License-Identifier: GPL-3.0-or-later
"""What each rank does for test_ranks.py: on_ranks.py FILE WHAT."""
import sys

import numpy as np
from mpi4py import MPI

import armilla

world = MPI.COMM_WORLD


def right(expected):
    """The ranks have what one process had."""
    with armilla.session(cores=1, communicator=world):
        got = armilla.alm2map(expected["alm"], nside=16)
        assert np.array_equal(got, expected["map"])
        assert np.array_equal(armilla.map2alm(got, 32), expected["back"])
        points = armilla.Points(*expected["points"])
        counted = armilla.count_pairs(points, edges=expected["edges"])
        assert np.array_equal(counted.count, expected["counts"])


def wrong(expected):
    """One rank makes a mistake that Python finds, and one that the library does; all hear of it."""
    last = world.rank == world.size - 1
    alm = expected["alm"]
    with armilla.session(cores=1, communicator=world):
        for mistake, text in ((dict(nside=15.5), "nside"), (dict(nside=-1), "nside"),
                              (dict(nside=8), "same call")):
            try:
                armilla.alm2map(alm, **(mistake if last else dict(nside=16)))
            except (TypeError, ValueError) as error:
                assert text in str(error), error
            else:
                raise AssertionError(f"rank {world.rank} has not heard of {mistake}")
        assert np.array_equal(armilla.alm2map(alm, nside=16), expected["map"])
        for mistake in "sky: map", "no node":
            workflow = armilla.Workflow({"alm": {"stage": "map2alm", "map": "sky", "lmax": 32}})
            sky = expected["map"][last and mistake == "sky: map":]
            try:
                workflow.run({"else" if last and mistake == "no node" else "sky": sky})
            except ValueError as error:
                assert mistake in str(error), error
            else:
                raise AssertionError(f"rank {world.rank} has not heard of {mistake}")
        back = workflow.run({"sky": expected["map"]})["alm"]
        assert np.array_equal(back, expected["back"])


def stages(expected):
    """All ranks have tables and matrices, too."""
    with armilla.session(cores=1, communicator=world):
        table = armilla.stages.map_statistics(expected["map"])
        for name in table:
            assert np.array_equal(table[name], expected[f"table {name}"]), name
        assert np.array_equal(armilla.stages.coupling(mask=expected["map"] ** 2, lmax=300),
                              expected["matrix"])
        try:
            armilla.stages.ud_grade(expected["map"], nside="x" if world.rank == 0 else 8)
        except ValueError as error:
            assert "ud_grade: nside: " in str(error), error
        else:
            raise AssertionError(f"rank {world.rank} has not heard of the mistake")


def plugin(expected):
    """A stage that only a user's module has."""
    with armilla.session(cores=1, communicator=world):
        got = armilla.stages.stretch(armilla.stages.polarised_intensity(expected["iqu"]),
                                     softness=0.05)
        assert np.array_equal(got, expected["stretched"])


def refused(_):
    """Ranks that do not support the call report an error."""
    try:
        with armilla.session(communicator=world) as session:
            session.start()
    except armilla.SessionError as error:
        assert "communicator" in str(error), error
        print("refused:", error)


WHAT = {"right": right, "wrong": wrong, "stages": stages, "plugin": plugin, "refused": refused}
WHAT[sys.argv[2]](np.load(sys.argv[1]))
