"""A proof that the CUDA C++ of a kernel, and what its host is told to launch, are what its plan asks for.

The text is of the part of C that c_parser.py reads, so it is read and compared as C is (read_back.py). Besides, each
launch is given what its function takes, and has as many blocks as its loops need: a grid strides over its iterations,
whatever its size is, but where a formula says that there are none, nothing runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from polyad.codegen.certify.read_back.c_parser import parse_statements, parse_unit
from polyad.codegen.certify.read_back.c_tokens import NotReadError
from polyad.codegen.certify.read_back.c_tree import (
    Binary,
    Call,
    Cast,
    Compound,
    Declare,
    Do,
    Element,
    For,
    Function,
    If,
    Known,
    Macro,
    Name,
    Number,
    Statement,
    Unary,
)
from polyad.codegen.certify.read_back.contraction_trees import place_of, product_of
from polyad.codegen.certify.read_back.expected_nodes import Nodes
from polyad.codegen.certify.read_back.expected_values import SUFFIXES, TYPES, Values, constant
from polyad.codegen.certify.read_back.launched_scans import launched_scan
from polyad.codegen.certify.read_back.products import check_room, product
from polyad.codegen.certify.read_back.read_back import TextProof, compare_functions
from polyad.codegen.certify.read_back.terms import affine, number
from polyad.codegen.certify.read_back.tiles import tiles
from polyad.codegen.cuda.loop_chains import merged_loops
from polyad.codegen.cuda.step_products import is_team, products, rooms
from polyad.codegen.cuda.tiles import Tile, tile_of, tile_shape
from polyad.codegen.launch_shape import LaunchShape, Parameter
from polyad.codegen.loops.how import Divided, Grid, Serial
from polyad.codegen.loops.loop_values import Extreme, Value
from polyad.codegen.loops.nodes import (
    Barrier,
    Instance,
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
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.lower.index_checks import CheckedIndex
from polyad.codegen.names import WIDE
from polyad.codegen.plan import Plan
from polyad.codegen.source import Source
from polyad.errors import CertificationError
from polyad.ir.affine import Affine
from polyad.ops import identity

__all__ = ["read_launches_back"]

_STATUS, _MEETINGS, _MEMBERS = "pa_status", "pa_meetings", "pa_blocks"


def read_launches_back(plan: Plan, source: Source, checks: Sequence[Launch]) -> TextProof:
    """Prove it.

    Args:
        plan: the kernel.
        source: the text, and what is launched.
        checks: the launches that test indices first, in their order.

    Raises:
        CertificationError: one of them says something else; the message names the line, or the launch.
    """
    c = source.c
    try:
        unit = parse_unit(c)
        if [text for text, _ in unit.directives] != ['#include "polyad_cuda.h"']:
            raise NotReadError("it includes something else than polyad_cuda.h", 1)
        wanted = [*_functions(plan, checks, {f.name: [n for _, n in f.parameters] for f in unit.functions})]
        if unit.structs or unit.macros or [f.name for f in unit.functions] != [f.name for f, _ in wanted]:
            raise NotReadError(f"its functions are not {', '.join(f.name for f, _ in wanted)}", 1)
        pairs = [*zip(unit.functions, wanted, strict=True)]
        count = sum(compare_functions(found, asked, plan) for found, (asked, _) in pairs)
        kernels = [(found, launch) for found, (_, launch) in pairs if launch is not None]
        if len(kernels) != len(source.launches):
            raise NotReadError(f"{len(source.launches)} launches are asked for, and there are {len(kernels)}", 1)
        for shape, (found, launch) in zip(source.launches, kernels, strict=True):
            _launched(plan, shape, found, launch)
    except NotReadError as problem:
        line = c.splitlines()[problem.line - 1].strip() if 0 < problem.line <= c.count("\n") + 1 else ""
        where = f"line {problem.line} of the CUDA C++, `{line}`"
        raise CertificationError(f"{plan.program.name}: {where}: {problem}") from None
    return TextProof(c.count("\n"), count, "CUDA C++")


def _functions(
    plan: Plan, checks: Sequence[Launch], taken: dict[str, list[str]]
) -> Iterator[tuple[Function, Launch | None]]:
    """The functions of the file, the launch of each that is one; `taken`: the parameters that each has in the text."""
    if plan.checks.guarded:
        text = "if (index >= 0 && index < extent) return 1; atomicExch(status, POLYAD_ERROR_INDEX); return 0;"
        parameters = (("int64_t", "index"), ("int64_t", "extent"), ("int *", "status"))
        yield Function("PA_INLINE int", plan.inside, parameters, parse_statements(text)), None
    statements = {**plan.known.statements, **{c.statement.name: c.statement for c in plan.checks.before}}
    values = Values(plan, statements, status=Unary("&", Element(Name(_STATUS), Number("1"))))
    known = _parameters(plan)
    launches = [*zip(checks, plan.checks.before, strict=True), *((n, None) for n in plan.loops.children)]
    for number_, (launch, check) in enumerate(launches):
        if not isinstance(launch, Launch):
            raise NotReadError("the loops have something beside launches", 1)
        name = f"{plan.names.function}_{number_}"
        kept = rooms(launch, plan.known)
        for loop in kept:
            check_room(loop, launch, plan)
        test = None if check is None else _test(check, values, plan)
        trees = _Launched(values, test, rooms=kept, words=_TEAM if is_team(launch) else _BLOCK)
        body = trees.block(launch.body)
        if kept:
            body = (Macro("PA_ROOMS", (Number(str(len(kept))),)), *body)
        if is_team(launch):
            shared = any(isinstance(n, Share) for n in nodes(launch))
            body = (Macro("PA_TEAM" if shared else "PA_LONE_TEAM", (Name(_MEETINGS), Name(_MEMBERS))), *body)
        if plan.checks.before and check is None:
            body = (Macro("PA_LEAVE_IF", (Element(Name(_STATUS), Number("0")),)), *body)
        own = tuple((kind, n) for n, (kind, _) in known.items() if n in taken.get(name, ()))
        yield Function("PA_PRODUCTS_KERNEL void" if products(launch) else "PA_KERNEL void", name, own, body), launch


def _parameters(plan: Plan) -> dict[str, tuple[str, Parameter]]:
    """All that a kernel may be given, in order: name -> (C type, what the host passes)."""
    program, memory = plan.program, plan.storage.memory
    homes = memory.homes
    over = {homes[n] for n in program.outputs if n in homes}
    index = plan.names.value.index
    found = {c: (f"const {index}", Parameter("size", n)) for n, c in plan.names.params.items()}
    for name in (*program.inputs, *(n for n in program.outputs if n not in homes)):
        kind = TYPES[program.arrays[name].dtype]
        read = name in program.inputs and name not in over
        words = f"const {kind} * PA_RESTRICT" if read else f"{kind} *"
        found[plan.names.arrays[name]] = words, Parameter("array", name)
    for position, slot in enumerate(memory.slots):
        several = len(slot.arrays) > 1
        own = f"slot_{position}" if several else plan.names.arrays[slot.arrays[0]]
        found[own] = "void *" if several else f"{TYPES[slot.dtype]} *", Parameter("slot", str(position))
    found[_STATUS] = "int *", Parameter("status")
    found[_MEETINGS] = "unsigned int *", Parameter("meetings")
    found[_MEMBERS] = "const int64_t", Parameter("members")
    return found


_BLOCK = "PA_THREAD", "PA_THREADS", "PA_MEET"
_TEAM = "PA_TEAM_THREAD", "PA_TEAM_THREADS", "PA_TEAM_MEET"


@dataclass(frozen=True, slots=True, eq=False)
class _Launched(Nodes):
    """Trees of what one thread of a launch runs.

    Attributes:
        rooms: product -> the number of the room where its second operand stays.
        words: which of the threads of the region this is, how many there are, where they meet.
    """

    rooms: Mapping[Loop, int] = field(default_factory=dict)
    words: tuple[str, str, str] = _BLOCK

    def node(self, node: Node) -> list[Statement]:
        """One node."""
        one, all_of_them, meet = self.words
        match node:
            case Loop(how=Grid("threads")):
                return self.strided(node, "PA_GRID_THREAD", "PA_GRID_THREADS")
            case Loop(how=Grid("tiles")):
                return [tiles(merged_loops(node), self)]
            case Loop(how=Grid("scans")) | PrefixScan():
                return [launched_scan(node, self)]
            case Loop(how=Grid()):
                return self.strided(node, "PA_BLOCK", "PA_BLOCKS")
            case Loop(how=Serial(), body=body) if not any(isinstance(n, Loop | Parts) for n in nodes(body)):
                return [Macro("PA_UNROLL", ()), *Nodes.node(self, node)]
            case Loop(how=Divided(wait=wait, blocks=True)):
                own = replace(self, words=_BLOCK).strided(node, "PA_TEAM_BLOCK", "PA_TEAM_BLOCKS")
                return [*own, *([Macro(meet, ())] if wait else [])]
            case Loop(how=Divided(wait=wait, product=is_product)):
                meeting: list[Statement] = [Macro(meet, ())] if wait else []
                if is_product:
                    return [product(node, self, self.rooms.get(node), self.words == _TEAM), *meeting]
                return [*self.strided(node, one, all_of_them), *meeting]
            case Region(body=body):
                return [Compound(self.block(body))]
            case Single(body):
                first = Binary("==", Name(one), Number("0"))
                return [If(first, self.block(body), ()), Macro(meet, ())]
            case Barrier():
                return [Macro(meet, ())]
            case Parts():
                return [Compound(tuple(self.block_sum(node)))]
            case SlotPointer(array, slot):
                kind = f"{self.values.ctype(array)} *"
                return [Declare(kind, self.values.array(array).name, (), Cast(kind, Name(f"slot_{slot}")))]
            case _:
                return Nodes.node(self, node)

    def share(self, node: Share) -> list[Statement]:
        """The part of a team of some iterations."""
        low, high = self.value(node.low), self.value(node.high)
        ends = ((node.first, "pa_team_first"), (node.last, "pa_team_last"))
        bounds = [Declare("const int64_t", n, (), Call(part, (low, high))) for n, part in ends]
        return [*bounds, If(Binary("<=", Name(node.first), Name(node.last)), self.block(node.body), ())]

    def block_sum(self, node: Parts) -> Iterator[Statement]:
        """Variables of each thread, its iterations, and what all threads have put together."""
        dtypes = {s.part: s.dtype or self.values.plan.program.arrays[s.array].dtype for s in node.sums}
        for s in node.sums:
            start = constant(identity(s.reduction, dtypes[s.part]), dtypes[s.part])
            yield Declare(TYPES[dtypes[s.part]], s.part, (), start)
        yield from self.strided(node.loop, "PA_THREAD", "PA_THREADS")
        for s in node.sums:
            every = Call(f"pa_block_{s.reduction}_{SUFFIXES[dtypes[s.part]]}", (Name(s.part),))
            yield self.values.update(s.reduction, dtypes[s.part], Name(s.local), every)

    def strided(self, loop: Loop, one: str, all_of_them: str) -> list[Statement]:
        """A loop, and those merged with it: each iteration is that of one number, of as many as all have."""
        loops = merged_loops(loop)
        if len(loops) == 1 and loop.step == 1 and self.values.index_type == WIDE:
            first = Binary("+", self.value(loop.first), Name(one))
            end = Binary("<=", Name(loop.iterator), self.value(loop.last))
            return [For(loop.iterator, first, end, Name(all_of_them), self.block(loop.body))]
        names = [f"pa_n{n}" for n in range(len(loops))]
        lengths: list[Statement] = []
        for name, o in zip(names, loops, strict=True):
            step = Known(number(o.step), "int64_t")
            count = Call("pa_count", (self.value(o.first), self.value(o.last), step))
            lengths.append(Declare("const int64_t", name, (), count))
        iterators: list[Statement] = []
        for n, o in enumerate(loops):
            moved = Binary("*", Known(number(o.step), "int64_t"), place_of("pa_at", names, n))
            iterators.append(
                Declare(f"const {self.values.index_type}", o.iterator, (), Binary("+", self.value(o.first), moved))
            )
        inside_ = (*iterators, *self.block(loops[-1].body))
        every = For("pa_at", Name(one), Binary("<", Name("pa_at"), product_of(names)), Name(all_of_them), inside_)
        return [Compound((*lengths, every))]


def _test(check: CheckedIndex, values: Values, plan: Plan) -> Callable[[Instance], list[Statement]]:
    """Return what an instance of a test does."""

    def test(instance: Instance) -> list[Statement]:
        index = values.data_index(check.statement.body, instance)
        position, extent = Name("position"), Known(affine(check.extent, plan.names.value), "int64_t")
        outside = Binary("||", Binary("<", position, Number("0")), Binary(">=", position, extent))
        told = Do(Call("atomicExch", (Name(_STATUS), Name("POLYAD_ERROR_INDEX"))))
        return [Compound((Declare("const int64_t", "position", (), index), If(outside, (told,), ())))]

    return test


def _launched(plan: Plan, shape: LaunchShape, function: Function, launch: Launch) -> None:
    """Check what the host is told: the kernel and its arguments, who runs it, how many iterations there are."""
    known = _parameters(plan)
    if shape.kernel != function.name:
        raise NotReadError(f"{shape.kernel} is launched in the place of {function.name}", function.line)
    given = tuple(known[name][1] for _, name in function.parameters)
    if shape.parameters != given:
        raise NotReadError(f"{shape.kernel} is given something else than it takes", function.line)
    loops = [n for n in nodes(launch) if isinstance(n, Loop)]
    grids = [loop for loop in loops if isinstance(loop.how, Grid)]
    over = "block" if any(isinstance(n, Region) for n in nodes(launch)) else "thread"
    over = "teams" if is_team(launch) else over
    for grid in grids:
        assert isinstance(grid.how, Grid)
        over = grid.how.over
    scan = next((n for n in nodes(launch) if isinstance(n, PrefixScan)), None)
    over = over if scan is None else "scans"
    if shape.over != over:
        raise NotReadError(f"{shape.kernel} is launched for each of its {shape.over}, not {over}", function.line)
    merged = merged_loops(grids[0]) if grids else ()
    limits = [o.limits for o in merged] or [(n.low, n.high) for n in nodes(launch) if isinstance(n, Share)]
    if len(shape.counts) != len(limits):
        raise NotReadError(f"{shape.kernel} has {len(limits)} loops over its grid", function.line)
    tile = tile_of(merged, merged[-1].body, plan.known.touches) if over == "tiles" else None
    if shape.tiles != (() if tile is None else tuple(_part(o, tile) for o in merged)):
        raise NotReadError(f"{shape.kernel} has tiles of other loops", function.line)
    if shape.tile != (None if tile is None else tile_shape(tile)):
        raise NotReadError(f"{shape.kernel} is launched for other tiles than it computes", function.line)
    steps = [] if scan is None or scan.part == "all" else [scan.state.loop.limits]
    if scan is not None and (shape.lanes != scan.lanes or [len(own) for own in shape.shared] != [1 for _ in steps]):
        raise NotReadError(f"{shape.kernel} has segments of another scan", function.line)
    shared = [own[0] for own in shape.shared] if steps else []
    for count, (first, last) in zip((*shape.counts, *shared), (*limits, *steps), strict=True):
        if count is not None and count not in {h - low + 1 for low in _bounds(first, 0) for h in _bounds(last, 1)}:
            raise NotReadError(f"{shape.kernel} may have more iterations of a loop than {count}", function.line)


def _part(loop: Loop, tile: Tile) -> str:
    return "rows" if loop in tile.rows else "columns" if loop in tile.columns else "batch"


def _bounds(bound: Value, side: int) -> set[Affine]:
    """Formulas that are at most the first bound of a loop, or at least the last one."""
    kind = ("max", "min")[side]

    def of(value: Value) -> set[Affine]:
        match value:
            case Affine():
                return {value}
            case Extreme(op, args) if op == kind:
                return set[Affine]().union(*map(of, args))
            case _:
                return set()

    return of(bound)
