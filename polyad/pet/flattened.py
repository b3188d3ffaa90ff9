"""Structs among the parameters of a C function, and the parameters in their place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Flattened", "StructArgument"]


@dataclass(frozen=True, slots=True)
class StructArgument:
    """A parameter that is a struct, or points to one; in its place are those of its members that are used.

    Attributes:
        name: in C.
        spelling: its declaration.
        members: parameter in its place -> what it is in C: `l->w`.
        is_pointer: whether it may be NULL.
    """

    name: str
    spelling: str
    members: Mapping[str, str]
    is_pointer: bool


@dataclass(frozen=True, slots=True)
class Flattened:
    """The parameters in place of structs, and those that a function had.

    Attributes:
        own: the names of those that a function had, in order.
        structs: those of them that are structs, by name.
        types: the definitions of their types.
        spelling: the prototype as it was.
    """

    own: tuple[str, ...] = ()
    structs: Mapping[str, StructArgument] = field(default_factory=dict)
    types: str = ""
    spelling: str = ""

    def members(self) -> dict[str, str]:
        """Parameter -> what it is in C, for those that are members."""
        return {name: text for struct in self.structs.values() for name, text in struct.members.items()}
