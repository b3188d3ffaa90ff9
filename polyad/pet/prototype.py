"""The function around a loop nest: its name, its parameters with types and extents, and what else it declares."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from pycparser import c_ast, c_generator

from polyad.pet.c_text.definitions import CDefinition, CText
from polyad.pet.c_text.parse import declared_type, parse_definition, walk
from polyad.pet.c_text.tables import Table
from polyad.pet.derived import Derived, without
from polyad.pet.flattened import Flattened
from polyad.pet.promises import Promises
from polyad.pet.refusal import refusal

__all__ = [
    "BITS",
    "Constants",
    "Function",
    "Parameter",
    "canonical_name",
    "canonical_type",
    "read_function",
    "with_origins",
    "with_returned",
    "with_shapes",
    "with_tables",
]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function, or another variable that is declared outside of the loop nest.

    Attributes:
        name: as in C.
        type: of the element, or of the scalar: `double`, `float`, `int`, `unsigned long`; typedefs are looked up.
        shape: extents as C text; "" for one that the declaration does not give: `double *x`, `double x[]`.
        const: whether the function says that it does not write it.
        spelling: the declaration as C text.
        flat: whether it is declared with one dimension, and has those that its subscripts stand for: `A[i * m + j]`.
        rows: whether it is an array of pointers to rows, `double **a`, and not a block of memory.
        derived: what it is of other parameters, if it is none of C.
    """

    name: str
    type: str
    shape: tuple[str, ...]
    const: bool
    spelling: str
    flat: bool = False
    rows: bool = False
    derived: Derived | None = None

    @property
    def by_value(self) -> bool:
        """Whether it is a scalar, of which the function has a copy."""
        return not self.shape

    @property
    def rank(self) -> int:
        """The number of its dimensions."""
        return len(self.shape)


@dataclass(frozen=True, slots=True)
class Constants:
    """An array of numbers that are part of the text.

    Attributes:
        name: as in C.
        type: of the elements.
        shape: extents.
        values: row by row.
    """

    name: str
    type: str
    shape: tuple[int, ...]
    values: tuple[float | int, ...]


@dataclass(frozen=True, slots=True)
class Function:
    """The prototype of a function.

    Attributes:
        name: as in C.
        result: the type of what it returns: `void`, `double`.
        parameters: in order.
        spelling: the prototype as C text, without a semicolon.
        line: where it begins.
        returned: the last parameter, if it is none of C, but the array of one element that holds what the function
            returns; "" where there is none.
        tables: arrays of numbers in the text that are read, by name.
        locals: names of the variables that it declares, inside and outside of the loop nest.
        absent: parameters that are NULL in the program that was read.
        path: the file.
        flattened: its structs, in whose place their members are among the parameters.
    """

    name: str
    result: str
    parameters: tuple[Parameter, ...]
    spelling: str
    line: int
    returned: str = ""
    tables: tuple[Constants, ...] = ()
    locals: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    path: str = ""
    flattened: Flattened = field(default_factory=Flattened)


BITS = {
    "_Bool": 8,
    "char": -8,
    "signed char": -8,
    "unsigned char": 8,
    "short": -16,
    "unsigned short": 16,
    "int": -32,
    "unsigned int": 32,
    "long": -64,
    "unsigned long": 64,
    "long long": -64,
    "unsigned long long": 64,
}
"""Widths of the integer types on the machines that libpet runs on, negative where they are signed."""

_NONE = Promises()

_SIZES = {"char": "char", "short": "short", "int": "int", "long": "long", "long long": "long long"}


def read_function(
    text: CText, definition: CDefinition, tree: c_ast.FuncDef | None = None, promises: Promises = _NONE
) -> Function:
    """The prototype of a function of the file.

    Args:
        text: the file.
        definition: the function.
        tree: the function as a tree, if it is known.
        promises: what its caller promises.

    Raises:
        ExtractionError: a parameter has a type that cannot be modelled.
    """
    tree = parse_definition(text, definition) if tree is None else tree
    declaration = tree.decl.type
    parameters = declaration.args.params if declaration.args is not None else []
    if any(isinstance(p, c_ast.EllipsisParam) for p in parameters):
        raise refusal(text.path, definition.first, "...", "a function with `...` has parameters that nothing describes")
    named = [p for p in parameters if isinstance(p, c_ast.Decl)]
    written = c_generator.CGenerator().visit(tree.decl)
    return Function(
        name=definition.name,
        result=canonical_type(text, declaration.type, definition.first),
        parameters=tuple(
            _promised(text, read_variable(text, p, definition.first, promises.noalias), definition.first, promises)
            for p in named
        ),
        spelling=written,
        line=definition.first,
        locals=frozenset(n.name for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl) and n.name),
        absent=promises.absent,
        path=text.path,
    )


