"""Random programs aimed at passes: small, of constructions each of which gives one pass something to do.

`aimed(number)` is the program of that number, the same each time: three constructions that may read each other's
results, so that passes meet what other passes made. All values stay bounded, all extents are 1 to 12, fixed or the
size N. On the machine `TINY` each construction is large enough.
"""

from collections.abc import Callable
from random import Random

from polyad.ir.program import Program
from tests.aimed_sums import added, chosen, columns, factored, framed, strided, totals, turned
from tests.aimed_writer import LEAST, Writer

__all__ = ["AIMS", "SIZES", "aimed"]

SIZES = ({"N": LEAST}, {"N": 6})
"""At which programs are evaluated."""


def units(w: Writer) -> None:
    """Axes of extent 1, and a sum over one of them."""
    n = w.extent(1, 6)
    x, a, b, y = w.given(n), w.temporary("1", n), w.temporary("1", n), w.result("1", n)
    w.equation("i, k", f"i = 0 and 0 <= k < {n}", f"{a}[i, k] = {w.dear(f'{x}[k]')}")
    w.equation(
        "i, k, r", f"i = 0 and 0 <= k < {n} and r = 0", f"{b}[i, k] += {w.f(f'{a}[r, k]')} * {a}[i, {n} - 1 - k]"
    )
    w.equation("i, k", f"i = 0 and 0 <= k < {n}", f"{y}[i, k] = {b}[0, k] + {a}[i, k]")
    if w.flag():
        tied(w, y, n)


def tied(w: Writer, x: str, n: str) -> None:
    """Each element of `x` several times: the domain alone says which element is read."""
    k = w.number(2, 3)
    length = f"{k} * {n}" if n == "N" else str(k * int(n))
    tie, where = w.random.choice(
        [
            (f"0 <= i < {length} and i - {k - 1} <= {k} * a <= i", f"{k} * i"),
            (f"0 <= a < {n} and i mod {k} = 0 and i = {k} * a", f"{k} * i"),
            (f"0 <= a < {n} and (i = a or i = a + {n})", f"i + {n}"),
        ]
    )
    p, q, y = w.temporary("1", length), w.temporary("1", length), w.result(n)
    w.equation("o, i, a", f"{tie} and o = 0", f"{p}[o, i] {w.random.choice(['=', '+='])} {w.f(f'{x}[0, a]')}")
    w.equation("i, a", tie, f"{q}[0, i] = {w.dear(f'{p}[0, i]')}")
    w.equation("i", f"0 <= i < {n}", f"{y}[i] = {q}[0, {where}]")


def constants(w: Writer) -> None:
    """Neutral elements, zeros, and conditions that are affine."""
    n = w.extent(1, 8)
    x, y = w.given(n), w.result(n)
    zero = w.random.choice(["0.0", "1.0 - 1.0", f"0.0 * {x}[i]"])
    cut = w.random.choice([f"lt(index(i), index({w.number(0, 4)}))", "eq(index(i % 2), 0)", "ge(index(2*i), index(3))"])
    w.equation("i", f"0 <= i < {n}", f"{y}[i] = 1.0 * {x}[i] + select({cut}, {w.f(f'{x}[i]')}, {zero})")


def coefficients(w: Writer) -> None:
    """A sweep that is the same in each step, by one equation or two, and what changes beside it."""
    t, n = str(w.number(1, 4)), w.extent(2, 6)
    x, a, p, y = w.given(n), w.temporary(t), w.temporary(t, n), w.result(t, n)
    steps = f"0 <= t < {t}"
    w.equation("t", steps, f"{a}[t] = {w.dear(f'{x}[0]')}")
    w.equation("t", steps, f"{p}[t, 0] = {a}[{t} - 1 - t]")
    changing = " * index(t + 1)" if w.flag() and w.flag() else ""
    body = f"{p}[t, i - 1] * {a}[t] + 0.5 * {x}[i]"
    w.equation("t, i", f"{steps} and 0 < i < {n}", f"{p}[t, i] = {w.dear(body)}{changing}")
    w.equation("t, i", f"{steps} and 0 <= i < {n}", f"{y}[t, i] = {w.f(f'{p}[t, i]')} + {p}[0, i]")


