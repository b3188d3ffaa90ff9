"""All that is rewritten before pet reads a file, in order."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pycparser import c_ast

from polyad.pet.c_style.called_functions import inline_helpers
from polyad.pet.c_style.calls_in_conditions import values_in_conditions
from polyad.pet.c_style.chained_assignments import single_assignments
from polyad.pet.c_style.comma_statements import without_commas
from polyad.pet.c_style.counted_loops import loops_that_count
from polyad.pet.c_style.counters import counters_as_functions
from polyad.pet.c_style.elements import elements_of_arrays
from polyad.pet.c_style.listed_values import lists_as_assignments
from polyad.pet.c_style.moved_pointers import integers_for_pointers
from polyad.pet.c_style.named_constants import constants_as_macros, without_static
from polyad.pet.c_style.optional_arguments import settle_optional
from polyad.pet.c_style.own_memory import hoist_memory
from polyad.pet.c_style.plain_integers import plain_integers
from polyad.pet.c_style.row_pointers import without_row_pointers
from polyad.pet.c_style.whole_function import take_in
from polyad.pet.c_text.definitions import CText, Definition, Region
from polyad.pet.c_text.parse import SyntaxProblem, parse_definition
from polyad.pet.c_text.print_body import with_body
from polyad.pet.promises import Promises
from polyad.pet.prototype import canonical_type

__all__ = ["Restyled", "restyled"]

Chosen = tuple[CText, Definition, Region]


@dataclass(frozen=True, slots=True)
class Restyled:
    """A rewritten file.

    Attributes:
        source: the text.
        chosen: what is in it, the function, and its loop nest.
        returned: the array of one element that holds what the function returns, "" for none.
    """

    source: str
    chosen: Chosen
    returned: str


def restyled(source: str, chosen: Chosen, read_again: Callable[[str], Chosen], promises: Promises) -> Restyled:
    """The file in the C that pet reads; as it is where it is no C99, so that others say what is wrong.

    Args:
        source: the file.
        chosen: what is in it, the function, and its loop nest.
        read_again: the same of a rewritten text.
        promises: what the caller of the function promises.

    Raises:
        ExtractionError: the function returns what is no number.
    """
    returned = ""
    try:
        optional = partial(settle_optional, absent=promises.absent)
        for change in (_on_tree(optional), *_CHANGES):
            changed = change(source, *chosen)
            if changed != source:
                source, chosen = changed, read_again(changed)
        text, definition, region = chosen
        tree = parse_definition(text, definition)
        kind = canonical_type(text, tree.decl.type.type, definition.first)
        changed, returned = take_in(source, text, definition, region, kind)
        if changed != source:
            source, chosen = changed, read_again(changed)
    except SyntaxProblem:
        pass
    return Restyled(source, chosen, returned)


def _on_tree(change: Callable[[c_ast.FuncDef], bool]) -> Callable[[str, CText, Definition, Region], str]:
    """A change of a function's tree as one of the text; it returns whether it has changed anything."""

    def changed(source: str, text: CText, definition: Definition, region: Region) -> str:
        tree = parse_definition(text, definition)
        return with_body(source, definition, tree) if change(tree) else source

    return changed


def _constants(source: str, text: CText, definition: Definition, region: Region) -> str:
    return constants_as_macros(source, text)


def _static(source: str, text: CText, definition: Definition, region: Region) -> str:
    return without_static(source, text, definition)


def _elements(source: str, text: CText, definition: Definition, region: Region) -> str:
    for function in text.used_by(definition):
        if function is definition:
            source = elements_of_arrays(source, text, function)
        elif not text.regions_of(function):
            with contextlib.suppress(SyntaxProblem):
                source = elements_of_arrays(source, text, function)
    return source


def _single(source: str, text: CText, definition: Definition, region: Region) -> str:
    return single_assignments(source, text, definition)


def _rows(source: str, text: CText, definition: Definition, region: Region) -> str:
    for function in text.used_by(definition):
        with contextlib.suppress(SyntaxProblem):
            source = without_row_pointers(source, text, function)
    return source


_CHANGES = (
    _constants,
    _static,
    _on_tree(hoist_memory),
    _rows,
    _rows,
    _rows,
    _on_tree(integers_for_pointers),
    _elements,
    without_commas,
    _single,
    plain_integers,
    loops_that_count,
    _on_tree(counters_as_functions),
    lists_as_assignments,
    inline_helpers,
    values_in_conditions,
)
"""Each reads what the ones before have written: a pointer may be set to a place of another one."""
