"""C identifiers for the user's names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from polyad.ir.names import unique_name
from polyad.ir.program import Program

__all__ = ["MATH", "NARROW", "WIDE", "Names", "Spelling", "c_name", "program_names"]

_KEYWORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool _Complex
_Imaginary alignas alignof and and_eq asm bitand bitor bool catch char8_t char16_t char32_t class compl concept
const_cast consteval constexpr constinit co_await co_return co_yield decltype delete dynamic_cast explicit export false
friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast
requires static_assert static_cast template this thread_local throw true try typeid typename using virtual wchar_t xor
xor_eq typeof linux unix asm near far
"""

# Functions and macros of the headers that polyad_runtime.h includes, and macros that other headers are known for
# (the POSIX constants of math.h, `major` and `minor`, which POSIX headers define as macros). `I` stays what it is: it
# is a size in every RNN, and generated headers do not include complex.h.
_MATH = """
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax
fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan
nearbyint nextafter nexttoward pow remainder remquo rint round scalb scalbln scalbn signgam significand sin sinh sqrt
tan tanh tgamma trunc y0 y1 yn drem finite isinf isnan isfinite isnormal signbit fpclassify exp10 sincos pow10
isgreater isgreaterequal isless islessequal islessgreater isunordered float_t double_t math_errhandling
INFINITY NAN HUGE_VAL HUGE_VALF HUGE_VALL FP_NAN FP_INFINITE FP_ZERO FP_SUBNORMAL FP_NORMAL FP_ILOGB0 FP_ILOGBNAN
M_E M_PI M_LN2 M_SQRT2
"""
_LIBRARY = f"""{_MATH}
memchr memcmp memcpy memmove memset strcat strchr strcmp strcoll strcpy strcspn strdup strerror strlen strncat strncmp
strncpy strpbrk strrchr strspn strstr strtok strxfrm index rindex bcmp bcopy bzero ffs strsep stpcpy
abs abort atexit atof atoi calloc div exit free getenv labs ldiv malloc qsort rand realloc srand strtod strtol system
main printf puts putchar getchar time clock environ errno stdin stdout stderr
NULL EOF OVERFLOW UNDERFLOW DOMAIN SING PLOSS TLOSS
major minor makedev size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
uintptr_t intptr_t
"""

# Variables of the generated functions themselves.
_OWN = "sizes workspace workspace_bytes bytes offset slots status position"
# and those that CUDA declares in each kernel
_OWN += " threadIdx blockIdx blockDim gridDim warpSize"

RESERVED = frozenset((_KEYWORDS + _LIBRARY + _OWN).split())
_FLOAT_VARIANTS = frozenset(f"{name}{suffix}" for name in _LIBRARY.split() for suffix in "fl" if name.islower())

MATH = frozenset(f"{name}{suffix}" for name in _MATH.split() for suffix in ("", "f", "l"))
"""What <math.h> declares, for double, float and long double."""

WIDE, NARROW = "int64_t", "pa_index32"
"""The C types of loop variables and subscripts; the second is another name of int32_t (polyad_runtime.h)."""


def c_name(name: str) -> str:
    """The name itself, or with `_` appended when C, C++, the C library or polyad's runtime has a use for it."""
    text = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name) or "_"
    # Names that begin with an underscore belong to the implementation, wholly so at file scope.
    if text[0].isdigit() or text[0] == "_":
        text = f"v{text}"
    if text in RESERVED or text in _FLOAT_VARIANTS or text.lower().startswith(("pa_", "polyad_", "slot_")):
        text += "_"
    return text


@dataclass(frozen=True, slots=True)
class Spelling:
    """How sizes and iterators are written.

    Attributes:
        params: size -> its name.
        nonnegative: the sizes and iterators that are known to be 0 or more wherever they are mentioned.
        places: in which order they stand in sums and products; their names decide nothing.
        divided: the operator of a division that rounds down; "" where there is none, as in C.
        index: the C type of sizes and iterators.
        counted: the C type that work is counted in.
    """

    params: Mapping[str, str]
    nonnegative: frozenset[str] = frozenset()
    places: Mapping[str, int] = field(default_factory=dict)
    divided: str = ""
    index: str = WIDE
    counted: str = "double"

    def __call__(self, name: str) -> str:
        """The identifier."""
        return self.params.get(name, name)

    def place(self, name: str) -> int:
        """Return its place in a sum or a product: behind those that the program mentions before it."""
        return self.places.get(name, len(self.places))


@dataclass(frozen=True, slots=True)
class Names:
    """The C identifiers of a program.

    Attributes:
        function: of the kernel.
        arrays: array name -> identifier.
        value: of sizes, as members of the sizes struct and as variables; iterators are named in C from the start.
    """

    function: str
    arrays: dict[str, str]
    value: Spelling

    @property
    def params(self) -> Mapping[str, str]:
        """Size name -> identifier."""
        return self.value.params

    def wide(self) -> Names:
        """The same names where sizes have 64 bits, whatever a kernel counts with."""
        return replace(self, value=replace(self.value, index=WIDE))

    def taken(self) -> set[str]:
        """The identifiers that no iterator or local variable may have."""
        function = {self.function, f"{self.function}_sizes", f"{self.function}_workspace"}
        return function | set(self.arrays.values()) | set(self.params.values()) | set(RESERVED)


def _distinct(names: Iterable[str], taken: set[str]) -> dict[str, str]:
    result = {}
    for name in names:
        result[name] = unique_name(c_name(name), taken)
        taken.add(result[name])
    return result


def program_names(program: Program) -> Names:
    """Choose all identifiers of a program; arguments and sizes keep theirs before temporaries do."""
    function = c_name(program.name)
    taken = {function, f"{function}_sizes", f"{function}_workspace"}
    taken |= {f"{function.upper()}_{macro}" for macro in ("H", "POLYAD_ABI", "POLYAD_VERSION")}
    params = _distinct(program.params, taken)
    arguments = dict.fromkeys((*program.inputs, *program.outputs))
    arrays = _distinct([*arguments, *(a for a in program.arrays if a not in arguments)], taken)
    return Names(function, arrays, Spelling(params, places={n: i for i, n in enumerate(program.params)}))
