"""Local variables of traced functions name tensors where nothing else does, and decide nothing else."""

import gc
import re
import subprocess
import sys
import weakref
from typing import Any

import numpy as np
import pytest

import polyad as pa

X, H0, W = np.ones((5, 3, 2)), np.ones((3, 2)), np.ones((2, 2))


def names(f: Any, *args: Any) -> list[str]:
    return list(pa.make_program(f)(*args).arrays)


def layer(x: Any, h0: Any, Wx: Any, Wh: Any) -> Any:
    def step(h: Any, x_t: Any) -> Any:
        z = x_t @ Wx + h @ Wh
        new = pa.numpy.tanh(z)
        return new, new

    _, ys = pa.scan(step, h0, x)
    energy = (ys**2).sum()
    return energy + 1.0


def test_the_step_of_a_scan_and_the_function_around_it() -> None:
    found = names(layer, X, H0, W, W)
    assert {"z", "new", "h", "energy"} <= {*found}
    assert "tanh" not in found
    backward = names(pa.grad(layer, argnums=(0, 2)), X, H0, W, W)
    assert {"z_bar", "new_bar", "h_bar", "x_bar", "Wx_bar"} <= {*backward}


def test_a_state_is_called_what_the_step_calls_it() -> None:
    def unpacked(x: Any) -> Any:
        def step(carry: Any, x_t: Any) -> Any:
            low, high = carry
            return (low + x_t, high * x_t), None

        return pa.scan(step, (pa.numpy.zeros((3,)), pa.numpy.ones((3,))), x)[0]

    def argument(x: Any) -> Any:
        def step(mean: Any, x_t: Any) -> Any:
            mean = 0.5 * mean + x_t
            return mean, None

        return pa.scan(step, pa.numpy.zeros((3,)), x)[0] * 2

    assert pa.make_program(unpacked)(np.ones((4, 3))).outputs == ("low", "high")
    found = pa.make_program(argument)(np.ones((4, 3)))
    assert [s for scan in found.scans for s in scan.states] == ["mean"]
    assert {s.name for s in found.statements} >= {"mean", "mean_start", "mean_1"}


def test_loops_branches_batches_and_derivatives() -> None:
    def body(k: Any, v: Any) -> Any:
        grown = v * 1.5 + k
        return grown

    def shrunk(v: Any) -> Any:
        half = v / 2
        return half

    def one(x: Any) -> Any:
        inner = pa.exp(x)
        return inner + x

    def f(x: Any) -> Any:
        a = pa.fori_loop(0, 4, body, x)
        b = pa.while_loop(lambda v: v.sum() > 1, shrunk, a, max_steps=3)
        c = pa.vmap(one)(b)
        d = pa.grad(lambda v: one(v).sum())(c)
        return pa.cond(d.sum() > 0, shrunk, one, d)

    assert {"grown", "half", "inner", "inner_1"} <= {*names(f, np.ones(3))}


def test_a_variable_names_what_its_function_made() -> None:
    def helper(v: Any, W: Any) -> Any:
        product = v @ W
        return product

    def f(x: Any, W: Any) -> Any:
        first = helper(x + 1.0, W)  # x + 1.0 is v in the helper: made before it began
        again = first
        second = pa.tanh(again)
        second = second * 2.0  # the first one keeps its name
        return {"result": helper(second, W)}

    found = names(f, np.ones((2, 2)), W)
    assert {"product", "add", "second", "second_1", "result"} <= {*found}
    assert not {"v", "first", "again"} & {*found}


def test_names_that_were_given_win() -> None:
    def f(x: Any) -> Any:
        def energy(i: Any) -> Any:
            return x[i] ** 2

        a = pa.compute(x.shape, energy)
        b = pa.compute(x.shape, lambda i: x[i] + 1.0, name="plus")
        c = pa.compute(x.shape, lambda i: x[i] + 2.0)
        d = pa.recurrence(x.shape, lambda s, i: pa.select(i == 0, 1.0, pa.select(i > 0, s[i - 1], 0.0)))
        e = pa.grad(lambda y: (y * y).sum())(x)
        return {"out": a * b * c * d * e}

    found = names(f, np.ones(3))
    assert {"energy", "plus", "c", "s", "out"} <= {*found}
    assert not {"a", "b", "d", "e"} & {*found}


