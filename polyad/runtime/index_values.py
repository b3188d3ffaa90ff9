"""Index expressions for many instances at a time, by NumPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import islpy as isl
import numpy as np
import numpy.typing as npt

from polyad.ir.affine import Affine
from polyad.ir.expr import Access, Apply, Const, Expr, Index, Indirect, Read, Select
from polyad.ops import OPS
from polyad.runtime.arguments import NumpyArray
from polyad.semantics.interpret import affine_function

__all__ = ["elements_read", "index_values"]

Coordinates = Sequence[npt.NDArray[np.int64]]
"""The instances S[dims]: one array per dimension, all of one length."""


def index_values(
    index: Expr, dims: tuple[str, ...], sizes: Mapping[str, int], arrays: Mapping[str, NumpyArray], at: Coordinates
) -> npt.NDArray[np.int64]:
    """The values of an integer expression, one per instance.

    A read outside of its array gives any of its elements: that index is wrong itself, and has a check of its own.

    Args:
        index: over the instances S[dims].
        dims: the names of the dimensions.
        sizes: parameter -> value.
        arrays: name -> values of all arrays that it reads.
        at: the instances.
    """

    def value(expr: Expr) -> Any:
        match expr:
            case Const(number, dtype):
                return np.dtype(dtype).type(number)
            case Index(aff):
                return _affine([aff], dims, sizes, at)[0]
            case Read(array, access, _):
                data = arrays[array]
                if not data.size:
                    return data.dtype.type(0)
                where = elements_read(access, dims, sizes, arrays, at)
                return data[tuple(np.clip(w, 0, n - 1) for w, n in zip(where, data.shape, strict=True))]
            case Apply("cast", (inner,), dtype):
                return np.asarray(value(inner)).astype(dtype)
            case Apply(op, args, _):
                return OPS[op].value(*map(value, args))
            case Select(cond, a, b, _):
                return np.where(value(cond), value(a), value(b))
            case _:
                raise AssertionError(f"no expression: {expr}")

    with np.errstate(all="ignore"):
        found = np.asarray(value(index)).astype(np.int64)
    return np.broadcast_to(found, at[0].shape if at else (1,))


def elements_read(
    access: Access,
    dims: tuple[str, ...],
    sizes: Mapping[str, int],
    arrays: Mapping[str, NumpyArray],
    at: Coordinates,
) -> tuple[npt.NDArray[np.int64], ...]:
    """The element that an access names, one array per dimension, for instances as in `index_values`."""
    if isinstance(access, Indirect):
        return tuple(index_values(i, dims, sizes, arrays, at) for i in access.index)
    affs = [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]
    shape = at[0].shape if at else (1,)
    return tuple(np.broadcast_to(f, shape) for f in _affine(affs, dims, sizes, at))


def _affine(affs: Sequence[isl.Aff], dims: tuple[str, ...], sizes: Mapping[str, int], at: Coordinates) -> list[Any]:
    """The values of affine expressions; the function that computes one of numbers computes one of arrays."""
    function: Callable[[Any], Any] = affine_function([Affine.from_aff(a, dims) for a in affs], dims, sizes)
    return [np.asarray(f, np.int64) for f in function(at)]
