"""Reductions into memory accumulate in a C variable and store once.

    for (n ...) {                                for (n ...) {
      y[n] = 0;                                    double y_sum = 0;
      for (k ...) y[n] += A[n, k] * x[k];          for (k ...) y_sum += A[n, k] * x[k];
    }                                              y[n] = y_sum;
                                                 }

A loop that reduces into several elements has a variable for each.

The compiler cannot do this by itself where it cannot exclude that y and A overlap, and `omp simd reduction` needs a
variable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from polyad.codegen.loops.how import Parallel
from polyad.codegen.loops.nodes import Block, Cell, Guard, Instance, Load, Loop, Node, Share, Store
from polyad.codegen.loops.statement_accesses import Touches, cell_of
from polyad.codegen.loops.traversal import declared, instances, map_instances, nodes
from polyad.ir.affine import Affine

__all__ = ["accumulate"]

Fresh = Callable[[str, str], str]
Around = tuple[Loop | Guard | Share, ...]
Inside = Callable[[Cell, Around], bool]
Touched = Callable[[Node], frozenset[str]]  # child of a block -> the arrays that it touches in memory


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """Children `first` to `last` of a block that reduce into one element; `defined`: `first` is its definition."""

    cell: Cell
    reduction: str
    first: int
    last: int
    defined: bool


def accumulate(root: Block, touches: Touches, fresh: Fresh, inside: Inside) -> Block:
    """Rewrite the reductions of a tree, at the outermost possible place each.

    Args:
        root: the loops.
        touches: the accesses of all statements.
        fresh: (array, reduction) -> an unused name for a variable.
        inside: (element, loops around the block that names it, and guards whose conditions hold there) -> whether the
            element may be loaded and stored in all their iterations, also when the loops around its contributions turn
            out to be empty.
    """
    return _block(root, (), touches, fresh, inside)


def _block(block: Block, around: Around, touches: Touches, fresh: Fresh, inside: Inside) -> Block:
    @cache  # a block of n nests is asked for each of n arrays
    def touched(child: Node) -> frozenset[str]:
        return frozenset(t.array for i in instances(child) for t in touches[i.statement] if t.array not in i.locals)

    writes = (touches[i.statement][0] for c in block.children for i in instances(c))
    for array in dict.fromkeys(w.array for w in writes if w.kind == "contribute"):
        for run in reversed(_runs(block, array, touches, touched)):
            if run.defined or inside(run.cell, around):
                block = _apply(block, run, fresh(array, run.reduction), touches)
        for position in reversed(range(len(block.children))):
            child = block.children[position]
            cells = _several(child, array, touches) if array in touched(child) else []
            if cells and all(inside(cell, around) for cell, _ in cells):
                for cell, reduction in cells:
                    run = _Run(cell, reduction, position, position, False)
                    block = _apply(block, run, fresh(array, reduction), touches)
                    position += 1
    return Block(tuple(_descend(c, around, touches, fresh, inside) for c in block.children))


def _descend(node: Node, around: Around, touches: Touches, fresh: Fresh, inside: Inside) -> Node:
    match node:
        case Block():
            return _block(node, around, touches, fresh, inside)
        case Loop() | Share():
            return replace(node, body=_block(node.body, (*around, node), touches, fresh, inside))
        case Guard(_, then, otherwise):
            other = _block(otherwise, around, touches, fresh, inside) if otherwise is not None else None
            return replace(node, then=_block(then, (*around, node), touches, fresh, inside), otherwise=other)
        case _:
            return node


def _runs(block: Block, array: str, touches: Touches, touched: Touched) -> list[_Run]:
    """The maximal runs of children that reduce into one element of `array` and do not otherwise touch it."""
    found: list[_Run] = []
    current: _Run | None = None
    for position, child in enumerate(block.children):
        if array not in touched(child):
            continue
        defined = _definition(child, array, touches)
        reduced = _reduction(child, array, touches)
        if defined is not None:
            current = _Run(defined, "", position, position, True)
        elif reduced is not None and current is not None and current.cell.index == reduced[0].index:
            current = replace(current, last=position, reduction=reduced[1])
        elif reduced is not None:
            current = _Run(reduced[0], reduced[1], position, position, False)
        else:
            current = None
            continue
        found = [r for r in found if r.first != current.first] + [current]
    # A definition without contributions is stored where it stands.
    return [r for r in found if r.reduction]


def _definition(node: Node, array: str, touches: Touches) -> Cell | None:
    """The element, when the node is an instance that defines it and reads no other of the array."""
    if not isinstance(node, Instance):
        return None
    own = [t for t in touches[node.statement] if t.array == array]
    cell = cell_of(own[0], node)
    return Cell(array, cell) if len(own) == 1 and own[0].kind == "define" and cell is not None else None


def _reduction(node: Node, array: str, touches: Touches) -> tuple[Cell, str] | None:
    """(element, reduction), when a loop nest does nothing with the array but contribute to one fixed element of it."""
    found = _reductions(node, array, touches)
    return found[0] if len(found) == 1 else None


def _several(node: Node, array: str, touches: Touches) -> list[tuple[Cell, str]]:
    """(element, reduction) of each element, when a loop nest contributes to several that are never the same."""
    found = _reductions(node, array, touches)
    apart = all(_differ(a, b) for i, (a, _) in enumerate(found) for b, _ in found[i + 1 :])
    return found if len(found) > 1 and apart else []


def _differ(a: Cell, b: Cell) -> bool:
    """Whether two elements of an array are different ones whatever the values of sizes and iterators."""
    return any((i - j).is_constant and (i - j).constant != 0 for i, j in zip(a.index, b.index, strict=True))


def _reductions(node: Node, array: str, touches: Touches) -> list[tuple[Cell, str]]:
    """(element, reduction) of the fixed elements to which a nest contributes, none if it does more to the array."""
    if not isinstance(node, Loop | Guard) or any(
        isinstance(n, Loop) and isinstance(n.how, Parallel) for n in nodes(node)
    ):
        return []
    found: dict[tuple[Affine, ...], tuple[Cell, str]] = {}
    for instance in instances(node):
        for touch in touches[instance.statement]:
            if touch.array != array or touch.array in instance.locals:
                continue
            index = cell_of(touch, instance)
            if touch.kind != "contribute" or index is None:
                return []
            found[index] = (Cell(array, index), touch.statement.reduction or "")
    if not any(isinstance(n, Loop) for n in nodes(node)):
        return []
    inner = declared(node)
    return [] if any(i.names() & inner for index in found for i in index) else list(found.values())


def _writes(instance: Instance, cell: Cell, touches: Touches) -> bool:
    write = touches[instance.statement][0]
    if write.array != cell.array or write.array in instance.locals:
        return False
    return cell_of(write, instance) == cell.index


def _apply(block: Block, run: _Run, local: str, touches: Touches) -> Block:
    """Let the run work on a variable."""

    def rename(instance: Instance) -> Instance:
        if not _writes(instance, run.cell, touches):
            return instance
        return replace(instance, locals={**instance.locals, run.cell.array: local})

    before, within, after = (
        block.children[: run.first],
        block.children[run.first : run.last + 1],
        block.children[run.last + 1 :],
    )
    renamed = [map_instances(rename, n) for n in within]
    if run.defined:
        assert isinstance(renamed[0], Instance)
        renamed[0] = replace(renamed[0], declares=True)
    else:
        renamed.insert(0, Load(local, run.cell))
    return Block((*before, *renamed, Store(local, run.cell), *after))
