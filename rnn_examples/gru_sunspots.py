"""A GRU forecasts the sunspot number of the next year.

The series has one number a year from 1700 to 2008. The network reads it year by year and says after each what the next
one will be. It learns on windows of 22 years (two solar cycles) before 1950; the years since then are held out, and
each of them is forecast from all the years before it. Two forecasts that need no learning stand beside it (the number
of the last year, and the number of 11 years ago), and one that is hard to beat: a linear autoregression.

    python rnn_examples/gru_sunspots.py

Sizes: T steps, B windows in a batch, H hidden units; one input, one output.
"""

import argparse
import time
from pathlib import Path

import matplotlib as mpl
import numpy as np
import statsmodels.api as sm
from tqdm import tqdm

import polyad as pa

mpl.use("Agg")  # draws into a file, so no window is needed
import matplotlib.pyplot as plt

WINDOW = 22  # years: two solar cycles
FIRST_HELD_OUT = 1950


# ---------------------------------------------------------------- the network


def forecasts(weights, z):
    """For each step of z (T, B) what the network expects at the next one, (T, B)."""
    W_ih, W_hh, b_ih, b_hh = weights["W_ih"], weights["W_hh"], weights["b_ih"], weights["b_hh"]

    def step(h, z_t):  # h: (B, H), z_t: (B,)
        # (B, 3H) each, the gates in PyTorch's order: reset, update, new
        r_i, u_i, n_i = pa.numpy.split(z_t[:, None] @ W_ih.T + b_ih, 3, axis=-1)
        r_h, u_h, n_h = pa.numpy.split(h @ W_hh.T + b_hh, 3, axis=-1)
        update = pa.sigmoid(u_i + u_h)
        new = pa.tanh(n_i + pa.sigmoid(r_i + r_h) * n_h)
        h = (1 - update) * new + update * h
        return h, h @ weights["W_out"] + weights["b_out"]

    start = pa.numpy.zeros((z.shape[1], W_hh.shape[1]), dtype=z.dtype)
    _, expected = pa.scan(step, init=start, xs=z)
    return expected


def squared_error(weights, z):
    """Mean squared error of all forecasts inside windows z (T + 1, B)."""
    return pa.numpy.mean((forecasts(weights, z[:-1]) - z[1:]) ** 2)


def shapes(hidden):
    """The weights and their shapes, in PyTorch's layout."""
    return {
        "W_ih": (3 * hidden, 1),
        "W_hh": (3 * hidden, hidden),
        "b_ih": (3 * hidden,),
        "b_hh": (3 * hidden,),
        "W_out": (hidden,),
        "b_out": (),
    }


# ---------------------------------------------------------------- data


def to_network(number):
    """Sunspot number -> what the network sees: the root evens out the swings, then about -1 to 1."""
    return (np.sqrt(number) / 7 - 1).astype(np.float32)


def to_number(z):
    """The inverse of `to_network`."""
    return (7 * np.maximum(z + 1, 0)) ** 2


def windows(z):
    """All windows of WINDOW steps and the one after, (WINDOW + 1, number of windows)."""
    return np.lib.stride_tricks.sliding_window_view(z, len(z) - WINDOW).copy()


def autoregression(z, first, order=9):
    """Linear least squares: the next value from the last `order` ones, fitted before `first`, applied from there on."""
    past = np.stack([np.ones(len(z) - order), *(z[n : n - order] for n in range(order))], axis=1)
    fit = np.linalg.lstsq(past[: first - order], z[order:first], rcond=None)[0]
    return past[first - order :] @ fit


# ---------------------------------------------------------------- training


def train(weights, z, args, rng):
    """The weights after a fit to all windows of z."""
    samples = windows(z)
    adam = pa.optim.adam(args.rate)

    @pa.jit  # gradient and step are one kernel
    def step(weights, state, batch):
        loss, grads = pa.value_and_grad(squared_error)(weights, batch)
        updates, state = adam.update(grads, state)
        return loss, pa.optim.apply_updates(weights, updates), state

    state = adam.init(weights)
    progress = tqdm(range(args.epochs), unit="epoch")
    for _ in progress:
        order = rng.permutation(samples.shape[1])
        losses = []
        for n in range(0, len(order) - args.batch + 1, args.batch):
            loss, weights, state = step(weights, state, samples[:, order[n : n + args.batch]])
            losses.append(loss)
        progress.set_postfix(loss=f"{np.mean(losses):.4f}")
    return weights


def plot(years, truth, found, errors, path):
    """Forecasts against truth above, root mean squared errors below, as a PNG."""
    colors = dict(zip(found, ("tab:orange", "tab:green", "tab:blue", "tab:red"), strict=True))
    figure, (top, bottom) = plt.subplots(
        2, 1, figsize=(9, 5.6), layout="constrained", gridspec_kw={"height_ratios": (3, 1)}
    )
    top.plot(years, truth, color="black", marker=".", label="observed")
    for name in ("GRU", "last year"):
        style = "-" if name == "GRU" else ":"
        top.plot(years, found[name], style, color=colors[name], label=name)
    top.set(title="Forecasts one year ahead, years held out of training", xlabel="year", ylabel="sunspot number")
    top.legend(loc="upper right")
    bottom.barh(list(errors), list(errors.values()), color=[colors[name] for name in errors])
    bottom.bar_label(bottom.containers[0], fmt="%.1f", padding=3)
    bottom.invert_yaxis()
    bottom.set(xlabel="root mean squared error (sunspot number)", xlim=(0, 1.1 * max(errors.values())))
    for axes in (top, bottom):
        axes.grid(alpha=0.3)
        axes.set_axisbelow(True)
    figure.savefig(path, dpi=100)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--hidden", type=int, default=32, help="units of the GRU")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=0.01, help="learning rate of Adam")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("gru_sunspots.png"), help="where the plot goes")
    parser.add_argument("--quick", action="store_true", help="a short training, to see that it runs")
    args = parser.parse_args()
    if args.quick:
        args.epochs = 12
    return args


def main():
    args = arguments()
    rng = np.random.default_rng(args.seed)
    series = sm.datasets.sunspots.load_pandas().data
    years, numbers = series["YEAR"].to_numpy().astype(int), series["SUNACTIVITY"].to_numpy()
    z = to_network(numbers)
    first = int(np.searchsorted(years, FIRST_HELD_OUT))

    start = time.perf_counter()
    bound = 1 / np.sqrt(args.hidden)
    weights = {n: rng.uniform(-bound, bound, s).astype(np.float32) for n, s in shapes(args.hidden).items()}
    weights = train(weights, z[:first], args, rng)
    seconds = time.perf_counter() - start

    # The trained network reads the whole series once: 308 steps now, where it was trained on 22.
    expected = pa.jit(forecasts)(weights, z[:-1, None])[:, 0]
    found = {
        "GRU": to_number(expected[first - 1 :]),
        "linear autoregression": to_number(autoregression(z, first)),
        "last year": numbers[first - 1 : -1],
        "11 years ago": numbers[first - 11 : -11],
    }
    truth = numbers[first:]
    errors = {name: np.sqrt(np.mean((forecast - truth) ** 2)) for name, forecast in found.items()}

    plot(years[first:], truth, found, errors, args.out)
    print(f"root mean squared error of {len(truth)} forecasts, {years[first]} to {years[-1]}:")
    for name, error in errors.items():
        print(f"  {name:22} {error:6.2f}")
    print(f"training and compiling {seconds:.2f} s, plot {args.out}")


if __name__ == "__main__":
    main()
