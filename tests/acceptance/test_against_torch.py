"""PyTorch as outside judge of RNNs: one symbolic-size kernel per network and loss, run for many sizes."""

import functools
import itertools

import numpy as np
import pytest

import polyad as pa

SIZES = list(itertools.product((1, 2, 7, 20), (1, 3), (1, 5), (1, 7, 16)))
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
LOSSES = {"LSTM": ("outputs", "last", "cell"), "GRU": ("outputs", "last"), "RNN": ("outputs", "last")}
CASES = [(net, loss) for net, losses in LOSSES.items() for loss in losses]


def cell(net):
    return {"LSTM": pa.nn.lstm_cell, "GRU": pa.nn.gru_cell, "RNN": pa.nn.rnn_cell}[net]


@functools.cache
def kernel(net, loss, dtype):
    """Value and all gradients of one recurrent layer, for any T, B, I, H."""
    T, B, I, H = pa.sizes("T B I H")
    G = GATES[net]
    x = pa.placeholder((T, B, I), "x", dtype)
    w = {
        "W_ih": pa.placeholder((G * H, I), "W_ih", dtype),
        "W_hh": pa.placeholder((G * H, H), "W_hh", dtype),
        "b_ih": pa.placeholder((G * H,), "b_ih", dtype),
        "b_hh": pa.placeholder((G * H,), "b_hh", dtype),
    }
    h0 = pa.placeholder((B, H), "h0", dtype)
    c0 = pa.placeholder((B, H), "c0", dtype)
    weights = list(w.values())

    def step(carry, x_t):
        new = cell(net)(x_t, carry, *weights)
        return new, new[0] if net == "LSTM" else new

    carry, ys = pa.scan(step, (h0, c0) if net == "LSTM" else h0, x)
    last = carry[0] if net == "LSTM" else carry
    value = {"outputs": ys, "last": last, "cell": carry[1] if net == "LSTM" else None}[loss]
    total = (value * pa.cos(value)).sum()
    wrt = [x, *weights, h0, *([c0] if net == "LSTM" else [])]
    grads = pa.grad(total, wrt)
    return pa.compile([total, *grads], wrt, name=f"{net.lower()}_{loss}_grad"), [t.name for t in wrt]


def reference(net, loss, arrays, dtype):
    I = arrays["x"].shape[2]
    H = arrays["h0"].shape[1]
    import torch  # here, as importing it takes a second in every process of tests

    layer = getattr(torch.nn, net)(I, H).to(getattr(torch, dtype))
    given = {k: torch.tensor(v, requires_grad=True) for k, v in arrays.items()}
    params = {
        f"{t}_{p}_l0": given[f"{'W' if t == 'weight' else 'b'}_{p}"] for t in ("weight", "bias") for p in ("ih", "hh")
    }
    state = (given["h0"][None], given["c0"][None]) if net == "LSTM" else given["h0"][None]
    out, final = torch.func.functional_call(layer, params, (given["x"], state))
    value = {"outputs": out, "last": final[0] if net == "LSTM" else final, "cell": final[1] if net == "LSTM" else None}[
        loss
    ]
    total = (value * torch.cos(value)).sum()
    total.backward()
    return total, given


def both_types():
    """The quick suite runs one loss of RNN and LSTM in float64, the slow one all in both types."""
    for net, loss in CASES:
        quick = net != "GRU" and loss == "outputs"
        yield pytest.param(net, loss, "float64", 1e-10, marks=() if quick else (pytest.mark.slow,))
        yield pytest.param(net, loss, "float32", 1e-4, marks=(pytest.mark.slow,))


@pytest.mark.torch
@pytest.mark.parametrize(("net", "loss", "dtype", "tolerance"), list(both_types()))
def test_layer(net, loss, dtype, tolerance):
    """Loss and every gradient agree for all sizes, from one compiled kernel."""
    run, names = kernel(net, loss, dtype)
    rng = np.random.default_rng(0)
    for T, B, I, H in SIZES:
        G = GATES[net]
        shapes = {
            "x": (T, B, I),
            "W_ih": (G * H, I),
            "W_hh": (G * H, H),
            "b_ih": (G * H,),
            "b_hh": (G * H,),
            "h0": (B, H),
            "c0": (B, H),
        }
        arrays = {n: (0.5 * rng.standard_normal(shapes[n])).astype(dtype) for n in names}
        value, *grads = run(**arrays)
        total, given = reference(net, loss, arrays, dtype)
        assert abs(float(value) - float(total)) <= tolerance * max(1.0, abs(float(total)))
        for name, g in zip(names, grads, strict=True):
            expected = given[name].grad.numpy() if given[name].grad is not None else np.zeros(shapes[name])
            scale = max(np.abs(expected).max(), 1e-3)
            error = np.abs(g - expected).max() / scale
            assert error <= tolerance, f"d{name} of {net} on {loss} at T{T} B{B} I{I} H{H}: {error:.2e}"


def layer_weights(rng, inputs, H, suffix):
    return {
        f"W_ih{suffix}": rng.standard_normal((4 * H, inputs)) * 0.4,
        f"W_hh{suffix}": rng.standard_normal((4 * H, H)) * 0.4,
        f"b_ih{suffix}": rng.standard_normal(4 * H) * 0.4,
        f"b_hh{suffix}": rng.standard_normal(4 * H) * 0.4,
    }


def run_lstm(x, w, suffix, H, reverse=False):
    zeros = pa.numpy.zeros((x.shape[1], H))

    def step(carry, x_t):
        h, c = pa.nn.lstm_cell(x_t, carry, *(w[f"{n}{suffix}"] for n in ("W_ih", "W_hh", "b_ih", "b_hh")))
        return (h, c), h

    return pa.scan(step, (zeros, zeros), x, reverse=reverse)[1]


@pytest.mark.torch
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["stacked", "bidirectional"])
def test_two_layers(kind):
    """Two stacked layers, and a bidirectional layer."""
    T, B, I, H = 7, 3, 5, 4
    rng = np.random.default_rng(1)
    x = rng.standard_normal((T, B, I))
    second = "_l1" if kind == "stacked" else "_l0_reverse"
    w = layer_weights(rng, I, H, "_l0") | layer_weights(rng, H if kind == "stacked" else I, H, second)

    def loss(x, w):
        first = run_lstm(x, w, "_l0", H)
        if kind == "stacked":
            y = run_lstm(first, w, "_l1", H)
        else:
            y = pa.numpy.concatenate([first, run_lstm(x, w, "_l0_reverse", H, reverse=True)], axis=-1)
        return (y * pa.sin(y + 0.3)).sum()

    value, (dx, dw) = pa.value_and_grad(loss, argnums=(0, 1))(x, w)
    import torch  # here, as importing it takes a second in every process of tests

    layer = torch.nn.LSTM(I, H, num_layers=2 if kind == "stacked" else 1, bidirectional=kind != "stacked").double()
    given = {k: torch.tensor(v, requires_grad=True) for k, v in w.items()}
    xt = torch.tensor(x, requires_grad=True)
    params = {k.replace("W_", "weight_").replace("b_", "bias_", 1): v for k, v in given.items()}
    out, _ = torch.func.functional_call(layer, params, (xt,))
    total = (out * torch.sin(out + 0.3)).sum()
    total.backward()
    assert abs(float(value) - float(total)) < 1e-10 * abs(float(total))
    np.testing.assert_allclose(dx, xt.grad.numpy(), rtol=1e-10, atol=1e-12)
    for k in w:
        np.testing.assert_allclose(dw[k], given[k].grad.numpy(), rtol=1e-10, atol=1e-12, err_msg=k)
