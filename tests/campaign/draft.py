"""A program while it is being drawn: extents, arrays, and lines whose values have known shapes."""

import random
import re
from collections.abc import Sequence

from tests.campaign.program import Input, Options, Program, generator

__all__ = ["BINARY", "UNARY", "Draft"]

Shape = tuple[str, ...]

# Bounded functions of bounded values, so that long chains neither overflow nor lose what they held.
UNARY = (
    "m.sin({a})",
    "m.tanh({a})",
    "m.cos({a})",
    "m.exp(-{a} * {a})",
    "m.sqrt(1.0 + {a} * {a})",
    "m.log(1.5 + {a} * {a})",
    "m.sigmoid({a})",
    "0.5 * {a}",
    "{a} / (1.0 + m.abs({a}))",
    "m.erf({a})",
    "m.log1p(m.abs({a}))",
    "m.where({a} > 0.1, {a}, 0.3 * {a})",
    "m.where({a} > 0.25, m.sqrt({a}), 0.5 * {a})",
    "m.where(m.abs({a}) < 0.2, 0.1, m.sin({a}) / {a})",
    "m.nn.relu({a})",
    "m.nn.leaky_relu({a}, 0.1)",
    "m.nn.softplus({a})",
    "m.nn.silu({a})",
    "m.nn.gelu({a})",
    "m.nn.elu({a})",
    "m.clip({a}, -0.6, 0.7)",
    "m.expm1(0.3 * m.tanh({a}))",
    "m.arctan({a})",
    "1.0 / (1.5 + {a} * {a})",
    "0.3 * {a} ** 2",
    "0.2 * {a} ** 3",
    "-{a}",
    "m.stop({a}) * 0.5 + {a}",
    "m.maximum({a}, 0.1)",
    "m.floor(3.0 * {a}) * 0.2 + {a}",
)
BINARY = (
    "{a} + {b}",
    "{a} - 0.7 * {b}",
    "{a} * {b}",
    "m.sin({a}) * {b}",
    "{a} * m.tanh({b})",
    "{a} / (1.5 + {b} * {b})",
    "m.maximum({a}, {b})",
    "m.minimum({a}, {b})",
    "m.logaddexp({a}, {b})",
    "m.where({a} > {b}, {a}, m.sin({b}))",
    "m.where(({a} > 0.0) & ({b} < 0.5), {a} * {b}, {b})",
    "m.hypot({a}, 1.0 + {b} * {b})",
    "m.arctan2({a}, 2.0 + {b} * {b})",
    "0.6 * {a} + 0.3 * {b}",
)

# Names decide nothing, those of isl's iterators and of the compiler's own arrays and loops included.
NAMES = ("c", "i", "t", "n", "a", "k", "part", "step", "sum_", "bar", "segment", "carry", "S", "Z", "add", "x_bar_")
AXES = ("c0", "c1", "c2", "c3", "c4", "t", "part", "a0", "n", "lane", "row")


