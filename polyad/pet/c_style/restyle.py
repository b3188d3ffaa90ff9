"""All that is rewritten before pet reads a file, in order."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from pycparser import c_ast

from polyad.errors import ExtractionError
from polyad.pet.c_style.called_functions import inline_helpers
from polyad.pet.c_style.calls_in_conditions import values_in_conditions
from polyad.pet.c_style.counters import counters_as_functions
from polyad.pet.c_style.elements import elements_of_arrays
from polyad.pet.c_style.listed_values import lists_as_assignments
from polyad.pet.c_style.moved_pointers import integers_for_pointers
from polyad.pet.c_style.named_constants import constants_as_macros, without_static
from polyad.pet.c_style.optional_arguments import settle_optional
from polyad.pet.c_style.own_memory import hoist_memory
from polyad.pet.c_style.plain_integers import plain_integers
from polyad.pet.c_style.rotated_pointers import rotations_as_copies
from polyad.pet.c_style.row_pointers import without_row_pointers
from polyad.pet.c_style.single_declarations import declares_several
from polyad.pet.c_style.sizes.exact_quotients import quotients_as_sizes
from polyad.pet.c_style.sizes.products_as_sizes import products_as_sizes
from polyad.pet.c_style.struct_members import NotTakenApart, members_as_parameters
from polyad.pet.c_style.switches import switches_as_conditions
from polyad.pet.c_style.unique_names import with_own_names
from polyad.pet.c_style.unmodelled_calls import without_calls
from polyad.pet.c_style.whole_function import take_in
from polyad.pet.c_text.calls import inlined_functions
from polyad.pet.c_text.definitions import CDefinition, CText, ScopRegion
from polyad.pet.c_text.parse import SyntaxProblem, parse_definition
from polyad.pet.c_text.print_body import with_body
from polyad.pet.c_text.print_head import with_parameters
from polyad.pet.c_text.structs import Structs
from polyad.pet.c_tree.called_bodies import Bodies
from polyad.pet.c_tree.memory_functions import MEMORY_FUNCTIONS, Memory, NoElements
from polyad.pet.c_tree.plain_function import plain_function
from polyad.pet.derived import Derived
from polyad.pet.flattened import Flattened
from polyad.pet.integers.conversions import Conversions, conversions_of
from polyad.pet.integers.kinds import element
from polyad.pet.integers.mathematical import mathematical_names
from polyad.pet.promises import Promises
from polyad.pet.prototype import canonical_type
from polyad.pet.refusal import refusal

__all__ = ["Restyled", "restyled"]

Chosen = tuple[CText, CDefinition, ScopRegion]


@dataclass(frozen=True, slots=True)
class Restyled:
    """A rewritten file.

    Attributes:
        source: the text.
        chosen: what is in it, the function, and its loop nest.
        returned: the array of one element that holds what the function returns, "" for none.
        conversions: what conversions of integers do, as it was written.
        derived: parameters that it did not have -> what they are of those that it had.
        flattened: the structs in whose place their members are.
    """

    source: str
    chosen: Chosen
    returned: str
    conversions: Conversions
    derived: Mapping[str, Derived] = field(default_factory=dict)
    flattened: Flattened = field(default_factory=Flattened)


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
    returned, conversions = "", Conversions()
    derived: dict[str, Derived] = {}
    flattened = Flattened()
    try:
        for change in (_on_trees(promises), _bodies):
            source, chosen = _after(change, source, chosen, read_again)
        if chosen[0].types or "struct" in source:
            source, chosen, flattened = _without_structs(source, chosen, read_again)
        tree = parse_definition(chosen[0], chosen[1])
        if promises.multiples:
            derived = quotients_as_sizes(tree, promises.multiples)
        derived |= products_as_sizes(tree)
        if promises.multiples or derived:
            changed = with_body(with_parameters(source, chosen[1], tree), chosen[1], tree)
            source, chosen = changed, read_again(changed)
        optional = partial(settle_optional, absent=promises.absent)
        rotations = partial(rotations_as_copies, shapes=promises.shapes)
        for change in (_on_tree(optional), _on_tree(rotations), *_FIRST):
            source, chosen = _after(change, source, chosen, read_again)
        source, chosen = _as_read(source, chosen, read_again)
        for change in _CHANGES:
            if change is plain_integers:
                conversions = _conversions(source, *chosen)
            source, chosen = _after(change, source, chosen, read_again)
        text, definition, region = chosen
        tree = parse_definition(text, definition)
        kind = canonical_type(text, tree.decl.type.type, definition.first)
        changed, returned = take_in(source, text, definition, region, kind)
        if changed != source:
            source, chosen = changed, read_again(changed)
    except SyntaxProblem:
        pass
    return Restyled(source, chosen, returned, conversions, derived, flattened)


def _without_structs(source: str, chosen: Chosen, read_again: Callable[[str], Chosen]) -> tuple[str, Chosen, Flattened]:
    """The file with members of structs in their place.

    Raises:
        ExtractionError: a struct is used as a whole.
    """
    text, definition, _ = chosen
    tree = parse_definition(text, definition)
    try:
        flattened = members_as_parameters(tree, Structs(text))
    except NotTakenApart as problem:
        sentence = (
            f"`{problem.name}` is a struct that is not taken apart here; use its members, numbers and pointers, "
            "and of arrays of structs only those whose members are numbers of one type"
        )
        raise refusal(text.path, problem.line, "struct", sentence) from None
    if not flattened.own:
        return source, chosen, flattened
    changed = with_body(with_parameters(source, definition, tree), definition, tree)
    return changed, read_again(changed), flattened


def _after(
    change: Callable[[str, CText, CDefinition, ScopRegion], str],
    source: str,
    chosen: Chosen,
    read_again: Callable[[str], Chosen],
) -> tuple[str, Chosen]:
    """The file after a change."""
    changed = change(source, *chosen)
    return (source, chosen) if changed == source else (changed, read_again(changed))


def _conversions(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> Conversions:
    """Conversions of integers, before casts are left out."""
    tree = parse_definition(text, definition)
    bodies = inlined_functions(text, tree)
    returned = {name: element(text, body.decl.type.type, definition.first) for name, body in bodies.items()}
    names = mathematical_names(source, text, definition)
    found = [conversions_of(text, tree, names, returned, is_called=False)]
    found += [conversions_of(text, body, frozenset(), returned, is_called=True) for body in bodies.values()]
    return Conversions(
        tuple(problem for one in found for problem in one.problems),
        tuple(sizes for one in found for sizes in one.excluded),
    )


def _as_read(source: str, chosen: Chosen, read_again: Callable[[str], Chosen]) -> tuple[str, Chosen]:
    """The file with statements and loops that pet reads, in the function and in those that it calls."""
    for name in [f.name for f in chosen[0].used_by(chosen[1])]:
        text = chosen[0]
        with contextlib.suppress(SyntaxProblem):
            found = plain_function(source, text, text.functions[name])
            if found is not None:
                there = read_again(found.source)
                if found.holds(there[0]):
                    source, chosen = found.source, there
    return source, chosen


def _on_tree(change: Callable[[c_ast.FuncDef], bool]) -> Callable[[str, CText, CDefinition, ScopRegion], str]:
    """A change of a function's tree as one of the text; it returns whether it has changed anything."""

    def changed(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
        tree = parse_definition(text, definition)
        return with_body(source, definition, tree) if change(tree) else source

    return changed


def _on_trees(promises: Promises) -> Callable[[str, CText, CDefinition, ScopRegion], str]:
    """The first changes, of the function and of all that it calls."""

    def changed(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
        for function in reversed(text.used_by(definition)):
            with contextlib.suppress(SyntaxProblem):
                tree = parse_definition(text, function)
                found = [
                    without_calls(tree, promises.ignored, promises.memory),
                    switches_as_conditions(tree),
                    with_own_names(tree),
                ]
                if any(found):
                    source = with_body(source, function, tree)
        return source

    return changed


def _bodies(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
    def helper(name: str) -> c_ast.FuncDef | None:
        there = text.functions.get(name)
        if there is None or there.file != text.path:
            return None
        with contextlib.suppress(SyntaxProblem):
            return parse_definition(text, there)
        return None

    def kind(tree: c_ast.FuncDef) -> str:
        return canonical_type(text, tree.decl.type.type, definition.first)

    structs = Structs(text)

    def is_struct(node: c_ast.Node) -> bool:
        return structs.of(node) is not None or structs.pointed(node) is not None

    for function in reversed(text.used_by(definition)):
        with contextlib.suppress(SyntaxProblem):
            tree = parse_definition(text, function)
            if Bodies(helper, kind, is_struct).put_into(tree):
                source = with_body(source, function, tree)
    return source


def _constants(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
    return constants_as_macros(source, text)


def _static(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
    return without_static(source, text, definition)


def _memory(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
    for function in reversed(text.used_by(definition)):
        if not MEMORY_FUNCTIONS & set(re.findall(r"\w+", function.text)):
            continue
        tree = parse_definition(text, function)

        def is_read(line: int, at: CDefinition = function) -> bool:
            return at is not definition or region.first < line < region.last

        def kind(node: c_ast.Node) -> str:
            with contextlib.suppress(ExtractionError):
                return canonical_type(text, node, definition.first)
            return ""

        try:
            if Memory(tree, kind).replaced(is_read):
                source = with_body(source, function, tree)
        except NoElements as problem:
            sentence = f"`{problem.call}` of bytes is not modelled: {problem}; write a loop that assigns elements"
            raise refusal(text.path, problem.line, f"{problem.call}()", sentence) from None
    return source


def _elements(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
    for function in text.used_by(definition):
        if function is definition:
            source = elements_of_arrays(source, text, function)
        elif not text.regions_of(function):
            with contextlib.suppress(SyntaxProblem):
                source = elements_of_arrays(source, text, function)
    return source


def _rows(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
    for function in text.used_by(definition):
        with contextlib.suppress(SyntaxProblem):
            source = without_row_pointers(source, text, function)
    return source


_FIRST = (
    _constants,
    _static,
    _on_tree(declares_several),
    _memory,
    _on_tree(hoist_memory),
    _rows,
    _rows,
    _rows,
    _on_tree(integers_for_pointers),
    _elements,
)
"""What is done before statements and loops become those that pet reads: pointers are no integers there."""

_CHANGES = (
    _on_tree(counters_as_functions),
    plain_integers,
    lists_as_assignments,
    inline_helpers,
    values_in_conditions,
)
"""Each reads what the ones before have written: a pointer may be set to a place of another one."""
