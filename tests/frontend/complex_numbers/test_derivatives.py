"""Derivatives by complex arguments follow JAX's convention: df/dx - i df/dy. `JAX` holds its numbers."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.errors import CallError, NotDifferentiableError

pnp = pa.numpy
Z = np.array([0.5 + 1.25j, -1.5 + 0.25j, 0.75 - 2.0j])
W = np.array([1.0 - 0.5j, 0.25j, -0.75 + 0.5j])


def weighted(y: Any) -> Any:
    return pnp.sum(pnp.real(y) * 2 + pnp.imag(y))


LOSSES = {
    "exp": lambda z: weighted(pnp.exp(z)),
    "log": lambda z: weighted(pnp.log(z)),
    "sqrt": lambda z: weighted(pnp.sqrt(z)),
    "sin": lambda z: weighted(pnp.sin(z)),
    "cos": lambda z: weighted(pnp.cos(z)),
    "tanh": lambda z: weighted(pnp.tanh(z)),
    "abs": lambda z: pnp.sum(abs(z) ** 3),
    "angle": lambda z: pnp.sum(pnp.angle(z) ** 2),
    "divide": lambda z: pnp.sum(abs((1 + 2j) / z + z / (2 - 1j))),
    "power": lambda z: pnp.sum(abs(z**-3)),
    "prod": lambda z: abs(pnp.prod(z)),
    "conj": lambda z: pnp.real(pnp.vdot(z, z * z)),
    "einsum": lambda z: abs(pnp.einsum("i,j,j->i", z, z, pnp.conj(z))[0]),
}
JAX = {
    "exp": [
        2.604368499515807 + 2.609343568989145j,
        0.48759045270201556 - 0.10578701372646451j,
        -3.6869483874630555 - 2.9689824755080485j,
    ],
    "log": [
        -0.13793103448275867 - 1.6551724137931036j,
        -1.4054054054054053 + 0.43243243243243235j,
        0.7671232876712328 + 0.7123287671232876j,
    ],
    "sqrt": [
        0.4720794796406661 - 0.8400105093315542j,
        -0.33719455951437877 - 0.8416024985470817j,
        0.7572481665864538 + 0.10854008560023914j,
    ],
    "sin": [
        2.5464948102342566 - 3.1932496998010604j,
        0.39789807246836695 + 0.430999762692274j,
        7.977722050564457 + 2.1916605526741866j,
    ],
    "cos": [
        -3.216533519273383 - 1.9062738664419796j,
        2.039789704097437 - 1.0645675730432314j,
        -2.475183422289924 + 7.871925184597037j,
    ],
    "tanh": [
        -4.271921889329409 - 4.252438854142716j,
        0.40857371555533106 - 0.0038323463811238134j,
        -1.8620234151850044 - 1.8610055981790925j,
    ],
    "abs": [
        2.019436802675439 - 5.048592006688597j,
        -6.843107846585496 - 1.140517974430916j,
        4.8060021067411105 + 12.816005617976295j,
    ],
    "angle": [
        -1.6417792409414231 - 0.6567116963765692j,
        -0.6435554543081441 + 3.8613327258488646j,
        -1.062597835856942 + 0.3984741884463532j,
    ],
    "divide": [
        0.41864544715663976 + 1.315056396539395j,
        0.4770440111588686 + 0.6490175283488805j,
        0.29469483860901063 - 0.8891036493313218j,
    ],
    "power": [
        -0.3391534357193242 + 0.8478835892983105j,
        0.5533605065763962 + 0.09222675109606603j,
        -0.050602890437208635 - 0.13494104116588973j,
    ],
    "prod": [
        1.2063499377932563 - 3.015874844483141j,
        -2.836552556432792 - 0.4727587594054653j,
        0.7188523601918719 + 1.916939627178325j,
    ],
    "conj": [2.3125 - 1.25j, 6.8125 + 0.75j, 5.6875 + 3j],
    "einsum": [
        4.572747702609902 - 11.431869256524756j,
        -4.038873605350878 - 0.673145600891813j,
        2.019436802675439 + 5.385164807134504j,
    ],
}


def test_gradients_are_those_of_jax() -> None:
    found = pa.jit(lambda z: [pa.grad(f)(z) for f in LOSSES.values()])(Z)
    for name, slope in zip(LOSSES, found, strict=True):
        np.testing.assert_allclose(slope, JAX[name], rtol=1e-12, atol=1e-13, err_msg=name)


@pytest.mark.torch
def test_pytorch_has_the_conjugate() -> None:
    import torch

    z = torch.tensor(Z, requires_grad=True)
    (torch.abs(torch.exp(z) / (z + 2) - torch.conj(z) * 1j) ** 2).sum().backward()
    ours = pa.grad(lambda z: pnp.sum(abs(pnp.exp(z) / (z + 2) - pnp.conj(z) * 1j) ** 2))(Z)
    np.testing.assert_allclose(ours, z.grad.numpy().conj(), rtol=1e-12)


def test_products_with_vectors_are_those_of_jax() -> None:
    cotangent = (np.array([1 + 2j, -1j, 0.5]), np.array([1.0, 0.0, -1.0]))
    value, back = pa.vjp(lambda z, x: (pnp.exp(z) * x, abs(z)), Z, np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(value[0], np.exp(Z) * [1, 2, 3], rtol=1e-14)
    z_bar, x_bar = back(cotangent)
    wanted = [-2.2379528926350414 + 1.6758918086305474j, 0.11040657009963462 - 0.43238716765219826j]
    np.testing.assert_allclose(z_bar, [*wanted, -1.6725977314138105 - 3.82380317911279j], rtol=1e-13)
    np.testing.assert_allclose(x_bar, [-2.609343568989145, 0.05520328504981731, -0.4404914299418063], rtol=1e-13)
    dot = pa.jvp(lambda z: z * pnp.conj(z) * z, (Z,), (Z * 1j + 1,))[1]
    np.testing.assert_allclose(dot, [0.046875 + 2.15625j, 6.234375 - 4.21875j, 14.8125 + 0.421875j], rtol=1e-13)


def test_linear_maps() -> None:
    def turned(z: Any) -> Any:
        return z * (2 + 3j)

    assert pa.vjp(turned, np.array(1 + 1j))[1](np.array(1 + 5j)) == (-13 + 13j,)
    assert pa.linear_transpose(turned, np.array(1 + 1j))(np.array(1 + 5j)) == (-13 + 13j,)
    assert pa.linearize(lambda z: z * z, np.array(1 + 1j))[1](np.array(1j)) == -2 + 2j


def test_a_holomorphic_function_has_a_derivative_of_its_own() -> None:
    np.testing.assert_allclose(pa.grad(lambda z: z**3, holomorphic=True)(np.array(1 + 2j)), 3 * (1 + 2j) ** 2)
    value, slope = pa.value_and_grad(lambda z: pnp.sum(pnp.exp(z)), holomorphic=True)(Z)
    np.testing.assert_allclose([value, *slope], [np.exp(Z).sum(), *np.exp(Z)], rtol=1e-14)
    with pytest.raises(NotDifferentiableError, match="complex arguments"):
        pa.grad(lambda x: x * 1j, holomorphic=True)(1.0)
    with pytest.raises(NotDifferentiableError, match="returns a complex number"):
        pa.grad(abs, holomorphic=True)(1j)


def test_a_complex_result_is_no_loss() -> None:
    with pytest.raises(NotDifferentiableError, match=r"returned a complex one: take abs\(\), .real .*holomorphic=True"):
        pa.grad(lambda z: pnp.sum(z * z))(Z)
    z = pa.placeholder((3,), "z", "complex128")
    with pytest.raises(NotDifferentiableError, match="complex tensor"):
        pa.grad(pnp.sum(z), [z])


@pytest.mark.parametrize("jacobian", [pa.jacfwd, pa.jacrev, pa.hessian])
def test_jacobians_of_complex_numbers_are_refused(jacobian: Any) -> None:
    with pytest.raises(NotDifferentiableError, match="a derivative for each part"):
        jacobian(lambda z: abs(z[0]) if jacobian is pa.hessian else pnp.exp(z))(Z)


@pytest.mark.parametrize("jacobian", [pa.jacfwd, pa.jacrev])
def test_jacobians_of_holomorphic_functions(jacobian: Any) -> None:
    """As JAX: f'(z) for each pair of elements, in the structure of results and arguments."""
    found = jacobian(lambda z: {"a": z**3 * (1 + 1j), "b": pnp.sum(z * W)}, holomorphic=True)(Z)
    np.testing.assert_allclose(found["a"], np.diag(3 * Z**2 * (1 + 1j)), rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(found["b"], W, rtol=1e-13)
    pair = jacobian(lambda z, w: z * w, (0, 1), holomorphic=True)(Z, W)
    for p, expected in zip(pair, (W, Z), strict=True):
        np.testing.assert_allclose(p, np.diag(expected), rtol=1e-13, atol=1e-14)
    with pytest.raises(NotDifferentiableError, match="needs complex arguments"):
        jacobian(lambda x: x * 1j, holomorphic=True)(np.ones(2))
    with pytest.raises(NotDifferentiableError, match="returns complex numbers"):
        jacobian(abs, holomorphic=True)(Z)


def test_jacobians_of_complex_results_and_second_derivatives() -> None:
    x = np.array([0.3, 0.7])
    np.testing.assert_allclose(pa.jacfwd(lambda x: pnp.exp(1j * x))(x), np.diag(1j * np.exp(1j * x)), rtol=1e-13)
    second = pa.hessian(lambda z: pnp.sum(z**3), holomorphic=True)(Z)
    np.testing.assert_allclose(second, np.diag(6 * Z), rtol=1e-12, atol=1e-13)
    found, aux = pa.jacrev(lambda z: (abs(z), z), has_aux=True)(Z)
    np.testing.assert_allclose(np.diag(found), np.conj(Z) / abs(Z), rtol=1e-13)
    np.testing.assert_array_equal(aux, Z)


def test_gradients_at_special_points() -> None:
    """As JAX: abs has the derivative 0 at 0; sqrt on its cut has that of the side above it."""
    assert pa.grad(abs)(0j) == 0
    assert pa.grad(abs)(3 + 4j) == 0.6 - 0.8j
    np.testing.assert_allclose(pa.grad(lambda z: pnp.real(pnp.sqrt(z)))(-1 + 0j), -0.5j, atol=1e-16)
    assert np.isnan(pa.grad(lambda z: pnp.real(pnp.sqrt(z)))(0j))


@pytest.mark.parametrize(
    "function",
    [
        lambda z, w, x: pnp.exp(z) * x / w,
        lambda z, w, x: {"a": pnp.sqrt(z) @ w, "b": abs(z - w)},
        lambda z, w, x: pa.scan(lambda h, a: (h * a[0] + a[1] * 1j, h), 0.5 + 0j, (z, w))[1],
        lambda z, w, x: pnp.cumprod(z * x) + pnp.stack([w, x, z])[1],
        lambda z, w, x: pa.vmap(lambda a, b: pnp.tan(a) * b)(z, w),
    ],
)
def test_central_differences(function: Any) -> None:
    pa.check_grads(function, (Z, W, np.array([0.5, -1.5, 2.0])))


def test_second_derivatives_and_float32() -> None:
    pa.check_grads(lambda z: pnp.sum(abs(z * z) ** 2), (Z[:2],), order=2)
    pa.check_grads(lambda z: pnp.exp(z) * z, (Z.astype("complex64"),))


def test_one_function_for_arrays_and_for_pairs() -> None:
    """The gradient costs what that of the pair of real functions costs."""

    def pairs(a: Any, b: Any) -> Any:
        return pnp.sum(pnp.sqrt((a * a - b * b) ** 2 + (2.0 * a * b) ** 2))

    ours = pa.grad(lambda z: pnp.sum(pnp.sqrt(pnp.real(z * z) ** 2 + pnp.imag(z * z) ** 2)))
    theirs = pa.grad(pairs, argnums=(0, 1))
    found, (re, im) = ours(Z), theirs(Z.real.copy(), Z.imag.copy())
    np.testing.assert_allclose(found, re - 1j * im, rtol=1e-14)
    assert sum(ours.kernel.instances().values()) <= sum(theirs.kernel.instances().values())


@pytest.mark.parametrize("rule", ["vjp", "jvp"])
def test_rules_of_the_users_have_the_same_convention(rule: str) -> None:
    made: Any = getattr(pa, f"custom_{rule}")(lambda z, w: z * z * w)
    if rule == "vjp":
        made.defvjp(lambda z, w: (z * z * w, (z, w)), lambda kept, c: (c * 2 * kept[0] * kept[1], c * kept[0] ** 2))
    else:
        made.defjvp(lambda p, t: (made(*p), 2 * p[0] * p[1] * t[0] + p[0] * p[0] * t[1]))
    found = pa.grad(lambda z, w: pnp.sum(abs(made(z, w) + 1j)), argnums=(0, 1))(Z, W)
    wanted = pa.grad(lambda z, w: pnp.sum(abs(z * z * w + 1j)), argnums=(0, 1))(Z, W)
    np.testing.assert_allclose(found, wanted, rtol=1e-13)


def test_a_cotangent_has_the_structure_of_the_result() -> None:
    _, back = pa.vjp(lambda z: z * 2, Z)
    with pytest.raises(CallError, match="structure"):
        back(np.ones(3))
