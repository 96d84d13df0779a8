# SPDX-License-Identifier: GPL-3.0-or-later
"""What is done to a_lm without a map."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _arrays, _session
from ._core import ffi, lib
from ._scalars import real, whole
from .harmonic import _layout, alm_lmax, alm_size, degrees


@_session.on_all_ranks
def alm2cl(alm: Any, alm2: Optional[Any] = None, *, lmax: Optional[int] = None,
           mmax: Optional[int] = None, lmax_out: Optional[int] = None, cross: bool = False) -> Any:
    """Spectra: C_l = 1 / (2 l + 1) sum_m a_lm conj(b_lm).

    Parameters
    ----------
    alm : complex array [..., n_alm], or [..., component, n_alm] with `cross`
        Imaginary parts of m = 0 count as 0, here as in all functions.
    alm2 : complex array of the same shape
        For cross spectra of two skies.
    lmax, mmax : int
        Highest multipole and order of the a_lm; found from n_alm if not given.
    lmax_out : int
        Highest multipole of the spectra.
    cross : bool
        Whether the components have cross spectra: of F of them, those of (i, i), then of the
        neighbours (i, i + 1), and so on: TT, EE, BB, TE, EB, TB.

    Returns
    -------
    real array [..., lmax_out + 1], or [..., F (F + 1) / 2, lmax_out + 1]

    Examples
    --------
    >>> import armilla, numpy
    >>> armilla.alm2cl(numpy.ones(6, complex))
    array([1., 1., 1.])
    """
    first = _arrays.as_input("alm", alm, True)
    lmax, mmax = _layout(first, lmax, mmax)
    lmax_out = lmax if lmax_out is None else whole("lmax_out", lmax_out, 0, lmax)
    parts = None
    if cross:
        if first.ndim < 2:
            raise ValueError(f"alm: its shape is {first.shape}; an axis of components is missing")
        parts = first.shape[-2]
    leading = first.shape[:-1] if parts is None else first.shape[:-2]
    n_spectra = None if parts is None else parts * (parts + 1) // 2
    result = _arrays.as_output("cl", None, leading + (() if n_spectra is None else (n_spectra,))
                               + (lmax_out + 1,), first, False)
    shape = first.shape
    a, first = _arrays.describe("alm", first, parts)
    b, second = ffi.NULL, None
    if alm2 is not None:
        second = _arrays.as_input("alm2", alm2, True)
        if second.shape != shape:
            raise ValueError(f"alm2: its shape is {second.shape}; it must be that of alm, {shape}")
        _arrays.check_beside("alm2", second, "alm", first)
        b, second = _arrays.describe("alm2", second, parts)
    cl, _ = _arrays.describe("cl", result, n_spectra, written=True)
    _session.call(_arrays.work(first), lib.armilla_array_spectra, lmax, mmax, a, b, cl)
    return _arrays.like(alm, result)


@_session.on_all_ranks
def almxfl(alm: Any, window: Any, *, lmax: Optional[int] = None, mmax: Optional[int] = None,
           out: Optional[Any] = None) -> Any:
    """The a_lm times a window: f_l a_lm; f_l is 0 beyond its end.

    Parameters
    ----------
    alm : complex array [..., n_alm]
    window : real array [multipole], or one for each member of a batch: [..., multipole]

    Examples
    --------
    >>> import armilla, numpy
    >>> armilla.almxfl(numpy.ones(3, complex), [2.0, 0.5])
    array([2. +0.j, 0.5+0.j, 0.5+0.j])
    """
    host = _arrays.as_input("alm", alm, True)
    factors = _arrays.beside(_arrays.as_input("window", window, False), host)
    lmax, mmax = _layout(host, lmax, mmax)
    if factors.ndim > 1 and factors.shape[:-1] != host.shape[:-1]:
        raise ValueError(f"window: its shape is {factors.shape}; it must have one axis, or the "
                         f"leading axes {host.shape[:-1]} of alm")
    result = _arrays.as_output("out", out, host.shape, host, True)
    _arrays.check_apart("alm", host, "out", result)
    _arrays.check_apart("window", factors, "out", result)
    there, host = _arrays.in_one_order(None, result, host)
    if factors.ndim > 1:
        factors = _arrays.in_one_order(None, result, factors)[1]
    source, host = _arrays.describe("alm", host, None)
    f, factors = _arrays.describe("window", factors, None)
    target, _ = _arrays.describe("out", there, None, written=True)
    _session.call(_arrays.work(result), lib.armilla_array_scale_alm, lmax, mmax, source, f, target)
    return out if out is not None else _arrays.like(alm, result)


@_session.on_all_ranks
def rotate_alm(alm: Any, psi: float, theta: float, phi: float, *, lmax: Optional[int] = None,
               mmax: Optional[int] = None, out: Optional[Any] = None) -> Any:
    """The a_lm of the field turned by psi about z, then theta about y, then phi about z (radian).

    The result has mmax = lmax.

    >>> import armilla, numpy
    >>> alm = numpy.array([0, 1, 0], complex)
    >>> numpy.round(armilla.rotate_alm(alm, 0, numpy.pi / 2, 0), 6).real + 0
    array([ 0.      ,  0.      , -0.707107])
    """
    host = _arrays.as_input("alm", alm, True)
    lmax, mmax = _layout(host, lmax, mmax)
    turn = np.array([real("psi", psi), real("theta", theta), real("phi", phi)])
    if not np.isfinite(turn).all():
        raise ValueError("psi, theta, phi: they must be finite numbers")
    if not 0 <= theta <= np.pi:
        raise ValueError(f"theta: {theta} is not from 0 to pi")
    result = _arrays.as_output("out", out, host.shape[:-1] + (alm_size(lmax),),
                               host, True)
    _arrays.check_apart("alm", host, "out", result)
    there, host = _arrays.in_one_order(None, result, host)
    source, host = _arrays.describe("alm", host, None)
    target, _ = _arrays.describe("out", there, None, written=True)
    _session.call(8 * _arrays.work(result), lib.armilla_array_rotate_alm, lmax, mmax, source,
                  ffi.from_buffer("double[]", turn), target)
    return out if out is not None else _arrays.like(alm, result)


@_session.on_all_ranks
def adjoint_rotate_alm(alm: Any, psi: float, theta: float, phi: float, *,
                       lmax: Optional[int] = None, mmax: Optional[int] = None) -> Any:
    """The adjoint of rotate_alm, which is its inverse: the field turns back.

    `alm` has mmax = lmax, as what rotate_alm returns; the result has the `mmax` that is given, as
    what that took.

    >>> import armilla, numpy
    >>> alm = numpy.array([0, 1, 0], complex)
    >>> turned = armilla.rotate_alm(alm, 0.1, 0.2, 0.3)
    >>> bool(numpy.allclose(armilla.adjoint_rotate_alm(turned, 0.1, 0.2, 0.3), alm))
    True
    """
    psi, phi = real("psi", psi), real("phi", phi)
    back = rotate_alm(alm, np.pi - phi, theta, np.pi - psi, lmax=lmax)
    if mmax is None:
        return back
    lmax = alm_lmax(back.shape[-1])
    return back[..., :alm_size(lmax, mmax)]


@_session.on_all_ranks
def random_alm(cl: Any, lmax: Optional[int] = None, mmax: Optional[int] = None, *, seed: int,
               realisation: int = 0, copies: Optional[int] = None,
               out: Optional[Any] = None) -> Any:
    """Gaussian a_lm of given spectra, the same for equal numbers on all machines.

    Parameters
    ----------
    cl : real array [multipole] or [spectrum, multipole]
        A spectrum of one field; or TT, EE, BB, TE, or these and EB, TB, of T, E and B.
    lmax, mmax : int
        lmax is the last multipole of cl if not given, mmax is lmax.
    seed, realisation : int
        What is drawn.
    copies : int
        How many skies: realisation, realisation + 1, and so on.

    Raises
    ------
    ValueError
        No fields have these spectra: one is negative, or TE^2 is above TT EE (and so on) by more
        than 1e-6 of it, which rounding in single precision leaves. The stage random-alm and the
        library have the same rule; armilla.healpy.synalm draws as healpy does.

    Returns
    -------
    complex array [n_alm] or [3, n_alm], with a leading axis if `copies` are asked for

    Examples
    --------
    >>> import armilla, numpy
    >>> a = armilla.random_alm(numpy.ones(9), seed=1, copies=2)
    >>> b = armilla.random_alm(numpy.ones(9), seed=1, realisation=1)
    >>> a.shape, bool((a[1] == b).all())
    ((2, 45), True)
    """
    spectra = _arrays.as_input("cl", cl, False)
    if spectra.ndim > 2 or (spectra.ndim == 2 and spectra.shape[0] not in (4, 6)):
        raise ValueError(f"cl: its shape is {spectra.shape}; it must be one spectrum, or four (TT, "
                         "EE, BB, TE), or six (and EB, TB)")
    seed = whole("seed", seed, 0, 2**64 - 1)
    realisation = whole("realisation", realisation, 0, 2**64 - 1)
    copies = None if copies is None else whole("copies", copies, 1)
    lmax, mmax = degrees(spectra.shape[-1] - 1 if lmax is None else lmax, mmax)
    n_spectra, parts = (None, None) if spectra.ndim == 1 else (spectra.shape[0], 3)
    shape = (() if copies is None else (copies,)) + (() if parts is None else (parts,))
    result = _arrays.as_output("out", out, shape + (alm_size(lmax, mmax),),
                               spectra, True)
    _arrays.check_apart("cl", spectra, "out", result)
    source, spectra = _arrays.describe("cl", spectra, n_spectra)
    target, _ = _arrays.describe("out", result, parts, written=True)
    _session.call(_arrays.work(result), lib.armilla_array_random_alm, lmax, mmax, source, seed,
                  realisation, target)
    return out if out is not None else _arrays.like(cl, result)
