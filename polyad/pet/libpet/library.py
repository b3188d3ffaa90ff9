"""The folder of libpet: the one that POLYAD_PET names, or the one that the tadashi wheel brings.

The wheel is looked for and never imported: its extension modules would load the same libraries into this process.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path

from polyad.errors import ExtractionError

__all__ = ["HOW_TO_GET_PET", "PetLibrary", "find_pet"]

HOW_TO_GET_PET = (
    "pip install 'polyad[pet]' brings it for x86-64 Linux; elsewhere build pet, and set POLYAD_PET to the folder of "
    "libpet.so and of the libraries that it needs"
)

_VARIABLE = "POLYAD_PET"
_WHEEL = "tadashi"


@dataclass(frozen=True, slots=True)
class PetLibrary:
    """A libpet that can be loaded.

    Attributes:
        folder: holds libpet, and beside it the libraries that it needs, unless the system has them.
        headers: clang's own headers (`stddef.h`), None where libpet finds them itself.
        origin: which one it is, for people.
    """

    folder: Path
    headers: Path | None
    origin: str


def find_pet() -> PetLibrary:
    """The libpet to use.

    Raises:
        ExtractionError: there is none.
    """
    chosen = os.environ.get(_VARIABLE, "").strip()
    if chosen:
        folder = Path(chosen)
        if not _holds(folder, "libpet"):
            raise ExtractionError(
                f"{_VARIABLE}={chosen!r}: no libpet in this folder; {HOW_TO_GET_PET}", construct="pet"
            )
        return PetLibrary(folder, None, f"{folder}, from {_VARIABLE}")
    spec = importlib.util.find_spec(_WHEEL)
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        package = Path(place)
        folder = package.parent / f"{_WHEEL}.libs"
        if _holds(folder, "libpet"):
            headers = package / "include"
            return PetLibrary(folder, headers if headers.is_dir() else None, f"{_WHEEL} {_version()}")
    raise ExtractionError(f"reading C needs libpet, which is not installed: {HOW_TO_GET_PET}", construct="pet")


def _holds(folder: Path, name: str) -> bool:
    """Whether a folder has a library, with or without a hash in its file's name."""
    return any(folder.glob(f"{name}[-.]*"))


def _version() -> str:
    try:
        return importlib.metadata.version(_WHEEL)
    except importlib.metadata.PackageNotFoundError:
        return "of unknown version"
