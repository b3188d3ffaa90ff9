"""Facts about a program for the passes over the loop IR, and the questions that several of them ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from polyad.codegen.loops.how import Divided, How, OneVector, Parallel, Serial, Simd, Threads, Vector, Work
from polyad.codegen.loops.nodes import Instance, Loop, Share
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.loops.traversal import instances
from polyad.codegen.loops.value_ranges import Range
from polyad.codegen.loops.vector_loops import is_smooth, lane_sums, wide_type
from polyad.codegen.loops.work_estimate import work_estimate
from polyad.codegen.lower.index_checks import Guarded
from polyad.codegen.lower.pieces import piece_count
from polyad.codegen.names import Names
from polyad.codegen.options import CodegenOptions
from polyad.codegen.storage.storage import Storage
from polyad.ir.affine import Affine
from polyad.ir.expr import Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.schedule.tree.placement import MeetingPlace

__all__ = ["StoredProgram"]


@dataclass(slots=True, eq=False)
class StoredProgram:
    """A program whose storage is decided.

    Attributes:
        program: with the extents that its arrays have in memory.
        touches: the accesses of all statements.
        names: the C names.
        guarded: the accesses whose indices are tested where they are used.
        storage: where temporaries live.
        options: the target's choices.
        taken: all identifiers in use; those of new variables are added.
        meetings: where the schedule wants threads of a GPU to meet.
        ranges: what sizes and the iterators of the schedule never leave.
        statements: by name.
        dtypes: array -> element type.
        places: array -> the number of its piece of the workspace.
        indices: an access, by identity -> its index expressions in terms of the statement's dims.
    """

    program: Program
    touches: Touches
    names: Names
    guarded: Guarded
    storage: Storage
    options: CodegenOptions
    taken: set[str]
    meetings: frozenset[MeetingPlace] = frozenset()
    ranges: Mapping[str, Range] = field(default_factory=dict)
    statements: dict[str, Statement] = field(init=False)
    dtypes: dict[str, str] = field(init=False)
    places: dict[str, int] = field(init=False)
    indices: dict[int, tuple[Affine | None, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.statements = {s.name: s for s in self.program.statements}
        self.dtypes = {n: a.dtype for n, a in self.program.arrays.items()}
        memory = self.storage.memory
        self.places = {a: number for number, slot in enumerate(memory.slots) for a in slot.arrays}
        self.places |= {a: self.places[home] for a, home in memory.homes.items() if home in self.places}
        self.indices = {id(t.access): t.index for own in self.touches.values() for t in own}

    def fresh(self, name: str) -> str:
        """An unused identifier like this one."""
        new = unique_name(name, self.taken)
        self.taken.add(new)
        return new

    def work(self, loop: Loop | Share) -> Work:
        """Estimate the work of a loop, to see whether that is worth starting threads."""
        machine = self.options.machine
        return work_estimate([(loop, ())], self.statements, machine, machine.thread_start, self.ranges)

    def place(self, array: str) -> str:
        """The memory that an array lies in: the piece of the workspace, or an array of its own or of another."""
        array = self.storage.memory.homes.get(array, array)
        return f"piece {self.places[array]}" if array in self.places else f"array {array}"

    def is_given(self, array: str) -> bool:
        """Whether it is an input that nothing is written over."""
        return array in self.program.inputs and array not in self.storage.memory.homes.values()

    def index(self, read: Read, instance: Instance) -> tuple[Affine | None, ...]:
        """The index of an element at an instance, None for what depends on data."""
        values = dict(zip(self.statements[instance.statement].dims, instance.args, strict=True))
        return tuple(None if i is None else i.substitute(values) for i in self.indices[id(read.access)])

    def vector(self, loop: Loop) -> Vector | None:
        """How a loop runs in vector lanes; None where it may not."""
        for instance in instances(loop):
            if any(t.access in self.guarded for t in self.touches[instance.statement]):
                return None  # the test at the place of use writes the status atomically, which vector lanes may not
        sums = () if isinstance(loop.how, OneVector) else lane_sums(loop, self.touches)
        return None if sums is None else Vector(self.wide(loop) or "", sums)

    def wide(self, loop: Loop) -> str | None:
        """The type of the widest vectors for a loop that is worth them."""
        return wide_type(loop, self.touches, self.dtypes, self.program.params, self.options.machine)

    def within(self, loop: Loop) -> How:
        """Return how a thread runs its iterations of a loop: as vectors, where all accesses are contiguous."""
        assert isinstance(loop.how, Parallel | Threads | Divided)
        if loop.how.within == Serial() and self.options.strategies.simd and is_smooth(loop, self.touches):
            return Simd(marked=False)
        return loop.how.within

    def threads(self, loop: Loop) -> How:
        """How a parallel loop runs that starts threads of its own: without them where its work is never enough."""
        work, within = self.work(loop), self.within(loop)
        return within if work.is_enough is False else Threads(work, piece_count(loop), within)
