"""A contraction in C: its shape, and the call of the macro-kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from polyad.codegen.loops.contractions import GROUP, Axis, Operand, Shape
from polyad.codegen.loops.nodes import Block, Contraction
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.names import Spelling
from polyad.codegen.storage.room import ROOM
from polyad.codegen.text.array_text import ArrayText
from polyad.codegen.text.expression_text import constant_text
from polyad.codegen.text.integer_text import affine_text, value_text
from polyad.codegen.text.line_text import broken, indented
from polyad.codegen.text.polynomial_text import polynomial_text
from polyad.ir.affine import Affine

__all__ = ["contraction_includes", "contraction_lines", "packing_lines"]

_SUFFIXES = {"float32": "f32", "float64": "f64"}


def contraction_includes(loops: Block) -> list[str]:
    """The lines that include the macro-kernel for the element types that loops use it for."""
    used = {n.shape.dtype for n in nodes(loops) if isinstance(n, Contraction) and n.shape is not None}
    macros = [f"#define PA_CONTRACTION_{suffix.upper()}" for dtype, suffix in _SUFFIXES.items() if dtype in used]
    return [*macros, '#include "polyad_contraction.h"'] if used else []


def contraction_lines(shape: Shape, node: Contraction, text: ArrayText) -> list[str]:
    """The block that computes a contraction.

    Args:
        shape: of the contraction.
        node: its nest: whether it overwrites c, and where b is packed.
        text: spells array elements.
    """
    spell = text.names.value
    suffix = _SUFFIXES[shape.dtype]
    lets, first = _first_iterations(shape, spell)
    groups = (shape.rows, shape.columns, shape.sums)
    a, b, c = (operand_text(o, first, text) for o in (shape.a, shape.b, shape.c))
    scale, add = constant_text(shape.scale, shape.dtype), 0 if node.fresh else 1
    call = f"pa_contract_packed_{suffix}" if node.packed else f"pa_contract_{suffix}"
    return [
        "{",
        *indented(lets),
        *indented(shape_lines(shape, groups, text, spell)),
        *indented(broken(f"{call}(&pa_shape, {a}, {node.packed or b}, {c}, {scale}, {add}, &{ROOM});")),
        "}",
    ]


def packing_lines(shape: Shape, panels: str, text: ArrayText) -> list[str]:
    """The block that packs the operand b of a contraction."""
    _, first = _first_iterations(shape, text.names.value)
    # What varies in the loops inside is not there yet, and packing does not ask for it.
    alone = replace(shape, rows=())
    b = operand_text(shape.b, first, text)
    return [
        "{",
        *indented(shape_lines(alone, ((), shape.columns, shape.sums), text, text.names.value)),
        f"  pa_pack_{_SUFFIXES[shape.dtype]}(&pa_shape, {b}, {panels});",
        "}",
    ]


def shape_lines(shape: Shape, groups: Sequence[Sequence[Axis]], text: ArrayText, spell: Spelling) -> list[str]:
    """The declaration of the shape."""
    names = [text.names.arrays[o.array] for o in (shape.a, shape.b, shape.c)]
    pairs = ((1, shape.rows, shape.sums), (2, shape.sums, shape.columns), (0, shape.rows, shape.columns))
    extents = ", ".join(_group(axes, spell) for axes in groups)
    strides = [
        f"{{{_strides(first, operand, spell)}, {_strides(second, operand, spell)}}}" for operand, first, second in pairs
    ]
    places = zip(names, ("m, k", "k, n", "m, n"), strict=True)
    roles = [f"{n}: {_iterators(axes)}" for n, axes in zip("mnk", groups, strict=True)]
    return [
        *broken(f"const pa_contraction pa_shape = {{ /* {'; '.join(roles)} */"),
        *indented(broken(f"{extents},")),
        *(f"  {s}, /* {n} along {along} */" for s, (n, along) in zip(strides, places, strict=True)),
        "};",
    ]


def _first_iterations(shape: Shape, spell: Callable[[str], str]) -> tuple[list[str], dict[str, Affine]]:
    """Iterator -> first iteration; those that are no affine expression get a name."""
    lines: list[str] = []
    first: dict[str, Affine] = {}
    for axis in (*shape.rows, *shape.columns, *shape.sums):
        for loop in axis.loops:
            if isinstance(loop.first, Affine):
                first[loop.iterator] = loop.first
            else:
                lines.append(f"const int64_t {loop.iterator} = {value_text(loop.first, spell)};")
    return lines, first


def operand_text(operand: Operand, first: dict[str, Affine], text: ArrayText) -> str:
    """&W[t * 128]: where the part of an operand begins."""
    index = [affine_text(i.substitute(first), text.names.value) for i in operand.index]
    position = text.position(operand.array, index)
    name = text.names.arrays[operand.array]
    return name if position == "0" else f"&{name}[{position}]"


def _group(axes: Sequence[Axis], spell: Callable[[str], str]) -> str:
    counts = [value_text(x.count, spell) for x in axes] or ["1"]
    assert len(counts) <= GROUP, "larger groups are not taken"
    return f"{{{len(counts)}, {{{', '.join(counts)}}}}}"


def _strides(axes: Sequence[Axis], operand: int, spell: Spelling) -> str:
    return f"{{{', '.join(polynomial_text(x.strides[operand], spell) for x in axes) or '0'}}}"


def _iterators(axes: Sequence[Axis]) -> str:
    return ", ".join(loop.iterator for x in axes for loop in x.loops) or "none"
