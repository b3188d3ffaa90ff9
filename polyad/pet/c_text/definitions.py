"""A C file at its coarsest: which functions and types it defines, at which lines, and which loop nests it marks.

Read from what the C preprocessor makes of the file, with its line markers, so that macros are no obstacle and what is
left out by `#if` is not seen; from the file itself where there is no C compiler, or where it fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from polyad.errors import CompileError, ExtractionError
from polyad.pet.refusal import refusal
from polyad.runtime.compiler import find_compiler
from polyad.runtime.run_tool import run_tool, scratch_directory

__all__ = ["CDefinition", "CText", "ScopRegion", "read_c_text", "without_comments"]


@dataclass(frozen=True, slots=True)
class ScopRegion:
    """The text between `#pragma scop` and `#pragma endscop`: the lines of the two."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class CDefinition:
    """A definition or declaration outside of all functions.

    Attributes:
        kind: `function`, with a body; `type`, of a typedef; `variable`, or whatever else is declared.
        name: what is defined.
        text: all of it, with line markers.
        first: its line.
        last: the line where it ends.
        file: where it stands.
    """

    kind: str
    name: str
    text: str
    first: int
    last: int
    file: str


@dataclass(frozen=True, slots=True)
class CText:
    """A C file.

    Attributes:
        path: as it was given.
        functions: those that have a body, by name; those of included files too.
        types: what typedefs define, by name.
        variables: what else is declared outside of functions, by name.
        declarations: all of the above that are no functions, in order.
        regions: the loop nests that are marked, in order.
        problem: what the preprocessor complained of; "" where it did not, or was not there.
        promises: (line, words) of each `#pragma polyad words`.
    """

    path: str
    functions: dict[str, CDefinition]
    types: dict[str, CDefinition]
    variables: dict[str, CDefinition]
    declarations: tuple[CDefinition, ...]
    regions: tuple[ScopRegion, ...]
    problem: str
    promises: tuple[tuple[int, str], ...] = ()

    def regions_of(self, function: CDefinition) -> tuple[ScopRegion, ...]:
        """The loop nests of a function."""
        if function.file != self.path:
            return ()
        return tuple(r for r in self.regions if function.first <= r.first <= function.last)

    def function_at(self, region: ScopRegion) -> CDefinition | None:
        """The function in which a loop nest stands."""
        return next((f for f in self.functions.values() if region in self.regions_of(f)), None)

    def used_by(self, function: CDefinition) -> list[CDefinition]:
        """A function, and those of the file that it names, and that they name in turn, in the order of the file."""
        own = {name: f for name, f in self.functions.items() if f.file == self.path}
        found, waiting = {function.name}, [function]
        while waiting:
            named = own.keys() & set(_WORDS.findall(waiting.pop().text))
            waiting += [own[name] for name in named - found]
            found |= named
        return [f for name, f in self.functions.items() if name in found]

    def marked(self) -> list[str]:
        """The names of functions with loop nests."""
        return [name for name, function in self.functions.items() if self.regions_of(function)]


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int
    line: int
    file: str
    depth: int  # of braces around it


_LINES = r"""
    (?P<marker>^[ \t]*\#[ \t]*(?:line[ \t]+)?(?P<number>\d+)(?:[ \t]+"(?P<file>(?:[^"\\\n]|\\.)*)")?[^\n]*)
  | (?P<pragma>^[ \t]*\#[ \t]*pragma[ \t]+(?P<words>[^\n]*))
  | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\[^\n]|\\\n)*)
  | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  | (?P<newline>\n)
"""
_TOKENS = re.compile(
    _LINES
    + r"""
  | (?P<word>[A-Za-z_$][\w$]*)
  | (?P<number_>\.?\d(?:[\w.]|[eEpP][+-])*)
  | (?P<space>[ \t\r\f\v]+)
  | (?P<other>.)
    """,
    re.VERBOSE | re.MULTILINE,
)
_INSIDE = re.compile(
    _LINES
    + r"""
  | (?P<brace>[{}])
  | (?P<space>[^{}"'\n\#]+|.)
    """,
    re.VERBOSE | re.MULTILINE,
)
"""Between braces, where nothing is looked for but pragmas and where they end."""
_WORDS = re.compile(r"[A-Za-z_]\w*")
_COMMENTS = re.compile(r'//(?:[^\n\\]|\\[^\n]|\\\n)*|/\*.*?\*/|("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')', re.DOTALL)

