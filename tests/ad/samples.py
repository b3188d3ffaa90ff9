"""Small programs, one for each way an access, a domain or a reduction can be hard to differentiate."""

P = "[N, M] -> "


def vector(equations: str, shape: str = "x: float64[N]", outputs: str = "y: float64[N]", context: str = "") -> str:
    """A program over sizes N and M."""
    declared = "\n".join(f"  input {line}" for line in shape.split("; "))
    declared += "\n" + "\n".join(f"  output {line}" if ":" in line else "" for line in outputs.split("; "))
    return f"program p: {P}{{ : N >= 1 and M >= 1{context} }}\n{declared}\n{equations}"


def stmt(name: str, dims: str, where: str, equation: str) -> str:
    return f"  {name}: {P}{{ {name}[{dims}]{' : ' + where if where else ''} }}\n      {equation}\n"


IJ = "0 <= i < N and 0 <= j < M"
I = "0 <= i < N"  # the index it speaks of

ACCESSES = {
    "strided dilated convolution": vector(
        stmt("S", "i, k", "0 <= i < N and 0 <= k < M", "y[i] += sin(x[2*i + 3*k]) * w[k]"),
        "x: float64[2*N + 3*M]; w: float64[M]",
    ),
    "strided convolution": vector(
        stmt("S", "i, k", "0 <= i < N and 0 <= k < M", "y[i] += x[2*i + k] * w[k]"),
        "x: float64[2*N + M]; w: float64[M]",
    ),
    "sliding window": vector(
        stmt("S", "i, k", "0 <= i < N and 0 <= k < 3", "y[i] += x[i + k] * x[i + k]"), "x: float64[N + 2]"
    ),
    "flatten": vector(
        stmt("S", "i", "0 <= i < 42*N", "y[i] = sin(x[i // 42, (i % 42) // 7, i % 7])"),
        "x: float64[N, 6, 7]",
        "y: float64[42*N]",
    ),
    "reshape": vector(
        stmt("S", "i, j", "0 <= i < 10 and 0 <= j < 21", "y[i, j] = x[(21*i + j) // 35, (21*i + j) % 35] * x[0, 0]"),
        "x: float64[6, 35]",
        "y: float64[10, 21]",
    ),
    "unflatten": vector(
        stmt("S", "i, k", f"{I} and 0 <= k < 4", "y[i, k] = x[4*i + k] * x[4*i + k]"),
        "x: float64[4*N]",
        "y: float64[N, 4]",
    ),
    "upsample": vector(stmt("S", "i", "0 <= i < 2*N", "y[i] = sin(x[i // 2])"), outputs="y: float64[2*N]"),
    "downsample": vector(stmt("S", "i", I, "y[i] = exp(x[2*i])"), "x: float64[2*N]"),
    "rotate in threes": vector(
        stmt("S", "i", "0 <= i < 3*N", "y[i] = sin(x[3*(i // 3) + (i + 1) % 3])"), "x: float64[3*N]", "y: float64[3*N]"
    ),
    "triangular": vector(
        stmt("S", "i, j", "0 <= i < N and 0 <= j <= i", "y[i] += A[i, j] * x[j]"), "A: float64[N, N]; x: float64[N]"
    ),
    "diagonal": vector(stmt("S", "i", I, "y[i] = tanh(x[i, i])"), "x: float64[N, N]"),
    "rotated lattice": vector(
        stmt("S", "i, j", "0 <= i < N and 0 <= j < N", "y[i, j] = sin(x[i + j, i - j + N])"),
        "x: float64[2*N, 2*N]",
        "y: float64[N, N]",
    ),
    "transpose": vector(stmt("S", "i, j", IJ, "y[j, i] = x[i, j] * x[i, j]"), "x: float64[N, M]", "y: float64[M, N]"),
    "reversal": vector(stmt("S", "i", I, "y[i] = x[N - 1 - i] * x[i]")),
    "broadcast": vector(
        stmt("S", "i, j", IJ, "y[i, j] = x[i] * w[j]"), "x: float64[N]; w: float64[M]", "y: float64[N, M]"
    ),
    "constant element": vector(stmt("S", "i", I, "y[i] = x[0] * x[i] + x[N - 1]")),
    "many uses": vector(
        stmt("S", "i", "0 < i < N", "y[i] = x[i] * sin(x[i]) / (2.0 + x[i - 1] * x[i])")
        + stmt("S0", "", "", "y[0] = x[0]")
    ),
    "pieces": vector(
        stmt("A", "i", I, "y[i] = sin(x[i])") + stmt("B", "i", "N <= i < 2*N", "y[i] = x[i - N] * x[i - N]"),
        outputs="y: float64[2*N]",
    ),
    "unused elements": vector(stmt("S", "", "", "y[] = x[0] * x[0]"), outputs="y: float64[]"),
    "sum over all": vector(stmt("S", "i, j", IJ, "y[] += x[i, j] * x[i, j]"), "x: float64[N, M]", "y: float64[]"),
    "definition and contributions": vector(
        stmt("D", "i", I, "y[i] = x[i] * x[i]") + stmt("S", "i, j", IJ, "y[i] += sin(x[i]) * w[j]"),
        "x: float64[N]; w: float64[M]",
    ),
    "affine condition in the body": vector(
        stmt("S", "i", I, "y[i] = select(lt(index(2*i), index(N)), x[i] * x[i], sin(x[i]))")
    ),
    "data-dependent condition": vector(stmt("S", "i", I, "y[i] = select(gt(x[i], 0.0), sqrt(x[i]), exp(x[i]) * x[0])")),
    "condition on the other branch": vector(stmt("S", "i", I, "y[i] = select(gt(x[i], 0.0), sqrt(x[i]), 0.0)")),
    "stop_gradient": vector(stmt("S", "i", I, "y[i] = x[i] * 2.0 + 0.0 * stop_gradient(x[i])")),
}
"""Name -> text. All of them are smooth where random inputs lie."""

