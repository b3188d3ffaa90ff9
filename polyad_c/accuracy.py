"""Measure the functions of section 6 of `polyad_runtime.h` in units in the last place (ulp).

`python -m polyad_c.accuracy` prints the table of `README.md`; `--exhaustive` visits every float (hours).

The reference is the C library in the next wider type: double for float, long double for double. Its own error is about
0.001 ulp of the narrow type where long double has 64 bits or more.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from cffi import FFI

from polyad_c.build_runtime import build, make_ffibuilder

Array = npt.NDArray[Any]

BOUNDS: dict[str, tuple[float, float]] = {
    "exp": (1.2, 1.2),
    "expm1": (1.8, 1.8),
    "log": (0.9, 0.9),
    "log1p": (1.5, 1.5),
    "tanh": (2.8, 2.8),
    "sigmoid": (2.6, 2.6),
    "erf": (1.6, 1.6),
    "erfinv": (4.0, 5.5),
}
"""The promised largest error in ulp, as (float, double): what was measured, and a little more.

The header and the README repeat these numbers; a test compares.
"""

VARIANTS: dict[str, tuple[str, ...]] = {
    "baseline": ("-ffp-contract=off",),
    "native, contracted": ("-march=native", "-ffp-contract=fast"),
}
"""Compiler flags under which the bounds are held: a * b + c in two roundings everywhere, and in one where possible."""

DTYPES: dict[str, np.dtype[Any]] = {"f32": np.dtype(np.float32), "f64": np.dtype(np.float64)}
WIDER: dict[str, np.dtype[Any]] = {"f32": np.dtype(np.float64), "f64": np.dtype(np.longdouble)}

REFERENCE = """
#include <math.h>
#include <stdint.h>
static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static long double sigmoidl(long double x) { return 1 / (1 + expl(-x)); }
/* From a guess by Winitzki, steps of Newton's method: by erfc where erf is close to 1. */
#define INVERSE(name, real, log, sqrt, erf, erfc, exp, fabs) \\
    static real name(real x) { \\
        const real a = fabs(x), w = log((1 - a) * (1 + a)), b = 4.33 + w / 2; \\
        if (!(a < 1)) return a == 1 ? x * INFINITY : NAN; \\
        real y = a < 0.01 ? a * 0.886 : sqrt(sqrt(b * b - w / 0.147) - b); \\
        for (int i = 0; i < 6; ++i) y -= (a < 0.5 ? erf(y) - a : (1 - a) - erfc(y)) * 0.886226925452758 * exp(y * y); \\
        return x < 0 ? -y : y; }
INVERSE(erfinv, double, log, sqrt, erf, erfc, exp, fabs)
INVERSE(erfinvl, long double, logl, sqrtl, erfl, erfcl, expl, fabsl)
#define LOOP(name, op, narrow, wide) \\
    void name(const narrow *x, wide *y, int64_t n) { for (int64_t i = 0; i < n; ++i) y[i] = op(x[i]); }
#define BOTH(op) LOOP(ref_##op##_f32, op, float, double) LOOP(ref_##op##_f64, op##l, double, long double)
"""


def build_reference(directory: Path) -> Any:
    """Compile `ref_<op>_<type>`, the C library over arrays in the next wider type."""
    builder = FFI()
    for op in BOUNDS:
        builder.cdef(f"void ref_{op}_f32(const float *x, double *y, int64_t n);")
        builder.cdef(f"void ref_{op}_f64(const double *x, long double *y, int64_t n);")
    text = REFERENCE + " ".join(f"BOTH({op})" for op in BOUNDS) + "\n"
    builder.set_source("polyad_reference", text, extra_compile_args=["-O2"], libraries=["m"])
    return build(builder, "polyad_reference", directory)


def build_variant(flags: tuple[str, ...], directory: Path) -> Any:
    """Compile the header's functions over arrays with extra compiler flags."""
    name = "polyad_runtime_" + "".join(c if c.isalnum() else "_" for c in "".join(flags))
    return build(make_ffibuilder(name, flags), name, directory)


def call(module: Any, function: str, *inputs: Array, result: npt.DTypeLike | None = None) -> Array:
    """Apply one array function of a compiled module element by element."""
    arrays = [np.ascontiguousarray(a) for a in inputs]
    y = np.empty(arrays[0].shape, result if result is not None else arrays[0].dtype)
    pointers = [module.ffi.cast("void *", a.ctypes.data) for a in (*arrays, y)]
    getattr(module.lib, function)(*pointers, y.size)
    return y


