"""Names of local variables: tensors of a traced function are called what it calls them, where nothing else names them.

    def step(h, x_t):
        z = x_t @ W + h @ U           the array z, its adjoint z_bar

Names come from frames, not from source text: whenever something is defined, the local variables of the function that
defines it are looked at, and once more when it has returned. A frame that somebody holds keeps its variables, so no
tracing or profiling function has to be set, which debuggers and coverage need for themselves. A variable names what
was made while its function ran, so not the arguments of a function, nor what it closes over.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from polyad.errors import DefinitionError
from polyad.frontend.definition import Definition, TensorBase, plain, serial_number
from polyad.frontend.symbols import check_identifier, fresh

__all__ = ["is_own", "look_at_names", "with_local_names"]

_PACKAGE = str(Path(__file__).resolve().parent.parent.parent)


def is_own(frame: FrameType) -> bool:
    """Whether a frame is one of polyad's."""
    return frame.f_code.co_filename.startswith(_PACKAGE)


@dataclass(slots=True)
class _Trace:
    """The functions of a user that are running within one traced call, outermost first, and when each began.

    Attributes:
        boundary: the frame of the call.
        since: the serial number of the first array that belongs to it.
        frames: (frame, serial number of the first array that it may name).
    """

    boundary: FrameType
    since: int
    frames: list[tuple[FrameType, int]] = field(default_factory=list)

    def look(self, inner: FrameType | None) -> None:
        """Name what the variables of the innermost function hold, and of those that have returned since."""
        new: list[FrameType] = []
        keep = 0
        while inner is not None and inner is not self.boundary:
            if not is_own(inner):
                keep = next((n for n, (f, _) in enumerate(self.frames, 1) if f is inner), 0)
                if keep:
                    break
                new.append(inner)
            inner = inner.f_back
        for frame, since in reversed(self.frames[keep:]):
            _name(frame, since)
        del self.frames[keep:]
        now = serial_number(fresh("now")) if new else 0
        for frame in reversed(new):
            self.frames.append((frame, now if self.frames else self.since))
        if self.frames:
            _name(*self.frames[-1])


_TRACE: ContextVar[_Trace | None] = ContextVar("_TRACE", default=None)


def with_local_names(function: Callable[..., Any], *args: Any, since: int | None = None, **kwargs: Any) -> Any:
    """function(*args, **kwargs), whose local variables name what it defines.

    Args:
        function: of the user.
        args: its arguments.
        since: the serial number of the first array that they may name; None for those made from now on.
        kwargs: further arguments.
    """
    trace = _Trace(sys._getframe(), serial_number(fresh("now")) if since is None else since)
    token = _TRACE.set(trace)
    try:
        result = function(*args, **kwargs)
        trace.look(None)
    finally:
        _TRACE.reset(token)
    return result


def look_at_names() -> None:
    """Give names to what has been defined so far: before something else is made of it."""
    trace = _TRACE.get()
    if trace is not None:
        trace.look(sys._getframe(1))


def _name(frame: FrameType, since: int) -> None:
    if frame.f_code.co_name == "<lambda>":  # has arguments only
        return
    for variable, value in [found for local in frame.f_locals.items() for found in _tensors(*local)]:
        definition, array = value.definition, value.array
        if array in definition.nameable and serial_number(array) >= since and _can_be_name(variable):
            definition.nameable -= {array}
            definition.called |= _called(definition, array, variable)


def _tensors(variable: str, value: Any) -> Iterator[tuple[str, TensorBase]]:
    """The tensors of a variable, each with its name: itself, or the parts of a complex one."""
    parts = getattr(type(value), "__polyad_parts__", None)
    for name, tensor in {variable: value}.items() if parts is None else parts(value, variable).items():
        if isinstance(tensor, TensorBase):
            yield name, tensor


def _called(definition: Definition, array: str, name: str) -> dict[str, str]:
    """Array, and what was made for it (`mean_sum` of `mean`) -> name."""
    hint = plain(array)
    others = {*definition.arrays, *(s.name for s in definition.statements)} - {array}
    beside = {n: plain(n) for n in others if plain(n).startswith(f"{hint}_")}
    return {array: name, **{n: f"{name}{text[len(hint) :]}" for n, text in beside.items()}}


def _can_be_name(variable: str) -> bool:
    try:
        return bool(check_identifier(variable, "variable").strip("_"))
    except DefinitionError:
        return False
