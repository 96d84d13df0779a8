# SPDX-License-Identifier: GPL-3.0-or-later
"""Random a_lm from a matrix of spectra in either of healpy's two orders."""
from __future__ import annotations

from typing import Any, List, Optional

import numpy as np

from . import alm as _alm


def _orders(n: int, new: bool) -> List[tuple]:
    """Returns the pairs of fields of all spectra, in the order by diagonal or by row."""
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    return sorted(pairs, key=lambda pair: pair[1] - pair[0]) if new else pairs


def _matrix(cls: Any, lmax: int, new: bool) -> np.ndarray:
    """Returns the spectra as matrices [multipole][field][field]; 0 for missing spectra and beyond
    the end of a spectrum."""
    spectra = list(cls)
    n = int((np.sqrt(8 * len(spectra) + 1) - 1) / 2 + 0.5)
    if len(spectra) == 4:
        n = 3
        order = [(0, 0), (1, 1), (2, 2), (0, 1)] if new else [(0, 0), (0, 1), (1, 1), (2, 2)]
    elif n * (n + 1) // 2 == len(spectra):
        order = _orders(n, new)
    else:
        raise TypeError(f"cls: there are {len(spectra)} spectra; there must be 4 or n (n + 1) / 2")
    matrix = np.zeros((lmax + 1, n, n))
    for (i, j), spectrum in zip(order, spectra):
        if spectrum is not None:
            values = np.asarray(spectrum, np.float64)[:lmax + 1]
            matrix[:values.size, i, j] = matrix[:values.size, j, i] = values
    return matrix


def _root(matrix: np.ndarray) -> np.ndarray:
    """Returns the lower triangles whose products with their transposes are the matrices.

    As in healpy, which accepts measured spectra, a field without remaining variance (0, or negative
    because of a negative spectrum or a too large cross spectrum) has no independent part.
    """
    if not np.isfinite(matrix).all():
        raise ValueError("cls: there are NaN or infinite numbers")
    root = np.zeros_like(matrix)
    for j in range(matrix.shape[1]):
        rest = matrix[:, j:, j] - np.einsum("lik,lk->li", root[:, j:, :j], root[:, j, :j])
        # Rounding errors of a field that depends on the others become 0, as in random_alm().
        some = rest[:, 0] > 1e-14 * np.abs(matrix[:, j, j])
        root[some, j:, j] = rest[some] / np.sqrt(rest[some, :1])
    return root


def synalm(cls: Any, lmax: Optional[int] = None, mmax: Optional[int] = None, new: bool = False,
           verbose: bool = True, *, seed: Optional[int] = None) -> np.ndarray:
    """Draws random a_lm with a spectrum, [n_alm]; or with a list of spectra, [field, n_alm].

    For n fields there are n (n + 1) / 2 spectra, by row (TT, TE, TB, EE, EB, BB), or with `new` by
    diagonal (TT, EE, BB, TE, EB, TB); or four: TT, TE, EE, BB, or with `new` TT, EE, BB, TE. None
    means a spectrum of 0. If no fields can have the spectra, such as noisy measured ones, a_lm are
    drawn with the part of the matrices that Cholesky factors can represent, as in healpy;
    armilla.random_alm() rejects such spectra.

    The numbers differ from healpy's; they are the same for equal `seed`. If not given, the seed is
    drawn from NumPy's global generator, so that numpy.random.seed() has the same effect as with
    healpy.

    >>> synalm([1.0, 1.0, 1.0], seed=1).shape, synalm([[1.0, 1.0], None, [1.0]], seed=1).shape
    ((6,), (2, 3))
    """
    if len(cls) == 0:
        raise ValueError("cls: it is empty")
    given = [cls] if np.ndim(cls[0]) == 0 and cls[0] is not None else list(cls)
    if lmax is None or lmax < 0:
        lmax = max(len(spectrum) for spectrum in given if spectrum is not None) - 1
    mmax = lmax if mmax is None or mmax < 0 else mmax
    if seed is None:
        seed = int(np.random.randint(0, 2**63 - 1, dtype=np.int64))
    root = _root(_matrix(given, lmax, new))
    n = root.shape[1]
    white = _alm.random_alm(np.ones(lmax + 1), lmax, mmax, seed=seed, copies=n)
    result = np.array([sum(_alm.almxfl(white[j], root[:, i, j], lmax=lmax, mmax=mmax)
                           for j in range(i + 1)) for i in range(n)])
    return result[0] if given[0] is cls else result
