"""Function transformations: jit, grad, value_and_grad, jvp, vjp, Jacobians and Hessians."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from polyad.errors import CallError, DTypeError, NotDifferentiableError
from polyad.frontend.argument_checks import flag
from polyad.frontend.complex_numbers.arithmetic import pair
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.parts import conjugated, taken_apart
from polyad.frontend.constants import as_tensor
from polyad.frontend.custom import ReverseOnlyError
from polyad.frontend.derivatives import differentiate, gradients, jacobian_forward, tangent
from polyad.frontend.functions import TracedFunction, argument_list
from polyad.frontend.pytrees import flatten, flatten_whole, flatten_with_paths, unflatten
from polyad.frontend.scalar_functions import stop_gradient as stop_leaf
from polyad.frontend.tensor import Tensor
from polyad.frontend.traced.differentiated import (
    all_complex,
    as_tensors,
    complex_leaves,
    leaves_of,
    like,
    of_this_step,
    real_leaves,
    rebuilt,
    scalar_output,
    separate_at,
)
from polyad.frontend.traced.static_function import StaticFunction
from polyad.runtime.foreign_arrays import is_foreign, numpy_array
from polyad.targets.target import Target

__all__ = [
    "function_title",
    "grad",
    "hessian",
    "jacfwd",
    "jacrev",
    "jit",
    "jvp",
    "kept_function",
    "own_array",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]

Argnums = int | Sequence[int]
CompiledFunction = TracedFunction | StaticFunction
"""Functions that are compiled when they are called with arrays."""


def function_title(fun: Callable[..., Any], what: str) -> str:
    """The name of a function that is made of another one."""
    base = getattr(fun, "__name__", "function")
    return f"{'function' if base == '<lambda>' else base}_{what}".rstrip("_")


def jit(
    fun: Callable[..., Any],
    target: str | Target = "openmp",
    *,
    static_argnums: Argnums | None = None,
    static_argnames: str | Sequence[str] | None = None,
    dynamic_shapes: bool = False,
) -> CompiledFunction:
    """Compile a function of pytrees of arrays: traced, compiled and run, once per signature.

    Args:
        fun: the function.
        target: what calls with arrays are compiled for. With "cuda", arrays on a GPU of any library go in and out, and
            calls take `stream=`, as those of a `Kernel`.
        static_argnums: positions of arguments that are no arrays: texts, flags, shapes, functions. They are passed on
            as they are, and the function is traced once for each of their values, which can be hashed and compared.
            Those given by name count too, where the function has a parameter there.
        static_argnames: the same by name.
        dynamic_shapes: whether one kernel serves all shapes of the same numbers of dimensions. Extents become sizes of
            the kernel, one for extents that are equal in the first call; extents 0 and 1, and other pairs of equal
            ones, are traced anew. What a function does with an extent, as in `x.shape[0]`, has to be affine then.

    Raises:
        CallError: a static argument that the function does not have; when called, one that cannot be hashed.

    Example:
        >>> f = pa.jit(lambda x, kind: pa.tanh(x) if kind == "tanh" else pa.exp(x), static_argnames="kind")
        >>> f(np.array(0.0), kind="tanh"), f(np.array(0.0), "exp")
        (array(0.), array(1.))
    """
    flag(dynamic_shapes, "jit: dynamic_shapes")
    if static_argnums is not None or static_argnames is not None:
        return StaticFunction(fun, function_title(fun, ""), target, static_argnums, static_argnames, dynamic_shapes)
    if isinstance(fun, TracedFunction) and fun.target == target and fun.dynamic_shapes == dynamic_shapes:
        return fun
    if isinstance(fun, StaticFunction):
        return StaticFunction(fun, fun.__name__, target, fun.numbers, fun.names, dynamic_shapes)
    return TracedFunction(fun, function_title(fun, ""), target, dynamic_shapes=dynamic_shapes)


def value_and_grad(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    target: str | Target | None = None,
    *,
    holomorphic: bool = False,
) -> CompiledFunction:
    """A function that returns (fun(*args), gradient with respect to the chosen arguments).

    Args:
        fun: returns a scalar, or (scalar, auxiliary pytree) with `has_aux`.
        argnums: an argument number, or several; the gradient has the structure of the argument (a tuple for several).
        has_aux: whether fun returns auxiliary data; then the value is the pair.
        target: what calls with arrays are compiled for; that of a function made by `jit` where it is not given.
        holomorphic: whether fun returns a complex number and has a derivative f'(z), which then is what is returned.

    The gradient by a complex argument z = x + i y is df/dx - i df/dy, as in JAX: that of PyTorch is its conjugate.

    Raises:
        NotDifferentiableError: an integer argument or result, or a complex result that is not said to be holomorphic.
        ShapeError: the result is not a scalar.
    """

    def value_and_gradient(*args: Any, **kwargs: Any) -> Any:
        numbers = argument_list(argnums, len(args), "value_and_grad")
        args = tuple(as_tensors(a) if n in numbers else a for n, a in enumerate(args))
        wrt, structures = leaves_of(args, numbers)
        if holomorphic:
            all_complex([args[n] for n in numbers], "grad")
        value, aux = _and_aux(taken_apart(fun(*args, **kwargs)), has_aux, "grad")
        if holomorphic and not isinstance(value, ComplexTensor):
            raise NotDifferentiableError("grad with holomorphic=True needs a function that returns a complex number")
        loss = scalar_output(value.real if holomorphic else value, "grad")
        found = gradients(loss, wrt)
        result = rebuilt(found, structures, isinstance(argnums, int))
        shown = value if holomorphic else loss
        return ((shown, aux), result) if has_aux else (shown, result)

    value_and_gradient.__doc__ = fun.__doc__
    return _derivative(value_and_gradient, fun, "value_and_grad", argnums, target)


def _derivative(
    made: Callable[..., Any],
    fun: Callable[..., Any],
    what: str,
    argnums: Argnums,
    target: str | Target | None = None,
) -> CompiledFunction:
    """A function of the arguments of `fun` that differentiates by some of them."""
    if target is None:
        target = fun.target if isinstance(fun, TracedFunction | StaticFunction) else "openmp"
    title = function_title(fun, what)
    traced = TracedFunction(made, title, target, _parameters(fun), separate_at(argnums, what))
    if isinstance(fun, StaticFunction):
        return StaticFunction(traced, title, target, fun.numbers, fun.names, fun.dynamic_shapes)
    return traced


def _parameters(fun: Callable[..., Any]) -> list[str]:
    return fun.signature if isinstance(fun, TracedFunction | StaticFunction) else TracedFunction(fun, "").signature


def grad(
    fun: Any,
    argnums: Any = 0,
    has_aux: bool = False,
    target: str | Target | None = None,
    *,
    holomorphic: bool = False,
) -> Any:
    """Gradients: of a function, as in JAX, or of a tensor, as TVM's te.gradient.

    `grad(fun, argnums=0)` returns a function with the arguments of `fun` that returns the gradient (with `has_aux`, the
    pair (gradient, auxiliary)). `grad(loss, [W, U])` returns a list of tensors, the derivatives of tensor `loss`; for a
    tensor that is not a scalar, its Jacobians. `target=` is what calls of the function are compiled for.

    By a complex argument z = x + i y the gradient is df/dx - i df/dy, as in JAX. A function with a complex result is
    refused, unless `holomorphic=True` says that it has a derivative f'(z), which then is the gradient.
    """
    if isinstance(fun, ComplexTensor):
        raise NotDifferentiableError(f"grad of the complex tensor {fun!r}: take abs(), .real or .imag of it")
    if isinstance(fun, Tensor):
        if target is not None:
            raise CallError("grad(tensor, wrt): a tensor is not compiled; compile(..., target=) takes one", "target")
        wrt: Any = argnums
        if not isinstance(argnums, Tensor | ComplexTensor | list | tuple):
            raise DTypeError("grad(tensor, wrt): wrt is a tensor or a list of tensors")
        if isinstance(wrt, Tensor) or all(isinstance(t, Tensor) for t in wrt):
            return gradients(fun, wrt)
        leaves, structure = flatten(wrt)
        return conjugated(unflatten(structure, gradients(fun, leaves)))
    if not callable(fun):
        raise DTypeError(f"grad takes a function or a tensor, not {type(fun).__name__}")
    both = value_and_grad(fun, argnums, has_aux, target, holomorphic=holomorphic)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, result = both.fun(*args, **kwargs)
        return (result, value[1]) if has_aux else result

    return _derivative(gradient, fun, "grad", argnums, target)


def jvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False) -> Any:
    """Forward mode: (fun(*primals), its derivative along tangents).

    With `has_aux`, fun returns (result, auxiliary pytree), and the auxiliary pytree is the third of what is returned.
    """
    if not isinstance(primals, tuple | list) or not isinstance(tangents, tuple | list):
        raise CallError("jvp takes a tuple of primals and a tuple of tangents", "primals")

    def push(primals: Any, tangents: Any) -> Any:
        primals = tuple(as_tensors(p) for p in primals)
        wrt, _ = leaves_of(primals, range(len(primals)))
        dots = like(tangents, primals, wrt, "tangent")
        result, aux = _and_aux(fun(*primals), has_aux, "jvp")
        outputs, structure = flatten(taken_apart(result))
        outs = [as_tensor(o) for o in outputs]
        along = tangent(outs, dict(zip(wrt, dots, strict=True)))
        made = unflatten(structure, list(outs)), unflatten(structure, along)
        return (*made, aux) if has_aux else made

    separate = separate_at(0, "jvp")
    return kept_function(fun, "jvp_aux" if has_aux else "jvp", push, separate)(tuple(primals), tuple(tangents))


def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Reverse mode: fun(*primals), and a function from the output's cotangent to the tuple of those of the primals.

    With `has_aux`, fun returns (result, auxiliary pytree), and the auxiliary pytree is the third of what is returned.
    """

    def pull(primals: Any, cotangent: Any) -> Any:
        primals = tuple(as_tensors(p) for p in primals)
        wrt, structures = leaves_of(primals, range(len(primals)))
        result = taken_apart(_and_aux(fun(*primals), has_aux, "vjp")[0])
        outs = [of_this_step(as_tensor(o)) for o in flatten(result)[0]]
        heads = like(conjugated(taken_apart(cotangent)), result, outs, "cotangent")
        total: list[Any] = [None] * len(wrt)
        for o, h in zip(outs, heads, strict=True):
            part = differentiate(o, wrt, h)
            for n, t in enumerate(wrt):
                total[n] = part[t] if total[n] is None else total[n] + part[t]
        return rebuilt(total, structures, False)

    # Of this point, wherever the caller's arrays are by the time he asks: x -= step is in place.
    paths, leaves, structure = flatten_with_paths(primals, "args")
    primals = unflatten(structure, [own_array(x, path) for x, path in zip(leaves, paths, strict=True)])
    run = kept_function(fun, "primal", fun)
    back = kept_function(fun, "vjp_aux" if has_aux else "vjp", pull, separate_at(0, "vjp"))
    found, aux = _and_aux(run(*primals), has_aux, "vjp")

    def pullback(cotangent: Any) -> Any:
        return back(tuple(primals), cotangent)

    return (found, pullback, aux) if has_aux else (found, pullback)


