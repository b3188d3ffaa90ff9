import os
import subprocess
import sys
from pathlib import Path

import pytest

from polyad._version import __version__
from polyad.cli import main
from tests.pet.extracted import NEEDS_PET

MODEL = '''
from sizes_of_model import NAME

from polyad.ops.program_text import parse_program
from polyad.pipeline import compile_program

TEXT = """
program {name}: [N, K] -> {{ : N >= 1 and K >= 1 }}
  input     A: float64[N, K]
  input     x: float64[K]
  output    y: float64[N]
  S: [N, K] -> {{ S[i, k] : 0 <= i < N and 0 <= k < K }}
      y[i] += A[i, k] * x[k]
"""
kernel = compile_program(parse_program(TEXT.format(name=NAME)))


def make():
    return kernel


class Holder:
    kernel = kernel


traced = Holder()
number = 3


def broken():
    raise ValueError("out of luck")
'''


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "sizes_of_model.py").write_text("NAME = 'mv'\n")
    (tmp_path / "model.py").write_text(MODEL)
    return tmp_path / "model.py"


@pytest.fixture(autouse=True)
def restored_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test imports its own files: what one leaves in sys.modules and sys.path, the next does not see."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in [name for name in sys.modules if name.startswith("_polyad_cli_") or name == "sizes_of_model"]:
        monkeypatch.delitem(sys.modules, name)


def fails(capsys: pytest.CaptureFixture[str], *argv: str | Path) -> str:
    """Run a command that is a user's error; returns its one line."""
    assert main(list(map(str, argv))) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert err.startswith("polyad: ")
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize("name", ["kernel", "make", "traced", "Holder", "Holder.kernel", "traced.kernel"])
def test_schedule_prints_a_tree(model: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["schedule", f"{model}:{name}"]) == 0
    assert "S[i, k]" in capsys.readouterr().out


