"""The header as text for compilers: no warnings anywhere, macros that vanish, loops that become vector code."""

import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import polyad_c
from polyad_c.accuracy import BOUNDS
from polyad_c.build_runtime import RECOMMENDED_FLAGS
from tests.compilers import has_openmp

WARNINGS = "-Wall -Wextra -Wpedantic -Werror -Wconversion -Wshadow -Wdouble-promotion -Wstrict-prototypes".split()
OPENMP = {
    "serial": [],
    "openmp": ["-fopenmp"],
    "openmp-simd": ["-fopenmp-simd", "-DPA_OPENMP_SIMD"],
}
X86 = platform.machine().lower() in ("x86_64", "amd64")


def compiler(name: str) -> str:
    """Return a compiler's path; skip without it, but fail where there is none at all."""
    path = shutil.which(name)
    if path is not None:
        return path
    if not any(shutil.which(other) for other in ("gcc", "clang", "cc")):
        pytest.fail(
            "no C compiler found. The tests of polyad_c compile C: install gcc or clang "
            "(Debian: apt install gcc; Fedora: dnf install gcc; macOS: xcode-select --install)."
        )
    pytest.skip(f"{name} is not installed")


def run_compiler(name: str, flags: list[str], source: Path, *libraries: str) -> subprocess.CompletedProcess[str]:
    if "-fopenmp" in flags and not has_openmp(compiler(name)):
        pytest.skip(f"{name} has no OpenMP here (Debian: apt install libomp-dev)")
    command = [compiler(name), *flags, "-I", str(polyad_c.include_dir()), str(source), *libraries]
    return subprocess.run(command, capture_output=True, text=True, check=False)


