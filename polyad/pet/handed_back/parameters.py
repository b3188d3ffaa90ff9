"""The parameters of an exported function: those of the C function that was read, then those of derivatives.

    void f(int n, const double x[n], double y[n])

    int f_grad(int n, const double x[n], double y[n],   as they were; what is only read is const
               const double y_bar[n],                   what else is read: cotangents of `of`, directions of `wrt`
               double x_bar[n],                         what else is written: gradients, tangents
               void *workspace)

An array that C reads and overwrites is one parameter here, too, and so are its derivatives: before the call, `A_bar` is
the cotangent of what A is left with; after it, the gradient by what A held. `A_dot` is the direction, then the tangent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from polyad.codegen.names import c_name
from polyad.codegen.text.expression_text import C_TYPES
from polyad.errors import CallError
from polyad.ir.array import Array
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.pet.equations.expressions import element_type
from polyad.pet.prototype import BITS, Function, Parameter

__all__ = ["Passed", "passed_parameters"]


@dataclass(frozen=True, slots=True)
class Passed:
    """A parameter of an exported function.

    Attributes:
        declaration: its type and extents as in C.
        name: its name in C.
        input: the input of the program that it is, "" for none.
        output: the output of the program that it is left with, "" for none.
        extents: of its dimensions, for people: also where the declaration says none.
        is_size: it is a size of the program.
    """

    declaration: Parameter
    name: str
    input: str
    output: str
    extents: tuple[str, ...] = ()
    is_size: bool = False

    @property
    def by_value(self) -> bool:
        """Whether it is a number, and not where one lies."""
        return self.declaration.by_value and not self.output

    @property
    def is_overwritten(self) -> bool:
        """Whether it is read, and written, too."""
        return bool(self.input and self.output)

    @property
    def way(self) -> str:
        """`in`, `out` or `in,out`, as Doxygen says it; "" for what is neither."""
        ways = [*(["in"] if self.input or self.is_size else []), *(["out"] if self.output else [])]
        return ",".join(ways)

    @property
    def const(self) -> str:
        """`const ` for an array that is not written."""
        return "" if self.by_value or self.output else "const "

    @property
    def c(self) -> str:
        """The declaration in C: `const double x[n][m]`."""
        declaration = self.declaration
        if declaration.by_value:
            return f"{declaration.type} {'*' if self.output else ''}{self.name}"
        before, _, after = re.split(rf"(\b{declaration.name}\b)", declaration.spelling, maxsplit=1)
        if "*" in before and "(" not in before:  # double *restrict x
            pointer = re.sub(r"\*\s+", "*", before[before.index("*") :])
            return f"{self.const}{declaration.type} {pointer}{self.name}"
        written = after if after.startswith("[") else ""  # else a typedef, vector x, or double (*x)[m]
        extents = written or "".join(f"[{e}]" for e in declaration.shape)
        return f"{self.const}{declaration.type} {self.name}{extents}"

    @property
    def flat(self) -> str:
        """The same with pointers to elements in place of arrays, which C++ can read: `const double *x`."""
        return f"{self.const}{self.declaration.type} {'' if self.by_value else '*'}{c_name(self.name)}"

    @property
    def shape(self) -> str:
        """Type and extents for people: `double [n][m]`."""
        if self.by_value:
            return self.declaration.type
        return f"{self.declaration.type} {''.join(f'[{e}]' for e in self.extents) or '[1]'}"


def passed_parameters(function: Function, program: Program, results: Mapping[str, str]) -> tuple[Passed, ...]:
    """The parameters of an exported function, without the workspace.

    Args:
        function: the C function.
        program: what it does, or a derivative of that.
        results: name in C -> output of the program.

    Raises:
        CallError: an array has elements of a type that the kernel does not have.
    """
    found = []
    for p in function.parameters:
        output = "" if p.const or p.by_value else results.get(p.name, "")
        read = p.name if p.name in program.inputs else ""
        found.append(Passed(p, p.name, read, output, _extents(p, program, read or output), p.name in program.params))
    taken = {passed.name for passed in found} | {"workspace"}
    shown = {passed.output for passed in found}
    left = {wish: output for wish, output in results.items() if output not in shown}
    given = [name for name in program.inputs if name not in taken]
    for name in given:  # first what is read
        declaration = _like(name, function.parameters, program, program.arrays[name])
        found.append(Passed(declaration, name, name, "", _extents(declaration, program, name)))
        taken.add(name)
    for wish, output in left.items():
        declaration = _like(wish, function.parameters, program, program.arrays[output])
        if wish in given:
            place = next(i for i, passed in enumerate(found) if passed.name == wish)
            found[place] = replace(found[place], output=output)
        else:
            name = unique_name(wish, taken)
            taken.add(name)
            found.append(Passed(declaration, name, "", output, _extents(declaration, program, output)))
    for passed in found:
        if passed.output and not passed.by_value:
            _check_elements(passed.declaration)
    return tuple(found)


def _like(name: str, parameters: Sequence[Parameter], program: Program, array: Array) -> Parameter:
    """The declaration of a derivative: that of the parameter it is one of."""

    def candidates() -> Iterator[Parameter]:
        for p in parameters:
            primal = program.arrays.get(p.name)
            if primal is not None and name.startswith(f"{p.name}_") and primal.shape == array.shape:
                yield p

    found = max(candidates(), key=lambda p: len(p.name), default=None)
    if found is not None:
        return found
    shape = tuple(str(e) for e in array.shape)
    spelling = f"{C_TYPES[array.dtype]} {name}" + "".join(f"[{e}]" for e in shape)
    return Parameter(name, C_TYPES[array.dtype], shape, False, spelling)


def _extents(declaration: Parameter, program: Program, array: str) -> tuple[str, ...]:
    """The extents that the declaration says, else those that the program found."""
    if array and "" in declaration.shape:
        return tuple(map(str, program.arrays[array].shape))
    return declaration.shape


def _check_elements(declaration: Parameter) -> None:
    dtype = element_type(declaration.type)
    if declaration.type in BITS and (dtype is None or f"int{abs(BITS[declaration.type])}" != dtype):
        raise CallError(
            f"export: {declaration.name} is an array of `{declaration.type}`, which a kernel cannot write; "
            "declare it as one of int, long or int64_t",
            declaration.name,
        )