def with_returned(function: Function, name: str) -> Function:
    """The function with what it returns as one more array, of one element; as it is where the name is ""."""
    if not name:
        return function
    value = Parameter(name, function.result, ("1",), const=False, spelling=f"{function.result} {name}[1]")
    return replace(function, parameters=(*function.parameters, value), returned=name)


def with_origins(function: Function, derived: Mapping[str, Derived], flattened: Flattened) -> Function:
    """The function with what is said of parameters that are none of C: those of others, and members of structs."""
    parameters = tuple(replace(p, derived=derived.get(p.name)) for p in function.parameters)
    spelling = flattened.spelling or function.spelling
    return replace(function, parameters=parameters, flattened=flattened, spelling=spelling)


def with_tables(text: CText, function: Function, tables: Mapping[str, Table]) -> Function:
    """The function with the tables that it reads."""
    own = {p.name for p in function.parameters}
    found = tuple(
        Constants(name, canonical_type(text, table.type, function.line, name), table.shape, table.values)
        for name, table in tables.items()
        if name not in own
    )
    return replace(function, tables=found)


def _promised(text: CText, parameter: Parameter, line: int, promises: Promises) -> Parameter:
    """A parameter with the extents that its caller promises.

    Raises:
        ExtractionError: it has another number of dimensions.
    """
    shape = promises.shapes.get(parameter.name)
    if shape is None:
        return parameter
    if len(shape) == parameter.rank:
        return replace(parameter, shape=shape)
    if parameter.rank == 1:  # with linear subscripts
        return replace(parameter, shape=shape, flat=True)
    sentence = (
        f"`{parameter.name}` has {parameter.rank or 'no'} dimensions, and {len(shape)} extents are promised "
        f"({', '.join(shape)}); give one for each"
    )
    raise refusal(text.path, line, "shape", sentence)


def read_variable(text: CText, declaration: c_ast.Decl, line: int, noalias: Collection[str] = ()) -> Parameter:
    """A parameter, or another variable, from its declaration.

    Args:
        text: the file.
        declaration: of the variable.
        line: where it stands, if the declaration does not say it.
        noalias: pointers to pointers whose rows do not overlap.

    Raises:
        ExtractionError: its type cannot be modelled.
    """
    line = declaration.coord.line if declaration.coord is not None else line
    shape: list[str] = []
    kind, rows = declaration.type, False
    while True:
        if isinstance(kind, c_ast.ArrayDecl) and not rows:
            shape.append(c_generator.CGenerator().visit(kind.dim) if kind.dim is not None else "")
            kind = kind.type
        elif isinstance(kind, c_ast.PtrDecl):
            rows = rows or bool(shape) or isinstance(kind.type, c_ast.PtrDecl)
            if rows and declaration.name not in noalias:
                name = declaration.name
                raise refusal(
                    text.path,
                    line,
                    "pointers to pointers",
                    f"`{name}` is an array of pointers, which may point to the same elements; if its rows never "
                    f"overlap, say so by `#pragma polyad noalias {name}` before the function (--assume-noalias {name}, "
                    f"assume_noalias={name!r}), or declare it as an array with extents: `double {name}[n][m]`",
                )
            shape.append("")
            kind = kind.type
        elif isinstance(kind, c_ast.TypeDecl) and _alias(text, kind) is not None:
            alias = _alias(text, kind)
            if isinstance(alias, c_ast.TypeDecl):
                break
            kind = alias  # typedef double vector[3];
        else:
            break
    element = canonical_type(text, kind, line, declaration.name or "")
    const = "const" in (getattr(kind, "quals", None) or ()) or "const" in (declaration.quals or ())
    return Parameter(
        name=declaration.name or "",
        type=element,
        shape=tuple(shape),
        const=const,
        spelling=c_generator.CGenerator().visit(declaration),
        rows=rows,
    )


