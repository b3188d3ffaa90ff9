"""Loop nests of C as programs: run, differentiated, scheduled and handed back under the names that C gave them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import islpy as isl

from polyad.ad.forward import tangent
from polyad.ad.names import adjoint_of, tangent_of
from polyad.ad.reverse import reverse
from polyad.codegen.names import c_name
from polyad.errors import CallError, DifferentiationError, ExtractionError
from polyad.export.library import check_name, export, export_source
from polyad.ir.array import Array
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.islx import LOCK
from polyad.kernel import Kernel
from polyad.pet.dataflow.assignments import assignments
from polyad.pet.equations.build import equations
from polyad.pet.equations.given import argument_of, constants_of, context_of, sizes_of
from polyad.pet.extract import extract
from polyad.pet.given_by_name import as_long, check_structs, derived_of, with_the_rest
from polyad.pet.handed_back.parameters import passed_parameters
from polyad.pet.handed_back.wrapper_text import wrapper
from polyad.pet.promises import promised, with_members
from polyad.pet.prototype import Function
from polyad.pet.refusal import TOO_DEEP, refusal
from polyad.pet.scop import Scop
from polyad.pipeline import compile_program
from polyad.runtime.given_sizes import size_value
from polyad.schedule.schedule import Schedule
from polyad.targets.target import Target, resolve
from polyad.transforms.passes.hoist_invariants import hoist_invariants
from polyad.transforms.rewrite.atomise import atomise
from polyad.transforms.rewrite.factor_out import factor_out
from polyad.transforms.rewrite.logistic import with_logistic

__all__ = ["CProgram", "from_c"]


@dataclass(frozen=True, slots=True, eq=False)
class CProgram:
    """A loop nest of C, or its derivative, as equations.

    Call it with arrays by the names of the C function; it returns a dict with what the function leaves in the arrays it
    writes. `polyad.compile` makes a kernel of it.

    Attributes:
        program: the equations. An array that C reads and overwrites is two arrays here, an input and an output.
        results: name in C -> output of the program, in the order of the C function's parameters, derivatives last.
        function: the C function.
        schedule: the order of the C text. A kernel that is compiled with it computes what the C function does, bit for
            bit where both use the same functions and contract no products. None of derivatives, which have no C text.
    """

    program: Program
    results: Mapping[str, str]
    function: Function
    schedule: Schedule | None = None
    _kernels: dict[str, Kernel] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """Of the C function; of a derivative, with `_grad` or `_tangent` behind."""
        return self.program.name

    @property
    def inputs(self) -> tuple[str, ...]:
        """The arrays and numbers whose values at the beginning matter."""
        return self.program.inputs

    @property
    def outputs(self) -> tuple[str, ...]:
        """The arrays that are written; those that are read before, too, are inputs as well."""
        return tuple(self.results)

    @property
    def sizes(self) -> tuple[str, ...]:
        """The integers that shapes, bounds of loops and conditions depend on."""
        return self.program.params

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The equations."""
        return self.program.statements

    def __str__(self) -> str:
        return str(self.program)

    def __call__(self, /, **arrays: Any) -> dict[str, Any]:
        """Run it: arrays and sizes by their names in C, what it writes in a dict.

        Arrays that are only written need not be given, and are not changed: results are new arrays. One that C declares
        without its length, `double *x`, may be longer than the loop nest reaches: the rest stays as it is.

        Raises:
            CallError: an array is missing or does not fit.
        """
        if "c" not in self._kernels:
            self._kernels["c"] = self.__polyad_compile__()
        for name in self.function.absent & {n for n, a in arrays.items() if a is not None}:
            sentence = (
                f"{self.name}: {name} is given, and was read as absent; read the C file again without absent={name!r}"
            )
            raise CallError(sentence, name)
        check_structs(self.name, self.function, arrays)
        arrays |= derived_of(self.name, self.function, arrays, {*self.inputs, *self.sizes})
        unread = {p.name for p in self.function.parameters} - {*self.inputs, *self.sizes}
        flags = {p.name for p in self.function.parameters if p.type == "_Bool"} & {*self.sizes}
        given = {n: int(a) if n in flags else a for n, a in arrays.items() if n not in unread}
        sizes = {n: size_value(self.name, n, given[n]) for n in self.sizes if n in given}
        pointers = {of(p.name): p for p in self.function.parameters if p.shape for of in (str, adjoint_of, tangent_of)}
        whole = dict(given)
        for name in pointers.keys() & given.keys() & self.program.arrays.keys():
            if self.program.params == tuple(sizes):
                shape = tuple(e.evaluate(sizes) for e in self.program.arrays[name].shape)
                given[name] = as_long(given[name], shape, pointers[name])
        # By position, where all are there: an array of C may be called `out`, which is an argument of kernels.
        inputs = [given.pop(n) for n in self.inputs] if given.keys() >= set(self.inputs) else []
        result: dict[str, Any] = self._kernels["c"](*inputs, **given)
        for name in pointers.keys() & result.keys():
            found = result[name].reshape(-1) if pointers[name].flat else result[name]
            result[name] = with_the_rest(found, whole.get(name), whole.get(pointers[name].name))
        return result

    def __polyad_compile__(
        self,
        target: str | Target = "openmp",
        sizes: Mapping[str, int] | None = None,
        schedule: Schedule | None = None,
    ) -> Kernel:
        """The kernel; its results are a dict by name in C."""
        names = tuple(self.results)
        return compile_program(self.program, target, sizes, schedule, partial(_named, names))

    def grad(self, of: str | Sequence[str], wrt: str | Sequence[str]) -> CProgram:
        """The program together with its gradient, by reverse mode.

        For `of` a number (an array of one element), `x_bar[i] = d of / d x[i]` for each x of `wrt`. Else the cotangent
        is an input `of_bar` of the shape of `of`, and x_bar[i] = sum over k of of_bar[k] * d of[k] / d x[i].

        Args:
            of: outputs to differentiate.
            wrt: inputs to differentiate by.

        Returns:
            A program with outputs `x_bar` beside those of this one; `x_bar_1` where it has an `x_bar` already, as for
            second derivatives: `f.grad("y", "x").grad("x_bar", "x")`.

        Raises:
            DifferentiationError: there is no such output or input, or it holds integers.
        """
        heads, inputs = _listed("of", of), _listed("wrt", wrt)
        self._check(heads, inputs)
        with LOCK:
            program = with_logistic(self.program)
            seeds: dict[str, str | None] = {}
            for name in heads:
                array = program.arrays[self.results[name]]
                seeds[array.name] = None
                if not _is_number(array):
                    seed = replace(array, name=unique_name(adjoint_of(name), program.arrays), role="input")
                    program = _with_input(program, seed)
                    seeds[array.name] = seed.name
            made = reverse(factor_out(atomise(hoist_invariants(program))), seeds, inputs)
            return self._derivative(made.program, {adjoint_of(n): made.arrays[n] for n in inputs}, "grad")

    def tangent(self, of: str | Sequence[str], wrt: str | Sequence[str]) -> CProgram:
        """The program together with its directional derivative, by forward mode.

        y_dot[k] = sum over x of `wrt` and i of d y[k] / d x[i] * x_dot[i], for each y of `of`.

        Args:
            of: outputs to differentiate.
            wrt: inputs to differentiate by; the direction `x_dot` of each is an input of its shape.

        Returns:
            A program with outputs `y_dot` beside those of this one; `y_dot_1` where it has a `y_dot` already.

        Raises:
            DifferentiationError: there is no such output or input, or it holds integers.
        """
        outputs, inputs = _listed("of", of), _listed("wrt", wrt)
        self._check(outputs, inputs)
        with LOCK:
            program = with_logistic(self.program)
            directions: dict[str, str | None] = {}
            for name in inputs:
                seed = replace(program.arrays[name], name=unique_name(tangent_of(name), program.arrays), role="input")
                program = _with_input(program, seed)
                directions[name] = seed.name
            made = tangent(program, directions, [self.results[n] for n in outputs])
            return self._derivative(
                made.program, {tangent_of(n): made.arrays[self.results[n]] for n in outputs}, "tangent"
            )

    def export(
        self,
        directory: str | os.PathLike[str],
        name: str | None = None,
        march: str | None = None,
        *,
        source_only: bool = False,
        version: str = "1.0.0",
        target: str | Target = "openmp",
    ) -> tuple[Path, ...]:
        """Write a C function with the parameters of the one that was read, and return the files written.

        Behind its parameters come those of derivatives, inputs before results, and `void *workspace`. It returns 0 or
        a status, and NAME_workspace(sizes...) tells the bytes. It calls a kernel that lies in the same library.

        For GPUs it is the kernel that is written, as `Kernel.export` does, since its arrays are memory of a device.

        Args:
            directory: where to; made when it does not exist.
            name: the C name of the function, and of the files; this program's own when None, which for what is no
                derivative is that of the function that was read.
            march: the CPU to compile for, as in `-march=`; None for any CPU of this architecture.
            source_only: write C files only, which needs no compiler.
            version: of the library, by which pkg-config and CMake find it.
            target: what the kernel is compiled for.

        Raises:
            CallError: the name cannot be used, or the directory cannot be written or holds foreign files.
            CompileError: there is no compiler, or it failed.
        """
        chosen = check_name(c_name(self.name) if name is None else name)
        with LOCK:
            parameters = passed_parameters(self.function, self.program, self.results)
        kernel = self.exported_kernel(chosen, target)
        around = None
        if not kernel.code.host:
            with LOCK:
                around = wrapper(chosen, kernel.code, self.program, self.function, parameters)
        if source_only:
            return export_source(kernel, directory, wrapper=around)
        return export(kernel, directory, march=march, version=version, wrapper=around)

    def exported_kernel(self, name: str, target: str | Target) -> Kernel:
        """The kernel that `export` writes under a name: called by a function of that name, or of that name."""
        own = resolve(target).backend.language == "cuda"
        return compile_program(replace(self.program, name=name if own else f"{name}_kernel"), target)

    def _derivative(self, program: Program, derivatives: Mapping[str, str], kind: str) -> CProgram:
        """The program whose outputs are those of this one and derivatives, by their wanted names."""
        arrays = dict(program.arrays)
        for array in derivatives.values():
            arrays[array] = arrays[array].with_role("output")
        outputs = tuple(dict.fromkeys([*program.outputs, *derivatives.values()]))
        whole = replace(program, name=f"{self.name}_{kind}", arrays=arrays, outputs=outputs)
        results = {**self.results}
        for name, array in derivatives.items():
            results[unique_name(name, {*results, *whole.inputs}) if name in results else name] = array
        return CProgram(_in_place(whole, results), results, self.function)

    def _check(self, outputs: Sequence[str], inputs: Sequence[str]) -> None:
        for name in outputs:
            if name not in self.results:
                known = ", ".join(self.results)
                what = f"{self.name} does not write it; it writes {known}"
                raise DifferentiationError(f"{self.function.path}:{self.function.line}: of={name!r}: {what}")
        for name in inputs:
            if name not in self.inputs:
                known = ", ".join(self.inputs)
                what = f"{self.name} does not read it; it reads {known}"
                raise DifferentiationError(f"{self.function.path}:{self.function.line}: wrt={name!r}: {what}")


