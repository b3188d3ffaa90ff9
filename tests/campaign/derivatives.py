"""Derivatives of the reference, as words of a program: `m.jvp`, `m.jacrev`, `m.hessian`."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tests.campaign.dual import Dual, linear, linear_many, primal

__all__ = ["Transforms"]


class Transforms:
    """Derivatives by dual numbers, direction by direction.

    Every argument is lifted, so that functions of arguments alone cannot confuse one derivative with another.
    """

    def jvp(self, f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
        found = f(*(Dual(p, t) for p, t in zip(primals, tangents, strict=True)))
        return found.value, found.dot

    def jacfwd(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """By the first argument, whose dimensions come last."""

        def jacobian(x: Any, *rest: Any) -> Any:
            shape, columns = np.shape(primal(x)), []
            for index in np.ndindex(*shape):
                one = np.zeros(shape)
                one[index] = 1.0
                columns.append(self.jvp(f, (x, *rest), (one, *(np.zeros(np.shape(primal(r))) for r in rest)))[1])
            stacked = linear_many(lambda parts: np.stack(parts, -1), columns)
            return linear(lambda a: a.reshape(*a.shape[:-1], *shape), stacked)

        return jacobian

    grad = jacrev = jacfwd

    def hessian(self, f: Callable[..., Any]) -> Callable[..., Any]:
        return self.jacfwd(self.jacfwd(f))

    def custom(self, f: Callable[..., Any], fwd: Any, bwd: Any) -> Callable[..., Any]:
        """The rules of the campaign are the true derivatives."""
        return f
