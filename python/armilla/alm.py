# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations on a_lm that need no map."""
from __future__ import annotations

import functools
import math
import re
from typing import Any, Optional, Tuple

import numpy as np

from . import _arrays, _session, stages
from ._calls import named
from ._scalars import real, whole
from .fields import Alm, Cl
from .harmonic import _layout, alm_lmax, alm_size, degrees
from .workflow import Workflow


def _on_host(name: str, alm: Any, lmax: Optional[int], mmax: Optional[int]
             ) -> Tuple[np.ndarray, int, int]:
    """Returns the a_lm in host memory, with lmax and mmax."""
    host = _arrays.as_input(name, _arrays.brought_to_host(name, alm), True)
    return (host, *_layout(host, lmax, mmax))


def _fields(host: np.ndarray, lmax: int, mmax: int) -> Alm:
    """Returns each set of a_lm as a separate field."""
    return Alm(host.reshape(-1, host.shape[-1]), lmax=lmax, mmax=mmax, spin=0)._unchecked()


# Up to this number of coefficients, NumPy takes less time than a call of a stage.
SMALL = 200_000


@functools.lru_cache(maxsize=8)
def _multipoles(lmax: int, mmax: int) -> np.ndarray:
    """Returns the multipole of each coefficient."""
    return np.concatenate([np.arange(m, lmax + 1) for m in range(mmax + 1)])


def _sum_over_orders(a: np.ndarray, b: np.ndarray, lmax: int, mmax: int) -> np.ndarray:
    """Returns sum_m Re (a_lm conj(b_lm)) over all m, from the coefficients of m >= 0."""
    n = lmax + 1
    products = a.real * b.real
    products += a.imag * b.imag
    return a[:n].real * b[:n].real + 2 * np.bincount(_multipoles(lmax, mmax)[n:], products[n:], n)


def _small_spectra(a: np.ndarray, b: np.ndarray, lmax: int, mmax: int) -> np.ndarray:
    """Returns all spectra of the components, [member, spectrum, multipole]."""
    parts = a.shape[1]
    pairs = [(i, i + apart) for apart in range(parts) for i in range(parts - apart)]
    made = np.empty((a.shape[0], len(pairs), lmax + 1))
    for number in np.ndindex(made.shape[:2]):
        i, j = pairs[number[1]]
        x, y = (np.asarray(array, complex) for array in (a[number[0], i], b[number[0], j]))
        made[number] = _sum_over_orders(x, y, lmax, mmax)
    made /= 2 * np.arange(lmax + 1) + 1
    return made


