"""Judges: values to rounding, derivatives along random directions, by references that run the same text."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tests.campaign import words_jax
from tests.campaign.dual import Dual, primal
from tests.campaign.program import Program
from tests.campaign.words_reference import Words

__all__ = [
    "RELATIVE",
    "NotFiniteError",
    "Values",
    "WrongError",
    "against_evaluator",
    "against_peer",
    "against_reference",
    "extra_inputs",
    "referenced",
]

Values = Mapping[str, np.ndarray]

RELATIVE = {"float64": 1e-9, "float32": 3e-4}


def _allowed(program: Program, inputs: Values) -> float:
    """The relative difference that is allowed: for n numbers that are added up one by one, more than n roundings."""
    largest = max((x.size for x in inputs.values()), default=1)
    return RELATIVE[program.dtype] + largest * float(np.finfo(program.dtype).eps)


class WrongError(AssertionError):
    """A result differs from its reference."""


class NotFiniteError(Exception):
    """The reference itself overflows: the program says nothing."""


def extra_inputs(program: Program, shapes: Mapping[str, tuple[int, ...]], dtypes: Mapping[str, str]) -> dict[str, Any]:
    """Random weights of outputs and tangents of inputs, by name."""
    found = {}
    for n, (name, shape) in enumerate(sorted(shapes.items())):
        rng = np.random.default_rng([7, n])
        found[name] = rng.uniform(-1.0, 1.0, shape).astype(dtypes[name])
    return found


def _wide(values: np.ndarray) -> np.ndarray:
    return values.astype("float64") if values.dtype.kind == "f" else values


def _close(what: str, found: Any, wanted: Any, allowed: float, program: Program, excused: Any = False) -> None:
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.shape != wanted.shape:
        raise WrongError(f"{what}: shape {found.shape}, should be {wanted.shape}")
    if not wanted.size:
        return
    if wanted.dtype.kind in "iub":
        bad = found != wanted
    else:
        finite = np.isfinite(wanted)
        if not np.all(finite) and not program.odd:
            raise NotFiniteError(what)
        wide = _wide(found)
        scale = np.max(np.abs(wanted), where=finite, initial=0.0) + 1.0
        with np.errstate(invalid="ignore", over="ignore"):
            bad = ~(np.abs(wide - wanted) <= allowed * scale)
        bad &= ~((wide == wanted) | (np.isnan(wide) & np.isnan(wanted)))  # what is not finite is compared as it is
    bad &= ~np.asarray(excused)
    if np.any(bad):
        at = tuple(int(i[0]) for i in np.nonzero(bad)) if bad.ndim else ()
        count = f"{int(np.sum(bad))} of {bad.size} elements"
        raise WrongError(f"{what}{list(at)} = {found[at]}, should be {wanted[at]}; {count}")


def _pairs(a: Sequence[Any], b: Sequence[Any]) -> tuple[float, float]:
    """(the sum of products, the sum of their magnitudes)."""
    products = [_wide(np.asarray(x)) * _wide(np.asarray(y)) for x, y in zip(a, b, strict=True)]
    return float(sum(np.sum(p) for p in products)), float(sum(np.sum(np.abs(p)) for p in products))


def _dot(x: Any, shape: tuple[int, ...]) -> Any:
    return x.dot if isinstance(x, Dual) else np.zeros(shape)


def _run(program: Program, words: Any, extents: Mapping[str, int], arguments: Sequence[Any]) -> list[Any]:
    with np.errstate(all="ignore"):
        found = program.function(extents)(words, *arguments)
    return list(found) if isinstance(found, tuple | list) else [found]


def referenced(
    program: Program,
    extents: Mapping[str, int],
    inputs: Values,
    extra: Values,
    kind: str = "float64",
    one_by_one: bool = False,
) -> tuple[list[Any], dict[str, np.ndarray]]:
    """Return the reference's values, dual numbers where derivatives are asked for, and the directions of these.

    Args:
        program: judged.
        extents: of the call.
        inputs: name -> array.
        extra: weights and tangents of the call.
        kind: the type that it computes in.
        one_by_one: whether numbers are added up one after the other, as a loop does it, not in pairs.
    """
    mode = program.options.mode

    def wide(values: np.ndarray) -> np.ndarray:
        return values.astype(kind) if values.dtype.kind == "f" else values

    exact = {name: wide(v) for name, v in inputs.items()}
    rng = np.random.default_rng(11)
    along = {n: wide(rng.uniform(-1.0, 1.0, exact[n].shape)) for n in program.differentiable}
    if mode == "jvp":
        along = {n: wide(extra[f"dot_{n}"]) for n in along}
    given: dict[str, Any] = dict(exact)
    if mode == "second":
        for n, u in along.items():
            given[n] = Dual(Dual(exact[n], wide(extra[f"dot_{n}"])), Dual(u, np.zeros_like(u)))
    elif mode != "value":
        given |= {n: Dual(exact[n], u) for n, u in along.items()}
    return _run(program, Words(one_by_one), extents, list(given.values())), along


def against_reference(
    program: Program, extents: Mapping[str, int], inputs: Values, extra: Values, results: Sequence[np.ndarray]
) -> None:
    """Judge what a kernel gave, values first, then derivatives.

    Args:
        program: judged.
        extents: of the call.
        inputs: name -> array.
        extra: weights `head_n` and tangents `dot_x` of the call.
        results: in order.

    Raises:
        WrongError: with the first element that differs.
        NotFiniteError: the reference overflows.
    """
    mode, allowed = program.options.mode, _allowed(program, inputs)
    wanted, along = referenced(program, extents, inputs, extra)
    count = len(wanted)
    for n, w in enumerate(wanted):
        _close(f"value {n}", results[n], primal(w), allowed, program)
    rest = results[count:]
    if mode == "value":
        return
    if mode == "jvp":
        floats = [w for w in wanted if np.asarray(primal(w)).dtype.kind == "f"]
        for n, (r, w) in enumerate(zip(rest, floats, strict=True)):
            _close(f"tangent {n}", r, _dot(w, np.shape(primal(w))), allowed, program)
        return
    for name, r in zip(program.differentiable, rest, strict=True):
        if not np.all(np.isfinite(r)):
            raise WrongError(f"derivative by {name} is not finite: {np.asarray(r).ravel()[:6]}")
    found, size = _pairs(rest, list(along.values()))
    if mode == "grad":
        slope = float(_dot(wanted[0], ()))
    elif mode == "vjp":
        floats = [w for w in wanted if np.asarray(primal(w)).dtype.kind == "f"]
        slope, more = _pairs(
            [_dot(w, np.shape(primal(w))) for w in floats], [extra[f"head_{n}"] for n in range(len(floats))]
        )
        size += more
    else:
        inner = _dot(wanted[0], ())
        slope = float(inner.dot) if isinstance(inner, Dual) else 0.0
    if not np.isfinite(slope):
        raise NotFiniteError("slope")
    if not abs(found - slope) <= allowed * (size + 1.0):
        raise WrongError(f"derivative along a direction is {found!r}, should be {slope!r} (terms of {size:.3g})")


def against_evaluator(
    results: Values, wanted: Values, program: Program, excused: Mapping[str, np.ndarray] | None = None
) -> None:
    """Every element of every result, derivatives included, but for those that are excused."""
    for name, w in wanted.items():
        if w.dtype.kind == "f" and not np.all(np.isfinite(w)) and not program.odd:
            raise NotFiniteError(name)
        apart = 10 * RELATIVE[program.dtype]
        _close(f"{name} against the evaluator", results[name], w, apart, program, (excused or {}).get(name, False))


def against_peer(
    program: Program, extents: Mapping[str, int], inputs: Values, extra: Values, results: Sequence[np.ndarray]
) -> bool:
    """The gradient, element by element, against JAX; False where JAX cannot say."""
    ties = any(i.kind == "ties" for i in program.inputs.values())
    if not program.peers or ties or program.options.mode not in ("grad", "vjp") or not words_jax.available():
        return False
    # Only here, because it takes seconds.
    import jax

    m = words_jax.words()
    f = program.function(extents)
    names = program.differentiable

    def loss(floats: dict[str, Any]) -> Any:
        found = f(m, *({**inputs, **floats}[n] for n in program.inputs))
        values = list(found) if isinstance(found, tuple | list) else [found]
        if program.options.mode == "grad":
            return values[0]
        parts = [v for v in values if jax.numpy.issubdtype(v.dtype, jax.numpy.floating)]
        return sum(jax.numpy.sum(v * _wide(extra[f"head_{n}"])) for n, v in enumerate(parts))

    wide = {n: jax.numpy.asarray(_wide(inputs[n])) for n in names}
    found = dict(zip(names, results[len(results) - len(names) :], strict=True))

    def agree(gradients: dict[str, Any]) -> bool:
        if not all(np.all(np.isfinite(gradients[n])) for n in names):
            return False  # JAX multiplies zeros by infinities where a branch is not taken
        for n in names:
            _close(f"derivative by {n} against JAX", found[n], gradients[n], 10 * RELATIVE[program.dtype], program)
        return True

    try:
        return agree(jax.jit(jax.grad(loss))(wide))
    except WrongError:
        # XLA's own optimisations may be what is wrong: elementwise/20/3, where central differences agree with the rest.
        return agree(jax.grad(loss)(wide))
