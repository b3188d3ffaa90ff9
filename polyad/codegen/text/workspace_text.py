"""The C function NAME_workspace, which also says which sizes a kernel takes, and the slices of the workspace.

The property that must hold: whatever the sizes are, nothing overflows, on machines with addresses of 32 and of 64 bits.
A size is first compared with 2^47, beyond which no memory goes, so that affine expressions of sizes fit an int64_t;
bytes are then multiplied and added by functions that stay at SIZE_MAX once they are there. A kernel asks this function
before it looks at its workspace, so it refuses the same sizes.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from polyad.codegen.index_limits import Total
from polyad.codegen.loops.loop_values import Condition, negated, parts
from polyad.codegen.names import WIDE, Names, Spelling
from polyad.codegen.plan import ThreadCopies
from polyad.codegen.storage.memory_plan import EVERY_THREAD, MemoryPlan, Slot
from polyad.codegen.storage.room import BYTE, ROOM
from polyad.codegen.text.code import Code, assign, call, cast, code, declare, infix, listed, member, prefix, word
from polyad.codegen.text.expression_text import C_TYPES
from polyad.codegen.text.integer_text import ZERO, affine_code, condition_code, integer_code
from polyad.codegen.text.line_text import Lines, function_text, names_in
from polyad.ir.affine import Affine, FloorDiv

__all__ = ["device_slices", "local_sizes", "size_tests", "workspace_slices", "workspace_text"]

SIZE_BITS = 47
"""Sizes are less than 2 to this power, or to a smaller one where they are multiplied by large numbers."""


def local_sizes(names: Names, lines: Lines, ctype: str = "const int64_t") -> Lines:
    """The sizes that lines mention, as local constants, or as variables where lines take their addresses."""
    used, index = names_in(lines), names.value.index
    values = {c: member("sizes", c) for c in names.params.values() if c in used}
    if index == WIDE:
        return [declare(ctype, found) for found in values.items()]
    return [declare(ctype.replace(WIDE, index), (c, cast(index, value))) for c, value in values.items()]


def _type(slot: Slot) -> str:
    """The C type of its elements."""
    return "unsigned char" if slot.dtype == BYTE else C_TYPES[slot.dtype]


def _bytes(slot: Slot, names: Names, copies: bool = True) -> Code:
    """The bytes of a slot: pa_times(pa_times(2 * sizeof(float), B), H); of one copy if not `copies`."""
    constant = math.prod(e.constant for e in slot.extents if e.is_constant)
    others = [affine_code(e, names.value) for e in slot.extents if not e.is_constant]
    result = word(f"sizeof({_type(slot)})")
    if constant >= 2**31:
        others.insert(0, integer_code(constant))
    elif slot.dtype == BYTE:
        result = integer_code(constant)
    elif constant != 1:
        result = infix("*", integer_code(max(constant, 0)), result)
    for factor in others:
        result = call("pa_times", result, factor)
    if slot.copies is None or not copies:
        return result
    number = (
        word("pa_threads()")
        if slot.copies == EVERY_THREAD
        else call("pa_copies", affine_code(slot.copies, names.value))
    )
    return call("pa_times", call("pa_after", "0", result), number)


def size_tests(
    condition: Condition | None, memory: MemoryPlan, names: Names, failed: str, computed: Sequence[Affine] = ()
) -> Lines:
    """Leave where sizes are not taken: where they are larger than memory, or not what was assumed of them.

    Args:
        condition: what was assumed.
        memory: the workspace.
        names: the C names.
        failed: what is returned then.
        computed: what else is computed of sizes, and must not overflow.
    """
    extents = [e for slot in memory.slots for e in (*slot.extents, *([slot.copies] if slot.copies else []))]
    extents += computed
    mentioned = (*extents, *(parts(condition) if condition is not None else ()))
    weight = max((_weight(e) for e in mentioned if isinstance(e, Affine)), default=1)
    bits = min(SIZE_BITS, 62 - weight.bit_length())
    large = [prefix("!", call("pa_is_size", word(c, c), str(bits))) for c in names.params.values()]
    tests = [infix("||", *large)] if large else []
    if condition is not None:  # nothing is known of sizes before: names without what is known of them
        tests.append(condition_code(negated(condition), Spelling(names.params)))
    return [code("if ({}) return {};", test, failed) for test in tests]


def _weight(value: Affine) -> int:
    """How many times as large as the largest size an expression may be, its parts included, constants aside."""
    return sum(abs(c) * (_weight(atom.numerator) if isinstance(atom, FloorDiv) else 1) for atom, c in value.terms)


def workspace_text(
    condition: Condition | None,
    memory: MemoryPlan,
    names: Names,
    computed: Sequence[Affine] = (),
    limits: Sequence[Total] = (),
) -> str:
    """size_t NAME_workspace(const NAME_sizes *sizes).

    Args:
        condition: what is assumed of the sizes.
        memory: the workspace.
        names: the C names, of sizes of 64 bits.
        computed: as of `size_tests`.
        limits: what must not be larger than an integer of 32 bits.
    """
    front = code("{} /* words of its own */", _behind("bytes", str(memory.front)))
    lines: Lines = [front] if memory.front else []
    for slot in memory.slots:
        arrays = listed(*(names.arrays[n] for n in slot.arrays))
        lines.append(code("{} /* {} */", _behind("bytes", _bytes(slot, names)), arrays))
    tests = size_tests(condition, memory, names, "SIZE_MAX", computed)
    tests += [code("if ({}) return SIZE_MAX;", infix(">", _total(limit, names), word("INT32_MAX"))) for limit in limits]
    head = local_sizes(names, [*lines, *tests])
    head = ["if (sizes == NULL) return 0;", *head] if head else ["PA_UNUSED(sizes);"]
    if lines:
        lines = ["size_t bytes = 0;", *lines]
        total = "return bytes > 0 ? pa_after(bytes, PA_ALIGNMENT) : 0; /* room to start on a cache line */"
    else:
        total = "return 0;"
    body = [*head, *tests, *lines, total]
    return function_text(f"size_t {names.function}_workspace(const {names.function}_sizes *sizes)", body)


def _total(limit: Total, names: Names) -> Code:
    """A sum of products that stays at SIZE_MAX once it is there."""
    result: Code | None = None
    for number, factors in limit.terms:
        term = integer_code(number)
        for factor in factors:
            term = call("pa_reach", term, affine_code(factor, names.value))
        result = term if result is None else call("pa_plus", result, term)
    return ZERO if result is None else result


def _behind(place: str, size: Code | str) -> Code:
    """Move a place behind so many bytes."""
    return assign(place, call("pa_after", place, size))


def device_slices(memory: MemoryPlan, names: Names, used: Collection[int], fronts: Sequence[tuple[str, int]]) -> Lines:
    """The addresses of slices on a device as variables, whose addresses a launch takes.

    Args:
        memory: the workspace.
        names: the C names.
        used: the numbers of the slices that any launch is given.
        fronts: variables for what stands in front of them, and how many bytes from its beginning.
    """
    place = infix("+", word("slots"), word("offset"))
    front = ((f"*{name}", infix("+", word("slots"), word(str(at))) if at else word("slots")) for name, at in fronts)
    lines: Lines = [declare("void", variable) for variable in front]
    parts: list[Code | str] = [
        str(memory.front) if memory.front else "",
        *(_bytes(slot, names) for slot in memory.slots),
    ]
    for number, slot in enumerate(memory.slots[: max(used, default=-1) + 1]):
        lines += [_behind("offset", parts[number])] if parts[number] else []
        if number in used:
            arrays = listed(*(names.arrays[n] for n in slot.arrays))
            lines.append(code("{} /* {} */", declare("void", (f"*slot_{number}", place)), arrays))
    if not lines:
        return []
    start: Lines = ["unsigned char *const slots = (unsigned char *)PA_ALIGNED(workspace);"]
    return [*start, *(["size_t offset = 0;"] if used else []), *lines]


def workspace_slices(memory: MemoryPlan, names: Names, copies: Mapping[str, ThreadCopies]) -> Lines:
    """Pointers into the workspace that the whole function sees; pointers.py says where the others are.

    Args:
        memory: the workspace.
        names: the C names.
        copies: the arrays of which each thread has one.
    """
    if not memory.slots:
        return []
    several = len(memory.slots) > 1
    place = infix("+", word("slots"), word("offset")) if several else word("slots")
    lines: Lines = ["unsigned char *const slots = (unsigned char *)PA_ALIGNED(workspace);"]
    lines += ["size_t offset = 0;"] if several else []
    for number, slot in enumerate(memory.slots):
        if number:
            lines.append(_behind("offset", _bytes(memory.slots[number - 1], names)))
        if slot.arrays == (ROOM,):
            rooms = call("pa_rooms", place, "1" if slot.copies is None else "pa_threads()", _bytes(slot, names, False))
            lines.append(declare("const pa_room", (ROOM, rooms)))
        elif slot.copies is not None:
            lines.append(declare("unsigned char *const", (copies[slot.arrays[0]].first, place)))
        elif len(slot.arrays) == 1:
            ctype = _type(slot)
            begin = cast(f"{ctype} *", cast("void *", place))
            lines.append(declare(f"{ctype} *PA_RESTRICT", (names.arrays[slot.arrays[0]], begin)))
        else:
            lines.append(declare("void *const", (f"slot_{number}", place)))
    return lines