def with_shapes(function: Function, shapes: Mapping[str, tuple[str, ...]]) -> Function:
    """The function with more dimensions of parameters that are declared with one.

    Args:
        function: any.
        shapes: parameter -> extents, the first of them "". Where the declaration says how many elements there are in
            all, `double A[n * m]`, the first extent follows from it.
    """

    def shaped(parameter: Parameter) -> Parameter:
        if parameter.name not in shapes or parameter.rank != 1:
            return parameter
        _, *inner = shapes[parameter.name]
        first = _quotient(parameter.shape[0], " * ".join(inner)) if parameter.shape[0] else ""
        return replace(parameter, shape=(first, *inner), flat=True)

    return replace(function, parameters=tuple(shaped(p) for p in function.parameters))


def _quotient(product: str, divisor: str) -> str:
    """A product of names and numbers without some of its factors; "" where it is no such product."""
    if not re.fullmatch(r"[\w\s*()]+", product):
        return ""
    rest = without(tuple(re.findall(r"\w+", product)), tuple(re.findall(r"\w+", divisor)))
    return "" if rest is None else " * ".join(rest) or "1"


def canonical_type(text: CText, kind: c_ast.Node, line: int, name: str = "") -> str:
    """The one spelling of a scalar type: `unsigned long` for `size_t` and for `long unsigned int`.

    Raises:
        ExtractionError: it is none of float, double, void or an integer.
    """
    what = f"`{name}`" if name else "a cast, or what the function returns,"
    if {"volatile", "_Atomic"} & set(getattr(kind, "quals", None) or ()):
        raise refusal(
            text.path, line, "volatile", f"{what} is volatile or atomic: others may change it at any time; use a copy"
        )
    while isinstance(kind, c_ast.TypeDecl):
        kind = kind.type
    if isinstance(kind, c_ast.Enum):
        return "int"
    if isinstance(kind, c_ast.Struct | c_ast.Union):
        word = "struct" if isinstance(kind, c_ast.Struct) else "union"
        raise refusal(text.path, line, word, f"{what} is a {word}; pass its members as arrays and numbers of their own")
    if isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl):
        raise refusal(
            text.path, line, "pointer", f"{what} is a pointer where a number is expected; use arrays and indices"
        )
    if not isinstance(kind, c_ast.IdentifierType):
        raise refusal(
            text.path, line, "type", f"{what} has a type that cannot be modelled; use float, double or integers"
        )
    words = list(kind.names)
    if len(words) == 1 and (alias := declared_type(text, words[0])) is not None:
        return canonical_type(text, alias, line, name)
    return _canonical(text, words, line, what)


def canonical_name(text: CText, spelled: str, line: int, name: str) -> str:
    """The one spelling of a type that pet names: `double` of `const real_t`."""
    words = [w for w in spelled.split() if w != "const"]
    if len(words) == 1 and (alias := declared_type(text, words[0])) is not None:
        while isinstance(alias, c_ast.ArrayDecl):
            alias = alias.type
        return canonical_type(text, alias, line, name)
    if words[:1] == ["enum"]:
        return "int"
    if words == ["__int128"]:
        return "long"  # a size or a loop variable, which pet is given so
    return _canonical(text, words, line, f"`{name}`" if name else "a cast")


def _canonical(text: CText, words: list[str], line: int, what: str) -> str:
    """The one spelling of a list of words such as `long`, `unsigned`, `int`, in any order."""
    spelled = " ".join(words)
    if spelled in ("float", "double", "void"):
        return spelled
    if spelled in ("_Bool", "bool"):
        return "_Bool"
    unsigned = "unsigned" in words
    rest = [w for w in words if w not in ("unsigned", "signed")]
    if sorted(rest) in (["int", "long"], ["int", "long", "long"], ["int", "short"]):
        rest.remove("int")
    size = _SIZES.get(" ".join(rest) or "int")
    if size is not None:
        if size == "char" and "signed" in words:
            return "signed char"
        return f"unsigned {size}" if unsigned else size
    known = "complex numbers" if "_Complex" in words else f"`{spelled}`"
    raise refusal(
        text.path, line, spelled, f"{what} has the type {known}, which polyad does not have; use float or double"
    )


def _alias(text: CText, kind: c_ast.TypeDecl) -> c_ast.Node | None:
    """Return the type behind the typedef that a declaration uses."""
    if isinstance(kind.type, c_ast.IdentifierType) and len(kind.type.names) == 1:
        return declared_type(text, kind.type.names[0])
    return None
