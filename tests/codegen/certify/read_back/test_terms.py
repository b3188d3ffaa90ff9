"""Integers in one form: equal forms have equal values, and equal values of the loop IR one form."""

from random import Random

from polyad.codegen.certify.read_back.terms import (
    Integer,
    Term,
    affine,
    atom,
    compared,
    constant,
    divided,
    extreme,
    is_nonnegative,
    limits,
    minus,
    number,
    plus,
    remainder,
    times,
    value,
)
from polyad.codegen.loops.loop_values import Extreme, Value, add, scale
from polyad.ir.affine import Affine

NAMES = ("a", "b", "c")


def evaluated(term: Integer, names: dict[str, int]) -> int:
    """The number that a form stands for."""

    def one(found: Term) -> int:
        match found:
            case ("v", name):
                return names[name]
            case ("div", inner, d):
                return evaluated(inner, names) // d
            case ("mod", a, b):
                return evaluated(a, names) % evaluated(b, names)
            case (("min" | "max") as kind, inner):
                return (min if kind == "min" else max)(evaluated(i, names) for i in inner)
            case _:
                raise AssertionError(found)

    total = 0
    for monomial, c in term[1]:
        for factor in monomial:
            c *= one(factor)
        total += c
    return total


def drawn(random: Random, depth: int) -> tuple[Integer, str]:
    """A form and the same in Python."""
    kind = random.randrange(7) if depth else random.randrange(2)
    if kind == 0:
        n = random.randint(-9, 9)
        return number(n), str(n)
    if kind == 1:
        name = random.choice(NAMES)
        return atom(("v", name)), name
    (a, x), (b, y) = drawn(random, depth - 1), drawn(random, depth - 1)
    d = random.randint(1, 6)
    match kind:
        case 2:
            return plus(a, b), f"({x} + {y})"
        case 3:
            return minus(a, b), f"({x} - {y})"
        case 4:
            return times(a, b), f"({x} * {y})"
        case 5:
            return divided(a, d), f"({x} // {d})"
        case _:
            which = random.choice(["min", "max"])
            return extreme(which, [a, b]), f"{which}({x}, {y})"


def test_forms_have_the_values_of_what_they_are_made_of() -> None:
    random = Random(2)
    for _ in range(500):
        form, text = drawn(random, 4)
        for _ in range(4):
            names = {n: random.randint(-20, 20) for n in NAMES}
            assert evaluated(form, names) == eval(text, dict(names)), text


def affine_drawn(random: Random, depth: int = 2) -> Affine:
    result = Affine.of(random.randint(-6, 6))
    for name in NAMES:
        result += random.randint(-3, 3) * Affine.of(name)
    if depth and random.random() < 0.5:
        result += random.choice([1, -1, 2]) * (affine_drawn(random, depth - 1) // random.randint(2, 5))
    return result


def bound_drawn(random: Random, depth: int = 2) -> Value:
    if not depth or random.random() < 0.4:
        return affine_drawn(random)
    kind = random.choice(["min", "max"])
    return Extreme(kind, tuple(bound_drawn(random, depth - 1) for _ in range(2)))  # type: ignore[arg-type]


def test_what_is_added_to_a_bound_and_multiplied_with_it_is_one_form() -> None:
    random = Random(3)
    for _ in range(300):
        bound, k, f = bound_drawn(random), random.randint(-4, 4), random.choice([-2, -1, 1, 3])
        assert value(add(scale(bound, f), Affine.of(k)), str) == plus(times(value(bound, str), number(f)), number(k))


def test_quotients_lose_multiples_of_their_divisor() -> None:
    n = atom(("v", "n"))
    assert divided(plus(n, number(-3)), 3) == minus(divided(n, 3), number(1))
    assert divided(plus(times(number(4), n), number(2)), 6) == divided(plus(times(number(2), n), number(1)), 3)
    assert divided(divided(n, 2), 3) == divided(n, 6)
    assert divided(n, 3) != divided(plus(n, number(1)), 3)
    assert affine(Affine.of("n") % 3, str) == remainder(n, number(3), frozenset({"n"}))
    assert remainder(n, number(3), frozenset()) != remainder(n, number(3), frozenset({"n"}))


def test_signs() -> None:
    n, m = atom(("v", "n")), atom(("v", "m"))
    assert is_nonnegative(plus(n, times(number(2), m)), frozenset({"n", "m"}))
    assert not is_nonnegative(plus(n, number(-1)), frozenset({"n"}))
    assert is_nonnegative(extreme("max", [number(0), minus(n, m)]), frozenset())
    assert constant(minus(n, n)) == 0 and constant(n) is None


def test_comparisons_are_one_however_their_sides_are_moved() -> None:
    n, one = atom(("v", "n")), number(1)
    assert compared("<", n, one) == compared("<=", plus(n, one), one) == compared(">", one, n)
    assert compared("==", n, one) == compared("==", one, n) != compared("!=", one, n)
    assert compared("<", n, one) != compared("<=", n, one)


def test_limits_of_choices() -> None:
    choices = [atom(("if", ("v", f"c{n}"), number(yes), number(no))) for n, (yes, no) in enumerate([(0, 1), (-3, 2)])]
    for f, g, k in ((1, 1, 0), (2, -3, 5), (-1, 4, -7)):
        made = plus(plus(times(number(f), choices[0]), times(number(g), choices[1])), number(k))
        values = [f * a + g * b + k for a in (0, 1) for b in (-3, 2)]
        assert limits(made) == (min(values), max(values))
    products = [a * b for a in (0, 1) for b in (-3, 2)]
    assert limits(times(*choices)) == (min(products), max(products))
    assert limits(number(7)) == (7, 7) and limits(number(0)) == (0, 0)
    assert limits(atom(("v", "n"))) is None and limits(plus(choices[0], atom(("v", "n")))) is None
    assert limits(atom(("if", ("v", "c"), number(1), atom(("v", "n"))))) is None
