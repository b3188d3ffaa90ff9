"""Strategies of the scheduler and the code generator that made a kernel, read off its schedule, text and memory.

`STRATEGIES` is the account book: every way to order, store or spell something, with how it shows. What is counted are
places, not programs: a kernel may use a strategy several times.
"""

import re
from collections import Counter
from dataclasses import dataclass, replace

from polyad.codegen.source import Source
from polyad.ir.program import Program
from polyad.machine import Machine
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL

__all__ = ["BY_DIFFERENCE", "STRATEGIES", "Strategy", "differing", "macros", "used"]


@dataclass(frozen=True, slots=True)
class Strategy:
    """One strategy: the switch that turns it on, and how it shows in the schedule (`tree`) or in C."""

    name: str
    switch: str
    tree: str = ""
    c: str = ""


WITHOUT_A_WAIT = r"(?m)^( +)PA_FOR.*\n\1for .*\n(?:\1 .*\n)*\1\}\n(?!\1PA_BARRIER)"

STRATEGIES = (
    Strategy("parallel loop", "parallel", tree=r"\bparallel for"),
    Strategy("vector loop", "simd", tree=r"\bsimd for"),
    Strategy("unroll and jam", "jam", tree=r"\bjam \d+ for"),
    Strategy("lanes of results", "jam", tree=r"\blanes for"),
    Strategy("part of a batch", "share", tree=r"\bshare for"),
    Strategy("wavefront", "wavefront", tree=r"\bfor -?[a-z]\w* [+-] [a-z]\w*(?!.*waves)"),
    Strategy("tiles in time", "time_tiles", tree=r"waves of tiles"),
    Strategy("contraction", "contraction", tree=r"\bcontraction for"),
    Strategy("threads of a loop", "parallel", c=r"PA_PARALLEL_FOR_IF\("),
    Strategy("threads of a loop in pieces", "parallel", c=r"PA_PARALLEL_FOR_PIECES_IF\("),
    Strategy("threads and vectors of a loop", "simd", c=r"PA_PARALLEL_FOR_SIMD_(?:WIDE_)?IF\("),
    Strategy("short vectors", "simd", c=r"PA_SIMD\n"),
    Strategy("wide vectors", "simd", c=r"PA_SIMD_WIDE\("),
    Strategy("sum or product in vectors", "simd", c=r"PA_SIMD_REDUCTION\([+*]"),
    Strategy("sum or product in wide vectors", "simd", c=r"PA_SIMD_WIDE_REDUCTION\(\w+, [+*]"),
    Strategy("extremum in vectors", "simd", c=r"PA_SIMD_(?:WIDE_)?REDUCTION\((?:\w+, )?(?:pa_\w+imum|min|max)"),
    Strategy("several sums in vectors", "simd", c=r"PA_PRAGMA_SIMD\([^)]*reduction"),
    Strategy("region", "region", c=r"PA_PARALLEL_IF\([^{]*\{\n *for"),
    Strategy("shared loop of a region", "region", c=r"PA_FOR(?:_PIECES|_SIMD|_SIMD_WIDE)?\b(?!_)"),
    Strategy(
        "shared loop without a wait", "region", c=r"(?m)^( +)PA_FOR.*\n\1for .*\n(?:\1 .*\n)*\1\}\n(?!\1PA_BARRIER)"
    ),
    Strategy("one thread of a region", "region", c=r"PA_SINGLE\n"),
    Strategy("barrier of a region", "region", c=r"PA_BARRIER\n"),
    Strategy("parts of a batch by threads", "share", c=r"PA_PARALLEL_IF\([^{]*\{\n *int64_t [^{]*pa_share\("),
    Strategy("parts of a sum", "parts", c=r"\? PA_PARTS : 1"),
    Strategy("copy of a thread", "private", c=r"PA_COPY\("),
    Strategy("overlapping vectors", "tails", c=r"_start(?:_\d+)? = pa_min_i64\("),
    Strategy("prefix sum", "prefix", c=r"= pa_scan_sum_\w+\("),
    Strategy("prefix product", "prefix", c=r"= pa_scan_prod_\w+\("),
    Strategy("prefix scan, one factor", "prefix", c=r"= pa_scan_decay_\w+\("),
    Strategy("prefix scan, any factors", "prefix", c=r"= pa_scan_affine_\w+\("),
    Strategy("prefix scan upwards", "prefix", c=r"= pa_scan_\w+_up_f64\("),
    Strategy("prefix scan downwards", "prefix", c=r"= pa_scan_\w+_down_f64\("),
    Strategy("macro-kernel", "contraction", c=r"\bpa_contract_f64\("),
    Strategy("packed operand", "pack", c=r"\bpa_contract_packed_f64\("),
    Strategy("contraction adds", "contraction", c=r"\bpa_contract\w*\([^;]*, 1, &pa_space\);"),
    Strategy("contraction overwrites", "contraction", c=r"\bpa_contract\w*\([^;]*, 0, &pa_space\);"),
    Strategy("variable in C", "scalars"),
    Strategy("accumulator", "", c=r"double \w+_(?:sum|prod|max|min)(?:_\d+)? = [^;]*;\n"),
    Strategy("circular buffer", "circular"),
    Strategy("shared memory", "overlay"),
    Strategy("memory taken over", "overlay", c=r"double \*PA_RESTRICT \w+ = \(double \*\)slot_"),
    Strategy("array along diagonals", "wavefront", c=r"\w+\[\([^\]]* % \(?[A-Z]"),
    Strategy("function compiled once", "", c=r"PA_ONCE"),
    Strategy("index check before", "", c=r"(?<=  )if \(position < 0"),
    Strategy("index check in place", "", c=r"_inside\([^,;]*,[^,;]*, &status\)"),
    Strategy("start of a divided loop", "", c=r"PA_ASSUME\("),
)

