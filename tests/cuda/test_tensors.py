"""Tensors of PyTorch in and out: on a GPU, and in memory of the driver for CPUs."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.runtime.cuda.driver import find_driver
from tests.cuda.device import kernel_of, target
from tests.cuda.foreign import new_stream
from tests.cuda.test_device_arrays import SHAPES, same
from tests.cuda.test_programs import arrays, lstm


@pytest.mark.torch
def test_tensors_of_pytorch() -> None:
    import torch

    if not torch.cuda.is_available():
        pytest.skip("PyTorch sees no device")
    given = arrays(*SHAPES, dtype="float32")
    function = pa.value_and_grad(lstm, argnums=tuple(range(6)), target="cuda")
    tensors = [torch.tensor(a, device="cuda") for a in given]
    value, gradients = function(*tensors)
    assert all(isinstance(leaf, torch.Tensor) and leaf.is_cuda for leaf in (value, *gradients))
    wanted = function(*given)
    same([t.cpu().numpy() for t in (value, *gradients)], [wanted[0], *wanted[1]])
    own = torch.cuda.Stream()
    with torch.cuda.stream(own):
        again = function(*tensors)
    own.synchronize()
    same([t.cpu().numpy() for t in (again[0], *again[1])], [wanted[0], *wanted[1]])
    kernel = kernel_of(lambda x: x + 1.0, given[1])
    with pytest.raises(pa.CallError, match=r"contiguous\(\)"):
        kernel(tensors[1].t().contiguous().t())
    with pytest.raises(pa.CallError, match="detach"):
        kernel(tensors[1].clone().requires_grad_())
    with pytest.raises(pa.CallError, match="memory of the host"):
        kernel_of(lambda x, y: x + y, given[1], given[1])(tensors[1], given[1])
    made = kernel(tensors[1], stream=own)
    own.synchronize()
    assert torch.equal(made.cpu(), torch.tensor(given[1]) + 1.0)


@pytest.mark.torch
def test_tensors_in_memory_of_the_driver_for_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tensors that say of themselves that they are on a GPU, which for that driver they are."""
    import torch

    if "CUDA_CPU_HOME" not in os.environ:
        pytest.skip("see the test before")

    class There(torch.Tensor):
        is_cuda = True

        def get_device(self) -> int:
            return 0

    def tensor(array: pa.DeviceArray) -> Any:
        buffer = find_driver().ffi.cast("char *", array._pointer)
        memory = np.frombuffer(find_driver().ffi.buffer(buffer, max(array.nbytes, 1)), np.uint8)[: array.nbytes]
        made = There._make_subclass(There, torch.from_numpy(memory.view(array.dtype).reshape(array.shape)))
        made.held = array
        return made

    def empty(shape: Any, dtype: Any, device: Any) -> Any:
        asked.append((device, inside[-1]))
        return tensor(pa.to_device(np.full(shape, np.nan, str(dtype).removeprefix("torch."))))

    @contextmanager
    def in_stream(stream: Any) -> Iterator[None]:
        inside.append(stream)
        yield
        inside.pop()

    asked: list[Any] = []
    inside: list[Any] = [SimpleNamespace(cuda_stream=new_stream(find_driver()))]
    current = inside[0].cuda_stream
    monkeypatch.setattr(torch.cuda, "current_stream", lambda device: inside[-1])
    monkeypatch.setattr(torch.cuda, "stream", in_stream)
    monkeypatch.setattr(torch.cuda, "ExternalStream", lambda n, device: SimpleNamespace(cuda_stream=n))
    monkeypatch.setattr(torch.cuda, "default_stream", lambda device: SimpleNamespace(cuda_stream=0))
    monkeypatch.setattr(torch, "empty", empty)
    given = arrays((3, 4), (4,), dtype="float32")
    f = pa.jit(lambda x, y: (x @ y, x * 2.0), target())
    wanted, tensors = f(*given), [tensor(pa.to_device(a)) for a in given]
    for words, stream in (({}, current), ({"stream": 0}, 0), ({"stream": current}, current)):
        asked.clear()
        found = f(*tensors, **words)
        assert all(type(r) is There for r in found)
        assert [(str(d), s.cuda_stream) for d, s in asked] == [("cuda:0", stream)] * 2
        same([r.held for r in found], wanted)
    kernel = kernel_of(lambda x: x * 3.0, given[0])
    out = tensor(pa.to_device(np.zeros((3, 4), np.float32)))
    assert kernel(tensors[0], out=out) is out
    np.testing.assert_array_equal(out.held.numpy(), given[0] * 3.0)
    strided = There._make_subclass(There, tensors[0].t().contiguous().t())
    for wrong, words in (
        (strided, r"strides \(1, 3\).*x\.contiguous\(\)"),
        (There._make_subclass(There, tensors[0], True), r"differentiated by PyTorch: pass its \.detach\(\)"),
        (There._make_subclass(There, tensors[0].double()), r"expected float32, got float64"),
    ):
        with pytest.raises(pa.CallError, match=words):
            kernel(wrong)
    with torch.no_grad():
        assert type(kernel(There._make_subclass(There, tensors[0], True))) is There
    np.testing.assert_array_equal(kernel(torch.tensor(given[0])), given[0] * 3.0, strict=True)  # of the host, as ever
    with pytest.raises(pa.CallError, match=r"x is on device 0 and y is a torch\.Tensor that is on no device"):
        pa.compile(pa.placeholder((3,), "x", "float32") + pa.placeholder((3,), "y", "float32"), target=target())(
            tensor(pa.to_device(np.ones(3, np.float32))), torch.ones(3)
        )
