"""A function printed from its tree, each statement on the line that it has in the file.

Positions of nodes are lines of the file, so line ends are put in front of a statement until it has its own. What is
made of one statement stands on one line. Pragmas have lines of their own, and `#line` behind them.
"""

from __future__ import annotations

from pycparser import c_ast, c_generator

__all__ = ["expression_text", "printed"]


def printed(tree: c_ast.FuncDef, first: int, last: int) -> str:
    """The text of a function.

    Args:
        tree: the function.
        first: the line on which it begins.
        last: the line of its last brace.
    """
    printer = _Printer(first)
    printer.write(f"{' '.join(c_generator.CGenerator().visit(tree.decl).split())} {{")
    for item in tree.body.block_items or []:
        printer.statement(item)
    printer.at(last)
    printer.write("}")
    return printer.text


def expression_text(node: c_ast.Node) -> str:
    """An expression or a declaration on one line."""
    return " ".join(c_generator.CGenerator().visit(node).split())


class _Printer:
    def __init__(self, line: int) -> None:
        self.text, self.line = "", line

    def write(self, text: str) -> None:
        self.text += text if not self.text or self.text.endswith("\n") else f" {text}"

    def at(self, line: int) -> None:
        """Go on at a line, if it is further down."""
        if line > self.line:
            self.text += "\n" * (line - self.line)
            self.line = line

    def statement(self, node: c_ast.Node | None) -> None:
        if node is None:
            self.write(";")
            return
        if isinstance(node, c_ast.Pragma):
            self.pragma(node)
            return
        if node.coord is not None:
            self.at(node.coord.line)
        match node:
            case c_ast.Compound():
                self.write("{")
                for item in node.block_items or []:
                    self.statement(item)
                self.write("}")
            case c_ast.If():
                self.write(f"if ({expression_text(node.cond)})")
                self.statement(_block(node.iftrue))
                if node.iffalse is not None:
                    self.write("else")
                    self.statement(_block(node.iffalse))
            case c_ast.While():
                self.write(f"while ({expression_text(node.cond)})")
                self.statement(node.stmt)
            case c_ast.DoWhile():
                self.write("do")
                self.statement(_block(node.stmt))
                self.write(f"while ({expression_text(node.cond)});")
            case c_ast.For():
                parts = ["" if p is None else expression_text(p) for p in (node.init, node.cond, node.next)]
                self.write(f"for ({parts[0].rstrip(';')}; {parts[1]}; {parts[2]})")
                self.statement(node.stmt)
            case c_ast.Label():
                self.write(f"{node.name}:")
                self.statement(node.stmt)
            case c_ast.EmptyStatement():
                self.write(";")
            case c_ast.Switch() | c_ast.Case() | c_ast.Default():
                self.write(expression_text(node))
            case _:
                text = expression_text(node)
                self.write(text if text.endswith(";") else f"{text};")

    def pragma(self, node: c_ast.Pragma) -> None:
        line = node.coord.line
        self.at(line)
        behind = self.text.rpartition("\n")[2].strip()
        if behind:
            self.text += f"\n#line {line}\n"
        self.text += f"#pragma {node.string}\n"
        if behind:
            self.text += f"#line {line + 1}\n"
        self.line = line + 1


def _block(node: c_ast.Node) -> c_ast.Node:
    """A statement in braces, so that no `else` comes to belong to another `if`."""
    return node if isinstance(node, c_ast.Compound) else c_ast.Compound([node], node.coord)
