"""The four proofs: right programs pass, each kind of wrong program is named with one witness."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyad.errors import BoundsError, CausalityError, DefinitionError, ShapeError
from polyad.semantics.causality import check_order
from polyad.semantics.evaluate import evaluate_all
from polyad.semantics.verify import verify
from tests import programs
from tests.counted_calls import calls_made
from tests.programs import program
from tests.programs_gradient import LSTM_GRADIENT

RIGHT = {
    "matvec": programs.MATVEC,
    "conv": programs.CONV,
    "cumsum": programs.CUMSUM,
    "lstm": programs.LSTM,
    "lstm_gradient": LSTM_GRADIENT,
    "dtw": programs.DTW,
    "gather": programs.GATHER,
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_right_programs_pass(text):
    verify(program(text))


def test_verifying_the_lstm_does_not_blow_up():
    p = program(programs.LSTM)
    assert calls_made(lambda: verify(p)) < 15_000


def changed(text, *changes):
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    p = program(text)
    return replace(p, statements=tuple(replace(s, where="model.py:7") for s in p.statements))


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_a_read_outside_is_named():
    p = changed(programs.CUMSUM, ("s[i - 1]", "s[i + 1]"))
    with pytest.raises(BoundsError) as info:
        verify(p)
    assert str(info.value).startswith(
        "bounds: s[i + 1] reads outside of s: float64[N] at S1[i = 1] with N = 2, where it is s[2] of shape [2] "
        "(model.py:7); restrict the axes, "
    )
    assert info.value.instance == {"i": 1} and info.value.sizes == {"N": 2}


def test_a_write_outside_is_named():
    p = changed(programs.CUMSUM, ("i = 0", "0 <= i <= 1"))
    with pytest.raises(BoundsError, match=r"s\[i\] writes outside of s: float64\[N\] at S0\[i = 1\] with N = 1,"):
        verify(p)


def test_the_affine_part_of_a_data_dependent_access_is_proved():
    p = changed(programs.GATHER, ("index(j)", "index(j + 1)"))
    with pytest.raises(BoundsError, match=r"table\[ids\[t\], index\(j \+ 1\)\] reads outside of table") as info:
        verify(p)
    assert info.value.instance == {"t": 0, "j": 0} and info.value.sizes == {"V": 1, "D": 1, "L": 1}


def test_the_index_of_a_data_dependent_access_is_proved():
    p = changed(programs.GATHER, ("ids[t]", "ids[t + 1]"))
    with pytest.raises(BoundsError, match=r"ids\[t \+ 1\] reads outside of ids: int64\[L\]"):
        verify(p)


def test_the_context_is_assumed():
    tight = ("N >= 1 ", "N >= 5 "), ("x: float64[N]", "x: float64[N]")
    ahead = changed(programs.CUMSUM, *tight, ("s[i] = x[i]", "s[i] = x[i + 4]"))
    verify(ahead)
    with pytest.raises(BoundsError, match="with N = 4"):
        verify(changed(programs.CUMSUM, ("N >= 1 ", "N >= 4 "), ("s[i] = x[i]", "s[i] = x[i + 4]")))


def test_an_access_has_as_many_indices_as_its_array_has_dimensions():
    p = changed(programs.MATVEC, ("A[i, k]", "A[i]"))
    with pytest.raises(ShapeError, match=r"A\[i\] in S \(model.py:7\) has 1 indices, but A: float64\[N, K\] has 2 dim"):
        verify(p)


# --- single assignment ------------------------------------------------------------------------------------------------


def test_a_definition_that_writes_twice_is_named():
    p = changed(programs.MATVEC, ("y[i] +=", "y[i] ="))
    with pytest.raises(DefinitionError, match=r"y\[0\] is defined twice with N = 1, K = 2: by S\[i = 0, k = \d\]") as e:
        verify(p)
    assert "S[i = 0, k = 0]" in str(e.value) and "S[i = 0, k = 1]" in str(e.value) and "model.py:7" in str(e.value)


def test_overlapping_definitions_are_named():
    p = changed(programs.LSTM, ("h[0, b, k] = h0", "h[T, b, k] = h0"))
    with pytest.raises(DefinitionError, match=r"h\[1, 0, 0\] is defined twice with T = 1, .*: by Sh0\[.* and by Sh\["):
        verify(p)


def test_a_data_dependent_definition_is_refused():
    p = changed(programs.GATHER, ("float64[]", "float64[V]"), ("loss[] +=", "loss[ids[t]] ="))
    with pytest.raises(DefinitionError, match=r"S \(model.py:7\) defines loss\[ids\[t\]\], an element that depends on"):
        verify(p)


def test_different_reductions_are_refused():
    p = changed(programs.CUMSUM, ("s[i] = x[i]", "s[i] += x[i]"), ("      s[i] = s[i", "      s[i] max= s[i"))
    with pytest.raises(
        DefinitionError, match=r"s has contributions of different reductions, sum by S0 .* and max by S1"
    ):
        verify(p)


def test_inputs_are_not_written():
    p = changed(programs.MATVEC, ("y[i] += A[i, k] * x[k]", "x[k] += A[i, k]"))
    with pytest.raises(
        DefinitionError, match=r"S \(model.py:7\) writes the input x: float64\[K\]; inputs are read only"
    ):
        verify(p)


# --- definedness ------------------------------------------------------------------------------------------------------


def test_an_undefined_read_is_named():
    p = changed(programs.DTW, ("i = 0 and 1 <= j <= M", "i = 0 and 2 <= j <= M"))
    with pytest.raises(DefinitionError) as info:
        verify(p)
    assert str(info.value).startswith(
        "r[0, 1] is read but never defined with N = 1, M = 1: Sij[i = 1, j = 1] (model.py:7) reads it as r[i - 1, j]; "
    )


def test_an_undefined_output_is_named():
    p = changed(programs.CUMSUM, ("i = 0", "i = 0 and N > 2"))
    with pytest.raises(
        DefinitionError, match=r"the output s: float64\[N\] is not defined everywhere: .* s\[0\] a value"
    ):
        verify(p)


def test_an_output_without_any_statement_is_undefined():
    p = program(programs.MATVEC)
    with pytest.raises(DefinitionError, match=r"nothing gives y\[0\] a value with N = 1, K = 1"):
        verify(replace(p, statements=()))


def test_what_data_may_reach_must_be_defined():
    p = program("""
