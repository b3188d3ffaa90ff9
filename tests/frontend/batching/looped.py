"""The judge of `vmap`: the function, evaluated for one example after the other."""

from collections.abc import Callable
from typing import Any

import numpy as np
import optree

import polyad as pa
from polyad.frontend.batching.axes import argument_axes, leaf_axes
from tests.evaluated import values_of

__all__ = ["assert_as_looped", "looped", "of_arrays"]


def of_arrays(fun: Callable[..., Any]) -> Callable[..., Any]:
    """The function on arrays, by the evaluator: no schedule, no C; traced once for all arrays of the same shapes."""
    traced: dict[Any, Any] = {}

    def run(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = optree.tree_flatten((args, kwargs))
        arrays = {f"in{n}": x for n, x in enumerate(leaves) if isinstance(x, np.ndarray | np.generic)}
        key = structure, *((n, np.shape(x), x.dtype) for n, x in arrays.items())
        if key not in traced:
            places = [
                pa.placeholder(np.shape(x), f"in{n}", str(x.dtype)) if f"in{n}" in arrays else x
                for n, x in enumerate(leaves)
            ]
            own_args, own_kwargs = optree.tree_unflatten(structure, places)
            traced[key] = optree.tree_flatten(pa.jit(fun)(*own_args, **own_kwargs))
        results, made = traced[key]
        tensors = [pa.numpy.asarray(t) for t in results]
        values = values_of(tensors, **arrays)
        return optree.tree_unflatten(made, [v.astype(t.dtype) for v, t in zip(values, tensors, strict=True)])

    return run


def looped(fun: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """A loop that says what `pa.vmap` says: fun(X[b], ...) for each b, put side by side."""

    def run(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = optree.tree_flatten((args, kwargs))
        axes = argument_axes(in_axes, args, kwargs, "looped")
        count = next(np.shape(x)[a] for x, a in zip(leaves, axes, strict=True) if a is not None)
        truths = any(isinstance(x, np.ndarray) and x.dtype == bool for x in leaves)
        one = pa.jit(fun) if truths else of_arrays(fun)
        results = []
        for b in range(count):
            taken = [x if a is None else np.take(x, b, a) for x, a in zip(leaves, axes, strict=True)]
            own_args, own_kwargs = optree.tree_unflatten(structure, taken)
            results.append(optree.tree_map(np.asarray, one(*own_args, **own_kwargs)))
        places = leaf_axes(out_axes, results[0], "looped")
        parts, structure = zip(*(optree.tree_flatten(r) for r in results), strict=True)
        stacked = [
            column[0] if a is None else np.stack(column, a)
            for column, a in zip(zip(*parts, strict=True), places, strict=True)
        ]
        return optree.tree_unflatten(structure[0], stacked)

    return run


def assert_as_looped(
    fun: Callable[..., Any], *args: Any, in_axes: Any = 0, out_axes: Any = 0, rtol: float = 1e-9, **kwargs: Any
) -> Any:
    """Compare values, shapes and types; returns what `pa.vmap` made, with its kernel."""
    made = pa.vmap(fun, in_axes, out_axes)
    found, wanted = made(*args, **kwargs), looped(fun, in_axes, out_axes)(*args, **kwargs)
    ours, structure = optree.tree_flatten(found)
    theirs, expected = optree.tree_flatten(wanted)
    assert structure == expected
    for x, y in zip(ours, theirs, strict=True):
        x = np.asarray(x)
        assert x.dtype == y.dtype and x.shape == y.shape, (x.dtype, y.dtype, x.shape, y.shape)
        np.testing.assert_allclose(x, y, rtol=rtol, atol=rtol)
    return made
