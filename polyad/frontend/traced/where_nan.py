"""`where_nan`: the first element that is not finite, in a call of a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polyad.frontend.argument_checks import function
from polyad.frontend.functions import TracedFunction
from polyad.islx import LOCK
from polyad.semantics.nonfinite import NonFinite, first_nonfinite

__all__ = ["where_nan"]


def where_nan(fun: Callable[..., Any]) -> Callable[..., NonFinite | None]:
    """A function that says where not-a-number, or an infinity, first comes into what `fun` computes.

    It runs the program of `fun` point by point, before any simplification, and looks at what reaches the result: the
    branch that a `select` does not take may be what it likes. Of derivatives, `pa.grad(f)`, forward values come before
    backward ones. That takes some microseconds for each operation: call it with few examples and steps.

    Args:
        fun: a function of pytrees, or one made by `jit`, `grad` and the like.

    Returns:
        A function of the same arguments, arrays and numbers. It returns None where all is finite, else a report to
            print: `array`, `index` (along the time of a scan first), `value`, `operands`, `equation`, and `where`, the
            user's line. An argument that is not finite itself is not reported, but what makes a nan of its infinities.

    Raises:
        CallError: when called, if fun closes over a tensor without a value, or an index is out of range.

    Example:
        >>> print(pa.where_nan(pa.grad(lambda x: pa.sqrt(x).sum()))(np.array([1.0, 0.0])))  # doctest: +ELLIPSIS
        x_bar[i = 1] = inf, by ...
    """
    name = getattr(function(fun, "where_nan: fun"), "__name__", "function").replace("<lambda>", "function")

    def found(*args: Any, **kwargs: Any) -> NonFinite | None:
        with LOCK:
            program, inputs = TracedFunction(fun, name, signature=getattr(fun, "signature", None)).program_and_inputs(
                *args, **kwargs
            )
            return first_nonfinite(program, inputs)

    found.__name__ = f"{name}_where_nan"
    found.__doc__ = f"Where {name} first computes not-a-number or an infinity."
    return found
