import copy
import inspect
import pickle
import re
import sys
from pathlib import Path

import islpy as isl
import pytest

from polyad.errors import CallError, ScheduleError
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.transforms import TRANSFORMS
from polyad.schedule.tree.nodes import from_isl, to_isl
from tests.programs import program
from tests.schedule.samples import SAMPLES


@pytest.mark.parametrize("name", SAMPLES)
def test_text_is_read_back(name: str) -> None:
    s = default_schedule(program(SAMPLES[name]))
    again = Schedule.from_yaml(str(s))
    assert again.tree() == s.tree()
    assert again.isl.get_map().is_equal(s.isl.get_map())
    # isl may write the constraints of a domain in several pieces in another way.
    assert str(again) == str(s) or name == "heat"
    assert str(Schedule.from_yaml(str(again))) == str(again)
    assert again.is_legal(program(SAMPLES[name]))


@pytest.mark.parametrize("name", SAMPLES)
def test_trees_survive_being_taken_apart(name: str) -> None:
    s = default_schedule(program(SAMPLES[name]))
    again = Schedule(to_isl(s.isl.get_domain(), from_isl(s.isl.get_root().child(0))))
    assert again.isl.get_map().is_equal(s.isl.get_map())
    assert str(again) == str(s)


def test_text_is_what_isl_reads() -> None:
    text = str(default_schedule(program(SAMPLES["matvec"])))
    assert text.startswith("domain: ") and "S[i, k]" in text
    assert (
        isl.Schedule.read_from_str(isl.DEFAULT_CONTEXT, text).get_map().is_equal(Schedule.from_yaml(text).isl.get_map())
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_isl_reads_the_text_too(name: str) -> None:
    s = default_schedule(program(SAMPLES[name]))
    assert isl.Schedule.read_from_str(isl.DEFAULT_CONTEXT, str(s)).get_map().is_equal(s.isl.get_map())
    # And what isl writes, in one line with braces, is read here.
    assert Schedule.from_yaml(str(s.isl)).tree() == s.tree()


def test_saved_schedules_are_loaded(tmp_path: Path) -> None:
    s = default_schedule(program(SAMPLES["lstm"]))
    s.save(tmp_path / "lstm.yaml")
    assert str(Schedule.load(tmp_path / "lstm.yaml")) == str(s)


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ScheduleError, match=r"nowhere\.yaml cannot be read"):
        Schedule.load(tmp_path / "nowhere.yaml")


