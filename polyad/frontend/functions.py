"""Functions of pytrees of tensors: called on NumPy arrays they are traced, compiled and run, once per signature."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from polyad.errors import CallError, DefinitionError
from polyad.frontend.argument_checks import integer, several
from polyad.frontend.compiled import kernel_of, program_of, with_complex
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.parts import (
    as_complex,
    is_complex,
    joined,
    of_pairs,
    part_type,
    whole_leaves,
)
from polyad.frontend.compute import placeholder
from polyad.frontend.constants import as_tensor
from polyad.frontend.definition import Definition, Strength, plain
from polyad.frontend.extract import reachable
from polyad.frontend.naming.local_names import with_local_names
from polyad.frontend.naming.output_names import output_names
from polyad.frontend.pytrees import flatten, flatten_with_paths, unflatten
from polyad.frontend.tensor import OPEN_SCANS, Tensor
from polyad.frontend.traced.call_leaves import leaf_array, leaf_name, reader_of
from polyad.frontend.traced.dynamic_shapes import equal_extents, symbolic_shapes
from polyad.ir.element_types import accepted_type, instead_of, numpy_type
from polyad.ir.names import MOST_LETTERS
from polyad.ir.program import Program
from polyad.runtime.foreign_arrays import as_truth, pairs_of
from polyad.runtime.progress import announced, stage
from polyad.targets.target import Target

if TYPE_CHECKING:
    from polyad.kernel import Kernel

__all__ = ["TracedFunction", "argument_list", "runs_at_once"]


_TRACING: ContextVar[bool] = ContextVar("_TRACING", default=False)
"""Whether a function is being run on tensors."""


@contextmanager
def _tracing() -> Iterator[None]:
    token = _TRACING.set(True)
    try:
        yield
    finally:
        _TRACING.reset(token)


def _is_unknown(definition: Definition) -> bool:
    """A placeholder that is not a captured array."""
    return definition.is_placeholder and definition.value is None and bool(definition.arrays)


def _is_known(leaf: Any) -> bool:
    """Whether a leaf has a value: an array, a number, or a tensor made of constants only."""
    return not isinstance(leaf, Tensor) or not (leaf.scan_axes() or any(map(_is_unknown, reachable([leaf]))))


def runs_at_once(leaves: Sequence[Any]) -> bool:
    """Whether a call with these leaves computes values: all have one, and nothing is being traced around it."""
    return not (_TRACING.get() or OPEN_SCANS.get()) and all(map(_is_known, leaves))


def _values(leaves: Sequence[Any]) -> list[Any]:
    """The leaves with the values of tensors that are made of constants only."""
    found = list(leaves)
    todo = []
    for n, t in enumerate(leaves):
        if isinstance(t, Tensor):
            value, whole = t.definition.value, t.definition.arrays[t.array]
            if value is not None and t.dtype == str(value.dtype) and t.shape_affine == whole.shape:
                found[n] = value
            else:
                todo.append(n)
    if todo:
        values = TracedFunction(lambda: [leaves[k] for k in todo], "constants")()
        for n, value in zip(todo, values, strict=True):
            found[n] = value.item() if leaves[n].weak and not value.ndim else value
    return found


def _constant(leaf: Any) -> Any:
    """An array as a captured tensor."""
    if is_complex(leaf):
        return as_complex(leaf)
    return as_tensor(leaf) if isinstance(leaf, np.ndarray) else leaf


def _argument(path: str) -> str:
    """args[0][1]['W'] of (args, kwargs) as the user's: args[1]['W']."""
    return path.replace("args[0]", "args", 1) if path.startswith("args[0]") else path.replace("args[1]", "kwargs", 1)


@dataclass(frozen=True, slots=True)
class _Entry:
    """The compiled program of one signature.

    Attributes:
        converted: (leaf, element type) of the arguments whose own type the kernel does not take.
        on_devices: number of a device -> the constants there.
    """

    kernel: Kernel
    structure: Any
    constants: tuple[Any, ...]
    bools: tuple[bool, ...]
    converted: tuple[tuple[int, str], ...]
    on_devices: dict[int, tuple[Any, ...]] = field(default_factory=dict)

    def constants_at(self, device: int | None) -> tuple[Any, ...]:
        """The captured arrays, where they are on a device: copied there once."""
        if device is None or not self.constants:
            return self.constants
        if device not in self.on_devices:
            from polyad.runtime.cuda.device_array import to_device  # a GPU is there

            self.on_devices[device] = tuple([to_device(c, device) for c in self.constants])
        return self.on_devices[device]


