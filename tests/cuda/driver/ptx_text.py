"""Words of PTX, and how its text is divided: types, operators, statements, operands."""

from __future__ import annotations

import re
from collections.abc import Iterator

C = {
    "u8": "uint8_t",
    "s8": "int8_t",
    "b8": "uint8_t",
    "u16": "uint16_t",
    "s16": "int16_t",
    "b16": "uint16_t",
    "u32": "uint32_t",
    "s32": "int32_t",
    "b32": "uint32_t",
    "u64": "uint64_t",
    "s64": "int64_t",
    "b64": "uint64_t",
    "f32": "float",
    "f64": "double",
    "pred": "bool",
}
BITS = {t: 1 if t == "pred" else int(t[1:]) for t in C}
RAW = {1: "bool", 8: "uint16_t", 16: "uint16_t", 32: "uint32_t", 64: "uint64_t"}
SPECIAL = {"%tid": "T.tid", "%ntid": "T.b->bd", "%ctaid": "T.b->bid", "%nctaid": "T.b->gd"}
COMPARE = {
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "lo": "<",
    "ls": "<=",
    "hi": ">",
    "hs": ">=",
}
ROUND = {"rn": 0, "rz": 1, "rm": 2, "rp": 3, "rni": 0, "rzi": 1, "rmi": 2, "rpi": 3}
UNARY = {
    "abs",
    "neg",
    "not",
    "cnot",
    "sqrt",
    "rsqrt",
    "rcp",
    "ex2",
    "lg2",
    "sin",
    "cos",
    "tanh",
    "popc",
    "clz",
    "brev",
    "bfind",
}
BINARY = {"add", "sub", "div", "rem", "min", "max", "and", "or", "xor", "shl", "shr", "copysign"}
SCOPES = {
    "gpu",
    "cta",
    "sys",
    "cluster",
    "gl",
    "sc",
    "acq_rel",
    "relaxed",
    "acquire",
    "release",
    "volatile",
    "weak",
    "nc",
    "uni",
    "aligned",
    "approx",
    "full",
    "ftz",
    "noinc",
    "ca",
    "cg",
    "cs",
    "lu",
    "cv",
    "wb",
    "wt",
    "mmio",
}


class Unsupported(Exception):
    """Something that is not in the tables."""


def clean(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def hexed(v: str) -> str:
    if re.fullmatch(r"0[fF][0-9A-Fa-f]{8}", v):
        return f"__builtin_bit_cast(float, 0x{v[2:]}u)"
    if re.fullmatch(r"0[dD][0-9A-Fa-f]{16}", v):
        return f"__builtin_bit_cast(double, 0x{v[2:]}ull)"
    return v


def variable(text: str) -> tuple[int, int, str]:
    """(bytes, alignment, name) of a declaration."""
    m = re.search(r"\.([bsuf]\d+)\s+(%?[\w.$]+)\s*(?:\[\s*(\d*)\s*\])?\s*$", text.strip())
    if not m:
        raise Unsupported(text)
    each = BITS[m[1]] // 8
    align = re.search(r"\.align\s+(\d+)", text)
    return each * int(m[3] or 1) if m[3] != "" else 0, int(align[1]) if align else each, m[2]


def declared(text: str | None) -> list[tuple[int, int, str]]:
    return [
        variable(re.sub(r"\.ptr(\s*\.(global|shared|const|local))?", "", p))
        for p in (text or "").strip("() \n").split(",")
        if p.strip()
    ]


def statements(body: str) -> Iterator[tuple[int, str]]:
    """(line, text) of statements, labels and braces that open or close a scope."""
    line = start = 1
    buffer = ""
    for ch in body:
        if ch == "\n":
            line += 1
        if not buffer.strip():
            start = line
            if ch in "{}":
                yield line, ch
                buffer = ""
                continue
        if ch == ";":
            yield start, " ".join(buffer.split())
            buffer = ""
            continue
        buffer += ch
        if ch == ":" and re.fullmatch(r"\s*[\w$]+:", buffer):
            yield start, buffer.strip()
            buffer = ""


def operands(text: str) -> list[str]:
    """Split at commas outside of braces, brackets and parentheses."""
    found, depth, current = [], 0, ""
    for ch in text:
        depth += {"{": 1, "[": 1, "(": 1, "}": -1, "]": -1, ")": -1}.get(ch, 0)
        if ch == "," and depth == 0:
            found.append(current.strip())
            current = ""
        else:
            current += ch
    return [*found, current.strip()] if current.strip() else found
