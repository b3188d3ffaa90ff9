"""Random functions with counters, loops of all kinds and returns: as they are and as printed, by the C compiler."""

from __future__ import annotations

import ctypes
import os
import random
import subprocess
from pathlib import Path

from polyad.pet.c_text.definitions import read_c_text
from polyad.pet.c_tree.plain_function import plain_function

__all__ = ["HEAD", "both", "random_body"]

HEAD = "int f(int n, int m, int *y)\n{\n    int k = 0, j = 1, t = 0, s = 0;\n    unsigned u = 3;\n"
_ROOM = 64


def random_body(seed: int) -> str:
    """Statements that end: each `while` counts the turns that it may take."""
    rng = random.Random(seed)
    return "\n".join(_statement(rng, 3, "") for _ in range(rng.randint(2, 5))) + "\n    return s + k + j;\n}\n"


def _place(rng: random.Random) -> str:
    counter = rng.choice(["k++", "k", "j", "++k", "j--", "k + j", "u++", "--j", "2 * k - j", "k-- - j"])
    return f"y[({counter}) & 63]"


def _statement(rng: random.Random, depth: int, own: str) -> str:
    kind = rng.randint(0, 14 if depth else 7)
    step = rng.choice(["k++", "k += 2", "j--", "k = k - 1", "j += m", "u++", "k = 3 * m - 1", "j = k + 1"])
    match kind:
        case 0 | 1:
            return f"{_place(rng)} {rng.choice(['=', '+='])} s + {rng.randint(1, 9)};"
        case 2 | 3:
            return f"{step};"
        case 4:
            return f"s = 3 * s + {rng.choice(['k', 'j', 'k++', '(t = j)', 'y[k & 63]', 'y[j-- & 63]'])}, s %= 1009;"
        case 5:
            return f"if ((t = s + {rng.choice(['k', 'j'])}) % 3 == 0) {step};"
        case 6:
            return f"s += {_place(rng)}; s %= 1009;"
        case 7:
            return f"if (s % 7 == {rng.randint(0, 6)}) {own or step + ';'}"
    body = " ".join(_statement(rng, depth - 1, rng.choice(["break;", f"return s + {depth};", ""])) for _ in range(2))
    name = f"i{depth}"
    match kind:
        case 8 | 9:
            return f"for (int {name} = {rng.choice(['0', '1', 'm'])}; {name} < n; {name}++) {{ {body} }}"
        case 10:
            return f"for (int {name} = n; {name}-- > 0;) {{ {body} }}"
        case 11:
            return f"for (int {name} = 0; {name} < n && s % 11 != 5; {name} += 2) {{ {body} }}"
        case 12:
            return (
                f"{{ int {name} = m; while ({name} < n + 2) {{ {body} {name} += {rng.randint(1, 3)}; }} k += {name}; }}"
            )
        case 13:
            return f"{{ int {name} = 0; do {{ {body} }} while (s % 5 != 1 && ++{name} < n); k += {name}; }}"
        case _:
            return f"{{ int {name} = n; while ({name}--) {{ {body} }} s += {name}; }}"


def both(folder: Path, body: str) -> tuple[list[list[int]], list[list[int]]] | None:
    """Return the results of a function for some sizes, as it is and as it is printed; None where it stays."""
    path = folder / "text.c"
    path.write_text(HEAD + body)
    text = read_c_text(path)
    found = plain_function(path.read_text(), text, text.functions["f"])
    if found is None:
        return None
    other = folder / "printed.c"
    other.write_text(found.source)
    assert found.holds(read_c_text(other))
    return _run(path), _run(other)


def _run(path: Path) -> list[list[int]]:
    shared = path.with_suffix(".so")
    subprocess.run(
        [os.environ.get("CC", "cc"), "-w", "-O0", "-fwrapv", "-shared", "-fPIC", "-o", str(shared), str(path)],
        check=True,
    )
    function = ctypes.CDLL(str(shared)).f
    results = []
    for n, m in ((0, 0), (1, 0), (2, 1), (3, 2), (5, 1), (6, 4)):
        room = (ctypes.c_int * _ROOM)(*range(_ROOM))
        results.append([function(n, m, room), *room])
    return results
