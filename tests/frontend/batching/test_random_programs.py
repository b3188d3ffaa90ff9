"""Random programs over the whole public surface, batched, against one example after the other.

The programs are those of the campaign: their values, the gradients of each example, and the gradients of the whole
batch, all by the evaluator.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.semantics.evaluate import evaluate
from tests.campaign.classes import CLASSES
from tests.campaign.command import names
from tests.campaign.program import Program, generator
from tests.campaign.words_polyad import Words

SEED = 66
MOST = 4000  # elements of all arrays of the batch that the evaluator is asked for

Values = dict[str, np.ndarray]


def function_of(program: Program) -> Callable[..., tuple[Any, ...]]:
    f, words = program.function(program.extents), Words()

    def listed(*args: Any) -> tuple[Any, ...]:
        found = f(words, *args)
        return tuple(found) if isinstance(found, tuple | list) else (found,)

    return listed


def gradients(f: Callable[..., Sequence[Any]], program: Program) -> Callable[..., tuple[Any, ...]]:
    """Of the sum of all results, by all inputs that have gradients."""
    floats = tuple(n for n, given in enumerate(program.inputs.values()) if given.floating)

    def total(*args: Any) -> Any:
        return sum((pa.numpy.sum(y) for y in f(*args) if y.dtype.startswith("float")), 0.0 * args[floats[0]].sum())

    return pa.grad(total, floats) if floats and not program.odd else lambda *_: ()


def evaluated(tensors: Sequence[Any], given: Values) -> list[np.ndarray] | None:
    """The values; None where it would take long."""
    equations, found = program_of(tensors, None, "kernel")
    if sum(int(np.prod([e.evaluate({}) for e in a.shape])) for a in equations.arrays.values()) > MOST:
        return None
    captured = {n: t.definition.value for n, t in zip(equations.inputs, found, strict=True)}
    inputs = {n: value if value is not None else given[n] for n, value in captured.items()}
    results = evaluate(equations, inputs)
    return [results[n] for n in equations.outputs]


def placeholders(program: Program, values: Values) -> list[Any]:
    return [pa.placeholder(v.shape, n, program.inputs[n].dtype) for n, v in values.items()]


def assert_batched(name: str) -> bool:
    """Whether it was small enough to be compared."""
    program = CLASSES[name.split("/")[0]](name)
    choose = generator(f"{name} batch")
    count = choose.choice([0, 1, 2, 5])
    ranks = {n: len(given.shape) for n, given in program.inputs.items()}
    axes = {n: choose.choice([None, 0, 0, choose.randrange(-1, rank + 1)]) for n, rank in ranks.items()}
    axes[choose.choice(list(axes))] = 0
    examples = [program.values(program.extents, seed) for seed in range(max(count, 1))]
    given = {
        n: examples[0][n] if a is None else np.take(np.stack([e[n] for e in examples], a), range(count), a)
        for n, a in axes.items()
    }
    one, places = function_of(program), placeholders(program, given)
    each = gradients(one, program)
    all_at_once = gradients(pa.vmap(one, tuple(axes.values())), program)
    batched = pa.vmap(lambda *a: (*one(*a), *each(*a)), tuple(axes.values()))(*places)
    found = evaluated([*batched, *all_at_once(*places)], given)
    if found is None:
        return False
    ones = placeholders(program, examples[0])
    single = [*one(*ones), *each(*ones)]
    of_all, by = found[len(single) :], program.differentiable
    summed = {n: np.zeros(given[n].shape) for n in by}
    for b in range(count):
        own = {n: examples[0 if a is None else b][n] for n, a in axes.items()}
        wanted = evaluated(single, own)
        assert wanted is not None
        for n, (x, y) in enumerate(zip(found, wanted, strict=False)):
            np.testing.assert_allclose(x[b], y, rtol=1e-12, atol=1e-12, err_msg=f"result {n}, example {b}")
        for n, y in zip(by, wanted[len(single) - len(of_all) :], strict=False):
            axis = axes[n]
            if axis is None:
                summed[n] = summed[n] + y
            else:
                np.moveaxis(summed[n], axis, 0)[b] += y
    for n, x in zip(by, of_all, strict=False):
        scale = 1.0 + np.max(np.abs(summed[n]), initial=0.0)
        np.testing.assert_allclose(x, summed[n], rtol=1e-9, atol=1e-9 * scale, err_msg=f"gradient by {n}")
    return True


@pytest.mark.quick_cases(len(CLASSES))
@pytest.mark.parametrize("name", list(names(10 * len(CLASSES), SEED, list(CLASSES))))
def test_batched(name: str) -> None:
    try:
        assert_batched(name)
    except Exception as problem:
        problem.add_note(CLASSES[name.split("/")[0]](name).text)
        raise


@pytest.mark.slow
def test_most_are_small_enough() -> None:
    assert sum(map(assert_batched, list(names(len(CLASSES), SEED, list(CLASSES))))) > len(CLASSES) // 2
