"""Launches of a kernel as text: who runs what, how much of a device at given sizes, where threads meet, and how long.

The expected time of a launch is that of its bytes, each moved once, or of its operations, whichever takes longer on the
part of the device that is busy; then what its phases wait for; then the launch. It is a model of a few measured numbers
(machine/rates.py): what differs from it by much is worth a look.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.analysis.counting import cardinality
from polyad.analysis.statement_cost import statement_cost
from polyad.codegen.launch_shape import Geometry, LaunchShape
from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes
from polyad.ir.program import Program
from polyad.machine import MACHINE
from polyad.machine.device import LIMITS
from polyad.machine.rates import Rates
from polyad.runtime.compiled_program import CompiledProgram
from polyad.schedule.tree.marks import Concurrent, LaunchMark, Meeting, MeetMark, SumMark
from polyad.schedule.tree.nodes import Band, Mark, Node, Order, from_isl
from polyad.schedule.tree.placement import statements_at

__all__ = ["expected_time", "launch_lines"]


@dataclass(frozen=True, slots=True, eq=False)
class _Marked:
    """A launch mark.

    Attributes:
        kernels: their number.
        names: the statements.
        meetings: whether the blocks of a team meet, and { S[i] -> [steps] }, those of a statement in front, for each.
    """

    kernels: int
    names: tuple[str, ...]
    meetings: tuple[tuple[bool, isl.Map], ...]


@dataclass(frozen=True, slots=True)
class _Work:
    """The work of one kernel at given sizes.

    Attributes:
        bytes: that it touches.
        operations: of all instances.
        meetings: of teams.
        syncs: of blocks.
        size: bytes of a number.
    """

    bytes: int
    operations: int
    meetings: int
    syncs: int
    size: int

    def seconds(self, launch: LaunchShape, geometry: Geometry, rates: Rates) -> float:
        """The expected time."""
        if not geometry.blocks:
            return 0.0
        share = rates.share(geometry.blocks, geometry.threads)
        speed = rates.step_operations if launch.products else rates.operations
        kind = "block" if geometry.members == 1 else "count" if geometry.counts else "cluster"
        work = max(self.bytes / (rates.bandwidth * share), self.operations / (speed[self.size] * share))
        return rates.launch + work + self.meetings * rates.phases[kind] + self.syncs * rates.phases["block"]


def launch_lines(kernel: CompiledProgram, sizes: Mapping[str, int] | None, rates: Rates | None) -> str:
    """The launches, a line each; with sizes, a second line of numbers.

    Args:
        kernel: of a GPU.
        sizes: all parameters of its program; None where they are not known.
        rates: of a device, for the expected time.
    """
    lines, total = [], 0.0
    with islx.LOCK:
        for launch, marked in _with_marks(kernel):
            lines.append(_launch(launch))
            if sizes is None:
                continue
            geometry = launch.geometry(sizes, LIMITS if rates is None else rates.limits)
            words = [_geometry(geometry)]
            if marked is not None:
                work = _work(kernel.program, marked, sizes)
                words.append(f"{work.bytes:,} bytes, {work.operations:,} operations")
                words += [f"{work.meetings:,} meetings"] if work.meetings else []
                words += [f"{work.syncs:,} of a block"] if work.syncs else []
                if rates is not None:
                    seconds = work.seconds(launch, geometry, rates)
                    words.append(f"about {seconds * 1e6:,.1f} us")
                    total += seconds
            lines.append(f"  {'; '.join(words)}")
    return "\n".join(
        [*lines, *([f"about {total * 1e6:,.1f} us on an {rates.name}"] if rates and sizes is not None else [])]
    )


def expected_time(kernel: CompiledProgram, sizes: Mapping[str, int], rates: Rates) -> float:
    """The expected seconds of all launches of a kernel, as far as its schedule says what they do."""
    with islx.LOCK:
        return sum(
            _work(kernel.program, marked, sizes).seconds(launch, launch.geometry(sizes, rates.limits), rates)
            for launch, marked in _with_marks(kernel)
            if marked is not None
        )


def _with_marks(kernel: CompiledProgram) -> Iterator[tuple[LaunchShape, _Marked | None]]:
    """Each launch, with what the schedule says of it; those that check indices come first, and are in no schedule."""
    schedule = kernel.schedule.isl
    marks = [*_marked(schedule.get_domain(), from_isl(schedule.get_root().child(0)))]
    kernels = [mark for mark in marks for _ in range(mark.kernels)]
    launches = kernel.code.launches
    known: list[_Marked | None] = [None] * (len(launches) - len(kernels))
    yield from zip(launches, [*known, *kernels], strict=True)


def _marked(domain: isl.UnionSet, tree: Node) -> Iterator[_Marked]:
    """The launch marks of a tree, in order."""
    match tree:
        case Mark(LaunchMark(words), child):
            nowhere = {n: isl.Map.from_domain_and_range(s, isl.Set("{ [] }")) for n, s in _sets(domain)}
            yield _Marked(len(words), tuple(statements_at(domain)), tuple(_meetings(domain, child, nowhere)))
        case Mark(child=child) | Band(child=child):
            yield from _marked(domain, child)
        case Order(children):
            for part, child in children:
                yield from _marked(domain.intersect(part), child)
        case _:
            pass


def _meetings(domain: isl.UnionSet, tree: Node, steps: Mapping[str, isl.Map]) -> Iterator[tuple[bool, isl.Map]]:
    """The steps in which threads meet, for each meeting; loops of threads, of teams and of grids have no steps."""
    match tree:
        case Mark(kind, child):
            if isinstance(kind, Meeting | SumMark):
                yield kind == MeetMark(), steps[min(statements_at(domain))]
            if isinstance(kind, Concurrent) and isinstance(child, Band):
                child = child.child
            yield from _meetings(domain, child, steps)
        case Band(child=child):
            for member in range(tree.size):
                functions = tree.functions(member)
                steps = {n: m.flat_range_product(functions[n].as_map()) for n, m in steps.items() if n in functions}
            yield from _meetings(domain, child, steps)
        case Order(children):
            for part, child in children:
                inside = domain.intersect(part)
                own = {n: steps[n].intersect_domain(s) for n, s in _sets(inside)}
                yield from _meetings(inside, child, own)
        case _:
            pass


def _sets(domain: isl.UnionSet) -> list[tuple[str, isl.Set]]:
    return [(s.get_tuple_name(), s) for s in islx.sets(domain)]


def _work(program: Program, marked: _Marked, sizes: Mapping[str, int]) -> _Work:
    """The work of one of the kernels that do it together."""
    touched: dict[str, isl.Set] = {}
    operations, size = 0, 1
    for name in marked.names:
        statement = program.statement(name)
        operations += statement_cost(statement, MACHINE) * cardinality(statement.domain, sizes)
        written = statement.write_relation()
        size = max(size, _bytes(program, written.get_tuple_name(isl.dim_type.out)))
        accesses = [written, *(statement.read_relation(r) for r in statement.reads())]
        for access in accesses:
            array, part = access.get_tuple_name(isl.dim_type.out), access.range()
            touched[array] = part if array not in touched else touched[array].union(part)
    data = sum(cardinality(part, sizes) * _bytes(program, a) for a, part in touched.items())
    met = {True: 0, False: 0}
    for of_team, steps in marked.meetings:
        met[of_team] += cardinality(steps.range(), sizes)
    return _Work(data // marked.kernels, operations // marked.kernels, met[True], met[False], 8 if size == 8 else 4)


def _bytes(program: Program, array: str) -> int:
    """The bytes of an element."""
    return item_bytes(program.arrays[array].dtype)


def _geometry(geometry: Geometry) -> str:
    """How much of a device it asks for."""
    if not geometry.blocks:
        return "nothing to do"
    words = f"{geometry.blocks:,} blocks of {geometry.threads} threads"
    if geometry.members > 1:
        words += f", {geometry.members} a team" + (" that count in memory" if geometry.counts else ", a cluster")
    return words + (f", {geometry.room:,} bytes of shared memory each" if geometry.room else "")


def _launch(launch: LaunchShape) -> str:
    """One launch: who runs what."""
    grid = _iterations([launch.counts])
    match launch.over:
        case "threads":
            words = f"a thread for each of {grid} iterations"
        case "blocks":
            words = f"a block for each of {grid} iterations, its threads for {_iterations(launch.shared)}"
        case "tiles":
            assert launch.tile is not None, "a launch over tiles says which"
            words = f"a block for each tile of {launch.tile.rows} x {launch.tile.columns} of {grid} results"
        case "teams":
            words = f"teams of blocks for {grid} rows" if launch.counts else "one team of blocks"
            words += f", their threads for {_iterations(launch.shared)}"
        case "scans":
            rows = f"{f'{launch.lanes} of ' if launch.lanes > 1 else ''}{grid} rows" if launch.counts else "one row"
            whole = not launch.shared
            words = f"a block for each{'' if whole else ' segment'} of {rows}"
            words += "" if whole else f" of {_iterations(launch.shared)} steps"
        case "block":
            words = f"one block, its threads for {_iterations(launch.shared)} iterations"
        case _:
            words = "one thread"
    return f"{launch.kernel}: {words}"


def _iterations(loops: Sequence[Sequence[Affine | None]]) -> str:
    """T * B, or 4 * H; ? where no formula says."""

    def factor(count: Affine | None) -> str:
        return "?" if count is None else f"({count})" if len(count.terms) + bool(count.constant) > 1 else str(count)

    return ", ".join(" * ".join(map(factor, counts)) for counts in dict.fromkeys(map(tuple, loops))) or "no"
