"""How long it takes until a value and its gradient can run: nothing kept from before, and everything.

lstm             the layer of `lstm`. Steps differ a hundredfold between the cases and times should not: nothing is
                 unrolled along a size. Sizes are constants.
bidirectional    two bidirectional LSTM layers with attention over time on top, sizes symbolic
elementwise      a chain of S elementwise equations, each of which reads the one before: about linear in S
products         a chain of S matrix products with tanh between them

There is no aim in the table: the bounds are in seconds. Cold, 5 s for a layer and 15 s for the bidirectional ones,
the C compiler included.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.with_polyad import placeholders
from benchmarks.workload import Case, Ready, Workload
from benchmarks.workloads.lstm import inputs, jax_loss, polyad_loss, wrt

__all__ = ["WORKLOAD", "definition"]

DONE = np.zeros(())
"""There is no result to compare: `lstm` does that."""

Definition = tuple[Sequence[Any], Sequence[Any]]  # outputs, inputs


def lstm(case: Case) -> Definition:
    import polyad as pa

    tensors = placeholders(inputs(case))
    value = polyad_loss(case, **tensors)
    return [value, *pa.grad(value, [tensors[n] for n in wrt(case)])], list(tensors.values())


def bidirectional(case: Case) -> Definition:
    import polyad as pa

    T, B, H = pa.sizes("T B H")
    x = pa.placeholder((T, B, H), "x", case.dtype)
    weights: list[Any] = []

    def layer(y: Any, width: Any, number: int) -> Any:
        ways = []
        for way in ("forth", "back"):
            shapes = {"W": (4 * H, width), "U": (4 * H, H), "b": (4 * H,)}
            ways.append([pa.placeholder(s, f"{n}_{way}_{number}", case.dtype) for n, s in shapes.items()])
            weights.extend(ways[-1])
        return pa.nn.bidirectional(pa.nn.lstm, y, *ways)[0]

    y = layer(layer(x, H, 1), 2 * H, 2)
    weights.append(pa.placeholder((2 * H, 2 * H), "W_a", case.dtype))
    scores = pa.numpy.einsum("tbh,sbh->bts", y @ weights[-1], y)
    context = pa.numpy.einsum("bts,sbh->tbh", pa.nn.softmax(scores, axis=-1), y)
    value = (context * context).mean()
    return [value, *pa.grad(value, weights)], [x, *weights]


def elementwise(case: Case) -> Definition:
    import polyad as pa

    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", case.dtype)
    y = x
    for number in range(case["S"]):
        y = pa.compute((N,), lambda i, y=y: pa.tanh(y[i]) * y[i] + x[i], name=f"y{number}")
    value = (y * y).sum()
    return [value, *pa.grad(value, [x])], [x]


def products(case: Case) -> Definition:
    import polyad as pa

    N = pa.sizes("N")
    x = pa.placeholder((N, N), "x", case.dtype)
    y = x
    for _ in range(case["S"]):
        y = pa.tanh(y @ x)
    value = (y * y).sum()
    return [value, *pa.grad(value, [x])], [x]


DEFINITIONS: dict[str, Callable[[Case], Definition]] = {
    "lstm": lstm,
    "bidirectional": bidirectional,
    "elementwise": elementwise,
    "products": products,
}


def definition(case: Case) -> Definition:
    """(outputs, inputs) of a case."""
    return DEFINITIONS[case.kind](case)


def compile_gradient(case: Case) -> None:
    import polyad as pa

    outputs, arguments = definition(case)
    pa.compile(outputs, arguments, name="gradient")


def done_after(work: Callable[[], Any]) -> Ready:
    def call() -> Any:
        work()
        return DONE

    return Ready(call)


def with_polyad_cold(case: Case) -> Ready:
    import polyad as pa

    def work() -> None:
        pa.clear_cache()
        compile_gradient(case)

    return done_after(work)


def with_polyad_warm(case: Case) -> Ready:
    return done_after(lambda: compile_gradient(case))


def jax_bidirectional(case: Case) -> tuple[Callable[..., Any], Any, Any]:
    import jax
    import jax.numpy as jnp

    T, B, H = case["T"], case["B"], case["H"]
    zeros = lambda *shape: jnp.zeros(shape, case.dtype)  # noqa: E731 - compiled, never run
    weights = [[(zeros(4 * H, n), zeros(4 * H, H), zeros(4 * H)) for _ in range(2)] for n in (H, 2 * H)]

    def layer(y: Any, W: Any, U: Any, b: Any, reverse: bool) -> Any:
        def step(carry: Any, z_t: Any) -> Any:
            h, c = carry
            i, f, g, o = jnp.split(z_t + h @ U.T, 4, axis=-1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        return jax.lax.scan(step, (zeros(B, H), zeros(B, H)), y @ W.T + b, reverse=reverse)[1]

    def value(variables: Any, y: Any) -> Any:
        layers, attention = variables
        for ways in layers:
            both = [layer(y, *way, reverse=bool(back)) for back, way in enumerate(ways)]
            y = jnp.concatenate(both, axis=-1)
        scores = jnp.einsum("tbh,sbh->bts", y @ attention, y)
        context = jnp.einsum("bts,sbh->tbh", jax.nn.softmax(scores, axis=-1), y)
        return jnp.mean(context * context)

    return value, (weights, zeros(2 * H, 2 * H)), zeros(T, B, H)


def with_jax(case: Case) -> Ready:
    import jax
    import jax.numpy as jnp

    rest: Any = None
    if case.kind == "lstm":
        arrays = inputs(case)
        variables: Any = {n: arrays.pop(n) for n in wrt(case)}
        rest = arrays
        value: Callable[..., Any] = lambda v, r: jax_loss(case, **v, **r)  # noqa: E731 - one of four
    elif case.kind == "bidirectional":
        value, variables, rest = jax_bidirectional(case)
    else:
        variables = jnp.zeros((8, 8) if case.kind == "products" else (8,), case.dtype)

        def value(x: Any, _: Any) -> Any:
            y = x
            for _step in range(case["S"]):
                y = jnp.tanh(y @ x) if case.kind == "products" else jnp.tanh(y) * y + x
            return (y * y).sum()

    def work() -> None:
        jax.clear_caches()
        jax.jit(jax.value_and_grad(value)).lower(variables, rest).compile()

    return done_after(work)


def chains(kind: str, *lengths: int) -> list[Case]:
    return [Case({"S": length}, "float64", kind, quick=length == lengths[0]) for length in lengths]


WORKLOAD = Workload(
    about="from Python to a kernel: value and gradient of LSTM layers and of chains of S equations",
    cases=(
        Case({"T": 10, "B": 16, "H": 64}, kind="lstm"),
        Case({"T": 1000, "B": 16, "H": 64}, kind="lstm", quick=True),
        Case({"T": 100, "B": 16, "H": 64}, kind="bidirectional"),
        *chains("elementwise", 25, 50, 100, 200),
        *chains("products", 25, 50, 100, 200),
    ),
    contenders={"polyad cold": with_polyad_cold, "polyad warm": with_polyad_warm, "jax cold": with_jax},
    tiny={"T": 2, "B": 2, "H": 2, "S": 2},
)
