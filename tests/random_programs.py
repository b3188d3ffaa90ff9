"""Random programs: affine and quasi-affine reads, pieces, reductions, recurrences and gathers over two sizes N and M.

`random_program()` is a hypothesis strategy for valid programs; `random_inputs` makes values for them. Indices are drawn
from a pool of expressions, and kept only where isl proves them inside the array for all sizes. All functions are
bounded, so that long chains stay far from overflow.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations

import islpy as isl
import numpy as np
from hypothesis import strategies as st

from polyad.ir.program import Program
from polyad.ops.program_text import parse_program

__all__ = ["random_inputs", "random_program"]

EXTENTS = ("N", "M", "N", "M", "N + 1", "N + 2", "2*N", "3*N", "N + M", "4*M", "2", "3")
NAMES = ("i", "j", "k")
UNARY = ("sin({0})", "tanh({0})", "sigmoid({0})", "cos({0})", "exp(tanh({0}))", "sqrt(1.0 + {0} * {0})", "neg({0})")
BINARY = (
    "{0} + {1}",
    "{0} - {1}",
    "{0} * {1}",
    "{0} / (1.5 + {1} * {1})",
    "maximum({0}, {1})",
    "select(gt({0}, {1}), {0} * {1}, sin({1}))",
)


@cache
def valid_indices(domain: str, dims: tuple[str, ...], extent: str) -> tuple[str, ...]:
    """The expressions of the pool that lie in 0, ..., extent - 1 for all points of a domain, given as a condition."""
    pool = ["0", f"{extent} - 1"]
    for d in dims:
        pool += [
            d,
            d,
            d,
            f"{d} + 1",
            f"{d} + 2",
            f"2*{d}",
            f"2*{d} + 1",
            f"3*{d} + 1",
            f"{d} + N",
            f"{d} // 2",
            f"{d} // 3",
        ]
        pool += [f"{d} % 2", f"{d} % 3", f"{extent} - 1 - {d}", f"2*({d} // 2)", f"3*({d} // 3) + ({d} + 1) % 3"]
    for d, e in permutations(dims, 2):
        pool += [
            f"{d} + {e}",
            f"2*{d} + {e}",
            f"3*{d} + {e}",
            f"4*{d} + {e}",
            f"2*{d} + 3*{e}",
            f"{d} - {e} + 2",
            f"{d} - {e}",
        ]
    found = []
    for text in pool:
        written = isl_text(text)
        outside = f"({written}) < 0 or ({written}) >= {isl_text(extent)}"
        if isl.Set(f"[N, M] -> {{ [{', '.join(dims)}] : N >= 1 and M >= 1 and {domain} and ({outside}) }}").is_empty():
            found.append(text)
    return tuple(found)


def isl_text(text: str) -> str:
    """A quasi-affine expression of program text in isl's syntax; divisions stand around a name or brackets."""
    for d in NAMES:
        text = text.replace(f"{d} // 2", f"floor({d}/2)").replace(f"{d} // 3", f"floor({d}/3)")
        text = text.replace(f"({d} + 1) % 3", f"(({d} + 1) mod 3)")
        text = text.replace(f"{d} % 2", f"({d} mod 2)").replace(f"{d} % 3", f"({d} mod 3)")
    return text


