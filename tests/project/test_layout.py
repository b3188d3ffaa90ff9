"""The repository keeps its shape: imports point backwards, files are small and named, texts are portable.

One test for a rule: its message lists all that breaks it.
"""

import ast
import functools
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "polyad"

# What may import what: anything of its own level or of a level above it in this list.
LEVELS = [
    {"errors", "_version", "islx", "isl_scheduler", "machine"},
    {"ir", "ops"},
    {"semantics"},
    {"transforms", "analysis"},
    {"ad"},
    {"schedule"},
    {"passes"},
    {"codegen", "targets"},
    {"runtime"},
    {"measure", "export", "inspect"},
    {"kernel", "pipeline"},
    {"frontend", "numpy", "nn", "pet", "random"},
    {"optim", "tuning"},
    {"cli", "__main__", "__init__"},
]
LEVEL_OF = {name: level for level, names in enumerate(LEVELS) for name in names}

MAX_LINES = 400
MAX_FILES = 24
# Folders that were larger when the limit came: they may shrink.
LARGER = {"frontend": 38, "runtime": 31, "codegen/loops": 26, "transforms/passes": 25}
AT_THE_ROOT = set(
    ".editorconfig .gitignore .pre-commit-config.yaml CHANGELOG.md CONTRIBUTING.md LICENSE MANIFEST.in README.md "
    "pyproject.toml setup.py".split()
)
FOLDERS = set(".ci benchmarks docs polyad polyad_c rnn_examples tests".split())
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}

TEXT_SUFFIXES = set(".py .pyi .md .c .h .svg .toml .yaml .yml .txt .cfg .cmake .in".split()) | {""}

# Written in pieces, so that this file does not contain what it looks for.
HOMES = "|".join([r"wor" + r"k", r"tm" + r"p/venv", r"ro" + r"ot", r"hom" + r"e/\w+", r"User" + r"s/\w+"])
MACHINE_PATH = re.compile(rf"(?<![\w.$}}])/(?:{HOMES})(?![\w-])")
REGISTRIES = "|".join([r"pyp" + r"i\.org", r"python" + r"hosted", r"download\.py" + r"torch", r"ana" + r"conda\.org"])
REGISTRY_HOST = re.compile(REGISTRIES)


def python_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


