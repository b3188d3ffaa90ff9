"""PTX to C++, one function a kernel, for cuda_cpu.h: what NVIDIA's compiler made of a kernel runs on a CPU.

    python ptx_to_cpp.py kernel.ptx > kernel.cpp

Registers are raw bits and instructions give them a type, so floats may stand in .b32 registers, as newer compilers have
them. An instruction that is not in the tables below is an error that names it and its line; nothing is skipped silently.
"""

from __future__ import annotations

import re
import sys

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
    pass


def clean(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


class Function:
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
        if self.reg_type(op) is not None:
            return f"rd<{c}>({clean(op)})"
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
        if self.reg_type(op) is None:
            raise Unsupported(f"destination {op}")
        return f"wr({clean(op)}, ({C[t]})({value}));"

    def address(self, op: str, space: str, bytes_: int, store: bool) -> str:
        """A checked host pointer."""
        m = re.fullmatch(r"\[\s*(%[\w.$]+)\s*(?:\+\s*(-?\w+))?\s*\]", op.strip())
        if m and self.reg_type(m[1]) is not None:
            kind = "uint32_t" if space == "shared" and "64" not in self.reg_type(m[1]) else "uint64_t"
            at = f"rd<{kind}>({clean(m[1])})" + (f" + ({m[2]})" if m[2] else "")
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
            out.append(
                f"static void k_{clean(self.name)}(Thread &T, const char *T_params)\n{{\n  uint32_t CC = 0; (void)CC; (void)T_params;"
            )
        else:
            args = ", ".join(["Thread &T"] + [f"char *{clean(n)}" for _, _, n in self.returns + self.params])
            out.append(
                f"static void f_{clean(self.name)}({args})\n{{\n  uint32_t CC = 0; (void)CC; const char *T_params = nullptr; (void)T_params;"
            )
            self.space |= {n: clean(n) for _, _, n in self.returns + self.params}
        for line, text in statements(self.body):
            self.line = line
            try:
                out.append("  " + self.statement(text))
            except (Unsupported, KeyError, ValueError, IndexError) as e:
                raise SystemExit(
                    f"ptx_to_cpp: line {line + self.m.offset(self)}: cannot translate {text!r} ({type(e).__name__}: {e})"
                ) from e
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
            guard, text = f"if ({m[1]}rd<bool>({clean(m[2])})) ", m[3]
        head, _, rest = text.partition(" ") if " " in text else (text, "", "")
        words = head.strip().split(".")
        return guard + "{ " + self.instruction(words[0], words[1:], operands(rest)) + " }"

    def instruction(self, op: str, mods: list[str], a: list[str]) -> str:
        types = [m for m in mods if m in C]
        t = types[-1] if types else ""
        mode = next((ROUND[m] for m in mods if m in ROUND), -1)
        sat = "sat" in mods
        space = next((m for m in mods if m in ("global", "shared", "local", "param", "const")), "generic")
        if "shared::cta" in ".".join(mods) or "shared::cta" in mods:
            space = "shared"
        self.site += 1
        if op == "mov":
            if a[0].startswith("{"):
                parts = a[0][1:-1].split(",")
                width = BITS[t] // len(parts)
                return " ".join(
                    self.dst(p, f"u{width}", f"{self.src(a[1], f'u{BITS[t]}')} >> {width * i}")
                    for i, p in enumerate(parts)
                )
            if a[1].startswith("{"):
                parts = a[1][1:-1].split(",")
                width = BITS[t] // len(parts)
                u = C[f"u{BITS[t]}"]
                return self.dst(
                    a[0],
                    t,
                    f"bits<{C[t]}>(({u})("
                    + " | ".join(f"({u}){self.src(p, f'u{width}')} << {width * i}" for i, p in enumerate(parts))
                    + "))",
                )
            return self.dst(a[0], t, self.src(a[1], t))
        if op in ("ld", "ldu", "st"):
            vector = next((int(m[1]) for m in mods if m in ("v2", "v4")), 1)
            value, place = (a[0], a[1]) if op != "st" else (a[1], a[0])
            names = [p.strip() for p in value.strip("{}").split(",")]
            size = max(BITS[t] // 8, 1)
            where = self.address(place, space, size * vector, op == "st")
            wait = "spin(T); " if op != "st" and any(m in ("acquire", "volatile", "relaxed") for m in mods) else ""
            if op == "st":
                return f"char *p_ = (char *)({where}); " + " ".join(
                    f"put<{C[t]}>(p_ + {size * i}, {self.src(n, t)});" for i, n in enumerate(names)
                )
            wide = {"s8": "s16", "u8": "u16", "b8": "u16"}.get(t, t)
            return f"{wait}const char *p_ = (const char *)({where}); " + " ".join(
                self.widened(n, wide, f"get<{C[t]}>(p_ + {size * i})") for i, n in enumerate(names)
            )
        if op == "cvta":
            if "shared" in mods:
                return self.dst(
                    a[0], "u64", f"{self.src(a[1], 'u64')} {'-' if 'to' in mods else '+'} (uint64_t)T.b->memory"
                )
            return self.dst(a[0], "u64", self.src(a[1], "u64"))
        if op == "isspacep":
            return self.dst(a[0], "pred", f"isShared(T, {self.src(a[1], 'u64')}) == {int('shared' in mods)}")
        if op == "setp" or op == "set":
            compare = mods[0]
            x, y = self.src(a[1], t), self.src(a[2], t)
            test = self.comparison(compare, t, x, y)
            joined = test
            if len(a) > 3:
                joined = {
                    "and": f"({test}) & {self.src(a[3], 'pred')}",
                    "or": f"({test}) | {self.src(a[3], 'pred')}",
                    "xor": f"({test}) ^ {self.src(a[3], 'pred')}",
                }[mods[1]]
            if op == "set":
                kind = types[0]
                return self.dst(a[0], kind, f"({joined}) ? ({C[kind]})({'1' if kind[0] == 'f' else '-1'}) : 0")
            both = a[0].split("|")
            text = self.dst(both[0], "pred", joined)
            return text + (self.dst(both[1], "pred", f"!({test})") if len(both) > 1 else "")
        if op == "selp":
            return self.dst(a[0], t, f"{self.src(a[3], 'pred')} ? {self.src(a[1], t)} : {self.src(a[2], t)}")
        if op == "slct":
            return self.dst(
                a[0],
                types[0],
                f"{self.src(a[3], types[1])} >= 0 ? {self.src(a[1], types[0])} : {self.src(a[2], types[0])}",
            )
        if op == "cvt":
            to, of = types[0], types[1]
            return self.widened(a[0], to, f"convert<{C[to]}, {C[of]}, {mode}, {int(sat)}>({self.src(a[1], of)})")
        if op in ("mul", "mad", "mul24", "mad24") and t[0] != "f":
            wide = next((m for m in mods if m in ("lo", "hi", "wide")), "lo")
            double = f"{t[0] if t[0] == 's' else 'u'}{2 * BITS[t]}" if BITS[t] < 64 else None
            d = C[double] if double else ("__int128" if t[0] == "s" else "unsigned __int128")
            product = f"({d}){self.src(a[1], t)} * ({d}){self.src(a[2], t)}"
            if wide == "lo":
                u = C[f"u{BITS[t]}"] if BITS[t] > 16 else "uint32_t"
                product = f"({u}){self.src(a[1], t)} * ({u}){self.src(a[2], t)}"
            elif wide == "hi":
                product = f"({C[t]})(({product}) >> {BITS[t]})"
            result = double if wide == "wide" else t
            if op in ("mul", "mul24"):
                return self.dst(a[0], result, product)
            if mods[-2:-1] == ["cc"] or op == "mad" and "cc" in mods:
                return f"{C[t]} p_ = ({C[t]})({product}); " + self.carry(
                    "add", a[0], t, "p_", self.src(a[3], t), False, True
                )
            u = C[f"u{BITS[result]}"]
            return self.dst(a[0], result, f"({u})({product}) + ({u}){self.src(a[3], result)}")
        if op == "madc":
            wide = "hi" if "hi" in mods else "lo"
            d = "uint64_t" if BITS[t] == 32 else "unsigned __int128"
            product = f"({C[t]})((({d}){self.src(a[1], t)} * {self.src(a[2], t)}){' >> %d' % BITS[t] if wide == 'hi' else ''})"
            return f"{C[t]} p_ = {product}; " + self.carry("add", a[0], t, "p_", self.src(a[3], t), True, "cc" in mods)
        if op in ("addc", "subc") or op in ("add", "sub") and "cc" in mods:
            return self.carry(op[:3], a[0], t, self.src(a[1], t), self.src(a[2], t), op.endswith("c"), "cc" in mods)
        if op in ("fma", "mul", "mad"):
            args = ", ".join(self.src(x, t) for x in a[1:])
            call = f"{'fma_' if len(a) == 4 else 'mul_'}<{C[t]}, {max(mode, 0)}>({args})"
            return self.dst(a[0], t, f"saturate({call})" if sat else call)
        if op in ("add", "sub") and t[0] == "f":
            call = f"{op}_<{C[t]}, {max(mode, 0)}>({self.src(a[1], t)}, {self.src(a[2], t)})"
            return self.dst(a[0], t, f"saturate({call})" if sat else call)
        if op in BINARY:
            if op in ("shl", "shr"):
                return self.dst(a[0], t, f"{op}_<{C[t]}>({self.src(a[1], t)}, {self.src(a[2], 'u32')})")
            if t == "pred":
                return self.dst(
                    a[0], t, f"{self.src(a[1], t)} {dict(zip(('and', 'or', 'xor'), '&|^'))[op]} {self.src(a[2], t)}"
                )
            extra = ", true" if "NaN" in mods else ""
            return self.dst(a[0], t, f"{op}_<{C[t]}>({self.src(a[1], t)}, {self.src(a[2], t)}{extra})")
        if op in UNARY:
            result = "u32" if op in ("popc", "clz", "bfind") else t
            return self.dst(
                a[0], result, f"{op}_<{C[t]}>({self.src(a[1], t)})" if t != "pred" else f"!{self.src(a[1], t)}"
            )
        if op == "bfi":
            return self.dst(
                a[0],
                t,
                f"bfi_<{C[t]}>({self.src(a[1], t)}, {self.src(a[2], t)}, {self.src(a[3], 'u32')}, {self.src(a[4], 'u32')})",
            )
        if op == "bfe":
            return self.dst(
                a[0], t, f"bfe_<{C[t]}>({self.src(a[1], t)}, {self.src(a[2], 'u32')}, {self.src(a[3], 'u32')})"
            )
        if op == "prmt":
            return self.dst(
                a[0], "u32", f"prmt_({self.src(a[1], 'u32')}, {self.src(a[2], 'u32')}, {self.src(a[3], 'u32')})"
            )
        if op == "shf":
            return self.dst(
                a[0],
                "u32",
                f"shf_({self.src(a[1], 'u32')}, {self.src(a[2], 'u32')}, {self.src(a[3], 'u32')}, {int('l' in mods)}, {int('clamp' in mods)})",
            )
        if op == "lop3":
            return self.dst(
                a[0], "u32", f"lop3_({self.src(a[1], 'u32')}, {self.src(a[2], 'u32')}, {self.src(a[3], 'u32')}, {a[4]})"
            )
        if op == "testp":
            test = {
                "finite": "std::isfinite",
                "infinite": "std::isinf",
                "number": "!std::isnan",
                "notanumber": "std::isnan",
                "normal": "std::isnormal",
            }[mods[0]]
            return self.dst(a[0], "pred", f"{test}({self.src(a[1], t)})")
        if op in ("bra", "brx"):
            if op == "brx":
                raise Unsupported("brx")
            return f"goto {clean(a[0])};"
        if op in ("ret", "exit"):
            return "return;" if op == "ret" else "leave(T); return;"
        if op in ("trap", "brkpt"):
            return f'fail("trap", {self.line});'
        if op in ("bar", "barrier"):
            if "cluster" in mods:
                return f"clusterBarrier(T, {int('arrive' in mods)});"
            if "warp" in mods:
                return f"warpSync(T, {self.src(a[0], 'u32')}, {self.site});"
            if "sync" not in mods:
                raise Unsupported(".".join([op, *mods]))
            return f"blockBarrier(T, {self.src(a[0], 'u32') if a else '0'}, {self.src(a[1], 'u32') if len(a) > 1 else '0'});"
        if op in ("membar", "fence"):
            return ""
        if op == "shfl":
            kind = next(i for i, m in enumerate(("up", "down", "bfly", "idx")) if m in mods)
            both = a[0].split("|")
            call = f"bool in_; uint32_t x_ = shfl(T, {kind}, {self.src(a[1], 'u32')}, {self.src(a[2], 'u32')}, {self.src(a[3], 'u32')}, {self.src(a[4], 'u32') if len(a) > 4 else '~0u'}, in_, {self.site}); "
            return (
                call
                + self.dst(both[0], "u32", "x_")
                + (self.dst(both[1], "pred", "in_") if len(both) > 1 else "(void)in_;")
            )
        if op == "vote":
            kind = next(i for i, m in enumerate(("any", "all", "uni", "ballot")) if m in mods)
            value = f"vote(T, {kind}, {self.src(a[1], 'pred')}, {self.src(a[2], 'u32')}, {self.site})"
            return self.dst(a[0], "u32" if kind == 3 else "pred", value)
        if op == "redux":
            kind = next(m for m in mods if m in ("add", "min", "max", "and", "or", "xor"))
            return self.dst(
                a[0],
                t,
                f"redux<{C[t]}>(T, '{kind}'[0] * 256 + '{kind}'[1], {self.src(a[1], t)}, {self.src(a[2], 'u32')}, {self.site})".replace(
                    f"'{kind}'", f'"{kind}"'
                ),
            )
        if op == "activemask":
            return self.dst(a[0], "u32", "liveMask(T)")
        if op in ("atom", "red"):
            kind = next(m for m in mods if m in ("add", "min", "max", "exch", "cas", "and", "or", "xor", "inc", "dec"))
            result = None if op == "red" else a.pop(0)
            where = self.address(a[0], space, BITS[t] // 8, True).replace(", 1, ", ", 2, ", 1)
            value = f'atomic<{C[t]}>(T, {where}, "{kind}", {", ".join(self.src(x, t) for x in a[1:])})'
            return self.dst(result, t, value) if result else f"{value};"
        if op == "cp" and "async" in mods:
            if "commit_group" in mods:
                return "copyCommit(T);"
            if "wait_group" in mods or "wait_all" in mods:
                return f"copyWait(T, {a[0] if a else 0});"
            if "bulk" in mods:
                raise Unsupported("cp.async.bulk")
            given = f", {self.src(a[3], 'u32')}" if len(a) > 3 and not a[3].startswith("%rd") else f", {a[2]}"
            return f"copyAsync(T, {self.address(a[0], 'shared', int(a[2], 0), True)}, {self.address(a[1], 'global', int(a[2], 0), False)}, {a[2]}{given});"
        if op == "call":
            if len(a) == 2 and a[0].startswith("("):
                returned, target, given = a[0], a[1], "()"
            elif len(a) == 3:
                returned, target, given = a
            else:
                returned, (target, *more) = "()", a
                given = more[0] if more else "()"
            names = [n.strip() for n in returned.strip("() ").split(",") + given.strip("() ").split(",") if n.strip()]
            if target not in self.m.functions:
                raise Unsupported(f"call of {target}")
            return f"f_{clean(target)}({', '.join(['T', *(self.space[n] for n in names)])});"
        if op in ("prefetch", "prefetchu", "discard", "applypriority", "nanosleep", "griddepcontrol", "pmevent"):
            return "spin(T);" if op == "nanosleep" else ""
        raise Unsupported(".".join([op, *mods]))

    def widened(self, op: str, t: str, value: str) -> str:
        """A store into a register that may be wider than the type: integers are extended by their sign."""
        kind = self.reg_type(op.strip())
        if kind is None:
            return self.dst(op, t, value)
        wide = BITS[kind]
        if t != "pred" and t[0] != "f" and wide > BITS[t]:
            return f"wr({clean(op.strip())}, ({C[('s' if t[0] == 's' else 'u') + str(wide)]})({C[t]})({value}));"
        return self.dst(op, t, value)

    def carry(self, op: str, d: str, t: str, x: str, y: str, takes: bool, gives: bool) -> str:
        u = C[f"u{BITS[t]}"]
        text = f"bool c_; {u} s_ = {op}Carry<{u}>(({u}){x}, ({u}){y}, {'CC' if takes else '0'}, c_); "
        return text + self.dst(d, f"u{BITS[t]}", "s_") + (" CC = c_;" if gives else " (void)c_;")

    def comparison(self, how: str, t: str, x: str, y: str) -> str:
        c = C[t] if t[0] != "b" or t == "pred" else C[f"u{BITS[t]}"]
        if how == "num":
            return f"!isnan_({x}) & !isnan_({y})"
        if how == "nan":
            return f"isnan_({x}) | isnan_({y})"
        if t[0] == "f" and how.endswith("u") and how[:-1] in COMPARE:
            return f"isnan_({x}) | isnan_({y}) | ({x} {COMPARE[how[:-1]]} {y})"
        if t[0] == "f" and how == "ne":
            return f"!isnan_({x}) & !isnan_({y}) & ({x} != {y})"
        return f"({c}){x} {COMPARE[how]} ({c}){y}"


class Module:
    def __init__(self, text: str):
        self.text = re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S))
        self.shared, self.dynamic, self.globals, self.functions, self.entries = {}, set(), {}, {}, []
        self.static = 0

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
            total = max((o + s for o, s in zip(offsets, sizes)), default=0)
            out.append(
                f"static const unsigned o_{clean(name)}[] = {{{', '.join(map(str, [*offsets, 0]))}}}, s_{clean(name)}[] = {{{', '.join(map(str, [*sizes, 0]))}}};"
            )
            rows.append(
                f'  {{"{name}", k_{clean(name)}, {len(sizes)}, o_{clean(name)}, s_{clean(name)}, {total}, {f.bytes}, {f.most}}},'
            )
        out.append(
            'extern "C" const Entry cuda_cpu_entries[] = {\n'
            + "\n".join(rows)
            + "\n  {nullptr, nullptr, 0, nullptr, nullptr, 0, 0, 0}};"
        )
        table = "".join(f'  {{"{n}", (void *)g_{clean(n)}, {s}}},\n' for n, s in self.globals.items())
        out.append(f'extern "C" const Variable cuda_cpu_variables[] = {{\n{table}  {{nullptr, nullptr, 0}}}};')
        return "\n".join(out) + "\n"


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


def statements(body: str):
    """(line, text) of statements, labels and braces that open or close a scope."""
    line, at, start, depth = 1, 0, None, 0
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


if __name__ == "__main__":
    sys.stdout.write(Module(open(sys.argv[1]).read()).translate())
