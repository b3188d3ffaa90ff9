"""The schedule of a kernel on a GPU says who runs what and where threads meet; it is read back, proved and followed."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.kernel import Kernel
from polyad.pipeline import compile_program
from polyad.schedule.schedule import Schedule
from polyad.schedule.tree.marks import LaunchMark, Meeting, MeetMark
from polyad.schedule.tree.nodes import Mark, Node, Order, from_isl, map_nodes, to_isl, walk
from tests.cuda.device import agrees, kernel_of, same_values, target
from tests.cuda.test_programs import CASES, arrays
from tests.cuda.test_team_rows import CASES as ROWS
from tests.cuda.test_teams import CASES as TEAMS
from tests.cuda.test_teams import meets, of, rnn

pnp = pa.numpy

ALL = {
    **CASES,
    **{f"team {name}": case for name, case in TEAMS.items()},
    **{f"rows {name}": case for name, case in ROWS.items()},
}


def tree_of(schedule: Schedule) -> Node:
    return from_isl(schedule.isl.get_root().child(0))


def again(kernel: Kernel, schedule: Schedule) -> Kernel:
    """The same program with a schedule."""
    return compile_program(kernel.definition, kernel.target, kernel.fixed, schedule)


def marks(node: Node, kind: Any) -> list[Mark]:
    return [n for n in walk(node) if isinstance(n, Mark) and isinstance(n.kind, kind)]


def without_meetings(schedule: Schedule) -> Iterator[tuple[Meeting, Schedule]]:
    """Each meeting of a schedule, and the schedule without it."""
    root = tree_of(schedule)
    for place in range(len(marks(root, Meeting))):
        gone: list[Meeting] = []

        def one(node: Node, place: int = place, gone: list[Meeting] = gone) -> Node:
            if not isinstance(node, Mark) or not isinstance(node.kind, Meeting):
                return node
            gone.append(node.kind)
            return node.child if len(gone) == place + 1 else node

        less = Schedule(to_isl(schedule.isl.get_domain(), map_nodes(root, one)))
        yield gone[place], less


@pytest.mark.parametrize("name", ALL)
@pytest.mark.quick_cases(8)
def test_what_a_kernel_shows_is_legal_and_gives_the_same_launches(name: str) -> None:
    kernel = kernel_of(*(ALL[name][0], *ALL[name][1]))
    shown = Schedule.from_yaml(str(kernel.schedule))
    assert shown.is_legal(kernel.program)
    launched = [word for mark in marks(tree_of(shown), LaunchMark) for word in mark.kind.words]  # type: ignore[union-attr]
    assert sorted(launched) == sorted(launch.over for launch in kernel.code.launches[-len(launched) :])
    follows = again(kernel, shown)
    assert follows.code.launches == kernel.code.launches
    assert follows.schedule.tree() == kernel.schedule.tree()
    assert follows.code.c.count("_MEET") == kernel.code.c.count("_MEET")


def test_the_tree_of_a_network() -> None:
    kernel = kernel_of(of(rnn, 3), *arrays((3, 6, 70), (70, 70), (6, 70)))
    tree = kernel.schedule.tree()
    assert re.search(r"launch teams: stay \w+: team for i\n└─ for t\n   └─ threads product for j, then meet\n", tree)
    assert tree.count("launch ") == len(kernel.code.launches)
    assert len(re.findall(r"then meet", tree)) == sum(meets(kernel))


def test_blocks_say_sync_and_threads_say_nothing() -> None:
    rows = kernel_of(lambda x: pa.nn.softmax(x, axis=1), *arrays((50, 400)))
    assert "launch blocks: grid for" in rows.schedule.tree() and "meet" not in rows.schedule.tree()
    assert "sum for" in rows.schedule.tree()
    points = kernel_of(lambda x: pa.tanh(x), *arrays((5, 7)))
    assert points.schedule.tree().startswith("launch threads: grid for") and "sync" not in points.schedule.tree()
    assert "launch scans" in kernel_of(pnp.cumsum, *arrays((5000,))).schedule.tree()
    assert "launch tiles" in kernel_of(lambda a, b: a @ b, *arrays((130, 17), (17, 70))).schedule.tree()


@pytest.mark.parametrize(
    ("name", "needed", "more"),
    [("team LSTM", 4, 0), ("team GRU", 4, 1), ("team tanh", 3, 0), ("team one row", 3, 0), ("rows simple", 4, 0)],
)
@pytest.mark.quick_cases(1)
def test_a_team_without_one_of_its_meetings_is_refused_with_two_instances(name: str, needed: int, more: int) -> None:
    """A meeting that memory asks for, but no element, is none of these: it is put back."""
    kernel = kernel_of(*(ALL[name][0], *ALL[name][1]))
    refused = legal = 0
    for kind, less in without_meetings(kernel.schedule):
        if kind != MeetMark():
            continue
        if less.is_legal(kernel.program):
            assert again(kernel, less).schedule.tree() == kernel.schedule.tree()
            legal += 1
            continue
        with pytest.raises(pa.IllegalScheduleError, match="do not meet in between") as caught:
            again(kernel, Schedule.from_yaml(str(less)))
        error = caught.value
        assert error.source_instance != error.sink_instance and error.sizes is not None
        assert error.source_instance in str(error) and error.sink_instance in str(error)
        refused += 1
    assert (refused, legal) == (needed, more)
    assert refused + legal == len(re.findall(r"\n *PA_TEAM_MEET", kernel.code.c))


def test_sizes_that_are_given_later_are_named() -> None:
    T, B, H = pa.sizes("T B H")
    x, h0 = pa.placeholder((T, B, H), "x", "float64"), pa.placeholder((B, H), "h0", "float64")
    W = pa.placeholder((H, H), "W", "float64")
    loss = rnn(x, W, h0)
    kernel = pa.compile([loss, *pa.grad(loss, [x, W, h0])], [x, W, h0], target=target())
    assert kernel.schedule.is_legal(kernel.program)
    assert again(kernel, kernel.schedule).code.launches == kernel.code.launches
    illegal = [s for _, s in without_meetings(kernel.schedule) if not s.is_legal(kernel.program)]
    assert len(illegal) >= 3
    for less in illegal:
        with pytest.raises(pa.IllegalScheduleError) as caught:
            less.check(kernel.program)
        assert set(caught.value.sizes) == {"T", "B", "H"}


def test_a_meeting_more_is_followed() -> None:
    """Two loops of a step that were one phase are two with a meeting between them, and the kernel says so."""
    function, given = CASES["steps in parts"]
    kernel = kernel_of(function, *given)

    def one(node: Node) -> Node:
        if isinstance(node, Mark) and node.kind == MeetMark() and isinstance(node.child, Order):
            return Order(tuple((part, Mark(MeetMark(), child)) for part, child in node.child.children))
        return node

    asked = Schedule(to_isl(kernel.schedule.isl.get_domain(), map_nodes(tree_of(kernel.schedule), one)))
    follows = again(kernel, asked)
    assert meets(kernel) == [2, 2] and meets(follows) == [2, 3]
    assert len(marks(tree_of(follows.schedule), MeetMark)) == 5
    same_values(follows, *given)
    follows.certify()


@pytest.mark.parametrize("n", [2, 3])
def test_marks_that_are_found_add_no_meeting(n: int) -> None:
    """The schedule that a kernel shows is planned as the kernel was, where conditions and steps change places."""

    def squares(a: Any) -> Any:
        return pa.numpy.sum(pa.numpy.linalg.qr(a, mode="r") ** 2)

    kernel = agrees(pa.grad(squares), arrays((n, n))[0] + np.eye(n))
    assert kernel.certify().text.statements
