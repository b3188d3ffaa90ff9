"""Checks that every program has to pass, with all sides computed by compiled kernels.

value       compiled == evaluator                                  to rounding
garbage     the same bits over whatever the memory held before     (native_batch.py)
threads     OpenMP == serial                                       the same bits
identity    <J v, u> == <v, J' u>                                  to 1e-12
slope       J v == (f(x + e v) - f(x - e v)) / 2e                  to about e^2; where f is smooth
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.semantics.evaluate import evaluate
from tests.acceptance.native_batch import NativeBatch
from tests.ad.derivative_checks import asking_derivative, floats, jvp, vjp

__all__ = ["TOLERANCE", "WHICH", "Case", "Compiled", "check", "check_slope", "check_value", "inputs_of"]

Values = dict[str, np.ndarray]
Sizes = Mapping[str, int]

WHICH = ("primal", "back", "forth")
THREADS = (2, 8)
TOLERANCE = {"float64": 1e-12, "float32": 2e-5}


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A program with its two derivatives.

    Attributes:
        title: what it is, for the message of a failing check.
        primal: the program.
        back: J' u: takes the inputs and one seed for each float output.
        forth: J v: takes the inputs and one tangent for each float input.
        wrt: float input -> (its tangent in `forth`, its adjoint in `back`).
        heads: float output -> (its seed in `back`, its tangent in `forth`).
    """

    title: str
    primal: Program
    back: Program
    forth: Program
    wrt: dict[str, tuple[str, str]]
    heads: dict[str, tuple[str, str]]

    @staticmethod
    def of_program(program: Program) -> "Case":
        """From a program in text form."""
        wrt, heads = floats(program, program.inputs), floats(program, program.outputs)
        back, bars = asking_derivative(vjp(program, wrt), wrt)
        forth, dots = asking_derivative(jvp(program, wrt), heads)
        return Case(
            str(program),
            program,
            back,
            forth,
            {w: (f"{w}_tangent", bar) for w, bar in zip(wrt, bars, strict=True)},
            {o: (f"{o}_seed", dot) for o, dot in zip(heads, dots, strict=True)},
        )

    @staticmethod
    def of_tensors(title: str, outputs: Sequence[pa.Tensor], inputs: Sequence[pa.Tensor]) -> "Case":
        """From tensors: <outputs, seeds> is differentiated backwards, the outputs forwards."""
        wrt = [t for t in inputs if t.dtype.startswith("float")]
        primal, _ = program_of(outputs, inputs, "primal")
        seeds = [pa.placeholder(o.shape, f"seed_{n}", o.dtype) for n, o in enumerate(outputs)]
        total = None
        for o, s in zip(outputs, seeds, strict=True):
            part = (o * s).sum() if o.ndim else o * s
            total = part if total is None else total + part
        back, _ = program_of(pa.grad(total, wrt), [*inputs, *seeds], "back")
        dots = [pa.placeholder(t.shape, f"tangent_{t.name}", t.dtype) for t in wrt]
        forth, _ = program_of(pa.tangent(outputs, dict(zip(wrt, dots, strict=True))), [*inputs, *dots], "forth")
        return Case(
            f"{title}\n{primal}",
            primal,
            back,
            forth,
            {t.name: (d.name, bar) for t, d, bar in zip(wrt, dots, back.outputs, strict=True)},
            {p: (s.name, dot) for p, s, dot in zip(primal.outputs, seeds, forth.outputs, strict=True)},
        )


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """A case and the numbers of its six kernels in a batch, (serial, OpenMP) each; None for those left out."""

    case: Case
    batch: NativeBatch
    primal: tuple[int, int] | None
    back: tuple[int, int] | None
    forth: tuple[int, int] | None

    @staticmethod
    def add(case: Case, batch: NativeBatch, which: Sequence[str] = WHICH, serial: bool = True) -> "Compiled":
        """Generate the kernels; the batch compiles them with its others.

        Args:
            case: what to compile.
            batch: where to.
            which: programs that will be run.
            serial: whether without OpenMP, too; else the kernel with it stands for both.
        """

        def numbers_of(name: str) -> tuple[int, int] | None:
            if name not in which:
                return None
            found = batch.add(getattr(case, name), (False, True) if serial else (True,))
            return found[0], found[-1]

        try:
            numbers = [numbers_of(name) for name in WHICH]
        except Exception as problem:
            problem.add_note(case.title)
            raise
        return Compiled(case, batch, *numbers)

    def run(self, which: str, inputs: Values, sizes: Sizes) -> Values:
        """Run "primal", "back" or "forth", serial and with several numbers of threads.

        The number of threads changes no bit. With it the compiler's output changes: where that vectorises, the serial
        kernel may round otherwise.
        """
        serial, parallel = getattr(self, which)
        found = self.batch.run(serial, inputs, sizes)
        alone = self.batch.run(parallel, inputs, sizes, threads=1)
        for name, values in alone.items():
            same = self.batch.optimize == 0
            allowed = 0.0 if same or values.dtype.kind != "f" else TOLERANCE[str(values.dtype)]
            scale = np.max(np.abs(found[name]), initial=0.0)
            text = f"{which}: {name} with OpenMP and without, of {self.case.title}"
            np.testing.assert_allclose(values, found[name], rtol=0, atol=allowed * scale, err_msg=text)
        for threads in THREADS:
            again = self.batch.run(parallel, inputs, sizes, threads)
            for name, values in alone.items():
                if values.tobytes() != again[name].tobytes():
                    both = f"{again[name]}\nwith one:\n{values}"
                    raise AssertionError(f"{which}: {name} with {threads} threads:\n{both}\n{self.case.title}")
        return found


