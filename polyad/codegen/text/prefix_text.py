"""Loops with one linear state in C: vector loops around a prefix scan, PA_SCAN_STEPS steps at a time.

    for (t ...) h[t + 1] = a[t] * h[t] + b[t];

becomes, with the state of the first step in h_state,

    for (t_0 ...) {
      for (t ...) { h_mul[t - t_0] = a[t]; h_add[t - t_0] = b[t]; }
      h_state = pa_scan_affine_up_f64(h_mul, h_add, h_state, h_before, t_n);
      for (t ...) h[t + 1] = h_mul[t - t_0] * h_before[t - t_0] + h_add[t - t_0];
    }

with all other statements of the body in the first or in the last loop. What the first computes in a C variable and the
last reads, too, is kept in a buffer like these. What has to hold is at the head of linear_state.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from polyad.codegen.loops.linear_state import LinearState
from polyad.codegen.loops.loop_values import Value
from polyad.codegen.loops.loop_values import add as plus
from polyad.codegen.loops.loops import Block, Instance, Loop
from polyad.codegen.text.expression_text import C_TYPES, SUFFIXES, unenclosed
from polyad.codegen.text.integer_text import affine_text, value_text
from polyad.codegen.text.line_text import broken, indented
from polyad.codegen.text.statement_text import StatementText
from polyad.ir.affine import Affine
from polyad.machine import MACHINE

__all__ = ["prefix_lines"]

_STACK = 12 * 1024
"""Bytes that the buffers may take of the C stack: with more of them, there are fewer steps at a time."""

_WORD = re.compile(r"[A-Za-z_]\w*")


def prefix_lines(
    state: LinearState,
    text: StatementText,
    fresh: Callable[[str], str],
    comment: Callable[[str], list[str]],
    pragma: Callable[[Loop], list[str]],
    steps: int,
) -> list[str]:
    """The lines of the loop.

    Args:
        state: the loop and its state.
        text: spells instances.
        fresh: a C name -> an unused one like it.
        comment: the lines that go above a statement's first appearance.
        pragma: the lines that go above a vector loop.
        steps: how many at a time (`Machine.scan_steps`).
    """
    spell = text.text.names.value

    def name_of(n: str) -> str:
        return n if n in (start, count) else spell(n)

    name, t = text.text.names.arrays[state.array], state.loop.iterator
    ctype, suffix = C_TYPES[state.dtype], SUFFIXES[state.dtype]
    mul, add, before, now, after = (fresh(f"{name}_{part}") for part in ("mul", "add", "before", "state", "after"))
    start, count = fresh(f"{t}_0"), fresh(f"{t}_n")
    up = state.loop.step > 0
    first, last = value_text(state.loop.first, spell), value_text(state.loop.last, spell)
    kind = "sum" if state.update.mul == "1" else "prod" if state.update.add is None else "affine"
    factor = state.update.mul or "0"
    if kind == "affine" and _is_invariant(factor, state, text):
        kind = "decay"
    used = {mul: state.update.mul, add: state.update.add}
    used.pop(mul if kind in ("sum", "decay") else add if kind == "prod" else "", None)
    standing = {b: at for b, v in used.items() if v and (at := _standing(v, start, state, text))}
    buffers = [b for b in used if b not in standing]
    passed = [standing.get(b, b) for b in used]
    if kind == "decay":
        passed.insert(0, unenclosed(factor))

    def loop(instances: Sequence[Instance], lines: list[str]) -> list[str]:
        head = f"for (int64_t {t} = {start}; {t} < {start} + {count}; {t} += 1) {{"
        low, high = (state.loop.first, state.loop.last) if up else (state.loop.last, state.loop.first)
        vector = replace(state.loop, first=low, last=high, step=1, simd=True, body=Block(tuple(instances)))
        return [*pragma(vector), head, *indented(lines), "}"] if lines else []

    place = f"[{t} - {start}]"
    fill = [f"{b}{place} = {unenclosed(used[b] or '0')};" for b in buffers]
    kept = {text.statements[i.statement].array: fresh(f"{_variable(i, text)}_kept") for i in state.kept}
    variables = {text.statements[i.statement].array: _variable(i, text) for i in state.kept}
    first_lines = [line for i in state.first for line in (*comment(i.statement), *broken(text.line(i)))]
    first_lines += [f"{kept[a]}{place} = {v};" for a, v in variables.items()]
    first_lines += [line for f in fill for line in broken(f)]
    parts = {"sum": "{2} + {1}", "prod": "{2} * {0}", "affine": "{0} * {2} + {1}", "decay": "{3} * {2} + {1}"}
    operands = [used[b] if b in standing else f"{b}{place}" for b in (mul, add)]
    value = parts[kind].format(*operands, f"{before}{place}", factor)
    places = {a: f"{buffer}{place}" for a, buffer in kept.items()}
    second = [
        replace(i, locals={**i.locals, **{a: p for a, p in places.items() if a in i.locals}}) for i in state.second
    ]
    second_lines = [
        line for i in second for line in _second(i, state, text, (f"{before}{place}", after, value), comment)
    ]
    direction = "up" if up else "down"
    call = f"{now} = pa_scan_{kind}_{direction}_{suffix}({', '.join(passed)}, {now}, {before}, {count});"
    end = state.loop.last
    if up:
        rest = value_text(plus(end, 1 - Affine.of(start)), name_of)
    elif isinstance(end, Affine):
        rest = affine_text(Affine.of(start) - end + 1, name_of)
    else:
        rest = f"{start} - {last} + 1"
    steps = _fitting(steps, [state.dtype] * (len(buffers) + 1) + [text.text.arrays[a].dtype for a in kept])
    block = "PA_SCAN_STEPS" if steps == MACHINE.scan_steps else str(steps)
    chunk = [
        f"const int64_t {count} = pa_min_i64({rest}, {block});",
        *([] if up else [f"{start} -= {count} - 1;"]),
        f"{ctype} {', '.join(f'{b}[{block}]' for b in (*buffers, before))};",
        *(f"{C_TYPES[text.text.arrays[a].dtype]} {buffer}[{block}];" for a, buffer in kept.items()),
        *loop((*state.first, state.writer), first_lines),  # the buffers are filled from what the writer reads
        *broken(call),
        *loop(second, second_lines),
    ]
    assert isinstance(state.loop.first, Affine)
    begin = state.loop.first
    op, step = ("<=", f"{start} += {block}") if up else (">=", f"{start} -= 1")
    if state.in_turn:
        chunk += _slots(state, text, before, now, start, count, up)
    initial = text.text.cell(state.array, [i.substitute({t: begin}) for i in state.before])
    lines = [
        f"{ctype} {now} = {initial};",
        f"for (int64_t {start} = {first}; {start} {op} {last}; {step}) {{",
        *indented(chunk),
        "}",
    ]
    return _when_any(state.loop, lines, first, last, up)


def _fitting(steps: int, dtypes: Sequence[str]) -> int:
    """As many steps at a time as leave the stack some room, with a buffer for each of these types."""
    one = sum(4 if dtype == "bool" else np.dtype(dtype).itemsize for dtype in dtypes)
    while steps > 16 and steps * one > _STACK:
        steps //= 2
    return steps


def _variable(instance: Instance, text: StatementText) -> str:
    """The C variable that an instance declares."""
    return instance.locals[text.statements[instance.statement].array]


def _standing(value: str, start: str, state: LinearState, text: StatementText) -> str | None:
    """Where the values of consecutive steps stand in memory, in C; None where they have to be computed."""
    match = re.fullmatch(rf"(\w+)\[{re.escape(state.loop.iterator)}( [+-] \d+)?\]", value)
    body = (*state.first, *state.second)
    written = {text.text.names.arrays[text.statements[i.statement].array] for i in body}
    if match is None or match[1] in {*written, text.text.names.arrays[state.array]}:
        return None
    return f"&{match[1]}[{start}{match[2] or ''}]"


def _is_invariant(factor: str, state: LinearState, text: StatementText) -> bool:
    """Whether a number is the same in all steps: C text without the iterator and without what the loop computes."""
    body = (*state.first, *state.second)
    arrays = {state.array, *(text.statements[i.statement].array for i in body)}
    varies = {text.text.names.arrays[a] for a in arrays} | {i.locals.get(a, "") for i in body for a in arrays}
    return not set(_WORD.findall(factor)) & {*varies, state.loop.iterator}


def _slots(
    state: LinearState, text: StatementText, before: str, now: str, start: str, count: str, up: bool
) -> list[str]:
    """Store the states before and after the last step of a chunk in the slots of their circular buffer."""
    spell = text.text.names.value
    t = state.loop.iterator
    names = {t: Affine.of("LAST")}
    place = f"{count} - 1" if up else "0"
    at = f"{start} + {count} - 1" if up else start

    def element(cell: Sequence[Affine]) -> str:
        index = [affine_text(i.substitute(names), lambda n: at if n == "LAST" else spell(n)) for i in cell]
        return text.text.element(state.array, index)

    return [f"{element(state.before)} = {before}[{place}];", f"{element(state.after)} = {now};"]


def _second(
    instance: Instance,
    state: LinearState,
    text: StatementText,
    names: tuple[str, str, str],
    comment: Callable[[str], list[str]],
) -> list[str]:
    """An instance after the scan; names: the state before its step, a variable for the one after it, and its value."""
    before, after, value = names
    if instance.number == state.writer.number:
        if state.in_turn and not any(_reads_after(i, state, text) for i in state.second):
            return []  # its slots are filled when the last steps are known
        element = text.element(state.array, text.statements[instance.statement].write, instance)
        target = f"const {C_TYPES[state.dtype]} {after}" if state.in_turn else element
        return [*comment(instance.statement), *broken(f"{target} = {value};")]
    if instance.number in state.carried:
        instance = replace(instance, locals={**instance.locals, state.array: before})
    elif state.in_turn and _reads_after(instance, state, text):
        instance = replace(instance, locals={**instance.locals, state.array: after})
    return [*comment(instance.statement), *broken(text.line(instance))]


def _reads_after(instance: Instance, state: LinearState, text: StatementText) -> bool:
    if instance.number == state.writer.number or instance.number in state.carried:
        return False
    return any(r.array == state.array for r in text.statements[instance.statement].reads())


def _when_any(loop: Loop, lines: list[str], first: str, last: str, up: bool) -> list[str]:
    """A block of its own; the first state exists where there is a step at all."""
    if _constant(loop.first) and _constant(loop.last):
        return ["{", *indented(lines), "}"]
    return [f"if ({first} {'<=' if up else '>='} {last}) {{", *indented(lines), "}"]


def _constant(value: Value) -> bool:
    return isinstance(value, Affine) and value.is_constant
