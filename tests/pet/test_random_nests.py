"""Random loop nests of C: the equations compute what the loops compute, an instance at a time."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.ad.names import adjoint_of, tangent_of
from polyad.pet.c_program import from_c
from polyad.pet.extract import extract
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify
from tests.pet.extracted import NEEDS_PET
from tests.pet.replay import replay

pytestmark = NEEDS_PET

HEAD = (
    "void f(int n, int steps, const int p[n], const double c[n], double a[n], double b[n], double m[n][n], double r[2])"
)
SIZES = ((3, 0), (3, 1), (4, 2), (6, 3))


class Draft:
    """Draws statements; `i` runs inside of 1 .. n - 2, so that neighbours exist."""

    def __init__(self, seed: int):
        self.draw = random.Random(seed)

    def value(self, i: str, depth: int = 2) -> str:
        pick = self.draw.choice
        leaf = [
            f"a[{i}]",
            f"b[{i}]",
            f"c[{i}]",
            f"a[{i} - 1]",
            f"b[{i} + 1]",
            f"a[{i} + 1]",
            f"m[{i}][{i}]",
            "s",
            "0.5",
            "r[1]",
        ]
        leaf += [f"m[{i} - 1][{i}]", f"c[p[{i}]]", f"b[{i} - 1]", f"({i} % 2 == 0 ? a[{i}] : 0.25)"]
        if depth and self.draw.random() < 0.6:
            first, second = self.value(i, depth - 1), self.value(i, depth - 1)
            return pick(
                (f"0.5 * ({first}) + 0.25 * ({second})", f"0.25 * ({first}) * ({second})", f"fmax({first}, {second})")
            )
        return pick(leaf)

    def statement(self, i: str) -> str:
        pick, value = self.draw.choice, self.value
        target = pick((f"a[{i}]", f"b[{i}]", "s", f"m[{i}][{i}]", "r[0]", f"m[{i}][{i} + 1]", f"a[{i} - 1]"))
        plain = f"{target} {pick(('=', '+=', '+=', '-='))} 0.5 * ({value(i)});"
        return pick(
            (
                plain,
                plain,
                plain,
                f"if ({value(i, 0)} > 0.1) {plain}",
                f"if ({value(i, 0)} > s) s = {value(i, 0)};",
                f"if ({i} > 2) {plain} else {target} = 0.125 * ({value(i)});",
                f"for (int j = 0; j < {i}; j++) {target} += 0.25 * m[{i}][j] * c[j];",
                f"for (int j = 1; j < n - 1; j++) {{ m[{i}][j] = 0.5 * (m[{i}][j - 1] + m[{i} - 1][j]); }}",
                f"s = 0.0; for (int j = 0; j < n; j++) s += m[{i}][j]; {target} = 0.125 * s;",
            )
        )

    def nest(self) -> str:
        loop = self.draw.choice(
            ("for (int i = 1; i < n - 1; i++)", "for (int i = n - 2; i > 0; i--)", "for (int i = 1; i < n - 1; i += 2)")
        )
        body = f"{loop} {{\n" + "\n".join(self.statement("i") for _ in range(self.draw.randint(1, 3))) + "\n}"
        if self.draw.random() < 0.15:
            body += "\nfor (int i = 0; i < n; i++) b[p[i]] += 0.5 * c[i];"
        if self.draw.random() < 0.6:
            return f"for (int t = 0; t < steps; t++) {{\n{body}\n}}"
        return body

    def text(self) -> str:
        nests = "\n".join(self.nest() for _ in range(self.draw.randint(1, 3)))
        body = f"#pragma scop\ndouble s = 0.5;\n{nests}\nr[0] = r[0] + s;\n#pragma endscop"
        return f"#include <math.h>\n{HEAD}\n{{\n{body}\n}}\n"


def drawn(rng: np.random.Generator, n: int) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays of floating-point numbers of `HEAD`."""
    return {x: rng.normal(size=n) for x in "abc"} | {"m": rng.normal(size=(n, n)), "r": rng.normal(size=2)}


def check(seed: int, folder: Path, compiled: bool) -> None:
    text = Draft(seed).text()
    path = folder / "nest.c"
    path.write_text(text)
    made = from_c(path)
    verify(made.program)
    assert made.schedule is not None
    made.schedule.check(made.program)
    kernels = [pa.compile(made), pa.compile(made, schedule=made.schedule)] if compiled else []
    scop, function = extract(path)
    for n, steps in SIZES:
        rng = np.random.default_rng(seed)
        arrays = drawn(rng, n)
        arguments = {"n": n, "steps": steps, "p": rng.integers(0, n, n).astype(np.int32), **arrays}
        expected = replay(scop, function, arguments)
        given = {x: np.asarray(arguments[x]) for x in made.inputs}
        sizes = {x: int(arguments[x]) for x in made.sizes}
        found = [evaluate(made.program, given, sizes)]
        results = [{x: found[0][array] for x, array in made.results.items()}]
        results += [kernel(**given, **sizes) for kernel in kernels]
        for result in results:
            for name, value in result.items():
                np.testing.assert_allclose(
                    value,
                    expected[name].reshape(value.shape),
                    rtol=1e-9,
                    atol=1e-9,
                    err_msg=f"{name}, n = {n}, steps = {steps}\n{text}",
                )


def identity(seed: int, folder: Path) -> None:
    """<y_bar, J x_dot> = <J' y_bar, x_dot>."""
    path = folder / "nest.c"
    path.write_text(Draft(seed).text())
    made = from_c(path)
    wrt = [x for x in made.inputs if x != "p"]
    if not wrt:
        return
    of = list(made.outputs)
    backwards, forwards = made.grad(of, wrt), made.tangent(of, wrt)
    verify(backwards.program)
    for n, steps in SIZES:
        rng = np.random.default_rng(seed)
        arrays = drawn(rng, n)
        given = {**arrays, "p": rng.integers(0, n, n).astype(np.int32)}
        bars = {adjoint_of(x): rng.normal(size=arrays[x].shape) for x in of}
        dots = {tangent_of(x): rng.normal(size=arrays[x].shape) for x in wrt}
        results = []
        for derivative in (backwards, forwards):
            sizes = {x: {"n": n, "steps": steps}[x] for x in derivative.sizes}
            inputs = {x: {**given, **bars, **dots}[x] for x in derivative.inputs}
            found = evaluate(derivative.program, inputs, sizes)
            results.append({x: found[array] for x, array in derivative.results.items()})
        left = sum(np.vdot(bars[adjoint_of(x)], results[1][tangent_of(x)]) for x in of)
        terms = [results[0][adjoint_of(x)] * dots[tangent_of(x)] for x in wrt]
        scale = sum(float(np.abs(t).sum()) for t in terms) + 1.0
        assert abs(left - sum(float(t.sum()) for t in terms)) < 1e-11 * scale, (
            f"n = {n}, steps = {steps}\n{path.read_text()}"
        )


@pytest.mark.parametrize("seed", [s if s < 8 else pytest.param(s, marks=pytest.mark.slow) for s in range(24)])
@pytest.mark.quick_cases(1)
def test_equations_of_random_nests(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path, compiled=False)


@pytest.mark.parametrize(  # in 1152 isl's dataflow gives up
    "seed", [*range(40, 44), *(pytest.param(s, marks=pytest.mark.slow) for s in range(44, 48)), 1152]
)
@pytest.mark.quick_cases(1)
def test_reverse_and_forward_mode_agree_on_random_nests(seed: int, tmp_path: Path) -> None:
    identity(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_kernels_of_random_nests(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path, compiled=True)
