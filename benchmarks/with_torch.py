"""Value and gradient by PyTorch: eager, or through torch.compile."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.workload import Case, Contender, Ready

__all__ = ["gradient_of", "with_torch"]


def gradient_of(loss: Callable[[], Any], variables: Sequence[Any]) -> Ready:
    """The contender for a loss() of these leaf tensors."""
    import torch

    def call() -> Any:
        value = loss()
        return value, torch.autograd.grad(value, variables)

    return Ready(call, lambda r: [r[0].detach().numpy(), *(g.contiguous().numpy() for g in r[1])])


def with_torch(
    inputs: Callable[[Case], Mapping[str, Any]],
    loss: Callable[..., Any],
    wrt: Callable[[Case], Sequence[str]],
    compiled: bool = False,
) -> Contender:
    """The contender for loss(case, **tensors).

    Args:
        inputs: the arrays of a case, by name.
        loss: the loss in PyTorch.
        wrt: the inputs to differentiate with respect to.
        compiled: whether torch.compile takes the whole loss.
    """

    def set_up(case: Case) -> Ready:
        import torch

        tensors = {n: torch.from_numpy(a) for n, a in inputs(case).items()}
        variables = [tensors[n].requires_grad_() for n in wrt(case)]

        def run(**t: Any) -> Any:
            return loss(case, **t)

        function = torch.compile(run) if compiled else run
        return gradient_of(lambda: function(**tensors), variables)

    return set_up
