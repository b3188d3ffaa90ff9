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
from polyad.frontend.check_grads import check_grads
from polyad.frontend.compiled import compile_tensors as compile
from polyad.frontend.compute import compute, placeholder, reduce_axis, sizes
from polyad.frontend.custom_vjp import custom_vjp
from polyad.frontend.derivatives import Adjoints, differentiate, tangent
from polyad.frontend.recurrence import recurrence
from polyad.frontend.scalar_functions import cast, reduction, scalar_function, select
from polyad.frontend.scan import scan
from polyad.frontend.tensor import Tensor
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
from polyad.targets.target import Target

from polyad import nn, numpy  # isort: skip  # they are built from the names above

if TYPE_CHECKING:
    from polyad.kernel import Kernel
    from polyad.runtime.cache import clear_cache
    from polyad.schedule.schedule import Schedule

_LATER = {
    "Kernel": "polyad.kernel",
    "Schedule": "polyad.schedule.schedule",
    "clear_cache": "polyad.runtime.cache",
}
"""What is imported when it is asked for: it needs the half of polyad that only compiles, which takes a while."""

exp = scalar_function("exp")
log = scalar_function("log")
log1p = scalar_function("log1p")
expm1 = scalar_function("expm1")
sqrt = scalar_function("sqrt")
rsqrt = scalar_function("rsqrt")
sin = scalar_function("sin")
cos = scalar_function("cos")
tan = scalar_function("tan")
asin = scalar_function("asin")
acos = scalar_function("acos")
atan = scalar_function("atan")
atan2 = scalar_function("atan2")
sinh = scalar_function("sinh")
cosh = scalar_function("cosh")
tanh = scalar_function("tanh")
sigmoid = scalar_function("sigmoid")
erf = scalar_function("erf")
pow = scalar_function("pow")
abs = scalar_function("abs")
sign = scalar_function("sign")
floor = scalar_function("floor")
ceil = scalar_function("ceil")
round = scalar_function("round")
trunc = scalar_function("trunc")
maximum = scalar_function("maximum")
minimum = scalar_function("minimum")

sum = reduction("sum")
prod = reduction("prod")
max = reduction("max")
min = reduction("min")
argmax = reduction("argmax")
argmin = reduction("argmin")

__all__ = [
    "Adjoints",
    "BoundsError",
    "CallError",
    "CausalityError",
    "CertificationError",
    "CheckError",
    "CompileError",
    "DTypeError",
    "DefinitionError",
    "DifferentiationError",
    "ExtractionError",
    "IllegalScheduleError",
    "Kernel",
    "NotDifferentiableError",
    "PolyadError",
    "Program",
    "Schedule",
    "ScheduleError",
    "ShapeError",
    "Target",
    "Tensor",
    "__version__",
    "abs",
    "acos",
    "argmax",
    "argmin",
    "asin",
    "atan",
    "atan2",
    "cast",
    "ceil",
    "check_grads",
    "checkpoint",
    "clear_cache",
    "compile",
    "compute",
    "cos",
    "cosh",
    "custom_vjp",
    "differentiate",
    "erf",
    "errors",
    "exp",
    "expm1",
    "floor",
    "grad",
    "hessian",
    "jacfwd",
    "jacrev",
    "jit",
    "jvp",
    "log",
    "log1p",
    "max",
    "maximum",
    "min",
    "minimum",
    "nn",
    "numpy",
    "placeholder",
    "pow",
    "prod",
    "recurrence",
    "reduce_axis",
    "round",
    "rsqrt",
    "scan",
    "select",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sizes",
    "sqrt",
    "stop_gradient",
    "sum",
    "tan",
    "tangent",
    "tanh",
    "trunc",
    "value_and_grad",
    "vjp",
]


_absent = explain_absence(
    "module 'polyad'", __all__, POLYAD, {"polyad.numpy": set(numpy.__all__), "polyad.nn": set(nn.__all__)}
)


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        return _absent(name)
    value = getattr(importlib.import_module(_LATER[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
