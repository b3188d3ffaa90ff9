"""Generated C is spelled as people spell it: what nobody would write by hand stands in none of these kernels."""

import re

import pytest

from polyad.codegen.generate import generate
from polyad.codegen.options import CodegenOptions
from polyad.machine import TINY
from polyad.ops.program_text import parse_program
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from tests.acceptance.strategy_programs import strategy_program
from tests.aimed_programs import aimed
from tests.codegen.samples import CONSTANTS, INDICES, INFERENCE
from tests.codegen.test_prefix import ADJOINT

KERNELS = {
    **{t.split(":")[0].split()[-1]: parse_program(t) for t in (CONSTANTS, INDICES, INFERENCE, ADJOINT)},
    **{f"aimed {n}": aimed(n) for n in (10, 11, 13, 38, 50)},
    **{f"strategy {n}": strategy_program(n).program for n in (2, 3, 24, 68)},
}

UNREADABLE = {
    "a negation of what stands in parentheses for itself": r"!\(\w+\([^()]*\)\)|if \(!\(\w+ [<>=]=? \w+\)\)",
    "parentheses around a name": r"\(\(?\w+ \*\)\(void \*\)\(\w+\)|\(\(\w+\) //",
    "a factor of one": r"\b1\.0 \* \(double\)",
    "a number compared with sizes": r"if \(-?\d+ [<>]=? \w",
    "braces in braces": r"\) \{\n( *)\{\n(?:\1 .*\n)*\1\}\n *\}",
    "an if alone behind else": r"else \{\n( *)if [^\n]*\{\n(?:\1 .*\n|\1\} else .*\n)*\1\}\n *\}",
    "a quotient times its divisor taken away": r"\b(\w+) - (\d+) \* \(\1 /+ \2\)",
    "a loop of one iteration": r"for \(int64_t (\w+) = (\d+); \1 < (\d+); \1 \+= ([2-9]\d*)\) \{",
    "a number in parentheses": r"= \(-?\w+\) \*/",
}


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.quick_cases(4)
def test_nothing_is_spelled_as_nobody_would(name: str) -> None:
    prepared = prepare(KERNELS[name], ALL, TINY)
    c = generate(prepared, default_schedule(prepared, ALL, TINY), CodegenOptions(machine=TINY)).c
    for what, pattern in UNREADABLE.items():
        found = list(re.finditer(pattern, c))
        if what == "a loop of one iteration":
            found = [m for m in found if int(m[3]) <= int(m[2]) + int(m[4])]
        assert not found, f"{what}: {found[0][0]}"


def test_a_second_pair_of_braces_is_seen() -> None:
    pattern = UNREADABLE["braces in braces"]
    assert re.search(pattern, "for (;;) {\n  {\n    a;\n  }\n}\n")
    assert not re.search(pattern, "for (;;) {\n  {\n    a;\n  }\n  b;\n}\n")