def from_c(
    path: str | os.PathLike[str],
    function: str | None = None,
    scop: int | None = None,
    *,
    include: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    define: str | Sequence[str] = (),
    assume_noalias: str | Sequence[str] = (),
    shapes: Mapping[str, Sequence[str | int]] | None = None,
    absent: str | Sequence[str] = (),
    multiples: Mapping[str, str | Sequence[str]] | None = None,
    memory: str | Sequence[str] = (),
    ignore: str | Sequence[str] = (),
) -> CProgram:
    """Read a loop nest of C as a program.

    The loop nest stands between `#pragma scop` and `#pragma endscop`. Sizes are at least 0.

    Args:
        path: the C file.
        function: the function whose loop nest is read; not needed where only one has any.
        scop: which one, counted from 0, where there are several.
        include: folders in which headers are looked for, or one.
        define: macros, `NAME` or `NAME=VALUE`, or one.
        assume_noalias: parameters such as `double **a` whose rows do not overlap, as the caller promises; or one.
        shapes: extents of parameters where C does not say them: `{"a": ("n", "m")}`.
        absent: optional arguments that are NULL, or one; all others are not.
        multiples: integers that others divide, as the caller promises: `{"C": "NH"}` where `C / NH` is exact.
        memory: functions that return memory of its own, as `malloc` does, or one.
        ignore: functions whose calls change nothing that is computed, and are left out, or one: they print messages,
            end the program where C computes nothing, give memory back.

    Raises:
        ExtractionError: pet is not installed, or the loop nest cannot be modelled; it says where and what to write.
    """
    promises = promised(os.fspath(path), assume_noalias, shapes, absent, multiples, memory, ignore)
    found, prototype = extract(path, function, scop, include=include, define=define, promises=promises)
    with LOCK:
        try:
            return _program(found, prototype)
        except ExtractionError as problem:
            if problem.file:
                raise
            construct = problem.construct or "loop nest"
            raise refusal(found.path, problem.line or found.lines[0], construct, str(problem)) from problem
        except RecursionError:
            raise refusal(found.path, found.lines[0], "expression", TOO_DEEP) from None
        except isl.Error as problem:
            unbounded = "unbounded" in str(problem)
            what = (
                "a loop of it has no end that is a sum of sizes"
                if unbounded
                else "its bounds and subscripts are too involved"
            )
            sentence = (
                f"this loop nest cannot be analysed: {what}; let loops run to sums of sizes and loop variables, and "
                "read parts of it by themselves"
            )
            raise refusal(found.path, found.lines[0], "loop nest", sentence) from problem


