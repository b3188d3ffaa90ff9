"""C as others write it, and what is asked of it: macros, static functions, returned values, helpers, tables.

Unlike the cases of the corpus, what a file says is not read by an expression of our own here, but by polyad; what its
function computes is asked of a compiler, through a function of one signature around it.
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from polyad.pet.c_program import CProgram, from_c
from polyad.pet.flattened import StructArgument
from polyad.pet.prototype import Parameter
from tests.pet.case import Arguments, Array, Draw, normal
from tests.pet.corpus import FLAGS

__all__ = ["STYLES", "Style", "central_differences", "program", "reference"]

STYLES = Path(__file__).parent / "styles"
RETURNED = "returned"
DTYPES: dict[str, Any] = {
    "_Bool": np.bool_,
    "char": np.int8,
    "signed char": np.int8,
    "unsigned char": np.uint8,
    "short": np.int16,
    "int": np.int32,
    "unsigned int": np.uint32,
    "long": np.int64,
    "unsigned long": np.uint64,
    "float": np.float32,
    "double": np.float64,
}


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """A function in a file of its name.

    Attributes:
        name: of the file and the function, which may have `kernel_` before it.
        sizes: what integers are passed; 1 for those that are not named.
        of: outputs that are differentiated; `returned` for what the function returns.
        wrt: by which inputs.
        edges: further sizes.
        draw: how arrays are drawn that are not normal.
        exact: whether the order of the C text gives its very bits; not where polyad has functions of its own.
        function: its name, where the file has several and no pragmas.
        absent: arguments that are NULL.
    """

    name: str
    sizes: Mapping[str, int]
    of: tuple[str, ...]
    wrt: tuple[str, ...]
    edges: tuple[Mapping[str, int], ...] = ()
    draw: Mapping[str, Draw] = field(default_factory=dict)
    exact: bool = True
    function: str | None = None
    absent: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        return STYLES / f"{self.name}.c"

    @property
    def single(self) -> bool:
        return re.search(r"\bfloat\b", self.path.read_text()) is not None

    def arguments(self, seed: int = 0, sizes: Mapping[str, int] | None = None) -> Arguments:
        """Draw what the function is called with; what is only written holds NaN."""
        made = program(self)
        sizes = self.sizes if sizes is None else sizes
        rng = np.random.default_rng([seed, *self.name.encode()])
        arguments: Arguments = {}
        for p in own_parameters(made):
            if p.by_value and p.type not in ("float", "double"):
                arguments[p.name] = np.asarray(sizes.get(p.name, 1), DTYPES[p.type])
                continue
            shape = self.shape(p, {**sizes, **derived(made, sizes)})
            read = p.by_value or p.name in made.inputs
            drawn = self.draw.get(p.name, normal)(rng, shape, sizes) if read else np.full(shape, np.nan)
            arguments[p.name] = np.asarray(
                np.nan_to_num(drawn) if p.type not in ("float", "double") else drawn, DTYPES[p.type]
            )
        return arguments

    def shape(self, parameter: Parameter, sizes: Mapping[str, int]) -> tuple[int, ...]:
        made = program(self)
        arrays = made.program.arrays
        array = arrays.get(parameter.name) or arrays.get(made.results.get(parameter.name, ""))
        if parameter.by_value or array is None:
            return () if parameter.by_value else (1,)
        return tuple(e.evaluate({n: int(sizes.get(n, 1)) for n in made.sizes}) for e in array.shape)


@cache
def program(style: Style) -> CProgram:
    return from_c(style.path, style.function, absent=style.absent)


def own_parameters(made: CProgram) -> Sequence[Parameter]:
    """Those that C has, too."""
    return [p for p in made.function.parameters if p.name != RETURNED and p.derived is None]


def derived(made: CProgram, sizes: Mapping[str, int]) -> dict[str, int]:
    """Sizes that C computes from others."""
    found = {p.name: p.derived for p in made.function.parameters if p.derived is not None}
    return {name: d.value({n: sizes.get(n, 1) for n in d.names}) or 0 for name, d in found.items()}


def in_double(text: str) -> str:
    text = re.sub(r"(\b\d+\.?\d*(?:[eE]-?\d+)?|\.\d+)[fF]\b", r"\1", re.sub(r"\bfloat\b(?!\.h)", "double", text))
    return re.sub(r"\b(exp|log|log2|sqrt|tanh|fabs|fmax|fmin|pow|sin|cos)f\b", r"\1", text)


_scratch: list[tempfile.TemporaryDirectory[str]] = []  # removed when the process ends


@cache
def compiled(style: Style, *, double: bool) -> Any:
    """`call(pointers, result)`: the C function of a file, or the same in float64."""
    made = program(style)
    _scratch.append(tempfile.TemporaryDirectory(prefix="polyad_style_"))
    folder = Path(_scratch[-1].name)
    text = style.path.read_text()
    (folder / "text.c").write_text(in_double(text) if double else text)

    def kind(written: str) -> str:
        return "double" if double and written == "float" else written

    passed = {
        p.name: f"*({kind(p.type)} *)given[{k}]" if p.by_value else f"given[{k}]"
        for k, p in enumerate(own_parameters(made))
    }
    structs = made.function.flattened.structs
    before, after = "", ""
    for struct in structs.values():
        lines = [
            stored(p, struct, passed[p.name], kind(p.type)) for p in own_parameters(made) if p.name in struct.members
        ]
        named = re.sub(rf"\bconst\b|\b{struct.name}\b[^A-Za-z]*$|[*]", "", struct.spelling).strip()
        before += f"{named} {struct.name}_store; " + " ".join(first for first, _ in lines) + "\n"
        after += " ".join(last for _, last in lines) + "\n"
        rows = [n for n, text in struct.members.items() if text.startswith("(")]
        address = passed[rows[0]] if rows else f"{'&' * struct.is_pointer}{struct.name}_store"
        passed = {n: v for n, v in passed.items() if n not in struct.members} | {struct.name: address}
    own = made.function.flattened.own or tuple(passed)
    call = f"{made.function.name}({', '.join(passed[n] for n in own)});"
    result = kind(made.function.result)
    body = before + (call if result == "void" else f"*({result} *)result = {call}") + after
    around = folder / "around.c"
    head = '#include <string.h>\n#include "text.c"\nvoid call(void **given, void *result)'
    around.write_text(f"{head}\n{{\n(void)result;\n{body}\n}}\n")
    shared = folder / "shared.so"
    command = [os.environ.get("CC", "cc"), "-w", *FLAGS, "-shared", "-o", str(shared), str(around), "-lm"]
    subprocess.run(command, check=True)
    function = ctypes.CDLL(str(shared)).call
    function.restype = None
    return function


def stored(parameter: Parameter, struct: StructArgument, place: str, kind: str) -> tuple[str, str]:
    """How a member gets into a struct before a call, and out of it."""
    text = struct.members[parameter.name]
    if text.startswith("("):
        return "", ""
    member = re.sub(rf"^&?{struct.name}(->|\.)", f"{struct.name}_store.", text)
    if parameter.by_value:
        return f"{member} = {place};", ""
    if text.startswith("&"):
        return f"{member} = *({kind} *){place};", f"*({kind} *){place} = {member};"
    if parameter.shape[0]:
        return f"memcpy({member}, {place}, sizeof {member});", f"memcpy({place}, {member}, sizeof {member});"
    return f"{member} = {place};", ""


def rows_of(memory: Array, shape: tuple[int, ...]) -> Any:
    """Pointers to the rows of an array, `double **`; to those of its planes, `double ***`. The last row comes first."""
    count, size = shape[0], int(np.prod(shape[1:])) * memory.itemsize
    tables = [memory.ctypes.data + k * size for k in range(count)]
    if len(shape) > 2:
        inner = [rows_of(memory.reshape(shape)[k].reshape(-1), shape[1:]) for k in range(count)]
        tables = [ctypes.addressof(t) for t in inner]
        _tables.extend(inner)
    return (ctypes.c_void_p * max(count, 1))(*tables)


_tables: list[Any] = []


def reference(style: Style, arguments: Mapping[str, Any], *, double: bool = False) -> dict[str, Array]:
    """Return the arrays that the C function writes, and its value."""
    made = program(style)
    double = double and style.single

    def dtype(kind: str) -> Any:
        return np.float64 if double and kind == "float" else DTYPES[kind]

    arrays = {
        p.name: np.array(arguments[p.name], dtype(p.type), order="C", copy=True).reshape(-1)
        for p in own_parameters(made)
    }
    keep: list[Any] = []  # until the call is over
    memory = {n: a if a.size else np.zeros(1) for n, a in arrays.items()}
    result = np.zeros(1, dtype(made.function.result) if made.function.result != "void" else np.float64)
    places: list[Any] = []
    for p in own_parameters(made):
        shape = np.shape(arguments[p.name])
        table = rows_of(memory[p.name], shape) if p.rows else memory[p.name].ctypes.data
        places.append(None if p.name in style.absent else table if isinstance(table, int) else ctypes.addressof(table))
        keep.append(table)
    given = (ctypes.c_void_p * len(memory))(*places)
    compiled(style, double=double)(given, ctypes.c_void_p(result.ctypes.data))
    after = {**arrays, RETURNED: result}
    return {n: after[n].reshape(np.shape(arguments[n]) if n in arguments else (1,)) for n in made.outputs}


def central_differences(
    style: Style, name: str, arguments: Mapping[str, Any], weights: Mapping[str, Array], step: float = 1e-6
) -> Array:
    """Gradient by an argument of the sum of outputs times weights."""
    point = np.array(arguments[name], np.float64)
    gradient = np.empty(point.shape)

    def value(at: Array) -> float:
        after = reference(style, {**arguments, name: at}, double=True)
        return sum(float(np.vdot(w, after[n])) for n, w in weights.items())

    for place in np.ndindex(point.shape):
        lower, upper = point.copy(), point.copy()
        lower[place] -= step
        upper[place] += step
        gradient[place] = (value(upper) - value(lower)) / (upper[place] - lower[place])
    return gradient
