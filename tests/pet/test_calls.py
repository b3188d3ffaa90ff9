"""Programs read from C that are called or differentiated with what is no argument of theirs, or has an odd name."""

import numpy as np
import pytest

from polyad.errors import CallError, DifferentiationError
from polyad.pet.c_program import from_c
from tests.pet.extracted import NEEDS_PET, function_of

pytestmark = NEEDS_PET


@pytest.mark.parametrize("name", ["out", "self", "lambda", "class"])
def test_arrays_have_any_name_of_c(name, tmp_path):
    body = f"for (int i = 0; i < n; i++) {name}[i] += 2 * x[i];"
    (tmp_path / "nest.c").write_text(function_of(body, f"int n, double *{name}, const double *x"))
    found = from_c(tmp_path / "nest.c")(n=2, **{name: np.array([1.0, 2.0])}, x=np.ones(2))
    np.testing.assert_array_equal(found[name], [3.0, 4.0])


def test_a_size_that_is_no_number_is_named(tmp_path):
    body = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[i * m + j] = 1;"
    (tmp_path / "nest.c").write_text(function_of(body))
    with pytest.raises(CallError, match="size n: expected an integer"):
        from_c(tmp_path / "nest.c")(n=np.array([2]), m=1)


def test_arrays_without_a_length_may_be_longer_than_what_is_read(tmp_path):
    body = "for (int i = 0; i + 1 < n; i++) { y[i] += 2 * x[i] * x[i]; z[i] = x[i]; }"
    (tmp_path / "nest.c").write_text(function_of(body, "int n, const double *x, double *y, double *z"))
    program = from_c(tmp_path / "nest.c")
    given = {"x": np.array([1.0, 2.0, 3.0, np.nan]), "y": np.array([1.0, 1.0, 1.0, 7.0, 8.0])}
    found = program(n=np.array(4), **given)
    np.testing.assert_array_equal(found["y"], [3.0, 9.0, 19.0, 7.0, 8.0])
    np.testing.assert_array_equal(found["z"], [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(given["y"], [1.0, 1.0, 1.0, 7.0, 8.0])
    gradient = program.grad("y", "x")(n=4, y_bar=np.ones(5), **given)
    np.testing.assert_array_equal(gradient["x_bar"], [4.0, 8.0, 12.0, 0.0])
    with pytest.raises(CallError, match="argument x has shape"):
        program(n=4, x=np.ones(2), y=np.ones(3))


@pytest.mark.parametrize("names", [[], None, 3, [3]])
@pytest.mark.parametrize("kind", ["grad", "tangent"])
def test_names_that_are_none_are_refused(kind, names, tmp_path):
    (tmp_path / "nest.c").write_text(function_of("x[0] = 2 * y[0];"))
    program = from_c(tmp_path / "nest.c")
    with pytest.raises(DifferentiationError, match=r"of=.*: expected a name"):
        getattr(program, kind)(names, "y")
    with pytest.raises(DifferentiationError, match=r"wrt=.*: expected a name"):
        getattr(program, kind)("x", names)
