"""From a schedule to loops: isl's AST read into `Block`, `Loop`, `Guard` and `Instance`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

import islpy as isl

from polyad import islx
from polyad.codegen.loops import how
from polyad.codegen.loops.ast.coverage import proved
from polyad.codegen.loops.ast.share_nodes import ShareLimits, Shares
from polyad.codegen.loops.how import How
from polyad.codegen.loops.loop_values import Value, add, condition_from_isl, value_from_isl
from polyad.codegen.loops.nodes import Block, Guard, Instance, Let, Loop, Node, Share
from polyad.codegen.loops.traversal import substitute
from polyad.ir.affine import Affine
from polyad.schedule.tree.marks import (
    ContractionMark,
    JamMark,
    Kind,
    LanesMark,
    ParallelMark,
    PartsMark,
    PrefixMark,
    RegionMark,
    ShareMark,
    SimdMark,
)
from polyad.schedule.tree.nodes import Band, Mark, Order, from_isl, map_nodes, to_isl
from polyad.schedule.tree.nodes import Node as Tree

__all__ = ["domain_loops", "schedule_loops"]

_NAMED_TUPLE = re.compile(r"([A-Za-z_]\w*)\[")
"""The beginning of `S[i, j]` in the text of a schedule tree."""

_PIECES = re.compile(r"\{ ([^{}]*) \}")
"""The sets, or functions, of one statement each, in it."""

_QUOTIENT = re.compile(r"\bfloor\(|\bmod\b")
"""What a tile is written with in it."""


def schedule_loops(
    schedule: isl.Schedule, context: isl.Set, dims: Mapping[str, tuple[str, ...]], taken: set[str]
) -> Block:
    """The loops that execute a schedule tree.

    Args:
        schedule: the tree.
        context: what is assumed of the sizes.
        dims: statement -> its dims.
        taken: identifiers that new names must avoid.

    Iterators are isl's: c0, c1, ... by depth. A mark (schedule/tree/marks.py) holds for the loop of the band below it;
    where that loop has one iteration, isl leaves it out, and the mark says nothing of the loops inside.

    isl keeps statements in tables by the hash of their names, and meets them in the order of these tables. So it is
    given numbers for names: what statements are called must not decide where a guard stands.

    Where nothing has a name, neither sizes nor limits of threads, nothing stands around nests that follow one another:
    each is given to isl by itself, and nests that differ in what statements are called are given once.

    Raises:
        ScheduleError: isl's loops are not those of the schedule, however its sets are written (coverage.py).
    """
    domain, tree = schedule.get_domain(), from_isl(schedule.get_root().child(0))
    orders = schedule.get_map() if _QUOTIENT.search(str(schedule)) else None

    def loops(larger: isl.UnionSet | None) -> Block:
        if larger is None:
            return _loops(domain, tree, context, dims, taken)
        return _loops(larger, _over(tree, domain, larger), context, dims, taken)

    return proved(loops, domain, context, dims, orders)


def _over(tree: Tree, domain: isl.UnionSet, larger: isl.UnionSet) -> Tree:
    """The tree of a domain over a larger one: what its functions and filters say of the domain is taken out."""

    def grown(part: isl.UnionSet) -> isl.UnionSet:
        whole = [s for s in islx.sets(part) if s.is_equal(domain.extract_set(s.get_space()))]
        return islx.union_set([larger.extract_set(s.get_space()) for s in whole], part.get_space()).union(part)

    def one(node: Tree) -> Tree:
        match node:
            case Band(partial=partial):
                return replace(node, partial=partial.gist(domain))
            case Order(children):
                return replace(node, children=tuple((grown(part), child) for part, child in children))
            case _:
                return node

    return map_nodes(tree, one)


def _loops(
    domain: isl.UnionSet, tree: Tree, context: isl.Set, dims: Mapping[str, tuple[str, ...]], taken: set[str]
) -> Block:
    """The loops as isl makes them."""
    nests, apart = [(domain, tree)], False
    if isinstance(tree, Order) and not islx.param_names(context):
        nests, apart = [(domain.intersect(part), child) for part, child in tree.children], True
    places = {name: k for k, name in enumerate(dims)}
    numbers, first, unavailable = count(), 0, set(taken)
    made: dict[str, isl.AstNode] = {}
    found: list[Node] = []
    for within, nest in nests:
        shares = Shares(dims, context, set(taken))
        marks = _Marks(shares, first)
        schedule = to_isl(within, nest, marks.number)
        # Shares first: they take a loop out of the tree, and depths count loops.
        if ShareMark() in marks.kinds:
            schedule = schedule.map_schedule_node_bottom_up(marks.parted)
        if marks.kinds:
            schedule.get_root().foreach_descendant_top_down(marks.with_depth)
        names = dict.fromkeys(_in_order(within, nest, places)) if apart else places
        text = _numbered(str(schedule), {name: f"S{k}" for k, name in enumerate(names)})
        if text not in made:
            made[text] = isl.AstBuild.from_context(context).node_from_schedule(isl.Schedule(text))
        limits = shares.told_apart(unavailable)
        nodes = _Walk(marks, {f"S{k}": name for k, name in enumerate(names)}, numbers).read(made[text]).children
        found += (substitute(node, limits) for node in nodes) if limits else nodes
        first += len(marks.kinds)
    return Block(tuple(found))


def _in_order(domain: isl.UnionSet, tree: Tree, places: Mapping[str, int]) -> Iterator[str]:
    """The statements of a tree as it runs them; those of one leaf in the order of their places in the program."""
    match tree:
        case Order(children):
            for part, child in children:
                yield from _in_order(part, child, places)
        case Band(child=child) | Mark(child=child):
            yield from _in_order(domain, child, places)
        case _:
            yield from sorted((s.get_tuple_name() for s in islx.sets(domain)), key=places.__getitem__)


def _numbered(schedule: str, numbers: Mapping[str, str]) -> str:
    """The text of a tree with numbers for the names of statements, and the pieces of its sets in their order."""
    text = _NAMED_TUPLE.sub(lambda m: numbers.get(m[1], m[1]) + "[", schedule)
    return _PIECES.sub(lambda m: "{ " + "; ".join(sorted(m[1].split("; "))) + " }", text)


def domain_loops(domain: isl.Set, context: isl.Set, dims: Sequence[str]) -> Block:
    """The loops that visit { S[dims] } in lexicographic order.

    Raises:
        ScheduleError: isl's loops lose some of them (coverage.py).
    """

    def loops(larger: isl.UnionSet | None) -> Block:
        return _visiting(domain if larger is None else isl.Set.from_union_set(larger), context)

    return proved(loops, isl.UnionSet.from_set(domain), context, {domain.get_tuple_name(): dims})


def _visiting(domain: isl.Set, context: isl.Set) -> Block:
    schedule = isl.Map.identity(domain.get_space().map_from_set()).intersect_domain(domain)
    schedule = schedule.reset_tuple_id(isl.dim_type.out)
    node = isl.AstBuild.from_context(context).node_from_schedule_map(isl.UnionMap.from_map(schedule))
    return _Walk(_Marks(None), {}, count()).read(node)


@dataclass(slots=True, eq=False)
class _Marks:
    """The marks of a tree, which have numbers for names while isl generates code.

    Attributes:
        shares: makes nodes of marks `share` that isl's code generator understands.
        before: how many there are in the trees that run before.
        kinds: what each stands for.
        depths: number -> the depth of the loop it speaks of: 1 for c1.
    """

    shares: Shares | None
    before: int = 0
    kinds: list[Kind] = field(default_factory=list)
    depths: dict[int, int] = field(default_factory=dict)

    def number(self, kind: Kind) -> str:
        """The name of one more."""
        self.kinds.append(kind)
        return str(len(self.kinds) - 1)

    def parted(self, node: isl.ScheduleNode) -> isl.ScheduleNode:
        """The tree at a node without the loop of a mark `share`; where that cannot be, the mark is `parallel`."""
        number = _number(node)
        if number is None or self.kinds[number] != ShareMark():
            return node
        assert self.shares is not None, "trees have shares, and sets of instances no marks"
        rewritten = self.shares.rewrite(node, number)
        if rewritten is None:
            self.kinds[number] = ParallelMark()
        return node if rewritten is None else rewritten

    def with_depth(self, node: isl.ScheduleNode) -> bool:
        """Note of which loop a mark speaks."""
        number = _number(node)
        if number is not None:
            self.depths[number] = node.get_schedule_depth()
        return True

    def how_of(self, numbers: Iterable[int]) -> How:
        """Return how to run a loop by its marks; one that stands for several leaves out those of the others."""
        within: How = how.Serial()
        threads_last = sorted(
            numbers, key=lambda n: (isinstance(self.kinds[n], ParallelMark | PartsMark), str(self.kinds[n]))
        )
        for number in threads_last:
            match self.kinds[number]:
                case SimdMark():
                    within = how.Simd()
                case LanesMark():
                    within = how.Lanes()
                case JamMark(count):
                    within = how.Jam(count)
                case PrefixMark(steps):
                    within = how.Prefix(steps, self.before + number)
                case PartsMark(simd):
                    within = how.InParts(how.Simd() if simd else within, self.before + number)
                case RegionMark():
                    within = how.InRegion(self.before + number)
                case ParallelMark():
                    within = how.Parallel(within)
        return within


def _number(node: isl.ScheduleNode) -> int | None:
    """The number of a mark, None for other nodes."""
    is_mark = isl.schedule_node_type(node.get_type()) == isl.schedule_node_type.mark
    return int(node.mark_get_id().get_name()) if is_mark else None


def _depth(iterator: str) -> int:
    """Of isl's iterator: 1 for c1, and for the c1_0 of a program that has a size c1."""
    found = re.match(r"c(\d+)", iterator)
    assert found, f"isl names its iterators c0, c1, ..., this one {iterator}"
    return int(found[1])