def twins(w: Writer) -> None:
    """The same array twice."""
    n = w.extent(1, 8)
    x, a, b, y = w.given(n), w.temporary(n), w.temporary(n), w.result(n)
    body = w.dear(f"{x}[i]")
    for array in (a, b):
        w.equation("i", f"0 <= i < {n}", f"{array}[i] = {body}")
    w.equation("i", f"0 <= i < {n}", f"{y}[i] = {a}[i] * {b}[{n} - 1 - i] + {w.f(f'{b}[i]')}")


def unused(w: Writer) -> None:
    """Statements and instances that nobody reads."""
    n, more = w.extent(1, 6), w.number(1, 4)
    x, a, y = w.given(n), w.temporary(f"{n} + {more}"), w.result(n)
    w.equation("i", f"0 <= i < {n} + {more}", f"{a}[i] = {w.dear(f'{x}[i % {n}]' if n != 'N' else f'{x}[0]')}")
    offset = w.number(0, more)
    w.equation("i", f"0 <= i < {n}", f"{y}[i] = {a}[i + {offset}] + {a}[{offset}]")


def cheap(w: Writer) -> None:
    """A definition that is read once, or costs less than to keep it."""
    n = w.extent(1, 8)
    x, a, y = w.given(n), w.temporary(n), w.result(n)
    w.equation("i", f"0 <= i < {n}", f"{a}[i] = {w.random.choice([f'0.5 * {x}[i]', w.dear(f'{x}[i]')])}")
    w.equation("i", f"0 <= i < {n}", f"{y}[i] = {w.f(f'{a}[{n} - 1 - i]')} + 1.0")


def base_cases(w: Writer) -> None:
    """A first element that is computed as the others are."""
    n = w.extent(2, 8)
    x, a, y = w.given(n), w.temporary(n), w.result(n)
    body = w.dear(x + "[{0}]") + " + 1.0"
    w.equation("", "", f"{a}[0] = {body.format('0')}")
    w.equation("i", f"1 <= i < {n}", f"{a}[i] = {body.format('i')}")
    w.equation("i", f"0 <= i < {n}", f"{y}[i] = {a}[i] * {a}[{n} - 1 - i]")


def starts(w: Writer) -> None:
    """Sums in steps that depend on each other, and the first of them, which does not."""
    n, k = w.extent(3, 6), w.extent(2, 4)
    x, h0, z, h, y = w.given(k), w.given(k), w.temporary(n, k), w.temporary(n, k), w.result(n, k)
    w.equation("t, i", f"0 <= t < {n} and 0 <= i < {k}", f"{z}[t, i] = {w.f(f'{x}[i]')}")
    w.equation("i, j", f"0 <= i < {k} and 0 <= j < {k}", f"{z}[0, i] += 0.5 * {h0}[j]")
    w.equation("t, i, j", f"1 <= t < {n} and 0 <= i < {k} and 0 <= j < {k}", f"{z}[t, i] += 0.1 * {h}[t - 1, j]")
    w.equation("t, i", f"0 <= t < {n} and 0 <= i < {k}", f"{h}[t, i] = {w.dear(f'{z}[t, i]')}")
    w.equation("t, i", f"0 <= t < {n} and 0 <= i < {k}", f"{y}[t, i] = 0.5 * {h}[t, i]")


def pieces(w: Writer) -> None:
    """A step that reads the state beside another one of its elements, a number or something given: ring and border."""
    n, k = w.extent(2, 5), w.extent(2, 6)
    x, h, c, y = w.given(k), w.temporary(f"{n} + 1", k), w.temporary(n, k), w.result(n, k)
    edge = w.random.choice([f"{h}[t, {k} - 1]", f"{h}[t, 0]", "0.25", f"{x}[1]"])
    w.equation("i", f"0 <= i < {k}", f"{h}[0, i] = {x}[i]")
    w.equation("t", f"0 <= t < {n}", f"{c}[t, 0] = {edge}")
    w.equation("t, i", f"0 <= t < {n} and 1 <= i < {k}", f"{c}[t, i] = {h}[t, i - 1]")
    body = w.dear(f"{h}[t, i] + {c}[t, i] - {c}[t, {k} - 1 - i]")
    w.equation("t, i", f"0 <= t < {n} and 0 <= i < {k}", f"{h}[t + 1, i] = {body}")
    w.equation("t, i", f"0 <= t < {n} and 0 <= i < {k}", f"{y}[t, i] = {h}[t + 1, i]")


