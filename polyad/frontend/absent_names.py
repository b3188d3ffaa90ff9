"""Replacements for names of NumPy, JAX or PyTorch that are not there; else the nearest name that is.

What stands between backquotes is an expression of the functions of the module; tests run it against the function that
is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

__all__ = ["CHANGED", "LINALG", "NN", "NUMPY", "POLYAD", "TENSOR", "explain_absence"]

_SHAPE = "the shape of its result depends on the data; compute it with NumPy outside of the traced function"
_NUMBER = "it is a plain number: use NumPy's own"
_TYPE = "element types are given by name, dtype='float32', or as NumPy's"
CHANGED = "tensors do not change: write x.at[...].set(values) or .add(values), which is a new tensor"
_VALUES = "a tensor has no values before it is computed: use pa.jit or pa.compile, whose results are NumPy's arrays"
_TREE = "functions on pytrees are pa.tree.map and its like"

NUMPY: Mapping[str, str] = {
    "dtype": _TYPE,
    "uint64": "use int64",
    **dict.fromkeys("lexsort partition argpartition".split(), "use argsort, or sort"),
    **dict.fromkeys("unique nonzero argwhere flatnonzero extract compress".split(), _SHAPE),
    "random": "it is polyad.random, with the functions of jax.random",
    "fft": "write it as a matrix product with the matrix of the transform",
    "nanprod": "write `prod(where(isnan(x), 1.0, x))`",
    "nanmedian": "write median of the elements that are chosen beforehand",
    "copysign": "write `where(y < 0, -abs(x), abs(x))`",
    "gradient": "write (x[2:] - x[:-2]) / 2 inside, x[1:] - x[:-1] at the ends",
    "polyval": "use pa.fori_loop, or write the powers out",
    "cov": "write (x - mean(x, 1, keepdims=True)) and its product with its transpose, divided by N - 1",
    "ndim": "write x.ndim",
    "shape": "write x.shape",
    "size": "write x.size",
    "astype": "write x.astype(dtype)",
    **{n: f"it is polyad.nn.{n}" for n in "softmax log_softmax logsumexp relu gelu silu softplus one_hot".split()},
}

NN: Mapping[str, str] = {
    "swish": "use silu",
    "logsigmoid": "use log_sigmoid",
    "hardsigmoid": "use hard_sigmoid",
    "standardize": "use layer_norm",
    "normalize": "use l2_normalize",
    "l1_loss": "use mae_loss",
    "binary_cross_entropy_with_logits": "use binary_cross_entropy, which takes logits",
    "interpolate": "use upsample or resize",
    "identity": "write x",
    "hardtanh": "use hard_tanh",
    "hard_silu": "use hard_swish",
    "hardswish": "use hard_swish",
    "soft_sign": "use softsign",
    "hardshrink": "write `where(abs(x) > 0.5, x, 0.0)`",
    "softshrink": "write `sign(x) * maximum(abs(x) - 0.5, 0.0)`",
    "softmin": "use softmax of -x",
    **{f"conv_transpose{n}d": f"use conv{n}d_transpose" for n in (1, 2, 3)},
    "max_pool": "use max_pool2d",
    "avg_pool": "use avg_pool2d",
    "dot_product_attention": "use scaled_dot_product_attention",
    **dict.fromkeys(("initializers", "init"), "use glorot_uniform, he_normal, orthogonal and their like"),
    **{f"xavier_{k}": f"use glorot_{k}" for k in ("uniform", "normal")},
    **{f"kaiming_{k}": f"use he_{k}" for k in ("uniform", "normal")},
    **dict.fromkeys(
        "Module Linear Conv2d LSTM GRU RNN Sequential Embedding LayerNorm BatchNorm2d Dropout".split(),
        "layers are functions that take their weights: dense, conv2d, lstm, gru, layer_norm ...",
    ),
}

POLYAD: Mapping[str, str] = {
    "pmap": "loops run on all threads by themselves",
    "lax": "its functions stand in polyad itself: pa.scan, pa.cond, pa.fori_loop and the like",
    "remat": "use the argument checkpoint= of pa.scan",
    "jacobian": "use pa.jacrev or pa.jacfwd",
    "make_jaxpr": "use pa.make_program",
    "eval_shape": "tensors have .shape and .dtype",
    "block_until_ready": "results are there when a call returns",
    **dict.fromkeys(("dynamic_slice_in_dim", "slice_in_dim"), "use dynamic_slice"),
    "dynamic_update_slice_in_dim": "use dynamic_update_slice",
    **dict.fromkeys(("dynamic_index_in_dim", "index_in_dim"), "write x[i]; i may be a tensor"),
    "device_put": "arrays are NumPy's",
    "devices": "arrays are NumPy's; target='cuda' runs kernels on a GPU",
    "tree_map": _TREE,
    "tree_util": _TREE,
    "tensor": "use pa.numpy.asarray",
    "array": "use pa.numpy.asarray",
    "te": "compute, placeholder and reduce_axis stand in polyad itself",
    "var": "sizes are made by pa.sizes; the variance is pa.numpy.var",
    "no_grad": "use pa.stop_gradient",
    "where": "use pa.select, or pa.numpy.where",
    **dict.fromkeys(("pi", "inf", "nan"), _NUMBER),
    **dict.fromkeys("float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 dtype".split(), _TYPE),
}

RANDOM: Mapping[str, str] = {
    **dict.fromkeys(("permutation", "shuffle"), "use polyad.numpy.argsort of uniform(key, (n,)), n not above 4096"),
    **dict.fromkeys(("default_rng", "RandomState", "seed", "Generator"), "make a key of a seed: key(0)"),
    "rand": "use uniform(key, shape)",
    "randn": "use normal(key, shape)",
    "standard_normal": "use normal(key, shape)",
    "random": "use uniform(key, shape)",
    "integers": "use randint(key, shape, minval, maxval)",
    "random_bits": "use bits(key, shape)",
    "key_data": "a key is the array uint32[2] itself",
    "wrap_key_data": "a key is the array uint32[2] itself",
    "clone": "a key may be used again: it is an array",
    "rademacher": "write `where(bernoulli(key, 0.5, shape), 1, -1)`",
    "laplace": "write `-sign(u) * log1p(-abs(u))` of a u uniform in (-1, 1)",
    "logistic": "write `log(u / (1 - u))` of a u uniform in (0, 1)",
    "cauchy": "write `tan(pi * (u - 0.5))` of a uniform u",
    "multivariate_normal": "multiply normal numbers with a Cholesky factor, and add the mean",
}

LINALG: Mapping[str, str] = {
    **dict.fromkeys(
        ("svd", "svdvals"), "use eigh of x.mT @ x, whose eigenvalues are the squares of the singular values"
    ),
    **dict.fromkeys(("eig", "eigvals"), "eigh takes symmetric matrices; those of others may be complex: use NumPy's"),
    "pinv": "use lstsq, or solve(x.mT @ x, x.mT)",
    **dict.fromkeys(
        ("cond", "matrix_rank"), "it is a number of the data; compute it with NumPy outside of the function"
    ),
    "tensorinv": "reshape to a matrix and use inv",
    "tensorsolve": "reshape to a matrix and use solve",
    "lu_factor": "use lu",
    "eigh_tridiagonal": "use eigh",
}

TENSOR: Mapping[str, str] = {
    **dict.fromkeys(("numpy", "item", "tolist", "data"), _VALUES),
    **dict.fromkeys(
        ("backward", "grad", "requires_grad", "requires_grad_"), "use pa.grad of a function, or of a tensor"
    ),
    **dict.fromkeys(("detach", "stop_gradient"), "use pa.stop_gradient"),
    **dict.fromkeys(("cpu", "cuda", "device"), "arrays are NumPy's; target='cuda' runs kernels on a GPU"),
    **dict.fromkeys(("float", "double", "int", "long", "bool", "to", "type"), "write x.astype(dtype)"),
    "median": "use pa.numpy.median",
    **dict.fromkeys(("nonzero", "unique"), _SHAPE),
    "view": "use reshape",
    "permute": "use transpose",
    "unsqueeze": "write pa.numpy.expand_dims(x, axis), or x[:, None]",
    "dim": "write x.ndim",
    "numel": "write x.size",
    "block_until_ready": "it has no values to wait for; results of calls are there when they return",
}


def explain_absence(
    owner: str, known: Iterable[str], table: Mapping[str, str], elsewhere: Mapping[str, Iterable[str]]
) -> Callable[[str], Any]:
    """The `__getattr__` of a module or class: raises AttributeError that says what to write instead.

    Args:
        owner: which it is, "module 'polyad'".
        known: the names it has.
        table: name -> what to write.
        elsewhere: other modules -> the names they have.
    """
    names = list(known)

    def absent(name: str) -> Any:
        text = f"{owner} has no attribute {name!r}"
        if name.startswith("_"):
            raise AttributeError(text)
        if name in table:
            raise AttributeError(f"{text}: {table[name]}")
        for other, theirs in elsewhere.items():
            if name in theirs:
                raise AttributeError(f"{text}: it is {other}.{name}")
        near = get_close_matches(name, names, n=2, cutoff=0.6)
        raise AttributeError(f"{text}; did you mean {' or '.join(near)}?" if near else text)

    return absent
