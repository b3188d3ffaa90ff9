"""Instructions of PTX, each as a statement of C++."""

from __future__ import annotations

import re

from ptx_text import BINARY, BITS, COMPARE, ROUND, UNARY, C, Unsupported, clean

PLAIN = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}
"""What C++ has a sign for. Sums and products of floats are asked for by it where no instruction of a module rounds in
another direction than to nearest: across such a one, a compiler may move them."""


class Instructions:
    """The part of `Function` that translates one instruction."""

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
            if "f" not in (to[0], of[0]) and not sat:
                return self.widened(a[0], to, f"({C[to]}){self.src(a[1], of)}")
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
            if mods[-2:-1] == ["cc"] or (op == "mad" and "cc" in mods):
                return f"{C[t]} p_ = ({C[t]})({product}); " + self.carry(
                    "add", a[0], t, "p_", self.src(a[3], t), False, True
                )
            u = C[f"u{BITS[result]}"]
            return self.dst(a[0], result, f"({u})({product}) + ({u}){self.src(a[3], result)}")
        if op == "madc":
            wide = "hi" if "hi" in mods else "lo"
            d = "uint64_t" if BITS[t] == 32 else "unsigned __int128"
            product = (
                f"({C[t]})((({d}){self.src(a[1], t)} * {self.src(a[2], t)}){f' >> {BITS[t]}' if wide == 'hi' else ''})"
            )
            return f"{C[t]} p_ = {product}; " + self.carry("add", a[0], t, "p_", self.src(a[3], t), True, "cc" in mods)
        if op in ("addc", "subc") or (op in ("add", "sub") and "cc" in mods):
            return self.carry(op[:3], a[0], t, self.src(a[1], t), self.src(a[2], t), op.endswith("c"), "cc" in mods)
        if op in ("fma", "mul", "mad"):
            args = ", ".join(self.src(x, t) for x in a[1:])
            call = f"{'fma_' if len(a) == 4 else 'mul_'}<{C[t]}, {max(mode, 0)}>({args})"
            if not self.m.directed:
                fused = f"__builtin_fma{'f' if t == 'f32' else ''}({args})"
                call = fused if len(a) == 4 else f"({self.src(a[1], t)} * {self.src(a[2], t)})"
            return self.dst(a[0], t, f"saturate({call})" if sat else call)
        if op in ("add", "sub") and t[0] == "f":
            call = f"{op}_<{C[t]}, {max(mode, 0)}>({self.src(a[1], t)}, {self.src(a[2], t)})"
            if not self.m.directed:
                call = f"({self.src(a[1], t)} {PLAIN[op]} {self.src(a[2], t)})"
            return self.dst(a[0], t, f"saturate({call})" if sat else call)
        if op in BINARY:
            if op in PLAIN and t != "pred":
                u = C[f"u{BITS[t]}"]
                return self.dst(a[0], t, f"({u}){self.src(a[1], t)} {PLAIN[op]} ({u}){self.src(a[2], t)}")
            if op in ("shl", "shr"):
                if re.fullmatch(r"\d+", a[2].strip()) and int(a[2]) < BITS[t]:
                    left = C[f"u{BITS[t]}"] if op == "shl" else C[t]
                    return self.dst(a[0], t, f"({left}){self.src(a[1], t)} {'<<' if op == 'shl' else '>>'} {int(a[2])}")
                return self.dst(a[0], t, f"{op}_<{C[t]}>({self.src(a[1], t)}, {self.src(a[2], 'u32')})")
            if t == "pred":
                return self.dst(a[0], t, f"{self.src(a[1], t)} {PLAIN[op]} {self.src(a[2], t)}")
            extra = ", true" if "NaN" in mods else ""
            return self.dst(a[0], t, f"{op}_<{C[t]}>({self.src(a[1], t)}, {self.src(a[2], t)}{extra})")
        if op in UNARY:
            result = "u32" if op in ("popc", "clz", "bfind") else t
            return self.dst(
                a[0], result, f"{op}_<{C[t]}>({self.src(a[1], t)})" if t != "pred" else f"!{self.src(a[1], t)}"
            )
        if op == "bfi":
            both = f"{self.src(a[1], t)}, {self.src(a[2], t)}"
            return self.dst(a[0], t, f"bfi_<{C[t]}>({both}, {self.src(a[3], 'u32')}, {self.src(a[4], 'u32')})")
        if op == "bfe":
            return self.dst(
                a[0], t, f"bfe_<{C[t]}>({self.src(a[1], t)}, {self.src(a[2], 'u32')}, {self.src(a[3], 'u32')})"
            )
        if op == "prmt":
            return self.dst(
                a[0], "u32", f"prmt_({self.src(a[1], 'u32')}, {self.src(a[2], 'u32')}, {self.src(a[3], 'u32')})"
            )
        if op == "shf":
            three = ", ".join(self.src(x, "u32") for x in a[1:4])
            return self.dst(a[0], "u32", f"shf_({three}, {int('l' in mods)}, {int('clamp' in mods)})")
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
            which, count = (self.src(a[i], "u32") if len(a) > i else "0" for i in range(2))
            return f"blockBarrier(T, {which}, {count});"
        if op in ("membar", "fence"):
            return ""
        if op == "shfl":
            kind = next(i for i, m in enumerate(("up", "down", "bfly", "idx")) if m in mods)
            both = a[0].split("|")
            three = ", ".join(self.src(x, "u32") for x in a[1:4])
            mask = self.src(a[4], "u32") if len(a) > 4 else "~0u"
            call = f"bool in_; uint32_t x_ = shfl(T, {kind}, {three}, {mask}, in_, {self.site}); "
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
            how = f'"{kind}"[0] * 256 + "{kind}"[1]'
            value = f"redux<{C[t]}>(T, {how}, {self.src(a[1], t)}, {self.src(a[2], 'u32')}, {self.site})"
            return self.dst(a[0], t, value)
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
            to = self.address(a[0], "shared", int(a[2], 0), True)
            of = self.address(a[1], "global", int(a[2], 0), False)
            return f"copyAsync(T, {to}, {of}, {a[2]}{given});"
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
            return f"{clean(op.strip())} = ({C[('s' if t[0] == 's' else 'u') + str(wide)]})({C[t]})({value});"
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