def inputs_of(program: Program, names: Sequence[str], sizes: Sizes, seed: int) -> Values:
    """Normal floats of the arrays' types; integers below the smallest size, so that they can be indices of anything."""
    rng = np.random.default_rng(seed)
    result = {}
    for name in names:
        array = program.arrays[name]
        shape = tuple(e.evaluate(sizes) for e in array.shape)
        integer = array.dtype.startswith("int")
        values = rng.integers(0, min(sizes.values(), default=1), shape) if integer else 0.7 * rng.normal(size=shape)
        result[name] = values.astype(array.dtype)
    return result


def check(compiled: Compiled, sizes: Sizes, seed: int = 0, given: Values | None = None) -> None:
    """Garbage, threads and identity.

    Args:
        compiled: a case of a batch that was built.
        sizes: where it is tried.
        seed: of the random values.
        given: values of some inputs; the others are random.
    """
    case = compiled.case
    try:
        values = inputs_of(case.primal, case.primal.inputs, sizes, seed) | (given or {})
        compiled.run("primal", values, sizes)
        pushes = inputs_of(case.forth, [d for d, _ in case.wrt.values()], sizes, seed + 1)
        pulls = inputs_of(case.back, [s for s, _ in case.heads.values()], sizes, seed + 2)
        dots = pushes | compiled.run("forth", values | pushes, sizes)
        bars = pulls | compiled.run("back", values | pulls, sizes)
        left = [pulls[s].astype("float64") * dots[d] for s, d in case.heads.values()]
        right = [pushes[d].astype("float64") * bars[b] for d, b in case.wrt.values()]
    except Exception as problem:
        problem.add_note(f"at {dict(sizes)}, of {case.title}")
        raise
    size = 1 + sum(np.sum(np.abs(a)) for a in left) + sum(np.sum(np.abs(a)) for a in right)
    difference = sum(np.sum(a) for a in left) - sum(np.sum(a) for a in right)
    dtype = min(case.primal.arrays[o].dtype for o in case.heads)
    assert abs(difference) <= TOLERANCE[dtype] * size, f"<Jv, u> - <v, J'u> = {difference} at {sizes} of {case.title}"


def check_value(compiled: Compiled, sizes: Sizes, seed: int = 0, given: Values | None = None) -> None:
    """The compiled values against the evaluator's."""
    case = compiled.case
    values = inputs_of(case.primal, case.primal.inputs, sizes, seed) | (given or {})
    expected = evaluate(case.primal, values, sizes)
    for name, found in compiled.batch.run(compiled.primal[0], values, sizes).items():
        wanted = expected[name]
        finite = wanted[np.isfinite(wanted)] if wanted.dtype.kind == "f" else np.zeros(1)
        allowed = TOLERANCE.get(case.primal.arrays[name].dtype, 0.0)
        np.testing.assert_allclose(
            found,
            wanted,
            rtol=allowed,
            atol=allowed * (1 + np.max(np.abs(finite), initial=0.0)),
            err_msg=f"{name} at {dict(sizes)} of {case.title}",
        )


def check_slope(compiled: Compiled, sizes: Sizes, seed: int = 0, given: Values | None = None) -> None:
    """Tangents (and with the identity, adjoints) against central differences of the evaluator."""
    case = compiled.case
    values = inputs_of(case.primal, case.primal.inputs, sizes, seed) | (given or {})
    pushes = inputs_of(case.forth, [d for d, _ in case.wrt.values()], sizes, seed + 1)
    dots = pushes | compiled.batch.run(compiled.forth[0], values | pushes, sizes)
    step = 1e-5
    plus, minus = (
        evaluate(case.primal, values | {w: values[w] + e * pushes[d] for w, (d, _) in case.wrt.items()}, sizes)
        for e in (step, -step)
    )
    for o, (_, dot) in case.heads.items():
        slope = (plus[o] - minus[o]) / (2 * step)
        scale = 1 + np.max(np.abs(slope), initial=0.0)
        np.testing.assert_allclose(
            dots[dot], slope, rtol=1e-6, atol=1e-7 * scale, err_msg=f"{o} at {dict(sizes)} of {case.title}"
        )
