"""The command line: `polyad schedule`, `polyad explain`, `polyad export`, `polyad grad`, `polyad doctor`.

Exit status 0, 1 for a user's error (one line on stderr), 2 for wrong usage. Each command imports what it needs when it
runs, so that `polyad --version` and wrong usage answer at once.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyad._version import __version__
from polyad.errors import CompileError, PolyadError

if TYPE_CHECKING:
    from polyad.kernel import Kernel
    from polyad.pet.c_program import CProgram
    from polyad.targets import Target

__all__ = ["main"]


class UserError(Exception):
    """A request that cannot be carried out; the message is all there is to say."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments after the program's name; those of the process when None.

    Returns:
        The exit status: 0, or 1 for a user's error, and for `doctor` where kernels cannot run. Wrong usage raises
        SystemExit(2), as argparse does.
    """
    options = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        status = command(options)
        sys.stdout.flush()
    except (PolyadError, UserError) as problem:
        print(f"polyad: {_one_line(problem)}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="polyad", description="Loops and scans as equations: differentiated, scheduled and compiled to C."
    )
    parser.add_argument("--version", action="version", version=f"polyad {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    schedule = commands.add_parser("schedule", help="print the schedule of a kernel")
    _add_kernel(schedule)
    schedule.add_argument("--format", choices=("yaml", "tree"), default="tree", help="isl's YAML, or a drawing")
    schedule.set_defaults(command=_schedule)

    explain = commands.add_parser("explain", help="print every stage of a kernel, from its definition to C")
    _add_kernel(explain)
    explain.set_defaults(command=_explain)

    export = commands.add_parser("export", help="write a kernel as a C library")
    _add_kernel(export)
    _add_library(export)
    export.set_defaults(command=_export)

    grad = commands.add_parser("grad", help="write a C function and its gradient as a C library, with a page about it")
    grad.add_argument("file", metavar="FILE.c", help="a C file with a loop nest between #pragma scop and endscop")
    grad.add_argument("--of", required=True, help="what to differentiate, with commas in between")
    grad.add_argument("--wrt", required=True, help="the arrays and numbers to differentiate by, with commas in between")
    _add_reading(grad)
    _add_library(grad)
    grad.set_defaults(command=_grad)

    doctor = commands.add_parser("doctor", help="say what was found on this machine and what is missing")
    doctor.set_defaults(command=_doctor)
    return parser


def _add_kernel(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name what is to be compiled."""
    parser.add_argument(
        "kernel",
        metavar="FILE.py:OBJECT|FILE.c",
        type=_spec,
        help="a kernel, or a function that returns one; or a C file with a loop nest between #pragma scop and endscop",
    )
    _add_reading(parser)


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """How a C file is read, and what for."""
    what_for = (
        "openmp has threads, c has not, cuda is for NVIDIA GPUs; that of the kernel, of C files openmp, by default"
    )
    parser.add_argument("--target", choices=("openmp", "c", "cuda"), help=what_for)
    parser.add_argument("--arch", metavar="GPU", help="of cuda: sm_90 for code of one generation, compute_80 for PTX")
    c = parser.add_argument_group("of C files")
    c.add_argument("--function", metavar="NAME", help="the function that has the loop nest; needed where several have")
    c.add_argument("--scop", metavar="N", type=int, help="which loop nest of it, counted from 0; needed for several")
    c.add_argument("-I", dest="include", metavar="DIR", action="append", help="look for headers there, too")
    c.add_argument("-D", dest="define", metavar="NAME[=VALUE]", action="append", help="define a macro")
    c.add_argument(
        "--assume-noalias", metavar="NAMES", action="append", help="rows of `double **a` overlap with nothing"
    )
    c.add_argument("--shape", metavar="NAME=N,M", action="append", help="the extents of an array, where C says none")
    c.add_argument("--multiple", metavar="NAME=M", action="append", help="an integer that is a multiple of others")
    c.add_argument("--memory", metavar="FUNCTIONS", action="append", help="return memory of its own, as malloc does")
    c.add_argument("--ignore", metavar="FUNCTIONS", action="append", help="calls that are left out: messages, ends")
    c.add_argument("--absent", metavar="NAMES", action="append", help="optional arguments that are NULL")


