"""The C of kernels with one thing written wrongly."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

__all__ = ["MUTATIONS"]

Mutated = Iterator[str]

_VALUE = re.compile(r"(?<![=<>!])= (?=[^;]*;\n)")
_INDEX = re.compile(r"(?<=[\w\]])\[([^\[\]]*)\]")
_NAME = re.compile(r"\b[a-zA-Z_]\w*\b")


def at(c: str, found: re.Match[str], by: str) -> str:
    return c[: found.start()] + by + c[found.end() :]


def every(pattern: str, by: str | Callable[[re.Match[str]], str]) -> Callable[[str], Mutated]:
    """All texts in which one place that matches is written in another way."""

    def mutate(c: str) -> Mutated:
        for found in re.finditer(pattern, c, re.MULTILINE):
            yield at(c, found, by(found) if callable(by) else found.expand(by))

    return mutate


def brackets(c: str) -> Mutated:
    """Parentheses left out around a sum or a difference next to a product, a quotient or a sign."""
    for found in re.finditer(r"(?:[*/%-] ?)\(([^()]* [-+] [^()]*)\)|\(([^()]* [-+] [^()]*)\) [*/%]", c):
        text = found.group()
        yield at(c, found, text.replace("(", "", 1).replace(")", "", 1))


def neighbours(c: str) -> Mutated:
    """The index of the element beside."""
    for found in _INDEX.finditer(c):
        if not found[1].startswith("PA_") and not found[1].isdecimal():
            yield at(c, found, f"[{found[1]} + 1]")


def exchanged(c: str) -> Mutated:
    """Two arrays or variables of a statement in each other's place."""
    for line in re.finditer(r"^ +[^\n{}#]*[^=<>!]= [^\n{}]*;$", c, re.MULTILINE):
        names = [n for n in _NAME.finditer(line[0]) if re.match(r"\[", line[0][n.end() :])]
        for a, b in pairwise(names):
            if a[0] != b[0] and "sizes" not in line[0] and a.end() < line[0].index("= "):
                text = line[0]
                yield at(c, line, text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :])


def digits(found: re.Match[str]) -> str:
    last = found[1][-1]
    return f"{found[1][:-1]}{(int(last) + 1) % 10}{found[2]}"


MUTATIONS: dict[str, Callable[[str], Mutated]] = {
    "a sign in front": every(r"(?<![=<>!])= (?=[^;\n]*;$)", "= -"),
    "a decrement": every(r"(?<== )-(?=[a-z])", "--"),
    "a sum for a difference": every(r" - (?=[^;]*;$)", " + "),
    "a difference for a sum": every(r"(?<!\+=)(?<=[\w\])]) \+ (?=[^;]*;$)", " - "),
    "a product for a sum": every(r"(?<=[\w\])]) \+ (?=[^;]*;$)", " * "),
    "a quotient for a product": every(r"(?<=[\w\])]) \* (?=[^;=]*;$)", " / "),
    "brackets": brackets,
    "an index": neighbours,
    "< for <=": every(r" <= ", " < "),
    "<= for <": every(r" < ", " <= "),
    "> for >=": every(r" >= ", " > "),
    "an int for a long": every(r"\bint64_t\b(?= \w+ = )", "int"),
    "a float for a double": every(r"\bdouble\b(?= \w+ = )", "float"),
    "a lost conversion": every(r"\((?:double|float|int64_t)\)(?=[\w(])", ""),
    "another conversion": every(r"\(double\)(?=[\w(])", "(float)"),
    "a last digit": every(r"\b(\d+\.?\d*)(f?)\b(?=[^\n]*;$)", digits),
    "a constant of another type": every(r"(?<=\d\.\d)f\b", ""),
    "exchanged": exchanged,
    "no barrier": every(r"^ *PA_BARRIER\n", ""),
    "no pragma": every(r"^ *PA_(?!BARRIER|UNUSED)[A-Z_]+(\([^\n]*\))?\n", ""),
    "another pragma": every(r"PA_SINGLE", "PA_PARALLEL"),
    "no statement": every(r"^ +[^\n{}#/]*;\n", ""),
    "a statement twice": every(r"^( +[^\n{}#/]*[^=<>!]= [^\n{}]*;\n)", r"\1\1"),
    "another function": every(r"\bpa_(sin|exp|tanh|sigmoid|sqrt|log)_f", "pa_cos_f"),
    "another precision": every(r"\b(pa_\w+_f)64\(", r"\g<1>32("),
    "an and for an or": every(r" && ", " || "),
    "an or for an and": every(r" \|\| ", " && "),
    "sides of a choice": every(r" \? ([\w.\[\]]+) : ([\w.\[\]]+)", r" ? \2 : \1"),
    "a larger step": every(r"(?<= \+= )1\)", "2)"),
    "a loop upwards": every(r" -= (?=\w+\) \{)", " += "),
    "an assignment for an update": every(r" \+= (?=[^)]*;$)", " = "),
    "an update for an assignment": every(r"(?<=\]) = (?=[^;]*;$)", " += "),
    "a smaller slot": every(r"(?<=pa_after\((?:bytes|offset)...)\d+ \* ", ""),
    "another operator of bits": every(r"(?<=[\w\])]) [\^|] (?=[^;]*;$)", " & "),
    "another shift": every(r"\bpa_left_shift_", "pa_right_shift_"),
    "a word with a sign": every(r"\buint32_t\b(?= \w+ = )", "int32_t"),
    "bits that stay": every(r"~(?=[\w(])", ""),
    "another status": every(r"POLYAD_ERROR_NULL;", "POLYAD_OK;"),
    "sizes that are not tested": every(r"^  if \([^\n]*\) return (?:SIZE_MAX|POLYAD_ERROR_SIZE);\n", ""),
    "an else that is lost": every(r"\} else \{", "}\n{"),
    "a condition that is lost": every(r"^( *)if \((?![^\n]*return)[^\n]*\) \{$", r"\1{"),
    "a pointer that may be shared": every(r" \*PA_RESTRICT (?=\w+ = )", " *"),
}
MUTATIONS["a smaller slot"] = every(r"(?<=pa_after\(offset, )[^;]*(?=\);)", "0")
