"""`make_program`: what a function computes, as it was traced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from polyad.errors import DefinitionError
from polyad.frontend.compiled import program_of
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.parts import joined, whole_leaves
from polyad.frontend.constants import as_tensor
from polyad.frontend.tensor import Tensor
from polyad.frontend.transforms import jit
from polyad.ir.program import Program

__all__ = ["make_program"]


def make_program(
    fun: Callable[..., Any],
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Sequence[str] | None = None,
) -> Callable[..., Program]:
    """A function that returns what `fun` computes as a program, as `jax.make_jaxpr` returns a jaxpr.

    `str(program)` has a line for each equation: its domain, the element that is defined, and the expression. Nothing
    is simplified, scheduled or compiled yet; `pa.compile(program)` does that, and `kernel.program` is what then is
    left.

    Args:
        fun: a function of pytrees, or one made by `jit`, `grad` and the like.
        static_argnums: as in `jit`.
        static_argnames: as in `jit`.

    Returns:
        A function of the same arguments: arrays and numbers, of which only shapes and types count, or placeholders of
            symbolic shapes.

    Raises:
        DefinitionError: when called, if fun returns nothing that could be computed.

    Example:
        >>> print(pa.make_program(lambda x: pa.exp(x).sum())(np.ones(3)))  # doctest: +ELLIPSIS
        program function...
    """
    traced = jit(fun, static_argnums=static_argnums, static_argnames=static_argnames)

    def make(*args: Any, **kwargs: Any) -> Program:
        given = [x.pairs if isinstance(x, ComplexTensor) else x for x in whole_leaves((args, kwargs))[1]]
        inputs = [x for x in given if isinstance(x, Tensor)]
        if not any(t.definition.is_placeholder and t.definition.value is None for t in inputs):
            return traced.program(*args, **kwargs)
        leaves = whole_leaves(traced(*args, **kwargs))[1]
        outputs = [joined(x) if isinstance(x, ComplexTensor) else as_tensor(x, "result") for x in leaves]
        if not outputs:
            raise DefinitionError(f"{traced.__name__} returns nothing that could be computed")
        return program_of(outputs, None, traced.__name__)[0]

    return make
