"""Switches: which instances nothing needs where an element of truth values is zero."""

import pytest

from polyad.analysis.switches import switches
from polyad.ops.program_text import parse_program

HEAD = """program p: [N] -> { : N >= 2 }
  input     x: float64[N]
  input     ids: int32[N]
  input     g: int32[N]
  temporary a: float64[N]
  temporary b: float64[N]
  temporary k: int32[N]
  output    y: float64[N]
  output    s: float64[]
"""
A = """  A: [N] -> { A[i] : 0 <= i < N }
      a[i] = exp(x[i])
"""
ON = "ne(g[i], int32(0))"


def found(text: str) -> dict[str, dict[str, str]]:
    """Statement -> array -> index of its switch."""
    own = switches(parse_program(HEAD + text))
    return {s: {g: ", ".join(map(str, index)) for g, index in by.items()} for s, by in own.items()}


def statement(name: str, target: str, body: str, domain: str = "0 <= i < N") -> str:
    return f"  {name}: [N] -> {{ {name}[i] : {domain} }}\n      {target} = {body}\n"


def test_what_is_selected() -> None:
    assert found(A + statement("Y", "y[i]", f"select({ON}, a[i], x[i])")) == {"A": {"g": "i"}}
    chain = statement("B", "b[i]", "add(a[i], 1.0)") + statement("Y", "y[i]", f"select({ON}, b[i], 0.0)")
    assert found(A + chain) == {"A": {"g": "i"}, "B": {"g": "i"}}


@pytest.mark.parametrize(
    "reader",
    [
        f"select({ON}, x[i], a[i])",
        f"add(a[i], select({ON}, a[i], x[i]))",
        "select(gt(x[i], 0.0), a[i], x[i])",
        "select(gt(a[i], 0.0), x[i], 1.0)",
    ],
)
def test_what_is_needed_anyway(reader: str) -> None:
    assert found(A + statement("Y", "y[i]", reader)) == {}


def test_every_reader_counts() -> None:
    one = statement("Y", "y[i]", f"select({ON}, a[i], 0.0)", "0 <= i < N - 1")
    last = statement("Z", "y[i]", "a[i]", "i = N - 1")
    assert found(A + one + last) == {}
    moved = statement("Z", "y[i]", f"select({ON}, a[0], 0.0)", "i = N - 1")
    assert found(A + one + moved) == {}  # a[0] has two switches
    assert found(A + one)["A"] == {"g": "i"} if "A" in found(A + one) else True


def test_products_with_what_is_zero() -> None:
    zero = statement("B", "b[i]", f"select({ON}, x[i], 0.0)")
    masked = statement("Y", "y[i]", "masked_mul(a[i], b[i])")
    assert found(A + zero + masked) == {"A": {"g": "i"}}
    plain = statement("Y", "y[i]", "mul(a[i], b[i])")
    assert found(A + zero + plain) == {}  # infinity times zero is not a number, and shows


def test_what_adds_zero_may_be_left_out_and_needs_its_zeros() -> None:
    """The sum may run as well, or stand in no loop that tests: what it adds then is computed."""
    zero = statement("B", "b[i]", f"select({ON}, x[i], 0.0)")
    total = statement("S", "s[]", "mul(2.0, b[i])").replace("s[] =", "s[] +=")
    assert found(zero + total) == {"S": {"g": "i"}}


def test_indices_stay() -> None:
    index = statement("K", "k[i]", "ids[i]")
    assert found(index + statement("Y", "y[i]", f"select({ON}, x[k[i]], 0.0)")) == {}
    gathered = statement("Y", "y[i]", f"select({ON}, a[ids[i]], 0.0)")
    assert found(A + gathered) == {}


def test_a_truth_value_that_another_decides() -> None:
    """G is zero where h is: what G chooses is left out by both."""
    head = HEAD.replace("  temporary k", "  input     h: int32[]\n  temporary k")
    on = "cast_int32(select(ne(h[], int32(0)), gt(x[i], 0.0), False))"
    text = A + statement("K", "k[i]", on) + statement("Y", "y[i]", "select(ne(k[i], int32(0)), a[i], x[i])")
    own = switches(parse_program(head + text))
    assert {g: ", ".join(map(str, index)) for g, index in own["A"].items()} == {"k": "i", "h": ""}
