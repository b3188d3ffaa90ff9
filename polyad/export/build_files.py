"""The files by which C projects find an exported kernel: pkg-config and CMake.

Both name everything relative to themselves, so the folder may be moved.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyad.export.library_names import LibraryNames
from polyad.export.marker import MARKER

__all__ = ["cmake_config", "cmake_version", "pkg_config"]


def pkg_config(name: str, description: str, private: Sequence[str], requires: str = "", version: str = "1.0.0") -> str:
    """The text of `name.pc`.

    Args:
        name: of the kernel.
        description: one line.
        private: what the static library needs when it is linked, such as -lm.
        requires: the pkg-config package of a library that it needs, "" for none.
        version: of the library.
    """
    required = f"Requires.private: {requires}\n" if requires else ""
    why = ", which needs the OpenMP library of the compiler that made it" if "-fopenmp" in private else ""
    return f"""# {name}.pc: {MARKER}
prefix=${{pcfiledir}}

Name: {name}
Description: {description}
Version: {version}
{required}Cflags: -I${{prefix}}
# Libs.private is for the static library{why}.
Libs: -L${{prefix}} -l{name}
Libs.private: {" ".join(private)}
"""


def cmake_config(name: str, libraries: LibraryNames, private: Sequence[str]) -> str:
    """The text of `nameConfig.cmake`, for `find_package(name CONFIG)`.

    Args:
        name: of the kernel.
        libraries: the names of their files.
        private: what the static library needs when it is linked, such as -lm.
    """
    return f"""# {name}Config.cmake: {MARKER}
# Imported targets: {name}::{name} (the shared library) and {name}::static.

if(NOT TARGET {name}::{name})
  add_library({name}::{name} SHARED IMPORTED)
  set_target_properties({name}::{name} PROPERTIES
    IMPORTED_LOCATION "${{CMAKE_CURRENT_LIST_DIR}}/{libraries.shared}"
    IMPORTED_SONAME "{libraries.shared}"
    INTERFACE_INCLUDE_DIRECTORIES "${{CMAKE_CURRENT_LIST_DIR}}")
endif()

if(NOT TARGET {name}::static)
  add_library({name}::static STATIC IMPORTED)
  set_target_properties({name}::static PROPERTIES
    IMPORTED_LOCATION "${{CMAKE_CURRENT_LIST_DIR}}/{libraries.static}"
    IMPORTED_LINK_INTERFACE_LANGUAGES "C"
    INTERFACE_INCLUDE_DIRECTORIES "${{CMAKE_CURRENT_LIST_DIR}}"
    INTERFACE_LINK_LIBRARIES "{";".join(private)}")
endif()
"""


def cmake_version(name: str, version: str) -> str:
    """The text of `nameConfigVersion.cmake`: a request for an earlier version of the same major number is met.

    Args:
        name: of the kernel.
        version: of the library.
    """
    major = version.split(".")[0]
    return f"""# {name}ConfigVersion.cmake: {MARKER}
set(PACKAGE_VERSION "{version}")
set(PACKAGE_VERSION_COMPATIBLE FALSE)
set(PACKAGE_VERSION_EXACT FALSE)
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
if(PACKAGE_FIND_VERSION_MAJOR EQUAL {major} AND NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
"""
