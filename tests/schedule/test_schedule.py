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
    assert str(again) == str(s)
    assert again.tree() == s.tree()
    assert again.is_legal(program(SAMPLES[name]))


@pytest.mark.parametrize("name", SAMPLES)
def test_trees_survive_being_taken_apart(name: str) -> None:
    s = default_schedule(program(SAMPLES[name])).isl
    again = to_isl(s.get_domain(), from_isl(s.get_root().child(0)))
    assert again.get_map().is_equal(s.get_map())
    assert str(again) == str(s)


def test_text_is_what_isl_reads() -> None:
    text = str(default_schedule(program(SAMPLES["matvec"])))
    assert text.startswith("domain: ") and "S[i, k]" in text
    assert isl.Schedule.read_from_str(isl.DEFAULT_CONTEXT, text).get_root() is not None


def test_saved_schedules_are_loaded(tmp_path: Path) -> None:
    s = default_schedule(program(SAMPLES["lstm"]))
    s.save(tmp_path / "lstm.yaml")
    assert str(Schedule.load(tmp_path / "lstm.yaml")) == str(s)


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ScheduleError, match=r"nowhere\.yaml cannot be read"):
        Schedule.load(tmp_path / "nowhere.yaml")


@pytest.mark.parametrize(
    "text", ["", "nonsense", "domain: 3", 'domain: "{ S[i] : }"\nchild:\n  wrong: 1', 'domain: "{ S[i : }"', "{"]
)
def test_bad_text_is_refused_in_the_users_words(text: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        Schedule.from_yaml(text)
    message = str(caught.value)
    assert message.startswith("this is not a schedule: ")
    assert "isl_" not in message and ".c:" not in message, message


def test_nodes_that_polyad_does_not_use_are_refused() -> None:
    text = 'domain: "{ A[] }"\nchild:\n  context: "{ [] }"\n  child:\n    sequence:\n    - filter: "{ A[] }"\n'
    with pytest.raises(ScheduleError, match="node of the kind context"):
        Schedule.from_yaml(text)
