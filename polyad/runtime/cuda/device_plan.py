"""The values of a call with arrays on a device, whatever is wrong with them, and what follows from them.

Every argument is held against the kernel before anything runs; an error names it, what was expected, what came, and
what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from polyad.codegen.source import Argument, Source
from polyad.errors import CallError
from polyad.runtime.arguments import shape_text
from polyad.runtime.cuda.calls import CudaFunction
from polyad.runtime.cuda.driver import Driver, find_driver
from polyad.runtime.cuda.frames import Frame, Room, aligned, room_of
from polyad.runtime.cuda.libraries import Key, Library
from polyad.runtime.direct_call import CallPlan
from polyad.runtime.outputs import OutputSpec
from polyad.runtime.plans import NegativeExtentError, Plans

__all__ = ["DevicePlan", "Given", "check_outputs", "make_plan", "overlapping"]

NUMBER = "a number"
"""The key of a number of Python or NumPy, which is no array of the host."""


class Given:
    """The values of a call.

    Attributes:
        values: the inputs, or the outputs to fill.
        pointers: the address of each, 0 of what is on no device.
        keys: the fields of a `Key` of each, text of what is on no device.
        owners: what keeps memory of them.
        before: other streams in which they are made.
        stream: of the call: what was asked for, else the first that an array names.
        library: of the first array on a device.
        device: its number.
    """

    __slots__ = ("before", "device", "keys", "library", "owners", "pointers", "stream", "values")

    def __init__(self, values: Sequence[Any], stream: int | None):
        self.values, self.stream = values, stream
        self.pointers: list[int] = []
        self.keys: list[Any] = []
        self.owners: list[object] = []
        self.before: set[int] = set()
        self.library: Library | None = None
        self.device: int | None = None

    def on_host(self, value: Any) -> None:
        """Add a value that is on no device."""
        self.pointers.append(0)
        is_number = isinstance(value, int | float | np.generic) or (isinstance(value, np.ndarray) and not value.ndim)
        self.keys.append(NUMBER if is_number else _kind(value))

    def made(self, stream: int) -> None:
        """Add a stream in which an array is made."""
        if self.stream is None:
            self.stream = stream
        if stream != self.stream:
            self.before.add(stream)


@dataclass(slots=True)
class DevicePlan:
    """Everything that a call needs and that follows from its keys.

    Attributes:
        driver: of the device.
        library: whose arrays new outputs are.
        function: the kernels.
        call: the plan of the same shapes on the host.
        known: the sizes.
        named: those of them that were given by name.
        room: the workspace.
        outputs: shape and element type of each.
        sizes, spaces: the bytes of each output, and with what aligns the next.
        inputs: the bytes of each input.
        numbers: (position, argument) of the inputs that are numbers.
        own: positions of the inputs that are arrays of polyad.
        overwritten: (position of an input, of the output in its place, bytes).
        parameters: positions of what the kernels are given, among inputs and outputs.
        frames: launches that no call uses now.
        fitting: keys of outputs that were checked.
    """

    driver: Driver
    library: Library
    function: CudaFunction
    call: CallPlan
    known: Mapping[str, int]
    named: Mapping[str, int]
    room: Room
    outputs: tuple[OutputSpec, ...]
    sizes: tuple[int, ...]
    spaces: tuple[int, ...]
    inputs: tuple[int, ...]
    numbers: tuple[tuple[int, Argument], ...]
    own: tuple[int, ...]
    overwritten: tuple[tuple[int, int, int], ...]
    parameters: tuple[int, ...]
    frames: list[Frame] = field(default_factory=list)
    fitting: set[Any] = field(default_factory=set)

    def frame(self, driver: Driver) -> Frame:
        """Launches for one call; it gives them back to `frames`."""
        while self.frames:
            try:
                found = self.frames.pop()
            except IndexError:  # another thread was quicker
                break
            if found.generation == driver.generation:
                return found
        return self.function.frame(driver, self.known, self.room)


def make_plan(
    code: Source,
    planner: Plans,
    function: CudaFunction,
    given: Given,
    known: Mapping[str, int],
    refuse_sizes: Callable[[Mapping[str, int]], NoReturn],
) -> DevicePlan:
    """Check the inputs of a call and work out its plan.

    Args:
        code: the kernels.
        planner: of the kernel.
        function: the same, compiled.
        given: the inputs.
        known: sizes given by name.
        refuse_sizes: raises the error for sizes that the program excludes.

    Raises:
        CallError: an input is wrong.
    """
    inputs = [a for a in code.arguments if not a.is_output]
    outputs = [a for a in code.arguments if a.is_output]
    assert given.library is not None, "an array is on a device"
    assert given.device is not None
    shapes = _checked(code.name, inputs, given)
    try:
        call = planner.get(shapes, known, 1)
    except NegativeExtentError as problem:
        refuse_sizes(problem.sizes)
    sizes = dict(zip(code.sizes, map(int, call.sizes), strict=False))  # without sizes there is an unused one
    if not function.allows(sizes):
        refuse_sizes(sizes)
    driver = find_driver(given.device)
    numbers = tuple((n, inputs[n]) for n, key in enumerate(given.keys) if key == NUMBER)
    names = [a.name for a in inputs]
    overwritten = tuple((names.index(a.over), len(inputs) + n, a.bytes(sizes)) for n, a in enumerate(outputs) if a.over)
    positions = {a.name: n for n, a in enumerate(inputs)} | {a.name: len(inputs) + n for n, a in enumerate(outputs)}
    bytes_of = [a.bytes(sizes) for a in outputs]
    return DevicePlan(
        driver=driver,
        library=given.library,
        function=function,
        call=call,
        known=sizes,
        named=known,
        room=room_of(code, sizes, driver.limits, len(numbers)),
        outputs=tuple((shape, a.numpy_type) for a, shape in zip(outputs, call.shapes, strict=True)),
        sizes=tuple(bytes_of),
        spaces=tuple(aligned(size) for size in bytes_of),
        inputs=tuple(a.bytes(sizes) for a in inputs),
        numbers=numbers,
        own=tuple(n for n, key in enumerate(given.keys) if key[0] == "polyad"),
        overwritten=overwritten,
        parameters=tuple(positions[a.name] for a in code.parameters),
    )


def _checked(kernel: str, inputs: Sequence[Argument], given: Given) -> tuple[tuple[int, ...], ...]:
    """The shapes of the inputs of a call, all of which were looked at."""
    first = next((a.name for a, key in zip(inputs, given.keys, strict=True) if type(key) is tuple), "out")
    shapes: list[tuple[int, ...]] = []
    for argument, key in zip(inputs, given.keys, strict=True):
        if key == NUMBER:
            shapes.append(())
            continue
        read = _on_device(kernel, argument, key, f"{first} is on device {given.device}", given.device)
        if read.trouble not in ("", "read-only"):
            raise CallError(f"{kernel}: {argument.name} is {read.trouble}", argument.name)
        copy = f"{argument.name}.contiguous()" if read.library == "torch" else f"ascontiguousarray({argument.name})"
        _check_elements(f"{kernel}: {argument.name}", argument, read, f"a contiguous copy, {copy} of its library")
        shapes.append(tuple(read.shape))
    return tuple(shapes)


def _on_device(kernel: str, argument: Argument, key: Any, beside: str, device: int | None) -> Key:
    """The key of an array on the same device as another one."""
    name = argument.name
    if type(key) is not tuple:
        if key.startswith(("numpy.", "builtins.")):
            kind = key.removeprefix("builtins.")
            raise CallError(
                f"{kernel}: {beside} and {name} is a {kind} in the memory of the host: pass all arrays on the "
                f"device, as by pa.to_device({name}), or all on the host",
                name,
            )
        raise CallError(
            f"{kernel}: {beside} and {name} is a {key} that is on no device, or speaks neither "
            f"__cuda_array_interface__ nor DLPack: move it to the device, as by pa.to_device(numpy.asarray({name}))",
            name,
        )
    read = Key(*key)
    if read.device != device and read.device >= 0:
        raise CallError(
            f"{kernel}: {beside} and {name} on device {read.device}: a kernel runs on one device, move one of the two",
            name,
        )
    return read


def _check_elements(what: str, argument: Argument, read: Key, cure: str) -> None:
    """Compare the element type and the order of the elements with those of an argument."""
    if read.dtype_name != argument.dtype:
        raise CallError(
            f"{what}: expected {argument.dtype}, got {read.dtype_name}; arrays on a device are not converted: pass one "
            f"of {argument.dtype}",
            argument.name,
        )
    if read.strides is not None:
        raise CallError(
            f"{what}: expected rows that follow each other, got the strides {shape_text(read.strides)} for the shape "
            f"{shape_text(read.shape)}; pass {cure}",
            argument.name,
        )


def check_outputs(kernel: str, outputs: Sequence[Argument], plan: DevicePlan, given: Given, outs: Given) -> None:
    """Check the arrays that a call is to fill.

    Raises:
        CallError: one is on the host or another device, of another type or shape, strided, read-only, or shares memory
            with another one.
    """
    fitting = tuple(outs.keys)
    if fitting not in plan.fitting:
        for argument, (shape, _), value, key in zip(outputs, plan.outputs, outs.values, outs.keys, strict=True):
            if value is None:
                continue
            what = f"{kernel}: out: {argument.name}"
            read = _on_device(f"{kernel}: out", argument, key, f"the inputs are on device {given.device}", given.device)
            if read.trouble == "read-only":
                raise CallError(f"{what} is read-only; pass an array that may be written", argument.name)
            if read.trouble:
                raise CallError(f"{what} is {read.trouble}", argument.name)
            if tuple(read.shape) != shape:
                expected = shape_text(argument.shape)
                values = "" if expected == shape_text(shape) else f" = {shape_text(shape)}"
                raise CallError(
                    f"{what}: expected shape {expected}{values}, got {shape_text(read.shape)}", argument.name
                )
            _check_elements(what, argument, read, "a contiguous array")
        if len(plan.fitting) > len(outputs) + 64:
            plan.fitting.clear()
        plan.fitting.add(fitting)
    spans = sorted((p, p + size, n) for n, (p, size) in enumerate(zip(outs.pointers, plan.sizes, strict=True)) if p)
    for (_, end, one), (start, _, other) in pairwise(spans):
        if start < end:
            raise CallError(
                f"{kernel}: out: {outputs[one].name} and {outputs[other].name} share memory, so one would overwrite "
                "the other; pass arrays of their own",
                outputs[other].name,
            )


def overlapping(plan: DevicePlan, output: int, pointer: int, given: Given) -> bool:
    """Whether an array to fill shares memory with an input, but for the one that it is to overwrite as a whole."""
    end = pointer + plan.sizes[output]
    for n, (start, size) in enumerate(zip(given.pointers, plan.inputs, strict=True)):
        if start < end and pointer < start + size and start:
            place = len(given.values) + output
            over = any(source == n and wanted == place for source, wanted, _ in plan.overwritten)
            if not (over and start == pointer):
                return True
    return False


def _kind(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"
