"""Promises of the caller of a C function, which its text does not say.

    #pragma polyad noalias a          the rows of `double **a` lie in memory of their own, and do not overlap
    #pragma polyad shape b=n,m        `double *b` has n m elements, in rows of m
    #pragma polyad multiple C=H       the integer C is a multiple of H
    #pragma polyad memory vector      the function `vector` returns memory of its own, as malloc does
    #pragma polyad ignore fail        calls of the function `fail` change nothing that is computed, and are left out

Such a line stands in a function, or before it; the last two speak of all functions behind them. A member of a struct is
named as in C, `l->w`. On the command line it is `--assume-noalias a`, `--shape b=n,m`, `--multiple C=H`,
`--memory vector`, `--ignore fail`, and for an optional argument that is NULL `--absent p`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pycparser import c_ast

from polyad.errors import ExtractionError
from polyad.pet.c_text.definitions import CDefinition, CText
from polyad.pet.c_text.parse import parameters_of
from polyad.pet.refusal import refusal

__all__ = ["Promises", "promised", "with_members", "with_pragmas"]

_MEMBER = re.compile(r"(?<=[A-Za-z_\d])\s*(?:->|\.)\s*(?=[A-Za-z_])")
_NAME = re.compile(r"[A-Za-z_]\w*")
_SHAPE = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<extents>[^,=]+(?:,[^,=]+)*)")


@dataclass(frozen=True, slots=True)
class Promises:
    """Promises about the parameters of a function, taken on the caller's word.

    Attributes:
        noalias: pointers to pointers whose rows do not overlap.
        shapes: parameter -> its extents, as C text.
        absent: pointers that are NULL; all others are not.
        multiples: integer -> those that divide it.
        memory: functions that return memory of its own.
        ignored: functions whose calls are left out.
    """

    noalias: frozenset[str] = frozenset()
    shapes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()
    multiples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    memory: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()

    def check(self, text: CText, definition: CDefinition, tree: c_ast.FuncDef) -> None:
        """Refuse promises about what is no pointer that the function is given.

        Raises:
            ExtractionError: at the first such name.
        """
        names = [str(p.name) for p in parameters_of(tree)]
        divisors = [d for divisors in self.multiples.values() for d in divisors]
        multiples = [*self.multiples, *divisors]
        spoken_of = {"noalias": self.noalias, "shape": self.shapes, "absent": self.absent, "multiple": multiples}
        for kind, promised_ in spoken_of.items():
            for name in promised_:
                if name not in names:
                    sentence = (
                        f"{kind} speaks of `{name}`, which is no parameter of `{definition.name}`; its parameters are "
                        f"{', '.join(names) or 'none'}"
                    )
                    raise refusal(text.path, definition.first, kind, sentence)


def promised(
    file: str,
    noalias: object = (),
    shapes: object = None,
    absent: object = (),
    multiples: object = None,
    memory: object = (),
    ignored: object = (),
) -> Promises:
    """Read the promises in the arguments of `from_c`.

    Args:
        file: the C file, for messages.
        noalias: names, or one.
        shapes: parameter -> its extents, names and numbers or texts.
        absent: names, or one.
        multiples: integer -> what divides it, a name or several.
        memory: names of functions, or one.
        ignored: names of functions, or one.

    Raises:
        ExtractionError: they are none of that.
    """
    if not isinstance(shapes, Mapping | None):
        raise ExtractionError(f"shapes={shapes!r}: expected a dict such as {{'a': ('n', 'm')}}", file)
    if not isinstance(multiples, Mapping | None):
        raise ExtractionError(f"multiples={multiples!r}: expected a dict such as {{'C': 'H'}}", file)
    return Promises(
        _names(file, "assume_noalias", noalias),
        {_name(file, "shapes", name): _extents(file, name, extents) for name, extents in (shapes or {}).items()},
        _names(file, "absent", absent),
        {
            _name(file, "multiples", name): tuple(sorted(_names(file, "multiples", divisors)))
            for name, divisors in (multiples or {}).items()
        },
        _names(file, "memory", memory),
        _names(file, "ignore", ignored),
    )


def with_pragmas(promises: Promises, text: CText, definition: CDefinition) -> Promises:
    """The promises, and those of the pragmas that stand in a function or before it.

    Raises:
        ExtractionError: a pragma says something else.
    """
    noalias, shapes, multiples = set(promises.noalias), dict(promises.shapes), dict(promises.multiples)
    called = {"memory": set(promises.memory), "ignore": set(promises.ignored)}
    before = max(
        (f.last for f in text.functions.values() if f.file == text.path and f.last < definition.first), default=0
    )
    for line, words in text.promises:
        kind, _, rest = with_members(words).partition(" ")
        shape = _SHAPE.fullmatch(rest)
        names = [name.strip() for name in rest.split(",")]
        if kind in called and all(map(_NAME.fullmatch, names)):
            called[kind].update(names if line <= definition.last else ())
            continue
        if not before < line <= definition.last:
            continue
        if kind == "noalias" and all(map(_NAME.fullmatch, names)):
            noalias.update(names)
        elif kind == "shape" and shape is not None:
            shapes.setdefault(shape["name"], tuple(e.strip() for e in shape["extents"].split(",")))
        elif kind == "multiple" and shape is not None:
            divisors = tuple(e.strip() for e in shape["extents"].split(","))
            multiples[shape["name"]] = tuple(dict.fromkeys((*multiples.get(shape["name"], ()), *divisors)))
        else:
            known = "`noalias a, b`, `shape a=n,m`, `multiple n=m`, `memory f` or `ignore f`"
            sentence = f"`#pragma polyad {words}` is not known; write {known}"
            raise refusal(text.path, line, "pragma", sentence)
    own, left_out = (frozenset(names) for names in called.values())
    return Promises(frozenset(noalias), shapes, promises.absent, multiples, own, left_out)


def _names(file: str, argument: str, names: object) -> frozenset[str]:
    listed = [names] if isinstance(names, str) else names
    if not isinstance(listed, Sequence | frozenset | set):
        raise ExtractionError(f"{argument}={names!r}: expected a name, or a list of names", file)
    return frozenset(_name(file, argument, name) for name in listed)


def with_members(text: str) -> str:
    """A text in which members of structs are named as the parameters in their place: `l_w` for `l->w`."""
    return _MEMBER.sub("_", text)


def _name(file: str, argument: str, name: object) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(with_members(name)):
        raise ExtractionError(f"{argument}: {name!r} is no name of a parameter", file)
    return with_members(name)


def _extents(file: str, name: str, extents: object) -> tuple[str, ...]:
    listed = [extents] if isinstance(extents, str | int) else extents
    if isinstance(listed, Sequence) and listed and all(isinstance(e, str | int) and str(e).strip() for e in listed):
        return tuple(with_members(str(e).strip()) for e in listed)
    raise ExtractionError(f"shapes[{name!r}]={extents!r}: expected extents such as ('n', 'm')", file)
