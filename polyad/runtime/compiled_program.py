"""Facts about a compiled program: all that can be asked of a kernel without a C compiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from polyad import islx
from polyad.analysis.counting import instances
from polyad.codegen.certify.certify import Certificate
from polyad.codegen.source import Source
from polyad.codegen.storage.memory_plan import MemoryUse
from polyad.ir.json_text import from_json
from polyad.ir.program import Program
from polyad.runtime.certified import certified
from polyad.runtime.given_sizes import check_values, named_values, refuse_shapeless
from polyad.runtime.threads.fork_guard import call_parallel
from polyad.runtime.tuned.tuning import Tuning
from polyad.schedule.schedule import Schedule
from polyad.targets import Target

__all__ = ["CompiledProgram"]


class CompiledProgram:
    """The generated C, and what it was made from.

    Attributes:
        code: the generated C and its interface.
        target: what it is compiled for.
        name: of the C function.
        fixed: the sizes of the definition that were fixed.
        unflatten: makes the result of a call from the tuple of output arrays; None for these themselves.
        tuning: how its schedule was found, where that was by measuring (`pa.tune`); else None.
    """

    code: Source
    target: Target
    name: str
    fixed: dict[str, int]
    unflatten: Callable[[tuple[Any, ...]], Any] | None
    tuning: Tuning | None = None
    _program: Program | str
    _schedule: Schedule | str
    _definition: Program | str | None
    _threads: Callable[[], int]

    @property
    def source(self) -> str:
        """The text of the C file."""
        return self.code.c

    @property
    def header(self) -> str:
        """The text of the header."""
        return self.code.header

    @property
    def program(self) -> Program:
        """The program that was compiled."""
        if isinstance(self._program, str):
            with islx.LOCK:
                self._program = from_json(self._program)
        return self._program

    @property
    def schedule(self) -> Schedule:
        """The order in which its instances run."""
        if isinstance(self._schedule, str):
            with islx.LOCK:
                self._schedule = Schedule.from_yaml(self._schedule)
        return self._schedule

    @property
    def definition(self) -> Program:
        """The program that was asked for, before any pass."""
        if self._definition is None:
            return self.program
        if isinstance(self._definition, str):
            with islx.LOCK:
                self._definition = from_json(self._definition)
        return self._definition

    def instances(self, **sizes: int) -> dict[str, int]:
        """Statement name -> number of statement instances executed at these sizes.

        Raises:
            CallError: a size is missing, unknown, no integer, or not one that the program allows.
        """
        known = self._known_sizes(sizes)
        with islx.LOCK:
            return instances(self.program, known)

    def memory_plan(self, **sizes: int) -> MemoryUse:
        """The arrays in the workspace with their bytes, and `total_bytes`, at these sizes with the threads of now.

        Raises:
            CallError: a size is missing, unknown, no integer, or not one that the program allows.
        """
        known = self._known_sizes(sizes)
        return self.code.memory.at(known, call_parallel(self._threads))

    def certify(self, **sizes: int) -> Certificate:
        """Prove that the loops of the C do what the program says.

        Every read finds the element that the program names, with all its contributions, and no two threads touch one
        place without a barrier (docs/guide/certify.md).

        Returns:
            For which sizes it was proved: those given. Without, several small ones, none where that would take longer
            than some seconds; and all, where isl finds a proof in a second or two: `all_sizes`.

        Raises:
            CertificationError: the loops do something else.
            CallError: a size is missing, unknown, no integer, or not one that the program allows.
        """
        known = self._known_sizes(sizes) if sizes else None
        return certified(self.program, self.schedule, self.target, self.code, known)

    def _known_sizes(self, sizes: Mapping[str, Any]) -> dict[str, int]:
        """Sizes that were given by name, checked."""
        values = named_values(self.name, self.code.sizes, sizes)
        with islx.LOCK:
            refuse_shapeless(self.name, self.definition, {**self.fixed, **values})
            check_values(self.name, self.program, values)
        return values
