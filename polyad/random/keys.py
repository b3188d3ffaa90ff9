"""Keys: two words of 32 bits, an array uint32[2], as `jax.random` has them in its keys of type threefry2x32.

What is made of numbers and of keys of NumPy is computed at once and is an array of NumPy; what is made of tensors is a
tensor. Both have the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, Selected, as_index, described, is_number
from polyad.frontend.tensor import Tensor, as_shape, define, user_line
from polyad.ir.element_types import holds, is_integer
from polyad.random.threefry import Words, hashed, hashed_values

__all__ = ["PRNGKey", "counted", "fold_in", "key", "key_tensor", "split", "word"]

_ALL = (1 << 32) - 1


def word(value: Any) -> Scalar:
    """A scalar as a word of 32 bits."""
    return Applied("cast", (value,), "uint32")


def key(seed: Any) -> Any:
    """The key of a seed: its upper and its lower 32 bits, as `jax.random.key_data(jax.random.key(seed))` has them.

    Args:
        seed: an integer, of which JAX, where it computes with 32 bits, sees the lower 32 alone; or an integer tensor.

    Returns:
        uint32[2]: an array of NumPy, of a tensor a tensor.

    Raises:
        DTypeError: no integer of 64 bits.
    """
    if isinstance(seed, Tensor):
        return _traced_key(seed)
    if not is_number(seed) or not isinstance(seed, int | np.integer) or isinstance(seed, bool):
        raise DTypeError(f"{user_line()}: key: a seed is an integer, not {described(seed)}")
    number = int(seed)
    if not -(1 << 63) <= number <= 1 << 64:
        raise DTypeError(f"{user_line()}: key: {number} is no integer of 64 bits")
    upper = 0 if holds("int32", number) else number >> 32
    return np.array([upper & _ALL, number & _ALL], np.uint32)


PRNGKey = key


def _traced_key(seed: Tensor) -> Tensor:
    if seed.ndim or not is_integer(seed.dtype):
        raise DTypeError(
            f"{user_line()}: key: a seed is one integer, {seed.name} is {seed.dtype} with {seed.ndim} dimensions"
        )
    own = seed.element(())
    upper = word(own >> 32) if seed.dtype == "int64" else Number(0)
    return define((2,), lambda i: Selected(Applied("eq", (i, as_index(0, "index"))), upper, word(own)), "key", "uint32")


def key_tensor(key: Any, what: str) -> Tensor:
    """A key as a tensor.

    Raises:
        DTypeError: another element type than uint32.
        ShapeError: another shape than (2,).
    """
    found = as_tensor(key, f"{what}: key")
    if found.dtype != "uint32":
        raise DTypeError(
            f"{user_line()}: {what}: a key is uint32[2], made by pa.random.key(seed); {found.name} is {found.dtype}"
        )
    if [e.constant if e.is_constant else None for e in found.shape_affine] != [2]:
        raise ShapeError(
            f"{user_line()}: {what}: a key is uint32[2], {found.name} has the shape {found.shape}; for many keys, draw "
            "under pa.vmap"
        )
    return found


def counted(shape: Sequence[IndexExpr], index: Sequence[IndexExpr]) -> Words:
    """The position of an element in row-major order, as two words: the upper one is known to be 0 of small shapes."""
    flat: Scalar = as_index(0, "position")
    for extent, i in zip(shape, index, strict=True):
        flat = flat * extent + i
    known = [e.affine.constant for e in shape if e.affine.is_constant]
    small = len(known) == len(shape) and math.prod(known) <= 1 << 32
    return Number(0) if small else word(Applied("right_shift", (flat, Number(32)))), word(flat)


def split(key: Any, num: Any = 2) -> Any:
    """Several keys of one, as `jax.random.split`; the numbers drawn with them have nothing to do with each other.

    Args:
        key: uint32[2]; it should not be used for anything else.
        num: how many, or a shape of them; sizes where the key is a tensor.

    Returns:
        uint32[num, 2]: an array of NumPy where the key is one.

    Raises:
        DTypeError, ShapeError: no key.
    """
    shape = as_shape(num)
    if not isinstance(key, Tensor) and all(n.affine.is_constant for n in shape):
        given = _own_key(key, "split")
        sizes = [n.affine.constant for n in shape]
        place = np.arange(math.prod(sizes), dtype=np.uint64).reshape(sizes)
        words = (place >> np.uint64(32)).astype(np.uint32), place.astype(np.uint32)
        return np.stack(np.broadcast_arrays(*hashed_values(given, words)), axis=-1)
    x0, x1 = hashed(key_tensor(key, "split"), lambda i: counted(shape, i), shape)

    def body(*index: IndexExpr) -> Scalar:
        *place, which = index
        return Selected(Applied("eq", (which, as_index(0, "index"))), x0.element(place), x1.element(place))

    return define((*shape, as_index(2, "extent")), body, "keys")


def fold_in(key: Any, data: Any) -> Any:
    """Another key, from a key and a number of 32 bits, as `jax.random.fold_in`.

    Args:
        key: uint32[2].
        data: an integer, or an integer tensor without dimensions: the number of a step, say.

    Returns:
        uint32[2]: an array of NumPy where both are of NumPy or Python.

    Raises:
        DTypeError, ShapeError: no key, or no integer.
    """
    if not isinstance(key, Tensor) and is_number(data) and isinstance(data, int | np.integer):
        counter = np.zeros(1, np.uint32), np.array([int(data) & _ALL], np.uint32)
        return np.concatenate(hashed_values(_own_key(key, "fold_in"), counter))
    given = as_tensor(data, "fold_in: data")
    if given.ndim or not is_integer(given.dtype):
        raise DTypeError(
            f"{user_line()}: fold_in: data is one integer, {given.name} is {given.dtype} with {given.ndim} dimensions"
        )
    x0, x1 = hashed(key_tensor(key, "fold_in"), lambda i: (Number(0), word(given.element(()))), ())
    first = as_index(0, "index")
    return define((2,), lambda i: Selected(Applied("eq", (i, first)), x0.element(()), x1.element(())), "key")


def _own_key(key: Any, what: str) -> np.ndarray[Any, Any]:
    """A key of NumPy, with the checks of `key_tensor`."""
    key_tensor(key, what)
    return np.asarray(key)
