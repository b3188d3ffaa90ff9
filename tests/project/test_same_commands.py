"""Commands for a newcomer are those that the commit hooks and CI run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

CHECKS = ["ruff format --check .", "ruff check .", "mypy --strict polyad polyad_c tests/tutorials/programs"]
TESTS = ["python -m pytest"]
DOCS = ["docs docs/_build/html"]


@pytest.mark.parametrize(
    ("name", "commands"),
    [
        (".ci/run", CHECKS + TESTS + DOCS),
        (".pre-commit-config.yaml", CHECKS),
        ("CONTRIBUTING.md", CHECKS + TESTS + DOCS),
        ("README.md", TESTS),
    ],
)
def test_commands_agree(name: str, commands: list[str]) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    missing = [command for command in commands if command not in text]
    assert not missing, f"{name} does not call {missing}"


@pytest.mark.parametrize("part", ["rnn_examples/", "-m pytest"])
def test_ci_runs_a_command_of_the_readme(part: str, tmp_path: Path) -> None:
    """It is taken out of the page, to the letter; a page without it is an error."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    script = (ROOT / ".ci" / "readme.py").read_text(encoding="utf-8")
    assert f".ci/readme.py {part}" in (ROOT / ".ci" / "run").read_text(encoding="utf-8").replace('"', "")
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "readme.py").write_text(script, encoding="utf-8")

    def found(page: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "README.md").write_text(page, encoding="utf-8")
        command = [sys.executable, str(tmp_path / ".ci" / "readme.py"), part]
        return subprocess.run(command, capture_output=True, text=True)

    command = found(text).stdout.removesuffix("\n")
    assert part in command and f"```sh\n{command}\n```" in text
    for page in (text.replace(command, "python -m venv .venv"), text.replace("```sh", "```text"), f"{text}\n{text}"):
        wrong = found(page)
        assert wrong.returncode != 0 and not wrong.stdout and f"commands with {part!r}" in wrong.stderr


def test_commands_can_be_pasted() -> None:
    """No `<name>` stands for what the reader has to know."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    blocks = [
        (p, b) for p in pages for b in re.findall(r"^```sh\n(.*?)^```", p.read_text(encoding="utf-8"), re.M | re.S)
    ]
    open_ended = [
        f"{p.relative_to(ROOT)}: {name}" for p, block in blocks for name in re.findall(r"<[a-z][^>\n]*>", block)
    ]
    assert blocks and not open_ended, open_ended


def test_changelog_knows_the_version() -> None:
    namespace: dict[str, str] = {}
    exec((ROOT / "polyad" / "_version.py").read_text(encoding="utf-8"), namespace)
    assert f"## [{namespace['__version__']}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
