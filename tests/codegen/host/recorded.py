"""The calls of a driver by the C that launches kernels, beside those of the launch record: nothing runs."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from polyad.codegen.certify.integers import condition_function
from polyad.codegen.launch_shape import Geometry, Parameter
from polyad.codegen.loops.value_text import read_condition
from polyad.codegen.loops.words import Words
from polyad.codegen.source import Source
from polyad.machine.device import Limits
from polyad.runtime.library import source_files

HERE = Path(__file__).parent
STREAM, WORKSPACE = 64, 4000  # addresses; the workspace begins on no multiple of 256
TOO_LARGE = 2**64 - 1

Sizes = Mapping[str, int]


class Device(NamedTuple):
    """A device, as its driver describes it."""

    generation: int
    code: int  # what kernels were compiled for
    multiprocessors: int
    shared: int  # bytes of a block

    @property
    def limits(self) -> Limits:
        """The same for a launch record."""
        return Limits(self.multiprocessors, self.shared, 8 if self.generation >= 9 and self.code >= 90 else 1)


NEW, OLD, FOREIGN = Device(9, 90, 132, 227 << 10), Device(8, 80, 108, 99 << 10), Device(10, 80, 148, 227 << 10)
TOGETHER = 1001  # told where all blocks have to run at the same time


def built(source: Source, folder: Path, host: str | None = None) -> Path:
    """The library of a kernel, with an image that nobody looks at; `host`: another text than its own."""
    files = {**source_files(source), "image.c": f"const unsigned char {source.name}_image[] = {{0}};\n"}
    for name, text in (files | ({} if host is None else {f"{source.name}.c": host})).items():
        (folder / name).write_text(text, encoding="utf-8")
    strict = ["-std=c99", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion", "-Wsign-conversion"]
    command = ["cc", *strict, "-shared", "-fPIC", f"{source.name}.c", "image.c", "-ldl", "-lpthread", "-o", "made.so"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "made.so"


def recorder(folder: Path) -> Path:
    """The driver that runs nothing."""
    path = folder / "libcuda.so.1"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1"]
    subprocess.run(["cc", *flags, str(HERE / "recorder.c"), "-o", str(path)], check=True)
    return path


def recorded(
    source: Source, library: Path, driver: Path, cases: Sequence[Sizes], fails: int = 0, device: Device = NEW
) -> Any:
    """The calls of the driver at several sizes."""
    given = {
        "driver": str(driver),
        "library": str(library),
        "name": source.name,
        "kernels": {launch.kernel: len(launch.parameters) for launch in source.launches},
        "arrays": _arrays(source),
        "workspace": WORKSPACE,
        "stream": STREAM,
        "cases": [[sizes[name] for name in source.sizes] for sizes in cases],
        "says": [fails, *device],
    }
    command = [sys.executable, "-I", str(HERE / "record.py")]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def expected(source: Source, sizes: Sizes, device: Device = NEW) -> dict[str, Any]:
    """The same by the launch record, the memory plan and the condition on sizes."""
    allows = condition_function(read_condition(Words(1, source.requires))) if source.requires else None
    if any(abs(size) >= 2**47 for size in sizes.values()) or (allows is not None and not allows(dict(sizes))):
        return {"workspace": TOO_LARGE, "status": -3, "told": []}
    needed = source.workspace_bytes(sizes)
    if needed >= 2**62:
        return {"workspace": TOO_LARGE, "status": -3, "told": []}
    arrays = dict(zip([a.name for a in source.parameters], _arrays(source), strict=True))
    places, place = [], -(-WORKSPACE // 256) * 256
    assert source.memory.front == (256 + 512 * 128 if _has_teams(source) else 8 if source.checks else 0)
    for size in (source.memory.front, *(slot.bytes(sizes) for slot in source.memory.slots)):
        places.append(place)
        place += -(-size // 256) * 256

    def value(parameter: Parameter, asked: Geometry) -> int:
        match parameter.kind:
            case "size":
                return sizes[parameter.name] % 2**64
            case "array":
                return arrays[parameter.name]
            case "slot":
                return places[int(parameter.name) + 1]
            case "meetings":
                return places[0] + 256
            case "members":
                return asked.members if asked.counts else 0
            case _:
                return places[0]

    told: list[dict[str, Any]] = []
    if source.checks:
        told.append({"cleared": [places[0], 0, 8, STREAM]})
    for launch in source.launches:
        asked = launch.geometry(sizes, device.limits)
        if asked.counts and asked.blocks:
            told.append({"cleared": [places[0] + 256, 0, 128 * asked.blocks // asked.members, STREAM]})
        elif asked.members > 1:
            asked = launch.with_clusters(asked, sizes, 35 // asked.members)
        if asked.blocks:
            values = [value(p, asked) for p in launch.parameters]
            more = [min(asked.room, device.shared - 1000), STREAM, TOGETHER if asked.counts else asked.members]
            grid, block = [asked.blocks, 1, 1], [asked.threads, 1, 1]
            told.append({"kernel": launch.kernel, "grid": grid, "block": block, "values": values, "more": more})
    return {"workspace": needed, "status": 0, "told": told}


def compare(source: Source, library: Path, driver: Path, cases: Sequence[Sizes], device: Device = NEW) -> None:
    """Expect both to be the same at several sizes."""
    found = recorded(source, library, driver, cases, device=device)
    assert found["loads"] <= 1
    for sizes, said in zip(cases, found["cases"], strict=True):
        assert said == expected(source, sizes, device), f"{source.name} at {sizes}"


def _has_teams(source: Source) -> bool:
    return any(launch.over == "teams" for launch in source.launches)


def _arrays(source: Source) -> list[int]:
    return [(n + 1) << 20 for n in range(len(source.parameters))]
