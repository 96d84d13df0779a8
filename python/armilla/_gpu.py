# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays in the memory of a GPU, of whatever package that speaks __cuda_array_interface__."""
from __future__ import annotations

import math
from typing import Any, Tuple

import numpy as np


def package(array: Any) -> str:
    """The package that an array is from."""
    return type(array).__module__.partition(".")[0]


def is_on_gpu(array: Any) -> bool:
    """Whether an array of any package is in the memory of a GPU that CUDA drives."""
    if package(array) == "torch":
        return array.is_cuda
    try:
        return hasattr(array, "__cuda_array_interface__")
    except Exception:  # pylint: disable=broad-except # JAX, of arrays that are on several devices
        return False


# A GPU is done with an array about so many times as fast as a few cores.
FASTER = 1000


class GpuArray:
    """An array on a GPU with what the library is told of it: what NumPy arrays have, too."""

    def __init__(self, name: str, owner: Any):
        if package(owner) == "torch":
            owner = owner.detach().resolve_conj().resolve_neg()
        elif hasattr(owner, "block_until_ready"):
            owner.block_until_ready()
        try:
            told = owner.__cuda_array_interface__
        except (AttributeError, RuntimeError, TypeError, ValueError) as error:
            raise TypeError(f"{name}: {error}") from None
        if not isinstance(told, dict) or not {"shape", "typestr", "data"} <= set(told):
            raise TypeError(f"{name}: its __cuda_array_interface__ is not one")
        self.owner = owner
        self.pointer, self.readonly = told["data"]
        self.shape: Tuple[int, ...] = tuple(told["shape"])
        self.ndim = len(self.shape)
        self.dtype = np.dtype(told["typestr"])
        self.strides: Tuple[int, ...] = tuple(told.get("strides") or self._strides_of_shape())
        self.device = _device(owner)
        self.stream = _stream(owner, told, self.device)

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)

    def _strides_of_shape(self) -> Tuple[int, ...]:
        steps = [self.dtype.itemsize]
        for n in self.shape[:0:-1]:
            steps.append(steps[-1] * n)
        return tuple(steps[::-1])[:self.ndim]

    def reshape(self, shape: Tuple[int, ...]) -> "GpuArray":
        """As that of NumPy: a copy where it must be."""
        return GpuArray("array", self.owner.reshape(shape))

    def astype(self, dtype: np.dtype) -> "GpuArray":
        """A copy of another type."""
        if package(self.owner) == "torch":
            import torch
            return GpuArray("array", self.owner.to(getattr(torch, dtype.name)))
        return GpuArray("array", self.owner.astype(dtype))

    def reach(self) -> Tuple[int, int]:
        """Where its memory begins and ends."""
        steps = [(n - 1) * stride for n, stride in zip(self.shape, self.strides)]
        return (self.pointer + sum(step for step in steps if step < 0),
                self.pointer + sum(step for step in steps if step > 0) + self.dtype.itemsize)

    def empty(self, shape: Tuple[int, ...], dtype: np.dtype) -> "GpuArray":
        """A new array of the same package on the same GPU."""
        name = package(self.owner)
        if name == "torch":
            import torch
            return GpuArray("out", torch.empty(shape, dtype=getattr(torch, dtype.name),
                                               device=self.owner.device))
        if name == "cupy":
            import cupy
            with cupy.cuda.Device(self.device):
                return GpuArray("out", cupy.empty(shape, dtype))
        if name in ("jax", "jaxlib"):
            import jax.numpy
            # Nobody else knows this array yet, so that it may be written to.
            return GpuArray("out", jax.numpy.zeros(shape, dtype, device=jax_device(self.owner)))
        raise TypeError(f"out: arrays of {name} cannot be made here; give one")

    def bring(self, array: np.ndarray) -> "GpuArray":
        """An array of the host's, on the same GPU."""
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
        raise TypeError(f"arrays of {name} cannot be made here; bring it to the GPU first")


def to_host(name: str, owner: Any) -> np.ndarray:
    """A copy of an array of a GPU's."""
    found = package(owner)
    if found == "torch":
        return owner.detach().resolve_conj().resolve_neg().cpu().numpy()
    if found == "cupy":
        return owner.get()
    if found in ("jax", "jaxlib"):
        return np.asarray(owner)
    raise TypeError(f"{name}: arrays of {found} cannot be fetched from the GPU here; bring it to "
                    "the host first")


def _device(owner: Any) -> int:
    if package(owner) == "torch":
        return owner.device.index
    if hasattr(owner, "__dlpack_device__"):
        return int(owner.__dlpack_device__()[1])
    return 0


def jax_device(owner: Any) -> Any:
    """The device of an array of JAX's."""
    return next(iter(owner.devices()))


def _stream(owner: Any, told: dict, device: int) -> int:
    """The stream that writes it; 0: the default stream."""
    if package(owner) == "torch":
        import torch
        return torch.cuda.current_stream(device).cuda_stream
    return told.get("stream") or 0
