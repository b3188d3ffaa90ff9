"""Sizes of caches, as Linux writes them; what it does not tell is left out."""

from pathlib import Path

import pytest

from polyad.measure.caches import cache_sizes, caches_below


def cache(folder: Path, number: int, level: str, kind: str, size: str) -> None:
    """Write one cache of a core."""
    here = folder / f"index{number}"
    here.mkdir(parents=True)
    for name, text in (("level", level), ("type", kind), ("size", size)):
        (here / name).write_text(f"{text}\n")


def test_caches_of_data_from_the_second_level_on(tmp_path: Path) -> None:
    for number, (level, kind, size) in enumerate(
        [("1", "Data", "48K"), ("1", "Instruction", "32K"), ("2", "Unified", "1024K"), ("3", "Unified", "32M")]
    ):
        cache(tmp_path, number, level, kind, size)
    assert caches_below(tmp_path) == {2: 1 << 20, 3: 32 << 20}


@pytest.mark.parametrize(
    "wrong", [("2", "Unified", ""), ("2", "Unified", "0K"), ("two", "Data", "1M"), ("2", "", "1M")]
)
def test_what_is_not_told_is_left_out(tmp_path: Path, wrong: tuple[str, str, str]) -> None:
    cache(tmp_path, 0, *wrong)
    cache(tmp_path, 1, "3", "Unified", "512")
    (tmp_path / "index2").mkdir()  # with nothing in it, as in some virtual machines
    assert caches_below(tmp_path) == {3: 512}
    assert caches_below(tmp_path / "nowhere") == {}


def test_this_machine_has_sizes_that_make_sense() -> None:
    assert all(level > 1 and size > 0 for level, size in cache_sizes().items())
