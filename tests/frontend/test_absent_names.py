"""Names that are not there say what to write, and what they say computes what was asked for."""

import re
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from polyad import numpy as pn
from polyad.frontend.absent_names import LINALG, NN, NUMPY, POLYAD, TENSOR
from tests.evaluated import values_of

X = np.array([[-1.5, 0.5, 2.0], [3.0, -0.25, 8.0]])
Y = np.array([[2.0, 1.5, 3.0], [-2.0, 0.5, 1.0]])
TABLES = [(pn, NUMPY), (pn.linalg, LINALG), (nn, NN), (pa, POLYAD)]


@pytest.mark.parametrize(("module", "table"), TABLES, ids=["numpy", "linalg", "nn", "polyad"])
def test_every_entry_is_absent_and_says_what_to_write(module: Any, table: dict[str, str]) -> None:
    for name, text in table.items():
        assert not hasattr(module, name), f"{name} is there: take it off the table"
        with pytest.raises(AttributeError, match=re.escape(f"{module.__name__!r} has no attribute {name!r}: {text}")):
            getattr(module, name)


def test_attributes_that_tensors_have_not() -> None:
    x = pa.placeholder((3,), "x")
    for name, text in TENSOR.items():
        with pytest.raises(AttributeError, match=re.escape(f"a tensor of polyad has no attribute {name!r}: {text}")):
            getattr(x, name)
        for where, other in re.findall(r"(pa|pa\.numpy)\.([a-z]\w*)", text):
            assert hasattr({"pa": pa}.get(where, pn), other), text
        if found := re.match(r"use (\w+)$", text):
            assert hasattr(x, found[1])
    with pytest.raises(AttributeError, match="did you mean transpose"):
        x.transpos  # noqa: B018
    with pytest.raises(pa.DefinitionError, match=r"x\[...\] = ...: tensors do not change"):
        x[0] = 1
    with pytest.raises(pa.DefinitionError, match="tensors do not change"):
        x[1:] += 1


def test_names_that_entries_point_to_exist() -> None:
    for module, table in TABLES:
        for text in table.values():
            for other in re.findall(r"^use (\w+)(?:$|,)", text):
                assert hasattr(module, other), text
            for where, other in re.findall(r"(pa|pa\.numpy|polyad\.numpy|polyad\.nn)\.([a-z]\w*)", text):
                assert hasattr({"pa": pa, "polyad.nn": nn}.get(where, pn), other), text


def expressions(table: Any) -> dict[str, str]:
    return {name: found[1] for name, text in table.items() if (found := re.search("`(.*)`", text))}


def test_expressions_compute_the_numpy_function() -> None:
    x, y = pa.placeholder(X.shape, "x", "float64"), pa.placeholder(Y.shape, "y", "float64")
    i, j = pa.placeholder((3,), "i", "int64"), pa.placeholder((3,), "j", "int64")
    found = expressions(NUMPY)
    scope = {n: getattr(pn, n) for n in pn.__all__}
    shifts = {"left_shift", "right_shift"}
    results = {}
    for name, text in found.items():
        a, b = (i, j) if name in shifts else (x, y)
        results[name] = eval(text, scope | {"x": a, "y": b, "float": float})
    a, b = np.array([5, -7, 12]), np.array([1, 2, 0])
    for name, value in zip(results, values_of(list(results.values()), x=X, y=Y, i=a, j=b), strict=True):
        given = (a, b) if name in shifts else (X, Y)
        function = getattr(np, name)
        expected = function(*given[: 1 + (name in {*shifts, "copysign"})])
        np.testing.assert_allclose(value, expected, rtol=1e-13, err_msg=name)


@pytest.mark.torch
def test_expressions_compute_the_activation() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    functional = torch.nn.functional
    x = pa.placeholder(X.shape, "x", "float64")
    scope = {n: getattr(pn, n) for n in pn.__all__} | {n: getattr(nn, n) for n in nn.__all__} | {"x": x}
    found = {n: eval(t, scope) for n, t in expressions(NN).items()}
    for name, value in zip(found, values_of(list(found.values()), x=X), strict=True):
        expected = getattr(functional, name)(torch.from_numpy(X)).numpy()
        np.testing.assert_allclose(value, expected, rtol=1e-7, err_msg=name)


@pytest.mark.parametrize(
    ("module", "name", "text"),
    [
        (pa, "einsum", "it is polyad.numpy.einsum"),
        (pa, "softmax", "it is polyad.nn.softmax"),
        (nn, "concatenate", "it is polyad.numpy.concatenate"),
        (pn, "concatenat", "did you mean concatenate?"),
        (nn, "sotfmax", "did you mean softmax"),
        (pa, "placeholdr", "did you mean placeholder?"),
        (pn, "zzzz", "has no attribute 'zzzz'$"),
        (pn, "__wrapped__", "has no attribute '__wrapped__'$"),
    ],
)
def test_other_names(module: Any, name: str, text: str) -> None:
    with pytest.raises(AttributeError, match=text):
        getattr(module, name)


def test_operators_that_tensors_have_not() -> None:
    i = pa.placeholder((3,), "i", "int64")
    for use, text in (
        (lambda: divmod(i, 2), r"divmod .* x // y"),
        (lambda: i * 0.5 >> 1, r"right_shift combines integers .* float64 .* astype"),
        (lambda: pa.compute((3,), lambda k: i[k] & 0.5), r"bitwise_and combines integers"),
    ):
        with pytest.raises(pa.DTypeError, match=text):
            use()
