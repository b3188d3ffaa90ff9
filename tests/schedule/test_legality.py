import random
from dataclasses import replace

import islpy as isl
import pytest

from polyad.errors import IllegalScheduleError, ScheduleError
from polyad.ir.program import Program
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.schedule.tree.marks import ParallelMark, SimdMark
from polyad.schedule.tree.nodes import Band, Mark, Node, Order, from_isl, map_nodes, partial_schedule, to_isl
from tests.programs import program
from tests.schedule.execution import points, read_instance, times, violations
from tests.schedule.samples import SAMPLES

SMALL = [
    "matvec",
    "cumsum",
    "dtw",
    "matmul_dot",
    "softmax",
    "forward_substitution",
    "nested",
    "retimed",
    "columns",
    "heat",
]


def small_sizes(name: str, value: int = 3) -> dict[str, int]:
    return dict.fromkeys(program(SAMPLES[name]).params, value)


@pytest.mark.parametrize("name", SAMPLES)
def test_default_schedules_are_legal(name: str) -> None:
    p = program(SAMPLES[name])
    s = default_schedule(p)
    s.check(p)
    assert s.is_legal(p)
    assert s.isl.get_domain().is_equal(p.domain())


@pytest.mark.parametrize("name", SMALL)
def test_default_schedules_keep_dependences_instance_by_instance(name: str) -> None:
    p = program(SAMPLES[name])
    s = default_schedule(p)
    assert not violations(p, s, small_sizes(name))
    # One instance, one time: nothing runs twice or together with another instance.
    time = times(s, small_sizes(name))
    assert len(set(time.values())) == len(time)


def test_reversed_adjoint_time_is_refused_with_two_instances() -> None:
    p = program(SAMPLES["lstm_gradient"])
    text = str(default_schedule(p))
    assert "c_bar_c[t, b, k] -> [(-t)]" in text
    forward = Schedule.from_yaml(text.replace("-> [(-t)]", "-> [(t)]"))
    with pytest.raises(IllegalScheduleError) as caught:
        forward.check(p)
    error = caught.value
    source, sink = read_instance(error.source_instance), read_instance(error.sink_instance)
    assert source[1][0] > sink[1][0], "the adjoint of a later step comes first"
    assert error.source_instance in str(error) and error.sink_instance in str(error)
    assert set(error.sizes) == {"T", "B", "I", "H"}
    assert not forward.is_legal(p)


def test_reversed_forward_time_is_refused() -> None:
    p = program(SAMPLES["lstm_gradient"])
    text = str(default_schedule(p))
    for statement in ("hu_init", "Shu", "Sz", "Si", "Sf", "Sg", "So", "Sc", "Stc", "Sh"):
        dims = ", ".join(p.statement(statement).dims)
        assert f"{statement}[{dims}] -> [(t)]" in text
        text = text.replace(f"{statement}[{dims}] -> [(t)]", f"{statement}[{dims}] -> [(-t)]")
    with pytest.raises(IllegalScheduleError) as caught:
        Schedule.from_yaml(text).check(p)
    assert read_instance(caught.value.source_instance)[1][0] < read_instance(caught.value.sink_instance)[1][0]


def refusal(schedule: Schedule, p: Program) -> IllegalScheduleError | None:
    try:
        schedule.check(p)
    except IllegalScheduleError as error:
        return error
    return None


def _mutate(tree: Node, choice: random.Random) -> Node:
    """One random change of an order: rows negated, shifted or swapped, children swapped, marks put on loops."""
    target = choice.randrange(12)
    seen = [0]

    def change(node: Node) -> Node:
        if isinstance(node, Mark) and isinstance(node.child, Mark):
            return node.child  # the same loop was chosen twice
        seen[0] += 1
        if seen[0] % 12 != target:
            return node
        match node:
            case Band(partial, coincident, permutable, options, child):
                rows = [partial.get_at(i) for i in range(node.size)]
                kind = choice.randrange(3)
                i = choice.randrange(len(rows))
                if kind == 0:
                    rows[i] = rows[i].neg()
                elif kind == 1:
                    choice.shuffle(rows)
                elif len(rows) == 1:
                    return Mark("parallel", node)
                return Band(partial_schedule(rows), coincident, permutable, options, child)
            case Order(children, ordered):
                shuffled = list(children)
                choice.shuffle(shuffled)
                return Order(tuple(shuffled), ordered)
            case _:
                return node

    return map_nodes(tree, change)


@pytest.mark.parametrize("name", SMALL)
def test_random_schedules_are_judged_as_by_running_them(name: str) -> None:
    p = program(SAMPLES[name])
    s = default_schedule(p)
    choice = random.Random(name)
    judged = {True: 0, False: 0}
    for _ in range(25):
        tree = map_nodes(from_isl(s.isl.get_root().child(0)), lambda n: n.child if isinstance(n, Mark) else n)
        for _ in range(choice.randrange(1, 3)):
            tree = _mutate(tree, choice)
        mutant = Schedule(to_isl(s.isl.get_domain(), tree))
        error = refusal(mutant, p)
        judged[error is None] += 1
        if error is None:
            assert not violations(p, mutant, small_sizes(name))
        elif "at the same time" not in str(error):
            pair = (read_instance(error.source_instance), read_instance(error.sink_instance))
            assert pair in violations(p, mutant, error.sizes)
    assert judged[False], "no mutation was illegal: the test shows nothing"


def test_parallel_loops_carry_nothing() -> None:
    p = program(SAMPLES["cumsum"])
    s = default_schedule(p).parallel(("S1", "i"))
    with pytest.raises(IllegalScheduleError, match=r"marked parallel runs S1.* at the same time") as caught:
        s.check(p)
    assert caught.value.source_instance == "S1[i = 1]" and caught.value.sink_instance == "S1[i = 2]"


