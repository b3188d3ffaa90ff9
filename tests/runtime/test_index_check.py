"""Data-dependent indices of generated kernels: out of range is an error that finds the culprit."""

import re
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.errors import CallError
from polyad.ops.program_text import parse_program
from polyad.pipeline import compile_program

DIRECT = """
program direct: [V, T] -> { : V >= 1 and T >= 1 }
  input     table: float64[V]
  input     ids: int64[T, 2]
  output    rows: float64[T]
  S: [V, T] -> { S[t] : 0 <= t < T }
      rows[t] = table[ids[t, 1]]
"""

COMPUTED = """
program computed: [V, T] -> { : V >= 1 and T >= 1 }
  input     table: float64[V]
  input     start: int64[T]
  input     step: int64[T]
  output    rows: float64[T]
  S: [V, T] -> { S[t] : 0 <= t < T }
      rows[t] = table[add(start[t], step[t])]
"""

CHAINED = """
program chained: [V, T] -> { : V >= 1 and T >= 1 }
  input     table: float64[V]
  input     where: int64[T]
  input     ids: int64[V]
  temporary place: int64[T]
  output    rows: float64[T]
  P: [V, T] -> { P[t] : 0 <= t < T }
      place[t] = ids[where[t]]
  S: [V, T] -> { S[t] : 0 <= t < T }
      rows[t] = table[place[t]]
"""

TABLE = np.arange(4.0)


def fails(text: str, *arrays: np.ndarray) -> CallError:
    """Run a program on wrong indices: nothing is written and the error is returned."""
    kernel = compile_program(parse_program(text))
    out = np.full(arrays[1].shape[0], -7.0)
    with pytest.raises(CallError) as caught:
        kernel(*arrays, out=out)
    assert (out == -7.0).all()
    return caught.value


def test_an_element_of_an_input_is_named_with_its_value() -> None:
    problem = fails(DIRECT, TABLE, np.array([[0, 1], [0, 4], [0, 3]]))
    assert problem.argument == "ids"
    assert str(problem).startswith(
        "direct: index out of range: ids[1, 1] = 4, used as ids[t, 1] in dimension 0 of table"
    )
    assert "0 .. 3" in str(problem)
    # The column that is no index may hold anything.
    assert "ids[1, 1] = 4" in str(fails(DIRECT, TABLE, np.array([[99, 1], [-5, 4]])))
    assert "-1" in str(fails(DIRECT, TABLE, np.array([[0, -1]])))


def test_a_computed_index_is_put_down_to_the_elements_it_is_computed_from() -> None:
    start = np.array([0, 3])
    assert compile_program(parse_program(COMPUTED))(TABLE, start, np.array([1, 0])).tolist() == [1.0, 3.0]
    problem = fails(COMPUTED, TABLE, start, np.array([1, 1]))
    assert problem.argument == "start"
    assert str(problem) == (
        "computed: index out of range: start[1] = 3 and step[1] = 1, used as start[t] + step[t] = 4 in dimension 0 of "
        "table, must lie in 0 .. 3"
    )
    assert "start[0] = 0 and step[0] = -1, used as" in str(fails(COMPUTED, TABLE, start, np.array([-1, 9])))


def test_an_index_found_while_computing_leaves_out_alone() -> None:
    ids = np.array([0, 9, 1, 2])
    assert compile_program(parse_program(CHAINED))(TABLE, np.array([2, 0]), ids).tolist() == [1.0, 0.0]
    assert "index out of range: ids[1] = 9, used as ids[where[t]] in dimension 0 of table" in str(
        fails(CHAINED, TABLE, np.array([0, 1]), ids)
    )
    assert "where[1] = 4" in str(fails(CHAINED, TABLE, np.array([0, 4]), ids))


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8"])
def test_indices_of_any_type_are_named_in_gradients_too(dtype: str) -> None:
    ids = np.array([[0, 9], [1, 2]], dtype)
    uses: list[tuple[Any, str]] = [
        (
            pa.jit(lambda table, ids: table[ids]),
            r"ids\[0, 1\] = 9, used as ids\[.*\] in dimension 0 of table, .* 0 \.\. 3",
        ),
        (
            pa.grad(lambda table, ids: pa.numpy.sum(table[ids] ** 2 + pa.numpy.take(table, ids, 0))),
            r"ids\[0, 1\] = 9, used as ids\[.*\] in dimension 0 of table, .* 0 \.\. 3",
        ),
        (
            pa.grad(lambda table, ids: pa.numpy.sum(table[ids + 1])),
            r"ids\[0, 1\] = 9, used as .* = 10 in dimension 0 of table, must lie in 0 \.\. 3$",
        ),
    ]
    for function, text in uses:
        with pytest.raises(CallError, match=text):
            function(TABLE, ids)