DOMAIN = 'domain: "[N] -> { S[i] : 0 <= i < N }"\n'
BAND = 'schedule: "[N] -> [{ S[i] -> [(i)] }]"'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text is empty"),
        ("nonsense", "line 1: 'nonsense' stands where text in double quotes is expected"),
        ("domain: 3", "line 1: 'domain' needs text in double quotes, not 3"),
        ("domain:", "line 1: 'domain' has no value"),
        ('domain: "{ S[i : }"', "line 1: isl cannot read the domain"),
        ('domain: "{ [i] }"', "names no statement"),
        ('domain: "{ S[i]', "line 1: a quotation mark is not closed"),
        ("{", "the text ends too early"),
        ('child:\n  mark: "x"', "does not begin with a domain"),
        (DOMAIN + DOMAIN, "line 2: 'domain' stands twice"),
        (DOMAIN + "children:\n  x: 1", "line 1: 'children' does not belong"),
        (DOMAIN + 'child: "x"', "the child of a node is a node, not 'x'"),
        (DOMAIN + "child:\n  wrong: 1", "line 3: a node has one of the keys schedule, sequence"),
        (DOMAIN + f"child:\n  {BAND}\n  mark: 3", "line 3: a node has one of the keys"),
        (DOMAIN + "child:\n  mark: 3", "line 3: a mark is a word in double quotes"),
        (DOMAIN + "child:\n  sequence: 3", "line 3: a sequence is a list of filters"),
        (DOMAIN + "child:\n  sequence:\n  - filter: 3", "line 4: 'filter' needs text"),
        (DOMAIN + 'child:\n  sequence:\n  - mark: "x"', "line 4: every child of a sequence begins with a filter"),
        (DOMAIN + f"child:\n  {BAND}\n  coincident: [ 1, 1 ]", "line 3: coincident is a list of 0 and 1"),
        (DOMAIN + f"child:\n  {BAND}\n  permutable: 7", "line 3: permutable is 0 or 1"),
        (DOMAIN + 'child:\n  schedule: "[{ S[i -> [i] }]"', "line 3: isl cannot read the schedule"),
        ("[" * 5_000, "line 1: nodes lie in nodes, more than 150 deep"),
        (DOMAIN + "child: {" * 3000, "line 2: nodes lie in nodes, more than 150 deep"),
        (None, "it is of type NoneType, not text"),
        (5, "it is of type int, not text"),
        (DOMAIN + 'child:\n  context: "{ [] }"', "line 3: the tree holds a node of the kind context"),
    ],
)
def test_bad_text_is_refused_in_the_users_words(text: str, message: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        Schedule.from_yaml(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith("this is not a schedule: ")
    assert "isl_" not in str(caught.value) and ".c:" not in str(caught.value)


def test_a_reader_deep_in_the_stack_says_so() -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 120)
    try:
        with pytest.raises(ScheduleError, match="nested too deeply"):
            Schedule.from_yaml(DOMAIN + "child: {" * 100)
    finally:
        sys.setrecursionlimit(limit)


NO_BANDS = ["S", ("S",), ("S", "i", "j"), ("S", "i", -1), ("S", "i", True), ("S", 0), None, 5, [["S"], "i"]]


@pytest.mark.parametrize("band", NO_BANDS, ids=str)
@pytest.mark.parametrize("name", sorted(TRANSFORMS.keys() - {"reorder"}))
def test_what_names_no_band_is_refused(name: str, band: object) -> None:
    s = default_schedule(program(SAMPLES["matvec"]))
    if name == "unmark" and band is None:
        return
    more = {"tile": ([4],), "interchange": (["k", "i"],), "fuse": (("S", "i"),), "skew": ("i", "k")}
    more |= dict.fromkeys(("split", "unroll", "jam", "shift"), (4,))
    with pytest.raises(ScheduleError, match=r"a band is named by a statement and one of its dimensions"):
        getattr(s, name)(band, *more.get(name, ()))


def test_wrong_arguments_of_transforms() -> None:
    s = default_schedule(program(SAMPLES["matvec"]))
    for call, message in (
        (lambda: s.tile(("S", "i"), 32), "tile sizes are a list"),  # type: ignore[arg-type]
        (lambda: s.tile(("S", "i"), [2.5]), "tile sizes must be positive integers"),  # type: ignore[list-item]
        (lambda: s.interchange(("S", "i"), None), "an order is a list of dimensions"),  # type: ignore[arg-type]
        (lambda: s.interchange(("S", "i"), "ki"), "an order is a list of dimensions"),
        (lambda: s.skew(("S", "i"), "i", "k", 1.5), "must be a non-zero integer"),  # type: ignore[arg-type]
        (lambda: s.parallel(("S", "i"), 3), "has no dimension 3"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ScheduleError, match=message):
            call()


def test_only_programs_are_checked() -> None:
    s = default_schedule(program(SAMPLES["matvec"]))
    for wrong in (s, "program", None):
        for method in (s.is_legal, s.check):
            with pytest.raises(CallError, match=r"expected a program, such as kernel.program, got"):
                method(wrong)  # type: ignore[arg-type]


def test_schedules_are_pickled_and_copied() -> None:
    s = default_schedule(program(SAMPLES["lstm"]))
    for twin in (pickle.loads(pickle.dumps(s)), copy.copy(s), copy.deepcopy(s)):
        assert str(twin) == str(s)


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    s = default_schedule(program(SAMPLES["matvec"]))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for wrong in (tmp_path, tmp_path / "binary", tmp_path / "a\0b", 5):
        with pytest.raises(ScheduleError, match="cannot be read"):
            Schedule.load(wrong)  # type: ignore[arg-type]
    for wrong in (tmp_path, tmp_path / "no" / "folder", tmp_path / "a\0b", 5):
        with pytest.raises(ScheduleError, match="cannot be written"):
            s.save(wrong)  # type: ignore[arg-type]


def test_marks_of_isl_are_read_too() -> None:
    """A tree that was not read from text is looked at where it is proved legal."""
    s = default_schedule(program(SAMPLES["matvec"]))
    node = s.isl.get_root().child(0)
    wrong = Schedule(node.insert_mark(isl.Id("smid")).get_schedule())
    with pytest.raises(ScheduleError, match="'smid' is no mark; 'simd' is one"):
        wrong.check(program(SAMPLES["matvec"]))


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        (
            "smid",
            "'smid' is no mark; 'simd' is one. The marks are parallel, share, parts, parts simd, simd, jam 4, lanes",
        ),
        ("paralel", "'paralel' is no mark; 'parallel' is one"),
        ("Parallel", "'Parallel' is no mark; 'parallel' is one"),
        ("xyz", "'xyz' is no mark. The marks are"),
        ("jam", "'jam' says no count: write 'jam 4'"),
        ("jam 0", "'jam 0' says no count: write 'jam 4'"),
        ("simd 4", "'simd 4' is no mark; 'simd' is one"),
        ("prefix", "'prefix' says no count: write 'prefix 256'"),
        ("simd parts", "'simd parts' is no mark; 'parts' is one"),
    ],
)
def test_misspelt_marks_are_refused(mark: str, message: str) -> None:
    """They would mean nothing, and the loop would silently run as if it had none."""
    with pytest.raises(ScheduleError, match=re.escape(f"line 3: {message}")):
        Schedule.from_yaml(DOMAIN + f'child:\n  mark: "{mark}"\n  child:\n    {BAND}')


def test_comments_and_flow_form_are_read() -> None:
    block = DOMAIN + f"# one loop\nchild:\n  {BAND}  # forwards\n"
    flow = f'{{ {DOMAIN.strip()}, "child": {{ {BAND}, coincident: [ 0 ] }} }}'
    assert Schedule.from_yaml(block).tree() == Schedule.from_yaml(flow).tree() == "for i\n└─ S[i]\n"
