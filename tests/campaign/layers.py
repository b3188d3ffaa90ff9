"""The layers of a program, spelled out over the array functions of whichever namespace `m` they are given."""

from typing import Any

__all__ = ["Layers"]


def _pair(n: Any) -> tuple[int, int]:
    return n if isinstance(n, tuple) else (n, n)


class Layers:
    """`m.nn` of the references."""

    def __init__(self, m: Any):
        self.m = m

    def relu(self, x: Any) -> Any:
        return self.m.where(x > 0.0, x, 0.0)

    def leaky_relu(self, x: Any, slope: float) -> Any:
        return self.m.where(x > 0.0, x, slope * x)

    def elu(self, x: Any) -> Any:
        return self.m.where(x > 0.0, x, self.m.expm1(self.m.where(x > 0.0, 0.0, x)))

    def softplus(self, x: Any) -> Any:
        return self.m.logaddexp(x, 0.0 * x)

    def silu(self, x: Any) -> Any:
        return x * self.m.sigmoid(x)

    def gelu(self, x: Any) -> Any:
        return 0.5 * x * (1.0 + self.m.erf(x * 0.5**0.5))

    def logsumexp(self, x: Any, axis: int) -> Any:
        top = self.m.stop(self.m.max(x, axis))
        return self.m.log(self.m.sum(self.m.exp(x - self._back(top, x, axis)), axis)) + top

    def _back(self, v: Any, x: Any, axis: int) -> Any:
        shape = list(x.shape)
        shape[axis] = 1
        return self.m.reshape(v, tuple(shape))

    def log_softmax(self, x: Any, axis: int) -> Any:
        return x - self._back(self.logsumexp(x, axis), x, axis)

    def softmax(self, x: Any, axis: int) -> Any:
        return self.m.exp(self.log_softmax(x, axis))

    def layer_norm(self, x: Any, gamma: Any, beta: Any) -> Any:
        centred = x - self.m.mean(x, -1, True)
        return centred / self.m.sqrt(self.m.mean(centred * centred, -1, True) + 1e-5) * gamma + beta

    def dense(self, x: Any, w: Any, b: Any) -> Any:
        return x @ w.T + b

    def embedding(self, ids: Any, table: Any) -> Any:
        return self.m.take(table, ids, 0)

    def cross_entropy(self, logits: Any, labels: Any) -> Any:
        picked = self.m.take_along_axis(self.log_softmax(logits, -1), labels[:, None], 1)
        return -self.m.mean(picked)

    def mse_loss(self, a: Any, b: Any) -> Any:
        return self.m.mean((a - b) ** 2)

    def _windows(self, x: Any, size: Any, stride: Any, padding: Any, dilation: Any) -> list[list[Any]]:
        """One array for each tap of a window: the pixel that each output reads there; x is padded already."""
        (k, l), (s, r), (d, e) = _pair(size), _pair(stride), _pair(dilation)
        rows = (x.shape[2] - d * (k - 1) - 1) // s + 1
        columns = (x.shape[3] - e * (l - 1) - 1) // r + 1
        high, wide = max(0, s * (rows - 1) + 1), max(0, r * (columns - 1) + 1)  # nothing where no window fits
        return [[x[:, :, p * d : p * d + high : s, q * e : q * e + wide : r] for q in range(l)] for p in range(k)]

    def _padded(self, x: Any, padding: Any) -> Any:
        p, q = _pair(padding)
        return self.m.pad(x, ((0, 0), (0, 0), (p, p), (q, q)))

    def conv2d(self, x: Any, w: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1) -> Any:
        taps = self._windows(self._padded(x, padding), w.shape[2:], stride, padding, dilation)
        result: Any = 0.0
        for p, row in enumerate(taps):
            for q, pixels in enumerate(row):
                result = result + self.m.einsum("ncij,oc->noij", pixels, w[:, :, p, q])
        return result

    def max_pool2d(self, x: Any, size: Any, stride: Any) -> Any:
        taps = [t for row in self._windows(x, size, stride, 0, 1) for t in row]
        return self.m.max(self.m.stack(taps, 0), 0)

    def avg_pool2d(self, x: Any, size: Any, stride: Any) -> Any:
        taps = [t for row in self._windows(x, size, stride, 0, 1) for t in row]
        return self.m.mean(self.m.stack(taps, 0), 0)

    def upsample(self, x: Any, scale: int) -> Any:
        return self.m.repeat(self.m.repeat(x, scale, 2), scale, 3)

    def rnn_cell(self, x: Any, h: Any, W: Any, U: Any, b: Any) -> Any:
        return self.m.tanh(x @ W.T + b + h @ U.T)

    def gru_cell(self, x: Any, h: Any, W: Any, U: Any, b: Any, c: Any) -> Any:
        x_r, x_z, x_n = self.m.split(x @ W.T + b, 3, -1)
        h_r, h_z, h_n = self.m.split(h @ U.T + c, 3, -1)
        z = self.m.sigmoid(x_z + h_z)
        return (1.0 - z) * self.m.tanh(x_n + self.m.sigmoid(x_r + h_r) * h_n) + z * h

    def lstm_cell(self, x: Any, state: Any, W: Any, U: Any, b: Any) -> Any:
        h, c = state
        i, f, g, o = self.m.split(x @ W.T + b + h @ U.T, 4, -1)
        c_new = self.m.sigmoid(f) * c + self.m.sigmoid(i) * self.m.tanh(g)
        return self.m.sigmoid(o) * self.m.tanh(c_new), c_new
