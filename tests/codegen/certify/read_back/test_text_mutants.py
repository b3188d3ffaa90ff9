"""Texts with one thing written wrongly are refused; printers that write one thing wrongly, too."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from polyad.codegen.certify.read_back.c_tokens import tokens
from polyad.codegen.certify.read_back.read_back import read_back
from polyad.codegen.generate import source_of
from polyad.codegen.text import (
    array_text,
    code,
    contraction_text,
    expression_text,
    integer_text,
    loop_text,
    parts_text,
    prefix_text,
    statement_text,
    workspace_text,
)
from polyad.errors import CertificationError
from tests.codegen.certify.read_back.kernels import Kernel, kernels
from tests.codegen.certify.read_back.text_mutants import MUTATIONS

EACH = 4  # mutants of a kind, from different kernels
MOST = 3  # kernels that a wrong printer writes

RARE = {
    "a decrement",
    "a constant of another type",
    "no barrier",
    "another pragma",
    "an else that is lost",
    "brackets around signs",
    "signs of numbers",
    "sides of a choice",
    "sides of an early choice",
    "divisions",
    "states of scans",
    "kinds of scans",
    "another operator of bits",
    "another shift",
    "a word with a sign",
    "bits that stay",
}
"""Kinds of which hardly a kernel has anything: most have to be planned before one is found."""


def refused(plan: Any, c: str) -> bool:
    try:
        read_back(plan, c)
    except CertificationError as error:
        return "line " in str(error)
    return False


@pytest.mark.slow
def test_texts_are_those_of_their_loops() -> None:
    found = [(k.title, read_back(k.plan, k.c)) for k in kernels()]
    assert all(proof.statements > 8 and proof.lines > proof.statements // 2 for _, proof in found), found


def cases(kinds: Iterable[str]) -> list[Any]:
    return [pytest.param(kind, marks=[pytest.mark.slow] * (kind in RARE)) for kind in kinds]


@pytest.mark.parametrize("kind", cases(MUTATIONS))
def test_a_text_with_one_thing_wrong_is_refused(kind: str) -> None:
    random, tried = Random(7), 0
    for kernel in kernels():
        head = kernel.c[: kernel.body]
        body = re.sub(r"(?s)/\*.*?\*/", "", kernel.c[kernel.body :])
        texts = [text for text in islice(MUTATIONS[kind](body), 30) if text != body]
        for text in random.sample(texts, min(2, len(texts))):
            assert refused(kernel.plan, head + text), f"{kernel.title}:\n{difference(body, text)}"
            tried += 1
        if tried >= EACH:
            break
    assert tried, kind


def difference(before: str, after: str) -> str:
    lines = zip(before.split("\n"), after.split("\n"), strict=False)
    return next((f"{a}\n{b}" for a, b in lines if a != b), "")


Patch = tuple[Any, str, Callable[[Any], Any]]


def wrapped(module: Any, name: str, change: Callable[..., Any]) -> Patch:
    """A function of the printer that is given the right one, and what that is given."""
    return module, name, lambda right: lambda *args, **kwargs: change(right, *args, **kwargs)


PRINTERS: dict[str, Patch] = {
    "brackets around operands": wrapped(code.Code, "within", lambda right, self, level: self),
    "brackets around sums": wrapped(
        code.Code, "within", lambda right, self, level: self if self.level == code.SUM else right(self, level)
    ),
    "brackets around signs": (
        prefix_text,
        "negative",
        lambda right: lambda value: code.Code((f"-{value.text}",), code.LOOSE),
    ),
    "signs of numbers": wrapped(expression_text, "constant_code", lambda right, value, dtype: right(abs(value), dtype)),
    "digits of numbers": wrapped(
        expression_text, "constant_code", lambda right, x, dtype: right(x * 1.000001 if "float" in dtype else x, dtype)
    ),
    "the order of operands": wrapped(expression_text, "infix", lambda right, op, *args: right(op, *reversed(args))),
    "sides of a choice": wrapped(expression_text, "conditional", lambda right, c, a, b: right(c, b, a)),
    "sides of an early choice": wrapped(
        expression_text,
        "call",
        lambda right, f, *args: right(f, args[0], *reversed(args[1:])) if "select" in f else right(f, *args),
    ),
    "types of conversions": wrapped(expression_text, "cast", lambda right, kind, value: right("float", value)),
    "an index too many": wrapped(
        statement_text.StatementText,
        "indices",
        lambda right, self, *args: [i + 1 if not isinstance(i, code.Code) else i for i in right(self, *args)],
    ),
    "indices in another order": wrapped(
        array_text, "linear_index", lambda right, index, extents, spell: right([*reversed(index)], extents, spell)
    ),
    "extents": wrapped(array_text, "linear_index", lambda right, i, extents, spell: right(i, extents[::-1], spell)),
    "slots": wrapped(array_text.ArrayText, "_remainder", lambda right, self, index, extent: index),
    "inclusive ends": wrapped(
        loop_text, "loop_line", lambda right, it, first, op, *rest: right(it, first, op.replace("<=", "<"), *rest)
    ),
    "starts of loops": wrapped(loop_text, "loop_line", lambda right, it, _, *rest: right(it, code.word("0"), *rest)),
    "steps of loops": wrapped(
        loop_text, "loop_line", lambda right, it, a, op, b, step, *rest: right(it, a, op, b, f"{step}0", *rest)
    ),
    "conditions": wrapped(loop_text, "if_line", lambda right, condition, **kw: right(code.word("1"), **kw)),
    "comparisons": wrapped(
        integer_text,
        "infix",
        lambda right, op, *args: right({"<=": "<", ">=": ">", "==": "!="}.get(op, op), *args),
    ),
    "differences": wrapped(integer_text, "infix", lambda right, op, *args: right("+" if op == "-" else op, *args)),
    "divisions": wrapped(integer_text, "is_nonnegative", lambda right, value, known: True),
    "smallest and greatest": wrapped(
        integer_text, "call", lambda right, f, *args: right(f.replace("min", "max"), *args)
    ),
    "elements that are stored": wrapped(loop_text, "assign", lambda right, a, b: right(b, a)),
    "pragmas": wrapped(loop_text.LoopText, "pragma", lambda right, self, how: []),
    "loops in threads without pieces": wrapped(
        loop_text.LoopText, "shared", lambda right, self, a, b, _, *rest: right(self, a, b, None, *rest)
    ),
    "names of arrays": wrapped(
        array_text.ArrayText, "element", lambda right, self, array, index: right(self, next(iter(self.arrays)), index)
        if len(index) == len(self.arrays[next(iter(self.arrays))].shape)
        else right(self, array, index),
    ),
    "parts": wrapped(parts_text, "loop_line", lambda right, it, first, *rest: right(it, code.word("1"), *rest)),
    "parts put together": wrapped(parts_text, "_updates", lambda right, *args: right(*args)[1:]),
    "states of scans": wrapped(
        prefix_text, "infix", lambda right, op, *args: right("-" if op == "+" else op, *args)
    ),
    "directions of scans": wrapped(
        prefix_text, "call", lambda right, f, *args: right(f.replace("down", "up"), *args)
    ),
    "kinds of scans": wrapped(
        prefix_text, "call", lambda right, f, *args: right(f.replace("affine", "sum"), *args)
    ),
    "strides": wrapped(contraction_text, "polynomial_code", lambda right, value, spell: right({(): 7}, spell)),
    "sums that are fresh": wrapped(
        contraction_text, "contraction_lines", lambda right, s, n, text: right(s, replace(n, fresh=not n.fresh), text)
    ),
    "packed operands": wrapped(
        contraction_text, "contraction_lines", lambda right, s, node, text: right(s, replace(node, packed=""), text)
    ),
    "bytes of slots": wrapped(workspace_text, "_bytes", lambda right, *args: code.word("8")),
    "types of slots": wrapped(workspace_text, "_type", lambda right, slot: "float"),
    "tests of sizes": wrapped(workspace_text, "size_tests", lambda right, *args: right(*args)[1:]),
    "sizes of 64 bits": wrapped(
        workspace_text, "call", lambda right, f, *a: right(f, a[0], "63") if f == "pa_is_size" else right(f, *a)
    ),
}  # fmt: skip
"""What is written wrongly -> where, and how."""


def _words(c: str) -> list[str]:
    """The tokens of a text: comments are none."""
    return [token.text for token in tokens(c).tokens]


def written(kernel: Kernel) -> str:
    """The C of a kernel where that is another one now."""
    try:
        found = source_of(kernel.plan).c
    except (AssertionError, TypeError, ValueError, IndexError, KeyError):
        return ""  # a printer that stops writes nothing wrong
    return "" if _words(found) == _words(kernel.c) else found


@pytest.mark.parametrize("kind", cases(PRINTERS))
def test_a_printer_that_writes_one_thing_wrongly_is_found(kind: str) -> None:
    module, name, change = PRINTERS[kind]
    wrong = change(getattr(module, name))
    different = 0
    for kernel in kernels():  # which are planned and written without it
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, name, wrong)
            if name == "contraction_lines":
                patch.setattr(loop_text, name, wrong)
            if c := written(kernel):
                assert refused(kernel.plan, c), f"{kind}: accepted\n{c}"
                different += 1
        if different == MOST:
            break
    assert different, f"no kernel shows {kind}"
