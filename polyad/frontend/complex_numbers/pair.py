"""Complex tensors: a real part and an imaginary part, two ordinary tensors, or two elements in a body.

They are nodes of pytrees. So scans, branches, batches and derivatives, which work leaf by leaf, see two real tensors
and need no rule of their own. Functions that are linear do the same to both parts (`rules.py`); operators and functions
that are not linear are formulas in the parts (`arithmetic.py`, `elementary.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import optree

from polyad.errors import DefinitionError, DTypeError
from polyad.frontend.absent_names import TENSOR, explain_absence
from polyad.frontend.scalar import Scalar
from polyad.frontend.symbols import Size
from polyad.frontend.tensor import Tensor, user_line
from polyad.ir.affine import Affine
from polyad.ir.element_types import COMPLEX

__all__ = ["ComplexTensor"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ComplexTensor:
    """A tensor of complex numbers, not yet computed: z = real + 1j * imag.

    Takes the operators + - * / ** == != and @, subscripts and the methods of a `Tensor` that are defined for complex
    numbers. There is no order among complex numbers: what needs one takes `abs(z)`, `z.real` or `z.imag`.

    Attributes:
        real: the real part, of one shape and floating-point type with the imaginary part; an element in a body.
        imag: the imaginary part.
        pairs: for an argument, the tensor of one more dimension, of extent 2, that both parts are read from; else None.
    """

    real: Any
    imag: Any
    pairs: Tensor | None = None

    @property
    def _whole(self) -> Tensor:
        if not isinstance(self.real, Tensor):
            raise DefinitionError(f"{user_line()}: {self!r} is one number in a body: it has no shape or type yet")
        return self.real

    @property
    def shape(self) -> tuple[Any, ...]:
        """The extents, each an int or an expression of sizes."""
        return self._whole.shape

    @property
    def shape_affine(self) -> tuple[Affine, ...]:
        """The extents."""
        return self._whole.shape_affine

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return 0 if isinstance(self.real, Scalar) else self._whole.ndim

    @property
    def dtype(self) -> str:
        """complex64, whose parts are float32, or complex128."""
        return next(name for name, part in COMPLEX.items() if part == self._whole.dtype)

    @property
    def weak(self) -> bool:
        """Whether it takes the precision of what it meets."""
        return self._whole.weak

    @property
    def name(self) -> str:
        """The name of its real part, or of the argument that it is."""
        return self._whole.name if self.pairs is None else self.pairs.name

    def __polyad_parts__(self, variable: str) -> dict[str, Any]:
        """The tensors behind a variable, by the names that they are given."""
        return {f"{variable}_real": self.real, f"{variable}_imag": self.imag}

    def size_symbols(self) -> dict[str, Any | Size]:
        """The sizes among its symbols."""
        return self._whole.size_symbols()

    def __repr__(self) -> str:
        if not isinstance(self.real, Tensor):
            return f"ComplexTensor({self.real!r}, {self.imag!r})"
        return f"ComplexTensor({self.name}: {self.dtype}[{', '.join(map(str, self.shape_affine))}])"

    def __getitem__(self, key: Any) -> ComplexTensor:
        return ComplexTensor(self._whole[key], self.imag[key])

    def __len__(self) -> int:
        return len(self._whole)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __setitem__(self, key: Any, value: Any) -> None:
        self._whole[key] = value

    def __bool__(self) -> bool:
        return bool(self._whole)

    def __complex__(self) -> complex:
        raise DefinitionError(f"{self!r} has no value yet: compile it with pa.compile, or use pa.jit on a function")

    def __float__(self) -> float:
        raise DTypeError(f"{self!r} is complex; take its .real or .imag")

    __int__ = __index__ = __float__

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return self._whole.__array__(*args, **kwargs)

    __hash__ = object.__hash__

    __array_ufunc__: ClassVar[Any] = None
    __array_function__: ClassVar[Any] = None

    if not TYPE_CHECKING:  # for a type checker, what is not there has no type

        def __getattr__(self, name: str) -> Any:
            return _absent()(name)

    if TYPE_CHECKING:  # attached: operators by arithmetic.py, methods by polyad.numpy.methods

        def __add__(self, other: Any) -> Any: ...

        def __radd__(self, other: Any) -> Any: ...

        def __sub__(self, other: Any) -> Any: ...

        def __rsub__(self, other: Any) -> Any: ...

        def __mul__(self, other: Any) -> Any: ...

        def __rmul__(self, other: Any) -> Any: ...

        def __truediv__(self, other: Any) -> Any: ...

        def __rtruediv__(self, other: Any) -> Any: ...

        def __pow__(self, other: Any) -> Any: ...

        def __matmul__(self, other: Any) -> Any: ...

        def __rmatmul__(self, other: Any) -> Any: ...

        def __neg__(self) -> Any: ...

        def __pos__(self) -> Any: ...

        def __abs__(self) -> Any: ...


@cache
def _absent() -> Callable[[str], Any]:
    return explain_absence("a complex tensor of polyad", [n for n in dir(ComplexTensor) if n[0] != "_"], TENSOR, {})


def _flattened(z: Any) -> tuple[tuple[Any, Any], None, tuple[str, str]]:
    return (z.real, z.imag), None, ("real", "imag")


_REGISTER: Any = optree.register_pytree_node  # whose types want a collection
_REGISTER(
    ComplexTensor,
    _flattened,
    lambda _, parts: ComplexTensor(*parts),
    path_entry_type=optree.GetAttrEntry,
    namespace="polyad",
)
