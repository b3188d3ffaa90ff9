"""A random program while it is written: declarations, equations, and what may be read by shape."""

from random import Random

from polyad.ir.program import Program
from polyad.ops.program_text import parse_program

__all__ = ["LEAST", "Writer"]

UNARY = ("tanh({0})", "sin({0})", "exp(tanh({0}))", "sigmoid({0})", "0.5 * {0}", "{0}")
DEAR = ("exp(tanh({0}))", "tanh({0})", "sigmoid({0})")
LEAST = 3
"""The least value of N in its programs."""


class Writer:
    """Declarations and equations; `pool` holds what may be read, by shape."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.symbolic = random.random() < 0.4
        self.declared: list[str] = []
        self.equations: list[str] = []
        self.pool: dict[tuple[str, ...], list[str]] = {}
        self.count = 0

    def extent(self, low: int, high: int, fixed: bool = False) -> str:
        """A number, or N where that is large enough."""
        if self.symbolic and not fixed and low <= LEAST and self.random.random() < 0.5:
            return "N"
        return str(self.random.randint(low, high))

    def number(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def flag(self) -> bool:
        return self.random.random() < 0.5

    def array(self, role: str, *shape: str, dtype: str = "float64") -> str:
        self.count += 1
        name = f"{role[0]}{self.count}"
        self.declared.append(f"  {role} {name}: {dtype}[{', '.join(shape)}]")
        return name

    def temporary(self, *shape: str) -> str:
        return self.array("temporary", *shape)

    def result(self, *shape: str) -> str:
        """An output that later constructions may read."""
        name = self.array("output", *shape)
        self.pool.setdefault(shape, []).append(name)
        return name

    def given(self, *shape: str) -> str:
        """Something to read: what another construction made, or an input."""
        known = self.pool.get(shape, [])
        if known and self.random.random() < 0.7:
            return self.random.choice(known)
        return self.array("input", *shape)

    def equation(self, dims: str, condition: str, text: str) -> None:
        name = f"S{len(self.equations)}"
        where = f" : {condition}" if condition else ""
        self.equations.append(f"  {name}: [N] -> {{ {name}[{dims}]{where} }}\n      {text}")

    def f(self, text: str) -> str:
        return self.random.choice(UNARY).format(text)

    def dear(self, text: str) -> str:
        return self.random.choice(DEAR).format(text)

    def program(self, name: str) -> Program:
        lines = [f"program {name}: [N] -> {{ : N >= {LEAST} }}", *self.declared, *self.equations]
        return parse_program("\n".join(lines))
