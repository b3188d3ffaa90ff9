"""Structs in an exported function: it takes them as the C function does, and unpacks them.

int f_grad(const struct layer *l, const double *x, ...)
{
  if (l == NULL) return POLYAD_ERROR_NULL;
  int l_n = l->n;
  const double *l_w = l->w;
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from polyad.codegen.text.line_text import Lines
from polyad.pet.flattened import Flattened
from polyad.pet.handed_back.parameters import Passed

__all__ = ["spelled", "types", "unpacked"]


def spelled(flattened: Flattened, parameters: Sequence[Passed], spell: Callable[[Passed], str]) -> list[str]:
    """The declarations of parameters, with structs in place of their members."""
    found: list[str] = []
    for name in flattened.own:
        struct = flattened.structs.get(name)
        found += [struct.spelling] if struct is not None else [spell(p) for p in parameters if p.name == name]
    known = {*flattened.members(), *flattened.own}
    return [*found, *(spell(p) for p in parameters if p.name not in known)]


def types(flattened: Flattened, upper: str) -> str:
    """The types of structs, for the header of a function: who declares them otherwise defines a macro."""
    if not flattened.types:
        return ""
    macro = f"{upper}_HAS_TYPES"
    return f"\n#ifndef {macro} /* define it where these types are declared before */\n{flattened.types}\n#endif\n"


def unpacked(flattened: Flattened, parameters: Sequence[Passed]) -> Lines:
    """The members of structs, as variables."""
    structs = flattened.structs.values()
    lines: Lines = [f"if ({s.name} == NULL) return POLYAD_ERROR_NULL;" for s in structs if s.is_pointer and s.members]
    lines += [f"PA_UNUSED({s.name});" for s in structs if not s.members]
    members = flattened.members()
    return [*lines, *(f"{p.flat} = {members[p.name]};" for p in parameters if p.name in members)]
