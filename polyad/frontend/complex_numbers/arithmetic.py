"""Operators on complex numbers, as formulas in the parts.

    (a + b i) (c + d i) = (a c - b d) + (a d + b c) i
    (a + b i) / (c + d i): both numbers are divided by the larger of c and d first (Smith 1962), as NumPy does

Where one operand is real, the formula is the short one, and no zero is multiplied.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from polyad.errors import DTypeError
from polyad.frontend.broadcast import broadcast_index, broadcast_shapes
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.parts import is_complex, parts, whole_leaves
from polyad.frontend.pytrees import unflatten
from polyad.frontend.scalar import (
    COMPLEX_OPERATORS,
    Applied,
    IndexExpr,
    Number,
    Scalar,
    Selected,
    as_scalar,
    described,
    is_size,
)
from polyad.frontend.tensor import Tensor, define, elementwise, user_line
from polyad.frontend.weak import Kind, common_kind
from polyad.ir.affine import Affine

__all__ = ["alike", "binary", "cast_complex", "chosen", "pair", "selected"]


def pair(real: Any, imag: Any, dtype: str | None = None) -> ComplexTensor:
    """The complex number of two parts that broadcast against each other; its parts have one shape and type."""
    tensors = [t for t in (real, imag) if isinstance(t, Tensor)]
    free = [s for s in (real, imag) if isinstance(s, Scalar) and not is_size(s)]
    if not tensors or (free and not any(t.ndim for t in tensors)):
        a, b = (s if dtype is None else Applied("cast", (s,), dtype) for s in map(as_scalar, (real, imag)))
        return ComplexTensor(a, b)
    kinds = [Kind(t.dtype, t.strength) for t in tensors]
    if len(tensors) == 1:
        kinds.append(Kind("float64", "weak"))
    kind = common_kind(kinds)
    if dtype is not None:
        kind = Kind(dtype, "strong")
    elif "float" not in kind.dtype:
        kind = Kind("float64", kind.strength)
    shape = broadcast_shapes("a complex number", tensors)
    return ComplexTensor(_part(real, shape, kind), _part(imag, shape, kind))


def _part(x: Any, shape: Any, kind: Kind) -> Tensor:
    whole = tuple(e.affine if isinstance(e, IndexExpr) else Affine.of(e) for e in shape)
    if isinstance(x, Tensor) and Kind(x.dtype, x.strength) == kind and x.shape_affine == whole:
        return x

    def element(*index: Any) -> Scalar:
        own = x.element(broadcast_index(x, index, len(shape))) if isinstance(x, Tensor) else as_scalar(x)
        return Applied("cast", (own,), kind.dtype)

    made = define(shape, element, x.name if isinstance(x, Tensor) else "part")
    return replace(made, strength=kind.strength)


def cast_complex(x: Any, dtype: str) -> ComplexTensor:
    """A number or tensor, real or complex, with parts of an element type."""
    re, im = parts(x)
    return pair(re, Number(0.0) if im is None else im, dtype)


def alike(trees: Sequence[Any]) -> list[Any]:
    """Pytrees of one structure where a leaf that is complex in one of them is so in all; others stay as they are."""
    found = [whole_leaves(t)[1:] for t in trees]
    if any(structure != found[0][1] for _, structure in found):
        return list(trees)
    rows = [
        [x if isinstance(x, ComplexTensor) else pair(parts(x)[0], Number(0.0)) for x in row]
        if any(isinstance(x, ComplexTensor) for x in row)
        else row
        for row in zip(*(leaves for leaves, _ in found), strict=True)
    ]
    return [unflatten(found[0][1], [row[n] for row in rows]) for n in range(len(trees))]


def chosen(cond: Any, a: Any, b: Any) -> Any:
    """A where cond holds, else b, for real operands of any kind; neither is computed where it is not taken."""
    items = (cond, a, b)
    tensors = [v for v in items if isinstance(v, Tensor)]
    in_body = any(isinstance(v, Scalar) and not is_size(v) for v in items)
    if not tensors or (in_body and not any(t.ndim for t in tensors)):
        return Selected(*map(as_scalar, items))
    return selected(*items)


def selected(*args: Any) -> Tensor:
    """A where cond holds, else b, of cond, a, b element by element with broadcasting; one at least is a tensor."""
    shape = broadcast_shapes("select", [v for v in args if isinstance(v, Tensor)])

    def body(*index: IndexExpr) -> Scalar:
        return Selected(
            *(v.element(broadcast_index(v, index, len(shape))) if isinstance(v, Tensor) else as_scalar(v) for v in args)
        )

    return define(shape, body, "select")


def _add(a: Any, b: Any) -> ComplexTensor:
    (ar, ai), (br, bi) = parts(a), parts(b)
    imag = bi if ai is None else ai if bi is None else elementwise("add", ai, bi)
    return pair(elementwise("add", ar, br), imag)


def _sub(a: Any, b: Any) -> ComplexTensor:
    (ar, ai), (br, bi) = parts(a), parts(b)
    imag = elementwise("neg", bi) if ai is None else ai if bi is None else elementwise("sub", ai, bi)
    return pair(elementwise("sub", ar, br), imag)


def _mul(a: Any, b: Any) -> ComplexTensor:
    (ar, ai), (br, bi) = parts(a), parts(b)
    if ai is None or bi is None:
        x, (c, d) = (ar, (br, bi)) if ai is None else (br, (ar, ai))
        return pair(elementwise("mul", x, c), elementwise("mul", x, d))
    real = elementwise("sub", elementwise("mul", ar, br), elementwise("mul", ai, bi))
    return pair(real, elementwise("add", elementwise("mul", ar, bi), elementwise("mul", ai, br)))


def _div(a: Any, b: Any) -> ComplexTensor:
    (ar, ai), (c, d) = parts(a), parts(b)
    if d is None:
        return pair(elementwise("div", ar, c), elementwise("div", ai, c))
    ai = Number(0.0) if ai is None else ai
    first = elementwise("ge", elementwise("abs", c), elementwise("abs", d))
    large, small = chosen(first, c, d), chosen(first, d, c)
    ratio = chosen(elementwise("eq", large, Number(0.0)), Number(0.0), elementwise("div", small, large))
    below = elementwise("add", large, elementwise("mul", small, ratio))
    x, y = chosen(first, ar, ai), chosen(first, ai, ar)  # with c + d i turned by a right angle where d is larger
    real = elementwise("add", x, elementwise("mul", y, ratio))
    imag = elementwise("sub", y, elementwise("mul", x, ratio))
    imag = chosen(first, imag, elementwise("neg", imag))
    return pair(elementwise("div", real, below), elementwise("div", imag, below))


def _pow(a: Any, b: Any) -> ComplexTensor:
    """Products, by squaring.

    Raises:
        DTypeError: the exponent is no integer that is known while tracing.
    """
    real = isinstance(b, numbers.Real | np.number) and not isinstance(b, np.ndarray)
    if not real or float(b) != int(b):
        raise DTypeError(
            f"{user_line()}: ** of complex numbers takes an integer that is known while tracing, not {described(b)}; "
            "write exp(y * log(x)), whose cut is along the negative real numbers"
        )
    n, square, result = abs(int(b)), a, None
    while n:
        if n % 2:
            result = square if result is None else _mul(result, square)
        n //= 2
        square = _mul(square, square) if n else square
    if result is None:
        re, im = parts(a)
        return pair(elementwise("pow", re, Number(0)), elementwise("mul", Number(0.0), im))
    return _div(1.0, result) if b < 0 else result


def _equal(op: str) -> Callable[[Any, Any], Any]:
    def compare(a: Any, b: Any) -> Any:
        (ar, ai), (br, bi) = parts(a), parts(b)
        zero = Number(0.0)
        imag = elementwise(op, zero if ai is None else ai, zero if bi is None else bi)
        return elementwise("and" if op == "eq" else "or", elementwise(op, ar, br), imag)

    return compare


_RULES: dict[str, Callable[[Any, Any], Any]] = {
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "div": _div,
    "pow": _pow,
    "eq": _equal("eq"),
    "ne": _equal("ne"),
}


def binary(op: str, a: Any, b: Any) -> Any:
    """A binary operator of which an operand is complex.

    Raises:
        DTypeError: it is not defined for complex numbers.
    """
    rule = _RULES.get(op)
    if rule is None:
        raise DTypeError(
            f"{user_line()}: {op} is not defined for complex numbers: take abs(z), z.real or z.imag of the operands"
        )
    return rule(a, b)


def _method(op: str, swap: bool = False) -> Callable[[ComplexTensor, Any], Any]:
    def method(self: ComplexTensor, other: Any) -> Any:
        if not is_complex(other) and not isinstance(other, Tensor | Scalar | numbers.Real | np.ndarray | np.number):
            return NotImplemented
        return binary(op, other, self) if swap else binary(op, self, other)

    return method


def _negative(z: ComplexTensor) -> ComplexTensor:
    return ComplexTensor(elementwise("neg", z.real), elementwise("neg", z.imag))


for _name, _op in {"add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "pow": "pow"}.items():
    setattr(ComplexTensor, f"__{_name}__", _method(_op))
    setattr(ComplexTensor, f"__r{_name}__", _method(_op, swap=True))
for _op in ("lt", "le", "gt", "ge", "eq", "ne", "floordiv", "mod"):
    setattr(ComplexTensor, f"__{_op}__", _method(_op))
for _op in ("floordiv", "mod"):
    setattr(ComplexTensor, f"__r{_op}__", _method(_op, swap=True))
for _name, _function in {
    "neg": _negative,
    "pos": lambda self: self,
    "abs": lambda self: elementwise("hypot", self.real, self.imag),
}.items():
    setattr(ComplexTensor, f"__{_name}__", _function)
for _op in (*_RULES, "lt", "le", "gt", "ge", "floordiv", "mod", "and", "or"):
    COMPLEX_OPERATORS[_op] = partial(binary, _op)
