"""A contraction in C: its shape, and the call of the macro-kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.codegen.loops.contractions import GROUP, is_share
from polyad.codegen.loops.nodes import Block, Contraction, ContractionAxis, Operand, Shape
from polyad.codegen.loops.traversal import instances, nodes
from polyad.codegen.names import Spelling
from polyad.codegen.storage.room import ROOM
from polyad.codegen.text.array_text import ArrayText
from polyad.codegen.text.code import Code, address, call, code, declare, infix, listed, word
from polyad.codegen.text.expression_text import constant_code
from polyad.codegen.text.integer_text import ONE, ZERO, value_code
from polyad.codegen.text.line_text import Lines
from polyad.codegen.text.polynomial_text import polynomial_code
from polyad.codegen.text.statement_text import local_code
from polyad.ir.affine import Affine

__all__ = ["contraction_includes", "contraction_lines", "packing_lines"]

_SUFFIXES = {"float32": "f32", "float64": "f64"}

_SHAPE = address(word("pa_shape"))


def contraction_includes(loops: Block) -> list[str]:
    """The lines that include the macro-kernel for the element types that loops use it for."""
    used = {n.shape.dtype for n in nodes(loops) if isinstance(n, Contraction) and n.shape is not None}
    macros = [f"#define PA_CONTRACTION_{suffix.upper()}" for dtype, suffix in _SUFFIXES.items() if dtype in used]
    return [*macros, '#include "polyad_contraction.h"'] if used else []


def contraction_lines(shape: Shape, node: Contraction, text: ArrayText) -> Lines:
    """The block that computes a contraction.

    Args:
        shape: of the contraction.
        node: its nest: whether it overwrites c, and where b is packed.
        text: spells array elements.
    """
    lets, first = _first_iterations(shape, text.names.value)
    groups = (shape.rows, shape.columns, shape.sums)
    a, b, c = (operand_code(o, first, text) for o in (shape.a, shape.b, shape.c))
    kind = "packed_" if node.packed else "share_" if is_share(shape, text.names.params) else ""
    function = f"pa_contract_{kind}{_SUFFIXES[shape.dtype]}"
    add = "0" if node.fresh else "1"
    computed = call(function, _SHAPE, a, node.packed or b, c, _scale_code(shape, node, text), add, address(word(ROOM)))
    return ["{", [*lets, *shape_lines(shape, groups, text), code("{};", computed)], "}"]


def _scale_code(shape: Shape, node: Contraction, text: ArrayText) -> Code:
    """Return the factors of the sum: numbers, and elements that are in memory or in C variables."""
    variables = next(instances(node)).locals
    factors = [
        local_code(variables[w.array]) if w.array in variables else text.element(w.array, w.index)
        for w in shape.weights
    ]
    return infix(
        "*", *(factors if factors and shape.scale == 1 else [constant_code(shape.scale, shape.dtype), *factors])
    )


def packing_lines(shape: Shape, panels: str, text: ArrayText) -> Lines:
    """The block that packs the operand b of a contraction."""
    _, first = _first_iterations(shape, text.names.value)
    # What varies in the loops inside is not there yet, and packing does not ask for it.
    alone = replace(shape, rows=())
    packed = call(f"pa_pack_{_SUFFIXES[shape.dtype]}", _SHAPE, operand_code(shape.b, first, text), panels)
    return ["{", [*shape_lines(alone, ((), shape.columns, shape.sums), text), code("{};", packed)], "}"]


def shape_lines(shape: Shape, groups: Sequence[Sequence[ContractionAxis]], text: ArrayText) -> Lines:
    """The declaration of the shape."""
    spell = text.names.value
    operands = (
        (1, shape.rows, shape.sums, shape.a, "m, k"),
        (2, shape.sums, shape.columns, shape.b, "k, n"),
        (0, shape.rows, shape.columns, shape.c, "m, n"),
    )
    roles = [code(f"{n}: {{}}", _iterators(axes)) for n, axes in zip("mnk", groups, strict=True)]
    strides = [
        code(
            "{{{}, {}}}, /* {} along {} */",
            _strides(first, number, spell),
            _strides(second, number, spell),
            text.names.arrays[operand.array],
            along,
        )
        for number, first, second, operand, along in operands
    ]
    return [
        code("const pa_contraction pa_shape = {{ /* {}; {}; {} */", *roles),
        [code("{},", listed(*(_group(axes, spell) for axes in groups))), *strides],
        "};",
    ]


def _first_iterations(shape: Shape, spell: Spelling) -> tuple[Lines, dict[str, Affine]]:
    """Iterator -> first iteration; those that are no affine expression get a name."""
    lines: Lines = []
    first: dict[str, Affine] = {}
    for axis in (*shape.rows, *shape.columns, *shape.sums):
        for loop in axis.loops:
            if isinstance(loop.first, Affine):
                first[loop.iterator] = loop.first
            else:
                lines.append(declare(f"const {spell.index}", (loop.iterator, value_code(loop.first, spell))))
    return lines, first


def operand_code(operand: Operand, first: dict[str, Affine], text: ArrayText) -> Code:
    """&W[t * 128]: where the part of an operand begins."""
    index = [i.substitute(first) for i in operand.index]
    if all(i == Affine() for i in text.in_memory(operand.array, index)[0]):
        return word(text.names.arrays[operand.array])
    return address(text.element(operand.array, index))


def _group(axes: Sequence[ContractionAxis], spell: Spelling) -> Code:
    counts = [value_code(x.count, spell) for x in axes] or [ONE]
    assert len(counts) <= GROUP, "larger groups are not taken"
    return code("{{{}, {{{}}}}}", len(counts), listed(*counts))


def _strides(axes: Sequence[ContractionAxis], operand: int, spell: Spelling) -> Code:
    return code("{{{}}}", listed(*[polynomial_code(x.strides[operand], spell) for x in axes] or [ZERO]))


def _iterators(axes: Sequence[ContractionAxis]) -> Code:
    return listed(*[loop.iterator for x in axes for loop in x.loops] or ["none"])
