"""The error tree: every error polyad raises on purpose derives from `PolyadError`.

A message says where (the user's file and line, or the argument), what, one concrete instance, and what to do.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

__all__ = [
    "BoundsError",
    "CallError",
    "CausalityError",
    "CertificationError",
    "CheckError",
    "CompileError",
    "DTypeError",
    "DefinitionError",
    "DifferentiationError",
    "ExtractionError",
    "IllegalScheduleError",
    "NotDifferentiableError",
    "PolyadError",
    "ScheduleError",
    "ShapeError",
    "bounded_depth",
]


_PACKAGE = str(Path(__file__).resolve().parent)


class PolyadError(Exception):
    """Base of all errors of polyad."""


class DefinitionError(PolyadError):
    """A definition (compute, scan, recurrence, program) is not well formed."""


class ShapeError(DefinitionError):
    """Shapes do not fit together."""


class DTypeError(DefinitionError):
    """An element type is unknown or does not fit."""


class BoundsError(DefinitionError):
    """A read or write is not provably inside its array.

    Attributes:
        instance: the offending point of the iteration domain, axis name -> value.
        sizes: the sizes at which it offends, size name -> value.
    """

    def __init__(self, message: str, instance: Mapping[str, int] | None = None, sizes: Mapping[str, int] | None = None):
        super().__init__(message)
        self.instance: dict[str, int] = dict(instance or {})
        self.sizes: dict[str, int] = dict(sizes or {})


class CausalityError(DefinitionError):
    """No order of execution exists: some element depends on itself.

    Attributes:
        cycle: the elements or instances on the cycle, each needing the next; the last needs the first.
        sizes: the sizes of the witness, where one was constructed.
    """

    def __init__(self, message: str, cycle: Sequence[str] = (), sizes: Mapping[str, int] | None = None):
        super().__init__(message)
        self.cycle: tuple[str, ...] = tuple(cycle)
        self.sizes: dict[str, int] = dict(sizes or {})


class DifferentiationError(PolyadError):
    """A derivative was asked for that polyad cannot form exactly."""


class NotDifferentiableError(DifferentiationError):
    """The function has no derivative with respect to the given argument (an integer result, for example)."""


class ScheduleError(PolyadError):
    """A schedule is malformed, or a transform does not apply to it."""


class IllegalScheduleError(ScheduleError):
    """A schedule violates a dependence.

    Attributes:
        source_instance: the instance that must come first, as text, `S[t = 3, b = 0]`.
        sink_instance: the instance that needs it.
        sizes: the sizes of the witness.
    """

    def __init__(
        self, message: str, source_instance: str = "", sink_instance: str = "", sizes: Mapping[str, int] | None = None
    ):
        super().__init__(message)
        self.source_instance = source_instance
        self.sink_instance = sink_instance
        self.sizes: dict[str, int] = dict(sizes or {})


class ExtractionError(PolyadError):
    """A C text lies outside the polyhedral model.

    Attributes:
        file: the C file.
        line: the line, counted from 1.
        construct: the construct that cannot be modelled.
    """

    def __init__(self, message: str, file: str = "", line: int = 0, construct: str = ""):
        super().__init__(message)
        self.file = file
        self.line = line
        self.construct = construct


class CompileError(PolyadError):
    """The C compiler is missing or failed.

    Attributes:
        command: the command line that was run, empty when no compiler was found.
        output: what the compiler printed.
    """

    def __init__(self, message: str, command: str = "", output: str = ""):
        super().__init__(message)
        self.command = command
        self.output = output


class CheckError(PolyadError):
    """`Kernel.check` found that a kernel does not compute what it was defined to.

    Attributes:
        output: the array.
        position: of the element that differs most, empty where it is not about one.
        values: by which way it was computed -> its value.
    """

    def __init__(
        self, message: str, output: str = "", position: Sequence[int] = (), values: Mapping[str, object] | None = None
    ):
        super().__init__(message)
        self.output = output
        self.position: tuple[int, ...] = tuple(position)
        self.values: dict[str, object] = dict(values or {})


class CertificationError(PolyadError):
    """The loops of a kernel do not do what its program says (`Kernel.certify`): a defect of polyad.

    Attributes:
        sizes: at which they do not, size name -> value.
    """

    def __init__(self, message: str, sizes: Mapping[str, int] | None = None):
        super().__init__(message)
        self.sizes: dict[str, int] = dict(sizes or {})


class CallError(PolyadError):
    """A kernel or traced function was called with a wrong argument.

    Attributes:
        argument: the name of the argument.
    """

    def __init__(self, message: str, argument: str = ""):
        super().__init__(message)
        self.argument = argument


@contextmanager
def bounded_depth(what: str) -> Iterator[None]:
    """Say in words that an expression nests deeper than Python calls do.

    A recursion of the user's own, which ends in his code, stays what it is.

    Args:
        what: what is done, with the user's line and name where there is one.

    Raises:
        DefinitionError: a RecursionError came out of polyad.
    """
    try:
        yield
    except RecursionError as problem:
        last = problem.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        if last is None or not last.tb_frame.f_code.co_filename.startswith(_PACKAGE):
            raise
        raise DefinitionError(
            f"{what}: an expression nests hundreds of operations in each other, deeper than Python's limit of "
            f"{sys.getrecursionlimit()} calls; give parts of it a tensor of their own (pa.compute), write a loop as "
            "pa.scan, pa.recurrence or a reduction, or raise sys.setrecursionlimit"
        ) from None
