"""The LSTM gradient: structure of its schedule, instance counts, workspace, one kernel for all sizes."""

import re

import numpy as np
import pytest

import polyad as pa
from tests.acceptance.lstm import compile_gradient, layer, placeholders


@pytest.fixture(scope="module")
def kernel():
    return compile_gradient()


def nests(kernel):
    """Top-level nests as text, and statement name -> number of its nest."""
    texts = re.split(r"\n(?=\w)", kernel.schedule.tree().strip())
    place = {}
    for n, text in enumerate(texts):
        for name in re.findall(r"(\w+)\[", text):
            place[name] = n
    return texts, place


def test_what_is_not_sequential_leaves_the_time_loops(kernel):
    texts, place = nests(kernel)
    forward = place[next(s.name for s in kernel.program.statements if s.array == "h" and "t" in s.dims)]
    backward = place[next(s.name for s in kernel.program.statements if s.array == "h_bar" and s.reduction == "sum")]
    assert texts[forward].startswith("share for b")
    assert re.search(r"^.. for t$", texts[forward], re.M)
    assert texts[backward].startswith("share for b")
    assert re.search(r"^.. for t \(reversed\)$", texts[backward], re.M)
    projection = next(
        s.name for s in kernel.program.statements if s.reduction == "sum" and {r.array for r in s.reads()} == {"x", "W"}
    )
    outside = [projection]
    outside += [
        next(s.name for s in kernel.program.statements if s.array == f"{v}_bar" and s.reduction == "sum")
        for v in ("x", "W", "U", "b")
    ]
    for name in outside:
        assert place[name] not in (forward, backward), name


def test_reversing_the_adjoints_time_is_refused(kernel):
    yaml = str(kernel.schedule)
    adjoints = [s.name for s in kernel.program.statements if s.array == "c_bar" and "t" in s.dims]
    loops = [m for m in re.finditer(r'"[^"]*\[\(-t\)\][^"]*"', yaml) if any(f" {n}[" in m[0] for n in adjoints)]
    assert loops, yaml
    edited = yaml.replace(loops[0][0], loops[0][0].replace("[(-t)]", "[(t)]"))
    schedule = pa.Schedule.from_yaml(edited)
    assert not schedule.is_legal(kernel.program)
    with pytest.raises(pa.IllegalScheduleError) as error:
        schedule.check(kernel.program)
    assert "t = " in error.value.source_instance
    assert "t = " in error.value.sink_instance
    assert error.value.source_instance in str(error.value)
    assert error.value.sink_instance in str(error.value)
    assert error.value.sizes["T"] >= 2


def test_no_instance_is_executed_for_nothing(kernel):
    """Forward: two contractions and seven element-wise equations per step; backward: four contractions, the gates."""
    for T, B, I, H in [(1, 1, 1, 1), (5, 3, 2, 4), (7, 1, 3, 2)]:
        counts = kernel.instances(T=T, B=B, I=I, H=H)
        contractions = 3 * T * B * 4 * H * I + 3 * T * B * 4 * H * H
        by_kind = {s.name: s for s in kernel.program.statements}
        big = sum(n for name, n in counts.items() if len(by_kind[name].dims) == 4)
        assert big == contractions
        cells = T * B * H
        small = sum(counts.values()) - big
        # per cell: bias and its gradient (4 + 4), gates and states (7), loss 1, their adjoints (4 + 4);
        # first writes: h_bar (T + 1), x_bar T I B, W_bar, U_bar, b_bar; the states' ends and starts
        ends = 2 * B * H + 2 * B * H + B * H
        zeros = (T + 1) * B * H + T * B * I + 4 * H * (I + H + 1) + 1
        assert small == cells * (8 + 7 + 1 + 7) + ends + zeros


def test_one_kernel_serves_all_sizes(kernel):
    rng = np.random.default_rng(0)
    for T, B, I, H in [(1, 1, 1, 1), (3, 2, 5, 4), (11, 3, 1, 2)]:
        shapes = {"x": (T, B, I), "W": (4 * H, I), "U": (4 * H, H), "b": (4 * H,), "h0": (B, H), "c0": (B, H)}
        arrays = {n: rng.standard_normal(s) * 0.3 for n, s in shapes.items()}
        _loss, *grads = kernel(**arrays)
        direction = {n: rng.standard_normal(s) for n, s in shapes.items()}
        eps = 1e-6
        up = kernel(**{n: a + eps * direction[n] for n, a in arrays.items()})[0]
        down = kernel(**{n: a - eps * direction[n] for n, a in arrays.items()})[0]
        slope = sum((g * direction[n]).sum() for n, g in zip(shapes, grads, strict=True))
        assert slope == pytest.approx((up - down) / (2 * eps), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("what", ["last", "all"])
@pytest.mark.quick_cases(1)
def test_forward_only_workspace_does_not_grow_with_time(what):
    inputs = placeholders()
    (h, c), ys = layer(*inputs)
    kernel = pa.compile([h, c] if what == "last" else ys, list(inputs), name=f"lstm_{what}")
    sizes = {"B": 4, "I": 5, "H": 6}
    assert kernel.memory_plan(T=10, **sizes).total_bytes == kernel.memory_plan(T=100_000, **sizes).total_bytes


def test_fixed_sizes_give_the_same_numbers(kernel):
    fixed = compile_gradient(sizes={"H": 4, "I": 2})
    assert fixed.code.sizes == ("T", "B")
    rng = np.random.default_rng(0)
    shapes = {"x": (3, 2, 2), "W": (16, 2), "U": (16, 4), "b": (16,), "h0": (2, 4), "c0": (2, 4)}
    arrays = {n: rng.standard_normal(s) * 0.3 for n, s in shapes.items()}
    for a, b in zip(kernel(**arrays), fixed(**arrays), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)
    with pytest.raises(pa.CallError, match="W"):
        fixed(**(arrays | {"W": np.zeros((16, 3))}))


@pytest.mark.parametrize("target", [pytest.param("c", marks=pytest.mark.slow), "openmp"])
def test_targets_agree(kernel, target):
    other = compile_gradient(target=target)
    rng = np.random.default_rng(1)
    shapes = {"x": (4, 3, 2), "W": (12, 2), "U": (12, 3), "b": (12,), "h0": (3, 3), "c0": (3, 3)}
    arrays = {n: rng.standard_normal(s) for n, s in shapes.items()}
    for a, b in zip(kernel(**arrays), other(**arrays), strict=True):
        np.testing.assert_array_equal(a, b)


def test_the_same_text_each_time(kernel):
    assert compile_gradient().source == kernel.source
    assert "lstm.py" not in kernel.source  # where the caller's text stands decides nothing of it
