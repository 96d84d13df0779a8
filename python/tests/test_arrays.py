# SPDX-License-Identifier: GPL-3.0-or-later
"""The same numbers however arrays lie, and the same kind of array as came in."""
import numpy as np
import pytest

import armilla
import armilla.healpy


@pytest.fixture
def sky(random_alm):
    alm = random_alm(16, spins=(0, 2, 2), leading=(3,))
    return alm, armilla.alm2map(alm, nside=8, spin=(0, 2))


def lie(array, order, step):
    """The same numbers with the axes in another order in memory, and holes."""
    moved = np.transpose(array, order)
    holes = np.full(moved.shape[:-1] + (moved.shape[-1] * step,), np.nan, moved.dtype)
    view = holes[..., ::step]
    view[...] = moved
    return np.transpose(view, np.argsort(order))


@pytest.mark.parametrize("step", [1, 3])
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_any_order(sky, order, step):
    alm, map = sky
    there = lie(np.zeros_like(map), order, step)
    result = armilla.alm2map(lie(alm, order, step), nside=8, spin=(0, 2), out=there)
    assert result is there
    np.testing.assert_array_equal(there, map)
    back = armilla.map2alm(there, 16, spin=(0, 2))
    np.testing.assert_array_equal(back, armilla.map2alm(map, 16, spin=(0, 2)))


def test_any_order_of_leading_axes(random_alm, rng):
    """They are one axis in the memory of the result, if in another order."""
    alm = random_alm(16, leading=(2, 3, 4))[..., 0, :]
    map, window = armilla.alm2map(alm, nside=8), rng.uniform(-1, 1, (2, 3, 4, 17))
    for function, given, options in [
            (armilla.alm2map, alm, {"nside": 8}), (armilla.gradient, alm, {"nside": 8}),
            (armilla.map2alm, map, {"lmax": 16}), (armilla.convolve, map, {"fwhm": 0.5}),
            (armilla.almxfl, alm, {"window": window}),
            (armilla.almxfl, alm, {"window": window[0, 0, 0]}),
            (armilla.rotate_alm, alm, {"psi": 1, "theta": 2, "phi": 3})]:
        expected = function(given, **options)
        for order in (2, 1, 0), (1, 0, 2), (1, 2, 0):
            axes = order + tuple(range(3, expected.ndim))
            there = np.zeros(np.transpose(expected, axes).shape, expected.dtype)
            there = np.transpose(there, np.argsort(axes))
            assert function(given, out=there, **options) is there
            np.testing.assert_array_equal(there, expected)


def test_backwards(sky):
    alm, map = sky
    np.testing.assert_array_equal(
        armilla.alm2map(np.ascontiguousarray(alm[..., ::-1])[..., ::-1], nside=8, spin=(0, 2)), map)


def test_single(sky):
    alm, map = sky
    single = armilla.alm2map(alm.astype(np.complex64), nside=8, spin=(0, 2))
    assert single.dtype == np.float32
    assert np.abs(single - map).max() < 1e-6 * np.abs(map).max() * 10
    back = armilla.map2alm(single, 16, spin=(0, 2))
    assert back.dtype == np.complex64


@pytest.mark.parametrize("dtype", [">f8", np.int32, np.float16, bool])
def test_other_types(dtype, rng):
    map = (rng.uniform(-1, 1, 768) * 10).astype(dtype)
    np.testing.assert_array_equal(armilla.map2alm(map, 10),
                                  armilla.map2alm(map.astype(np.float64), 10))


def test_batches(random_alm):
    alm = random_alm(8, leading=(2, 3))[..., 0, :]
    maps = armilla.alm2map(alm, nside=4)
    assert maps.shape == (2, 3, 192)
    for i in range(2):
        for j in range(3):
            np.testing.assert_array_equal(maps[i, j], armilla.alm2map(alm[i, j], nside=4))


