"""Meetings of threads of a GPU in a tree: proved where they are enough, refused with two instances where not."""

import itertools

import pytest

from polyad.errors import IllegalScheduleError
from polyad.schedule.schedule import Schedule
from polyad.schedule.tree.marks import MeetMark
from polyad.schedule.tree.nodes import Mark, from_isl, walk
from tests.programs import program

STEPS = """
program steps: [T, N] -> {{ : T >= 1 and N >= 2 }}
  input     x: float64[N]
  temporary z: float64[T, N]
  output    h: float64[T + 2, N]
  first: [T, N] -> {{ first[s, i] : 0 <= s < 2 and 0 <= i < N }}
      h[s, i] = x[i]
  f: [T, N] -> {{ f[t, i] : 0 <= t < T and 0 <= i < N{some} }}
      z[t, i] = tanh(h[t + 1, {h}])
  g: [T, N] -> {{ g[t, i] : 0 <= t < T and 0 <= i < N }}
      h[t + 2, i] = x[i] + {z}
"""

TREE = """
domain: "[T, N] -> {{ first[s, i] : 0 <= s < 2 and 0 <= i < N; f[t, i] : 0 <= t < T and 0 <= i < N{some};
  g[t, i] : 0 <= t < T and 0 <= i < N }}"
child:
  sequence:
  - filter: "{{ first[s, i] }}"
    child:
      mark: "launch threads"
      child:
        mark: "grid"
        child:
          schedule: "[{{ first[s, i] -> [(i)] }}]"
          child:
            schedule: "[{{ first[s, i] -> [(s)] }}]"
  - filter: "{{ f[t, i]; g[t, i] }}"
    child:
      mark: "launch block"
      child:
        schedule: "[{{ f[t, i] -> [(t)]; g[t, i] -> [(t)] }}]"
        child:
          sequence:
          - filter: "{{ f[t, i] }}"
            child:
              {behind_f}
                mark: "threads{lanes}"
                child:
                  schedule: "[{{ f[t, i] -> [(i)] }}]"
          - filter: "{{ g[t, i] }}"
            child:
              {behind_g}
                mark: "threads"
                child:
                  schedule: "[{{ g[t, i] -> [(i)] }}]"
"""


def steps(h: str = "i", z: str = "z[t, i]", some: str = "") -> str:
    return STEPS.format(h=h, z=z, some=some)


def tree(behind_f: bool, behind_g: bool, lanes: str = "", some: str = "") -> Schedule:
    met, not_met = 'mark: "meet"\n              child:', 'mark: "stay x"\n              child:'
    behind = {f"behind_{n}": met if b else not_met for n, b in (("f", behind_f), ("g", behind_g))}
    text = TREE.format(**behind, lanes=lanes, some=some)
    return Schedule.from_yaml(text.replace(";\n ", ";"))


ROUND = "N - 1 - i"  # an element of another thread

CASES = {
    # the elements that f and g read -> whether a meeting is needed behind f, behind g
    "one thread's own": (("i", "z[t, i]"), (False, False)),
    "the state of another": ((ROUND, "z[t, i]"), (False, True)),
    "what another computed": (("i", f"z[t, {ROUND}]"), (True, False)),
    "both": ((ROUND, f"z[t, {ROUND}]"), (True, True)),
}


@pytest.mark.parametrize("case", CASES)
def test_meetings_that_are_enough(case: str) -> None:
    reads, needed = CASES[case]
    p = program(steps(*reads))
    for given in itertools.product((False, True), repeat=2):
        assert tree(*given).is_legal(p) is all(g or not n for g, n in zip(given, needed, strict=True)), given


def test_the_error_names_two_instances_of_different_threads() -> None:
    p = program(steps("i", f"z[t, {ROUND}]"))
    with pytest.raises(IllegalScheduleError, match="different threads, which do not meet in between") as caught:
        tree(False, True).check(p)
    error = caught.value
    assert error.source_instance.startswith("f[t = ") and error.sink_instance.startswith("g[t = ")
    both = error.source_instance, error.sink_instance
    first, second = (dict(part.split(" = ") for part in i[2:-1].split(", ")) for i in both)
    assert first["t"] == second["t"] and first["i"] != second["i"]
    assert set(error.sizes) == {"T", "N"} and "put the mark 'meet'" in str(error)


