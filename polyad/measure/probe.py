"""A small C program that times what machines differ in: operations in vectors, threads that start, threads that meet.

It is compiled as kernels are, with the same flags and the same exp, and run as a process of its own: the threads that
it starts are not those of the user's program. Each time is taken many times, as machines do other things, too.
"""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import dataclass
from statistics import median, quantiles

import polyad_c
from polyad.errors import CompileError
from polyad.runtime.called_functions import called_functions
from polyad.runtime.compiler import Compiler, compile_object
from polyad.runtime.run_tool import run_tool, scratch_directory
from polyad.targets.flags import LINK_FLAGS
from polyad.targets.target import Target

__all__ = ["Times", "read_times", "take_times"]

_SECONDS = 20.0  # that the program may take where it takes half a second; then something is wrong
_STEADY = 4.0  # times the lower quartile that a median is where threads have the cores for themselves
_LONGEST = 1e-3  # seconds: threads that take longer wait for others, whatever the machine is

_TEXT = """#define _POSIX_C_SOURCE 199309L
#include "polyad_runtime.h"
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { ELEMENTS = 1024, CALLS = 500, ROUNDS = 15, STARTS = 200, MEETINGS = 20 };

/* Three arrays of 8 KiB: they stay in a first-level cache. */
static double x[ELEMENTS], y[ELEMENTS], z[ELEMENTS];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void added(void)
{
#pragma omp simd
    for (int64_t i = 0; i < ELEMENTS; i += 1)
        z[i] = x[i] + y[i];
}

static void divided(void)
{
#pragma omp simd
    for (int64_t i = 0; i < ELEMENTS; i += 1)
        z[i] = x[i] / y[i];
}

static void raised(void)
{
#pragma omp simd
    for (int64_t i = 0; i < ELEMENTS; i += 1)
        z[i] = pa_exp_f64(x[i]);
}

/* Seconds for each element. */
static double timed(void (*function)(void))
{
    void (*volatile call)(void) = function; /* the compiler does not know which, so it makes each call */
    const double start = now();
    for (int i = 0; i < CALLS; ++i)
        call();
    return (now() - start) / CALLS / ELEMENTS;
}

int main(void)
{
    for (int i = 0; i < ELEMENTS; ++i) {
        x[i] = 1e-3 * i;
        y[i] = 1 + 1e-3 * i;
    }
    timed(added); /* the processor wakes up */
    for (int i = 0; i < ROUNDS; ++i) {
        const double a = timed(added), d = timed(divided), e = timed(raised);
        printf("operations %.6e %.6e %.6e\\n", a, d, e);
    }
#ifdef _OPENMP
    if (omp_get_max_threads() > 1) {
        const double first = now();
        for (int i = 0; i < STARTS && now() - first < 0.5; ++i) {
            const double pause = now(); /* as long as Python takes from one kernel to the next */
            while (now() - pause < 2e-5)
                ;
            const double start = now();
#pragma omp parallel
            y[omp_get_thread_num() % ELEMENTS] += 1;
            printf("start %.6e\\n", now() - start);
        }
        const double second = now();
        for (int i = 0; i < STARTS && now() - second < 0.5; ++i) {
            double each = 0;
#pragma omp parallel
            {
#pragma omp barrier
                const double start = now();
                for (int k = 0; k < MEETINGS; ++k) {
#pragma omp barrier
                }
                if (omp_get_thread_num() == 0)
                    each = (now() - start) / MEETINGS;
            }
            printf("meeting %.6e\\n", each);
        }
    }
#endif
    double sum = 0; /* somebody reads the results, so they are computed */
    for (int i = 0; i < ELEMENTS; ++i)
        sum += z[i];
    return sum < 0;
}
"""


@dataclass(frozen=True, slots=True)
class Times:
    """Measured times; medians.

    Attributes:
        addition: seconds of an addition of float64 in vectors.
        division: additions that a division takes as long as.
        exp: additions that an exp takes as long as.
        start: seconds until threads have started, and are done with nothing; None where there is one thread only, or
            threads of others take the cores.
        meeting: seconds of a barrier for threads that run; None as above.
    """

    addition: float
    division: float
    exp: float
    start: float | None
    meeting: float | None


def take_times(compiler: Compiler) -> Times:
    """Compile the program and run it once, in about a second.

    Raises:
        CompileError: it does not compile, or does not run here.
    """
    flags = compiler.flags(Target())
    header = called_functions(polyad_c.runtime_header(), _TEXT)
    with scratch_directory() as scratch:
        built = compile_object(compiler, {"measure.c": _TEXT, "polyad_runtime.h": header}, "measure.c", flags, scratch)
        program = scratch / "measure"
        run_tool([*compiler.command, *flags, "-o", program.name, built.name, *LINK_FLAGS], scratch)
        command = [str(program)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.SubprocessError) as problem:
            raise CompileError(
                f"what {compiler.command[0]} compiled does not run here: {problem}; is it for this machine? Set CC to "
                "another compiler",
                shlex.join(command),
            ) from problem
        if done.returncode != 0:
            raise CompileError(f"what {compiler.command[0]} compiled ended with status {done.returncode}", str(program))
    return read_times(done.stdout)


def read_times(printed: str) -> Times:
    """The medians of what the program printed.

    Raises:
        CompileError: it did not print what it should.
    """
    found: dict[str, list[list[float]]] = {"operations": [], "start": [], "meeting": []}
    try:
        for line in printed.splitlines():
            word, *numbers = line.split()
            found[word].append([float(n) for n in numbers])
        rounds = [(a, d / a, e / a) for a, d, e in found["operations"]]
        addition, division, exp = (median(column) for column in zip(*rounds, strict=True))
        start, meeting = (_steady([n for (n,) in found[word]]) for word in ("start", "meeting"))
    except (KeyError, ValueError, ZeroDivisionError) as problem:
        raise CompileError(f"the program that measures printed no times: {printed[:200]!r}") from problem
    return Times(addition, division, exp, start, meeting)


def _steady(seconds: list[float]) -> float | None:
    """The median of times; None where there are few, or they say more of what else runs than of the machine."""
    if len(seconds) < 5:
        return None
    usual = median(seconds)
    return usual if usual <= min(_STEADY * quantiles(seconds)[0], _LONGEST) else None
