# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays on a GPU: the numbers of the same arrays on the host, without leaving the GPU."""
import ctypes
import importlib
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import armilla

NSIDE, LMAX = 16, 32


def _no_gpu():
    """Why there is nothing to test; None: there is."""
    with armilla.session() as session:
        session.start()
        return None if session.gpus else "Armilla drives no GPU here"


pytestmark = pytest.mark.skipif(bool(_no_gpu()), reason="Armilla drives no GPU here")


class Package:
    """How arrays of a package come and go."""

    def __init__(self, name):
        self.name = name
        self.module = pytest.importorskip({"jax": "jax.numpy"}.get(name, name))
        if name == "jax":
            importlib.import_module("jax").config.update("jax_enable_x64", True)
        if name == "torch" and not self.module.cuda.is_available():
            pytest.skip("this PyTorch has no CUDA")

    def bring(self, array):
        if self.name == "torch":
            return self.module.as_tensor(np.ascontiguousarray(array), device="cuda")
        return self.module.asarray(array)

    def fetch(self, array):
        if self.name == "torch":
            assert array.is_cuda
            return array.cpu().numpy()
        if self.name == "cupy":
            return array.get()
        assert next(iter(array.devices())).platform == "gpu"
        return np.asarray(array)


@pytest.fixture
def scalars(random_alm):
    """Random a_lm of fields of spin 0 alone."""
    return lambda lmax, leading=(): random_alm(lmax, leading=leading)[..., 0, :]


@pytest.fixture(params=["cupy", "torch", "jax"])
def package(request):
    return Package(request.param)


def close(package, found, expected, tolerance=1e-12):
    found = package.fetch(found)
    assert found.dtype == expected.dtype and found.shape == expected.shape
    assert np.abs(found - expected).max() <= tolerance * np.abs(expected).max()


def test_stages(package, scalars):
    """Inputs and results of stages are on the GPU."""
    map = armilla.alm2map(scalars(LMAX), NSIDE)
    there = armilla.stages.smoothing(package.bring(map), fwhm="10 deg", lmax=LMAX)
    close(package, there.array, armilla.stages.smoothing(map, fwhm="10 deg", lmax=LMAX).array)


def test_transforms(package, random_alm):
    alm = random_alm(LMAX, spins=(0, 2, 2), leading=(2,))
    map = armilla.alm2map(alm, NSIDE, spin=(0, 2))
    there_alm, there_map = package.bring(alm), package.bring(map)
    close(package, armilla.alm2map(there_alm, NSIDE, spin=(0, 2)), map)
    for function, options in ((armilla.map2alm, {"iter": 1}), (armilla.adjoint_alm2map, {})):
        close(package, function(there_map, LMAX, spin=(0, 2), **options),
              function(map, LMAX, spin=(0, 2), **options), 1e-11)
    close(package, armilla.adjoint_map2alm(there_alm, NSIDE, spin=(0, 2)),
          armilla.adjoint_map2alm(alm, NSIDE, spin=(0, 2)))
    close(package, armilla.gradient(there_alm[:, 0], NSIDE), armilla.gradient(alm[:, 0], NSIDE))


def test_alm(package, random_alm):
    alm = random_alm(LMAX, spins=(0, 2, 2))
    window = np.linspace(1, 0, LMAX)
    there = package.bring(alm)
    close(package, armilla.alm2cl(there, cross=True), armilla.alm2cl(alm, cross=True))
    close(package, armilla.almxfl(there, window), armilla.almxfl(alm, window))
    close(package, armilla.almxfl(there, package.bring(window)), armilla.almxfl(alm, window))
    close(package, armilla.rotate_alm(there, 0.1, 0.2, 0.3), armilla.rotate_alm(alm, 0.1, 0.2, 0.3))
    cl = 1 / np.arange(1.0, 20)
    close(package, armilla.random_alm(package.bring(cl), seed=3), armilla.random_alm(cl, seed=3))


def test_convolve(package):
    map = np.random.default_rng(1).normal(size=12 * NSIDE**2)
    for function in (armilla.convolve, armilla.adjoint_convolve):
        close(package, function(package.bring(map), fwhm=0.3, accuracy=1e-8),
              function(map, fwhm=0.3, accuracy=1e-8), 1e-7)


