"""Kernels: compiled programs that are called with NumPy arrays."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from polyad import islx
from polyad.codegen.source import Source
from polyad.errors import CallError, CheckError
from polyad.export.library import export, export_source
from polyad.inspect.describe import describe
from polyad.inspect.explain import explain
from polyad.ir.json_text import to_json
from polyad.ir.program import Program
from polyad.runtime.arguments import NumpyArray, bind, convert, signature
from polyad.runtime.check import POISONS, Result, compare, evaluated
from polyad.runtime.compiled_program import CompiledProgram
from polyad.runtime.compiler import UnusableCompiler
from polyad.runtime.cpu import usable_threads
from polyad.runtime.cuda.device_calls import DeviceCalls
from polyad.runtime.direct_call import OTHERWISE, READABLE, CallPlan, DirectCall, direct_call
from polyad.runtime.given_sizes import check_values, refuse_shapeless, size_value
from polyad.runtime.guarded import GuardError, guarded
from polyad.runtime.guarded import wanted as guard_wanted
from polyad.runtime.index_check import explain_index_error
from polyad.runtime.library import load_kernel
from polyad.runtime.native import NativeFunction
from polyad.runtime.outputs import given_outputs, targets_to_fill
from polyad.runtime.plans import NegativeExtentError, Plans
from polyad.runtime.status import Status
from polyad.runtime.threads.fork_guard import call_parallel
from polyad.runtime.workspace import FFI, workspace
from polyad.schedule.schedule import Schedule
from polyad.targets import Target
from polyad.transforms.rewrite.other_outputs import other_outputs

__all__ = ["Kernel"]

_SOMEWHERE = FFI.new("char[]", 64)  # C refuses null pointers, which some libraries give arrays without elements


def _one() -> int:
    return 1


def _not_loaded(args: tuple[Any, ...], out: Any) -> Any:
    """The direct call of a kernel that is not compiled yet."""
    return OTHERWISE


class Kernel(CompiledProgram):
    """A compiled program.

    Call it with its inputs by position or by name, and with sizes that no input shape determines by name. It returns
    one array, or a tuple of arrays in the order given to `compile`. `out=` takes arrays to fill: one, a sequence, or a
    mapping by name, in which None asks for a new array. A given array that is strided or overlaps with an input is
    computed elsewhere and copied, so a kernel may write over its own input; where the program says that an output may
    overwrite that input, and this is in order, nothing is copied. On an error nothing is written.

    A kernel with `target="cuda"` takes arrays of NumPy, or arrays on a GPU of any library that speaks
    `__cuda_array_interface__` or DLPack; then the results are arrays of the library of the first input on the GPU
    (PyTorch, CuPy, JAX; else `pa.DeviceArray`), and the call returns without waiting for them, unless data indices are
    checked. It runs in `stream=`, a number or an object with `cuda_stream`, `ptr` or `__cuda_stream__`, else in the
    stream that the arrays name.

    Kernels may be called from several threads at once, pickled, and used in forked processes.

    The C is compiled when the kernel is made. Where this machine cannot do that (there is no compiler, or it is one for
    another machine), the kernel is made all the same: all but calls needs none. The first call then tries again.

    Args:
        code: the generated C and its interface.
        target: what it is compiled for.
        program: what was compiled, or its JSON text, which is then read when somebody asks.
        schedule: its schedule, or its YAML text.
        compile: (program, target, fixed sizes) -> kernel: `polyad.pipeline.compile_program`, by which it is compared
            with its definition.
        definition: what was asked for, before any pass; what was compiled where it is not given. Its JSON text is
            read when somebody asks.
        fixed: the sizes of the definition that were fixed.
        unflatten: makes the result of a call from the tuple of output arrays.

    Raises:
        CompileError: the C compiler failed.
    """

    def __init__(
        self,
        code: Source,
        target: Target,
        *,
        program: Program | str,
        schedule: Schedule | str,
        compile: Callable[[Program, Target, Mapping[str, int]], Kernel],
        unflatten: Callable[[tuple[NumpyArray, ...]], Any] | None = None,
        definition: Program | str | None = None,
        fixed: Mapping[str, int] | None = None,
    ):
        self.code = code
        self.target = target
        self.name = code.name
        self._program = program
        self._schedule = schedule
        self._compile = compile
        self._definition = definition
        self.fixed = dict(fixed or {})
        self.unflatten = unflatten
        self._inputs = tuple(a for a in code.arguments if not a.is_output)
        self._outputs = tuple(a for a in code.arguments if a.is_output)
        self._names = dict.fromkeys(a.name for a in self._inputs)  # in order, and quick to compare with keywords
        self._dtypes = tuple(a.numpy_type for a in self._inputs)
        self._results = tuple(a.numpy_type for a in self._outputs)
        # Where an index can be checked only while computing, a failing call has already written something.
        # So has one that overwrites its inputs, which are first copied to where outputs are wanted.
        overwrites = any(a.over for a in self._outputs)
        self._writes_on_errors = any(overwrites or not check.before for check in code.checks)
        self._planner = Plans(code, self._inputs, self._outputs)
        self._plans = self._planner.kept
        self._parallel = target.openmp
        self._by_threads = code.memory.by_threads
        self._function: NativeFunction | None = None
        self._device_kernels: Any = None
        self._threads: Callable[[], int] = usable_threads if target.openmp else _one
        self._direct: DirectCall = _not_loaded
        self._unchecked = os.environ.get("POLYAD_CHECK") == "1"
        self._on_device: DeviceCalls | None = None
        if code.suffix == ".cu":
            self._on_device = DeviceCalls(
                code,
                self._planner,
                load=self._device_function,
                host=self.__call__,
                by_output=self._by_output,
                returned=self._returned,
                fail=self._fail,
                refuse_sizes=self._refuse_sizes,
                late=self._writes_on_errors,
                check=self._check if self._unchecked else None,
            )
        with contextlib.suppress(UnusableCompiler):
            self._load()

    def _load(self) -> NativeFunction:
        """Compile and load the C function, and let calls go to it.

        Raises:
            CompileError: it cannot be compiled here.
        """
        native = load_kernel(self.code, self.target)
        run = native.run
        if guard_wanted():
            run = guarded(run, self.name, [a.name for a in self._inputs], [a.name for a in self._outputs])
        self._function, self._device_kernels = run, native.on_device
        self._threads = native.threads if self._parallel else _one
        direct = direct_call(
            self._dtypes,
            self._results,
            run,
            self._plans,
            self._fail,
            fills=not self._writes_on_errors,
            guarded=self._parallel,
            threads=self._threads if self._by_threads else None,
            unflatten=self.unflatten,
        )
        self._direct = _not_loaded if self._unchecked else direct
        return run

    def _device_function(self) -> Any:
        """The kernels of a GPU, compiled."""
        if self._device_kernels is None:
            self._load()
        return self._device_kernels

    def export(
        self,
        directory: str | os.PathLike[str],
        name: str | None = None,
        march: str | None = None,
        *,
        source_only: bool = False,
        version: str = "1.0.0",
    ) -> tuple[Path, ...]:
        """Write C source, header, libraries and build files for use without Python, and return the files written.

        Args:
            directory: where to; made when it does not exist.
            name: the C name of the function and of the files; the kernel's own when None.
            march: the CPU to compile for, as in `-march=`; None for any CPU of this architecture.
            source_only: write C files only, which needs no compiler.
            version: of the library, by which pkg-config and CMake find it.
        """
        if source_only:
            return export_source(self, directory, name)
        return export(self, directory, name, march, version)

    def describe(self, device: str | None = None, **sizes: int) -> str:
        """Program, schedule, memory, launches and compiler as text; of a GPU (h100), with expected times at sizes."""
        return describe(self, device, self._known_sizes(sizes) if sizes else None)

    def explain(self) -> str:
        """Every stage from the definition to C as text: programs, schedule, loops; what changed nothing is left out."""
        return explain(self)

    def check(self, *args: Any, **kwargs: Any) -> Any:
        """Call it, and see whether its results are those of the definition.

        Beside it run the evaluator, where the sizes are small enough for it, and what `Target(optimize=0)` makes of the
        definition, all in memory full of NaN and of huge numbers; see polyad/runtime/check.py for what counts as equal.
        Arguments and results are those of a call. Setting POLYAD_CHECK=1 does this at the first call of every kernel.

        Raises:
            CheckError: two results differ by more than rounding, or something is written that is not an output.
            CallError: a wrong argument.
        """
        arrays, known = self.given(args, kwargs)
        self._check(arrays, known)
        return self(*args, **kwargs)

    def _check(self, arrays: list[NumpyArray], known: Mapping[str, int]) -> None:
        inputs = {a.name: array for a, array in zip(self._inputs, arrays, strict=True)}
        plain = self._plain(self.definition, self.fixed)
        wanted = [plain._poisoned("optimize=0", inputs, known, poison) for poison in POISONS]
        sizes = self._planner.sizes(tuple([array.shape for array in arrays]), known)
        try:
            found = [self._poisoned("the kernel", inputs, known, poison) for poison in POISONS]
            with islx.LOCK:
                exact = evaluated(self.definition, inputs, sizes | self.fixed)
        except CallError as problem:
            raise CheckError(f"{self.name}: this is refused, but not by optimize=0: {problem}") from problem
        compare(self.name, [*found, *wanted, *exact], inputs)
        self._unchecked = False
        self._load()

    def _plain(self, program: Program, sizes: Mapping[str, int]) -> Kernel:
        """Another program for the same target with nothing optimised."""
        return self._compile(program, replace(self.target, optimize=0, blas=None), sizes)

    def _values(
        self, arrays: Sequence[str], inputs: Mapping[str, NumpyArray], sizes: Mapping[str, int]
    ) -> Mapping[str, NumpyArray]:
        """Return the values of arrays of the program: a kernel of their own has them as outputs."""
        program = other_outputs(self.program, arrays)
        found = self._plain(program, sizes)(*(inputs[name] for name in program.inputs))
        return dict(zip(arrays, found if len(arrays) > 1 else [found], strict=True))

    def _poisoned(self, way: str, inputs: Mapping[str, NumpyArray], known: Mapping[str, int], poison: str) -> Result:
        """The results of a call in memory full of a poison."""
        names = [a.name for a in self._outputs]
        run = guarded(load_kernel(self.code, self.target).run, self.name, [*inputs], names, POISONS[poison])
        arrays = [inputs[a.name] for a in self._inputs]
        plan = self._planned(arrays, known)
        results = [np.empty(shape, dtype) for shape, dtype in zip(plan.shapes, self._results, strict=True)]
        pointers = [FFI.from_buffer(a) if a.size else _SOMEWHERE for a in (*arrays, *results)]
        way = f"{way} in memory full of {poison}"
        try:
            status = call_parallel(run, plan.sizes, *pointers, FFI.NULL, plan.workspace_bytes)
        except GuardError as problem:
            raise CheckError(f"{problem}, by {way}", problem.array) from problem
        if status:
            self._fail(status, arrays, plan)
        return Result(way, dict(zip(names, results, strict=True)))

    def __call__(self, /, *args: Any, out: Any = None, **kwargs: Any) -> Any:
        """Run it; see the class."""
        if self._on_device is not None:
            result = self._on_device(args, out, kwargs)
            if result is not OTHERWISE:
                return result
        if kwargs and not args and kwargs.keys() == self._names.keys():
            args, kwargs = tuple([kwargs[name] for name in self._names]), {}
        if not kwargs:
            result = self._direct(args, out)
            if result is not OTHERWISE:
                return result
        function = self._function or self._load()
        arrays, known = self.given(args, kwargs)
        if self._unchecked:
            self._check(arrays, known)
        plan = self._planned(arrays, known)
        specs = list(zip(plan.shapes, self._results, strict=True))
        if out is None:
            given = None
            results = [np.empty(shape, dtype) for shape, dtype in specs]
        else:
            given = given_outputs(self.name, self._outputs, self._by_output(out))
            results = targets_to_fill(
                self.name, self._outputs, specs, given, arrays, [*self._names], direct=not self._writes_on_errors
            )
        pointers = [*map(FFI.from_buffer, arrays + results)]
        for position in plan.empty:
            pointers[position] = _SOMEWHERE
        status = self._run(function, plan, pointers)
        if status:
            self._fail(status, arrays, plan)
        if given is not None:
            for i, array in enumerate(given):
                if array is not None and array is not results[i]:
                    np.copyto(array, results[i])
                    results[i] = array
        return self._returned(results)

    def _by_output(self, out: Any) -> Any:
        """Return the arrays given as `out=` by output, where they came by the input that the output may overwrite."""
        if not isinstance(out, Mapping) or out.keys() <= {a.name for a in self._outputs}:
            return out
        outputs = {given: output for output, given in self.definition.in_place.items()}
        return {outputs.get(name, name): array for name, array in out.items()}

    def given(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[list[NumpyArray], dict[str, int]]:
        """The arrays of a call as C can read them, and the sizes given by name."""
        arrays, sizes = bind(self.name, self._inputs, self.code.sizes, args, kwargs)
        known = {name: size_value(self.name, name, value) for name, value in sizes.items()}
        for position, (array, dtype) in enumerate(zip(arrays, self._dtypes, strict=True)):
            if type(array) is not np.ndarray or array.dtype is not dtype or array.flags.num & READABLE != READABLE:
                arrays[position] = convert(self.name, self._inputs[position], array)
        return arrays, known

    def _run(self, function: NativeFunction, plan: CallPlan, pointers: Sequence[Any]) -> int:
        """Call the C function."""
        scratch, _owner = workspace(plan.workspace_bytes)
        return call_parallel(function, plan.sizes, *pointers, scratch, plan.workspace_bytes)

    def _returned(self, results: list[NumpyArray]) -> Any:
        """Return the value of a call."""
        if self.unflatten is not None:
            return self.unflatten(tuple(results))
        return results[0] if len(results) == 1 else tuple(results)

    def _planned(self, arrays: Sequence[NumpyArray], known: Mapping[str, int]) -> CallPlan:
        """The plan for these inputs."""
        threads = call_parallel(self._threads) if self._by_threads else 1
        try:
            return self._planner.get(tuple([array.shape for array in arrays]), known, threads)
        except NegativeExtentError as problem:
            self._refuse_sizes(problem.sizes)

    def _fail(self, status: int, arrays: list[NumpyArray], plan: CallPlan) -> None:
        """Raise the error that a status stands for."""
        sizes = dict(zip(self.code.sizes, plan.sizes, strict=False))
        if status == Status.SIZE:
            self._refuse_sizes(sizes)
        if status == Status.INDEX:
            inputs = {a.name: array for a, array in zip(self._inputs, arrays, strict=True)}
            with islx.LOCK:
                values = partial(self._values, inputs=inputs, sizes=sizes)
                raise explain_index_error(self.code, self.program, inputs, sizes, values)
        raise AssertionError(f"{self.name} returned status {status}, which the checks before the call rule out")

    def _refuse_sizes(self, sizes: Mapping[str, int]) -> NoReturn:
        """Raise the error for sizes that the program excludes."""
        with islx.LOCK:
            refuse_shapeless(self.name, self.definition, {**self.fixed, **sizes})
            check_values(self.name, self.program, sizes)
        text = ", ".join(f"{name} = {value}" for name, value in sizes.items())
        raise CallError(f"{self.name}: no array has these sizes: {text}")

    def __reduce__(self) -> tuple[Any, ...]:
        with islx.LOCK:
            program = self._program if isinstance(self._program, str) else to_json(self._program)
            schedule = self._schedule if isinstance(self._schedule, str) else str(self._schedule)
            definition = to_json(self._definition) if isinstance(self._definition, Program) else self._definition
        code, more = self.code.to_dict(), (self._compile, self.unflatten, definition, self.fixed)
        return _restore, (code, self.target, program, schedule, *more), {"tuning": self.tuning}

    def __repr__(self) -> str:
        outputs = ", ".join(f"{a.name}: {a.dtype}[{', '.join(map(str, a.shape))}]" for a in self._outputs)
        return f"<Kernel {signature(self.name, self._inputs)} -> {outputs}; {self.target}>"


def _restore(
    code: dict[str, Any],
    target: Target,
    program: str,
    schedule: str,
    compile: Callable[[Program, Target, Mapping[str, int]], Kernel],
    unflatten: Callable[[tuple[NumpyArray, ...]], Any] | None,
    definition: str | None,
    fixed: dict[str, int],
) -> Kernel:
    """The kernel that was pickled; its library comes from the cache or is compiled again."""
    return Kernel(
        Source.from_dict(code),
        target,
        program=program,
        schedule=schedule,
        compile=compile,
        unflatten=unflatten,
        definition=definition,
        fixed=fixed,
    )