def ulp_error(result: Array, exact: Array) -> Array:
    """Return |result - exact| in ulp of the type of `result`; infinite where one is nan and the other is not.

    The ulp is the distance of the two neighbours around `exact`, and that of the denormals below the normal range.
    Infinity counts as the power of two after the largest number: an overflow a little too early costs a few ulp, and an
    exact result beyond that is as good as infinity.
    """
    info = np.finfo(result.dtype)
    limit = np.ldexp(exact.dtype.type(1), info.maxexp)
    capped = np.clip(exact, -limit, limit)
    wide = np.clip(result.astype(exact.dtype), -limit, limit)
    _, exponent = np.frexp(capped)
    exponent = np.clip(exponent - 1, info.minexp, info.maxexp - 1)
    error = np.abs(wide - capped) / np.ldexp(exact.dtype.type(1), exponent - info.nmant)
    both_nan = np.isnan(result) & np.isnan(exact)
    return np.where(both_nan, 0, np.where(np.isnan(error), np.inf, error))


def special_values(dtype: np.dtype[Any]) -> Array:
    """Zeros, denormals, the ends of the range, infinities, nan, and neighbours of where a function changes form."""
    info = np.finfo(dtype)
    tiny = [0.0, info.smallest_subnormal, 3 * info.smallest_subnormal, info.tiny, info.tiny * (1 + info.eps)]
    ends = [info.max, info.max / 2, np.inf, np.nan]
    turns = [0.34657359, 0.5, 0.70710678, 1.0, 1.41421356, 2.0, 4.0, 6.0, 10.0, 20.0, 40.0, 1e10, 1e20]
    turns += [87.336544, 88.722839, 89.0, 103.97208, 104.0, 708.39641, 709.78271, 710.0, 745.13322, 746.0]
    exact = np.array([*tiny, *ends, *turns], dtype)
    with np.errstate(over="ignore", under="ignore"):
        near = np.concatenate([np.nextafter(exact, dtype.type(np.inf)), np.nextafter(exact, dtype.type(-np.inf))])
    positive = np.concatenate([exact, near])
    return np.concatenate([positive, -positive])


def samples(dtype: np.dtype[Any], count: int, seed: int = 0) -> Array:
    """Draw arguments: a third any bit pattern, a third spread over the exponents that matter, a third even."""
    generator = np.random.default_rng(seed)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    third = count // 3
    bits = generator.integers(0, np.iinfo(unsigned).max, third, unsigned, endpoint=True).view(dtype)
    exponents = generator.uniform(-30 if dtype.itemsize == 4 else -60, 10, third)
    logarithmic = np.exp2(exponents) * generator.choice([-1.0, 1.0], third)
    reach = generator.choice([1.0, 8.0, 110.0, 750.0], third)
    even = generator.uniform(-1, 1, third) * reach
    return np.concatenate([special_values(dtype), bits, logarithmic.astype(dtype), even.astype(dtype)])


def every_float(chunk: int = 1 << 22) -> Iterator[Array]:
    """Yield all 2^32 floats."""
    for start in range(0, 1 << 32, chunk):
        yield np.arange(start, start + chunk, dtype=np.uint64).astype(np.uint32).view(np.float32)


def largest_error(runtime: Any, reference: Any, op: str, suffix: str, x: Array) -> tuple[float, float]:
    """Return the largest error in ulp among the arguments `x`, and the argument where it occurs."""
    with np.errstate(all="ignore"):
        exact = call(reference, f"ref_{op}_{suffix}", x, result=WIDER[suffix])
        error = ulp_error(call(runtime, f"pa_vec_{op}_{suffix}", x), exact)
    worst = int(np.argmax(error))
    return float(error[worst]), float(x[worst])


def main() -> None:
    """Print the largest errors, one line an operation and type."""
    parser = argparse.ArgumentParser(description="Measure the functions of polyad_runtime.h in ulp.")
    parser.add_argument("--exhaustive", action="store_true", help="every float instead of samples")
    parser.add_argument("--samples", type=int, default=10_000_000, help="arguments an operation and type")
    parser.add_argument("--ops", nargs="*", default=list(BOUNDS))
    parser.add_argument("--types", nargs="*", default=list(DTYPES))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        reference = build_reference(Path(directory))
        for variant, flags in VARIANTS.items():
            runtime = build_variant(flags, Path(directory))
            for op in options.ops:
                for suffix in options.types:
                    if options.exhaustive and suffix == "f32":
                        chunks = every_float()
                    else:
                        size = min(options.samples, 1_000_000)
                        count = max(1, options.samples // size)
                        chunks = (samples(DTYPES[suffix], size, seed) for seed in range(count))
                    worst, where = max(largest_error(runtime, reference, op, suffix, x) for x in chunks)
                    print(f"{variant:20} {op:8} {suffix}  {worst:8.3f} ulp at {where!r}", flush=True)


if __name__ == "__main__":
    main()
