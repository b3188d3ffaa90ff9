"""Arguments that are something else entirely: errors of polyad, which name the argument."""

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m

X = pa.placeholder((3, 4), "x", "float64")
Y = np.ones(4)

CALLS = {
    "sizes: the names": lambda v: pa.sizes(v),
    "sizes: min": lambda v: pa.sizes("N", min=v),
    "recurrence": lambda v: pa.recurrence((2,), v),
    "scan: the step": lambda v: pa.scan(v, Y, X),
    "concatenate: the tensors": lambda v: m.concatenate(v),
    "stack: the tensors": lambda v: m.stack(v),
    "einsum: the subscripts": lambda v: m.einsum(v, X, X),
    "lstm_cell: the state": lambda v: pa.nn.lstm_cell(X, v, X, X),
    "argnums": lambda v: pa.grad(lambda x: m.sum(x), argnums=v)(Y),
    "tangent": lambda v: pa.tangent(v, {X: X}),
    "tangents": lambda v: pa.tangent(X, v),
    "check_grads: args": lambda v: pa.check_grads(lambda x: m.sum(x), v),
    "check_grads: modes": lambda v: pa.check_grads(lambda x: m.sum(x), (Y,), modes=v),
    "check_grads: order": lambda v: pa.check_grads(lambda x: m.sum(x), (Y,), order=v),
    "nondiff_argnums": lambda v: pa.custom_vjp(lambda x: x, nondiff_argnums=v),
}


@pytest.mark.parametrize("what", CALLS)
@pytest.mark.parametrize("value", [None, 1.5, object()], ids=["None", "number", "object"])
def test_something_else_entirely(what: str, value: object) -> None:
    with pytest.raises(pa.PolyadError, match=what):
        CALLS[what](value)


def test_more_of_them() -> None:
    with pytest.raises(
        pa.DefinitionError, match=r"reduce_axis 'k': bounds are an extent or \(lo, hi\), not \(1, 2, 3\)"
    ):
        pa.reduce_axis((1, 2, 3))
    with pytest.raises(pa.CallError, match=r"the tuple of arguments, \(x,\) for one, not an array of float64"):
        pa.check_grads(lambda x: m.sum(x), Y)
    with pytest.raises(pa.DTypeError, match="element type"):
        X.astype(X)


def test_exports_name_what_they_were_given(tmp_path) -> None:
    kernel = pa.compile(X * 2, [X])
    with pytest.raises(pa.CallError, match="name=array"):
        kernel.export(tmp_path, name=np.ones(2), source_only=True)


@pytest.mark.parametrize(
    ("arguments", "named", "argument"),
    [
        ((pa.Target("c"),), {}, "inputs"),
        (("c",), {}, "inputs"),
        ((42,), {}, "inputs"),
        ((), {"name": "f"}, "name"),
        ((), {"target": 42}, "target"),
        ((), {"sizes": 3}, "sizes"),
        ((), {"schedule": "c"}, "schedule"),
    ],
)
def test_a_program_is_compiled_with_arguments_that_it_takes(arguments, named, argument):
    x = pa.placeholder((3,), name="x")
    program = pa.compile(x * 2.0, [x]).program
    with pytest.raises(pa.CallError) as caught:
        pa.compile(program, *arguments, **named)
    assert caught.value.argument == argument


@pytest.mark.parametrize(
    ("outputs", "inputs", "name", "argument"),
    [
        (42, None, "f", "outputs"),
        (None, 42, "f", "inputs"),
        (None, pa.Target("c"), "f", "inputs"),
        (None, None, 3, "name"),
    ],
)
def test_arguments_of_compile_of_a_wrong_kind(outputs, inputs, name, argument):
    x = pa.placeholder((3,), name="x")
    with pytest.raises(pa.CallError) as caught:
        pa.compile(x * 2.0 if outputs is None else outputs, inputs, name)
    assert caught.value.argument == argument
