# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions on a communicator of mpi4py."""
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

import armilla

HERE = os.path.dirname(os.path.abspath(__file__))
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n"]


def test_no_communicator():
    with pytest.raises(TypeError, match="^communicator: it is of the type int"):
        armilla.session(communicator=5)


def on_ranks(n, what, file):
    return subprocess.run(MPIRUN + [str(n), sys.executable, os.path.join(HERE, "on_ranks.py"),
                                    file, what], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=200, check=False)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What one process computes."""
    pytest.importorskip("mpi4py")
    if not shutil.which("mpirun"):
        pytest.skip("no mpirun")
    rng = np.random.default_rng(3)
    alm = armilla.random_alm([1.0] * 33, seed=1)
    points = rng.uniform(-20, 20, (2, 500))
    edges = np.array([0, 0.05, 0.1, 0.2])
    map = armilla.alm2map(alm, nside=16)
    counts = armilla.count_pairs(armilla.Points(*points), edges=edges).count
    table = {f"table {name}": column
             for name, column in armilla.stages.map_statistics(map).items()}
    matrix = armilla.stages.coupling(mask=map ** 2, lmax=300)
    armilla.stop()
    file = str(tmp_path_factory.mktemp("ranks") / "expected.npz")
    np.savez(file, alm=alm, map=map, back=armilla.map2alm(map, 32), points=points, edges=edges,
             counts=counts, matrix=matrix, **table)
    armilla.stop()
    return file


@pytest.fixture(scope="module")
def shared(expected):
    """The same, where this Armilla can have communicators; otherwise it has to say why not."""
    said = on_ranks(2, "refused", expected)
    assert said.returncode == 0, said.stdout
    if "refused:" in said.stdout:
        assert "StarPU 1.4" in said.stdout or "without MPI" in said.stdout, said.stdout
        pytest.skip("this Armilla refuses communicators, and says why")
    return expected


@pytest.mark.parametrize("what", ["right", "wrong", "stages"])
@pytest.mark.parametrize("n", [2, 3])
def test_ranks(shared, what, n):
    run = on_ranks(n, what, shared)
    assert run.returncode == 0, run.stdout