class _Writer:
    """Declarations and equations so far; `shapes` holds what may be read."""

    def __init__(self, draw: st.DrawFn):
        self.draw = draw
        self.shapes: dict[str, tuple[str, ...]] = {}
        self.equations: list[str] = []
        self.inputs: list[str] = []
        for name in ("x", "w"):
            self.shapes[name] = self.shape(1, 2)
            self.inputs.append(name)

    def pick(self, options: Sequence[str]) -> str:
        return self.draw(st.sampled_from(list(options)))

    def shape(self, low: int, high: int) -> tuple[str, ...]:
        rank = self.draw(st.integers(low, high))
        return tuple(self.pick(EXTENTS) for _ in range(rank))

    def new(self, shape: tuple[str, ...]) -> str:
        name = f"v{len(self.shapes) - 1}"
        self.shapes[name] = shape
        return name

    def equation(self, dims: Sequence[str], condition: str, text: str) -> None:
        name = f"S{len(self.equations)}"
        where = f" : {condition}" if condition else ""
        self.equations.append(f"  {name}: [N, M] -> {{ {name}[{', '.join(dims)}]{where} }}\n      {text}")

    def read(self, dims: tuple[str, ...], domain: str, names: Sequence[str]) -> str:
        name = self.pick(names)
        index = [self.pick(valid_indices(domain or "0 = 0", dims, e)) for e in self.shapes[name]]
        gathers = "i" in dims and self.shapes[name] and self.shapes[name][0] in ("N", "M", "N + 1", "2*N")
        if gathers and self.draw(st.integers(0, 9)) == 0:
            where = self.pick(valid_indices(domain, dims, "N"))
            rest = "".join(f", index({i})" for i in index[1:])
            return f"{name}[ids[{where}]{rest}]"
        return f"{name}[{', '.join(index)}]"

    def body(self, dims: tuple[str, ...], domain: str, names: Sequence[str], depth: int = 2) -> str:
        kind = self.draw(st.integers(0, 5)) if depth else 0
        if kind <= 1:
            return self.read(dims, domain, names)
        if kind <= 3:
            return self.pick(UNARY).format(f"({self.body(dims, domain, names, depth - 1)})")
        parts = [f"({self.body(dims, domain, names, depth - 1)})" for _ in range(2)]
        return self.pick(BINARY).format(*parts)

    # The constructions.

    def pointwise(self) -> None:
        """One definition; the write may reverse a dimension."""
        names, shape = list(self.shapes), self.shape(0, 2)
        dims, domain = box(shape)
        text = self.body(dims, domain, names)
        index = [self.pick([d, d, f"{e} - 1 - {d}"]) for d, e in zip(dims, shape, strict=True)]
        self.equation(dims, domain, f"{self.new(shape)}[{', '.join(index)}] = {text}")

    def pieces(self) -> None:
        """Two definitions: even and odd elements, or the first and the rest."""
        names = list(self.shapes)
        if self.draw(st.booleans()):
            dims, domain = box(("N",))
            texts = [self.body(dims, domain, names) for _ in range(2)]
            v = self.new(("2*N",))
            self.equation(dims, domain, f"{v}[2*i] = {texts[0]}")
            self.equation(dims, domain, f"{v}[2*i + 1] = {texts[1]}")
        else:
            first, rest = "0 <= i < N", "N <= i < N + M"
            texts = [self.body(("i",), d, names) for d in (first, rest)]
            v = self.new(("N + M",))
            self.equation(("i",), first, f"{v}[i] = {texts[0]}")
            self.equation(("i",), rest, f"{v}[i] = {texts[1]}")

    def reduction(self) -> None:
        """A sum of a body, or an optimum or a product of elements, over one or two dimensions."""
        names, shape = list(self.shapes), self.shape(0, 1)
        more = tuple(self.pick(("N", "M", "3", "2")) for _ in range(self.draw(st.integers(1, 2))))
        dims, domain = box(shape + more)
        if shape and self.draw(st.integers(0, 3)) == 0:
            dims, domain = ("i", "j"), f"0 <= i < {shape[0]} and 0 <= j <= i"
        op = self.pick(("+=", "+=", "+=", "max=", "min=", "*="))
        text = self.body(dims, domain, names) if op == "+=" else self.read(dims, domain, names)
        definition = self.draw(st.integers(0, 3)) == 0
        inside, outer = box(shape)
        start = self.body(inside, outer, names, 1) if definition else ""
        v = self.new(shape)
        index = ", ".join(dims[: len(shape)])
        self.equation(dims, domain, f"{v}[{index}] {op} {text}")
        if definition:
            self.equation(inside, outer, f"{v}[{index}] = {start}")

    def overlapping(self) -> None:
        """Several sums into one array, at shifted elements."""
        names = list(self.shapes)
        dims, domain = box(("N",))
        texts = [self.body(dims, domain, names, 1) for _ in range(2)]
        v = self.new(("N + 2",))
        self.equation(dims, domain, f"{v}[i] += {texts[0]}")
        self.equation(dims, domain, f"{v}[i + {self.draw(st.integers(0, 2))}] += {texts[1]}")

    def recurrence(self) -> None:
        """A scan with a state of one slot more than steps, forwards or backwards in time."""
        names, more = list(self.shapes), self.shape(0, 1)
        dims, domain = box(("N", *more))
        start, start_domain = dims[1:], domain.partition(" and ")[2]
        initial = self.body(start, start_domain, names, 1)
        text = self.body(dims, domain, names, 1)
        v = self.new(("N + 1", *more))
        rest = "".join(f", {d}" for d in start)
        before, after, zero = ("i", "i + 1", "0") if self.draw(st.booleans()) else ("i + 1", "i", "N")
        self.equation(start, start_domain, f"{v}[{zero}{rest}] = {initial}")
        self.equation(dims, domain, f"{v}[{after}{rest}] = tanh({v}[{before}{rest}] * 0.9 + {text})")

    def grid(self) -> None:
        """A recurrence in two dimensions."""
        names = list(self.shapes)
        inner = "1 <= i < N and 1 <= j < M"
        edge = "0 <= i < N and j = 0"
        top = "i = 0 and 1 <= j < M"
        dims = ("i", "j")
        texts = [self.body(dims, d, names, 1) for d in (inner, edge, top)]
        v = self.new(("N", "M"))
        self.equation(dims, edge, f"{v}[i, j] = {texts[1]}")
        self.equation(dims, top, f"{v}[i, j] = {texts[2]}")
        self.equation(dims, inner, f"{v}[i, j] = sin({v}[i - 1, j] + {v}[i, j - 1] * {v}[i - 1, j - 1]) + {texts[0]}")

    def program(self) -> Program:
        """Everything; the last array is the output, and with it, often, the one before."""
        names = list(self.shapes)
        outputs = set(names[-1:]) | ({names[-2]} if self.draw(st.booleans()) else set())
        lines = ["program random: [N, M] -> { : N >= 1 and M >= 1 }"]
        for name, shape in self.shapes.items():
            role = "input" if name in self.inputs else "output" if name in outputs else "temporary"
            lines.append(f"  {role} {name}: float64[{', '.join(shape)}]")
        lines.insert(1, "  input ids: int64[N]")
        return parse_program("\n".join([*lines, *self.equations]))


