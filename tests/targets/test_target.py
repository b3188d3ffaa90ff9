import pytest

import polyad.targets as targets
from polyad.errors import CallError, CompileError
from polyad.targets import TARGETS, Target, compile_flags, resolve


@pytest.mark.parametrize("name", TARGETS)
def test_each_target_resolves_or_says_what_to_use(name: str) -> None:
    if TARGETS[name].missing:
        with pytest.raises(CompileError, match="use target='openmp'"):
            resolve(name)
        with pytest.raises(CompileError, match=f"target='{name}'"):
            resolve(Target(name))
    else:
        assert resolve(name) == Target(name)
        assert resolve(resolve(name)) is not None


def test_the_default_is_openmp() -> None:
    assert resolve(None) == Target("openmp")
    assert Target().openmp
    assert not Target("c").openmp


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(CallError, match=r"target='opencl' is unknown; the targets are 'c', 'openmp', 'cuda'") as caught:
        resolve("opencl")
    assert caught.value.argument == "target"


def test_something_else_than_a_target_is_refused() -> None:
    with pytest.raises(CallError, match="expected a name such as 'openmp'"):
        resolve(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"march": "native; rm -rf x"}, "march"),
        ({"machine": "laptop"}, "machine"),
        ({"march": "-O0"}, "march"),
        ({"optimize": 4}, "optimize"),
        ({"optimize": True}, "optimize"),
        ({"blas": "nag"}, "blas"),
        ({"extra_flags": "-g"}, "extra_flags"),
        ({"extra_flags": (1,)}, "extra_flags"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, object], argument: str) -> None:
    with pytest.raises(CallError, match=argument) as caught:
        Target("c", **options)  # type: ignore[arg-type]
    assert caught.value.argument == argument


def test_flags_of_openmp_need_a_compiler_that_has_it() -> None:
    assert "-fopenmp" in compile_flags(Target("openmp"), openmp_works=True)
    without = compile_flags(Target("openmp"), openmp_works=False)
    assert "-fopenmp" not in without
    assert {"-fopenmp-simd", "-DPA_OPENMP_SIMD"} <= set(without)
    assert without == compile_flags(Target("c"), openmp_works=True)


def test_no_flag_changes_the_meaning_of_arithmetic() -> None:
    for name in TARGETS:
        flags = compile_flags(Target(name), openmp_works=True)
        assert not {"-ffast-math", "-Ofast", "-fassociative-math", "-funsafe-math-optimizations"} & set(flags)


@pytest.mark.parametrize(
    ("march", "native_flag", "expected"),
    [
        ("native", "-march=native", ["-march=native"]),
        ("native", "-mcpu=native", ["-mcpu=native"]),
        ("native", "", []),
        (None, "-march=native", []),
        ("x86-64-v3", "-march=native", ["-march=x86-64-v3"]),
    ],
)
def test_the_machine_flag(march: str | None, native_flag: str, expected: list[str]) -> None:
    flags = compile_flags(Target("c", march=march), True, native_flag)
    assert [f for f in flags if f.startswith("-m")] == expected


def test_optimisation_and_extra_flags_are_passed_on() -> None:
    flags = compile_flags(Target("c", optimize=1, extra_flags=("-g",)), True)
    assert "-O1" in flags
    assert flags[-1] == "-g"


def test_targets_can_be_keys_and_print() -> None:
    assert len({Target("c"), Target("c"), Target("c", march=None)}) == 2
    assert str(Target("c", extra_flags=("-g",))) == "c (march=native, optimize=3, -g)"
    assert str(Target("c", blas="openblas")) == "c (march=native, optimize=3, blas=openblas)"
    assert targets.DEFAULT_TARGET in TARGETS


@pytest.mark.parametrize(
    "options", [{"name": 5}, {"name": []}, {"march": 5}, {"optimize": 1.0}, {"optimize": []}, {"blas": []}]
)
def test_options_of_other_types_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(CallError):
        Target(**options)  # type: ignore[arg-type]
