"""`cond` and `switch`: one of several functions, chosen while tracing or by data.

A choice that Python knows calls one function only. One that is affine in sizes or in the counter of a loop cuts
domains: each branch is evaluated where it is taken. One by data evaluates all branches and selects: results and
derivatives are those of the branch taken, whatever the others make (docs/decisions/0065-control-flow-in-jax-words.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from polyad.errors import DefinitionError, DTypeError, ShapeError
from polyad.frontend.argument_checks import function, several
from polyad.frontend.complex_numbers.arithmetic import alike
from polyad.frontend.constants import as_tensor
from polyad.frontend.control.conditions import is_affine, under
from polyad.frontend.definition import TensorBase
from polyad.frontend.pytrees import flatten_with_paths, unflatten
from polyad.frontend.scalar import (
    Applied,
    Element,
    IndexExpr,
    Number,
    Scalar,
    Selected,
    as_scalar,
    described,
    is_number,
)
from polyad.frontend.tensor import define, user_line
from polyad.ir.element_types import is_integer
from polyad.islx import LOCK

__all__ = ["cond", "selected", "switch"]


def cond(pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], *operands: Any) -> Any:
    """true_fun(*operands) where pred holds, else false_fun(*operands), as `jax.lax.cond`.

    A truth value of Python decides while tracing: the other function is not called. A condition on the counter of
    `fori_loop`, with comparisons, `&`, `|` and `~`, cuts the loop: each branch is computed in the steps that take it,
    and only there its reads have to be in order, such as x[i - 1] where i > 0. A condition on data selects: both
    branches are computed, except that what is computed element by element in the last expression is skipped where C
    can; derivatives are those of the branch taken, also where that of the other one is infinite or not a number.

    Args:
        pred: one truth value, or a number, which stands for being other than 0.
        true_fun: function of the operands that returns a pytree of tensors.
        false_fun: another one, whose results have the same structure and shapes.
        operands: pytrees that are passed on.

    Raises:
        ShapeError: pred is not a scalar, or the branches return different shapes; names the leaf.
        DefinitionError: the branches return different structures.

    Example:
        >>> pa.jit(lambda x: pa.cond(x > 0, pa.sqrt, lambda x: 0.0 * x, x))(np.array(4.0))
        array(2.)
    """
    where = user_line()
    function(true_fun, f"{where}: cond: true_fun")
    function(false_fun, f"{where}: cond: false_fun")
    with LOCK:
        test = _truth(pred, where)
        if isinstance(test, bool):
            return (true_fun if test else false_fun)(*operands)
        branches = _traced([test], [true_fun, false_fun], operands)
        return selected([test], branches, ["true_fun", "false_fun"], f"{where}: cond")


def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any) -> Any:
    """branches[index](*operands), as `jax.lax.switch`; an index outside of the list is that of the nearest branch.

    An integer of Python decides while tracing. What is computed otherwise is as in `cond`.

    Args:
        index: an integer.
        branches: functions of the operands whose results have the same structure and shapes.
        operands: pytrees that are passed on.

    Raises:
        DTypeError: the index is no integer.
        ShapeError: it is not a scalar, or the branches return different shapes; names the leaf.
        DefinitionError: there are no branches, or they return different structures.

    Example:
        >>> pa.jit(lambda i, x: pa.switch(i, [pa.sin, pa.cos, pa.exp], x))(7, np.array(0.0))
        array(1.)
    """
    where = user_line()
    functions = [function(f, f"{where}: switch: a branch") for f in several(branches, f"{where}: switch: branches")]
    if not functions:
        raise DefinitionError(f"{where}: switch needs at least one branch")
    with LOCK:
        at = _integer(index, where)
        if isinstance(at, int):
            return functions[min(max(at, 0), len(functions) - 1)](*operands)
        tests: list[Scalar] = [Applied("le", (at, Number(n))) for n in range(len(functions) - 1)]
        names = [f"branch {n}" for n in range(len(functions))]
        return selected(tests, _traced(tests, functions, operands), names, f"{where}: switch")


def _traced(tests: Sequence[Scalar], functions: Sequence[Callable[..., Any]], operands: Sequence[Any]) -> list[Any]:
    """The results of the functions, each defined where it is taken, if that is affine."""
    if not all(map(is_affine, tests)):
        return [f(*operands) for f in functions]
    found, before = [], list[Scalar]()
    for n, f in enumerate(functions):
        taken = [*before, *tests[n : n + 1]]
        if not taken:  # one branch
            return [f(*operands)]
        with under(reduce(lambda a, b: Applied("and", (a, b)), taken)):
            found.append(f(*operands))
        before += [Applied("not", (t,)) for t in tests[n : n + 1]]
    return found


def selected(tests: Sequence[Scalar], trees: Sequence[Any], names: Sequence[str], what: str) -> Any:
    """The first tree whose test holds, the last one where none does, leaf by leaf.

    Args:
        tests: scalars of truth values, one less than there are trees.
        trees: pytrees of one structure, with leaves of the same shapes.
        names: of the trees, for messages.
        what: the user's call, for messages.
    """
    trees = alike(trees)
    paths, _, structure = flatten_with_paths(trees[0], "result")
    columns = []
    for tree, name in zip(trees, names, strict=True):
        found, leaves, own = flatten_with_paths(tree, "result")
        if own != structure:
            raise DefinitionError(
                f"{what}: {names[0]} returns the leaves {', '.join(paths) or 'none'}, {name} "
                f"{', '.join(found) or 'none'}: their structures have to agree"
            )
        columns.append(leaves)
    rows = list(zip(*columns, strict=True))
    return unflatten(
        structure, [_choice(tests, row, names, f"{what}: {path}") for row, path in zip(rows, paths, strict=True)]
    )


def _choice(tests: Sequence[Scalar], leaves: Sequence[Any], names: Sequence[str], what: str) -> Any:
    """One leaf; inside of the body of a `compute`, where leaves are elements, an element."""
    if any(isinstance(x, Scalar) for x in leaves):
        return _nested(tests, [as_scalar(x) for x in leaves])
    tensors = [as_tensor(x, f"{what} of {name}") for x, name in zip(leaves, names, strict=True)]
    for t, name in zip(tensors, names, strict=True):
        if t.shape_affine != tensors[0].shape_affine:
            raise ShapeError(
                f"{what} of {names[0]} has shape {tensors[0].shape}, of {name} {t.shape}; they have to agree"
            )
    return define(tensors[0].shape, lambda *i: _nested(tests, [t.element(i) for t in tensors]), "chosen")


def _nested(tests: Sequence[Scalar], values: Sequence[Scalar]) -> Scalar:
    result = values[-1]
    for test, value in zip(reversed(tests), reversed(values[:-1]), strict=True):
        result = Selected(test, value, result)
    return result


def _truth(pred: Any, where: str) -> bool | Scalar:
    """A bool where it is known while tracing, else a scalar of dtype bool."""
    value = _scalar(pred, f"{where}: cond: pred")
    if not isinstance(value, Scalar):
        return bool(value)
    if isinstance(value, Element) and value.tensor.dtype != "bool":
        return Applied("ne", (value, Number(0)))
    return Applied("ne", (value, Number(0))) if isinstance(value, IndexExpr) else value


def _integer(index: Any, where: str) -> int | Scalar:
    """An int where it is known while tracing, else a scalar of integers."""
    value = _scalar(index, f"{where}: switch: index")
    kind = (
        value.tensor.dtype
        if isinstance(value, Element)
        else np.asarray(value).dtype.name
        if is_number(value)
        else "int"
    )
    if not is_integer(kind):
        raise DTypeError(f"{where}: switch: index is of type {kind}; it has to be an integer (astype converts)")
    return value if isinstance(value, Scalar) else int(value)


def _scalar(value: Any, what: str) -> Any:
    """A number, or a scalar of a body, of what is one number.

    Raises:
        ShapeError: it has dimensions.
        DTypeError: no number.
    """
    if isinstance(value, np.ndarray) and not value.ndim:
        return value[()]
    if is_number(value):
        return value
    if isinstance(value, TensorBase | np.ndarray) and value.ndim:
        raise ShapeError(f"{what} has {value.ndim} dimensions; it has to be one value (pa.select chooses elementwise)")
    if isinstance(value, TensorBase):
        return Element(value, ())
    if isinstance(value, Scalar):
        return value
    raise DTypeError(f"{what} must be one truth value or number, not {described(value)}")
