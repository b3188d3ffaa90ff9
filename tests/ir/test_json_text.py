"""JSON and text say the whole program."""

import json
from dataclasses import replace

import numpy as np
import pytest

from polyad.errors import DefinitionError
from polyad.ir.json_text import from_json, to_json
from polyad.ops.program_text import parse_program
from polyad.semantics.evaluate import evaluate
from tests import programs
from tests.programs import program
from tests.programs_gradient import LSTM_GRADIENT

# Constants of every type, inf and nan, casts, comparisons, select, truth values, strides and divisions.
EVERYTHING = """
program everything: [N, M] -> { : N >= 2 and M >= 1 and N - 2M <= 7 }
  input     x: float64[N, 2*M + 1]
  input     f: float32[N]
  input     k: int32[N]
  output    y: float64[N, (N + 1) // 2]
  output    z: float32[N]
  output    n: int64[N]
  output    s: float64[N]
  scan      loop: i < N - 1, reverse, states y, z
  Sa: [N, M] -> { Sa[i, j] : 0 <= i < N and 0 <= 2j <= N and (i + j) mod 2 = 0 and 2j < N }
      y[i, j] = select(and(lt(x[i, M], 0.1), not(isnan(x[i, 0]))), -inf, maximum(nan, cast_float64(f[i // 2])))
  Sb: [N, M] -> { Sb[i, j] : 0 <= i < N and 0 <= 2j < N and (i + j) mod 2 = 1 }
      y[i, j] = x[i, 2*M - 2*(M // 2)] * index(3*i - (j + N) // 2) + exp(1e-300) - float32(0.1)
  Sz: [N, M] -> { Sz[i] : 0 <= i < N }
      z[N - 1 - i] = float32(0.1) * f[i] + float32(-inf) * float32(nan)
  Sn: [N, M] -> { Sn[i] : 0 <= i < N }
      n[i] = floordiv(cast_int64(k[i]), 2) + cast_int64(int32(7)) - 9223372036854775807
  Ss: [N, M] -> { Ss[i] : 0 <= i < N }
      s[mod(k[i], cast_int32(index(N)))] max= select(true_of(k[i]), 1.5, x[i, 0])
""".replace("true_of(k[i])", "or(ne(k[i], int32(0)), eq(index(i), 0))")

SAMPLES = {
    "matvec": programs.MATVEC,
    "conv": programs.CONV,
    "cumsum": programs.CUMSUM,
    "lstm": programs.LSTM,
    "lstm_gradient": LSTM_GRADIENT,
    "dtw": programs.DTW,
    "gather": programs.GATHER,
    "everything": EVERYTHING,
}


def inputs_of(p, sizes):
    rng = np.random.default_rng(0)
    result = {}
    for name in p.inputs:
        array = p.arrays[name]
        shape = [e.evaluate(sizes) for e in array.shape]
        floating = array.dtype.startswith("float")
        result[name] = rng.standard_normal(shape) if floating else rng.integers(0, 2, shape)
    return result


def assert_same_meaning(p, q):
    sizes = dict.fromkeys(p.params, 3)
    given = inputs_of(p, sizes)
    first, second = evaluate(p, given, sizes), evaluate(q, given, sizes)
    assert list(first) == list(second)
    for name in first:
        np.testing.assert_array_equal(first[name], second[name])


@pytest.mark.parametrize("text", SAMPLES.values(), ids=SAMPLES)
def test_json_round_trip(text):
    p = program(text)
    q = from_json(to_json(p))
    assert str(q) == str(p)
    assert to_json(q) == to_json(p)
    assert q.inputs == p.inputs and q.outputs == p.outputs and q.params == p.params
    assert_same_meaning(p, q)


@pytest.mark.parametrize("text", SAMPLES.values(), ids=SAMPLES)
def test_text_round_trip(text):
    p = program(text)
    q = parse_program(str(p))
    assert str(q) == str(p)
    assert_same_meaning(p, q)


def test_json_keeps_the_users_places():
    p = program(programs.LSTM)
    p = replace(p, statements=tuple(replace(s, where="lstm.py:12") for s in p.statements))
    q = from_json(to_json(p))
    assert {s.where for s in q.statements} == {"lstm.py:12"}
    assert q.scans == p.scans


def test_json_is_standard():
    def refuse(name):
        raise AssertionError(f"{name} is not JSON")

    assert json.loads(to_json(program(EVERYTHING)), parse_constant=refuse)["polyad_program"] == 1


def break_operator(data):
    data["statements"][0]["body"] = {"operator": "add"}


def break_version(data):
    data["polyad_program"] = 99


def break_domain(data):
    data["statements"][0]["domain"] = "{ S[i : }"


def drop_context(data):
    del data["context"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (break_version, "a program of format 99; this polyad reads format 1"),
        (break_operator, "not an expression in JSON: {'operator': 'add'}"),
        (break_domain, "not a program in JSON"),
        (drop_context, r"not a program in JSON \(KeyError: 'context'\)"),
    ],
)
def test_what_is_not_a_program_is_refused(change, message):
    data = json.loads(to_json(program(programs.MATVEC)))
    change(data)
    with pytest.raises(DefinitionError, match=message):
        from_json(json.dumps(data))


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense"])
def test_what_is_not_json_is_refused(text):
    with pytest.raises(DefinitionError, match="not a program in JSON"):
        from_json(text)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        "[" * 900 + "]" * 900,
        "null",
        "[]",
        "5",
        '{"polyad_program": 1, "arrays": [[]]}',
        "",
    ],
    ids=range(8),
)
def test_texts_that_are_no_program(text: str) -> None:
    with pytest.raises(DefinitionError, match="not a program in JSON"):
        from_json(text)
