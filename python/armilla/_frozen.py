# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects whose attributes cannot be changed."""
from __future__ import annotations

from typing import Any, NoReturn


class Frozen:
    """Base class whose attributes are checked once, at construction; the library relies on them
    later."""

    def _set(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: Any) -> None:
        self._refuse(name)

    def __delattr__(self, name: str) -> None:
        self._refuse(name)

    def _refuse(self, name: str) -> NoReturn:
        raise AttributeError(f"{name}: attributes of armilla.{type(self).__name__} cannot be "
                             "changed; make a new object")
