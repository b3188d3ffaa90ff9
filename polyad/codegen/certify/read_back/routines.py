"""Functions that a kernel calls for nests that say the same of other arrays, put in place of their calls.

A call has names as arguments, all different, declared as the parameters are; the body has names of its own. It stands
for the body with the arguments in place of the parameters. Names that the body declares are those of the nest for
which the function was written, so each becomes the one that the plan has in its place: renaming what is bound changes
nothing where different names stay different, and none becomes a name from outside. Whether the result is what the plan
asks for is seen afterwards, as of any other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from polyad.codegen.certify.read_back.c_names import plain
from polyad.codegen.certify.read_back.c_tokens import NotReadError
from polyad.codegen.certify.read_back.c_tree import (
    Call,
    Compound,
    Declare,
    Do,
    For,
    Function,
    Name,
    Return,
    Statement,
    Text,
    Unit,
)

__all__ = ["without_routines"]

_KIND = "PA_NOINLINE void"
_IDENTIFIER = re.compile(r"\b[A-Za-z_]\w*")


def without_routines(unit: Unit, kernel: str, asked: Sequence[Statement]) -> Unit:
    """A file whose kernel calls no function of its own for a nest.

    Args:
        unit: the file.
        kernel: the name of its kernel function.
        asked: the statements that the plan asks for in it.

    Raises:
        NotReadError: a call is none that can be replaced.
    """
    routines = {f.name: f for f in unit.functions if f.type == _KIND}
    if not routines:
        return unit
    others = tuple(f for f in unit.functions if f.type != _KIND)
    if len(routines) + len(others) != len(unit.functions):
        raise NotReadError("two functions have one name", 1)
    called: set[str] = set()
    functions = []
    for function in others:
        if function.name == kernel and function.body is not None:
            function = replace(function, body=tuple(_expanded(function, routines, asked, called)))
        functions.append(function)
    for unused in routines.keys() - called:
        raise NotReadError(f"{unused} is called nowhere", routines[unused].line)
    return replace(unit, functions=tuple(functions))


def _expanded(
    kernel: Function, routines: Mapping[str, Function], asked: Sequence[Statement], called: set[str]
) -> Iterator[Statement]:
    """The statements of a kernel, with the bodies of what it calls."""
    types = {name: kind for kind, name in kernel.parameters}
    at = 0
    for statement in kernel.body or ():
        match statement:
            case Declare(type=kind, name=name):
                types[name] = kind
            case Do(Call(function, arguments)) if function in routines:
                called.add(function)
                body = routines[function].body or ()
                if asked[at : at + 1] and isinstance(asked[at], Compound):
                    body = (Compound(body, routines[function].line),)  # the braces of the function are its own
                elif any(isinstance(inner, Declare) for inner in body):
                    raise NotReadError(f"{function} declares what is not seen behind it", statement.line)
                names = _in_place(routines[function], arguments, types, asked[at : at + len(body)], statement.line)
                yield from _renamed(body, names)
                at += len(body)
                continue
            case _:
                pass
        yield statement
        at += 1


def _in_place(
    routine: Function, arguments: Sequence[Any], types: Mapping[str, str], asked: Sequence[Statement], line: int
) -> dict[str, str]:
    """The names in place of a routine's parameters and of those that it declares."""
    given = [a.name if isinstance(a, Name) else "" for a in arguments]
    kinds = [kind for kind, _ in routine.parameters]
    parameters = [name for _, name in routine.parameters]
    if len(given) != len(parameters) or len({*given}) != len(given) or len({*parameters}) != len(given):
        raise NotReadError(f"{routine.name} is not called with one variable for each of its parameters", line)
    for name, kind in zip(given, kinds, strict=True):
        own = types.get(name)
        if own is None or not _passes(own, kind):
            raise NotReadError(f"{name or 'what'} is passed to {routine.name} as {kind}", line)
    body = routine.body or ()
    if any(isinstance(node, Return) for node in _nodes(body)):
        raise NotReadError(f"{routine.name} returns on its way", routine.line)
    declared, wanted = [*_declared(body)], [*_declared(asked)]
    if len(declared) != len(wanted):
        raise NotReadError(f"{routine.name} declares other variables than the loops ask for here", line)
    renamed = dict(zip(declared, wanted, strict=True))
    mentioned = {*_mentioned(body)} - {*declared} - {*parameters}
    if any(name in types for name in mentioned):
        raise NotReadError(f"{routine.name} mentions what it is not given", routine.line)
    if {*declared} & {*parameters}:
        raise NotReadError(f"{routine.name} declares a variable that hides a parameter", routine.line)
    followed = [renamed[name] for name in declared] == wanted  # a name twice is one name twice
    if not followed or len({*renamed.values()}) < len(renamed) or {*wanted} & {*given, *mentioned}:
        raise NotReadError(f"{routine.name} declares other variables than the loops ask for here", line)
    return renamed | dict(zip(parameters, given, strict=True))


def _passes(own: str, kind: str) -> bool:
    """Whether a variable of a type may be a parameter: of the same type, and nothing is promised that did not hold."""
    pointer = "*" in own
    written = not pointer or own.split()[0] != "const" or kind.split()[0] == "const"
    alone = "PA_RESTRICT" in own or "PA_RESTRICT" not in kind
    return plain(own) == plain(kind) and written and alone


def _nodes(tree: Any) -> Iterator[Any]:
    """All nodes of trees."""
    if isinstance(tree, tuple):
        for one in tree:
            yield from _nodes(one)
    elif is_dataclass(tree):
        yield tree
        for field in fields(tree):
            yield from _nodes(getattr(tree, field.name))


def _declared(tree: Any) -> Iterator[str]:
    """The names that statements declare, in their order."""
    for node in _nodes(tree):
        match node:
            case Declare(name=name) | For(iterator=name):
                yield name


def _mentioned(tree: Any) -> Iterator[str]:
    """The names in statements."""
    for node in _nodes(tree):
        match node:
            case Name(name):
                yield name
            case Text(words):
                yield from _IDENTIFIER.findall(words)


def _renamed(tree: Any, names: Mapping[str, str]) -> Any:
    """Trees with other names."""
    if isinstance(tree, tuple):
        return tuple(_renamed(one, names) for one in tree)
    match tree:
        case Name(name):
            return Name(names.get(name, name))
        case Text(words):
            return Text(_IDENTIFIER.sub(lambda found: names.get(found[0], found[0]), words))
        case Declare(name=name):
            tree = replace(tree, name=names.get(name, name))
        case For(iterator=name):
            tree = replace(tree, iterator=names.get(name, name))
    if not is_dataclass(tree) or isinstance(tree, type):
        return tree
    return replace(tree, **{f.name: _renamed(getattr(tree, f.name), names) for f in fields(tree) if f.name != "line"})
