"""Schedule files are used where they fit, and refused with a word where they do not; caches tell both apart."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.kernel import Kernel
from polyad.pipeline import compile_program
from polyad.runtime.cache import digest
from polyad.runtime.tuned import schedule_file
from polyad.runtime.tuned.schedule_file import place_of, read_tuning, write_tuning
from polyad.runtime.tuned.tuning import Tuning
from polyad.schedule.moves.move import Move
from polyad.schedule.moves.neighbours import neighbours

X = np.random.default_rng(0).standard_normal((7, 6))
Y = np.random.default_rng(1).standard_normal((6, 5))


def product(a: str = "a", b: str = "b", c: str = "c", k: str = "k", size: str = "N") -> tuple[Any, list[Any]]:
    n = pa.sizes(size)
    left, right = pa.placeholder((7, n), a, "float64"), pa.placeholder((n, 5), b, "float64")
    axis = pa.reduce_axis(n, name=k)
    return pa.compute((7, 5), lambda i, j: pa.sum(left[i, axis] * right[axis, j], axis=axis), name=c), [left, right]


def compiled(**names: str) -> Kernel:
    return pa.compile(*product(**names), name=names.get("c", "product"))


def moved(kernel: Kernel) -> tuple[Move, ...]:
    """A move that makes another C."""
    for move, changed in neighbours(kernel.schedule):
        if changed.is_legal(kernel.program):
            other = compile_program(kernel.definition, kernel.target, kernel.fixed, moves=[move])
            if other.source != kernel.source:
                return (move,)
    raise AssertionError("there is none")


def saved(folder: Path, kernel: Kernel, moves: tuple[Move, ...]) -> Path:
    place = place_of(folder, kernel.definition, kernel.fixed, kernel.target, kernel.program, kernel.schedule)
    return Path(write_tuning(place, Tuning(moves, 2.0, 1.0, certificate="proved"), kernel.name).file)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("POLYAD_SCHEDULES", raising=False)
    return tmp_path / "schedules"


@pytest.fixture
def silent() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.usefixtures("silent")
def test_a_file_changes_the_kernel_while_its_folder_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = compiled()
    moves = moved(plain)
    path = saved(folder, plain, moves)
    assert compiled().source == plain.source  # the folder is not named
    monkeypatch.setenv("POLYAD_SCHEDULES", str(folder))
    for _ in range(2):  # the second one comes from the cache
        tuned = compiled()
        assert tuned.source != plain.source
        assert tuned.tuning is not None and tuned.tuning.moves == moves and tuned.tuning.file == str(path)
        assert not tuned.code.in_order
        np.testing.assert_allclose(tuned(X, Y), X @ Y, rtol=1e-12)
        tuned.certify()
    path.unlink()
    assert compiled().source == plain.source
    monkeypatch.delenv("POLYAD_SCHEDULES")
    assert compiled().source == plain.source and compiled().tuning is None


@pytest.mark.usefixtures("silent")
def test_names_decide_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = compiled()
    saved(folder, plain, moved(plain))
    monkeypatch.setenv("POLYAD_SCHEDULES", str(folder))
    tuned, other = compiled(), compiled(a="z", b="y", c="x", k="w", size="V")
    assert other.tuning is not None and other.tuning.moves != tuned.tuning.moves  # type: ignore[union-attr]
    np.testing.assert_array_equal(other(X, Y), tuned(X, Y))
    assert len(other.schedule.tree()) == len(tuned.schedule.tree())


@pytest.mark.usefixtures("silent")
def test_other_programs_sizes_targets_and_own_schedules_have_no_part_in_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = compiled()
    saved(folder, plain, moved(plain))
    monkeypatch.setenv("POLYAD_SCHEDULES", str(folder))
    assert pa.compile(*product(), sizes={"N": 6}).tuning is None
    assert pa.compile(*product(), target="c").tuning is None
    assert pa.compile(*product(), target=pa.Target(optimize=2)).tuning is None
    assert pa.compile(*product(), schedule=plain.schedule).tuning is None
    monkeypatch.setattr(schedule_file, "usable_threads", lambda: 77)
    assert compiled().tuning is None


@pytest.mark.usefixtures("silent")
def test_functions_and_gradients_take_part(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def loss(x: Any, y: Any) -> Any:
        return (pa.numpy.tanh(x @ y) ** 2).sum()

    for make in (pa.jit, pa.grad, pa.value_and_grad):
        function = make(loss)
        want = function(X, Y)
        kernel = function.kernel
        saved(folder, kernel, moved(kernel))
        monkeypatch.setenv("POLYAD_SCHEDULES", str(folder))
        again = make(loss)
        for a, b in zip(pa.tree.leaves(want), pa.tree.leaves(again(X, Y)), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12)
        assert again.kernel.tuning is not None and again.kernel.source != kernel.source
        assert function(X, Y) is not None and function.kernel is kernel  # what is compiled stays as it is
        monkeypatch.delenv("POLYAD_SCHEDULES")


Damage = Callable[[dict[str, Any]], Any]


def signed(data: dict[str, Any]) -> dict[str, Any]:
    """Data with the checksum that a file written so would have."""
    rest = {n: v for n, v in data.items() if n != "checksum"}
    return {**rest, "checksum": digest(json.dumps(rest, sort_keys=True))}


DAMAGES: dict[str, tuple[Damage, str]] = {
    "edited": (lambda d: {**d, "moves": []}, "edited"),
    "another format": (lambda d: signed({**d, "polyad_schedule": 99}), "of format 99"),
    "another machine": (lambda d: signed({**d, "machine": "abacus"}), "another machine"),
    "another program": (lambda d: signed({**d, "key": "0" * 40}), "another program"),
    "another version": (lambda d: signed({**d, "base": "0" * 40}), "another version"),
    "no moves": (lambda d: signed({**d, "moves": "jam"}), "no list of moves"),
    "odd moves": (lambda d: signed({**d, "moves": [["jam", ["s0", "i0"], 4.5]]}), "no argument"),
    "places of another program": (lambda d: signed({**d, "moves": [["jam", ["s99", "i0"], 4]]}), "s99"),
    "moves that do not apply": (
        lambda d: signed({**d, "moves": [["fuse", ["s0", "i0"], ["s0", "i0"]]]}),
        "fuse|follow",
    ),
    "an illegal schedule": (lambda d: signed({**d, "moves": [["reorder", ["s1", "s0"]]]}), "illegal"),
    "no times": (lambda d: signed({**d, "before": None}), "times"),
    "nothing of ours": (lambda d: {"a": 1}, "no schedule file"),
    "a list": (lambda d: [d], "no schedule file"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_does_not_fit_is_refused_with_its_name(damage: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change, why = DAMAGES[damage]
    plain = compiled()
    path = saved(folder, plain, moved(plain))
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    monkeypatch.setenv("POLYAD_SCHEDULES", str(folder))
    with pytest.warns(RuntimeWarning, match=why) as caught:
        kernel = compiled()
    assert str(path) in str(caught[0].message) and "pa.tune" in str(caught[0].message)
    assert kernel.tuning is None and kernel.source == plain.source
    np.testing.assert_allclose(kernel(X, Y), X @ Y, rtol=1e-12)


@pytest.mark.parametrize("text", ["", "[" * 100_000, "\x00", "é".encode("latin-1")])
def test_what_is_no_text_of_ours_is_refused(text: str | bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = compiled()
    path = saved(folder, plain, moved(plain))
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    monkeypatch.setenv("POLYAD_SCHEDULES", str(folder))
    with pytest.warns(RuntimeWarning, match="no schedule file"):
        assert compiled().source == plain.source


def test_what_cannot_be_read_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = compiled()
    path = saved(folder, plain, moved(plain))
    path.unlink()
    path.mkdir()
    monkeypatch.setenv("POLYAD_SCHEDULES", str(folder))
    with pytest.warns(RuntimeWarning, match="cannot be read"):
        assert compiled().source == plain.source


@pytest.mark.usefixtures("silent")
def test_a_folder_that_is_not_there_holds_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (folder / "nowhere", "~nobody-of-this-name/x"):
        monkeypatch.setenv("POLYAD_SCHEDULES", str(name))
        assert compiled().tuning is None


def test_what_is_written_is_read(folder: Path) -> None:
    plain = compiled()
    place = place_of(folder, plain.definition, plain.fixed, plain.target, plain.program, plain.schedule)
    assert read_tuning(place) is None
    written = write_tuning(place, Tuning(moved(plain), 0.25, 0.125, certificate="proved"), "product")
    assert read_tuning(place) == written
    assert [path.name for path in folder.iterdir()] == [place.path.name]
    (folder / "file").write_text("")
    other = place_of(folder / "file", plain.definition, {}, plain.target, plain.program, plain.schedule)
    with pytest.raises(pa.ScheduleError, match="cannot be written"):
        write_tuning(other, written, "product")


def test_sums_keep_the_precision_that_they_have_without_moves() -> None:
    """float32 is added up in double by default, and one by one where a schedule is given (decision 50)."""
    plain = compiled()
    move = moved(plain)
    assert not compile_program(plain.definition, plain.target, moves=move).code.in_order
    own = compile_program(plain.definition, plain.target, schedule=plain.schedule, moves=move)
    assert own.code.in_order
