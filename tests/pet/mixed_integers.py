"""Random C functions that mix signs and widths of integers, in conditions, bounds, subscripts and data.

Expressions are drawn with their C types and with what values they can have, so that nothing in them is undefined: no
signed number overflows, nothing is divided by 0, no element lies outside of its array.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

__all__ = ["ARRAYS", "HEAD", "SIZES", "drawn_function"]

BITS = {"int": -32, "unsigned": 32, "long": -64, "size_t": 64}
"""Width of each type, negative of signed ones."""

SIZES = (
    {"n": 6, "k": 2, "m": 3, "w": 4},
    {"n": 5, "k": 0, "m": 0, "w": 0},
    {"n": 4, "k": 7, "m": 9, "w": 1},
    {"n": 3, "k": 1, "m": 2, "w": 11},
    {"n": 7, "k": 4, "m": 4, "w": 3},
)
"""What functions are called with."""

ARRAYS = {
    "a": ("int", (-4, 6, 1, -1, 0, 3, -2)),
    "b": ("unsigned", (2**32 - 1, 0, 5, 2, 2**32 - 3, 1, 7)),
    "c": ("long", (-5, 2**33 + 1, 0, 4, -(2**33) - 2, 1, 2)),
    "d": ("size_t", (0, 3, 2**40, 1, 6, 2, 5)),
    "s": ("short", (-3, 7, 0, 2, -1, 32767, -32768)),
    "v": ("unsigned char", (255, 0, 3, 128, 1, 2, 254)),
}
"""Integers that functions read: type, and numbers."""

HEAD = "int n, unsigned k, size_t m, long w, " + ", ".join(f"const {t} {a}[n]" for a, (t, _) in ARRAYS.items())
_NARROW = {"short": (-(2**15), 2**15 - 1), "unsigned char": (0, 255)}
_LEAST = {"a": -4, "c": -(2**33) - 2}
_MOST = {"a": 6, "c": 2**33 + 1, "b": 2**32 - 1, "d": 2**40}


class _Undefined(Exception):
    """An expression that has no value for some numbers."""


@dataclass(frozen=True, slots=True)
class _Value:
    """An integer expression: its text, its type, and its least and largest value."""

    text: str
    kind: str
    least: int
    most: int

    def as_type(self, kind: str) -> _Value:
        """The value after C's conversion."""
        bits = BITS[kind]
        low, high = (0, 2**bits - 1) if bits > 0 else (-(2 ** (-bits - 1)), 2 ** (-bits - 1) - 1)
        if low <= self.least and self.most <= high:
            return _Value(self.text, kind, self.least, self.most)
        return _Value(self.text, kind, low, high)


def _common(a: _Value, b: _Value) -> str:
    return max(a.kind, b.kind, key=lambda kind: (abs(BITS[kind]), BITS[kind] > 0))


