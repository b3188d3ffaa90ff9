"""The meaning of programs, against NumPy."""

import numpy as np
import pytest

from polyad.errors import BoundsError, CallError, CausalityError, DefinitionError
from polyad.semantics.evaluate import evaluate, evaluate_all
from tests import programs
from tests.counted_calls import calls_made
from tests.programs import program

rng = np.random.default_rng(0)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def test_contraction():
    a, x = rng.standard_normal((3, 4)), rng.standard_normal(4)
    np.testing.assert_allclose(evaluate(program(programs.MATVEC), {"A": a, "x": x})["y"], a @ x)


def test_strided_access():
    n, k = 4, 3
    x, w = rng.standard_normal(2 * n + 3 * k), rng.standard_normal(k)
    y = evaluate(program(programs.CONV), {"x": x, "w": w}, {"N": n})["y"]
    np.testing.assert_allclose(y, [sum(x[2 * i + 3 * j] * w[j] for j in range(k)) for i in range(n)])


def test_recurrence():
    x = rng.standard_normal(6)
    expected = np.cumsum([x[0], *np.sin(x[1:])])
    np.testing.assert_allclose(evaluate(program(programs.CUMSUM), {"x": x})["s"], expected)


def test_lstm_is_numpys_and_not_slow():
    sizes = {"T": 3, "B": 2, "I": 2, "H": 3}
    p = program(programs.LSTM)
    given = {n: rng.standard_normal([e.evaluate(sizes) for e in p.arrays[n].shape]) for n in p.inputs}
    h, c, loss = given["h0"], given["c0"], 0.0
    for t in range(3):
        i, f, g, o = np.split(given["x"][t] @ given["W"].T + h @ given["U"].T + given["b"], 4, axis=-1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        loss += (h * h).sum()
    everything = evaluate_all(p, given)
    assert calls_made(lambda: evaluate_all(p, given)) < 100_000
    np.testing.assert_allclose(everything["loss"], loss)
    np.testing.assert_allclose(everything["h"][3], h)
    assert everything["c"].shape == (4, 2, 3)


def test_two_dimensional_recurrence():
    d = rng.standard_normal((3, 4))
    r = np.full((4, 5), 1e6)
    r[0, 0] = 0
    for i in range(1, 4):
        for j in range(1, 5):
            before = [r[i - 1, j], r[i, j - 1], r[i - 1, j - 1]]
            with np.errstate(divide="ignore"):
                r[i, j] = d[i - 1, j - 1] - np.log(np.exp(-np.array(before)).sum())
    np.testing.assert_allclose(evaluate(program(programs.DTW), {"d": d})["out"], r[3, 4])


def test_long_recurrences_need_no_recursion():
    x = np.ones(5000)
    s = evaluate(program(programs.CUMSUM), {"x": x})["s"]
    np.testing.assert_allclose(s[-1], 1 + 4999 * np.sin(1.0))


def test_data_dependent_read():
    table, ids = rng.standard_normal((5, 3)), np.array([1, 4, 1])
    loss = evaluate(program(programs.GATHER), {"table": table, "ids": ids})["loss"]
    np.testing.assert_allclose(loss, (table[ids] ** 2).sum())


def test_an_index_out_of_range_is_named():
    table, ids = np.ones((5, 3)), np.array([1, 4, 5])
    with pytest.raises(CallError, match=r"ids\[2\] = 5 is an index of dimension 0 of table: .* has 5 elements") as info:
        evaluate(program(programs.GATHER), {"table": table, "ids": ids})
    assert info.value.argument == "ids"
    assert "at S[t = 2, j = 0]" in str(info.value) and "0 .. 4" in str(info.value)
    with pytest.raises(CallError, match=r"ids\[0\] = -1"):
        evaluate(program(programs.GATHER), {"table": table, "ids": np.array([-1, 0, 0])})


SCATTER = """
program scatter: [V, L, D] -> { : V >= 1 and L >= 1 and D >= 1 }
  input     ids: int64[L]
  input     g: float64[L, D]
  output    z: float64[V, D]
  S: [V, L, D] -> { S[t, j] : 0 <= t < L and 0 <= j < D }
      z[ids[t], index(j)] += g[t, j]
"""


def test_scatter():
    ids, g = np.array([2, 0, 2, 2]), rng.standard_normal((4, 3))
    expected = np.zeros((5, 3))
    np.add.at(expected, ids, g)
    p = program(SCATTER)
    np.testing.assert_allclose(evaluate(p, {"ids": ids, "g": g}, {"V": 5})["z"], expected)
    with pytest.raises(CallError, match=r"ids\[1\] = 5 is an index of dimension 0 of z"):
        evaluate(p, {"ids": np.array([0, 5, 0, 0]), "g": g}, {"V": 5})


def test_a_computed_index_is_spelled_as_an_expression():
    p = program(SCATTER.replace("z[ids[t],", "z[ids[t] - 1,"))
    with pytest.raises(CallError, match=r"sub\(ids\[t\], 1\) = -1 is an index"):
        evaluate(p, {"ids": np.array([0]), "g": np.ones((1, 1))}, {"V": 5})


def one_equation(op, expr, dtype="float64", extra=""):
    return program(f"""
program one: [N] -> {{ : N >= 0 }}
  input     x: float64[N]
  input     k: int64[N]
  output    y: {dtype}[2]
{extra}  S: [N] -> {{ S[i] : 0 <= i < N }}
      y[0] {op} {expr}
""")


@pytest.mark.parametrize(("op", "nothing"), [("+=", 0.0), ("*=", 1.0), ("max=", -np.inf), ("min=", np.inf)])
def test_elements_without_contributions_are_the_identity(op, nothing):
    y = evaluate(one_equation(op, "x[i]"), {"x": [2.0, 3.0], "k": [0, 0]})["y"]
    assert y.tolist() == [{"+=": 5.0, "*=": 6.0, "max=": 3.0, "min=": 2.0}[op], nothing]


def test_integers_stay_integers():
    y = evaluate(one_equation("max=", "k[i] * 4611686018427387903", "int64"), {"x": [0.0], "k": [2]})["y"]
    assert y.dtype == np.int64 and y.tolist() == [2**63 - 2, -(2**63)]
    assert evaluate(one_equation("+=", "cast_int32(k[i])", "int32"), {"x": [], "k": []})["y"].dtype == np.int32


def test_a_definition_and_contributions_combine():
    both = "  D: [N] -> { D[i] : 0 <= i < 2 }\n      y[i] = 10.0\n"
    y = evaluate(one_equation("+=", "x[i]", extra=both), {"x": [1.0, 2.0], "k": [0, 0]})["y"]
    assert y.tolist() == [13.0, 10.0]


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        ("x[i] / 0.0", np.inf),
        ("log(x[i] - 3.0)", -np.inf),
        ("sqrt(x[i] - 4.0)", np.nan),
        ("exp(1000.0 * x[i])", np.inf),
        ("cast_float64(floordiv(k[i], 2))", -4.0),
        ("cast_float64(mod(k[i], 2))", 1.0),
        ("cast_float64(floordiv(k[i], 0))", 0.0),
        ("cast_float64(cast_int64(x[i] - 5.5))", -2.0),
        ("cast_float64(cast_int32(k[i] + 4294967296))", -7.0),
        ("cast_float64(cast_int64(cast_int32(2147483647) + cast_int32(k[i])))", 2147483640.0),
        ("select(lt(x[i], 4.0), x[i], -x[i])", 3.0),
        ("select(lt(k[i], 0), index(2*i + 5), 1)", 5.0),
        ("cast_float64(gt(x[i], 1.0))", 1.0),
        ("maximum(x[i], nan)", np.nan),
        ("cast_float32(0.1 * x[i])", 0.1 * 3.0),  # computed in float64, whatever the type
        ("cast_float32(0.1)", float(np.float32(0.1))),  # but a decimal of a float is what compiled code has for it
    ],
)
def test_scalar_semantics(expr, value):
    y = evaluate(one_equation("max=", expr), {"x": [3.0], "k": [-7]})["y"]
    np.testing.assert_array_equal(y[0], value)


