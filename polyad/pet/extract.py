"""Extraction: a C file, a function, one of its loop nests -> what pet saw of it, and the function's prototype."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import islpy as isl
from pycparser import c_ast

from polyad.errors import ExtractionError
from polyad.islx import LOCK
from polyad.pet.c_style.restyle import restyled
from polyad.pet.c_style.unmarked import marked
from polyad.pet.c_text.calls import check_calls, inlined_functions
from polyad.pet.c_text.definitions import CDefinition, CText, ScopRegion, read_c_text
from polyad.pet.c_text.missing_headers import header_stand_ins
from polyad.pet.c_text.parse import SyntaxProblem, parse_definition
from polyad.pet.c_text.syntax_traps import check_inlined, check_syntax
from polyad.pet.c_text.tables import find_tables
from polyad.pet.checked.traps import check_names, check_scop
from polyad.pet.libpet.ask_pet import Options, seen_by_pet
from polyad.pet.libpet.diagnostics import preprocessor_failed
from polyad.pet.libpet.library import PetLibrary, find_pet
from polyad.pet.libpet.read_scop import read_scop
from polyad.pet.promises import Promises, with_pragmas
from polyad.pet.prototype import Function, canonical_type, read_function, with_origins, with_returned, with_tables
from polyad.pet.refusal import TOO_DEEP, refusal
from polyad.pet.scop import Scop

__all__ = ["extract"]


def extract(
    path: str | os.PathLike[str],
    function: str | None = None,
    scop: int | None = None,
    *,
    include: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    define: str | Sequence[str] = (),
    promises: Promises | None = None,
    time_limit: float = 30.0,
    anew: bool = False,
) -> tuple[Scop, Function]:
    """A loop nest of a C file, and the function around it.

    Args:
        path: the file.
        function: the function, where several have loop nests.
        scop: which of the function's loop nests, counted from 0; of all in the file where no function is named.
        include: folders of headers, as for `-I`.
        define: macros, `NAME` or `NAME=VALUE`, as for `-D`.
        promises: what the caller of the function promises.
        time_limit: seconds after which reading is given up.
        anew: whether pet is asked although it answered the same before.

    Raises:
        ExtractionError: the file has no such loop nest, or it cannot be modelled.
    """
    file = Path(path)
    _check_arguments(file, scop, time_limit)
    define = _macros(file, define)
    library = find_pet()
    folders = [os.fspath(f) for f in ([include] if isinstance(include, str | os.PathLike) else include)]
    original = file.read_text(encoding="utf-8", errors="surrogateescape")
    if not original.endswith("\n"):
        original += "\n"  # what is put behind a function begins on a line of its own
    with header_stand_ins(original, folders, lambda there: read_c_text(file, there, define)) as (text, everywhere):
        options = Options(everywhere, tuple(define), time_limit, anew)
        return _extract(file, original, text, (function, scop), library, options, promises or Promises())


def _extract(
    file: Path,
    original: str,
    text: CText,
    asked: tuple[str | None, int | None],
    library: PetLibrary,
    options: Options,
    promises: Promises,
) -> tuple[Scop, Function]:
    """The loop nest that is asked for, by function and number, of a file that was looked at.

    Raises:
        ExtractionError: there is no such loop nest, or it cannot be modelled.
    """
    if text.problem:
        raise preprocessor_failed(text)
    function, number = asked
    name = _unmarked(text, function)
    if name:
        function = name
        original = marked(original, text, text.functions[name])
        text = read_c_text(file, options.include, options.define, original)
    definition, region = _choose(text, function, number)
    promises = with_pragmas(promises, text, definition)
    try:
        return _seen(file, original, (text, definition, region), library, options, promises)
    except RecursionError:
        raise refusal(text.path, region.first, "expression", TOO_DEEP) from None


def _seen(
    file: Path,
    original: str,
    chosen: tuple[CText, CDefinition, ScopRegion],
    library: PetLibrary,
    options: Options,
    promises: Promises,
) -> tuple[Scop, Function]:
    """Extract a loop nest with pet.

    Raises:
        ExtractionError: it cannot be modelled.
    """
    text, definition, region = chosen

    def read_again(source: str) -> tuple[CText, CDefinition, ScopRegion]:
        again = read_c_text(file, options.include, options.define, source)
        there = again.functions[definition.name]
        number = text.regions_of(definition).index(region)
        return again, there, again.regions_of(there)[number]

    written = restyled(original, chosen, read_again, promises)
    text, definition, region = written.chosen
    inlined: dict[str, str] = {}
    problem: SyntaxProblem | None = None
    prototype: Function | None = None
    try:
        tree = parse_definition(text, definition)
        promises.check(text, definition, tree)
        prototype = read_function(text, definition, tree, promises)
        prototype = with_origins(prototype, written.derived, written.flattened)
        prototype = with_returned(prototype, written.returned)
        inlined = _check_before(text, tree, region)
        for line, changed in written.conversions.problems:
            if region.first < line < region.last or any(
                text.functions[n].first <= line <= text.functions[n].last for n in inlined
            ):
                raise changed
        bodies = inlined_functions(text, tree, region).values()
        prototype = with_tables(text, prototype, find_tables(text, [tree, *bodies]))
    except SyntaxProblem as caught:
        problem = caught  # clang says better what is wrong with it, if it finds the same
    found = seen_by_pet(text, definition, region, library, options, inlined, written.source)
    if problem is not None or prototype is None:
        raise problem or AssertionError
    if not found["statements"]:
        raise refusal(text.path, region.first, "pragma", "there is no statement between the pragmas")
    with LOCK:
        try:
            excluded = [sizes for line, sizes in written.conversions.excluded if region.first < line < region.last]
            seen = read_scop(found, text.path, (region.first, region.last))
            return check_scop(seen, text, prototype, excluded)
        except isl.Error as problem:
            sentence = (
                "what pet says of this loop nest cannot be read: its bounds and subscripts are too involved, or a name "
                "means something to isl; simplify it, or rename"
            )
            raise refusal(text.path, region.first, "loop nest", sentence) from problem


def _check_before(text: CText, tree: c_ast.FuncDef, region: ScopRegion) -> dict[str, str]:
    """Refuse what pet would not say, or say in other words.

    Returns:
        The functions whose bodies it will see: name -> the type that each returns.
    """
    check_syntax(text, tree, region)
    inlined = inlined_functions(text, tree, region)
    check_calls(text, tree, region)
    check_names(text, region.first, tree)
    for body in inlined.values():
        check_inlined(text, body)
        check_calls(text, body)
        check_names(text, region.first, body)
    return {name: canonical_type(text, body.decl.type.type, region.first) for name, body in inlined.items()}


def _check_arguments(file: Path, scop: object, time_limit: float) -> None:
    """Refuse what would make pet abort, or what is none of the values that are expected."""
    if scop is not None and (not isinstance(scop, int) or isinstance(scop, bool)):
        raise ExtractionError(f"scop={scop!r}: expected which loop nest of the function, counted from 0", str(file))
    if not file.is_file():
        what = "this is a folder" if file.is_dir() else "there is no such file"
        raise ExtractionError(f"{file}: {what}; give the path of a C file", str(file), construct="file")
    if not time_limit > 0:
        raise ExtractionError(f"time_limit={time_limit!r}: expected a positive number of seconds", str(file))


def _macros(file: Path, define: str | Sequence[object]) -> list[str]:
    """The macros that were given, or one."""
    macros = [define] if isinstance(define, str) else list(define)
    for macro in macros:
        if not isinstance(macro, str) or not re.match(r"[A-Za-z_]\w*(\([^()]*\))?(=|$)", macro):
            raise ExtractionError(f"define={macro!r}: expected NAME or NAME=VALUE", str(file), construct="#define")
    return [str(macro) for macro in macros]


def _unmarked(text: CText, function: str | None) -> str:
    """The function that is asked for and has no pragmas, or the only one of a file without; "" where there is none."""
    own = [name for name, f in text.functions.items() if f.file == text.path]
    if function is None:
        return own[0] if not text.regions and len(own) == 1 else ""
    return function if function in own and not text.regions_of(text.functions[function]) else ""


def _choose(text: CText, function: str | None, scop: int | None) -> tuple[CDefinition, ScopRegion]:
    """The function and the loop nest that are asked for."""
    if not text.regions:
        raise ExtractionError(
            f"{text.path}: no loop nest is marked; name a function by function= (--function), or put `#pragma scop` "
            "before a loop nest and `#pragma endscop` behind it",
            text.path,
            construct="pragma",
        )
    regions = text.regions
    if function is not None:
        if function not in text.functions:
            defined = [name for name, f in text.functions.items() if f.file == text.path]
            raise ExtractionError(
                f"{text.path}: no function {function!r} is defined; there are {', '.join(defined) or 'none'}", text.path
            )
        regions = text.regions_of(text.functions[function])
        if not regions:
            raise refusal(
                text.path,
                text.functions[function].first,
                "pragma",
                f"`{function}` has no statement that pragmas could be put around; write `#pragma scop` and "
                f"`#pragma endscop` around what is to be read; these have them: {', '.join(text.marked()) or 'none'}",
            )
    if scop is None and len(regions) > 1:
        where = f"`{function}`" if function is not None else f"the file, in {', '.join(text.marked())}"
        lines = ", ".join(str(r.first) for r in regions)
        one = function is not None or len(text.marked()) < 2
        ask = "scop=0, 1, ... (--scop)" if one else f"function={text.marked()[0]!r} (--function)"
        sentence = f"{len(regions)} loop nests are marked in {where} (lines {lines}); choose one by {ask}"
        raise refusal(text.path, regions[0].first, "pragma", sentence)
    number = scop or 0
    if not 0 <= number < len(regions):
        raise ExtractionError(
            f"{text.path}: scop={number}, but there are {len(regions)} loop nests, counted from 0", text.path
        )
    region = regions[number]
    definition = text.function_at(region)
    if definition is None or not region.last <= definition.last:
        raise refusal(
            text.path,
            region.first,
            "pragma",
            "the pragmas do not stand inside of one function; put both around the statements of a block",
        )
    return definition, region
