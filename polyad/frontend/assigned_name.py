"""What the program text calls a value: `z` in `z = x @ W.T + b`, `i f g o` in `i, f, g, o = split(z, 4)`.

Names make generated code readable, and a definition of several operations has only one to give. So it goes to the
operation whose value is what is assigned: the one after which the interpreter's next instruction is the assignment. A
function that returns its value at once passes the question on to its caller.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Sequence
from functools import lru_cache
from types import CodeType, FrameType

from polyad.errors import DefinitionError
from polyad.frontend.symbols import check_identifier

__all__ = ["assigned_name", "assigned_names"]


def assigned_name(default: str) -> str:
    """The name that the caller's value is assigned to, else `default`.

    To be called by the function that makes the value, whose caller's next instruction is looked at.
    """
    names = _targets(sys._getframe(2))
    return names[0] if len(names) == 1 else default


def assigned_names(defaults: Sequence[str]) -> list[str]:
    """The names that the caller's value is unpacked to, else `defaults`."""
    names = _targets(sys._getframe(2))
    return list(names) if len(names) == len(defaults) > 1 else list(defaults)


def _targets(frame: FrameType | None) -> tuple[str, ...]:
    """The names that the value of the call running in `frame` is stored under; none where it is not plain."""
    while frame is not None:
        names = _stored_after(frame.f_code, frame.f_lasti)
        if names is not None:
            return names
        frame = frame.f_back
    return ()


@lru_cache(maxsize=4096)
def _stored_after(code: CodeType, offset: int) -> tuple[str, ...] | None:
    """The names stored right after the instruction at `offset`; None when the value is returned."""
    rest = [i for i in _plain_instructions(code) if i[2] > offset]
    opcode, target, _ = rest[0] if rest else ("", "", 0)
    if opcode == "RETURN_VALUE":
        return None
    if opcode == "UNPACK_SEQUENCE":
        found = [str(t) for op, t, _ in rest[1 : 1 + int(str(target))] if op == "STORE"]
        return tuple(found) if len(found) == target and all(map(_is_name, found)) else ()
    if opcode != "STORE":
        return ()
    if [(op, t) for op, t, _ in rest[1:3]] == [("LOAD", target), ("RETURN_VALUE", None)]:
        return None
    return (str(target),) if _is_name(str(target)) else ()


@lru_cache(maxsize=512)
def _plain_instructions(code: CodeType) -> tuple[tuple[str, object, int], ...]:
    """(STORE, LOAD or the opcode's name; variable or argument; offset), superinstructions taken apart."""
    result: list[tuple[str, object, int]] = []
    for i in dis.get_instructions(code):
        words = i.opname.split("_")
        if words[0] in ("STORE", "LOAD") and len(words) == 4 and words[1] == "FAST" and isinstance(i.argval, tuple):
            result += [(words[0], i.argval[0], i.offset), (words[2], i.argval[1], i.offset)]
        elif i.opname in ("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"):
            result.append(("STORE", i.argval, i.offset))
        elif i.opname in ("LOAD_FAST", "LOAD_FAST_BORROW"):
            result.append(("LOAD", i.argval, i.offset))
        else:
            result.append((i.opname, i.argval if i.opname != "RETURN_VALUE" else None, i.offset))
    return tuple(result)


def _is_name(text: str) -> bool:
    try:
        check_identifier(text, "tensor")
    except DefinitionError:
        return False
    return not text.startswith("_")
