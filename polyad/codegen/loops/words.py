"""Words of one line of the loop IR."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from polyad.errors import DefinitionError

__all__ = ["Words", "words_of"]

_WORD = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?|[^\W\d]\w*|\.\.|\+=|//|&&|\|\||[<>=!]=|[-+*<>=()\[\]:;,#]))")

_T = TypeVar("_T")


def words_of(text: str) -> list[str]:
    """The words of a text."""
    return _WORD.findall(text)


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
        self.words = words_of(self.text)
        if unread := _WORD.sub("", self.text).strip():
            self.refuse(f"{unread!r} is no word")

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

    @property
    def at_end(self) -> bool:
        """Whether something closes what is read now, or nothing is left."""
        return self.next in (")", "]", ":", ";", "")

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

    def one_of(self, who: str, choices: Sequence[str]) -> str:
        """One of some words."""
        word = self.take()
        return word if word in choices else self.refuse(f"{who} {', '.join(choices)}")

    def several(self, one: Callable[[Words], _T]) -> tuple[_T, ...]:
        """Read items with commas in between, up to what closes them."""
        found: list[_T] = []
        while not self.at_end:
            if found:
                self.expect(",")
            found.append(one(self))
        return tuple(found)

    def first_of(self, readers: Sequence[Callable[[Words], _T]]) -> _T:
        """Read with the first reader that can; raise the error of the last one where none can."""
        *others, last = readers
        start = self.position
        for reader in others:
            try:
                return reader(self)
            except DefinitionError:
                self.position = start
        return last(self)