def state(table: Any, ids: Any) -> Any:
    return pa.scan(lambda at, i: (at + i, table[at]), ids[0], ids)[1]


@pytest.mark.parametrize(
    ("function", "ids", "text"),
    [
        (lambda table, ids: table[2 * ids], [0, 1, 2], "ids[2] = 2, used as 2 * ids[i] = 4 in dimension 0 of table"),
        (lambda table, ids: pa.numpy.take(table, ids - 1), [1, 0], "ids[1] = 0, used as ids[i] - 1 = -1 in"),
        (lambda table, ids: table[ids[ids]], [1, 4, 0, 2, 2], "ids[1] = 4, used as ids[ids[i]] in dimension 0"),
        # Computed by the kernel: what is defined is followed to the inputs, a reduction is an answer itself.
        (lambda table, ids: table[pa.numpy.argmax(ids) + 3], [1, 4], "argmax = 1, used as argmax[] + 3 = 4 in"),
        (
            state,
            [1, 1, 1, 1, 1],
            "ids[0] = 1 and ids[1] = 1 and ids[2] = 1, used as carry[t] + ids[t] = 4 in dimension 0",
        ),
        (lambda table, ids: (table[ids + 1], ids + 1)[::-1], [0, 3], "ids[1] = 3, used as "),
        (lambda table, ids: table[pa.numpy.floor(ids / 2).astype("int64")], [0, 9], "ids[1] = 9, used as "),
    ],
)
@pytest.mark.quick_cases(4)
def test_computed_indices_in_values_and_gradients(function: Any, ids: list[int], text: str) -> None:
    def loss(table: Any, ids: Any) -> Any:
        result = function(table, ids)
        return pa.numpy.sum((result[1] if isinstance(result, tuple) else result) ** 2)

    for called in (pa.jit(function), pa.grad(loss)):
        with pytest.raises(CallError) as caught:
            called(TABLE, np.array(ids))
        assert text in str(caught.value)
        assert str(caught.value).endswith("must lie in 0 .. 3")


def test_an_index_of_many_is_found() -> None:
    ids = np.zeros((2, 1_100_000), np.int32)
    ids[1, 1_000_000] = 7
    with pytest.raises(CallError, match=r"ids\[1, 1000000\] = 7, used as ids\[.*\] \+ 1 = 8 in dimension 0 of table"):
        pa.jit(lambda table, ids: pa.numpy.sum(table[ids + 1]))(TABLE, ids)


def test_an_empty_array_has_no_element_to_take() -> None:
    with pytest.raises(
        CallError, match=r"ids\[0\] = 0, used as .* in dimension 0 of table, which has no elements there"
    ):
        pa.jit(lambda table, ids: table[ids + 1])(np.zeros(0), np.arange(2))


def test_an_access_that_stands_twice_is_checked_once() -> None:
    """So the C is the same whether two accesses are one object, as while tracing, or are read from a text."""
    program = pa.make_program(pa.grad(pa.numpy.linalg.det))(np.eye(3) + 0.5)
    kernel = pa.compile(program, target="c")
    for test in re.findall(r"if \((.*_inside\(.*)\)\n", kernel.source):
        assert len(test.split(" && ")) == len(set(test.split(" && ")))
    certificate = kernel.certify()
    assert certificate.text is not None and certificate.text.statements
