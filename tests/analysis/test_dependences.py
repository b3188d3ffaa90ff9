import islpy as isl
import pytest

from polyad.analysis.dependences import flow_edges, same_element
from tests.programs import program
from tests.schedule.samples import CONV, GATHER, MATVEC, SAMPLES, SCATTER


def edge(text: str, source: str, sink: str) -> isl.Map:
    found = [d for d in flow_edges(program(text)) if (d.source.name, d.sink.name) == (source, sink)]
    assert len(found) == 1
    return found[0].relation


def test_definitions_come_before_contributions_and_these_before_readers() -> None:
    found = {(d.source.name, d.sink.name): d.kind for d in flow_edges(program(SAMPLES["matmul_stream"]))}
    assert found == {("C_init", "C_upd"): "define->contribute", ("C_init", "S"): "value", ("C_upd", "S"): "value"}


def test_relations_are_exact() -> None:
    where = "0 <= t < T - 1 and 0 <= b < B and 0 <= n < 4H and 0 <= k < H and I >= 1"
    expected = isl.Map(f"[T, B, I, H] -> {{ Sh[t, b, k] -> Shu[t + 1, b, n, k] : {where} }}")
    assert edge(SAMPLES["lstm"], "Sh", "Shu").is_equal(expected)
    expected = isl.Map("[N, K] -> { y_init[i] -> S[i, k] : 0 <= i < N and 0 <= k < K }")
    assert edge(MATVEC, "y_init", "S").is_equal(expected)


def test_a_slot_is_read_by_the_statement_that_needs_it_only() -> None:
    # Slot 0 of h is the initial value: only the first step reads it.
    relation = edge(SAMPLES["lstm"], "Sh0", "Shu")
    assert relation.range().is_subset(isl.Set("[T, B, I, H] -> { Shu[0, b, n, j] }"))


def test_empty_relations_are_left_out() -> None:
    # S00 writes the corner (0, 0); Si0 and S0j the rest of the border, which nobody reads at the corner's place.
    pairs = {(d.source.name, d.sink.name) for d in flow_edges(program(SAMPLES["dtw"]))}
    assert pairs == {("S00", "Sij"), ("Si0", "Sij"), ("S0j", "Sij"), ("Sij", "Sij"), ("Sij", "So")}


def test_contributions_have_no_order_but_conflict() -> None:
    p = program(MATVEC)
    assert not [d for d in flow_edges(p) if d.source.name == d.sink.name]
    (conflict,) = same_element(p)
    expected = isl.Map("[N, K] -> { S[i, k] -> S[i, l] : 0 <= i < N and 0 <= k < K and 0 <= l < K }")
    assert conflict.relation.is_equal(expected), "each with itself, too"


def test_injective_contributions_do_not_conflict() -> None:
    pairs = {(c.first.name, c.second.name) for c in same_element(program(SAMPLES["lstm_gradient"]))}
    assert ("c_bar_tc", "c_bar_c") in pairs and ("c_bar_c", "c_bar_c") not in pairs


def test_data_dependent_reads_and_writes_are_conservative() -> None:
    (conflict,) = same_element(program(SCATTER))
    # Two instances of the same column may meet in one row of the table; different columns never do.
    expected = isl.Map("[V, D, L] -> { S[t, j] -> S[u, j] : 0 <= t < L and 0 <= u < L and 0 <= j < D }")
    assert conflict.relation.intersect_params(isl.Set("[V, D, L] -> { : V >= 1 }")).is_equal(
        expected.intersect_params(isl.Set("[V, D, L] -> { : V >= 1 }"))
    )
    definition = edge(SCATTER, "t_init", "S")
    assert definition.is_equal(
        isl.Map("[V, D, L] -> { t_init[v, j] -> S[t, j] : 0 <= v < V and 0 <= j < D and 0 <= t < L }")
    )
    assert [d.kind for d in flow_edges(program(GATHER))] == ["define->contribute"]


def test_strided_accesses_keep_their_strides() -> None:
    text = CONV.replace("output    y: float64[N]", "temporary y: float64[N]\n  output    z: float64[N]") + (
        "  R: [N, K] -> { R[i] : 0 <= i < N }\n      z[i] = y[i]\n"
    )
    assert edge(text, "S", "R").is_equal(isl.Map("[N, K] -> { S[i, k] -> R[i] : 0 <= i < N and 0 <= k < K }"))


@pytest.mark.parametrize("name", SAMPLES)
def test_edges_are_the_same_each_time(name: str) -> None:
    p = program(SAMPLES[name])
    assert [str(d.relation) for d in flow_edges(p)] == [str(d.relation) for d in flow_edges(p)]
