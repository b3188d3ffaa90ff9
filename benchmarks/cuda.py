"""Times on a GPU: python -m benchmarks.cuda [workload ...]: value and gradient, beside PyTorch's, where it is there.

A time is that of the work on the device: arrays are there already, calls follow each other, and the clock stands when
the last one is done. Peers run in the same process, in turns; TF32 is off. Results of both are compared first.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import polyad as pa
from polyad.runtime.cuda.driver import find_driver
from polyad.runtime.cuda.streams import DEFAULT_STREAM

pnp = pa.numpy


@dataclass(frozen=True)
class Workload:
    """A function of arrays for polyad, and the same for PyTorch; what both return is compared."""

    arrays: Sequence[np.ndarray]
    own: Callable[..., Any]
    torch: Callable[[Any], Callable[..., Any]] | None = None


def arrays(*shapes: tuple[int, ...], dtype: str = "float32", scale: float = 1.0) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [(scale * rng.normal(size=shape)).astype(dtype) for shape in shapes]


def lstm(x: Any, W: Any, U: Any, b: Any, h0: Any, c0: Any) -> Any:
    """The LSTM of PyTorch: gates i f g o; the sum of squares of all outputs."""
    hs, _ = pa.nn.lstm(x, W, U, b, None, h0, c0)[:2]
    return pnp.sum(hs * hs)


def torch_lstm(torch: Any) -> Callable[..., Any]:
    made: dict[str, Any] = {}

    def run(x: Any, W: Any, U: Any, b: Any, h0: Any, c0: Any) -> Any:
        if "net" not in made:
            net = torch.nn.LSTM(x.shape[2], h0.shape[1]).to(x.device, x.dtype)
            with torch.no_grad():
                net.weight_ih_l0.copy_(W)
                net.weight_hh_l0.copy_(U)
                net.bias_ih_l0.copy_(b)
                net.bias_hh_l0.zero_()
            made["net"] = net
        net = made["net"]
        for p in (x, h0, c0):
            p.requires_grad_(True)
            p.grad = None
        net.zero_grad(set_to_none=True)
        hs, _ = net(x, (h0[None], c0[None]))
        loss = (hs * hs).sum()
        loss.backward()
        return loss, (x.grad, net.weight_ih_l0.grad, net.weight_hh_l0.grad, net.bias_ih_l0.grad, h0.grad, c0.grad)

    return run


def lstm_workload(T: int, B: int, H: int, dtype: str = "float32") -> Workload:
    shapes = (T, B, H), (4 * H, H), (4 * H, H), (4 * H,), (B, H), (B, H)
    given = arrays(*shapes, dtype=dtype, scale=H**-0.5)
    return Workload(given, pa.value_and_grad(lstm, argnums=(0, 1, 2, 3, 4, 5)), torch_lstm)


def attention(q: Any, k: Any, v: Any) -> Any:
    d = q.shape[-1]
    scores = pnp.einsum("hid,hjd->hij", q, k) * d**-0.5
    return pnp.einsum("hij,hjd->hid", pa.nn.softmax(scores, axis=-1), v)


def plain(function: str) -> Callable[[Any], Callable[..., Any]]:
    """A function of PyTorch by its name."""
    return lambda torch: getattr(torch, function)


def recurrence(a: Any, x: Any) -> Any:
    """s[t] = a[t] s[t - 1] + x[t], of separate columns."""
    return pa.scan(lambda s, row: (row[0] * s + row[1],) * 2, x[0] * 0.0, (a, x))[1]


def recurrence_gradient(a: Any, x: Any) -> Any:
    return pa.value_and_grad(lambda a, x: pnp.sum(recurrence(a, x) ** 2), argnums=(0, 1))(a, x)


def factors(*shape: int) -> list[np.ndarray]:
    """Factors around 0.95, and terms."""
    a, x = arrays(shape, shape)
    return [0.95 + 0.1 * np.tanh(a), x]


WORKLOADS: Mapping[str, Callable[[], Workload]] = {
    "lstm_T100_B1_H64": lambda: lstm_workload(100, 1, 64),
    "lstm_T100_B16_H128": lambda: lstm_workload(100, 16, 128),
    "lstm_T100_B64_H256": lambda: lstm_workload(100, 64, 256),
    "lstm_T100_B64_H512": lambda: lstm_workload(100, 64, 512),
    "lstm_T100_B1_H512": lambda: lstm_workload(100, 1, 512),
    "lstm_T35_B20_H650": lambda: lstm_workload(35, 20, 650),
    "lstm_f64_T100_B16_H128": lambda: lstm_workload(100, 16, 128, "float64"),
    "lstm_f64_T100_B64_H256": lambda: lstm_workload(100, 64, 256, "float64"),
    "matmul_1024": lambda: Workload(arrays((1024, 1024), (1024, 1024)), lambda a, b: a @ b, plain("matmul")),
    "chain_16M": lambda: Workload(
        arrays((1 << 24,), (1 << 24,)),
        lambda x, y: pa.tanh(x) * y + pa.exp(-y * y),
        lambda torch: lambda x, y: torch.tanh(x) * y + torch.exp(-y * y),
    ),
    "sum_16M": lambda: Workload(arrays((1 << 24,)), pnp.sum, plain("sum")),
    "softmax_8192x1024": lambda: Workload(
        arrays((8192, 1024)),
        lambda x: pa.nn.softmax(x, axis=1),
        lambda torch: lambda x: torch.softmax(x, 1),
    ),
    "layer_norm_8192x1024": lambda: Workload(
        arrays((8192, 1024)),
        lambda x: pa.nn.layer_norm(x),
        lambda torch: lambda x: torch.nn.functional.layer_norm(x, (x.shape[1],)),
    ),
    "cumsum_1M": lambda: Workload(arrays((1 << 20,)), pnp.cumsum, lambda torch: lambda x: torch.cumsum(x, 0)),
    "cumsum_100M": lambda: Workload(arrays((10**8,)), pnp.cumsum, lambda torch: lambda x: torch.cumsum(x, 0)),
    "recurrence_1M": lambda: Workload(factors(1 << 20), recurrence),
    "recurrence_gradient_512x2048": lambda: Workload(factors(512, 2048), recurrence_gradient),
    "attention_16x1024x64": lambda: Workload(
        arrays((16, 1024, 64), (16, 1024, 64), (16, 1024, 64)),
        attention,
        lambda torch: lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None])[0],
    ),
}


class Own:
    """A kernel of polyad with its arrays on the device."""

    def __init__(self, workload: Workload, flags: Sequence[str] = ()) -> None:
        traced = pa.jit(workload.own, pa.Target("cuda", extra_flags=tuple(flags)))
        started = time.perf_counter()
        self.results = traced(*workload.arrays)
        self.first_call = time.perf_counter() - started
        (entry,) = traced.entries.values()
        self.kernel, self.driver = entry.kernel, find_driver()
        self.source = self.kernel.code
        self.given = [pa.to_device(array) for array in (*workload.arrays, *entry.constants)]
        self.out = self.kernel(*self.given)

    def start(self) -> None:
        self.kernel(*self.given, out=self.out)

    def wait(self) -> None:
        self.driver.streams.wait(DEFAULT_STREAM)

    def by_launch(self) -> list[tuple[str, float]]:
        """Seconds of each launch, by itself."""
        (plan,) = self.kernel._on_device._plans.values()
        (frame,) = plan.frames
        found = []
        shapes = [s for s in self.source.launches if s.geometry({}, self.driver.limits).blocks]
        for shape, launch in zip(shapes, frame.launches, strict=True):
            if launch.geometry.counts:  # blocks would wait for those of a launch before
                continue
            words = f"{shape.kernel} {shape.over} {launch.geometry.blocks} x {launch.geometry.threads}"
            found.append((words, timed(partial(launch.start, DEFAULT_STREAM), self.wait, 0.02)))
        return sorted(found, key=lambda row: -row[1])


def timed(start: Callable[[], Any], wait: Callable[[], Any], budget: float = 0.2) -> float:
    """Seconds of one of many that follow each other, the median of five turns."""
    start()
    wait()
    begun = time.perf_counter()
    start()
    wait()
    count = max(1, min(200, int(budget / 5 / max(time.perf_counter() - begun, 1e-6))))
    turns = []
    for _ in range(5):
        begun = time.perf_counter()
        for _ in range(count):
            start()
        wait()
        turns.append((time.perf_counter() - begun) / count)
    return statistics.median(turns)


def difference(own: Any, peer: Any) -> float:
    """The largest difference of two results, relative to the largest element of each array."""
    import optree

    one, other = optree.tree_leaves(own), optree.tree_leaves(peer)
    worst = 0.0
    for a, b in zip(one, other, strict=True):
        b = b.detach().cpu().numpy()
        worst = max(worst, float(np.abs(np.asarray(a) - b).max() / max(np.abs(b).max(), 1e-30)))
    return worst


@dataclass(frozen=True)
class Row:
    """One line of the table: seconds of both, the difference of the results, launches."""

    name: str
    mine: float
    theirs: float
    apart: float
    launches: int


def page(device: str, driver: int, peer: str, date: str, rows: Sequence[Row]) -> str:
    """The page of results."""

    def cells(row: Row) -> str:
        known = row.theirs == row.theirs
        theirs = f"{1e3 * row.theirs:.3f} | {row.mine / row.theirs:.2f} | {row.apart:.0e}" if known else "| |"
        return f"| {row.name} | {1e3 * row.mine:.3f} | {theirs} | {row.launches} |"

    head = f"""# Performance on a GPU