_DIRECTIVES = re.compile(r"^[ \t]*#(?![ \t]*(?:pragma|line)\b)(?:[^\n\\]|\\[^\n]|\\\n)*()", re.MULTILINE)


_PROMISE = "polyad "


def read_c_text(
    path: Path, include: Sequence[str] = (), define: Sequence[str] = (), source: str | None = None
) -> CText:
    """Look at a C file.

    Args:
        path: the file.
        include: folders of headers.
        define: macros, `NAME` or `NAME=VALUE`.
        source: what stands in the file's place, if it was rewritten.

    Raises:
        ExtractionError: the file is not text, or its pragmas do not come in pairs.
    """
    shown = str(path)
    text, problem = _preprocessed(path, include, define, source)
    tokens, pragmas = _scan(text, shown)
    promises = [p for p in pragmas if p.text.startswith(_PROMISE)]
    pragmas = [p for p in pragmas if p not in promises]
    for pragma in promises:  # trees need not have them
        text = text[: pragma.start] + " " * (pragma.end - pragma.start) + text[pragma.end :]
    found: dict[str, dict[str, CDefinition]] = {"function": {}, "type": {}, "variable": {}}
    definitions = list(_definitions(text, tokens))
    for definition in definitions:
        found[definition.kind].setdefault(definition.name, definition)
    declarations = tuple(d for d in definitions if d.kind != "function")
    regions = _regions(pragmas, shown)
    return CText(
        shown,
        found["function"],
        found["type"],
        found["variable"],
        declarations,
        regions,
        problem,
        tuple((p.line, p.text.removeprefix(_PROMISE)) for p in promises),
    )


def _preprocessed(path: Path, include: Sequence[str], define: Sequence[str], source: str | None) -> tuple[str, str]:
    """Return the preprocessed text of a file (the file itself where that failed), and the preprocessor's complaints."""
    raw = _read(path) if source is None else source
    try:
        compiler = find_compiler()
    except CompileError:
        return _plain(raw), ""
    options = [*(f"-I{folder}" for folder in include), *(f"-D{macro}" for macro in define)]
    command = [*compiler.command, "-E", "-w", "-x", "c"]
    try:
        if source is None:
            return run_tool([*command, *options, str(path)]), ""
        with scratch_directory() as folder:
            copy = folder / path.name
            copy.write_bytes(source.encode("utf-8", errors="surrogateescape"))
            written = run_tool([*command, "-iquote", str(path.parent), *options, str(copy)])
            return written.replace(str(copy), str(path)), ""
    except CompileError as failed:
        said = failed.output.replace(f"{path}:", f"\n{path}:")  # what was preprocessed so far may stand before it
        return _plain(raw), said


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as problem:
        raise ExtractionError(f"{path}: cannot be read: {problem.strerror}", str(path)) from problem


def _plain(text: str) -> str:
    """The text with blanks in place of comments and of all directives but pragmas; lines stay where they are."""
    return _DIRECTIVES.sub(_blank, without_comments(text))


def without_comments(text: str) -> str:
    """The text with blanks in place of comments; all else stays where it is."""
    return _COMMENTS.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return match[1] or "".join(c if c == "\n" else " " for c in match[0])


def _scan(text: str, file: str) -> tuple[list[_Token], list[_Token]]:
    """The tokens of a text outside of braces, and apart from them the pragmas `scop` and `endscop`."""
    tokens, pragmas = [], []
    main, line, depth, position = file, 1, 0, 0
    while (match := (_INSIDE if depth > 0 else _TOKENS).match(text, position)) is not None:
        position = match.end()
        kind = match.lastgroup if match.lastgroup not in ("number", "file", "words") else _outer(match)
        if kind == "newline":
            line += 1
        elif kind == "marker":
            line = int(match["number"]) - 1
            file = match["file"].replace("\\\\", "\\").replace('\\"', '"') if match["file"] is not None else file
        elif kind == "pragma":
            words = match["words"].split()
            if words[:1] in (["scop"], ["endscop"]) and file == main:
                pragmas.append(_Token(words[0], match.start(), match.end(), line, file, depth))
            elif words[:1] == ["polyad"] and file == main:
                promise = _PROMISE + " ".join(words[1:])
                pragmas.append(_Token(promise, match.start(), match.end(), line, file, depth))
        elif kind == "directive":
            line += match[0].count("\n")
        elif kind != "space":
            if match[0] == "}":
                depth -= 1
            tokens.append(_Token(match[0], match.start(), match.end(), line, file, depth))
            if match[0] == "{":
                depth += 1
    return tokens, pragmas


