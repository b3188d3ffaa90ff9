"""The whole way from a program to a kernel, as one list of stages.

    define (frontend) -> differentiate (ad) -> here: prepare (passes.py) -> schedule -> generate -> compile -> Kernel

What was generated for the same program, target and polyad before comes from the cache.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from polyad.analysis.contraction import contractions_of
from polyad.codegen.certify.certify import asked, certify
from polyad.codegen.certify.symbolic.prove import QUICK
from polyad.codegen.source import Source
from polyad.errors import CallError, ScheduleError, bounded_depth
from polyad.ir.json_text import from_json, to_json
from polyad.ir.program import Program
from polyad.ir.settled import settled
from polyad.islx import LOCK
from polyad.kernel import Kernel
from polyad.passes import prepare
from polyad.runtime.cache import digest, open_cache
from polyad.runtime.codegen_options import codegen_options, language_of
from polyad.runtime.collector import few_collections
from polyad.runtime.fingerprint import fingerprint
from polyad.runtime.progress import LOG, announced, count_statements, stage
from polyad.runtime.tuned.schedule_file import place_of, read_tuning, schedule_folder
from polyad.runtime.tuned.tuning import Tuning
from polyad.schedule.moves.move import Move, replay
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.targets.target import Target, resolve
from polyad.transforms.rewrite.fix_sizes import check_sizes, fix_sizes

__all__ = ["compile_program"]


def compile_program(
    program: Program,
    target: str | Target = "openmp",
    sizes: Mapping[str, int] | None = None,
    schedule: Schedule | None = None,
    unflatten: Callable[[tuple[Any, ...]], Any] | None = None,
    moves: Sequence[Move] | None = None,
) -> Kernel:
    """Compile a program.

    Where POLYAD_SCHEDULES names a folder with a schedule file for it (runtime/tuned/schedule_file.py), the moves in
    there change the default schedule; a file that does not fit is left alone, with a warning.

    Args:
        program: valid; names are what users and C will see.
        target: what to compile for.
        sizes: sizes to fix.
        schedule: used instead of the default after it was proved legal. One for the statements of the program as it is
            given, such as the order of a C text, keeps the program from being simplified.
        unflatten: makes the result of a call from the tuple of output arrays.
        moves: are made from the schedule that it would have without them, whatever files there are. Sums keep the
            precision that they have without.

    Raises:
        CallError: sizes, target or schedule are of the wrong type.
        IllegalScheduleError: the schedule violates a dependence.
        ScheduleError: a move does not fit.
        CompileError: no C compiler, or it failed.
    """
    chosen = resolve(target)
    sizes = {} if sizes is None else sizes
    check_sizes(sizes)
    if schedule is not None and not isinstance(schedule, Schedule):
        raise CallError(
            f"schedule={schedule!r:.60}: expected a pa.Schedule; Schedule.load reads a file, from_yaml a text",
            "schedule",
        )
    with announced(program.name):
        source, record = _generated(program, chosen, sizes, schedule)
        if moves:
            source, record = _moved(program, chosen, sizes, schedule, moves, record)
        tuning = None
        if moves is None and schedule is None and chosen.backend.language == "c":
            source, record, tuning = _tuned(program, chosen, sizes, source, record)
        kernel = Kernel(
            source,
            chosen,
            program=record["program"],
            schedule=record["schedule"],
            compile=compile_program,
            unflatten=unflatten,
            definition=program,
            fixed=sizes,
        )
        kernel.tuning = tuning
        return kernel


def _moved(
    program: Program,
    target: Target,
    sizes: Mapping[str, int],
    schedule: Schedule | None,
    moves: Sequence[Move],
    record: Mapping[str, Any],
) -> tuple[Source, dict[str, Any]]:
    """(the C, its record) after moves from the schedule of a record."""
    with LOCK:
        changed = replay(moves, Schedule.from_yaml(record["schedule"]))
    return _generated(program, target, sizes, changed, in_order=schedule is not None)


def _tuned(
    program: Program, target: Target, sizes: Mapping[str, int], source: Source, record: dict[str, Any]
) -> tuple[Source, dict[str, Any], Tuning | None]:
    """The same with the schedule that was measured for it, where there is a file that fits."""
    folder = schedule_folder()
    if folder is None:
        return source, record, None
    with LOCK:
        base = Schedule.from_yaml(record["schedule"])
        place = place_of(folder, program, sizes, target, from_json(record["program"]), base)
    try:
        tuning = read_tuning(place)
        if tuning is None or not tuning.moves:
            return source, record, tuning
        return *_moved(program, target, sizes, None, tuning.moves, record), tuning
    except ScheduleError as problem:
        warnings.warn(
            f"{program.name}: the schedule file {place.path} is not used: {problem}; call pa.tune again, or remove it",
            RuntimeWarning,
            stacklevel=2,
        )
        return source, record, None


def _generated(
    program: Program, target: Target, sizes: Mapping[str, int], schedule: Schedule | None, in_order: bool | None = None
) -> tuple[Source, dict[str, Any]]:
    """(the C of a program, its record in the cache): found there, or made now.

    Args:
        program: what is compiled.
        target: what for.
        sizes: those that are fixed.
        schedule: its order; None for the default.
        in_order: sums are added up in their own type (codegen/options.py), as where a schedule is given.
    """
    in_order = schedule is not None if in_order is None else in_order
    name = program.name
    with bounded_depth(f"compiling {name!r}"):
        text = str(program)
    looked_at = asked()  # what was generated without comes from no cache then
    mark = f"certified {looked_at}" if looked_at else ""
    mark += " moved" if schedule is not None and not in_order else ""
    key = digest(fingerprint(), text, repr(sorted(sizes.items())), repr(target), str(schedule or ""), mark)
    cache = open_cache()
    record = cache.load("programs", key, {"source": dict, "program": str, "schedule": str})
    if record is not None:
        try:
            source = Source.from_dict(record["source"])
        except (KeyError, TypeError, ValueError, AttributeError):
            pass  # written by something else: compile again
        else:
            LOG.debug("%s: the C comes from the cache", name)
            return source, record
    count_statements(name, len(program.statements))
    with LOCK, bounded_depth(f"compiling {name!r}"), few_collections():
        strategies, machine = target.strategies, target.machine
        with stage(name, "simplifying"):
            fixed = fix_sizes(program, sizes)
            prepared = prepare(fixed, strategies, machine)
            if schedule is not None and _is_for(schedule, fixed) and not _is_for(schedule, prepared):
                prepared = settled(fixed)  # the equations as they were defined, in an order that somebody gave them
        contractions = contractions_of(prepared)
        if schedule is not None:
            with stage(name, "proving the schedule legal"):
                schedule = schedule.settled()
                schedule.check(prepared)
        with stage(name, "scheduling"):
            order = schedule if schedule is not None else default_schedule(prepared, strategies, machine, contractions)
        with stage(name, "generating C"):
            language, options = language_of(target), codegen_options(target, in_order)
            plan = language.plan(prepared, order, options, contractions=contractions)
            source = language.source(plan)
        if looked_at:
            with stage(name, "certifying"):
                certify(plan, most=looked_at, operations=QUICK)
        shown = plan.schedule if language.schedule is None else language.schedule(plan)
        record = {"source": source.to_dict(), "program": to_json(prepared), "schedule": str(shown)}
    cache.store("programs", key, record)
    return source, record


def _is_for(schedule: Schedule, program: Program) -> bool:
    """Whether a schedule runs the very instances of a program."""
    given = schedule.isl.get_domain().intersect_params(program.context)
    return bool(given.is_equal(program.domain().intersect_params(program.context)))