def own_array(x: Any, path: str) -> Any:
    """An array, of any library, that nobody else can change."""
    given = is_foreign(x) and not isinstance(x, Tensor)
    return np.array(numpy_array(x, f"argument {path}", path)) if given else x


_CACHE: dict[tuple[int, str], tuple[Any, TracedFunction]] = {}


def kept_function(
    fun: Callable[..., Any],
    what: str,
    made: Callable[..., Any],
    separate: Callable[[tuple[Any, ...]], tuple[Any, ...]] = tuple,
) -> TracedFunction:
    """One traced function per user function and use, so that repeated calls do not trace again."""
    key = (id(fun), what)
    if key not in _CACHE or _CACHE[key][0] is not fun:
        if len(_CACHE) > 256:
            _CACHE.clear()
        _CACHE[key] = (fun, TracedFunction(made, function_title(fun, what), separate=separate))
    return _CACHE[key][1]


def jacrev(
    fun: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, *, holomorphic: bool = False
) -> CompiledFunction:
    """Jacobians by reverse mode, of shape output.shape + argument.shape: good when outputs are few.

    By a complex argument z = x + i y a row is df/dx - i df/dy, as the gradient. Complex results are those of functions
    that have a derivative by z: `holomorphic=True` says so. With `has_aux`, fun returns (result, auxiliary pytree), and
    the function (Jacobians, auxiliary).

    Raises:
        NotDifferentiableError: an integer argument or result, or a complex result that is not said to be holomorphic.
    """

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        numbers = argument_list(argnums, len(args), "jacrev")
        args = tuple(as_tensors(a) if n in numbers else a for n, a in enumerate(args))
        wrt, structures = leaves_of(args, numbers)
        result, aux = _and_aux(fun(*args, **kwargs), has_aux, "jacrev")
        if holomorphic:
            all_complex([args[n] for n in numbers], "jacrev")
            outputs, structure = complex_leaves(result, "jacrev")
            outputs = [o.real for o in outputs]
        else:
            outputs, structure = real_leaves(result, "jacrev")
        rows = []
        for o in outputs:
            rows.append(rebuilt(gradients(of_this_step(as_tensor(o)), wrt), structures, isinstance(argnums, int)))
        made = unflatten(structure, rows)
        return (made, aux) if has_aux else made

    return _derivative(jacobian, fun, "jacrev", argnums)


