"""Call the C that launches kernels, on a driver that runs nothing (recorder.c), and print what it was told.

A process of its own, as no other driver may be loaded in it. Reads JSON from standard input:

    {"driver": path, "library": path, "name": of the function, "kernels": {name: number of arguments},
     "arrays": addresses, "workspace": address, "stream": address, "cases": [sizes, ...],
     "says": [what launches fail with, generation of device and code, multiprocessors, shared bytes]}
"""

import ctypes
import json
import sys
from typing import Any

U, P = ctypes.c_uint, ctypes.c_void_p
LAUNCHED = ctypes.CFUNCTYPE(
    None,
    ctypes.c_char_p,
    ctypes.POINTER(U),
    ctypes.POINTER(U),
    U,
    P,
    ctypes.POINTER(ctypes.POINTER(ctypes.c_uint64)),
    U,
)
CLEARED = ctypes.CFUNCTYPE(None, ctypes.c_uint64, U, ctypes.c_size_t, P)


def main() -> None:
    given = json.load(sys.stdin)
    driver = ctypes.CDLL(given["driver"])
    library = ctypes.CDLL(given["library"])
    function, workspace = getattr(library, given["name"]), getattr(library, f"{given['name']}_workspace")
    workspace.restype = ctypes.c_size_t
    told: list[dict[str, Any]] = []

    def launched(kernel: bytes, grid: Any, block: Any, shared: int, stream: int, arguments: Any, members: int) -> None:
        name = kernel.decode()
        values = [arguments[n][0] for n in range(given["kernels"][name])]
        told.append(
            {"kernel": name, "grid": grid[:3], "block": block[:3], "values": values, "more": [shared, stream, members]}
        )

    def cleared(memory: int, value: int, size: int, stream: int) -> None:
        told.append({"cleared": [memory, value, size, stream]})

    held = LAUNCHED(launched), CLEARED(cleared)
    driver.recorder(*held)
    driver.recorder_says(*given["says"])
    found = []
    for sizes in given["cases"]:
        struct = (ctypes.c_int64 * max(len(sizes), 1))(*sizes)
        told.clear()
        needed = workspace(struct)
        status = function(
            struct, *map(P, given["arrays"]), P(given["workspace"]), ctypes.c_size_t(needed), P(given["stream"])
        )
        found.append({"workspace": needed, "status": status, "told": list(told)})
    json.dump({"cases": found, "loads": driver.recorder_loads()}, sys.stdout)


main()
