"""Makes a failing program small: cuts whatever can go while it still fails in the same way."""

from generator import TYPES
from tree import Expr

ZERO = {type: Expr(type, "false" if type == "bool" else f"(({type})0)") for type in TYPES}


def cuts(program):
    """Every single cut of a program, as a pair of functions that make it and take it back."""
    for function in list(program.functions[:-1]):
        def drop(function=function):
            program.functions.remove(function)

        position = program.functions.index(function)
        yield drop, lambda function=function, position=position: program.functions.insert(position, function)
    for _, body, _ in program.functions:
        yield from block_cuts(body)


def replacing(container, position, new):
    old = container[position]

    def make():
        container[position] = new

    def back():
        container[position] = old

    return make, back


def block_cuts(stmts):
    # Halves first, then single statements.
    for size in (max(len(stmts) // 2, 1), 1):
        for start in range(0, len(stmts), size):
            kept = list(stmts)

            def make(start=start, size=size):
                del stmts[start:start + size]

            yield make, lambda kept=kept: stmts.__setitem__(slice(None), kept)
    for position, stmt in enumerate(list(stmts)):
        for inner in stmt.blocks:
            kept = list(stmts)

            def lift(position=position, inner=inner):
                stmts[position:position + 1] = inner

            yield lift, lambda kept=kept: stmts.__setitem__(slice(None), kept)
            yield from block_cuts(inner)
        yield from expression_cuts(stmt.exprs)


def expression_cuts(exprs):
    for position, expr in enumerate(list(exprs)):
        if expr.args or expr.text() != ZERO[expr.type].text():
            yield replacing(exprs, position, ZERO[expr.type])
        for child in expr.args:
            if child.type == expr.type:
                yield replacing(exprs, position, child)
        yield from expression_cuts(expr.args)


def shrink(program, fails):
    """Cuts until no cut keeps `fails(program)` true."""
    progress = True
    while progress:
        progress = False
        for make, back in cuts(program):
            make()
            if fails(program):
                progress = True
                break  # the tree has changed: enumerate anew
            back()
    return program
