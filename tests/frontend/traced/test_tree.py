"""`pa.tree`: the functions of `jax.tree`, in its order of arguments."""

import operator
from collections import namedtuple

import numpy as np
import pytest

import polyad as pa

Point = namedtuple("Point", "x y")
TREE = {"b": 1, "a": [2, (3, None)], "p": Point(4, 5)}


def test_leaves_and_structure():
    leaves, structure = pa.tree.flatten(TREE)
    assert leaves == pa.tree.leaves(TREE) == [2, 3, 1, 4, 5]
    assert pa.tree.unflatten(structure, leaves) == TREE
    assert structure == pa.tree.structure(pa.tree.map(lambda x: -x, TREE)) != pa.tree.structure([1])


def test_map_takes_several_trees_and_leaves_of_any_kind():
    assert pa.tree.map(operator.add, TREE, TREE)["p"] == Point(8, 10)
    assert pa.tree.map(lambda x, y: (x, y), [1, 2], [(3, 4), {"a": 5}]) == [(1, (3, 4)), (2, {"a": 5})]
    assert pa.tree.map(len, [(1, 2), (3,)], is_leaf=lambda x: isinstance(x, tuple)) == [2, 1]
    with pytest.raises(ZeroDivisionError):  # of the function, as it is
        pa.tree.map(lambda x: x / 0, TREE)


def test_reduce_and_all():
    assert pa.tree.reduce(operator.add, TREE) == 15
    assert pa.tree.reduce(operator.add, (), 7) == 7
    assert pa.tree.all([1, (2,)]) and not pa.tree.all([1, (0,)]) and pa.tree.all(())


def test_transpose():
    outer, inner = pa.tree.structure([0, 0]), pa.tree.structure({"a": 0, "b": 0})
    tree = [{"a": 1, "b": 2}, {"a": 3, "b": 4}]
    assert pa.tree.transpose(outer, inner, tree) == pa.tree.transpose(outer, None, tree) == {"a": [1, 3], "b": [2, 4]}


def test_errors_are_of_polyad():
    for call, message in (
        (lambda: pa.tree.map(operator.add, TREE, [1]), "tree.map: Expected an instance of dict"),
        (lambda: pa.tree.unflatten(pa.tree.structure(TREE), [1]), "tree.unflatten: Too few leaves"),
        (lambda: pa.tree.reduce(operator.add, ()), "no leaves; give an initializer"),
    ):
        with pytest.raises(pa.DefinitionError, match=message):
            call()


def test_steps_of_an_optimiser():
    def step(params, x, y):
        loss, grads = pa.value_and_grad(lambda p: pa.numpy.mean((x @ p["w"] + p["b"] - y) ** 2))(params)
        return loss, pa.tree.map(lambda p, g: p - 0.1 * g, params, grads)

    x, y = np.eye(3), np.ones(3)
    params = {"w": np.zeros(3), "b": np.array(0.0)}
    run, losses = pa.jit(step), []
    for _ in range(3):
        loss, params = run(params, x, y)
        losses.append(float(loss))
    assert losses == sorted(losses, reverse=True)