def copies(w: Writer) -> None:
    """A state that is copied to where it is needed."""
    n = w.extent(1, 7)
    x, h, new, y = w.given(n), w.temporary(f"{n} + 1"), w.temporary(n), w.result(n)
    w.equation("", "", f"{h}[0] = 0.5")
    w.equation("i", f"0 <= i < {n}", f"{new}[i] = tanh({h}[i]) + {w.f(f'{x}[i]')}")
    w.equation("i", f"0 <= i < {n}", f"{h}[i + 1] = {new}[i]")
    w.equation("i", f"0 <= i < {n}", f"{y}[i] = {h}[{w.random.choice(['i', 'i + 1', n])}] + {new}[i]")


def addends(w: Writer) -> None:
    """Products whose sums are added to something."""
    n, m = w.extent(1, 5), w.extent(1, 5)
    a, x, b = w.given(n, m), w.given(m), w.given(n)
    r, y = w.temporary(n), w.result(n)
    w.equation("i, k", f"0 <= i < {n} and 0 <= k < {m}", f"{r}[i] += {a}[i, k] * {x}[k]")
    index = w.random.choice(["i", f"{n} - 1 - i"])
    w.equation("i", f"0 <= i < {n}", f"{y}[i] = {b}[i] + {r}[{index}]")


def neighbours(w: Writer) -> None:
    """Contributions that overlap on an interior, in one dimension or two."""
    if w.flag():
        n = w.extent(3, 9)
        x, y = w.given(n), w.result(n)
        w.equation("i", f"0 <= i < {n}", f"{y}[i] = {w.f(f'{x}[i]')}")
        for low, high, text in ((0, 1, "i + 1"), (1, 0, "i - 1")):
            w.equation("i", f"{low} <= i < {n} - {high}", f"{y}[{text}] += {w.f(f'{x}[i]')}")
        return
    n, m = w.extent(3, 6), w.extent(3, 6)
    x, y = w.given(n, m), w.result(n, m)
    for a, b in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))[: w.number(2, 5)]:
        rows = f"{max(-a, 0)} <= i < {n} - {max(a, 0)}"
        columns = f"{max(-b, 0)} <= j < {m} - {max(b, 0)}"
        w.equation("i, j", f"{rows} and {columns}", f"{y}[i + {a}, j + {b}] += {w.f(f'{x}[i, j]')}")


def periodic(w: Writer) -> None:
    """Neighbours on a ring."""
    n, by = w.number(11, 12), w.random.choice([1, 2, -1, -2])
    x, y = w.given(str(n)), w.result(str(n))
    w.equation("i", f"0 <= i < {n}", f"{y}[i] = {w.f(f'{x}[i]')} + {x}[(i + {by}) % {n}] * {x}[({n} + 1 + i) % {n}]")


