# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays in GPU memory, of any package with __cuda_array_interface__."""
from __future__ import annotations

import functools
import math
import sys
from typing import Any, Optional, Tuple

import numpy as np


def package(array: Any) -> str:
    """Returns the package of an array."""
    return type(array).__module__.partition(".")[0]


def is_on_gpu(array: Any) -> bool:
    """Returns whether an array of any package is in the memory of a CUDA GPU."""
    if isinstance(array, np.ndarray):
        return False
    if package(array) == "torch":
        return array.is_cuda
    try:
        return hasattr(array, "__cuda_array_interface__")
    except Exception:  # pylint: disable=broad-except # raised by JAX for arrays on several devices
        return False


# Approximate speed of a GPU relative to a few cores.
FASTER = 1000


class GpuArray:
    """An array on a GPU with the attributes that the library needs, named as in NumPy.

    The library uses it on `stream`; 0 is the default stream.
    """

    owner: Any
    pointer: int
    readonly: bool
    shape: Tuple[int, ...]
    dtype: np.dtype
    strides: Tuple[int, ...]
    device: Optional[int]
    stream: int

    def __init__(self, name: str, owner: Any):
        if package(owner) == "torch":
            self._see_tensor(name, owner)
        else:
            self._see(name, owner)
        self.ndim = len(self.shape)

    def _see_tensor(self, name: str, owner: Any) -> None:
        """Describes a tensor, several times as fast as its __cuda_array_interface__."""
        if owner.requires_grad or owner.is_conj() or owner.is_neg():
            owner = owner.detach().resolve_conj().resolve_neg()
        torch = sys.modules["torch"]
        try:
            self.dtype = _dtype_of_tensor(owner.dtype)
            steps = owner.stride()
        except (RuntimeError, TypeError) as error:
            raise TypeError(f"{name}: {error}") from None
        self.owner, self.pointer, self.readonly = owner, owner.data_ptr(), False
        self.shape = tuple(owner.shape)
        self.strides = tuple([self.dtype.itemsize * step for step in steps])
        self.device = owner.device.index
        self.stream = torch.cuda.current_stream(self.device).cuda_stream

    def _see(self, name: str, owner: Any) -> None:
        if hasattr(owner, "block_until_ready"):
            owner.block_until_ready()
        try:
            told = owner.__cuda_array_interface__
        except (AttributeError, RuntimeError, TypeError, ValueError) as error:
            raise TypeError(f"{name}: {error}") from None
        if not isinstance(told, dict) or not {"shape", "typestr", "data"} <= set(told):
            raise TypeError(f"{name}: invalid __cuda_array_interface__; must be "
                            "a dict with shape, typestr and data")
        self.owner = owner
        self.pointer, self.readonly = told["data"]
        self.shape = tuple(told["shape"])
        self.dtype = np.dtype(told["typestr"])
        self.strides = tuple(told.get("strides") or _strides_of(self.shape, self.dtype))
        self.device = _device(owner)
        self.stream = told.get("stream") or 0

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    def reshape(self, shape: Tuple[int, ...]) -> "GpuArray":
        """Like NumPy's: copies if necessary."""
        return GpuArray("array", self.owner.reshape(shape))

    def astype(self, dtype: np.dtype) -> "GpuArray":
        """Returns a copy of another type."""
        if package(self.owner) == "torch":
            import torch
            return GpuArray("array", self.owner.to(getattr(torch, dtype.name)))
        return GpuArray("array", self.owner.astype(dtype))

    def reach(self) -> Tuple[int, int]:
        """Returns the addresses at which the memory begins and ends."""
        steps = [(n - 1) * stride for n, stride in zip(self.shape, self.strides)]
        return (self.pointer + sum(step for step in steps if step < 0),
                self.pointer + sum(step for step in steps if step > 0) + self.dtype.itemsize)

    def _beside(self, owner: Any, pointer: int, dtype: np.dtype) -> "GpuArray":
        """Describes an array that was just allocated on the same GPU and stream, which need not be
        queried."""
        made = GpuArray.__new__(GpuArray)
        made.owner, made.pointer, made.readonly, made.dtype = owner, pointer, False, dtype
        made.shape = tuple(owner.shape)
        made.ndim = len(made.shape)
        made.strides = _strides_of(made.shape, dtype)
        made.device, made.stream = self.device, self.stream
        return made

    def empty(self, shape: Tuple[int, ...], dtype: np.dtype) -> "GpuArray":
        """Allocates an array of the same package on the same GPU."""
        name = package(self.owner)
        if name == "torch":
            torch = sys.modules["torch"]
            tensor = torch.empty(shape, dtype=getattr(torch, dtype.name), device=self.owner.device)
            return self._beside(tensor, tensor.data_ptr(), dtype)
        if name == "cupy":
            cupy = sys.modules["cupy"]
            with cupy.cuda.Device(self.device):
                array = cupy.empty(shape, dtype)
            return self._beside(array, array.data.ptr, dtype)
        if name in ("jax", "jaxlib"):
            import jax.numpy
            # No other code has a reference to this array yet, so it may be written to.
            return GpuArray("out", jax.numpy.zeros(shape, dtype, device=jax_device(self.owner)))
        raise TypeError(f"out: must be given, since Armilla cannot allocate arrays of {name}")

    def bring(self, array: np.ndarray) -> "GpuArray":
        """Copies a host array to the same GPU."""
        name = package(self.owner)
        if name == "torch":
            import torch
            return GpuArray("array", torch.as_tensor(array, device=self.owner.device))
        if name == "cupy":
            import cupy
            with cupy.cuda.Device(self.device):
                return GpuArray("array", cupy.asarray(array))
        if name in ("jax", "jaxlib"):
            import jax
            return GpuArray("array", jax.device_put(array, jax_device(self.owner)))
        raise TypeError(f"Armilla cannot make arrays of {name}; copy all arrays to the GPU first")


def to_host(name: str, owner: Any) -> np.ndarray:
    """Copies an array on a GPU to the host."""
    found = package(owner)
    if found == "torch":
        return owner.detach().resolve_conj().resolve_neg().cpu().numpy()
    if found == "cupy":
        return owner.get()
    if found in ("jax", "jaxlib"):
        return np.asarray(owner)
    raise TypeError(f"{name}: Armilla cannot copy arrays of {found} from the GPU; copy it to the "
                    "host first")


@functools.lru_cache(maxsize=None)
def _dtype_of_tensor(dtype: Any) -> np.dtype:
    return np.dtype(str(dtype).partition(".")[2])


def _strides_of(shape: Tuple[int, ...], dtype: np.dtype) -> Tuple[int, ...]:
    """Returns the strides of a contiguous array."""
    steps = [dtype.itemsize]
    for n in shape[:0:-1]:
        steps.append(steps[-1] * n)
    return tuple(steps[::-1])[:len(shape)]


def _device(owner: Any) -> Optional[int]:
    """Returns the device; None if the array does not state it, so that the library must query
    CUDA."""
    if hasattr(owner, "__dlpack_device__"):
        return int(owner.__dlpack_device__()[1])
    return None


def jax_device(owner: Any) -> Any:
    """Returns the device of a JAX array."""
    return next(iter(owner.devices()))

