"""Calls that a function's parameters do not take: which argument it is, what the function takes, and what to do.

NumPy's and JAX's functions have arguments that polyad's have not. Python answers these with a TypeError, which says the
name only, and which whoever catches `PolyadError` does not see.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from difflib import get_close_matches
from functools import wraps
from types import MappingProxyType
from typing import Any

from polyad.errors import CallError, DefinitionError
from polyad.ops.registry import OPS

__all__ = ["NUMPYS_NAMES", "explain_arguments", "explained"]

_INSTEAD = {
    "out": "a tensor has no memory to fill, use the result; a kernel takes out=",
    "where": "choose the elements first, with where(condition, x, y); y = 0 in a sum",
    "initial": "combine the result with it: maximum(max(x), initial), sum(x) + initial",
    "dtype": "convert with .astype",
    "mean": "leave it out: it is computed once, whoever asks",
    "order": "leave it out: tensors are row-major",
    "copy": "leave it out: values never change",
    "device": "leave it out: the target of the kernel says where it runs",
    "optimize": "leave it out, and put in brackets what is to be multiplied first",
    "precision": "leave it out: products are computed in the element type",
    "preferred_element_type": "convert with .astype",
    "shape": "use full, or broadcast_to",
    "unroll": "leave it out: whether loops are unrolled is said by schedules",
    "batch_size": "leave it out: how many elements run together is said by schedules",
    **dict.fromkeys(("donate_argnums", "donate_argnames"), "leave it out: a kernel writes into arrays given as out="),
    **dict.fromkeys(("axis_name", "spmd_axis_name"), "leave it out: reduce over the axis of the result of vmap"),
    "allow_int": "differentiate by floats: x.astype('float64')",
    "operand": "give it behind the functions, by position",
    "kind": "leave it out: equal elements keep their order",
    "ndmin": "write atleast_1d, atleast_2d or expand_dims",
    "retstep": "the step is (stop - start) / (num - 1)",
    "return_sign": "take the logarithm of abs(sum(exp(x - m))) and sign of it",
    "b": "scale first: logsumexp(x + log(b))",
}
"""Argument of NumPy or JAX -> what to do, where the function has none of that name."""

NUMPYS_NAMES = {
    **dict.fromkeys("a A arr ary array m v f object operand p".split(), "x"),
    **dict.fromkeys(("arrays", "tup"), "tensors"),
    "condition": "cond",
    "a_min": "min",
    "a_max": "max",
    "newshape": "shape",
    "x": "a",
    "y": "b",
}
"""Argument of NumPy -> the name that some functions have for it; they take both."""


def explained(
    function: Callable[..., Any], name: str, accepted: Mapping[str, str] = MappingProxyType({})
) -> Callable[..., Any]:
    """The same function, for which arguments it does not take are a `CallError`.

    Args:
        function: any.
        name: what users call it.
        accepted: another name of an argument -> the name it has here, where it has this one.
    """
    own = inspect.signature(function).parameters if accepted else {}
    others = {there: here for there, here in accepted.items() if here in own and there not in own}

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if others and not others.keys().isdisjoint(kwargs):
            renamed = {others.get(k, k): v for k, v in kwargs.items()}
            kwargs = renamed if len(renamed) == len(kwargs) else kwargs
        try:
            return function(*args, **kwargs)
        except TypeError:
            problem = _refusal(function, name, args, kwargs)
            if problem is None:
                raise
        raise problem

    return call


def explain_arguments(
    module: str,
    names: Iterable[str],
    members: MutableMapping[str, Any],
    accepted: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Put `explained` functions in the place of those of a module.

    Args:
        module: its name.
        names: those of the functions.
        members: the module's.
        accepted: other names of arguments, as for `explained`.

    Raises:
        DefinitionError: a name is none of them, with the line that is missing where it is an operator's.
    """
    for name in names:
        if name not in members:
            line = f'add `{name} = _function("{name}")` to polyad/frontend/operator_functions.py'
            cure = f"it is an operator of the table: {line}, or say in its entry how it is `written`"
            raise DefinitionError(
                f"{module} exports {name!r}, and nothing there is called so; {cure if name in OPS else 'import it'}"
            )
        members[name] = explained(members[name], f"{module}.{name}", accepted)


def _refusal(function: Callable[..., Any], name: str, args: Any, kwargs: dict[str, Any]) -> CallError | None:
    """The error for a call that the parameters do not take, None for one that they do."""
    signature = inspect.signature(function)
    try:
        signature.bind(*args, **kwargs)
    except TypeError as problem:
        text = str(problem)
    else:
        return None
    parameters = signature.parameters
    names = [n for n, p in parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    takes = f"it takes {', '.join(names)}" if names else "it takes tensors, in their order"
    unknown = next((k for k in kwargs if k not in names), None)
    if unknown is None:
        return CallError(f"{name}: {text}; {takes}", "")
    here = NUMPYS_NAMES.get(unknown)
    near = [here] if here in names else get_close_matches(unknown, names, n=1, cutoff=0.5)
    told = unknown in _INSTEAD and here not in names
    cure = f"; {_INSTEAD[unknown]}" if told else f"; it is {near[0]} here" if near else ""
    return CallError(f"{name} has no argument {unknown!r}; {takes}{cure}", unknown)
