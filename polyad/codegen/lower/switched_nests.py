"""Nests behind a switch: what nothing needs in a step where a truth value of data is false, is left out there.

    for t:                                       for t:
      matmul[t, i] += W[i, k] * h[t, k]            g[t] = d[t] > 1e-6
      g[t] = d[t] > 1e-6                           if g[t] != 0:
      z[t, i] = tanh(matmul[t, i])                   matmul[t, i] += W[i, k] * h[t, k]
      h[t + 1, i] = z[t, i] if g[t] else h[t, i]   ...

Property: an instance behind a switch is one of which `switches_in` says so, and the element that is tested has
its value there: it was made before the nest around all of it, which reads it, so that its memory is still its own; or
by an instance in front, which moves up if nothing in between touches what it touches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from polyad.analysis.switches import Switches
from polyad.codegen.loops.how import Divided, Serial, Threads
from polyad.codegen.loops.loop_values import Nonzero
from polyad.codegen.loops.nodes import Barrier, Block, Contraction, Guard, Instance, Loop, Node, Share, Single
from polyad.codegen.loops.statement_accesses import index_at
from polyad.codegen.loops.traversal import declared, instances, nodes, with_blocks
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.switched_instances import switches_in
from polyad.ir.affine import Affine

__all__ = ["switched_nests"]

Element = tuple[str, tuple[Affine, ...]]


def switched_nests(root: Block, known: StoredProgram) -> Block:
    """Put nests behind switches."""
    found = switches_in(root, known.program)
    if not found:
        return root
    children = list(root.children)
    for n, child in enumerate(children):
        own = _written([child], known)
        kept = _written(children[n:], known) | _held(root)
        made = (_written(children[:n], known) - kept) & _read([child], known)
        before = {a for a in made if not _shares_memory(a, own, known)}
        children[n] = _Switcher(found, known, frozenset(before), frozenset(own)).node(child)
    return Block(tuple(children))


class _Switcher:
    """The walk through one nest.

    Attributes:
        found: the switches of statements.
        known: facts about the program.
        before: the arrays that are made, all of them, before the nest, and are in memory.
        written: those that it writes.
    """

    def __init__(self, found: Switches, known: StoredProgram, before: frozenset[str], written: frozenset[str]):
        self.found, self.known, self.before, self.written = found, known, before, written

    def node(self, node: Node, tested: frozenset[Element] = frozenset()) -> Node:
        """A node with switches inside of it, but for those that have been tested around it."""
        if isinstance(node, Loop) and not isinstance(node.how, Serial | Threads | Divided):
            return node
        return with_blocks(lambda block: self.block(block, tested), node)

    def block(self, block: Block, tested: frozenset[Element]) -> Block:
        """Put the nests of a block behind their switches; those in a row that have the same one, together.

        Of several the one of the fewest instances: that of an example before that of a step. Inside there may be finer
        ones.
        """
        children = list(block.children)
        for element in list(dict.fromkeys(e for c in children for e in self.elements(c) if e not in tested)):
            children = self.moved_up(children, element)
        result: list[Node] = []
        for n, child in enumerate(children):
            own = [e for e in self.elements(child) if e not in tested]
            tests = {e: t for e in own if (t := self.test(e, children[:n])) is not None}
            inside = self.node(child, tested | tests.keys())
            if not tests:
                result.append(inside)
                continue
            test = tests[max(tests, key=lambda e: len(e[1]))]
            if result and isinstance(result[-1], Guard) and result[-1].condition == test:
                result[-1] = Guard(test, Block((*result[-1].then.children, inside)))
            else:
                result.append(Guard(test, Block((inside,))))
        return Block(tuple(result))

    def elements(self, node: Node) -> list[Element]:
        """The elements each of which is a switch of all that a nest does."""
        if not isinstance(node, Loop | Contraction) or any(
            isinstance(n, Barrier | Single | Share) for n in nodes(node)
        ):
            return []
        if any(isinstance(n, Loop) and isinstance(n.how, Divided) for n in nodes(node)):
            return []
        inner, common = declared(node), None
        for instance in instances(node):
            values = dict(zip(self.known.statements[instance.statement].dims, instance.args, strict=True))
            switches = self.found.get(instance.statement, {})
            own = {g: tuple(i.substitute(values) for i in index) for g, index in switches.items()}
            common = own if common is None else {g: i for g, i in common.items() if own.get(g) == i}
        return [(g, index) for g, index in (common or {}).items() if not any(i.names() & inner for i in index)]

    def test(self, element: Element, before: Sequence[Node]) -> Nonzero | None:
        """The test of an element behind some nodes of its block, None where it may not have its value yet."""
        array, index = element
        if array in self.before:
            return Nonzero(array, index)
        for node in before:
            if isinstance(node, Instance) and self.makes(node, element):
                local = node.locals.get(array)
                if local is None and not _shares_memory(array, self.written, self.known):
                    return Nonzero(array, index)
                return Nonzero(array, index, local) if isinstance(local, str) and node.declares else None
        return None

    def makes(self, instance: Instance, element: Element) -> bool:
        """Whether an instance defines an element."""
        write = self.known.touches[instance.statement][0]
        return (write.array, index_at(write, instance)) == element and write.kind == "define"

    def moved_up(self, children: list[Node], element: Element) -> list[Node]:
        """The instance that makes an element, in front of the first nest behind its switch if that changes nothing."""
        first = next((n for n, c in enumerate(children) if element in self.elements(c)), len(children))
        at = next((n for n, c in enumerate(children) if isinstance(c, Instance) and self.makes(c, element)), -1)
        if at <= first:
            return children
        maker, between = children[at], children[first:at]
        assert isinstance(maker, Instance)
        write, *reads = self.known.touches[maker.statement]
        inside = [i for n in between for i in instances(n)]
        touched = {t.array for i in inside for t in self.known.touches[i.statement]}
        held = {array for i in inside for array in i.locals}
        if not all(isinstance(n, Instance | Loop | Contraction) or _is_sized(n) for n in between):
            return children
        places = {self.known.place(a) for a in touched - {t.array for t in reads}}
        changed = {self.known.place(a) for a in _written(between, self.known)}
        stays = any(self.known.place(t.array) in changed or t.array in held for t in reads)
        if (
            stays
            or write.array in touched
            or (write.array not in maker.locals and self.known.place(write.array) in places)
        ):
            return children
        return [*children[:first], maker, *children[first:at], *children[at + 1 :]]


def _is_sized(node: Node) -> bool:
    """Whether a node runs something where sizes and indices say so."""
    return isinstance(node, Guard) and not isinstance(node.condition, Nonzero)


def _written(some: Sequence[Node], known: StoredProgram) -> set[str]:
    """The arrays that nodes write."""
    return {known.statements[i.statement].array for node in some for i in instances(node)}


def _read(some: Sequence[Node], known: StoredProgram) -> set[str]:
    """The arrays that nodes read: storage keeps them until then."""
    return {t.array for node in some for i in instances(node) for t in known.touches[i.statement][1:]}


def _held(root: Block) -> set[str]:
    """The arrays of which elements are in C variables somewhere."""
    return {array for i in instances(root) for array in i.locals}


def _shares_memory(array: str, others: Iterable[str], known: StoredProgram) -> bool:
    """Whether an array lies where another one lies."""
    return any(o != array and known.place(o) == known.place(array) for o in others)
