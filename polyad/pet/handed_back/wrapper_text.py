"""The C file and the header of a function that calls a kernel with the parameters of a C function.

    int f_grad(int n, double *A, double *A_bar, void *workspace)
    {
      const f_grad_kernel_sizes sizes = {n};
      ...
      memcpy(A_before, A, A_bytes);    what the kernel reads later than it writes lies in the workspace first
      return f_grad_kernel(&sizes, A_before, A, ..., slots, rest);
    }

Where C has one array for an input and an output of the kernel, so has the kernel if that was proved to be in order
(codegen/storage/homes.py), and else its input is copied. Of `double **a` the kernel gets a copy in one block, and its
rows get what the kernel leaves there. The kernel's own
workspace function looks at the sizes, and bytes are added by functions that stay at SIZE_MAX.

C++ knows no arrays whose extents are parameters, and nor does all of C11: the header declares pointers to elements for
those, and so does the C file, in which nothing is indexed. Both are passed alike.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from polyad._version import __version__
from polyad.ad.names import tangent_of
from polyad.codegen.loops.size_conditions import context_condition
from polyad.codegen.names import Names, Spelling
from polyad.codegen.source import Source
from polyad.codegen.storage.memory_plan import MemoryPlan, Slot
from polyad.codegen.text.code import code, infix, word
from polyad.codegen.text.expression_text import C_TYPES
from polyad.codegen.text.header_text import ABI, STANDARD_INCLUDES, STATUS_CODES
from polyad.codegen.text.integer_text import affine_code
from polyad.codegen.text.line_text import Lines, function_text
from polyad.codegen.text.workspace_text import size_tests
from polyad.export.marker import MARKER
from polyad.export.wrapper import Wrapper
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.pet.handed_back.parameters import Passed
from polyad.pet.handed_back.struct_text import spelled, types, unpacked
from polyad.pet.prototype import BITS, Function

__all__ = ["wrapper"]

WIDTH = 114


def wrapper(name: str, kernel: Source, program: Program, function: Function, parameters: Sequence[Passed]) -> Wrapper:
    """The function that is called in place of a kernel.

    Args:
        name: of the function.
        kernel: what it calls.
        program: of the kernel.
        function: the C function that the program comes from.
        parameters: of the function, without the workspace.
    """
    text = _Text(name, kernel, program, function, tuple(parameters))
    return Wrapper(name, text.c(), text.header(), ", ".join(p.name for p in parameters))


class _Text:
    def __init__(self, name: str, kernel: Source, program: Program, function: Function, parameters: tuple[Passed, ...]):
        self.name, self.kernel, self.program, self.function = name, kernel, program, function
        self.parameters = parameters
        self.shown = tuple(p for p in parameters if p.declaration.derived is None)
        self.sizes = tuple(p for p in parameters if p.is_size)
        self.derived = tuple(p for p in parameters if p not in self.shown and (p.input or p.is_size))
        needed = {n for p in self.derived if p.is_size and p.declaration.derived for n in p.declaration.derived.names}
        self.asked = tuple(p for p in self.shown if p.is_size or p.name in needed)
        in_place = {a.name for a in kernel.arguments if a.overwritten}
        self.copied = tuple(
            p for p in parameters if (p.is_overwritten and p.input not in in_place) or self.is_converted(p)
        )
        self.rows = tuple(p for p in parameters if p.declaration.rows and p.way)
        self.flag = f"{name.upper()}_POINTERS"
        self.taken = {p.name for p in parameters} | {_flat_name(p) for p in parameters}
        self.workspace = self.local("workspace")

    def is_converted(self, p: Passed) -> bool:
        """Whether an array holds integers of another width than the kernel reads."""
        if not p.input or p.by_value or p.declaration.type not in BITS:
            return False
        return abs(BITS[p.declaration.type]) != abs(BITS.get(_plain(C_TYPES[self.program.arrays[p.input].dtype]), 0))

    def local(self, wish: str) -> str:
        """A name that no parameter has."""
        return unique_name(wish, self.taken)

    # prototypes

    def call(self, declared: Sequence[str]) -> str:
        """int f_grad(...), broken where lines are full."""
        pieces = [*declared, f"void *{self.workspace}"]
        lines, indent = [f"int {self.name}({pieces[0]}"], " " * min(len(self.name) + 5, 24)
        for piece in pieces[1:]:
            if len(lines[-1]) + len(piece) > WIDTH:
                lines[-1] += ","
                lines.append(indent + piece)
            else:
                lines[-1] += f", {piece}"
        return "\n".join(lines) + ")"

    def bytes_function(self) -> str:
        return f"size_t {self.name}_workspace({', '.join(p.flat for p in self.asked) or 'void'})"

    # header

    def header(self) -> str:
        """The header file."""
        upper = self.name.upper()
        value, flattened = self.function.returned, self.function.flattened
        result = f", `{value}`, which is what it returns," if value else ""
        return f"""/*
 * {self.name}: {MARKER}
 *
 * The parameters are those of
 *
{textwrap.indent(textwrap.fill(self.function.spelling, 100), " *   ")}
 *
 * and behind them{result} those of derivatives, and the workspace.
 */
