"""One step of a recurrent network, with PyTorch's gate order (i f g o, r z n) and weight layout (gates * H, I)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.argument_checks import choice
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import described
from polyad.frontend.tensor import Tensor
from polyad.nn.activations import relu, sigmoid, tanh
from polyad.nn.linear import dense
from polyad.numpy.dimensions import TensorLike, extents, shape_text
from polyad.numpy.joining import split

__all__ = ["gru_cell", "gru_update", "lstm_cell", "lstm_update", "rnn_cell", "rnn_update"]

_NONLINEARITIES: dict[str, Callable[..., Tensor]] = {"tanh": tanh, "relu": relu}


def rnn_cell(
    x: TensorLike,
    h: TensorLike,
    W_ih: TensorLike,
    W_hh: TensorLike,
    b_ih: TensorLike | None = None,
    b_hh: TensorLike | None = None,
    nonlinearity: str = "tanh",
) -> Tensor:
    """Elman's recurrent cell.

    Equation: h' = tanh(W_ih x + b_ih + W_hh h + b_hh).

    Shapes: x (B, I), h (B, H), W_ih (H, I), W_hh (H, H), b_ih and b_hh (H,); result (B, H). B may be missing.

    Args:
        x: input.
        h: state.
        W_ih: weight of the input.
        W_hh: weight of the state.
        b_ih: bias of the input, or None.
        b_hh: bias of the state, or None.
        nonlinearity: tanh or relu.

    Raises:
        ShapeError: the shapes do not fit.
        DefinitionError: an unknown nonlinearity.

    Source: Elman, Finding Structure in Time, 1990; torch.nn.RNNCell.
    """
    check_weights("rnn_cell", 1, x, h, W_ih, W_hh)
    return rnn_update(dense(x, W_ih, b_ih), h, W_hh, b_hh, nonlinearity)


def rnn_update(
    x_part: Tensor, h: TensorLike, W_hh: TensorLike, b_hh: TensorLike | None, nonlinearity: str = "tanh"
) -> Tensor:
    """`rnn_cell` where the input's part W_ih x + b_ih is already there.

    Raises:
        DefinitionError: an unknown nonlinearity.
    """
    word = choice(nonlinearity, tuple(_NONLINEARITIES), "nonlinearity")
    return _NONLINEARITIES[word](x_part + dense(h, W_hh, b_hh))


def gru_cell(
    x: TensorLike,
    h: TensorLike,
    W_ih: TensorLike,
    W_hh: TensorLike,
    b_ih: TensorLike | None = None,
    b_hh: TensorLike | None = None,
) -> Tensor:
    """The gated recurrent unit, in the form of PyTorch and cuDNN: the reset gate acts after the product with W_hn.

    Equations:
        r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)
        z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
        n = tanh(W_in x + b_in + r * (W_hn h + b_hn))
        h' = (1 - z) * n + z * h

    Shapes: x (B, I), h (B, H), W_ih (3H, I), W_hh (3H, H), b_ih and b_hh (3H,); result (B, H). B may be missing.

    Raises:
        ShapeError: the shapes do not fit.

    Source: Cho et al., Learning Phrase Representations using RNN Encoder-Decoder, 2014; torch.nn.GRUCell.
    """
    check_weights("gru_cell", 3, x, h, W_ih, W_hh)
    return gru_update(dense(x, W_ih, b_ih), h, W_hh, b_hh)


def gru_update(x_part: Tensor, h: TensorLike, W_hh: TensorLike, b_hh: TensorLike | None) -> Tensor:
    """`gru_cell` where the input's part W_ih x + b_ih is already there."""
    x_r, x_z, x_n = split(x_part, 3, axis=-1)
    h_r, h_z, h_n = split(dense(h, W_hh, b_hh), 3, axis=-1)
    r = sigmoid(x_r + h_r)
    z = sigmoid(x_z + h_z)
    n = tanh(x_n + r * h_n)
    result: Tensor = (1 - z) * n + z * h
    return result


