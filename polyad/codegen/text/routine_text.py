"""Nests that compute the same from other arrays, as one function that is called for each of them.

The layers of a network, the stages of a Runge-Kutta step, the updates of parameters of one shape: their nests differ in
names. The C compiler reads the first of them, as a function whose parameters are what it mentions of the kernel around;
for each nest stands a call. A proof puts the function in place of its calls again (read_back/routines.py).

    PA_NOINLINE void loss_nest(const float *PA_RESTRICT x, void *slot_3)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from polyad.codegen.loops.nodes import Block, CopyPointer, Node, Pack, SlotPointer
from polyad.codegen.loops.scope import declared_variable
from polyad.codegen.loops.traversal import children, declared, instances, nodes
from polyad.codegen.plan import Plan
from polyad.codegen.source import Argument
from polyad.codegen.storage.room import ROOM
from polyad.codegen.text.code import call, code, word
from polyad.codegen.text.expression_text import C_TYPES
from polyad.codegen.text.line_text import Line, Lines, function_text
from polyad.codegen.text.loop_text import LoopText
from polyad.ir.names import unique_name

__all__ = ["with_routines"]

_IDENTIFIER = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_COMMENT = re.compile(r"/\*.*?\*/")
_OF_THE_KERNEL = ("return", "status", "slots", "offset", "bytes", "workspace", "workspace_bytes", "sizes")
"""Words that mean something else, or nothing, in another function."""


@dataclass(frozen=True, slots=True)
class _Nest:
    """A nest of the kernel.

    Attributes:
        lines: that say it.
        key: their words, with numbers in place of names, and the types of the names from around.
        given: the names from around, in the order in which it mentions them.
        node: the nest.
    """

    lines: Lines
    key: tuple[object, ...]
    given: tuple[str, ...]
    node: Node


def with_routines(plan: Plan, arguments: Sequence[Argument], text: LoopText) -> tuple[Lines, list[str]]:
    """The lines of a kernel's loops, and the functions that these call, defined.

    Args:
        plan: the kernel.
        arguments: its parameters.
        text: prints loops.
    """
    root = plan.loops
    while len(root.children) == 1 and isinstance(root.children[0], Block):
        root = root.children[0]
    printed = [*text.children(root)]
    behind = {name for child in root.children if not children(child) for name in _declared(child, plan)}
    finder = _Finder(plan, _around(plan, arguments), behind)
    found = [finder.nest(node, lines) for node, lines in printed]
    alike: dict[tuple[object, ...], list[_Nest]] = {}
    for nest in found:
        if nest is not None:
            alike.setdefault(nest.key, []).append(nest)
    taken, functions, named = {*plan.known.taken, *plan.names.taken()}, list[str](), dict[tuple[object, ...], str]()
    for key, nests in alike.items():
        if len(nests) >= plan.known.options.machine.alike:
            named[key] = unique_name(f"{plan.names.function}_nest", taken)
            taken.add(named[key])
            functions.append(finder.function(named[key], nests))
    lines: Lines = []
    for (_, own), one in zip(printed, found, strict=True):
        lines += own if one is None or one.key not in named else finder.call(named[one.key], one)
    return lines, functions


def _around(plan: Plan, arguments: Sequence[Argument]) -> dict[str, str]:
    """The names that the whole kernel function sees, with what stands in front of a parameter of that name."""
    found = dict.fromkeys(plan.names.params.values(), f"{plan.names.value.index} ")
    found |= {a.c_name: f"{a.const}{C_TYPES[a.dtype]} *PA_RESTRICT " for a in arguments}
    for number, slot in enumerate(plan.storage.memory.slots):
        if slot.arrays == (ROOM,):
            found[ROOM] = "pa_room "
        elif slot.copies is None and len(slot.arrays) == 1:
            found[plan.names.arrays[slot.arrays[0]]] = f"{C_TYPES[slot.dtype]} *PA_RESTRICT "
        elif slot.copies is None:
            found[f"slot_{number}"] = "void *"
        elif slot.arrays[0] in plan.copies:
            found[plan.copies[slot.arrays[0]].first] = "unsigned char *"
    return found


def _declared(node: Node, plan: Plan) -> set[str]:
    """The names that a node declares, or what is inside of it."""
    found = declared(node)
    for inner in nodes(node):
        match inner:
            case CopyPointer(array=array) | SlotPointer(array=array):
                found.add(plan.names.arrays[array])
            case Pack(name=name):
                found.add(name)
            case _:
                variable = declared_variable(inner, plan.known.touches)
                if variable is not None:
                    found.add(variable[0])
    return found


@dataclass(frozen=True, slots=True)
class _Finder:
    """Finds the nests that may be calls, and spells these.

    Attributes:
        plan: the kernel.
        around: what `_around` returns.
        behind: the names that later nests see of earlier nodes, which are not in another function.
    """

    plan: Plan
    around: Mapping[str, str]
    behind: AbstractSet[str]

    def nest(self, node: Node, lines: Lines) -> _Nest | None:
        """A node as a nest that another function may hold, if it is one."""
        if not children(node):
            return None  # what it declares is for the nodes behind it
        own = _declared(node, self.plan)
        elsewhere = {*self.behind, *self.plan.names.arrays.values(), *_OF_THE_KERNEL} - own - self.around.keys()
        numbers: dict[str, int] = {}
        words: list[str | int] = []
        for word_ in _words(lines):
            if word_ in elsewhere:
                return None
            known = word_ in own or word_ in self.around
            words.append(numbers.setdefault(word_, len(numbers)) if known else word_)
        given = tuple(n for n in numbers if n not in own)
        if own & self.around.keys() & numbers.keys():
            return None  # hides a name of the kernel
        types = tuple((numbers[n], self.around[n].removeprefix("const ")) for n in given)
        return _Nest(lines, (types, *words), given, node)

    def function(self, name: str, nests: Sequence[_Nest]) -> str:
        """The definition of what nests have in common: the first of them."""
        columns = [[self.around[n] for n in names] for names in zip(*(n.given for n in nests), strict=True)]
        kinds = [next((k for k in column if k.startswith("const ")), column[0]) for column in columns]
        parameters = [word(f"{kind}{own}") for kind, own in zip(kinds, nests[0].given, strict=True)]
        match nests[0].lines:
            case ["{", list() as inside, "}"]:  # the braces of the function are enough
                pass
            case inside:
                pass
        return function_text(call(f"PA_NOINLINE void {name}", *parameters), inside)

    def call(self, name: str, nest: _Nest) -> Lines:
        """The call in place of a nest."""
        statements = [*dict.fromkeys(i.statement for i in instances(nest.node))]
        told = statements if len(statements) <= 2 else [statements[0], "...", statements[-1]]
        sizes = self.plan.names.params.values()
        passed = [word(n, *([n] if n in sizes else [])) for n in nest.given]
        return [f"/* {', '.join(told)} */", code("{};", call(name, *passed))]


def _words(lines: Sequence[Line]) -> Iterator[str]:
    """Names, and what stands between them, of all that is no comment."""
    for line in lines:
        if isinstance(line, list):
            yield from _words(line)
            continue
        text = _COMMENT.sub("", line if isinstance(line, str) else line.text)
        at = 0
        for found in _IDENTIFIER.finditer(text):
            yield text[at : found.start()].strip()
            yield found[0]
            at = found.end()
        yield text[at:].strip()