def test_a_cycle_is_spelled_out():
    p = program(programs.CUMSUM.replace("s[i - 1]", "s[N - i]"))
    with pytest.raises(CausalityError, match=r"s\[1\] needs s\[4\] needs s\[1\]") as info:
        evaluate(p, {"x": np.ones(5)})
    assert info.value.cycle == ("s[1]", "s[4]") and info.value.sizes == {"N": 5}


def test_an_undefined_element_is_named():
    p = program(programs.CUMSUM.replace("1 <= i < N", "2 <= i < N"))
    with pytest.raises(DefinitionError, match=r"s\[1\] is needed, but no statement defines it"):
        evaluate(p, {"x": np.ones(5)})


def test_a_double_definition_is_named():
    p = program(programs.CUMSUM.replace("i = 0", "0 <= i <= 1"))
    with pytest.raises(DefinitionError, match=r"s\[1\] is defined twice, by S0\[i = 1\] and S1\[i = 1\]"):
        evaluate(p, {"x": np.ones(5)})


def test_a_read_outside_is_named():
    p = program(programs.CUMSUM.replace("s[i - 1]", "s[i - 2]"))
    with pytest.raises(
        BoundsError, match=r"s\[i - 2\] reads s\[-1\] outside of s: float64\[N\] at S1\[i = 1\]"
    ) as info:
        evaluate(p, {"x": np.ones(3)})
    assert info.value.instance == {"i": 1} and info.value.sizes == {"N": 3}


def test_undefined_temporaries_are_nan():
    p = program("""
program part: [N] -> { : N >= 2 }
  input     x: float64[N]
  temporary t: float64[N]
  temporary k: int64[N]
  output    y: float64[]
  S: [N] -> { S[i] : i = 0 }
      t[i] = x[i]
  K: [N] -> { K[i] : i = 1 }
      k[i] = 5
  Y: [N] -> { Y[] }
      y[] = t[0]
""")
    everything = evaluate_all(p, {"x": [1.0, 2.0]})
    np.testing.assert_array_equal(everything["t"], [1.0, np.nan])
    assert everything["k"].tolist() == [0, 5] and everything["y"] == 1 and everything["x"].tolist() == [1.0, 2.0]


def test_wrong_inputs_are_refused():
    p = program(programs.MATVEC)
    with pytest.raises(CallError, match=r"input x is missing; expected x: float64\[K\]") as info:
        evaluate(p, {"A": np.ones((2, 3))})
    assert info.value.argument == "x"
    with pytest.raises(CallError, match="argument x has shape"):
        evaluate(p, {"A": np.ones((2, 3)), "x": np.ones(4)})
