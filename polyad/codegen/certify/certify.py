"""A proof that the final loops of a kernel do what its program says: at given sizes, and for all where isl finds one.

From the loop IR alone (loops, guards, slots, copies of threads, regions, barriers), never asking a pass what it meant:

1. every instance of the program runs, none twice where it contributes, and nothing else runs;
2. every read finds the element that the program names, with all its contributions, and nothing is read before it is
   written;
3. no two threads, and no two lanes of a vector, touch one place without a barrier between them, one of them writing;
4. every access lies inside of its array, and of its piece of the workspace;
5. every output is there at the end.

The text that spells the loops is another proof (read_back/). Trusted are what nodes declare (the macro-kernel, the scan
functions of the runtime header) and the C compiler.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import islpy as isl

from polyad.codegen.certify.block_sum import run_block_sum
from polyad.codegen.certify.contractions import run_contraction, run_pack
from polyad.codegen.certify.decided import check_decided
from polyad.codegen.certify.declared_integers import DeclaredIntegers
from polyad.codegen.certify.demands import Demands, RefusedError
from polyad.codegen.certify.execution import Execution, TooLargeError
from polyad.codegen.certify.memory import Memory, PlaceError, WrongError, text
from polyad.codegen.certify.read_back.read_back import TextProof
from polyad.codegen.certify.scan import run_scan
from polyad.codegen.certify.switched import run_switched
from polyad.codegen.certify.symbolic.prove import Answer, prove
from polyad.codegen.certify.told import Told
from polyad.codegen.loops.nodes import Contraction, Guard, Instance, Pack, Parts, PrefixScan
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.plan import Plan
from polyad.errors import CertificationError
from polyad.ir.expr import Read
from polyad.ir.program import Program
from polyad.semantics.points import at_sizes

__all__ = ["MOST", "Certificate", "asked", "certify", "execution", "some_sizes"]

MOST = 200_000
"""Statement instances that are looked at: some seconds."""

_SMALL = (1, 2, 3)
_ODD = 9
_MIDDLE = 5
_LONG = (19, 40, 70, 140, 280)
"""Extents that are tried: small ones for all sizes, an odd one for each, one for all in which loops along several sizes
have a middle, then what is past the length of blocks."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The result of a successful proof.

    Attributes:
        sizes: for each proof, size -> value; one without entries where the program has no sizes.
        instances: statement instances that were looked at.
        unreached: statements at places of the text that none of these sizes reaches.
        all_sizes: it is proved for all sizes, whatever is in `sizes`.
        reason: why it is not, where that was tried.
        text: that the C says what the loops do; None where the loops alone were looked at.
    """

    sizes: tuple[Mapping[str, int], ...]
    instances: int
    unreached: tuple[str, ...] = ()
    all_sizes: bool = False
    reason: str = ""
    text: TextProof | None = None

    def __str__(self) -> str:
        """Say what is proved of the loops, and of the text."""
        return f"{self._loops()}; {self.text}" if self.text is not None else self._loops()

    def _loops(self) -> str:
        if self.all_sizes:
            return "proved for all sizes"
        if not self.sizes:
            return f"nothing is proved{self.reason and f': {self.reason}'}"
        if not any(self.sizes):
            return "proved for the sizes that it has"
        at = "; ".join(", ".join(f"{n} = {v}" for n, v in sizes.items()) for sizes in self.sizes)
        return f"proved for the sizes {at}{self.reason and f' (not for all: {self.reason})'}"


def asked() -> int:
    """How many instances POLYAD_CERTIFY wants to be looked at whenever C is generated; 0 where it is not set."""
    wanted = os.environ.get("POLYAD_CERTIFY", "")
    return MOST if wanted == "1" else int(wanted) if wanted.isdecimal() else 0


def certify(plan: Plan, sizes: Mapping[str, int] | None = None, most: int = MOST, operations: int = 0) -> Certificate:
    """Prove it.

    Without sizes, small ones are taken, and larger ones as long as they reach places of the text that were not reached.
    Where a proof for all sizes fails at some, they come first.

    Args:
        plan: the kernel.
        sizes: parameter -> value.
        most: instances that are looked at, all in all; what would need more is left out.
        operations: what isl may spend on each step of a proof for all sizes; 0: none is tried.

    Raises:
        CertificationError: the loops do something else; it names statement, instance, element and sizes.
    """
    try:
        check_decided(plan)
    except WrongError as problem:
        raise CertificationError(f"{plan.program.name}: {problem}") from None
    wanted = {id(n): n.statement for n in nodes(plan.loops) if isinstance(n, Instance)}
    done: list[Mapping[str, int]] = []
    count, reached = 0, set[int]()
    answer = prove(plan, operations) if operations else Answer(False)
    if answer.sizes is not None:
        execution(plan, answer.sizes, most)
    for chosen in [dict(sizes)] if sizes is not None else some_sizes(plan.program):
        large = max(chosen.values(), default=0) > _ODD
        if sizes is None and large and wanted.keys() <= reached:
            break
        run = execution(plan, chosen, most - count)
        if run is None:
            continue
        done.append(chosen)
        count += run.count
        reached |= run.reached
    unreached = tuple(dict.fromkeys(s for n, s in wanted.items() if n not in reached))
    return Certificate(tuple(done), count, unreached, answer.proved, answer.reason)


def execution(plan: Plan, sizes: Mapping[str, int], most: int) -> Execution | None:
    """One run that was right, None where there are too many instances, and where every call is refused."""
    left = most
    for statement in plan.program.statements:
        left -= _count(statement.domain, sizes)
        if left < 0:
            return None
    try:
        demands = Demands(plan.program, plan.known.touches, sizes)
        run = Execution(Memory(plan, demands), demands, 4 * most + 1000, _nest, DeclaredIntegers(sizes))
        _given(run, plan)
        run.block(plan.loops)
        _complete(run)
    except (TooLargeError, RefusedError):
        return None
    except WrongError as problem:
        at = ", ".join(f"{n} = {v}" for n, v in sizes.items())
        raise CertificationError(f"{plan.program.name}: {problem}{f' (at {at})' if at else ''}", sizes) from None
    return run


def _nest(run: Execution, node: Contraction | Pack | PrefixScan | Parts | Guard) -> None:
    """Run a node that is executed as a whole."""
    match node:
        case Guard():
            run_switched(run, node)
        case Contraction():
            run_contraction(run, node)
        case Pack():
            run_pack(run, node)
        case PrefixScan():
            run_scan(run, node)
        case Parts():
            run_block_sum(run, node)


def _given(run: Execution, plan: Plan) -> None:
    """Record the values that arguments to be overwritten hold at first, and arrays that have theirs without a copy."""
    demands = run.demands
    demands.overwritten = plan.overwritten
    for array in demands.overwritten:
        run.memory.give(array)
    for name in plan.storage.gone:
        statement = plan.program.statement(name)
        write, *reads = plan.known.touches[name]
        if not isinstance(statement.body, Read) or statement.reduction is not None:
            raise WrongError(f"{name} is no copy, and never runs")
        for point in demands.instances[name]:
            new, old = demands.element(write, point), demands.element(reads[0], point)
            apart = f"{name}{list(point)} never runs, and {text(old)} does not lie where {text(new)} does"
            try:
                if run.memory.cell(new) is not run.memory.cell(old):
                    raise WrongError(apart)
            except PlaceError as problem:
                raise WrongError(f"{apart}: {problem}") from None
            demands.copied[new] = old
        run.executed[name] = set(demands.instances[name])


def _count(domain: isl.Set, sizes: Mapping[str, int]) -> int:
    """The points of a box around a domain, quick to tell.

    An exact count (analysis/counting.py) may walk through domains that turn out to be too large to be looked at.
    """
    domain = at_sizes(domain, sizes)
    if domain.is_empty():
        return 0
    count = 1
    for d in range(domain.dim(isl.dim_type.set)):
        low, high = domain.dim_min_val(d).to_python(), domain.dim_max_val(d).to_python()
        count *= int(high) - int(low) + 1
    return count


def _complete(run: Execution) -> None:
    """Everything ran, and every output is there."""
    for statement, instances in run.demands.instances.items():
        missing = instances - run.executed.get(statement, set())
        if missing:
            raise WrongError(f"{statement}{list(min(missing))} never runs")
    outputs = set(run.demands.program.outputs)
    for element in run.demands.defined:
        if element[0] in outputs:
            with Told("the caller", element):
                cell = run.memory.cell(element)
            run.whole(cell, element, f"the caller, behind the last loop, of {text(element)},")


def some_sizes(program: Program) -> Iterator[dict[str, int]]:
    """Sizes that the program takes, small before large: all alike, then each one by itself."""
    names = program.params
    if not names:
        yield {}
        return
    found: list[tuple[int, ...]] = [(n,) * len(names) for n in _SMALL]
    for n in (_ODD, *_LONG):
        found += [tuple(n if i == p else 2 for i in range(len(names))) for p in range(len(names))]
        found += [(_MIDDLE,) * len(names)]
    for values in dict.fromkeys(found):
        sizes = dict(zip(names, values, strict=True))
        if not at_sizes(program.context, sizes).is_empty():
            yield sizes
