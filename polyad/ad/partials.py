"""The local derivative: d body / d read, as expressions, by the table of operators."""

from __future__ import annotations

from collections.abc import Callable

from polyad.ir.expr import Apply, Const, Expr, Read, Select, render
from polyad.ops import OPS, apply, cast, const, select

__all__ = ["differentiable_reads", "partials", "plus", "times"]

Wanted = Callable[[Read], bool]


def partials(body: Expr, dims: tuple[str, ...], wanted: Wanted, result: Expr | None = None) -> list[tuple[Read, Expr]]:
    """The non-zero derivatives of a body with respect to the elements it reads.

    Reads of the same element are one variable: x[i] * x[i] has the single partial x[i] + x[i].

    Args:
        body: the expression.
        dims: names of the statement's dimensions, by which reads are compared.
        wanted: which reads are variables; all others are constants.
        result: the value of the whole body as an expression (a read of what the statement defined), so that
            tanh, exp and their like are not evaluated again; None where the body is not stored anywhere.
    """
    return [(read, p) for read, p in _partials(body, dims, wanted, result).values() if not _is_zero(p)]


def differentiable_reads(expr: Expr) -> list[Read]:
    """The reads through which a derivative passes: not in conditions or indices, nor under floor or stop_gradient."""
    if "float" not in expr.dtype:
        return []
    match expr:
        case Read():
            return [expr]
        case Select(_, a, b, _):
            return differentiable_reads(a) + differentiable_reads(b)
        case Apply(_, args, _):
            found = [differentiable_reads(a) for a in args]
            if any(found):
                slopes = _slopes(expr, expr)
                return [r for inside, slope in zip(found, slopes, strict=True) if slope is not None for r in inside]
    return []


def times(a: Expr, b: Expr) -> Expr:
    """a * b. What a condition cuts off stays zero even where the other factor is inf or nan.

    A `masked_mul` of the result is not folded where it could be: it says what is cut off to the next factor.
    """
    for one, other in ((a, b), (b, a)):
        if _is_cut(one):
            return _spread(one, other)
    return apply("mul", a, b)


def _is_cut(expr: Expr) -> bool:
    """Whether conditions can make a factor zero as a whole."""
    match expr:
        case Select(_, a, b, _):
            return any(_is_zero(x) or _is_cut(x) for x in (a, b))
        case Apply("masked_mul", _, _):
            return True
        case Apply("add" | "sub" | "neg", args, _):
            return all(map(_is_cut, args))
    return False


def _spread(cut: Expr, other: Expr) -> Expr:
    """cut * other, with `other` under the conditions of `cut`."""
    match cut:
        case Select(cond, a, b, _):
            return select(cond, *(x if _is_zero(x) else times(x, other) for x in (a, b)))
        case Apply("masked_mul", (x, y), _):
            product = times(x, other)
            return Apply("masked_mul", (product, cast(y, product.dtype)), product.dtype)
        case Apply(op, args, _):
            return apply(op, *(_spread(x, other) for x in args))
    raise AssertionError(f"{type(cut).__name__} is not cut")


def plus(a: Expr, b: Expr) -> Expr:
    """a + b; the two branches of one condition stay under one condition."""
    if isinstance(a, Select) and isinstance(b, Select) and a.cond is b.cond:
        return select(a.cond, plus(a.a, b.a), plus(a.b, b.b))
    return apply("add", a, b)


def _partials(expr: Expr, dims: tuple[str, ...], wanted: Wanted, result: Expr | None) -> dict[str, tuple[Read, Expr]]:
    """Text of a read -> (the read, d expr / d read)."""
    if "float" not in expr.dtype:
        return {}
    found: dict[str, tuple[Read, Expr]] = {}
    match expr:
        case Read() if wanted(expr):
            found[render(expr, dims)] = expr, const(1, expr.dtype)
        case Apply(_, args, _):
            inside = [_partials(a, dims, wanted, None) for a in args]
            if any(inside):
                slopes = _slopes(expr, expr if result is None else result)
                for slope, reads in zip(slopes, inside, strict=True):
                    if slope is not None:
                        _merge(found, {k: (read, times(slope, p)) for k, (read, p) in reads.items()})
        case Select(cond, a, b, _):
            for branch, then in ((a, True), (b, False)):
                reads = _partials(branch, dims, wanted, None)
                zero = const(0, expr.dtype)
                _merge(
                    found,
                    {
                        k: (read, select(cond, p, zero) if then else select(cond, zero, p))
                        for k, (read, p) in reads.items()
                    },
                )
        case _:
            pass
    return found


def _slopes(expr: Apply, result: Expr) -> tuple[Expr | None, ...]:
    """d op(args) / d arg for each argument."""
    rule = OPS[expr.op].partials
    return (None,) * len(expr.args) if rule is None else rule(expr.args, result)


def _merge(into: dict[str, tuple[Read, Expr]], more: dict[str, tuple[Read, Expr]]) -> None:
    for key, (read, p) in more.items():
        into[key] = (read, plus(into[key][1], p)) if key in into else (read, p)


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value == 0