def lstm_cell(
    x: TensorLike,
    state: tuple[TensorLike, TensorLike],
    W_ih: TensorLike,
    W_hh: TensorLike,
    b_ih: TensorLike | None = None,
    b_hh: TensorLike | None = None,
    W_hr: TensorLike | None = None,
    peephole: TensorLike | None = None,
) -> tuple[Tensor, Tensor]:
    """The long short-term memory cell.

    Equations, with z = W_ih x + b_ih + W_hh h + b_hh split into four:
        i = sigmoid(z_i), f = sigmoid(z_f), g = tanh(z_g), o = sigmoid(z_o)
        c' = f * c + i * g
        h' = o * tanh(c'), with a projection W_hr (o * tanh(c'))

    With a peephole (p_i, p_f, p_o), z_i and z_f have p_i * c and p_f * c, and z_o has p_o * c' as one term more.

    Shapes: x (B, I), h and c (B, H), W_ih (4H, I), W_hh (4H, H), b_ih and b_hh (4H,); results (B, H). B may be missing.
    With a projection W_hr (P, H), h and h' are (B, P), and W_hh is (4H, P). The peephole is (3H,).

    Args:
        x: input.
        state: (h, c).
        W_ih: weight of the input.
        W_hh: weight of the state.
        b_ih: bias of the input, or None.
        b_hh: bias of the state, or None.
        W_hr: projection of the state, or None.
        peephole: weights with which the gates see the memory, or None.

    Returns:
        (h', c').

    Raises:
        ShapeError: the shapes do not fit.

    Source: Hochreiter and Schmidhuber, Long Short-Term Memory, 1997, with the forget gate of Gers et al., 2000;
    torch.nn.LSTMCell; Sak et al., Long Short-Term Memory Recurrent Neural Network Architectures, 2014, eq. 1 to 6.
    """
    pair: Any = state
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise DTypeError(f"lstm_cell: the state is a pair (h, c), not {described(pair)}")
    h, c = pair
    check_weights("lstm_cell", 4, x, h, W_ih, W_hh, W_hr)
    return lstm_update(dense(x, W_ih, b_ih), (h, c), W_hh, b_hh, W_hr, peephole)


def lstm_update(
    x_part: Tensor,
    state: tuple[TensorLike, TensorLike],
    W_hh: TensorLike,
    b_hh: TensorLike | None,
    W_hr: TensorLike | None = None,
    peephole: TensorLike | None = None,
) -> tuple[Tensor, Tensor]:
    """`lstm_cell` where the input's part W_ih x + b_ih is already there."""
    h, c = state
    i, f, g, o = split(x_part + dense(h, W_hh, b_hh), 4, axis=-1)
    if peephole is None:
        c_new: Tensor = sigmoid(f) * c + sigmoid(i) * tanh(g)
    else:
        p_i, p_f, p_o = split(as_tensor(peephole, "peephole"), 3)
        c_new = sigmoid(f + p_f * c) * c + sigmoid(i + p_i * c) * tanh(g)
        o = o + p_o * c_new
    h_new: Tensor = sigmoid(o) * tanh(c_new)
    return (h_new if W_hr is None else dense(h_new, W_hr)), c_new


def check_weights(what: str, gates: int, x: Any, h: Any, W_ih: Any, W_hh: Any, W_hr: Any = None) -> None:
    """Say which weight does not fit, in the layout's own terms.

    Raises:
        ShapeError: a weight or the state has another shape than the layout asks for.
    """
    t, state, w_in, w_rec = (as_tensor(v, n) for v, n in ((x, "x"), (h, "h"), (W_ih, "W_ih"), (W_hh, "W_hh")))
    if W_hr is not None:
        out = as_tensor(W_hr, "W_hr")
        if out.ndim != 2 or w_rec.shape_affine != (out.shape_affine[1] * gates, out.shape_affine[0]):
            raise ShapeError(
                f"{what}: W_hr {shape_text(extents(out))} must be (P, H) and W_hh {shape_text(extents(w_rec))} "
                f"({gates}*H, P)"
            )
    elif w_rec.ndim != 2 or w_rec.shape_affine[0] != w_rec.shape_affine[1] * gates:
        factor = f"{gates}*" if gates > 1 else ""
        raise ShapeError(
            f"{what}: W_hh {shape_text(extents(w_rec))} must be ({factor}H, H), the gates below each other"
        )
    hidden, rows = w_rec.shape_affine[1], w_rec.shape_affine[0]
    if not state.ndim or state.shape_affine[-1] != hidden:
        raise ShapeError(f"{what}: the state {shape_text(extents(state))} must end in H = {hidden}, as W_hh says")
    if w_in.ndim != 2 or w_in.shape_affine[0] != rows or not t.ndim or w_in.shape_affine[1] != t.shape_affine[-1]:
        raise ShapeError(
            f"{what}: W_ih {shape_text(extents(w_in))} must be ({rows}, {t.shape_affine[-1] if t.ndim else 'I'}) for "
            f"the input {shape_text(extents(t))} and W_hh {shape_text(extents(w_rec))}"
        )
