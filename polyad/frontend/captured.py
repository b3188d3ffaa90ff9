"""Arrays that a definition closes over: placeholders that carry their own data."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyad.frontend.definition import Definition, TensorBase
from polyad.frontend.symbols import fresh
from polyad.ir.affine import Affine
from polyad.ir.array import Array

__all__ = ["captured"]


def captured(values: np.ndarray[Any, Any], dtype: str) -> TensorBase:
    """A tensor of these values.

    Args:
        values: numbers of which `dtype` holds all.
        dtype: element type; "bool" is stored as int32.
    """
    stored = "int32" if dtype == "bool" else dtype
    key = fresh("constant")
    array = Array(key, tuple(map(Affine.of, values.shape)), stored, "input")
    own = np.require(values, stored, ["C_CONTIGUOUS", "ALIGNED"]).reshape(values.shape)
    return TensorBase(Definition({key: array}, (), (), {}, "", value=own), key, array.shape, dtype)
