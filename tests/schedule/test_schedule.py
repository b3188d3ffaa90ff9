from pathlib import Path

import islpy as isl
import pytest

from polyad.errors import ScheduleError
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.tree import from_isl, to_isl
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
        (DOMAIN + 'child:\n  context: "{ [] }"', "line 3: the tree holds a node of the kind context"),
    ],
)
def test_bad_text_is_refused_in_the_users_words(text: str, message: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        Schedule.from_yaml(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith("this is not a schedule: ")
    assert "isl_" not in str(caught.value) and ".c:" not in str(caught.value)


def test_comments_and_flow_form_are_read() -> None:
    block = DOMAIN + f"# one loop\nchild:\n  {BAND}  # forwards\n"
    flow = f'{{ {DOMAIN.strip()}, "child": {{ {BAND}, coincident: [ 0 ] }} }}'
    assert Schedule.from_yaml(block).tree() == Schedule.from_yaml(flow).tree() == "for i\n└─ S[i]\n"