@_session.on_all_ranks
def alm2cl(alm: Any, alm2: Optional[Any] = None, *, lmax: Optional[int] = None,
           mmax: Optional[int] = None, lmax_out: Optional[int] = None, cross: bool = False) -> Any:
    """Computes spectra: C_l = 1 / (2 l + 1) sum_m a_lm conj(b_lm).

    Parameters
    ----------
    alm : complex array [..., n_alm], or [..., component, n_alm] with `cross`
        Imaginary parts of m = 0 count as 0, here as in all functions.
    alm2 : complex array of the same shape
        Second set of a_lm, for cross spectra of two skies.
    lmax, mmax : int
        Highest multipole and order of the a_lm; by default they follow from n_alm.
    lmax_out : int
        Highest multipole of the spectra.
    cross : bool
        Whether to compute cross spectra of the components: for F components those of (i, i), then
        of the neighbours (i, i + 1), and so on: TT, EE, BB, TE, EB, TB.

    Returns
    -------
    real array [..., lmax_out + 1], or [..., F (F + 1) / 2, lmax_out + 1]

    Examples
    --------
    >>> import armilla, numpy
    >>> armilla.alm2cl(numpy.ones(6, complex))
    array([1., 1., 1.])
    """
    first, lmax, mmax = _on_host("alm", alm, lmax, mmax)
    lmax_out = lmax if lmax_out is None else whole("lmax_out", lmax_out, 0, lmax)
    if cross and first.ndim < 2:
        raise ValueError(f"alm: its shape is {first.shape}; an axis of components is missing")
    parts = first.shape[-2] if cross else 1
    sets = [first]
    if alm2 is not None:
        sets.append(_arrays.as_input("alm2", _arrays.brought_to_host("alm2", alm2), True))
        if sets[1].shape != first.shape:
            raise ValueError(f"alm2: its shape is {sets[1].shape}; it must be that of alm, "
                             f"{first.shape}")
    shape = first.shape[:-2] + (parts * (parts + 1) // 2,) if cross else first.shape[:-1]
    target = _arrays.Target("alm", alm, None, shape, False)
    a, b = (array.reshape(-1, parts, array.shape[-1]) for array in (sets[0], sets[-1]))
    if a.shape[-1] <= SMALL:
        made = _small_spectra(a, b, lmax, mmax)[..., :lmax_out + 1]
    else:
        members = [[_fields(array, lmax, mmax) for array in of_one] for of_one in zip(a, b)]
        with named():
            made = np.array([stages.alm2cl.of_work(a[0].size, lmax=lmax_out, **dict(
                zip(("alm", "alm2"), one[:len(sets)]))).host for one in members])
    return target.give(made.reshape(shape + (lmax_out + 1,)))


@_session.on_all_ranks
def almxfl(alm: Any, window: Any, *, lmax: Optional[int] = None, mmax: Optional[int] = None,
           out: Optional[Any] = None) -> Any:
    """Multiplies a_lm by a window: f_l a_lm; f_l is 0 beyond its end.

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
    host, lmax, mmax = _on_host("alm", alm, lmax, mmax)
    factors = _arrays.as_input("window", _arrays.brought_to_host("window", window), False)
    if factors.ndim > 1 and factors.shape[:-1] != host.shape[:-1]:
        raise ValueError(f"window: its shape is {factors.shape}; it must have one axis, or the "
                         f"leading axes {host.shape[:-1]} of alm")
    if factors.size == 0:
        raise ValueError("window: it is empty")
    target = _arrays.Target("alm", alm, out, host.shape, True)
    if host.shape[-1] > SMALL:
        with named(cl="window"):
            made = stages.filter_alm.of_work(
                host.size, alm=_fields(host, lmax, mmax),
                cl=Cl(factors.reshape(-1, factors.shape[-1]))._unchecked()).host
        return target.give(made.reshape(host.shape))
    n = min(factors.shape[-1], lmax + 1)
    window = np.zeros(factors.shape[:-1] + (lmax + 1,))
    window[..., :n] = factors[..., :n]
    window = window.take(_multipoles(lmax, mmax), -1)
    made = np.empty(host.shape, complex)
    np.multiply(host.real, window, made.real)
    np.multiply(host.imag, window, made.imag)
    made[..., :lmax + 1].imag = 0
    return target.give(made)


@_session.on_all_ranks
def rotate_alm(alm: Any, psi: float, theta: float, phi: float, *, lmax: Optional[int] = None,
               mmax: Optional[int] = None, out: Optional[Any] = None) -> Any:
    """Rotates the field by psi about z, then theta about y, then phi about z (radian).

    The result has mmax = lmax.

    >>> import armilla, numpy
    >>> alm = numpy.array([0, 1, 0], complex)
    >>> numpy.round(armilla.rotate_alm(alm, 0, numpy.pi / 2, 0), 6).real + 0
    array([ 0.      ,  0.      , -0.707107])
    """
    host, lmax, mmax = _on_host("alm", alm, lmax, mmax)
    with np.errstate(invalid="ignore"):  # the stage rejects NaN
        angles = {"psi": float(np.fmod(real("psi", psi), 2 * math.pi)),
                  "theta": real("theta", theta),
                  "phi": float(np.fmod(real("phi", phi), 2 * math.pi))}
    shape = host.shape[:-1] + (alm_size(lmax),)
    target = _arrays.Target("alm", alm, out, shape, True)
    with named():
        made = stages.rotate.of_work(host.size * lmax / 10, alm=_fields(host, lmax, mmax), **{
            name: f"{angle!r} rad" for name, angle in angles.items()})
    return target.give(made.host.reshape(shape))


@_session.on_all_ranks
def adjoint_rotate_alm(alm: Any, psi: float, theta: float, phi: float, *,
                       lmax: Optional[int] = None, mmax: Optional[int] = None) -> Any:
    """Applies the adjoint of rotate_alm, which is its inverse: it rotates the field back.

    `alm` has mmax = lmax, like the result of rotate_alm; the result has `mmax`, like the input of
    rotate_alm.

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
    """Draws Gaussian a_lm with given spectra; equal arguments give the same bits on all machines.

    Parameters
    ----------
    cl : real array [multipole] or [spectrum, multipole]
        Spectrum of one field; or TT, EE, BB, TE, or these and EB, TB, of T, E and B.
    lmax, mmax : int
        Highest multipole and order; by default lmax is the last multipole of cl, and mmax is lmax.
    seed, realisation : int
        Seed, and number of the realisation.
    copies : int
        Number of realisations: realisation, realisation + 1, and so on.

    Raises
    ------
    ValueError
        No fields can have these spectra: one is negative, or TE^2 exceeds TT EE (and so on) by more
        than a relative 1e-6, the rounding error of single precision. The stage random-alm has the
        same rule; armilla.healpy.synalm accepts such spectra as healpy does.

    Returns
    -------
    complex array [n_alm] or [3, n_alm], with a leading axis if `copies` is given

    Examples
    --------
    >>> import armilla, numpy
    >>> a = armilla.random_alm(numpy.ones(9), seed=1, copies=2)
    >>> b = armilla.random_alm(numpy.ones(9), seed=1, realisation=1)
    >>> a.shape, bool((a[1] == b).all())
    ((2, 45), True)
    """
    spectra = _arrays.as_input("cl", _arrays.brought_to_host("cl", cl), False)
    if spectra.ndim > 2 or (spectra.ndim == 2 and spectra.shape[0] not in (4, 6)):
        raise ValueError(f"cl: its shape is {spectra.shape}; it must be one spectrum, or four (TT, "
                         "EE, BB, TE), or six (and EB, TB)")
    seed = whole("seed", seed, 0, 2**64 - 1)
    realisation = whole("realisation", realisation, 0, 2**63 - 1 if copies is None else 2**53)
    copies = None if copies is None else whole("copies", copies, 1)
    lmax, mmax = degrees(spectra.shape[-1] - 1 if lmax is None else lmax, mmax)
    shape = () if copies is None else (copies,)
    shape += (alm_size(lmax, mmax),) if spectra.ndim == 1 else (3, alm_size(lmax, mmax))
    target = _arrays.Target("cl", cl, out, shape, True)
    if lmax >= spectra.shape[-1]:
        zeros = np.zeros(spectra.shape[:-1] + (lmax + 1 - spectra.shape[-1],))
        spectra = np.concatenate((spectra, zeros), axis=-1)
    given = Cl(spectra)
    if copies is None:
        with named(random_alm="cl"):
            made = stages.random_alm.of_work(math.prod(shape), cl=given, seed=seed,
                                             realisation=realisation, lmax=lmax, mmax=mmax).host
    else:
        drawn = {"stage": "random-alm", "cl": "cl", "seed": seed, "lmax": lmax, "mmax": mmax,
                 "realisation": f"${{index}} + {realisation}"}
        try:
            found = Workflow({"workflow": {"repeat": copies}, "alm": drawn}).run({"cl": given})["alm"]
        except _session.WorkflowError as error:
            error.args = (re.sub(r"\(text\):\S+ \[alm\]", "cl", str(error)),)
            raise
        made = np.stack([one.host for one in (found if isinstance(found, list) else [found])])
    return target.give(made.reshape(shape))
