"""Integers that wrap around, their bits and shifts: NumPy's results, at both ends of optimisation, certified.

Random programs say it, in words that NumPy and polyad share. Signed integers have no sums and products here that leave
their range: C says nothing of these.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.semantics import interpret
from polyad.transforms.rewrite import affine_value

N = 13


class Words:
    """Words for both: NumPy and polyad call some things by other names."""

    def __init__(self, m: Any, size: Any) -> None:
        self.m, self.size = m, size

    def total(self, kind: str, x: Any, axis: int) -> Any:
        """A reduction in the type of its elements."""
        more = {"dtype": x.dtype} if self.m is np and kind in ("sum", "prod") else {}
        return getattr(self.m, kind)(x, axis=axis, **more)

    def running(self, x: Any) -> Any:
        return np.cumsum(x, dtype=x.dtype) if self.m is np else self.m.cumsum(x)

    def count(self, dtype: str) -> Any:
        return self.m.arange(self.size).astype(dtype)


Step = Callable[[Words, Any, Any, int], Any]
ANY: dict[str, Step] = {  # of two arrays and a number from 0 to 40
    "and": lambda w, a, b, c: a & b,
    "or": lambda w, a, b, c: a | c,
    "xor": lambda w, a, b, c: a ^ b,
    "not": lambda w, a, b, c: ~a,
    "left": lambda w, a, b, c: a << c,
    "right": lambda w, a, b, c: a >> c,
    "left by data": lambda w, a, b, c: a << b,
    "right by data": lambda w, a, b, c: a >> (b % 40),
    "quotient": lambda w, a, b, c: a // (c + 1),
    "remainder": lambda w, a, b, c: a % (b | 1),
    "larger": lambda w, a, b, c: w.m.maximum(a, b),
    "smaller": lambda w, a, b, c: w.m.minimum(a, c),
    "chosen": lambda w, a, b, c: w.m.where(a < b, a, b ^ c),
    "element": lambda w, a, b, c: a[(b % w.size).astype("int32")],
    "the other end": lambda w, a, b, c: a[::-1],
    "largest": lambda w, a, b, c: w.total("max", a[:, None] ^ b[None, :], 1),
    "least": lambda w, a, b, c: w.total("min", a, 0) ^ b,
}
WRAPPING: dict[str, Step] = {
    "sum": lambda w, a, b, c: a + b,
    "difference": lambda w, a, b, c: a - b,
    "less": lambda w, a, b, c: a - c,
    "product": lambda w, a, b, c: a * b,
    "times": lambda w, a, b, c: a * (c + 2654435761),
    "negative": lambda w, a, b, c: -a,
    "of differences": lambda w, a, b, c: (a - b) // 7 + (b - a) % 5,
    "counted down": lambda w, a, b, c: w.m.where(w.count("uint32") - c > 5, a, b),
    "counted": lambda w, a, b, c: (w.count("uint32") - c) // 3 * a,
    "sums of products": lambda w, a, b, c: w.total("sum", a[:, None] * b[None, :] * 3, 0),
    "total": lambda w, a, b, c: w.total("sum", a, 0) - b,
    "all factors": lambda w, a, b, c: w.total("prod", a | 1, 0) ^ b,
    "running": lambda w, a, b, c: w.running(a),
    "wider": lambda w, a, b, c: (a.astype("int64") * 3 - c).astype(a.dtype),
    "signed": lambda w, a, b, c: (a.astype("int32") >> 3).astype("uint32"),
    "floats": lambda w, a, b, c: (a >> 8).astype("float32").astype("uint32") + c,
}


def program(words: Words, seed: int, x: Any, y: Any) -> list[Any]:
    """Fourteen steps from two arrays; the same for both sides."""
    rng = np.random.default_rng(seed)
    steps = {**ANY, **(WRAPPING if str(x.dtype) == "uint32" else {})}
    made = [x, y]
    for _ in range(14):
        step = steps[rng.choice(sorted(steps))]
        a, b = (made[max(len(made) - int(rng.integers(1, 6)), 0)] for _ in range(2))
        made.append(step(words, a, b, int(rng.integers(0, 41))))
    return made[-5:]


def given(dtype: str, seed: int) -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(seed + 1000)
    limits = np.iinfo(dtype)
    x, y = (rng.integers(limits.min, limits.max, N, dtype, endpoint=True) for _ in range(2))
    y[::3] = rng.integers(0, 70, len(y[::3]))
    x[:3] = 0, 1, limits.max
    return [x, y]


CASES = [(dtype, seed) for seed in range(30) for dtype in ("uint32", "int32", "uint32", "int64")]
CASES = [(dtype, seed + 100 * n) for n, (dtype, seed) in enumerate(CASES)]


@pytest.mark.quick_cases(12)
@pytest.mark.parametrize(("dtype", "seed"), CASES)
def test_random_programs(dtype: str, seed: int) -> None:
    size = pa.sizes("N")
    x, y = (pa.placeholder((size,), n, dtype) for n in "xy")
    values = given(dtype, seed)
    with np.errstate(all="ignore"):
        expected = program(Words(np, N), seed, *values)
    outputs = program(Words(pa.numpy, size), seed, x, y)
    outputs = [o + 0 if dtype == "uint32" else o | 0 for o in outputs]
    for optimize in (0, 3):
        kernel = pa.compile(outputs, [x, y], target=pa.Target("c", optimize=optimize))
        for found, right in zip(kernel(*values), expected, strict=True):
            assert found.dtype == right.dtype == dtype
            np.testing.assert_array_equal(found, right)
        assert "the C is that of its loops" in str(kernel.certify())
    kernel.check(*values)


def test_a_count_that_wraps_around_is_not_affine() -> None:
    """0 - 3 is no less than 5 here: neither a condition nor a subscript may be taken for one of numbers without end."""
    x, y = given("uint32", 0)

    def fun(x: Any, y: Any) -> Any:
        less = pa.numpy.arange(N).astype("uint32") - 3
        here = pa.compute((N,), lambda i: pa.select(pa.cast(i, "uint32") - 3 < 5, x[i], y[i]))
        return pa.numpy.where(less < 5, x, y), here, x[less // 400000000]

    chosen, here, taken = pa.jit(fun)(x, y)
    less = np.arange(N, dtype=np.uint32) - np.uint32(3)
    assert chosen.tolist() == here.tolist() == np.where(less < 5, x, y).tolist()
    assert taken.tolist() == x[less // 400000000].tolist()


def _some_programs() -> None:
    for dtype, seed in CASES[:12]:
        test_random_programs(dtype, seed)


def test_random_programs_notice_numbers_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpret, "wrapped", lambda value, dtype: value)
    with pytest.raises((AssertionError, pa.PolyadError)):
        _some_programs()


def test_an_affine_count_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(affine_value, "_EXACT", (*affine_value._EXACT, "uint32"))
    with pytest.raises((AssertionError, pa.PolyadError)):
        test_a_count_that_wraps_around_is_not_affine()


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32"])
def test_names_of_numpy(dtype: str) -> None:
    x, y = given(dtype, 3)
    names = "bitwise_and bitwise_or bitwise_xor left_shift right_shift bitwise_left_shift bitwise_right_shift".split()
    for name, found in pa.jit(lambda x, y: {n: getattr(pa.numpy, n)(x, y) for n in names})(x, y).items():
        assert (
            found.tolist()
            == getattr(np, name.replace("bitwise_left", "left").replace("bitwise_right", "right"))(x, y).tolist()
        )
    for name in ("bitwise_not", "invert", "bitwise_invert"):
        assert pa.jit(getattr(pa.numpy, name))(x).tolist() == (~x).tolist()
    assert pa.jit(pa.numpy.bitwise_count)(x).tolist() == np.bitwise_count(x).tolist()
    assert pa.numpy.bitwise_xor(6, 3) == 5 and pa.numpy.left_shift(3, 4) == 48


def test_truth_values_are_combined_as_such() -> None:
    x, y = np.array([True, True, False, False]), np.array([True, False, True, False])
    found = pa.jit(lambda x, y: (x & y, x | y, x ^ y, ~x, pa.numpy.bitwise_and(x, y), x & (y > 0), ~x & 3))(x, y)
    expected = (x & y, x | y, x ^ y, ~x, x & y, x & y, ~x & 3)
    for a, b in zip(found, expected, strict=True):
        assert a.tolist() == b.tolist() and (a.dtype == bool) == (b.dtype == bool)
    inside = pa.jit(lambda x, y: pa.compute((4,), lambda i: pa.select(x[i] ^ y[i], 1, 0)))(x, y)
    assert inside.tolist() == [0, 1, 1, 0]


def test_types_of_mixed_operands() -> None:
    u = np.array([1, 2], np.uint32)
    mixed = pa.jit(lambda u, i, f: (u + i, u * f, u / 2, u + 1, u < 2**40, u < -1, u == 2.5, u.mean(), u.sum()))
    i, f = np.array([-1, -2], np.int32), np.array([0.5, 2], np.float32)
    found = mixed(u, i, f)
    expected = (u + i, u * f, u / 2, u + 1, u < 2**40, u < -1, u == 2.5, u.mean(), u.sum(dtype=np.uint32))
    for a, b in zip(found, expected, strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype and a.tolist() == b.tolist()
    with pytest.raises(pa.DTypeError, match="-1 is outside of the range of uint32"):
        pa.jit(lambda u: u + -1)(u)
    with pytest.raises(pa.CallError, match="expected uint32, got int32"):
        pa.compile(pa.placeholder((2,), "u", "uint32") + 1)(i)
    x = np.arange(5.0)
    assert pa.jit(lambda u: pa.numpy.asarray(x)[u] + pa.numpy.take(x, u))(u).tolist() == [2, 4]
    with pytest.raises(pa.CallError, match="index out of range"):
        pa.jit(lambda u: pa.numpy.asarray(x)[u - 3])(u)


def test_floats_come_back_at_the_other_end() -> None:
    x = np.array([-1.0, 2.0**32 + 5, 3.9, -2.5])
    assert pa.jit(lambda x: x.astype("uint32"))(x).tolist() == [2**32 - 1, 5, 3, 2**32 - 2]


def test_scatters_and_states_of_scans() -> None:
    x, y = given("uint32", 5)
    at = (y % 4).astype(np.int32)

    def fun(x: Any, at: Any) -> Any:
        sums = pa.numpy.zeros((4,), "uint32").at[at].add(x)
        largest = pa.numpy.zeros((4,), "uint32").at[at].max(x)

        def step(state: Any, item: Any) -> Any:
            state = state * 1664525 + item
            return state, state

        return sums, largest, pa.scan(step, pa.numpy.ones((), "uint32"), x)[1], pa.numpy.argmax(x)

    sums, largest, states, first = pa.jit(fun)(x, at)
    right, most, state = np.zeros(4, np.uint32), np.zeros(4, np.uint32), 1
    np.add.at(right, at, x)
    np.maximum.at(most, at, x)
    assert sums.tolist() == right.tolist() and largest.tolist() == most.tolist() and first == x.argmax()
    for found, item in zip(states, x, strict=True):
        state = (state * 1664525 + int(item)) % 2**32
        assert found == state
