"""An LSTM reads handwritten digits, row by row.

The 1797 images of scikit-learn's digits have 8 x 8 pixels. The network sees one row of pixels per step, T = 8 steps of
I = 8 inputs, and names the digit after the last one. Everything that learns is in `scores` and `cross_entropy`; polyad
differentiates and compiles them, with a step of Adam; NumPy does the rest.

    python rnn_examples/lstm_digits.py
    python rnn_examples/lstm_digits.py --epochs 10 --hidden 32 --save weights.npz
    python rnn_examples/lstm_digits.py --target cuda

Sizes: T steps, B images in a batch, I inputs per step, H hidden units, C classes.
"""

import argparse
import time
from pathlib import Path

import matplotlib as mpl
import numpy as np
from sklearn.datasets import load_digits
from tqdm import tqdm

import polyad as pa

mpl.use("Agg")  # draws into a file, so no window is needed
import matplotlib.pyplot as plt

T, I, C = 8, 8, 10


# ---------------------------------------------------------------- the network


def scores(weights, x):
    """Scores (B, C) of the classes for images x (T, B, I)."""
    W_ih, W_hh, b = weights["W_ih"], weights["W_hh"], weights["b"]

    def step(carry, x_t):  # h, c: (B, H), x_t: (B, I)
        h, c = carry
        z = x_t @ W_ih.T + h @ W_hh.T + b  # (B, 4H), the gates in PyTorch's order
        i, f, g, o = pa.numpy.split(z, 4, axis=-1)
        c = pa.sigmoid(f) * c + pa.sigmoid(i) * pa.tanh(g)
        h = pa.sigmoid(o) * pa.tanh(c)
        return (h, c), None

    start = pa.numpy.zeros((x.shape[1], W_hh.shape[1]), dtype=x.dtype)
    (h, _), _ = pa.scan(step, init=(start, start), xs=x)
    score = h @ weights["W_out"].T + weights["b_out"]
    return score


def cross_entropy(weights, x, labels):
    """Mean of -log p(label), for images x (T, B, I) with labels (B,)."""
    log_p = pa.nn.log_softmax(scores(weights, x), axis=-1)
    return -pa.numpy.mean(pa.numpy.take_along_axis(log_p, labels[:, None], axis=-1))


def shapes(hidden):
    """The weights and their shapes; PyTorch's layout, its two biases added up."""
    return {
        "W_ih": (4 * hidden, I),
        "W_hh": (4 * hidden, hidden),
        "b": (4 * hidden,),
        "W_out": (C, hidden),
        "b_out": (C,),
    }


def compile_scores(hidden, name="digits_lstm", target="openmp"):
    """A kernel for `scores`. B stays symbolic: one kernel serves every number of images."""
    B = pa.sizes("B")
    weights = {n: pa.placeholder(shape, name=n) for n, shape in shapes(hidden).items()}
    x = pa.placeholder((T, B, I), name="x")
    return pa.compile(scores(weights, x), [*weights.values(), x], name=name, target=target)


# ---------------------------------------------------------------- data and training


def load(seed):
    """((x, labels) for training, (x, labels) for testing): 80 % and 20 % of the images, x (T, B, I)."""
    digits = load_digits()
    x = (digits.images / 16).astype(np.float32).transpose(1, 0, 2)  # rows first: time is the leading dimension
    labels = digits.target.astype(np.int32)
    order = np.random.default_rng(seed).permutation(len(labels))
    train, test = np.split(order, [int(0.8 * len(order))])
    return (x[:, train], labels[train]), (x[:, test], labels[test])


