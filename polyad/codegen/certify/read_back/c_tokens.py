"""C cut into tokens, each the longest that C has: `--x` begins with a decrement, whoever wrote `-` in front of `-x`."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["NotReadError", "Token", "Tokens", "tokens"]


class NotReadError(Exception):
    """The text is no C of a kernel; `line`: where."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class Token(NamedTuple):
    """A token: its text, what it is (name, number, string, op, end), and its line."""

    text: str
    kind: str
    line: int


class Tokens(NamedTuple):
    """A text.

    Attributes:
        tokens: in order, one of kind `end` behind them.
        directives: the lines of the preprocessor and where they stand; what is for C++ alone is in neither.
    """

    tokens: list[Token]
    directives: list[tuple[str, int]]


_TOKEN = re.compile(
    r"""(?P<skip>[ \t\r\f\v]+|/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)
      | (?P<line>\n)
      | (?P<number>(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?[a-zA-Z0-9_]*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<string>"[^"\n]*")
      | (?P<op>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#|[-+*/%<>=!&|^~?:;,.(){}\[\]])""",
    re.VERBOSE,
)


def tokens(text: str) -> Tokens:
    """Cut a text.

    Raises:
        NotReadError: there is something that is no token of C.
    """
    found: list[Token] = []
    directives: list[tuple[str, int]] = []
    line, position, fresh, hidden = 1, 0, True, False
    while position < len(text):
        if fresh and text[position] == "#":
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            words = " ".join(re.sub(r"/\*.*?\*/", " ", text[position:end]).split())
            if words == "#ifdef __cplusplus":
                hidden = True
            elif hidden and words == "#endif":
                hidden = False
            else:
                directives.append((words, line))
            position = end
            continue
        match = _TOKEN.match(text, position)
        if match is None:
            raise NotReadError(f"{text[position]!r} is no token", line)
        kind, token = match.lastgroup or "", match.group()
        position = match.end()
        if kind == "line":
            line, fresh = line + 1, True
        elif kind == "skip":
            line += token.count("\n")
        else:
            fresh = False
            if not hidden:
                found.append(Token(token, kind, line))
    return Tokens([*found, Token("", "end", line)], directives)
