"""The header compiled as loops over arrays, always from the text in this tree, never from an installed extension."""

import fcntl
import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from polyad_c import accuracy, include_dir
from polyad_c.build_runtime import load


@pytest.fixture(scope="session", params=list(accuracy.VARIANTS))
def runtime(request: pytest.FixtureRequest) -> Any:
    """Array versions of the header's functions; every test that uses it runs once for each set of compiler flags."""
    return variant(request.param)


@pytest.fixture(scope="session")
def reference() -> Any:
    """The C library's functions over arrays, in the next wider type."""
    return once_in_a_run("reference", accuracy.build_reference)


@cache  # pytest forgets the value of a fixture when it turns to the next of its parameters
def variant(name: str) -> Any:
    return once_in_a_run(name, lambda folder: accuracy.build_variant(accuracy.VARIANTS[name], folder))


def once_in_a_run(name: str, build: Callable[[Path], Any]) -> Any:
    """Return what `build` compiles into a folder, compiled by the first of the processes that share the tests."""
    headers = b"".join(path.read_bytes() for path in sorted(include_dir().glob("*.h")))
    folder = (
        Path(os.environ["POLYAD_CACHE_DIR"]).with_name("runtime headers") / hashlib.sha256(headers).hexdigest() / name
    )
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "done"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if done.exists():
            return load(*done.read_text().splitlines())
        module = build(folder)
        done.write_text(f"{module.__name__}\n{module.__file__}\n")
        return module
