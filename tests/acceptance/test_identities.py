"""<J v, u> = <v, J' u> on the programs people write, derivatives of derivatives, and proof that the checks can fail."""

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import polyad as pa
import polyad.ad.reverse
from polyad.ops import OPS
from polyad.ops.registry import apply, const
from tests.acceptance.compiled_checks import Case, Compiled, check, check_slope, check_value
from tests.acceptance.native_batch import GuardError, NativeBatch
from tests.acceptance.structured import STRUCTURED

QUICK_OR_SLOW = [pytest.param(t, marks=pytest.mark.slow) if s.slow else t for t, s in STRUCTURED.items()]


def compiled(title: str, dtype: str = "float64", optimize: int = 0, serial: bool = True) -> Compiled:
    outputs, inputs = STRUCTURED[title].make(dtype)
    batch = NativeBatch(optimize)
    result = Compiled.add(Case.of_tensors(title, outputs, inputs), batch, serial=serial)
    batch.build()
    return result


@pytest.mark.parametrize("title", QUICK_OR_SLOW)
@pytest.mark.quick_cases(1)
def test_structured(title: str) -> None:
    """Values, garbage, threads and the identity, at minimal and odd sizes."""
    case, sizes = compiled(title), STRUCTURED[title].sizes
    for seed, at in enumerate(sizes):
        check(case, at, seed)
    for at in sizes[:2]:
        check_value(case, at)
    if STRUCTURED[title].smooth:
        check_slope(case, sizes[1])


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("title", STRUCTURED)
def test_structured_as_users_compile_it(title: str, dtype: str) -> None:
    """The same at full optimisation, where loops become vectors, and at sizes at which several threads get work.

    In single precision with OpenMP only; one of each kind without it is in test_levels.py.
    """
    case, sizes = compiled(title, dtype, optimize=3, serial=dtype == "float64"), STRUCTURED[title].sizes
    larger = {n: 2 * v + 9 for n, v in sizes[-1].items()}
    for seed, at in enumerate((*sizes, larger)):
        check(case, at, seed)


SINGLE = [*(pytest.param(t, marks=pytest.mark.slow) for t in ("RNN", "soft-DTW", "conv2d strided")), "heat"]


@pytest.mark.parametrize("title", SINGLE)
def test_single_precision(title: str) -> None:
    case = compiled(title, "float32")
    for at in STRUCTURED[title].sizes:
        check(case, at)


# Derivatives of derivatives.


def second_order(title: str) -> None:
    """Hessian times vector: forward over reverse, reverse over reverse, central differences of the gradient."""
    outputs, inputs = STRUCTURED[title].make("float64")
    loss = pa.compute((), lambda: 0.0)
    for o in outputs:
        loss = loss + (pa.sin(o).sum() if o.ndim else pa.sin(o))
    wrt = [t for t in inputs if t.dtype.startswith("float")][:2]
    dots = [pa.placeholder(t.shape, f"{t.name}_dot", t.dtype) for t in wrt]
    first = pa.grad(loss, wrt)
    forth = pa.tangent(first, dict(zip(wrt, dots, strict=True)))
    slope = pa.compute((), lambda: 0.0)
    for g, d in zip(first, dots, strict=True):
        slope = slope + ((g * d).sum() if g.ndim else g * d)
    back = pa.grad(slope, wrt)
    target = pa.Target("c", optimize=0)
    gradient = pa.compile(first, inputs, name="gradient", target=target)
    products = pa.compile([*forth, *back], [*inputs, *dots], name="hessian_product", target=target)

    rng = np.random.default_rng(0)
    sizes = STRUCTURED[title].sizes[-1]
    values = {}
    for t in (*inputs, *dots):
        shape = tuple(e.evaluate(sizes) for e in t.shape_affine)
        integer = t.dtype.startswith("int")
        values[t.name] = rng.integers(0, min(sizes.values()), shape) if integer else 0.5 * rng.normal(size=shape)
    found = products(*(values[t.name] for t in (*inputs, *dots)), **sizes)
    forward, backward = found[: len(wrt)], found[len(wrt) :]
    step = 1e-5
    moved = []
    for e in (step, -step):
        at = values | {t.name: values[t.name] + e * values[d.name] for t, d in zip(wrt, dots, strict=True)}
        answer = gradient(*(at[t.name] for t in inputs), **sizes)
        moved.append(list(answer) if isinstance(answer, tuple) else [answer])
    for f, b, plus, minus in zip(forward, backward, *moved, strict=True):
        numerical = (plus - minus) / (2 * step)
        scale = 1 + np.max(np.abs(numerical))
        np.testing.assert_allclose(f, numerical, rtol=1e-5, atol=1e-6 * scale)
        np.testing.assert_allclose(b, f, rtol=1e-10, atol=1e-12 * scale)  # the Hessian is symmetric


@pytest.mark.parametrize("title", ["conv1d", "attention", "products", "embedding", "linear recurrence", "GARCH"])
@pytest.mark.quick_cases(1)
def test_second_order(title: str) -> None:
    second_order(title)


@pytest.mark.slow
@pytest.mark.parametrize("title", ["RNN", "GRU", "LSTM", "soft-DTW", "HMM", "heat", "triangular solve", "nested scans"])
def test_second_order_of_scans(title: str) -> None:
    second_order(title)


def chain(x: pa.Tensor) -> pa.Tensor:
    """A small function with a scan, a product and a quotient."""
    last, ys = pa.scan(lambda h, v: (pa.sin(h * v) + v, h * h), x[0], x)
    return last + (ys * x).sum() + x.prod() / (1.0 + (x * x).sum())


