"""polyad: differentiate and run loops.

Write compute and scan statements in Python, take their derivatives, look at the schedule, run the C, or link it
elsewhere.

    import polyad as pa
"""

import importlib
from typing import TYPE_CHECKING, Any

from polyad import errors
from polyad._version import __version__
from polyad.errors import (
    BoundsError,
    CallError,
    CausalityError,
    CertificationError,
    CheckError,
    CompileError,
    DefinitionError,
    DifferentiationError,
    DTypeError,
    ExtractionError,
    IllegalScheduleError,
    NotDifferentiableError,
    PolyadError,
    ScheduleError,
    ShapeError,
)
from polyad.frontend import checkpoint
from polyad.frontend import operators as _operators  # noqa: F401 - attaches them
from polyad.frontend.absent_names import POLYAD, explain_absence
from polyad.frontend.batching.vmap import vmap
from polyad.frontend.check_grads import check_grads
from polyad.frontend.compiled import compile_tensors as compile
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.compute import compute, placeholder, reduce_axis, sizes
from polyad.frontend.control.associative_scan import associative_scan
from polyad.frontend.control.branches import cond, switch
from polyad.frontend.control.counted_loops import fori_loop, map
from polyad.frontend.control.delay import delay
from polyad.frontend.control.while_loop import while_loop
from polyad.frontend.custom_vjp import custom_vjp
from polyad.frontend.derivatives import Adjoints, differentiate, tangent
from polyad.frontend.given_arguments import explain_arguments as _explain_arguments
from polyad.frontend.operator_functions import *  # noqa: F403 - each a line there, in __all__ by the table
from polyad.frontend.recurrence import recurrence
from polyad.frontend.scalar_functions import cast, reduction, select
from polyad.frontend.scan import scan
from polyad.frontend.step_function import step_function
from polyad.frontend.tensor import Tensor
from polyad.frontend.traced import tree
from polyad.frontend.traced.custom_jvp import custom_jvp
from polyad.frontend.traced.linear_maps import linear_transpose, linearize
from polyad.frontend.traced.make_program import make_program
from polyad.frontend.traced.where_nan import where_nan
from polyad.frontend.transforms import (
    grad,
    hessian,
    jacfwd,
    jacrev,
    jit,
    jvp,
    stop_gradient,
    value_and_grad,
    vjp,
)
from polyad.ir.program import Program
from polyad.ops import OPS as _OPS
from polyad.targets.target import Target

from polyad import nn, numpy  # isort: skip  # they are built from the names above
from polyad import optim  # isort: skip  # it is built from both
from polyad import random  # isort: skip
from polyad.numpy import linalg  # isort: skip
from polyad.numpy.dynamic_slices import dynamic_slice, dynamic_update_slice  # isort: skip
from polyad.nn.quantise import Quantised, quantise  # isort: skip

if TYPE_CHECKING:
    from polyad.kernel import Kernel
    from polyad.measure.measured_machine import measured_machine
    from polyad.pet.c_program import CProgram, from_c
    from polyad.runtime.cache import clear_cache
    from polyad.runtime.cuda.device_array import DeviceArray, to_device
    from polyad.schedule.schedule import Schedule
    from polyad.tuning.tune import tune

_LATER = {
    "CProgram": "polyad.pet.c_program",
    "DeviceArray": "polyad.runtime.cuda.device_array",
    "Kernel": "polyad.kernel",
    "Schedule": "polyad.schedule.schedule",
    "clear_cache": "polyad.runtime.cache",
    "from_c": "polyad.pet.c_program",
    "measured_machine": "polyad.measure.measured_machine",
    "to_device": "polyad.runtime.cuda.device_array",
    "tune": "polyad.tuning.tune",
}
"""What is imported when it is asked for: it needs the half of polyad that only compiles, which takes a while."""

sum = reduction("sum")
prod = reduction("prod")
max = reduction("max")
min = reduction("min")
argmax = reduction("argmax")
argmin = reduction("argmin")

__all__ = [
    "Adjoints",
    "BoundsError",
    "CProgram",
    "CallError",
    "CausalityError",
    "CertificationError",
    "CheckError",
    "CompileError",
    "ComplexTensor",
    "DTypeError",
    "DefinitionError",
    "DeviceArray",
    "DifferentiationError",
    "ExtractionError",
    "IllegalScheduleError",
    "Kernel",
    "NotDifferentiableError",
    "PolyadError",
    "Program",
    "Quantised",
    "Schedule",
    "ScheduleError",
    "ShapeError",
    "Target",
    "Tensor",
    "__version__",
    "argmax",
    "argmin",
    "associative_scan",
    "cast",
    "check_grads",
    "checkpoint",
    "clear_cache",
    "compile",
    "compute",
    "cond",
    "custom_jvp",
    "custom_vjp",
    "delay",
    "differentiate",
    "dynamic_slice",
    "dynamic_update_slice",
    "errors",
    "fori_loop",
    "from_c",
    "grad",
    "hessian",
    "jacfwd",
    "jacrev",
    "jit",
    "jvp",
    "linalg",
    "linear_transpose",
    "linearize",
    "make_program",
    "map",
    "max",
    "measured_machine",
    "min",
    "nn",
    "numpy",
    "optim",
    "placeholder",
    "prod",
    "quantise",
    "random",
    "recurrence",
    "reduce_axis",
    "scan",
    "select",
    "sizes",
    "step_function",
    "stop_gradient",
    "sum",
    "switch",
    "tangent",
    "to_device",
    "tree",
    "tune",
    "value_and_grad",
    "vjp",
    "vmap",
    "where_nan",
    "while_loop",
    *(_op.name for _op in _OPS.values() if _op.written is None),
]


_explain_arguments(
    "polyad",
    "cond dynamic_slice dynamic_update_slice fori_loop grad hessian jacfwd jacrev jit jvp linearize map scan select "
    "switch value_and_grad vjp vmap while_loop".split(),
    globals(),
    {"f": "step", "pred": "cond", "on_true": "a", "on_false": "b", "operand": "x"},
)

_absent = explain_absence(
    "module 'polyad'",
    __all__,
    POLYAD,
    {"polyad.numpy": set(numpy.__all__), "polyad.nn": set(nn.__all__), "polyad.random": set(random.__all__)},
)


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        return _absent(name)
    value = getattr(importlib.import_module(_LATER[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
