"""An LSTM as three equations that need each other, without a scan.

`pa.scan` says "do this for every step, in order". Here nothing is said about order: each array is defined by one
equation for all its elements, and polyad finds out that time has to run forward in the LSTM and backward in its
gradient. What it found is printed: the equations, and the schedule.

    python rnn_examples/rnn_tensor_level.py

Sizes: T steps, B sequences in a batch, I inputs per step, H hidden units.
"""

import argparse

import numpy as np

import polyad as pa

T, B, I, H = pa.sizes("T B I H")


# ---------------------------------------------------------------- inputs

x = pa.placeholder((T, B, I), name="x", dtype="float64")
target = pa.placeholder((T, B, H), name="target", dtype="float64")
W_ih = pa.placeholder((4 * H, I), name="W_ih", dtype="float64")
W_hh = pa.placeholder((4 * H, H), name="W_hh", dtype="float64")
bias = pa.placeholder((4 * H,), name="bias", dtype="float64")


# ---------------------------------------------------------------- the equations

i = pa.reduce_axis(I, name="i")
k = pa.reduce_axis(H, name="k")


def lstm(z, c, h, t, b, j):
    """Element (t, b, j) of z, c and h.

    z[t] are the gates of step t before their functions are applied. c and h have a slot for the start and one after
    each step: step t reads slot t and defines slot t + 1, so slot t is defined from the gates of step t - 1.
    """
    gates = bias[j] + pa.sum(x[t, b, i] * W_ih[j, i], axis=i) + pa.sum(h[t, b, k] * W_hh[j, k], axis=k)
    enter, forget, new, leave = (z[t - 1, b, gate * H + j] for gate in range(4))  # PyTorch's order: i, f, g, o
    c_next = pa.sigmoid(forget) * c[t - 1, b, j] + pa.sigmoid(enter) * pa.tanh(new)
    h_next = pa.sigmoid(leave) * pa.tanh(c[t, b, j])
    return gates, pa.select(t == 0, 0.0, c_next), pa.select(t == 0, 0.0, h_next)


z, c, h = pa.recurrence(((T, B, 4 * H), (T + 1, B, H), (T + 1, B, H)), lstm, name="lstm")

t, b, j = pa.reduce_axis(T, name="t"), pa.reduce_axis(B, name="b"), pa.reduce_axis(H, name="j")
loss = pa.compute((), lambda: pa.sum((h[t + 1, b, j] - target[t, b, j]) ** 2, axis=(t, b, j)), name="loss")

# Derivatives are equations as well, about the same arrays and their adjoints.
gradients = pa.grad(loss, [W_ih, W_hh, bias])


# ---------------------------------------------------------------- the same with a scan, to compare


def loss_by_scan(weights, x, target):
    W_ih, W_hh, bias = weights

    def step(carry, x_t):
        h, c = carry
        enter, forget, new, leave = pa.numpy.split(x_t @ W_ih.T + h @ W_hh.T + bias, 4, axis=-1)
        c = pa.sigmoid(forget) * c + pa.sigmoid(enter) * pa.tanh(new)
        h = pa.sigmoid(leave) * pa.tanh(c)
        return (h, c), h

    start = pa.numpy.zeros_like(target[0])
    _, hs = pa.scan(step, init=(start, start), xs=x)
    return pa.numpy.sum((hs - target) ** 2)


def loss_by_numpy(weights, x, target):
    W_ih, W_hh, bias = weights
    h = c = np.zeros_like(target[0])
    total = 0.0
    for x_t, target_t in zip(x, target, strict=True):
        enter, forget, new, leave = np.split(x_t @ W_ih.T + h @ W_hh.T + bias, 4, axis=-1)
        c = c / (1 + np.exp(-forget)) + np.tanh(new) / (1 + np.exp(-enter))
        h = np.tanh(c) / (1 + np.exp(-leave))
        total += np.sum((h - target_t) ** 2)
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="smaller arrays")
    steps, batch, inputs, hidden = (5, 2, 3, 4) if parser.parse_args().quick else (50, 16, 8, 32)

    kernel = pa.compile([loss, *gradients], [W_ih, W_hh, bias, x, target], name="lstm_grad")
    print("The equations, as they were compiled:\n")
    print(kernel.program)
    print("\nThe order that was found for them:\n")
    print(kernel.schedule.tree())

    rng = np.random.default_rng(0)
    weights = [rng.normal(scale=0.3, size=s) for s in ((4 * hidden, inputs), (4 * hidden, hidden), (4 * hidden,))]
    data = rng.normal(size=(steps, batch, inputs)), rng.normal(size=(steps, batch, hidden))
    value, *grads = kernel(*weights, *data)

    value_by_scan, grads_by_scan = pa.value_and_grad(loss_by_scan)(weights, *data)
    worst = max(np.abs(a - b).max() for a, b in zip(grads, grads_by_scan, strict=True))
    print(f"\nloss by equations {value:.9f}")
    print(f"loss by scan      {value_by_scan:.9f}")
    print(f"loss by NumPy     {loss_by_numpy(weights, *data):.9f}")
    print(f"largest difference between the gradients by equations and by scan {worst:.1e}")
    np.testing.assert_allclose(value, loss_by_numpy(weights, *data), rtol=1e-12)
    for a, b in zip(grads, grads_by_scan, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


if __name__ == "__main__":
    main()