def test_words_of_c_collisions_and_letters_that_c_has_not() -> None:
    def f(x: Any, double: Any) -> Any:
        register, restrict, printf = x + 1.0, x * double, pa.exp(x)
        T = register * restrict
        α = T + printf
        _ = α * 2.0
        return (register * restrict * printf * T * α * _).sum()

    g = pa.jit(pa.value_and_grad(f))
    value, _ = g(np.ones(3), 2.0)
    np.testing.assert_allclose(value, 3 * 2 * 2 * np.e * 4 * (4 + np.e) * 2 * (4 + np.e))
    assert g.kernel is not None
    assert "α" not in g.kernel.source


TEXT = """
def f(x, W):
    def step(hh, x_t):
        zz = x_t + hh @ W
        nn = pa.tanh(zz) * zz
        return nn, zz
    ll, yy = pa.scan(step, pa.numpy.zeros_like(x[0]), x)
    ee = pa.exp(yy) * ll
    return ee.sum()
"""


def c_of(text: str) -> str:
    place: dict[str, Any] = {"pa": pa}
    exec(text, place)
    g = pa.jit(pa.value_and_grad(place["f"], argnums=(0, 1)))
    g(X, W)
    assert g.kernel is not None
    return g.kernel.source


def test_other_variables_change_names_alone() -> None:
    """Of as many letters, so that lines break where they did; also where they are sorted otherwise."""
    new = {"hh": "zb", "zz": "ka", "nn": "aq", "ll": "vw", "yy": "bo", "ee": "qr"}
    swap = lambda text, table: re.sub(  # noqa: E731
        r"(?<![a-zA-Z])(" + "|".join(table) + r")(?![a-zA-Z])", lambda m: table[m[0]], text
    )
    first, second = c_of(TEXT), c_of(swap(TEXT, new))
    assert first != second
    assert swap(second, {b: a for a, b in new.items()}) == first


def test_two_processes_give_the_same_names() -> None:
    program = f"""
import sys, numpy as np, polyad as pa
for n in range(int(sys.argv[1])):
    pa.make_program(lambda x: x + n)(np.ones(3))
{TEXT}
print(pa.make_program(pa.grad(f))(np.ones((5, 3, 2)), np.ones((2, 2))))
"""
    found = {
        subprocess.run(
            [sys.executable, "-c", program, traced_before],
            capture_output=True,
            text=True,
            check=True,
            timeout=100,
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": traced_before},
        ).stdout
        for traced_before in ("0", "7")
    }
    assert len(found) == 1
    assert "zz_bar" in found.pop()


def test_errors_say_the_names() -> None:
    def short(x: Any) -> Any:
        z = x + 1.0
        return pa.compute((4,), lambda i: z[i])

    def subscripts(x: Any) -> Any:
        z = x + 1.0
        return z[0, 0] if z.ndim == 2 else pa.compute((3,), lambda i: z[i, i])

    with pytest.raises(pa.BoundsError, match=r"z"):
        pa.jit(short)(np.ones(3))
    with pytest.raises(pa.ShapeError, match="z has 1 dimensions and is read with 2 indices"):
        pa.jit(subscripts)(np.ones(3))

    def indexed(x: Any, ids: Any) -> Any:
        shifted = ids + 1
        return x[shifted].sum()

    with pytest.raises(pa.CallError, match=r"ids\[1\] = 2"):
        pa.jit(indexed)(np.ones(3), np.array([0, 2]))


def test_nothing_is_left_behind() -> None:
    class Kept:
        pass

    def f(x: Any) -> Any:
        own = Kept()
        found.append(weakref.ref(own))
        z = x * 2.0
        if x.ndim == 2:
            raise ValueError(z.name)
        return z

    found: list[Any] = []
    tracer, profiler = sys.gettrace(), sys.getprofile()
    pa.jit(f)(np.ones(3))
    with pytest.raises(ValueError, match="z"):
        pa.jit(f)(np.ones((3, 3)))
    gc.collect()
    assert found[0]() is None
    assert (sys.gettrace(), sys.getprofile()) == (tracer, profiler)

    y = pa.exp(pa.placeholder((3,), "x"))  # no traced function: words for what is done
    assert y.name == "exp"


def test_parts_of_complex_tensors_have_the_name_of_both() -> None:
    def phase(z: Any) -> Any:
        turned = z * 1j + 1.0
        grown = pa.exp(turned)
        return abs(grown).sum()

    assert {"turned_real", "turned_imag", "grown_real", "grown_imag"} <= {*names(phase, np.ones(3, complex))}
