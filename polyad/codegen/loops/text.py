"""The loop IR as text, a node a line: how each node, and each way to run a loop, is written; read_text.py reads it.

A line says what a node holds; indented below it stands what is inside of it:

    a loop, a share, a region, a single, a launch, `block:` the nodes of its block
    if Condition:                                           those of `then`; behind them `else:` and the others
    contraction:                                            its Shape, where it is known, a line an axis; the nest
    pack:                                                   the contraction
    parts:                                                  its Sums, and the loop
    scan:      names PART: NAME, ...
               first #NUMBERs [, How]                       numbers of the instances before the scan
               second #NUMBERs [, How]                      and behind it
               kept #NUMBERs (ARRAY: NAME, ...)             those of `first` whose values `second` finds in buffers
               and the loop

Values, conditions and work are written as value_text.py says; an element is ARRAY[Affines], C variables are NAME or
NAME[NAME], and (y: y) is (y).

All of a tree is printed but for two things. What follows from the statements of the program (`LinearState`: the terms
of a recurrence are expressions; what a contraction sums up) is found again by the reader; the lines `first`, `second`
and `kept` say what was found. What a node is, other than what it says, is lost: two nodes that are one object become
two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, get_args

from polyad.codegen.loops.forms import Call, Form, Kind
from polyad.codegen.loops.how import (
    Divided,
    Grid,
    How,
    InParts,
    InRegion,
    Jam,
    Lanes,
    LaneSum,
    Macro,
    Merged,
    OneVector,
    Over,
    Parallel,
    Prefix,
    Serial,
    Simd,
    Threads,
    Vector,
)
from polyad.codegen.loops.instance import Instance, Lane, Local
from polyad.codegen.loops.nodes import (
    AddUp,
    Assume,
    Barrier,
    Block,
    Cell,
    Contraction,
    ContractionAxis,
    Copies,
    Copy,
    CopyPointer,
    Declare,
    Guard,
    Launch,
    Let,
    Load,
    Loop,
    Node,
    Operand,
    Pack,
    Parts,
    PrefixScan,
    Region,
    ScanKind,
    ScanPart,
    Shape,
    Share,
    Single,
    SlotPointer,
    Store,
    Subtotal,
    Sum,
)
from polyad.codegen.loops.value_text import (
    affine_words,
    condition_words,
    polynomial_words,
    read_affine,
    read_condition,
    read_polynomial,
    read_value,
    read_work,
    value_words,
    work_words,
)
from polyad.codegen.loops.words import Words
from polyad.ir.statement import REDUCTIONS

__all__ = ["AXES", "HOWS", "KINDS", "LINES", "SHAPE", "SUM", "how_words", "loops_text", "node_lines", "read_how"]

LINES = (
    Form(Loop, "for {iterator} = {first} .. {last}| by {step}|, {how}|:", step=1, how=Serial()),
    Form(Guard, "if {condition}:"),
    Form(Let, "let {name} = {value}"),
    Form(Assume, "assume {iterator} >= {least}"),
    Form(Load, "load {local} = {cell}", declares=True),
    Form(Load, "set {local} = {cell}", declares=False),
    Form(Store, "store {cell} = {local}"),
    Form(Declare, "declare {local}[{lanes}] for {array}"),
    Form(Subtotal, "subtotal {local}: {dtype} of {total}: {whole}"),
    Form(AddUp, "add up {subtotal}"),
    Form(Contraction, "contraction| #{mark}|{fresh? fresh}| packed({packed})|:", mark=None, fresh=False, packed=""),
    Form(Pack, "pack {name} from {array}:"),
    Form(Share, "share {first} .. {last} of {low} .. {high}, rows({rows})|, threads({work})|:", work=None),
    Form(Region, "region| #{mark}|({work}):", mark=None),
    Form(Single, "single:"),
    Form(Launch, "launch:"),
    Form(Barrier, "barrier"),
    Form(Block, "block:"),
    Form(Parts, "parts| #{mark}|({names}; {work}|{threads?; threads}|):", mark=None, threads=False),
    Form(
        PrefixScan,
        "scan| #{mark}| {kind}, {steps} steps|{in_turn?, in turn}|, standing({standing})|"
        ", part {part}|, lanes {lanes}|:",
        mark=None,
        in_turn=False,
        standing=frozenset(),
        part="all",
        lanes=1,
    ),
    Form(Copies, "copies {name} of {count}"),
    Form(Copy, "copy {name} = {iteration} of {count} in {copies}"),
    Form(CopyPointer, "pointer {array} to copy| {copy}", copy=""),
    Form(SlotPointer, "pointer {array} to slot {slot}"),
    Form(
        Instance,
        "{statement}[{args}] #{number}| ({locals})|{declares?, declares}|{once?, once}",
        locals={},
        declares=False,
        once=False,
    ),
)

HOWS = (
    Call(Serial, "rolled", rolled=True),  # nothing stands for one that is not
    Call(Simd, "simd", "{marked?free}", marked=True),
    Call(Jam, "jam", "{count}"),
    Call(Lanes, "lanes"),
    Call(Macro, "macro", "#{mark}", mark=None),
    Call(InRegion, "region", "#{mark}", mark=None),
    Call(OneVector, "one_vector"),
    Call(Vector, "vector", "{type}|{sums}|{rolled?rolled}", type="", sums=(), rolled=False),
    Call(Parallel, "parallel", "{within}", within=Serial()),
    Call(InParts, "parts", "#{mark}|{within}", mark=None, within=Serial()),
    Call(Prefix, "prefix", "{steps}|#{mark}", mark=None),
    Call(Threads, "threads", "{work}|pieces {pieces}|{within}", pieces=None, within=Serial()),
    Call(
        Divided,
        "divided",
        "pieces {pieces}|{within}|{wait?nowait}|{product?product}|{blocks?blocks}",
        pieces=None,
        within=Serial(),
        wait=True,
        product=False,
        blocks=False,
    ),
    Call(Grid, "grid", "{over}"),
    Call(Merged, "merged"),
)

SHAPE = Form(Shape, "shape {c} += {scale} * {a} * {b}| * {weights}|, {dtype}", weights=())
AXES = Form(ContractionAxis, "{loops}: {count} by {strides}")  # behind the name of their group
SUM = Form(Sum, "{reduction} {local} for {array}: part {part}, parts {parts}| as {dtype}", dtype="")


def loops_text(root: Block) -> str:
    """All lines of a tree."""
    return "".join(f"{line}\n" for line in _inside(root))


def node_lines(node: Node) -> list[str]:
    """The lines of a node and of what is inside of it."""
    line = next(form for form in LINES if form.fits(node)).write(node, KINDS)
    return [line, *(f"  {inner}" for inner in _below(node)), *_otherwise(node)]


def how_words(how: How) -> str:
    """How a loop runs; nothing for one iteration after the other."""
    return "" if how == Serial() else next(form for form in HOWS if form.fits(how)).write(how, KINDS)


def read_how(words: Words) -> How:
    """How a loop runs."""
    form = next((form for form in HOWS if form.first == words.next), None)
    if form is None:
        words.refuse(f"{words.next or 'its end'!r} is no way to run a loop")
    how: How = form.make(**form.read(words, KINDS))
    return how


def _below(node: Node) -> Iterator[str]:
    """The lines inside of a node."""
    match node:
        case Block():
            yield from _inside(node)
        case Loop(body=body) | Guard(then=body) | Share(body=body) | Region(body=body) | Single(body) | Launch(body):
            yield from _inside(body)
        case Contraction(nest=nest, shape=shape):
            if shape is not None:
                yield SHAPE.write(shape, KINDS)
                for word, axes in (("rows", shape.rows), ("columns", shape.columns), ("sums", shape.sums)):
                    yield from (f"{word} {AXES.write(axis, KINDS)}" for axis in axes)
            yield from node_lines(nest)
        case Pack(contraction=contraction):
            yield from node_lines(contraction)
        case Parts(loop=loop, sums=sums):
            yield from (SUM.write(total, KINDS) for total in sums)
            yield from node_lines(loop)
        case PrefixScan(state=state):
            yield f"names {_pairs(node.names)}"
            for word, part, how in (("first", state.first, node.first), ("second", state.second, node.second)):
                yield f"{word}{_numbers(part)}{'' if how == Serial() else f', {how_words(how)}'}"
            if state.kept:
                yield f"kept{_numbers(state.kept)} ({_pairs(node.kept)})"
            yield from node_lines(state.loop)
        case _:
            pass


def _otherwise(node: Node) -> Iterator[str]:
    if isinstance(node, Guard) and node.otherwise is not None:
        yield "else:"
        yield from (f"  {line}" for line in _inside(node.otherwise))


def _inside(block: Block) -> Iterator[str]:
    for child in block.children:
        yield from node_lines(child)


def _pairs(names: Mapping[str, str]) -> str:
    return ", ".join(f"{one}: {other}" for one, other in names.items())


def _numbers(instances: Iterable[Instance]) -> str:
    return "".join(f" #{i.number}" for i in instances)


def _lane_sums(sums: Sequence[LaneSum]) -> str:
    """Those that follow each other and are alike together: sum s_0, s_1: float64."""
    alike = groupby(sums, lambda s: (s.reduction, s.dtype))
    return "; ".join(f"{reduction} {', '.join(s.local for s in some)}: {dtype}" for (reduction, dtype), some in alike)


def _read_lane_sums(words: Words) -> tuple[LaneSum, ...]:
    found: list[LaneSum] = []
    while words.next in REDUCTIONS or not found:
        reduction = words.one_of("lanes sum up by", REDUCTIONS)
        names = words.several(Words.name)
        words.expect(":")
        dtype = words.name()
        found += [LaneSum(name, reduction, dtype) for name in names]
        for reduction in REDUCTIONS:
            if words.accept(";", reduction):
                words.position -= 1
    return tuple(found)


def _subtotal(found: Subtotal) -> str:
    return f"{found.local}: {found.dtype} to {found.total}: {found.whole}"


def _read_subtotal(words: Words) -> Subtotal:
    local = words.name()
    words.expect(":")
    dtype = words.name()
    words.expect("to")
    total = words.name()
    words.expect(":")
    return Subtotal(local, total, dtype, words.name())


def _read_local(words: Words) -> Local:
    """A C variable, or an element of one: z_1, z_1[lane]."""
    name = words.name()
    if not words.accept("["):
        return name
    lane = words.name()
    words.expect("]")
    return Lane(name, lane)


def _pairs_of(value: Callable[[Words], Any], write: Callable[[Any], str]) -> Kind:
    """NAME: value, ...; NAME alone is NAME: NAME."""

    def pair(words: Words) -> tuple[str, Any]:
        name = words.name()
        return name, value(words) if words.accept(":") else name

    return Kind(write, lambda words: dict(words.several(pair)))


def _element(make: Callable[..., Any]) -> Kind:
    """An array, and the index of one of its elements."""

    def write(cell: Cell | Operand) -> str:
        return f"{cell.array}[{', '.join(map(affine_words, cell.index))}]"

    def read(words: Words) -> Any:
        array = words.name()
        words.expect("[")
        index = words.several(read_affine)
        words.expect("]")
        return make(array, index)

    return Kind(write, read)


def _list_of(write: Callable[[Any], str], read: Callable[[Words], Any], count: int = 0) -> Kind:
    """Several values with commas in between, `count` of them where that is known."""

    def values(words: Words) -> tuple[Any, ...]:
        found = words.several(read)
        return found if len(found) == (count or len(found)) else words.refuse(f"{count} are expected, not {len(found)}")

    return Kind(lambda found: ", ".join(map(write, found)), values)


def _factors_of(kind: Kind) -> Kind:
    """Several values with * in between."""

    def read(words: Words) -> tuple[Any, ...]:
        found = [kind.read(words)]
        while words.accept("*"):
            found.append(kind.read(words))
        return tuple(found)

    return Kind(lambda values: " * ".join(map(kind.write, values)), read)


def _one_of(who: str, choices: Sequence[str]) -> Kind:
    return Kind(str, lambda words: words.one_of(who, choices))


def _locals(found: Mapping[str, Local]) -> str:
    return ", ".join(a if a == local else f"{a}: {local}" for a, local in found.items())


KINDS: Mapping[str, Kind] = {
    "str": Kind(str, Words.name),
    "int": Kind(str, Words.integer),
    "float": Kind(lambda number: repr(float(number)), Words.number),
    "Local": Kind(str, _read_local),
    "Value": Kind(value_words, read_value),
    "Affine": Kind(affine_words, read_affine),
    "Condition": Kind(condition_words, read_condition),
    "Work": Kind(work_words, read_work),
    "How": Kind(how_words, read_how),
    "Cell": _element(Cell),
    "Subtotal": Kind(_subtotal, _read_subtotal),
    "Operand": _element(Operand),
    "tuple[Operand, ...]": _factors_of(_element(Operand)),
    "Reduction": _one_of("a part sums up by", REDUCTIONS),
    "Over": _one_of("a grid is over", get_args(Over)),
    "ScanKind": _one_of("a scan is one of", get_args(ScanKind)),
    "ScanPart": _one_of("a part of a scan is one of", get_args(ScanPart)),
    "frozenset[str]": Kind(lambda names: ", ".join(sorted(names)), lambda words: frozenset(words.several(Words.name))),
    "tuple[Affine, ...]": _list_of(affine_words, read_affine),
    "tuple[str, str, str]": _list_of(str, Words.name, 3),
    "tuple[Polynomial, Polynomial, Polynomial]": _list_of(polynomial_words, read_polynomial, 3),
    "tuple[LaneSum, ...]": Kind(_lane_sums, _read_lane_sums),
    "tuple[Loop, ...]": _list_of(lambda loop: loop.iterator, Words.name),  # the reader finds the loops of these names
    "Mapping[str, str]": _pairs_of(Words.name, lambda found: _pairs(dict(sorted(found.items())))),
    "Mapping[str, Local]": _pairs_of(_read_local, _locals),
}
"""The type of a field -> how its values are written."""
