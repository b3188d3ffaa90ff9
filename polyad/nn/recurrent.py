"""Recurrent layers over (T, B, I): scans of the cells, with the input's part computed for all steps at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.checkpoint import Checkpoint
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Number
from polyad.frontend.scan import scan
from polyad.frontend.tensor import Tensor, define
from polyad.nn.linear import dense
from polyad.nn.recurrent_cells import check_weights, gru_update, lstm_update, rnn_update
from polyad.numpy.dimensions import TensorLike, extents, shape_text
from polyad.numpy.joining import concatenate

__all__ = ["bidirectional", "gru", "lstm", "rnn"]


def rnn(
    x: TensorLike,
    W_ih: TensorLike,
    W_hh: TensorLike,
    b_ih: TensorLike | None = None,
    b_hh: TensorLike | None = None,
    h0: TensorLike | None = None,
    *,
    nonlinearity: str = "tanh",
    reverse: bool = False,
    checkpoint: Checkpoint | None = None,
) -> tuple[Tensor, Tensor]:
    """`rnn_cell` along time.

    Shapes: x (T, B, I) or (T, I), weights as for the cell, h0 (B, H), zero if None; outputs (T, B, H), final
    state (B, H).

    Args:
        x: inputs, time in front.
        W_ih: weight of the input.
        W_hh: weight of the state.
        b_ih: bias of the input, or None.
        b_hh: bias of the state, or None.
        h0: initial state.
        nonlinearity: tanh or relu.
        reverse: run from the last step to the first; outputs keep their places.
        checkpoint: which states the backward pass keeps, as for `polyad.scan`.

    Returns:
        (outputs, final state).

    Raises:
        ShapeError: the shapes do not fit.
    """
    first = _initial("rnn", 1, x, W_ih, W_hh, h0)
    drive = dense(x, W_ih, b_ih)

    def step(h: Tensor, x_part: Tensor) -> tuple[Tensor, Tensor]:
        h_new = rnn_update(x_part, h, W_hh, b_hh, nonlinearity)
        return h_new, h_new

    final, outputs = scan(step, first, drive, reverse=reverse, checkpoint=checkpoint)
    return outputs, final


def gru(
    x: TensorLike,
    W_ih: TensorLike,
    W_hh: TensorLike,
    b_ih: TensorLike | None = None,
    b_hh: TensorLike | None = None,
    h0: TensorLike | None = None,
    *,
    reverse: bool = False,
    checkpoint: Checkpoint | None = None,
) -> tuple[Tensor, Tensor]:
    """`gru_cell` along time.

    Shapes: x (T, B, I) or (T, I), weights as for the cell, h0 (B, H), zero if None; outputs (T, B, H), final
    state (B, H).

    Args:
        x: inputs, time in front.
        W_ih: weight of the input, gates r z n.
        W_hh: weight of the state.
        b_ih: bias of the input, or None.
        b_hh: bias of the state, or None.
        h0: initial state.
        reverse: run from the last step to the first; outputs keep their places.
        checkpoint: which states the backward pass keeps, as for `polyad.scan`.

    Returns:
        (outputs, final state).

    Raises:
        ShapeError: the shapes do not fit.
    """
    first = _initial("gru", 3, x, W_ih, W_hh, h0)
    drive = dense(x, W_ih, b_ih)

    def step(h: Tensor, x_part: Tensor) -> tuple[Tensor, Tensor]:
        h_new = gru_update(x_part, h, W_hh, b_hh)
        return h_new, h_new

    final, outputs = scan(step, first, drive, reverse=reverse, checkpoint=checkpoint)
    return outputs, final


def lstm(
    x: TensorLike,
    W_ih: TensorLike,
    W_hh: TensorLike,
    b_ih: TensorLike | None = None,
    b_hh: TensorLike | None = None,
    h0: TensorLike | None = None,
    c0: TensorLike | None = None,
    *,
    reverse: bool = False,
    checkpoint: Checkpoint | None = None,
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """`lstm_cell` along time.

    Shapes: x (T, B, I) or (T, I), weights as for the cell, h0 and c0 (B, H), zero if None; outputs (T, B, H),
    final states (B, H).

    Args:
        x: inputs, time in front.
        W_ih: weight of the input, gates i f g o.
        W_hh: weight of the state.
        b_ih: bias of the input, or None.
        b_hh: bias of the state, or None.
        h0: initial state.
        c0: initial memory.
        reverse: run from the last step to the first; outputs keep their places.
        checkpoint: which states the backward pass keeps, as for `polyad.scan`.

    Returns:
        (outputs, (final state, final memory)).

    Raises:
        ShapeError: the shapes do not fit.
    """
    first = (_initial("lstm", 4, x, W_ih, W_hh, h0, "h0"), _initial("lstm", 4, x, W_ih, W_hh, c0, "c0"))
    drive = dense(x, W_ih, b_ih)

    def step(state: tuple[Tensor, Tensor], x_part: Tensor) -> tuple[tuple[Tensor, Tensor], Tensor]:
        h_new, c_new = lstm_update(x_part, state, W_hh, b_hh)
        return (h_new, c_new), h_new

    final, outputs = scan(step, first, drive, reverse=reverse, checkpoint=checkpoint)
    return outputs, final


def bidirectional(
    layer: Callable[..., tuple[Tensor, Any]],
    x: TensorLike,
    forward: Sequence[TensorLike | None],
    backward: Sequence[TensorLike | None],
    **options: Any,
) -> tuple[Tensor, tuple[Any, Any]]:
    """A recurrent layer run in both directions of time.

    Args:
        layer: `rnn`, `gru` or `lstm`.
        x: inputs (T, B, I).
        forward: (W_ih, W_hh, b_ih, b_hh, ...) of the forward direction, as the layer takes them after `x`.
        backward: those of the backward direction.
        options: keyword arguments for both.

    Returns:
        (outputs (T, B, 2H), forward in front; (final state forward, final state backward)).

    Raises:
        ShapeError: the shapes do not fit.
    """
    ahead, last = layer(x, *forward, **options)
    back, first = layer(x, *backward, reverse=True, **options)
    return concatenate([ahead, back], axis=-1), (last, first)


def _initial(what: str, gates: int, x: Any, W_ih: Any, W_hh: Any, given: TensorLike | None, name: str = "h0") -> Tensor:
    """The initial state, zero if none is given, of the type of the inputs."""
    t, w = as_tensor(x, "x"), as_tensor(W_hh, "W_hh")
    if t.ndim not in (2, 3) or w.ndim != 2:
        raise ShapeError(
            f"{what}: x {shape_text(extents(t))} must be (T, B, I) or (T, I) and W_hh {shape_text(extents(w))} a matrix"
        )
    shape = [*extents(t)[1:-1], extents(w)[1]]
    first = define(shape, lambda *_: Number(0.0), name, t.dtype) if given is None else as_tensor(given, name)
    check_weights(what, gates, t, first, W_ih, W_hh)
    if first.shape_affine != tuple(e.affine for e in shape):
        raise ShapeError(f"{what}: {name} {shape_text(extents(first))} must be {shape_text(shape)}")
    return first