@dataclass(frozen=True, slots=True)
class _Traced:
    """The program of one signature, and what a call of its kernel needs besides; see `_Entry`.

    Attributes:
        of_complex: the results that are complex numbers, which the kernel then returns.
    """

    program: Program
    structure: Any
    constants: tuple[Any, ...]
    bools: tuple[bool, ...]
    converted: tuple[tuple[int, str], ...]
    of_complex: tuple[int, ...]


class TracedFunction:
    """A function on pytrees of tensors that also takes NumPy arrays.

    Given tensors it just runs, so functions nest; tensors made of constants only count as arrays, except inside of
    another function or scan. Tensors without a value and arrays are not mixed. Given arrays it makes placeholders of
    their shapes and types, runs once, compiles the result and keeps the kernel for the next call with the same
    signature.

    Attributes:
        dynamic_shapes: whether extents are sizes of the kernel, which then serves all shapes of a rank.
        separate: what makes arguments of tensors that somebody else may hold as well; those it makes of arrays are its
            own.
        kernel: the kernel of the most recent call; None before the first.
    """

    def __init__(
        self,
        fun: Callable[..., Any],
        name: str,
        target: str | Target = "openmp",
        signature: Any = None,
        separate: Callable[[tuple[Any, ...]], tuple[Any, ...]] = tuple,
        dynamic_shapes: bool = False,
    ):
        self.fun = fun
        self.separate = separate
        self.target = target
        self.dynamic_shapes = dynamic_shapes
        self.__name__ = name
        self.__doc__ = getattr(fun, "__doc__", None)
        self.__wrapped__ = fun
        self.signature = signature if signature is not None else _signature(fun)
        self.entries: dict[Any, _Entry] = {}
        self.kernel: Kernel | None = None

    def __repr__(self) -> str:
        return f"<polyad function {self.__name__}>"

    @property
    def is_on_gpu(self) -> bool:
        """Whether calls with arrays run on a GPU."""
        return bool(getattr(self.target, "name", self.target) == "cuda")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it on tensors, or trace, compile and run it on arrays; see the class."""
        has_stream = self.is_on_gpu and "stream" in kwargs and "stream" not in self.signature
        run = {"stream": kwargs.pop("stream")} if has_stream else {}
        leaves, structure = flatten((args, kwargs))
        if any(isinstance(x, Tensor) for x in leaves):
            if not runs_at_once(leaves):
                return self._symbolic(args, kwargs)
            leaves = _values(leaves)
            args, kwargs = unflatten(structure, leaves)
        read = reader_of(self.is_on_gpu)
        arrays = [x if type(x) is np.ndarray else leaf_array(x, n, args, kwargs, read) for n, x in enumerate(leaves)]
        key = (
            structure,
            tuple([(a.shape, a.dtype, _gives_way(x)) for a, x in zip(arrays, leaves, strict=True)]),
        )
        if self.dynamic_shapes:
            key = structure, tuple((s, *k[1:]) for s, k in zip(equal_extents(arrays), key[1], strict=True))
        entry = self.entries.get(key)
        if entry is None:
            with announced(self.__name__, traced=True):
                entry = self._compile(args, kwargs, arrays, list(map(_gives_way, leaves)))
            if entry is None:  # closes over what is being traced around it
                return self._symbolic(*unflatten(structure, [_constant(x) for x in leaves]))
            self.entries[key] = entry
        self.kernel = entry.kernel
        device: Any = next((a.device for a in arrays if type(a) is not np.ndarray), None)
        for n, kind in entry.converted:
            arrays[n] = self._converted(arrays[n], kind, n, args, kwargs)
        given = (
            arrays
            if device is None
            else [a if type(a) is np.ndarray else x for a, x in zip(arrays, leaves, strict=True)]
        )
        result = entry.kernel(*given, *entry.constants_at(device), **run)
        results = list(result) if isinstance(result, tuple) else [result]
        if any(entry.bools):
            results = [as_truth(r) if b else r for r, b in zip(results, entry.bools, strict=True)]
        return unflatten(entry.structure, results)

    def exchange(self, old: Kernel, new: Kernel) -> None:
        """Let the calls that one kernel serves go to another one that computes the same."""
        self.entries = {k: replace(e, kernel=new) if e.kernel is old else e for k, e in self.entries.items()}
        self.kernel = new if self.kernel is old else self.kernel

    def _converted(self, array: Any, kind: str, n: int, args: Any, kwargs: Any) -> np.ndarray:
        """An argument in the element type that the kernel takes.

        Raises:
            CallError: it is on a device, where nothing is converted.
        """
        if type(array) is np.ndarray:
            return pairs_of(array) if array.dtype.kind == "c" else array.astype(kind)
        path = _argument(flatten_with_paths((args, kwargs), "args")[0][n])
        cure = "real and imaginary parts as two arrays" if part_type(array.dtype) else f"one of {kind}"
        raise CallError(
            f"{self.__name__}: {path} is of {array.dtype}, which is computed with as {kind}; arrays on a device are "
            f"not converted: pass {cure}",
            path,
        )

    def _symbolic(self, args: Any, kwargs: Any) -> Any:
        """Run it on tensors: the result belongs to the definition or the trace that they belong to."""
        leaves, _ = flatten((args, kwargs))
        inside = bool(_TRACING.get() or OPEN_SCANS.get())
        for n, x in enumerate(leaves):
            if isinstance(x, np.ndarray | np.generic) and not inside:
                paths = flatten_with_paths((args, kwargs), "args")[0]
                unknown = next(i for i, t in enumerate(leaves) if not _is_known(t))
                tensor, array = _argument(paths[unknown]), _argument(paths[n])
                raise CallError(
                    f"{self.__name__}: {tensor} is a tensor without a value and {array} an array: pass arrays only to "
                    "compute, or tensors only to define (pa.numpy.asarray makes a tensor of an array)",
                    tensor,
                )
        with _tracing():
            return with_local_names(self.fun, *self.separate(args), **kwargs)

    def _compile(self, args: Any, kwargs: Any, arrays: Sequence[np.ndarray], weak: Sequence[bool]) -> _Entry | None:
        """Trace and compile; None where the function closes over tensors of a trace around it."""
        traced = self._traced(args, kwargs, arrays, weak)
        if traced is None:
            return None
        unflatten = partial(with_complex, traced.of_complex, None) if traced.of_complex else None
        kernel = kernel_of(traced.program, self.target, None, None, unflatten)
        return _Entry(kernel, traced.structure, traced.constants, traced.bools, traced.converted)

    def program(self, *args: Any, **kwargs: Any) -> Program:
        """The program of a call with these arguments, before any simplification.

        Raises:
            CallError: an argument is no array or number, or the function closes over a tensor without a value.
        """
        return self.program_and_inputs(*args, **kwargs)[0]

    def program_and_inputs(self, *args: Any, **kwargs: Any) -> tuple[Program, dict[str, np.ndarray]]:
        """The same, and input -> its value in this call."""
        leaves, structure = flatten((args, kwargs))
        leaves = _values(leaves) if all(map(_is_known, leaves)) else leaves
        args, kwargs = unflatten(structure, leaves)
        read = reader_of(self.is_on_gpu)
        arrays = [leaf_array(x, n, args, kwargs, read) for n, x in enumerate(leaves)]
        traced = self._traced(args, kwargs, arrays, list(map(_gives_way, leaves)))
        if traced is None:
            raise CallError(f"{self.__name__} closes over a tensor of what is being traced around it", "args")
        kinds = [traced.program.arrays[n].dtype for n in traced.program.inputs]
        values = [pairs_of(v) if v.dtype.kind == "c" else v for v in (*arrays, *traced.constants)]
        given = [np.asarray(v, k) for v, k in zip(values, kinds, strict=True)]
        return traced.program, dict(zip(traced.program.inputs, given, strict=True))

    def _traced(self, args: Any, kwargs: Any, arrays: Sequence[np.ndarray], weak: Sequence[bool]) -> _Traced | None:
        """Run on placeholders; None where the function closes over tensors of a trace around it."""
        paths, _, structure = flatten_with_paths((args, kwargs), "args")
        taken: set[str] = set()
        places: list[Tensor] = []
        arguments = [leaf_name(path, self.signature, taken) for path in paths]
        shapes = symbolic_shapes(arrays, taken) if self.dynamic_shapes else [a.shape for a in arrays]
        for argument, a, shape, is_weak in zip(arguments, arrays, shapes, weak, strict=True):
            places.append(_placeholder(a, shape, argument, is_weak))
        given = [of_pairs(t) if a.dtype.kind == "c" else t for a, t in zip(arrays, places, strict=True)]
        t_args, t_kwargs = unflatten(structure, given)
        around = bool(_TRACING.get() or OPEN_SCANS.get())
        with stage(self.__name__, "tracing"), _tracing():
            out_paths, outputs, out_structure = whole_leaves(with_local_names(self.fun, *t_args, **t_kwargs))
        tensors = [joined(o) if isinstance(o, ComplexTensor) else as_tensor(o, "result") for o in outputs]
        if not tensors:
            raise DefinitionError(f"{self.__name__} returns nothing that could be computed")
        used = {t.array for t in places}
        unknown = [n for d in reachable(tensors) if _is_unknown(d) for n in d.arrays if n not in used]
        foreign = [x.name for x in tensors if x.scan_axes()] or [plain(n) for n in unknown]
        if foreign and around:
            return None
        if foreign:
            raise CallError(
                f"{self.__name__} closes over {foreign[0]}, a tensor without a value: make it an argument, or close "
                "over an array",
                foreign[0],
            )
        name = re.sub(r"\W", "_", self.__name__).strip("_") or "function"
        name = name[:MOST_LETTERS]
        names = output_names(out_paths)
        program, found = program_of(tensors, None, name if name[0].isalpha() else f"f_{name}", names)
        extra = [t for t in found if t.array not in used]
        inputs: list[Any] = [
            *places,
            *(Tensor(t.definition, t.array, t.shape_affine, t.dtype, (), t.symbols) for t in extra),
        ]
        program, _ = program_of(tensors, inputs, program.name, names)
        return _Traced(
            program,
            out_structure,
            tuple(t.definition.value for t in extra),
            tuple(t.dtype == "bool" for t in tensors),
            tuple(
                (n, kind)
                for n, (a, t) in enumerate(zip(arrays, places, strict=True))
                if a.dtype != numpy_type(kind := t.definition.arrays[t.array].dtype)
            ),
            tuple(n for n, o in enumerate(outputs) if isinstance(o, ComplexTensor)),
        )


def _signature(fun: Callable[..., Any]) -> list[str]:
    try:
        return [p.name for p in inspect.signature(fun).parameters.values()]
    except (TypeError, ValueError):
        return []


def _gives_way(x: Any) -> bool:
    """Whether an argument is weak: a number of Python (not of NumPy, nor of an enumeration, as in NumPy).

    What a function computes of its arguments is converted when it runs, where a number that is too large for a type
    would wrap around without a word. So an integer that int32 does not hold is one of int64.
    """
    return type(x) in (float, complex) or (type(x) is int and -(1 << 31) <= x < 1 << 31)


def _placeholder(a: np.ndarray, shape: Sequence[Any], name: str, weak: bool) -> Tensor:
    part = part_type(a.dtype)
    kind = part or accepted_type(a.dtype)
    if kind is None:
        raise CallError(f"argument {name} has element type {a.dtype}; {instead_of(a.dtype, name)}", name)
    t = placeholder(tuple(shape) if part is None else (*shape, 2), name, kind)
    dtype = "bool" if a.dtype == np.bool_ else t.dtype
    strength: Strength = "weak" if weak else "strong"
    return Tensor(t.definition, t.array, t.shape_affine, dtype, (), t.symbols, strength)


def argument_list(argnums: int | Sequence[int], count: int, what: str) -> list[int]:
    """Normalise argnums.

    Raises:
        CallError: out of range.
        DTypeError: no integers.
    """
    asked = [argnums] if isinstance(argnums, int) else several(argnums, f"{what}: argnums")
    numbers = [integer(n, f"{what}: argnums") for n in asked]
    for n in numbers:
        if not -count <= n < count:
            raise CallError(f"{what}: argnums {n} is outside of the {count} positional arguments", "argnums")
    return [n % count for n in numbers]
