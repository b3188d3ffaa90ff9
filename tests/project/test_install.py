"""Installation: packages that are found beside a clone, wheels for every Python, sources with their texts."""

import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in a folder of the package's name, as git makes it."""
    folder = tmp_path_factory.mktemp("beside") / "polyad"
    left = shutil.ignore_patterns(
        ".git", "_build", "build", "dist", "*.egg-info", "__pycache__", "*.so", ".*_cache", ".venv"
    )
    shutil.copytree(ROOT, folder, ignore=left)
    return folder


def built(clone: Path, *command: str) -> Path:
    """The one file that a command of setuptools writes."""
    out = clone.parent / command[0]
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", *command, "--dist-dir", str(out)], cwd=clone, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (file,) = (f for f in out.iterdir() if f.is_file())
    return file


def test_an_editable_install_is_found_from_the_folder_that_holds_the_clone(clone: Path) -> None:
    site = clone.parent / "site"
    with zipfile.ZipFile(built(clone, "editable_wheel")) as wheel:
        wheel.extractall(site)
    script = clone.parent / "x.py"
    # Without the environment's own .pth files: polyad may be installed in it, from another clone.
    lines = [
        "import site, sys",
        f"sys.path.append({sysconfig.get_path('purelib')!r})",
        f"site.addsitedir({str(site)!r})",
    ]
    lines += ["import polyad", "print(polyad.sizes, polyad.__file__)"]
    script.write_text("\n".join(lines))
    ran = subprocess.run([sys.executable, "-E", "-S", str(script)], capture_output=True, text=True, cwd=clone.parent)
    assert ran.returncode == 0 and str(clone) in ran.stdout, ran.stderr
    assert not list(site.glob("*finder*")), "type checkers do not run import hooks"


def test_one_wheel_serves_every_python(clone: Path) -> None:
    wheel = built(clone, "bdist_wheel")
    assert "-cp311-abi3-" in wheel.name
    with zipfile.ZipFile(wheel) as files:
        assert not [n for n in files.namelist() if ".cpython-" in n]


def test_sources_come_with_docs_and_changelog(clone: Path) -> None:
    with tarfile.open(built(clone, "sdist")) as files:
        names = {name.split("/", 1)[-1] for name in files.getnames()}
    assert names >= {
        "CHANGELOG.md",
        "docs/index.md",
        "docs/conf.py",
        "tests/conftest.py",
        "polyad_c/include/polyad_runtime.h",
    }