def test_single(package, scalars):
    alm = scalars(LMAX)
    found = package.fetch(armilla.alm2map(package.bring(alm.astype(np.complex64)), NSIDE))
    assert found.dtype == np.float32
    assert np.abs(found - armilla.alm2map(alm, NSIDE)).max() < 1e-5


def test_real_alm(package):
    ones = np.ones(armilla.alm_size(LMAX))
    close(package, armilla.alm2map(package.bring(ones), NSIDE), armilla.alm2map(ones, NSIDE))


@pytest.mark.parametrize("step", [2, -1])
def test_strides(scalars, step):
    cupy = Package("cupy")
    alm = scalars(LMAX, leading=(2, 3))
    holes = cupy.module.zeros(alm.shape[:-1] + (alm.shape[-1] * abs(step),), complex)
    view = holes[..., ::step]
    view[...] = cupy.bring(alm)
    out = cupy.module.zeros((12 * NSIDE**2, 3, 2)).transpose(2, 1, 0)
    with pytest.raises(ValueError, match="leading axes"):
        armilla.alm2map(view, NSIDE, out=out)
    out = cupy.module.zeros((12 * NSIDE**2, 2, 3)).transpose(1, 2, 0)
    assert armilla.alm2map(view, NSIDE, out=out) is out
    close(cupy, out, armilla.alm2map(alm, NSIDE))
    out = cupy.module.zeros((12 * NSIDE**2, 3)).T
    assert armilla.alm2map(view[0], NSIDE, out=out) is out
    close(cupy, out, armilla.alm2map(alm[0], NSIDE))


def test_streams(scalars):
    """What another stream still writes is waited for."""
    cupy = Package("cupy")
    alm = scalars(LMAX)
    there, big = cupy.bring(0 * alm), cupy.module.ones((3000, 3000))
    stream = cupy.module.cuda.Stream(non_blocking=True)
    with stream:
        for _ in range(20):
            big = big @ big * 1e-4
        there += cupy.bring(alm) + 0 * big[0, 0]
        found = armilla.alm2map(there, NSIDE)
    close(cupy, found, armilla.alm2map(alm, NSIDE))


class BusInfo(ctypes.Structure):
    """struct starpu_profiling_bus_info"""
    _fields_ = [("start", ctypes.c_long * 2), ("total", ctypes.c_long * 2),
                ("bytes", ctypes.c_longlong), ("count", ctypes.c_int)]