X = np.array([0.3, -0.7, 1.1, 0.4])
STEP = 1e-5


def columns(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """The Jacobian of f by central differences, the argument's dimension last."""
    eye = STEP * np.eye(x.size)
    return np.stack([(f(x + e) - f(x - e)) / (2 * STEP) for e in eye], axis=-1)


@pytest.mark.slow
def test_hessian() -> None:
    gradient = pa.grad(chain)
    np.testing.assert_allclose(gradient(X), columns(pa.jit(chain), X), rtol=1e-7, atol=1e-8)
    hessian = pa.hessian(chain)(X)
    np.testing.assert_allclose(hessian, columns(gradient, X), rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(hessian, hessian.T, rtol=1e-12, atol=1e-12)


@pytest.mark.slow
def test_forward_and_reverse_jacobians_of_a_gradient() -> None:
    gradient = pa.grad(chain)
    np.testing.assert_allclose(pa.jacfwd(gradient)(X), pa.jacrev(gradient)(X), rtol=1e-11, atol=1e-12)


def test_grad_of_grad_of_grad() -> None:
    f = pa.grad(pa.grad(pa.grad(lambda x: pa.sin(x) * pa.exp(0.5 * x))))
    x = 0.8
    s, c = np.sin(x), np.cos(x)
    np.testing.assert_allclose(f(x), np.exp(0.5 * x) * ((0.125 - 1.5) * s + (0.75 - 1) * c), rtol=1e-13)


@pytest.mark.slow
def test_jvp_of_vjp() -> None:
    """The tangent of the gradient is the Hessian times the direction."""
    v = np.array([0.2, 1.0, -0.5, 0.3])
    value, dot = pa.jvp(pa.grad(chain), (X,), (v,))
    np.testing.assert_allclose(value, pa.grad(chain)(X), rtol=1e-14)
    np.testing.assert_allclose(dot, pa.hessian(chain)(X) @ v, rtol=1e-11)


# Every check fails on a wrong program.


def rewritten(title: str, change: Callable[[str], str]) -> Compiled:
    """A structured program whose C text was changed before it was compiled."""
    outputs, inputs = STRUCTURED[title].make("float64")
    batch = NativeBatch()
    result = Compiled.add(Case.of_tensors(title, outputs, inputs), batch)
    before = [s.c for s in batch.sources]
    batch.sources = [replace(s, c=change(s.c)) for s in batch.sources]
    assert any(s.c != b for s, b in zip(batch.sources, before, strict=True)), "the change found nothing to change"
    batch.build()
    return result


@pytest.mark.slow
def test_a_wrong_partial_is_seen_by_central_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = lambda args, y: (apply("sub", const(1, y.dtype), y),)  # noqa: E731 - 1 - y for tanh
    monkeypatch.setitem(OPS, "tanh", replace(OPS["tanh"], partials=wrong))
    case = compiled("RNN")
    check(case, STRUCTURED["RNN"].sizes[1])  # both modes use the same wrong rule
    with pytest.raises(AssertionError):
        check_slope(case, STRUCTURED["RNN"].sizes[1])


@pytest.mark.slow
def test_a_wrong_transpose_is_seen_by_the_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    right = polyad.ad.reverse.partials

    def forgetful(*args: object) -> object:
        """One read of a body with several is left out, backwards only."""
        found = right(*args)  # type: ignore[arg-type]
        return found[:-1] if len(found) > 2 else found

    monkeypatch.setattr(polyad.ad.reverse, "partials", forgetful)
    case = compiled("soft-DTW")
    check_value(case, {"N": 3, "M": 2})
    with pytest.raises(AssertionError, match="<Jv, u>"):
        check(case, {"N": 3, "M": 2})


def test_a_wrong_value_is_seen_by_the_evaluator() -> None:
    with pytest.raises(AssertionError):
        check_value(rewritten("linear recurrence", lambda c: c.replace(" + ", " - ")), {"T": 3, "H": 2})


def test_a_missing_first_write_is_seen_over_garbage() -> None:
    case = rewritten("embedding", lambda c: "\n".join(x for x in c.splitlines() if not x.endswith("= 0.0;")))
    with pytest.raises(GuardError, match="depends on what the memory held before"):
        check(case, {"T": 3, "V": 2, "E": 2})


def test_a_write_beside_the_array_is_seen_by_the_guards() -> None:
    case = rewritten("linear recurrence", lambda c: c.replace("h[t * H + i] =", "h[t * H + i + 1] ="))
    with pytest.raises(GuardError, match="wrote behind"):
        check(case, {"T": 3, "H": 2})


def test_a_sum_split_over_threads_is_seen_in_the_bits() -> None:
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", "float64")
    batch = NativeBatch()
    case = Compiled.add(Case.of_tensors("sum", [x.sum()], [x]), batch)
    parallel = case.primal[1]
    text, changes = re.subn(r"\? PA_PARTS", "? (omp_get_max_threads() == 1 ? PA_PARTS : 7)", batch.sources[parallel].c)
    assert changes == 1
    batch.sources[parallel] = replace(batch.sources[parallel], c=f"#include <omp.h>\n{text}")
    batch.build()
    rng = np.random.default_rng(0)
    values = rng.normal(size=1000) * 10.0 ** rng.integers(-8, 8, 1000)  # so that every order rounds differently
    with pytest.raises(AssertionError, match="threads"):
        check(case, {"N": 1000}, given={"x": values})
