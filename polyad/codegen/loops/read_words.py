"""Words of one line of the loop IR, and what is read of them: values, conditions, ways to run; see text.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeVar

from polyad.codegen.loops.how import (
    Divided,
    How,
    InParts,
    InRegion,
    Jam,
    Lanes,
    LaneSum,
    Macro,
    OneVector,
    Parallel,
    Prefix,
    Serial,
    Simd,
    Threads,
    Vector,
    Work,
)
from polyad.codegen.loops.instance import Lane, Local
from polyad.codegen.loops.loop_values import Choice, Combine, Compare, Condition, Extreme, Value
from polyad.codegen.loops.polynomials import Polynomial
from polyad.errors import DefinitionError
from polyad.ir.affine import Affine, Atom
from polyad.ir.statement import REDUCTIONS

__all__ = ["Words"]

_WORD = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?|[^\W\d]\w*|\.\.|\+=|//|&&|\|\||[<>=!]=|[-+*<>=()\[\]:;,#]))")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")

_T = TypeVar("_T")
_Word = TypeVar("_Word", str, Local)


@dataclass(slots=True, eq=False)
class Words:
    """The words of a line, and how far they are read.

    Attributes:
        line: the number of the line, from 1.
        text: the line.
        words: its words.
        position: of the next one.
    """

    line: int
    text: str
    words: Sequence[str] = ()
    position: int = 0

    def __post_init__(self) -> None:
        found, at = [], 0
        while at < len(self.text):
            match = _WORD.match(self.text, at)
            if match is None:
                self.refuse(f"{self.text[at:].strip()!r} is no word")
            found.append(match[1])
            at = match.end()
        self.words = found

    def refuse(self, why: str) -> NoReturn:
        """Raise the error that says where.

        Raises:
            DefinitionError: always.
        """
        raise DefinitionError(f"line {self.line} of the loops, {self.text.strip()!r}: {why}")

    @property
    def next(self) -> str:
        """The next word, "" behind the last one."""
        return self.words[self.position] if self.position < len(self.words) else ""

    def take(self) -> str:
        """The next word, which is read now."""
        word = self.next
        self.position += 1
        return word

    def accept(self, *words: str) -> bool:
        """Read these words if they come next."""
        if tuple(self.words[self.position : self.position + len(words)]) != words:
            return False
        self.position += len(words)
        return True

    def expect(self, *words: str) -> None:
        """Read these words."""
        for word in words:
            if not self.accept(word):
                self.refuse(f"{word!r} is expected, not {self.next or 'its end'!r}")

    def end(self) -> None:
        """Nothing is left."""
        if self.next:
            self.refuse(f"{self.next!r} is too much")

    def name(self) -> str:
        """An identifier."""
        word = self.take()
        return word if word.isidentifier() else self.refuse(f"a name is expected, not {word or 'its end'!r}")

    def local(self) -> Local:
        """A C variable, or an element of one: z_1, z_1[lane]."""
        name = self.name()
        if not self.accept("["):
            return name
        lane = self.name()
        self.expect("]")
        return Lane(name, lane)

    def integer(self) -> int:
        """A number without a point."""
        sign = -1 if self.accept("-") else 1
        word = self.take()
        return sign * int(word) if word.isdigit() else self.refuse(f"an integer is expected, not {word or 'its end'!r}")

    def number(self) -> float:
        """A number."""
        sign = -1.0 if self.accept("-") else 1.0
        word = self.take()
        try:
            return sign * float(word)
        except ValueError:
            self.refuse(f"a number is expected, not {word or 'its end'!r}")

    def several(self, one: Callable[[], _T], end: str) -> tuple[_T, ...]:
        """What stands with commas in between, up to a word that closes it, or to the end of the line for ""."""
        found: list[_T] = []
        while not (self.accept(end) if end else not self.next):
            if found:
                self.expect(",")
            found.append(one())
        return tuple(found)

    def pairs(self, value: Callable[[], _Word], end: str) -> dict[str, _Word]:
        """NAME: value, ... up to a word that closes it; NAME alone is NAME: NAME."""

        def one() -> tuple[str, _Word]:
            name = self.name()
            return name, value() if self.accept(":") else name

        return dict(self.several(one, end))

    def element(self) -> tuple[str, tuple[Affine, ...]]:
        """An array, and the index of one of its elements."""
        array = self.name()
        self.expect("[")
        return array, self.several(self.affine, "]")

    def affine(self) -> Affine:
        """An affine expression."""
        value = self.value()
        return value if isinstance(value, Affine) else self.refuse("an affine expression is expected")

    def value(self) -> Value:
        """An integer expression."""
        found = self._sum()
        return self.refuse("a number is expected, not a condition") if isinstance(found, Compare | Combine) else found

    def condition(self) -> Condition:
        """A condition."""
        found = self._any()
        return found if isinstance(found, Compare | Combine) else self.refuse("a condition is expected")

    def work(self) -> Work:
        """Work, and from how much on it is enough."""
        terms: list[tuple[int, tuple[Affine, ...]]] = []
        if not self.accept("0"):
            terms.append(self._product())
            while self.accept("+"):
                terms.append(self._product())
        self.expect(">")
        return Work(tuple(terms), self.number())

    def polynomial(self) -> Polynomial:
        """A polynomial."""
        result: Polynomial = {}
        sign = -1 if self.accept("-") else 1
        while True:
            coefficient, factors = self._product() if self.next.isdigit() else (1, self._factors())
            if coefficient:
                result[tuple(self._atom(f) for f in factors)] = sign * coefficient
            if self.next not in ("+", "-"):
                return result
            sign = -1 if self.take() == "-" else 1

    def mark(self) -> int | None:
        """The number of a mark, if there is one."""
        return self.integer() if self.accept("#") else None

    def _in_brackets(self) -> int | None:
        """The number of a mark in brackets, if there is one."""
        mark = self.mark() if self.accept("(") else None
        if mark is not None:
            self.expect(")")
        return mark

    def how(self) -> How:
        """How a loop runs, behind a comma; one iteration after the other where there is none."""
        return self._how() if self.accept(",") else Serial()

    def _how(self) -> How:
        match self.take():
            case "rolled":
                return Serial(rolled=True)
            case "simd":
                return Simd(marked=not self.accept("(", "free", ")"))
            case "jam":
                self.expect("(")
                count = self.integer()
                self.expect(")")
                return Jam(count)
            case "lanes":
                return Lanes()
            case "macro":
                return Macro(self._in_brackets())
            case "region":
                return InRegion(self._in_brackets())
            case "one_vector":
                return OneVector()
            case "vector":
                return self._vector()
            case "parallel":
                within: How = Serial()
                if self.accept("("):
                    within = self._how()
                    self.expect(")")
                return Parallel(within)
            case "parts":
                mark, within = None, Serial()
                if self.accept("("):
                    mark = self.mark()
                    self.accept(";")
                    within = self._how() if self.next != ")" else within
                    self.expect(")")
                return InParts(within, mark)
            case "prefix":
                self.expect("(")
                steps = self.integer()
                self.accept(";")
                mark = self.mark()
                self.expect(")")
                return Prefix(steps, mark)
            case "threads":
                self.expect("(")
                work = self.work()
                self.accept(";")
                pieces, within, _ = self._shared()
                return Threads(work, pieces, within)
            case "divided":
                pieces, within, wait = self._shared() if self.accept("(") else (None, Serial(), True)
                return Divided(pieces, within, wait)
            case word:
                self.refuse(f"{word or 'its end'!r} is no way to run a loop")

    def _vector(self) -> Vector:
        kind, sums, rolled = "", [], False
        if self.accept("("):
            while not self.accept(")"):
                self.accept(";")
                if self.next in REDUCTIONS:
                    reduction, names = self.take(), self.several(self.name, ":")
                    dtype = self.name()
                    sums += [LaneSum(name, reduction, dtype) for name in names]
                elif self.accept("rolled"):
                    rolled = True
                else:
                    kind = self.name()
        return Vector(kind, tuple(sums), rolled)

    def _shared(self) -> tuple[Value | None, How, bool]:
        """The arguments of what threads share, up to the parenthesis: pieces, what is done in each, who waits."""
        pieces: Value | None = None
        within: How = Serial()
        wait = True
        while not self.accept(")"):
            self.accept(";")
            if self.accept("pieces"):
                pieces = self.value()
            elif self.accept("nowait"):
                wait = False
            else:
                within = self._how()
        return pieces, within, wait

    def _any(self) -> Value | Condition:
        """Comparisons with one of && and || in between, or a number."""
        first = self._comparison()
        if self.next not in ("&&", "||"):
            return first
        op: Literal["&&", "||"] = "&&" if self.next == "&&" else "||"
        args = [first]
        while self.accept(op):
            args.append(self._comparison())
        conditions = tuple(a for a in args if isinstance(a, Compare | Combine))
        return Combine(op, conditions) if len(conditions) == len(args) else self.refuse(f"{op} joins conditions")

    def _comparison(self) -> Value | Condition:
        left = self._sum()
        if self.next not in _COMPARISONS:
            return left
        op, right = self.take(), self._sum()
        if isinstance(left, Compare | Combine) or isinstance(right, Compare | Combine):
            self.refuse(f"{op} compares numbers")
        return Compare(op, left, right)

    def _sum(self) -> Value | Condition:
        negative = self.accept("-")
        total = self._term()
        if negative:
            total = self._affine(total) * -1
        while self.next in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            total = self._affine(total) + self._affine(self._term()) * sign
        return total

    def _term(self) -> Value | Condition:
        """2 * i, i // 2, or what stands alone."""
        left = self._primary()
        while self.next in ("*", "//"):
            if self.take() == "//":
                left = self._affine(left) // self.integer()
                continue
            a, b = self._affine(left), self._affine(self._primary())
            if not a.is_constant and not b.is_constant:
                self.refuse("one of two factors is a number")
            left = b * a.constant if a.is_constant else a * b.constant
        return left

    def _primary(self) -> Value | Condition:
        if self.accept("("):
            inside = self._any()
            self.expect(")")
            return inside
        if self.next in ("min", "max") and self.words[self.position + 1 : self.position + 2] == ["("]:
            kind: Literal["min", "max"] = "min" if self.take() == "min" else "max"
            self.expect("(")
            return Extreme(kind, self.several(self.value, ")"))
        if self.accept("select", "("):
            cond = self.condition()
            self.expect(",")
            a = self.value()
            self.expect(",")
            b = self.value()
            self.expect(")")
            return Choice(cond, a, b)
        return Affine.of(self.integer()) if self.next.isdigit() else Affine.of(self.name())

    def _affine(self, value: Value | Condition) -> Affine:
        return value if isinstance(value, Affine) else self.refuse("arithmetic is done on affine expressions")

    def _product(self) -> tuple[int, tuple[Affine, ...]]:
        """A number, and its factors."""
        number = self.integer()
        return number, self._factors() if self.accept("*") else ()

    def _factors(self) -> tuple[Affine, ...]:
        """Names and expressions in parentheses, with * in between."""
        found = [self._affine(self._primary())]
        while self.accept("*"):
            found.append(self._affine(self._primary()))
        return tuple(found)

    def _atom(self, factor: Affine) -> Atom:
        if factor.constant or len(factor.terms) != 1 or factor.terms[0][1] != 1:
            self.refuse(f"{factor} is no size and no quotient")
        return factor.terms[0][0]
