"""Recurrent cells and layers: PyTorch's numbers with PyTorch's weights, and derivatives."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of
from tests.nn.against_torch import against_torch

GATES = {"rnn": 1, "gru": 3, "lstm": 4}
T, B, I, H = 3, 2, 2, 3


def weights(kind: str, seed: int = 0) -> dict[str, np.ndarray]:
    rng, g = np.random.default_rng(seed), GATES[kind]
    shapes = {"W_ih": (g * H, I), "W_hh": (g * H, H), "b_ih": (g * H,), "b_hh": (g * H,)}
    return {n: rng.normal(size=s) for n, s in shapes.items()}


def values(seed: int = 1) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {n: rng.normal(size=s) for n, s in {"x": (T, B, I), "h0": (B, H), "c0": (B, H)}.items()}


def tensors(kind: str) -> dict[str, pa.Tensor]:
    t, b, i, h = pa.sizes("T B I H")
    g = GATES[kind]
    shapes = {"x": (t, b, i), "W_ih": (g * h, i), "W_hh": (g * h, h), "b_ih": (g * h,), "b_hh": (g * h,)}
    shapes |= {"h0": (b, h), "c0": (b, h)}
    return {n: pa.placeholder(s, n, "float64") for n, s in shapes.items()}


def cell(kind: str, v: dict[str, pa.Tensor], x: pa.Tensor, **options: Any) -> list[pa.Tensor]:
    """The new states."""
    state = (v["h0"], v["c0"]) if kind == "lstm" else v["h0"]
    result = getattr(nn, f"{kind}_cell")(x, state, v["W_ih"], v["W_hh"], v["b_ih"], v["b_hh"], **options)
    return list(result) if kind == "lstm" else [result]


def layer(kind: str, v: dict[str, pa.Tensor], **options: Any) -> tuple[pa.Tensor, Any]:
    start = {"h0": v["h0"], "c0": v["c0"]} if kind == "lstm" else {"h0": v["h0"]}
    result: tuple[pa.Tensor, Any] = getattr(nn, kind)(
        v["x"], v["W_ih"], v["W_hh"], v["b_ih"], v["b_hh"], **start, **options
    )
    return result


@pytest.mark.torch
@pytest.mark.parametrize("kind", GATES)
def test_cells_agree_with_pytorch(kind: str) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    given, w = values(), weights(kind)
    module = {"rnn": torch.nn.RNNCell, "gru": torch.nn.GRUCell, "lstm": torch.nn.LSTMCell}[kind](I, H).double()
    module.load_state_dict({{"W": "weight", "b": "bias"}[n[0]] + n[1:]: torch.from_numpy(v) for n, v in w.items()})
    h, c = torch.from_numpy(given["h0"]), torch.from_numpy(given["c0"])
    expected = module(torch.from_numpy(given["x"][0]), (h, c) if kind == "lstm" else h)
    v = tensors(kind)
    results = values_of(cell(kind, v, v["x"][0]), **given, **w)
    for result, e in zip(results, expected if kind == "lstm" else [expected], strict=True):
        np.testing.assert_allclose(result, e.detach().numpy(), rtol=1e-12, atol=1e-14)


@pytest.mark.torch
@pytest.mark.parametrize("kind", GATES)
def test_bidirectional_layers_agree_with_pytorch(kind: str) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    given, w, w_back = values(), weights(kind), weights(kind, 5)
    module = {"rnn": torch.nn.RNN, "gru": torch.nn.GRU, "lstm": torch.nn.LSTM}[kind](I, H, bidirectional=True).double()
    kinds = {"W": "weight", "b": "bias"}
    state = {f"{kinds[n[0]]}{n[1:]}_l0": torch.from_numpy(v) for n, v in w.items()}
    state |= {f"{kinds[n[0]]}{n[1:]}_l0_reverse": torch.from_numpy(v) for n, v in w_back.items()}
    module.load_state_dict(state)
    expected, last = module(torch.from_numpy(given["x"]))
    v = tensors(kind)
    back = {n: pa.placeholder(v[n].shape, f"{n}_back", "float64") for n in w}
    outputs, finals = nn.bidirectional(getattr(nn, kind), v["x"], [v[n] for n in w], list(back.values()))
    flat = [f[0] if kind == "lstm" else f for f in finals]
    inputs = {"x": given["x"], **w, **{f"{n}_back": a for n, a in w_back.items()}}
    result, forward, backward = values_of([outputs, *flat], **inputs)
    np.testing.assert_allclose(result, expected.detach().numpy(), rtol=1e-12, atol=1e-14)
    states = (last[0] if kind == "lstm" else last).detach().numpy()
    np.testing.assert_allclose(np.stack([forward, backward]), states, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("kind", GATES)
def test_layer_is_its_cell_step_by_step(kind: str) -> None:
    v = tensors(kind)
    given = {**values(), **weights(kind)}
    outputs, final = layer(kind, v)
    results = values_of([outputs, *(final if kind == "lstm" else [final])], **given)
    states = {n: given[n] for n in ("h0", "c0")}
    x_t = pa.placeholder(v["x"].shape[1:], "x_t", "float64")
    for t in range(T):
        step = values_of(cell(kind, v, x_t), **{**given, **states, "x_t": given["x"][t]})
        states = dict(zip(("h0", "c0"), step, strict=False))
        np.testing.assert_allclose(results[0][t], step[0], rtol=1e-12)
    for result, e in zip(results[1:], step, strict=True):
        np.testing.assert_allclose(result, e, rtol=1e-12)


@pytest.mark.parametrize("kind", GATES)
@pytest.mark.quick_cases(2)
def test_cell_derivatives(kind: str) -> None:
    v = tensors(kind)
    x = pa.placeholder(v["x"].shape[1:], "x", "float64")
    wrt = [t for n, t in v.items() if n not in ("x", *(["c0"] if kind != "lstm" else []))]
    given = {**values(), **weights(kind)}
    output = pa.numpy.concatenate(cell(kind, v, x))
    check_derivatives(output, [x, *wrt], **{**given, "x": given["x"][0]})


@pytest.mark.parametrize("kind", GATES)
@pytest.mark.parametrize("reverse", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.quick_cases(2)
def test_layer_derivatives(kind: str, reverse: bool) -> None:
    v = tensors(kind)
    wrt = [t for n, t in v.items() if n != "c0" or kind == "lstm"]
    outputs, _ = layer(kind, v, reverse=reverse)
    check_derivatives(outputs, wrt, **values(), **weights(kind))


def test_without_biases_batch_and_initial_state() -> None:
    given, w = values(), weights("lstm")
    t, i, h = pa.sizes("T I H")
    x, w_ih, w_hh = (
        pa.placeholder(s, n, "float64") for n, s in {"x": (t, i), "W": (4 * h, i), "U": (4 * h, h)}.items()
    )
    one, _ = nn.lstm(x, w_ih, w_hh)
    assert one.ndim == 2
    v = tensors("lstm")
    batch, _ = nn.lstm(v["x"], v["W_ih"], v["W_hh"])
    single = values_of(one, x=given["x"][:, 0], W=w["W_ih"], U=w["W_hh"])
    np.testing.assert_allclose(values_of(batch, **given, **w)[:, 0], single, rtol=1e-12)


def test_float32_stays_float32() -> None:
    t, i, h = pa.sizes("T I H")
    x, w, u = (pa.placeholder(s, n, "float32") for n, s in {"x": (t, i), "W": (h, i), "U": (h, h)}.items())
    outputs, final = nn.rnn(x, w, u)
    assert (outputs.dtype, final.dtype) == ("float32", "float32")


def test_relu_network() -> None:
    v = tensors("rnn")
    given = {**values(), **weights("rnn")}
    (h,) = cell("rnn", v, v["x"][0], nonlinearity="relu")
    pre = given["W_ih"] @ given["x"][0].T + given["W_hh"] @ given["h0"].T + (given["b_ih"] + given["b_hh"])[:, None]
    np.testing.assert_allclose(values_of(h, **given), np.maximum(pre.T, 0), rtol=1e-12)


def test_states_keep_readable_names() -> None:
    _, (h, c) = layer("lstm", tensors("lstm"))
    assert (h.name, c.name) == ("h", "c")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"W_hh": (7, 2)}, r"W_hh \(7, 2\) must be \(4\*H, H\)"),
        ({"W_ih": (8, 5)}, r"W_ih \(8, 5\) must be \(8, 3\)"),
        ({"h0": (2, 5)}, r"the state \(2, 5\) must end in H = 2"),
        ({"h0": (3, 2)}, r"h0 \(3, 2\) must be \(2, 2\)"),
        ({"b_ih": (7,)}, r"bias \(7,\) must have the shape \(8,\)"),
        ({"x": (4,)}, r"x \(4,\) must be \(T, B, I\)"),
    ],
)
def test_errors(change: dict[str, tuple[int, ...]], text: str) -> None:
    shapes: dict[str, tuple[int, ...]] = {
        "x": (4, 2, 3),
        "W_ih": (8, 3),
        "W_hh": (8, 2),
        "b_ih": (8,),
        "b_hh": (8,),
        "h0": (2, 2),
    }
    v = {n: pa.placeholder(s, n, "float64") for n, s in (shapes | change).items()}
    with pytest.raises(pa.ShapeError, match=text):
        nn.lstm(v["x"], v["W_ih"], v["W_hh"], v["b_ih"], v["b_hh"], v["h0"])


def test_unknown_nonlinearity() -> None:
    v = tensors("rnn")
    with pytest.raises(pa.DefinitionError, match="'sin' is not one of tanh, relu"):
        cell("rnn", v, v["x"][0], nonlinearity="sin")


@pytest.mark.slow
@pytest.mark.parametrize("kind", GATES)
def test_compiled_gradients(kind: str) -> None:
    labels = np.random.default_rng(2).integers(0, H, size=(T, B))

    def loss(x: Any, w: dict[str, Any]) -> Any:
        outputs, _ = getattr(nn, kind)(x, **w)
        return nn.cross_entropy(outputs, labels)

    pa.check_grads(loss, (values()["x"], weights(kind)))


LAYERS_OF_LSTM = 2


@pytest.mark.torch
@pytest.mark.parametrize("bidirectional", [False, True])
def test_stacked_lstm_with_projections_against_pytorch(bidirectional: bool) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    P, directions = 2, 2 if bidirectional else 1
    module = torch.nn.LSTM(I, 3, LAYERS_OF_LSTM, proj_size=P, bidirectional=bidirectional).double()
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")
    suffixes = [f"_l{n}{d}" for n in range(LAYERS_OF_LSTM) for d in ("", "_reverse")[:directions]]
    keys = [f"{n}{s}" for s in suffixes for n in names]
    state = {n: v.detach() for n, v in module.state_dict().items()}

    def ours(x: pa.Tensor, *some: pa.Tensor) -> pa.Tensor:
        given = {**{k: v.numpy() for k, v in state.items()}, **dict(zip(keys[:5], some, strict=True))}
        own = [
            dict(zip(("W_ih", "W_hh", "b_ih", "b_hh", "W_hr"), (given[f"{n}{s}"] for n in names), strict=True))
            for s in suffixes
        ]
        layers = [tuple(own[n : n + 2]) for n in (0, 2)] if bidirectional else own
        outputs, finals = nn.stacked(nn.lstm, x, layers)
        assert len(finals) == LAYERS_OF_LSTM
        return outputs

    def theirs(x: torch.Tensor, *some: torch.Tensor) -> torch.Tensor:
        given = state | dict(zip(keys[:5], some, strict=True))
        result: torch.Tensor = torch.func.functional_call(module, given, (x,))[0]
        return result

    against_torch(ours, theirs, values()["x"], *(state[k].numpy() for k in keys[:5]))


def test_peepholes() -> None:
    """The gates see the memory: step by step, as in the equations."""
    given, w = values(), weights("lstm")
    p = np.random.default_rng(7).normal(size=(3 * H,))
    v = tensors("lstm")
    peephole = pa.placeholder((3 * v["h0"].shape[1],), "p", "float64")
    x = v["x"]
    outputs, _ = nn.lstm(x, *(v[n] for n in w), peephole=peephole)
    h = c = np.zeros((B, H))
    for t in range(T):
        z = given["x"][t] @ w["W_ih"].T + w["b_ih"] + h @ w["W_hh"].T + w["b_hh"]
        z_i, z_f, z_g, z_o = np.split(z, 4, 1)
        p_i, p_f, p_o = np.split(p, 3)
        i, f = (1 / (1 + np.exp(-(a + b * c))) for a, b in ((z_i, p_i), (z_f, p_f)))
        c = f * c + i * np.tanh(z_g)
        h = np.tanh(c) / (1 + np.exp(-(z_o + p_o * c)))
        np.testing.assert_allclose(values_of(outputs, x=given["x"], p=p, **w)[t], h, rtol=1e-12)
    check_derivatives(outputs, [x, peephole, v["W_hh"]], x=given["x"], p=p, **w)


def test_what_stacked_and_projected_layers_refuse() -> None:
    v = tensors("lstm")
    with pytest.raises(pa.DefinitionError, match="at least one layer"):
        nn.stacked(nn.lstm, v["x"], [])
    with pytest.raises(pa.ShapeError, match=r"W_hr \(2, 2\) must be \(P, H\) and W_hh"):
        nn.lstm(v["x"], v["W_ih"], np.zeros((12, 3)), W_hr=np.zeros((2, 2)))
