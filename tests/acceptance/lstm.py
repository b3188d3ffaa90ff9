"""The LSTM of the acceptance tests: symbolic sizes, PyTorch's gate order."""

import polyad as pa


def placeholders(dtype="float64"):
    """T, B, I, H and the inputs of one LSTM layer."""
    T, B, I, H = pa.sizes("T B I H")
    x = pa.placeholder((T, B, I), "x", dtype)
    W = pa.placeholder((4 * H, I), "W", dtype)
    U = pa.placeholder((4 * H, H), "U", dtype)
    b = pa.placeholder((4 * H,), "b", dtype)
    h0 = pa.placeholder((B, H), "h0", dtype)
    c0 = pa.placeholder((B, H), "c0", dtype)
    return x, W, U, b, h0, c0


def layer(x, W, U, b, h0, c0):
    """((h_T, c_T), ys)."""

    def step(carry, x_t):
        h, c = carry
        z = x_t @ W.T + b + h @ U.T
        i, f, g, o = pa.numpy.split(z, 4, axis=-1)
        c = pa.sigmoid(f) * c + pa.sigmoid(i) * pa.tanh(g)
        h = pa.sigmoid(o) * pa.tanh(c)
        return (h, c), h

    return pa.scan(step, (h0, c0), x)


def loss_and_gradients(dtype="float64"):
    """Loss on all outputs, gradients of all inputs, and the inputs."""
    inputs = placeholders(dtype)
    _, ys = layer(*inputs)
    loss = (ys * ys).sum()
    return loss, pa.grad(loss, list(inputs)), inputs


def compile_gradient(dtype="float64", **options):
    """The gradient kernel."""
    loss, grads, inputs = loss_and_gradients(dtype)
    return pa.compile([loss, *grads], list(inputs), name="lstm_grad", **options)
