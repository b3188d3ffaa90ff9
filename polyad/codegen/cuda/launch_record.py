"""The record of a launch for its host (codegen/launch_shape.py): who runs it, and formulas for the work there is."""

from __future__ import annotations

from collections.abc import Sequence

from polyad.codegen.cuda.loop_chains import merged_loops
from polyad.codegen.cuda.step_products import is_team, product_of, products, rooms
from polyad.codegen.cuda.tiles import tile_of, tile_shape
from polyad.codegen.launch_shape import Counts, LaunchShape, Parameter, ProductShape
from polyad.codegen.loops.how import Divided, Grid, Serial
from polyad.codegen.loops.loop_values import Choice, Extreme, Value
from polyad.codegen.loops.nodes import Barrier, Launch, Loop, Node, Parts, PrefixScan, Region, Share, Single
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes
from polyad.machine.device import TileShape

__all__ = ["launch_record", "over_of"]


def over_of(launch: Launch, sizes: Sequence[str]) -> str:
    """Return what runs an iteration of a launch."""
    return _over(launch, frozenset(sizes))[0]


def launch_record(kernel: str, parameters: Sequence[Parameter], launch: Launch, known: StoredProgram) -> LaunchShape:
    """The record of a launch.

    Args:
        kernel: the name of its function.
        parameters: of that, in order.
        launch: the nodes.
        known: of the program.
    """
    sizes = frozenset(known.program.params)
    loops = [n for n in nodes(launch) if isinstance(n, Loop)]
    sums = [n.loop for n in nodes(launch) if isinstance(n, Parts)]
    over, counts = _over(launch, sizes)
    groups, shape = _in_tiles(launch, known.touches)
    scan = next((n for n in nodes(launch) if isinstance(n, PrefixScan)), None)
    if scan is not None:
        cut = () if scan.part == "all" else (_counts(scan.state.loop, sizes),)
        return LaunchShape(kernel, tuple(parameters), over, counts, cut, lanes=scan.lanes)
    return LaunchShape(
        kernel,
        tuple(parameters),
        over,
        counts,
        tuple(
            _counts(loop, sizes)
            for loop in (*(o for o in loops if isinstance(o.how, Divided) and not o.how.blocks), *sums)
        ),
        any(isinstance(o.how, Serial) and any(map(_meets, nodes(o.body))) for o in loops),
        groups,
        _products(launch, sizes, known),
        tile=shape,
    )


def _over(launch: Launch, sizes: frozenset[str]) -> tuple[str, Counts]:
    """Return what runs an iteration, and the iterations that there are."""
    for node in nodes(launch):
        match node:
            case Share(low=low, high=high):
                return "teams", (_count(low, high, sizes),)
            case Loop(how=Grid(over)):
                return over, _counts(node, sizes)
            case PrefixScan():
                return "scans", ()
            case Region():
                return "teams" if is_team(launch) else "block", ()
            case _:
                pass
    return "thread", ()


def _in_tiles(launch: Launch, touches: Touches) -> tuple[tuple[str, ...], TileShape | None]:
    """The part of each loop of a grid in its tiles, and what a block computes; nothing where it has no tiles."""
    grid = next((n for n in nodes(launch) if isinstance(n, Loop) and n.how == Grid("tiles")), None)
    if grid is None:
        return (), None
    loops = merged_loops(grid)
    tile = tile_of(loops, loops[-1].body, touches)
    assert tile is not None, "the pass has looked (launches.py)"
    groups = tuple("rows" if o in tile.rows else "columns" if o in tile.columns else "batch" for o in loops)
    return groups, tile_shape(tile)


def _products(launch: Launch, sizes: frozenset[str], known: StoredProgram) -> tuple[ProductShape, ...]:
    """Those of the steps of a launch."""
    found, kept = [], rooms(launch, known)
    for loop in products(launch):
        tile = product_of(loop, known.touches)
        assert tile is not None, "the pass has looked (step_products.py)"
        columns, terms = (tuple(_count(o.first, o.last, sizes) for o in own) for own in (tile.columns, tile.sums))
        found.append(ProductShape(columns, terms, item_bytes(tile.second.dtype), loop in kept))
    return tuple(found)


def _meets(node: Node) -> bool:
    """Whether threads of a block meet behind a node, or share it."""
    return isinstance(node, Parts | Single | Barrier) or (isinstance(node, Loop) and isinstance(node.how, Divided))


def _counts(loop: Loop, sizes: frozenset[str]) -> Counts:
    return tuple(_count(*inner.limits, sizes) for inner in merged_loops(loop))


def _count(first: Value, last: Value, sizes: frozenset[str]) -> Affine | None:
    """A formula of the sizes for the iterations of a loop, or for more of them."""
    low, high = _bound(first, "max", sizes), _bound(last, "min", sizes)
    return None if low is None or high is None else high - low + 1


def _bound(value: Value, kind: str, sizes: frozenset[str]) -> Affine | None:
    """A formula of the sizes that is at most a bound from below (`max`), or at least one from above (`min`)."""
    match value:
        case Affine():
            return value if value.names() <= sizes else None
        case Extreme(op, args) if op == kind:
            return next((b for a in args if (b := _bound(a, kind, sizes)) is not None), None)
        case Extreme() | Choice():
            return None
