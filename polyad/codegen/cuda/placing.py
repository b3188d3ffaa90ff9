"""The schedule of kernels of a GPU, with marks that say who runs what: found in the loops that the passes made.

    launch:                                         launch teams: stay W: team for i
      share i_first .. i_last of 0 .. B - 1         └─ for t
        region                                         ├─ threads product for j, then meet
          for t                                  ->    │  └─ for k
            for i, divided(product)                    │     └─ matmul[t, i, j, k]
              for j, merged                            └─ threads for j, then meet
                for k: matmul[t, i, j, k]                 └─ h[t, i, j]
            for i, divided
              for j, merged
                h[t, i, j]

A loop of the tree is the loop around an instance whose iterator its row is. Where a loop has several roles, as one of
two nests has that isl made of it, it keeps its mark; where the statements of a launch do not stand together in the
tree, nothing is said of launches at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import islpy as isl

from polyad.codegen.cuda.launch_marks import Launched, together, with_launches
from polyad.codegen.cuda.launch_record import over_of
from polyad.codegen.cuda.step_products import is_team, product_of, rooms
from polyad.codegen.loops.how import Divided, Grid, Merged
from polyad.codegen.loops.loop_values import mentioned
from polyad.codegen.loops.nodes import (
    Barrier,
    Block,
    Guard,
    Instance,
    Launch,
    Let,
    Loop,
    Node,
    Parts,
    PrefixScan,
    Region,
    Share,
    Single,
)
from polyad.codegen.loops.traversal import children, instances
from polyad.codegen.plan import Plan
from polyad.ir.affine import Affine
from polyad.schedule.schedule import Schedule
from polyad.schedule.tree import nodes as tree
from polyad.schedule.tree.marks import (
    BlockMark,
    EachMark,
    GridMark,
    Kind,
    Meeting,
    MeetMark,
    ParallelMark,
    SumMark,
    SyncMark,
    TeamMark,
    ThreadsMark,
)
from polyad.schedule.tree.nodes import Band, Mark, Order, from_isl, to_isl
from polyad.schedule.tree.placement import statements_at

__all__ = ["placed_schedule"]

_ROLES: Mapping[str, Kind] = {
    "grid": GridMark(),
    "team": TeamMark(),
    "threads": ThreadsMark(),
    "product": ThreadsMark(product=True),
}


def placed_schedule(plan: Plan) -> Schedule:
    """The schedule of a plan, whose loops obey it, with what they say of launches, places and meetings."""
    domain, root = plan.schedule.isl.get_domain(), from_isl(plan.schedule.isl.get_root().child(0))
    look = _Look()
    for launch in plan.loops.children:
        assert isinstance(launch, Launch), "the last pass makes launches"
        look.launch(launch, plan)
    marks = _Marks(look.runs, {s.name: s.dims for s in plan.program.statements}, domain)
    for meeting in look.meetings:
        root = marks.behind(root, meeting.behind, meeting, domain)
    marked = with_launches(marks.placed(root, domain), look.launches, domain)
    if marked is None:
        return plan.schedule
    return Schedule(to_isl(domain, marked)).settled()


@dataclass(frozen=True, slots=True)
class _Around:
    """A loop around an instance, and its role: "grid", "team", "threads", "product", "sum", a "step", or "" of one."""

    iterator: str
    role: str


@dataclass(frozen=True, slots=True)
class _Run:
    """A place where instances of a statement run.

    Attributes:
        args: its dims there, in terms of iterators.
        around: the loops, outermost first.
        each: every thread runs it.
    """

    args: tuple[Affine, ...]
    around: tuple[_Around, ...]
    each: bool


@dataclass(frozen=True, slots=True)
class _Meeting:
    """Threads meet behind some statements, in each iteration of some steps; or a block runs them."""

    kind: Meeting | BlockMark
    behind: frozenset[str]
    steps: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Here:
    """A node of loops, from outside.

    Attributes:
        around: the loops.
        team: names of the limits of a team's part.
        values: of named integers.
        role: "step" where all threads walk through loops, "" where one does.
        merging: the role of the loop directly around, with which others may be merged.
        each: every thread runs it.
    """

    around: tuple[_Around, ...] = ()
    team: frozenset[str] = frozenset()
    values: Mapping[str, Affine] = field(default_factory=dict)
    role: str = ""
    merging: str = ""
    each: bool = False


@dataclass(slots=True, eq=False)
class _Look:
    """One walk over launches."""

    runs: dict[str, list[_Run]] = field(default_factory=dict)
    meetings: list[_Meeting] = field(default_factory=list)
    launches: list[Launched] = field(default_factory=list)

    def launch(self, launch: Launch, plan: Plan) -> None:
        """Note one launch; those with statements of others are theirs, too."""
        over = over_of(launch, plan.program.params)
        stays = []
        for loop in rooms(launch, plan.known):
            tile = product_of(loop, plan.known.touches)
            assert tile is not None, "it has room as one"
            stays.append(tile.second.array)
        found = Launched(frozenset(i.statement for i in instances(launch)), (over,), tuple(dict.fromkeys(stays)))
        while any(found.names & other.names for other in self.launches):
            before = self.launches.pop()
            found = Launched(before.names | found.names, before.over + found.over, before.stays + found.stays)
        self.launches.append(found)
        self.node(launch, _Here(), MeetMark() if is_team(launch) else SyncMark())

    def node(self, node: Node, here: _Here, kind: Meeting) -> None:
        """Note what stands in a node."""
        match node:
            case Instance(statement=name, args=args):
                known = tuple(a.substitute(here.values) for a in args)
                self.runs.setdefault(name, []).append(_Run(known, here.around, here.each))
            case Share(first=first, last=last, body=body):
                self.block(body, replace(here, team=here.team | {first, last}), kind)
            case Region(body=body):
                self.block(body, replace(here, role="step", each=True), kind)
            case Single(body=body):
                self.block(body, replace(here, role="", each=False), kind)
            case Parts(loop=loop):
                self.loop(loop, replace(here, role="", merging="sum", each=False), kind)
            case PrefixScan(state=state):
                self.block(state.loop.body, replace(here, role="", each=False), kind)
            case Loop():
                self.loop(node, here, kind)
            case Guard(then=then, otherwise=otherwise):
                self.block(then, here, kind)
                if otherwise is not None:
                    self.block(otherwise, here, kind)
            case Block():
                self.block(node, here, kind)
            case _:
                for child in children(node):
                    self.node(child, here, kind)

    def loop(self, loop: Loop, here: _Here, kind: Meeting) -> None:
        """Note a loop."""
        role, each, merges = here.role, here.each, True
        match loop.how:
            case Grid():
                role, each = "grid", False
            case Divided(product=product):
                role, each = "product" if product else "threads", False
            case Merged():
                role = here.merging
            case _:
                merges = False
        shown = "team" if (mentioned(loop.first) | mentioned(loop.last)) & here.team else role
        merging, within = (role, "") if merges else ("", role)
        around = (*here.around, _Around(loop.iterator, shown))
        self.block(loop.body, replace(here, around=around, merging=merging, role=within, each=each), kind)

    def block(self, block: Block, here: _Here, kind: Meeting) -> None:
        """Note the nodes of a block, and the meetings behind them."""
        before: frozenset[str] = frozenset()
        steps = frozenset(o.iterator for o in here.around if o.role == "step")
        for child in block.children:
            if isinstance(child, Let):
                if isinstance(child.value, Affine):
                    here = replace(here, values={**here.values, child.name: child.value.substitute(here.values)})
                continue
            before = frozenset(i.statement for i in instances(child)) or before
            if isinstance(child, Loop) and isinstance(child.how, Divided) and child.how.blocks:
                self.node(child, here, SyncMark())
                self.meetings.append(_Meeting(BlockMark(), before, steps))
            else:
                self.node(child, here, kind)
            waits = isinstance(child, Barrier | Single) or (isinstance(child, Loop) and _waits(child))
            if waits and before:
                self.meetings.append(_Meeting(kind, before, steps))


def _waits(loop: Loop) -> bool:
    return isinstance(loop.how, Divided) and loop.how.wait


@dataclass(frozen=True, slots=True, eq=False)
class _Marks:
    """Puts marks into a tree.

    Attributes:
        runs: statement -> the places where it runs.
        dims: statement -> its dims.
        domain: all instances.
    """

    runs: Mapping[str, Sequence[_Run]]
    dims: Mapping[str, tuple[str, ...]]
    domain: isl.UnionSet

    def around(self, band: Band, names: Iterable[str]) -> Iterator[_Around]:
        """The loops of the kernels that the loops of a band are."""
        for member in range(band.size):
            functions = band.functions(member)
            for name in names:
                for _, function in functions[name].get_pieces():
                    row = Affine.from_aff(function, self.dims[name])
                    for run in self.runs.get(name, ()):
                        value = row.substitute(dict(zip(self.dims[name], run.args, strict=True)))
                        own = [o for o in run.around if o.iterator in value.names()]
                        yield from own[-1:]

    def behind(self, node: tree.Node, names: frozenset[str], meeting: _Meeting, domain: isl.UnionSet) -> tree.Node:
        """The tree with a meeting behind what runs some statements, inside of the loops that threads walk through."""
        below = node
        while isinstance(below, Mark):
            if below.kind == meeting.kind:
                return node
            if below.kind == BlockMark() and meeting.kind == MeetMark():
                break
            below = below.child
        if isinstance(below, Order):
            return _with_child(node, below, self.behind_children(below, names, meeting, domain))
        if isinstance(below, Band):
            roles = {*self.around(below, names)}
            if roles and all(o.role in ("grid", "team") or o.iterator in meeting.steps for o in roles):
                inside = self.behind(below.child, names, meeting, domain)
                return _with_child(node, below, replace(below, child=inside))
        return Mark(meeting.kind, node)

    def behind_children(
        self, order: Order, names: frozenset[str], meeting: _Meeting, domain: isl.UnionSet
    ) -> tree.Node:
        """The same for a sequence: behind several children together, where they are one phase, or in the last one."""
        own = [frozenset(statements_at(domain.intersect(part))) for part, _ in order.children]
        places = [k for k, inside in enumerate(own) if inside & names]
        first, last = places[0], places[-1]
        if first < last and all(inside <= names for inside in own[first : last + 1]):
            if last - first + 1 == len(own):
                return Mark(meeting.kind, order)
            group = order.children[first : last + 1]
            whole = together([part for part, _ in group])
            children_ = (
                *order.children[:first],
                (whole, Mark(meeting.kind, Order(group))),
                *order.children[last + 1 :],
            )
            return replace(order, children=children_)
        part, child = order.children[last]
        inside = self.behind(child, names & own[last], meeting, domain.intersect(part))
        return replace(order, children=(*order.children[:last], (part, inside), *order.children[last + 1 :]))

    def placed(self, node: tree.Node, domain: isl.UnionSet) -> tree.Node:
        """The tree with the roles of its loops."""
        match node:
            case Mark(ParallelMark(), Band() as band):
                roles = {o.role for o in self.around(band, statements_at(domain))}
                kind = _ROLES.get(roles.pop(), node.kind) if len(roles) == 1 else node.kind
                return Mark(kind, replace(band, child=self.placed(band.child, domain)))
            case Mark(kind, child):
                return Mark(kind, self.placed(child, domain))
            case Band(child=child):
                inside = replace(node, child=self.placed(child, domain))
                return Mark(SumMark(), inside) if self.begins_sum(node, domain) else inside
            case Order(children_, ordered):
                parts = tuple((part, self.placed(child, domain.intersect(part))) for part, child in children_)
                return Order(parts, ordered)
            case _:
                each = [run.each for name in statements_at(domain) for run in self.runs.get(name, ())]
                return Mark(EachMark(), node) if each and all(each) else node

    def begins_sum(self, band: Band, domain: isl.UnionSet) -> bool:
        """Whether a band is the outermost of loops in which threads add up."""
        roles = {*self.around(band, statements_at(domain))}
        if not roles or not all(o.role == "sum" for o in roles):
            return False
        first = {
            next(o for o in run.around if o.role == "sum") for name in statements_at(domain) for run in self.runs[name]
        }
        return bool(roles & first)


def _with_child(node: tree.Node, old: tree.Node, new: tree.Node) -> tree.Node:
    """A node, below its marks, with another one."""
    if node is old:
        return new
    assert isinstance(node, Mark)
    return replace(node, child=_with_child(node.child, old, new))
