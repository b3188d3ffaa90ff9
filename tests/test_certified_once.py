"""Plans are certified once if they are the same, with the same effort: a plan that is wrong is another one."""

import pickle
from dataclasses import replace

import islpy as isl
import pytest

import polyad as pa
from polyad.codegen.certify.certify import execution
from polyad.codegen.plan import Plan
from polyad.errors import CertificationError
from polyad.frontend.compiled import program_of
from polyad.machine import TINY
from polyad.passes import prepare
from polyad.schedule.strategies import ALL
from tests import certified_once as module
from tests.certified_once import certified_once, content_of
from tests.codegen.certify.mutants import mutants, planned


def sums(factor: float = 2.0) -> Plan:
    x = pa.placeholder((pa.sizes("N"), 5), "x", "float64")
    return planned(prepare(program_of([factor * pa.numpy.cumsum(x, 0)], [x], "sums")[0], ALL, TINY))


def test_the_same_plan_is_certified_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = certified_once(sums(), most=100)
    monkeypatch.setattr(module, "certify", None)
    assert certified_once(sums(), most=100) is first
    for other, most in ((sums(), 101), (sums(3.0), 100)):
        with pytest.raises(TypeError, match="not callable"):
            certified_once(other, most=most)


def test_mutants_are_other_plans_and_refused_each_time() -> None:
    plan = sums()
    certified_once(plan, most=2000)
    run = execution(plan, {"N": 5}, 2000)
    assert run is not None
    others = [other for _, other in mutants(plan, run.reached)]
    assert len({content_of(p) for p in [plan, *others]}) == len(others) + 1 > 5
    refused = 0
    for other in others:
        for _ in range(2):
            try:
                certified_once(other, most=2000)
            except CertificationError:
                refused += 1
    assert refused and refused % 2 == 0
    assert content_of(replace(plan, inside="another")) != content_of(plan)


def test_maps_between_dimensions_of_one_name_have_content() -> None:
    """A function that isl made out of others: islpy cannot pickle it."""
    made, other = (isl.Map(f"{{ a[a0] -> b[x, {n}] }}").set_dim_name(isl.dim_type.out, 0, "a0") for n in (1, 2))
    with pytest.raises(RuntimeError, match="non-unique"):
        pickle.dumps(made)
    assert content_of(made) == content_of(made.copy()) != content_of(other)
