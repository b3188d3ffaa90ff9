"""Sums that nobody else divides, in C: threads sum up PA_PARTS parts of a loop, which are then added in order.

    double value_sum = 0;                       double value_sum = 0;
    for (k = 0; k < N; k += 1)                  double value_parts[PA_PARTS];
      value_sum += y[k] * r[k];                 PA_PARALLEL_FOR_IF(work > threshold)
                                                for (part = 0; part < PA_PARTS; part += 1) {
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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from polyad.codegen.loops.loop_values import add as plus
from polyad.codegen.loops.loops import Block, Guard, Instance, Let, Loop, map_instances, nodes
from polyad.codegen.loops.statement_accesses import Touch
from polyad.codegen.loops.variables import outer_uses
from polyad.codegen.text.expression_text import C_TYPES, SUFFIXES, constant_text
from polyad.codegen.text.integer_text import value_text
from polyad.codegen.text.line_text import broken, indented
from polyad.ir.affine import Affine
from polyad.ir.statement import Reduction
from polyad.ops import REDUCTION_OPS, identity

__all__ = ["PartsText", "Sum", "partial_sums", "renamed"]

_PARTS = "PA_PARTS"


@dataclass(frozen=True, slots=True)
class Sum:
    """A C variable that a loop reduces into.

    Attributes:
        local: the variable.
        array: the scalar that it stands for.
        reduction: how.
        part: the variable of one part.
        parts: the C array of the parts.
    """

    local: str
    array: str
    reduction: Reduction
    part: str
    parts: str


def partial_sums(loop: Loop, touches: Mapping[str, tuple[Touch, ...]], fresh: Callable[[str], str]) -> list[Sum]:
    """What a loop reduces into, where it does nothing else; empty where that is nothing, or it does more.

    Args:
        loop: the loop.
        touches: the accesses of all statements.
        fresh: a C name -> an unused one like it.
    """
    if loop.step != 1 or loop.parallel:
        return []
    inside = list(nodes(loop))
    if any(not isinstance(n, Loop | Guard | Let | Instance | Block) for n in inside):
        return []  # what loads and stores elements, or has a region of its own
    if any(isinstance(n, Loop) and (n.parallel or n.fixed) for n in inside):
        return []
    body = [n for n in inside if isinstance(n, Instance)]
    uses = list(outer_uses(loop, touches))
    outer = {id(u.node) for u in uses if u.assigns}
    found: dict[str, tuple[str, Reduction]] = {}
    for instance in body:
        write = touches[instance.statement][0]
        local = instance.locals.get(write.array)
        if local is not None and id(instance) not in outer:
            continue
        if local is None or write.kind != "contribute" or write.statement.reduction is None:
            return []
        if found.setdefault(local, (write.array, write.statement.reduction))[1] != write.statement.reduction:
            return []
    # All that may be done with a sum is to add to it, and one name may not be another variable inside.
    if any(i.locals.get(t.array) in found for i in body for t in touches[i.statement][1:]):
        return []
    if any(i.locals[touches[i.statement][0].array] in found for i in body if i.declares):
        return []
    stem = {local: local.removesuffix("_sum") for local in found}
    return [
        Sum(local, array, reduction, fresh(f"{stem[local]}_part"), fresh(f"{stem[local]}_parts"))
        for local, (array, reduction) in found.items()
    ]


def renamed(loop: Loop, sums: list[Sum]) -> Loop:
    """The loop of one part, reducing into its own variables."""
    names = {s.local: s.part for s in sums}

    def rename(instance: Instance) -> Instance:
        return replace(instance, locals={a: names.get(v, v) for a, v in instance.locals.items()})

    result = map_instances(rename, loop)
    assert isinstance(result, Loop)
    return result


@dataclass(frozen=True, slots=True, eq=False)
class PartsText:
    """Prints a loop in parts.

    Attributes:
        loop: the loop of one part.
        enough: the condition in C under which there are parts.
        openmp: threads share them.
        dtypes: array -> element type.
        spell: the C name of a size or iterator.
        fresh: a C name -> an unused one like it.
    """

    loop: Loop
    enough: str
    openmp: bool
    dtypes: Mapping[str, str]
    spell: Callable[[str], str]
    fresh: Callable[[str], str]

    def lines(self, sums: Sequence[Sum], vector: list[str], body: list[str]) -> list[str]:
        """The lines.

        Args:
            sums: what the loop reduces into.
            vector: the pragma of the loop.
            body: the lines of its body.
        """
        part, count, some, k = self.fresh("part"), self.fresh("parts"), self.fresh("count"), self.loop.iterator
        first = value_text(self.loop.first, self.spell)
        start = "" if first == "0" else f"{first} + "
        low, high = (f"{start}{some} * {p} / {count}" for p in (part, f"({part} + 1)"))
        head = f"for (int64_t {part} = 0; {part} < {count}; {part} += 1) {{"
        one = [
            *(f"{self.ctype(s)} {s.part} = {self.identity(s)};" for s in sums),
            *vector,
            *broken(f"for (int64_t {k} = {low}; {k} < {high}; {k} += 1) {{"),
            *indented(body),
            "}",
            *(f"{s.parts}[{part}] = {s.part};" for s in sums),
        ]
        inside = [
            *broken(f"const int64_t {count} = {self.enough} ? {_PARTS} : 1;"),
            *broken(f"const int64_t {some} = {self.trips()};"),
            *(f"{self.ctype(s)} {s.parts}[{_PARTS}];" for s in sums),
            *([f"PA_PARALLEL_FOR_IF({count} > 1)"] if self.openmp else []),
            head,
            *indented(one),
            "}",
            head,
            *indented([self.update(s, f"{s.parts}[{part}]") for s in sums]),
            "}",
        ]
        return ["{", *indented(inside), "}"]

    def trips(self) -> str:
        """How many iterations the loop has."""
        first, last = self.loop.first, self.loop.last
        if isinstance(first, Affine):
            return value_text(plus(last, 1 - first), self.spell)
        return f"{value_text(plus(last, Affine.of(1)), self.spell)} - ({value_text(first, self.spell)})"

    def ctype(self, total: Sum) -> str:
        """The C type of a sum."""
        return C_TYPES[self.dtypes[total.array]]

    def identity(self, total: Sum) -> str:
        """What a part begins with."""
        dtype = self.dtypes[total.array]
        return constant_text(identity(total.reduction, dtype), dtype)

    def update(self, total: Sum, value: str) -> str:
        """Takes a part into the sum."""
        suffix = SUFFIXES[self.dtypes[total.array]]
        return REDUCTION_OPS[total.reduction].c.format(acc=total.local, x=value, f=suffix) + ";"
