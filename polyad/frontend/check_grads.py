"""Numerical checking of derivatives by central differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from polyad.errors import CallError, DifferentiationError
from polyad.frontend.argument_checks import integer, several
from polyad.frontend.complex_numbers.parts import arrays_apart, taken_apart
from polyad.frontend.pytrees import flatten, flatten_with_paths, unflatten
from polyad.frontend.scalar import described
from polyad.frontend.transforms import grad, jit, jvp, vjp

__all__ = ["check_grads"]


def _in_parts(fun: Callable[..., Any]) -> Callable[..., Any]:
    """The leaves of the result, complex ones as two real ones."""

    def parts(*args: Any) -> Any:
        return flatten(taken_apart(fun(*args)))[0]

    return parts


def _float_leaves(args: Sequence[Any]) -> tuple[list[str], list[np.ndarray], Any]:
    paths, leaves, structure = flatten_with_paths(tuple(args), "args")
    return paths, [np.asarray(x) for x in leaves], structure


def check_grads(
    fun: Callable[..., Any],
    args: Sequence[Any],
    order: int = 1,
    modes: Sequence[str] = ("fwd", "rev"),
    rtol: float | None = None,
    eps: float | None = None,
) -> None:
    """Compare derivatives with central differences, element by element.

    For every float argument element the derivative of a fixed random combination of all outputs is compared in reverse
    mode, and the derivative along a fixed random direction in forward mode. Second order checks the gradient function
    in the same way. Of complex numbers the real and the imaginary parts are compared.

    Args:
        fun: function of pytrees of arrays.
        args: its positional arguments.
        order: 1, or 2 for derivatives of the gradient too.
        modes: "fwd", "rev" or both.
        rtol: accepted error relative to the largest derivative; by default 1e-6 for float64, 2e-2 for float32.
        eps: step of the differences; by default 1e-5 for float64 and 1e-2 for float32.

    Raises:
        DifferentiationError: naming the worst element, both values and the error.
        CallError: bad arguments.
    """
    if integer(order, "check_grads: order") not in (1, 2):
        raise CallError(f"check_grads: order is 1 or 2, not {order}", "order")
    for mode in several(modes, "check_grads: modes"):
        if mode not in ("fwd", "rev"):
            raise CallError(f"check_grads: mode {mode!r} is neither 'fwd' nor 'rev'", "modes")
    if not isinstance(args, tuple | list):
        raise CallError(f"check_grads: args is the tuple of arguments, (x,) for one, not {described(args)}", "args")
    args, fun = tuple(arrays_apart(args)), _in_parts(fun)
    run = jit(fun)
    paths, leaves, structure = _float_leaves(args)
    active = [n for n, x in enumerate(leaves) if "float" in x.dtype.name]
    if not active:
        raise CallError("check_grads: no argument is floating-point", "args")
    single = any(leaves[n].dtype == np.float32 for n in active)
    rtol = (2e-2 if single else 1e-6) if rtol is None else rtol
    eps = (1e-2 if single else 1e-5) if eps is None else eps
    rng = np.random.default_rng(0)
    outs = [np.asarray(o) for o in flatten(run(*args))[0]]
    heads = [rng.standard_normal(o.shape) if "float" in o.dtype.name else None for o in outs]

    def weighted(values: Sequence[np.ndarray]) -> float:
        results = flatten(run(*unflatten(structure, list(values))))[0]
        return float(
            sum(np.sum(h * np.asarray(o, np.float64)) for h, o in zip(heads, results, strict=True) if h is not None)
        )

    numeric = [_difference(weighted, leaves, n, eps) for n in active]
    scale = max(1.0, *(float(np.max(np.abs(d), initial=0.0)) for d in numeric))
    if "rev" in modes:
        cotangent = _cotangent(fun, args, outs, heads)
        found = flatten(_reverse(fun, args, structure, active, cotangent))[0]
        for n, a, d in zip(active, found, numeric, strict=True):
            _compare(np.asarray(a), d, rtol * scale, f"reverse mode, {paths[n]}")
    if "fwd" in modes:
        dots = [rng.standard_normal(leaves[n].shape).astype(leaves[n].dtype) for n in active]
        expected = sum(float(np.sum(d * v)) for d, v in zip(numeric, dots, strict=True))
        tangents = flatten(_forward(fun, args, structure, active, dots))[0]
        got = float(
            sum(np.sum(h * np.asarray(t, np.float64)) for h, t in zip(heads, tangents, strict=True) if h is not None)
        )
        size = max(scale, sum(float(np.sum(np.abs(d * v))) for d, v in zip(numeric, dots, strict=True)))
        _compare(np.asarray(got), np.asarray(expected), rtol * size, "forward mode, along a random direction")
    if order == 2:
        numbers = sorted({int(paths[n].split("[")[1].split("]")[0]) for n in active})
        whole = [
            n
            for n in numbers
            if all("float" in leaves[m].dtype.name for m, p in enumerate(paths) if p.startswith(f"args[{n}]"))
        ]

        def total(*a: Any) -> Any:
            parts = [o for o, h in zip(flatten(fun(*a))[0], heads, strict=True) if h is not None]
            weights = [h for h in heads if h is not None]
            return sum(
                (p * w.astype(str(p.dtype))).sum() if p.ndim else p * float(w)
                for p, w in zip(parts, weights, strict=True)
            )

        check_grads(grad(total, whole), args, 1, modes, max(rtol, 1e-5), eps)


def _difference(
    value: Callable[[Sequence[np.ndarray]], float], leaves: Sequence[np.ndarray], n: int, eps: float
) -> np.ndarray:
    """Central differences with respect to every element of leaf n."""
    result = np.zeros(leaves[n].shape)
    for at in np.ndindex(*leaves[n].shape):
        moved = []
        for step in (eps, -eps):
            shifted = leaves[n].copy()
            shifted[at] += step
            moved.append((float(shifted[at]), value([shifted if m == n else x for m, x in enumerate(leaves)])))
        result[at] = (moved[0][1] - moved[1][1]) / (moved[0][0] - moved[1][0])
    return result


def _closed(fun: Callable[..., Any], structure: Any, active: Sequence[int], args: Sequence[Any]) -> Callable[..., Any]:
    """fun as a function of its float leaves only."""
    leaves = [np.asarray(x) for x in flatten(tuple(args))[0]]

    def of_leaves(*floats: Any) -> Any:
        full: list[Any] = list(leaves)
        for n, x in zip(active, floats, strict=True):
            full[n] = x
        return fun(*unflatten(structure, full))

    return of_leaves


def _cotangent(
    fun: Callable[..., Any], args: Sequence[Any], outs: Sequence[np.ndarray], heads: Sequence[Any]
) -> list[Any]:
    return [h.astype(o.dtype) for o, h in zip(outs, heads, strict=True) if h is not None]


def _reverse(
    fun: Callable[..., Any], args: Sequence[Any], structure: Any, active: Sequence[int], cotangent: Any
) -> Any:
    closed = _closed(fun, structure, active, args)

    def floats_only(*floats: Any) -> Any:
        return [o for o in flatten(closed(*floats))[0] if "float" in o.dtype]

    leaves = [np.asarray(x) for x in flatten(tuple(args))[0]]
    return vjp(floats_only, *(leaves[n] for n in active))[1](cotangent)


def _forward(
    fun: Callable[..., Any], args: Sequence[Any], structure: Any, active: Sequence[int], dots: Sequence[Any]
) -> Any:
    closed = _closed(fun, structure, active, args)

    def floats_only(*floats: Any) -> Any:
        return [o for o in flatten(closed(*floats))[0] if "float" in o.dtype]

    leaves = [np.asarray(x) for x in flatten(tuple(args))[0]]
    tangents = flatten(jvp(floats_only, tuple(leaves[n] for n in active), tuple(dots))[1])[0]
    result: list[Any] = []
    given = iter(tangents)
    for o in flatten(jit(fun)(*args))[0]:
        result.append(next(given) if "float" in np.asarray(o).dtype.name else np.zeros(()))
    return result


def _compare(found: np.ndarray, expected: np.ndarray, tolerance: float, what: str) -> None:
    error = np.abs(np.asarray(found, np.float64) - expected)
    error = np.where(np.isnan(error), np.inf, error)
    if error.size == 0 or float(error.max()) <= tolerance:
        return
    at = np.unravel_index(int(error.argmax()), error.shape)
    place = f" at index {tuple(int(i) for i in at)}" if at else ""
    raise DifferentiationError(
        f"check_grads: {what}{place}: the derivative is {float(np.asarray(found)[at]):.10g}, central differences give "
        f"{float(expected[at]):.10g} (error {float(error[at]):.3g}, accepted {tolerance:.3g})"
    )
