"""Enzyme's gradient of a C function.

Enzyme works on what clang makes of C. The wheel `enzyme-ad` brings both, for functions that jax calls; they read C++.
So the C function is put into C++ as it stands, but for its head, and its derivative is asked for in there, by the call
that Enzyme replaces (`__enzyme_autodiff`). What jax runs only tells where the machine code is. It is called with
pointers then, like the C function: nothing of jax is in the time, and nothing is allocated.

Enzyme has the best of it: extents are constants, arrays are said not to overlap, and shadows stay where they are.
"""

from __future__ import annotations

import ctypes
import math
import re
import subprocess
from typing import Any

import numpy as np

from benchmarks.c_functions.function import Function
from tests.pet.case import DTYPES, Parameter

__all__ = ["FLAGS", "Gradient", "cxx_text"]

FLAGS = ("-O3", "-ffp-contract=fast", "-mreassociate", "-fno-signed-zeros")
"""For clang itself, not its driver. Sums may be in any order, as polyad's are; NaN and infinity stay what they are."""

_MATH = "exp log sqrt tanh fabs fmax fmin pow sin cos floor"
_LARGE = 100_000  # elements; on the heap, arrays slow Enzyme down, but clang never ends on such ones on the stack


class Gradient:
    """Value and gradient of a function by Enzyme, called with nothing.

    Attributes:
        values: name -> what the function leaves in the arrays that it writes.
        gradients: name -> the derivative by each of `case.wrt`.
    """

    def __init__(self, function: Function) -> None:
        self.values: dict[str, Any] = {}
        self.gradients: dict[str, Any] = {}
        self._kept = _arrays(function)
        case = function.case
        for parameter, arrays in zip(_passed(function), self._kept, strict=True):
            if parameter.name in function.written:
                self.values[parameter.name] = arrays[0]
            if parameter.name in case.wrt:
                self.gradients[parameter.name] = arrays[1]
        pointers = [None if a is None else a.ctypes.data for arrays in self._kept for a in arrays]
        self._pointers = (ctypes.c_void_p * len(pointers))(*pointers)
        self._function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_address(cxx_text(function)))

    def __call__(self) -> None:
        self._function(ctypes.addressof(self._pointers))


def _passed(function: Function) -> list[Parameter]:
    """The parameters that C++ has too: extents are constants there."""
    return [p for p in function.parameters if p.name not in function.sizes]


def _active(function: Function, parameter: Parameter) -> bool:
    return parameter.name in {*function.case.wrt, *function.written} and DTYPES[parameter.type].kind == "f"


def _arrays(function: Function) -> list[tuple[Any, Any, Any, Any]]:
    """For each parameter: the array, its shadow, what the array holds at first, and what the shadow does."""
    found = []
    for p in _passed(function):
        array = np.array(function.given[p.name], DTYPES[p.type], order="C", ndmin=1)
        active, case = _active(function, p), function.case
        found.append(
            (
                array,
                np.zeros_like(array) if active else None,
                array.copy() if p.name in case.updates else None,
                function.seed() if p.name == case.of else None,
            )
        )
    return found


