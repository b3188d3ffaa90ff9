"""Calls of kernels with arrays on a device: their addresses go to the launches, and nobody waits.

What follows from the shapes, types and devices of the arguments is checked and worked out once, before anything runs
(`device_plan.py`); a later call with such arguments looks it up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, NoReturn

import numpy as np

from polyad.codegen.source import Argument, Source
from polyad.errors import CallError
from polyad.runtime.arguments import bind, convert
from polyad.runtime.cuda.calls import CudaFunction, status_words
from polyad.runtime.cuda.device_array import DeviceArray
from polyad.runtime.cuda.device_plan import DevicePlan, Given, check_outputs, make_plan, overlapping
from polyad.runtime.cuda.driver import Driver, DriverError
from polyad.runtime.cuda.libraries import Key, library_of
from polyad.runtime.cuda.streams import DEFAULT_STREAM, given_stream, stream_number
from polyad.runtime.direct_call import OTHERWISE, CallPlan
from polyad.runtime.foreign_arrays import refusal
from polyad.runtime.given_sizes import size_value
from polyad.runtime.outputs import given_outputs
from polyad.runtime.plans import Plans

__all__ = ["DeviceCalls"]

_KEPT = 64

_NONE = nullcontext(0)  # no workspace


class DeviceCalls:
    """The calls of a kernel of a GPU.

    Args:
        code: the kernels.
        planner: the kernel's.
        load: compiles the kernels, where that is still to be done.
        host: the call with arrays of NumPy.
        by_output: `out=` with the names of outputs.
        returned: makes the result of the outputs.
        fail: raises the error for a status.
        refuse_sizes: raises the error for sizes that the program excludes.
        late: whether a call that fails has already written something.
        check: compares the first call with its definition, where that is wanted: (inputs, sizes given by name).
    """

    def __init__(
        self,
        code: Source,
        planner: Plans,
        *,
        load: Callable[[], CudaFunction],
        host: Callable[..., Any],
        by_output: Callable[[Any], Any],
        returned: Callable[[list[Any]], Any],
        fail: Callable[[int, list[np.ndarray], CallPlan], None],
        refuse_sizes: Callable[[Mapping[str, int]], NoReturn],
        late: bool,
        check: Callable[[list[np.ndarray], Mapping[str, int]], None] | None = None,
    ):
        self._code, self._planner, self._load, self._host = code, planner, load, host
        self._by_output, self._returned, self._fail, self._refuse_sizes = by_output, returned, fail, refuse_sizes
        self._late, self._check = late, check
        self._inputs = tuple(a for a in code.arguments if not a.is_output)
        self._outputs = tuple(a for a in code.arguments if a.is_output)
        self._takes_stream = any(a.name == "stream" for a in self._inputs) or "stream" in code.sizes
        self._plans: dict[Any, DevicePlan] = {}

    def __call__(self, args: Sequence[Any], out: Any, kwargs: dict[str, Any]) -> Any:
        """Call the kernel, or return `OTHERWISE` where no array is on a device; `stream` is taken from `kwargs`.

        Raises:
            CallError: a wrong argument, which is named; or the device failed.
        """
        asked = None if self._takes_stream or not kwargs else kwargs.pop("stream", None)
        stream = None if asked is None else stream_number(asked)
        values, known = args, {}
        if kwargs or len(args) != len(self._inputs):
            values, sizes = bind(self._code.name, self._inputs, self._code.sizes, args, kwargs)
            known = {name: size_value(self._code.name, name, value) for name, value in sizes.items()}
        given = self._read(self._inputs, values, Given(values, stream))
        outs = None if out is None else self._read_outputs(out, given)
        if given.library is None:
            if stream is None:
                return OTHERWISE
            with given_stream(stream):
                return self._host(*args, out=out, **kwargs)
        key: Any = tuple(given.keys), given.library.name, given.device
        if known:
            key = key, tuple(sorted(known.items()))
        plan = self._plans.get(key)
        if plan is None:
            plan = make_plan(self._code, self._planner, self._load(), given, known, self._refuse_sizes)
            if len(self._plans) >= _KEPT:
                self._plans.clear()
            self._plans[key] = plan
        driver = plan.driver
        before = driver.enter()
        try:
            return self._run(driver, plan, given, outs, stream is not None)
        except DriverError as problem:
            if problem.loses_context:
                driver.begin_again()
            raise
        finally:
            driver.leave(before)

    def _read(self, arguments: Sequence[Argument], values: Sequence[Any], given: Given) -> Given:
        """Add values to what a call is given."""
        pointers, keys = given.pointers, given.keys
        try:
            for value in values:
                library = library_of(value)
                reading = None if library is None else library.read(value, given.stream, given.device)
                if reading is None:
                    given.on_host(value)
                    continue
                pointer, key, made_in, owner = reading
                pointers.append(pointer)
                keys.append(key)
                if made_in is not None:
                    given.made(made_in)
                if owner is not None:
                    given.owners.append(owner)
                if given.library is None:
                    given.library, given.device = library, key[3]
        except CallError:
            raise
        except Exception as problem:  # the code of another library
            argument = arguments[len(pointers)].name
            raise refusal(values[len(pointers)], f"{self._code.name}: {argument}", argument, problem) from problem
        return given

    def _read_outputs(self, out: Any, given: Given) -> Given:
        """The arrays to fill: a value an output, None where a new array is wanted."""
        values = given_outputs(self._code.name, self._outputs, self._by_output(out), lambda kernel, name, array: array)
        outs = Given(values, given.stream)
        outs.device = given.device
        self._read(self._outputs, values, outs)
        if given.library is None:
            given.library, given.device = outs.library, outs.device
        if given.stream is None:
            given.stream = outs.stream
        given.before |= outs.before
        return outs

    def _run(self, driver: Driver, plan: DevicePlan, given: Given, outs: Given | None, asked: bool) -> Any:
        stream = DEFAULT_STREAM if given.stream is None else given.stream
        if asked:
            driver.streams.check(stream, self._code.name)
        captured = driver.streams.is_capturing(stream)
        if captured and self._code.checks:
            raise CallError(
                f"{self._code.name}: the stream is being captured, and this call would wait: it has to say whether the "
                f"index {self._code.checks[0].index} is inside of {self._code.checks[0].array}; call it outside of the "
                "capture",
                "stream",
            )
        if self._check is not None and not captured:
            check, self._check = self._check, None
            check(self._on_host(driver, plan, given, stream), plan.named)
        driver.streams.let_go()
        if outs is not None:
            check_outputs(self._code.name, self._outputs, plan, given, outs)
        if given.before and not captured:
            for other in given.before - {stream}:
                driver.streams.order(other, stream)
        results, addresses, copied, end = self._targets(driver, plan, given, outs, stream)
        for n in plan.own:
            given.values[n].used_in(stream)
        frame, status = plan.frame(driver), 0
        with driver.workspaces.use(stream, end, captured) if end else _NONE as base:
            for n, _, place in copied:
                addresses[n] = base + place
            arrays = given.pointers + addresses
            for number, (n, argument) in enumerate(plan.numbers):
                arrays[n] = base + plan.room.number(number)
                _write_number(driver, arrays[n], convert(self._code.name, argument, given.values[n]), stream)
            for source, wanted, size in plan.overwritten:
                if size and arrays[source] != arrays[wanted]:
                    driver.do("cuMemcpyDtoDAsync_v2", arrays[wanted], arrays[source], size, stream)
                arrays[source] = arrays[wanted]
            frame.launch([arrays[p] for p in plan.parameters], base, stream)
            words = status_words(driver, plan.room, base, stream)
            if words is not None:
                driver.streams.wait(stream)
                status = int(words[0] or words[1])
            for n, pointer, _ in copied:
                if plan.sizes[n] and not status:
                    driver.do("cuMemcpyDtoDAsync_v2", pointer, addresses[n], plan.sizes[n], stream)
        plan.frames.append(frame)
        if status:
            self._fail(status, self._on_host(driver, plan, given, stream), plan.call)
        if not captured:
            for owner in given.owners if outs is None else given.owners + outs.owners:
                driver.streams.hold(owner, stream)
        finish = plan.library.finish
        if finish is not None:
            given_ones = [None] * len(results) if outs is None else outs.values
            results = [finish(r) if v is None else v for r, v in zip(results, given_ones, strict=True)]
        return self._returned(results)

    def _targets(
        self, driver: Driver, plan: DevicePlan, given: Given, outs: Given | None, stream: int
    ) -> tuple[list[Any], list[int], list[tuple[int, int, int]], int]:
        """The arrays to fill.

        Returns:
            The arrays; their addresses; (number, address, place in the workspace) of those that are computed there
            first; and the bytes of workspace with these.
        """
        new = plan.outputs if outs is None else [w for w, v in zip(plan.outputs, outs.values, strict=True) if v is None]
        made = plan.library.empty(new, driver, stream) if new else []
        copied: list[tuple[int, int, int]] = []
        end = plan.room.bytes
        if outs is not None:
            rest, made = iter(made), []
            for n, (value, pointer) in enumerate(zip(outs.values, outs.pointers, strict=True)):
                if value is None:
                    made.append(next(rest))
                    continue
                if type(value) is DeviceArray:
                    value.used_in(stream)
                    value.stream = stream
                if self._late or overlapping(plan, n, pointer, given):
                    copied.append((n, pointer, end))
                    end += plan.spaces[n]
                made.append((value, pointer))
        return [array for array, _ in made], [pointer for _, pointer in made], copied, end

    def _on_host(self, driver: Driver, plan: DevicePlan, given: Given, stream: int) -> list[np.ndarray]:
        """The inputs as arrays of NumPy."""
        found = []
        for argument, value, key, pointer in zip(self._inputs, given.values, given.keys, given.pointers, strict=True):
            if not pointer and type(key) is not tuple:
                found.append(convert(self._code.name, argument, value))
                continue
            array = np.empty(Key(*key).shape, argument.dtype)
            if array.nbytes:
                driver.do("cuMemcpyDtoHAsync_v2", driver.ffi.from_buffer(array), pointer, array.nbytes, stream)
            found.append(array)
        driver.streams.wait(stream)
        return found


def _write_number(driver: Driver, pointer: int, number: np.ndarray, stream: int) -> None:
    """Set words in the stream: unlike a copy, this needs no memory of the host that stays as it is."""
    for n, word in enumerate(np.frombuffer(number.tobytes(), np.uint32)):
        driver.do("cuMemsetD32Async", pointer + 4 * n, int(word), 1, stream)
