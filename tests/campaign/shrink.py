"""Failures made short: statements dropped or replaced, extents lowered, options simplified, while the failure stays.

A candidate counts when it fails in the same way: the same kind, and for errors the same type in the same place.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.campaign.pool import judge_all
from tests.campaign.program import Program
from tests.campaign.trial import Verdict

__all__ = ["TRIES", "keep", "shrink"]

TRIES = 60


def _fewer_lines(program: Program) -> Iterator[Program]:
    lines = program.lines
    for n in range(len(lines) - 1):
        yield replace(program, lines=(*lines[:n], *lines[n + 1 :]))
    for n, line in enumerate(lines[:-1]):
        match = re.fullmatch(r"(\s*)(\w+) = (.*)", line)
        if match:  # its value is one of its operands
            for operand in dict.fromkeys(re.findall(r"\b[a-z]+\d+\b", match[3])):
                yield replace(program, lines=(*lines[:n], f"{match[1]}{match[2]} = {operand}", *lines[n + 1 :]))


def _plainer_end(program: Program) -> Iterator[Program]:
    *before, last = program.lines
    terms = last.removeprefix("return ").split(" + ")
    if len(terms) > 1 and program.options.mode in ("grad", "second"):
        for t in terms:
            yield replace(program, lines=(*before, f"return {t}"))
    values = re.findall(r"\w+", last.removeprefix("return ")) if last.startswith("return (") else []
    if len(values) > 1:
        for v in values:
            yield replace(program, lines=(*before, f"return ({v},)"))


def _smaller(program: Program) -> Iterator[Program]:
    for name, value in program.extents.items():
        for smaller in dict.fromkeys((1, 2, 3, value // 2, value - 1)):
            if 0 < smaller < value:
                yield replace(program, extents={**program.extents, name: smaller})


def _fewer_inputs(program: Program) -> Iterator[Program]:
    body = "\n".join(program.lines)
    unused = [n for n in program.inputs if not re.search(rf"\b{n}\b", body)]
    if unused:
        yield replace(program, inputs={n: i for n, i in program.inputs.items() if n not in unused})


def _options(program: Program) -> Iterator[Program]:
    o = program.options
    for changes in (
        {"symbolic": False},
        {"openmp": False},
        {"compiler": 0},
        {"tiny": False},
        {"threads": 1},
        {"transforms": 0},
        {"mode": "value"},
    ):
        plain = replace(o, **changes)  # type: ignore[arg-type]
        if plain != o and not (plain.mode == "value" and o.mode not in ("vjp", "jvp")):
            yield replace(program, options=plain)
    for level in range(o.level):
        yield replace(program, options=replace(o, level=level))
    if o.symbolic and program.others:
        yield replace(program, others=())


def _runs(program: Program) -> bool:
    """Whether it is still Python whose references run; else a mistake of the shrinking would look like a failure."""
    try:
        compile(program.text, "<shrunk>", "exec")
    except SyntaxError:
        return False
    return True


def shrink(program: Program, verdict: Verdict, tries: int = TRIES) -> Program:
    """The shortest program found that fails in the same way."""

    def same(candidate: Program) -> bool:
        found = judge_all([candidate])[candidate.name]
        return found.kind == verdict.kind and (verdict.kind == "wrong" or found.signature == verdict.signature)

    left = tries if verdict.kind != "hang" else min(tries, 6)
    changed = True
    while changed and left > 0:
        changed = False
        for rule in (_plainer_end, _fewer_lines, _fewer_inputs, _options, _smaller):
            for candidate in rule(program):
                if left <= 0:
                    break
                if not _runs(candidate):
                    continue
                left -= 1
                if same(candidate):
                    program, changed = candidate, True
                    break
    return program


HEAD = '''"""{kind}: {detail}

Run it with `python {file}` in the repository.
"""

from tests.campaign.command import again
from tests.campaign.program import Input, Options, Program

# {options}
TEXT = """
{text}"""

again(
    Program(
        {name!r},
        extents={extents!r},
        inputs={inputs!r},
        lines=tuple(line[4:] for line in TEXT.strip().splitlines()[1:]),
        others={others!r},
        options={options!r},
        peers={peers!r},
    )
)
'''


def keep(program: Program, verdict: Verdict, folder: Path) -> Path:
    """Write a file that runs it again."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{program.name.replace('/', '_')}.py"
    path.write_text(
        HEAD.format(
            kind=verdict.kind,
            detail=verdict.detail.replace("\\", "/").replace('"""', "'''"),
            file=path.name,
            text=program.text,
            name=program.name,
            extents=program.extents,
            inputs=program.inputs,
            others=program.others,
            options=program.options,
            peers=program.peers,
        ),
        encoding="utf-8",
    )
    return path