def _program(found: Scop, prototype: Function) -> CProgram:
    """The program of a loop nest.

    Raises:
        ExtractionError: it cannot be modelled.
    """
    statements = assignments(found)
    sizes = sizes_of(found, prototype)
    used = [p for p in prototype.parameters if p.name not in sizes and p.name in found.arrays]
    arguments = [argument_of(p, found, sizes, prototype) for p in used]
    arguments += [constants_of(t, found) for t in prototype.tables if t.name in found.arrays]
    context = context_of(found, sizes, arguments)
    made = equations(found, statements, arguments, context, prototype.name)
    order = [p.name for p in prototype.parameters if p.name in made.outputs]
    if not order:
        raise refusal(
            found.path,
            found.lines[0],
            "result",
            f"`{prototype.name}` leaves nothing behind: it writes no array that it is given, and what it "
            "returns is not computed here; write the result to a parameter, such as `double out[1]`, or `return` "
            "it at the end of the function",
        )
    results = {n: made.outputs[n] for n in order}
    return CProgram(_in_place(made.program, results), results, prototype, made.order)


def _in_place(program: Program, results: Mapping[str, str]) -> Program:
    """The program with outputs in the places of the inputs that have their names in C."""
    return replace(program, in_place={output: name for name, output in results.items() if name in program.inputs})


def _named(names: Sequence[str], arrays: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(names, arrays, strict=True))


def _listed(argument: str, names: object) -> list[str]:
    """The names that were given, or one name.

    Raises:
        DifferentiationError: there are none.
    """
    listed = [names] if isinstance(names, str) else names
    if not isinstance(listed, Sequence) or not listed or not all(isinstance(n, str) for n in listed):
        raise DifferentiationError(f"{argument}={names!r}: expected a name, or a list of names")
    return [with_members(n) for n in listed]


def _is_number(array: Array) -> bool:
    return all(e.is_constant and e.constant == 1 for e in array.shape)


def _with_input(program: Program, array: Array) -> Program:
    return replace(program, arrays={**program.arrays, array.name: array}, inputs=(*program.inputs, array.name))
