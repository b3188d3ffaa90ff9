"""Random recurrences that have an order by construction: the scheduler has to find a legal one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyad.schedule.scheduler import default_schedule
from polyad.transforms.rewrite.fix_sizes import fix_sizes
from tests.programs import program
from tests.schedule.execution import violations
from tests.schedule.samples import SAMPLES

# Distances that are lexicographically positive: with them i, then j, is an order.
POSITIVE = st.tuples(st.integers(0, 2), st.integers(-2, 2)).filter(lambda d: d > (0, 0))


@given(st.lists(POSITIVE, min_size=1, max_size=3), st.integers(-2, 2), st.integers(-2, 2), st.booleans())
def test_one_statement_in_two_dimensions(
    distances: list[tuple[int, int]], skew: int, other: int, mirrored: bool
) -> None:
    # A unimodular change of coordinates hides the order.
    hidden = [(p + other * (q + skew * p), q + skew * p) for p, q in distances]
    if mirrored:
        hidden = [(-p, q) for p, q in hidden]
    reads = " + ".join(f"a[i + {20 - p}, j + {20 - q}]" for p, q in hidden)
    p = program(f"""
program random: [N] -> {{ : N >= 1 }}
  output    a: float64[N + 40, N + 40]
  S: [N] -> {{ S[i, j] : 0 <= i < N and 0 <= j < N }}
      a[i + 20, j + 20] = {reads}
""")
    s = default_schedule(p)
    s.check(p)
    assert not violations(p, s, {"N": 5})


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=4), st.integers(1, 3), st.booleans())
def test_rings_of_statements_are_retimed(delays: list[int], cycle: int, mirrored: bool) -> None:
    # Statement k reads its predecessor `delay` steps back; some delays are negative, their sum is not.
    delays = [*delays, cycle - sum(delays)]
    sign = -1 if mirrored else 1
    n = len(delays)
    arrays = "\n".join(f"  output    a{k}: float64[N + 60]" for k in range(n))
    statements = "\n".join(
        f"  S{k}: [N] -> {{ S{k}[t] : 0 <= t < N }}\n      a{k}[t + 30] = tanh(a{(k - 1) % n}[t + {30 - sign * d}])"
        for k, d in enumerate(delays)
    )
    p = program(f"program ring: [N] -> {{ : N >= 10 }}\n{arrays}\n{statements}\n")
    s = default_schedule(p)
    s.check(p)
    assert not violations(p, s, {"N": 12})


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("name", SAMPLES)
def test_sizes_that_are_numbers(name: str, size: int) -> None:
    p = program(SAMPLES[name])
    smallest = {"cumsum": 1, "heat": 3, "skewed": 4, "columns": 2, "retimed": 3}
    sizes = {n: max(size, smallest.get(name, 1)) for n in p.params}
    fixed = fix_sizes(p, sizes)
    s = default_schedule(fixed)
    s.check(fixed)
    assert not violations(fixed, s, {})


@pytest.mark.parametrize(("steps", "stride"), [(4, 2), (3, 2), (7, 3)])
def test_adjoints_of_every_few_states(steps: int, stride: int) -> None:
    # A loss on h[::stride] makes one equation for each residue: with few instances, dependences say little of its loop.
    rest = "\n".join(
        f"  R{r}: {{ R{r}[t] : 0 <= t and {stride}t + {r} < {steps} }}\n"
        f"      h[{stride} * t + {r}] = p[{stride} * t + {r}] + h[{stride} * t + {r + 1}]"
        for r in range(stride)
    )
    p = program(f"""
program every: {{ : }}
  input     w: float64[{steps}, 2]
  output    h: float64[{steps + 1}]
  temporary p: float64[{steps}]
  L: {{ L[] }}
      h[{steps}] = 1.0
{rest}
  W: {{ W[t, i] : 0 <= t < {steps} and 0 <= i < 2 }}
      h[t] += w[t, i]
  P: {{ P[t] : 0 <= t < {steps} }}
      p[t] = sin(h[t + 1])
""")
    s = default_schedule(p)
    s.check(p)
    assert not violations(p, s, {})


@pytest.mark.parametrize("columns", [1, 2])
def test_adjoints_of_segments_of_which_the_last_is_short(columns: int) -> None:
    # Three steps in segments of two: t follows from s in M, C and E, and a dependence of one pair tells of no loop.
    j = f"0 <= j < {columns}"
    p = program(f"""
program short: {{ : }}
  input     x: float64[2, 2, {columns}]
  temporary h: float64[3, {columns}]
  temporary c: float64[2, 3, {columns}]
  temporary m: float64[2, 2, {columns}]
  output    a: float64[2, 2, {columns}]
  L: {{ L[j] : {j} }}
      h[2, j] = 1.0
  M: {{ M[s, t, j] : 0 <= s <= 1 and t = 1 - s and {j} }}
      m[s, t, j] = a[s, t, j]
  C: {{ C[s, t, j] : 0 <= s <= 1 and t = 1 - s and {j} }}
      c[s, t, j] = mul(0.5, m[s, t, j])
  H: {{ H[s, j] : s = 1 and {j} }}
      h[s, j] = c[s, 0, j]
  E: {{ E[s, t, j] : 0 <= s <= 1 and t = 2 - s and {j} }}
      c[s, t, j] = h[s + 1, j]
  A: {{ A[s, t, j] : 0 <= s and 0 <= t <= 1 and 2s + t <= 2 and {j} }}
      a[s, t, j] = x[s, t, j] * c[s, t + 1, j]
""")
    s = default_schedule(p)
    s.check(p)
    assert not violations(p, s, {})