class _Walk:
    """Reads the loops of one tree; `numbers` are those of the instances."""

    def __init__(self, marks: _Marks, names: Mapping[str, str], numbers: Iterator[int]) -> None:
        self.numbers = numbers
        self.marks = marks
        self.names = names

    def read(self, node: isl.AstNode) -> Block:
        return Block(tuple(self.nodes(node, frozenset())))

    def nodes(self, node: isl.AstNode, marks: frozenset[int]) -> Iterator[Node]:
        """The nodes that an AST node stands for; `marks` waits for the next loop."""
        kind = isl.ast_node_type(node.get_type()).name
        if kind == "block":
            for child in _children(node):
                yield from self.nodes(child, marks)
        elif kind == "mark":
            number = int(node.mark_get_id().get_name())
            if self.marks.kinds[number] == ShareMark():
                assert self.marks.shares is not None
                yield self.share(node.mark_get_node(), self.marks.shares.found[number])
            else:
                yield from self.nodes(node.mark_get_node(), marks | {number})
        elif kind == "for_":
            yield self.loop(node, marks)
        elif kind == "if_":
            then = Block(tuple(self.nodes(node.if_get_then_node(), marks)))
            other = Block(tuple(self.nodes(node.if_get_else_node(), marks))) if node.if_has_else_node() else None
            yield Guard(condition_from_isl(node.if_get_cond()), then, other)
        else:
            yield self.instance(node.user_get_expr())

    def share(self, node: isl.AstNode, limits: ShareLimits) -> Node:
        body = Block(tuple(self.nodes(node, frozenset())))
        return Share(limits.first, limits.last, limits.low, limits.high, body, limits.rows)

    def loop(self, node: isl.AstNode, marks: frozenset[int]) -> Node:
        iterator = node.for_get_iterator().get_id().get_name()
        first = value_from_isl(node.for_get_init())
        contraction = frozenset(m for m in marks if self.marks.kinds[m] == ContractionMark())
        # A contraction is a whole band: where its first loop has one iteration, the next one begins it.
        body = Block(tuple(self.nodes(node.for_get_body(), contraction if node.for_is_degenerate() else frozenset())))
        if node.for_is_degenerate():
            return Block((Let(iterator, first), *body.children))
        step = int(node.for_get_inc().get_val().to_python())
        last = _inclusive(node.for_get_cond())
        depth = _depth(iterator)
        here = [m for m in marks if self.marks.depths[m] == depth]
        kind = how.Macro(self.marks.before + min(contraction)) if contraction else self.marks.how_of(here)
        return Loop(iterator, first, last, step, body, kind)

    def instance(self, call: isl.AstExpr) -> Node:
        number, name = next(self.numbers), call.get_op_arg(0).get_id().get_name()
        values = [value_from_isl(call.get_op_arg(i)) for i in range(1, call.get_op_n_arg())]
        lets, args = _affine_arguments(values, number)
        instance = Instance(number, self.names.get(name, name), tuple(args))
        return Block((*lets, instance)) if lets else instance


def _affine_arguments(values: Sequence[Value], number: int) -> tuple[list[Let], list[Affine]]:
    """Give arguments that are not affine a name of their own."""
    lets: list[Let] = []
    args: list[Affine] = []
    for position, value in enumerate(values):
        if isinstance(value, Affine):
            args.append(value)
        else:
            lets.append(Let(f"arg{number}_{position}", value))
            args.append(Affine.of(lets[-1].name))
    return lets, args


def _inclusive(condition: isl.AstExpr) -> Value:
    """The bound of `c <= bound` or `c < bound`, as the greatest value allowed."""
    bound = value_from_isl(condition.get_op_arg(1))
    return (
        add(bound, Affine.of(-1)) if isl.ast_expr_op_type(condition.get_op_type()) == isl.ast_expr_op_type.lt else bound
    )


def _children(node: isl.AstNode) -> list[isl.AstNode]:
    found = node.block_get_children()
    return [found.get_at(i) for i in range(found.n_ast_node())]
