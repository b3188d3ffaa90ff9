"""The body of a function as text again, after its tree was changed: each statement stays on its line."""

from __future__ import annotations

import re

from pycparser import c_ast, c_generator

from polyad.pet.c_text.definitions import CDefinition, without_comments
from polyad.pet.c_text.edits import line_starts, matching, presumed_lines

__all__ = ["with_body"]

_LINE = re.compile("\x00(\\d+)\x00")


class _Placed(c_generator.CGenerator):  # type: ignore[misc]  # pycparser has no types
    """Writes the line of each statement in front of it."""

    def _generate_stmt(self, n: c_ast.Node, add_indent: bool = False) -> str:
        text = str(super()._generate_stmt(n, add_indent))
        return text if n.coord is None or isinstance(n, c_ast.Compound) else f"\x00{n.coord.line}\x00{text}"


def with_body(source: str, definition: CDefinition, tree: c_ast.FuncDef) -> str:
    """The text with another body of a function; as it is where braces do not show where the body stands.

    Args:
        source: the file.
        definition: the function.
        tree: the function, with the new body.
    """
    starts, plain = line_starts(source), without_comments(source)
    opening = plain.find("{", starts[tree.body.coord.line])
    closing = matching(plain, opening) if opening >= 0 else -1
    numbers = presumed_lines(source)
    if closing < 0 or numbers[source.count("\n", 0, closing) + 1] != definition.last:
        return source
    written = _Placed().visit(tree.body).strip()
    pieces = _LINE.split(written[1:-1])
    line = numbers[source.count("\n", 0, opening) + 1]
    text = "{" + _flat(pieces[0])
    placed = [*zip(map(int, pieces[1::2]), pieces[2::2], strict=True), (definition.last, "}")]
    for (number, piece), (following, _) in zip(placed, [*placed[1:], placed[-1]], strict=True):
        is_pragma = piece.lstrip().startswith("#")
        if is_pragma and number <= line:  # it has the number of a line beside it
            text, line = f"{text.rstrip()}\n#line {number}\n", number
        text, line = text + "\n" * max(0, number - line), max(line, number)
        if not is_pragma:
            text += _flat(piece)
            continue
        pragma, _, rest = piece.strip().partition("\n")
        text, line = f"{text}{pragma}\n", line + 1
        if following < line:
            text, line = f"{text}#line {following}\n", following
        text += _flat(rest)
    return source if line > definition.last else source[:opening] + text + source[closing + 1 :]


def _flat(text: str) -> str:
    return re.sub(r"\s*\n\s*", " ", text)
