# SPDX-License-Identifier: GPL-3.0-or-later
"""Gradients against finite differences, which are exact for quadratic functions."""
import numpy as np
import pytest

import armilla
from armilla import geometry

LMAX, GRID = 3, geometry.fejer1(7, 7)
SPINS = [0, 2, (0, 2)]


def components(spin):
    return {0: (0,), (0, 2): (0, 2, 2)}.get(spin, (spin, spin))


def numeric(function, at):
    """d/dx + i d/dy (d/dx of a real array) of a quadratic function, number by number."""
    result = np.zeros_like(at)
    units = (1, 1j) if np.iscomplexobj(at) else (1,)
    for index in np.ndindex(at.shape):
        for unit in units:
            step = np.zeros_like(at)
            step[index] = unit
            result[index] += unit * (function(at + step) - function(at - step)) / 2
    return result


def case(spin, random_alm, rng):
    alm = random_alm(LMAX, spins=components(spin), leading=(2,))
    weights = rng.uniform(-1, 1, alm.shape[:-1] + (GRID.n_pixels,))
    return (alm[..., 0, :], weights[..., 0, :]) if spin == 0 else (alm, weights)


def functions(spin, weights, alm_weights, package, absolute, total):
    """A quadratic function of a_lm, and one of a map, with the transforms of a package."""
    def of_alm(alm):
        return total(weights * package.alm2map(alm, lmax=LMAX, spin=spin, geometry=GRID) ** 2)

    def of_map(map):
        alm = package.map2alm(map, LMAX, spin=spin, geometry=GRID)
        return total(alm_weights * absolute(alm) ** 2)
    return of_alm, of_map


@pytest.mark.parametrize("spin", SPINS)
def test_jax(spin, random_alm, rng):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    import armilla.jax as ours
    alm, weights = case(spin, random_alm, rng)
    alm_weights = rng.uniform(-1, 1, alm.shape)
    plain = functions(spin, weights, alm_weights, armilla, np.abs, np.sum)
    found = functions(spin, weights, alm_weights, ours, jax.numpy.abs, jax.numpy.sum)
    np.testing.assert_allclose(found[0](jax.numpy.asarray(alm)), plain[0](alm))
    np.testing.assert_allclose(np.conj(jax.jit(jax.grad(found[0]))(alm)), numeric(plain[0], alm),
                               atol=1e-9)
    np.testing.assert_allclose(jax.grad(found[1])(weights), numeric(plain[1], weights), atol=1e-9)


@pytest.mark.parametrize("spin", SPINS)
def test_torch(spin, random_alm, rng):
    torch = pytest.importorskip("torch")
    import armilla.torch as ours
    alm, weights = case(spin, random_alm, rng)
    alm_weights = rng.uniform(-1, 1, alm.shape)
    plain = functions(spin, weights, alm_weights, armilla, np.abs, np.sum)
    found = functions(spin, torch.from_numpy(weights), torch.from_numpy(alm_weights), ours,
                      torch.abs, torch.sum)
    for function, reference, at in zip(found, plain, (alm, weights)):
        tensor = torch.from_numpy(np.array(at)).requires_grad_()
        value = function(tensor)
        np.testing.assert_allclose(value.item(), reference(at))
        value.backward()
        np.testing.assert_allclose(tensor.grad.numpy(), numeric(reference, at), atol=1e-9)
