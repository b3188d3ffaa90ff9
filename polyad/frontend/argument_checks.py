"""Checks of arguments that are no tensors: flags, numbers, choices.

Python takes anything for a truth value: the text "none" would be a flag that is set, a shape a weight. So each of these
arguments is looked at, and the message says which it is, what was expected and what came.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from polyad.errors import DefinitionError, DTypeError
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Scalar, described, is_number
from polyad.frontend.tensor import Tensor

__all__ = ["choice", "flag", "function", "integer", "number", "several", "weight_tensor"]


def flag(value: Any, what: str) -> bool:
    """True or False.

    Raises:
        DTypeError: anything else, truth values of tensors included: they are not known while tracing.
    """
    if not isinstance(value, bool | np.bool_):
        raise DTypeError(f"{what} must be True or False, not {described(value)}")
    return bool(value)


def function(value: Any, what: str) -> Callable[..., Any]:
    """Something that can be called.

    Raises:
        DTypeError: anything else.
    """
    if not callable(value):
        raise DTypeError(f"{what} must be a function, not {described(value)}")
    return value  # type: ignore[no-any-return]  # callable says so


def several(value: Any, what: str) -> list[Any]:
    """The items of a list, a tuple or anything else that has items.

    Raises:
        DTypeError: it has none.
    """
    try:
        return list(value)
    except TypeError:
        raise DTypeError(f"{what} must be a list or a tuple, not {described(value)}") from None


def integer(value: Any, what: str) -> int:
    """An integer constant.

    Raises:
        DTypeError: anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise DTypeError(f"{what} must be an integer, not {described(value)}")
    return int(value)


def number(value: Any, what: str) -> Any:
    """A number: of Python, of NumPy, or a tensor without dimensions.

    Raises:
        DTypeError: anything else.
    """
    if isinstance(value, bool | np.bool_) or not (is_number(value) or isinstance(value, Tensor | Scalar | np.ndarray)):
        raise DTypeError(f"{what} must be a number, not {described(value)}")
    if getattr(value, "ndim", 0):
        raise DTypeError(f"{what} must be one number, not {value.ndim}-dimensional")
    return value


def choice(value: Any, known: Sequence[str], what: str) -> str:
    """One of several words.

    Raises:
        DefinitionError: another one.
    """
    if not isinstance(value, str) or value not in known:
        raise DefinitionError(f"{what} {described(value)} is not one of {', '.join(known)}")
    return value


def weight_tensor(value: Any, what: str) -> Tensor:
    """A tensor, array or number; no tuple or list, which is more often a shape given in its place.

    Raises:
        DTypeError: anything else.
    """
    if isinstance(value, tuple | list | bool | np.bool_):
        raise DTypeError(
            f"{what} must be a tensor or an array, not {described(value)}; make an array of it if it is one"
        )
    return as_tensor(value, what)
