# SPDX-License-Identifier: GPL-3.0-or-later
"""Descriptions of arrays of any package, which the library accesses without a copy."""
from __future__ import annotations

import functools
import weakref
from typing import Any, List, Optional, Tuple, Union

import numpy as np

from ._core import ffi, lib
from ._gpu import FASTER, GpuArray, is_on_gpu, jax_device, package, to_host

_TYPES = {
    np.dtype(np.float64): lib.ARMILLA_FLOAT64,
    np.dtype(np.complex128): lib.ARMILLA_FLOAT64,
    np.dtype(np.float32): lib.ARMILLA_FLOAT32,
    np.dtype(np.complex64): lib.ARMILLA_FLOAT32,
}
_SINGLE = (np.dtype(np.float32), np.dtype(np.complex64))
_CPU = 1  # kDLCPU

Array = Union[np.ndarray, GpuArray]


def references(array: Any) -> List[Any]:
    """Objects that keep the memory of an array in place as long as they exist.

    NumPy does not resize an array that has a weak reference, not even with ``refcheck=False``. An
    array whose memory is another array's needs references to both.
    """
    found = []
    while isinstance(array, np.ndarray):
        found.append(weakref.ref(array))
        array = array.base
    return found


class Hold:
    """Keeps the memory of an array in place as long as the object that owns this one exists."""

    def __init__(self, array: Any = None):
        self._references = references(array)

    def __reduce__(self) -> Tuple[Any, ...]:
        """Reduces to an empty object: copies and pickles of an array own their memory."""
        return Hold, ()


def forget(*_: Any) -> None:
    """Does nothing; a partial of it keeps references to its arguments as long as it exists."""


def on_host(name: str, array: Any) -> np.ndarray:
    """Returns the array as a NumPy array, without a copy if it is in this machine's memory."""
    if isinstance(array, np.ma.MaskedArray):
        if np.ma.is_masked(array):
            raise TypeError(f"{name}: masked arrays are not supported; give "
                            "filled(armilla.UNSEEN) for a map, or filled(0)")
        return array.data
    if isinstance(array, np.ndarray):
        return array
    if is_on_gpu(array):
        raise TypeError(f"{name}: it is in the memory of a GPU; bring it to the host first")
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        if array.__dlpack_device__()[0] != _CPU:
            raise TypeError(f"{name}: it is in the memory of a device; bring it to the host first")
    try:
        if package(array) == "torch":
            # NumPy returns read-only arrays from DLPack.
            return array.detach().numpy()
        if hasattr(array, "__dlpack__"):
            return np.from_dlpack(array)
        return np.asarray(array)
    except (BufferError, RuntimeError, ValueError) as error:
        raise ValueError(f"{name}: {error}") from None


def brought_to_host(name: str, array: Any) -> np.ndarray:
    """Like on_host(); copies an array that is on a GPU."""
    return to_host(name, array) if is_on_gpu(array) else on_host(name, array)


def like(original: Any, result: Array) -> Any:
    """Returns the result as an array of the package of `original`."""
    if isinstance(result, GpuArray):
        return result.owner
    name = package(original)
    if name == "torch":
        import torch
        return torch.from_numpy(result)
    if name in ("jax", "jaxlib"):
        import jax
        return jax.device_put(result, jax_device(original))
    return result


def like_anywhere(original: Any, array: np.ndarray) -> Any:
    """Like like(), for a result on the host: copies it to the GPU if the original is on one."""
    return like(original, GpuArray("array", original).bring(array) if is_on_gpu(original) else array)


def work(array: Array) -> int:
    """Returns the number of elements of a host array whose processing takes as long as this one."""
    return array.size // (FASTER if isinstance(array, GpuArray) else 1)


def is_single(array: Array) -> bool:
    """Returns whether the elements are of single precision."""
    return array.dtype in _SINGLE


def _dtype(single: bool, complex_numbers: bool) -> np.dtype:
    if complex_numbers:
        return np.dtype(np.complex64 if single else np.complex128)
    return np.dtype(np.float32 if single else np.float64)


def real_type(array: Array) -> np.dtype:
    """Returns the type of real numbers of the precision of an array."""
    return _dtype(is_single(array), False)