# Uses every macro, includes twice, and prints what can be checked.
PROGRAM = """
#include "polyad_runtime.h"
#include "polyad_runtime.h"
#include <stdio.h>

PA_ONCE(tanh, double, f64)

static double total(const double *PA_RESTRICT x, int64_t n)
{
    double sum = 0.0;
    int64_t i;
    PA_SIMD_REDUCTION(+, sum)
    for (i = 0; i < n; ++i) sum += x[i];
    return sum;
}

static void fill(double *PA_RESTRICT x, int64_t n, int unused)
{
    PA_UNUSED(unused);
    PA_PARALLEL_FOR_IF(n > 10 && pa_max_i64(n, 1) > 10)
    for (int64_t i = 0; i < n; ++i) x[i] = (double)i;
    PA_PARALLEL_FOR
    for (int64_t i = 0; i < n; ++i) x[i] *= 2.0;
    PA_PARALLEL_IF(n > 10)
    {
        PA_FOR
        for (int64_t i = 0; i < n; ++i) x[i] += 1.0;
        PA_BARRIER
        PA_FOR_SIMD_WIDE(f64, n)
        for (int64_t i = 0; i < n; ++i) x[i] += 1.0;
        PA_BARRIER
        PA_SINGLE
        { x[0] += 1.0; }
    }
    PA_PARALLEL
    {
        PA_FOR
        for (int64_t i = 0; i < n; ++i) x[i] -= 1.0;
    }
    PA_SIMD
    for (int64_t i = 0; i < n; ++i) x[i] += pa_tanh_f64(0.0 * x[i]);
    PA_SIMD_WIDE(f64)
    for (int64_t i = 0; i < n; ++i) x[i] += pa_once_tanh_f64(0.0 * x[i]);
    PA_SIMD
    for (int64_t i = 0; i < n; ++i) x[i] += pa_sin_f64(0.0 * x[i]); /* stays scalar: no warning of that either */
}

int main(void)
{
    double x[100];
    fill(x, 100, 0);
    printf("%.1f\\n", total(x, 100));
    printf("%d %d %d %d\\n", (int)PA_ALIGN_UP(0), (int)PA_ALIGN_UP(1), (int)PA_ALIGN_UP(64), (int)PA_ALIGN_UP(65));
    printf("%d %d\\n", PA_ALIGNED((void *)128) == (void *)128, PA_ALIGNED((void *)130) == (void *)192);
    for (int status = 1; status >= -5; --status) printf("%d %s\\n", status, polyad_status_text(status));
    return POLYAD_OK;
}
"""
OUTPUT = """10001.0
0 64 64 128
1 1
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    return path


@pytest.mark.parametrize("openmp", OPENMP)
@pytest.mark.parametrize("standard", ["c99", "c11", "gnu17"])
@pytest.mark.parametrize("name", ["gcc", "clang"])
def test_c_without_a_warning(name: str, standard: str, openmp: str, program: Path) -> None:
    flags = [*WARNINGS, f"-std={standard}", *OPENMP[openmp], "-O2", "-c", "-o", str(program.with_suffix(".o"))]
    outcome = run_compiler(name, flags, program)
    assert outcome.returncode == 0, outcome.stderr


@pytest.mark.parametrize("openmp", OPENMP)
@pytest.mark.parametrize("standard", ["c++11", "c++17"])
@pytest.mark.parametrize("name", ["g++", "clang++"])
def test_cxx_without_a_warning(name: str, standard: str, openmp: str, program: Path) -> None:
    flags = [w for w in WARNINGS if w != "-Wstrict-prototypes"] + [f"-std={standard}", *OPENMP[openmp]]
    outcome = run_compiler(name, [*flags, "-fsyntax-only", "-x", "c++"], program)
    assert outcome.returncode == 0, outcome.stderr


@pytest.mark.parametrize("openmp", OPENMP)
def test_program_prints_the_same_with_and_without_openmp(openmp: str, program: Path) -> None:
    name = next((c for c in ("gcc", "clang") if shutil.which(c)), "cc")
    executable = program.with_suffix(".exe")
    flags = ["-std=c99", "-O2", *OPENMP[openmp], "-o", str(executable)]
    outcome = run_compiler(name, flags, program, "-lm")
    if openmp == "openmp" and "omp" in outcome.stderr:
        pytest.skip(f"{name} has no OpenMP library")
    assert outcome.returncode == 0, outcome.stderr
    printed = subprocess.run([str(executable)], capture_output=True, text=True, check=True).stdout
    assert printed.startswith(OUTPUT)
    statuses = dict(line.split(" ", 1) for line in printed.splitlines()[3:])
    assert statuses["0"] == "ok"
    assert statuses["1"] == statuses["-5"] == "unknown status"
    assert len(set(statuses.values())) == 6, "each status has a text of its own"


@pytest.mark.parametrize("flag", ["-ffast-math", "-Ofast"])
def test_flags_that_would_give_wrong_numbers_are_refused(flag: str, program: Path) -> None:
    outcome = run_compiler("gcc", [flag, "-fsyntax-only"], program)
    assert outcome.returncode != 0
    assert "use -fno-math-errno -fno-trapping-math" in outcome.stderr


# ---- vectorisation -----------------------------------------------------------------------------------------------

LOOP = """
{define}
void loop_{op}_{suffix}(const {type} *PA_RESTRICT x, {type} *PA_RESTRICT y, int64_t n);
void loop_{op}_{suffix}(const {type} *PA_RESTRICT x, {type} *PA_RESTRICT y, int64_t n)
{{
    {pragma}
    for (int64_t i = 0; i < n; ++i) y[i] = {call}(x[i]);
}}
"""
INSTRUCTION_SETS = {
    "sse2": (["-march=x86-64"], r"\b(mulp[sd])\b.*%xmm"),
    "avx2": (["-march=x86-64-v3"], r"\b(v(mul|fn?m(add|sub)\d+)p[sd])\b.*%ymm"),
}


def assembly_of_loops(name: str, flags: list[str], source: Path, calls: dict[str, str]) -> dict[str, str]:
    """Compile one loop for each (function, element type suffix) and return the assembly text of each."""
    text = '#include "polyad_runtime.h"\n'
    for call, suffix in calls.items():
        element = "float" if suffix == "f32" else "double"
        once = re.fullmatch(r"pa_once_(\w+)_f\d\d", call)
        define = f"PA_ONCE({once[1]}, {element}, {suffix})" if once else ""
        pragma = f"PA_SIMD_WIDE({suffix})" if once else "PA_SIMD"
        text += LOOP.format(op=call, suffix=suffix, type=element, call=call, define=define, pragma=pragma)
    source.write_text(text)
    output = source.with_suffix(".s")
    outcome = run_compiler(name, [*flags, "-std=c99", "-S", "-o", str(output)], source)
    assert outcome.returncode == 0, outcome.stderr
    parts = re.split(r"^_?loop_(\w+)_f\d\d:", output.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def shortcomings(assembly: str, packed: str) -> list[str]:
    """Say what keeps a loop from being vector code: calls that remain, packed arithmetic that is missing."""
    found = [
        f"calls {target}" for target in re.findall(r"^\s+(?:callq?|jmpq?)\s+\*?([a-z]\w*)", assembly, re.MULTILINE)
    ]
    if re.search(packed, assembly) is None:
        found.append("has no packed multiplication")
    return found


@pytest.mark.skipif(not X86, reason="reads x86-64 assembly")
@pytest.mark.parametrize("instructions", INSTRUCTION_SETS)
@pytest.mark.parametrize("name", ["gcc", "clang"])
def test_own_functions_become_vector_code(name: str, instructions: str, tmp_path: Path) -> None:
    flags, packed = INSTRUCTION_SETS[instructions]
    calls = {f"pa_{op}_{suffix}": suffix for op in BOUNDS for suffix in ("f32", "f64")}
    flags = [*RECOMMENDED_FLAGS, *flags, *OPENMP["openmp-simd"]]
    loops = assembly_of_loops(name, flags, tmp_path / "loops.c", calls)
    assert set(loops) == set(calls)
    assert {op: problems for op, text in loops.items() if (problems := shortcomings(text, packed))} == {}


@pytest.mark.skipif(not X86, reason="reads x86-64 assembly")
@pytest.mark.parametrize(
    ("march", "vector"), [("x86-64", "_ZGVbN[24]v"), ("x86-64-v3", "_ZGVdN[48]v"), ("x86-64-v4", "_ZGVeN(8|16)v")]
)
def test_functions_compiled_once_are_called_with_vectors(march: str, vector: str, tmp_path: Path) -> None:
    calls = {f"pa_once_{op}_{suffix}": suffix for op in BOUNDS for suffix in ("f32", "f64")}
    flags = [*RECOMMENDED_FLAGS, f"-march={march}", *OPENMP["openmp-simd"]]
    loops = assembly_of_loops("gcc", flags, tmp_path / "loops.c", calls)
    assert set(loops) == set(calls)
    assert [call for call in calls if not re.search(rf"call\s+{vector}_{call}\b", loops[call])] == []


MASKED = """
#include "polyad_runtime.h"
void backward(int64_t n, const int32_t *restrict stops, const float *restrict y_bar, const float *restrict s,
              float *restrict masked, float *restrict x_bar)
{
    PA_SIMD
    for (int64_t i = 0; i < n; i += 1) {
        masked[i] = pa_select_f32(stops[i] != 0, 0.0f, y_bar[i]);
        x_bar[i] = pa_masked_mul_f32(1.0f / s[0], masked[i]);
    }
}
"""


@pytest.mark.skipif(not X86, reason="reads x86-64 assembly")
@pytest.mark.parametrize("name", ["gcc", "clang"])
def test_masked_products_of_what_conditions_stop_become_vector_code(name: str, tmp_path: Path) -> None:
    """The adjoint of a relu and of what follows: two tests that know of each other are no branch."""
    source = tmp_path / "masked.c"
    source.write_text(MASKED)
    flags = [*RECOMMENDED_FLAGS, "-march=x86-64-v3", *OPENMP["openmp-simd"], "-S", "-o", str(tmp_path / "masked.s")]
    done = run_compiler(name, flags, source)
    assert done.returncode == 0, done.stderr
    assert re.search(INSTRUCTION_SETS["avx2"][1], (tmp_path / "masked.s").read_text()) is not None


@pytest.mark.skipif(not X86, reason="reads x86-64 assembly")
@pytest.mark.parametrize(
    "form", ["M(a[i], M(b[i], c[i]))", "M(M(a[i], b[i]), c[i])", "M(M(a[i], b[i]), M(c[i], d[i]))"]
)
@pytest.mark.parametrize("op", ["maximum", "minimum"])
@pytest.mark.parametrize("name", ["gcc", "clang"])
def test_an_optimum_of_several_becomes_vector_code_however_it_is_nested(
    name: str, op: str, form: str, tmp_path: Path
) -> None:
    source, output = tmp_path / "loop.c", tmp_path / "loop.s"
    source.write_text(f"""#include "polyad_runtime.h"
