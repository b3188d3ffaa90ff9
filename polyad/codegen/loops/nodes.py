"""The loop IR: what isl's AST becomes, what storage decisions and the passes of `lower` rewrite, what is printed.

    Node ::= Block(Nodes) | Loop(iterator, first, last, step, Block, How) | Guard(Condition, Block, Block?)
           | Let(name, Value) | Assume(iterator, Value)
           | Instance(statement, args, locals) | Load(local, Cell) | Store(local, Cell) | Declare(local, array, lanes)
           | Contraction(Loop, SumOfProducts?, fresh, packed, Shape?) | Pack(name, array, Contraction)
           | Share(first, last, low, high, Block, Work?)
           | Region(Work, Block) | Single(Block) | Barrier() | Launch(Block)
           | Subtotal(local, total) | AddUp(Subtotal) | Parts(Loop, Sums, Work) | PrefixScan(LinearState, ...)
           | Copies(name, count) | Copy(name, iteration, count, copies) | CopyPointer(array, copy)
           | SlotPointer(array, slot)

`How` and `Work` are in how.py, `Value` and `Condition` in loop_values.py, `SumOfProducts` in analysis/contraction.py,
`Instance` in instance.py, and the other nodes that hold no nodes in leaves.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from polyad.analysis.contraction import SumOfProducts
from polyad.analysis.linear import At, Linear
from polyad.codegen.loops.how import How, Serial, Simd, Work
from polyad.codegen.loops.instance import Instance
from polyad.codegen.loops.leaves import (
    AddUp,
    Assume,
    Barrier,
    Cell,
    Copies,
    Copy,
    CopyPointer,
    Declare,
    Let,
    Load,
    SlotPointer,
    Store,
    Subtotal,
    Sum,
)
from polyad.codegen.loops.loop_values import Condition, Value
from polyad.ir.affine import Affine
from polyad.ir.polynomials import Polynomial

__all__ = [
    "AddUp",
    "Assume",
    "Barrier",
    "Block",
    "Cell",
    "Contraction",
    "ContractionAxis",
    "Copies",
    "Copy",
    "CopyPointer",
    "Declare",
    "Guard",
    "Instance",
    "Launch",
    "Let",
    "LinearState",
    "Load",
    "Loop",
    "Node",
    "Operand",
    "Pack",
    "Parts",
    "PrefixScan",
    "Region",
    "ScanKind",
    "ScanPart",
    "Shape",
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


@dataclass(frozen=True, slots=True)
class ContractionAxis:
    """One loop, or several run as one.

    Attributes:
        loops: outermost first.
        count: number of iterations.
        strides: of c, a and b: how far an iteration moves in memory, in elements.
    """

    loops: tuple[Loop, ...]
    count: Value
    strides: tuple[Polynomial, Polynomial, Polynomial]


@dataclass(frozen=True, slots=True)
class Operand:
    """An array and the element where its part begins, in terms of sizes, iterators around and first iterations."""

    array: str
    index: tuple[Affine, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """A contraction c[m, n] += scale * weights * a[m, k] * b[k, n].

    Attributes:
        rows: the axes of m, outermost first.
        columns: of n.
        sums: of k.
        c: what is summed into.
        a: the operand that m and k index.
        b: the operand that k and n index.
        scale: a number.
        weights: elements that the sum is multiplied with.
        dtype: of all of them.
    """

    rows: tuple[ContractionAxis, ...]
    columns: tuple[ContractionAxis, ...]
    sums: tuple[ContractionAxis, ...]
    c: Operand
    a: Operand
    b: Operand
    scale: float
    weights: tuple[Operand, ...]
    dtype: str


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
    """The work of each thread on its part of the iterations low, ..., high of a parallel loop.

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
class Launch:
    """A kernel of a GPU, which begins when all before it has ended: a grid, the region of one block, or one thread."""

    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """A loop that reduces, in parts that threads share where the work is enough (partial_sums.py).

    In a region the threads that are there share its iterations and meet behind it; then all have the sums.

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
ScanPart = Literal["all", "totals", "states"]


@dataclass(frozen=True, slots=True, eq=False)
class LinearState:
    """A loop over steps of one state.

    Attributes:
        loop: the loop, with nothing but instances in it.
        array: holds the state.
        dtype: its element type.
        before: the element that a step reads, in terms of the iterator.
        after: the element that it writes.
        writer: the instance that writes it.
        in_turn: states take turns in memory: one of a later step lies where one of an earlier step lay. Those of all
            steps are stored otherwise, also where the array is stored in turn along a loop around.
        update: the state after the step; places count the instances of the loop.
        carried: numbers of the instances that read the state before the step.
        first: instances that do not depend on the state, computed before the scan.
        second: those computed after it, in order: the writer, all else that depends on the state, and what else they
            need in C variables.
        kept: those of the first whose C variables the second need, too dear to be computed again.
    """

    loop: Loop
    array: str
    dtype: str
    before: tuple[Affine, ...]
    after: tuple[Affine, ...]
    writer: Instance
    in_turn: bool
    update: Linear
    carried: frozenset[int]
    first: tuple[Instance, ...]
    second: tuple[Instance, ...]
    kept: tuple[Instance, ...] = ()

    def instance(self, value: At) -> Instance:
        """Return the instance that computes a value of the update."""
        found = self.loop.body.children[value.place]
        assert isinstance(found, Instance), "there is nothing else in the loop"
        return found


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
        part: of a scan in segments, on a GPU: their `totals` and its first state alone, or with these all `states`.
        lanes: rows that the threads of a block share (codegen/cuda/scans.py).
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
    part: ScanPart = "all"
    lanes: int = 1

    @property
    def in_turn(self) -> bool:
        """Whether states take turns in memory."""
        return self.state.in_turn

    @property
    def buffers(self) -> tuple[str, ...]:
        """Those of `mul` and `add` that are computed for each step of a block."""
        varying = {"sum": ("add",), "decay": ("add",), "prod": ("mul",), "affine": ("mul", "add")}[self.kind]
        return tuple(part for part in varying if part not in self.standing)


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
    | Launch
    | Barrier
    | Parts
    | PrefixScan
    | Copies
    | Copy
    | CopyPointer
    | SlotPointer
)
