"""`step_function`: one step of a scan as a kernel of its own, which keeps its state where the caller has it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyad.errors import DefinitionError
from polyad.frontend.argument_checks import function
from polyad.frontend.compiled import kernel_of, program_of
from polyad.frontend.compute import placeholder
from polyad.frontend.constants import as_tensor
from polyad.frontend.naming.local_names import with_local_names
from polyad.frontend.naming.output_names import output_names
from polyad.frontend.pytrees import flatten, flatten_with_paths, unflatten
from polyad.frontend.scan import scan
from polyad.frontend.symbols import check_identifier
from polyad.frontend.tensor import Tensor, cast_tensor, user_line
from polyad.ir.names import unique_name
from polyad.islx import LOCK
from polyad.targets.target import Target

if TYPE_CHECKING:
    from polyad.kernel import Kernel

__all__ = ["StepFunction", "step_function"]


@dataclass(frozen=True, slots=True)
class StepFunction:
    """Two kernels: the state before the first step, and a step.

    Attributes:
        init: () or what `init` depends on -> the states.
        step: states, input, weights -> states, in the place of those given, and outputs.
    """

    init: Kernel
    step: Kernel

    def export(self, directory: str | os.PathLike[str], *, source_only: bool = False) -> tuple[Path, ...]:
        """Write both as C libraries, `NAME_init` and `NAME_step`, into a folder; see `Kernel.export`."""
        return tuple(
            dict.fromkeys(f for k in (self.init, self.step) for f in k.export(directory, source_only=source_only))
        )


def step_function(
    step: Callable[..., Any], init: Any, x: Any = None, *, name: str = "model", target: str | Target = "c"
) -> StepFunction:
    """The step of a scan as a kernel that updates its state in place: for a machine that gets one input at a time.

    Equations: `NAME_init` computes carry = init, `NAME_step` computes carry, y = step(carry, x). What `step` closes
    over, the weights, are arguments of `NAME_step`, and of the scan that was trained: the same arrays fit both.

    Args:
        step: (carry, x) -> (carry, y), as for `scan`.
        init: the first carry; a pytree of tensors and numbers.
        x: the input of one step: a pytree of placeholders without the time dimension, or None.
        name: of the C functions, with `_init` and `_step` behind it.
        target: as for `compile`.

    Returns:
        The kernels. In C, a state is one argument of `NAME_step`, which is read and written. In Python,
            `step(*states, *inputs, *weights)` returns (states, outputs); `out=` takes arrays of the outputs, then of
            the states, those given among them.

    Raises:
        DefinitionError: as for `scan`; or a state cannot be updated in place: what is read of it later would be gone.
        ShapeError, DTypeError: as for `scan`.

    Example:
        >>> x = pa.placeholder((3,), "x")
        >>> mean = pa.step_function(lambda m, x: ((m + x) / 2, m), pa.numpy.zeros((3,), "float32"), x, name="mean")
    """
    where = user_line()
    function(step, f"{where}: step_function: the step")
    check_identifier(name, "step_function")
    with LOCK:
        settled, _ = scan(lambda carry, _: step(carry, x), init, length=1)  # types, and all that may be wrong
        kinds, structure = flatten(settled)
        if not kinds:
            raise DefinitionError(f"{where}: step_function: init has no leaves, so there is no state to keep")
        taken: set[str] = {t.name for t in flatten(x)[0] if isinstance(t, Tensor)}
        states: list[Tensor] = []
        for kind in kinds:
            states.append(placeholder(kind.shape, unique_name(kind.name, taken), kind.dtype))
            taken.add(states[-1].name)
        carry, y = with_local_names(step, unflatten(structure, list(states)), x)
        new = [cast_tensor(as_tensor(n, "carry"), s.dtype) for n, s in zip(flatten(carry)[0], states, strict=True)]
        paths, ys, y_tree = flatten_with_paths(y, "")
        shown = [as_tensor(v, p) for v, p in zip(ys, paths, strict=True)]
        names = [*(n or f"y_{k}" for k, n in enumerate(output_names(paths))), *(f"{s.name}_new" for s in states)]
        _, found = program_of([*shown, *new], None, f"{name}_step", names)
        given = [*states, *(t for t in flatten(x)[0] if isinstance(t, Tensor))]
        known = {t.array for t in given}
        inputs = [*given, *(t for t in found if t.array not in known)]
        program, _ = program_of([*shown, *new], [Tensor(*_fields(t)) for t in inputs], f"{name}_step", names)
        results = dict(zip(program.outputs[len(shown) :], program.inputs, strict=False))
        program = replace(program, in_place=results)
        first = [cast_tensor(as_tensor(v, "init"), s.dtype) for v, s in zip(flatten(init)[0], states, strict=True)]
        start, _ = program_of(first, None, f"{name}_init", [s.name for s in states])

        def unflat(arrays: tuple[Any, ...]) -> Any:
            return unflatten(structure, list(arrays[len(shown) :])), unflatten(y_tree, list(arrays[: len(shown)]))

        made = kernel_of(program, target, unflatten=unflat)
        apart = [a.name for a in made.code.arguments if a.name in results.values() and not a.overwritten]
        if apart:
            raise DefinitionError(
                f"{where}: step_function: {apart[0]} cannot be updated in place: the step reads elements of it after "
                "it would have written others over them; let the step change each state where it stands"
            )
        return StepFunction(kernel_of(start, target, unflatten=lambda arrays: unflatten(structure, list(arrays))), made)


def _fields(t: Any) -> tuple[Any, ...]:
    return t.definition, t.array, t.shape_affine, t.dtype, (), t.symbols
