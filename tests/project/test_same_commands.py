"""What a newcomer is told to run, what the commit hooks run and what CI runs are the same commands."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

CHECKS = ["ruff format --check .", "ruff check .", "mypy --strict polyad polyad_c"]
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


def test_changelog_knows_the_version() -> None:
    namespace: dict[str, str] = {}
    exec((ROOT / "polyad" / "_version.py").read_text(encoding="utf-8"), namespace)
    assert f"## [{namespace['__version__']}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
