# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

import armilla


@pytest.fixture(autouse=True, scope="module")
def workers(request):
    """The last bits are those of the workers that compute: CPUs, but where GPUs are tested."""
    with armilla.session(gpus=request.module.__name__ == "test_gpu"):
        yield


@pytest.fixture
def rng():
    return np.random.default_rng(1)


@pytest.fixture
def random_alm(rng):
    """Random a_lm: real of order 0, none below the spin."""
    def make(lmax, mmax=None, spins=(0,), leading=()):
        mmax = lmax if mmax is None else mmax
        n = armilla.alm_size(lmax, mmax)
        alm = rng.uniform(-1, 1, leading + (len(spins), n)) \
            + 1j * rng.uniform(-1, 1, leading + (len(spins), n))
        alm[..., :lmax + 1].imag = 0
        for i, spin in enumerate(spins):
            for m in range(min(spin, mmax + 1)):
                first = m * (2 * lmax + 1 - m) // 2
                alm[..., i, first + m:first + min(spin, lmax + 1)] = 0
        return alm
    return make


def product(a, b):
    """The product of two maps, or of two sets of a_lm [..., n_alm] of this lmax."""
    return float(np.sum(a * b))


def alm_product(a, b, lmax):
    weights = np.full(a.shape[-1], 2.0)
    weights[:lmax + 1] = 1
    real = a.real * b.real + np.where(weights == 1, 0, a.imag * b.imag)
    return float(np.sum(weights * real))
