"""Data-dependent reads: the transposed read of table[ids[t], j] is a scatter.

    y[t, j] = f(table[ids[t], j])      gives      table_bar[ids[t], j] += f'(...) * y_bar[t, j]

Which instances hit an element is known when the program runs, so the sum stays over the instances of the reader and its
element is an `Indirect` write. The derivative with respect to the index is zero. Repeated indices add up, because a
contribution needs no injective write.
"""

from __future__ import annotations

from polyad import islx
from polyad.ad.collect import Contribution
from polyad.ir.expr import Expr, Indirect
from polyad.ir.statement import Statement

__all__ = ["scatter_contribution"]


def scatter_contribution(statement: Statement, access: Indirect, body: Expr) -> Contribution:
    """x_bar[access(s)] += body(s) for all s in the domain of the reader.

    Args:
        statement: the (lifted) reader.
        access: { S[s] -> x_bar[index] } where the reader reads.
        body: the value, over { S[s] }.
    """
    return Contribution(
        statement.name,
        statement.dims,
        statement.domain.reset_tuple_id(),
        islx.identity(statement.space()),
        body,
        scatter=access,
        where=statement.where,
    )
