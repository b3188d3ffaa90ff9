"""Register blocks: loops marked `jam` and `lanes` become loops over blocks of iterations, and a rest.

    jam 2: for (i = 0; i < N; i += 1) {      for (i = 0; i < N - 1; i += 2) {
             float s = c[i];                   float s_0 = c[i];
             for (k ...) s += a[i, k];         float s_1 = c[i + 1];
             y[i] = s;                         for (k ...) { s_0 += a[i, k]; s_1 += a[i + 1, k]; }
           }                                   y[i] = s_0;
                                               y[i + 1] = s_1;
                                             }
                                             the loop itself for i = N / 2 * 2 ... N - 1

`lanes` is the same with vectors: each statement becomes a short loop of fixed length over the lanes, each variable an
array of as many elements, which compilers keep in one vector register. The loops may run statement by statement
(schedule/legality.py) where no loop inside has bounds that depend on the iterator, and where no two iterations work on
variables of their own for one element. Contributions of all iterations to one element in memory are added up in a
variable:

    jam 2: for (k = 0; k < N; k += 1)        for (k = 0; k < N - 1; k += 2)
             for (j ...) y[j] += a[k, j];      for (j ...) { float s = y[j]; s += a[k, j]; s += a[k + 1, j]; y[j] = s; }

Source: J. Allen, K. Kennedy, Optimizing compilers for modern architectures, 2001, section 8.4 (unroll and jam).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from polyad.codegen.loops.loop_values import (
    Choice,
    Combine,
    Compare,
    Condition,
    Extreme,
    Value,
    add,
    map_value,
    names_of,
)
from polyad.codegen.loops.loops import (
    Block,
    Cell,
    Declare,
    Guard,
    Instance,
    Let,
    Load,
    Loop,
    Node,
    Store,
    nodes,
    substitute,
)
from polyad.codegen.loops.statement_accesses import Touch, cell_of
from polyad.ir.affine import Affine
from polyad.ir.names import unique_name

__all__ = ["RegisterBlocks"]

_Leaf = Instance | Load | Store


@dataclass(frozen=True, slots=True, eq=False)
class RegisterBlocks:
    """Rewrites marked loops when they are printed: all decisions on storage and threads see the plain loops.

    Attributes:
        touches: the accesses of all statements.
        item_bytes: array -> bytes of an element.
        params: the sizes.
        taken: all identifiers in use.
        vector_bytes: of a vector of lanes.
        strips: vectors of lanes in a block.
    """

    touches: Mapping[str, tuple[Touch, ...]]
    item_bytes: Mapping[str, int]
    params: frozenset[str]
    taken: frozenset[str]
    vector_bytes: int
    strips: int

    def of(self, loop: Loop) -> Sequence[Node]:
        """The loop in blocks, its marks used up; the loop itself where that cannot be done."""
        plain = replace(loop, jam=1, lanes=False)
        if loop.step != 1 or not isinstance(loop.first, Affine) or not self._jammable(loop):
            return [plain]
        if loop.lanes:
            return self._lanes(plain)
        width = loop.jam
        body = self._copies(loop.body, loop.iterator, width, 1)
        whole = _whole(loop, width)
        if whole is not None:
            condition, last = whole
            block = substitute(body, {loop.iterator: loop.first})
            assert isinstance(block, Block)
            return [block if condition is None else Guard(condition, block, Block((replace(plain, last=last),)))]
        blocks = replace(plain, last=add(loop.last, Affine.of(1 - width)), step=width, body=body)
        return [n for n in (blocks, self._rest(plain, width)) if n is not None and not _is_empty(n)]

    def _lanes(self, loop: Loop) -> Sequence[Node]:
        """Blocks of some vectors, blocks of one, and what is left over one by one."""
        width = self.vector_bytes // max(self.item_bytes[self._array(i)] for i in _instances(loop))
        body = self._vector(loop.body, loop.iterator, width)
        strips = self.strips * width
        block = replace(
            loop,
            last=add(loop.last, Affine.of(1 - strips)),
            step=strips,
            body=self._vector(self._copies(loop.body, loop.iterator, self.strips, width), loop.iterator, width),
        )
        single = self._rest(
            replace(loop, step=width, last=add(loop.last, Affine.of(1 - width)), body=body), strips, loop
        )
        rest = self._rest(loop, width)
        return [n for n in (block, single, rest) if n is not None and not _is_empty(n)]

    def _rest(self, loop: Loop, width: int, whole: Loop | None = None) -> Loop | None:
        """The loop from where blocks of `width` iterations of `whole` (itself) end; None if nothing is left."""
        whole = whole or loop
        first = whole.first
        assert isinstance(first, Affine)
        blocks = map_value(lambda last: (last - first + 1) // width * width + first, whole.last)
        if blocks == add(whole.last, Affine.of(1)):
            return None
        if not self._counts(whole.last, first):
            blocks = Extreme("max", (first, blocks))  # no block of an empty loop ends before it begins
        return replace(loop, first=blocks)

    def _counts(self, last: Value, first: Affine) -> bool:
        """Whether last - first + 1 is a sum of sizes, and therefore no negative number."""
        if not isinstance(last, Affine):
            return False
        count = last - first + 1
        return count.constant >= 0 and all(isinstance(a, str) and a in self.params and c > 0 for a, c in count.terms)

    def _copies(self, body: Block, iterator: str, count: int, stride: int) -> Block:
        """Each statement for `count` values of the iterator, `stride` apart; each value with variables of its own."""
        own = self._own(body)
        taken = set(self.taken) | own
        names: list[dict[str, str]] = [{} for _ in range(count)]
        for local in sorted(own):
            for k in range(count):
                names[k][local] = unique_name(f"{local}_{k}", taken)
                taken.add(names[k][local])

        def copy(leaf: _Leaf, k: int) -> Node:
            moved = substitute(leaf, {iterator: Affine.of(iterator) + k * stride})
            match moved:
                case Instance(locals=used):
                    return replace(moved, locals={a: names[k].get(v, v) for a, v in used.items()})
                case Load(local=local) | Store(local=local):
                    return replace(moved, local=names[k].get(local, local))
                case _:
                    return moved

        def each(block: Block) -> Block:
            children: list[Node] = []
            for child in block.children:
                shared = self._shared_element(child, iterator)
                if isinstance(child, _Leaf) and shared is None:
                    children += [copy(child, k) for k in range(count)]
                elif isinstance(child, Instance) and shared is not None:
                    total = unique_name(f"{shared.array}_{self._reduction(child)}", taken)
                    named = replace(child, locals={**child.locals, shared.array: total})
                    copies = [copy(named, k) for k in range(count)]
                    children += [Load(total, shared), *copies, Store(total, shared)]
                else:
                    children.append(_within(each, child))
            return Block(tuple(children))

        return each(body)

    def _vector(self, body: Block, iterator: str, width: int) -> Block:
        """Each run of statements in a loop over the lanes, variables as arrays."""
        own = self._own(body)
        lane = unique_name("lane", set(self.taken))
        values = {iterator: Affine.of(iterator) + Affine.of(lane)}

        def spread(leaf: Node) -> Node:
            moved = substitute(leaf, values)
            match moved:
                case Instance(locals=used):
                    elements = {a: f"{v}[{lane}]" if v in own else v for a, v in used.items()}
                    return replace(moved, locals=elements, declares=False)
                case Load(local=local) if local in own:
                    return replace(moved, local=f"{local}[{lane}]", declares=False)
                case Store(local=local) if local in own:
                    return replace(moved, local=f"{local}[{lane}]")
                case _:
                    return moved

        def each(block: Block) -> Block:
            children: list[Node] = []
            run: list[Node] = []

            def close() -> None:
                if run:
                    spreads = Block(tuple(map(spread, run)))
                    children.append(Loop(lane, Affine.of(0), Affine.of(width - 1), 1, spreads, simd=True, fixed=True))
                    run.clear()

            for child in block.children:
                if isinstance(child, _Leaf):
                    for local, array in self._declares(child):
                        children.append(Declare(local, array, width))
                    run.append(child)
                else:
                    close()
                    children.append(_within(each, child))
            close()
            # Declarations first: they stand between statements of one run otherwise.
            order = sorted(children, key=lambda c: not isinstance(c, Declare))
            return Block(tuple(order))

        return each(body)

    def _declares(self, leaf: Node) -> list[tuple[str, str]]:
        match leaf:
            case Load(local=local, cell=cell):
                return [(local, cell.array)]
            case Instance(statement=name, locals=used, declares=True):
                array = self.touches[name][0].array
                return [(used[array], array)]
            case _:
                return []

    def _own(self, body: Block) -> set[str]:
        """The variables of one iteration: what is declared, loaded or stored in the body, not all that it reads."""
        stored = {n.local for n in nodes(body) if isinstance(n, Store)}
        return stored | {local for n in nodes(body) for local, _ in self._declares(n)}

    def _array(self, instance: Instance) -> str:
        """The array that an instance writes."""
        return self.touches[instance.statement][0].array

    def _reduction(self, instance: Instance) -> str:
        return self.touches[instance.statement][0].statement.reduction or ""

    def _shared_element(self, node: Node, iterator: str) -> Cell | None:
        """The element in memory that an instance contributes to in all iterations, if there is one."""
        if not isinstance(node, Instance):
            return None
        write, *reads = self.touches[node.statement]
        cell = cell_of(write, node) if write.kind == "contribute" and write.array not in node.locals else None
        if cell is None or any(iterator in i.names() for i in cell) or any(r.array == write.array for r in reads):
            return None
        return Cell(write.array, cell)

    def _jammable(self, loop: Loop) -> bool:
        """Whether all loops inside run alike in all iterations, in one thread, and variables are of one iteration."""
        iterator = loop.iterator
        for node in nodes(loop.body):
            match node:
                case Loop(first=first, last=last, parallel=parallel):
                    if parallel or _chooses(first) or _chooses(last) or iterator in names_of(first) | names_of(last):
                        return False
                case Guard(condition):
                    if iterator in _condition_names(condition):
                        return False
                case Let() | Declare():
                    return False
                case Store(cell=cell):
                    if not any(_steps(i, iterator) for i in cell.index):
                        return False
                case _:
                    pass
        return True


def _steps(index: Affine, iterator: str) -> bool:
    """Whether an index has another value in each iteration."""
    coefficient = dict(index.terms).get(iterator, 0)
    return coefficient != 0 and iterator not in (index - Affine.of(iterator) * coefficient).names()


def _instances(loop: Loop) -> list[Instance]:
    return [n for n in nodes(loop) if isinstance(n, Instance)]


def _within(function: Callable[[Block], Block], node: Node) -> Node:
    """Apply a function to the blocks directly inside of a node that is no leaf."""
    match node:
        case Block():
            return function(node)
        case Loop():
            return replace(node, body=function(node.body))
        case Guard(_, then, otherwise):
            return replace(node, then=function(then), otherwise=None if otherwise is None else function(otherwise))
        case _:
            return node


def _chooses(value: Value) -> bool:
    """Whether names stand in a condition of the value, where `names_of` does not look."""
    match value:
        case Extreme(_, args):
            return any(map(_chooses, args))
        case _:
            return isinstance(value, Choice)


def _condition_names(condition: Condition) -> frozenset[str]:
    match condition:
        case Compare(_, a, b):
            return names_of(a) | names_of(b)  # isl nests no conditions
        case Combine(_, args):
            return frozenset().union(*map(_condition_names, args))


def _is_empty(loop: Loop) -> bool:
    """Whether a loop is known to have no iteration."""
    if not isinstance(loop.first, Affine) or not isinstance(loop.last, Affine):
        return False
    count = loop.last - loop.first
    return count.is_constant and count.constant < 0


def _whole(loop: Loop, width: int) -> tuple[Condition | None, Value] | None:
    """Of a loop over the rows of one block: when it is whole (None: always), and the last row of one that is not.

    None for other loops.
    """
    match loop.last:
        case Affine() if loop.last - width + 1 == loop.first:
            return None, loop.last
        case Extreme("min", args):
            assert isinstance(loop.first, Affine)
            end = loop.first + (width - 1)
            others = tuple(a for a in args if a != end)
            if len(others) == len(args) or not others:
                return None
            tests: list[Condition] = [Compare(">=", a, end) for a in others]
            return (
                tests[0] if len(tests) == 1 else Combine("&&", tuple(tests)),
                others[0] if len(others) == 1 else Extreme("min", others),
            )
        case _:
            return None