def test_input_is_not_written(sky):
    alm, map = sky
    alm.flags.writeable = map.flags.writeable = False
    before = map.copy()
    armilla.alm2map(alm, nside=8, spin=(0, 2))
    armilla.map2alm(map, 16, spin=(0, 2))
    np.testing.assert_array_equal(map, before)


def test_torch(random_alm):
    torch = pytest.importorskip("torch")
    alm = random_alm(8)[0]
    map = armilla.alm2map(torch.from_numpy(alm), nside=4)
    assert isinstance(map, torch.Tensor)
    np.testing.assert_array_equal(map.numpy(), armilla.alm2map(alm, nside=4))


class Foreign:
    """An array of a package that knows DLPack, and no more."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device = array, device

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device


def test_dlpack(sky):
    alm, map = sky
    np.testing.assert_array_equal(armilla.alm2map(Foreign(alm), nside=8, spin=(0, 2)), map)
    with pytest.raises(TypeError, match="alm: .* host"):
        armilla.alm2map(Foreign(alm, (2, 0)), nside=8, spin=(0, 2))


def test_out_of_torch(random_alm):
    torch = pytest.importorskip("torch")
    alm, map = torch.from_numpy(random_alm(8)[0]), torch.zeros(192, dtype=torch.float64)
    assert armilla.alm2map(alm, nside=4, out=map) is map
    np.testing.assert_array_equal(map.numpy(), armilla.alm2map(alm.numpy(), nside=4))


def test_jax(random_alm):
    jax = pytest.importorskip("jax")
    alm = random_alm(8)[0].astype(np.complex64)
    map = armilla.alm2map(jax.device_put(alm, jax.devices("cpu")[0]), nside=4)
    assert isinstance(map, jax.Array)
    np.testing.assert_array_equal(np.asarray(map), armilla.alm2map(alm, nside=4))


def test_mask_of_nothing(rng):
    map = rng.uniform(-1, 1, 768)
    np.testing.assert_array_equal(armilla.map2alm(np.ma.array(map), 10), armilla.map2alm(map, 10))


def test_memory_of_no_gpu():
    class Elsewhere:
        __cuda_array_interface__ = {}
    with pytest.raises(TypeError, match="alm: invalid __cuda_array_interface__"):
        armilla.alm2map(Elsewhere(), nside=4)
    alm, map = Elsewhere(), Elsewhere()
    for array, n, kind in ((alm, 15, "<c16"), (map, 192, "<f8")):
        array.memory = np.zeros(n, kind)
        array.__cuda_array_interface__ = {"shape": (n,), "typestr": kind, "version": 3,
                                          "data": (array.memory.ctypes.data, False)}
    with pytest.raises(TypeError, match="out: must be given, .* arrays of"):
        armilla.alm2map(alm, nside=4)
    with pytest.raises(ValueError, match="alm: is .*GPU"):
        armilla.alm2map(alm, nside=4, out=map)
    with pytest.raises(ValueError, match="out: it is in the memory of a GPU, and alm in that of"):
        armilla.alm2map(alm.memory, nside=4, out=map)
    with pytest.raises(TypeError, match="window: .* GPU"):
        armilla.convolve(map.memory, window=map)
    with pytest.raises(TypeError, match="ring_weights: .* GPU"):
        armilla.map2alm(map.memory, ring_weights=map)
    with pytest.raises(TypeError, match="longitude: .* GPU"):
        armilla.Points(longitude=map, latitude=map)


def test_alm_tools(random_alm, rng):
    alm, other = random_alm(9, spins=(0, 0, 0), leading=(2,)), random_alm(9, spins=(0, 0, 0),
                                                                           leading=(2,))
    l = np.concatenate([np.arange(m, 10) for m in range(10)])
    m = np.concatenate([np.full(10 - m, m) for m in range(10)])
    window = rng.uniform(-1, 1, (2, 3, 10))
    np.testing.assert_array_equal(armilla.almxfl(alm, window[0, 0]), alm * window[0, 0][l])
    np.testing.assert_array_equal(armilla.almxfl(alm, window), alm * window[..., l])
    for second in (None, other):
        cl = armilla.alm2cl(alm, second, cross=True, lmax_out=7)
        b = alm if second is None else other
        for s, (i, j) in enumerate([(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)]):
            power = np.where(m > 0, 2, 1) * (alm[:, i] * b[:, j].conj()).real
            expected = np.stack([power[:, l == k].sum(-1) / (2 * k + 1) for k in range(8)], -1)
            np.testing.assert_allclose(cl[:, s], expected, atol=1e-14)
    np.testing.assert_array_equal(armilla.alm2cl(alm)[0, 1], armilla.alm2cl(alm[0, 1]))


@pytest.mark.parametrize("mmax", (700, 300, 0))
def test_alm_tools_of_many_orders(rng, mmax):
    """Large arrays are given to stages."""
    lmax = 700
    l = np.concatenate([np.arange(m, lmax + 1) for m in range(mmax + 1)])
    alm, other = rng.standard_normal((2, l.size, 2)).view(complex)[..., 0]
    alm[:lmax + 1].imag = other[:lmax + 1].imag = 0
    window = rng.uniform(-1, 1, lmax + 1)
    np.testing.assert_array_equal(armilla.almxfl(alm, window, lmax=lmax, mmax=mmax),
                                  alm * window[l])
    power = 2 * (alm * other.conj()).real
    power[:lmax + 1] /= 2
    np.testing.assert_allclose(armilla.alm2cl(alm, other, lmax=lmax, mmax=mmax),
                               np.bincount(l, power) / (2 * np.arange(lmax + 1) + 1), atol=1e-13)


def test_alm_tools_of_large_batches(rng):
    """Batches of large arrays, in single precision, with short windows, NaN and imaginary parts of
    m = 0, which count as 0."""
    lmax = 640
    l = np.concatenate([np.arange(m, lmax + 1) for m in range(lmax + 1)])
    alm = rng.standard_normal((2, 2, l.size, 2)).astype(np.float32).view(np.complex64)[..., 0]
    alm[..., :lmax + 1].imag = 0
    alm[1, 0, 5] = np.nan
    window = rng.uniform(-1, 1, (2, 2, 600))
    longer = np.concatenate([window, np.zeros((2, 2, lmax + 1 - 600))], -1)
    given, out = alm.copy(), np.empty_like(alm)
    given[..., :lmax + 1].imag = 7
    armilla.almxfl(given, window, out=out)
    np.testing.assert_array_equal(out, (alm * longer[..., l]).astype(np.complex64))
    cl = armilla.alm2cl(given, given[::-1], cross=True, lmax_out=620)
    assert cl.dtype == np.float32 and cl.shape == (2, 3, 621)
    for s, (i, j) in enumerate([(0, 0), (1, 1), (0, 1)]):
        power = 2 * (alm[:, i].astype(complex) * alm[::-1, j].conj()).real
        power[:, :lmax + 1] /= 2
        want = [(np.bincount(l, one) / (2 * np.arange(lmax + 1) + 1))[:621] for one in power]
        np.testing.assert_allclose(cl[:, s], want, rtol=1e-6, atol=1e-6)
    assert np.isnan(cl[..., 5]).any() and not np.isnan(cl[..., 6:]).any()


def test_results_where_tasks_write_them(rng):
    """a_lm that are results, and inputs of other stages and of one with the same numbers."""
    lmax = 40
    alm = rng.standard_normal((armilla.alm_size(lmax), 2)).view(complex)[..., 0]
    alm[:lmax + 1].imag = 0
    given = armilla.Alm(alm.copy())
    found = armilla.Workflow(
        "[s]\nstage = filter-alm\nalm = a\ncl = c\n[t]\nstage = set-fields\ninput = s\nunit = K\n"
        "[cl]\nstage = alm2cl\nalm = s\n[cl2]\nstage = alm2cl\nalm = t\n"
    ).run({"a": given, "c": armilla.Cl(np.full(lmax + 1, 2.0))}, ["s", "t", "cl", "cl2"])
    for name in "st":
        np.testing.assert_array_equal(found[name], 2 * alm)
    assert not np.shares_memory(found["s"].array, found["t"].array)
    np.testing.assert_array_equal(given.array, alm)
    for name in "cl", "cl2":
        np.testing.assert_allclose(found[name], 4 * armilla.alm2cl(alm), rtol=1e-13)


ZONAL = {
    "alm2map": lambda alm: armilla.alm2map(alm[0], 8),
    "alm2map, spin": lambda alm: armilla.alm2map(alm, 8, spin=(0, 2)),
    "alm2map, spin 1": lambda alm: armilla.alm2map(alm[1:], 8, spin=1),
    "alm2map, spin 3": lambda alm: armilla.alm2map(alm[1:], 8, spin=3),
    "alm2map, rings": lambda alm: armilla.alm2map(
        alm[0], geometry=armilla.geometry.gauss_legendre(12, 24)),
    "adjoint_map2alm": lambda alm: armilla.adjoint_map2alm(alm, 8, iter=1, spin=(0, 2)),
    "gradient": lambda alm: armilla.gradient(alm[0], 8),
    "alm2cl": lambda alm: armilla.alm2cl(alm, cross=True),
    "alm2cl, two": lambda alm: armilla.alm2cl(alm, alm[::-1]),
    "almxfl": lambda alm: armilla.almxfl(alm, np.arange(1.0, 11.0)),
    "rotate_alm": lambda alm: armilla.rotate_alm(alm, 0.3, 1.1, 2.0),
    "adjoint_rotate_alm": lambda alm: armilla.adjoint_rotate_alm(alm, 0.3, 1.1, 2.0),
    "alm2points": lambda alm: np.array(list(armilla.stages.alm2points(
        alm[0], {"longitude": [10.0, 20], "latitude": [5.0, 70]}).values())),
    "single precision": lambda alm: armilla.alm2cl(alm.astype(np.complex64), cross=True),
    "any order": lambda alm: armilla.alm2cl(np.asfortranarray(alm), cross=True),
    "healpy.alm2map": lambda alm: armilla.healpy.alm2map(alm, 8),
    "healpy.alm2map_spin": lambda alm: armilla.healpy.alm2map_spin(alm[1:], 8, 2),
    "healpy.alm2map_der1": lambda alm: armilla.healpy.alm2map_der1(alm[0], 8),
    "healpy.alm2cl": lambda alm: armilla.healpy.alm2cl(alm),
    "healpy.alm2cl, two": lambda alm: armilla.healpy.alm2cl(alm, alm[::-1].copy()),
    "Workflow": lambda alm: [
        np.asarray(result) for result in armilla.Workflow(
            "[cl]\nstage = alm2cl\nalm = a\n[map]\nstage = alm2map\nalm = a\nnside = 8\n"
            "[back]\nstage = rotate\nalm = a\npsi = 10 deg\ntheta = 20 deg\n[sum]\n"
            "stage = combine\ninput = a\ninput2 = a\n").run({"a": armilla.Alm(alm)}).values()],
}


@pytest.mark.parametrize("name", ZONAL)
def test_imaginary_parts_of_order_0(name, random_alm, rng):
    """They are ignored: not by one function and not by the next."""
    clean = random_alm(9, spins=(0, 0, 0))
    garbage = clean.copy()
    garbage[:, :10].imag = rng.uniform(-1, 1, (3, 10))
    for found, expected in zip(ZONAL[name](garbage), ZONAL[name](clean)):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.array])
def test_scalars_of_numpy(kind, random_alm):
    """Angles may be numbers of NumPy's."""
    alm = random_alm(9)
    sky = armilla.alm2map(alm, nside=8)
    np.testing.assert_array_equal(armilla.rotate_alm(alm, kind(0.5), kind(0.25), kind(0.75)),
                                  armilla.rotate_alm(alm, 0.5, 0.25, 0.75))
    np.testing.assert_array_equal(armilla.convolve(sky, fwhm=kind(0.25)),
                                  armilla.convolve(sky, fwhm=0.25))
