"""`vectorize`: a function of numbers, or of arrays of few dimensions, over all leading dimensions by broadcasting."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from polyad.errors import CallError, ShapeError
from polyad.frontend.batching.vmap import vmap
from polyad.frontend.constants import as_tensor
from polyad.frontend.functions import TracedFunction
from polyad.frontend.pytrees import flatten, unflatten
from polyad.frontend.tensor import Tensor
from polyad.ir.affine import Affine
from polyad.numpy.dimensions import axis_number
from polyad.numpy.permutation import expand_dims, squeeze

__all__ = ["apply_along_axis", "vectorize"]

_CORE = r"\((?:[^\W\d]\w*(?:,[^\W\d]\w*)*)?\)"
_SIGNATURE = re.compile(rf"{_CORE}(?:,{_CORE})*->{_CORE}(?:,{_CORE})*")

Core = tuple[str, ...]


def vectorize(pyfunc: Callable[..., Any], excluded: Iterable[int] = (), signature: str | None = None) -> TracedFunction:
    """A function over all elements, or over all last dimensions, of arrays that broadcast, as `numpy.vectorize`.

    Equation: result[i..., :] = pyfunc(x[i..., :], y[i..., :]) for all i of the leading dimensions, broadcast against
    each other; the last dimensions are those that the signature names. It is `pa.vmap` along each leading dimension.

    Args:
        pyfunc: takes tensors of the dimensions that the signature names, numbers without one.
        excluded: positions of arguments that are passed on whole, as keyword arguments are.
        signature: the last dimensions of each argument and result, "(n),(n,m)->(m)"; a name stands for one extent.

    Raises:
        CallError: the signature cannot be read, or speaks of another number of arguments or results.
        ShapeError: an argument has fewer dimensions than the signature says, extents of one name differ, or leading
            dimensions do not broadcast.

    Example:
        >>> lengths = pa.numpy.vectorize(lambda v: pa.sqrt(v @ v), signature="(n)->()")
    """
    name = getattr(pyfunc, "__name__", "function").replace("<lambda>", "function")
    what = f"vectorize {name!r}"
    cores, results = (None, None) if signature is None else _parsed(signature, what)
    whole = frozenset(excluded)

    def call(*args: Any, **kwargs: Any) -> Any:
        own = [n for n in range(len(args)) if n not in whole]
        if cores is not None and len(cores) != len(own):
            raise CallError(f"{what}: the signature has {len(cores)} arguments, the call {len(own)}", "signature")
        known: dict[str, Affine] = {}
        tensors = [as_tensor(args[n], f"{what}: args[{n}]") for n in own]
        ranks = []
        for n, t, core in zip(own, tensors, cores or [()] * len(own), strict=True):
            ranks.append(t.ndim - len(core))
            _same(core, t, known, f"{what}: args[{n}]")

        def checked(*parts: Tensor) -> Any:
            given = list(args)
            for n, part in zip(own, parts, strict=True):
                given[n] = part
            found = pyfunc(*given, **kwargs)
            leaves, structure = flatten(found)
            made = [as_tensor(x, f"{what}: a result") for x in leaves]
            if results is not None and len(results) != len(made):
                raise CallError(f"{what}: the signature has {len(results)} results, it gave {len(made)}", "signature")
            for t, core in zip(made, results or [()] * len(made), strict=True):
                _same(core, t, known, f"{what}: a result", exact=True)
            return unflatten(structure, list(made))

        return _mapped(checked, tensors, ranks, what)

    call.__doc__ = pyfunc.__doc__
    inner = pyfunc if isinstance(pyfunc, TracedFunction) else TracedFunction(pyfunc, name)
    return TracedFunction(call, f"{name}_vectorized", inner.target, inner.signature)


def apply_along_axis(func1d: Callable[..., Any], axis: int, x: Any, *args: Any, **kwargs: Any) -> Any:
    """A function of vectors along a dimension; its result, of any shape, takes the place of the dimension.

    Args:
        func1d: from a vector to a tensor; it is traced once.
        axis: dimension.
        x: tensor.
        *args: further arguments of `func1d`.
        **kwargs: likewise.

    Raises:
        ShapeError: no such dimension.
    """
    t = as_tensor(x, "x")
    d = axis_number(axis, t.ndim, "apply_along_axis")

    def along(vector: Any) -> Any:
        return as_tensor(func1d(vector, *args, **kwargs), "apply_along_axis: the result")

    mapped: Callable[..., Any] = along
    for _ in range(t.ndim - 1 - d):
        mapped = vmap(mapped, -1, -1)
    for _ in range(d):
        mapped = vmap(mapped, 0, 0)
    return mapped(t)


def _parsed(signature: str, what: str) -> tuple[list[Core], list[Core]]:
    """The dimensions of arguments and results."""
    text = re.sub(r"\s", "", signature)
    if not _SIGNATURE.fullmatch(text):
        raise CallError(f"{what}: signature={signature!r} is not of the form '(n),(n,m)->(m)'", "signature")
    left, right = ([tuple(filter(None, c[1:-1].split(","))) for c in re.findall(_CORE, s)] for s in text.split("->"))
    return left, right


def _same(core: Core, t: Tensor, known: dict[str, Affine], what: str, exact: bool = False) -> None:
    """Compare the last extents with what their names stand for, and learn new ones."""
    if t.ndim < len(core) or (exact and t.ndim != len(core)):
        raise ShapeError(f"{what} has shape {t.shape}; the signature has ({', '.join(core)}) for it")
    for dim, extent in zip(core, t.shape_affine[t.ndim - len(core) :], strict=True):
        if known.setdefault(dim, extent) != extent:
            raise ShapeError(
                f"{what} has shape {t.shape}: {dim} of the signature is {extent} there, {known[dim]} before"
            )


def _mapped(fun: Callable[..., Any], tensors: Sequence[Tensor], ranks: Sequence[int], what: str) -> Any:
    """`fun` over the leading dimensions, `ranks` of each tensor: the last of them innermost."""
    one, parts, depth = Affine.of(1), list(tensors), max(ranks, default=0)
    alone: list[int] = []  # leading dimensions of the result in which nothing is mapped
    for level in range(1, depth + 1):  # counted from behind
        extents = [t.shape_affine[r - level] if r >= level else one for t, r in zip(tensors, ranks, strict=True)]
        longer = {e for e in extents if e != one}
        if len(longer) > 1:
            shapes = ", ".join(str(t.shape[:r]) for t, r in zip(tensors, ranks, strict=True))
            raise ShapeError(f"{what}: the leading dimensions {shapes} do not broadcast")
        if longer:
            fun = vmap(fun, tuple(None if e == one else 0 for e in extents)).fun
        else:
            alone.append(depth - level)
    for n, (t, r) in enumerate(zip(tensors, ranks, strict=True)):
        single = tuple(i for i in range(r) if t.shape_affine[i] == one)
        parts[n] = squeeze(t, single) if single else t
    leaves, structure = flatten(fun(*parts))
    return unflatten(structure, [expand_dims(x, tuple(alone)) if alone else x for x in leaves])
