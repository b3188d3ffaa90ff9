"""Answers of libpet are kept by all that they depend on: nothing that changes is answered with what was."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import polyad as pa
from polyad.pet.libpet import ask_pet
from polyad.pet.libpet.kept_answers import Answer, answered
from polyad.pet.libpet.library import PetLibrary
from polyad.pet.trial import describe_pet
from tests.pet.extracted import NEEDS_PET, function_of

TEXT = b'#include "sizes.h"\n#if __has_include("more.h")\n#endif\n# include <math.h>\nvoid f(void) {}\n'


class Place:
    """A folder with a C file, headers and libraries, and how often libpet was asked about the file."""

    def __init__(self, folder: Path):
        self.folder = folder
        for name in ("own", "include", "libraries", "headers"):
            (folder / name).mkdir()
        self.text = TEXT
        self.wheel = True
        self.request = {"function": "f", "define": ["N=3"]}
        self.answer: Answer = (0, json.dumps({"scops": [], "isl": None}), "")
        self.asked = 0
        self.write("worker.py", "")
        self.write("libraries/libpet-1.so", "")
        self.write("own/sizes.h", '#include "inner.h"\n')
        self.write("own/inner.h", "enum { N = 3 };\n")

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def ask(self) -> Answer:
        self.asked += 1
        return self.answer

    def answered(self) -> Answer:
        headers = self.folder / "headers" if self.wheel else None
        library = PetLibrary(self.folder / "libraries", headers, "")
        folders = [str(self.folder / "own"), str(self.folder / "include")]
        request = {"path": f"{self.folder}/{self.asked}/f.c", "include": folders, **self.request}
        return answered(request, self.text, library, self.folder / "worker.py", self.ask)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "cache"))
    return Place(tmp_path)


def test_the_same_is_asked_once(place: Place) -> None:
    assert place.answered() == place.answered() == place.answer
    assert place.asked == 1


CHANGES: dict[str, Callable[[Place], object]] = {
    "the text": lambda p: setattr(p, "text", TEXT + b"\n"),
    "the function": lambda p: p.request.update(function="g"),
    "a macro": lambda p: p.request.update(define=["N=4"]),
    "a header": lambda p: p.write("own/sizes.h", '#include "inner.h"\nint m;\n'),
    "a header of a header": lambda p: p.write("own/inner.h", "enum { N = 4 };\n"),
    "a header in another folder": lambda p: p.write("include/sizes.h", ""),
    "a header that is asked for": lambda p: p.write("own/more.h", ""),
    "a header in place of the system's": lambda p: p.write("own/math.h", ""),
    "a header of libpet's": lambda p: p.write("headers/math.h", ""),
    "a library": lambda p: p.write("libraries/libpet-1.so", "new"),
    "another library": lambda p: p.write("libraries/libclang-cpp.so", ""),
    "the worker": lambda p: p.write("worker.py", "pass\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_is_asked_about_anew(change: str, place: Place) -> None:
    place.answered()
    CHANGES[change](place)
    place.answered()
    assert place.asked == 2
    place.answered()
    assert place.asked == 2


def test_folders_count_in_their_order(place: Place) -> None:
    place.write("include/sizes.h", "int other;\n")
    place.answered()
    (place.folder / "own").rename(place.folder / "was")
    (place.folder / "include").rename(place.folder / "own")
    (place.folder / "was").rename(place.folder / "include")
    place.answered()
    assert place.asked == 2


def test_folders_of_the_environment_count(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.answered()
    (place.folder / "more").mkdir()
    place.write("more/more.h", "")
    monkeypatch.setenv("CPATH", os.pathsep.join(["", str(place.folder / "more")]))
    place.answered()
    assert place.asked == 2


@pytest.mark.parametrize(
    "text",
    [
        b"#define WHERE <math.h>\n#include WHERE\n",
        b"#include \\\n<math.h>\n",
        b'%: include "sizes.h"\n',
        b'#\\\ninclude "sizes.h"\n',
    ],
)
def test_headers_that_cannot_be_told_are_asked_about_anew(text: bytes, place: Place) -> None:
    place.text = text
    place.answered()
    place.answered()
    assert place.asked == 2


def test_a_libpet_that_may_know_more_folders(place: Place) -> None:
    place.wheel, place.text = False, b'#include "nowhere_to_be_found.h"\n'
    place.answered()
    place.answered()
    assert place.asked == 2


@pytest.mark.parametrize("answer", [(None, "", ""), (-11, "", "stack"), (0, '{"unloadable": "no"}', ""), (0, "{", "")])
def test_the_end_of_the_worker_is_no_answer(answer: Answer, place: Place) -> None:
    place.answer = answer
    assert place.answered() == place.answered() == answer
    assert place.asked == 2


def test_messages_name_the_file_of_this_time(place: Place) -> None:
    place.answer = (0, json.dumps({"scops": [], "isl": None}), f"{place.folder}/0/f.c:3: no\n")
    place.answered()
    assert place.answered()[2] == f"{place.folder}/1/f.c:3: no\n"


@NEEDS_PET
def test_a_loop_nest_is_read_from_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "f.c").write_text(function_of("for (int i = 0; i < n; i++) x[i] = 2 * x[i];"))
    first = pa.from_c(tmp_path / "f.c")

    def worker(*_: object) -> Answer:
        raise AssertionError("libpet is asked again")

    monkeypatch.setattr(ask_pet, "_run_worker", worker)
    assert str(pa.from_c(tmp_path / "f.c")) == str(first)
    with pytest.raises(AssertionError, match="asked again"):
        describe_pet()  # whether it works now
