"""Kernels of all kinds, as they are compiled for threads with thresholds so low that everything happens."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import polyad as pa
from polyad.codegen.generate import source_of
from polyad.codegen.plan import Plan
from polyad.frontend.compiled import program_of
from tests.acceptance.strategy_programs import KINDS, strategy_program
from tests.codegen.certify.mutants import planned

__all__ = ["Kernel", "kernels"]


@dataclass(frozen=True, eq=False)
class Kernel:
    title: str
    plan: Plan
    c: str

    @property
    def body(self) -> int:
        """Return where the function of the kernel begins."""
        return self.c.rindex(f"int {self.plan.names.function}(")


@cache
def kernel(title: str) -> Kernel:
    plan = planned(PROGRAMS[title]())
    return Kernel(title, plan, source_of(plan).c)


def kernels() -> Iterator[Kernel]:
    """One of each kind of random program, scans that carry one number among them, mixed element types, and signs.

    Each is planned where it is first asked for.
    """
    return map(kernel, PROGRAMS)


def mixed_types() -> pa.Program:
    N, M = pa.sizes("N M")
    x = pa.placeholder((N, M), name="x", dtype="float32")
    ids = pa.placeholder((N,), name="ids", dtype="int32")
    places = pa.placeholder((N,), name="places", dtype="int64")
    mixed = pa.compute(
        (N,),
        lambda i: pa.select(
            (ids[i] > 2) & (x[i, 0] < 0.25),
            pa.cast(x[i, M - 1], "float64") * 0.1 + pa.cast(i, "float64"),
            pa.tanh(pa.cast(x[places[i], 0] - 1.5, "float64")) / 3.0,
        ),
        name="mixed",
    )
    counted = pa.compute((N,), lambda i: (ids[i] * 3 - 7) * (places[i] + 2 * i), name="counted")
    return program_of([mixed, counted], [x, ids, places], "mixed")[0]


def signs() -> pa.Program:
    N = pa.sizes("N")
    d, e = (pa.placeholder((N,), name=n, dtype="float64") for n in "de")
    out = pa.scan(lambda c, v: (v[0] - c * (-(v[0] / v[1])),) * 2, 0.0 * d[0], (d, e))[1]
    return program_of([out, *pa.grad(pa.numpy.sum(pa.sin(out)), [d, e])], [d, e], "signs")[0]


def words() -> pa.Program:
    N = pa.sizes("N")
    x = pa.placeholder((N,), name="x", dtype="uint32")
    n = pa.placeholder((N,), name="n", dtype="int32")
    made = (x * 2654435761 ^ x >> 15) + ~x, (x << 3) // 5 - (x & 255), n & 7 | n << 2, pa.numpy.sum(x | 1)
    drawn = pa.random.uniform(pa.placeholder((2,), name="key", dtype="uint32"), (N,))
    return program_of([*made, drawn], None, "words")[0]


def ranks() -> pa.Program:
    """Sums of choices of numbers, which are an int in C and counts of 64 bits in the program."""
    x = pa.placeholder((pa.sizes("N"), 3), name="x", dtype="float64")
    return program_of(list(pa.numpy.top_k(x, 2)), [x], "ranks")[0]


PROGRAMS: dict[str, Callable[[], pa.Program]] = {
    **{f"kind {n}": lambda n=n: strategy_program(n).program for n in range(len(KINDS))},  # type: ignore[misc]
    "mixed": mixed_types,
    "signs": signs,
    "words": words,
    "ranks": ranks,
}
