"""A kernel file as a tree, which prints itself and names the language features it uses.

A node is a template with numbered places and the nodes that fill them; a list is a sequence of
statements. The generator builds trees and the shrinker cuts them, without either parsing text.
"""

import re


class Expr:
    """An expression of a known type: `Expr("int32", "({0} + {1})", a, b)`."""

    def __init__(self, type, template, *args, features=()):
        self.type, self.template, self.args, self.features = type, template, list(args), features

    def text(self):
        return re.sub(r"\{(\d)\}", lambda m: self.args[int(m.group(1))].text(), self.template)

    def children(self):
        return self.args


class Stmt:
    """A statement. Its template's `{0}` is an expression, `{A}` a block of statements."""

    def __init__(self, template, exprs=(), blocks=(), features=()):
        self.template, self.exprs, self.blocks, self.features = template, list(exprs), list(blocks), features

    def text(self, indent):
        pad = "  " * indent

        def fill(match):
            key = match.group(1)
            if key.isdigit():
                return self.exprs[int(key)].text()
            body = "".join(stmt.text(indent + 1) for stmt in self.blocks[ord(key) - ord("A")])
            return "{\n" + body + pad + "}"

        return pad + re.sub(r"\{([A-Z\d])\}", fill, self.template) + "\n"


class Program:
    """Declarations that are text, helpers and the kernel, whose bodies are lists of statements."""

    def __init__(self, preamble, functions):
        self.preamble, self.functions = preamble, functions  # functions: (header, statements, features)

    def text(self):
        parts = [self.preamble]
        for header, body, _ in self.functions:
            parts.append(header + " {\n" + "".join(stmt.text(1) for stmt in body) + "}\n")
        return "\n".join(parts)

    def features(self):
        found = set()

        def expression(expr):
            found.update(expr.features)
            found.add(expr.type)
            for child in expr.args:
                expression(child)

        def block(stmts):
            for stmt in stmts:
                found.update(stmt.features)
                for expr in stmt.exprs:
                    expression(expr)
                for inner in stmt.blocks:
                    block(inner)

        for _, body, features in self.functions:
            found.update(features)
            block(body)
        return found
