"""Functions for nests that say the same: which there are, that they are read back, and that no wrong call passes."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

import polyad as pa
from polyad.codegen.certify.read_back.read_back import read_back
from polyad.codegen.generate import source_of
from polyad.errors import CertificationError
from polyad.frontend.compiled import program_of
from polyad.machine import MACHINE
from tests.codegen.certify.mutants import planned
from tests.codegen.certify.read_back.kernels import Kernel
from tests.codegen.certify.read_back.text_mutants import MUTATIONS

_ROUTINE = re.compile(r"PA_NOINLINE void (\w+)\(([^)]*)\)\n\{\n(.*?)\n\}\n", re.S)
m = pa.numpy


def layered(count: int, scanned: bool, fixed: bool) -> pa.Program:
    """Layers of a network, or of a recurrent one, with the gradients of all weights."""
    N, H = (3, 4) if fixed else pa.sizes("N H")
    inputs = [pa.placeholder((N, H), "x", "float64")]
    x = inputs[0]
    for n in range(count):
        W, b = pa.placeholder((H, H), f"W{n}", "float64"), pa.placeholder((H,), f"b{n}", "float64")
        inputs += [W, b]
        z = m.tanh(x @ W + b) - 0.5 * b / (2.0 + x * x)
        if scanned:
            z = pa.scan(lambda h, z_t, W=W: (m.sin(h @ W) - z_t,) * 2, 0.1 * b, z)[1]
        x = x + z
    loss = m.mean(x * x)
    return program_of([loss, *pa.grad(loss, inputs)], inputs, "layered")[0]


@cache
def kernel(count: int = 4, scanned: bool = False, fixed: bool = False) -> Kernel:
    plan = planned(layered(count, scanned, fixed))
    return Kernel(f"{count} layers", plan, source_of(plan).c)


ALL = [(4, scanned, fixed) for scanned in (False, True) for fixed in (False, True)]


@pytest.mark.parametrize("which", ALL)
def test_layers_have_functions_in_common(which: tuple[int, bool, bool]) -> None:
    found = kernel(*which)
    defined = {name: body for name, _, body in _ROUTINE.findall(found.c)}
    kernel_body = found.c[found.body :]
    calls = {name: len(re.findall(rf"\b{name}\(", kernel_body)) for name in defined}
    assert len(defined) >= 3 and all(n >= 2 for n in calls.values()), calls
    assert read_back(found.plan, found.c).statements > 20


def test_a_layer_more_is_calls_more() -> None:
    few, many = (kernel(n, fixed=True).c for n in (6, 9))
    assert len(_ROUTINE.findall(few)) == len(_ROUTINE.findall(many))
    assert len(re.findall(r"\bfor \(", few)) == len(re.findall(r"\bfor \(", many))


@pytest.mark.parametrize(("count", "least"), [(2, 3), (4, 2), (4, 9)])
def test_the_machine_says_how_many_have_one(count: int, least: int) -> None:
    plan = planned(layered(count, False, True), replace(MACHINE, alike=least))
    c = source_of(plan).c
    found = {name: len(re.findall(rf"^ +{name}\(", c, re.M)) for name, _, _ in _ROUTINE.findall(c)}
    assert all(n >= least for n in found.values()) and bool(found) is (count > least), found
    assert read_back(plan, c).statements > 20


def test_declarations_stay_where_they_are() -> None:
    """Copies for threads, of one number each: later nests ask how many there are."""
    inputs = [pa.placeholder((4, 6), f"x{n}", "float64") for n in range(4)]
    made = [m.tanh(x) for x in inputs]
    rows = [m.flip(t, 1) * m.sum(t * t, 1, keepdims=True) for t in made]
    plan = planned(program_of(rows, inputs, "rows")[0])
    c = source_of(plan).c
    assert c.count("= pa_copies(4);") > 1 and all("pa_copies(" not in body for _, _, body in _ROUTINE.findall(c))
    assert read_back(plan, c).statements > 20
    number = "PA_NOINLINE void rows_number(void)\n{\n  const int64_t copies = pa_copies(4);\n}\n\n"
    at = c.rindex("size_t rows_workspace(")
    wrong = (c[:at] + number + c[at:]).replace(
        "  const int64_t copies = pa_copies(4);\n  PA_", "  rows_number();\n  PA_"
    )
    assert wrong.count("rows_number") == 2 and refused(Kernel("rows", plan, c), wrong)


def refused(found: Kernel, c: str) -> bool:
    try:
        read_back(found.plan, c)
    except CertificationError as error:
        return "line " in str(error)
    return False


def calls(c: str) -> Iterator[re.Match[str]]:
    for name, _, _ in _ROUTINE.findall(c):
        yield from re.finditer(rf"^ +({name})\(([^)]*)\);\n", c, re.M)


def with_arguments(change: Callable[[list[str]], Iterator[list[str]]]) -> Callable[[str], Iterator[str]]:
    def mutate(c: str) -> Iterator[str]:
        for call in calls(c):
            for given in change(re.split(r",\s+", call[2])):
                yield c[: call.start(2)] + ", ".join(given) + c[call.end(2) :]

    return mutate


def exchanged(given: list[str]) -> Iterator[list[str]]:
    for n in range(1, len(given)):
        yield [*given[: n - 1], given[n], given[n - 1], *given[n + 1 :]]


def twice(given: list[str]) -> Iterator[list[str]]:
    for n in range(1, len(given)):
        yield [*given[:n], given[n - 1], *given[n + 1 :]]


def another_number(given: list[str]) -> Iterator[list[str]]:
    yield given[:-1]
    yield [*given, given[-1]]


def other_array(given: list[str]) -> Iterator[list[str]]:
    """An array of another layer."""
    for n, name in enumerate(given):
        if found := re.fullmatch(r"([Wb])(\d)(_bar)?", name):
            yield [*given[:n], f"{found[1]}{(int(found[2]) + 1) % 4}{found[3] or ''}", *given[n + 1 :]]


def another_nest(c: str) -> Iterator[str]:
    names = [name for name, _, _ in _ROUTINE.findall(c)]
    for call in calls(c):
        yield from (c[: call.start(1)] + n + c[call.end(1) :] for n in names if n != call[1])


def left_out(c: str) -> Iterator[str]:
    for call in calls(c):
        yield c[: call.start()] + c[call.end() :]


def repeated(c: str) -> Iterator[str]:
    for call in calls(c):
        yield c[: call.end()] + call[0] + c[call.end() :]


def in_turn(c: str) -> Iterator[str]:
    """Two calls in the other order."""
    found = [*calls(c)]
    for one, other in pairwise(found):
        if one[0] != other[0] and one.end() < other.start():
            yield c[: one.start()] + other[0] + c[one.end() : other.start()] + one[0] + c[other.end() :]


def in_heads(pattern: str, by: str) -> Callable[[str], Iterator[str]]:
    """Something else in the parameters of a function."""

    def mutate(c: str) -> Iterator[str]:
        for found in _ROUTINE.finditer(c):
            for place in re.finditer(pattern, found[2]):
                changed = found[2][: place.start()] + place.expand(by) + found[2][place.end() :]
                yield c[: found.start(2)] + changed + c[found.end(2) :]

    return mutate


def of_the_kernel(c: str) -> Iterator[str]:
    """A variable of the kernel function that is not passed."""
    for found in _ROUTINE.finditer(c):
        for place in re.finditer(r"\bb\d\b(?![^*]*\*/)", found[3]):  # in no comment
            other = f"b{(int(place[0][1]) + 1) % 4}"
            if other not in found[2]:
                at = found.start(3) + place.start()
                yield c[:at] + other + c[at + len(other) :]


def returning(c: str) -> Iterator[str]:
    for found in _ROUTINE.finditer(c):
        yield c[: found.start(3)] + "  return 0;\n" + c[found.start(3) :]


def uncalled(c: str) -> Iterator[str]:
    for found in _ROUTINE.finditer(c):
        yield c[: found.start()] + found[0].replace(found[1], f"{found[1]}_other", 1) + c[found.start() :]


WRONG: dict[str, Callable[[str], Iterator[str]]] = {
    "arguments exchanged": with_arguments(exchanged),
    "one argument twice": with_arguments(twice),
    "another number of arguments": with_arguments(another_number),
    "an array of another layer": with_arguments(other_array),
    "another nest": another_nest,
    "a call left out": left_out,
    "a call repeated": repeated,
    "calls in another order": in_turn,
    "a parameter of another type": in_heads(r"\bdouble\b", "float"),
    "a parameter that is written": in_heads(r"const (?=double)", ""),
    "a promise about slots": in_heads(r"void \*(?=slot)", r"void *PA_RESTRICT "),
    "parameters exchanged": in_heads(r"(\w+), (const double \*PA_RESTRICT )(\w+)", r"\3, \2\1"),
    "a name of the kernel": of_the_kernel,
    "a return": returning,
    "a function that is called nowhere": uncalled,
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_call_is_refused(kind: str) -> None:
    tried = 0
    for which in ALL:
        found = kernel(*which)
        texts = [*WRONG[kind](found.c)]
        for text in Random(5).sample(texts, min(4, len(texts))):
            assert refused(found, text), _difference(found.c, text)
            tried += 1
    assert tried >= 4, kind


def test_a_function_with_one_thing_wrong_is_refused() -> None:
    """A slip in it is one in each of its calls."""
    tried: dict[str, int] = {}
    random = Random(3)
    for which in ALL[:2]:
        found = kernel(*which)
        for routine in _ROUTINE.finditer(found.c):
            body = re.sub(r"(?s)/\*.*?\*/", "", routine[3])
            for kind, mutate in MUTATIONS.items():
                texts: list[Any] = [text for text in mutate(body) if text != body and not re.search(r"[*/] -", text)]
                for text in random.sample(texts, min(1, len(texts))):
                    whole = found.c[: routine.start(3)] + text + found.c[routine.end(3) :]
                    assert refused(found, whole), f"{kind}:\n{_difference(body, text)}"
                    tried[kind] = tried.get(kind, 0) + 1
    assert len(tried) >= 10, tried


def _difference(before: str, after: str) -> str:
    lines = zip(before.split("\n"), after.split("\n"), strict=False)
    return next((f"{a}\n{b}" for a, b in lines if a != b), "")
