"""Loops marked `parts`: threads sum up parts of a loop, which are then added in order.

    double value_sum = 0;                       double value_sum = 0;
    for (k = 0; k < N; k += 1)                  double value_parts[PA_PARTS];
      value_sum += y[k] * r[k];                 threads(work > least) for (part = 0; part < PA_PARTS; part += 1) {
                                                  double value_part = 0;
                                                  for (k = N * part / PA_PARTS; k < N * (part + 1) / PA_PARTS; k += 1)
                                                    value_part += y[k] * r[k];
                                                  value_parts[part] = value_part;
                                                }
                                                for (part = 0; part < PA_PARTS; part += 1)
                                                  value_sum += value_parts[part];

The number of parts follows from the work, not from the number of threads, so the result does not depend on those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from polyad.codegen.loops.how import InParts, OneVector, Work, in_threads, is_jammed
from polyad.codegen.loops.instance import Local
from polyad.codegen.loops.nodes import Block, Guard, Instance, Let, Loop, Node, Parts, Sum
from polyad.codegen.loops.traversal import expand, map_instances, nodes, outermost_loops
from polyad.codegen.loops.variables import outer_uses
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.statement import Reduction

__all__ = ["partial_sums", "parts_of", "sums_of"]


def partial_sums(root: Block, known: StoredProgram) -> Block:
    """Put loops marked `parts` that do nothing but reduce, and are not known to be small, into parts."""
    outermost = frozenset(outermost_loops(root))

    def one(node: Node) -> Sequence[Node] | None:
        match node:
            case Loop(how=InParts(within, mark)):
                whole = replace(node, how=within)
                parts = _parts(whole, known, mark) if node in outermost else None
                return expand(one, Block((whole,))).children if parts is None else [parts]
            case _:
                return None

    return expand(one, root)


def _parts(loop: Loop, known: StoredProgram, mark: int | None) -> Parts | None:
    work = known.work(loop)
    sums = [] if work.is_enough is False else sums_of(loop, known)
    return parts_of(loop, sums, known, work, known.options.openmp, mark) if sums else None


def parts_of(
    loop: Loop, sums: Sequence[Sum], known: StoredProgram, work: Work, threads: bool, mark: int | None = None
) -> Parts:
    """A loop in parts, which reduces into the variables of a part."""
    names: dict[Local, str] = {s.local: s.part for s in sums}

    def rename(instance: Instance) -> Instance:
        return replace(instance, locals={a: names.get(v, v) for a, v in instance.locals.items()})

    part = map_instances(rename, loop)
    assert isinstance(part, Loop)
    counters = (known.fresh("part"), known.fresh("parts"), known.fresh("count"))
    return Parts(part, tuple(sums), work, counters, threads, mark)


def sums_of(loop: Loop, known: StoredProgram, writes: Callable[[Instance], bool] = lambda _: False) -> list[Sum]:
    """Return the sums of a loop that does nothing else; empty where it has none, or does more.

    Args:
        loop: the loop.
        known: of the program.
        writes: whether an instance may write the element of memory that it writes.
    """
    if loop.step != 1 or in_threads(loop.how) or is_jammed(loop.how):
        return []
    inside = list(nodes(loop))
    if any(not isinstance(n, Loop | Guard | Let | Instance | Block) for n in inside):
        return []  # what loads and stores elements, or has a region of its own
    if any(isinstance(n, Loop) and (in_threads(n.how) or isinstance(n.how, OneVector)) for n in inside):
        return []
    body = [n for n in inside if isinstance(n, Instance)]
    outer = {id(u.node) for u in outer_uses(loop, known.touches) if u.assigns}
    found: dict[str, tuple[str, Reduction]] = {}
    for instance in body:
        write = known.touches[instance.statement][0]
        local = instance.locals.get(write.array)
        if (local is not None and id(instance) not in outer) or (local is None and writes(instance)):
            continue
        if not isinstance(local, str) or write.kind != "contribute" or write.statement.reduction is None:
            return []
        if found.setdefault(local, (write.array, write.statement.reduction))[1] != write.statement.reduction:
            return []
    # All that may be done with a sum is to add to it, and one name may not be another variable inside.
    if any(i.locals.get(t.array) in found for i in body for t in known.touches[i.statement][1:]):
        return []
    if any(i.locals[known.touches[i.statement][0].array] in found for i in body if i.declares):
        return []
    stem = {local: local.removesuffix("_sum") for local in found}
    return [
        Sum(local, array, reduction, known.fresh(f"{stem[local]}_part"), known.fresh(f"{stem[local]}_parts"))
        for local, (array, reduction) in found.items()
    ]
