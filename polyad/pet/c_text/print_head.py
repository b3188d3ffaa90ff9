"""A function whose tree got other parameters, as text: they are printed in place of the old ones."""

from __future__ import annotations

import re

from pycparser import c_ast, c_generator

from polyad.pet.c_text.definitions import CDefinition, without_comments
from polyad.pet.c_text.edits import edited, line_starts, matching

__all__ = ["with_parameters"]


def with_parameters(source: str, definition: CDefinition, tree: c_ast.FuncDef) -> str:
    """The text with other parameters of a function; as it is where it does not show where they stand.

    Args:
        source: the file.
        definition: the function.
        tree: the function, with the new parameters.
    """
    plain, start = without_comments(source), line_starts(source)[definition.first]
    place = re.compile(rf"\b{re.escape(definition.name)}\s*\(").search(plain, start)
    closing = matching(plain, place.end() - 1) if place is not None else -1
    if place is None or closing < 0:
        return source
    printed = c_generator.CGenerator().visit(tree.decl.type.args)
    return edited(source, [(place.end(), closing, " ".join(printed.split()))])
