"""Constructs that pet does not model, found in the text before it is asked: each gets a sentence and a cure.

Some of it pet would refuse in words of its own, and some it takes for something else without a word: a pointer that is
set to an array, for one, is an array of its own to pet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from polyad.errors import ExtractionError
from polyad.pet.c_text.definitions import CText, ScopRegion
from polyad.pet.c_text.outside import INCREMENTS, check_outside, is_new_memory, target_of
from polyad.pet.c_text.parse import children_with_lines, parameters_of, walk
from polyad.pet.c_text.tables import number_of
from polyad.pet.refusal import refusal

__all__ = ["check_inlined", "check_syntax"]


@dataclass(frozen=True, slots=True)
class _Trap:
    """A construct that is refused.

    Attributes:
        construct: as C calls it.
        sentence: why, and what to write instead.
        applies: to which nodes.
    """

    construct: str
    sentence: str
    applies: Callable[[c_ast.Node], bool]


_ENDS_THE_PROGRAM = ("__assert_fail", "__assert", "__assert_rtn")
_ERRNO = ("__errno_location", "__errno", "__error")
_PRINTS = ("printf", "fprintf", "puts", "putchar", "putc", "fputs", "fputc", "fwrite", "snprintf", "sprintf", "perror")


def _is(*kinds: type) -> Callable[[c_ast.Node], bool]:
    return lambda node: isinstance(node, kinds)


def _unary(*ops: str) -> Callable[[c_ast.Node], bool]:
    return lambda node: isinstance(node, c_ast.UnaryOp) and node.op in ops


def _calls(*names: str) -> Callable[[c_ast.Node], bool]:
    """Calls of functions; headers put some of them in place of what is no call to the eye."""
    return lambda node: isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name in names


CALLS = (
    _Trap(
        "assert", "`assert` may end the program; define NDEBUG, by `-D NDEBUG` or `define`", _calls(*_ENDS_THE_PROGRAM)
    ),
    _Trap("errno", "`errno` is a variable outside of the function; look at it behind the loop nest", _calls(*_ERRNO)),
    _Trap("NAN", "NAN is not modelled; write `0.0 / 0.0`", _calls("__builtin_nan", "__builtin_nanf")),
    _Trap(
        "printf()",
        "what is printed is not computed; do it behind the loop nest, or leave it out, `#pragma polyad ignore printf`",
        _calls(*_PRINTS),
    ),
    _Trap(
        "malloc()",
        "memory is not asked for in a loop nest; declare a local array, `double p[n];`, or ask before `#pragma scop`",
        _calls("malloc", "calloc", "realloc", "free", "alloca", "__builtin_alloca", "aligned_alloc"),
    ),
    _Trap(
        "memset()",
        "bytes are not modelled, but for whole elements, `n * sizeof *y` of them; write a loop that assigns elements",
        _calls("memset", "memcpy", "memmove", "__builtin_memset", "__builtin_memcpy"),
    ),
)
"""Calls that are refused, also where they stand in what is refused for itself: `errno` is `*__errno_location()`."""

TRAPS = (
    _Trap("goto", "`goto` leaves the order of statements open; write loops and conditions", _is(c_ast.Goto)),
    _Trap(
        "switch",
        "`switch` with `break` under a condition is not modelled; write `if (...) ... else if (...) ...`",
        _is(c_ast.Switch),
    ),
    _Trap(
        "do-while",
        "`do { ... } while (0)` is not modelled; write its statements in braces, without `do` and `while`",
        lambda node: isinstance(node, c_ast.DoWhile) and number_of(node.cond) == 0,
    ),
    _Trap(
        "do-while",
        "how often a `do` loop runs is not known beforehand; write "
        "`for (int i = 0; i < n; i++) { ...; if (!(...)) break; }`",
        _is(c_ast.DoWhile),
    ),
    _Trap(
        "while",
        "how often a `while` loop runs is not known beforehand; write "
        "`for (int i = 0; i < n; i++) { if (!(...)) break; ... }` with a bound that is a sum of sizes and "
        "loop variables",
        _is(c_ast.While),
    ),
    _Trap("*p", "`*p` hides which element is meant; write `p[0]`, or the array and its index", _unary("*")),
    _Trap("&x", "`&x` makes a second name for an element; pass the array and the index", _unary("&")),
    _Trap(
        "struct",
        "members of structs and unions are not modelled; pass them as arrays and numbers of their own",
        _is(c_ast.StructRef, c_ast.Struct, c_ast.Union),
    ),
    _Trap(
        "initialiser list",
        "lists of values in braces are not modelled; write one assignment for each element",
        _is(c_ast.InitList, c_ast.CompoundLiteral),
    ),
    _Trap("sizeof", "`sizeof` is not modelled; write the number", _unary("sizeof")),
    _Trap(
        "string",
        "strings and characters are not modelled; write numbers, and leave out a call that only says something, or "
        "ends the program, by `#pragma polyad ignore` with the name of the function (--ignore)",
        lambda node: isinstance(node, c_ast.Constant) and node.type in ("string", "char"),
    ),
    _Trap(
        "for (;;)",
        "a loop without a condition has no known end; write `for (int i = 0; i < n; i++)`",
        lambda node: isinstance(node, c_ast.For) and node.cond is None,
    ),
    _Trap(
        "for",
        "a loop has to count: write `for (int i = 0; i < n; i++)` or `for (int i = n - 1; i >= 0; i--)`, with a step "
        "that is a number",
        lambda node: isinstance(node, c_ast.For) and not _counts(node.next),
    ),
    _Trap(
        "for",
        "a loop whose variable stays where it is never ends; add 1, or another number that is not 0",
        lambda node: isinstance(node, c_ast.For) and _stays(node.next),
    ),
    _Trap(
        "for",
        "an unsigned number is never below 0, and the loop never ends; count by `int`, or write "
        "`for (size_t i = n; i-- > 0;)`",
        lambda node: isinstance(node, c_ast.For) and _never_ends(node),
    ),
    _Trap(
        "comma",
        "a loop has one variable: write the others as functions of it, and one statement for each assignment",
        lambda node: (
            (isinstance(node, c_ast.For) and _is_list(node.init))
            or (isinstance(node, c_ast.Compound | c_ast.For) and any(map(_is_comma, _statements(node))))
        ),
    ),
    _Trap(
        "static",
        "a static variable keeps its value from call to call; make it a parameter",
        lambda node: isinstance(node, c_ast.Decl) and "static" in node.storage,
    ),
    _Trap(
        "bit operator",
        "bits of integers are not modelled; write `/ 2` for `>> 1`, `% 4` for `& 3`, and `&&`, `||` for conditions",
        lambda node: (
            (isinstance(node, c_ast.BinaryOp) and node.op in ("&", "|", "^", "<<", ">>") and not _is_number(node))
            or (isinstance(node, c_ast.UnaryOp) and node.op == "~")
            or (isinstance(node, c_ast.Assignment) and node.op in ("&=", "|=", "^=", "<<=", ">>="))
        ),
    ),
    _Trap(
        "%=",
        "`a %= b` is not modelled; write `a = a % b`",
        lambda node: isinstance(node, c_ast.Assignment) and node.op == "%=",
    ),
    _Trap(
        "cast",
        "a cast of a pointer makes a second name for its elements; declare the parameter with the type that is meant",
        lambda node: isinstance(node, c_ast.Cast) and isinstance(node.to_type.type, c_ast.PtrDecl),
    ),
    _Trap(
        "function pointer",
        "what a function pointer calls is not known; call a `static inline` function by its name",
        lambda node: isinstance(node, c_ast.FuncCall) and not isinstance(node.name, c_ast.ID),
    ),
)
"""What is refused wherever it stands in a loop nest, or in a function that it calls."""


def check_syntax(text: CText, tree: c_ast.FuncDef, region: ScopRegion) -> None:
    """Refuse what pet does not model in a loop nest, and what the function does to its arrays before.

    Raises:
        ExtractionError: at the first such construct.
    """
    inside = [(node, line) for node, line in walk(tree.body) if region.first < line < region.last]
    for node, line in inside:
        _check_node(text, node, line, CALLS)
    for node, line in inside:
        _check_node(text, node, line)
        _check_loop_variable(text, node)
        if isinstance(node, c_ast.Return):
            raise refusal(text.path, line, "return", "`return` in a loop nest leaves it early; put it behind the nest")
    _check_expressions(text, tree.body, lambda line: region.first < line < region.last)
    names = {node.name for node, _ in inside if isinstance(node, c_ast.ID | c_ast.Decl)}
    _check_pointers(text, tree, names)
    check_outside(text, tree, region, names)


def check_inlined(text: CText, tree: c_ast.FuncDef) -> None:
    """Refuse what pet does not model in a function whose body takes the place of its call.

    Raises:
        ExtractionError: at the first such construct.
    """
    statements = tree.body.block_items or []
    for node, line in walk(tree.body):
        _check_node(text, node, line, CALLS)
    for node, line in walk(tree.body):
        _check_node(text, node, line)
        _check_loop_variable(text, node)
        if isinstance(node, c_ast.Return) and not any(node is s for s in statements[-1:]):
            raise refusal(
                text.path,
                line,
                "return",
                f"`{tree.decl.name}` returns in its middle; let it return at its end only, or write `a ? b : c`",
            )
    _check_expressions(text, tree.body, lambda line: True)
    _check_pointers(text, tree, {n.name for n, _ in walk(tree.body) if isinstance(n, c_ast.ID | c_ast.Decl)})


def _check_node(text: CText, node: c_ast.Node, line: int, traps: Sequence[_Trap] = TRAPS) -> None:
    for trap in traps:
        if trap.applies(node):
            raise refusal(text.path, line, trap.construct, trap.sentence)


def _check_loop_variable(text: CText, node: c_ast.Node) -> None:
    """Refuse loops that change their variables inside."""
    if not isinstance(node, c_ast.For):
        return
    counter = target_of(node.next)
    below = list(walk(node.stmt, node.coord.line))
    if isinstance(counter, c_ast.ID) and any(isinstance(n, c_ast.Decl) and n.name == counter.name for n, _ in below):
        return  # another variable of that name
    for inner, line in below:
        target = target_of(inner)
        if isinstance(counter, c_ast.ID) and isinstance(target, c_ast.ID) and target.name == counter.name:
            sentence = f"the loop changes its variable `{counter.name}`; count by another one, or skip turns by `if`"
            raise refusal(text.path, line, "for", sentence)


def _check_expressions(text: CText, tree: c_ast.Node, inside: Callable[[int], bool]) -> None:
    """Refuse assignments inside of expressions."""
    for node, line in walk(tree):
        if not isinstance(node, _EXPRESSIONS):
            continue
        for child, below in children_with_lines(node, line):
            if _assigns(child) and inside(below):
                raise refusal(
                    text.path,
                    below,
                    "assignment",
                    "an assignment, `++` or `--` inside of an expression is not modelled; write it as a statement of "
                    "its own",
                )


_EXPRESSIONS = (
    c_ast.Assignment,
    c_ast.BinaryOp,
    c_ast.UnaryOp,
    c_ast.TernaryOp,
    c_ast.ArrayRef,
    c_ast.Cast,
    c_ast.Decl,
    c_ast.ExprList,
    c_ast.FuncCall,
)


def _check_pointers(text: CText, tree: c_ast.FuncDef, names: set[str]) -> None:
    """Refuse variables that are pointers, and parameters that come to point elsewhere."""
    arrays = {p.name for p in parameters_of(tree) if isinstance(p.type, c_ast.PtrDecl | c_ast.ArrayDecl)}
    arrays |= {n.name for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl) and _points(n.type)}
    for node, line in walk(tree.body):
        if isinstance(node, c_ast.Decl) and node.name in names and _points(node.type) and not is_new_memory(node):
            raise _second_name(text, line, node.name)
        target = target_of(node)
        if isinstance(target, c_ast.ID) and target.name in arrays & names:
            raise _second_name(text, line, target.name)


def _second_name(text: CText, line: int, name: str) -> ExtractionError:
    return refusal(
        text.path,
        line,
        "pointer",
        f"the pointer `{name}` makes a second name for elements of an array, so what depends on what cannot be seen; "
        "write the array and its index",
    )


def _points(kind: c_ast.Node) -> bool:
    while isinstance(kind, c_ast.ArrayDecl):
        kind = kind.type
    return isinstance(kind, c_ast.PtrDecl)


def _assigns(node: c_ast.Node) -> bool:
    return target_of(node) is not None


def _counts(step: c_ast.Node | None) -> bool:
    """Whether the third part of a `for` adds to its variable."""
    if isinstance(step, c_ast.UnaryOp):
        return step.op in INCREMENTS
    return isinstance(step, c_ast.Assignment) and step.op in ("=", "+=", "-=")


def _stays(step: c_ast.Node | None) -> bool:
    """Whether the third part of a `for` leaves its variable as it is: `i += 0`, `i = i`, `i = i + 0`."""
    if not isinstance(step, c_ast.Assignment) or not isinstance(step.lvalue, c_ast.ID):
        return False
    match step.rvalue:
        case c_ast.ID(name=name):
            return step.op == "=" and bool(name == step.lvalue.name)
        case c_ast.BinaryOp(op="+" | "-", left=c_ast.ID(name=name), right=right) if step.op == "=":
            return bool(name == step.lvalue.name) and number_of(right) == 0
        case value:
            return step.op in ("+=", "-=") and number_of(value) == 0


def _is_number(node: c_ast.Node) -> bool:
    return all(isinstance(n, c_ast.BinaryOp | c_ast.Constant) for n, _ in walk(node))


def _never_ends(loop: c_ast.For) -> bool:
    """Whether a loop runs while an unsigned number is at least 0."""
    match loop:
        case c_ast.For(
            init=c_ast.DeclList(
                decls=[c_ast.Decl(name=name, type=c_ast.TypeDecl(type=c_ast.IdentifierType(names=words)))]
            ),
            cond=c_ast.BinaryOp(op=">=", left=c_ast.ID(name=counted), right=c_ast.Constant(value="0")),
        ):
            return name == counted and any(w in ("unsigned", "size_t") or w.startswith("uint") for w in words)
        case _:
            return False


def _is_list(init: c_ast.Node | None) -> bool:
    return isinstance(init, c_ast.ExprList) or (isinstance(init, c_ast.DeclList) and len(init.decls) > 1)


def _is_comma(statement: c_ast.Node | None) -> bool:
    return isinstance(statement, c_ast.ExprList)


def _statements(node: c_ast.Node) -> Iterator[c_ast.Node | None]:
    if isinstance(node, c_ast.Compound):
        yield from node.block_items or []
    else:
        yield from (node.stmt, node.next)
