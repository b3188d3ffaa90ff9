"""Export a step of training of an LSTM as a library for NVIDIA GPUs.

    python export.py build

writes `lstm_step.h`, `liblstm_step.a` and more into `build`: a C function that computes the loss of an LSTM, its
gradient by back-propagation through time, and the weights after a step against it, all on the device.
"""

import argparse
from pathlib import Path

import polyad as pa

pnp = pa.numpy
HIDDEN, INPUTS, RATE = 16, 2, 0.5


def loss(x, y, W, U, b, v):
    """The mean squared error of v . h_T; x is (T, B, INPUTS), y (B,), W (INPUTS, 4 H), U (H, 4 H), b (4 H,), v (H,)."""
    zeros = pnp.zeros((x.shape[1], HIDDEN), dtype="float32")

    def step(carry, row):
        h, c = carry
        z = row @ W + h @ U + b
        i, f, g, o = (z[:, n * HIDDEN : (n + 1) * HIDDEN] for n in range(4))
        c = pa.sigmoid(f) * c + pa.sigmoid(i) * pa.tanh(g)
        h = pa.sigmoid(o) * pa.tanh(c)
        return (h, c), None

    (h, _), _ = pa.scan(step, (zeros, zeros), x)
    return ((h @ v - y) ** 2).mean()


def compile_step(target):
    """The kernel: (x, y, W, U, b, v) -> (loss, W, U, b, v)."""
    T, B = pa.sizes("T B")
    shapes = {"W": (INPUTS, 4 * HIDDEN), "U": (HIDDEN, 4 * HIDDEN), "b": (4 * HIDDEN,), "v": (HIDDEN,)}
    x, y = pa.placeholder((T, B, INPUTS), "x", "float32"), pa.placeholder((B,), "y", "float32")
    weights = [pa.placeholder(shape, name, "float32") for name, shape in shapes.items()]
    error = loss(x, y, *weights)
    moved = [w - RATE * g for w, g in zip(weights, pa.grad(error, weights), strict=True)]
    outputs = {"error": error, **{f"next_{name}": w for name, w in zip(shapes, moved, strict=True)}}
    return pa.compile(outputs, [x, y, *weights], name="lstm_step", target=target)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path, help="where the library goes")
    parser.add_argument("--arch", default="compute_80", help="sm_90 is code for one device, compute_80 for later ones")
    args = parser.parse_args()
    kernel = compile_step(pa.Target("cuda", arch=args.arch))
    kernel.export(args.directory)
    print(f"exported to {args.directory}: {len(kernel.code.launches)} launches a step, whatever its length")


if __name__ == "__main__":
    main()
