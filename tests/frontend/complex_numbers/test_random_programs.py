"""Random expressions of complex arrays: values against NumPy, derivatives against central differences."""

from typing import Any

import numpy as np
import pytest

import polyad as pa

pnp = pa.numpy


def drawn(seed: int) -> Any:
    """(module, z, w, x) -> an array of shape (2, 3): values stay of the order of 1."""
    rng = np.random.default_rng(seed)
    plan = [(int(rng.integers(0, 14)), int(rng.integers(0, 100)), int(rng.integers(0, 100))) for _ in range(7)]

    def program(p: Any, z: Any, w: Any, x: Any) -> Any:
        known = [z, w, x, z * 0.5 + 1j]
        for kind, first, second in plan:
            a, b = known[first % len(known)], known[second % len(known)]
            bounded = a / (1.0 + abs(a))
            match kind:
                case 0:
                    made = a + b
                case 1:
                    made = a - b * (1 - 1j)
                case 2:
                    made = bounded * b
                case 3:
                    made = a / (b + 3.0 + 2.0j) if second % 2 else a / (2.0 + abs(b))
                case 4:
                    made = p.exp(bounded) if first % 2 else p.sin(bounded)
                case 5:
                    made = p.tanh(bounded) if first % 2 else p.log(bounded + 2.0)
                case 6:
                    made = p.sqrt(bounded + 2.0) * p.conj(b)
                case 7:
                    made = p.real(a) + 1j * p.imag(b)
                case 8:
                    made = p.einsum("ij,kj->ik", bounded, p.conj(w)) @ b
                case 9:
                    made = p.where(x > 0, a, b)
                case 10:
                    made = p.cumsum(bounded, axis=1) if second % 2 else p.cumprod(bounded + 0.5, axis=0)
                case 11:
                    made = p.concatenate([b[:, 1:], a[:, :1]], axis=1)
                case 12:
                    made = a.T.reshape(2, 3) - p.mean(b, axis=0) + p.prod(bounded, axis=1)[:, None]
                case _:
                    made = (bounded + 0.1j) ** (2 + first % 3) + p.flip(b, 1)
            known.append(made)
        return known[-1] + known[-2] * 0.5 + z * 1j

    return program


def arrays(seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed + 1000)
    z, w = (rng.standard_normal((2, 3)) + 1j * rng.standard_normal((2, 3)) for _ in range(2))
    return [z, w, rng.standard_normal((2, 3))]


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize("seed", range(60))
def test_values_and_derivatives(seed: int) -> None:
    program, (z, w, x) = drawn(seed), arrays(seed)

    def loss(p: Any, z: Any, w: Any, x: Any) -> Any:
        return p.sum(abs(program(p, z, w, x) + 0.3j) ** 2)

    def both(z: Any, w: Any, x: Any) -> Any:
        value, slopes = pa.value_and_grad(lambda *a: loss(pnp, *a), argnums=(0, 1, 2))(z, w, x)
        return program(pnp, z, w, x), value, slopes

    found, value, slopes = pa.jit(both)(z, w, x)
    wanted = program(np, z, w, x)
    scale = max(1.0, float(np.max(np.abs(wanted))))
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * scale)
    single = pa.jit(lambda *a: program(pnp, *a))(z.astype("complex64"), w.astype("complex64"), x.astype("float32"))
    assert single.dtype == "complex64"
    np.testing.assert_allclose(single, wanted, rtol=0, atol=1e-5 * scale)
    size = max(1.0, value)
    for n, slope in enumerate(slopes):
        for at in np.ndindex(2, 3):
            expected: complex = 0.0
            for direction, factor in ((1.0, 1.0), (1j, -1j)) if n < 2 else ((1.0, 1.0),):
                moved = []
                for step in (1e-6, -1e-6):
                    given = [z.copy(), w.copy(), x.copy()]
                    given[n][at] += step * direction
                    moved.append(loss(np, *given))
                expected += factor * (moved[0] - moved[1]) / 2e-6
            assert abs(slope[at] - expected) < 1e-7 * size, (n, at)
