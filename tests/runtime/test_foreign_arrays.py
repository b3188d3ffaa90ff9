"""Arrays of other libraries: read where they can be, refused by name where they cannot."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.errors import CallError
from polyad.kernel import Kernel
from polyad.runtime.foreign_arrays import is_foreign, numpy_array, shared_array
from tests.runtime.handmade import SCALE, kernel_of


class Lends:
    """Has DLPack and nothing else."""

    def __init__(self, array: np.ndarray):
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


class Copies:
    """Gives its elements away, but not its memory."""

    def __init__(self, array: np.ndarray):
        self.array = array

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.array.copy()


class Raises:
    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise ZeroDivisionError("not\ntoday")


class RaisesWhenLookedAt:
    @property
    def dtype(self) -> None:
        raise RuntimeError("do not look")

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise KeyError("x")


@pytest.fixture(scope="module")
def scale() -> Kernel:
    return kernel_of(SCALE, "c")


def values() -> np.ndarray:
    return np.array([1.0, 2.0, 3.0], np.float32)


EXPECTED = [2.0, 5.0, 8.0]


def test_what_can_be_read(scale: Kernel) -> None:
    for array in (Lends(values()), Copies(values()), memoryview(values())):
        assert scale(array, 2.0).tolist() == EXPECTED
    assert pa.jit(lambda v: v * 2)(Lends(values())).tolist() == [2.0, 4.0, 6.0]


@pytest.mark.parametrize("value", [Raises(), RaisesWhenLookedAt()])
def test_errors_of_others_name_the_argument(scale: Kernel, value: object) -> None:
    with pytest.raises(CallError, match=r"scale: x: this .*Raises.* gives no NumPy array \((Zero|Key)") as caught:
        scale(value, 2.0)
    assert caught.value.argument == "x"
    assert "\n" not in str(caught.value)
    with pytest.raises(CallError, match=r"argument args\[0\]\[0\]: this .*Raises") as caught:
        pa.jit(lambda v: v * 2)(value)
    with pytest.raises(CallError, match="scale: out: y: this"):
        scale(values(), 2.0, out=value)


def test_out_of_others_is_filled(scale: Kernel) -> None:
    for wrap in (lambda a: Lends(a), lambda a: [Lends(a)], lambda a: {"y": Lends(a)}):
        memory = np.zeros(3, np.float32)
        scale(values(), 2.0, out=wrap(memory))
        assert memory.tolist() == EXPECTED


def test_out_that_would_be_filled_in_vain_is_refused(scale: Kernel) -> None:
    with pytest.raises(CallError, match=r"scale: out: y: a .*Copies lends no memory to write to"):
        scale(values(), 2.0, out=Copies(np.zeros(3, np.float32)))


@pytest.mark.torch
@pytest.mark.slow
def test_torch(scale: Kernel) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    x = torch.tensor([1.0, 2.0, 3.0])
    assert scale(x, 2.0).tolist() == EXPECTED
    out = torch.zeros(3)
    scale(x, 2.0, out=out)
    assert out.tolist() == EXPECTED
    rows = torch.zeros(2, 3)
    scale(x, 2.0, out=rows[1])
    assert rows.tolist() == [[0.0] * 3, EXPECTED]
    refused = [x.clone().requires_grad_(), x.bfloat16(), x.to_sparse(), x.to("meta")]
    for tensor in refused:
        for call in (lambda t: scale(t, 2.0), lambda t: scale(values(), 2.0, out=t), pa.jit(lambda v: v * 2)):
            with pytest.raises(CallError, match=r"this torch\.Tensor gives no NumPy array"):
                call(tensor)


@pytest.mark.slow
def test_jax(scale: Kernel) -> None:
    jnp = pytest.importorskip("jax.numpy")
    assert scale(jnp.array([1.0, 2.0, 3.0]), 2.0).tolist() == EXPECTED
    with pytest.raises(CallError, match="y is read-only"):
        scale(values(), 2.0, out=jnp.zeros(3))


def test_what_is_an_array() -> None:
    assert is_foreign(np.zeros(3)) and is_foreign(Lends(values())) and is_foreign(np.float32(1))
    assert not is_foreign([1.0]) and not is_foreign(1.0) and not is_foreign("x")
    assert numpy_array(Lends(values()), "", "").tolist() == values().tolist()
    array = values()
    assert np.shares_memory(shared_array(Lends(array), "", ""), array)