class Draft:
    """Lines so far; classes of programs write them."""

    def __init__(self, name: str):
        self.name = name
        self.rng: random.Random = generator(name)
        self.extents: dict[str, int] = {}
        self.inputs: dict[str, Input] = {}
        self.lines: list[str] = []
        self.scopes: list[dict[str, Shape]] = [{}]
        self.numbered = 0
        self.indent = ""
        self.dtype = "float32" if self.rng.random() < 0.2 else "float64"
        self.mixed = self.rng.random() < 0.1  # whether arrays may have the other float type, too
        self.odd = False  # whether arrays hold numbers that are not finite
        self.symbolic = self.rng.random() < 0.35
        self.peers = True
        self.least = 1  # what extents are at least, where sizes are symbolic

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def pick(self, *of: object) -> object:
        return self.rng.choice(of)

    def fresh(self, prefix: str) -> str:
        self.numbered += 1
        return f"{prefix}{self.numbered}"

    def extent(self, kind: str = "small", prefix: str = "N") -> str:
        """A new extent: small (1 to 7), tiny (0 to 7), step (1 to 12) or large (60 to 300)."""
        low, high = {"small": (1, 7), "tiny": (0, 7), "step": (1, 12), "large": (60, 300)}[kind]
        if kind in ("small", "step") and not self.symbolic and self.chance(0.02):
            low = high = 0
        name = self.fresh(self.rng.choice(NAMES) if self.chance(0.3) else prefix)
        self.extents[name] = self.rng.randint(low, high)
        return name

    def input(self, shape: Sequence[str], kind: str = "", prefix: str = "x", dtype: str = "") -> str:
        """A new array; ties now and then."""
        name = self.fresh(prefix)
        kind = "odd" if self.odd else kind or ("ties" if self.chance(0.06) else "normal")
        if not dtype and self.mixed and self.chance(0.15):
            dtype = self.rng.choice(("float32", "float64"))
        self.inputs[name] = Input(dtype or self.dtype, tuple(shape), kind)
        if (dtype or "float").startswith("float"):
            self.scopes[0][name] = tuple(shape)
        return name

    def ids(self, shape: Sequence[str], below: str) -> str:
        """A new array of indices below an extent."""
        return self.input(shape, below, "ids", self.rng.choice(["int32", "int64"]))

    def write(self, text: str) -> None:
        self.lines.append(self.indent + text)

    def let(self, text: str, shape: Sequence[str], prefix: str = "v") -> str:
        """name = text"""
        name = self.fresh(self.rng.choice(NAMES) if self.chance(0.1) and prefix == "v" else prefix)
        self.write(f"{name} = {text}")
        return self.note(name, shape)

    def note(self, name: str, shape: Sequence[str]) -> str:
        self.scopes[-1][name] = tuple(shape)
        return name

    def open(self, header: str) -> None:
        self.write(header)
        self.indent += "    "
        self.scopes.append({})

    def close(self, result: str) -> None:
        self.write(f"return {result}")
        self.indent = self.indent[:-4]
        self.scopes.pop()

    def fitting(self, shape: Sequence[str]) -> list[str]:
        """Values that broadcast to a shape, its last dimensions; those of inner scopes twice, as they are newer."""
        wanted = tuple(shape)
        found = []
        for depth, scope in enumerate(self.scopes):
            for name, s in scope.items():
                if len(s) <= len(wanted) and (not s or wanted[-len(s) :] == s):
                    found += [name] * (1 + depth)
        return found

    def of_shape(self, shape: Sequence[str]) -> list[str]:
        return [n for n in self.fitting(shape) if any(s.get(n) == tuple(shape) for s in self.scopes)]

    def chain(self, start: str, shape: Sequence[str], length: int) -> str:
        """Statements that go on from `start`, which has the shape."""
        value = start
        for _ in range(length):
            value = self.let(self.expression(value, shape), shape)
        return value

    def expression(self, a: str, shape: Sequence[str]) -> str:
        """One operation on `a` and perhaps on something that broadcasts to it."""
        if self.chance(0.4):
            return self.rng.choice(UNARY).format(a=a)
        b = self.rng.choice(self.fitting(shape))
        first, second = (a, b) if self.chance(0.7) else (b, a)
        return self.rng.choice(BINARY).format(a=first, b=second)

    def number(self, values: Sequence[str]) -> str:
        """A loss of several values."""
        parts = []
        for v in values:
            parts.append(
                self.rng.choice(
                    ("m.sum({v})", "m.mean({v})", "m.sum({v} ** 2)", "m.mean(m.sin({v}))", "0.5 * m.sum({v} * {v})")
                ).format(v=v)
            )
        return " + ".join(parts)

    def finish(self, values: Sequence[str], modes: Sequence[str] = ()) -> Program:
        """Return `values`, or a loss of them, and draw the options."""
        rng = self.rng
        mode = rng.choice(modes or ("grad", "grad", "grad", "grad", "value", "vjp", "jvp", "second"))
        if self.odd or not any(i.floating for i in self.inputs.values()):
            mode = "value"
        if mode in ("grad", "second"):
            self.write(f"return {self.number(values)}")
        else:
            self.write(f"return ({', '.join(values)},)")
        if self.chance(0.3):
            self._rename_axes()
        options = Options(
            mode=mode,
            level=rng.choice((3, 3, 3, 3, 2, 2, 1, 0)),
            openmp=rng.random() < 0.85,
            threads=rng.choice((1, 2, 2, 3)) if rng.random() < 0.8 else rng.randint(4, 7),
            symbolic=self.symbolic,
            compiler=3 if rng.random() < 0.06 else 0,
            tiny=rng.random() < 0.5,
            front=rng.random() < 0.06 and not self.odd,
            least=self.least,
            transforms=rng.randint(1, 3) if rng.random() < 0.08 else 0,
        )
        others = []
        if self.symbolic:
            for _ in range(2):
                others.append({n: self._other(v) for n, v in self.extents.items()})
        return Program(self.name, self.extents, self.inputs, tuple(self.lines), tuple(others), options, self.peers)

    def _rename_axes(self) -> None:
        """Call the axes of definitions something else, but nothing that has another meaning in the program."""
        names = list(AXES)
        self.rng.shuffle(names)
        taken = {*self.extents, *re.findall(r"\w+", " ".join(self.lines))}
        new = dict(zip("ijkp", [n for n in names if n not in taken], strict=False))
        self.lines = [
            re.sub(r"\b[ijkp]\b", lambda found: new.get(found[0], found[0]), line) if "lambda" in line else line
            for line in self.lines
        ]

    def _other(self, extent: int) -> int:
        if extent >= 60 and self.chance(0.5):
            return self.rng.randint(60, 150)
        return self.rng.randint(self.least, self.least + 8)
