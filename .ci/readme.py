"""Print the command of README.md that has a text in it: what a newcomer pastes, to the letter.

    python .ci/readme.py "-m pytest"

A command is a line of a fenced `sh` block. Exits with an error where none or several have the text.
"""

import re
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[str]:
    """List the lines of the `sh` blocks of a page."""
    return [line for block in BLOCK.findall(text) for line in block.splitlines() if line.strip()]


def command_with(part: str, text: str) -> str:
    """Find the one command with `part` in it."""
    found = [command for command in commands(text) if part in command]
    if len(found) != 1:
        raise SystemExit(f"README.md has {len(found)} commands with {part!r} in a ```sh block: one is run here")
    return found[0]


if __name__ == "__main__":
    print(command_with(sys.argv[1], README.read_text(encoding="utf-8")))
