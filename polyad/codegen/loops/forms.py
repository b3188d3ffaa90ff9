"""How records are written on a line, and read again: one form for both.

    Form(Loop, "for {iterator} = {first} .. {last}| by {step}|, {how}|:", step=1, how=Serial())
    Form(Contraction, "contraction| #{mark}|{fresh? fresh}|:", mark=None, fresh=False)

A form is the text of a record with its fields in braces; the type of a field says how its value is written. A part, up
to the next |, is left out where its field has the value that the form names; `{fresh? fresh}` is a part that is a flag.
A value named of a field that is not in the text is that of all records of the form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from polyad.codegen.loops.words import Words, words_of

__all__ = ["Call", "Form", "Kind", "Kinds"]

_FIELD = re.compile(r"\{(\w+)\}")
_FLAG = re.compile(r"\{(\w+)\?(.*)\}")


@dataclass(frozen=True, slots=True)
class Kind:
    """How the values of one type are written, and read."""

    write: Callable[[Any], str]
    read: Callable[[Words], Any]


Kinds = Mapping[str, Kind]
"""The name of a type -> how its values are written."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a form.

    Attributes:
        text: with fields in braces.
        field: the one that says whether the part is there, "" where it always is.
        pieces: its words and its fields.
    """

    text: str
    field: str
    pieces: Sequence[str]

    @staticmethod
    def of(text: str, values: Mapping[str, Any]) -> _Part:
        """The part that a form has, which names values of fields."""
        flag = _FLAG.fullmatch(text)
        text = flag[2] if flag else text
        pieces: list[str] = []
        for piece in re.split(r"(\{\w+\})", text):
            pieces += [piece] if _FIELD.match(piece) else words_of(piece)
        return _Part(text, flag[1] if flag else next((n for n in _FIELD.findall(text) if n in values), ""), pieces)


class Form:
    """How the records of a type are written, all of them or those in which some fields have certain values."""

    def __init__(self, make: type, text: str, **values: Any) -> None:
        self.make, self.values = make, values
        self.parts = [_Part.of(part, values) for part in text.split("|") if part]
        self.given = {n: value for n, value in values.items() if all(n != part.field for part in self.parts)}
        self.types = {f.name: str(f.type).removesuffix(" | None") for f in fields(make)}

    @property
    def first(self) -> str:
        """The word that a line of this form begins with."""
        return self.parts[0].pieces[0]

    def fits(self, record: object) -> bool:
        """Whether a record is of this form."""
        return type(record) is self.make and all(getattr(record, n) == value for n, value in self.given.items())

    def write(self, record: object, kinds: Kinds) -> str:
        """The text of a record."""
        return "".join(self._written(record, kinds))

    def _written(self, record: object, kinds: Kinds) -> Iterator[str]:
        """The parts that are not left out."""
        for part in self.parts:
            if not part.field or getattr(record, part.field) != self.values[part.field]:
                yield _FIELD.sub(lambda name: kinds[self.types[name[1]]].write(getattr(record, name[1])), part.text)

    def read(self, words: Words, kinds: Kinds) -> dict[str, Any]:
        """The fields of a record, by name."""
        found = dict(self.values)
        for part in self.parts:
            lead = next((i for i, piece in enumerate(part.pieces) if _FIELD.match(piece)), len(part.pieces))
            if not part.field or (words.accept(*part.pieces[:lead]) if lead else not words.at_end):
                found |= self._values(part, part.pieces[lead if part.field else 0 :], words, kinds)
        return found

    def _values(self, part: _Part, pieces: Sequence[str], words: Words, kinds: Kinds) -> dict[str, Any]:
        """Return the values of fields that the pieces of a part say."""
        found = {}
        for piece in pieces:
            if name := _FIELD.match(piece):
                found[name[1]] = kinds[self.types[name[1]]].read(words)
            else:
                words.expect(piece)
        return found if found or not part.field else {part.field: not self.values[part.field]}


class Call(Form):
    """A word, and in parentheses behind it the parts that are not left out, which are read in any order."""

    def __init__(self, make: type, word: str, text: str = "", **values: Any) -> None:
        super().__init__(make, text, **values)
        self.word = word

    @property
    def first(self) -> str:
        """The word."""
        return self.word

    def write(self, record: object, kinds: Kinds) -> str:
        """The text of a record."""
        arguments = "; ".join(self._written(record, kinds))
        return f"{self.word}({arguments})" if arguments else self.word

    def read(self, words: Words, kinds: Kinds) -> dict[str, Any]:
        """The fields of a record, by name."""
        found = dict(self.values)
        words.expect(self.word)
        # What begins with a word of its own is looked for first: a flag is no name.
        parts = sorted(self.parts, key=lambda part: bool(_FIELD.match(part.pieces[0])))
        readers = [partial(self._argument, part, kinds) for part in parts]
        if readers and (words.next == "(" or not all(part.field for part in parts)):
            words.expect("(")
            found |= words.first_of(readers)
            while not words.accept(")"):
                words.expect(";")
                found |= words.first_of(readers)
        missing = [name for part in self.parts for name in _FIELD.findall(part.text) if name not in found]
        return words.refuse(f"{self.word!r} says no {missing[0]}") if missing else found

    def _argument(self, part: _Part, kinds: Kinds, words: Words) -> dict[str, Any]:
        """Return the values of fields that one argument says."""
        found = self._values(part, part.pieces, words, kinds)
        return found if words.next in (";", ")") else words.refuse(f"')' is expected, not {words.next or 'its end'!r}")
