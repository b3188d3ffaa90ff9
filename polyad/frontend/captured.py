"""Arrays that a definition closes over: placeholders that carry their own data.

The values are those of the moment when the definition met the array. A copy is kept, because whoever owns the array may
change it in place, or give its memory back, before a kernel reads it.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from polyad.frontend.definition import Definition, TensorBase
from polyad.frontend.symbols import fresh
from polyad.ir.affine import Affine
from polyad.ir.array import Array

__all__ = ["captured"]

Values = np.ndarray[Any, Any]

_COPIES: WeakValueDictionary[tuple[Any, ...], Values] = WeakValueDictionary()
"""(address, shape, strides, type, element type) of an array -> the copy of it that some definition holds."""


def captured(values: Values, dtype: str) -> TensorBase:
    """A tensor of these values.

    Args:
        values: numbers of which `dtype` holds all.
        dtype: element type; "bool" is stored as int32.
    """
    stored = "int32" if dtype == "bool" else dtype
    key = fresh("constant")
    array = Array(key, tuple(map(Affine.of, values.shape)), stored, "input")
    return TensorBase(Definition({key: array}, (), (), {}, "", value=_copy(values, stored)), key, array.shape, dtype)


def _copy(values: Values, stored: str) -> Values:
    """A copy that nobody can change; one for all places where a function uses an array, as long as it does not change.

    Two arrays may have had one address after each other, so the elements are compared, bit by bit.
    """
    place = values.__array_interface__["data"][0], values.shape, values.strides, values.dtype.str, stored
    now = np.require(values, stored, ["C_CONTIGUOUS", "ALIGNED"]).reshape(values.shape)
    known = _COPIES.get(place)
    if known is not None and (not now.size or known.data.cast("B") == now.data.cast("B")):
        return known
    own = now.copy()
    own.flags.writeable = False
    _COPIES[place] = own
    return own
