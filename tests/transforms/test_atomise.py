import pytest

from polyad.ad.reverse import reverse
from polyad.ir.expr import Apply, Read, children, size
from polyad.ops import OPS
from polyad.transforms.passes.inline import inline
from polyad.transforms.passes.merge_equal import merge_equal
from polyad.transforms.rewrite.atomise import atomise
from tests.programs import CONV, CUMSUM, DTW, GATHER, LSTM, MATVEC, program
from tests.transforms.equivalence import assert_same

MIXED = """
program mixed: [T, H] -> { : T >= 1 and H >= 1 }
  input     x: float64[T, H]
  temporary m: float64[T]
  output    s: float64[T]
  M: [T, H] -> { M[t, k] : 0 <= t < T and 0 <= k < H }
      m[t] max= x[t, k] * 2.0
  S: [T, H] -> { S[t, k] : 0 <= t < T and 0 <= k < H }
      s[t] += exp(x[t, k] - m[t]) + exp(x[t, k] - m[t]) + sinh(m[t] + exp(m[t])) * BRANCH
""".replace("BRANCH", "select(gt(x[t, k], 0.0), log(x[t, k]), 0.0)")

# The extent of i is N - 3, which is no array extent where N < 3: the array takes that of x instead.
SMALL = """
program small: [N] -> { : N >= 1 }
  input     x: float64[N]
  output    s: float64[]
  S: [N] -> { S[i] : 3 <= i < N }
      s[] += exp(x[i - 1])
"""

LONG = f"""
program long: [N] -> {{ : N >= 1 }}
  input     x: float64[N]
  output    y: float64[N]
  S: [N] -> {{ S[i] : 0 <= i < N }}
      y[i] = {" + ".join(f"x[i] * ({k}.0 - x[N - 1 - i])" for k in range(20))}
"""


@pytest.mark.parametrize("text", [MATVEC, CONV, LSTM, GATHER])
def test_atomic_programs_are_left_alone(text: str) -> None:
    before = program(text)
    assert atomise(before) is before


@pytest.mark.parametrize("text", [CUMSUM, DTW, MIXED, SMALL, LONG])
def test_values_stay(text: str) -> None:
    before = program(text)
    assert_same(before, atomise(before))
    assert_same(before, merge_equal(atomise(before)))


def test_undoes_what_inlining_put_together() -> None:
    before = inline(program(LSTM))
    after = atomise(before)
    assert_same(before, after)
    assert {"c_sigmoid", "c_sigmoid_1", "c_tanh", "h_sigmoid", "h_tanh"} <= set(after.arrays)
    assert "h[t + 1, b, k] = mul(h_sigmoid[t, b, k], h_tanh[t, b, k])" in str(after)


@pytest.mark.parametrize("text", [DTW, MIXED])
def test_expensive_operators_define_arrays(text: str) -> None:
    for s in atomise(program(text)).statements:
        inside = [s.body] if s.reduction is not None else list(children(s.body))
        while inside:
            node = inside.pop()
            if isinstance(node, Apply):
                assert OPS[node.op].cost < 10, str(s.name)
                inside += node.args


def test_temporaries_have_only_the_dimensions_they_depend_on() -> None:
    after = atomise(program(MIXED))
    assert [str(e) for e in after.arrays["s_sinh"].shape] == ["T"]
    assert "s_sinh[t] = sinh(add(m[t], s_exp_2[t]))" in str(after)


def test_bodies_under_max_are_stored() -> None:
    s = atomise(program(MIXED)).statement("M")
    assert isinstance(s.body, Read) and s.body.array == "m_term"


def test_branches_stay_together() -> None:
    assert "select(gt(x[t, k], 0.0), log(x[t, k]), 0.0)" in str(atomise(program(MIXED)))


def test_extents_are_never_negative() -> None:
    after = atomise(program(SMALL))
    assert [str(e) for e in after.arrays["s_exp"].shape] == ["N"]
    assert "s_exp[i - 1] = exp(x[i - 1])" in str(after)


def test_long_bodies_are_cut() -> None:
    after = atomise(program(LONG))
    assert len(after.statements) > 1
    assert all(size(s.body) <= 40 for s in after.statements)