def test_schedule_prints_yaml_that_is_read_back(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from polyad.schedule.schedule import Schedule

    assert main(["schedule", f"{model}:kernel", "--format", "yaml"]) == 0
    text = capsys.readouterr().out
    assert str(Schedule.from_yaml(text)).strip() == text.strip()


def test_explain_prints_every_stage(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", f"{model}:kernel"]) == 0
    text = capsys.readouterr().out
    titles = ("the program as it was defined", "the schedule", "the loops of the schedule", "the C")
    places = [text.index(f"\n\n{title}\n  ") for title in titles]
    assert places == sorted(places)
    assert "no such file" in fails(capsys, "explain", "missing.py:kernel")


def test_export_writes_and_lists_files(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", f"{model}:kernel", "-o", str(tmp_path / "out"), "--name", "product"]) == 0
    listed = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert sorted(listed) == sorted((tmp_path / "out").iterdir())
    assert (tmp_path / "out" / "product.h").is_file()


def test_any_kernel_is_exported_for_gpus(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    command = ["export", f"{model}:kernel", "-o", str(out), "--target", "cuda", "--arch", "sm_90", "--source-only"]
    assert main(command) == 0
    assert sorted(map(Path, capsys.readouterr().out.split())) == sorted(out.iterdir())
    assert {"mv.cu", "mv.c", "mv.h", "polyad_driver.h"} <= {path.name for path in out.iterdir()}
    assert "arch='sm_35'" in fails(capsys, *command[:-2], "sm_35")
    assert "option of a GPU" in fails(capsys, *command[:4], "--arch", "sm_90")
    assert "march" in fails(capsys, *command[:6], "--march", "native")
    assert main(["schedule", f"{model}:kernel", "--target", "cuda"]) == 0
    assert "simd" not in capsys.readouterr().out


def test_errors_of_the_object(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "has no 'nothing'; its kernels are kernel" in fails(capsys, "schedule", f"{model}:nothing")
    assert "number is of type int; expected a kernel" in fails(capsys, "schedule", f"{model}:number")
    line = MODEL.splitlines().index('    raise ValueError("out of luck")') + 1
    assert f"model.py:{line}: ValueError: out of luck" in fails(capsys, "schedule", f"{model}:broken")


def test_errors_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.py"
    assert "bad.py: no such file" in fails(capsys, "schedule", f"{bad}:kernel")
    for text, expected in (
        ("x = 1\nimport no_such_module\n", "bad.py:2: ModuleNotFoundError: No module named 'no_such_module'"),
        ("x = 1\n\ny = (\n", "bad.py:3: SyntaxError"),
        ("raise SystemExit(0)\n", "bad.py:1: SystemExit"),
        ("from polyad.errors import ShapeError\nraise ShapeError('one\\ntwo')\n", "polyad: one two"),
    ):
        bad.write_text(text)
        assert expected in fails(capsys, "schedule", f"{bad}:kernel")
    (tmp_path / "notes.txt").write_text("")
    assert "not a Python file" in fails(capsys, "schedule", f"{tmp_path / 'notes.txt'}:kernel")


def test_export_errors_are_one_line_too(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is a file; give a directory" in fails(capsys, "export", f"{model}:kernel", "-o", model)
    line = fails(capsys, "export", f"{model}:kernel", "-o", tmp_path / "o", "--march", "no-such-cpu")
    assert "no-such-cpu" in line and "error" in line
    assert len(line) < 200, "not the compiler's list of all that there are"


C_FILE = """
void scaled(int n, double factor, const double x[n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = factor * x[i] * x[i];
#pragma endscop
}

void total(int n, const double x[n], double loss[1])
{
#pragma scop
    loss[0] = 0;
    for (int i = 0; i < n; i++)
        loss[0] += x[i] * x[i];
#pragma endscop
}
"""


@pytest.fixture
def c_file(tmp_path: Path) -> Path:
    (tmp_path / "two.c").write_text(C_FILE)
    return tmp_path / "two.c"


@NEEDS_PET
def test_a_c_file_is_a_kernel_too(c_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schedule", str(c_file), "--function", "scaled"]) == 0
    assert "y[a0]" in capsys.readouterr().out
    assert main(["schedule", str(c_file), "--function", "scaled", "--format", "yaml"]) == 0
    assert "domain:" in capsys.readouterr().out
    assert main(["explain", str(c_file), "--function", "total"]) == 0
    assert "the program as it was defined" in capsys.readouterr().out
    out = tmp_path / "out"
    assert main(["export", str(c_file), "--function", "total", "-o", str(out), "--source-only", "--name", "t"]) == 0
    assert sorted(map(Path, capsys.readouterr().out.split())) == sorted(out.iterdir())
    assert "int t(int n, const double x[n], double loss[1], void *workspace);" in (out / "t.h").read_text()


@NEEDS_PET
def test_grad_writes_a_library_and_a_page(c_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    command = ["grad", str(c_file), "--function", "scaled", "--of", "y", "--wrt", "x, factor", "-o", str(out)]
    assert main([*command, "--march", "native"]) == 0
    assert sorted(map(Path, capsys.readouterr().out.split())) == sorted(out.iterdir())
    assert (out / "libscaled_grad.a").is_file()
    page = (out / "scaled_grad.md").read_text()
    assert "the gradient of `y` by `x`, `factor`" in page
    assert "| `factor_bar` | out | `double [1]` |" in page
    assert "- given: `x` [n], `factor`\n" in page
    assert "- stored by the forward pass: nothing\n" in page
    assert main([*command, "--source-only"]) == 0, "what polyad wrote may be overwritten"
    assert main([*command[:-1], str(tmp_path / "gpu"), "--source-only", "--target", "cuda"]) == 0
    assert "PA_KERNEL void scaled_grad_0(" in (tmp_path / "gpu" / "scaled_grad.cu").read_text()
    assert "int scaled_grad(const scaled_grad_sizes *sizes," in (tmp_path / "gpu" / "scaled_grad.h").read_text()
    page = (tmp_path / "gpu" / "scaled_grad.md").read_text()
    assert "| `factor_bar` | out | `float64[]` |" in page and "| `stream` | | `CUstream` |" in page
    (out / "scaled_grad.md").write_text("mine")
    capsys.readouterr()
    assert "scaled_grad.md exists and was not written by polyad" in fails(capsys, *command)


@NEEDS_PET
def test_errors_of_c_input(c_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ("-o", str(tmp_path / "out"))
    total = ("grad", c_file, "--function", "total")
    assert "there is no such file" in fails(capsys, "schedule", tmp_path / "missing.c")
    assert "two.c" in fails(capsys, "schedule", c_file), "two functions, and none named"
    assert "(--function)" in fails(capsys, "schedule", c_file)
    assert "name its function by `--function total`" in fails(capsys, "schedule", f"{c_file}:total")
    assert "expected NAME or NAME=VALUE" in fails(capsys, "schedule", c_file, "-D", "1x")
    assert "nothing" in fails(capsys, "explain", c_file, "--function", "nothing")
    assert "of='x': total does not write it" in fails(capsys, *total, "--of", "x", "--wrt", "x", *out)
    assert "wrt='W': total does not read it" in fails(capsys, *total, "--of", "loss", "--wrt", "W", *out)
    assert "--wrt 'x,': write names" in fails(capsys, *total, "--of", "loss", "--wrt", "x,", *out)
    assert "cannot name a C function" in fails(
        capsys, *total, "--of", "loss", "--wrt", "x", *out, "--name", "two words"
    )
    assert not (tmp_path / "out").exists()
    c_file.write_text("void f(int n)\n{\n#pragma scop\n  for (\n#pragma endscop\n}\n")
    assert "two.c:" in fails(capsys, "schedule", c_file)


def test_options_of_c_files_are_refused_elsewhere(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "function is an option of C files" in fails(capsys, "schedule", f"{model}:kernel", "--function", "f")


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["frobnicate"],
        ["schedule"],
        ["schedule", "m.py"],
        ["schedule", "m.py:"],
        ["explain"],
        ["explain", "m.py"],
        ["schedule", ":kernel"],
        ["export", "m.py", "-o", "out"],
        ["schedule", "m.py:k", "--format", "xml"],
        ["export", "m.py:k"],
        ["grad", "f.c", "-o", "out"],
        ["grad", "f.c", "--of", "loss", "--wrt", "W", "-o", ""],
        ["grad", "f.c", "--of", "loss", "--wrt", "W"],
        ["schedule", "f.c", "--scop", "first"],
        ["doctor", "who"],
    ],
)
def test_wrong_usage_exits_with_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(argv)
    assert caught.value.code == 2
    assert "usage: polyad" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_exit_with_0(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([option])
    assert caught.value.code == 0
    text = capsys.readouterr().out
    assert "polyad" in text
    assert option == "--help" or text == f"polyad {__version__}\n"


@pytest.mark.pet(optional=True)
def test_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    for word in ("C compiler", "OpenMP", "CPU", "threads", "cache", "islpy", "pet", "cuda", "can run kernels here"):
        assert word in out


@pytest.mark.pet(optional=True)
def test_doctor_says_by_its_status_whether_kernels_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "nothere")
    assert main(["doctor"]) == 1
    assert "polyad cannot run kernels here: C compiler" in capsys.readouterr().out


def run(*command: str, **options: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


def test_it_runs_as_a_module_and_leaves_the_folder_of_the_file_first(model: Path) -> None:
    done = run(sys.executable, "-m", "polyad", "schedule", f"{model.name}:make", cwd=model.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert "S[i, k]" in done.stdout
    done = run(sys.executable, "-m", "polyad", "schedule", "missing.py:x", cwd=model.parent)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "polyad: missing.py: no such file\n")


def test_a_reader_that_stops_early_is_no_error() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "polyad", "doctor"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_the_script_is_declared() -> None:
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    assert 'polyad = "polyad.cli:main"' in text


def test_a_function_that_was_not_called_has_no_kernel(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model.write_text("import polyad as pa\n\nlater = pa.jit(lambda v: v * 2)\n")
    assert "later has no kernel before it is called; call it in" in fails(capsys, "schedule", f"{model}:later")