program reach: [N] -> { : N >= 2 }
  input     ids: int64[N]
  temporary t: float64[N]
  output    y: float64[N]
  S: [N] -> { S[i] : 1 <= i < N }
      t[i] = 1.0
  Y: [N] -> { Y[i] : 0 <= i < N }
      y[i] = t[ids[i]]
""")
    with pytest.raises(DefinitionError, match=r"t\[0\] is read but never defined .* reads it as t\[ids\[i\]\]"):
        verify(p)


def test_elements_beside_contributions_are_the_identity():
    verify(changed(programs.MATVEC, ("0 <= i < N and", "0 < i < N and")))


# --- causality --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "changes", "cycle"),
    [
        (programs.CUMSUM, [("s[i - 1]", "s[i]")], ["s[i = 1]"]),
        (
            programs.CUMSUM,
            [("s[i - 1]", "s[N - i]"), ("{ : N >= 1 }", "{ : N >= 1 and N mod 2 = 1 }")],
            ["s[i = 1]", "s[i = 2]"],
        ),
        (programs.DTW, [("r[i, j - 1]", "r[i, j]")], ["r[i = 1, j = 1]"]),
        (
            programs.LSTM,
            [("hu[t, b, n] += h[t, b, j]", "hu[t, b, n] += h[t + 1, b, j]")],
            [
                "h[t + 1 = 1, b = 0, k = 0]",
                "go[t = 0, b = 0, k = 0]",
                "z[t = 0, b = 0, n = 3]",
                "hu[t = 0, b = 0, n = 3]",
            ],
        ),
    ],
)
def test_a_cycle_is_spelled_out(text, changes, cycle):
    with pytest.raises(CausalityError) as info:
        verify(changed(text, *changes))
    assert sorted(info.value.cycle) == sorted(cycle)
    assert " needs ".join([*info.value.cycle, info.value.cycle[0]]) in str(info.value)
    assert "model.py:7" in str(info.value) and "a recurrence may read only what is computed before" in str(info.value)
    assert all(value <= 4 for value in info.value.sizes.values())


def test_a_data_dependent_recurrence_cannot_be_ordered():
    p = program("""
program follow: [N] -> { : N >= 1 }
  input     ids: int64[N]
  output    h: float64[N + 1]
  S0: [N] -> { S0[] }
      h[0] = 1.0
  S: [N] -> { S[t] : 0 <= t < N }
      h[t + 1] = h[ids[t]]
