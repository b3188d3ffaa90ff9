"""Build polyad_c._runtime, the optional compiled part; everything else stands in pyproject.toml.

The extension only makes things faster or nicer. No C compiler, no cffi, a failing compilation: the installation
goes on without it, with a warning that says so.
"""

import runpy
import warnings
from pathlib import Path

from setuptools import Extension, setup

ROOT = Path(__file__).resolve().parent


def runtime_extension() -> list[Extension]:
    """Return polyad_c._runtime as an optional extension, or nothing where its C text cannot be written."""
    script = ROOT / "polyad_c" / "build_runtime.py"
    try:
        ffibuilder = runpy.run_path(str(script))["ffibuilder"]
        # setuptools accepts only paths relative to this file, so the generated C goes to ./build.
        extension: Extension = ffibuilder.distutils_extension(tmpdir="build", verbose=False)
    except Exception as error:  # whatever goes wrong here must not stop an installation
        warnings.warn(f"polyad is installed without polyad_c._runtime: {error}", stacklevel=1)
        return []
    # setuptools turns a compiler error of an optional extension into a warning.
    extension.optional = True
    # cffi writes C for the stable ABI: one build serves every Python from 3.11 on.
    extension.py_limited_api = True
    return [extension]


setup(
    ext_modules=runtime_extension(),
    options={
        "bdist_wheel": {"py_limited_api": "cp311"},
        # A path in a .pth file instead of an import hook: Python then finds the package from the folder that holds the
        # clone, whose name is that of the package, and type checkers find it at all.
        "editable_wheel": {"mode": "compat"},
    },
)
