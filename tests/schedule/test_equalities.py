import islpy as isl

from polyad.ir.affine import Affine
from polyad.schedule.state.equalities import Equalities, single_dim

t, b, i, k = (Affine.of(n) for n in "tbik")


def of(text: str, source: list[str], sink: list[str]) -> Equalities:
    return Equalities.of_map(isl.Map(text), source, sink)


def test_distance_is_a_constant_or_unknown() -> None:
    e = of("[T] -> { S[t, b] -> R[t + 1, b, k] : 0 <= t < T }", ["t", "b"], ["t", "b", "k"])
    assert e.distance(t, t) == 1
    assert e.distance(-t, -t) == -1
    assert e.distance(b, b) == 0
    assert e.distance(b, k) is None
    assert e.distance(t, t - 1) == 0


def test_distance_to_a_reversed_row_with_a_size() -> None:
    e = of("[T] -> { S[t] -> R[T - 1 - t] }", ["t"], ["t"])
    assert e.distance(t, Affine.of("T") - 1 - t) == 0
    assert e.distance(t, -t) is None, "it depends on T"


def test_rows_are_carried_both_ways() -> None:
    e = of("{ S[t, b] -> R[b, t + 1] }", ["t", "b"], ["p", "q"])
    assert e.to_sink(t) == Affine.of("q") - 1
    assert e.to_sink(b) == Affine.of("p")
    assert e.to_source(Affine.of("q")) == t + 1
    assert of("{ S[t] -> R[q] }", ["t"], ["q"]).to_sink(t) is None


def test_rows_that_would_be_fractions_are_not_carried() -> None:
    e = of("{ S[t] -> R[2t] }", ["t"], ["q"])
    assert e.to_sink(t) is None
    assert e.to_source(Affine.of("q")) == t * 2


def test_equalities_of_strides_do_not_confuse() -> None:
    e = of("{ S[t] -> R[q] : exists (a : q = t + 2a) }", ["t"], ["q"])
    assert e.distance(t, Affine.of("q")) is None and e.to_sink(t) is None


def test_union_of_relations_keeps_what_holds_in_all_parts() -> None:
    e = of("{ S[t, b] -> R[t, b]; S[t, b] -> R[t + 1, b] }", ["t", "b"], ["t", "b"])
    assert e.distance(t, t) is None and e.distance(b, b) == 0


def test_a_loop_around_adds_an_equality() -> None:
    e = of("{ S[i, k] -> R[j, l] : 2i + k = 2j + l }", ["i", "k"], ["j", "l"])
    assert e.distance(k, Affine.of("l")) is None
    assert e.and_equal(i, Affine.of("j")).distance(k, Affine.of("l")) == 0


def test_determined_dimensions_need_no_loop() -> None:
    e = Equalities.of_set(isl.Set("[N] -> { S[a, i, k] : a = 2i + 3k and 0 <= i < N }"), ["a", "i", "k"])
    assert e.determined([], ["a", "i", "k"]) == {"k"}
    assert e.determined([], ["k", "i", "a"]) == {"a"}
    assert e.determined([i], ["a", "i", "k"]) == {"i", "k"}
    assert e.determined([Affine.of("a") + i], ["a", "i", "k"]) == {"i", "k"}
    assert Equalities.of_set(isl.Set("[N] -> { S[i] : i = N }"), ["i"]).determined([], ["i"]) == {"i"}


def test_single_dim() -> None:
    assert single_dim(t + 3, ["t", "b"]) == ("t", 1)
    assert single_dim(Affine.of("T") - t, ["t", "b"]) == ("t", -1)
    assert single_dim(t + b, ["t", "b"]) is None
    assert single_dim(t * 2, ["t", "b"]) is None
