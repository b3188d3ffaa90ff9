"""Definitions and the tensors that stand for their arrays.

A definition is a group of arrays with the equations that define them. Definitions refer to the definitions they read,
so the tensors of a user form a directed graph; `extract` collects the part that some outputs need into a Program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from polyad.frontend.symbols import Axis, Size, Symbols, merge_symbols
from polyad.ir.affine import Affine
from polyad.ir.array import Array, Segment
from polyad.ir.scan import Scan
from polyad.ir.statement import Statement

__all__ = ["CustomRule", "Definition", "Strength", "TensorBase", "Words", "made_in_all", "plain", "serial_number"]

Strength = Literal["strong", "weak"]
"""How the type of an operand meets those of the others: `polyad.frontend.weak`."""

_SERIAL = re.compile(r"\$\d+")


def plain(text: str) -> str:
    """Text without the serial numbers of internal names: `h$12` is `h` to a reader."""
    return _SERIAL.sub("", text)


def serial_number(name: str) -> int:
    """The first serial number in an internal name."""
    found = _SERIAL.search(name)
    return int(found[0][1:]) if found else 0


def made_in_all(made: Sequence[Sequence[Definition]]) -> list[Definition]:
    """The definitions that were made in the bodies of all of some scans, in the order in which they were made."""
    *others, last = made
    ids = [{id(d) for d in found} for found in others]
    return [d for d in last if all(id(d) in found for found in ids)]


@dataclass(slots=True, eq=False)
class Definition:
    """A group of arrays defined together.

    Attributes:
        arrays: internal name -> Array. A placeholder has one array and no statements.
        statements: the equations, over internal names.
        operands: definitions whose arrays the statements read (filled while a recurrence is being defined).
        symbols: the sizes that occur.
        where: the user's `file:line`.
        scans: scan tags of these statements.
        value: the data of a captured constant, for placeholders made from one.
        custom: a derivative rule of the user's own, or None.
        lost: the custom function whose own rule is not in these statements though they apply it, or "".
        exact: for one array of integers or truth values that are affine in its indices, the equation: it stands in the
            place of every element that is read, so that conditions cut domains and subscripts are affine.
        recomputed: its arrays that the backward pass computes again rather than keeps (checkpointed scans) -> the
            segments that they lie in, those of the outermost level first.
        steps: array -> how many of its leading dimensions count steps of scans; examples of batches lie behind them.
        nameable: arrays called after what is done, which the user's variables may name.
        called: array or statement -> what the user's variables call it (`local_names.py`).
    """

    arrays: Mapping[str, Array]
    statements: tuple[Statement, ...]
    operands: tuple[Definition, ...]
    symbols: Symbols
    where: str = ""
    scans: tuple[Scan, ...] = ()
    value: Any = None
    custom: CustomRule | None = None
    lost: str = ""
    exact: Statement | None = None
    recomputed: Mapping[str, tuple[Segment, ...]] = field(default_factory=dict)
    steps: Mapping[str, int] = field(default_factory=dict)
    nameable: frozenset[str] = frozenset()
    called: dict[str, str] = field(default_factory=dict)

    def spoken(self, name: str) -> str:
        """The name of an array or a statement of it, to a reader."""
        return self.called.get(name) or plain(name)

    @property
    def is_placeholder(self) -> bool:
        """True for inputs."""
        return not self.statements and len(self.arrays) == 1


@dataclass(frozen=True, slots=True)
class Words:
    """The names that readers see in the place of internal ones, in any text.

    Attributes:
        called: serial number of a name that the user's variables gave, `$12` -> (`add`, the name).
    """

    called: Mapping[str, tuple[str, str]]

    @staticmethod
    def of(definitions: Iterable[Definition]) -> Words:
        """Those of some definitions."""
        known = ((n.partition("$"), name) for d in definitions for n, name in d.called.items())
        return Words({f"${serial}": (hint, name) for (hint, _, serial), name in known})

    def __call__(self, text: str) -> str:
        """Text in the user's names: `add$12_bar` is `z_bar` where `add$12` is z."""
        for found in reversed(list(_SERIAL.finditer(text)) if self.called else []):
            hint, name = self.called.get(found[0], ("", ""))
            before = text[: found.start()]
            if name and before.endswith(hint):
                text = before[: len(before) - len(hint)] + name + text[found.end() :]
        return plain(text)


@dataclass(frozen=True, slots=True)
class CustomRule:
    """A user's derivative rule: `backward(cotangents of outputs) -> cotangents of inputs`, on tensors.

    Attributes:
        inputs: the tensors the rule gives cotangents for.
        outputs: the output tensors, in order.
        residuals: () -> what the rule keeps of the forward pass; traced when a derivative is taken.
        backward: (residuals, tensors of the outputs' shapes) -> a tensor or None per input.
        name: the user's function.
        labels: the inputs as the user knows them, `args[0]['W']`.
        tangent: tangents of the inputs -> those of the outputs, where the rule is one of forward mode; else None.
    """

    inputs: tuple[TensorBase, ...]
    outputs: tuple[TensorBase, ...]
    residuals: Any
    backward: Any
    name: str
    labels: tuple[str, ...]
    tangent: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class TensorBase:
    """An array of a definition as the user sees it.

    Attributes:
        definition: where it is defined.
        array: its internal name there.
        shape_affine: the visible extents.
        dtype: element type.
        prefix: index expressions of the leading array dimensions that the user does not see: inside the body of a scan
            an array has its time as first dimension, and a tensor is the slice at the current step.
        symbols: sizes of the extents, sizes and scan axes of the prefix.
        strength: "weak" where made of Python's numbers only, which take the type of what they meet.
    """

    definition: Definition
    array: str
    shape_affine: tuple[Affine, ...]
    dtype: str
    prefix: tuple[Affine, ...] = ()
    symbols: Symbols = field(default_factory=dict)
    strength: Strength = "strong"

    @property
    def weak(self) -> bool:
        """Whether it takes the type of what it meets."""
        return self.strength == "weak"

    @property
    def ndim(self) -> int:
        """Number of visible dimensions."""
        return len(self.shape_affine)

    @property
    def name(self) -> str:
        """The user's name, or the one that was made up."""
        return self.definition.spoken(self.array)

    def scan_axes(self) -> list[Axis]:
        """The scan axes its prefix depends on, outermost first."""
        used: set[str] = set().union(*(p.names() for p in self.prefix)) if self.prefix else set()
        found = [s for n, s in self.symbols.items() if n in used and isinstance(s, Axis)]
        return sorted(found, key=lambda a: a.level)

    def size_symbols(self) -> dict[str, Size | Axis]:
        """The sizes among its symbols."""
        return merge_symbols({n: s for n, s in self.symbols.items() if isinstance(s, Size)})
