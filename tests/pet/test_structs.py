"""Structs that C functions are given: exported functions take them, Python takes their members by name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from polyad.errors import CallError, DifferentiationError, ExtractionError
from polyad.pet.c_program import from_c
from tests.pet.extracted import NEEDS_PET
from tests.pet.style import STYLES

pytestmark = NEEDS_PET

LAYERS = """
#include <stdio.h>
#include <stdlib.h>
#ifdef OWN
typedef struct { int n, m; double *w; const double *b; } layer_t;
struct net { layer_t first; layer_t second; double gain; };
#define LAYERS_GRAD_HAS_TYPES
#endif
#include "layers_grad.h"
int main(void)
{
    double w[] = {1, 2}, b[] = {0.5}, w2[] = {3}, b2[] = {1}, x[] = {1, 0.25}, h[1], y[1], seed[] = {1};
    double w_bar[2], gain_bar[1];
    struct net net = {{1, 2, w, b}, {1, 1, w2, b2}, 2.0};
    void *workspace = malloc(layers_grad_workspace(1, 2, 1));
    printf("%d ", layers_grad(&net, x, h, y, seed, w_bar, gain_bar, workspace));
    printf("%.6f %.6f %.6f %.6f ", y[0], w_bar[0], w_bar[1], gain_bar[0]);
    printf("%d", layers_grad(NULL, x, h, y, seed, w_bar, gain_bar, workspace) == POLYAD_ERROR_NULL);
    return 0;
}
"""

BODIES = """
#include <stdio.h>
#include <stdlib.h>
#include "bodies_grad.h"
int main(void)
{
    body b[] = {{{1, 2}, 3}, {{0, 1}, 2}};
    struct frame frame = {{0.5, 0}, 2};
    summary out = {{10, 20}, 7};
    double returned[1], b_bar[2][3], scale_bar[1];
    void *workspace = malloc(bodies_grad_workspace(2));
    printf("%d ", bodies_grad(b, 2, frame, &out, returned, b_bar, scale_bar, workspace));
    printf("%g %g %d %g %g %g", out.momentum.x, out.momentum.y, out.count, b_bar[0][0], b_bar[0][2], scale_bar[0]);
    return 0;
}
"""


def built(caller: str, name: str, folder: Path, *flags: str) -> str:
    """Run a program that calls an exported function; its output."""
    (folder / "caller.c").write_text(caller)
    files = ["caller.c", f"{name}.c", f"{name}_kernel.c"]
    command = ["cc", "-Wall", "-Wextra", "-Werror", "-Wpedantic", *flags, *files, "-o", "caller", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    return subprocess.run([str(folder / "caller")], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("flags", [(), ("-DOWN",)])
@pytest.mark.quick_cases(1)
def test_an_exported_function_takes_structs(flags: tuple[str, ...], tmp_path: Path) -> None:
    """y = gain (3 h + 1) with h = v / (1 + v^2), v = 1 x0 + 2 x1 + 0.5."""
    made = from_c(STYLES / "layers.c", "layers").grad("y", ["net->first.w", "net->gain"])
    made.export(tmp_path, source_only=True)
    v = 1 + 2 * 0.25 + 0.5
    h, slope = v / (1 + v * v), (1 - v * v) / (1 + v * v) ** 2
    wanted = (2 * (3 * h + 1), 6 * slope, 6 * slope * 0.25, 3 * h + 1)
    found = built(LAYERS, "layers_grad", tmp_path, *flags)
    assert found == " ".join(["0", *(f"{value:.6f}" for value in wanted), "1"])


def test_arrays_of_structs_and_numbers_that_are_written(tmp_path: Path) -> None:
    """d (out.x + 3 * 0.5 + 2 * -0.5) / d b[0].x = m = 3, and by its mass 0.5."""
    made = from_c(STYLES / "bodies.c", "bodies").grad("out->momentum.x", ["b_members", "frame.scale"])
    made.export(tmp_path, source_only=True)
    header = " ".join((tmp_path / "bodies_grad.h").read_text().split())
    assert "int bodies_grad(const body *b, int n, struct frame frame, summary *out," in header
    assert "those of * * double bodies(const body *b, int n, struct frame frame, summary *out) *" in header
    found = built(BODIES, "bodies_grad", tmp_path).split()
    assert found[0] == "0" and float(found[1]) == 10.5 and found[3] == "7"
    assert [float(f) for f in found[4:]] == [3.0, 0.5, 0.0]


def test_python_gives_members_by_name() -> None:
    made = from_c(STYLES / "layers.c", "layers")
    assert made.inputs == ("net_first_w", "net_first_b", "net_second_w", "net_second_b", "net_gain", "x")
    with pytest.raises(
        CallError, match=r"net is a struct; give the members that are used: net_first_n for net->first\.n"
    ):
        made(net={"gain": 1.0}, x=np.ones(2))
    with pytest.raises(DifferentiationError, match="wrt='net_second_m'"):
        made.grad("y", "net->second.m")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("union u { int i; double d; };\nvoid f(union u *p, double *y) { y[0] = p->d; }", "is a union"),
        (
            "struct s { int n; double a[2]; }; void f(int n, struct s *p, double *y) {\n"
            "for (int i = 0; i < n; i++) y[i] = p[i].a[0];\n}",
            "`p` is a struct that is not taken apart",
        ),
        (
            "struct s { double a[2]; };\nvoid f(struct s p, double *y)\n{\n    p.a[0] = y[0];\n    y[1] = p.a[0];\n}",
            "`p` is a struct that is not taken apart",
        ),
        (
            "struct s { double a; };\nstruct s f(double *y)\n{\n    struct s r;\n    r.a = y[0];\n    return r;\n}",
            "is a struct that is not taken apart",
        ),
    ],
)
def test_structs_that_are_not_taken_apart(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "text.c"
    path.write_text(text + "\n")
    with pytest.raises(ExtractionError, match=rf"text\.c:\d: .*{words}"):
        from_c(path)
