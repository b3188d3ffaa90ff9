"""Integers without what hides from pet that they are sums of sizes and loop variables: casts, and `abs`.

    for (int i = 0; i < (int)n; i++)       for (int i = 0; i < n; i++)
    if (abs(i - j) > band)                 if (((i - j) < 0 ? -(i - j) : (i - j)) > band)

What is cast to a signed type is no other number without the cast, where sizes are below 2^31; to an unsigned type,
where it is a size, or stands in a subscript: `(unsigned)(i - 1) < n` asks for more than `i - 1 < n`.
"""

from __future__ import annotations

import re

from pycparser import c_ast

from polyad.errors import ExtractionError
from polyad.pet.c_text.definitions import CDefinition, CText, ScopRegion, without_comments
from polyad.pet.c_text.edits import Edit, edited, line_starts, matching
from polyad.pet.c_text.parse import parameters_of, parse_definition, walk
from polyad.pet.integers.mathematical import mathematical_names
from polyad.pet.prototype import BITS, canonical_type

__all__ = ["plain_integers"]

_SIGNED = r"(?:signed\s+)?(?:int|long(?:\s+long)?(?:\s+int)?|ptrdiff_t|ssize_t|int32_t|int64_t)"
_UNSIGNED = r"(?:unsigned(?:\s+(?:int|long))?|size_t|uint32_t|uint64_t)"
_CAST = re.compile(
    rf"(?<![\w)\]])\(\s*(?:(?P<signed>{_SIGNED})|{_UNSIGNED})\s*\)\s*(?:(?P<name>[A-Za-z_]\w*)\b(?!\s*[\[(.])|(?P<open>\())"
)
_ABS = re.compile(r"(?<![\w.])(?:std::)?l{0,2}abs\s*\(")
_SUBSCRIPT = re.compile(r"\[[\w\s+*()-]*\Z")
_INTEGERS = {kind for kind, bits in BITS.items() if abs(bits) >= 32}
_SIGNED_KINDS = {kind for kind in _INTEGERS if BITS[kind] < 0}
_SUM = re.compile(r"[\w\s+*()-]*")


def plain_integers(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
    """The text of a function without casts of sizes and loop variables, and `abs` of them as a condition."""
    tree = parse_definition(text, definition)
    integers, sizes = _integers(tree, text, mathematical_names(source, text, definition))
    starts, plain = line_starts(source), without_comments(source)
    begin, end = starts[definition.first], starts[min(definition.last + 1, len(starts) - 1)]
    edits: list[Edit] = []
    done = begin
    while (match := _CAST.search(plain, done, end)) is not None:
        done = match.end()
        close = matching(plain, match.start("open")) + 1 if match["open"] else match.end("name")
        value = plain[match.start("open") if match["open"] else match.start("name") : close]
        plainly = match["signed"] or _SUBSCRIPT.search(plain[begin : match.start()])
        if close > 0 and (_is_sum(value, integers) if plainly else _is_sum(value, sizes) and "-" not in value):
            before = match.start("open") if match["open"] else match.start("name")
            edits.append((match.start(), before, ""))
    for match in _ABS.finditer(plain, begin, end):
        close = matching(plain, match.end() - 1)
        value = plain[match.end() : close]
        if close > 0 and _is_sum(value, integers) and not any(match.start() <= a < close for a, _, _ in edits):
            edits.append((match.start(), close + 1, f"(({value}) < 0 ? -({value}) : ({value}))"))
    return edited(source, edits)


def _is_sum(value: str, names: set[str]) -> bool:
    """Whether a text adds and multiplies numbers and names alone."""
    words = set(re.findall(r"[A-Za-z_]\w*", value))
    return _SUM.fullmatch(value) is not None and words <= names and bool(words)


def _integers(tree: c_ast.FuncDef, text: CText, without_end: frozenset[str]) -> tuple[set[str], set[str]]:
    """The integers of a function that never come back at another end, and those of them that it is given."""
    kinds: dict[str, set[str]] = {}
    for node, line in walk(tree):
        if isinstance(node, c_ast.Decl) and node.name:
            kinds.setdefault(node.name, set()).add(_kind(node.type, text, line))
    integers = {name for name, found in kinds.items() if found <= (_INTEGERS if name in without_end else _SIGNED_KINDS)}
    inside = {n.name for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl)}
    return integers, integers & {p.name for p in parameters_of(tree)} - inside


def _kind(declared: c_ast.Node, text: CText, line: int) -> str:
    """The type of a number; "" for what is none."""
    if not isinstance(declared, c_ast.TypeDecl) or not isinstance(declared.type, c_ast.IdentifierType):
        return ""
    try:
        return canonical_type(text, declared, line)
    except ExtractionError:  # a typedef of an array, or of a struct
        return ""
