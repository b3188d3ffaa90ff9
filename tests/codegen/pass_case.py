"""A text file that shows what one pass over the loop IR does.

    In words.

    machine TINY                 MACHINE, TINY, THREADS or LOOPS_IN_THREADS; MACHINE where no line says it
    without parts, contraction   switches of Strategies
    alone                        no threads

    --- program
    --- before
    --- after

The loops before may be written by hand: what the pass is told of storage is what the pipeline decides for the program.
Where there are none yet, `--update-golden` writes those that the pipeline has when it comes to the pass.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from polyad.codegen.loops.instance import variable_of
from polyad.codegen.loops.nodes import Block, Declare, Instance, Load, Pack
from polyad.codegen.loops.read_text import read_loops
from polyad.codegen.loops.text import loops_text
from polyad.codegen.loops.traversal import declared, nodes
from polyad.codegen.loops.verify import verify_loops
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.lower.passes import LOOP_PASSES
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import Plan, plan_kernel
from polyad.machine import MACHINE, TINY
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.transforms.passes.initialise import initialise
from tests.machines import LOOPS_IN_THREADS, THREADS

__all__ = ["CASES", "PassCase"]

CASES = Path(__file__).parent / "passes"
_MACHINES = {"MACHINE": MACHINE, "TINY": TINY, "THREADS": THREADS, "LOOPS_IN_THREADS": LOOPS_IN_THREADS}
_ORDER = [step.name for step in LOOP_PASSES]


@dataclass(frozen=True, slots=True)
class PassCase:
    """A file.

    Attributes:
        path: in a folder that has the name of the pass.
        head: what stands above the program.
        program: as text.
        before: the loops that the pass is given.
        after: those that it makes of them.
    """

    path: Path
    head: str
    program: str
    before: str
    after: str

    @staticmethod
    def read(path: Path) -> "PassCase":
        """The case of a file."""
        head, *sections = re.split(r"^--- (\w+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        texts = dict(zip(sections[::2], sections[1::2], strict=True))
        assert texts.keys() <= {"program", "before", "after"}, path
        return PassCase(path, head, *(texts.get(part, "").strip("\n") for part in ("program", "before", "after")))

    def write(self) -> None:
        """Put it into its file."""
        sections = (("program", self.program), ("before", self.before), ("after", self.after))
        text = self.head + "".join(f"--- {part}\n{text.strip()}\n" for part, text in sections)
        self.path.write_text(text, encoding="utf-8")

    @property
    def name(self) -> str:
        """Of the pass."""
        return self.path.parent.name

    @property
    def options(self) -> CodegenOptions:
        """The options in the lines above the program."""
        machine, strategies, openmp = MACHINE, ALL, True
        for line in self.head.splitlines():
            word, _, rest = line.partition(" ")
            if word == "machine":
                machine = _MACHINES[rest]
            elif word == "without":
                strategies = replace(ALL, **dict.fromkeys(rest.split(", "), False))
            elif line == "alone":
                openmp = False
        return CodegenOptions(openmp, strategies, machine)

    def completed(self) -> "PassCase":
        """The case as it ought to be."""
        program, options = initialise(parse_program(self.program)), self.options
        seen: dict[str, Block] = {}
        order = default_schedule(program, options.strategies, options.machine)
        plan = plan_kernel(program, order, options, watch=seen.__setitem__)
        place = _ORDER.index(self.name)
        before = read_loops(self.before, program) if self.before else seen[["storage", *_ORDER][place]]
        verify_loops(before, program, plan.known.touches)
        after = LOOP_PASSES[place].apply(before, _known(plan, before))
        verify_loops(after, program, plan.known.touches, last=place == len(_ORDER) - 1)
        return replace(self, before=loops_text(before).strip("\n"), after=loops_text(after).strip("\n"))


def _known(plan: Plan, before: Block) -> StoredProgram:
    """Return the facts for passes, with the names that are taken when the loops are still these."""
    taken = plan.names.taken() | declared(before)
    for node in nodes(before):
        match node:
            case Instance(locals=own):
                taken |= {*map(variable_of, own.values())}
            case Load(local=name) | Declare(local=name) | Pack(name=name):
                taken.add(variable_of(name))
            case _:
                pass
    return replace(plan.known, taken=taken)
