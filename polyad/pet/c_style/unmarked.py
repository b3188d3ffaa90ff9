"""A function without pragmas: they are put around the loop nests of its body.

    double dot(int n, ...)                    double dot(int n, ...)
    {                                         {
        double s = 0;                             double s = 0;
        for (...) s += x[i] * y[i];           #line 3
        return s;                             #pragma scop
    }                                             for (...) s += x[i] * y[i];
                                              #pragma endscop
                                              #line 5
                                                  return s;
                                              }

From the first statement of the body with a loop to the last one; where there is none, all that computes. What stands
before and behind is taken in by whole_function.py as far as it matters. A pragma has the number of a line beside it, so
that all others keep theirs; in a function of one line there is none, and its statements have a number that is higher.
"""

from __future__ import annotations

from pycparser import c_ast

from polyad.pet.c_text.definitions import CDefinition, CText, without_comments
from polyad.pet.c_text.edits import Edit, edited, line_starts, matching
from polyad.pet.c_text.parse import parse_definition, walk
from polyad.pet.c_tree.memory_functions import MEMORY_FUNCTIONS

__all__ = ["marked"]

_LOOPS = c_ast.For | c_ast.While | c_ast.DoWhile


def marked(source: str, text: CText, definition: CDefinition) -> str:
    """The text with pragmas in a function; as it is where there is nothing to put them around.

    Args:
        source: the file.
        text: what is in it.
        definition: the function.

    Raises:
        SyntaxProblem: the function is no C99.
    """
    tree = parse_definition(text, definition)
    items = [item for item in tree.body.block_items or [] if item.coord is not None]
    starts, plain = line_starts(source), without_comments(source)
    brace = tree.body.coord.line
    opening = plain.find("{", starts[brace])
    closing = matching(plain, opening) if opening >= 0 else -1
    if closing < 0 or not items:
        return source
    lines = [item.coord.line for item in items]
    first, last = _span(text, items)
    while first > 0 and lines[first - 1] == lines[first]:
        first -= 1
    while first <= last < len(items) - 1 and lines[last + 1] == lines[last]:
        last += 1
    edits: list[Edit] = []
    behind = starts[min(definition.last + 1, len(starts) - 1)]
    if first > last:  # there is nothing but `return e;`, which whole_function.py takes in
        place = plain.rfind("return", opening, closing)
        edits = [
            (place, place, "\n#pragma scop\n;\n#pragma endscop\n"),
            (behind, behind, f"#line {definition.last + 1}\n"),
        ]
        return edited(source, edits) if place > 0 else source
    whole_lines = starts[lines[first]] > opening
    if whole_lines:
        edits.append((starts[lines[first]], starts[lines[first]], f"#line {lines[first] - 1}\n#pragma scop\n"))
    else:
        edits.append((opening + 1, opening + 1, "\n#pragma scop\n"))
    returns = last == len(items) - 1 and isinstance(items[-1], c_ast.Return)
    number = lines[last + 1] if last + 1 < len(items) else definition.last
    end = starts[number]
    if returns:  # on the line of what comes before
        end = plain.rfind("return", opening, closing)
        edits.append((end, end, "\n#pragma endscop\n"))
    elif last + 1 < len(items) or not plain[end:closing].strip():
        edits.append((end, end, f"#pragma endscop\n#line {number}\n" if whole_lines else "#pragma endscop\n"))
    else:
        edits.append((closing, closing, "\n#pragma endscop\n"))
    if not whole_lines or returns or end > closing:
        edits.append((behind, behind, f"#line {definition.last + 1}\n"))
    return edited(source, edits)


def _span(text: CText, items: list[c_ast.Node]) -> tuple[int, int]:
    """The first and the last statement that the pragmas go around; the last is before the first if there is none."""
    loops = [i for i, item in enumerate(items) if any(isinstance(n, _LOOPS) for n, _ in walk(item))]
    computing = loops or [i for i, item in enumerate(items) if _computes(text, item)]
    return (computing[0], computing[-1]) if computing else (len(items) - 1, len(items) - 2)


def _computes(text: CText, item: c_ast.Node) -> bool:
    """Whether a statement is more than a declaration, a `return`, or a call of what is not in the file."""
    match item:
        case c_ast.If(iftrue=then, iffalse=None):
            inner = then.block_items or [] if isinstance(then, c_ast.Compound) else [then]
            return any(_computes(text, i) for i in inner)
        case c_ast.FuncCall(name=c_ast.ID(name=name)):
            return name in MEMORY_FUNCTIONS or (name in text.functions and text.functions[name].file == text.path)
        case c_ast.Decl(init=value):
            return value is not None
        case _:
            return not isinstance(item, c_ast.Return | c_ast.Typedef | c_ast.FuncCall | c_ast.EmptyStatement)