def cxx_text(function: Function) -> str:
    """The C function as C++, and `gradient`, which takes four pointers for each of its parameters."""
    head = re.search(rf"^void {function.name}\(.*?\)\s*\{{", function.text, re.MULTILINE | re.DOTALL)
    assert head is not None
    passed = _passed(function)
    plain = re.sub(r"^#include .*$", "", function.text[: head.start()], flags=re.MULTILINE)
    sizes = [f"static constexpr {_type_of(function, n)} {n} = {v};" for n, v in function.sizes.items()]
    sizes = [line for line, n in zip(sizes, function.sizes, strict=True) if not _is_macro(function, n)]
    declared = ", ".join(_pointer(p) if p.is_array else f"{p.type} {p.name}" for p in passed)
    own = [f"static void {function.name}({declared})", "{"]
    by_address = ", ".join(_pointer(p) if p.is_array else f"const {p.type} *{p.name}" for p in passed)
    names = ", ".join(p.name if p.is_array else f"*{p.name}" for p in passed)
    before, shadows = [], []
    for i, p in enumerate(passed):
        array, shadow, first, seed = (f"({p.type} *)p[{4 * i + k}]" for k in range(4))
        bytes_of = "sizeof(" + p.type + ")" + "".join(f" * ({e})" for e in p.extents)
        if p.name in function.case.updates:
            before.append(f"    __builtin_memcpy({array}, {first}, {bytes_of});")
        if not _active(function, p):
            shadows.append(f"enzyme_const, {array}")
            continue
        shadows.append(f"enzyme_dup, {array}, {shadow}")
        if p.name == function.case.of:
            before.append(f"    __builtin_memcpy({shadow}, {seed}, {bytes_of});")
        else:
            before.append(f"    __builtin_memset({shadow}, 0, {bytes_of});")
    functions = " ".join(f"double {f}(double{', double' * (f in ('fmax', 'fmin', 'pow'))});" for f in _MATH.split())
    lines = [
        f'extern "C" {{ {functions} void *malloc(unsigned long); void free(void *); }}',
        "extern int enzyme_dup, enzyme_const;",
        plain,
        *sizes,
        *own,
        _on_the_heap(function, function.text[head.end() :]),
        f"static void at_addresses({by_address})",
        "{",
        f"    {function.name}({names});",
        "}",
        "static void gradient(void **p)",
        "{",
        *before,
        f"    enzyme::__enzyme_autodiff<void>((void *)at_addresses, {', '.join(shadows)});",
        "}",
        "template <class Out, class In> void tell(Out &out, const In &) { *(long *)&out = (long)&gradient; }",
    ]
    return "\n".join(lines) + "\n"


def _on_the_heap(function: Function, body: str) -> str:
    """The body with its large arrays on the heap: LLVM takes minutes over what fills such ones on the stack."""
    own, pragma, rest = body.partition("#pragma scop")
    freed = ""

    def moved(line: re.Match[str]) -> str:
        nonlocal freed
        type_, kept, found = line[1], [], ""
        for name, brackets in re.findall(r"(\w+)((?:\[[^]]*\])*)", line[2]):
            extents = re.findall(r"\[([^]]*)\]", brackets)
            if math.prod(int(eval(e, {}, dict(function.sizes))) for e in extents) < _LARGE:
                kept.append(name + brackets)
                continue
            inner = "".join(f"[{e}]" for e in extents[1:])
            to = f"{type_} (*)" + inner if inner else f"{type_} *"
            declared = f"(*{name}){inner}" if inner else f"*{name}"
            bytes_of = " * ".join([f"sizeof({type_})", *(f"({e})" for e in extents)])
            found += f"    {type_} {declared} = ({to})malloc({bytes_of});\n"
            freed += f"    free({name});\n"
        return (f"    {type_} {', '.join(kept)};\n" if kept else "") + found

    own = re.sub(r"^    (double|float) (\w[^;=]*);\n", moved, own, flags=re.MULTILINE)
    end = rest.rindex("}")
    return own + pragma + rest[:end] + freed + rest[end:]


def _type_of(function: Function, size: str) -> str:
    return next((p.type for p in function.parameters if p.name == size), "int").replace("size_t", "unsigned long")


def _is_macro(function: Function, size: str) -> bool:
    return all(p.name != size for p in function.parameters)


def _pointer(p: Parameter) -> str:
    """`const double A[n][m]` as C++ has it when it overlaps with nothing."""
    inner = "".join(f"[{extent}]" for extent in p.extents[1:])
    name = f"*__restrict__ {p.name}"
    return f"{'const ' * p.const}{p.type} {f'({name}){inner}' if inner else name}"


def _address(text: str) -> int:
    """Return the address of the machine code of `gradient`."""
    import jax
    import jax.numpy as jnp
    from enzyme_ad.jax import cpp_call

    jax.config.update("jax_enable_x64", True)
    out = jax.core.ShapedArray((1,), np.dtype(np.int64))

    def tell(x: Any) -> Any:
        return cpp_call(x, out_shapes=[out], source=text, fn="tell", argv=(*FLAGS, *_cpu()))[0]

    return int(jax.jit(tell)(jnp.zeros(1))[0])


def _cpu() -> tuple[str, ...]:
    """Return the meaning of `-march=native`, asked of the compiler that is there."""
    try:
        done = subprocess.run(
            ["gcc", "-march=native", "-Q", "--help=target"], capture_output=True, text=True, check=False
        )
    except OSError:
        return ()
    found = re.search(r"^\s*-march=\s+(\S+)$", done.stdout, re.MULTILINE)
    return ("-target-cpu", found[1]) if found else ()
