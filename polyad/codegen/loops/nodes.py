"""The loop IR: what isl's AST becomes, what storage decisions and the passes of `lower` rewrite, what is printed.

    Node ::= Block(Nodes) | Loop(iterator, first, last, step, Block, How) | Guard(Condition, Block, Block?)
           | Let(name, Value) | Assume(iterator, Value)
           | Instance(statement, args, locals) | Load(local, Cell) | Store(local, Cell) | Declare(local, array, lanes)
           | Contraction(Loop, SumOfProducts?, fresh, packed, Shape?) | Pack(name, array, Contraction)
           | Share(first, last, low, high, Block, Work?)
           | Region(Work, Block) | Single(Block) | Barrier()
           | Subtotal(local, total) | AddUp(Subtotal) | Parts(Loop, Sums, Work) | PrefixScan(LinearState, ...)
           | Copies(name, count) | Copy(name, iteration, count, copies) | CopyPointer(array, copy)
           | SlotPointer(array, slot)

`How` and `Work` are in how.py, `Value` and `Condition` in loop_values.py, `LinearState` in linear_state.py, `Shape` in
contractions.py, `SumOfProducts` in analysis/contraction.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from polyad.analysis.contraction import Contraction as SumOfProducts
from polyad.codegen.loops.how import How, Serial, Simd, Work
from polyad.codegen.loops.instance import AddUp, Instance, Local, Subtotal
from polyad.codegen.loops.loop_values import Condition, Value
from polyad.ir.affine import Affine
from polyad.ir.statement import Reduction

if TYPE_CHECKING:  # both describe nests of these nodes
    from polyad.codegen.loops.contractions import Shape
    from polyad.codegen.loops.linear_state import LinearState

__all__ = [
    "AddUp",
    "Assume",
    "Barrier",
    "Block",
    "Cell",
    "Contraction",
    "Copies",
    "Copy",
    "CopyPointer",
    "Declare",
    "Guard",
    "Instance",
    "Let",
    "Load",
    "Loop",
    "Node",
    "Pack",
    "Parts",
    "PrefixScan",
    "Region",
    "ScanKind",
    "Share",
    "Single",
    "SlotPointer",
    "Store",
    "Subtotal",
    "Sum",
]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Nodes executed one after another; a scope of the C text."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """for (iterator = first; iterator <= last (>= when step < 0); iterator += step) body.

    Attributes:
        iterator: visible in the body.
        first: its first value.
        last: bound of its last value, inclusive.
        step: not 0.
        body: the loop body.
        how: its iterations run.
    """

    iterator: str
    first: Value
    last: Value
    step: int
    body: Block
    how: How = field(default_factory=Serial)

    @property
    def limits(self) -> tuple[Value, Value]:
        """The bounds of the iterator: not below, not above."""
        return (self.first, self.last) if self.step > 0 else (self.last, self.first)


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """if (condition) then else otherwise."""

    condition: Condition
    then: Block
    otherwise: Block | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """A named integer, visible in the rest of the block."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Assume:
    """What compilers have to be told: an iterator is at least so large."""

    iterator: str
    least: Value


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """An array element in terms of sizes and iterators in scope."""

    array: str
    index: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """Declare a variable that holds an element, or set one that is declared already."""

    local: Local
    cell: Cell
    declares: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """Write a variable back to its element."""

    local: Local
    cell: Cell


@dataclass(frozen=True, slots=True, eq=False)
class Declare:
    """Declare a variable with an element of an array for each of some lanes."""

    local: str
    array: str
    lanes: int


