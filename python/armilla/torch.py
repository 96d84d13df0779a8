# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms of PyTorch tensors, on the host or on a GPU, with gradients. Needs PyTorch."""
from __future__ import annotations

from typing import Any, Optional

import torch

from . import _gradients, harmonic
from .geometry import Geometry
from .harmonic import Spin


class _Synthesis(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, alm: torch.Tensor, what: _gradients.Transform) -> torch.Tensor:
        ctx.what = what
        return what.synthesis(alm.detach())

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        return ctx.what.synthesis_gradient(gradient.detach()), None


class _Analysis(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, map: torch.Tensor, what: _gradients.Transform) -> torch.Tensor:
        ctx.what = what
        return what.analysis(map.detach())

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        return ctx.what.analysis_gradient(gradient.detach()), None


def alm2map(alm: torch.Tensor, nside: Optional[int] = None, *, lmax: Optional[int] = None,
            mmax: Optional[int] = None, spin: Spin = 0,
            geometry: Optional[Geometry] = None) -> torch.Tensor:
    """armilla.alm2map for tensors.

    >>> import torch
    >>> alm = torch.ones(6, dtype=torch.complex128, requires_grad=True)
    >>> (alm2map(alm, 4) ** 2).sum().backward()
    >>> alm.grad.shape
    torch.Size([6])
    """
    return _Synthesis.apply(alm, _gradients.Transform(nside, geometry, alm.shape[-1], lmax, mmax,
                                                      spin))


def map2alm(map: torch.Tensor, lmax: Optional[int] = None, mmax: Optional[int] = None, *,
            spin: Spin = 0, geometry: Optional[Geometry] = None) -> torch.Tensor:
    """armilla.map2alm for tensors, without iterations.

    >>> import torch
    >>> map = torch.ones(48, dtype=torch.float64, requires_grad=True)
    >>> map2alm(map, 3).abs().square().sum().backward()
    >>> map.grad.shape
    torch.Size([48])
    """
    grid = harmonic._grid(None, geometry, map.shape[-1])
    degrees = harmonic._degrees(grid, lmax, mmax)
    return _Analysis.apply(map, _gradients.Transform(None, grid, harmonic.alm_size(*degrees),
                                                     *degrees, spin))
