"""The table of scalar operators, and `apply`, which builds expressions from it.

One operator is one entry: value, partial derivatives, C spelling, result type, cost, sample interval. Gradient, codegen
and documentation tests walk the table, so a new entry is picked up by all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from polyad.errors import DefinitionError, DTypeError
from polyad.ir.element_types import COMPUTED, computed, is_integer, wrapped
from polyad.ir.expr import Apply, Const, Expr, Select
from polyad.machine import Like, Machine

__all__ = ["OPS", "ScalarOp", "apply", "binary", "cast", "const", "is_number", "promote", "register", "select", "unary"]

Kind = Literal["float", "same", "bool", "logical", "integer", "cast"]
Partials = Callable[[tuple[Expr, ...], Expr], tuple[Expr | None, ...]]
Slope = Callable[[Expr, Expr], Expr | None]
Fold = Callable[[tuple[Expr, ...]], Expr | None]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ScalarOp:
    """A scalar operator y = op(x0, x1, ...).

    Attributes:
        name: its name in expressions.
        arity: number of arguments.
        value: NumPy evaluation, element-wise (the oracle).
        partials: (arguments, result) -> dy/dx_i as expressions, None where it is zero everywhere it exists; prefer the
            result to the arguments. The whole entry is None for an operator without derivatives (comparisons).
        c: C spelling, `{0}`, `{1}` the arguments, `{f}` the suffix f32 / f64 / i32 / i64 / u32 of their common type; a
            conversion uses `{t}`, the C type of the result.
        kind: result type: "float" (integers become float64), "same" (promoted), "bool" (a truth value of numbers),
            "logical" (a truth value of truth values), "integer" (promoted, of integers), "cast".
        cost: in additions of `MACHINE`: 0 free, 1 arithmetic, 4 a division, 20 a transcendental function.
        like: what it takes longer with on other machines.
        cheap: the same with arguments of which it takes little, None with others.
        once: it takes one number, and is so many instructions of the runtime header that a vector loop with many calls
            has it compiled once for all of them.
        sample: one open interval per argument on which it is differentiable, for the table tests.
        fold: simplification of an application, or None; applications to constants alone are folded without it.
        written: how users write it where that is no call of a function of its name; "" where derivatives make it only.
        doc: one line for the reference page.
    """

    name: str
    arity: int
    value: Callable[..., Any]
    partials: Partials | None
    c: str
    kind: Kind
    cost: int
    sample: tuple[Interval, ...]
    fold: Fold | None = None
    written: str | None = None
    doc: str = ""
    like: Like = "addition"
    cheap: Callable[[tuple[Expr, ...]], int | None] | None = None
    once: bool = False

    def cost_on(self, machine: Machine) -> int:
        """Its cost in additions of a machine."""
        return self.cost if self.like == "addition" else machine.cost(self.cost, self.like)

    def cost_of(self, args: tuple[Expr, ...], machine: Machine) -> int:
        """Its cost with these arguments, in additions of a machine."""
        cheap = None if self.cheap is None else self.cheap(args)
        return self.cost_on(machine) if cheap is None else cheap


OPS: dict[str, ScalarOp] = {}
"""Name -> operator."""


def register(op: ScalarOp) -> ScalarOp:
    """Add an entry.

    Raises:
        DefinitionError: the name is taken.
    """
    if op.name in OPS:
        raise DefinitionError(f"scalar operator {op.name!r} is registered twice")
    OPS[op.name] = op
    return op


def unary(name: str, value: Callable[..., Any], slope: Slope | None, sample: Interval, **more: Any) -> ScalarOp:
    """Register an operator of one number.

    Args:
        name: its name.
        value: NumPy evaluation.
        slope: (x, y) -> dy/dx, None where it is zero; None in all for an operator without a derivative.
        sample: an interval on which it is differentiable.
        more: further fields of the entry. If none is given for them, the C spelling is the function of the runtime
            header that has its name, and the result is floating point.
    """
    partials: Partials | None = None if slope is None else lambda args, y: (slope(args[0], y),)
    spelling = {"c": f"pa_{name}_{{f}}({{0}})", "kind": "float"}
    return register(ScalarOp(name, 1, value, partials, sample=(sample,), **spelling | more))


def binary(
    name: str, value: Callable[..., Any], partials: Partials | None, sample: tuple[Interval, Interval], **more: Any
) -> ScalarOp:
    """Register an operator of two numbers, as `unary` does."""
    spelling = {"c": f"pa_{name}_{{f}}({{0}}, {{1}})", "kind": "float"}
    return register(ScalarOp(name, 2, value, partials, sample=sample, **spelling | more))


def promote(*dtypes: str) -> str:
    """The common element type, by NumPy's rules (float32 with int64 is float64)."""
    if "bfloat16" not in dtypes:
        return str(np.result_type(*[np.dtype(d) for d in dtypes]))
    if "float16" in dtypes:
        return promote("float32", *(d for d in dtypes if d != "bfloat16"))
    found = promote(*("float16" if d == "bfloat16" else d for d in dtypes))
    return "bfloat16" if found == "float16" else found


