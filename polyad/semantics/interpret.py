"""Expressions as Python functions of an instance, at given sizes.

Floats are computed in float64 whatever the type of the array, integers in int64, of which those of 32 bits keep what
they hold (`wrapped`); NumPy's scalars give IEEE results
(inf, nan) where Python would raise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import islpy as isl
import numpy as np

from polyad.ir.affine import Affine
from polyad.ir.element_types import is_integer, wrapped
from polyad.ir.expr import Access, Apply, Const, Expr, Index, Indirect, Read, Select
from polyad.ops import OPS
from polyad.semantics.points import Point

__all__ = ["Scalar", "affine_function", "expression_function", "index_function", "scalar"]

Scalar = Any  # np.float64, np.int64 or np.bool_
_NARROW = ("int32", "uint32")
Fetch = Callable[[Read, Point, Point], Scalar]


def scalar(value: float | int | bool, dtype: str) -> Scalar:
    """A number as held during evaluation: float64 for floats, int64 for integers."""
    if "float" in dtype:
        return np.float64(value)
    return np.bool_(value) if dtype == "bool" else np.int64(value)


def affine_function(
    expressions: Sequence[Affine], dims: Sequence[str], sizes: Mapping[str, int]
) -> Callable[[Point], Point]:
    """point -> values of the expressions. Compiled, because it runs for every access of every instance."""
    at = {d: f"p[{i}]" for i, d in enumerate(dims)}
    spelled = [
        e.render(lambda n: at.get(n) or f"({sizes[n]})", lambda num, den: f"(({num}) // {den})") for e in expressions
    ]
    function: Callable[[Point], Point] = eval(f"lambda p: ({''.join(f'{s}, ' for s in spelled)})")
    return function


def index_function(access: isl.MultiAff, dims: tuple[str, ...], sizes: Mapping[str, int]) -> Callable[[Point], Point]:
    """point -> index of the element, for an access { S[dims] -> a[index] }."""
    affs = [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]
    return affine_function([Affine.from_aff(a, dims) for a in affs], dims, sizes)


def expression_function(
    expr: Expr, dims: tuple[str, ...], sizes: Mapping[str, int], fetch: Fetch
) -> Callable[[Point], Scalar]:
    """point -> value of the expression.

    Args:
        expr: an expression over the instances S[dims].
        dims: the names of the instance's dimensions.
        sizes: parameter -> value.
        fetch: (read, instance, element index) -> value of the element; called for both sides of a select, as
            dependences and index checks count both.
    """

    def build(node: Expr) -> Callable[[Point], Scalar]:
        match node:
            case Const(value, dtype):
                constant = scalar(value, dtype)
                return lambda p: constant
            case Index(value):
                position = affine_function([Affine.from_aff(value, dims)], dims, sizes)
                return lambda p: np.int64(position(p)[0])
            case Read(_, access, _):
                element = element_function(access)
                return lambda p: fetch(node, p, element(p))
            case Apply("cast", (inner,), dtype):
                argument, source = build(inner), inner.dtype
                return lambda p: _convert(argument(p), source, dtype)
            case Apply(op, (inner,), dtype):
                unary, argument = OPS[op].value, build(inner)
                if dtype in _NARROW:
                    return lambda p: wrapped(unary(argument(p)), dtype)
                return lambda p: unary(argument(p))
            case Apply(op, (left, right), dtype):
                binary, first, second = OPS[op].value, build(left), build(right)
                if dtype in _NARROW:
                    return lambda p: wrapped(binary(first(p), second(p)), dtype)
                return lambda p: binary(first(p), second(p))
            case Select(cond, a, b, _):
                test, yes, no = build(cond), build(a), build(b)

                def choose(p: Point) -> Scalar:
                    chosen, y, n = test(p), yes(p), no(p)
                    return y if chosen else n

                return choose
            case _:
                raise AssertionError(f"an operator of the table has one or two arguments: {node}")

    def element_function(access: Access) -> Callable[[Point], Point]:
        if isinstance(access, Indirect):
            parts = [build(i) for i in access.index]
            return lambda p: tuple(int(part(p)) for part in parts)
        return index_function(access, dims, sizes)

    return build(expr)


def _convert(value: Scalar, source: str, target: str) -> Scalar:
    """A conversion as C does it, but for float32, which is held as float64 here. Integers wrap around."""
    if "float" in target:
        return wrapped(np.float64(value), target)
    assert is_integer(target), f"{source} is converted to {target}"
    return wrapped(np.int64(np.asarray(value).astype(np.int64)), target)
