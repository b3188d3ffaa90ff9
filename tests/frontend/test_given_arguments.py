"""Arguments that functions do not take: a `CallError` that names the argument and says what to do."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from polyad import numpy as pn
from polyad.frontend.given_arguments import explain_arguments, explained
from tests.evaluated import values_of

X = pa.placeholder((3, 4), "X", "float64")


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (m, name)
        for m in (pn, nn, pn.linalg)
        for name in m.__all__
        if callable(getattr(m, name)) and not isinstance(getattr(m, name), type)
    ],
)
def test_every_public_function_refuses_by_name(module: Any, name: str) -> None:
    with pytest.raises(pa.CallError, match=f"polyad.*{name} has no argument 'subok'") as caught:
        getattr(module, name)(X, subok=True)
    assert caught.value.argument == "subok"


CALLS: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: pn.argmax(X, where=X > 0),
        r"numpy.argmax has no argument 'where'; it takes x, axis, keepdims; .*where\(",
    ),
    (lambda: pn.sum(X, a=X), "multiple values for argument 'x'; it takes x, axis"),
    (lambda: pn.sum(a=X, x=X), "'a'; it takes x, .*; it is x here"),
    (lambda: pn.sum(axes=0, a=X), "'axes'; .*; it is axis here"),
    (lambda: pn.mean(X, initial=0.0), r"'initial'; .*maximum\(max\(x\), initial\)"),
    (lambda: pn.max(X, dtype="float32"), "'dtype'.*; convert with .astype"),
    (lambda: pn.exp(X, where=X > 0), "numpy.exp has no argument 'where'; it takes tensors, in their order"),
    (lambda: pn.take(X, [0], out=np.zeros(1)), "'out'.*; a tensor has no memory to fill"),
    (lambda: nn.relu(X, where=X > 0), "nn.relu has no argument 'where'"),
    (lambda: nn.log_softmax(X, b=2.0), "'b'.*; scale first"),
    (lambda: X.cumsum(where=X > 0), "the tensor's cumsum has no argument 'where'"),
    (lambda: X.reshape(12, order="F"), "'order'.*; leave it out: tensors are row-major"),
    (lambda: np.exp(X, where=X > 0), "numpy.exp has no argument 'where'"),
    (lambda: pn.sum(), "numpy.sum: missing a required argument: 'x'; it takes x, axis, keepdims, dtype"),
    (lambda: pn.concatenate([X, X], 0, None, 1), "too many positional arguments; it takes tensors, axis"),
    (lambda: pn.var(X, ddof=1, correction=1), "two names of one argument"),
]


@pytest.mark.parametrize(("call", "text"), CALLS)
def test_what_it_takes_and_what_to_do(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(pa.CallError, match=text) as caught:
        call()
    assert len(str(caught.value)) < 200


def test_names_of_pytorch_that_mean_the_same() -> None:
    """They are taken where the function has the argument, and none of that name; twice they are refused."""
    image = pa.placeholder((1, 1, 4, 4), "image", "float64")
    assert nn.softmax(input=X, dim=0).shape == (3, 4)
    assert nn.max_pool2d(image, kernel_size=2).shape == nn.upsample(image[:, :, :1, :1], scale_factor=2).shape
    for call in (lambda: nn.softmax(X, axis=0, dim=0), lambda: nn.relu(X, dim=0)):
        with pytest.raises(pa.CallError, match="has no argument 'dim'"):
            call()


@pytest.mark.parametrize(
    ("ours", "numpys"),
    [
        (lambda x: pn.sum(a=x, axis=0), lambda x: np.sum(a=x, axis=0)),
        (lambda x: pn.clip(a=x, a_min=-0.5, a_max=0.5), lambda x: np.clip(a=x, a_min=-0.5, a_max=0.5)),
        (lambda x: pn.concatenate(arrays=[x, x], axis=1), lambda x: np.concatenate([x, x], axis=1)),
        (lambda x: pn.vstack(tup=[x, x]), lambda x: np.vstack(tup=[x, x])),
        (lambda x: pn.where(condition=x > 0, x=x, y=0.0), lambda x: np.where(x > 0, x, 0.0)),
        (lambda x: pn.split(ary=x, indices_or_sections=2, axis=1)[1], lambda x: np.split(x, 2, 1)[1]),
        (lambda x: pn.flip(m=x, axis=1), lambda x: np.flip(m=x, axis=1)),
        (lambda x: pn.diag(v=x[0], k=1), lambda x: np.diag(v=x[0], k=1)),
        (lambda x: pn.tile(A=x, reps=2), lambda x: np.tile(A=x, reps=2)),
        (lambda x: pn.pad(array=x, pad_width=1), lambda x: np.pad(array=x, pad_width=1)),
        (lambda x: pn.array(object=x), lambda x: np.array(object=x)),
        (lambda x: pn.eye(N=2, M=3, k=1) * x[0, 0], lambda x: np.eye(N=2, M=3, k=1) * x[0, 0]),
        (lambda x: pn.full_like(a=x, fill_value=3.0), lambda x: np.full_like(a=x, fill_value=3.0)),
        (lambda x: pn.take(a=x, indices=[1], axis=0), lambda x: np.take(a=x, indices=[1], axis=0)),
    ],
)
def test_numpys_names_of_arguments(ours: Callable[[Any], Any], numpys: Callable[[Any], Any]) -> None:
    value = np.random.default_rng(0).normal(size=(3, 4))
    np.testing.assert_array_equal(values_of(ours(X), X=value), numpys(value))


def test_other_errors_pass() -> None:
    def own(x: int) -> int:
        return x + "one"  # type: ignore[operator]

    with pytest.raises(TypeError, match="unsupported operand"):
        explained(own, "own")(1)
    assert explained(own, "own").__name__ == "own"


def test_an_operator_without_its_line_is_named() -> None:
    members = {"exp": pn.exp}
    with pytest.raises(pa.DefinitionError, match=r"'cbrt'.*`cbrt = _function\(\"cbrt\"\)` to .*operator_functions.py"):
        explain_arguments("polyad.numpy", ["exp", "cbrt"], members)
    with pytest.raises(pa.DefinitionError, match="'roots', and nothing there is called so; import it"):
        explain_arguments("polyad.numpy", ["roots"], {})
