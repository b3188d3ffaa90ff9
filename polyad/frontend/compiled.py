"""`compile`: tensors in, kernel out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from polyad.errors import CallError, DefinitionError, bounded_depth
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.parts import joined
from polyad.frontend.definition import Definition, TensorBase, plain
from polyad.frontend.extract import canonical, extract, reachable
from polyad.frontend.naming.output_names import checked_output_names
from polyad.frontend.pytrees import flatten_in_order, flatten_whole, unflatten
from polyad.frontend.scalar import Element
from polyad.frontend.symbols import check_identifier
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.ir.program import Program
from polyad.islx import LOCK
from polyad.runtime.foreign_arrays import complex_array
from polyad.targets.target import Target
from polyad.transforms.rewrite.constant_arrays import define_constants

if TYPE_CHECKING:
    from polyad.kernel import Kernel
    from polyad.schedule.schedule import Schedule

__all__ = ["MOST_CONSTANTS", "compile_tensors", "kernel_of", "program_of", "with_complex"]

MOST_CONSTANTS = 32
"""Elements of an array that a definition closes over: each becomes a statement."""


def _as_output(given: Any, taken: set[str]) -> Tensor:
    """A tensor that owns its whole array, each array once: views, inputs and repeated outputs are copied."""
    if not isinstance(given, Tensor):
        raise CallError(
            f"an output of compile must be a tensor, not {type(given).__name__}; trace functions with pa.jit", "outputs"
        )
    t: Tensor = given
    if t.scan_axes():
        raise DefinitionError(f"{user_line()}: {t.name} belongs to the body of a scan and has no value outside of it")
    array = t.definition.arrays[t.array]
    if (
        t.prefix
        or array.shape != t.shape_affine
        or not t.definition.statements
        or t.array in taken
        or t.dtype == "bool"
    ):
        t = _copied(t)
    taken.add(t.array)
    return t


def _copied(t: Tensor) -> Tensor:
    hint = f"{t.name}_out" if t.definition.is_placeholder else t.name
    return define(t.shape, lambda *i: Element(t, tuple(i)), hint)


def program_of(
    outputs: Sequence[Any], inputs: Sequence[Tensor] | None, name: str, output_names: Sequence[str | None] = ()
) -> tuple[Program, list[TensorBase]]:
    """The program that computes outputs from inputs, under readable names.

    Args:
        outputs: tensors.
        inputs: placeholders in the order of the call; None takes those that are needed.
        name: the program's.
        output_names: what outputs are called, None for the name of the tensor; empty for those of all tensors.

    Returns:
        The program, and the placeholders in the order of its inputs (captured constants last).

    Raises:
        DefinitionError: an input is missing, named twice, or not a placeholder.
    """
    check_identifier(name, "kernel")
    with LOCK, bounded_depth(f"{name!r}"):
        taken: set[str] = set()
        targets = [_as_output(t, taken) for t in outputs]
        if not targets:
            raise DefinitionError("compile needs at least one output")
        given = list(inputs) if inputs is not None else None
        source = extract(targets, given, name)
        owners = {n: d for d in source.definitions for n in d.arrays}
        for t in given or ():
            owners[t.array] = t.definition
        order = source.program.inputs
        words = source.words
        prefer = {n: words(n) for n in (*order, *source.program.outputs)}
        prefer |= {t.array: n for t, n in zip(targets, output_names, strict=False) if n is not None}
        program, _ = canonical(source.program, prefer, words)
        found: list[TensorBase] = []
        for n in order:
            d = owners[n]
            found.append(TensorBase(d, n, d.arrays[n].shape, d.arrays[n].dtype, (), d.symbols))
        return program, found


def kernel_of(
    program: Program,
    target: str | Target = "openmp",
    sizes: Mapping[str, int] | None = None,
    schedule: Schedule | None = None,
    unflatten: Callable[[tuple[Any, ...]], Any] | None = None,
) -> Kernel:
    """The kernel of a program; see `polyad.pipeline.compile_program`."""
    # Here, because passes, scheduling and code generation are half of polyad, and `import polyad` should not wait.
    from polyad.pipeline import compile_program

    return compile_program(program, target, sizes, schedule, unflatten)


def _input(d: Definition) -> Tensor:
    """A placeholder as a tensor."""
    ((array, whole),) = d.arrays.items()
    return Tensor(d, array, whole.shape, whole.dtype, (), d.symbols)


def _unflatten(structure: Any, arrays: tuple[Any, ...]) -> Any:
    return unflatten(structure, list(arrays))


def with_complex(positions: tuple[int, ...], unflatten: Any, arrays: tuple[Any, ...]) -> Any:
    """The results of a call, those at some positions as complex arrays."""
    found = tuple(complex_array(a) if n in positions else a for n, a in enumerate(arrays))
    return unflatten(found) if unflatten is not None else found if len(found) > 1 else found[0]


def _pairs(t: Any) -> Any:
    """The placeholder behind a complex one."""
    return t.pairs if isinstance(t, ComplexTensor) and t.pairs is not None else t


def _check_unused(inputs: object, name: object) -> None:
    """Refuse what a program knows itself: `compile(program, Target("c"))` has its target in the place of inputs.

    Raises:
        CallError: inputs or a name are given.
    """
    if inputs is not None:
        what = "target=" if isinstance(inputs, str | Target) else "its arguments by name"
        raise CallError(f"inputs={inputs!r:.60}: a program knows its inputs; give {what} behind it", "inputs")
    if name != "kernel":
        raise CallError(f"name={name!r:.60}: a program knows its name; leave it out", "name")


def _check_inputs(inputs: Sequence[Any]) -> None:
    names: set[str] = set()
    for t in inputs:
        if not isinstance(t, Tensor):
            raise CallError(f"inputs: an input of compile must be a placeholder, not {type(t).__name__}", "inputs")
        if not t.definition.is_placeholder:
            raise DefinitionError(f"input {t.name!r} is computed, not a placeholder; inputs are made by pa.placeholder")
        if t.name in names:
            raise DefinitionError(f"two inputs are named {t.name!r}; give placeholders different names")
        names.add(t.name)


def compile_tensors(
    outputs: Any,
    inputs: Any = None,
    name: str = "kernel",
    target: str | Target = "openmp",
    sizes: Mapping[str, int] | None = None,
    schedule: Schedule | None = None,
) -> Kernel:
    """Compile tensors to a kernel: C, compiled, loaded and callable.

    Args:
        outputs: a tensor, or a pytree of tensors; the kernel returns the same structure. Keys of a dict (fields of a
            named tuple) name the outputs in Python, C and schedules: `{"loss": L, "dW": g}`; without keys they are
            called after their definition. Or a program, such as one read from C.
        inputs: placeholders in the order of the call, all that the outputs need; None takes them in the order of their
            definition.
        name: the C function's name.
        target: "c", "openmp", or a `polyad.Target`.
        sizes: sizes to fix at compile time, name -> value.
        schedule: a schedule to use instead of the default; it is proved legal first.

    Raises:
        DefinitionError: an input is missing or not a placeholder; an array of many numbers is closed over; an unknown
            size is fixed; a key of the outputs is no identifier, or the name of an input or a size.
        CallError: an argument is of the wrong kind, or one that a program does not take.
        IllegalScheduleError: the schedule violates a dependence, with the two instances.
        CompileError: no compiler, or it failed.
    """
    if isinstance(outputs, Program) or hasattr(outputs, "__polyad_compile__"):
        _check_unused(inputs, name)
    if isinstance(outputs, Program):
        return kernel_of(outputs, target, sizes, schedule)
    if hasattr(outputs, "__polyad_compile__"):  # a program that knows what its results are called, such as a CProgram
        made: Kernel = outputs.__polyad_compile__(target, sizes, schedule)
        return made
    if not isinstance(name, str):
        raise CallError(f"name={name!r:.60}: expected the name of the C function", "name")
    paths, leaves, structure = flatten_in_order(outputs, ComplexTensor)
    of_complex = tuple(n for n, t in enumerate(leaves) if isinstance(t, ComplexTensor))
    leaves = [joined(t) if isinstance(t, ComplexTensor) else t for t in leaves]
    given = None if inputs is None else [_pairs(t) for t in flatten_whole(inputs, ComplexTensor)[1]]
    _check_inputs(given or ())
    inputs_found = [t for t in reachable([t for t in leaves if isinstance(t, Tensor)]) if t.is_placeholder]
    taken = {plain(n) for d in inputs_found for n in d.arrays} | {str(s) for d in inputs_found for s in d.symbols}
    names = checked_output_names(paths, taken | {t.name for t in given or ()})
    constants = [_input(d) for d in inputs_found if d.value is not None]
    program, found = program_of(leaves, None if given is None else [*given, *constants], name, names)
    values = {
        n: t.definition.value for n, t in zip(program.inputs, found, strict=True) if t.definition.value is not None
    }
    large = next((n for n, value in values.items() if value.size > MOST_CONSTANTS), None)
    if large is not None:
        raise DefinitionError(
            f"{name}: the definition uses a NumPy array of shape {values[large].shape} as a constant; make it an input "
            f"with pa.placeholder, or use pa.jit (up to {MOST_CONSTANTS} numbers become part of the C)"
        )
    with LOCK:
        program = define_constants(program, values) if values else program
    single = isinstance(outputs, Tensor | ComplexTensor)
    as_given = isinstance(outputs, list | tuple) and all(isinstance(t, Tensor | ComplexTensor) for t in outputs)
    unflat: Any = None if single or as_given else partial(_unflatten, structure)
    unflat = partial(with_complex, of_complex, unflat) if of_complex else unflat
    return kernel_of(program, target, sizes, schedule, unflat)