def counting():
    """StarPU, which counts from now on what it moves between memories."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        starpu = ctypes.CDLL(re.search(r"/\S*/libstarpu-\S*", maps.read()).group())
    starpu.starpu_profiling_status_set(1)
    return starpu


def transferred(starpu):
    """Bytes that were moved since it was called last."""
    info, moved = BusInfo(), 0
    for bus in range(starpu.starpu_bus_get_count()):
        assert starpu.starpu_bus_get_profiling_info(bus, ctypes.byref(info)) == 0
        moved += info.bytes
    return moved


def test_nothing_on_the_bus(package, random_alm):
    """Tables go to the GPU with the first call, and nothing with the second."""
    alm = random_alm(77, spins=(0, 2, 2))
    there = package.bring(alm)
    with armilla.session() as session:
        session.start()
        starpu = counting()
        for call in range(2):
            map = armilla.alm2map(there, 38, spin=(0, 2))
            back = armilla.map2alm(map, 77, spin=(0, 2))
            assert (transferred(starpu) > 0) == (call == 0)
    close(package, map, armilla.alm2map(alm, 38, spin=(0, 2)))
    close(package, back, armilla.map2alm(package.fetch(map), 77, spin=(0, 2)), 1e-11)


def test_workflow(package, scalars):
    """Inputs of workflows are fetched from the GPU."""
    alm = scalars(LMAX)
    workflow = armilla.Workflow({"map": {"stage": "alm2map", "alm": "sky", "nside": NSIDE}})
    found = workflow.run({"sky": package.bring(alm)})["map"].array
    want = armilla.alm2map(alm, NSIDE)
    assert np.abs(found - want).max() <= 1e-12 * np.abs(want).max()


def test_torch_gradients(random_alm):
    package = Package("torch")
    torch, transforms = package.module, importlib.import_module("armilla.torch")
    alm = random_alm(6, spins=(0, 2, 2))
    map = np.random.default_rng(1).normal(size=(3, 192))
    for function, size, where in ((transforms.alm2map, 4, alm), (transforms.map2alm, 6, map)):
        here, there = torch.as_tensor(where), package.bring(where)
        for tensor in (here, there):
            result = function(tensor.requires_grad_(), size, spin=(0, 2))
            (result.abs() ** 3).sum().backward()
        close(package, there.grad, here.grad.numpy())


def test_refused(package, scalars):
    alm = scalars(LMAX)
    there = package.bring(alm)
    with pytest.raises(ValueError, match="out: it is in the memory of the host, and alm in that "
                                         "of GPU 0"):
        armilla.alm2map(there, NSIDE, out=np.empty(12 * NSIDE**2))
    with pytest.raises(ValueError, match="alm: "):
        armilla.alm2map(there[1:], NSIDE)
    if package.name == "jax":
        with pytest.raises(ValueError, match="out: it is read-only"):
            armilla.alm2map(there, NSIDE, out=package.module.zeros(12 * NSIDE**2))
    else:
        with pytest.raises(ValueError, match="out: it overlaps alm"):
            armilla.almxfl(there, np.ones(3), out=there)


def test_without_gpus(scalars):
    package = Package("cupy")
    with armilla.session(gpus=False):
        with pytest.raises(ValueError, match="alm: the array is on GPU 0, which no worker drives"):
            armilla.alm2map(package.bring(scalars(LMAX)), NSIDE)


class Silent:
    """An array that does not say which GPU it is on, as Numba's and PyCUDA's do not."""

    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__
        self.array = array


def test_arrays_of_any_gpu(scalars):
    """Whichever GPU is current, arrays are used where they are, and it stays current."""
    cupy = Package("cupy").module
    alm = scalars(LMAX)
    want = armilla.alm2map(alm, NSIDE)
    n = cupy.cuda.runtime.getDeviceCount()
    for there in range(n):
        with cupy.cuda.Device(there):
            array, out = cupy.asarray(alm), cupy.zeros(12 * NSIDE**2)
            cupy.cuda.runtime.deviceSynchronize()
        for current in range(n):
            with cupy.cuda.Device(current):
                map = armilla.alm2map(array, NSIDE)
                assert map.device.id == there
                np.testing.assert_allclose(map.get(), want, atol=1e-12)
                armilla.alm2map(Silent(array), NSIDE, out=Silent(out))
                np.testing.assert_allclose(out.get(), want, atol=1e-12)
                assert cupy.cuda.runtime.getDevice() == current


@pytest.mark.parametrize("bring, fetch", [("cupy.asarray(alm)", "there.get()"),
                                          ("torch.as_tensor(alm, device='cuda')",
                                           "there.cpu().numpy()")])
def test_first_start(bring, fetch, tmp_path):
    """On its first start on a machine StarPU measures GPUs; what others have there stays."""
    name = bring.partition(".")[0]
    pytest.importorskip(name)
    program = f"""
import numpy, armilla, {name}
alm = numpy.arange(10) + 0j
there = {bring}
assert len(armilla.alm2map(there, 4, lmax=3)) == 192
assert ({fetch} == alm).all()
"""
    fresh = dict.fromkeys(("HOME", "STARPU_HOME", "STARPU_PERF_MODEL_DIR", "XDG_CACHE_HOME"),
                          str(tmp_path))
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120,
                   env={**os.environ, **fresh})


def test_ring_blocks(rng):
    """So many that a GPU takes their rings in several blocks, each where it lies."""
    cupy = Package("cupy")
    copies, nside, lmax = 33, 512, 1023
    alm = rng.normal(size=(copies, armilla.alm_size(lmax))) + 0j
    map = armilla.alm2map(alm, nside)
    close(cupy, armilla.alm2map(cupy.bring(alm), nside), map)
    close(cupy, armilla.adjoint_alm2map(cupy.bring(map), lmax), armilla.adjoint_alm2map(map, lmax))
