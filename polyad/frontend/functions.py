"""Functions of pytrees of tensors: called on NumPy arrays they are traced, compiled and run, once per signature."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyad.errors import CallError, DefinitionError, PolyadError
from polyad.frontend.compiled import kernel_of, program_of
from polyad.frontend.compute import placeholder
from polyad.frontend.constants import as_tensor
from polyad.frontend.output_names import output_names
from polyad.frontend.pytrees import flatten, flatten_with_paths, unflatten
from polyad.frontend.symbols import check_identifier
from polyad.frontend.tensor import Tensor
from polyad.ir.element_types import accepted_type, instead_of
from polyad.ir.names import MOST_LETTERS
from polyad.runtime.foreign_arrays import read_array, refusal
from polyad.runtime.progress import announced, stage
from polyad.targets.target import Target

if TYPE_CHECKING:
    from polyad.runtime.kernel import Kernel

__all__ = ["TracedFunction", "argument_list"]


@dataclass(frozen=True, slots=True)
class _Entry:
    """What one signature was compiled to.

    Attributes:
        converted: (leaf, element type) of the arguments whose own type the kernel does not take.
    """

    kernel: Kernel
    structure: Any
    constants: tuple[Any, ...]
    bools: tuple[bool, ...]
    converted: tuple[tuple[int, str], ...]


class TracedFunction:
    """A function on pytrees of tensors that also takes NumPy arrays.

    Given tensors it just runs, so functions nest. Given arrays it makes placeholders of their shapes and types, runs
    once, compiles the result and keeps the kernel for the next call with the same signature.

    Attributes:
        kernel: the kernel of the most recent call; None before the first.
    """

    def __init__(self, fun: Callable[..., Any], name: str, target: str | Target = "openmp", signature: Any = None):
        self.fun = fun
        self.target = target
        self.__name__ = name
        self.__doc__ = getattr(fun, "__doc__", None)
        self.__wrapped__ = fun
        self.signature = signature if signature is not None else _signature(fun)
        self.entries: dict[Any, _Entry] = {}
        self.kernel: Kernel | None = None

    def __repr__(self) -> str:
        return f"<polyad function {self.__name__}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it on tensors, or trace, compile and run it on arrays; see the class."""
        leaves, structure = flatten((args, kwargs))
        if any(isinstance(x, Tensor) for x in leaves):
            return self.fun(*args, **kwargs)
        arrays = [x if type(x) is np.ndarray else _array(x, n, args, kwargs) for n, x in enumerate(leaves)]
        key = (
            structure,
            tuple([(a.shape, a.dtype, type(x) in (int, float)) for a, x in zip(arrays, leaves, strict=True)]),
        )
        entry = self.entries.get(key)
        if entry is None:
            with announced(self.__name__):
                entry = self._compile(args, kwargs, arrays, [type(x) in (int, float) for x in leaves])
            self.entries[key] = entry
        self.kernel = entry.kernel
        for n, kind in entry.converted:
            arrays[n] = arrays[n].astype(kind)
        result = entry.kernel(*arrays, *entry.constants)
        results = list(result) if isinstance(result, tuple) else [result]
        if any(entry.bools):
            results = [r.astype(np.bool_) if b else r for r, b in zip(results, entry.bools, strict=True)]
        return unflatten(entry.structure, results)

    def _compile(self, args: Any, kwargs: Any, arrays: Sequence[np.ndarray], weak: Sequence[bool]) -> _Entry:
        paths, _, structure = flatten_with_paths((args, kwargs), "args")
        taken: set[str] = set()
        places: list[Tensor] = []
        for path, a, is_weak in zip(paths, arrays, weak, strict=True):
            places.append(_placeholder(a, _leaf_name(path, self.signature, taken), is_weak))
        t_args, t_kwargs = unflatten(structure, list(places))
        with stage(self.__name__, "tracing"):
            out_paths, outputs, out_structure = flatten_with_paths(self.fun(*t_args, **t_kwargs))
        tensors = [as_tensor(o, "result") for o in outputs]
        if not tensors:
            raise DefinitionError(f"{self.__name__} returns nothing that could be computed")
        used = {t.array for t in places}
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
        kernel = kernel_of(program, self.target, None, None)
        return _Entry(
            kernel,
            out_structure,
            tuple(t.definition.value for t in extra),
            tuple(t.dtype == "bool" for t in tensors),
            tuple(
                (n, kind)
                for n, (a, t) in enumerate(zip(arrays, places, strict=True))
                if a.dtype != np.dtype(kind := t.definition.arrays[t.array].dtype)
            ),
        )


def _signature(fun: Callable[..., Any]) -> list[str]:
    try:
        return [p.name for p in inspect.signature(fun).parameters.values()]
    except (TypeError, ValueError):
        return []


def _leaf_name(path: str, signature: Sequence[str], taken: set[str]) -> str:
    """args[0][1]['W'] of f(x, params) -> params_W: an identifier nobody has."""
    match = re.match(r"args\[0\]\[(\d+)\](.*)", path)
    if match:
        n = int(match[1])
        path = (signature[n] if n < len(signature) else f"arg{n}") + match[2]
    else:
        path = path.replace("args[1]", "", 1)
    words = "_".join(re.findall(r"[A-Za-z0-9_]+", path)) or "arg"
    try:
        name = check_identifier(words if not words[0].isdigit() else f"arg_{words}", "argument")
    except PolyadError:
        name = f"{words}_"
    base, n = name, 1
    while name in taken:
        name, n = f"{base}_{n}", n + 1
    taken.add(name)
    return name


def _array(x: Any, n: int, args: Any, kwargs: Any) -> np.ndarray:
    """A leaf as an array of a supported type."""
    try:
        array = read_array(x)
    except Exception as problem:  # another library's
        path = flatten_with_paths((args, kwargs), "args")[0][n]
        raise refusal(x, f"argument {path}", path, problem) from problem
    if array.dtype.kind not in "fiub" and accepted_type(array.dtype) is None:
        path = flatten_with_paths((args, kwargs), "args")[0][n]
        raise CallError(
            f"argument {path} is {type(x).__name__} of type {array.dtype}; functions of polyad take arrays and numbers "
            f"(close over anything else); {instead_of(array.dtype, path)}",
            path,
        )
    return array


def _placeholder(a: np.ndarray, name: str, weak: bool) -> Tensor:
    kind = accepted_type(a.dtype)
    if kind is None:
        raise CallError(f"argument {name} has element type {a.dtype}; {instead_of(a.dtype, name)}", name)
    t = placeholder(a.shape, name, kind)
    dtype = "bool" if a.dtype == np.bool_ else t.dtype
    return Tensor(t.definition, t.array, t.shape_affine, dtype, (), t.symbols, weak and kind.startswith("float"))


def argument_list(argnums: int | Sequence[int], count: int, what: str) -> list[int]:
    """Normalise argnums.

    Raises:
        CallError: out of range.
    """
    numbers = [argnums] if isinstance(argnums, int) else list(argnums)
    for n in numbers:
        if not -count <= n < count:
            raise CallError(f"{what}: argnums {n} is outside of the {count} positional arguments", "argnums")
    return [n % count for n in numbers]