def segments(w: Writer) -> None:
    """Values computed again a segment at a time, read along time; the last segment may be shorter."""
    n, steps = w.number(2, 4), w.number(2, 9)
    count = -(-steps // n)
    k = w.extent(1, 3)
    x, v = w.given(str(steps), k), w.given(str(steps), "2")
    r = w.array("recomputed", str(count), str(n), k)
    y, g = w.result(str(steps), k), w.result(k, "2")
    inside = f"0 <= s < {count} and 0 <= i < {n} and {n} * s + i < {steps}"
    w.equation("s, i, k", f"{inside} and 0 <= k < {k}", f"{r}[s, i, k] = {w.dear(f'{x}[{n} * s + i, k]')}")
    again = f"{r}[t // {n}, t % {n}, k]"
    w.equation("t, k", f"0 <= t < {steps} and 0 <= k < {k}", f"{y}[t, k] = {again} * {x}[t, k]")
    w.equation("t, k, d", f"0 <= t < {steps} and 0 <= k < {k} and 0 <= d < 2", f"{g}[k, d] += {again} * {v}[t, d]")


def holes(w: Writer) -> None:
    """Every second or third element."""
    n, step = w.extent(1, 4), w.number(2, 3)
    x, y = w.given(n), w.result(f"{step} * {n}")
    for rest in range(step):
        where = f"0 <= a < {step} * {n} and a mod {step} = {rest}"
        w.equation("a", where, f"{y}[a] = {w.f(f'{x}[(a - {rest}) // {step}]')}")


def offsets(w: Writer) -> None:
    """Domains that begin somewhere else than at zero."""
    n, start = w.extent(1, 5), w.number(1, 4)
    x, y = w.given(n), w.result(n)
    body = f"{w.f(f'{x}[h - {start}]')} * {x}[{n} - 1 + {start} - h]"
    w.equation("h", f"{start} <= h < {n} + {start}", f"{y}[h - {start}] = {body}")


def quotients(w: Writer) -> None:
    """A reciprocal and quotients by the same number."""
    n = w.extent(1, 8)
    x, z, y = w.given(n), w.given(n), w.result(n)
    s = f"(1.5 + {w.random.choice(['sigmoid', 'cos'])}({x}[i]))"
    w.equation("i", f"0 <= i < {n}", f"{y}[i] = 1.0 / {s} * {w.f(f'{z}[i]')} - {z}[i] / {s}")


def reciprocals(w: Writer) -> None:
    """Reciprocals of overlapping parts of a temporary."""
    n, by = w.extent(3, 7), w.number(1, 2)
    x, s = w.given(f"{n} + {by}"), w.temporary(f"{n} + {by}")
    y, z = w.result(n), w.result(n)
    w.equation("i", f"0 <= i < {n} + {by}", f"{s}[i] = 1.5 + {w.dear(f'{x}[i]')} * 0.5")
    w.equation("i", f"0 <= i < {n}", f"{y}[i] = {x}[i] * (1.0 / {s}[i])")
    w.equation("i", f"0 <= i < {n}", f"{z}[i] = 1.0 / {s}[i + {by}] - {x}[i]")


def short_rows(w: Writer) -> None:
    """Sums over rows of a triangle for each of several points."""
    n, k, i = w.extent(2, 9), w.number(1, 3), str(w.number(2, 4))
    q, x = w.given(str(k), i, i), w.given(n, i)
    y, s, top = w.temporary(n, str(k), i), w.temporary(n, str(k)), w.result(n)
    points = f"0 <= n < {n} and 0 <= k < {k}"
    w.equation("n, k, i, j", f"{points} and 0 <= i < {i} and 0 <= j <= i", f"{y}[n, k, i] += {q}[k, i, j] * {x}[n, j]")
    w.equation("n, k, i", f"{points} and 0 <= i < {i}", f"{s}[n, k] += {y}[n, k, i] * {y}[n, k, i]")
    w.equation("n, k", points, f"{top}[n] {w.random.choice(['max=', '+='])} {s}[n, k]")


def mixture(w: Writer) -> None:
    """Temporaries for each of many points, and sums over all of them."""
    n, k = str(w.number(4, 12)), str(w.number(2, 3))
    x, c = w.given(n), w.given(k)
    y, top, e, total = w.temporary(n, k), w.temporary(n), w.temporary(n, k), w.temporary(n)
    loss, weight, share = w.result(), w.result(k), w.result(k, n)
    every = f"0 <= n < {n} and 0 <= k < {k}"
    w.equation("n, k", every, f"{y}[n, k] = {w.dear(f'{x}[n] * {c}[k]')}")
    w.equation("n, k", every, f"{top}[n] max= {y}[n, k]")
    w.equation("k, n", every, f"{e}[n, k] = exp({y}[n, k] - {top}[n])")
    w.equation("n, k", every, f"{total}[n] += {e}[n, k]")
    w.equation("n", f"0 <= n < {n}", f"{loss}[] += log({total}[n]) + {top}[n]")
    if w.flag():
        w.equation("k", f"0 <= k < {k}", f"{weight}[k] = {w.f(f'{c}[k]')}")
    w.equation("k, n", every, f"{weight}[k] += {e}[n, k] / {total}[n]")
    w.equation("k, n", every, f"{share}[k, n] = {e}[n, k] / {total}[n]")


def convolution(w: Writer) -> None:
    """A convolution with a border, and the gradient by its filter; the images may be known in part only."""
    n, c, o = w.number(3, 6), w.extent(1, 3), w.extent(2, 3)
    taps, left, stride = w.number(2, 3), w.number(0, 2), w.number(1, 2)
    x, f, r = w.given(c, str(n)), w.given(o, c, str(taps)), w.given(o, str(n))
    y, g = w.result(o, str(n)), w.result(o, c, str(taps))
    if w.flag():  # what the gradient multiplies has values where it reads, and nowhere else
        known, r = r, w.temporary(o, str(n))
        w.equation(
            "o, i", f"0 <= o < {o} and 0 <= i < {n} and {stride} * i < {n}", f"{r}[o, i] = {w.dear(f'{known}[o, i]')}"
        )
        rows = f"0 <= i < {n} and {stride} * i < {n}"
    else:
        rows = f"0 <= i < {n}"
    at = f"{stride} * i + k - {left}"
    box = f"0 <= o < {o} and 0 <= c < {c} and 0 <= k < {taps} and 0 <= {at} < {n}"
    w.equation("o, i, c, k", f"{box} and 0 <= i < {n}", f"{y}[o, i] += {f}[o, c, k] * {x}[c, {at}]")
    w.equation("o, c, k, i", f"{box} and {rows}", f"{g}[o, c, k] += {r}[o, i] * {x}[c, {at}]")


def small_images(w: Writer) -> None:
    """Functions of each pixel, sums over all of them, and a neighbour that stays in its row."""
    n, h, k = w.extent(1, 3), str(w.number(2, 4)), str(w.number(2, 5))
    x, t, m, y = w.given(n, h, k), w.temporary(n, h, k), w.temporary(n), w.result(n, h, k)
    every = f"0 <= n < {n} and 0 <= i < {h} and 0 <= j < {k}"
    w.equation("n, i, j", every, f"{t}[n, i, j] = {w.dear(f'{x}[n, i, j]')}")
    w.equation("n, i, j", every, f"{m}[n] += {t}[n, i, j] * {x}[n, i, j]")
    w.equation("n, i, j", every, f"{y}[n, i, j] = {w.f(f'{t}[n, i, j] - {m}[n]')}")
    if w.flag():
        shifted = w.result(n, h, k)
        w.equation("n, i, j", every, f"{shifted}[n, i, j] = {t}[n, i, {k} - 1 - j]")


def triangles(w: Writer) -> None:
    """Causal attention: products over a triangle, and its gradients."""
    n, d = w.extent(3, 7), w.extent(2, 3)
    n = n.replace("3", "5")
    s, v, r = w.given(n, n), w.given(n, d), w.given(n, d)
    p, t, o, g, y = w.temporary(n, n), w.temporary(n, n), w.result(n, d), w.result(n, d), w.result(n)
    below = w.random.choice(["0 <= j <= i", "0 <= j < i", "0 <= j <= i and i <= j + 2"]) + f" and i < {n}"
    w.equation("i, j", below, f"{p}[i, j] = {w.dear(f'{s}[i, j]')}")
    w.equation("i, d, j", f"{below} and 0 <= d < {d}", f"{o}[i, d] += {p}[i, j] * {v}[j, d]")
    w.equation("j, d, i", f"{below} and 0 <= d < {d}", f"{g}[j, d] += {p}[i, j] * {r}[i, d]")
    w.equation("i, j, d", f"{below} and 0 <= d < {d}", f"{t}[i, j] += {r}[i, d] * {v}[j, d]")
    w.equation("i, j", below, f"{y}[i] += {t}[i, j]")


def repeated(w: Writer) -> None:
    """Elements several times, or in rows, by the quotient and the remainder of an index, in a sum now and then."""
    k, n = w.number(2, 3), w.extent(2, 4)
    length = f"{k} * {n}" if n == "N" else str(k * int(n))
    x, y = w.given(n, str(k)), w.result(length)
    at = w.random.choice([f"j // {k}, j % {k}", f"{n} - 1 - j // {k}, j % {k}", f"j // {k}, 0"])
    if w.flag():
        v = w.given("3", length)
        w.equation("j, c", f"0 <= j < {length} and 0 <= c < 3", f"{y}[j] += {x}[{at}] * {v}[c, j]")
    else:
        w.equation("j", f"0 <= j < {length}", f"{y}[j] = {w.f(f'{x}[{at}]')}")


def taps(w: Writer) -> None:
    """Sums over a few values: whole, cut at borders, of products and of greatest values, and differences of pairs."""
    n, k = w.extent(3, 6), w.number(2, 3)
    x, f = w.given(f"{n} + {k}"), w.given(str(k))
    y, z, m = w.temporary(n), w.result(n), w.result(n)
    w.equation("i, k", f"0 <= i < {n} and 0 <= k < {k}", f"{y}[i] += {f}[k] * {w.f(f'{x}[i + k]')}")
    w.equation("i, k", f"0 <= i < {n} and 0 <= k < {k} and k <= i", f"{z}[i] += {f}[k] * {y}[i - k]")
    if w.flag():
        w.equation("i", f"0 <= i < {n}", f"{z}[i] += {x}[i]")
    operation = w.random.choice(["max", "min", "prod", "sum"])
    sign = {"max": "max=", "min": "min=", "prod": "*=", "sum": "+="}[operation]
    w.equation("i, k", f"0 <= i < {n} and 0 <= k < {k}", f"{m}[i] {sign} {y}[i] - {x}[i + k]")
    if w.flag():
        pairs(w, n, k)


def pairs(w: Writer, n: str, k: int) -> None:
    """Distances of all pairs of points of a few coordinates."""
    a, b = w.given(n, str(k)), w.given(n, str(k))
    d, s, e = w.temporary(n, n, str(k)), w.temporary(n, n), w.result(n, n)
    every = f"0 <= i < {n} and 0 <= j < {n}"
    w.equation("i, j, k", f"{every} and 0 <= k < {k}", f"{d}[i, j, k] = {a}[i, k] - {b}[j, k]")
    w.equation("i, j, k", f"{every} and 0 <= k < {k}", f"{s}[i, j] += {d}[i, j, k] * {d}[i, j, k]")
    w.equation("i, j", every, f"{e}[i, j] = {w.f(f'{s}[i, j]')}")


Construction = Callable[[Writer], None]

AIMS: dict[str, Construction] = {
    "drop_unit_dims": units,
    "simplify": constants,
    "hoist_invariants": coefficients,
    "merge_equal": twins,
    "eliminate_dead": unused,
    "inline": cheap,
    "write_out": taps,
    "gathered_sums": chosen,
    "scattered_sums": chosen,
    "forward_sums": added,
    "join_pieces": base_cases,
    "coalesce_copies": copies,
    "inline_pieces": pieces,
    "accumulate": addends,
    "drop_zero_terms": framed,
    "merge_overlaps": neighbours,
    "split_wraps": periodic,
    "split_flat_time": segments,
    "unstride": holes,
    "split_quotients": repeated,
    "shift_domains": offsets,
    "split_starts": starts,
    "share_reciprocals": quotients,
    "keep_reciprocals": reciprocals,
    "memory_order": turned,
    "factored_sums": factored,
    "row_sums": totals,
    "column_sums": columns,
    "vector_layout": short_rows,
    "block_points": mixture,
    "pad_operands": convolution,
    "split_residues": strided,
    "pad_triangles": triangles,
    "join_rows": small_images,
}
"""Pass -> the construction that is aimed at it. The others, which name and initialise, have enough to do anyway."""


def aimed(number: int) -> Program:
    """Program `number`, of three constructions: each has its turn, in another order each time."""
    turn, place = divmod(3 * number, len(AIMS))
    orders = [Random(f"order {t}").sample(list(AIMS), len(AIMS)) for t in (turn, turn + 1)]
    writer = Writer(random := Random(f"program {number}"))
    for name in random.sample([*orders[0], *orders[1]][place : place + 3], 3):
        AIMS[name](writer)
    return writer.program(f"aimed_{number}")