#ifndef {upper}_H
#define {upper}_H

{STANDARD_INCLUDES}

#define {upper}_POLYAD_VERSION "{__version__}" /* of what generated this file */
#define {upper}_POLYAD_ABI {ABI} /* of the functions: files of other numbers do not fit this one */

{STATUS_CODES}

#ifdef __cplusplus
extern "C" {{
#endif
{types(flattened, upper)}
/**
 * The workspace that {self.name} needs at these sizes.
 *
 * @return bytes; SIZE_MAX where {self.name} returns POLYAD_ERROR_SIZE
 */
{self.bytes_function()};

{self.comment()}
#if defined(__cplusplus) || defined(__STDC_NO_VLA__) || defined({self.flag})
{self.call(spelled(flattened, self.shown, lambda p: p.flat))};
#else
{self.call(spelled(flattened, self.shown, lambda p: p.c))};
#endif

#ifdef __cplusplus
}}
#endif

#endif
"""

    def comment(self) -> str:
        """Describe the function and each parameter, as Doxygen and editors show it."""
        written = ", ".join(p.name for p in self.parameters if p.output)
        lines = [
            *textwrap.wrap(f"Computes {written or 'nothing'}. Arrays are row-major and overlap with nothing.", 110)
        ]
        lines.append("")
        for p in self.shown:
            way = f"[{p.way}]" if p.way else ""
            text = self.function.flattened.members().get(p.name, "")
            lines.append(f"@param{way} {text or p.name} {p.shape}{'' if p.way else ', not used'}{self.meaning(p)}")
        needed = f"{self.name}_workspace({', '.join(p.name for p in self.asked)})"
        threads = ", asked for with as many threads as then run" if self.kernel.memory.by_threads else ""
        lines.append(f"@param {self.workspace} {needed} bytes at least, wherever they start{threads}")
        lines.append("@return POLYAD_OK or, negative, one of POLYAD_ERROR_...")
        wrapped = [w for line in lines for w in (textwrap.wrap(line, 110, subsequent_indent="  ") or [""])]
        return "/**\n" + "\n".join(f" * {line}".rstrip() for line in wrapped) + "\n */"

    def meaning(self, p: Passed) -> str:
        """Describe a derivative that has one name before the call and after it."""
        of = p.declaration.name
        if of in self.function.absent:
            return ": NULL, else POLYAD_ERROR_NULL is returned"
        if not p.is_overwritten or p.name == of:
            return ""
        if p.name == tangent_of(of):
            return f": before, the direction of {of}; after, the tangent of what {of} is left with"
        return f": before, the cotangent of what {of} is left with; after, the gradient by what {of} held"

    # C file

    def c(self) -> str:
        """The C file."""
        inner = self.kernel.name
        return "\n".join(
            [
                f"/* {self.name}: {MARKER}; calls {inner} with the parameters of {self.function.name} */",
                f"#define {self.flag}",
                f'#include "{self.name}.h"',
                f'#include "{inner}.h"',
                '#include "polyad_runtime.h"',
                "",
                "#include <string.h>",
                "",
                *self.widths(),
                function_text(self.bytes_function(), self.bytes_lines()),
                function_text(
                    self.call(spelled(self.function.flattened, self.shown, lambda p: p.flat)), self.call_lines()
                ),
            ]
        )

    def widths(self) -> list[str]:
        """Tests by the compiler that integers are as wide as those of the kernel."""
        found = {p.declaration.type for p in self.parameters if not p.by_value and p.declaration.type in BITS}
        lines = []
        for ctype in sorted(found):
            test = f"{self.name}_{ctype.replace(' ', '_')}_has_{abs(BITS[ctype])}_bits"
            lines.append(f"typedef char {test}[sizeof({ctype}) == {abs(BITS[ctype]) // 8} ? 1 : -1];")
        return [*lines, ""] if lines else []

    def size_lines(self) -> Lines:
        """The sizes that are made of others, -1 for no exact quotient, and the struct that the kernel takes."""
        lines: Lines = []
        for p in self.derived:
            if p.is_size:
                lines += self.made(p)
        by_name = {p.name: p for p in self.sizes}
        values = []
        for size in self.kernel.sizes:
            p = by_name[size]
            cast = "(int64_t)" if p.declaration.type.startswith("unsigned") else ""
            values.append(f"{cast}{_flat_name(p)}")
        return [*lines, f"const {self.kernel.name}_sizes {self.local('sizes')} = {{{', '.join(values) or '0'}}};"]

    def made(self, p: Passed) -> Lines:
        """A parameter that is none of C, from those that are."""
        return [f"const int64_t {_flat_name(p)} = {p.declaration.derived.text()};"] if p.declaration.derived else []

    def copy_bytes(self, p: Passed) -> str:
        """The bytes of an array: pa_times(pa_times(sizeof(double), sizes.n), sizes.m)."""
        array = self.program.arrays[p.input or p.output]
        result = f"sizeof({C_TYPES[array.dtype]})"
        for extent in array.shape:
            result = f"pa_times({result}, {affine_code(extent, self.names().value).text})"
        return result

    def names(self) -> Names:
        members = zip(self.kernel.sizes, self.kernel.size_members, strict=False)
        return Names(self.name, {}, Spelling({size: f"{self.local('sizes')}.{member}" for size, member in members}))

    def bytes_lines(self) -> Lines:
        """The body of f_grad_workspace."""
        sizes, inner = self.local("sizes"), f"{self.kernel.name}_workspace"
        stored = [*self.copied, *self.rows]
        if not stored:
            return [*self.size_lines(), f"return {inner}(&{sizes});"]
        arrays = [self.program.arrays[p.input or p.output] for p in stored]
        plan = MemoryPlan(tuple(Slot((a.name,), a.dtype, a.shape) for a in arrays))
        total = self.local("bytes")
        return [
            *self.size_lines(),
            *size_tests(context_condition(self.program.context), plan, self.names(), "SIZE_MAX"),
            f"size_t {total} = {inner}(&{sizes});",
            *(f"{total} = pa_after({total}, {self.copy_bytes(p)}); /* {p.name} */" for p in stored),
            f"return {total} > 0 ? pa_after({total}, PA_ALIGNMENT) : 0; /* room to start on a cache line */",
        ]

    def call_lines(self) -> Lines:
        """The body of f_grad."""
        sizes, total, workspace = self.local("sizes"), self.local("bytes"), self.workspace
        passed = [p for p in self.parameters if p.input or p.output or p.is_size]
        lines: Lines = unpacked(self.function.flattened, self.shown)
        lines += [f"PA_UNUSED({_flat_name(p)});" for p in self.shown if p not in passed]
        pointers = [_flat_name(p) for p in passed if not p.by_value]
        if pointers:
            absent = infix("||", *(word(f"{n} == NULL") for n in pointers))
            lines.append(code("if ({}) return POLYAD_ERROR_NULL;", absent))
        for p in self.parameters:
            if p.name in self.function.absent:
                lines.append(f"if ({_flat_name(p)} != NULL) return POLYAD_ERROR_NULL;")
        lines += [
            *self.size_lines(),
            f"const size_t {total} = {self.name}_workspace({', '.join(_flat_name(p) for p in self.asked)});",
            f"if ({total} == SIZE_MAX) return POLYAD_ERROR_SIZE;",
            f"if ({total} > 0 && {workspace} == NULL) return POLYAD_ERROR_NULL;",
        ]
        for p in self.derived:
            if not p.is_size:
                lines += [*self.made(p), f"if ({_flat_name(p)} < 0) return POLYAD_ERROR_SIZE;"]
        given: dict[str, str] = {}  # input or output of the program -> what the kernel is given
        after: Lines = []
        if self.copied or self.rows:
            place, rest, index = self.local("slots"), self.local("rest"), self.local("position")
            lines.append(f"unsigned char *{place} = (unsigned char *)PA_ALIGNED({workspace});")
            for p in self.rows:
                block, ctype = (
                    self.local(f"{_flat_name(p)}_block"),
                    C_TYPES[self.program.arrays[p.input or p.output].dtype],
                )
                lines.append(f"{ctype} *const {block} = ({ctype} *)(void *){place};")
                if p.input:
                    lines += self.rows_copied(p, block, into_block=True)
                if p.output:
                    after += self.rows_copied(p, block, into_block=False)
                    given[p.output] = block
                if p.input:
                    given[p.input] = block
                lines.append(f"{place} += PA_ALIGN_UP({self.copy_bytes(p)});")
            for p in self.copied:
                name, ctype = _flat_name(p), C_TYPES[self.program.arrays[p.input].dtype]
                copy, count = self.local(f"{name}_before"), self.local(f"{name}_bytes")
                lines += [
                    f"{ctype} *const {copy} = ({ctype} *)(void *){place};",
                    f"const size_t {count} = {self.copy_bytes(p)};",
                    # It is less whenever there is any; compilers warn of a copy of SIZE_MAX bytes if it is not said.
                    f"if ({count} > 0 && {count} < {total}) memcpy({copy}, {given.get(p.output, name)}, {count});"
                    if not self.is_converted(p)
                    else f"for (size_t {index} = 0; {index} < {count} / sizeof({ctype}); ++{index}) "
                    f"{copy}[{index}] = {name}[{index}];",
                    f"{place} += PA_ALIGN_UP({count});",
                ]
                given[p.input] = copy
            lines.append(f"const size_t {rest} = {self.kernel.name}_workspace(&{sizes});")
            workspace, total = place, rest
        for p in passed:
            if p.input and p.by_value:
                lines += self.number(p, given)
            elif p.input and p.input not in given:
                given[p.input] = self.pointer(p, "" if p.output else "const ")
            if p.output and p.output not in given:
                given[p.output] = self.pointer(p, "")
        arguments = ", ".join([f"&{sizes}", *(given[a.name] for a in self.kernel.parameters), workspace, total])
        status = self.local("status")
        call = f"const int {status} =" if after else "return"
        text = textwrap.wrap(f"{call} {self.kernel.name}({arguments});", WIDTH - 2, subsequent_indent="    ")
        if after:
            after = [f"if ({status} != POLYAD_OK) return {status};", *after, f"return {status};"]
        return [*lines, *text, *after]

    def rows_copied(self, p: Passed, block: str, *, into_block: bool) -> Lines:
        """Loops that copy the rows of an array into a block, or back."""
        array = self.program.arrays[p.input or p.output]
        counts = [f"(size_t)({affine_code(extent, self.names().value).text})" for extent in array.shape]
        indices = [self.local(f"row_{k}") for k in range(len(counts) - 1)]
        row = _flat_name(p) + "".join(f"[{i}]" for i in indices)
        place = indices[0]
        for count, index in zip(counts[1:], indices[1:], strict=False):
            place = f"({place}) * {count} + {index}"
        in_block = f"{block} + ({place}) * {counts[-1]}"
        target, source = (in_block, row) if into_block else (row, in_block)
        loops = " ".join(f"for (size_t {i} = 0; {i} < {n}; {i}++)" for i, n in zip(indices, counts, strict=False))
        return [
            f"if ({counts[-1]} > 0)",
            f"  {loops}",
            f"    memcpy({target}, {source}, {counts[-1]} * sizeof *{block});",
        ]

    def number(self, p: Passed, given: dict[str, str]) -> Lines:
        """A number, where the kernel finds it."""
        name, dtype = _flat_name(p), self.program.arrays[p.input].dtype
        given[p.input] = f"&{name}"
        if C_TYPES[dtype] == p.declaration.type:
            return []
        value = self.local(f"{name}_value")
        given[p.input] = f"&{value}"
        return [f"const {C_TYPES[dtype]} {value} = ({C_TYPES[dtype]}){name};"]

    def pointer(self, p: Passed, const: str) -> str:
        """An array, as the kernel takes it."""
        dtype = self.program.arrays[p.input or p.output].dtype
        ctype = C_TYPES[dtype]
        return _flat_name(p) if ctype == p.declaration.type else f"({const}{ctype} *){_flat_name(p)}"


def _plain(kind: str) -> str:
    """`int` of `int32_t`."""
    return {"int32_t": "int", "int64_t": "long"}.get(kind, kind)


def _flat_name(p: Passed) -> str:
    """The name of a parameter where C++ reads it, too."""
    return p.flat.rpartition(" ")[2].lstrip("*")
