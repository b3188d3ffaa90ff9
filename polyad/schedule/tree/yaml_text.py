"""Reading the part of YAML that isl writes: mappings, lists, quoted text and integers, in block or in flow form.

isl has a reader of its own, but malformed text makes it dereference null pointers: a user's file must not do that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from polyad.errors import ScheduleError

__all__ = ["Keyed", "Value", "not_a_schedule", "parse_yaml"]

DEEPEST = 150
"""Values in values. A loop of a schedule takes two, and Python's stack ends at a thousand calls."""

_TOKEN = re.compile(r'(?P<text>"[^"\n]*")|(?P<number>-?\d+)|(?P<word>\w+)|(?P<sign>[-{}\[\]:,])|(?P<other>\S)')


@dataclass(frozen=True, slots=True)
class Keyed:
    """Key -> value, with the line (from 1) on which it begins."""

    line: int
    items: dict[str, Value]


@dataclass(frozen=True, slots=True)
class Listed:
    """Values, with the line on which the list begins."""

    line: int
    items: tuple[Value, ...]


Value = Keyed | Listed | str | int


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # text, number, word, sign
    text: str
    line: int
    column: int


def not_a_schedule(why: str) -> ScheduleError:
    """The error for text that does not describe a schedule."""
    return ScheduleError(
        f"this is not a schedule: {why}; a schedule is isl's YAML form of a schedule tree, as str(schedule) prints it"
    )


def parse_yaml(text: str) -> Value:
    """Read one value.

    Raises:
        ScheduleError: the text is not of the form above; the message names the line.
    """
    if not isinstance(text, str):
        raise not_a_schedule(f"it is of type {type(text).__name__}, not text")
    reader = _Reader(list(_tokens(text)))
    value = reader.value()
    reader.end()
    return value


def _tokens(text: str) -> Iterator[_Token]:
    for number, line in enumerate(text.splitlines(), start=1):
        for match in _TOKEN.finditer(line):
            kind, word = str(match.lastgroup), match[0]
            if word == "#":
                break
            if kind == "other":
                what = "a quotation mark is not closed" if word == '"' else f"{word!r} is not expected here"
                raise not_a_schedule(f"line {number}: {what}")
            yield _Token(kind, word.strip('"') if kind == "text" else word, number, match.start())


class _Reader:
    """Recursive descent over the tokens of one text."""

    def __init__(self, tokens: list[_Token]):
        self.tokens, self.at, self.depth = tokens, 0, 0

    def peek(self) -> _Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self) -> _Token:
        token = self.peek()
        if token is None:
            raise not_a_schedule("the text ends too early" if self.tokens else "the text is empty")
        self.at += 1
        return token

    def end(self) -> None:
        token = self.peek()
        if token is not None:
            raise not_a_schedule(f"line {token.line}: {token.text!r} is not expected here")

    def sign(self, text: str) -> bool:
        """Take a sign if it is next."""
        token = self.peek()
        found = token is not None and token.kind == "sign" and token.text == text
        self.at += found
        return found

    def expect(self, text: str, after: str) -> None:
        token = self.peek()
        if not self.sign(text):
            where = f"line {token.line}" if token else "at the end"
            raise not_a_schedule(f"{where}: {text!r} is expected after {after!r}")

    def value(self) -> Value:
        """One value with all that is inside of it."""
        if self.depth >= DEEPEST:
            raise not_a_schedule(f"line {self.take().line}: nodes lie in nodes, more than {DEEPEST} deep")
        self.depth += 1
        found = self.inner()
        self.depth -= 1
        return found

    def inner(self) -> Value:
        token = self.take()
        match token.kind, token.text:
            case "number", digits:
                return int(digits)
            case "text", text if not self.is_key():
                return text
            case "sign", "{":
                return self.flow_mapping(token.line)
            case "sign", "[":
                return self.flow_list(token.line)
            case "sign", "-":
                self.at -= 1
                return self.block_list(token)
            case (("word" | "text"), _) if self.is_key():
                self.at -= 1
                return self.block_mapping(token)
        raise not_a_schedule(f"line {token.line}: {token.text!r} stands where text in double quotes is expected")

    def is_key(self) -> bool:
        """Whether the token just taken is the key of a mapping."""
        token = self.peek()
        return token is not None and token.kind == "sign" and token.text == ":"

    def key(self, items: dict[str, Value]) -> _Token:
        token = self.take()
        if token.kind not in ("word", "text"):
            raise not_a_schedule(f"line {token.line}: a key is expected, not {token.text!r}")
        if token.text in items:
            raise not_a_schedule(f"line {token.line}: {token.text!r} stands twice")
        self.expect(":", token.text)
        return token

    def flow_mapping(self, line: int) -> Keyed:
        items: dict[str, Value] = {}
        while not self.sign("}"):
            if items:
                self.expect(",", next(reversed(items)))
            key = self.key(items)
            items[key.text] = self.value()
        return Keyed(line, items)

    def flow_list(self, line: int) -> Listed:
        items: list[Value] = []
        while not self.sign("]"):
            if items:
                self.expect(",", "an item")
            items.append(self.value())
        return Listed(line, tuple(items))

    def block_mapping(self, first: _Token) -> Keyed:
        items: dict[str, Value] = {}
        while (token := self.peek()) is not None and token.column == first.column and token.kind in ("word", "text"):
            key = self.key(items)
            follows = self.peek()
            # A list may stand under its key; everything else is indented further.
            inside = follows is not None and (
                follows.line == key.line or follows.column + (follows.text == "-") > key.column
            )
            if not inside:
                raise not_a_schedule(f"line {key.line}: {key.text!r} has no value")
            items[key.text] = self.value()
        return Keyed(first.line, items)

    def block_list(self, first: _Token) -> Listed:
        items: list[Value] = []
        while (token := self.peek()) is not None and token.column == first.column and self.sign("-"):
            items.append(self.value())
        return Listed(first.line, tuple(items))
