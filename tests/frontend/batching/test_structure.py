"""A batch made by `vmap` is scheduled like one written by hand: the same loops, the same instances, the same memory."""

import re
from collections import Counter

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m

RNG = np.random.default_rng(3)
T, B, D, H = 12, 8, 5, 16


def nests(kernel):
    """How often each loop nest occurs; names of statements and loops left out."""
    tree = re.sub(r"for (\w|/)+", "for", kernel.schedule.tree())
    tree = re.sub(r"\w+\[([^\]]*)\]", lambda found: f"S/{len(found[1].split(','))}", tree)
    tops = re.split(r"\n(?=\w)", tree)
    return Counter("\n".join(sorted(top.split("\n"))) for top in tops)


def lstm(W, U, b, h0, c0, xs, checkpoint=None):
    """For xs of T x D or T x B x D."""

    def step(carry, x):
        h, c = carry
        i, f, g, o = m.split(x @ W + h @ U + b, 4, axis=-1)
        c = pa.sigmoid(f) * c + pa.sigmoid(i) * m.tanh(g)
        h = pa.sigmoid(o) * m.tanh(c)
        return (h, c), h

    return pa.scan(step, (h0, c0), xs, checkpoint=checkpoint)[1]


def kalman(x0, p0, ys):
    """Filtered means of x' = 0.9 x + noise, y = x + noise; numbers, or B of them at once."""

    def step(state, y):
        x, p = 0.9 * state[0], 0.81 * state[1] + 0.1
        gain = p / (p + 0.5)
        x, p = x + gain * (y - x), (1.0 - gain) * p
        return (x, p), x

    return pa.scan(step, (x0, p0), ys)[1]


def soft_alignment(d):
    """Soft-DTW of costs d[i, j]."""

    def cell(r, i, j):
        before = pa.select(i > 0, pa.select(j > 0, r[i - 1, j - 1], 9.0), pa.select(j > 0, 9.0, 0.0))
        up, left = pa.select(i > 0, r[i - 1, j], 9.0), pa.select(j > 0, r[i, j - 1], 9.0)
        return d[i, j] - pa.log(pa.exp(-before) + pa.exp(-up) + pa.exp(-left))

    return pa.recurrence((T, H), cell, name="r")


def soft_alignments(d):
    """The same with the batch written by hand."""

    def cell(r, b, i, j):
        before = pa.select(i > 0, pa.select(j > 0, r[b, i - 1, j - 1], 9.0), pa.select(j > 0, 9.0, 0.0))
        up, left = pa.select(i > 0, r[b, i - 1, j], 9.0), pa.select(j > 0, r[b, i, j - 1], 9.0)
        return d[b, i, j] - pa.log(pa.exp(-before) + pa.exp(-up) + pa.exp(-left))

    return pa.recurrence((B, T, H), cell, name="r")


def in_segments(*args):
    return lstm(*args, checkpoint=pa.checkpoint.every(4))


WEIGHTS = [((D, 4 * H), "W"), ((H, 4 * H), "U"), ((4 * H,), "b")]
CASES = {
    "lstm": (lstm, lstm, [*WEIGHTS, ((B, H), "h0"), ((B, H), "c0"), ((T, B, D), "xs")], (None, None, None, 0, 0, 1), 1),
    "lstm in segments": (
        in_segments,
        in_segments,
        [*WEIGHTS, ((B, H), "h0"), ((B, H), "c0"), ((T, B, D), "xs")],
        (None, None, None, 0, 0, 1),
        1,
    ),
    "kalman": (kalman, kalman, [((B,), "x0"), ((B,), "p0"), ((T, B), "ys")], (0, 0, 1), 1),
    "soft alignment": (soft_alignment, soft_alignments, [((B, T, H), "d")], 0, 0),
}


def kernels(case, derivative):
    one, by_hand, inputs, in_axes, out_axes = CASES[case]
    places = [pa.placeholder(shape, name, "float64") for shape, name in inputs]
    found = []
    for f in (pa.vmap(one, in_axes, out_axes), by_hand):
        y = f(*places)
        outputs = pa.grad(m.sum(y * y), places) if derivative else [y]
        found.append(pa.compile(outputs, places))
    return found


@pytest.mark.parametrize("derivative", [False, True], ids=["value", "gradient"])
@pytest.mark.parametrize("case", CASES)
def test_as_by_hand(case, derivative):
    batched, by_hand = kernels(case, derivative)
    assert nests(batched) == nests(by_hand)
    assert sorted(batched.instances().values()) == sorted(by_hand.instances().values())
    assert batched.memory_plan().total_bytes == by_hand.memory_plan().total_bytes
    values = [RNG.uniform(0.1, 0.9, shape) for shape, _ in CASES[case][2]]
    ours, theirs = batched(*values), by_hand(*values)
    for a, b in zip(ours, theirs, strict=True) if derivative else [(ours, theirs)]:
        np.testing.assert_allclose(a, b, rtol=1e-10)


@pytest.mark.parametrize("case", CASES)
def test_parallel_over_the_batch(case):
    batched, _ = kernels(case, False)
    tree = batched.schedule.tree()
    assert re.search(r"^(parallel|share) for b$", tree, re.MULTILINE), tree


def test_segments_are_kept_one_at_a_time():
    """The memory of a checkpointed gradient for each example grows with the kept states, not with the steps."""
    memory = []
    for steps in (100, 200):
        places = [pa.placeholder(s, n, "float64") for n, s in (("w", (3, 3)), ("h", (B, 3)), ("xs", (B, steps, 3)))]

        def loss(w, h, xs):
            return m.sum(pa.scan(lambda h, x: (m.tanh(x + h @ w), None), h, xs, checkpoint=pa.checkpoint.every(10))[0])

        gradients = pa.vmap(pa.grad(loss, (0, 1, 2)), (None, 0, 0))(*places)
        memory.append(pa.compile(list(gradients), places).memory_plan().total_bytes)
    assert memory[1] - memory[0] <= 10 * B * 3 * 8 + 64
