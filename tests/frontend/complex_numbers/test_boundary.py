"""Complex arrays at the border: calls of functions and kernels, constants, symbolic sizes, memory."""

import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.errors import CallError, DTypeError

pnp = pa.numpy
Z = np.array([0.5 + 1.25j, -1.5 + 0.25j, 0.75 - 2.0j])


def test_the_memory_is_that_of_the_array() -> None:
    """A kernel reads and writes pairs of floats where the complex numbers lie."""
    f = pa.jit(lambda z: z * 1j)
    f(Z)
    (z,) = f.kernel.program.inputs
    assert [str(e) for e in f.kernel.program.arrays[z].shape] == ["3", "2"]
    assert f.kernel.memory_plan().total_bytes == 0
    assert len(f.kernel.program.statements) == 2, "one for the real parts, one for the imaginary ones"


@pytest.mark.parametrize("z", [Z[::-1], Z.astype(">c16"), np.broadcast_to(Z, (2, 3)), Z.reshape(3, 1).T, Z[:0], Z[:1]])
def test_any_layout(z: np.ndarray) -> None:
    np.testing.assert_allclose(pa.jit(lambda z: z * 2 + 1j)(z), z * 2 + 1j)


def test_numbers_and_scalars() -> None:
    f = pa.jit(lambda a, b: (a * b, abs(a)))
    for a in (1 + 2j, np.complex64(1 + 2j), np.array(1 + 2j)):
        product, size = f(a, 2.0)
        assert product == 2 + 4j and product.shape == () and abs(size - 5**0.5) < 1e-6


def test_structures_and_named_arguments() -> None:
    found = pa.jit(lambda p, *, w: {"a": p["x"] * w, "b": (abs(w), p["n"])})({"x": Z, "n": np.arange(3)}, w=Z.conj())
    np.testing.assert_allclose(found["a"], abs(Z) ** 2)
    np.testing.assert_array_equal(found["b"][1], [0, 1, 2])


def test_captured_arrays() -> None:
    other = Z.conj().copy()
    f = pa.jit(lambda x: other * x + pnp.sum(other) + other[0] * np.complex64(1j))
    wanted = other * 2 + other.sum() + other[0] * np.complex64(1j)
    np.testing.assert_allclose(f(np.full(3, 2.0)), wanted)
    other *= 0
    np.testing.assert_allclose(f(np.full(3, 2.0)), wanted)
    np.testing.assert_array_equal(pa.jit(lambda x: (Z, x))(1.0)[0], Z)


def test_symbolic_sizes() -> None:
    n = pa.sizes("n")
    a = pa.placeholder((n,), "a", "complex64")
    b = pa.placeholder((n, n), "b", "complex64")
    kernel = pa.compile({"y": b @ a, "norm": pnp.sum(abs(a)), "same": a * 1}, [b, a])
    for size in (1, 3, 5):
        x = (np.arange(size) - 1j).astype("complex64")
        m = (np.outer(x, x) + 1).astype("complex64")
        found = kernel(m, x)
        assert found["y"].dtype == "complex64"
        np.testing.assert_allclose(found["y"], m @ x, rtol=1e-5)
        np.testing.assert_allclose(found["norm"], np.abs(x).sum(), rtol=1e-6)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(kernel))(m, x)["same"], x)


def test_one_result_and_lists_of_them() -> None:
    a = pa.placeholder((3,), "a", "complex128")
    np.testing.assert_allclose(pa.compile(pnp.exp(a), [a])(Z), np.exp(Z), rtol=1e-14)
    first, second = pa.compile([a * 2, abs(a)], [a])(a=Z)
    np.testing.assert_allclose(first, Z * 2)
    np.testing.assert_allclose(second, abs(Z))
    np.testing.assert_allclose(pa.compile(a, [a])(Z), Z)


def test_results_go_where_they_are_wanted() -> None:
    a = pa.placeholder((3,), "a", "complex128")
    kernel = pa.compile(a * 1j, [a])
    out = np.zeros(3, complex)
    returned = kernel(Z, out=out)
    np.testing.assert_array_equal(out, Z * 1j)
    assert np.shares_memory(returned, out)
    with pytest.raises(CallError, match="expected float64, got float32"):
        kernel(Z, out=np.zeros(3, "complex64"))


def test_a_kernel_takes_what_fits() -> None:
    a = pa.placeholder((3,), "a", "complex128")
    kernel = pa.compile(abs(a), [a])
    np.testing.assert_allclose(kernel(Z.astype("complex64")), abs(Z), rtol=1e-6)
    with pytest.raises(CallError, match="shape"):
        kernel(Z.real)
    with pytest.raises(CallError, match="expected float64 numbers, got an array of complex128"):
        kernel(Z[None])
    single = pa.compile(abs(pa.placeholder((3,), "a", "complex64")))
    with pytest.raises(CallError, match="expected float32, got float64"):
        single(Z)


def test_elements() -> None:
    n = pa.sizes("n")
    a, x = pa.placeholder((n,), "a", "complex128"), pa.placeholder((n,), "x", "float64")
    k = pa.reduce_axis(n)
    y = pa.compute((n,), lambda i: pa.sum(a[k] * pa.exp(2j * i) * x[k], axis=k) / (1 + abs(a[i])) + a[i] ** 2, "y")
    given = np.array([1.0, 2.0, -1.0])
    wanted = (Z * given).sum() * np.exp(2j * np.arange(3)) / (1 + abs(Z)) + Z**2
    np.testing.assert_allclose(pa.compile(y, [a, x])(Z, given), wanted, rtol=1e-13)
    chosen = pa.compute((n,), lambda i: pa.select(x[i] > 0, a[i], 1j), dtype="complex64")
    np.testing.assert_allclose(pa.compile(chosen, [x, a])(given, Z), np.where(given > 0, Z, 1j).astype("complex64"))


