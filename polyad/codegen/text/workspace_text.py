"""The C function NAME_workspace, which also says which sizes a kernel takes, and the slices of the workspace.

The property that must hold: whatever the sizes are, nothing overflows, on machines with addresses of 32 and of 64 bits.
A size is first compared with 2^47, beyond which no memory goes, so that affine expressions of sizes fit an int64_t;
bytes are then multiplied and added by functions that stay at SIZE_MAX once they are there. A kernel asks this function
before it looks at its workspace, so it refuses the same sizes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from polyad.codegen.loops.loop_values import Choice, Combine, Compare, Condition, Extreme, Value
from polyad.codegen.names import Names
from polyad.codegen.storage.memory_plan import EVERY_THREAD, MemoryPlan, Slot
from polyad.codegen.storage.room import BYTE, ROOM
from polyad.codegen.text.expression_text import C_TYPES
from polyad.codegen.text.header_text import context_condition
from polyad.codegen.text.integer_text import affine_text, condition_text, integer_constant
from polyad.codegen.text.line_text import broken, function_lines
from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.program import Program

__all__ = ["local_sizes", "size_tests", "workspace_slices", "workspace_text"]

SIZE_BITS = 47
"""Sizes are less than 2 to this power, or to a smaller one where they are multiplied by large numbers."""


def local_sizes(names: Names, text: str) -> list[str]:
    """The sizes that a text mentions, as local constants."""
    used = set(re.findall(r"[A-Za-z_]\w*", text))
    return [f"const int64_t {c} = sizes->{c};" for c in names.params.values() if c in used]


def _type(slot: Slot) -> str:
    """The C type of its elements."""
    return "unsigned char" if slot.dtype == BYTE else C_TYPES[slot.dtype]


def _bytes(slot: Slot, names: Names, copies: bool = True) -> str:
    """The bytes of a slot: pa_times(pa_times(2 * sizeof(float), B), H); of one copy if not `copies`."""
    constant = math.prod(e.constant for e in slot.extents if e.is_constant)
    others = [affine_text(e, names.value) for e in slot.extents if not e.is_constant]
    text = f"sizeof({_type(slot)})"
    if constant >= 2**31:
        others.insert(0, integer_constant(constant))
    elif slot.dtype == BYTE:
        text = str(constant)
    elif constant != 1:
        text = f"{max(constant, 0)} * {text}"
    for factor in others:
        text = f"pa_times({text}, {factor})"
    if slot.copies is None or not copies:
        return text
    number = "pa_threads()" if slot.copies == EVERY_THREAD else f"pa_copies({affine_text(slot.copies, names.value)})"
    return f"pa_times(pa_after(0, {text}), {number})"


def size_tests(program: Program, memory: MemoryPlan, names: Names) -> tuple[list[str], list[str]]:
    """The conditions under which sizes are taken: that they are no larger than memory, and what was assumed of them."""
    condition = context_condition(program.context)
    extents = [e for slot in memory.slots for e in (*slot.extents, *([slot.copies] if slot.copies else []))]
    weight = max((_weight(e) for e in (*extents, *(_affines(condition) if condition is not None else ()))), default=1)
    bits = min(SIZE_BITS, 62 - weight.bit_length())
    small = [f"pa_is_size({c}, {bits})" for c in names.params.values()]
    # Nothing is known of sizes before: names without what is known of them.
    assumed = [] if condition is None else [condition_text(condition, names.params.__getitem__)]
    return small, assumed


def _weight(value: Affine) -> int:
    """How many times as large as the largest size an expression may be, its parts included, constants aside."""
    return sum(abs(c) * (_weight(atom.numerator) if isinstance(atom, FloorDiv) else 1) for atom, c in value.terms)


def _affines(condition: Condition) -> Iterator[Affine]:
    match condition:
        case Compare(_, a, b):
            yield from _parts(a)
            yield from _parts(b)
        case Combine(_, args):
            for part in args:
                yield from _affines(part)


def _parts(value: Value) -> Iterator[Affine]:
    match value:
        case Affine():
            yield value
        case Extreme(_, args):
            for part in args:
                yield from _parts(part)
        case Choice(condition, a, b):
            yield from (*_affines(condition), *_parts(a), *_parts(b))


def workspace_text(program: Program, memory: MemoryPlan, names: Names) -> str:
    """size_t NAME_workspace(const NAME_sizes *sizes)."""
    lines = []
    for slot in memory.slots:
        arrays = ", ".join(names.arrays[n] for n in slot.arrays)
        lines += broken(f"bytes = pa_after(bytes, {_bytes(slot, names)}); /* {arrays} */")
    small, assumed = size_tests(program, memory, names)
    tests = [
        *(broken(f"if (!({' && '.join(small)})) return SIZE_MAX;") if small else []),
        *(broken(f"if (!({assumed[0]})) return SIZE_MAX;") if assumed else []),
    ]
    head = local_sizes(names, "\n".join([*lines, *tests]))
    head = ["if (sizes == NULL) return 0;", *head] if head else ["PA_UNUSED(sizes);"]
    if lines:
        lines = ["size_t bytes = 0;", *lines]
        total = "return bytes > 0 ? pa_after(bytes, PA_ALIGNMENT) : 0; /* room to start on a cache line */"
    else:
        total = "return 0;"
    body = [*head, *tests, *lines, total]
    return function_lines(f"size_t {names.function}_workspace(const {names.function}_sizes *sizes)", body)


def workspace_slices(memory: MemoryPlan, names: Names, copies: Mapping[str, tuple[str, str]]) -> list[str]:
    """Pointers into the workspace that the whole function sees; pointers.py says where the others are.

    Args:
        memory: the workspace.
        names: the C names.
        copies: array of which each thread has one -> the name of the pointer to the first, and the elements of one.
    """
    if not memory.slots:
        return []
    several = len(memory.slots) > 1
    place = "slots + offset" if several else "slots"
    lines = ["unsigned char *const slots = (unsigned char *)PA_ALIGNED(workspace);"]
    lines += ["size_t offset = 0;"] if several else []
    for number, slot in enumerate(memory.slots):
        if number:
            lines += broken(f"offset = pa_after(offset, {_bytes(memory.slots[number - 1], names)});")
        if slot.arrays == (ROOM,):
            number_of = "1" if slot.copies is None else "pa_threads()"
            size = _bytes(slot, names, copies=False)
            lines += broken(f"const pa_room {ROOM} = pa_rooms({place}, {number_of}, {size});")
        elif slot.copies is not None:
            lines.append(f"unsigned char *const {copies[slot.arrays[0]][0]} = {place};")
        elif len(slot.arrays) == 1:
            ctype = _type(slot)
            lines.append(f"{ctype} *PA_RESTRICT {names.arrays[slot.arrays[0]]} = ({ctype} *)(void *)({place});")
        else:
            lines.append(f"void *const slot_{number} = {place};")
    return lines