def _outer(match: re.Match[str]) -> str:
    """The alternative that matched, where the last group is one inside of it."""
    return "marker" if match["marker"] is not None else "pragma"


def _definitions(text: str, tokens: Sequence[_Token]) -> Iterator[CDefinition]:
    """Yield what is defined or declared outside of functions."""
    start = parentheses = 0
    for i, token in enumerate(tokens):
        if token.depth == 0:
            parentheses = max(0, parentheses + (token.text == "(") - (token.text == ")"))
        if token.depth != 0 or parentheses or token.text not in (";", "}"):
            continue  # also of `void f(enum { A, B } kind)`
        run = tokens[start : i + 1]
        head = [t for t in run if t.depth == 0]
        if token.text == "}" and not _is_function(head):
            continue  # of a struct, an enum, or a list of values: it goes on
        start = i + 1
        kind = "function" if token.text == "}" else "type" if head[0].text == "typedef" else "variable"
        name = _function_name(head) if kind == "function" else _declared_name(head)
        if name:
            # Line markers inside of the text count on from here.
            marker = f'# {run[0].line} "{run[0].file}"\n'
            body = text[run[0].start : token.end]
            yield CDefinition(kind, name, marker + body, run[0].line, token.line, run[0].file)


def _is_function(head: Sequence[_Token]) -> bool:
    """Whether a run of tokens that ends with a brace defines a function: `... name(...) {}`."""
    words = [t.text for t in head]
    return "(" in words and "=" not in words and "typedef" not in words and "(" in words[: words.index("{")]


def _function_name(head: Sequence[_Token]) -> str:
    """The word before the first parenthesis that does not belong to an attribute."""
    words = [t.text for t in head]
    i = 0
    while i < len(words):
        if words[i] in ("__attribute__", "__attribute", "__asm__", "__declspec", "_Alignas"):
            i = _behind_parentheses(words, i + 1)
            continue
        if words[i] == "(":
            return words[i - 1] if i and re.match(r"[A-Za-z_]", words[i - 1]) else ""
        i += 1
    return ""


def _behind_parentheses(words: Sequence[str], i: int) -> int:
    depth = 0
    while i < len(words):
        depth += {"(": 1, ")": -1}.get(words[i], 0)
        i += 1
        if depth == 0:
            break
    return i


def _declared_name(head: Sequence[_Token]) -> str:
    """The name that a declaration without a body declares first: `double (*A)[3];`, `static int n = 4;`."""
    words = [t.text for t in head]
    name, i = "", 0
    while i < len(words):
        word = words[i]
        if word in ("__attribute__", "__attribute", "__asm__", "_Alignas"):
            i = _behind_parentheses(words, i + 1)
            continue
        if word in ("=", ";", ",", "["):
            break
        if word == "(":
            if words[i + 1] in ("*", "("):
                return next((w for w in words[i:] if re.match(r"[A-Za-z_]", w)), "")
            break
        if re.match(r"[A-Za-z_]", word):
            name = word
        i += 1
    return name


def _regions(pragmas: Sequence[_Token], file: str) -> tuple[ScopRegion, ...]:
    """Pairs of pragmas."""
    regions: list[ScopRegion] = []
    opened: _Token | None = None
    for pragma in pragmas:
        if pragma.text == "scop" and opened is None:
            opened = pragma
        elif pragma.text == "endscop" and opened is not None:
            if opened.depth != pragma.depth:
                raise refusal(
                    file,
                    pragma.line,
                    "pragma",
                    f"`#pragma endscop` stands inside of other braces than the `#pragma scop` of line {opened.line}: "
                    "put both around whole statements of one block",
                )
            regions.append(ScopRegion(opened.line, pragma.line))
            opened = None
        else:
            raise _unpaired(pragma if opened is None else opened, file)
    if opened is not None:
        raise _unpaired(opened, file)
    return tuple(regions)


def _unpaired(pragma: _Token, file: str) -> ExtractionError:
    other = "endscop" if pragma.text == "scop" else "scop"
    sentence = f"`#pragma {pragma.text}` has no `#pragma {other}`; put one on each side of the loop nest"
    return refusal(file, pragma.line, "pragma", sentence)