def files() -> list[Path]:
    """List the files of the repository: what git tracks, and what it would track if it were added."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listing.returncode != 0:
        pytest.skip("not a git repository")
    paths = [ROOT / name for name in sorted(set(listing.stdout.splitlines()))]
    return [path for path in paths if path.is_file()]


def text_files() -> list[Path]:
    return [path for path in files() if path.suffix in TEXT_SUFFIXES]


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def unit_of(path: Path) -> str:
    """Name the folder or top-level module of `polyad/` that `path` belongs to; `__main__.py` stands above all."""
    relative = path.relative_to(PACKAGE)
    if relative.stem == "__main__":
        return relative.stem
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


def imported_units(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, unit) for every import of a part of polyad in `path`, wherever in the file it stands."""
    package = ("polyad", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            modules = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            base += node.module.split(".") if node.module else []
            modules = [[*base, alias.name] for alias in node.names]
        else:
            continue
        for module in modules:
            if module[0] == "polyad":
                # `import polyad` and `from polyad import compute` both ask for what __init__ exports.
                yield node.lineno, module[1] if len(module) > 1 and module[1] in LEVEL_OF else "__init__"


def test_imports_point_backwards() -> None:
    forward = []
    for path in python_files(PACKAGE):
        unit = unit_of(path)
        assert unit in LEVEL_OF, f"{unit} has no level: add it to LEVELS and to docs/architecture.md"
        forward += [
            f"{shown(path)}:{line}: {unit} imports {other}, which comes later"
            for line, other in imported_units(path)
            if LEVEL_OF[other] > LEVEL_OF[unit]
        ]
    assert not forward, "\n".join(forward)


def test_nothing_is_decided_while_printing() -> None:
    """The plan (codegen/plan.py) says which loops there are, what they are called, and what is known of sizes."""
    asks = []
    for path in python_files(PACKAGE / "codegen" / "text"):
        imported = re.findall(r"^(?:from|import) .*$", path.read_text(encoding="utf-8"), re.MULTILINE)
        asks += [f"{shown(path)}: {i}" for i in imported if re.search(r"\b(islpy|islx|loops\.ast|loop_names)\b", i)]
    assert not asks, "isl is asked, or loops are made:\n" + "\n".join(asks)


def test_the_c_side_stands_alone() -> None:
    for path in python_files(ROOT / "polyad_c"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(from|import)\s+polyad\b(?!_c)", text, re.MULTILINE), f"{path.name} imports polyad"


def test_files_hold_one_thing() -> None:
    paths = [*python_files(PACKAGE), *python_files(ROOT / "tests")]
    lines = {shown(path): len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    long = [f"{path} has {count} lines" for path, count in lines.items() if count > MAX_LINES]
    assert not long, "these hold two things:\n" + "\n".join(long)


def test_folders_hold_one_thing() -> None:
    counts = Counter(str(path.parent.relative_to(PACKAGE)) for path in python_files(PACKAGE))
    large = [f"polyad/{f} has {count} files" for f, count in counts.items() if count > LARGER.get(f, MAX_FILES)]
    assert not large, "these hold two things:\n" + "\n".join(large)


def test_imports_stand_on_top() -> None:
    """An import inside a function gives its reason in a comment, on its line or on the line above."""
    unexplained = set()
    for path in python_files(PACKAGE):
        lines = path.read_text(encoding="utf-8").splitlines()
        functions = (n for n in ast.walk(parsed(path)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
        unexplained |= {
            f"{shown(path)}:{node.lineno}"
            for function in functions
            for node in ast.walk(function)
            if isinstance(node, ast.Import | ast.ImportFrom)
            and not re.search(r"#(?!\s*(?:noqa|type:))", lines[node.lineno - 1])
            and not lines[node.lineno - 2].lstrip().startswith("#")
        }
    assert not unexplained, "imports inside of functions, without a reason:\n" + "\n".join(sorted(unexplained))


def test_nothing_strays_at_the_root() -> None:
    """The root holds what a project of this kind has there; a scratch file is committed easily."""
    stray = sorted({shown(path) for path in files() if path.parent == ROOT} - AT_THE_ROOT)
    assert not stray, f"they belong into a folder, or into no commit: {stray}"
    folders = sorted({path.relative_to(ROOT).parts[0] for path in files() if path.parent != ROOT} - FOLDERS)
    assert not folders, f"new folders at the root: {folders}"
    empty = [
        shown(path) for path in files() if path.stat().st_size == 0 and path.name not in ("__init__.py", "py.typed")
    ]
    assert not empty, f"there is nothing in them: {empty}"


def test_names_say_something() -> None:
    names = [path.relative_to(ROOT) for path in text_files()]
    vague = [
        str(name) for name in names if VAGUE_NAMES.intersection(part.lstrip("_") for part in [*name.parts, name.stem])
    ]
    assert not vague, f"named for nothing in particular: {vague}"


def test_texts_name_no_machine() -> None:
    """No text depends on where one developer keeps files or gets packages from."""
    found = []
    for path in text_files():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            match = MACHINE_PATH.search(line) or REGISTRY_HOST.search(line)
            if match:
                found.append(f"{path.relative_to(ROOT)}:{number}: {match.group()}")
    assert not found, "\n".join(found)


def test_marks_are_on_tests() -> None:
    """A mark on a function that a test calls says nothing: pytest looks at tests alone."""
    lost = [
        f"{shown(path)}:{node.lineno}: {node.name}"
        for path in python_files(ROOT / "tests")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("test_")
        if any(ast.unparse(d).startswith(("pytest.mark.", "NEEDS_")) for d in node.decorator_list)
    ]
    assert not lost, "\n".join(lost)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("see /wor" + "k/data/x.npy", True),
        ("'/hom" + "e/someone/polyad'", True),
        ("docs/wor" + "k/plan.md", False),
        ("$HOME/wor" + "k/plan.md", False),
        ("/wor" + "kspace/x", False),
    ],
)
def test_machine_paths_are_recognised(line: str, found: bool) -> None:
    assert bool(MACHINE_PATH.search(line)) == found