@dataclass(frozen=True, slots=True, eq=False)
class Contraction:
    """A nest of loops around one statement, computed by the macro-kernel as a whole; no storage decision looks inside.

    Attributes:
        nest: the loops.
        summed: what the statement in them was found to be; None in a text that was read, of one that is none.
        fresh: the sum overwrites its elements instead of being added to them.
        packed: the panels that hold its second operand, "" where it is packed on the way.
        shape: what the macro-kernel is told; None until that is decided.
        mark: the number of the mark of the schedule that asked for it.
    """

    nest: Loop
    summed: SumOfProducts | None
    fresh: bool = False
    packed: str = ""
    shape: Shape | None = None
    mark: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """Copy an operand of a contraction into panels.

    Attributes:
        name: of the panels.
        array: the operand.
        contraction: the one that uses them.
    """

    name: str
    array: str
    contraction: Contraction


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """What each thread does with its part of the iterations low, ..., high of a parallel loop.

    Attributes:
        first: name of the first iteration of the part.
        last: name of the last one.
        low: the first iteration of all.
        high: the last one.
        body: executed if the part has an iteration; its loops stay inside of the part.
        rows: statement -> which of its dims the parallel loop is.
        work: threads start where it is enough; None where they never do, and one part is all.
    """

    first: str
    last: str
    low: Value
    high: Value
    body: Block
    rows: Mapping[str, str]
    work: Work | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """Threads start, where the work is enough; each of them runs the body, and shares its `Divided` loops.

    Attributes:
        work: of an iteration.
        body: what they run.
        mark: the number of the mark of the schedule that asked for it.
    """

    work: Work
    body: Block
    mark: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Single:
    """One thread of a region runs the body; the others wait for it."""

    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class Barrier:
    """The threads of a region wait for each other."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A C variable that a loop reduces into.

    Attributes:
        local: the variable.
        array: the scalar that it stands for.
        reduction: how.
        part: the variable of one part, into which the loop reduces.
        parts: the C array of the parts.
        dtype: the element type of all three, "" for that of the array.
    """

    local: str
    array: str
    reduction: Reduction
    part: str
    parts: str
    dtype: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """A loop that does nothing but reduce, in parts that threads share where the work is enough (partial_sums.py).

    Attributes:
        loop: of all iterations, reducing into the variables of one part.
        sums: what it reduces into.
        work: of the loop.
        names: C variables: which part it is, their number, the number of iterations.
        threads: threads may run.
        mark: the number of the mark of the schedule that asked for them.
    """

    loop: Loop
    sums: tuple[Sum, ...]
    work: Work
    names: tuple[str, str, str]
    threads: bool
    mark: int | None = None


ScanKind = Literal["sum", "prod", "affine", "decay"]


@dataclass(frozen=True, slots=True, eq=False)
class PrefixScan:
    """A loop that carries one number by s = mul * s + add, in blocks of steps (prefix_scans.py).

    Attributes:
        state: the loop, and what it carries.
        kind: which of the two vary: `sum` add (mul is 1), `prod` mul (add is 0), `decay` add (mul is one number),
            `affine` both.
        standing: those of `mul` and `add` whose values stand in memory already, step by step.
        steps: of a block.
        names: C variables: `mul`, `add`, `before`, `now`, `after`, `start`, `count`; `end` where it runs downwards.
        kept: array -> the buffer of its values that the second loop reads.
        first: how the loop before the scan of a block runs.
        second: how the one after it runs.
        mark: the number of the mark of the schedule that asked for it.
    """

    state: LinearState
    kind: ScanKind
    standing: frozenset[str]
    steps: int
    names: Mapping[str, str]
    kept: Mapping[str, str]
    first: How = field(default_factory=Simd)
    second: How = field(default_factory=Simd)
    mark: int | None = None

    @property
    def in_turn(self) -> bool:
        """Whether states take turns in memory."""
        return self.state.in_turn

    @property
    def buffers(self) -> tuple[str, ...]:
        """Those of `mul` and `add` that are computed for each step of a block."""
        varying = {"sum": ("add",), "decay": ("add",), "prod": ("mul",), "affine": ("mul", "add")}[self.kind]
        return tuple(part for part in varying if part not in self.standing)


@dataclass(frozen=True, slots=True, eq=False)
class Copies:
    """A named integer: how many copies there are of the arrays of which each thread of a loop has one.

    Attributes:
        name: of the integer.
        count: the iterations of the loop; there are no more copies than these.
    """

    name: str
    count: Affine


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """A named integer: the copy of the thread that has an iteration.

    Attributes:
        name: of the integer.
        iteration: which one it is: 0, 1, ...
        count: the iterations of the loop.
        copies: the name of the number of copies.
    """

    name: str
    iteration: Affine
    count: Affine
    copies: str


@dataclass(frozen=True, slots=True, eq=False)
class CopyPointer:
    """The pointer to an array of which each thread has a copy; `copy`: the name of its number, "" for the first."""

    array: str
    copy: str


@dataclass(frozen=True, slots=True, eq=False)
class SlotPointer:
    """The pointer to an array that shares a slot of the workspace, the one of number `slot`, with others."""

    array: str
    slot: int


Node = (
    Block
    | Loop
    | Guard
    | Let
    | Assume
    | Instance
    | Load
    | Store
    | Declare
    | Subtotal
    | AddUp
    | Contraction
    | Pack
    | Share
    | Region
    | Single
    | Barrier
    | Parts
    | PrefixScan
    | Copies
    | Copy
    | CopyPointer
    | SlotPointer
)
