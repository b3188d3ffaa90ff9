"""Array functions under NumPy's names.

They take tensors, NumPy arrays (captured as constants) and numbers. Each is built from tensor expressions and holds no
derivative of its own. Extents may be symbolic wherever the result has extents that are affine in the sizes.
"""

from polyad.frontend.absent_names import NUMPY as _ABSENT
from polyad.frontend.absent_names import explain_absence as _explain_absence
from polyad.frontend.given_arguments import explain_arguments as _explain_arguments
from polyad.frontend.operator_functions import *  # noqa: F403 - each a line there, in __all__ by the table
from polyad.numpy import dispatch as _dispatch  # noqa: F401 - attaches NumPy's protocols
from polyad.numpy import linalg as linalg
from polyad.numpy import methods as _methods  # noqa: F401 - attaches them
from polyad.numpy.creation import (
    arange,
    asarray,
    eye,
    full,
    full_like,
    identity,
    linspace,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from polyad.numpy.cumulative import (
    cumprod,
    cumsum,
)
from polyad.numpy.diagonals import (
    diag,
    diagonal,
    trace,
    tril,
    triu,
)
from polyad.numpy.dynamic_slices import (
    dynamic_slice,
    dynamic_update_slice,
)
from polyad.numpy.einsum import (
    einsum,
)
from polyad.numpy.elementwise import (
    absolute,
    add,
    arccos,
    arcsin,
    arctan,
    arctan2,
    clip,
    divide,
    equal,
    exp2,
    fabs,
    floor_divide,
    greater,
    greater_equal,
    less,
    less_equal,
    log2,
    log10,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    mod,
    multiply,
    negative,
    not_equal,
    positive,
    power,
    reciprocal,
    remainder,
    rint,
    square,
    subtract,
    true_divide,
    where,
)
from polyad.numpy.elementwise import (  # type: ignore[assignment]
    round as round,  # has decimals
)
from polyad.numpy.indexing import (
    take,
    take_along_axis,
)
from polyad.numpy.joining import (
    array_split,
    concatenate,
    dsplit,
    hsplit,
    hstack,
    split,
    stack,
    vsplit,
    vstack,
)
from polyad.numpy.matmul import (
    dot,
    inner,
    matmul,
    outer,
    tensordot,
    vdot,
)
from polyad.numpy.pad import (
    pad,
)
from polyad.numpy.permutation import (
    atleast_1d,
    atleast_2d,
    broadcast_to,
    expand_dims,
    flip,
    fliplr,
    flipud,
    moveaxis,
    permute_dims,
    roll,
    squeeze,
    swapaxes,
    transpose,
)
from polyad.numpy.reductions import (
    all,
    any,
    argmax,
    argmin,
    count_nonzero,
    max,
    mean,
    min,
    prod,
    std,
    sum,
    var,
)
from polyad.numpy.repetition import (
    repeat,
    tile,
)
from polyad.numpy.reshape import (
    ravel,
    reshape,
)
from polyad.numpy.vectorize import (
    vectorize,
)
from polyad.ops import OPS as _OPS

__all__ = [
    "absolute",
    "add",
    "all",
    "any",
    "arange",
    "arccos",
    "arcsin",
    "arctan",
    "arctan2",
    "argmax",
    "argmin",
    "array_split",
    "asarray",
    "atleast_1d",
    "atleast_2d",
    "broadcast_to",
    "clip",
    "concatenate",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "diag",
    "diagonal",
    "divide",
    "dot",
    "dsplit",
    "dynamic_slice",
    "dynamic_update_slice",
    "einsum",
    "equal",
    "exp2",
    "expand_dims",
    "eye",
    "fabs",
    "flip",
    "fliplr",
    "flipud",
    "floor_divide",
    "full",
    "full_like",
    "greater",
    "greater_equal",
    "hsplit",
    "hstack",
    "identity",
    "inner",
    "less",
    "less_equal",
    "linspace",
    "log10",
    "log2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "matmul",
    "max",
    "mean",
    "min",
    "mod",
    "moveaxis",
    "multiply",
    "negative",
    "not_equal",
    "ones",
    "ones_like",
    "outer",
    "pad",
    "permute_dims",
    "positive",
    "power",
    "prod",
    "ravel",
    "reciprocal",
    "remainder",
    "repeat",
    "reshape",
    "rint",
    "roll",
    "split",
    "square",
    "squeeze",
    "stack",
    "std",
    "subtract",
    "sum",
    "swapaxes",
    "take",
    "take_along_axis",
    "tensordot",
    "tile",
    "trace",
    "transpose",
    "tril",
    "triu",
    "true_divide",
    "var",
    "vdot",
    "vsplit",
    "vstack",
    "vectorize",
    "where",
    "zeros",
    "zeros_like",
    *(_op.name for _op in _OPS.values() if _op.written is None),
]

__getattr__ = _explain_absence("module 'polyad.numpy'", __all__, _ABSENT, {})

_explain_arguments("polyad.numpy", __all__, globals())
