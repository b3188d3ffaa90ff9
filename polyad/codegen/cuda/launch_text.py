"""Launches in CUDA C++: one kernel each, with loops over the threads of a grid or of a block.

A loop that threads share strides over its iterations, so that any number of threads runs all of them once. Loops that
are merged have one number for all iterations, the last loop's fastest, so that neighbours in a warp are neighbours in
memory:

    const int64_t pa_n0 = pa_count(0, B - 1, 1), pa_n1 = pa_count(0, H - 1, 1);
    for (int64_t pa_at = PA_GRID_THREAD; pa_at < pa_n0 * pa_n1; pa_at += PA_GRID_THREADS) {
      const int64_t b = pa_at / pa_n1, h = pa_at % pa_n1;
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from polyad.codegen.cuda.contraction_text import flat_iterators
from polyad.codegen.cuda.launch_record import launch_record
from polyad.codegen.cuda.launches import is_innermost
from polyad.codegen.cuda.loop_chains import merged_loops
from polyad.codegen.cuda.product_text import product_lines
from polyad.codegen.cuda.scan_text import scan_lines
from polyad.codegen.cuda.step_products import is_team, products, rooms
from polyad.codegen.cuda.tile_text import tile_lines
from polyad.codegen.launch_shape import LaunchShape, Parameter
from polyad.codegen.loops.how import Divided, Grid, How, Serial
from polyad.codegen.loops.nodes import (
    Barrier,
    Launch,
    Loop,
    Node,
    Parts,
    PrefixScan,
    Region,
    Share,
    Single,
    SlotPointer,
)
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.names import WIDE
from polyad.codegen.source import Argument
from polyad.codegen.storage.memory_plan import Slot
from polyad.codegen.text.code import call, cast, code, declare, if_line, infix, integer_sum, loop_line, word
from polyad.codegen.text.expression_text import C_TYPES, SUFFIXES, constant_code
from polyad.codegen.text.integer_text import ZERO, integer_code, value_code
from polyad.codegen.text.line_text import Lines, function_text, printed
from polyad.codegen.text.loop_text import LoopText
from polyad.ops import REDUCTION_OPS, identity

__all__ = ["KernelText", "LaunchText"]

_NAMES = {"threads": ("PA_GRID_THREAD", "PA_GRID_THREADS"), "blocks": ("PA_BLOCK", "PA_BLOCKS")}
_OWN = {False: ("PA_THREAD", "PA_THREADS", "PA_MEET"), True: ("PA_TEAM_THREAD", "PA_TEAM_THREADS", "PA_TEAM_MEET")}
"""Whether a region is that of a team -> which of its threads this is, how many there are, where they meet."""
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_WORD = re.compile(r"\w+")

STATUS = "pa_status"
"""Two words: the first says that an index checked before is wrong, the second that one is where it is used."""

AT_USE = f"&{STATUS}[1]"

MEETINGS, MEMBERS = "pa_meetings", "pa_blocks"
"""Words in which the blocks of teams count who has come, and how many blocks such a team has."""


@dataclass(frozen=True, slots=True, eq=False)
class LaunchText(LoopText):
    """Prints what one thread of a launch runs.

    Attributes:
        touches: the accesses of all statements.
        in_team: the threads of the region are those of a team.
        rooms: product -> the number of the room where its second operand stays.
    """

    touches: Touches = field(default_factory=dict)
    in_team: bool = False
    rooms: Mapping[Loop, int] = field(default_factory=dict)

    def node(self, node: Node) -> Lines:
        """One node."""
        one, all_of_them, meet = _OWN[self.in_team]
        match node:
            case Loop(how=Grid("tiles")):
                return ["{", tile_lines(node, self, self.touches), "}"]
            case Loop(how=Grid("scans")) | PrefixScan():
                return scan_lines(node, self)
            case Loop(how=Grid(over)):
                return self.strided(node, *_NAMES[over])
            case Loop(how=Serial()) if is_innermost(node):
                return ["PA_UNROLL", *LoopText.node(self, node)]
            case Loop(how=Divided(wait=wait, product=True)):
                whose = "TEAM" if self.in_team else "BLOCK"
                made = product_lines(node, self, self.touches, self.rooms.get(node), whose)
                return [*made, *([meet] if wait else [])]
            case Loop(how=Divided(wait=wait, blocks=True)):
                own = replace(self, in_team=False)
                return [*own.strided(node, "PA_TEAM_BLOCK", "PA_TEAM_BLOCKS"), *([meet] if wait else [])]
            case Loop(how=Divided(wait=wait)):
                return [*self.strided(node, one, all_of_them), *([meet] if wait else [])]
            case Region(body=body):
                whose = "team" if self.in_team else "block"
                return [f"/* the threads of a {whose} */", *self.scope(body)]
            case Single(body):
                return [f"if ({one} == 0) {{", self.block(body), "}", meet]
            case Barrier():
                return [meet]
            case Parts():
                return ["{", self.block_sum(node), "}"]
            case SlotPointer(array, slot):  # not a restricted one: threads write for each other what it leads to
                place = cast(f"{self.ctype(array)} *", word(f"slot_{slot}"))
                return [declare(self.ctype(array), (f"*{self.name(array)}", place))]
            case _:
                return LoopText.node(self, node)

    def pragma(self, how: How) -> Lines:
        """Nothing stands above a loop."""
        return []

    def share(self, node: Share) -> Lines:
        """The iterations of a team."""
        low, high = value_code(node.low, self.spell), value_code(node.high, self.spell)
        ends = [(node.first, call("pa_team_first", low, high)), (node.last, call("pa_team_last", low, high))]
        some = if_line(infix("<=", word(node.first), word(node.last)))
        return [declare("const int64_t", *ends), some, self.block(node.body), "}"]

    def block_sum(self, node: Parts) -> Lines:
        """The threads of a block share the iterations, and then have the sums of all."""
        starts, sums = [], []
        for s in node.sums:
            dtype = s.dtype or self.statements.text.arrays[s.array].dtype
            starts.append(declare(C_TYPES[dtype], (s.part, constant_code(identity(s.reduction, dtype), dtype))))
            every = call(f"pa_block_{s.reduction}_{SUFFIXES[dtype]}", s.part)
            sums.append(code(REDUCTION_OPS[s.reduction].c + ";", acc=s.local, x=every, f=SUFFIXES[dtype]))
        return [*starts, *self.strided(node.loop, "PA_THREAD", "PA_THREADS"), *sums]

    def strided(self, loop: Loop, one: str, all_of_them: str) -> Lines:
        """A loop, and those merged with it, whose iterations threads or blocks share."""
        loops = merged_loops(loop)
        if len(loops) == 1 and loop.step == 1 and self.spell.index == WIDE:  # where it ends, it is far behind its last
            first, last = value_code(loop.first, self.spell), value_code(loop.last, self.spell)
            start = word(one) if first == ZERO else integer_sum(first, word(one))
            return [loop_line(loop.iterator, start, "<=", last, all_of_them), self.block(loop.body), "}"]
        counts = [f"pa_n{n}" for n in range(len(loops))]
        bounds = [(value_code(o.first, self.spell), value_code(o.last, self.spell)) for o in loops]
        numbers = [call("pa_count", *b, integer_code(o.step)) for b, o in zip(bounds, loops, strict=True)]
        head = "for (int64_t pa_at = {0}; pa_at < {1}; pa_at += {2}) {{"
        lines: Lines = [
            declare("const int64_t", *zip(counts, numbers, strict=True)),
            code(head, one, infix("*", *map(word, counts)), all_of_them),
        ]
        iterators = flat_iterators(loops, "pa_at", counts, self)
        return [
            "{",
            [*lines, [declare(f"const {self.spell.index}", *iterators), *self.block(loops[-1].body)], "}"],
            "}",
        ]


@dataclass(frozen=True, slots=True, eq=False)
class KernelText:
    """Writes launches as functions.

    Attributes:
        name: of the program's function.
        text: prints nodes.
        arguments: the arrays of the call.
        params: size -> its C name.
        slots: of the workspace.
        before: indices are checked before anything is computed.
        known: of the program.
    """

    name: str
    text: LaunchText
    arguments: Sequence[Argument]
    params: Mapping[str, str]
    slots: Sequence[Slot]
    before: bool
    known: StoredProgram

    def launch(self, number: int, launch: Launch, test: LaunchText | None = None) -> tuple[LaunchShape, str]:
        """The shape of a launch, and its function.

        Args:
            number: of the launch.
            launch: the nodes.
            test: prints it where it checks an index, before all others.
        """
        text = test or replace(self.text, in_team=is_team(launch), rooms=rooms(launch, self.known))
        lines = text.block(launch.body)
        if text.rooms:
            lines = [f"PA_ROOMS({len(text.rooms)})", *lines]
        if text.in_team:
            shared = any(isinstance(n, Share) for n in nodes(launch))
            lines = [f"{'PA_TEAM' if shared else 'PA_LONE_TEAM'}({MEETINGS}, {MEMBERS})", *lines]
        if self.before and test is None:
            lines = [f"PA_LEAVE_IF({STATUS}[0])", *lines]
        used = {*_WORD.findall(_COMMENT.sub("", "\n".join(printed(lines))))}
        parameters = [
            *(
                (Parameter("size", n), f"const {self.text.spell.index} {c}")
                for n, c in self.params.items()
                if c in used
            ),
            *((Parameter("array", a.name), _argument(a)) for a in self.arguments if a.c_name in used),
            *((Parameter("slot", str(n)), p) for n, s in enumerate(self.slots) for p in self.slot(n, s, used)),
            *([(Parameter("status"), f"int *{STATUS}")] if STATUS in used else []),
            *([(Parameter("meetings"), f"unsigned int *{MEETINGS}")] if MEETINGS in used else []),
            *([(Parameter("members"), f"const int64_t {MEMBERS}")] if MEMBERS in used else []),
        ]
        kernel = f"{self.name}_{number}"
        kind = "PA_PRODUCTS_KERNEL" if products(launch) else "PA_KERNEL"
        head = call(f"{kind} void {kernel}", *(text for _, text in parameters))
        record = launch_record(kernel, [p for p, _ in parameters], launch, self.known)
        return record, function_text(head, lines)

    def slot(self, number: int, slot: Slot, used: set[str]) -> list[str]:
        """The parameter for a slice of the workspace that is used."""
        if len(slot.arrays) > 1:
            return [f"void *slot_{number}"] if f"slot_{number}" in used else []
        name = self.text.name(slot.arrays[0])
        return [f"{C_TYPES[slot.dtype]} *{name}"] if name in used else []


def _argument(argument: Argument) -> str:
    # What no launch writes may be read through the read-only cache; what threads write for each other may not.
    if argument.const:
        return f"const {C_TYPES[argument.dtype]} *PA_RESTRICT {argument.c_name}"
    return f"{C_TYPES[argument.dtype]} *{argument.c_name}"