def training_step(rate, epochs, steps, target):
    """A function of weights, Adam's state and a batch: the loss, and both after one step, all in one kernel."""
    # Large steps first, small ones to settle: a count of the steps before gives the epoch.
    optimiser = pa.optim.adam(lambda count: rate * (1 - count // steps / epochs))

    def step(weights, state, x, labels):
        loss, grads = pa.value_and_grad(cross_entropy)(weights, x, labels)
        updates, state = optimiser.update(grads, state)
        return loss, pa.optim.apply_updates(weights, updates), state

    return optimiser.init, pa.jit(step, target=target)


def initial_weights(hidden, rng):
    """Uniform in +-1/sqrt(H), as PyTorch starts its recurrent layers."""
    bound = 1 / np.sqrt(hidden)
    return {n: rng.uniform(-bound, bound, shape).astype(np.float32) for n, shape in shapes(hidden).items()}


def batches(count, size, rng):
    """Index arrays of whole batches in random order; the rest of an epoch waits for the next one."""
    order = rng.permutation(count)
    return order[: count - count % size].reshape(-1, size)


def plot(history, path):
    """Loss and accuracy of every epoch, as a PNG."""
    epochs = np.arange(1, len(history["loss"]) + 1)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    left.semilogy(epochs, history["loss"], color="tab:blue")
    left.set(title="Training loss", xlabel="epoch", ylabel="cross entropy (nats)")
    right.plot(epochs, history["train"], color="tab:blue", label="training images")
    right.plot(epochs, history["test"], color="tab:orange", label="test images")
    right.set(title="Accuracy", xlabel="epoch", ylabel="correct (%)", ylim=(None, 100.5))
    right.legend(loc="lower right")
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.xaxis.get_major_locator().set_params(integer=True)
    figure.suptitle("LSTM on handwritten digits, row by row")
    figure.savefig(path, dpi=100)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--hidden", type=int, default=64, help="units of the LSTM")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=0.005, help="learning rate of Adam")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", choices=("openmp", "c", "cuda"), default="openmp", help="where kernels run")
    parser.add_argument("--out", type=Path, default=Path("lstm_digits.png"), help="where the plot goes")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the trained weights there (.npz)")
    parser.add_argument("--quick", action="store_true", help="a short training of a small network, to see that it runs")
    args = parser.parse_args()
    if args.quick:
        args.epochs, args.hidden, args.rate = 6, 32, 0.01
    return args


def main():
    args = arguments()
    rng = np.random.default_rng(args.seed)
    (x, labels), (x_test, labels_test) = load(args.seed)
    weights = initial_weights(args.hidden, rng)

    # The first call of a function compiles it for the shapes it sees.
    start = time.perf_counter()
    init, step = training_step(args.rate, args.epochs, len(labels) // args.batch, args.target)
    state = init(weights)
    step(weights, state, x[:, : args.batch], labels[: args.batch])
    kernel = compile_scores(args.hidden, target=args.target)
    compile_seconds = time.perf_counter() - start

    def accuracy(x, labels):
        return 100 * np.mean(kernel(*weights.values(), x).argmax(axis=1) == labels)

    start = time.perf_counter()
    history = {"loss": [], "train": [], "test": []}
    progress = tqdm(range(args.epochs), unit="epoch")
    for _ in progress:
        losses = []
        for batch in batches(len(labels), args.batch, rng):
            loss, weights, state = step(weights, state, x[:, batch], labels[batch])
            losses.append(loss)
        history["loss"].append(np.mean(losses))
        history["train"].append(accuracy(x, labels))
        history["test"].append(accuracy(x_test, labels_test))
        progress.set_postfix(loss=f"{history['loss'][-1]:.3f}", test=f"{history['test'][-1]:.1f}%")
    seconds = time.perf_counter() - start

    plot(history, args.out)
    if args.save:
        np.savez(args.save, **weights)
    print(f"train accuracy  {history['train'][-1]:6.2f} %")
    print(f"test accuracy   {history['test'][-1]:6.2f} %")
    print(f"training        {seconds:6.2f} s")
    print(f"compiling       {compile_seconds:6.2f} s")
    print(f"plot            {args.out}")


if __name__ == "__main__":
    main()
