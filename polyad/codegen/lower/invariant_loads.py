"""Elements that stay the same in a loop are read before it, into variables.

    for k:                                           float mean_here = mean[i]
      y[i, k] = x[i, k] - mean[i]          ->        for k:
                                                       y[i, k] = x[i, k] - mean_here

To a C compiler the store might change what the next iteration reads: `restrict` does not reach the functions that
OpenMP's loops become. Such a loop was neither free of the load nor made of vectors.

Inputs that nothing is written over stay as they are: certificates for all sizes do not follow them into variables.

What must hold: the loop has an iteration, which makes the read in any case, and nothing in the loop writes to the piece
of memory that the element lies in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.codegen.loops.how import Serial, Vector
from polyad.codegen.loops.nodes import Block, Cell, Instance, Load, Loop, Node
from polyad.codegen.loops.nonnegative import at_all_sizes
from polyad.codegen.loops.statement_accesses import always_read
from polyad.codegen.loops.traversal import expand
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine

__all__ = ["invariant_loads"]


def invariant_loads(root: Block, known: StoredProgram) -> Block:
    """Read early what does not change in the innermost loops that write to memory."""

    def one(node: Node) -> Sequence[Node] | None:
        return _loaded(node, known) if isinstance(node, Loop) else None

    return expand(one, root)


def _loaded(loop: Loop, known: StoredProgram) -> list[Node] | None:
    """The loads and the loop after them; None where there are none."""
    body = [n for n in loop.body.children if isinstance(n, Instance)]
    if len(body) < len(loop.body.children) or not isinstance(loop.how, Serial | Vector):
        return None
    written = _written(body, known)
    if not written or not _has_iterations(loop, known):
        return None
    variables: dict[tuple[str, tuple[Affine, ...]], str] = {}
    loads: list[Node] = []
    changed: list[Node] = []
    for instance in body:
        own = dict(instance.locals)
        for element in _same(instance, loop.iterator, known).items():
            array, index = element
            if known.place(array) in written:
                continue
            if element not in variables:
                variables[element] = known.fresh(f"{known.names.arrays[array]}_here")
                loads.append(Load(variables[element], Cell(array, index)))
            own[array] = variables[element]
        changed.append(replace(instance, locals=own))
    return [*loads, replace(loop, body=Block(tuple(changed)))] if loads else None


def _written(body: Sequence[Instance], known: StoredProgram) -> set[str]:
    """The pieces of memory that statements write to."""
    arrays = [(known.touches[i.statement][0].array, i) for i in body]
    return {known.place(array) for array, instance in arrays if array not in instance.locals}


def _same(instance: Instance, iterator: str, known: StoredProgram) -> dict[str, tuple[Affine, ...]]:
    """Array -> the one element of it that an instance reads, whatever the iterator is."""
    statement = known.statements[instance.statement]
    found: dict[str, set[tuple[Affine | None, ...]]] = {}
    for read in statement.reads():
        if read.array not in instance.locals and not known.is_given(read.array):
            found.setdefault(read.array, set()).add(known.index(read, instance))
    sure = {*always_read(statement.body, lambda read: (read.array, known.index(read, instance)))}
    result = {}
    for array, elements in found.items():
        index = tuple(i for i in next(iter(elements)) if i is not None)
        if elements == {index} and (array, index) in sure and not any(iterator in i.names() for i in index):
            result[array] = index
    return result


def _has_iterations(loop: Loop, known: StoredProgram) -> bool:
    """Whether the loop has an iteration at all sizes."""
    low, high = loop.limits
    if not isinstance(low, Affine) or not isinstance(high, Affine):
        return False
    distance, sizes = high - low, known.program.params
    return distance.names() <= {*sizes} and at_all_sizes(distance, sizes, known.program.context)
