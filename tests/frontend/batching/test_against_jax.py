"""`vmap` means what it means in JAX: one text for both, where JAX is installed."""

from types import SimpleNamespace

import numpy as np
import optree
import pytest

import polyad as pa

RNG = np.random.default_rng(7)
OURS = SimpleNamespace(
    np=pa.numpy,
    scan=pa.scan,
    stop=pa.stop_gradient,
    sigmoid=pa.sigmoid,
    **{n: getattr(pa, n) for n in "vmap grad value_and_grad jvp vjp jacfwd jacrev hessian jit custom_vjp".split()},
)


@pytest.fixture(scope="module")
def theirs():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    names = "vmap grad value_and_grad jvp vjp jacfwd jacrev hessian jit custom_vjp".split()
    return SimpleNamespace(
        np=jax.numpy,
        scan=jax.lax.scan,
        stop=jax.lax.stop_gradient,
        sigmoid=jax.nn.sigmoid,
        **{n: getattr(jax, n) for n in names},
    )


def loss(j, w, x, y):
    return j.np.sum((j.np.tanh(x @ w) - y) ** 2)


def per_example_gradients(j, w, x, y):
    return j.vmap(j.value_and_grad(lambda *a: loss(j, *a), argnums=(0, 1)), in_axes=(None, 0, 0))(w, x, y)


def axes(j, w, x, y):
    f = j.vmap(lambda p, v: (p["w"] @ v, p["b"], v), in_axes=({"w": None, "b": -1}, 1), out_axes=(1, 0, -1))
    return f({"w": w, "b": y.T}, x.T)


def of_itself(j, w, x, y):
    inner = j.vmap(lambda a, b: j.np.tanh(a * b) @ w, in_axes=(0, None), out_axes=-1)
    return j.vmap(inner, in_axes=(None, 0), out_axes=1)(x, y)


def kalman(j, w, x, y):
    """Filters of 3 states, one for each row of y as observations of the first state; the means and their likelihood."""

    def filtered(ys):
        def step(state, y):
            mean, cov = state
            mean, cov = 0.5 * w @ mean, 0.25 * w @ cov @ w.T + j.np.eye(3)
            s = cov[0, 0] + 0.3
            gain, error = cov[:, 0] / s, y - mean[0]
            mean = mean + gain * error
            cov = cov - gain[:, None] * cov[0][None, :]
            return (mean, cov), (mean, j.np.log(s) + error**2 / s)

        (mean, _), (means, costs) = j.scan(step, (j.np.zeros(3), j.np.eye(3)), ys)
        return j.np.sum(costs) + j.np.sum(means) + j.np.sum(mean)

    return j.vmap(j.value_and_grad(filtered))(y), j.grad(lambda y: j.np.sum(j.vmap(filtered)(y) ** 2))(y)


def viterbi(j, w, x, y):
    """The best score of a path through scores x of 3 states, 5 steps; w is what a change costs."""

    def best(scores):
        return j.np.max(j.scan(lambda s, e: (j.np.max(s[:, None] + w, axis=0) + e, None), scores[0], scores[1:])[0])

    return j.vmap(best)(j.np.stack([x, y])), j.vmap(j.grad(best))(j.np.stack([x, y]))


def second_derivatives(j, w, x, y):
    return (
        j.vmap(j.hessian(lambda v, t: loss(j, w, v, t)))(x, y),
        j.jacrev(lambda w: j.vmap(lambda v: j.np.tanh(v @ w))(x))(w),
        j.jacfwd(lambda w: j.vmap(lambda v: j.np.tanh(v @ w))(x), argnums=0)(w),
        j.grad(lambda w: j.np.sum(j.vmap(j.grad(lambda *a: loss(j, *a)), in_axes=(None, 0, 0))(w, x, y) ** 2))(w),
    )


def directions(j, w, x, y):
    pushed = j.vmap(lambda d: j.jvp(lambda v: j.np.tanh(v @ w), (x[0],), (d,))[1])(y)
    _, pull = j.vjp(lambda v: j.np.tanh(v @ w), x[0])
    return pushed, j.vmap(lambda d: pull(d)[0])(y)


def gathers(j, w, x, y):
    def f(table, row):
        best = j.np.argmax(row)
        return table[best] * row + j.np.cumsum(table[:, 0]), best, j.np.where(row > 0, row, -table[0])

    return j.vmap(f, in_axes=(None, 0))(w, x), j.vmap(f, in_axes=(0, None))(j.np.stack([w, 2.0 * w]), x[0])


def rules(j, w, x, y):
    @j.custom_vjp
    def clipped(v, s):
        return v * s

    clipped.defvjp(
        lambda v, s: (clipped(v, s), (v, s)), lambda kept, g: (j.np.clip(g, -1, 1) * kept[1], j.np.sum(g) * kept[0])
    )

    def total(v, s):
        return j.np.sum(j.vmap(clipped, in_axes=(0, None))(v, s) ** 2)

    def summed(v, s):
        return j.np.sum(clipped(v, s) ** 2)

    clipped_one = j.vmap(j.grad(lambda v: j.np.sum(clipped(v, v) ** 2)))(x)
    return clipped_one, j.grad(total)(x, y[0]), j.vmap(j.grad(summed), in_axes=(0, None))(x, y[0])


PROGRAMS = [per_example_gradients, axes, of_itself, kalman, viterbi, second_derivatives, directions, gathers, rules]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_as_in_jax(program, theirs):
    w, x, y = RNG.normal(size=(3, 3)), RNG.normal(size=(5, 3)), RNG.normal(size=(5, 3))
    found, structure = optree.tree_flatten(pa.jit(lambda *a: program(OURS, *a))(w, x, y))
    wanted, expected = optree.tree_flatten(theirs.jit(lambda *a: program(theirs, *a))(w, x, y))
    assert structure == expected
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, np.asarray(b), rtol=1e-9, atol=1e-12)
