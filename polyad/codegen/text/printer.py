"""What the spelling of one kind of node asks of that of all (loop_text.py)."""

from __future__ import annotations

from typing import Protocol

from polyad.codegen.loops.how import How, Work
from polyad.codegen.loops.nodes import Block
from polyad.codegen.names import Spelling
from polyad.codegen.text.statement_text import StatementText

__all__ = ["Printer"]


class Printer(Protocol):
    """What prints the nodes inside."""

    @property
    def statements(self) -> StatementText:
        """Spells instances."""

    @property
    def spell(self) -> Spelling:
        """The C names of sizes and iterators."""

    @property
    def block_steps(self) -> int:
        """Steps that PA_SCAN_STEPS stands for."""

    def block(self, block: Block) -> list[str]:
        """The nodes of a block."""

    def pragma(self, how: How) -> list[str]:
        """The lines above a loop."""

    def work(self, work: Work) -> str:
        """The condition that work is enough."""

    def comment(self, name: str) -> list[str]:
        """The equation of a statement, the first time."""

    def ctype(self, array: str) -> str:
        """The C type of an array's elements."""
