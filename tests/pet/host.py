"""C programs that call an exported function and the C function that it comes from, and write down what both did."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from polyad.pet.c_program import CProgram
from polyad.pet.handed_back.parameters import Passed, passed_parameters
from polyad.pet.prototype import Function, Parameter
from tests.pet.case import DTYPES, Array

__all__ = ["Host", "SANITIZE", "STRICT", "build_host"]

SANITIZE = ("-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-sanitize=vla-bound")
"""Checks of addresses and of undefined behaviour, which gcc puts in before it optimises: to optimise them as well takes
three times as long and finds nothing more."""

STRICT = "-std=c99 -Wall -Wextra -Wpedantic -Werror -Wconversion -Wsign-conversion".split()

HEAD = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An array from the standard input: its bytes, then what is in it. It lies in memory of its own, to the byte. */
static void *take(size_t *bytes)
{
    void *array;
    if (fread(bytes, sizeof *bytes, 1, stdin) != 1) exit(2);
    array = malloc(*bytes ? *bytes : 1);
    if (array == NULL || fread(array, 1, *bytes, stdin) != *bytes) exit(2);
    return array;
}

static void *copied(const void *array, size_t bytes)
{
    void *copy = malloc(bytes ? bytes : 1);
    if (copy == NULL) exit(2);
    memcpy(copy, array, bytes);
    return copy;
}
"""


@dataclass(frozen=True)
class Host:
    """A built program.

    Attributes:
        path: the executable.
        program: what was exported.
        passed: the parameters of the exported function.
    """

    path: Path
    program: CProgram
    passed: tuple[Passed, ...]

    def __call__(self, arguments: Mapping[str, Any], workspace: str = "given") -> tuple[dict[str, Array], ...]:
        """Return what (the exported function, the C function) left in the arrays that they write.

        Args:
            arguments: by name; arrays that are only written hold NaN.
            workspace: "given", or "none" for a null pointer.

        Raises:
            RuntimeError: it returned a status, which is the message, or the program failed.
        """
        data = [np.uint8(workspace == "given").tobytes()]
        for p in self.passed:
            array = np.ascontiguousarray(arguments[p.name], DTYPES.get(p.declaration.type, np.dtype(np.int64)))
            data += [array.tobytes()] if p.by_value else [np.uint64(array.nbytes).tobytes(), array.tobytes()]
        done = subprocess.run([str(self.path)], input=b"".join(data), capture_output=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.decode())
        results: tuple[dict[str, Array], ...] = ({}, {})
        place = 0
        for names, found in zip(self._written(), results, strict=True):
            for name in names:
                array = np.asarray(arguments[name])
                dtype = DTYPES[next(p.declaration.type for p in self.passed if p.name == name)]
                found[name] = np.frombuffer(done.stdout, dtype, array.size, place).reshape(array.shape)
                place += array.size * dtype.itemsize
        assert place == len(done.stdout)
        return results

    def _written(self) -> tuple[list[str], list[str]]:
        return _written(self.program, self.passed)


def build_host(
    program: CProgram,
    source: Path,
    folder: Path,
    flags: Sequence[str] = (),
    compiler: Sequence[str] | None = None,
    libraries: Sequence[str | Path] | None = None,
) -> Host:
    """Export a program, and link it with the C file that it comes from.

    Args:
        program: what is exported.
        source: the C file.
        folder: where everything goes.
        flags: of the compiler, for all files.
        compiler: its command; that of CC if left out.
        libraries: what is linked in place of the exported C files, which are compiled strictly.
    """
    compiler = compiler or [os.environ.get("CC", "cc")]
    name = f"exported_{program.name}"
    passed = passed_parameters(program.function, program.program, program.results)
    (folder / "host.c").write_text(_text(name, program, passed))
    if libraries is None:
        program.export(folder, name, source_only=True)
        libraries = [f"{name}.o", f"{name}_kernel.o"]
        for stem in (name, f"{name}_kernel"):
            _run([*compiler, *STRICT, "-O1", *flags, "-c", f"{stem}.c"], folder)
    command = [*compiler, "-std=c99", "-O1", *flags, "-o", "host", "host.c", str(source), *map(str, libraries), "-lm"]
    _run(command, folder)
    return Host(folder / "host", program, passed)


def _run(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def _written(program: CProgram, passed: Sequence[Passed]) -> tuple[list[str], list[str]]:
    """Return the arrays that the exported function writes, and those of them that the C function writes."""
    own = {p.name for p in program.function.parameters}
    written = [p.name for p in passed if p.output]
    return written, [n for n in written if n in own]


def _text(name: str, program: CProgram, passed: Sequence[Passed]) -> str:
    """The C program: for each parameter one that the exported function gets, and one for the C function."""
    function = program.function
    written, of_both = _written(program, passed)
    lines = ["unsigned char host_given;", "if (fread(&host_given, 1, 1, stdin) != 1) exit(2);"]
    for p in passed:
        if p.by_value:
            lines += [
                f"{p.declaration.type} {p.name};",
                f"if (fread(&{p.name}, sizeof {p.name}, 1, stdin) != 1) exit(2);",
            ]
        else:
            lines += [f"size_t {p.name}_bytes;", f"void *{p.name} = take(&{p.name}_bytes);"]
    for p in passed:
        if p.name in of_both:
            lines.append(f"void *{p.name}_of_c = copied({p.name}, {p.name}_bytes);")
    sizes = ", ".join(p.name for p in passed if p.is_size)
    given = ", ".join([*(p.name for p in passed), "host_given ? host_memory + 1 : NULL"])
    lines += [
        f"const size_t host_bytes = {name}_workspace({sizes});",
        'if (host_bytes == SIZE_MAX) { fprintf(stderr, "SIZE_MAX"); exit(1); }',
        "unsigned char *host_memory = malloc(host_bytes + 1);",
        "if (host_memory == NULL) exit(2);",
        "memset(host_memory, 0xff, host_bytes + 1);",
        f"const int host_status = {name}({given});",
        'if (host_status != POLYAD_OK) { fprintf(stderr, "%d", host_status); exit(1); }',
        _call_of_c(function, of_both),
        *(f"fwrite({n}, 1, {n}_bytes, stdout);" for n in written),
        *(f"fwrite({n}_of_c, 1, {n}_bytes, stdout);" for n in of_both),
        *(f"free({p.name});" for p in passed if not p.by_value),
        *(f"free({n}_of_c);" for n in of_both),
        "free(host_memory);",
        "return 0;",
    ]
    body = "\n".join(f"    {line}" for line in lines)
    return f'#include "{name}.h"\n{HEAD}\n{function.spelling};\n\nint main(void)\n{{\n{body}\n}}\n'


def _call_of_c(function: Function, of_both: Sequence[str]) -> str:
    """The call of the C function; what it returns goes where the exported function writes it, too."""
    passed = ", ".join(_of_c(p, of_both) for p in function.parameters if p.name != function.returned)
    kept = f"*({function.result} *){function.returned}_of_c = " if function.returned else ""
    return f"{kept}{function.name}({passed});"


def _of_c(parameter: Parameter, of_both: Sequence[str]) -> str:
    return f"{parameter.name}_of_c" if parameter.name in of_both else parameter.name
