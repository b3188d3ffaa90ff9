"""From a program of the campaign to C: traced, differentiated as its mode asks, scheduled, generated."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import polyad as pa
from polyad.codegen.certify.certify import certify
from polyad.codegen.certify.read_back.read_back import read_back
from polyad.codegen.generate import source_of
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.codegen.source import Source
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program as Equations
from polyad.machine import MACHINE, TINY
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.targets.target import Target
from tests.campaign.program import Program, generator
from tests.campaign.schedules import users_own
from tests.campaign.words_polyad import Words
from tests.machines import with_threads

__all__ = ["Traced", "lower", "trace"]

CERTIFIED = 2000  # statement instances: a tenth of a second


@dataclass(frozen=True, slots=True)
class Traced:
    """A program as equations.

    Attributes:
        equations: what is compiled.
        heads: names of the inputs that weigh the outputs (vjp).
        tangents: input -> the name of its tangent (jvp, second).
        constants: name -> values that the frontend captured.
        outputs: how many values come first; derivatives follow.
    """

    equations: Equations
    heads: tuple[str, ...]
    tangents: dict[str, str]
    constants: dict[str, np.ndarray]
    outputs: int


def _total(parts: list[Any]) -> Any:
    total = parts[0]
    for p in parts[1:]:
        total = total + p
    return total


def _product(a: Any, b: Any) -> Any:
    return pa.numpy.sum(a * b) if a.ndim else a * b


def trace(program: Program, extents: Mapping[str, Any]) -> Traced:
    """Run the function on placeholders.

    Args:
        program: what to trace.
        extents: numbers or symbols.
    """
    places = {
        name: pa.placeholder(program.shape(name, extents), name, given.dtype) for name, given in program.inputs.items()
    }
    found = program.function(extents)(Words(), *places.values())
    values = list(found) if isinstance(found, tuple | list) else [found]
    wrt = [places[n] for n in program.differentiable]
    mode = program.options.mode
    heads: list[Any] = []
    dots: dict[Any, Any] = {}
    if mode in ("jvp", "second"):
        dots = {t: pa.placeholder(t.shape, f"dot_{t.name}", t.dtype) for t in wrt}
    outputs = list(values)
    if mode == "grad":
        outputs += pa.grad(values[0], wrt)
    elif mode == "vjp":
        floats = [v for v in values if v.dtype.startswith("float")]
        heads = [pa.placeholder(v.shape, f"head_{n}", v.dtype) for n, v in enumerate(floats)]
        outputs += pa.grad(_total([_product(v, h) for v, h in zip(floats, heads, strict=True)]), wrt)
    elif mode == "jvp":
        outputs += pa.tangent(values, dots)
    elif mode == "second":
        first = pa.grad(values[0], wrt)
        outputs += pa.grad(_total([_product(g, d) for g, d in zip(first, dots.values(), strict=True)]), wrt)
    given = [*places.values(), *heads, *dots.values()]
    equations, tensors = program_of(outputs, None, "kernel")
    hidden = {t.array: t.definition.value for t in tensors if t.definition.value is not None}
    extra = [t for t in tensors if t.definition.value is not None]
    inputs = [*given, *(pa.Tensor(t.definition, t.array, t.shape_affine, t.dtype, (), t.symbols) for t in extra)]
    equations, tensors = program_of(outputs, inputs, "kernel")
    constants = {
        name: t.definition.value for name, t in zip(equations.inputs, tensors, strict=True) if t.array in hidden
    }
    tangents = {t.name: d.name for t, d in dots.items()}
    return Traced(equations, tuple(h.name for h in heads), tangents, constants, len(values))


def lower(equations: Equations, program: Program, number: int) -> Source:
    """Compile up to the C text, with threads for loops of any size; certified where it is small, and read back."""
    target = Target("openmp" if program.options.openmp else "c", optimize=program.options.level)
    machine = TINY if program.options.tiny else MACHINE
    prepared = replace(prepare(equations, target.strategies, machine), name=f"kernel_{number}")
    order = default_schedule(prepared, target.strategies, with_threads(machine))
    if program.options.transforms:
        order = users_own(order, prepared, generator(f"{program.name} schedule"), program.options.transforms)
    options = CodegenOptions(target.openmp, target.strategies, with_threads(machine))
    plan = plan_kernel(prepared, order, options)
    certify(plan, most=CERTIFIED)
    source = source_of(plan)
    read_back(plan, source.c)
    return source
