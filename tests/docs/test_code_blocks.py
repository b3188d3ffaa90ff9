"""Every Python block of the documentation runs, and the output shown after it is its output.

The blocks of a page run in order in one namespace, in an empty folder. Three HTML comments steer this:
`<!-- not run -->` before a block leaves it out; `<!-- output of the example -->` before a ```text block says that this
is what the page printed since the last such block; `<!-- needs: MODULE -->` skips a page where MODULE is not installed.
"""

import contextlib
import importlib.util
import io
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.pet.extracted import NEEDS_PET

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs").glob("[!_]*/*.md"))]

BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*?) -->\n+)?^```(?P<language>python|text)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
NEEDS = re.compile(r"^<!-- needs: (\w+) -->$", re.MULTILINE)
OUTPUT_MARK = "output of the example"


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of a page; `line` is the number of its first line of content, from 1."""

    language: str
    mark: str | None
    text: str
    line: int
    span: tuple[int, int]


def blocks_of(page: str) -> list[Block]:
    return [
        Block(
            language=match["language"],
            mark=match["mark"],
            text=match["text"],
            line=page.count("\n", 0, match.start("text")) + 1,
            span=match.span("text"),
        )
        for match in BLOCK.finditer(page)
    ]


def is_run(block: Block) -> bool:
    return block.language == "python" and block.mark != "not run"


def is_output(block: Block) -> bool:
    return block.language == "text" and block.mark == OUTPUT_MARK


def same_lines(shown: str, printed: str) -> bool:
    """Compare without trailing blanks; a line `...` in the shown text stands for any number of lines."""
    shown_lines = [line.rstrip() for line in shown.strip().splitlines()]
    printed_text = "\n".join(line.rstrip() for line in printed.strip().splitlines())
    pattern = "\n".join(r"(?:.*\n)*?.*" if line.strip() == "..." else re.escape(line) for line in shown_lines)
    return re.fullmatch(pattern, printed_text) is not None


def marks_of(path: Path) -> list[pytest.MarkDecorator]:
    """All pages but the first one are slow; those on C need what reads it."""
    slow = [] if path.name == "README.md" else [pytest.mark.slow]
    return [*slow, NEEDS_PET] if "tadashi" in NEEDS.findall(path.read_text(encoding="utf-8")) else slow


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=marks_of(path))
        for path in PAGES
        if any(map(is_run, blocks_of(path.read_text(encoding="utf-8"))))
    ],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_page_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update_golden: bool) -> None:
    page = path.read_text(encoding="utf-8")
    for module in NEEDS.findall(page):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{path.name} needs {module}")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "__main__"}
    output = io.StringIO()
    corrections: list[tuple[tuple[int, int], str]] = []
    for block in blocks_of(page):
        if is_run(block):
            # Blank lines in front give tracebacks and messages the line numbers of the page.
            code = compile("\n" * (block.line - 1) + block.text, str(path), "exec")
            with contextlib.redirect_stdout(output):
                exec(code, namespace)
        elif is_output(block):
            printed = output.getvalue()
            output = io.StringIO()
            if same_lines(block.text, printed):
                continue
            assert update_golden, f"{path.name}:{block.line} shows\n{block.text}\nbut the example prints\n{printed}"
            corrections.append((block.span, printed.rstrip() + "\n"))
    for (start, stop), printed in reversed(corrections):
        page = page[:start] + printed + page[stop:]
    if corrections:
        path.write_text(page, encoding="utf-8")


def test_blocks_are_found() -> None:
    not_run = "<!-- not run -->\n```python\na\n```\n\n"
    shown = "<!-- output of the example -->\n```text\nc\n```\n"
    page = not_run + "```python\nb\n```\n" + shown + "```sh\nd\n```\n"
    assert [(block.text.strip(), is_run(block), is_output(block), block.line) for block in blocks_of(page)] == [
        ("a", False, False, 3),
        ("b", True, False, 7),
        ("c", False, True, 11),
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [("a\nb", "a  \nb\n", True), ("a\n...\nd", "a\nb\nc\nd", True), ("a", "a\nb", False), ("a.b", "axb", False)],
)
def test_shown_output_is_compared(shown: str, printed: str, same: bool) -> None:
    assert same_lines(shown, printed) == same
