"""Plain divisions of C stand where they are those of mathematics, and nowhere else."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

import islpy as isl
import pytest

import polyad as pa
from polyad.codegen.loops.loop_values import Extreme
from polyad.codegen.loops.nodes import Block, Loop
from polyad.codegen.loops.nonnegative import nonnegative_names, nonnegative_sizes
from polyad.codegen.names import Spelling
from polyad.codegen.text.integer_text import affine_code
from polyad.ir.affine import Affine

i, j, N = (Affine.of(n) for n in ("i", "j", "N"))
KNOWN = Spelling({}, frozenset({"i", "N"}))


@dataclass(frozen=True)
class CInteger:
    """An int64_t: `/` rounds towards 0."""

    value: int

    def __add__(self, other: CInteger | int) -> CInteger:
        return CInteger(self.value + of(other))

    def __sub__(self, other: CInteger | int) -> CInteger:
        return CInteger(self.value - of(other))

    def __mul__(self, other: CInteger | int) -> CInteger:
        return CInteger(self.value * of(other))

    def __truediv__(self, other: CInteger | int) -> CInteger:
        quotient = abs(self.value) // abs(of(other))
        return CInteger(quotient if (self.value < 0) == (of(other) < 0) else -quotient)

    def __mod__(self, other: CInteger | int) -> CInteger:
        return self - self / other * other

    def __neg__(self) -> CInteger:
        return CInteger(-self.value)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: int) -> CInteger:
        return CInteger(other - self.value)


def of(number: CInteger | int) -> int:
    return number.value if isinstance(number, CInteger) else number


def run(text: str, values: dict[str, int]) -> int:
    names = {n: CInteger(v) for n, v in values.items()}
    names["pa_floordiv_i64"] = lambda a, b: CInteger(of(a) // of(b))  # type: ignore[assignment]
    return of(eval(text, {}, names))


def drawn(rng: random.Random, depth: int) -> Affine:
    value = Affine.of(rng.randint(-9, 9))
    for name in (i, j, N):
        value += name * rng.choice((0, 0, 1, -1, 2, -3, 5))
    if depth and rng.random() < 0.8:
        value += (drawn(rng, depth - 1) // rng.randint(2, 5)) * rng.choice((1, -1, 3, -2))
    return value


def test_the_text_has_the_value_of_the_expression() -> None:
    """Of random expressions, `i` and `N` being known, `j` of either sign."""
    rng = random.Random(0)
    plain = 0
    for _ in range(400):
        value = drawn(rng, 3)
        text = affine_code(value, KNOWN).text
        plain += " / " in text
        for _ in range(6):
            values = {"i": rng.randint(0, 12), "j": rng.randint(-12, 12), "N": rng.randint(0, 12)}
            assert run(text, values) == value.evaluate(values), (str(value), text, values)
    assert plain > 60


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((i + 1) // 3, "(i + 1) / 3"),
        (i - i // 3 * 3, "i % 3"),
        (5 - i % 3, "5 - i % 3"),
        ((i + N) % 7 * 2 - j, "2 * ((N + i) % 7) - j"),
        (-(i % 3), "-(i % 3)"),
        (j % 3, "j - 3 * pa_floordiv_i64(j, 3)"),
        (-(i // 3), "-(i / 3)"),
        ((N - 3) // 3 + 1, "N / 3"),
        ((i * 3 - 1) // 2, "i + (i + 1) / 2 - 1"),
        ((j + 1) // 3, "pa_floordiv_i64(j + 1, 3)"),
        ((i - j) // 2, "pa_floordiv_i64(i - j, 2)"),
        ((i // 2 + j // 2) // 2, "pa_floordiv_i64(i / 2 + pa_floordiv_i64(j, 2), 2)"),
    ],
)
def test_divisions(value: Affine, text: str) -> None:
    assert affine_code(value, KNOWN).text == text
    assert "/ " not in affine_code(value, Spelling({}, frozenset())).text


def loop(name: str, first: Affine | Extreme, *inside: Loop, last: Affine = N, step: int = 1) -> Loop:
    return Loop(name, first, last, step, Block(inside))


def test_iterators_are_known_by_where_all_their_loops_begin() -> None:
    def known(*loops: Loop) -> set[str]:
        return set(nonnegative_names(Block(loops), frozenset({"N"})))

    assert known(loop("i", Affine.of(0), loop("j", i + 1))) == {"N", "i", "j"}
    assert known(loop("i", Affine.of(-1), loop("j", i + 1))) == {"N"}
    assert known(loop("i", Affine.of(0), loop("j", i - 1))) == {"N", "i"}
    assert known(loop("i", Affine.of(0)), loop("i", Affine.of(-2))) == {"N"}
    assert known(loop("i", Extreme("max", (Affine.of(0), -N)))) == {"N", "i"}
    assert known(loop("i", Extreme("min", (Affine.of(0), -N)))) == {"N"}
    assert known(loop("i", N, last=Affine.of(0), step=-1)) == {"N", "i"}
    assert known(loop("i", N, last=Affine.of(-1), step=-1)) == {"N"}


def test_sizes_are_known_by_the_context() -> None:
    context = isl.Set("[M, N] -> { : N >= 0 }")
    assert nonnegative_sizes(("M", "N"), context) == {"N"}


@pytest.mark.parametrize(("window", "stride", "dilation"), [(3, 3, 1), (3, 3, 2), (2, 2, 3)])
@pytest.mark.quick_cases(1)
def test_gradients_of_strided_convolutions_divide_plainly(window: int, stride: int, dilation: int) -> None:
    """Without residue classes to take apart (by stride and window), each pixel looks for its window."""
    size = pa.sizes("N")
    x, w = pa.placeholder((1, 2, size, size), "x"), pa.placeholder((2, 2, window, window), "w")
    loss = pa.numpy.sum(pa.nn.conv2d(x, w, stride=stride, dilation=dilation) ** 2)
    kernel = pa.compile(pa.grad(loss, [x]), [x, w], name="convolution", target=pa.Target("c", extra_flags=("-O0",)))
    loops = [
        line for line in kernel.source.splitlines() if re.match(r" +(for \(|if \(|\w+(\[.*\])? \+?= |\* conv2d)", line)
    ]
    assert any(" / " in line for line in loops)
    assert not [line for line in loops if "floordiv" in line]
