"""From tensors to a Program: everything the outputs need, in the order it was defined."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from polyad import islx
from polyad.errors import DefinitionError
from polyad.frontend.definition import Definition, TensorBase, Words
from polyad.frontend.finish import context_set, without_negative_extents
from polyad.frontend.symbols import Size, merge_symbols
from polyad.ir.align import align_statement
from polyad.ir.array import Array
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.rename import rename

__all__ = ["Extraction", "canonical", "extract", "reachable"]


@dataclass(frozen=True, slots=True)
class Extraction:
    """A program over internal names, and the definitions it was collected from."""

    program: Program
    definitions: tuple[Definition, ...]

    @property
    def words(self) -> Words:
        """The names that readers see."""
        return Words.of(self.definitions)


def reachable(tensors: Iterable[TensorBase]) -> list[Definition]:
    """All definitions the tensors depend on, operands first."""
    seen: set[int] = set()
    order: list[Definition] = []
    stack: list[tuple[Definition, bool]] = [(t.definition, False) for t in reversed(list(tensors))]
    while stack:
        definition, done = stack.pop()
        if done:
            order.append(definition)
            continue
        if id(definition) in seen:
            continue
        seen.add(id(definition))
        stack.append((definition, True))
        stack.extend((d, False) for d in reversed(definition.operands) if id(d) not in seen)
    return order


def _is_input(definition: Definition) -> bool:
    return definition.is_placeholder and not any(a.role != "input" for a in definition.arrays.values())


def _needed(statements: Sequence[Statement], roots: Iterable[str]) -> list[Statement]:
    """The statements whose arrays the roots depend on."""
    by_array: dict[str, list[Statement]] = {}
    for s in statements:
        by_array.setdefault(s.array, []).append(s)
    needed: set[str] = set()
    stack = list(roots)
    while stack:
        array = stack.pop()
        if array in needed:
            continue
        needed.add(array)
        stack.extend(r.array for s in by_array.get(array, ()) for r in s.reads())
    return [s for s in statements if s.array in needed]


def extract(
    outputs: Sequence[TensorBase], inputs: Sequence[TensorBase] | None, name: str, extra: Sequence[TensorBase] = ()
) -> Extraction:
    """Collect a program over internal names.

    Args:
        outputs: tensors without hidden prefix; their arrays get the role output.
        inputs: placeholders in the order of the call; None takes all that are needed.
        name: program name.
        extra: tensors that belong to the program though no output needs them.

    Raises:
        DefinitionError: an output needs a placeholder that is not among the inputs.
    """
    definitions = reachable([*outputs, *extra])
    arrays: dict[str, Array] = {}
    for d in definitions:
        arrays.update(d.arrays)
    roots = [t.array for t in outputs]
    also = [t.array for t in extra]
    statements = _needed([s for d in definitions for s in d.statements], [*roots, *also])
    used = {r.array for s in statements for r in s.reads()} | {s.array for s in statements} | {*roots, *also}
    placeholders = [d for d in definitions if _is_input(d) and next(iter(d.arrays)) in used]
    if inputs is None:
        given = [next(iter(d.arrays)) for d in placeholders]
    else:
        given = [t.array for t in inputs]
        missing = [d for d in placeholders if next(iter(d.arrays)) not in given]
        if missing:
            names = ", ".join(f"{d.spoken(next(iter(d.arrays)))} (defined at {d.where})" for d in missing)
            raise DefinitionError(
                f"{name}: the outputs need {names}, which is not among the inputs; add it to compile(..., inputs)"
            )
        for t in inputs:
            arrays.update(t.definition.arrays)
    symbols = merge_symbols(*(t.symbols for t in (inputs or ())), *(d.symbols for d in definitions))
    sizes = {n: s for n, s in symbols.items() if isinstance(s, Size)}
    declared: list[str] = []
    for array in given:
        for extent in arrays[array].shape:
            declared += [n for n in sizes if n in extent.names()]
    params = list(dict.fromkeys([*declared, *sizes]))
    context = context_set(sizes, params)
    space = islx.space(params, "", []).params()
    roles: dict[str, Array] = {}
    for n, a in arrays.items():
        if n in given:
            roles[n] = a.with_role("input")
        elif n in roots:
            roles[n] = a.with_role("output")
        elif n in used:
            roles[n] = a if a.is_temporary else a.with_role("temporary")
    aligned = tuple(align_statement(s, space) for s in statements)
    scans = tuple(s for d in definitions for s in d.scans if all(k in used for k in s.states))
    context = without_negative_extents(context, roles.values())
    program = Program(name, context, roles, aligned, tuple(given), tuple(roots), scans)
    return Extraction(program, tuple(definitions))


def _made(name: str) -> tuple[int, ...]:
    """When an array was defined, among the others."""
    return tuple(int(n) for n in re.findall(r"\$(\d+)", name)[:1])


def canonical(program: Program, prefer: Mapping[str, str], words: Words) -> tuple[Program, dict[str, str]]:
    """The same program under readable, deterministic names.

    Args:
        program: over internal names.
        prefer: internal array name -> wanted name (of inputs and outputs, taken first).
        words: what other names are.

    Returns:
        The program, and internal name -> name for arrays.
    """
    taken: set[str] = set(program.params)
    arrays: dict[str, str] = {}
    others = [a for a in program.arrays if a not in prefer]
    states = {a for s in program.scans for a in s.states}
    for n in [*prefer, *sorted(others, key=lambda a: (a not in states, _made(a)))]:
        arrays[n] = unique_name(prefer.get(n) or words(n), taken)
        taken.add(arrays[n])
    used: set[str] = set()
    statements: dict[str, str] = {}
    for s in program.statements:
        wanted = arrays[s.array] if words(s.name) == words(s.array) else words(s.name)
        statements[s.name] = unique_name(wanted, used)
        used.add(statements[s.name])
    renamed = rename(program, statements, arrays)
    scan_names: set[str] = set()
    scans = []
    for scan in renamed.scans:
        name = unique_name(words(scan.name), scan_names)
        scan_names.add(name)
        scans.append(replace(scan, name=name))
    return replace(renamed, scans=tuple(scans)), arrays
