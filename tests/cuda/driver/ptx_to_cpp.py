"""PTX to C++, one function a kernel, for cuda_cpu.h: what NVIDIA's compiler made of a kernel runs on a CPU.

    python ptx_to_cpp.py kernel.ptx > kernel.cpp

Registers are raw bits and instructions give them a type, so floats may stand in .b32 registers, as newer compilers have
them. An instruction that is not in the tables is an error that names it and its line; nothing is skipped silently.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from ptx_instructions import Instructions
from ptx_text import (
    BITS,
    RAW,
    SPECIAL,
    C,
    Unsupported,
    clean,
    declared,
    hexed,
    operands,
    statements,
    variable,
)


class Function(Instructions):
    """The translation of one .entry or .func."""

    def __init__(self, module: Module, name: str, entry: bool, returns: list, params: list, body: str):
        self.m, self.name, self.entry, self.returns, self.params, self.body = module, name, entry, returns, params, body
        self.scopes: list[dict[str, str]] = [{}]
        self.space: dict[str, str] = {}  # name -> C++ address of a .local or .param variable of this function
        self.site = 0
        self.shared: dict[str, int] = {}

    # ---- operands
    def reg_type(self, name: str) -> str | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def src(self, op: str, t: str) -> str:
        op = op.strip()
        c = C[t]
        if op.startswith("!"):
            return f"!{self.src(op[1:], 'pred')}"
        kind = self.reg_type(op)
        if kind is not None:
            if t[0] == "f":
                return f"__builtin_bit_cast({c}, {clean(op)})" if BITS[t] == BITS[kind] else f"rd<{c}>({clean(op)})"
            return f"({clean(op)} != 0)" if t == "pred" else f"({c}){clean(op)}"
        if op.startswith("%"):
            head, _, dim = op.partition(".")
            if head in SPECIAL and dim:
                return f"({c}){SPECIAL[head]}.{dim}"
            known = {
                "%laneid": "(T.index & 31)",
                "%warpid": "(T.index >> 5)",
                "%nwarpid": "((T.b->threads + 31) / 32)",
                "%smid": "0",
                "%nsmid": "1",
                "%gridid": "0",
                "%clock": "0",
                "%clock64": "0",
                "%globaltimer": "0",
                "%dynamic_smem_size": "T.b->dynamic",
                "%lanemask_lt": "((1u << (T.index & 31)) - 1)",
                "%lanemask_eq": "(1u << (T.index & 31))",
                "%lanemask_le": "((2u << (T.index & 31)) - 1)",
                "%lanemask_gt": "~((2u << (T.index & 31)) - 1)",
                "%lanemask_ge": "~((1u << (T.index & 31)) - 1)",
                "%cluster_ctarank": "T.b->rank",
                "%cluster_nctarank": "T.b->members",
            }
            if op in known:
                return f"({c})({known[op]})"
            raise Unsupported(f"register {op}")
        if m := re.fullmatch(r"0[fF]([0-9A-Fa-f]{8})", op):
            value = f"bits<float>(0x{m[1]}u)"
            return value if t == "f32" else f"({c})0x{m[1]}u" if t == "b32" else f"({c}){value}"
        if m := re.fullmatch(r"0[dD]([0-9A-Fa-f]{16})", op):
            return f"bits<double>(0x{m[1]}ull)" if t == "f64" else f"({c})0x{m[1]}ull"
        if re.fullmatch(r"-?(0[xX][0-9A-Fa-f]+|\d+)U?", op):
            text = op.rstrip("U")
            number = int(text, 0) & (2**64 - 1)
            if BITS[t] >= 8 and t[0] != "f":
                return f"({c})0x{number & (2 ** BITS[t] - 1):x}ull"
            return f"({c}){text}"
        return f"({c})({self.symbol(op)})"

    def symbol(self, text: str) -> str:
        """The address of a variable, with an offset: of shared memory an offset into the block's."""
        name, _, offset = text.partition("+")
        name, plus = name.strip(), f" + {offset.strip()}" if offset else ""
        if name in self.space:
            return f"(uint64_t){self.space[name]}{plus}"
        if name in self.shared or name in self.m.shared:
            return f"{self.shared.get(name, self.m.shared.get(name))}u{plus}"
        if name in self.m.dynamic:
            return f"T.b->static_bytes{plus}"
        if name in self.m.globals:
            return f"(uint64_t)&g_{clean(name)}{plus}"
        raise Unsupported(f"name {text}")

    def dst(self, op: str, t: str, value: str) -> str:
        op = op.strip()
        if op == "_":
            return f"(void)({value});"
        kind = self.reg_type(op)
        if kind is None:
            raise Unsupported(f"destination {op}")
        if t[0] != "f":
            return f"{clean(op)} = ({C[t]})({value});"
        if BITS[t] == BITS[kind]:
            return f"{clean(op)} = __builtin_bit_cast({RAW[BITS[kind]]}, ({C[t]})({value}));"
        return f"wr({clean(op)}, ({C[t]})({value}));"

    def address(self, op: str, space: str, bytes_: int, store: bool) -> str:
        """A checked host pointer."""
        m = re.fullmatch(r"\[\s*(%[\w.$]+)\s*(?:\+\s*(-?\w+))?\s*\]", op.strip())
        if m and self.reg_type(m[1]) is not None:
            kind = "uint32_t" if space == "shared" and "64" not in self.reg_type(m[1]) else "uint64_t"
            at = f"({kind}){clean(m[1])}" + (f" + ({m[2]})" if m[2] else "")
        else:
            inner = op.strip()[1:-1].strip()
            if re.fullmatch(r"-?(0x)?[0-9A-Fa-f]+", inner):
                at = f"{inner}ull"
            else:
                name = inner.partition("+")[0].strip()
                if space in ("param", "generic") and name in self.params_at:
                    return f"(T_params + {self.params_at[name]}{'+' + inner.partition('+')[2] if '+' in inner else ''})"
                at = self.symbol(inner)
        kind = {
            "shared": "SHARED",
            "global": "GLOBAL",
            "const": "GLOBAL",
            "local": "LOCAL",
            "param": "LOCAL",
            "generic": "GLOBAL",
        }[space]
        return f"at{kind}(T, {at}, {bytes_}, {int(store)}, {self.line})"

    # ---- statements
    def emit(self) -> str:
        self.params_at, at = {}, 0
        for size, align, name in self.params if self.entry else []:
            at = (at + align - 1) // align * align
            self.params_at[name] = at
            at += size
        out = []
        if self.entry:
            self.m.entries.append((self.name, self))
            out.append(f"static void k_{clean(self.name)}(Thread &T, const char *T_params)")
            out.append("{\n  uint32_t CC = 0; (void)CC; (void)T_params;")
        else:
            args = ", ".join(["Thread &T"] + [f"char *{clean(n)}" for _, _, n in self.returns + self.params])
            out.append(f"static void f_{clean(self.name)}({args})")
            out.append("{\n  uint32_t CC = 0; (void)CC; const char *T_params = nullptr; (void)T_params;")
            self.space |= {n: clean(n) for _, _, n in self.returns + self.params}
        for line, text in statements(self.body):
            self.line = line
            try:
                out.append("  " + self.statement(text))
            except (Unsupported, KeyError, ValueError, IndexError) as e:
                at, why = line + self.m.offset(self), f"{type(e).__name__}: {e}"
                raise SystemExit(f"ptx_to_cpp: line {at}: cannot translate {text!r} ({why})") from e
        out.append("}\n")
        return "\n".join(out)

    def statement(self, text: str) -> str:
        if text == "{":
            self.scopes.append({})
            return "{"
        if text == "}":
            self.scopes.pop()
            return "}"
        if text.endswith(":"):
            return f"{clean(text[:-1])}:;"
        if text.startswith(".reg"):
            m = re.match(r"\.reg\s+\.(\w+)\s+(.*)", text, re.S)
            names = []
            for one in m[2].split(","):
                one = one.strip()
                ranged = re.fullmatch(r"(%?[\w.$]+)<(\d+)>", one)
                names += [f"{ranged[1]}{i}" for i in range(int(ranged[2]))] if ranged else [one]
            self.scopes[-1] |= dict.fromkeys(names, m[1])
            return f"{RAW[BITS[m[1]]]} {', '.join(clean(n) for n in names)};"
        if text.startswith((".local", ".param", ".shared")):
            size, align, name = variable(text)
            if text.startswith(".shared"):
                self.m.place(self.shared, size, align, name)
                return ""
            self.space[name] = f"v_{clean(name)}"
            return f"alignas({align}) char v_{clean(name)}[{size}]; std::memset(v_{clean(name)}, 0xFF, {size});"
        if text.startswith((".loc", ".pragma", ".file", ".branchtargets", ".callprototype")):
            return ""
        guard = ""
        if m := re.match(r"@(!?)(%[\w$]+)\s+(.*)", text, re.S):
            guard, text = f"if ({m[1]}{clean(m[2])}) ", m[3]
        head, _, rest = text.partition(" ") if " " in text else (text, "", "")
        words = head.strip().split(".")
        return guard + "{ " + self.instruction(words[0], words[1:], operands(rest)) + " }"


