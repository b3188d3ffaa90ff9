"""Whose variable an assignment changes: one name may be declared in several blocks."""

from polyad.codegen.loops.instance import Lane, Local
from polyad.codegen.loops.nodes import Block, Instance, Loop
from polyad.codegen.loops.statement_accesses import touches
from polyad.codegen.loops.variables import declared_in, outer_uses
from polyad.ir.affine import Affine
from polyad.ops.program_text import parse_program

PROGRAM = parse_program("""
program sums: { : }
  input     x: float64[4]
  temporary s: float64[4]
  output    y: float64[4]
  D: { D[i] : 0 <= i < 4 }
      s[i] = 0.0
  A: { A[i] : 0 <= i < 4 }
      s[i] += x[i]
  R: { R[i] : 0 <= i < 4 }
      y[i] = s[i]
""")
TOUCHES = touches(PROGRAM)


def at(statement: str, declares: bool = False, local: Local = "s") -> Instance:
    return Instance(0, statement, (Affine.of("i"),), {"s": local}, declares)


def loop(*body: Instance | Loop | Block) -> Loop:
    return Loop("i", Affine.of(0), Affine.of(3), 1, Block(body))


def uses(node: Loop) -> set[tuple[str, bool]]:
    return {(u.variable, u.assigns) for u in outer_uses(node, TOUCHES)}


def test_what_a_block_declares_is_its_own() -> None:
    body = loop(at("D", declares=True), at("A"), at("R"))
    assert declared_in(body.body, TOUCHES) == {"s"}
    assert uses(body) == set()


def test_what_is_added_to_from_inside_is_somebody_elses() -> None:
    assert uses(loop(at("A"))) == {("s", True), ("s", False)}
    assert uses(loop(loop(at("R")))) == {("s", False)}


def test_a_name_that_is_declared_in_one_block_is_another_variable_in_the_next() -> None:
    body = loop(Block((at("D", declares=True), at("A"))), at("A"))
    assert uses(body) == {("s", True), ("s", False)}


def test_elements_of_a_vector_are_the_vector() -> None:
    assert uses(loop(at("A", local=Lane("s_0", "lane")))) == {("s_0", True), ("s_0", False)}