def jacfwd(
    fun: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, *, holomorphic: bool = False
) -> CompiledFunction:
    """Jacobians by forward mode, of shape output.shape + argument.shape: good when arguments are few.

    Arguments are real, and results may be complex; with `holomorphic=True` both are complex, and fun has a derivative
    by z. With `has_aux`, fun returns (result, auxiliary pytree), and the function (Jacobians, auxiliary).

    Raises:
        NotDifferentiableError: an integer argument or result, or a complex argument that is not said to be holomorphic.
    """

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        numbers = argument_list(argnums, len(args), "jacfwd")
        args = tuple(as_tensors(a) if n in numbers else a for n, a in enumerate(args))
        if holomorphic:
            all_complex([args[n] for n in numbers], "jacfwd")
        else:
            real_leaves([args[n] for n in numbers], "jacfwd")
        wrt, structures = leaves_of([_of_reals(args[n]) for n in numbers], range(len(numbers)))
        result, aux = _and_aux(fun(*args, **kwargs), has_aux, "jacfwd")
        if holomorphic:
            complex_leaves(result, "jacfwd")
        _, whole, structure = flatten_whole(taken_apart(result), ComplexTensor)
        parts = flatten(whole)[0]
        columns = [iter(jacobian_forward([as_tensor(o) for o in parts], w)) for w in wrt]
        rows = []
        for o in whole:
            is_pair = isinstance(o, ComplexTensor)
            row = [pair(next(c), next(c)) if is_pair else next(c) for c in columns]
            rows.append(rebuilt(row, structures, isinstance(argnums, int), conjugates=False))
        made = unflatten(structure, rows)
        return (made, aux) if has_aux else made

    return _derivative(jacobian, fun, "jacfwd", argnums)