RECURRENCES = {
    "cumulative product": vector(
        stmt("S0", "", "", "y[0] = x[0]") + stmt("S1", "i", "1 <= i < N", "y[i] = y[i - 1] * x[i]")
    ),
    "fibonacci": vector(
        stmt("S0", "i", "0 <= i < 2", "y[i] = x[i]")
        + stmt("S1", "i", "2 <= i < N + 2", "y[i] = y[i - 1] + sin(y[i - 2])"),
        "x: float64[2]",
        "y: float64[N + 2]",
    ),
    "two-dimensional": vector(
        stmt("S0", "i, j", f"{IJ} and i = 0", "y[i, j] = x[i, j]")
        + stmt("S1", "i, j", f"{IJ} and j = 0 and i > 0", "y[i, j] = x[i, j] * x[i, j]")
        + stmt(
            "S2",
            "i, j",
            f"{IJ} and j > 0 and i > 0",
            "y[i, j] = sin(y[i - 1, j] * x[i, j]) + y[i, j - 1] * y[i - 1, j - 1]",
        ),
        "x: float64[N, M]",
        "y: float64[N, M]",
    ),
    "nested scans": """
program nested: [N, M] -> { : N >= 1 and M >= 1 }
  input     x: float64[N, M]
  temporary a: float64[N + 1]
  temporary b: float64[N, M + 1]
  output    y: float64[]
  scan      outer: i < N, forward, states a
  scan      inner: j < M, forward, states b
  A0: [N, M] -> { A0[] }
      a[0] = 0.5
  B0: [N, M] -> { B0[i] : 0 <= i < N }
      b[i, 0] = a[i]
  B1: [N, M] -> { B1[i, j] : 0 <= i < N and 0 <= j < M }
      b[i, j + 1] = tanh(b[i, j] * x[i, j]) + x[i, j]
  A1: [N, M] -> { A1[i] : 0 <= i < N }
      a[i + 1] = b[i, M]
  Y: [N, M] -> { Y[] }
      y[] = a[N]
""",
    "gru": """
program gru: [N, M] -> { : N >= 1 and M >= 1 }
  input     x: float64[N, 3, M]
  input     U: float64[3, M, M]
  temporary v: float64[N, 3, M]
  temporary z: float64[N, M]
  temporary r: float64[N, M]
  temporary n: float64[N, M]
  temporary h: float64[N + 1, M]
  output    y: float64[M]
  scan      gru: t < N, forward, states h
  H0: [N, M] -> { H0[k] : 0 <= k < M }
      h[0, k] = 0.1
  V: [N, M] -> { V[t, g, k, l] : 0 <= t < N and 0 <= g < 3 and 0 <= k < M and 0 <= l < M }
      v[t, g, k] += h[t, l] * U[g, k, l]
  Z: [N, M] -> { Z[t, k] : 0 <= t < N and 0 <= k < M }
      z[t, k] = sigmoid(x[t, 0, k] + v[t, 0, k])
  R: [N, M] -> { R[t, k] : 0 <= t < N and 0 <= k < M }
      r[t, k] = sigmoid(x[t, 1, k] + v[t, 1, k])
  C: [N, M] -> { C[t, k] : 0 <= t < N and 0 <= k < M }
      n[t, k] = tanh(x[t, 2, k] + r[t, k] * v[t, 2, k])
  H: [N, M] -> { H[t, k] : 0 <= t < N and 0 <= k < M }
      h[t + 1, k] = (1.0 - z[t, k]) * n[t, k] + z[t, k] * h[t, k]
  Y: [N, M] -> { Y[k] : 0 <= k < M }
      y[k] = h[N, k]
""",
}