def as_input(name: str, array: Any, complex_numbers: bool) -> Array:
    """Converts an array to a type that the library reads, in the same memory."""
    there: Array = GpuArray(name, array) if is_on_gpu(array) else on_host(name, array)
    if there.dtype.kind not in ("iufbc" if complex_numbers else "iufb"):
        raise TypeError(f"{name}: its type is {there.dtype}; it must be "
                        f"{'complex' if complex_numbers else 'real'} numbers")
    wanted = _dtype(is_single(there), complex_numbers)
    if there.ndim == 0:
        raise ValueError(f"{name}: it is a single number; it must be an array")
    if there.dtype == wanted and _readable(there):
        return there
    if there.dtype.kind in "iu" and isinstance(there, np.ndarray):
        _check_exact(name, there)
    return there.astype(wanted)


def _check_exact(name: str, array: np.ndarray) -> None:
    """Checks that float64 can represent the integers."""
    if array.dtype.itemsize < 8 or array.size == 0 \
            or -2**53 <= int(array.min()) <= int(array.max()) <= 2**53:  # NumPy 1 compares floats
        return
    for one in array.ravel().tolist():
        if int(float(one)) != one:
            raise ValueError(f"{name}: {one} is an integer beyond 2^53 that float64 cannot represent")


def as_numbers(name: str, values: Any) -> np.ndarray:
    """Returns a contiguous copy of real numbers in double precision and in host memory."""
    return np.array(as_input(name, on_host(name, values), False), np.float64, order="C",
                    subok=False)


def beside(array: Array, other: Array) -> Array:
    """Returns a small array in the same memory as another one, copied if necessary."""
    if isinstance(other, GpuArray) and not isinstance(array, GpuArray):
        return other.bring(array)
    return array


def check_beside(name: str, array: Array, name_other: str, other: Array) -> None:
    """Checks that both arrays are in one memory. GPU arrays that do not state their device pass;
    the library finds it."""
    devices = [a.device if isinstance(a, GpuArray) else -1 for a in (array, other)]
    if devices[0] != devices[1] and (None not in devices or -1 in devices):
        there, here = ("the host" if d == -1 else "a GPU" if d is None else f"GPU {d}"
                       for d in devices)
        raise ValueError(f"{name}: it is in the memory of {there}, and {name_other} in that of "
                         f"{here}; all arrays of a call must be in one memory")


def _readable(array: Array) -> bool:
    """Returns whether the library can access an array without a copy: native byte order, aligned,
    strides of whole elements."""
    if isinstance(array, GpuArray):
        return array.dtype.isnative
    size = array.dtype.itemsize // (2 if array.dtype.kind == "c" else 1)
    return array.dtype.isnative and array.flags.aligned and all(
        stride % size == 0 for stride in array.strides)


def as_output(name: str, out: Optional[Any], shape: Tuple[int, ...], beside_this: Array,
              complex_numbers: bool) -> Array:
    """Returns the caller's array if it is writable; or a new array with the precision and in the
    memory of `beside_this`."""
    if out is None:
        dtype = _dtype(is_single(beside_this), complex_numbers)
        if isinstance(beside_this, GpuArray):
            return beside_this.empty(shape, dtype)
        return np.empty(shape, dtype)
    if is_on_gpu(out):
        there: Array = GpuArray(name, out)
    elif not isinstance(out, np.ndarray) and not hasattr(out, "__dlpack__"):
        raise TypeError(f"{name}: it is of the type {type(out).__name__}; it must be a writable "
                        "array")
    else:
        there = on_host(name, out)
    if there.dtype not in (_dtype(False, complex_numbers), _dtype(True, complex_numbers)):
        raise TypeError(f"{name}: its type is {there.dtype}; it must be "
                        f"{_dtype(False, complex_numbers)} or {_dtype(True, complex_numbers)}")
    if there.shape != shape:
        raise ValueError(f"{name}: its shape is {there.shape}; it must be {shape}")
    if not _writable(there, out):
        raise ValueError(f"{name}: it is read-only")
    if not _readable(there):
        raise ValueError(f"{name}: its numbers are not aligned, or not in native byte order")
    if _meets_itself(there):
        raise ValueError(f"{name}: some of its elements overlap in memory; give a contiguous array")
    return there


def _writable(array: Array, out: Any) -> bool:
    """Returns whether an array is writable; JAX arrays are immutable, even if their memory is
    writable."""
    if isinstance(array, GpuArray):
        return not array.readonly and package(out) not in ("jax", "jaxlib")
    return array.flags.writeable


def _meets_itself(array: Array) -> bool:
    """Returns whether elements may overlap in memory: False if each stride is at least the extent
    of the axes with smaller strides."""
    reach = array.dtype.itemsize
    for stride, n in sorted((abs(stride), n) for stride, n in zip(array.strides, array.shape)
                            if n > 1):
        if stride < reach:
            return True
        reach += (n - 1) * stride
    return False


