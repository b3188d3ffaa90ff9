"""`fori_loop` and `map`: scans whose inputs are a counter, or that carry nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from polyad.errors import DefinitionError
from polyad.frontend.argument_checks import function
from polyad.frontend.definition import TensorBase
from polyad.frontend.scalar import IndexExpr, as_index
from polyad.frontend.scan import scan
from polyad.frontend.symbols import merge_symbols
from polyad.frontend.tensor import OPEN_SCANS, Tensor, define, user_line
from polyad.ir.affine import Affine
from polyad.islx import LOCK

__all__ = ["fori_loop", "map"]


def fori_loop(lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], init_val: Any) -> Any:
    """Run a function a number of times, as `jax.lax.fori_loop`.

    Equation: val[0] = init_val, val[t + 1] = body_fun(lower + t, val[t]) for t = 0 .. upper - lower - 1; the result is
    the last val. It is `init_val` where upper <= lower.

    The counter is a scalar tensor of an integer that gives way to the types that it meets. It is affine in the loop:
    x[i + 1] is an affine read, and a condition on the counter alone, in `cond`, `switch`, `select`, cuts the loop in
    pieces.

    Args:
        lower: first value of the counter: an integer, or an expression of sizes.
        upper: one past its last value. A bound that depends on data is a matter of `while_loop`.
        body_fun: (counter, val) -> val, of the same structure, shapes and types; pytrees of tensors. Traced once.
        init_val: the first val.

    Raises:
        DefinitionError: a bound is a tensor, or val changes its structure.
        ShapeError, DTypeError: val changes its shape or type; names the leaf.
        BoundsError: an element that the counter picks is not provably inside of its array.

    Example:
        >>> pa.jit(lambda x: pa.fori_loop(0, 3, lambda i, s: s + x[i] ** i, 0.0))(np.array([5.0, 2.0, 3.0]))
        array(12.)
    """
    where = user_line()
    first, last = _bound(lower, "lower", where), _bound(upper, "upper", where)
    function(body_fun, f"{where}: fori_loop: body_fun")
    with LOCK:
        length = last - first
        if length.affine.is_constant and length.affine.constant < 0:
            length = as_index(0, "length")

        def step(val: Any, _: Any) -> tuple[Any, None]:
            return body_fun(_counter(first), val), None

        return scan(step, init_val, length=length)[0]


def _bound(value: Any, which: str, where: str) -> IndexExpr:
    """An integer or an expression of sizes.

    Raises:
        DefinitionError: a tensor.
    """
    if isinstance(value, TensorBase):
        raise DefinitionError(
            f"{where}: fori_loop: {which} is the tensor {value.name}, whose value is not known while tracing; use "
            "pa.while_loop with max_steps="
        )
    return as_index(value, f"fori_loop: {which}")


def _counter(first: IndexExpr) -> Tensor:
    """First + t, for the time t of the innermost scan that is being traced."""
    *_, time = OPEN_SCANS.get()
    now = IndexExpr(first.affine + Affine.of(time.name), merge_symbols({time.name: time}, time.symbols, first.symbols))
    made = define((), lambda: now, "i")
    (made.definition.exact,) = made.definition.statements
    return replace(made, strength="weak")


def map(f: Callable[[Any], Any], xs: Any) -> Any:
    """Apply a function to each element along the leading axis, as `jax.lax.map`.

    Equation: result[t] = f(xs[t]). Nothing is carried, so all t may run at once.

    Args:
        f: a pytree of tensors without the leading dimension -> a pytree of tensors. Traced once.
        xs: pytree of tensors with a common leading extent.

    Returns:
        What f returns, each leaf with the leading dimension of xs in front.

    Raises:
        ShapeError: leading extents differ.
        DefinitionError: xs has no leaves.

    Example:
        >>> pa.jit(lambda x: pa.map(lambda row: row / row.sum(), x))(np.array([[1.0, 3.0], [2.0, 2.0]]))
        array([[0.25, 0.75],
               [0.5 , 0.5 ]])
    """
    function(f, f"{user_line()}: map: f")
    return scan(lambda carry, x: (carry, f(x)), (), xs)[1]