def needleman_wunsch(depth: int) -> str:
    """A cell of a dynamic program: log(sum(exp)) of what is read, `depth` times over."""
    terms = ["d[i, j] + s[i, j]", "d[i, j + 1] - 1.0", "d[i + 1, j] - 1.0"]
    value = ""
    for _ in range(depth):
        most = f"maximum(maximum({terms[0]}, {terms[1]}), {terms[2]})"
        value = f"{most} + log({' + '.join(f'exp({t} - {most})' for t in terms)})"
        terms = [f"0.5 * ({value})", *terms[1:]]
    return f"""
program cell: [N] -> {{ : N >= 1 }}
  input     d: float64[N, N]
  input     s: float64[N, N]
  output    y: float64[N, N]
  S: [N] -> {{ S[i, j] : 0 <= i < N - 1 and 0 <= j < N - 1 }}
      y[i + 1, j + 1] = {value}
  Z: [N] -> {{ Z[i, j] : 0 <= i, j < N and (i = 0 or j = 0) }}
      y[i, j] = 0.0
"""


def test_what_a_body_uses_several_times_has_one_array() -> None:
    before = program(needleman_wunsch(1))
    after = atomise(before)
    assert_same(before, after)
    (most,) = (s for s in after.statements if s.array == "y_maximum")
    assert sum(r.array == "y_maximum" for s in after.statements for r in s.reads()) == 4  # three exp, and the sum
    assert {r.array for r in most.reads()} == {"y_maximum_maximum", "d"}  # the derivative tests two operands at a time


def test_branches_and_sums_keep_what_they_use() -> None:
    part = "sin(x[i] * 2.0 + x[N - 1 - i] * 3.0 - 1.0)"
    for body, head in ((f"select(gt(x[i], 0.0), {part}, {part})", "y[i] ="), (f"{part} * {part}", "y[0] +=")):
        after = atomise(program(LONG.replace(LONG[LONG.index("      y[i]") :], f"      {head} {body}\n")))
        assert not {a for a in after.arrays if a.startswith(("y_add", "y_sub"))}


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_derivative_grows_with_what_is_computed_once(depth: int) -> None:
    """As many adjoints as definitions: the cheap gradient, however often a body uses a part."""
    primal = atomise(program(needleman_wunsch(depth)))
    nodes = sum(size(s.body) for s in primal.statements)
    gradient = reverse(primal, {"y": None}, ["d", "s"]).program
    assert sum(size(s.body) for s in gradient.statements) < 10 * nodes
    assert nodes <= 40 * depth


def test_steps_of_recurrences_keep_the_small_parts_that_they_use_twice() -> None:
    step = "maximum(u[i - 1] + x[i], 0.5 * u[i - 1]) - 0.1 * (u[i - 1] + x[i])"
    text = f"""
program steps: [N] -> {{ : N >= 1 }}
  input     x: float64[N]
  ROLE      u: float64[N]
  output    y: float64[N]
  Z: [N] -> {{ Z[i] : i = 0 and N >= 1 }}
      u[i] = x[i]
  S: [N] -> {{ S[i] : 1 <= i < N }}
      NAME[i] = {step}
"""
    recurrence = text.replace("ROLE ", "output").replace("  output    y: float64[N]\n", "").replace("NAME", "u")
    assert "u_add" in atomise(program(recurrence)).arrays
    other = text.replace("ROLE ", "input ").replace("NAME", "y").replace("u[i] = x[i]", "y[i] = x[i]")
    assert not {a for a in atomise(program(other)).arrays if a.startswith("y_")}


ROOTS = """
program roots: [N, M] -> { : N >= 1 and M >= 1 }
  input     x: float64[N, M]
  input     v: float64[N]
  output    y: float64[N, M]
  Y: [N, M] -> { Y[i, j] : 0 <= i < N and 0 <= j < M }
      y[i, j] = div(x[i, j], sqrt(add(v[i], 1.0))) + sqrt(add(mul(x[i, j], x[i, j]), v[i])) + x[i, j] / v[i]
"""


def test_roots_and_quotients_of_a_row_are_taken_once_a_row() -> None:
    """The root that is another one in each column stays, and so does the quotient of it."""
    before = program(ROOTS)
    after = atomise(before)
    assert_same(before, after)
    assert [(s.array, s.dims) for s in after.statements] == [("y_sqrt", ("i",)), ("y", ("i", "j"))]
