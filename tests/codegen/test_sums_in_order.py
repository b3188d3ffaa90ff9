"""Sums in the order of a schedule that was given: one number after the other, in float32, and certified so."""

import numpy as np
import pytest

import polyad as pa


def along() -> tuple[list[pa.Tensor], list[pa.Tensor]]:
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", "float32")
    return [pa.numpy.sum(x * x)], [x]


@pytest.mark.parametrize("optimize", range(4))
def test_a_schedule_that_was_given_adds_up_in_its_order(optimize: int) -> None:
    outputs, inputs = along()
    target = pa.Target("c", optimize=optimize)
    usual = pa.compile(outputs, inputs, target=target)
    given = pa.compile(outputs, inputs, target=target, schedule=usual.schedule.unmark())
    values = np.random.default_rng(0).random(50_000).astype(np.float32)
    expected = np.float32(0)
    for v in values:
        expected += v * v
    found = np.asarray(given(values))
    assert found.tobytes() == expected.tobytes()
    assert "double" not in given.source and "double" in usual.source
    assert np.asarray(usual(values)).tobytes() != expected.tobytes()


def test_both_are_certified_and_explained_as_they_were_compiled() -> None:
    outputs, inputs = along()
    usual = pa.compile(outputs, inputs)
    given = pa.compile(outputs, inputs, schedule=usual.schedule.unmark())
    for kernel in (usual, given):
        assert kernel.certify(N=600).instances >= 600
    assert given.code.in_order and not usual.code.in_order
    assert type(given.code).from_dict(given.code.to_dict()).in_order
