"""Functions that a loop calls often are compiled once."""

import re

import numpy as np
import pytest

import polyad as pa
from polyad.machine import MACHINE
from polyad.ops import OPS
from polyad_c.accuracy import BOUNDS
from tests.codegen.compiled import STRICT, compile_only, source_of

PROGRAM = """
program chain: [N] -> {{ : N >= 1 }}
  input     x: {dtype}[N]
  output    y: {dtype}[N]
  S: [N] -> {{ S[i] : 0 <= i < N }}
      y[i] = {body}
"""

MANY = MACHINE.calls


def source(body: str, dtype: str = "float64") -> str:
    return source_of(PROGRAM.format(dtype=dtype, body=body))[1].c


@pytest.mark.parametrize(("dtype", "suffix", "ctype"), [("float32", "f32", "float"), ("float64", "f64", "double")])
@pytest.mark.parametrize("op", [name for name, op in OPS.items() if op.once])
def test_many_calls_are_calls(op: str, dtype: str, suffix: str, ctype: str) -> None:
    few = source(" + ".join([f"{op}(x[i])"] * (MANY - 1)), dtype)
    many = source(" + ".join([f"{op}(x[i])"] * MANY), dtype)
    assert "ONCE" not in few and "once" not in few
    assert many.count(f"PA_ONCE({op}, {ctype}, {suffix})") == 1
    assert many.count(f"pa_once_{op}_{suffix}(x[i])") == MANY
    assert f"pa_{op}_{suffix}(" not in many


def test_the_functions_are_those_that_the_runtime_header_computes_itself() -> None:
    assert {name for name, op in OPS.items() if op.once} == {*BOUNDS}


def test_two_kernels_share_a_translation_unit() -> None:
    body = " + ".join(["tanh(x[i])"] * MANY)
    text = source(body) + source(body).replace("chain", "other").replace("CHAIN", "OTHER")
    assert text.count("PA_ONCE(tanh, double, f64)") == 2
    compile_only(text, "gcc", ("-std=c99", "-O0", *STRICT))


def test_conditional_calls_stay_in_place() -> None:
    """Compilers make vectors of both sides of operations, not of calls."""
    calls = " + ".join(["exp(x[i])"] * MANY)
    assert "once" in source(f"{calls} + select(lt(x[i], 0.0), x[i], 1.0)")
    assert "once" not in source(f"{calls} + select(lt(x[i], 0.0), exp(x[i]), 1.0)")


def test_numbers_are_the_same() -> None:
    """The gradient of a chain, whose functions are compiled once, against one in which they stand in place."""
    x = np.linspace(-1.5, 1.5, 1003)
    N = pa.sizes("N")
    results = []
    for optimize in (0, 3):
        variable = pa.placeholder((N,), "x", "float64")
        y = variable
        for number in range(MANY):
            y = pa.compute((N,), lambda i, x=variable, y=y: pa.tanh(y[i]) * y[i] + x[i] / 8, name=f"y{number}")
        value = (y * y).sum()
        outputs = [value, *pa.grad(value, [variable])]
        kernel = pa.compile(outputs, [variable], name="gradient", target=pa.Target(optimize=optimize))
        assert ("pa_once_tanh_f64" in kernel.source) == (optimize == 3)
        results.append(kernel(x))
    for slow, fast in zip(*results, strict=True):
        np.testing.assert_allclose(fast, slow, rtol=1e-12)
    assert re.search("PA_SIMD_WIDE|SIMD_WIDE_IF", kernel.source)
