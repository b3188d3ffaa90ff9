"""Recurrent layers over (T, B, I): scans of the cells, with the input's part computed for all steps at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from polyad.errors import DefinitionError, ShapeError
from polyad.frontend.argument_checks import several
from polyad.frontend.checkpoint import Checkpoint
from polyad.frontend.constants import as_tensor
from polyad.frontend.control.lengths import checked_lengths
from polyad.frontend.scalar import IndexExpr, Number
from polyad.frontend.scan import scan
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.nn.linear import dense
from polyad.nn.recurrent_cells import check_weights, gru_update, lstm_update, rnn_update
from polyad.numpy.dimensions import TensorLike, extents, shape_text
from polyad.numpy.joining import concatenate

__all__ = ["bidirectional", "gru", "lstm", "rnn", "stacked"]

Weights = Sequence[TensorLike | None] | Mapping[str, TensorLike | None]
"""Of one direction of one layer."""


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
    lengths: TensorLike | None = None,
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
        lengths: integers of 0 .. T (B,), or () for x (T, I): the steps of each example, as for `polyad.scan`. Outputs
            behind are 0, and the final state is that of the last step of the example, or, with `reverse`, of its
            first one, which is reached from its last one.

    Returns:
        (outputs, final state).

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: lengths are no integers.
        CallError: when run, a length is outside of 0 .. T.
    """
    first = _initial("rnn", 1, x, W_ih, W_hh, h0)
    drive = dense(_ahead(x, lengths), W_ih, b_ih)

    def step(h: Tensor, x_part: Tensor) -> tuple[Tensor, Tensor]:
        h_new = rnn_update(x_part, h, W_hh, b_hh, nonlinearity)
        return h_new, h_new

    final, outputs = scan(step, first, drive, reverse=reverse, checkpoint=checkpoint, lengths=lengths)
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
    lengths: TensorLike | None = None,
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
        lengths: integers of 0 .. T (B,), or () for x (T, I): the steps of each example, as for `polyad.scan`. Outputs
            behind are 0, and the final state is that of the last step of the example, or, with `reverse`, of its
            first one, which is reached from its last one.

    Returns:
        (outputs, final state).

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: lengths are no integers.
        CallError: when run, a length is outside of 0 .. T.
    """
    first = _initial("gru", 3, x, W_ih, W_hh, h0)
    drive = dense(_ahead(x, lengths), W_ih, b_ih)

    def step(h: Tensor, x_part: Tensor) -> tuple[Tensor, Tensor]:
        h_new = gru_update(x_part, h, W_hh, b_hh)
        return h_new, h_new

    final, outputs = scan(step, first, drive, reverse=reverse, checkpoint=checkpoint, lengths=lengths)
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
    W_hr: TensorLike | None = None,
    peephole: TensorLike | None = None,
    reverse: bool = False,
    checkpoint: Checkpoint | None = None,
    lengths: TensorLike | None = None,
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """`lstm_cell` along time.

    Shapes: x (T, B, I) or (T, I), weights as for the cell, h0 and c0 (B, H), zero if None; outputs (T, B, H),
    final states (B, H). With a projection W_hr (P, H), outputs are (T, B, P) and h0 (B, P).

    Args:
        x: inputs, time in front.
        W_ih: weight of the input, gates i f g o.
        W_hh: weight of the state.
        b_ih: bias of the input, or None.
        b_hh: bias of the state, or None.
        h0: initial state.
        c0: initial memory.
        W_hr: projection of the state, or None, as for the cell.
        peephole: weights (3H,) with which the gates see the memory, or None, as for the cell.
        reverse: run from the last step to the first; outputs keep their places.
        checkpoint: which states the backward pass keeps, as for `polyad.scan`.
        lengths: integers of 0 .. T (B,), or () for x (T, I): the steps of each example, as for `polyad.scan`. Outputs
            behind are 0, and the final state is that of the last step of the example, or, with `reverse`, of its
            first one, which is reached from its last one.

    Returns:
        (outputs, (final state, final memory)).

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: lengths are no integers.
        CallError: when run, a length is outside of 0 .. T.
    """
    memory = None if W_hr is None else extents(as_tensor(W_hr, "W_hr"))[1]
    first = (
        _initial("lstm", 4, x, W_ih, W_hh, h0, "h0", W_hr),
        _initial("lstm", 4, x, W_ih, W_hh, c0, "c0", W_hr, memory),
    )
    drive = dense(_ahead(x, lengths), W_ih, b_ih)

    def step(state: tuple[Tensor, Tensor], x_part: Tensor) -> tuple[tuple[Tensor, Tensor], Tensor]:
        h_new, c_new = lstm_update(x_part, state, W_hh, b_hh, W_hr, peephole)
        return (h_new, c_new), h_new

    final, outputs = scan(step, first, drive, reverse=reverse, checkpoint=checkpoint, lengths=lengths)
    return outputs, final


def bidirectional(
    layer: Callable[..., tuple[Tensor, Any]],
    x: TensorLike,
    forward: Weights,
    backward: Weights,
    **options: Any,
) -> tuple[Tensor, tuple[Any, Any]]:
    """A recurrent layer run in both directions of time.

    Args:
        layer: `rnn`, `gru` or `lstm`.
        x: inputs (T, B, I).
        forward: (W_ih, W_hh, b_ih, b_hh, ...) of the forward direction, as the layer takes them after `x`; or these by
            their names.
        backward: those of the backward direction.
        options: keyword arguments for both.

    Returns:
        (outputs (T, B, 2H), forward in front; (final state forward, final state backward)).

    Raises:
        ShapeError: the shapes do not fit.
    """
    ahead, last = _run(layer, x, forward, options)
    back, first = _run(layer, x, backward, {**options, "reverse": True})
    return concatenate([ahead, back], axis=-1), (last, first)


def stacked(
    layer: Callable[..., tuple[Tensor, Any]],
    x: TensorLike,
    weights: Sequence[Weights | tuple[Weights, Weights]],
    **options: Any,
) -> tuple[Tensor, list[Any]]:
    """Several recurrent layers, each of the outputs of the one before.

    Args:
        layer: `rnn`, `gru` or `lstm`.
        x: inputs (T, B, I).
        weights: of each layer: (W_ih, W_hh, b_ih, b_hh, ...) as the layer takes them after `x`, or these by their
            names; a pair (forward, backward) of such makes it `bidirectional`.
        options: keyword arguments for all layers.

    Returns:
        (outputs of the last layer, final states of each).

    Raises:
        ShapeError: the shapes do not fit.
        DefinitionError: there are no layers.
    """
    finals = []
    outputs = as_tensor(x, "x")
    for given in several(weights, "stacked: weights"):
        pair = not isinstance(given, Mapping) and all(isinstance(g, tuple | list | Mapping) for g in given)
        outputs, final = (
            bidirectional(layer, outputs, *given, **options) if pair else _run(layer, outputs, given, options)
        )
        finals.append(final)
    if not finals:
        raise DefinitionError("stacked: weights of at least one layer are needed")
    return outputs, finals


def _run(layer: Callable[..., Any], x: TensorLike, given: Weights, options: Mapping[str, Any]) -> tuple[Tensor, Any]:
    """One layer with its weights, in their order or by name."""
    if isinstance(given, Mapping):
        outputs, final = layer(x, **given, **options)
    else:
        outputs, final = layer(x, *given, **options)
    return outputs, final


def _ahead(x: TensorLike, lengths: TensorLike | None) -> TensorLike:
    """Inputs with zeros behind the lengths of the examples: their products with weights have derivatives, too."""
    if lengths is None:
        return x
    given = as_tensor(x, "x")
    return checked_lengths(lengths, extents(given)[0], user_line()).ahead(given)


def _initial(
    what: str,
    gates: int,
    x: Any,
    W_ih: Any,
    W_hh: Any,
    given: TensorLike | None,
    name: str = "h0",
    W_hr: Any = None,
    width: IndexExpr | None = None,
) -> Tensor:
    """The initial state, zero if none is given, of the type of the inputs."""
    t, w = as_tensor(x, "x"), as_tensor(W_hh, "W_hh")
    if t.ndim not in (2, 3) or w.ndim != 2:
        raise ShapeError(
            f"{what}: x {shape_text(extents(t))} must be (T, B, I) or (T, I) and W_hh {shape_text(extents(w))} a matrix"
        )
    shape = [*extents(t)[1:-1], extents(w)[1] if width is None else width]
    first = define(shape, lambda *_: Number(0.0), name, t.dtype) if given is None else as_tensor(given, name)
    if width is None:
        check_weights(what, gates, t, first, W_ih, W_hh, W_hr)
    if first.shape_affine != tuple(e.affine for e in shape):
        raise ShapeError(f"{what}: {name} {shape_text(extents(first))} must be {shape_text(shape)}")
    return first
