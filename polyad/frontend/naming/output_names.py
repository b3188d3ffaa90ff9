"""Names of outputs from the keys of their tree: `{"loss": L, "grads": {"W": g}}` makes `loss` and `grads_W`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from polyad.errors import DefinitionError
from polyad.frontend.symbols import check_identifier

__all__ = ["checked_output_names", "output_names"]


def output_names(paths: Sequence[str]) -> list[str | None]:
    """A name for each leaf from its path (`['grads']['W']`, `.loss`), None where no key or field says one."""
    return [_name(p) for p in paths]


def _name(path: str) -> str | None:
    words = re.findall(r"\w+", path)
    if not any(not w.isdigit() for w in words):
        return None
    try:
        return check_identifier("_".join(words), "output")
    except DefinitionError:
        return None


def checked_output_names(paths: Sequence[str], taken: Collection[str]) -> list[str | None]:
    """As `output_names`, for keys that have to be the names in C.

    Args:
        paths: of the leaves.
        taken: names of inputs and sizes.

    Raises:
        DefinitionError: a key is not an identifier, or is the name of an input, a size or another output.
    """
    names = output_names(paths)
    for path, name in zip(paths, names, strict=True):
        keys = re.findall(r"\['([^']*)'\]", path)
        if name is None and not keys:
            continue
        text = "_".join(re.findall(r"\w+", path))
        if name is None or any(not re.fullmatch(r"\w+", k) for k in keys):
            raise DefinitionError(
                f"the key of output{path} names an argument in C and has to be an identifier: letters, digits and _, "
                "not starting with a digit, no keyword of Python; choose another key"
            )
        if name in taken or names.count(name) > 1:
            whose = "an input or a size" if name in taken else "two outputs"
            raise DefinitionError(
                f"output{path} would be called {text!r} in C, which is the name of {whose}; choose another key"
            )
    return names
