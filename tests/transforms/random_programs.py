"""Random programs in text form: a chain of small constructions, each of which some transform has to treat with care."""

from hypothesis import strategies as st

from polyad.ir.program import Program
from polyad.ops.program_text import parse_program

UNARY = ("sin", "tanh", "sigmoid", "neg", "exp_of_tanh")
BINARY = ("add", "sub", "mul", "maximum")


class Writer:
    """Writes declarations and equations; `vectors` are arrays over i < N, `matrices` over i < N, j < M."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.declared: list[str] = []
        self.equations: list[str] = []
        self.vectors = ["x", "y"]
        self.matrices = ["A"]
        self.count = 0

    def fresh(self, shape: str) -> str:
        self.count += 1
        name = f"v{self.count}"
        self.declared.append(f"{name}: float64[{shape}]")
        return name

    def equation(self, dims: str, condition: str, text: str) -> None:
        name = f"S{len(self.equations)}"
        self.equations.append(f"{name}: [N, M] -> {{ {name}[{dims}] : {condition} }}\n      {text}")

    def index(self) -> str:
        return self.draw(st.sampled_from(["i", "i", "i", "N - 1 - i"]))

    def vector(self) -> str:
        return f"{self.draw(st.sampled_from(self.vectors))}[{self.index()}]"

    def matrix(self) -> str:
        return f"{self.draw(st.sampled_from(self.matrices))}[{self.index()}, j]"

    def term(self, leaves: list[str], depth: int) -> str:
        kind = self.draw(st.sampled_from(["leaf", "unary", "binary", "constant"] if depth else ["leaf"]))
        match kind:
            case "unary":
                op, inner = self.draw(st.sampled_from(UNARY)), self.term(leaves, depth - 1)
                return f"exp(tanh({inner}))" if op == "exp_of_tanh" else f"{op}({inner})"
            case "binary":
                op = self.draw(st.sampled_from(BINARY))
                return f"{op}({self.term(leaves, depth - 1)}, {self.term(leaves, depth - 1)})"
            case "constant":
                return self.draw(st.sampled_from(["0.0", "1.0", "0.5"]))
            case _:
                return self.draw(st.sampled_from(leaves))

    def scalar_term(self) -> str:
        return self.term([self.vector(), self.vector()], 2)

    def matrix_term(self) -> str:
        return self.term([self.matrix(), self.matrix(), self.vector()], 2)

    # The constructions.

    def pointwise(self) -> None:
        text = self.scalar_term()
        v = self.fresh("N")
        self.equation("i", "0 <= i < N", f"{v}[i] = {text}")
        self.vectors.append(v)

    def copy(self) -> None:
        text = self.vector()
        v = self.fresh("N")
        self.equation("i", "0 <= i < N", f"{v}[{self.index()}] = {text}")
        self.vectors.append(v)

    def outer(self) -> None:
        text = self.matrix_term()
        v = self.fresh("N, M")
        self.equation("i, j", "0 <= i < N and 0 <= j < M", f"{v}[i, j] = {text}")
        self.matrices.append(v)

    def transposed(self) -> None:
        text = self.matrix()
        t, v = self.fresh("M, N"), self.fresh("N, M")
        self.equation("i, j", "0 <= i < N and 0 <= j < M", f"{t}[j, i] = {text}")
        self.equation("i, j", "0 <= i < N and 0 <= j < M", f"{v}[i, j] = {t}[j, i] + 1.0")
        self.matrices.append(v)

    def reduced(self) -> None:
        text, op = self.matrix_term(), self.draw(st.sampled_from(["+=", "+=", "max=", "min="]))
        v = self.fresh("N")
        self.equation("i, j", "0 <= i < N and 0 <= j < M", f"{v}[i] {op} {text}")
        self.vectors.append(v)

    def contraction(self) -> None:
        a, b, bias = self.matrix(), self.matrix(), self.vector()
        r, v = self.fresh("N"), self.fresh("N")
        self.equation("i, j", "0 <= i < N and 0 <= j < M", f"{r}[i] += {a} * {b}")
        self.equation("i", "0 <= i < N", f"{v}[i] = {bias} + {r}[{self.index()}]")
        self.vectors.append(v)

    def joined(self) -> None:
        first, second = self.vector(), self.draw(st.sampled_from([self.vector(), "0.0"]))
        c, v = self.fresh("2*N"), self.fresh("N")
        self.equation("i", "0 <= i < N", f"{c}[i] = {first}")
        self.equation("i", "0 <= i < N", f"{c}[i + N] = {second}")
        offset = self.draw(st.sampled_from(["i", "i + N", "2*i", "i + N // 2"]))
        self.equation("i", "0 <= i < N", f"{v}[i] = {c}[{offset}]")
        self.vectors.append(v)

    def selected(self) -> None:
        cut = self.draw(st.sampled_from(["lt(index(2*i), index(N))", "eq(index(i % 2), 0)", "ge(index(i), index(M))"]))
        if self.draw(st.booleans()):
            cut = f"and({cut}, gt({self.vector()}, 0.0))"
        first, second = self.scalar_term(), self.scalar_term()
        v = self.fresh("N")
        op = self.draw(st.sampled_from(["=", "+="]))
        self.equation("i", "0 <= i < N", f"{v}[i] {op} select({cut}, {first}, {second})")
        self.vectors.append(v)

    def scan(self) -> None:
        text = self.scalar_term()
        h, new = self.fresh("N + 1"), self.fresh("N")
        self.equation("", "", f"{h}[0] = 0.5")
        self.equation("i", "0 <= i < N", f"{new}[i] = tanh({h}[i]) + {text}")
        self.equation("i", "0 <= i < N", f"{h}[i + 1] = {new}[i]")
        v = self.fresh("N")
        where = self.draw(st.sampled_from(["i", "i + 1", "N"]))
        self.equation("i", "0 <= i < N", f"{v}[i] = {h}[{where}]")
        self.vectors += [new, v]

    def overlapping(self) -> None:
        first, second = self.scalar_term(), self.scalar_term()
        g, v = self.fresh("N + 2"), self.fresh("N")
        self.equation("i", "0 <= i < N", f"{g}[i + 1] += {first}")
        self.equation("i", "0 <= i < N", f"{g}[i] += {second}")
        self.equation("i", "0 <= i < N", f"{v}[i] = {g}[i + 2] * {g}[i]")
        self.vectors.append(v)

    def gathered(self) -> None:
        text = self.scalar_term()
        s, v = self.fresh("N"), self.fresh("N")
        self.equation("i", "0 <= i < N", f"{s}[ids[i]] += {text}")
        self.equation("i", "0 <= i < N", f"{v}[i] = {s}[ids[N - 1 - i]]")
        self.vectors.append(v)


CONSTRUCTIONS = "pointwise copy outer transposed reduced contraction joined selected scan overlapping gathered".split()


@st.composite
def random_programs(draw: st.DrawFn) -> Program:
    """A valid program over sizes N and M, and inputs x, y, ids and A."""
    writer = Writer(draw)
    for name in draw(st.lists(st.sampled_from(CONSTRUCTIONS), min_size=1, max_size=6)):
        getattr(writer, name)()
    result = draw(st.sampled_from(writer.vectors))
    if draw(st.booleans()):
        writer.equation("i", "0 <= i < N", f"out[i] = {result}[i]")
    else:
        writer.equation("i", "i = N - 1", f"out[i] = {result}[0]")
        writer.equation("i", "0 <= i < N - 1", f"out[i] = {draw(st.sampled_from(writer.vectors))}[i]")
    lines = ["program random: [N, M] -> { : N >= 1 and M >= 1 }"]
    lines += ["input x: float64[N]", "input y: float64[N]", "input ids: int64[N]", "input A: float64[N, M]"]
    lines += [f"temporary {d}" for d in writer.declared]
    lines += ["output out: float64[N]"]
    return parse_program("\n".join(lines + writer.equations))
