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

from collections.abc import Sequence
from dataclasses import dataclass, replace

from polyad.codegen.loops.how import (
    Divided,
    How,
    Jam,
    OneVector,
    Parallel,
    Serial,
    Threads,
    in_threads,
    is_jammed,
)
from polyad.codegen.loops.instance import Lane, Local, variable_of
from polyad.codegen.loops.loop_values import (
    Choice,
    Condition,
    Extreme,
    Value,
    add,
    map_value,
    parts,
)
from polyad.codegen.loops.nodes import (
    Block,
    Cell,
    Declare,
    Guard,
    Instance,
    Let,
    Load,
    Loop,
    Node,
    Share,
    Single,
    Store,
)
from polyad.codegen.loops.statement_accesses import cell_of
from polyad.codegen.loops.traversal import expand, instances, nodes, substitute, with_blocks
from polyad.codegen.lower.block_rests import beside, those_that_run, whole_block
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.lower.pieces import piece_count
from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes
from polyad.ir.names import unique_name

__all__ = ["register_blocks"]

_Leaf = Instance | Load | Store


def register_blocks(root: Block, known: StoredProgram) -> Block:
    """Put register blocks in the place of all marked loops."""
    shares = frozenset(name for n in nodes(root) if isinstance(n, Share) for name in (n.first, n.last))
    blocks = _RegisterBlocks(known, frozenset(known.taken), shares)

    def one(node: Node) -> Sequence[Node] | None:
        if not isinstance(node, Loop) or not is_jammed(node.how):
            return None
        return expand(one, Block(tuple(blocks.of(node)))).children

    return expand(one, root)