def reduction(op: str) -> dict[str, str]:
    """Programs that reduce by `op`: *=, max= or min=."""
    return {
        "rows": vector(stmt("S", "i, j", IJ, f"y[i] {op} x[i, j]"), "x: float64[N, M]"),
        "everything": vector(stmt("S", "i, j", IJ, f"y[] {op} x[i, j]"), "x: float64[N, M]", "y: float64[]"),
        "of a body": vector(stmt("S", "i, j", IJ, f"y[i] {op} sin(x[i, j]) + x[i, 0]"), "x: float64[N, M]"),
        "triangular": vector(stmt("S", "i, j", "0 <= i < N and 0 <= j <= i", f"y[i] {op} x[i, j]"), "x: float64[N, N]"),
        "windows": vector(
            stmt("S", "i, k", "0 <= i < N and 0 <= k < 3", f"y[i] {op} x[2*i + k]"), "x: float64[2*N + 1]"
        ),
        "pairs by quotients": vector(stmt("S", "j", "0 <= j < 2*N", f"y[j // 2] {op} x[j]"), "x: float64[2*N]"),
        "pairs by the domain": vector(
            stmt("S", "i, j", "0 <= i < N and 2*i <= j <= 2*i + 1", f"y[N - 1 - i] {op} x[j]"), "x: float64[2*N]"
        ),
        "with a definition": vector(
            stmt("D", "i", I, "y[i] = w[i] * w[i]") + stmt("S", "i, j", IJ, f"y[i] {op} x[i, j]"),
            "x: float64[N, M]; w: float64[N]",
        ),
        "two statements": vector(
            stmt("A", "i, j", IJ, f"y[i] {op} x[i, j]") + stmt("B", "i, j", IJ, f"y[i] {op} w[i, j]"),
            "x: float64[N, M]; w: float64[N, M]",
        ),
        "used on": vector(
            stmt("S", "i, j", IJ, f"m[i] {op} x[i, j]") + stmt("T", "i", I, "y[i] = m[i] * x[i, 0]"),
            "x: float64[N, M]",
            "y: float64[N]",
        ).replace("  output", "  temporary m: float64[N]\n  output"),
    }