""")
    with pytest.raises(CausalityError, match="as a data-dependent index may reach any element") as info:
        verify(p)
    assert info.value.cycle == ("h[t + 1 = 1]",)


def test_a_scatter_into_what_its_index_reads_cannot_be_ordered():
    p = program("""
program bite: [N] -> { : N >= 1 }
  input     x: float64[N]
  output    k: int64[N]
  S: [N] -> { S[t] : 0 <= t < N }
      k[k[t]] += 1
""")
    with pytest.raises(CausalityError, match=r"k\[0\] needs k\[0\]"):
        verify(p)


def test_a_contribution_to_what_it_reads_is_a_cycle():
    p = program("""
program own: [N] -> { : N >= 1 }
  output    y: float64[N]
  D: [N] -> { D[i] : 0 <= i < N }
      y[i] = 1.0
  S: [N] -> { S[i] : 0 < i < N }
      y[i] += y[N - i]
""")
    with pytest.raises(CausalityError, match=r"needs y\[i = 1\]"):
        verify(p)


# Two statements that need each other at a distance: no dimension ranks them without a shift.
SHIFTED = """
program shifted: [N] -> { : N >= 1 }
  input     x: float64[N + 4]
  output    a: float64[N + 4]
  output    b: float64[N + 4]
  A0: [N] -> { A0[i] : 0 <= i < 4 or i = N + 3 }
      a[i] = x[i]
  B0: [N] -> { B0[i] : 0 <= i < 4 }
      b[i] = x[i]
  A: [N] -> { A[i] : 4 <= i < N + 3 }
      a[i] = b[i + 1]
  B: [N] -> { B[j] : 4 <= j < N + 4 }
      b[j] = a[j - 3]
"""


def test_a_shifted_order_is_found():
    verify(program(SHIFTED))


def test_a_shift_too_far_is_not():
    with pytest.raises(CausalityError, match="needs"):
        verify(changed(SHIFTED, ("a[j - 3]", "a[j - 1]")))


def test_reversed_time_is_found():
    verify(changed(programs.CUMSUM, ("i = 0", "i = N - 1"), ("1 <= i < N", "0 <= i < N - 1"), ("s[i - 1]", "s[i + 1]")))


def test_a_cycle_far_from_small_sizes_is_still_refused():
    text = programs.CUMSUM.replace("s[i - 1]", "s[i - 1 + 2*((i + 1) // 300)]").replace("1 <= i < N", "1 <= i < N - 1")
    p = program(text)
    with pytest.raises(CausalityError, match="no order of execution could be proved for S1") as info:
        check_order(p.statements, p.arrays, p.context)
    assert info.value.cycle == ()


def test_large_constant_domains_are_looked_at_near_their_corner():
    p = program("""
program large: { : }
  output    y: float64[100000, 100000]
  S: { S[i, j] : 0 <= i < 100000 and 0 <= j < 100000 }
      y[i, j] = y[i, j]
""")
    with pytest.raises(CausalityError, match=r"y\[i = 0, j = 0\] needs y\[i = 0, j = 0\];"):
        verify(p)


def refusal_of(p):
    try:
        verify(p)
    except CausalityError as error:
        return error
    return None


OFFSETS = st.integers(-2, 2)


@settings(max_examples=40)
@given(st.tuples(*[OFFSETS] * 6))
def test_the_proof_and_the_evaluator_agree(offsets):
    """Random systems of two equations in two dimensions, on a frame of given values wide enough for all reads."""
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
      a[i, j] = b[i + {ai}, j + {aj}] + a[i + {ci}, j + {cj}]
  B: [N] -> {{ B[i, j] : 2 <= i < N + 2 and 2 <= j < N + 2 }}
      b[i, j] = a[i + {bi}, j + {bj}]
""")
    refusal = refusal_of(p)
    if refusal is None:
        for n in (1, 3, 5):
            assert all(np.isfinite(values).all() for values in evaluate_all(p, {}, {"N": n}).values())
    else:
        assert refusal.cycle
        with pytest.raises(CausalityError):
            evaluate_all(p, {}, refusal.sizes)


@pytest.mark.parametrize("read", ["h[t, b, j] * U[n, j]", "c[t, b, k] + gi"])
def test_every_read_of_a_state_matters(read):
    """Shifting a read of a recurrent state forward in time is noticed."""
    with pytest.raises(CausalityError, match="no order of execution exists"):
        verify(changed(programs.LSTM, (read, read.replace("[t, b", "[t + 1, b"))))
