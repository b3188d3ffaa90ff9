"""Random constructions of sums, for tests/aimed_programs.py."""

from tests.aimed_writer import Writer

__all__ = ["added", "chosen", "columns", "factored", "framed", "strided", "totals", "turned"]


def framed(w: Writer) -> None:
    """An array with zeros at its ends, under a sum."""
    n = w.extent(3, 8)
    x, r = w.given(n), w.given(n)
    a, s, y = w.temporary(n), w.result(), w.result(n)
    left, right = w.number(0, 1), 1
    w.equation("i", f"{left} <= i < {n} - {right}", f"{a}[i] = {w.dear(f'{x}[i]')}")
    w.equation("i", f"0 <= i < {n} and (i < {left} or i >= {n} - {right})", f"{a}[i] = 0.0")
    w.equation("i", f"0 <= i < {n}", f"{s}[] += {a}[i] * {r}[i]")
    w.equation("i", f"0 <= i < {n}", f"{y}[i] = {a}[i] + {r}[i]")


def totals(w: Writer) -> None:
    """A sum of all elements of what is computed; of all rows, or of those inside."""
    n, m = w.extent(3, 5), w.extent(2, 6)
    x, e, s, y = w.given(n, m), w.temporary(n, m), w.result(), w.result(n, m)
    w.equation("i, j", f"0 <= i < {n} and 0 <= j < {m}", f"{e}[i, j] = {w.dear(f'{x}[i, j]')}")
    low, high = w.number(0, 1), w.number(0, 1)
    w.equation("k, r", f"{low} <= k < {n} - {high} and 0 <= r < {m}", f"{s}[] += {e}[k, r] * {e}[k, r]")
    w.equation("i, j", f"0 <= i < {n} and 0 <= j < {m}", f"{y}[i, j] = {e}[i, j] + {e}[i, 0]")


def columns(w: Writer) -> None:
    """Sums of float32 along columns, of two dimensions perhaps."""
    n, m = w.extent(3, 7), w.extent(2, 6)
    x, y, s = w.array("input", n, m, dtype="float32"), w.given(n), w.array("output", m, dtype="float32")
    w.equation("j, i", f"0 <= i < {n} and 0 <= j < {m}", f"{s}[j] += cast_float32({w.f(f'{y}[i]')}) * {x}[i, j]")


def added(w: Writer) -> None:
    """A sum of which each element is added to one of two others, in one of three places."""
    n = w.extent(2, 6)
    g, a, r, z, y = w.given(n), w.given(n), w.temporary(f"{n} + 2"), w.result(n), w.result("2")
    w.equation("e", f"0 <= e < {n}", f"{r}[e] += {w.f(f'{g}[e]')}")
    w.equation("e", f"2 <= e < {n} + 2", f"{r}[e] += {w.dear(f'{g}[e - 2]')}")
    w.equation("i", f"0 <= i < {n}", f"{z}[i] {w.random.choice(['=', '+='])} {r}[i + 1]")
    w.equation("i", f"0 <= i < {n}", f"{z}[i] += {a}[i]")
    edge = w.random.choice([f"{z}[0]", f"{z}[{n} - 1]", f"{y}[0]"])
    w.equation("", "", f"{edge} += {r}[0]")
    w.equation("", "", f"{y}[1] += {r}[{n} + 1]")


def chosen(w: Writer) -> None:
    """Rows that data choose: written as products with an indicator, or as a row of an identity matrix."""
    n, k, m = w.extent(1, 5), w.extent(2, 4), w.extent(1, 3)
    ids, h = w.array("input", n, dtype="int64"), w.temporary(n, k)
    x, v, y, z = w.given(n, m), w.given(k, m), w.result(n, m), w.result(k, m)
    at, points = f"{ids}[i] {w.random.choice(['+', '-'])} {w.number(0, 2)}", f"0 <= i < {n} and 0 <= k < {k}"
    w.equation("i, k", points, f"{h}[i, k] = select(eq({at}, index(k)), {w.number(1, 2)}.0, 0.0)")
    columns = f"{points} and 0 <= j < {m}"
    w.equation("i, j, k", columns, f"{y}[i, j] += {h}[i, k] * {w.f(f'{v}[k, j]')}")
    w.equation("k, j, i", columns, f"{z}[k, j] += {w.f(f'{x}[i, j]')} * {h}[i, k] * {v}[k, j]")


def turned(w: Writer) -> None:
    """A temporary whose rows are columns of what it is computed from."""
    n, k = w.extent(2, 9), w.extent(2, 9)
    x, m, e = w.given(k, n), w.given(n), w.temporary(n, k)
    s, back = w.result(n), w.result(k, n)
    every = f"0 <= n < {n} and 0 <= k < {k}"
    w.equation("n, k", every, f"{e}[n, k] = {w.dear(f'{x}[k, n] - {m}[n]')}")
    w.equation("n, k", every, f"{s}[n] += {e}[n, k]")
    w.equation("k, n", every, f"{back}[k, n] = {e}[n, k] * {s}[n]")


def factored(w: Writer) -> None:
    """Sums of products of three factors in which there is a product of matrices."""
    n, m, k = w.extent(2, 6), w.extent(2, 6), w.extent(3, 9)
    x, y, z, a = w.given(n, k), w.given(m, k), w.given(n), w.given(k, m)
    f, g, h = w.result(n, m), w.result(n), w.result(n, m)
    ranges = f"0 <= n < {n} and 0 <= m < {m} and 0 <= k < {k}"
    w.equation("n, m, k", ranges, f"{f}[n, m] += {x}[n, k] / (2.0 + {z}[n]) * {y}[m, k]")
    w.equation("n, m, k", ranges, f"{g}[n] += {x}[n, k] * {a}[k, m] * {f}[n, m]")
    w.equation("n, m, k", ranges, f"{h}[n, m] += {x}[n, k] * {z}[n] * {y}[m, k]")


def strided(w: Writer) -> None:
    """The gradient of a strided convolution by the image."""
    n, c, o, steps = w.extent(3, 9), w.extent(2, 3), w.extent(1, 3), w.extent(2, 4)
    taps, stride, left = w.number(2, 4), w.number(2, 3), w.number(0, 1)
    f, r, x = w.given(o, c, str(taps)), w.given("2", o, steps), w.result("2", c, n)
    at = f"a - {stride} * i + {left}" if w.flag() else f"{left} - a + {stride} * i"
    box = f"0 <= n < 2 and 0 <= c < {c} and 0 <= a < {n} and 0 <= o < {o} and 0 <= i < {steps}"
    w.equation("n, c, a, o, i", f"{box} and 0 <= {at} < {taps}", f"{x}[n, c, a] += {f}[o, c, {at}] * {r}[n, o, i]")
