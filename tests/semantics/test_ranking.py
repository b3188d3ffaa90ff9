"""Ranking without isl's scheduler: which dimension orders each statement, counted from where."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyad.errors import CausalityError
from polyad.semantics.causality import check_order, needs
from polyad.semantics.evaluate import evaluate_all
from polyad.semantics.ranking import rank
from tests.programs import program
from tests.semantics.test_verify import SHIFTED, refusal_of

# The adjoint of two buffers that take turns: each statement has names of its own, and time runs downwards.
TURNS = """
program turns: [T, N] -> { : T >= 1 and N >= 1 }
  output    a: float64[T + 1, N + 2]
  output    b: float64[N + 2, T + 1]
  A0: [T, N] -> { A0[s, i] : s = T and 0 <= i < N + 2 or 0 <= s < T and i = 0 or 0 <= s < T and i = N + 1 }
      a[s, i] = 1.0
  A: [T, N] -> { A[s, i] : 0 <= s < T and 0 < i <= N }
      a[s, i] = b[i - 1, s + 1] + b[i + 1, s + 1]
  B: [T, N] -> { B[k, t] : 0 <= t <= T and 0 <= k < N + 2 }
      b[k, t] = a[t, k]
"""


def unranked(p):
    return rank(p.statements, needs(p.statements, p.context))


@pytest.mark.parametrize(
    "text",
    [TURNS, TURNS.replace("T >= 1 and N >= 1", "T = 2 and N = 5"), SHIFTED],
    ids=["turns", "at a size", "shifted"],
)
def test_dimensions_are_carried_along_needs(text):
    assert unranked(program(text)) == []


def test_a_step_too_far_is_a_cycle():
    p = program(TURNS.replace("b[i + 1, s + 1]", "b[i + 1, s]").replace("b[i - 1, s + 1]", "b[i - 1, s]"))
    with pytest.raises(CausalityError, match="needs"):
        check_order(p.statements, p.arrays, p.context)


OFFSETS = st.integers(-2, 2)


@settings(max_examples=60)
@given(st.tuples(*[OFFSETS] * 6))
def test_what_is_ranked_can_be_evaluated(offsets):
    """Random systems of two equations with different names, one of which has its dimensions the other way round."""
    ai, aj, bi, bj, ci, cj = offsets
    p = program(f"""
program random: [N] -> {{ : N >= 1 }}
  output    a: float64[N + 4, N + 4]
  output    b: float64[N + 4, N + 4]
  A0: [N] -> {{ A0[i, j] : 0 <= i < N + 4 and 0 <= j < N + 4 and (i < 2 or j < 2 or i >= N + 2 or j >= N + 2) }}
      a[i, j] = 1.0
  B0: [N] -> {{ B0[i, j] : 0 <= i < N + 4 and 0 <= j < N + 4 and (i < 2 or j < 2 or i >= N + 2 or j >= N + 2) }}
      b[i, j] = 1.0
  A: [N] -> {{ A[i, j] : 2 <= i < N + 2 and 2 <= j < N + 2 }}
      a[i, j] = b[j + {aj}, i + {ai}] + a[i + {ci}, j + {cj}]
  B: [N] -> {{ B[k, l] : 2 <= k < N + 2 and 2 <= l < N + 2 }}
      b[k, l] = a[l + {bj}, k + {bi}]
""")
    refusal = refusal_of(p)
    if not unranked(p):
        assert refusal is None
        for n in (1, 3, 5):
            evaluate_all(p, {}, {"N": n})
    elif refusal is not None:
        with pytest.raises(CausalityError):
            evaluate_all(p, {}, refusal.sizes)