class Module:
    def __init__(self, text: str):
        self.text = re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S))
        self.shared, self.dynamic, self.globals, self.functions, self.entries = {}, set(), {}, {}, []
        self.static = 0
        self.directed = re.search(r"\.r[zmp]\b", self.text) is not None

    def offset(self, f: Function) -> int:
        return self.text[: self.text.find(f.body)].count("\n")

    def place(self, table: dict[str, int], size: int, align: int, name: str) -> None:
        self.static = (self.static + align - 1) // align * align
        table[name] = self.static
        self.static += size

    def translate(self) -> str:
        out = ['#include "cuda_cpu.h"\n']
        text = self.text
        for m in re.finditer(
            r"^\s*((?:\.visible|\.extern|\.weak|\.common)\s+)?\.(shared|global|const)\s+([^;{]*?)(?:=\s*([^;]*))?;",
            text,
            re.M,
        ):
            if text[: m.start()].count("{") != text[: m.start()].count("}"):
                continue  # inside of a function
            size, align, name = variable(f".{m[2]} {m[3]}")
            if m[2] == "shared":
                if "extern" in (m[1] or ""):
                    self.dynamic.add(name)
                else:
                    self.place(self.shared, size, align, name)
            else:
                self.globals[name] = size
                values = re.findall(r"[-\w.]+", (m[4] or "").strip("{} "))
                kind = re.search(r"\.([bsuf]\d+)\s+%?[\w.$]+\s*(\[[^\]]*\])?\s*$", m[3].strip())[1]
                data = ", ".join((f"({C[kind]})" if kind[0] != "f" else "") + (hexed(v)) for v in values)
                count = max(1, size // (BITS[kind] // 8))
                out.append(f"alignas({max(align, 16)}) static {C[kind]} g_{clean(name)}[{count}] = {{{data}}};")
        found = list(re.finditer(r"\.(entry|func)\s*(\([^)]*\))?\s*([\w$]+)\s*(\([^)]*\))?([^{;]*)([{;])", text))
        bodies = []
        for m in found:
            if m[6] == ";":
                continue
            end, depth = m.end(), 1
            while depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            f = Function(self, m[3], m[1] == "entry", declared(m[2]), declared(m[4]), text[m.end() : end - 1])
            limit = re.search(r"\.maxntid\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?", m[5])
            f.most = eval("*".join(x for x in limit.groups() if x)) if limit else 1024
            self.functions[m[3]] = f
            bodies.append(f)
        for f in bodies:
            if not f.entry:
                args = ", ".join(["Thread &"] + ["char *"] * len(f.returns + f.params))
                out.append(f"static void f_{clean(f.name)}({args});")
        module_static = self.static
        for f in bodies:
            self.static = module_static
            out.append(f.emit())
            f.bytes = self.static
        rows = []
        for name, f in self.entries:
            offsets = list(f.params_at.values())
            sizes = [s for s, _, _ in f.params]
            total = max((o + s for o, s in zip(offsets, sizes, strict=False)), default=0)
            c = clean(name)
            starts, lengths = (", ".join(map(str, [*numbers, 0])) for numbers in (offsets, sizes))
            out.append(f"static const unsigned o_{c}[] = {{{starts}}}, s_{c}[] = {{{lengths}}};")
            rows.append(f'  {{"{name}", k_{c}, {len(sizes)}, o_{c}, s_{c}, {total}, {f.bytes}, {f.most}}},')
        out.append(
            'extern "C" const Entry cuda_cpu_entries[] = {\n'
            + "\n".join(rows)
            + "\n  {nullptr, nullptr, 0, nullptr, nullptr, 0, 0, 0}};"
        )
        table = "".join(f'  {{"{n}", (void *)g_{clean(n)}, {s}}},\n' for n, s in self.globals.items())
        out.append(f'extern "C" const Variable cuda_cpu_variables[] = {{\n{table}  {{nullptr, nullptr, 0}}}};')
        return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.stdout.write(Module(Path(sys.argv[1]).read_text()).translate())