Written by `python -m benchmarks.cuda --page docs/performance-cuda.md`: one {device}, driver for CUDA {driver}, {peer}
with TF32 off, {date}.

Times are of calls that follow each other, arrays being on the device; LSTM and recurrence_gradient are value and
gradient. The ratio is polyad's time by the peer's, of one run; the difference is the largest of the results, by the
largest of them. Where all launches together take less than 0.03 ms, calls wait for Python.

| workload | polyad ms | peer ms | ratio | difference | launches |
| --- | --- | --- | --- | --- | --- |
"""
    return head + "".join(f"{cells(row)}\n" for row in rows)


def main() -> int:
    made = argparse.ArgumentParser(prog="python -m benchmarks.cuda", description="Time kernels on a GPU.")
    made.add_argument("names", nargs="*", metavar="workload", help=f"{', '.join(WORKLOADS)}; all by default")
    made.add_argument("--page", type=Path, help="a page of Markdown for the results, such as docs/performance-cuda.md")
    made.add_argument("--launches", type=int, default=3, help="how many of the longest launches are shown")
    made.add_argument("--flags", default="", help="further arguments of the compiler, such as -DPA_UNROLLED=4")
    args = made.parse_args()
    try:
        import torch
    except ImportError:
        torch = None  # type: ignore[assignment]
    device = find_driver()
    print(f"{device.name}, driver for CUDA {device.version}; PyTorch {torch.__version__ if torch else 'is missing'}")
    print(
        f"{'workload':<26}{'polyad ms':>11}{'torch ms':>11}{'ratio':>8}{'difference':>12}{'launches':>10}{'first s':>9}"
    )
    rows: list[Row] = []
    for name in args.names or WORKLOADS:
        workload = WORKLOADS[name]()
        own = Own(workload, args.flags.split())
        mine = timed(own.start, own.wait)
        theirs, apart = float("nan"), float("nan")
        if torch is not None and workload.torch is not None:
            torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
            given = [torch.tensor(a, device="cuda") for a in workload.arrays]
            run = workload.torch(torch)
            apart = difference(own.results, run(*given))
            theirs = timed(partial(run, *given), torch.cuda.synchronize)
        rows.append(Row(name, mine, theirs, apart, len(own.source.launches)))
        row = f"{name:<26}{1e3 * mine:>11.3f}{1e3 * theirs:>11.3f}{mine / theirs:>8.2f}{apart:>12.1e}"
        print(f"{row}{len(own.source.launches):>10}{own.first_call:>9.1f}", flush=True)
        for told, seconds in own.by_launch()[: args.launches]:
            print(f"    {1e3 * seconds:>9.3f} ms  {told}", flush=True)
        del own
        device.memory.free_idle()
    if args.page is not None:
        peer = f"PyTorch {torch.__version__}" if torch else "no peer"
        args.page.write_text(page(device.name, device.version, peer, time.strftime("%Y-%m-%d"), rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