def test_gradients_of_tensors() -> None:
    n = pa.sizes("n")
    a = pa.placeholder((n,), "a", "complex128")
    x = pa.placeholder((n,), "x", "float64")
    loss = pnp.sum(abs(a * a) * x)
    of_a, of_x = pa.grad(loss, [a, x])
    np.testing.assert_allclose(pa.compile([of_a, of_x], [a, x])(Z, np.ones(3))[0], 2 * Z.conj(), rtol=1e-13)
    same = pa.grad(lambda z: pnp.sum(abs(z * z)))(a)
    np.testing.assert_allclose(pa.compile(same, [a])(Z), 2 * Z.conj(), rtol=1e-13)


def test_one_kernel_for_all_shapes() -> None:
    f = pa.jit(lambda z: z * 2j, dynamic_shapes=True)
    for n in (3, 5, 7):
        assert f(np.ones(n, complex)).shape == (n,)
    assert len(f.entries) == 1


def test_symbolic_programs() -> None:
    z = pa.placeholder((pa.sizes("n"),), "z", "complex64")
    assert "z[i, 1]" in str(pa.make_program(lambda a: a * a)(z))


MAIN = r"""
#include <complex.h>
#include <stdio.h>
#include "squares.h"

int main(void) {
    float _Complex z[2] = {1.0f + 2.0f * I, -1.0f * I}, w[2];
    squares_sizes sizes = {.n = 2};
    int status = squares(&sizes, (const float *)z, (float *)w, NULL, 0);
    printf("%d %g %g %g %g\n", status, crealf(w[0]), cimagf(w[0]), crealf(w[1]), cimagf(w[1]));
    return status;
}
"""


def test_complex_numbers_of_c(tmp_path: Path) -> None:
    """In C a complex array is one of floats, where the parts of a number lie side by side, as those of C do."""
    z = pa.placeholder((pa.sizes("n"),), "z", "complex64")
    pa.compile({"w": z * z}, [z], "squares", target="c").export(tmp_path, source_only=True)
    (tmp_path / "main.c").write_text(MAIN)
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "main.c", "squares.c", "-o", "main", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    printed = subprocess.run(["./main"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert [float(p) for p in printed.split()] == [0, -3, 4, -1, 0]


def test_updates() -> None:
    found = pa.jit(lambda z: z.at[1].set(2j).at[0].add(z[2]).at[2].set(1.0))(Z)
    np.testing.assert_allclose(found, [Z[0] + Z[2], 2j, 1])


def test_trees_have_complex_leaves() -> None:
    found = pa.jit(lambda p: pa.tree.map(abs, p))({"a": Z, "b": (Z * 2,)})
    np.testing.assert_allclose(found["b"][0], 2 * abs(Z))
    assert pa.jit(lambda p: float(len(pa.tree.leaves(p))) + p["a"][0].real)({"a": Z}) == 1.5


def test_checked_kernels() -> None:
    f = pa.jit(lambda z: pnp.sum(z * z))
    f(Z)
    np.testing.assert_allclose(f.kernel.check(Z), (Z * Z).sum(), rtol=1e-14)


def test_wider_than_complex128() -> None:
    with pytest.raises((CallError, DTypeError), match="complex256"):
        pa.jit(lambda z: z * 2)(Z.astype(np.clongdouble))


NEEDS_REAL: dict[str, Any] = {
    "lt": lambda z: z < z,
    "real < complex": lambda z: z.real < z,
    "max": lambda z: pnp.max(z),
    "z.max": lambda z: z.max(),
    "maximum": lambda z: pnp.maximum(z, z),
    "floor": lambda z: pa.floor(z),
    "argmax": lambda z: pnp.argmax(z),
    "erf": lambda z: pa.erf(z),
    "clip": lambda z: pnp.clip(z, 0, 1),
    "mod": lambda z: z % 2,
    "astype": lambda z: z.astype("float32"),
    "asarray": lambda z: pnp.asarray(z, "float64"),
    "relu": lambda z: pa.nn.relu(z),
    "softmax": lambda z: pa.nn.softmax(z),
    "at.max": lambda z: z.at[0].max(1.0),
    "sum in another": lambda z: pnp.atleast_1d(z.real).at[0].set(z[0]),
}


@pytest.mark.parametrize("name", NEEDS_REAL)
def test_what_needs_real_numbers_says_what_to_do(name: str) -> None:
    with pytest.raises(DTypeError, match=r"\.real|abs|set what|one number|is not a number"):
        pa.jit(NEEDS_REAL[name])(Z)


def test_powers_are_integers() -> None:
    for exponent in (0.5, 1j):
        with pytest.raises(DTypeError, match=r"integer .*exp\(y \* log\(x\)\)"):
            pa.jit(lambda z, e=exponent: z**e)(Z)


def test_values_are_not_known_while_tracing() -> None:
    for use in (bool, float, complex, np.asarray, lambda z: z.__setitem__(0, 1)):
        with pytest.raises(pa.PolyadError):
            pa.jit(lambda z, use=use: use(z))(Z)
    with pytest.raises(AttributeError, match="complex tensor"):
        pa.jit(lambda z: z.foo)(Z)