def _of_reals(tree: Any) -> Any:
    """The same pytree with the real part of each complex tensor: along it a function of z changes by its derivative."""
    _, leaves, structure = flatten_whole(tree, ComplexTensor)
    return unflatten(structure, [x.real if isinstance(x, ComplexTensor) else x for x in leaves])


def _and_aux(result: Any, has_aux: bool, what: str) -> tuple[Any, Any]:
    """The part of a function's result that is differentiated, and the rest."""
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        raise NotDifferentiableError(f"{what}: with has_aux=True the function returns a pair (value, auxiliary)")
    return result


def hessian(fun: Callable[..., Any], argnums: Argnums = 0, *, holomorphic: bool = False) -> CompiledFunction:
    """Second derivatives of a scalar function, forward over reverse: shape argument.shape + argument.shape."""
    inner = grad(fun, argnums, holomorphic=holomorphic)
    forward, backward = (j(inner.fun, argnums, holomorphic=holomorphic) for j in (jacfwd, jacrev))

    def second(*args: Any, **kwargs: Any) -> Any:
        try:
            return forward.fun(*args, **kwargs)
        except ReverseOnlyError:  # a rule of the user's
            return backward.fun(*args, **kwargs)

    return _derivative(second, fun, "hessian", argnums)


def stop_gradient(t: Any) -> Any:
    """The same values, with derivative zero, leaf by leaf."""
    leaves, structure = flatten(t)
    return unflatten(structure, [stop_leaf(x) for x in leaves])
