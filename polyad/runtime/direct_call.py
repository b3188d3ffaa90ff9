"""Calls with arrays that C may use as they are: the way most calls take, in a function without loops.

A small kernel takes a few microseconds, and so did looking at its arrays in loops over them. The function that is
written here for each number of arrays looks at each attribute once. For one input and two outputs:

    def call(args, out):
        if len(args) != 1:
            return OTHERWISE
        (a0,) = args
        if type(a0) is not ndarray or a0.dtype is not t0:
            return OTHERWISE
        key = (a0.shape,)
        plan = latest[0]
        if plan.key != key:
            plan = plans.get(key)
            if plan is None or plan.empty:
                return OTHERWISE
            latest[0] = plan
        if out is None:
            if a0.flags.num & READABLE != READABLE:
                return OTHERWISE
            b0 = empty(plan.shapes[0], u0)
            b1 = empty(plan.shapes[1], u1)
        elif type(out) is list or type(out) is tuple:
            if len(out) != 2:
                return OTHERWISE
            (b0, b1) = out
            if type(b0) is not ndarray or b0.dtype is not u0 or type(b1) is not ndarray or b1.dtype is not u1:
                return OTHERWISE
            if a0.flags.num & OWN != OWN or b0.flags.num & b1.flags.num & OWN_WRITEABLE != OWN_WRITEABLE:
                return OTHERWISE
            if (b0.shape, b1.shape) != plan.shapes or b0 is a0 or b1 is a0 or b1 is b0:
                return OTHERWISE
        else:
            return OTHERWISE
        block = BLOCK.held
        if block[0] < plan.workspace_bytes:
            block = grow(plan.workspace_bytes)
        status = run(plan.sizes, address(a0), address(b0), address(b1), block[1], plan.workspace_bytes)
        if status:
            fail(status, [a0], plan)
        return (b0, b1)

The array of a single output may be given as it is. Arrays that own their memory are apart from each other, so those to
fill need no other test. Where a call returns OTHERWISE, nothing has been done: names, conversions, copies, error
messages and new plans are its caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any, Final

import numpy as np

from polyad.runtime.arguments import NumpyArray
from polyad.runtime.native import NativeFunction
from polyad.runtime.threads.fork_guard import FORK_GUARD, call_parallel
from polyad.runtime.workspace import BLOCK, FFI, grow

__all__ = ["OTHERWISE", "READABLE", "CallPlan", "DirectCall", "direct_call"]

OTHERWISE: Final = object()
"""Returned where the arrays of a call need more than a direct one does."""

# Bits of `array.flags.num`, which is one attribute to ask for instead of several.
_C_CONTIGUOUS, _OWNS_DATA, _ALIGNED, _WRITEABLE = 0x1, 0x4, 0x100, 0x400
_OWN = _C_CONTIGUOUS | _ALIGNED | _OWNS_DATA

READABLE: Final = _C_CONTIGUOUS | _ALIGNED
"""What C asks of an array that it reads."""

DirectCall = Callable[[tuple[Any, ...], Any], Any]
"""(inputs, `out` of the call) -> what the kernel returns, or `OTHERWISE`."""


@dataclass(frozen=True, slots=True)
class CallPlan:
    """Everything that a call needs and that follows from the shapes of its inputs.

    Attributes:
        key: the shapes of the inputs, with the number of threads or given sizes where those matter.
        sizes: const int64_t *, the members of the C struct.
        shapes: of the outputs.
        workspace_bytes: at these sizes.
        empty: positions of inputs without elements.
    """

    key: Any
    sizes: Any
    shapes: tuple[tuple[int, ...], ...]
    workspace_bytes: int
    empty: tuple[int, ...]


_NO_PLAN = CallPlan(key=None, sizes=None, shapes=(), workspace_bytes=0, empty=())


@dataclass(frozen=True, slots=True)
class _Form:
    """The facts that the text of the function depends on.

    Attributes:
        inputs, outputs: how many.
        fills: given arrays may be written before it is known that there is no error.
        by_threads: plans depend on the number of threads.
        guarded: the C function uses OpenMP.
        unflattens: the caller has a result of his own.
    """

    inputs: int
    outputs: int
    fills: bool
    by_threads: bool
    guarded: bool
    unflattens: bool


def direct_call(
    inputs: Sequence[np.dtype[Any]],
    outputs: Sequence[np.dtype[Any]],
    run: NativeFunction,
    plans: Mapping[Any, CallPlan],
    fail: Callable[[int, list[NumpyArray], CallPlan], None],
    *,
    fills: bool,
    guarded: bool,
    threads: Callable[[], int] | None = None,
    unflatten: Callable[[tuple[NumpyArray, ...]], Any] | None = None,
) -> DirectCall:
    """The function that calls `run` with arrays that C may use as they are.

    Args:
        inputs: the element types it reads.
        outputs: the element types it writes.
        run: the C function.
        plans: by key; the caller adds to them.
        fail: raises the error for a status.
        fills: whether it may write into given arrays.
        guarded: whether `run` uses OpenMP, see `FORK_GUARD`.
        threads: how many threads there are now, where plans depend on it.
        unflatten: makes the result from the tuple of outputs.
    """
    form = _Form(len(inputs), len(outputs), fills, threads is not None, guarded, unflatten is not None)
    names: dict[str, Any] = {
        "OTHERWISE": OTHERWISE,
        "READABLE": READABLE,
        "OWN": _OWN,
        "OWN_WRITEABLE": _OWN | _WRITEABLE,
        "BLOCK": BLOCK,
        "GUARD": FORK_GUARD,
        "ndarray": np.ndarray,
        "empty": np.empty,
        "address": FFI.from_buffer,
        "grow": grow,
        "call_parallel": call_parallel,
        "latest": [_NO_PLAN],
        "plans": plans,
        "run": run,
        "fail": fail,
        "threads": threads,
        "unflatten": unflatten,
        **{f"t{i}": dtype for i, dtype in enumerate(inputs)},
        **{f"u{i}": dtype for i, dtype in enumerate(outputs)},
    }
    exec(_compiled(form), names)
    call: DirectCall = names["call"]
    return call


@lru_cache(maxsize=256)
def _compiled(form: _Form) -> CodeType:
    return compile("\n".join(_lines(form)), "<polyad direct call>", "exec")


def _lines(form: _Form) -> list[str]:
    """The text of the function."""
    read, written = _numbered("a", form.inputs), _numbered("b", form.outputs)
    shapes = _tuple(f"{a}.shape" for a in read)
    arguments = ", ".join(
        ["plan.sizes", *(f"address({a})" for a in (*read, *written)), "block[1]", "plan.workspace_bytes"]
    )
    return [
        "def call(args, out):",
        *_otherwise(f"len(args) != {form.inputs}"),
        f"    {_tuple(read)} = args",
        *_otherwise(*_other_types(read, "t")),
        f"    key = ({shapes}, call_parallel(threads))" if form.by_threads else f"    key = {shapes}",
        "    plan = latest[0]",
        "    if plan.key != key:",
        "        plan = plans.get(key)",
        *_indented(_otherwise("plan is None", "plan.empty")),
        "        latest[0] = plan",
        *(["    if type(out) is ndarray:", "        out = (out,)"] if form.fills and form.outputs == 1 else []),
        "    if out is None:",
        *_indented(_otherwise(*_lacks(read, "READABLE"))),
        *(f"        b{i} = empty(plan.shapes[{i}], u{i})" for i in range(form.outputs)),
        *(_filling(read, written) if form.fills else []),
        "    else:",
        "        return OTHERWISE",
        "    block = BLOCK.held",
        "    if block[0] < plan.workspace_bytes:",
        "        block = grow(plan.workspace_bytes)",
        *(
            [
                "    if GUARD.forking_thread is not None:",
                f"        status = call_parallel(run, {arguments})",
                "    else:",
                f"        status = run({arguments})",
            ]
            if form.guarded
            else [f"    status = run({arguments})"]
        ),
        "    if status:",
        f"        fail(status, [{', '.join(read)}], plan)",
        f"    return {_result(form, written)}",
    ]


def _filling(read: list[str], written: list[str]) -> list[str]:
    """Take the arrays to write from `out`."""
    same = [f"{b} is {other}" for i, b in enumerate(written) for other in (*read, *written[:i])]
    shapes = _tuple(f"{b}.shape" for b in written)
    return [
        "    elif type(out) is list or type(out) is tuple:",
        *_indented(
            [
                *_otherwise(f"len(out) != {len(written)}"),
                f"    {_tuple(written)} = out",
                *_otherwise(*_other_types(written, "u")),
                *_otherwise(*_lacks(read, "OWN"), *_lacks(written, "OWN_WRITEABLE")),
                *_otherwise(f"{shapes} != plan.shapes", *same),
            ]
        ),
    ]


def _result(form: _Form, written: list[str]) -> str:
    if form.unflattens:
        return f"unflatten({_tuple(written)})"
    return written[0] if len(written) == 1 else _tuple(written)


def _other_types(arrays: list[str], dtypes: str) -> list[str]:
    return [t for i, a in enumerate(arrays) for t in (f"type({a}) is not ndarray", f"{a}.dtype is not {dtypes}{i}")]


def _lacks(arrays: list[str], flags: str) -> list[str]:
    return [f"{' & '.join(f'{a}.flags.num' for a in arrays)} & {flags} != {flags}"] if arrays else []


def _otherwise(*conditions: str) -> list[str]:
    return [f"    if {' or '.join(conditions)}:", "        return OTHERWISE"] if conditions else []


def _numbered(letter: str, count: int) -> list[str]:
    return [f"{letter}{i}" for i in range(count)]


def _tuple(items: Iterable[str]) -> str:
    parts = list(items)
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]
