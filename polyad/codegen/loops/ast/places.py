"""Places where loops run the instances of statements, each with the conditions on the iterators around it, for isl."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from polyad.codegen.loops.isl_words import isl_affine, isl_condition, isl_conjuncts, isl_with
from polyad.codegen.loops.loop_values import Compare, Value
from polyad.codegen.loops.nodes import Block, Contraction, Guard, Instance, Let, Loop, Node, Share
from polyad.ir.affine import Affine

__all__ = ["Around", "inside", "places"]


@dataclass(frozen=True, slots=True)
class Around:
    """The names and conditions around a node.

    Attributes:
        names: integers, from the outermost one.
        conditions: on sizes and names, under which the node runs.
        bounds: what they say without cases, so that isl has no pieces to look at one by one.
    """

    names: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()

    def under(self, *conditions: str, bounds: Iterable[str], names: tuple[str, ...] = ()) -> Around:
        """With names and conditions more."""
        return Around((*self.names, *names), (*self.conditions, *conditions), (*self.bounds, *bounds))

    def instances(self, instance: Instance) -> str:
        """`S[dims] : exists names : conditions`: the instances of a statement that run here."""
        dims = [f"at_{d}" for d in range(len(instance.args))]
        values = [f"{d} = {isl_affine(a)}" for d, a in zip(dims, instance.args, strict=True)]
        exists = f"exists {', '.join(self.names)} : " if self.names else ""
        conditions = " and ".join([*self.conditions, *values]) or "true"
        return f"{instance.statement}[{', '.join(dims)}] : {exists}{conditions}"

    def at_names(self, instance: Instance, bounds: bool = False) -> str:
        """`[names] -> S[dims] : conditions`: the same, and where; under the bounds alone there may be more."""
        dims = ", ".join(isl_affine(a) for a in instance.args)
        conditions = " and ".join(self.bounds if bounds else self.conditions) or "true"
        return f"[{', '.join(self.names)}] -> {instance.statement}[{dims}] : {conditions}"


def places(node: Node, around: Around) -> Iterator[tuple[Instance, Around]]:
    """The places of statements in a node."""
    if isinstance(node, Instance):
        yield node, around
    for child, here in inside(node, around):
        yield from places(child, here)


def inside(node: Node, around: Around) -> Iterator[tuple[Node, Around]]:
    """The nodes of a node of loops as they come from a schedule, in the order in which they run."""
    match node:
        case Block(children):
            for child in children:
                if isinstance(child, Let):
                    around = _with(around, child.name, child.value)
                else:
                    yield child, around
        case Loop(iterator=name, first=first, step=step, body=body):
            low, high = node.limits
            own = [isl_with(low, lambda v: f"{v} <= {name}"), isl_with(high, lambda v: f"{name} <= {v}")]
            iterator = Affine.of(name)
            bounds = isl_conjuncts(Compare("<=", low, iterator)) + isl_conjuncts(Compare("<=", iterator, high))
            if abs(step) > 1:
                own.append(isl_with(first, lambda v: f"({name} - {v}) mod {abs(step)} = 0"))
                bounds += own[2:] if isinstance(first, Affine) else []
            yield body, around.under(*own, bounds=bounds, names=(name,))
        case Guard(condition, then, otherwise):
            text = isl_condition(condition)
            yield then, around.under(f"({text})", bounds=isl_conjuncts(condition))
            if otherwise is not None:
                yield otherwise, around.under(f"(not ({text}))", bounds=())
        case Share(first=first, last=last, low=low, high=high, body=body):
            yield body, _with(_with(around, first, low), last, high)
        case Contraction(nest=nest):
            yield nest, around
        case Instance():
            return
        case _:
            raise AssertionError("storage is decided later")


def _with(around: Around, name: str, value: Value) -> Around:
    """With a name that has a value."""
    bounds = isl_conjuncts(Compare("==", Affine.of(name), value))
    return around.under(isl_with(value, lambda v: f"{name} = {v}"), bounds=bounds, names=(name,))
