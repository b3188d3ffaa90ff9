"""Numbers of blocks and threads in C: the formulas that Python evaluates (codegen/launch_counts.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from polyad.codegen.launch_counts import (
    AtMost,
    Chosen,
    Count,
    Either,
    Every,
    Groups,
    Iterations,
    Least,
    Most,
    Product,
    Quotient,
    Sum,
    Test,
    Told,
    evaluated,
    leaves,
)
from polyad.codegen.names import Spelling
from polyad.codegen.text.code import Code, call, conditional, infix, word
from polyad.codegen.text.integer_text import affine_code, integer_code

__all__ = ["count_code"]

_FUNCTIONS = {
    Product: "pa_product",
    Sum: "pa_sum",
    Groups: "pa_groups",
    Quotient: "pa_quotient",
    Least: "pa_least",
    Most: "pa_most",
}


def count_code(count: Count, spell: Spelling, variable: Callable[[str], str]) -> Code:
    """A number where no size is in it, else calls of polyad_driver.h, which stay at SIZE_MAX once they are there.

    Args:
        count: the formula.
        spell: the C names of the sizes.
        variable: the C names of what is known at the launch.
    """

    def of(count: Count) -> Code:
        if _is_known(count):
            return integer_code(evaluated(count, {}))
        match count:
            case Iterations(formula) if formula is not None:
                return call("pa_iterations", affine_code(formula, spell))
            case Told(name):
                return word(variable(name))
            case Product(counts) | Sum(counts) | Least(counts) | Most(counts):
                return _folded(_FUNCTIONS[type(count)], [of(c) for c in counts])
            case Groups(inside, by) | Quotient(inside, by):
                return call(_FUNCTIONS[type(count)], of(inside), of(by))
            case Chosen(test, then, otherwise):
                return conditional(tested(test), of(then), of(otherwise))
            case _:
                raise AssertionError("a number has nothing in it that is not known")

    def tested(test: Test) -> Code:
        match test:
            case AtMost(first, second):
                return infix("<=", of(first), of(second))
            case Every(tests):
                return infix("&&", *map(tested, tests))
            case Either(tests):
                return infix("||", *map(tested, tests))

    return of(count)


def _is_known(count: Count) -> bool:
    """Whether it depends on nothing."""
    return all(
        isinstance(leaf, Iterations) and (leaf.formula is None or leaf.formula.is_constant) for leaf in leaves(count)
    )


def _folded(function: str, codes: Sequence[Code]) -> Code:
    first, *others = codes
    for other in others:
        first = call(function, first, other)
    return first
