"""From a schedule to loops: isl's AST read into `Block`, `Loop`, `Guard` and `Instance`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count

import islpy as isl

from polyad.codegen.loop_values import Value, add, condition_from_isl, value_from_isl
from polyad.codegen.loops import Block, Guard, Instance, Let, Loop, Node
from polyad.ir.affine import Affine

__all__ = ["domain_loops", "schedule_loops"]


def schedule_loops(schedule: isl.Schedule, context: isl.Set) -> Block:
    """The loops that execute a schedule tree, under what is assumed of the sizes.

    Iterators are isl's: c0, c1, ... by depth. A mark (schedule/marks.py) holds for the loop of the band below it;
    where that loop has one iteration, isl leaves it out, and the mark says nothing of the loops inside.
    """
    marked = schedule.map_schedule_node_bottom_up(_with_depth)
    return _Walk().read(isl.AstBuild.from_context(context).node_from_schedule(marked))


def domain_loops(domain: isl.Set, context: isl.Set) -> Block:
    """The loops that visit { S[i] } in lexicographic order."""
    schedule = isl.Map.identity(domain.get_space().map_from_set()).intersect_domain(domain)
    schedule = schedule.reset_tuple_id(isl.dim_type.out)
    node = isl.AstBuild.from_context(context).node_from_schedule_map(isl.UnionMap.from_map(schedule))
    return _Walk().read(node)


def _with_depth(node: isl.ScheduleNode) -> isl.ScheduleNode:
    """A mark under a name that says which loop it speaks of: `parallel` above the loop c1 is `parallel@1`."""
    if isl.schedule_node_type(node.get_type()) != isl.schedule_node_type.mark:
        return node
    name = f"{node.mark_get_id().get_name()}@{node.get_schedule_depth()}"
    return node.delete().insert_mark(isl.Id(name))


def _depth(iterator: str) -> int:
    """Of isl's iterator: 1 for c1, and for the c1_0 of a program that has a size c1."""
    found = re.match(r"c(\d+)", iterator)
    assert found, f"isl names its iterators c0, c1, ..., this one {iterator}"
    return int(found[1])


class _Walk:
    """Numbers the instances of one tree."""

    def __init__(self) -> None:
        self.numbers = count()

    def read(self, node: isl.AstNode) -> Block:
        return Block(tuple(self.nodes(node, frozenset())))

    def nodes(self, node: isl.AstNode, marks: frozenset[str]) -> Iterator[Node]:
        """The nodes that an AST node stands for; `marks` waits for the next loop."""
        kind = isl.ast_node_type(node.get_type()).name
        if kind == "block":
            for child in _children(node):
                yield from self.nodes(child, marks)
        elif kind == "mark":
            yield from self.nodes(node.mark_get_node(), marks | {node.mark_get_id().get_name()})
        elif kind == "for_":
            yield self.loop(node, marks)
        elif kind == "if_":
            then = Block(tuple(self.nodes(node.if_get_then_node(), marks)))
            other = Block(tuple(self.nodes(node.if_get_else_node(), marks))) if node.if_has_else_node() else None
            yield Guard(condition_from_isl(node.if_get_cond()), then, other)
        else:
            yield self.instance(node.user_get_expr())

    def loop(self, node: isl.AstNode, marks: frozenset[str]) -> Node:
        iterator = node.for_get_iterator().get_id().get_name()
        first = value_from_isl(node.for_get_init())
        body = self.read_body(node.for_get_body())
        if node.for_is_degenerate():
            return Block((Let(iterator, first), *body.children))
        step = int(node.for_get_inc().get_val().to_python())
        last = _inclusive(node.for_get_cond())
        depth = _depth(iterator)
        here = {m.rpartition("@")[0] for m in marks if m.endswith(f"@{depth}")}
        jam = next((int(m.split(" ")[1]) for m in here if m.startswith("jam ")), 1)
        return Loop(iterator, first, last, step, body, "parallel" in here, "simd" in here, jam, "lanes" in here)

    def read_body(self, node: isl.AstNode) -> Block:
        return Block(tuple(self.nodes(node, frozenset())))

    def instance(self, call: isl.AstExpr) -> Node:
        number, name = next(self.numbers), call.get_op_arg(0).get_id().get_name()
        values = [value_from_isl(call.get_op_arg(i)) for i in range(1, call.get_op_n_arg())]
        lets, args = _affine_arguments(values, number)
        instance = Instance(number, name, tuple(args))
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
