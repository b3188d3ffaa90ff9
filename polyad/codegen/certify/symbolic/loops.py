"""The loops of a plan, node by node, as events."""

from __future__ import annotations

from dataclasses import replace

from polyad.codegen.certify.symbolic.contractions import record_contraction, record_pack
from polyad.codegen.certify.symbolic.events import NotModelledError, Section
from polyad.codegen.certify.symbolic.recorder import Here, Recorder, SymbolicVariable
from polyad.codegen.certify.symbolic.refused import UnprovedError
from polyad.codegen.certify.symbolic.scans import record_scan
from polyad.codegen.certify.symbolic.shares import check_rows
from polyad.codegen.loops.how import Divided, Grid, Merged, Serial, Threads, Vector
from polyad.codegen.loops.instance import variable_of
from polyad.codegen.loops.isl_words import isl_condition, isl_value
from polyad.codegen.loops.loop_values import Nonzero
from polyad.codegen.loops.nodes import (
    AddUp,
    Assume,
    Barrier,
    Block,
    Contraction,
    Copies,
    Copy,
    CopyPointer,
    Declare,
    Guard,
    Instance,
    Launch,
    Let,
    Load,
    Loop,
    Node,
    Pack,
    Parts,
    PrefixScan,
    Region,
    Share,
    Single,
    SlotPointer,
    Store,
    Subtotal,
    Sum,
)
from polyad.ir.affine import Affine

__all__ = ["Walk"]