@dataclass(frozen=True, slots=True, eq=False)
class _RegisterBlocks:
    """Makes them.

    Attributes:
        known: of the program.
        taken: identifiers in use outside; blocks that follow each other use the same names.
        shares: the limits of threads' parts. Where blocks lay would depend on the number of threads, and so would bits:
            compilers sum up in another order in a block than in what is left over.
    """

    known: StoredProgram
    taken: frozenset[str]
    shares: frozenset[str]

    def of(self, loop: Loop) -> Sequence[Node]:
        """The loop in blocks, its mark used up; the loop itself where that cannot be done."""
        match loop.how:
            case Threads(within=within):
                return [self._started(node) for node in self._blocks(loop, within)]
            case Divided(within=within, wait=wait):
                # Parts of one parallel loop, of which none has to wait for another: threads meet after the last one.
                *others, last = self._blocks(loop, within)
                return [*(self._divided(node, False) for node in others), self._divided(last, wait)]
            case how:
                return self._blocks(loop, how)

    def _started(self, node: Node) -> Node:
        """Of a loop that starts threads; each of the loops that it became has work of its own."""
        match node:
            case Loop():
                return replace(node, how=self.known.threads(replace(node, how=Parallel())))
            case Guard(otherwise=Block((rest,))):
                return replace(node, otherwise=Block((self._started(rest),)))
            case _:
                return node

    def _divided(self, node: Node, wait: bool) -> Node:
        """Of a loop in a region; what is no loop any more is for one thread."""
        match node:
            case Loop():
                return replace(node, how=Divided(piece_count(node), Serial(), wait))
            case Guard(then=then, otherwise=Block((rest,))):
                return replace(node, then=Block((Single(then),)), otherwise=Block((self._divided(rest, wait),)))
            case Block():
                return Single(node)
            case _:
                raise AssertionError("register blocks are loops, one block, or one of both")

    def _blocks(self, loop: Loop, how: How) -> Sequence[Node]:
        """The blocks as loops without marks."""
        plain = replace(loop, how=Serial())
        first = loop.first
        if loop.step != 1 or not isinstance(first, Affine) or first.names() & self.shares or not self._jammable(loop):
            return [plain]
        if not isinstance(how, Jam):
            return self._lanes(plain)
        width = how.count
        body = self._copies(loop.body, loop.iterator, width, 1)
        whole = whole_block(loop, width)
        if whole is not None:
            condition, last = whole
            block = substitute(body, {loop.iterator: first})
            assert isinstance(block, Block)
            return [block if condition is None else Guard(condition, block, Block((replace(plain, last=last),)))]
        blocks = replace(plain, last=add(loop.last, Affine.of(1 - width)), step=width, body=body)
        return those_that_run(blocks, self._rest(plain, width))

    def _lanes(self, loop: Loop) -> Sequence[Node]:
        """Blocks of some vectors, then blocks of one and what is left over one by one; or all that is left at once."""
        machine = self.known.options.machine
        width = machine.vector_bytes // max(self._item_bytes(i) for i in instances(loop))
        body = self._vector(loop.body, loop.iterator, width)
        strips = machine.strips * width
        block = replace(
            loop,
            last=add(loop.last, Affine.of(1 - strips)),
            step=strips,
            body=self._vector(self._copies(loop.body, loop.iterator, machine.strips, width), loop.iterator, width),
        )
        if (rest := self._known_rest(loop, strips, width)) is not None:
            return those_that_run(block, *rest)
        single = self._rest(
            replace(loop, step=width, last=add(loop.last, Affine.of(1 - width)), body=body), strips, loop
        )
        return those_that_run(block, single, self._rest(loop, width))

    def _known_rest(self, loop: Loop, strips: int, width: int) -> Sequence[Loop] | None:
        """Of a loop of a known length, what blocks of `strips` iterations leave over, side by side in one block.

        Whole vectors, one of half as many lanes, one of a quarter, and what is left one by one: loops inside run once
        for all of them, not once for each.

            for (lane = 0; lane < 16; lane += 1) s_0[lane] += x[k, lane];
            for (lane = 0; lane < 8; lane += 1) s_1[lane] += x[k, lane + 16];
            s_2 += x[k, 24];

        None where the length is not known, iterations share elements, or less than two of these are left.
        """
        first = loop.first
        assert isinstance(first, Affine)
        if not isinstance(loop.last, Affine) or not (loop.last - first).is_constant:
            return None
        if any(self._shared_element(n, loop.iterator) is not None for n in nodes(loop.body)):
            return None
        count = (loop.last - first).constant + 1
        left = count % strips
        if left in (0, 1, width):
            return None
        block, done, copies = None, 0, 0
        for lanes in (width, width // 2, width // 4, 1):
            if some := (left - done) // lanes if lanes else 0:
                body = self._copies(loop.body, loop.iterator, some, lanes, done, copies)
                body = body if lanes == 1 else self._vector(body, loop.iterator, lanes)
                block = body if block is None else beside(block, body)
            copies += some
            done += some * lanes
        assert block is not None and done == left
        return [replace(loop, first=first + (count - left), step=left, body=block)]

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
        return count.constant >= 0 and all(
            isinstance(a, str) and a in self.known.program.params and c > 0 for a, c in count.terms
        )

    def _copies(self, body: Block, iterator: str, count: int, stride: int, start: int = 0, number: int = 0) -> Block:
        """Each statement for `count` values of the iterator, `stride` apart; each value with variables of its own.

        The first value is the iterator plus `start`, its variables have this number.
        """
        own = self._own(body)
        taken = set(self.taken) | own
        names: list[dict[Local, str]] = [{} for _ in range(count)]
        for local in sorted(own):
            for k in range(count):
                names[k][local] = unique_name(f"{local}_{number + k}", taken)
                taken.add(names[k][local])

        def copy(leaf: _Leaf, k: int) -> Node:
            moved = substitute(leaf, {iterator: Affine.of(iterator) + (start + k * stride)})
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
                    children.append(with_blocks(each, child))
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
                    elements = {a: Lane(v, lane) if isinstance(v, str) and v in own else v for a, v in used.items()}
                    return replace(moved, locals=elements, declares=False)
                case Load(local=str() as local) if local in own:
                    return replace(moved, local=Lane(local, lane), declares=False)
                case Store(local=str() as local) if local in own:
                    return replace(moved, local=Lane(local, lane))
                case _:
                    return moved

        def each(block: Block) -> Block:
            children: list[Node] = []
            run: list[Node] = []

            def close() -> None:
                if run:
                    spreads = Block(tuple(map(spread, run)))
                    children.append(Loop(lane, Affine.of(0), Affine.of(width - 1), 1, spreads, OneVector()))
                    run.clear()

            for child in block.children:
                if isinstance(child, _Leaf):
                    for local, array in self._declares(child):
                        children.append(Declare(local, array, width))
                    run.append(child)
                else:
                    close()
                    children.append(with_blocks(each, child))
            close()
            # Declarations first: they stand between statements of one run otherwise.
            order = sorted(children, key=lambda c: not isinstance(c, Declare))
            return Block(tuple(order))

        return each(body)

    def _declares(self, leaf: Node) -> list[tuple[str, str]]:
        match leaf:
            case Load(local=str() as local, cell=cell):
                return [(local, cell.array)]
            case Instance(statement=name, locals=used, declares=True):
                array = self.known.touches[name][0].array
                return [(variable_of(used[array]), array)]
            case _:
                return []

    def _own(self, body: Block) -> set[str]:
        """The variables of one iteration: what is declared, loaded or stored in the body, not all that it reads."""
        stored = {n.local for n in nodes(body) if isinstance(n, Store) and isinstance(n.local, str)}
        return stored | {local for n in nodes(body) for local, _ in self._declares(n)}

    def _item_bytes(self, instance: Instance) -> int:
        """Of an element of the array that an instance writes."""
        return item_bytes(self.known.dtypes[self.known.touches[instance.statement][0].array])

    def _reduction(self, instance: Instance) -> str:
        return self.known.touches[instance.statement][0].statement.reduction or ""

    def _shared_element(self, node: Node, iterator: str) -> Cell | None:
        """The element in memory that an instance contributes to in all iterations, if there is one."""
        if not isinstance(node, Instance):
            return None
        write, *reads = self.known.touches[node.statement]
        cell = cell_of(write, node) if write.kind == "contribute" and write.array not in node.locals else None
        if cell is None or any(iterator in i.names() for i in cell) or any(r.array == write.array for r in reads):
            return None
        return Cell(write.array, cell)

    def _jammable(self, loop: Loop) -> bool:
        """Whether all loops inside run alike in all iterations, in one thread, and variables are of one iteration."""
        iterator = loop.iterator
        for node in nodes(loop.body):
            match node:
                case Loop(first=first, last=last, how=how):
                    bounds = [*parts(first), *parts(last)]
                    if in_threads(how) or any(isinstance(b, Choice) or _mentions(b, iterator) for b in bounds):
                        return False
                case Guard(condition):
                    if any(_mentions(part, iterator) for part in parts(condition)):
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


def _mentions(part: Value | Condition, name: str) -> bool:
    return isinstance(part, Affine) and name in part.names()
