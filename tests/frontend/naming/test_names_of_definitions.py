"""Names follow definitions: names given, operations, functions and keys; dimensions are called after the sizes."""

import collections
import linecache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as pn
from polyad.frontend.axis_hints import axis_hints
from polyad.frontend.compiled import program_of

T, B, H = pa.sizes("T B H")
X = pa.placeholder((T, B, H), "x")


def programs_and_c(text: str, filename: str | None = None) -> tuple[str, str, str]:
    """Compile `f` of a program text; return the program, its schedule and its C."""
    place: dict[str, Any] = {"pa": pa, "m": pn}
    exec(compile(text, filename or "<string>", "exec"), place)
    kernel = pa.compile(place["made"], target=pa.Target(optimize=0))
    return str(kernel.program), str(kernel.schedule), kernel.source


PLAIN = """
T, B, H = pa.sizes("T B H")
x, W, h0 = (pa.placeholder(s, n) for s, n in (((T, B, H), "x"), ((H, H), "W"), ((B, H), "h0")))
def step(h, v):
    z = v + h @ W
    a, b = m.split(m.concatenate([z, z], axis=1), 2, axis=1)
    h = pa.tanh(a) * b
    return h, h
h, hs = pa.scan(step, h0, x)
loss = m.sum(hs[::2] ** 2)
made = [loss, pa.grad(loss, [W])[0]]
"""
WRITTEN_OTHERWISE = """
import contextlib
T, B, H = pa.sizes("T B H")
x, W, h0 = (pa.placeholder(s, n) for s, n in (((T, B, H), "x"), ((H, H), "W"), ((B, H), "h0")))
def other(one, two):
    with contextlib.nullcontext():
        halves = m.split(m.concatenate([two + one @ W] * 2, axis=1) if False else m.concatenate(
            [(z := two + one @ W), z], axis=1), 2, axis=1)
        (a, b), states = halves, []
    states.extend([(h := pa.tanh(a) * b), h])
    return tuple(states)
_, out = pa.scan(other, h0, x)
made = [(t := m.sum(out[::2] ** 2)), pa.grad(t, [W])[0]]
"""


def test_names_do_not_depend_on_the_program_text_around(tmp_path: Path) -> None:
    file = tmp_path / "user.py"
    file.write_text("# a line\n" + PLAIN)
    linecache.checkcache()
    found = programs_and_c(PLAIN)
    assert programs_and_c(file.read_text(), str(file)) == found
    assert programs_and_c(WRITTEN_OTHERWISE) == found


def test_an_operation_is_called_what_it_does() -> None:
    z = pa.exp(X) * 2 + X * 3
    program, _ = program_of([z], None, "test")
    assert [s.name for s in program.statements] == ["exp", "mul", "mul_1", "add"]
    first, second = pn.split(z, [1], axis=2)
    assert (z.name, first.name, second.name, X.max(axis=0).name) == ("add", "split_0", "split_1", "max")


def test_definitions_are_called_after_their_functions() -> None:
    def energy(t: Any, b: Any) -> Any:
        return X[t, b, 0] ** 2

    assert pa.compute((T, B), energy).name == "energy"
    assert pa.compute((T, B), lambda t, b: X[t, b, 0]).name == "value"
    assert pa.compute((T, B), energy, name="e").name == "e"
    assert pa.recurrence(T, lambda s, t: pa.select(t == 0, 0.0, s[t - 1] + 1.0)).name == "s"
    assert pa.recurrence(T, lambda s, t: pa.select(t == 0, 0.0, s[t - 1] + 1.0), name="sums").name == "sums"


def test_a_carry_is_called_after_its_key_or_initial_value() -> None:
    State = collections.namedtuple("State", "h c")
    h0 = pa.placeholder((B,), "h0")
    zeros = pn.zeros((B,))
    final, _ = pa.scan(lambda s, x: (s, None), {"low": zeros, "high": h0}, X[:, :, 0])
    assert [final["low"].name, final["high"].name] == ["low", "high"]
    fields, _ = pa.scan(lambda s, x: (s, None), State(zeros, h0), X[:, :, 0])
    assert [fields.h.name, fields.c.name] == ["h", "c"]
    (a, b), _ = pa.scan(lambda s, x: (s, None), (zeros, h0), X[:, :, 0])
    assert [a.name, b.name] == ["carry", "h"]


def test_chains_of_steps_have_short_names() -> None:
    t = X
    for _ in range(20):
        t = pn.roll(t, 1, axis=0)
    assert t.name.endswith("rolled")
    assert len(t.name) <= 40


def test_keys_name_outputs() -> None:
    x, w = pa.placeholder((3,), "x"), pa.placeholder((3,), "w")
    loss = pn.sum(pa.tanh(x * w))
    kernel = pa.compile({"loss": loss, "grads": {"w": pa.grad(loss, [w])[0]}, "b": [x * 2, loss]}, [x, w])
    assert kernel.program.outputs == ("loss", "grads_w", "b_0", "b_1")
    assert "float *loss, float *grads_w, float *b_0, float *b_1" in " ".join(kernel.source.split())
    assert "grads_w[" in str(kernel.schedule)
    again = pa.compile({"loss": loss}, [x, w], schedule=pa.Schedule.from_yaml(str(pa.compile({"loss": loss}).schedule)))
    assert again.program.outputs == ("loss",)
    traced = pa.jit(lambda x: {"twice": x * 2, "x": x + 1, "no name": x + 2})
    assert sorted(traced(np.ones(3))) == ["no name", "twice", "x"]
    assert traced.kernel is not None
    assert set(traced.kernel.program.outputs) == {"no_name", "twice", "x_1"}


@pytest.mark.parametrize(
    ("outputs", "reason"),
    [
        (lambda x: {"x": x * 2}, "the name of an input or a size"),
        (lambda x: {"T": x * 2}, "the name of an input or a size"),
        (lambda x: {"d/dx": x * 2}, "has to be an identifier"),
        (lambda x: {"a": {"b": x * 2}, "a_b": x}, "the name of two outputs"),
    ],
)
def test_keys_that_cannot_be_names_are_refused(outputs: Any, reason: str) -> None:
    x = pa.placeholder((T,), "x")
    with pytest.raises(pa.DefinitionError, match=reason):
        pa.compile(outputs(x), [x])


@pytest.mark.parametrize(
    ("shape", "names"),
    [
        ((T, B, H), ["t", "b", "h"]),
        ((4 * H, H), ["h", "i"]),
        ((T + 1, 3, 5), ["t", "i", "j"]),
        ((T + B,), ["i"]),
        ((pa.sizes("n"), pa.sizes("IN")), ["i", "j"]),
    ],
)
def test_dimensions_are_the_small_letters_of_sizes(shape: tuple[Any, ...], names: list[str]) -> None:
    assert axis_hints(pn.dimensions.extents(pa.placeholder(shape, "y"))) == names


@pytest.mark.parametrize("names", ["A B C", "C B A", "B C A"])
def test_sizes_come_in_the_order_of_their_use(names: str) -> None:
    """Those of a sum, and those that no input has, came in the order of the alphabet."""
    first, second, third = pa.sizes(names)
    x = pa.placeholder((first + second,), "x", "float64")
    y = pa.compute((second, third, first), lambda i, j, k: x[i] * k + j, name="y")
    for inputs in ([x], None):
        program, _ = program_of([y], inputs, "f")
        assert " ".join(program.params) == names
