"""Numbers of blocks and threads in C: the formulas that Python evaluates (codegen/launch_counts.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from polyad.codegen.launch_counts import (
    AtMost,
    Chosen,
    Count,
    Difference,
    Doubled,
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
from polyad.codegen.text.code import ATOM, Code, call, code, conditional, declare, infix, prefix, word
from polyad.codegen.text.integer_text import affine_code, integer_code
from polyad.codegen.text.line_text import Lines

__all__ = ["CountText"]

_FUNCTIONS = {
    Product: "pa_product",
    Sum: "pa_sum",
    Groups: "pa_groups",
    Quotient: "pa_quotient",
    Difference: "pa_difference",
    Least: "pa_least",
    Most: "pa_most",
}


@dataclass(frozen=True, slots=True)
class CountText:
    """Prints formulas as calls of polyad_driver.h, which stay at SIZE_MAX once they are there.

    Attributes:
        spell: the C names of the sizes.
        variable: the C names of what is told.
    """

    spell: Spelling
    variable: Callable[[str], str]

    def lines(self, name: str, count: Count, ctype: str = "const size_t") -> Lines:
        """Declare a variable with the number, of which others are told by its name."""
        variable = self.variable(name)
        if isinstance(count, Doubled):
            assert count.name == name, "it is told as what it is"
            until = prefix("!", self.test(count.until).within(ATOM))
            return [declare("size_t", (variable, "1")), code("while ({}) {} *= 2;", until, variable)]
        return [declare(ctype, (variable, self.count(count)))]

    def count(self, count: Count) -> Code:
        """A number where nothing has to be known."""
        if _is_known(count):
            return integer_code(evaluated(count, {}))
        match count:
            case Iterations(formula) if formula is not None:
                return call("pa_iterations", affine_code(formula, self.spell))
            case Told(name):
                return word(self.variable(name))
            case Product(counts) | Sum(counts) | Least(counts) | Most(counts):
                return _folded(_FUNCTIONS[type(count)], [self.count(c) for c in counts])
            case Groups(first, second) | Quotient(first, second) | Difference(first, second):
                return call(_FUNCTIONS[type(count)], self.count(first), self.count(second))
            case Chosen(test, then, otherwise):
                return conditional(self.test(test), self.count(then), self.count(otherwise))
            case _:
                raise AssertionError("a number has nothing in it that is not known, and what is doubled has a name")

    def test(self, test: Test) -> Code:
        """A condition."""
        match test:
            case AtMost(first, second):
                return infix("<=", self.count(first), self.count(second))
            case Every(tests):
                return infix("&&", *map(self.test, tests))
            case Either(tests):
                return infix("||", *map(self.test, tests))


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
