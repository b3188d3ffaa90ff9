"""Schedules: in which order the instances of a program run, what runs in parallel, as an isl schedule tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import islpy as isl

from polyad import islx
from polyad.errors import CallError, ScheduleError
from polyad.ir.program import Program
from polyad.machine import MACHINE
from polyad.schedule.legality import check_instances, check_legal
from polyad.schedule.pricing.estimate import Price, price_of
from polyad.schedule.transforms import TRANSFORMS, BandName, Offset, as_band
from polyad.schedule.tree.draw import draw, statement_dims
from polyad.schedule.tree.nodes import Node, from_isl, to_isl
from polyad.schedule.tree.picture import picture
from polyad.schedule.tree.placement import MeetingPlace, is_placed, meetings_of, without_placement
from polyad.schedule.tree.tree_text import read_tree, settled_set, settled_tree, write_tree

__all__ = ["Schedule"]


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
    """An order of execution.

    `str(schedule)` is YAML that isl reads back. A band is named by a statement and one of its dimensions, `("S", "t")`:
    the outermost loop around S that runs over t; `("S", "t", 1)` has one of these around it, like the loop in a tile.
    Transforms return new schedules, without the marks of a GPU, which `compile` finds anew; they check that they make
    sense, not that the result is legal: `check` proves that, and so does every use.

    Attributes:
        isl: the isl schedule; its domain is { S[dims] } over all statements.
    """

    isl: isl.Schedule

    @staticmethod
    def from_yaml(text: str) -> Schedule:
        """Read a schedule.

        Raises:
            ScheduleError: the text is not a schedule in isl's YAML form; the message names the line.
        """
        try:
            with islx.LOCK:
                domain, tree = read_tree(text)
                return Schedule(to_isl(domain, tree))
        except isl.Error as problem:
            raise ScheduleError(f"the parts of this schedule do not fit together: {problem}") from problem
        except RecursionError:  # the caller stands deep in the stack himself
            raise ScheduleError("this schedule is nested too deeply to be read here") from None

    @staticmethod
    def load(path: str | Path) -> Schedule:
        """Read a schedule from a file.

        Raises:
            ScheduleError: the file cannot be read, or holds no schedule.
        """
        try:
            text = Path(path).read_text(encoding="utf-8")
        # ValueError: not UTF-8, or no name of a file; TypeError: no name at all.
        except (OSError, ValueError, TypeError) as problem:
            why = problem.strerror if isinstance(problem, OSError) else problem
            raise ScheduleError(f"the schedule file {path} cannot be read: {why}") from problem
        return Schedule.from_yaml(text)

    def save(self, path: str | Path) -> None:
        """Write the YAML text to a file.

        Raises:
            ScheduleError: it cannot be written.
        """
        try:
            Path(path).write_text(str(self), encoding="utf-8")
        except (OSError, ValueError, TypeError) as problem:
            why = problem.strerror if isinstance(problem, OSError) else problem
            raise ScheduleError(f"the schedule file {path} cannot be written: {why}") from problem

    def __reduce__(self) -> tuple[Callable[[str], Schedule], tuple[str]]:
        """isl's objects are not pickled; the text is."""
        return Schedule.from_yaml, (str(self),)

    def __str__(self) -> str:
        """The schedule as YAML."""
        with islx.LOCK:
            return write_tree(self.isl.get_domain(), self._tree())

    def tree(self) -> str:
        """The tree as text, one loop or statement a line."""
        with islx.LOCK:
            return draw(self.isl.get_domain(), self._tree())

    def svg(self) -> str:
        """The tree as an SVG picture, a box a loop, which notebooks show by themselves."""
        with islx.LOCK:
            return picture(self.isl.get_domain(), self._tree())

    _repr_svg_ = svg  # what Jupyter asks for

    def settled(self) -> Schedule:
        """The same, with sets and functions as `from_yaml` reads them from `str(schedule)`: loops follow the text."""
        with islx.LOCK:
            return Schedule(to_isl(settled_set(self.isl.get_domain()), settled_tree(self._tree())))

    def unplaced(self) -> Schedule:
        """The same without the marks of a GPU: loops are parallel, or not."""
        with islx.LOCK:
            tree = self._tree()
            return Schedule(to_isl(self.isl.get_domain(), without_placement(tree))) if is_placed(tree) else self

    def meetings(self) -> frozenset[MeetingPlace]:
        """The places where threads of a GPU meet, one for each mark `meet` or `sync`."""
        with islx.LOCK:
            return meetings_of(self.isl.get_domain(), self._tree())

    def check(self, program: Program) -> None:
        """Prove that the schedule runs a program.

        Raises:
            CallError: that is no program.
            ScheduleError: it runs other instances than the program has.
            IllegalScheduleError: it violates a dependence, of which one is named.
        """
        if not isinstance(program, Program):
            raise CallError(
                f"expected a program, such as kernel.program, got {type(program).__name__}: {program!r:.60}", "program"
            )
        with islx.LOCK:
            check_legal(program, self.isl.get_domain(), self._tree())

    def is_legal(self, program: Program) -> bool:
        """Whether the schedule runs the instances of the program, each once, and keeps every dependence."""
        try:
            self.check(program)
        except ScheduleError:
            return False
        return True

    def price(self, kernel: Any, *, threads: int = 1, **sizes: int) -> Price:
        """The price of running a kernel's program in this order: an estimate that compares orders, in instructions.

        Equation: price = instructions + bytes beyond the own cache * b1 + bytes from memory * b2 + threads; with
        their derivation in decision 82.

        Args:
            kernel: whose program, sizes and machine.
            threads: that run it.
            sizes: named sizes; of others `Machine.guess` is assumed.

        Raises:
            CallError: that is no kernel, or one for a GPU, a size has no such name, or a value is no positive integer.
            ScheduleError: the schedule runs other instances than the kernel.
        """
        program = getattr(kernel, "program", None)
        if not isinstance(program, Program):
            raise CallError(f"price: expected a kernel, got {type(kernel).__name__}: {kernel!r:.60}", "kernel")
        if kernel.target.backend.language != "c":
            raise CallError(f'price: {program.name} is for a GPU; kernel.describe("h100") has expected times', "kernel")
        for name, value in {"threads": threads, **sizes}.items():
            if name not in ("threads", *program.params):
                raise CallError(f"price: {name}={value!r}: expected one of {program.params or 'no sizes'}", name)
            if value < 0 or (name == "threads" and value == 0):
                raise CallError(f"price: {name}={value}: expected a positive integer", name)
        with islx.LOCK:
            domain = self.isl.get_domain()
            check_instances(program, domain)
            return price_of(program, domain, self._tree(), sizes, kernel.target.machine, threads)

    def tile(self, band: BandName, sizes: Sequence[int]) -> Schedule:
        """Loops over tiles around loops inside of a tile, for as many loops from `band` inwards as there are sizes."""
        return self._transformed("tile", as_band(band), sizes)

    def split(self, band: BandName, factor: int) -> Schedule:
        """A loop over blocks of `factor` iterations around a loop in the block: a tile with one size, in order."""
        return self._transformed("split", as_band(band), factor)

    def interchange(self, band: BandName, order: Sequence[str]) -> Schedule:
        """Reorder the loops around the statement of `band`; `order` names its dimensions, outermost first."""
        return self._transformed("interchange", as_band(band), order)

    def fuse(self, a: BandName, b: BandName) -> Schedule:
        """Make one of two loop nests that follow each other; what is inside of the common loops stays in order."""
        return self._transformed("fuse", as_band(a), as_band(b))

    def distribute(self, band: BandName) -> Schedule:
        """Give every child of the sequence inside of a loop a loop of its own."""
        return self._transformed("distribute", as_band(band))

    def skew(self, band: BandName, dim: str, by: str, factor: int = 1) -> Schedule:
        """Replace the loop over `dim` by one over dim + factor * by."""
        return self._transformed("skew", as_band(band), dim, by, factor)

    def reverse(self, band: BandName) -> Schedule:
        """Run a loop backwards."""
        return self._transformed("reverse", as_band(band))

    def shift(self, band: BandName, by: Offset) -> Schedule:
        """Run the statement of `band` `by` iterations later, an integer or an expression of sizes; others stay."""
        return self._transformed("shift", as_band(band), by)

    def reorder(self, order: Sequence[str]) -> Schedule:
        """Run the children of a sequence in another order; `order` names a statement of each, and the others stay."""
        return self._transformed("reorder", order)

    def unroll(self, band: BandName, factor: int) -> Schedule:
        """Write the body of a loop `factor` times, once for each iteration of a block, in the same order."""
        return self._transformed("unroll", as_band(band), factor)

    def jam(self, band: BandName, factor: int) -> Schedule:
        """Unroll and jam: run `factor` iterations of a loop at a time, statement by statement."""
        return self._transformed("jam", as_band(band), factor)

    def parallel(self, band: BandName, dim: str | None = None) -> Schedule:
        """Run the loop over `dim` (the loop of `band` when not given) in parallel."""
        return self._transformed("parallel", as_band(band), dim)

    def vectorize(self, band: BandName, dim: str | None = None) -> Schedule:
        """Run the innermost loop over `dim` (the loop of `band` when not given) with vector instructions."""
        return self._transformed("vectorize", as_band(band), dim)

    def parts(self, band: BandName) -> Schedule:
        """Reduce in an outermost loop part by part, on several threads where the work is enough."""
        return self._transformed("parts", as_band(band))

    def prefix(self, band: BandName, steps: int = MACHINE.scan_steps) -> Schedule:
        """Run a recurrence that is linear in one number as prefix scans, in blocks of `steps` iterations at most."""
        return self._transformed("prefix", as_band(band), steps)

    def region(self, band: BandName) -> Schedule:
        """Start threads once around a sequential loop, for all parallel loops inside, where their work is enough."""
        return self._transformed("region", as_band(band))

    def sequential(self, band: BandName) -> Schedule:
        """Run a loop on one thread: take its mark `parallel`, `share`, `parts` or `region` away."""
        return self._transformed("sequential", as_band(band))

    def unmark(self, band: BandName | None = None) -> Schedule:
        """Take the mark of a loop away, or those of all loops when no band is given; the order stays."""
        return self._transformed("unmark", None if band is None else as_band(band))

    def _tree(self) -> Node:
        return from_isl(self.isl.get_root().child(0))

    def _transformed(self, name: str, *arguments: object) -> Schedule:
        with islx.LOCK:
            domain = self.isl.get_domain()
            tree = TRANSFORMS[name].apply(without_placement(self._tree()), statement_dims(domain), *arguments)
            return Schedule(to_isl(domain, tree))
