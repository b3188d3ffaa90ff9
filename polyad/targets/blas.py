"""BLAS libraries that large contractions may be sent to, by choice: nothing here is needed without `Target(blas=)`."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BLAS", "BlasLibrary"]


@dataclass(frozen=True, slots=True)
class BlasLibrary:
    """A library with the C interface of BLAS.

    Attributes:
        name: what the user writes.
        package: of pkg-config.
        link: how it is linked where the linker finds it by itself.
        wheels: Python packages that carry it, and the pattern of its file in them.
        cure: how to get it.
    """

    name: str
    package: str
    link: str
    wheels: tuple[tuple[str, str], ...]
    cure: str


BLAS: dict[str, BlasLibrary] = {
    library.name: library
    for library in (
        BlasLibrary(
            "openblas",
            package="openblas",
            link="-lopenblas",
            wheels=(
                ("scipy_openblas32", "lib/libscipy_openblas*"),
                ("scipy_openblas64", "lib/libscipy_openblas*"),
                ("numpy", "../numpy.libs/libscipy_openblas*"),
                ("numpy", ".dylibs/libscipy_openblas*"),
            ),
            cure="install it (Debian, Ubuntu: apt install libopenblas-dev; Fedora: dnf install openblas-devel; "
            "macOS: brew install openblas; anywhere, for kernels called from Python: pip install scipy-openblas32), or "
            "leave out blas=, which needs no library",
        ),
    )
}