@pytest.mark.parametrize(
    ("some", "state", "enough"),
    [
        ("", "t + 1", True),
        (" and t >= 1", "t + 1", True),
        (" and t >= 2", "t + 1", False),
        (" and t mod 2 = 0", "t + 1", False),
        (" and t mod 2 = 0", "t", True),
        (" and t mod 3 = 0", "t", False),
        (" and t mod 3 > 0", "t", True),
    ],
)
def test_a_meeting_lies_between_steps_where_something_runs_in_front_of_it(some: str, state: str, enough: bool) -> None:
    """g reads what another thread wrote one step before, or two; they meet behind f, which runs in some steps."""
    p = program(steps("i", f"h[{state}, {ROUND}]", some))
    assert tree(True, False, some=some).is_legal(p) is enough


def test_lanes_of_a_product_are_other_threads() -> None:
    p = program(steps())
    assert tree(False, False).is_legal(p)
    assert not tree(False, False, lanes=" product").is_legal(p)
    assert tree(True, True, lanes=" product").is_legal(p)


@pytest.mark.parametrize(
    ("marks", "legal"),
    [
        (["block", "sync"], False),
        (["block"], False),
        (["meet", "block"], True),
        (["meet", "block", "sync"], True),
        (["sync"], True),
        (["block", "each"], False),
        (["each"], True),
    ],
)
def test_a_meeting_of_a_block_is_none_of_the_team(marks: list[str], legal: bool) -> None:
    """f runs in one block, and g, which needs it, in all."""
    p = program(steps("i", f"z[t, {ROUND}]"))
    text = str(tree(False, True))
    assert text.count('mark: "stay x"') == 1
    before, behind = text.split('mark: "stay x"')
    indent = before[before.rindex("\n") + 1 :]
    lines = f"\n{indent}".join(f'{"  " * n}mark: "{mark}"\n{indent}{"  " * n}child:' for n, mark in enumerate(marks))
    # What is below moves to the right by two for each mark more than the one that stood there.
    head, *below = behind.split("\n")[1:]
    depth = 2 * (len(marks) - 1)
    own = next((k for k, line in enumerate(below) if len(line) - len(line.lstrip()) < len(indent)), len(below))
    moved = [" " * depth + line for line in below[:own]]
    assert head.strip() == "child:"
    given = Schedule.from_yaml("\n".join([before + lines, *moved, *below[own:]]))
    assert given.is_legal(p) is legal


def test_contributions_of_two_threads_to_one_element_need_a_meeting() -> None:
    text = """
program sums: [N] -> { : N >= 2 }
  input     x: float64[N]
  output    y: float64[N]
  y_init: [N] -> { y_init[i] : 0 <= i < N }
      y[i] = 0.0
  a: [N] -> { a[i] : 0 <= i < N }
      y[i] += x[i]
  b: [N] -> { b[i] : 0 <= i < N }
      y[N - 1 - i] += x[i]
"""
    domain = "[N] -> { y_init[i] : 0 <= i < N; a[i] : 0 <= i < N; b[i] : 0 <= i < N }"
    for meets in itertools.product((False, True), repeat=2):
        parts = []
        for name, met in zip(("y_init", "a", "b"), (*meets, False), strict=True):
            loop = f'{{ mark: "threads", child: {{ schedule: "[{{ {name}[i] -> [(i)] }}]" }} }}'
            child = f'{{ mark: "sync", child: {loop} }}' if met else loop
            parts.append(f'{{ filter: "{{ {name}[i] }}", child: {child} }}')
        below = f'{{ mark: "launch block", child: {{ sequence: [ {", ".join(parts)} ] }} }}'
        given = Schedule.from_yaml(f'{{ domain: "{domain}", child: {below} }}')
        assert given.is_legal(program(text)) is meets[1], meets


def test_the_text_reads_back_and_says_where_they_meet() -> None:
    given = tree(True, True)
    again = Schedule.from_yaml(str(given))
    assert str(again) == str(given)
    drawn = again.tree()
    assert "launch block: for t" in drawn and drawn.count("threads for i, then meet") == 2
    found = [n for n in walk(from_isl(again.isl.get_root().child(0))) if isinstance(n, Mark)]
    assert sum(n.kind == MeetMark() for n in found) == 2


def test_a_tree_without_a_gpu_is_the_same_order() -> None:
    given = tree(True, True)
    plain = given.unplaced()
    assert "parallel for i" in plain.tree() and not any(w in plain.tree() for w in ("launch", "threads", "meet"))
    assert plain.unplaced() is plain
    assert given.isl.get_map().is_equal(plain.isl.get_map())
    assert {(tuple(m.names), m.loops) for m in given.meetings()} == {(("f",), 1), (("g",), 1)}
    assert given.split(("f", "t"), 4).unplaced().tree() == given.split(("f", "t"), 4).tree(), "transforms forget them"