class Walk:
    """One walk through the loops; positions count up along the text, so that those of siblings are in order.

    Attributes:
        recorder: makes the events.
        position: of the next node.
        panels: name of packed panels -> the cells they are.
        aliases: the variable of a part of a sum, or of a subtotal -> that of the sum.
        summing: the variables that the loop in parts around reduces into, with the loops merged with it.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.position = 0
        self.panels: dict[str, SymbolicVariable] = {}
        self.aliases: dict[str, str] = {}
        self.summing: frozenset[str] = frozenset()

    def block(self, block: Block, here: Here) -> None:
        """Nodes one after another, in a scope of their own."""
        for child in block.children:
            here = self.node(child, here)

    def node(self, node: Node, here: Here) -> Here:
        """One node; what holds behind it."""
        self.position += 1
        position = self.position
        match node:
            case Instance():
                write = self.recorder.plan.known.touches[node.statement][0]
                if node.declares:
                    here = self.declared(here, variable_of(node.locals[write.array]))
                self.recorder.statement(self.aliased(here), node, position)
            case Loop():
                self.loop(node, here)
            case Guard(condition, then, otherwise):
                if isinstance(condition, Nonzero):
                    self.recorder.tested(self.aliased(here), condition, position)
                text = isl_condition(condition, here.words)
                self.block(then, here.under(text))
                if otherwise is not None:
                    self.block(otherwise, here.under(f"not ({text})"))
            case Let(name, value):
                here = here.let(name, value)
                self.recorder.nonnegative(here, name)
            case Assume(iterator, least):
                wrong = here.under(f"{here.words[iterator]} < {isl_value(least, here.words)}")
                if not self.recorder.where(wrong, "p").is_empty():
                    raise NotModelledError(f"{iterator} may be less than compilers are told")
            case Load() | Store():
                if isinstance(node, Load) and node.declares:
                    here = self.declared(here, variable_of(node.local))
                self.recorder.copy(self.aliased(here), node, position)
            case Declare(local, _, lanes):
                here = self.declared(here, local, lanes)
            case Launch(Block() as own) | (Block() as own):
                self.block(own, here)
            case Subtotal(local, total):
                self.aliases = {**self.aliases, local: self.aliases.get(total, total)}
            case Contraction():
                self.position = record_contraction(self.recorder, node, here, position, self.panels)
            case Pack():
                self.panels[node.name] = record_pack(self.recorder, node, here, position)
            case Share():
                self.share(node, here)
            case Region(body=body):
                if here.section is not None:
                    raise NotModelledError("a region stands in another")
                number = self.recorder.number()
                inside = replace(here, section=Section(number, here.depth))
                self.block(body, inside)
            case Single(body):
                section = self.all_threads(here)
                part = replace(section, part=self.recorder.number(), inner=here.depth)
                self.block(body, replace(here, section=part))
                self.barrier(here)
            case Barrier():
                self.barrier(here)
            case Parts(loop, sums):
                self.parts(loop, sums, here)
            case PrefixScan():
                self.position = record_scan(self.recorder, node, here, position, self.declared)
            case CopyPointer(array):
                copy = SymbolicVariable(f"c{self.recorder.number()}", here.depth, here.section)
                here = replace(here, scope={**here.scope, array: copy})
            case Copy():
                self.copy(node, here)
            case Copies() | SlotPointer() | AddUp():
                pass  # places.py, loops/subtotals.py
            case _:
                raise NotModelledError(f"there is a {type(node).__name__}")
        return here

    def declared(self, here: Here, name: str, lanes: int = 0) -> Here:
        """With one more variable."""
        variable = SymbolicVariable(f"v{self.recorder.number()}", here.depth, here.section, lanes)
        return replace(here, scope={**here.scope, name: variable})

    def aliased(self, here: Here) -> Here:
        """With names for the parts of sums."""
        found = {part: here.scope[whole] for part, whole in self.aliases.items() if whole in here.scope}
        return replace(here, scope={**here.scope, **found}) if found else here

    def loop(self, loop: Loop, here: Here) -> None:
        """All iterations of a loop, and behind it where threads wait there."""
        inside = here.inside(loop, self.position)
        self.recorder.nonnegative(inside, loop.iterator)
        match loop.how:
            case Merged():
                self.block(loop.body, inside.concurrent(self.recorder.number(), self.summing))
            case Threads() | Grid():
                self.block(loop.body, inside.concurrent(self.recorder.number()))
            case Vector(sums=sums):
                exempt = frozenset(self.sum_variable(s.local, here) for s in sums)
                self.block(loop.body, inside.concurrent(self.recorder.number(), exempt))
            case Divided(wait=wait):
                section = self.all_threads(here)
                part = replace(section, part=self.recorder.number(), inner=inside.depth)
                self.block(loop.body, replace(inside, section=part))
                if wait:
                    self.barrier(here)
            case Serial():
                self.block(loop.body, inside)
            case _:
                raise NotModelledError(f"there is a loop that runs as {type(loop.how).__name__}")

    def parts(self, loop: Loop, sums: tuple[Sum, ...], here: Here) -> None:
        """A loop in parts, each with variables of its own; threads of a region that share one have what all add up."""
        section = None if here.section is None else self.all_threads(here)
        before = self.aliases
        self.aliases = {**before, **{s.part: before.get(s.local, s.local) for s in sums}}
        exempt = frozenset(self.sum_variable(s.local, here) for s in sums)
        inside = here.inside(loop, self.position).concurrent(self.recorder.number(), exempt)
        if isinstance(loop.how, Vector):  # each part has lanes, which reduce into its variables
            lanes = frozenset(self.sum_variable(s.local, here) for s in loop.how.sums)
            inside = inside.concurrent(self.recorder.number(), lanes)
        self.recorder.nonnegative(inside, loop.iterator)
        if section is not None:
            part = replace(section, part=self.recorder.number(), inner=inside.depth)
            inside = replace(inside, section=part)
        self.summing = exempt
        self.block(loop.body, inside)
        self.aliases, self.summing = before, frozenset()
        if section is not None:
            self.barrier(here)

    def sum_variable(self, name: str, here: Here) -> str:
        """The cells of a variable that a loop reduces into."""
        name = self.aliases.get(name, name)
        if name not in here.scope:
            raise NotModelledError(f"the variable {name} is not declared here")
        return here.scope[name].name

    def share(self, share: Share, here: Here) -> None:
        """A shared loop, one iteration a part (shares.py)."""
        if here.section is not None:
            raise NotModelledError("a share stands in a region")
        check_rows(share)
        row = Loop(share.first, share.low, share.high, 1, Block(()))
        inside = here.inside(row, self.position).concurrent(self.recorder.number())
        inside = inside.let(share.last, Affine.of(share.first))
        self.block(share.body, inside)

    def copy(self, copy: Copy, here: Here) -> None:
        """Each iteration of the loop in threads around has a number of its own, one of as many as there are copies."""
        number, count = (self.recorder.texts([i], here)[0] for i in (copy.iteration, copy.count))
        where = self.recorder.where(here.under(f"{number} < 0 or {number} >= {count}"), "p")
        if not where.is_empty():
            raise UnprovedError(where, f"{copy.name} may be no number of a copy")
        (construct,) = here.constructs or (None,)
        if construct is None or construct.depth != here.depth - 1:
            raise NotModelledError(f"{copy.name} is a number of what no thread has")
        found = self.recorder.map(here.dims, "p", "c", [*here.dims[:-1], number])
        found = found.intersect_domain(self.recorder.where(here, "p"))
        if not found.is_injective():
            raise NotModelledError(f"{copy.name} may be one number for two iterations")

    def all_threads(self, here: Here) -> Section:
        """The region directly around, each of whose threads comes here."""
        section = here.section
        within = () if section is None else [c for c in here.constructs if c.depth >= section.depth]
        if section is None or section.part is not None or within:
            raise NotModelledError("a shared loop, a barrier or a single section stands in no region")
        return section

    def barrier(self, here: Here) -> None:
        """The threads of the region wait for each other."""
        self.all_threads(here)
        self.position += 1
        time = self.recorder.time(here, 2 * self.position)
        found = self.recorder.map(here.dims, "p", "", time).intersect_domain(self.recorder.where(here, "p"))
        self.recorder.barriers.append(found.range())