def const(value: float | int | bool, dtype: str) -> Const:
    """A number of a given type; an integer comes back at the other end where `uint32` does not hold it."""
    if "float" in dtype:
        return Const(float(value), dtype)
    whole = int(value)
    return Const(bool(value) if dtype == "bool" else wrapped(whole, dtype) if dtype == "uint32" else whole, dtype)


def is_number(expr: Expr, value: float) -> bool:
    """Whether it is a constant of this value; 0 is also -0."""
    return isinstance(expr, Const) and expr.value == value


def cast(expr: Expr, dtype: str) -> Expr:
    """Convert to another element type; constants are converted on the spot."""
    if expr.dtype == dtype:
        return expr
    if isinstance(expr, Const):
        if expr.dtype == "float32":  # 0.1f is no 0.1: compiled code holds the nearest float
            with np.errstate(over="ignore"):
                return const(float(np.float32(expr.value)), dtype)
        return const(expr.value, dtype)
    if dtype == "bool":
        # A C conversion would truncate 0.5 to 0 first.
        return Apply("ne", (expr, const(0, expr.dtype)), "bool")
    match expr:
        case Apply("cast", (inner,), _) if dtype in COMPUTED and inner.dtype == dtype:
            return inner
    source, target = computed(expr.dtype), computed(dtype)
    if (dtype in COMPUTED and expr.dtype != target) or (expr.dtype in COMPUTED and dtype != source):
        return cast(cast(cast(expr, source), target), dtype)  # through the types that are computed with
    if dtype == "uint32" and "float" in expr.dtype:
        return cast(cast(expr, "int64"), dtype)  # -1.0 comes back at the other end; C says nothing of it
    return Apply("cast", (expr,), dtype)


def apply(name: str, *args: Expr) -> Expr:
    """op(args) with the arguments brought to their common type, constants folded.

    Raises:
        DTypeError: the number or type of the arguments does not fit the operator.
    """
    op = OPS[name]
    if len(args) != op.arity:
        raise DTypeError(f"{name} takes {op.arity} arguments, {len(args)} were given")
    common = _argument_type(op, tuple(a.dtype for a in args))
    converted = tuple(cast(a, common) for a in args)
    dtype = "bool" if op.kind in ("bool", "logical") else common
    if (constant := _fold_constants(op, converted, dtype)) is not None:
        return constant
    if op.fold is not None and (folded := op.fold(converted)) is not None:
        return folded
    return Apply(name, converted, dtype)


def _argument_type(op: ScalarOp, dtypes: tuple[str, ...]) -> str:
    """The type that the arguments are brought to."""
    if op.kind == "cast":
        raise DTypeError("a conversion names its target type: use ops.cast(expr, dtype)")
    common = promote(*dtypes)
    if op.kind == "logical" and set(dtypes) != {"bool"}:
        raise DTypeError(
            f"{op.name} combines truth values, but was given {' and '.join(dtypes)}; compare first, as in `x != 0`"
        )
    if op.kind == "integer" and not all(is_integer(d) or d == "bool" for d in dtypes):
        raise DTypeError(
            f"{op.name} combines integers or truth values, but was given {' and '.join(dtypes)}; compare first, as in "
            "`x != 0`, or convert by astype"
        )
    if op.kind == "float" and "float" not in common:
        return "float64"
    if op.kind in ("same", "integer") and common == "bool":
        return "int64"
    return common


def _fold_constants(op: ScalarOp, args: tuple[Expr, ...], dtype: str) -> Const | None:
    """The number, when all arguments are numbers. Floats are folded in float64, as the evaluator computes."""
    values = [a.value for a in args if isinstance(a, Const)]
    if len(values) < len(args):
        return None
    with np.errstate(all="ignore"):
        result = op.value(*(_scalar(v) for v in values))
        if "float" not in dtype:
            result = np.asarray(result).astype(dtype)  # wraps around
    return const(result.item(), dtype)


def _scalar(value: float | int | bool) -> np.generic:
    """A number as the NumPy scalar that the evaluator would hold."""
    match value:
        case bool():
            return np.bool_(value)
        case int():
            return np.int64(value)
        case _:
            return np.float64(value)


def select(cond: Expr, a: Expr, b: Expr) -> Expr:
    """a where cond else b, at their common type; folded when cond is known or both sides are the same number.

    Raises:
        DTypeError: the condition is not a truth value.
    """
    if cond.dtype != "bool":
        raise DTypeError(f"the condition of select must be a truth value (bool), not {cond.dtype}")
    common = promote(a.dtype, b.dtype)
    a, b = cast(a, common), cast(b, common)
    if isinstance(cond, Const):
        return a if cond.value else b
    if isinstance(a, Const) and isinstance(b, Const) and repr(a.value) == repr(b.value):
        return a  # repr tells 0.0 from -0.0 and finds nan equal to nan
    return Select(cond, a, b, common)
