"""The functions that a loop nest calls: those whose bodies pet puts in place of the call, and those it cannot see."""

from __future__ import annotations

from pycparser import c_ast

from polyad.pet.c_text.definitions import CText, ScopRegion
from polyad.pet.c_text.parse import parse_definition, walk
from polyad.pet.math_functions import FUNCTIONS
from polyad.pet.refusal import refusal

__all__ = ["check_calls", "inlined_functions"]

_PETS_OWN = frozenset({"min", "max", "floord", "ceild"})
"""What pet knows by its name; so it may be declared without a body."""


def inlined_functions(text: CText, tree: c_ast.Node, region: ScopRegion | None = None) -> dict[str, c_ast.FuncDef]:
    """The `inline` functions of the file that are called in a function, or in a region of it, and by them in turn.

    Raises:
        ExtractionError: one of them calls itself.
    """
    found: dict[str, c_ast.FuncDef] = {}
    _collect(text, tree, region, (), found)
    return found


def check_calls(text: CText, tree: c_ast.Node, region: ScopRegion | None = None) -> None:
    """Refuse calls of functions whose bodies cannot be seen, and that are not polyad's either.

    Raises:
        ExtractionError: at the first such call.
    """
    for name, line in _called(tree, region):
        definition = text.functions.get(name)
        own = definition is not None and definition.file == text.path
        if own and not _is_inline(parse_definition(text, text.functions[name])):
            raise refusal(
                text.path,
                line,
                f"{name}()",
                f"`{name}` is called, but what it does is not seen: define it as `static inline`, and its body takes "
                "the place of the call",
            )
        if not own and not _is_known(name):
            raise refusal(
                text.path,
                line,
                f"{name}()",
                f"`{name}` is called, but has no body in this file: define it as `static inline`, or use functions of "
                f"<math.h>, of which polyad has {', '.join(sorted(FUNCTIONS))}; if it changes nothing that is "
                f"computed, leave it out by `#pragma polyad ignore {name}` (--ignore {name})",
            )


def _is_known(name: str) -> bool:
    """Whether polyad has a function, or may have it once headers have expanded it (`__builtin_fabs`)."""
    plain = name.removeprefix("__builtin_")
    return plain in FUNCTIONS or plain.removesuffix("f") in FUNCTIONS or name in _PETS_OWN or name.startswith("__")


def _collect(
    text: CText, tree: c_ast.Node, region: ScopRegion | None, path: tuple[str, ...], found: dict[str, c_ast.FuncDef]
) -> None:
    for name, line in _called(tree, region):
        definition = text.functions.get(name)
        if definition is None or definition.file != text.path:
            continue
        if name in path:
            raise refusal(
                text.path, line, "recursion", f"`{name}` calls itself ({' -> '.join((*path, name))}); write a loop"
            )
        body = found.get(name) or parse_definition(text, definition)
        if _is_inline(body):
            _collect(text, body, None, (*path, name), found)
            found[name] = body


def _called(tree: c_ast.Node, region: ScopRegion | None) -> list[tuple[str, int]]:
    """The names that are called, each with its line."""
    return [
        (node.name.name, line)
        for node, line in walk(tree)
        if isinstance(node, c_ast.FuncCall)
        and isinstance(node.name, c_ast.ID)
        and (region is None or region.first < line < region.last)
    ]


def _is_inline(tree: c_ast.FuncDef) -> bool:
    return "inline" in tree.decl.funcspec
