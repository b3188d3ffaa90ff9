"""A hand-written LSTM value-and-gradient program, of the kind that reverse mode makes, with identity definitions."""

_TB4 = "0 <= t < T and 0 <= b < B and 0 <= n < 4H"
_TBK = "0 <= t < T and 0 <= b < B and 0 <= k < H"
_P = "[T, B, I, H]"


def _statement(name: str, dims: str, where: str, equation: str) -> str:
    inside = f"{name}[{dims}] : {where}" if where else f"{name}[{dims}]"
    return f"  {name}: {_P} -> {{ {inside} }}\n      {equation}\n"


_ARRAYS = """
program lstm_grad: [T, B, I, H] -> { : T >= 1 and B >= 1 and I >= 1 and H >= 1 }
  input     x: float64[T, B, I]
  input     W: float64[4*H, I]
  input     U: float64[4*H, H]
  input     b: float64[4*H]
  input     h0: float64[B, H]
  input     c0: float64[B, H]
  temporary xw: float64[T, B, 4*H]
  temporary hu: float64[T, B, 4*H]
  temporary z: float64[T, B, 4*H]
  temporary gi: float64[T, B, H]
  temporary gf: float64[T, B, H]
  temporary gg: float64[T, B, H]
  temporary go: float64[T, B, H]
  temporary tc: float64[T, B, H]
  temporary c: float64[T + 1, B, H]
  temporary h: float64[T + 1, B, H]
  temporary h_bar: float64[T + 1, B, H]
  temporary c_bar: float64[T + 1, B, H]
  temporary z_bar: float64[T, B, 4*H]
  output    loss: float64[]
  output    W_bar: float64[4*H, I]
  output    U_bar: float64[4*H, H]
  output    b_bar: float64[4*H]
  output    x_bar: float64[T, B, I]
  scan      lstm: t < T, forward, states h, c
"""

LSTM_GRADIENT = _ARRAYS + "".join(
    _statement(*row)
    for row in [
        ("Sh0", "b, k", "0 <= b < B and 0 <= k < H", "h[0, b, k] = h0[b, k]"),
        ("Sc0", "b, k", "0 <= b < B and 0 <= k < H", "c[0, b, k] = c0[b, k]"),
        ("xw_init", "t, b, n", _TB4, "xw[t, b, n] = 0.0"),
        ("Sxw", "t, b, n, i", f"{_TB4} and 0 <= i < I", "xw[t, b, n] += x[t, b, i] * W[n, i]"),
        ("hu_init", "t, b, n", _TB4, "hu[t, b, n] = 0.0"),
        ("Shu", "t, b, n, j", f"{_TB4} and 0 <= j < H", "hu[t, b, n] += h[t, b, j] * U[n, j]"),
        ("Sz", "t, b, n", _TB4, "z[t, b, n] = xw[t, b, n] + hu[t, b, n] + b[n]"),
        ("Si", "t, b, k", _TBK, "gi[t, b, k] = sigmoid(z[t, b, k])"),
        ("Sf", "t, b, k", _TBK, "gf[t, b, k] = sigmoid(z[t, b, H + k])"),
        ("Sg", "t, b, k", _TBK, "gg[t, b, k] = tanh(z[t, b, 2*H + k])"),
        ("So", "t, b, k", _TBK, "go[t, b, k] = sigmoid(z[t, b, 3*H + k])"),
        ("Sc", "t, b, k", _TBK, "c[t + 1, b, k] = gf[t, b, k] * c[t, b, k] + gi[t, b, k] * gg[t, b, k]"),
        ("Stc", "t, b, k", _TBK, "tc[t, b, k] = tanh(c[t + 1, b, k])"),
        ("Sh", "t, b, k", _TBK, "h[t + 1, b, k] = go[t, b, k] * tc[t, b, k]"),
        ("loss_init", "", "", "loss[] = 0.0"),
        ("Sl", "t, b, k", "1 <= t <= T and 0 <= b < B and 0 <= k < H", "loss[] += h[t, b, k] * h[t, b, k]"),
        ("h_bar_init", "t, b, k", "0 <= t <= T and 0 <= b < B and 0 <= k < H", "h_bar[t, b, k] = 0.0"),
        ("c_bar_init", "t, b, k", "0 <= t <= T and 0 <= b < B and 0 <= k < H", "c_bar[t, b, k] = 0.0"),
        (
            "h_bar_l",
            "t, b, k",
            "1 <= t <= T and 0 <= b < B and 0 <= k < H",
            "h_bar[t, b, k] += h[t, b, k] + h[t, b, k]",
        ),
        (
            "c_bar_tc",
            "t, b, k",
            _TBK,
            "c_bar[t + 1, b, k] += h_bar[t + 1, b, k] * go[t, b, k] * (1.0 - tc[t, b, k] * tc[t, b, k])",
        ),
        ("c_bar_c", "t, b, k", _TBK, "c_bar[t, b, k] += c_bar[t + 1, b, k] * gf[t, b, k]"),
        (
            "z_bar_i",
            "t, b, k",
            _TBK,
            "z_bar[t, b, k] = c_bar[t + 1, b, k] * gg[t, b, k] * gi[t, b, k] * (1.0 - gi[t, b, k])",
        ),
        (
            "z_bar_f",
            "t, b, k",
            _TBK,
            "z_bar[t, b, H + k] = c_bar[t + 1, b, k] * c[t, b, k] * gf[t, b, k] * (1.0 - gf[t, b, k])",
        ),
        (
            "z_bar_g",
            "t, b, k",
            _TBK,
            "z_bar[t, b, 2*H + k] = c_bar[t + 1, b, k] * gi[t, b, k] * (1.0 - gg[t, b, k] * gg[t, b, k])",
        ),
        (
            "z_bar_o",
            "t, b, k",
            _TBK,
            "z_bar[t, b, 3*H + k] = h_bar[t + 1, b, k] * tc[t, b, k] * go[t, b, k] * (1.0 - go[t, b, k])",
        ),
        ("h_bar_u", "t, b, j, n", f"{_TB4} and 0 <= j < H", "h_bar[t, b, j] += z_bar[t, b, n] * U[n, j]"),
        ("W_bar_init", "n, i", "0 <= n < 4H and 0 <= i < I", "W_bar[n, i] = 0.0"),
        ("W_bar_x", "n, i, t, b", f"{_TB4} and 0 <= i < I", "W_bar[n, i] += z_bar[t, b, n] * x[t, b, i]"),
        ("U_bar_init", "n, j", "0 <= n < 4H and 0 <= j < H", "U_bar[n, j] = 0.0"),
        ("U_bar_h", "n, j, t, b", f"{_TB4} and 0 <= j < H", "U_bar[n, j] += z_bar[t, b, n] * h[t, b, j]"),
        ("b_bar_init", "n", "0 <= n < 4H", "b_bar[n] = 0.0"),
        ("b_bar_z", "n, t, b", _TB4, "b_bar[n] += z_bar[t, b, n]"),
        ("x_bar_init", "t, b, i", "0 <= t < T and 0 <= b < B and 0 <= i < I", "x_bar[t, b, i] = 0.0"),
        ("x_bar_w", "t, b, i, n", f"{_TB4} and 0 <= i < I", "x_bar[t, b, i] += z_bar[t, b, n] * W[n, i]"),
    ]
)
"""The loss is the sum of h[t]^2 over t = 1..T; gradients of W, U, b and x."""
