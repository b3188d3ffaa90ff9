"""Random statements around a scan of one number: whatever joins its loop, the results are the evaluator's."""

import random

import pytest

from tests.codegen.test_prefix import check


class Scans:
    """Programs in one dimension: producers of a scan, the scan, what reads it, and sums, in any order."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.readable = ["x[t]", "r[t]"]
        self.arrays: list[str] = []
        self.statements: list[str] = []

    def text(self) -> str:
        """The program."""
        for n in range(self.random.randint(0, 3)):
            self.array(f"e{n}", self.random.choice(["temporary", "output"]), ("0 <= t < T + 4", self.value()))
        self.scan(self.random.choice(["", "a[0] * ", "tanh(r[t]) * "]))
        for n in range(self.random.randint(1, 4)):
            self.reader(f"y{n}")
        for n in range(self.random.randint(0, 4)):
            low, high = self.random.choice([(0, 4), (1, 4), (0, 3)])
            self.statement(f"{low} <= t < T + {high}", f"loss[{n}] += {self.value()}")
        self.statement("0 <= t < 4", "loss[t] += 0.5 * a[t]")
        self.random.shuffle(self.statements)
        inputs = ["input x: float64[T + 4]", "input r: float64[T + 4]", "input a: float64[4]"]
        lines = [
            "program scans: [T] -> { : T >= 1 }",
            *inputs,
            *self.arrays,
            "output loss: float64[4]",
            *self.statements,
        ]
        return "\n".join(lines) + "\n"

    def value(self) -> str:
        """An expression in what there is, sometimes against the direction of time."""
        first = self.random.choice([*self.readable, "x[T + 3 - t]"] if self.random.random() < 0.3 else self.readable)
        if self.random.random() < 0.5:
            first = f"{self.random.choice(['exp', 'tanh', 'neg', 'abs'])}({first})"
        if self.random.random() < 0.6:
            first = f"{first} {self.random.choice('+*-')} {self.random.choice(self.readable)}"
        return first

    def statement(self, domain: str, equation: str) -> None:
        name = f"S{len(self.statements)}"
        self.statements.append(f"{name}: [T] -> {{ {name}[t] : {domain} }}\n    {equation}")

    def array(self, name: str, role: str, *pieces: tuple[str, str]) -> None:
        self.arrays.append(f"{role} {name}: float64[T + 4]")
        for domain, value in pieces:
            self.statement(domain, f"{name}[t] = {value}")
        self.readable.append(f"{name}[t]")

    def scan(self, factor: str) -> None:
        last = self.random.choice([0, 1])
        role = self.random.choice(["temporary", "output"])
        if self.random.random() < 0.5:
            step = (f"{last} < t < T + 4", f"{factor}h[t - 1] + {self.value()}")
            self.array("h", role, (f"0 <= t <= {last}", self.value()), step)
        else:
            step = ("0 <= t < T + 3", f"{factor}h[t + 1] + {self.value()}")
            self.array("h", role, ("t = T + 3", self.value()), step)

    def reader(self, name: str) -> None:
        low, high = self.random.choice([(0, 4), (1, 4), (0, 3), (2, 4)])
        value = self.value()
        if self.random.random() < 0.3:
            value = f"{value} + h[{'t - 1' if low else 't'}]"
        pieces = [(f"{low} <= t < T + {high}", value)]
        if low:
            pieces.append((f"0 <= t < {low}", "0.0"))
        if high < 4:
            pieces.append((f"T + {high} <= t < T + 4", "1.0"))
        self.array(name, "output", *pieces)


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.quick_cases(2)
def test_scans_with_what_is_around_them(seed: int) -> None:
    check(Scans(seed).text())
