"""Scalar expressions as users write them inside `compute`: trees with Python operators.

    Scalar ::= Number | IndexExpr | Element(tensor, indices) | Applied(op, args) | Selected(cond, a, b)
             | Reduced(kind, axes, body)

They are lowered to `polyad.ir` expressions by `lower.py`.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from polyad.errors import DefinitionError, DTypeError, ShapeError
from polyad.frontend.definition import TensorBase, plain
from polyad.frontend.symbols import Axis, Symbols, merge_symbols
from polyad.ir.affine import Affine
from polyad.ir.element_types import instead_of

__all__ = [
    "COMPLEX_OPERATORS",
    "Applied",
    "Element",
    "IndexExpr",
    "Number",
    "Reduced",
    "Scalar",
    "Selected",
    "as_index",
    "as_scalar",
    "attains",
    "described",
    "is_number",
    "is_size",
    "number",
]

_LARGEST = 1023
"""Digits of two that an integer may have which every float holds at least roughly."""


COMPLEX_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {}
"""Operators of which an operand is a complex number, filled by `polyad.frontend.complex_numbers`."""


def is_number(value: object) -> bool:
    """Python and NumPy numbers and truth values (not arrays)."""
    return isinstance(value, numbers.Real | np.number | np.bool_) and not isinstance(value, np.ndarray)


class Scalar:
    """Base: Python operators build trees."""

    __slots__ = ()
    __array_ufunc__ = None  # numpy scalars on the left defer to us

    def _binary(self, op: str, other: Any, swap: bool = False) -> Any:
        if isinstance(other, complex | np.complexfloating):
            return COMPLEX_OPERATORS[op](*((other, self) if swap else (self, other)))
        if not (isinstance(other, Scalar | TensorBase) or is_number(other)):
            return NotImplemented
        if isinstance(other, TensorBase) and (other.ndim or is_size(self)):
            return NotImplemented  # the tensor's own operator makes a tensor
        a, b = as_scalar(self), as_scalar(other)
        return Applied(op, (b, a) if swap else (a, b))

    def __add__(self, o: Any) -> Any:
        return self._binary("add", o)

    def __radd__(self, o: Any) -> Any:
        return self._binary("add", o, True)

    def __sub__(self, o: Any) -> Any:
        return self._binary("sub", o)

    def __rsub__(self, o: Any) -> Any:
        return self._binary("sub", o, True)

    def __mul__(self, o: Any) -> Any:
        return self._binary("mul", o)

    def __rmul__(self, o: Any) -> Any:
        return self._binary("mul", o, True)

    def __truediv__(self, o: Any) -> Any:
        return self._binary("div", o)

    def __rtruediv__(self, o: Any) -> Any:
        return self._binary("div", o, True)

    def __floordiv__(self, o: Any) -> Any:
        return self._binary("floordiv", o)

    def __rfloordiv__(self, o: Any) -> Any:
        return self._binary("floordiv", o, True)

    def __mod__(self, o: Any) -> Any:
        return self._binary("mod", o)

    def __rmod__(self, o: Any) -> Any:
        return self._binary("mod", o, True)

    def __pow__(self, o: Any) -> Any:
        return self._binary("pow", o)

    def __rpow__(self, o: Any) -> Any:
        return self._binary("pow", o, True)

    def __neg__(self) -> Any:
        return Applied("neg", (self,))

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return Applied("abs", (self,))

    def __lt__(self, o: Any) -> Any:
        return self._binary("lt", o)

    def __le__(self, o: Any) -> Any:
        return self._binary("le", o)

    def __gt__(self, o: Any) -> Any:
        return self._binary("gt", o)

    def __ge__(self, o: Any) -> Any:
        return self._binary("ge", o)

    def __eq__(self, o: object) -> Any:
        return self._binary("eq", o)

    def __ne__(self, o: object) -> Any:
        return self._binary("ne", o)

    # Attached by polyad.frontend.operators, as those of tensors are.
    __and__: Callable[..., Any]
    __rand__: Callable[..., Any]
    __or__: Callable[..., Any]
    __ror__: Callable[..., Any]
    __xor__: Callable[..., Any]
    __rxor__: Callable[..., Any]
    __lshift__: Callable[..., Any]
    __rlshift__: Callable[..., Any]
    __rshift__: Callable[..., Any]
    __rrshift__: Callable[..., Any]

    def __invert__(self) -> Any:
        return Applied("bitwise_not", (self,))

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise DefinitionError(
            f"the truth of {self} is not known while the program is being defined: use pa.select(cond, a, b) instead "
            "of if / and / or / not (and & | ~ to combine conditions)"
        )

    def __float__(self) -> float:
        raise DefinitionError(f"{self} has no value while the program is being defined")

    def __iter__(self) -> Any:
        raise DefinitionError(f"{self} is one number and cannot be iterated over")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Number(Scalar):
    """A Python number: takes the type of what it meets."""

    value: float | int | bool

    def __repr__(self) -> str:
        return repr(self.value)


def number(value: Any) -> Number:
    """A number of Python or NumPy, or an array of one, as one that a program holds.

    Raises:
        DTypeError: no real number, or an integer that is too large even for a float.
    """
    own = value.item() if isinstance(value, np.generic | np.ndarray) else value
    if isinstance(own, int):
        if own.bit_length() > _LARGEST:
            raise DTypeError(f"an integer of {own.bit_length()} bits is larger than any float; write float('inf')")
        return Number(own)
    if not isinstance(own, numbers.Real):
        raise DTypeError(f"{described(value)} cannot become a number; {instead_of(np.asarray(value).dtype)}")
    return Number(float(own))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IndexExpr(Scalar):
    """A quasi-affine expression of axes and sizes; an index, an extent, or a value."""

    affine: Affine
    symbols: Symbols

    def __repr__(self) -> str:
        return plain(str(self.affine))

    @property
    def axes(self) -> list[Axis]:
        """The axes that occur."""
        names = self.affine.names()
        return [s for n, s in self.symbols.items() if isinstance(s, Axis) and n in names]

    def _with(self, affine: Affine, *others: Symbols) -> IndexExpr:
        return IndexExpr(affine, merge_symbols(self.symbols, *others))

    def _affine_of(self, other: Any) -> IndexExpr | None:
        if isinstance(other, IndexExpr):
            return other
        if isinstance(other, int | np.integer) and not isinstance(other, bool):
            return IndexExpr(Affine.of(int(other)), {})
        return None

    def __add__(self, o: Any) -> Any:
        other = self._affine_of(o)
        return self._with(self.affine + other.affine, other.symbols) if other is not None else Scalar.__add__(self, o)

    __radd__ = __add__

    def __sub__(self, o: Any) -> Any:
        other = self._affine_of(o)
        return self._with(self.affine - other.affine, other.symbols) if other is not None else Scalar.__sub__(self, o)

    def __rsub__(self, o: Any) -> Any:
        other = self._affine_of(o)
        return self._with(other.affine - self.affine, other.symbols) if other is not None else Scalar.__rsub__(self, o)

    def __mul__(self, o: Any) -> Any:
        other = self._affine_of(o)
        if other is not None:
            if other.affine.is_constant:
                return self._with(self.affine * other.affine.constant)
            if self.affine.is_constant:
                return other._with(other.affine * self.affine.constant)
        return Scalar.__mul__(self, o)

    __rmul__ = __mul__

    def _divisor(self, o: Any) -> int | None:
        other = self._affine_of(o)
        if other is None or not other.affine.is_constant:
            return None
        if other.affine.constant <= 0:
            raise DefinitionError(f"{self} // {o}: only division by a positive integer constant is quasi-affine")
        return other.affine.constant

    def __floordiv__(self, o: Any) -> Any:
        d = self._divisor(o)
        return self._with(self.affine // d) if d else Scalar.__floordiv__(self, o)

    def __mod__(self, o: Any) -> Any:
        d = self._divisor(o)
        return self._with(self.affine % d) if d else Scalar.__mod__(self, o)

    def __neg__(self) -> Any:
        return self._with(-self.affine)

    def __hash__(self) -> int:
        return hash(self.affine)

    def __index__(self) -> int:
        if self.affine.is_constant:
            return self.affine.constant
        raise DefinitionError(f"{self} is symbolic and has no integer value while the program is being defined")

    __int__ = __index__


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Element(Scalar):
    """tensor[indices]; an index that is not an `IndexExpr` is a data-dependent one."""

    tensor: TensorBase
    indices: tuple[Scalar, ...]

    def __repr__(self) -> str:
        return f"{self.tensor.name}[{', '.join(map(str, self.indices))}]"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Applied(Scalar):
    """A scalar operator; `dtype` is given for casts only."""

    op: str
    args: tuple[Scalar, ...]
    dtype: str | None = None

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(str, self.args))})"

    def __bool__(self) -> bool:
        """Comparisons of sizes are decided where the answer is the same for all sizes."""
        match self:
            case Applied(op, (IndexExpr() as a, IndexExpr() as b)) if not a.axes and not b.axes:
                difference = a.affine - b.affine
                if difference.is_constant:
                    d = difference.constant
                    return {"eq": d == 0, "ne": d != 0, "lt": d < 0, "le": d <= 0, "gt": d > 0, "ge": d >= 0}.get(
                        op, False
                    )
                if op in ("eq", "ne"):
                    return op == "ne"
            case Applied("eq" | "ne", (IndexExpr(), _)) | Applied("eq" | "ne", (_, IndexExpr())):
                return False
        return Scalar.__bool__(self)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Selected(Scalar):
    """a where cond else b."""

    cond: Scalar
    a: Scalar
    b: Scalar

    def __repr__(self) -> str:
        return f"select({self.cond}, {self.a}, {self.b})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reduced(Scalar):
    """kind over axes of body; kind is sum, prod, max, min, argmax or argmin."""

    kind: str
    axes: tuple[Axis, ...]
    body: Scalar

    def __repr__(self) -> str:
        return f"{self.kind}({self.body}, axis={', '.join(a.hint for a in self.axes)})"


def is_size(value: object) -> bool:
    """Numbers, sizes and what is computed from them alone: the same wherever it stands, and no value of a body."""
    match value:
        case Number():
            return True
        case IndexExpr():
            return not value.axes
        case Applied(args=args):
            return all(map(is_size, args))
        case _:
            return False


def described(value: Any) -> str:
    """A value for a message: arrays by type and shape, anything else as Python writes it, cut short."""
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} of shape {value.shape}"
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def attains(kind: str, value: Scalar, optimum: Scalar) -> Scalar:
    """Whether a value is the `kind` (max or min) it was compared for; see `polyad.ops.comparison.attains`."""
    return Applied("or", (Applied("ge" if kind == "max" else "le", (value, optimum)), Applied("isnan", (value,))))


def as_index(value: Any, what: str) -> IndexExpr:
    """An integer or an index expression.

    Raises:
        DTypeError: neither.
    """
    if isinstance(value, IndexExpr):
        return value
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return IndexExpr(Affine.of(int(value)), {})
    raise DTypeError(f"{what} must be an integer or an expression of sizes and axes, not {described(value)}")


def as_scalar(value: Any) -> Scalar:
    """A scalar expression from anything a body may contain.

    Raises:
        ShapeError: a whole tensor stands where one number is needed.
        DTypeError: something else entirely.
    """
    if isinstance(value, Scalar):
        return value
    if isinstance(value, TensorBase):
        if value.ndim:
            raise ShapeError(
                f"tensor {value.name!r} with {value.ndim} dimensions stands where one number is needed: index it, "
                f"{value.name}[{', '.join('ijklmn'[: value.ndim])}]"
            )
        return Element(value, ())
    if is_number(value) or (isinstance(value, np.ndarray) and not value.ndim):
        return number(value)
    raise DTypeError(f"{described(value)} ({type(value).__name__}) is not a number, an index or an element of a tensor")
