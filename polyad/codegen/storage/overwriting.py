"""Contractions that overwrite their result, so that nothing has to fill it with zeros first.

    C = 0                        C  = A * B
    C += A * B         ->        C += D * E
    C += D * E

Inside of loops likewise. The zeros go where, in every iteration of the loops around, the contraction that comes next
adds to exactly the elements they fill, and nobody reads or writes the array in between. Where it is in loops of its
own, over blocks of rows, each of their iterations has elements of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.codegen.loops.nodes import Block, Contraction, Guard, Instance, Loop, Node, Share
from polyad.codegen.loops.statement_accesses import Touches, cell_of
from polyad.codegen.loops.traversal import instances
from polyad.codegen.storage.iteration_sets import Around, declared_by, iterations
from polyad.codegen.storage.touched_arrays import TouchedArrays
from polyad.ir.expr import Const
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["overwrite"]


def overwrite(root: Block, program: Program, touches: Touches, fits: Callable[[Contraction], bool]) -> Block:
    """Let contractions overwrite what was zero.

    Args:
        root: the loops of the program.
        program: the program.
        touches: the accesses of all statements.
        fits: whether the macro-kernel computes a contraction; else its loops are printed, which only add.
    """
    statements = {s.name: s for s in program.statements}
    return _Overwriter(program, statements, touches, fits, TouchedArrays(touches)).block(root, ())


@dataclass(frozen=True, slots=True, eq=False)
class _Overwriter:
    program: Program
    statements: Mapping[str, Statement]
    touches: Touches
    fits: Callable[[Contraction], bool]
    touched: TouchedArrays

    def block(self, block: Block, around: Around) -> Block:
        found: list[Node | None] = [self.inside(c, around) for c in block.children]
        for position, child in enumerate(found):
            adding = None if child is None else _contraction(child)
            if child is None or adding is None or adding.fresh or not self.fits(adding):
                continue
            (name,) = {i.statement for i in instances(adding)}
            array = self.statements[name].array
            before = [p for p in range(position) if (c := found[p]) is not None and array in self.touched(c)]
            filling = found[before[-1]] if before else None
            if filling is None or not self.is_zeros(filling, array):
                continue
            zeros, sums = self.elements(filling, around), self.elements(child, around)
            if zeros is not None and sums is not None and zeros.is_equal(sums) and self.apart(child, around):
                found[before[-1]] = None
                found[position] = _overwriting(child)
        return Block(tuple(c for c in found if c is not None))

    def inside(self, node: Node, around: Around) -> Node:
        """The node with the blocks inside of it rewritten."""
        match node:
            case Block():
                return self.block(node, around)
            case Loop() | Share():
                return replace(node, body=self.block(node.body, (*around, node)))
            case _:
                return node

    def is_zeros(self, node: Node, array: str) -> bool:
        """Whether all that a nest does is to fill an array with zeros."""
        for instance in instances(node):
            s = self.statements[instance.statement]
            if s.array != array or s.reduction is not None or instance.locals:
                return False
            if not isinstance(s.body, Const) or float(s.body.value) != 0.0:
                return False
        return isinstance(node, Loop)

    def apart(self, node: Node, around: Around) -> bool:
        """Whether the iterations of the loops above a contraction write elements of their own."""
        path = list(around)
        while isinstance(node, Loop):
            path.append(node)
            (node,) = node.body.children
        written = self.elements(node, tuple(path))
        if written is None:
            return False
        pairs = written.apply_range(written.reverse())  # { iteration -> iteration that writes one of its elements }
        outer = len(declared_by(around))
        for i in range(outer):
            pairs = pairs.equate(isl.dim_type.in_, i, isl.dim_type.out, i)
        own = range(outer, pairs.dim(isl.dim_type.in_))
        return all(pairs.is_subset(pairs.equate(isl.dim_type.in_, i, isl.dim_type.out, i)) for i in own)

    def elements(self, node: Node, around: Around) -> isl.Map | None:
        """{ [names around] -> array[e] }: what a nest writes in an iteration of the loops around it, if known."""
        params = self.program.params
        result: isl.Map | None = None
        for instance, path in _places(node, ()):
            if path is None:
                return None
            reached = iterations((*around, *path), self.program.context, params)
            write = self.touches[instance.statement][0]
            cell = cell_of(write, instance)
            names = declared_by((*around, *path))
            if not reached.exact or cell is None or any(not i.names() <= {*names, *params} for i in cell):
                return None
            space, where = islx.space(params, "", names), islx.positions(params, names)
            index = islx.multi_aff(space, write.array, [i.to_aff(space, where) for i in cell])
            first, count = len(declared_by(around)), len(declared_by(path))
            part = index.as_map().intersect_domain(reached.points).project_out(isl.dim_type.in_, first, count)
            result = part if result is None else result.union(part)
        return result


def _contraction(node: Node) -> Contraction | None:
    """A contraction, also where it is all that is in loops."""
    while isinstance(node, Loop) and len(node.body.children) == 1:
        (node,) = node.body.children
    return node if isinstance(node, Contraction) else None


def _overwriting(node: Node) -> Node:
    """The same with the contraction overwriting its result."""
    match node:
        case Loop():
            return replace(node, body=Block(tuple(_overwriting(c) for c in node.body.children)))
        case Contraction():
            return replace(node, fresh=True)
        case _:
            return node


def _places(node: Node, path: tuple[Loop | Guard | Share, ...]) -> Iterator[tuple[Instance, Around | None]]:
    """The instances of a nest, each with the nodes between; None where a condition between does not hold."""
    match node:
        case Instance():
            yield node, path
        case Contraction(nest=nest):
            yield from _places(nest, path)
        case Block(inside):
            for child in inside:
                yield from _places(child, path)
        case Loop() | Share():
            for child in node.body.children:
                yield from _places(child, (*path, node))
        case Guard(_, then, otherwise):
            for child in then.children:
                yield from _places(child, (*path, node))
            if otherwise is not None:
                yield from ((i, None) for i in instances(otherwise))