def _binary(op: str, a: _Value, b: _Value) -> _Value:
    kind = _common(a, b)
    left, right = a.as_type(kind), b.as_type(kind)
    text = f"({a.text} {op} {b.text})"
    match op:
        case "+":
            least, most = left.least + right.least, left.most + right.most
        case "-":
            least, most = left.least - right.most, left.most - right.least
        case "*":
            ends = [p * q for p in (left.least, left.most) for q in (right.least, right.most)]
            least, most = min(ends), max(ends)
        case "/":  # by a positive number
            ends = [abs(p) // right.least * (1 if p >= 0 else -1) for p in (left.least, left.most)]
            least, most = min(ends), max(ends)
        case "%":
            least, most = (-right.most if left.least < 0 else 0), right.most
        case _:
            return _Value(text, "int", 0, 1)
    exact = _Value(text, kind, least, most)
    found = exact.as_type(kind)
    if BITS[kind] < 0 and (found.least, found.most) != (least, most):
        raise _Undefined
    return found


class _Draft:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.pick = self.random.choice

    def number(self) -> _Value:
        value = self.random.randint(0, 5)
        suffix, kind = self.pick(
            (("", "int"), ("", "int"), ("", "int"), ("u", "unsigned"), ("L", "long"), ("ul", "size_t"))
        )
        return _Value(f"{value}{suffix}", kind, value, value)

    def leaf(self, loops: dict[str, str], data: bool) -> _Value:
        draw = self.random.random()
        if draw < 0.25:
            return self.number()
        if data and draw < 0.6:
            name = self.pick("aaabbbccdsv" if self.random.random() < 0.3 else "aabbc")
            kind, at = ARRAYS[name][0], self.pick(list(loops))
            least, most = _NARROW.get(kind, (_LEAST.get(name, 0), _MOST.get(name, 0)))
            return _Value(f"{name}[{at}]", "int" if kind in _NARROW else kind, least, most)
        if draw < 0.75 and loops:
            name = self.pick(list(loops))
            return _Value(name, loops[name], 0, 6)
        name = self.pick("nkmw")
        return _Value(name, {"n": "int", "k": "unsigned", "m": "size_t", "w": "long"}[name], 0, 11)

    def value(self, loops: dict[str, str], data: bool, depth: int = 2) -> _Value:
        while True:
            try:
                return self._value(loops, data, depth)
            except _Undefined:
                pass

    def _value(self, loops: dict[str, str], data: bool, depth: int) -> _Value:
        draw = self.random.random()
        if depth == 0 or draw < 0.2:
            return self.leaf(loops, data)
        first = self._value(loops, data, depth - 1)
        if draw < 0.65:
            return _binary(self.pick("+---"), first, self._value(loops, data, depth - 1))
        if draw < 0.72:
            return _binary("*", first, self.number())
        if draw < 0.80:
            by = self.number()
            return _binary(self.pick("/%"), first, _Value(by.text.replace(str(by.least), "3"), by.kind, 3, 3))
        if draw < 0.84:
            zero = _Value("0", "int", 0, 0)
            made = _binary("-", zero, first)
            return _Value(f"(-{first.text})", made.kind, made.least, made.most)
        if draw < 0.93:
            kind = self.pick(list(BITS))
            made = first.as_type(kind)
            return _Value(
                f"({kind}){first.text}" if first.text[0] == "(" else f"({kind})({first.text})",
                kind,
                made.least,
                made.most,
            )
        other = self._value(loops, data, depth - 1)
        kind = _common(first, other)
        made, second = first.as_type(kind), other.as_type(kind)
        text = f"({self.condition(loops, False, 0)} ? {first.text} : {other.text})"
        return _Value(text, kind, min(made.least, second.least), max(made.most, second.most))

    def condition(self, loops: dict[str, str], data: bool, depth: int = 1) -> str:
        if depth and self.random.random() < 0.2:
            op = self.pick(("&&", "||"))
            return f"({self.condition(loops, data, 0)} {op} {self.condition(loops, data, 0)})"
        first, second = self.value(loops, data, depth), self.value(loops, data, 1)
        return f"({first.text} {self.pick(('<', '<', '<=', '>', '>=', '==', '!='))} {second.text})"

    def loop(self, name: str) -> tuple[str, str]:
        kind = self.pick(list(BITS))
        return kind, self.pick(
            (
                f"for ({kind} {name} = 0; {name} < n; {name}++)",
                f"for ({kind} {name} = 0; {name} < n; {name}++)",
                f"for ({kind} {name} = 1; {name} < n; {name}++)",
                f"for ({kind} {name} = 0; {name} < n; {name} += 2)",
            )
        )

    def statement(self) -> str:
        kind, head = self.loop("i")
        loops = {"i": kind}
        data = self.random.random() < 0.4
        match self.random.randint(0, 7):
            case 0 | 1:
                body = f"y[i] = {self.condition(loops, data)} ? x[i] : 2.0 * x[i];"
            case 2:
                body = f"if ({self.condition(loops, data)}) y[i] = x[i] + 1.0; else y[i] = -x[i];"
            case 3 | 4:
                body = f"y[i] = {self.value(loops, True, 3).text};"
            case 5:
                inner, _ = self.loop("j")
                bound = self.condition({**loops, "j": inner}, False)
                body = f"for ({inner} j = 0; j < n && {bound}; j++) y[i] += x[j];"
            case 6:
                at = self.value(loops, False).text
                body = f"if ({at} >= 0 && {at} < n) y[i] = x[{at}];"
            case _:
                local, value = self.pick(list(BITS)), self.value(loops, data)
                loops["t"] = local
                body = f"{local} t = {value.text}; y[i] = {self._of_local(value.as_type(local), loops)} ? x[i] : 3.0;"
        return f"{head} {{ {body} }}"

    def _of_local(self, local: _Value, loops: dict[str, str]) -> str:
        other = self.value({"i": loops["i"]}, False, 1)
        return f"(t {self.pick(('<', '>=', '=='))} {other.text})"


def drawn_function(seed: int) -> tuple[str, str]:
    """The name of a function that is drawn, and its text."""
    draft = _Draft(seed)
    name = f"f{seed}"
    body = "\n".join(f"    {draft.statement()}" for _ in range(draft.random.choice((1, 1, 2))))
    parameters = f"{HEAD}, const double x[n], double y[n]"
    return name, f"void {name}({parameters})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
