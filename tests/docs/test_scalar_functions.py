"""The page of scalar functions is made from the tables of operators; `--update-golden` writes it anew."""

from pathlib import Path

from polyad.ops.reference import reduction_table, reference_table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scalar-functions.md"

TEXT = """\
# Scalar functions

Made from the tables in `polyad/ops/`, which the evaluator, differentiation and code generation read too. `x` and `y`
are the arguments, `result` is the value; the derivatives are those by `x` and by `y`, as programs contain them. What
they are where a function has none is a choice: see [ties](mathematics.md#ties). Integers have no derivatives.

## Operators

{operators}
Those with a Python operator are used as such (`+ - * / // % **` and comparisons, `& | ~` for conditions); the others
are functions of `polyad`, but for `isnan`, `hypot` and `logaddexp`, which are functions of `polyad.numpy`.

## Reductions

`acc` is the value so far, `x` the next one; `f64` stands for the type.

{reductions}
`argmax` and `argmin` are made from `max`, `min` and a comparison
([decision 6](decisions/0006-argmax-is-two-reductions.md)).
"""


def test_the_page_shows_the_tables(update_golden: bool) -> None:
    wanted = TEXT.format(operators=reference_table(), reductions=reduction_table())
    if update_golden:
        PAGE.write_text(wanted, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == wanted, "run `python -m pytest tests/docs --update-golden`"
