"""Kernels under a race detector: clang's thread sanitizer, told by archer what the threads of OpenMP wait for.

All kernels are compiled into one program, which runs those named on its command line over inputs of its own.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from polyad.codegen.source import Source

__all__ = ["Detector", "Racer", "detector", "renamed"]

_FLAGS = ("-std=c99", "-O1", "-g", "-fopenmp", "-DPA_PIECE=1", "-fsanitize=thread")
_C = {"float32": "float", "float64": "double", "int32": "int32_t", "int64": "int64_t", "bool": "bool"}

# Two threads write one variable without asking each other.
_RACE = "int main(void) { int x = 0;\n#pragma omp parallel num_threads(2)\nx += 1;\nreturn x < 0; }\n"
# They take turns, by a barrier that only archer knows of.
_TURNS = """#include <omp.h>
int main(void) { int x = 0;
#pragma omp parallel num_threads(2)
{ if (omp_get_thread_num() == 0) x = 1;
#pragma omp barrier
if (omp_get_thread_num() == 1) x += 1; }
return x < 0; }
"""


def renamed(source: Source, name: str, text: str) -> Source:
    """A kernel of another text under another name."""
    return replace(source, name=name, c=re.sub(rf"(?<!\w){source.name}(?=\b|_sizes\b|_workspace\b)", name, text))


def _host(source: Source, sizes: Mapping[str, int]) -> str:
    """A C function that calls a kernel once."""
    name, lines = source.name, []
    members = ", ".join(str(sizes[n]) for n in source.sizes) or "0"
    lines.append(f"{name}_sizes sizes = {{{members}}};")
    for number, argument in enumerate(source.arguments):
        count = 1
        for extent in argument.shape:
            count *= extent.evaluate(sizes)
        kind = _C[argument.dtype]
        value = "k % 2" if argument.dtype.startswith("int") else "0.3 + 0.01 * (double)(k * 7 % 13)"
        lines += [
            f"{kind} *a{number} = malloc({max(count, 1)} * sizeof({kind}));",
            f"for (int64_t k = 0; k < {count}; k += 1) a{number}[k] = ({kind})({value});",
        ]
    given = "".join(f"a{n}, " for n in range(len(source.arguments)))
    lines += [
        f"size_t bytes = {name}_workspace(&sizes);",
        "void *work = malloc(bytes + 1);",
        f"int status = {name}(&sizes, {given}work, bytes);",
        "free(work);",
        *(f"free(a{n});" for n in range(len(source.arguments))),
        "return status;",
    ]
    return f"int run_{name}(void);\nint run_{name}(void)\n{{\n  " + "\n  ".join(lines) + "\n}\n"


@dataclass(frozen=True, slots=True)
class Racer:
    """A compiled program with kernels in it."""

    program: Path
    archer: Path

    def reports(self, kernel: str, threads: int = 2) -> list[str]:
        """Return the detector's reports of a kernel: one line a race, without addresses."""
        done = _run([str(self.program), kernel], self.archer, threads)
        assert done.stdout == "status 0", f"{kernel}: {done.stdout}\n{done.stderr}"
        return re.findall(r"SUMMARY: ThreadSanitizer: (.*)", done.stderr)


@dataclass(frozen=True, slots=True)
class Detector:
    """A compiler with thread sanitizer, and the library that knows of OpenMP."""

    compiler: str
    archer: Path

    def build(
        self, kernels: Sequence[tuple[Source, Mapping[str, int]]], headers: Mapping[str, str], folder: Path
    ) -> Racer:
        """Compile kernels, each for some sizes, with some header files."""
        for name, text in headers.items():
            (folder / name).write_text(text, encoding="utf-8")
        files = []
        for source, sizes in kernels:
            path = folder / f"{source.name}.c"
            path.write_text(f"#include <stdlib.h>\n{source.c}\n{_host(source, sizes)}", encoding="utf-8")
            files.append(str(path))
        names = [source.name for source, _ in kernels]
        calls = "".join(f'  if (!strcmp(name, "{n}")) return run_{n}();\n' for n in names)
        main = folder / "main.c"
        main.write_text(
            "#include <stdio.h>\n#include <string.h>\n"
            + "".join(f"int run_{n}(void);\n" for n in names)
            + f"static int run(const char *name)\n{{\n{calls}  return 99;\n}}\n"
            + "int main(int count, char **names)\n{\n  int status = count > 1 ? run(names[1]) : 98;\n"
            + '  printf("status %d", status);\n  return 0;\n}\n',
            encoding="utf-8",
        )
        program = folder / "racer"
        command = [self.compiler, *_FLAGS, f"-I{folder}", "-o", str(program), str(main), *files, "-lm"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return Racer(program, self.archer)


@cache
def detector(folder: Path) -> Detector | str:
    """The detector, or what is missing; it has to find a race, and to find none where there is a barrier."""
    compiler = shutil.which("clang")
    if compiler is None:
        return "clang was not found"
    root = Path(os.path.realpath(compiler)).parent.parent
    archer = next((p for p in (root / "lib" / "libarcher.so", *root.glob("lib*/libarcher.so")) if p.exists()), None)
    if archer is None:
        return "libarcher.so, which tells the thread sanitizer of OpenMP, was not found beside clang (libomp5)"
    for name, text, wanted in (("race", _RACE, True), ("turns", _TURNS, False)):
        path = folder / f"{name}.c"
        path.write_text(text, encoding="utf-8")
        command = [compiler, *_FLAGS, "-o", str(folder / name), str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            return f"clang does not link -fsanitize=thread -fopenmp: {done.stderr[-200:]}"
        if ("ThreadSanitizer: data race" in _run([str(folder / name)], archer, 2).stderr) != wanted:
            return "the thread sanitizer does not follow OpenMP here"
    return Detector(compiler, archer)


def _run(command: list[str], archer: Path, threads: int) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "OMP_TOOL_LIBRARIES": str(archer),
        "OMP_NUM_THREADS": str(threads),
        "OMP_DYNAMIC": "false",
        "TSAN_OPTIONS": "ignore_noninstrumented_modules=1 halt_on_error=0 exitcode=0 report_bugs=1",
    }
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
