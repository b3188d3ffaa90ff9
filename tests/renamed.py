"""The same program under other names, and with its statements listed in another order."""

import random
import re
from dataclasses import dataclass, replace

from polyad.codegen.generate import generate
from polyad.codegen.options import CodegenOptions
from polyad.ir.program import Program
from polyad.ops.program_text import parse_program
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL, Strategies

__all__ = ["Renaming", "compiled_text", "normal_form", "shuffled_program"]

_WORD = re.compile(r"(?:(?<!\w)|(?<=\d)(?!e[-+\d]))[A-Za-z_]\w*\b(?!\(|=)")  # isl writes 4H for 4 * H
_PART = re.compile(r"[A-Za-z][A-Za-z0-9]*")  # x_bar_1 is made of x and bar, and so is its new name


@dataclass(frozen=True)
class Renaming:
    """New names for all of a program's statements, arrays, dimensions and sizes: new name -> old one."""

    old: dict[str, str]
    program: Program

    @staticmethod
    def of(program: Program, seed: int, shuffled: bool = False) -> "Renaming":
        """Draw names, whose order in the alphabet has nothing to do with that of the old ones."""
        rng = random.Random(seed)
        dims = [d for s in program.statements for d in s.dims]
        names = dict.fromkeys([*program.arrays, *(s.name for s in program.statements), *dims, *program.params])
        parts = dict.fromkeys(part for n in names for part in _PART.findall(n))
        numbers = rng.sample(range(100, 1000), len(parts))
        new = {n: f"{rng.choice('abzQ')}x{number}y" for n, number in zip(parts, numbers, strict=True)}

        def renamed(word: re.Match[str]) -> str:
            return _PART.sub(lambda part: new[part[0]], word[0]) if word[0] in names else word[0]

        found = parse_program(_WORD.sub(renamed, str(program)))
        return Renaming({b: a for a, b in new.items()}, shuffled_program(found, rng) if shuffled else found)

    def back(self, text: str) -> str:
        """A text about the renamed program with the old names, also inside of names made of them."""
        return re.sub(r"[abzQ]x\d{3}y", lambda w: self.old[w[0]], text)


def shuffled_program(program: Program, rng: random.Random) -> Program:
    """The same statements and arrays, listed in another order."""
    names, statements = [*program.arrays], program.statements
    arrays = {n: program.arrays[n] for n in rng.sample(names, len(names))}
    return replace(program, statements=tuple(rng.sample(statements, len(statements))), arrays=arrays)


def compiled_text(program: Program, strategies: Strategies = ALL) -> str:
    """The loops and the C of a program."""
    prepared = prepare(program, strategies)
    schedule = default_schedule(prepared, strategies)
    source = generate(prepared, schedule, CodegenOptions(strategies=strategies))
    return f"{schedule.tree()}\n{source.c}"


def normal_form(text: str) -> list[str]:
    """Loops and C, a line for each statement, however the lines were broken.

    In the drawing of the loops, what runs in one loop is listed in the order of the alphabet: words are sorted there.
    """
    tree, begin, c = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).partition("#include")
    loops = [" ".join(sorted(re.findall(r"\w+|[^\s+]", line))) for line in tree.split("─ ")]
    return [*loops, *re.sub(r"([;{}])", r"\1\n", begin + re.sub(r"\s+", " ", c)).split("\n")]
