"""NumPy's constants and element types, which are NumPy's own."""

from __future__ import annotations

from numpy import (
    bool_,
    e,
    euler_gamma,
    finfo,
    float32,
    float64,
    iinfo,
    inf,
    int8,
    int16,
    int32,
    int64,
    nan,
    newaxis,
    pi,
    uint8,
    uint16,
    uint32,
)

__all__ = [
    "bool_",
    "e",
    "euler_gamma",
    "finfo",
    "float32",
    "float64",
    "iinfo",
    "inf",
    "int16",
    "int32",
    "int64",
    "int8",
    "nan",
    "newaxis",
    "pi",
    "uint16",
    "uint32",
    "uint8",
]
