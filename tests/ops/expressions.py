"""Building, evaluating and differentiating scalar expressions of the variables x and y."""

from collections.abc import Mapping

import islpy as isl
import numpy as np

from polyad import islx
from polyad.ir.expr import Apply, Expr, Read, Select
from polyad.ops import OPS, apply, const, select
from polyad.semantics.interpret import expression_function


def variable(name: str, dtype: str = "float64") -> Read:
    return Read(name, isl.MultiAff.zero(islx.space((), "", ()).map_from_set()), dtype)


def value(expr: Expr, at: Mapping[str, float]) -> float:
    with np.errstate(all="ignore"):
        return expression_function(expr, (), {}, lambda read, point, element: at[read.array])(())


def derivative(expr: Expr, name: str) -> Expr:
    """d expr / d name by the chain rule and the partials of the table."""
    zero = const(0, "float64")
    match expr:
        case Read(array, _, _):
            return const(float(array == name), "float64")
        case Apply(op, args, _):
            partials = OPS[op].partials
            if partials is None:
                return zero
            total: Expr = zero
            for arg, partial in zip(args, partials(args, expr), strict=True):
                if partial is not None:
                    total = apply("add", total, apply("mul", partial, derivative(arg, name)))
            return total
        case Select(cond, a, b, _):
            return select(cond, derivative(a, name), derivative(b, name))
        case _:
            return zero