def check_apart(name: str, array: Array, name_out: str, out: Array) -> None:
    """Checks that the inputs, which are read while the result is written, do not overlap it and are
    in the same memory."""
    check_beside(name_out, out, name, array)
    if isinstance(out, GpuArray):
        (begin, end), (first, last) = array.reach(), out.reach()
        shared = begin < last and first < end
    else:
        shared = np.may_share_memory(array, out)
    if shared:
        raise ValueError(f"{name_out}: it overlaps {name} in memory; give it memory of its own")


class Target:
    """Destination of a result computed on the host: the caller's `out`, or an array like its
    input."""

    def __init__(self, name: str, original: Any, out: Optional[Any], shape: Tuple[int, ...],
                 complex_numbers: bool):
        self._original, self._out = original, out
        source = GpuArray(name, original) if is_on_gpu(original) else on_host(name, original)
        self._dtype = _dtype(is_single(source), complex_numbers)
        if out is not None:
            self._there = as_output("out", out, shape, source, complex_numbers)
            check_apart(name, source, "out", self._there)

    def give(self, result: np.ndarray) -> Any:
        """Returns the result in the form that the caller requested."""
        if self._out is None:
            return like_anywhere(self._original, result.astype(self._dtype, copy=False))
        there = self._there
        if isinstance(there, GpuArray):
            there.owner[...] = there.bring(result.astype(there.dtype)).owner
        else:
            there[...] = result
        return self._out


def in_one_order(components: Optional[int], out: Array, *arrays: Array) -> Tuple[Array, ...]:
    """Returns the arrays with their leading axes permuted to the order in which those of `out` are
    in memory, so that they can be merged to one axis."""
    n = out.ndim - (1 if components is None else 2)
    if n < 2 or isinstance(out, GpuArray):
        return (out, *arrays)
    order = sorted(range(n), key=lambda axis: -abs(out.strides[axis]))
    return tuple(array.transpose(order + list(range(n, array.ndim))) for array in (out, *arrays))


def describe(name: str, array: Array, components: Optional[int], written: bool = False):
    """Returns an ArmillaArray, the description of an array for the library, and the array that it
    describes.

    The array cannot be resized as long as the ArmillaArray exists. The axes are [..., number], or
    [..., component, number] where there are `components`. Leading axes are merged to one, which
    requires a copy if their strides do not allow that.
    """
    hold = references(array)
    if hold:
        array = array.view()  # a view, whose shape no other code changes
    inner = array.shape[-1:] if components is None else array.shape[-2:]
    if array.ndim < len(inner) or (components is not None and array.ndim < 2):
        raise ValueError(f"{name}: its shape is {array.shape}; an axis of components is missing")
    n_leading = array.ndim - len(inner)
    if n_leading > 1:
        whole = array.reshape((-1,) + inner)
        if written and not _is_view(whole, array):
            raise ValueError(f"{name}: its leading axes cannot be merged to one without a copy; "
                             "give a contiguous array")
        array, n_leading = whole, 1
    copies, copy_stride = (array.shape[0], array.strides[0]) if n_leading else (1, 0)
    parts, part_stride = (1, 0) if components is None else (array.shape[-2], array.strides[-2])
    if array.dtype not in _TYPES:  # another thread has changed it
        raise TypeError(f"{name}: its type was changed to {array.dtype} during the call")
    told = ffi.new("ArmillaArray *")
    if isinstance(array, GpuArray):
        told.data = ffi.cast("void *", array.pointer)
        told.device = (array.device or 0) + 1  # ARMILLA_GPU
        told.stream = ffi.cast("void *", array.stream)
    else:
        told.data = _address(array)
    told.type = _TYPES[array.dtype]
    told.shape = (copies, parts, array.shape[-1])
    told.strides = (copy_stride, part_stride, array.strides[-1])
    return ffi.gc(told, functools.partial(forget, hold)), array


def _address(array: np.ndarray) -> Any:
    """Returns the address of an array. The buffer interface is five times as fast as the
    alternative."""
    if array.flags.c_contiguous:
        return ffi.cast("void *", ffi.from_buffer(array))
    return ffi.cast("void *", array.__array_interface__["data"][0])


def _is_view(whole: Array, array: Array) -> bool:
    if isinstance(array, GpuArray):
        return whole.pointer == array.pointer
    return np.shares_memory(whole, array)
