"""`while_loop`: a scan of a fixed number of steps whose state stays as it is once the condition is false.

running[t] = cond_fun(val[t]);   val[t + 1] = body_fun(val[t]) if running[t] else val[t]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polyad.errors import DefinitionError, DTypeError
from polyad.frontend.argument_checks import function
from polyad.frontend.complex_numbers.parts import taken_apart
from polyad.frontend.constants import as_tensor
from polyad.frontend.control.branches import selected
from polyad.frontend.definition import TensorBase
from polyad.frontend.pytrees import flatten, unflatten
from polyad.frontend.scalar import Element, Scalar, as_index, described
from polyad.frontend.scan import scan
from polyad.frontend.tensor import define, user_line
from polyad.islx import LOCK

__all__ = ["while_loop"]


def while_loop(
    cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any, *, max_steps: Any = None
) -> Any:
    """Run a function while a condition holds, at most `max_steps` times, as `jax.lax.while_loop` with a bound.

    Equations, for t = 0 .. max_steps - 1: val[t + 1] = body_fun(val[t]) where cond_fun(val[t]), else val[t]; the
    result is val[max_steps]. Because the number of steps is bounded, it can be differentiated in both modes, as often
    as wanted.

    Once the condition is false, a step copies the state, and on a CPU leaves out the products, the sums and what else
    stands in loops of its own for the state alone. If it still holds after the last step, the loop stops all the same;
    `cond_fun(result)` tells.

    Args:
        cond_fun: val -> one truth value.
        body_fun: val -> val, of the same structure, shapes and types. Where the condition does not hold it is
            evaluated all the same, with the integers of `init_val` in place of those reached, so that what they index
            is there, and its result is not used.
        init_val: the first val; a pytree of tensors.
        max_steps: the largest number of steps: an integer, or an expression of sizes.

    Raises:
        DefinitionError: max_steps is missing or depends on data, or val changes its structure.
        ShapeError, DTypeError: val changes its shape or type, names the leaf; or the condition is not one truth value.

    Example:
        >>> halve = lambda x: pa.while_loop(lambda v: v > 1.0, lambda v: v / 2, x, max_steps=64)
        >>> pa.jit(halve)(np.array(20.0))
        array(0.625)
    """
    where = user_line()
    function(cond_fun, f"{where}: while_loop: cond_fun")
    function(body_fun, f"{where}: while_loop: body_fun")
    if max_steps is None or isinstance(max_steps, TensorBase):
        given = "" if max_steps is None else f" as a number, not the tensor {max_steps.name}"
        raise DefinitionError(
            f"{where}: while_loop needs max_steps={given}, the largest number of steps it may take: a gradient keeps "
            "a state "
            "for each of them, so their number is known when the loop is compiled"
        )
    steps = as_index(max_steps, "while_loop: max_steps")
    with LOCK:
        start, _ = flatten(taken_apart(init_val))
        first = [as_tensor(x, "init_val") for x in start]

        def step(val: Any, _: Any) -> tuple[Any, None]:
            running = _running(cond_fun(val), where)
            reached, structure = flatten(val)
            inside = [
                v if "float" in v.dtype else selected([running], [v, f], ["val", "init_val"], "while_loop")
                for v, f in zip(reached, first, strict=True)
            ]
            made = body_fun(unflatten(structure, inside))
            return selected([running], [made, val], ["body_fun", "init_val"], f"{where}: while_loop"), None

        return scan(step, init_val, length=steps)[0]


def _running(value: Any, where: str) -> Scalar:
    """The condition as a scalar of truth values.

    Raises:
        DTypeError: it is something else.
    """
    if isinstance(value, bool):
        value = define((), lambda: value, "running")
    if not isinstance(value, TensorBase) or value.ndim or value.dtype != "bool":
        kind = f"a tensor of type {value.dtype} with {value.ndim} dimensions" if isinstance(value, TensorBase) else None
        raise DTypeError(f"{where}: while_loop: cond_fun returns one truth value, not {kind or described(value)}")
    return Element(value, ())