#define M pa_{op}_f32
void loop(float *PA_RESTRICT y, const float *a, const float *b, const float *c, const float *d, int64_t n)
{{
    (void)d;
    PA_SIMD
    for (int64_t i = 0; i < n; ++i) y[i] = {form};
}}
""")
    flags = [*RECOMMENDED_FLAGS, "-march=x86-64-v3", *OPENMP["openmp-simd"]]
    outcome = run_compiler(name, [*flags, "-std=c99", "-S", "-o", str(output)], source)
    assert outcome.returncode == 0, outcome.stderr
    assert re.search(r"v(max|min|cmp\w*)ps\s.*%ymm", output.read_text())


@pytest.mark.skipif(not X86, reason="reads x86-64 assembly")
def test_the_assembly_reader_sees_a_call_of_libm(tmp_path: Path) -> None:
    flags = [*RECOMMENDED_FLAGS, "-march=x86-64-v3", *OPENMP["openmp-simd"]]
    loops = assembly_of_loops("gcc", flags, tmp_path / "loops.c", {"tanhf": "f32", "pa_sin_f64": "f64"})
    packed = INSTRUCTION_SETS["avx2"][1]
    assert shortcomings(loops["tanhf"], packed) == ["calls tanhf", "has no packed multiplication"]
    assert shortcomings(loops["pa_sin_f64"], packed) == ["calls sin", "has no packed multiplication"]


# ---- the package -------------------------------------------------------------------------------------------------


def test_the_package_hands_out_the_headers() -> None:
    assert polyad_c.header("polyad_runtime.h") == polyad_c.runtime_header()
    for name in polyad_c.HEADERS:
        assert (polyad_c.include_dir() / name).read_text(encoding="utf-8") == polyad_c.header(name)


def test_headers_include_the_standard_library_and_each_other_only() -> None:
    """omp.h belongs to compilers that have OpenMP, and is asked for where it is on."""
    include = r"^\s*#\s*include\s+(\S+)"
    omp = r"#\s*if defined\(_OPENMP\)\n#\s*include <omp.h>\n"
    runtime, contraction = (re.sub(omp, "", polyad_c.header(name)) for name in polyad_c.HEADERS)
    assert sorted(re.findall(include, runtime, re.MULTILINE)) == ["<math.h>", "<stddef.h>", "<stdint.h>", "<string.h>"]
    found = set(re.findall(include, contraction, re.MULTILINE))
    assert found == {'"polyad_runtime.h"', '"polyad_contraction.h"'}
