"""`vmap`: a function of one example as one of a batch of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polyad.errors import CallError
from polyad.frontend.argument_checks import function
from polyad.frontend.batching.axes import argument_axes, checked_axis, common_extent, leaf_axes
from polyad.frontend.batching.batch import Batch
from polyad.frontend.complex_numbers.parts import taken_apart
from polyad.frontend.constants import as_tensor
from polyad.frontend.functions import TracedFunction
from polyad.frontend.pytrees import flatten_with_paths, unflatten
from polyad.islx import LOCK

__all__ = ["vmap"]


def vmap(fun: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0, *, axis_size: Any = None) -> TracedFunction:
    """A function of a batch of examples from one of a single example, as `jax.vmap`.

    Equation, with the examples in front: vmap(fun)(X, ...)[b] = fun(X[b], ...) for b = 0 .. B - 1.

    `fun` is run once, on tensors of one example. Each statement that depends on a batched argument then gets one
    more dimension, b, and the others none: what is the same for all examples is computed once. The result is a
    definition like any other, scheduled like one that was written with the batch. So `vmap` stands anywhere among
    `grad`, `jvp`, `vjp`, `jit`, scans and itself: `vmap(grad(loss), in_axes=(None, 0, 0))` gives the gradient of each
    example.

    Args:
        fun: a function of pytrees of tensors. What it closes over is the same for all examples.
        in_axes: along which axis of the arguments their examples lie: an integer for all of them, or a tuple with an
            entry for each, which may be a structure that the argument begins with, `{"W": None, "x": 0}`. None is for
            what is the same for all examples. Keyword arguments have their examples along axis 0.
        out_axes: likewise for the results: at which axis of each the examples are put. None is for a result that does
            not depend on batched arguments, and is returned once.
        axis_size: the number of examples B, an integer or a size; needed where no argument is batched.

    Returns:
        A function of the arguments of `fun`, batched ones with one dimension more, of extent B, which may be a size.

    Raises:
        ShapeError: an argument or a result has no such axis, or two arguments have different numbers of examples, or
            another one than `axis_size`.
        CallError: no argument is batched and `axis_size` is not given; in_axes or out_axes does not fit the arguments
            or results; out_axes is None for a result that depends on batched arguments.
        DTypeError: fun cannot be called, or an axis is no integer.

    Example:
        >>> distances = pa.vmap(lambda x, y: pa.numpy.sum((x - y) ** 2), in_axes=(0, None))
    """
    name = f"{getattr(function(fun, 'vmap: fun'), '__name__', 'function').replace('<lambda>', 'function')}_vmap"

    def batched(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = taken_apart((args, kwargs))
        axes = argument_axes(in_axes, args, kwargs, name, axis_size is not None)
        paths, leaves, structure = flatten_with_paths((args, kwargs))
        with LOCK:
            tensors = []
            for n, (path, axis) in enumerate(zip(paths, axes, strict=True)):
                if axis is not None:
                    where = _argument(path)
                    t = as_tensor(leaves[n], where)
                    tensors.append((n, where, t, checked_axis(axis, t.ndim, t.shape, f"{name}: {where}")))
            batch = Batch(common_extent([t[1:] for t in tensors], name, axis_size))
            for n, _, t, axis in tensors:
                leaves[n] = batch.stand_in(t, axis)
        one_args, one_kwargs = unflatten(structure, leaves)
        result = taken_apart(fun(*one_args, **one_kwargs))
        wanted = leaf_axes(out_axes, result, f"{name}: out_axes")
        paths, leaves, structure = flatten_with_paths(result, "result")
        with LOCK:
            results = [as_tensor(x, path) for x, path in zip(leaves, paths, strict=True)]
            places = [
                None if a is None else checked_axis(a, t.ndim + 1, f"{t.shape} for one example", f"{name}: {path}")
                for a, t, path in zip(wanted, results, paths, strict=True)
            ]
            batch.add(results, [a or 0 for a in places])
            for t, a, path in zip(results, places, paths, strict=True):
                if a is None and batch.depends(t):
                    raise CallError(
                        f"{name}: {path} differs between the examples, and out_axes gives it None; give it the axis at "
                        "which they are to lie, or reduce over them outside of vmap",
                        "out_axes",
                    )
            return unflatten(structure, [batch.tensor(t, a) for t, a in zip(results, places, strict=True)])

    batched.__doc__ = fun.__doc__
    own = fun if isinstance(fun, TracedFunction) else TracedFunction(fun, name)
    return TracedFunction(batched, name, own.target, own.signature)


def _argument(path: str) -> str:
    """args[1]['W'] of [0][1]['W'] in (args, kwargs)."""
    return f"args{path[3:]}" if path.startswith("[0]") else f"kwargs{path[3:]}"
