"""Proofs are shared by programs with equal parts, and whatever is new in one is proved."""

from dataclasses import replace

import pytest

from polyad.errors import BoundsError, CausalityError, DefinitionError, PolyadError
from polyad.ir.program import Program
from polyad.semantics import verify as proofs
from polyad.semantics.verify import verify
from tests import programs
from tests.counted_calls import calls_made
from tests.programs import program
from tests.programs_gradient import LSTM_GRADIENT

TWO_STEPS = """
program two_steps: [N] -> { : N >= 2 }
  input     x: float64[N]
  temporary p: float64[N]
  temporary q: float64[N]
  output    y: float64[N]
  P0: [N] -> { P0[i] : i = 0 }
      p[i] = x[i]
  P: [N] -> { P[i] : 1 <= i < N }
      p[i] = q[i - 1]
  Q: [N] -> { Q[i] : 0 <= i < N }
      q[i] = p[i] + x[i]
  Y: [N] -> { Y[i] : 0 <= i < N }
      y[i] = q[i]
"""


def with_shared_parts(wrong: Program, right: Program) -> Program:
    """A program in which everything that reads as it does in another one is the very same."""
    same = {
        (s.name, s.dims, str(s.domain), s.array, str(s.write), str(s.body), s.reduction): s for s in right.statements
    }
    keys = [(s.name, s.dims, str(s.domain), s.array, str(s.write), str(s.body), s.reduction) for s in wrong.statements]
    return replace(wrong, statements=tuple(same.get(k, s) for k, s in zip(keys, wrong.statements, strict=True)))


@pytest.mark.parametrize(
    ("text", "old", "new", "error"),
    [
        (programs.CUMSUM, "s[i - 1]", "s[i + 1]", BoundsError),  # a statement is new
        (programs.CUMSUM, "s: float64[N]", "s: float64[N - 1]", BoundsError),  # an array is smaller
        (programs.CUMSUM, "N >= 1", "N >= 0", BoundsError),  # other sizes: everything is proved again
        (programs.CUMSUM, "s[i - 1] + sin(x[i])", "s[i - 1] + sin(x[i - 1])", None),
        (programs.LSTM, "h[0, b, k] = h0", "h[T, b, k] = h0", DefinitionError),  # a writer is new: defined twice
        (TWO_STEPS, "P0[i] : i = 0", "P0[i] : i = 1", DefinitionError),  # both: twice here, and never there
        (TWO_STEPS, "P0: [N] -> { P0[i] : i = 0 }\n      p[i] = x[i]\n", "", DefinitionError),  # an old reader of it
        (TWO_STEPS, "Y[i] : 0 <= i < N", "Y[i] : 1 <= i < N", DefinitionError),  # an output
        (TWO_STEPS, "p[i] = q[i - 1]", "p[i] = q[i]", CausalityError),  # a cycle with an old statement
        (TWO_STEPS, "  input     x", "  output    x", DefinitionError),  # the same statements, another role
    ],
)
def test_what_is_new_is_proved(text: str, old: str, new: str, error: type[PolyadError] | None) -> None:
    right = program(text)
    assert old in text
    other = with_shared_parts(program(text.replace(old, new, 1)), right)
    proved = verify(right)
    if error is None:
        verify(other, proved)
        return
    with pytest.raises(error) as alone:
        verify(other)
    with pytest.raises(error) as after:
        verify(other, proved)
    assert str(after.value) == str(alone.value)


def test_other_sizes_share_nothing() -> None:
    """A fact about two elements and more may fail for one."""
    right = program(TWO_STEPS.replace("p[i] = x[i]", "p[i] = x[i + 1]"))
    proved = verify(right)
    smaller = replace(right, context=program(TWO_STEPS.replace("N >= 2", "N >= 1")).context)
    with pytest.raises(BoundsError, match="N = 1"):
        verify(smaller, proved)


def test_incomplete_arrays_are_remembered() -> None:
    """A reader that is new is held against the elements that an old array lacks."""
    text = TWO_STEPS.replace("Q[i] : 0 <= i < N", "Q[i] : 0 <= i < N - 1").replace(
        "Y[i] : 0 <= i < N }", "Y[i] : 0 <= i < N }"
    )
    right = program(text.replace("y[i] = q[i]", "y[i] = x[i]"))
    proved = verify(right)
    assert set(proved.incomplete) == {"q"}
    with pytest.raises(DefinitionError, match=r"q\[1\] is read but never defined"):
        verify(with_shared_parts(program(text), right), proved)


def test_what_was_proved_is_not_proved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    p = program(LSTM_GRADIENT)
    proved = verify(p)
    again = replace(p, statements=p.statements[::-1])
    full = calls_made(lambda: verify(p))
    assert calls_made(lambda: verify(again, proved)) < full / 3
    asked: list[str] = []
    for name in ("check_bounds", "check_definitions", "check_reads"):
        monkeypatch.setattr(proofs, name, lambda about, *rest: asked.append(about.name))
    last = p.statements[-1]
    verify(replace(p, statements=(*p.statements[:-1], replace(last, where="here"))), proved)
    readers = {s.name for s in p.statements if any(r.array == last.array for r in s.reads())}
    assert {last.name, last.array} <= set(asked) <= {last.name, last.array, *readers}