def _add_library(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say what library is written."""
    parser.add_argument(
        "-o", "--output", metavar="DIR", type=_directory, required=True, help="the directory to write to"
    )
    parser.add_argument("--name", help="the C name of the function and the files; the kernel's own by default")
    parser.add_argument("--march", metavar="CPU", help="compile for this CPU; for any of the architecture by default")
    parser.add_argument("--source-only", action="store_true", help="write C files only; no compiler is needed")
    parser.add_argument("--version", default="1.0.0", help="of the library, for pkg-config and CMake; 1.0.0 by default")


def _directory(text: str) -> str:
    """A directory.

    Raises:
        ArgumentTypeError: it is empty, as of a variable that a script has not set; `.` is the one at hand.
    """
    if not text:
        raise argparse.ArgumentTypeError("expected a directory; the present one is `.`")
    return text


def _spec(text: str) -> str:
    """FILE.py:OBJECT, or FILE.c.

    Raises:
        ArgumentTypeError: it is neither, which is wrong usage.
    """
    file, colon, name = text.rpartition(":")
    if not text.endswith(".c") and not (colon and file and name):
        raise argparse.ArgumentTypeError(f"{text!r}: expected FILE.py:OBJECT, such as model.py:kernel, or FILE.c")
    return text


def _schedule(options: argparse.Namespace) -> int:
    schedule = _load_kernel(options).schedule
    print(schedule.tree() if options.format == "tree" else str(schedule))
    return 0


def _explain(options: argparse.Namespace) -> int:
    print(_load_kernel(options).explain(), end="")
    return 0


def _export(options: argparse.Namespace) -> int:
    given: dict[str, Any] = {"source_only": options.source_only, "version": options.version}
    if _is_c(options.kernel):
        given["target"] = _target(options)
        paths = _read_c(options.kernel, options).export(options.output, options.name, options.march, **given)
    else:
        paths = _load_object(options).export(options.output, options.name, options.march, **given)
    for path in paths:
        print(path)
    return 0


def _grad(options: argparse.Namespace) -> int:
    # Here, because no other command needs it, and it pulls in isl.
    from polyad.pet.write_gradient import write_gradient

    program = _read_c(options.file, options)
    of, wrt = (_names(option, text) for option, text in (("--of", options.of), ("--wrt", options.wrt)))
    for path in write_gradient(
        program,
        options.file,
        of,
        wrt,
        options.output,
        options.name,
        options.march,
        source_only=options.source_only,
        version=options.version,
        target=_target(options),
    ):
        print(path)
    return 0


def _names(option: str, text: str) -> list[str]:
    """The names in a list with commas."""
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise UserError(f"{option} {text!r}: write names with commas in between, such as W,U")
    return names


def _doctor(options: argparse.Namespace) -> int:
    # Here, because it looks at everything that polyad depends on and the other commands do not need it.
    from polyad.inspect.doctor import Finding, can_run, diagnose, report

    # Here, because no other command needs it to be found.
    from polyad.pet.trial import describe_pet

    findings = diagnose(Finding("pet", *describe_pet()))
    print(report(findings), end="")
    return 0 if can_run(findings) else 1


def _is_c(spec: str) -> bool:
    return spec.endswith(".c")


def _read_c(file: str, options: argparse.Namespace) -> CProgram:
    """The loop nest of a C file."""
    # Here, because reading C pulls in isl and pycparser, which `--version` does not need.
    from polyad.pet.c_program import from_c

    shapes = _assigned("--shape", options.shape, "a name and its extents, such as a=n,m")
    multiples = _assigned("--multiple", options.multiple, "an integer and what divides it, such as n=m")
    return from_c(
        file,
        options.function,
        options.scop,
        include=options.include or (),
        define=options.define or (),
        assume_noalias=[n for told in options.assume_noalias or () for n in _names("--assume-noalias", told)],
        shapes=shapes,
        absent=[n for told in options.absent or () for n in _names("--absent", told)],
        multiples=multiples,
        memory=[n for told in options.memory or () for n in _names("--memory", told)],
        ignore=[n for told in options.ignore or () for n in _names("--ignore", told)],
    )


def _assigned(option: str, given: Sequence[str] | None, expected: str) -> dict[str, list[str]]:
    """The names in `--shape a=n,m` or `--multiple n=m`, by the name before the sign; options may be given again.

    Raises:
        UserError: there is no `=`.
    """
    found: dict[str, list[str]] = {}
    for told in given or ():
        name, equals, values = told.partition("=")
        if not equals:
            raise UserError(f"{option} {told!r}: write {expected}")
        found.setdefault(name.strip(), []).extend(_names(option, values))
    return found


def _load_kernel(options: argparse.Namespace) -> Kernel:
    """The kernel that FILE.py:OBJECT or FILE.c names."""
    if not _is_c(options.kernel):
        return _load_object(options)
    # Here, as above.
    from polyad.pipeline import compile_program

    return compile_program(_read_c(options.kernel, options).program, _target(options))


def _load_object(options: argparse.Namespace) -> Kernel:
    """The kernel that FILE.py:OBJECT names.

    Raises:
        UserError: no such file or object, the file fails, or the object is not a kernel.
    """
    # Here, because compiling and calling pull in isl and NumPy, which `--version` does not need.
    from polyad.kernel import Kernel

    spec = options.kernel
    for name in (
        "function",
        "scop",
        "include",
        "define",
        "assume_noalias",
        "shape",
        "absent",
        "multiple",
        "memory",
        "ignore",
    ):
        if getattr(options, name) is not None:
            raise UserError(f"{spec}: {name} is an option of C files; FILE.py:OBJECT names one kernel")
    file, _, name = spec.rpartition(":")
    path = Path(file)
    if _is_c(file):
        raise UserError(f"{spec}: a C file stands alone; name its function by `--function {name}`")
    if not path.is_file():
        raise UserError(f"{file}: no such file")
    found: Any = _run_file(path)
    for part in name.split("."):
        if not hasattr(found, part):
            raise UserError(f"{file}: has no {name!r}{_suggestion(found, Kernel)}")
        found = getattr(found, part)
    if not isinstance(found, Kernel) and callable(found) and not hasattr(found, "kernel"):
        found = _guarded(path, found)
    if not isinstance(found, Kernel):
        traced = found
        found = getattr(traced, "kernel", traced)
        if found is None:  # shapes are those of a call
            raise UserError(
                f"{file}: {name} has no kernel before it is called; call it in {file} with arrays of its shapes"
            )
    if not isinstance(found, Kernel):
        raise UserError(
            f"{file}: {name} is of type {type(found).__name__}; expected a kernel made by pa.compile, or a function "
            "without arguments that returns one"
        )
    if options.target is None and options.arch is None:
        return found
    # Here, as above.
    from polyad.pipeline import compile_program

    return compile_program(found.definition, _target(options, found.target), found.fixed)


def _target(options: argparse.Namespace, own: Target | None = None) -> Target:
    """The target of a kernel; `own`: the one it was compiled for, whose other options stay where that is meant."""
    # Here, because what it imports `--version` does not need.
    from polyad.targets import DEFAULT_TARGET, Target

    if own is None or options.target not in (None, own.name):
        return Target(options.target or DEFAULT_TARGET, arch=options.arch)
    return replace(own, arch=options.arch or own.arch)


def _suggestion(module: Any, kind: type) -> str:
    kernels = (
        [name for name, value in vars(module).items() if isinstance(value, kind)] if hasattr(module, "__dict__") else []
    )
    return f"; its kernels are {', '.join(kernels)}" if kernels else ""


def _run_file(path: Path) -> Any:
    """Import a Python file under a name of our own, its folder first on the path, as `python FILE` would have it."""
    name = f"_polyad_cli_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UserError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.resolve().parent))
    loader = spec.loader
    _guarded(path, lambda: loader.exec_module(module))
    return module


def _guarded(path: Path, action: Callable[[], Any]) -> Any:
    """Run the user's code; what goes wrong in it is the user's error, told with the line where it happened."""
    try:
        return action()
    except PolyadError:
        raise
    except (Exception, SystemExit) as problem:
        places = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename.endswith(path.name)]
        line = problem.lineno if isinstance(problem, SyntaxError) else places[-1].lineno if places else None
        where = f"{path}:{line}" if line else str(path)
        raise UserError(f"{where}: {type(problem).__name__}: {problem}") from problem


def _one_line(problem: Exception) -> str:
    if isinstance(problem, CompileError) and problem.output and problem.command:
        # The whole command and all that the compiler printed are for programs; people get the first complaint.
        said = [line.strip() for line in problem.output.splitlines() if line.strip()]
        complaint = next((line for line in said if "error" in line.lower()), said[0] if said else "")
        return f"{str(problem).partition(':')[0]}: {complaint[:300]}"
    return " ".join(str(problem).split())


if __name__ == "__main__":
    sys.exit(main())
