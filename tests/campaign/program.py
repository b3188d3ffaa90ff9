"""One program of the campaign: lines of Python, the arrays they take, and how they are to be compiled and run."""

import json
import random
import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

__all__ = ["Input", "Options", "Program"]

ODD = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1e30, -1e30, 1e-30)


@dataclass(frozen=True, slots=True)
class Input:
    """An array that the program takes.

    Attributes:
        dtype: float32, float64, int32 or int64.
        shape: expressions of the extents, `N` or `4 * H`.
        kind: normal; ties (few values, zero among them); positive; odd (nan, infinities, both zeros and numbers near
            the ends of the range among them); or, for integers, an extent: values below it.
    """

    dtype: str
    shape: tuple[str, ...]
    kind: str = "normal"

    @property
    def floating(self) -> bool:
        return self.dtype.startswith("float")


@dataclass(frozen=True, slots=True)
class Options:
    """How a program is compiled and run.

    Attributes:
        mode: value; grad of its one number; vjp and jvp of all it returns; second (gradient of gradient times vector).
        level: polyad's `optimize`.
        openmp: whether the target is "openmp" rather than "c".
        threads: of the first two calls; the third uses another number.
        symbolic: whether sizes are parameters.
        compiler: the level of the C compiler.
        tiny: whether sizes count as on a machine where every optimisation pays.
        front: whether it goes the user's way (`pa.jit`, out=) rather than into a batch.
        least: what symbolic sizes are declared to be at least.
        transforms: how many random transforms a schedule of the user's own has, saved and loaded; 0 for none.
    """

    mode: str = "value"
    level: int = 3
    openmp: bool = True
    threads: int = 2
    symbolic: bool = False
    compiler: int = 0
    tiny: bool = False
    front: bool = False
    least: int = 1
    transforms: int = 0


@dataclass(frozen=True, slots=True)
class Program:
    """See the module.

    Attributes:
        name: class/seed/number, from which it is drawn again.
        extents: name -> value.
        inputs: in the order of the parameters.
        lines: the body of `f(m, ...)`.
        others: further values of the extents, for kernels with symbolic sizes.
        options: see there.
        peers: whether JAX has words for it.
    """

    name: str
    extents: dict[str, int]
    inputs: dict[str, Input]
    lines: tuple[str, ...]
    others: tuple[dict[str, int], ...] = ()
    options: Options = field(default_factory=Options)
    peers: bool = True

    @property
    def label(self) -> str:
        return self.name.split("/")[0]

    @property
    def text(self) -> str:
        """The function, as Python."""
        body = "\n".join(f"    {line}" for line in self.lines)
        return f"def f({', '.join(['m', *self.inputs])}):\n{body}\n"

    @property
    def dtype(self) -> str:
        """float32 where any input is."""
        return "float32" if any(i.dtype == "float32" for i in self.inputs.values()) else "float64"

    @property
    def odd(self) -> bool:
        """Whether numbers that are not finite are given."""
        return any(i.kind == "odd" for i in self.inputs.values())

    @property
    def differentiable(self) -> list[str]:
        return [name for name, i in self.inputs.items() if i.floating]

    def function(self, extents: Mapping[str, Any]) -> Callable[..., Any]:
        """`f`, with the extents as numbers or symbols."""
        names: dict[str, Any] = dict(extents)
        exec(compile(self.text, f"<{self.name}>", "exec"), names)
        found: Callable[..., Any] = names["f"]
        return found

    def shape(self, name: str, extents: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(eval(n, dict(extents)) for n in self.inputs[name].shape)

    def values(self, extents: Mapping[str, int], seed: int = 0) -> dict[str, np.ndarray]:
        """The arrays; the same on every machine."""
        found = {}
        for name, given in self.inputs.items():
            shape = self.shape(name, extents)
            rng = np.random.default_rng([seed, zlib.crc32(f"{self.name} {name} {shape}".encode())])
            if not given.floating:
                values = rng.integers(0, max(1, eval(given.kind, dict(extents))), shape)
            elif given.kind == "ties":
                values = 0.5 * rng.integers(-2, 3, shape)
            elif given.kind == "positive":
                values = rng.uniform(0.4, 1.6, shape)
            elif given.kind == "odd":
                odd = rng.choice(ODD, shape)
                if given.dtype == "float32":  # the evaluator has a wider range; 1e10 ** 3 is in both
                    odd = np.where(np.isfinite(odd), np.clip(odd, -1e10, 1e10), odd)
                values = np.where(rng.random(shape) < 0.3, odd, rng.uniform(-1.0, 1.0, shape))
            else:
                values = rng.uniform(-1.0, 1.0, shape)
            found[name] = values.astype(given.dtype)
        return found

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> "Program":
        d = json.loads(text)
        d["inputs"] = {n: Input(i["dtype"], tuple(i["shape"]), i["kind"]) for n, i in d["inputs"].items()}
        d["options"] = Options(**d["options"])
        d["lines"], d["others"] = tuple(d["lines"]), tuple(d["others"])
        return Program(**d)

    def with_options(self, **changes: Any) -> "Program":
        return replace(self, options=replace(self.options, **changes))


def generator(name: str) -> random.Random:
    """The random choices of a program, from its name alone."""
    return random.Random(name)


__all__ += ["generator"]