def test_parallel_loops_split_no_reduction_but_simd_loops_may_split_sums_and_maxima() -> None:
    p = program(SAMPLES["matvec"])
    s = default_schedule(p)
    assert "simd for k" in s.tree()
    s.check(p)
    split = Schedule(to_isl(s.isl.get_domain(), _without_parallel(s))).parallel(("S", "k"))
    with pytest.raises(IllegalScheduleError, match="both contribute to one element of y"):
        split.check(p)
    maxima = program(SAMPLES["softmax"])
    found = default_schedule(maxima)
    assert found.tree().count("simd for k") == 3, "the maximum, the sum, the quotient"
    found.check(maxima)
    products = program(SAMPLES["softmax"].replace("max=", "*="))
    vector = default_schedule(products).vectorize(("Sm", "k"))
    with pytest.raises(IllegalScheduleError, match="marked simd"):
        vector.check(products)


def _without_parallel(s: Schedule) -> Node:
    tree = from_isl(s.isl.get_root().child(0))
    return map_nodes(tree, lambda n: n.child if isinstance(n, Mark) and n.kind == ParallelMark() else n)


def test_a_mark_stands_above_one_loop() -> None:
    p = program(SAMPLES["dtw"])
    s = default_schedule(p, replace(ALL, wavefront=False, prefix=False))
    tree = map_nodes(
        from_isl(s.isl.get_root().child(0)), lambda n: Mark("simd", n) if isinstance(n, Band) and n.size == 2 else n
    )
    with pytest.raises(ScheduleError, match="directly above a band of one loop"):
        Schedule(to_isl(s.isl.get_domain(), tree)).check(p)


def test_missing_and_extra_instances_are_named() -> None:
    p = program(SAMPLES["matvec"])
    text = str(default_schedule(p))
    domain = "S[i, k] : 0 <= i < N and 0 <= k < K"
    assert domain in text
    with pytest.raises(ScheduleError, match=r"does not run S\[i = 0, k = 0\]"):
        Schedule.from_yaml(text.replace(domain, "S[i, k] : 0 <= i < N and 0 < k < K")).check(p)
    with pytest.raises(ScheduleError, match=r"runs S\[i = 0, k = -1\], which the program does not have"):
        Schedule.from_yaml(text.replace(domain, "S[i, k] : 0 <= i < N and -1 <= k < K")).check(p)
    with pytest.raises(ScheduleError, match=r"runs S0\[i = 0\]|does not run S0\[i = 0\]"):
        Schedule.from_yaml(text).check(program(SAMPLES["cumsum"]))
    assert not Schedule.from_yaml(text).is_legal(program(SAMPLES["cumsum"]))


def test_a_missing_loop_is_named() -> None:
    p = program(SAMPLES["columns"])
    s = default_schedule(p)
    tree = map_nodes(from_isl(s.isl.get_root().child(0)), lambda n: n.child if isinstance(n, Mark) else n)
    tree = map_nodes(tree, lambda n: n.child if isinstance(n, Band) and isinstance(n.child, Band) else n)
    with pytest.raises(ScheduleError, match="a loop around S is missing"):
        Schedule(to_isl(s.isl.get_domain(), tree)).check(p)


def test_instances_in_no_child_are_named() -> None:
    p = program(SAMPLES["cumsum"])
    s = default_schedule(p)

    def narrow(node: Node) -> Node:
        if not isinstance(node, Order):
            return node
        cut = isl.UnionSet("{ S1[i] : i >= 2 }")
        return Order(tuple((f.intersect(cut) if "S1" in str(f) else f, c) for f, c in node.children))

    tree = map_nodes(from_isl(s.isl.get_root().child(0)), narrow)
    broken = Schedule(to_isl(s.isl.get_domain(), tree))
    with pytest.raises(ScheduleError, match=r"no child of a sequence in the schedule runs S1\[i = 1\]"):
        broken.check(p)


def test_children_in_any_order_keep_no_dependence() -> None:
    p = program(SAMPLES["cumsum"])
    s = default_schedule(p)
    tree = map_nodes(
        from_isl(s.isl.get_root().child(0)), lambda n: Order(n.children, False) if isinstance(n, Order) else n
    )
    with pytest.raises(IllegalScheduleError, match="nothing puts S0"):
        Schedule(to_isl(s.isl.get_domain(), tree)).check(p)


def test_the_oracle_sees_points() -> None:
    assert list(points(isl.Map("{ A[i] -> B[i + 1] : 0 <= i < 2 }"))) == [((0,), (1,)), ((1,), (2,))]


def test_jammed_iterations_may_contribute_to_one_element() -> None:
    p = program(SAMPLES["matvec"])
    tree = from_isl(default_schedule(p).isl.get_root().child(0))

    def jammed(node: Node) -> Node:
        inner = isinstance(node, Mark) and node.kind == SimdMark()
        return Mark("jam 2", node.child) if inner else node

    jam_in_jam = Schedule(to_isl(default_schedule(p).isl.get_domain(), map_nodes(tree, jammed)))
    assert refusal(jam_in_jam, p) is None
    q = program(SAMPLES["cumsum"])
    order = default_schedule(q, replace(ALL, prefix=False)).isl
    recurrence = map_nodes(
        from_isl(order.get_root().child(0)),
        lambda n: Mark("jam 2", n) if isinstance(n, Band) else n,
    )
    assert "at the same time" in str(refusal(Schedule(to_isl(order.get_domain(), recurrence)), q))
