"""A loop nest in C and what is asked of it: one entry of the corpus.

A case names a file of `c/`, its sizes, how its inputs are drawn, and which output is differentiated by which inputs.
What type and shape an argument has is read off the prototype, so that the table cannot disagree with the C text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["DTYPES", "FOLDER", "Arguments", "Array", "Case", "Draw", "Parameter"]

FOLDER = Path(__file__).parent / "c"
DTYPES: dict[str, np.dtype[Any]] = {
    "int": np.dtype(np.int32),
    "unsigned": np.dtype(np.uint32),
    "unsigned int": np.dtype(np.uint32),
    "size_t": np.dtype(np.uintp),
    "float": np.dtype(np.float32),
    "double": np.dtype(np.float64),
}

Array = NDArray[Any]
Arguments = dict[str, Any]  # in the order of the parameters: int, float, or an array
Draw = Callable[[np.random.Generator, tuple[int, ...], Mapping[str, int]], Array]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a C function: `const double A[n][m]` has extents ("n", "m"); `double *y` has ("1",)."""

    name: str
    type: str
    extents: tuple[str, ...]
    const: bool

    @property
    def is_array(self) -> bool:
        return bool(self.extents)


@dataclass(frozen=True, slots=True)
class Case:
    """A loop nest in C and what is asked of it.

    Attributes:
        name: the function's name; `NAME.c` is its file.
        sizes: small extents, all different.
        of: the output that is differentiated.
        wrt: what it is differentiated by: scalars, arrays that are only read, first contents of arrays in `updates`.
        updates: arrays that are read and written.
        results: arrays that are only written; they hold NaN before a call.
        edges: further sizes, with extents of 0 and 1.
        draw: how arrays and scalars are drawn that are not normal.
        numpy: the same in NumPy: what the outputs hold afterwards, or some of them.
        step: of central differences, relative to 1.
        tolerance: of outputs against NumPy.
    """

    name: str
    sizes: Mapping[str, int]
    of: str
    wrt: tuple[str, ...]
    updates: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    edges: tuple[Mapping[str, int], ...] = ()
    draw: Mapping[str, Draw] = field(default_factory=dict)
    numpy: Callable[[SimpleNamespace], Mapping[str, Any]] | None = None
    step: float = 1e-6
    tolerance: float = 1e-10

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.c"

    @property
    def function(self) -> str:
        return self.name

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return _parameters(self.path, self.function)

    @property
    def single(self) -> bool:
        """Whether it computes in float32."""
        return any(parameter.type == "float" for parameter in self.parameters)

    def shape(self, parameter: Parameter, sizes: Mapping[str, int]) -> tuple[int, ...]:
        names = {**_macros(self.path), **sizes}
        return tuple(int(eval(extent, {}, names)) for extent in parameter.extents)

    def arguments(self, seed: int = 0, sizes: Mapping[str, int] | None = None) -> Arguments:
        """Draw what the function is called with: sizes, scalars and arrays, in the order of its parameters."""
        sizes = self.sizes if sizes is None else sizes
        rng = np.random.default_rng([seed, *self.name.encode()])
        arguments: Arguments = {}
        for parameter in self.parameters:
            name = parameter.name
            shape = self.shape(parameter, sizes)
            if name in sizes:
                arguments[name] = sizes[name]
            elif name in self.results:
                arguments[name] = np.full(shape, np.nan, DTYPES[parameter.type])
            else:
                drawn = self.draw.get(name, normal)(rng, shape, sizes)
                arguments[name] = drawn.astype(DTYPES[parameter.type]) if shape else float(drawn)
        return arguments


def normal(rng: np.random.Generator, shape: tuple[int, ...], sizes: Mapping[str, int]) -> Array:
    return np.asarray(rng.normal(size=shape))


def _macros(path: Path) -> dict[str, int]:
    """Values of `#define N 12`."""
    return {name: int(value) for name, value in re.findall(r"^#define (\w+) (\d+)$", path.read_text(), re.MULTILINE)}


@cache
def _parameters(path: Path, function: str) -> tuple[Parameter, ...]:
    found = re.search(rf"^void {function}\((.*?)\)\s*\{{", path.read_text(), re.MULTILINE | re.DOTALL)
    assert found, f"no function {function} in {path.name}"
    parameters = []
    for text in found[1].split(","):
        match = re.fullmatch(r"\s*(const )?(\w+) (\*?)(?:restrict )?(\w+)((?:\[[^]]*\])*)\s*", text)
        assert match, f"{path.name}: not understood: {text.strip()}"
        const, type_, pointer, name, brackets = match.groups()
        extents = tuple(re.sub(r"\b(restrict|static)\b", "", e).strip() for e in re.findall(r"\[([^]]*)\]", brackets))
        parameters.append(Parameter(name, type_, ("1",) if pointer else extents, bool(const)))
    return tuple(parameters)