BY_DIFFERENCE = ("order", "fuse", "sink", "scan_fusion")
"""Switches of the scheduler that leave no mark: without them the schedule is another one."""

_ALWAYS = {"PA_ALIGNED", "PA_ALIGNMENT", "PA_ALIGN_UP", "PA_RESTRICT", "PA_UNUSED", "PA_INLINE", "PA_PRAGMA"}
_ALWAYS |= {"PA_PARTS", "PA_SCAN_STEPS"}  # numbers
_ALWAYS |= {"PA_ROLLED", "PA_ROLLED_SERIAL"}  # what a bug of compilers asks for
_ALWAYS |= {"PA_NOINLINE"}  # nests that say the same are one function whatever the strategies are


def used(program: Program, schedule: Schedule, source: Source) -> Counter[str]:
    """Strategy -> the places where a kernel uses it.

    Args:
        program: after the passes.
        schedule: its schedule.
        source: the kernel.
    """
    tree, text = schedule.tree(), _function(source)
    found: Counter[str] = Counter()
    for strategy in STRATEGIES:
        found[strategy.name] += len(re.findall(strategy.tree, tree)) if strategy.tree else 0
        found[strategy.name] += len(re.findall(strategy.c, text)) if strategy.c else 0
    found["variable in C"] += len(source.memory.variables)
    for slot in source.memory.slots:
        array = program.arrays.get(slot.arrays[0])
        if len(slot.arrays) > 1:
            found["shared memory"] += 1
        elif array is not None and slot.copies is None and slot.extents != array.shape:
            found["circular buffer"] += 1
    return found


def macros(source: Source) -> set[str]:
    """The macros of the runtime header in a kernel that no strategy accounts for."""
    text = _function(source)
    for strategy in STRATEGIES:
        text = re.sub(strategy.c, "", text) if strategy.c else text
    return set(re.findall(r"\bPA_[A-Z_]+\b", text)) - _ALWAYS


def differing(program: Program, schedule: Schedule, machine: Machine, switch: str) -> bool:
    """Whether a program is scheduled otherwise without a switch than with all of them, as `schedule` is."""
    without = default_schedule(program, replace(ALL, **{switch: False}), machine)
    return without.tree() != schedule.tree()


def _function(source: Source) -> str:
    """The functions of a kernel, without the equations."""
    return re.sub(
        r"/\*.*?\*/", "", source.c[source.c.index("#endif\n", source.c.index("#ifdef __cplusplus")) :], flags=re.DOTALL
    )
