# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of scalar arguments, numbers and texts, and a constant."""
from __future__ import annotations

import operator
from typing import Any, Optional

import numpy as np

LARGEST_INT = 2**31 - 1
UNSEEN = -1.6375e30  # HEALPix's value of a pixel without data


def whole(name: str, value: Any, min_value: int = -LARGEST_INT,
          max_value: int = LARGEST_INT) -> int:
    """Returns the value as an integer; raises TypeError if it is none, ValueError beyond the
    limits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r} is not a whole number") from None
    if not min_value <= number <= max_value:
        raise ValueError(f"{name}: {number} is not from {min_value} to {max_value}")
    return number


def real(name: str, value: Any) -> float:
    """Returns the value as a real number; raises TypeError if it is none."""
    if isinstance(value, float):
        return float(value)  # NumPy's float64 is a float, too, and is written in another way
    try:
        number = np.asarray(value)
    except ValueError:  # lists of several lengths
        number = np.empty(0)
    if number.ndim != 0 or number.dtype.kind not in "iufb":
        raise TypeError(f"{name}: {value!r} is not a real number")
    return float(number)


def text(name: str, value: Any) -> Optional[str]:
    """Returns the value, a text or None; raises TypeError if it is neither."""
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name}: {value!r} is not a text")
    return value