def box(shape: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Dimensions over a box, and the condition that says so."""
    dims = NAMES[: len(shape)]
    return dims, " and ".join(f"0 <= {d} < {e}" for d, e in zip(dims, shape, strict=True))


CONSTRUCTIONS = (
    _Writer.pointwise,
    _Writer.pointwise,
    _Writer.pieces,
    _Writer.reduction,
    _Writer.reduction,
    _Writer.overlapping,
    _Writer.recurrence,
    _Writer.grid,
)


@st.composite
def random_program(draw: st.DrawFn, most: int = 4) -> Program:
    """A valid program of one to `most` constructions with inputs x, w and (integers) ids."""
    writer = _Writer(draw)
    for _ in range(draw(st.integers(1, most))):
        draw(st.sampled_from(CONSTRUCTIONS))(writer)
    return writer.program()


def random_inputs(program: Program, sizes: Mapping[str, int], seed: int = 0) -> dict[str, np.ndarray]:
    """Normal floats of the inputs' types; integers below the smallest size, so that they can be indices."""
    rng = np.random.default_rng(seed)
    result = {}
    for name in program.inputs:
        array = program.arrays[name]
        shape = tuple(e.evaluate(sizes) for e in array.shape)
        integer = array.dtype.startswith("int")
        values = rng.integers(0, min(sizes.values(), default=1), shape) if integer else rng.normal(size=shape)
        result[name] = values.astype(array.dtype)
    return result
