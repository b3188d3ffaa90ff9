"""Pairs of instances that an order has to keep apart, and the error about one that it does not."""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.analysis.dependences import Conflict, Dependence
from polyad.errors import IllegalScheduleError
from polyad.ir.statement import Statement

__all__ = ["Pairs", "refuse", "sizes_text"]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs that nothing has settled: { source[i] -> sink[j] }; `what` says which array ties them."""

    source: Statement
    sink: Statement
    pairs: isl.Map
    what: Dependence | Conflict


def sizes_text(sizes: dict[str, int]) -> str:
    """The values of sizes: ` (at N = 3)`."""
    return f" (at {', '.join(f'{n} = {v}' for n, v in sizes.items())})" if sizes else ""


def refuse(pair: Pairs, pairs: isl.Map, how: str, cure: str = "change the order") -> None:
    """Raise the error about one of some pairs.

    Args:
        pair: whose they are.
        pairs: { source[i] -> sink[j] }, not empty.
        how: they are run; {0} is the source, {1} the sink.
        cure: of it, with {0} and {1}, too.

    Raises:
        IllegalScheduleError: always.
    """
    found = islx.map_witness(pairs, pair.source.dims, pair.sink.dims)
    assert found is not None, "a violation has a pair"
    source = islx.instance_text(pair.source.name, found[0])
    sink = islx.instance_text(pair.sink.name, found[1])
    if isinstance(pair.what, Conflict):
        why = f"both contribute to one element of {pair.what.array}"
    elif pair.what.kind == "value":
        why = f"{sink} reads an element of {pair.what.array} that {source} computes"
    else:
        why = f"{sink} adds to an element of {pair.what.array} that {source} defines"
    raise IllegalScheduleError(
        f"the schedule is illegal: {how.format(source, sink)}, but {why}{sizes_text(found[2])}; "
        f"{cure.format(source, sink)}, or start from the default schedule",
        source_instance=source,
        sink_instance=sink,
        sizes=found[2],
    )
