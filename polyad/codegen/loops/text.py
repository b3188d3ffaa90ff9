"""The loop IR as text, a node a line; `read_text.py` reads it back.

    Line ::= for NAME = Value .. Value [by INT] [, How]:       indented below it: the body
           | if Condition:  [and behind its body]  else:
           | let NAME = Value | assume NAME >= Value
           | STATEMENT[Affines] #NUMBER [(ARRAY: Local, ...)] [, declares] [, once]     y for y: y
           | load NAME = Cell | set Local = Cell               a load that declares its variable, and one that does not
           | store Cell = Local | declare NAME[INT] for ARRAY
           | contraction [#MARK] [fresh] [packed(NAME)]:       below it: its Shape, where it is known, and the nest
           | pack NAME from ARRAY:                             below it: the contraction
           | share NAME .. NAME of Value .. Value, rows(STATEMENT: DIM, ...) [, threads(Work)]:
           | region [#MARK](Work): | single: | barrier | block:
           | parts [#MARK](NAME, NAME, NAME; Work [; threads]): below it: its Sums, and the loop
           | scan [#MARK] KIND, INT steps [, in turn] [, standing(NAME, ...)]:    below it: Scan, and the loop
           | copies NAME of Affine | copy NAME = Affine of Affine in NAME
           | pointer ARRAY to copy [NAME] | pointer ARRAY to slot INT [alone]

    How   ::= rolled | simd | simd(free) | jam(INT) | lanes | one_vector    nothing stands for Serial()
            | parts[(#MARK; How)] | prefix(INT [; #MARK]) | region[(#MARK)] | macro[(#MARK)]
            | vector[(TYPE; REDUCTION NAMEs: TYPE; ...; rolled)] | parallel[(How)]
            | threads(Work [; pieces Value] [; How]) | divided[(pieces Value; How; nowait)]
    Shape ::= shape Cell += NUMBER * Cell * Cell, TYPE         c, a, b; then a line an axis: counts, strides of c, a, b
              rows NAMEs: Value by Polynomial, Polynomial, Polynomial      | columns ... | sums ...
    Sums  ::= sum NAME for ARRAY: part NAME, parts NAME        | prod ... | max ... | min ...
    Scan  ::= names PART: NAME, ...
              first #NUMBERs [, How]                           numbers of the instances before the scan
              second #NUMBERs [, How]                          and behind it
              kept #NUMBERs (ARRAY: NAME, ...)                 those of `first` whose values `second` finds in buffers

    Value     ::= Affine | min(Values) | max(Values) | select(Condition, Value, Value)
    Condition ::= Value < | <= | > | >= | == | != Value | Condition && ... | Condition || ... | (Condition)
    Affine    ::= 4 * t - (N + 1) // 2 + 1
    Work      ::= 8 * B * (4 * H) + 3 * B > NUMBER             INT and its factors
    Cell      ::= ARRAY[Affines]
    Local     ::= NAME | NAME[NAME]

All of a tree is printed but for two things. What follows from the statements of the program (`LinearState`: the terms
of a recurrence are expressions) is found again by the reader; the lines `first`, `second` and `kept` say what was
found. What a node is, other than what it says, is lost: two nodes that are one object become two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from polyad.codegen.loops.contractions import Axis, Operand, Shape
from polyad.codegen.loops.how import (
    Divided,
    How,
    InParts,
    InRegion,
    Jam,
    Lanes,
    LaneSum,
    Macro,
    OneVector,
    Parallel,
    Prefix,
    Serial,
    Simd,
    Threads,
    Vector,
    Work,
)
from polyad.codegen.loops.instance import Instance
from polyad.codegen.loops.loop_values import Choice, Combine, Condition, Extreme, Value
from polyad.codegen.loops.nodes import (
    Assume,
    Barrier,
    Block,
    Cell,
    Contraction,
    Copies,
    Copy,
    CopyPointer,
    Declare,
    Guard,
    Let,
    Load,
    Loop,
    Node,
    Pack,
    Parts,
    PrefixScan,
    Region,
    Share,
    Single,
    SlotPointer,
    Store,
)
from polyad.codegen.loops.polynomials import Polynomial
from polyad.ir.affine import Affine

__all__ = ["affine_words", "condition_words", "how_words", "loops_text", "node_lines", "value_words"]


def loops_text(root: Block) -> str:
    """All lines of a tree."""
    return "".join(f"{line}\n" for line in _inside(root))


def node_lines(node: Node) -> list[str]:
    """The lines of a node and of what is inside of it."""
    match node:
        case Block():
            return ["block:", *_below(node)]
        case Loop(iterator, first, last, step, body, how):
            by = "" if step == 1 else f" by {step}"
            return [
                f"for {iterator} = {value_words(first)} .. {value_words(last)}{by}{_behind(how_words(how))}:",
                *_below(body),
            ]
        case Guard(condition, then, otherwise):
            other = [] if otherwise is None else ["else:", *_below(otherwise)]
            return [f"if {condition_words(condition)}:", *_below(then), *other]
        case Let(name, value):
            return [f"let {name} = {value_words(value)}"]
        case Assume(iterator, least):
            return [f"assume {iterator} >= {value_words(least)}"]
        case Instance():
            return [_instance(node)]
        case Load(local, cell, declares):
            return [f"{'load' if declares else 'set'} {local} = {_cell(cell)}"]
        case Store(local, cell):
            return [f"store {_cell(cell)} = {local}"]
        case Declare(local, array, lanes):
            return [f"declare {local}[{lanes}] for {array}"]
        case Contraction(nest, fresh, packed, shape, mark):
            flags = _marked(mark) + (" fresh" if fresh else "") + (f" packed({packed})" if packed else "")
            known = [] if shape is None else _shape(shape)
            return [f"contraction{flags}:", *_indented([*known, *node_lines(nest)])]
        case Pack(name, array, contraction):
            return [f"pack {name} from {array}:", *_indented(node_lines(contraction))]
        case Share():
            return _share(node)
        case Region(work, body, mark):
            return [f"region{_marked(mark)}({_work(work)}):", *_below(body)]
        case Single(body):
            return ["single:", *_below(body)]
        case Barrier():
            return ["barrier"]
        case Parts(loop, sums, work, names, threads, mark):
            head = [", ".join(names), _work(work), *(["threads"] if threads else [])]
            own = [f"{s.reduction} {s.local} for {s.array}: part {s.part}, parts {s.parts}" for s in sums]
            return [f"parts{_marked(mark)}({'; '.join(head)}):", *_indented([*own, *node_lines(loop)])]
        case PrefixScan():
            return _scan(node)
        case Copies(name, count):
            return [f"copies {name} of {affine_words(count)}"]
        case Copy(name, iteration, count, copies):
            return [f"copy {name} = {affine_words(iteration)} of {affine_words(count)} in {copies}"]
        case CopyPointer(array, copy):
            return [f"pointer {array} to copy{copy and f' {copy}'}"]
        case SlotPointer(array, slot, alone):
            return [f"pointer {array} to slot {slot}{' alone' if alone else ''}"]


def how_words(how: How) -> str:
    """How a loop runs; nothing for one iteration after the other."""
    match how:
        case Serial(rolled):
            return "rolled" if rolled else ""
        case Simd(marked):
            return "simd" if marked else "simd(free)"
        case Jam(count):
            return f"jam({count})"
        case Lanes():
            return "lanes"
        case Macro(mark):
            return _call("macro", _mark(mark))
        case InRegion(mark):
            return _call("region", _mark(mark))
        case OneVector():
            return "one_vector"
        case Vector(kind, sums, rolled):
            return _call("vector", kind, *_lane_sums(sums), "rolled" if rolled else "")
        case Parallel(within):
            return _call("parallel", how_words(within))
        case InParts(within, mark):
            return _call("parts", _mark(mark), how_words(within))
        case Prefix(steps, mark):
            return _call("prefix", str(steps), _mark(mark))
        case Threads(work, pieces, within):
            return _call("threads", _work(work), _pieces(pieces), how_words(within))
        case Divided(pieces, within, wait):
            return _call("divided", _pieces(pieces), how_words(within), "" if wait else "nowait")


def _mark(number: int | None) -> str:
    return "" if number is None else f"#{number}"


def _marked(number: int | None) -> str:
    return f" {_mark(number)}".rstrip()


def value_words(value: Value) -> str:
    """An integer expression."""
    match value:
        case Affine():
            return affine_words(value)
        case Extreme(kind, args):
            return f"{kind}({', '.join(map(value_words, args))})"
        case Choice(cond, a, b):
            return f"select({condition_words(cond)}, {value_words(a)}, {value_words(b)})"


def condition_words(condition: Condition) -> str:
    """A condition; those inside of another are enclosed."""
    if isinstance(condition, Combine):
        inside = (f"({condition_words(c)})" if isinstance(c, Combine) else condition_words(c) for c in condition.args)
        return f" {condition.op} ".join(inside)
    return f"{value_words(condition.a)} {condition.op} {value_words(condition.b)}"


def affine_words(value: Affine) -> str:
    """4 * t + (i // 2) - 1."""
    return value.render(str, lambda above, below: f"({above if above.isidentifier() else f'({above})'} // {below})")


def _call(word: str, *arguments: str) -> str:
    """A word, and in parentheses behind it those of its arguments that there are."""
    given = "; ".join(a for a in arguments if a)
    return f"{word}({given})" if given else word


def _behind(text: str) -> str:
    return text and f", {text}"


def _lane_sums(sums: Sequence[LaneSum]) -> Iterator[str]:
    """Those that follow each other and are alike together: sum s_0, s_1: float64."""
    for (reduction, dtype), alike in groupby(sums, lambda s: (s.reduction, s.dtype)):
        yield f"{reduction} {', '.join(s.local for s in alike)}: {dtype}"


def _pieces(count: Value | None) -> str:
    return "" if count is None else f"pieces {value_words(count)}"


def _work(work: Work) -> str:
    terms = [" * ".join([str(cost), *map(_factor, factors)]) for cost, factors in work.terms]
    return f"{' + '.join(terms) or '0'} > {float(work.least)!r}"


def _factor(value: Affine) -> str:
    """A factor, enclosed unless it is one name or one quotient, which has parentheses already."""
    is_atom = not value.constant and len(value.terms) == 1 and value.terms[0][1] == 1
    return affine_words(value) if is_atom else f"({affine_words(value)})"


def _cell(cell: Cell | Operand) -> str:
    return f"{cell.array}[{', '.join(map(affine_words, cell.index))}]"


def _instance(node: Instance) -> str:
    variables = ", ".join(a if a == local else f"{a}: {local}" for a, local in node.locals.items())
    flags = [word for word, is_set in (("declares", node.declares), ("once", node.once)) if is_set]
    args = ", ".join(map(affine_words, node.args))
    return f"{node.statement}[{args}] #{node.number}{variables and f' ({variables})'}{''.join(f', {f}' for f in flags)}"


def _shape(shape: Shape) -> list[str]:
    product = " * ".join([repr(float(shape.scale)), *map(_cell, (shape.a, shape.b, *shape.weights))])
    groups = (("rows", shape.rows), ("columns", shape.columns), ("sums", shape.sums))
    return [
        f"shape {_cell(shape.c)} += {product}, {shape.dtype}",
        *(f"{word} {_axis(axis)}" for word, axes in groups for axis in axes),
    ]


def _axis(axis: Axis) -> str:
    names = ", ".join(loop.iterator for loop in axis.loops)
    return f"{names}: {value_words(axis.count)} by {', '.join(map(_polynomial, axis.strides))}"


def _polynomial(value: Polynomial) -> str:
    text = ""
    for monomial, coefficient in value.items():
        factors = [_factor(Affine(((atom, 1),))) for atom in monomial]
        piece = " * ".join([str(abs(coefficient)), *factors] if abs(coefficient) != 1 or not factors else factors)
        sign = "-" if coefficient < 0 else "+"
        text = f"{text} {sign} {piece}" if text else f"-{piece}" if coefficient < 0 else piece
    return text or "0"


def _share(node: Share) -> list[str]:
    rows = ", ".join(f"{statement}: {dim}" for statement, dim in sorted(node.rows.items()))
    threads = "" if node.work is None else f", threads({_work(node.work)})"
    limits = f"{value_words(node.low)} .. {value_words(node.high)}"
    return [f"share {node.first} .. {node.last} of {limits}, rows({rows}){threads}:", *_below(node.body)]


def _scan(node: PrefixScan) -> list[str]:
    state = node.state
    flags = ["in turn"] if state.in_turn else []
    flags += [f"standing({', '.join(sorted(node.standing))})"] if node.standing else []
    inside = [
        f"names {_pairs(node.names)}",
        f"first{_numbers(state.first)}{_behind(how_words(node.first))}",
        f"second{_numbers(state.second)}{_behind(how_words(node.second))}",
        *([f"kept{_numbers(state.kept)} ({_pairs(node.kept)})"] if state.kept else []),
        *node_lines(state.loop),
    ]
    return [f"scan{_marked(node.mark)} {', '.join([node.kind, f'{node.steps} steps', *flags])}:", *_indented(inside)]


def _pairs(names: Mapping[str, str]) -> str:
    return ", ".join(f"{one}: {other}" for one, other in names.items())


def _numbers(instances: Iterable[Instance]) -> str:
    return "".join(f" #{i.number}" for i in instances)


def _inside(block: Block) -> Iterator[str]:
    for child in block.children:
        yield from node_lines(child)


def _below(block: Block) -> list[str]:
    return _indented(_inside(block))


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]
