"""The page of scalar functions is made from the tables of operators; `--update-golden` writes it anew."""

from pathlib import Path
from typing import Any

import pytest

import polyad as pa
from polyad.ir.expr import Apply
from polyad.ops import OPS
from polyad.ops.reference import reduction_table, reference_table, written

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scalar-functions.md"

TEXT = """\
# Scalar functions

Made from the tables in `polyad/ops/`, which the evaluator, differentiation and code generation read too. `x` and `y`
are the arguments, `result` is the value; the derivatives are those by `x` and by `y`, as programs contain them. What
they are where a function has none is a choice: see [ties](mathematics.md#ties). Integers have no derivatives.

## Operators

On elements inside of a body, whole tensors and numbers alike; `pa` is `polyad`.

{operators}
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


@pytest.mark.parametrize("op", OPS.values(), ids=lambda op: op.name)
def test_operators_are_written_as_the_page_says(op: Any) -> None:
    truth = op.kind == "logical"
    given = {n: pa.placeholder((2,), n, "int64" if op.kind == "integer" else "float64") for n in ("x", "y")}
    operands = {n: t > 0 for n, t in given.items()} if truth else given
    if not written(op):
        assert not any(hasattr(module, op.name) for module in (pa, pa.numpy, pa.nn))
        return
    result = eval(written(op), {"pa": pa, **operands})
    found = [e for s in result.definition.statements for e in s.expressions()]
    assert any(isinstance(e, Apply) and e.op == op.name for e in found)
