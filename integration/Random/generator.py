"""Random legal kernels of the Mettle language, from a seed.

Every operation and type, nested loops with every kind of jump, helpers, records, private and
workgroup arrays, dynamic views and barriers, asynchronous copies, subgroup operations, and atomics on elements
that a work-item has to itself or that everybody updates by operations which commute. A program ends, stays
inside its arrays, reads nothing unset and races with nobody, so every judge must return the same bits, for any
inputs.
"""

import random

from tree import Expr, Program, Stmt

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = SIGNED + UNSIGNED
FLOATS = ["float32", "float64"]
NUMBERS = INTEGERS + FLOATS
STORED = NUMBERS + ["float16"]
TYPES = NUMBERS + ["bool"]

BLOCK, GRID = 32, 2
ITEMS = BLOCK * GRID
SLOTS = 4  # results of one type for each work-item
INPUTS = 256  # elements of each input array, a power of two

ATOMIC = ["int32", "int64", "uint32", "uint64"]
LANED = ATOMIC + FLOATS  # what a subgroup operation returns as it takes it
# Element i of an array that everybody updates sees the updates of one row only; a row's commute.
UPDATES = [["add", "sub"], ["min"], ["max"], ["and"], ["or"], ["xor"]]
TALLIES = 8  # elements of such an array
ORDERS = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]

# The fields of a record that the kernel takes by value.
PACK = [("scale", "float32"), ("shift", "int16"), ("on", "bool"), ("byte", "uint8"), ("wide", "float64")]

BITS = {type: int(type.lstrip("uintfloa")) for type in STORED}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.scopes = []  # of (name, type), innermost last
        self.counter = 0
        self.helpers = []  # (name, parameter types, result type)
        self.records = []  # (name, [(field, type)])
        self.arrays = []  # (name, type, extent): private arrays, whole contents set
        self.inKernel = False
        self.tallies = []  # (name, type) of arrays that everybody may update here
        self.usesSubgroups = False
        self.loops = []  # labels of the loops around, innermost last; "" for one without

    def choose(self, options):
        return self.random.choice(options)

    def chance(self, probability):
        return self.random.random() < probability

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    # Expressions

    def variables(self, type):
        return [name for scope in self.scopes for name, kind in scope if kind == type]

    def literal(self, type):
        if type == "bool":
            return Expr(type, self.choose(["true", "false"]))
        if type in FLOATS:
            value = self.choose(["0.0", "1.0", "0.5", "3.25", "1e-3", "1.5e10", "0.1", "7.0", "1e-40", "16777217.0"])
            return Expr(type, f"(({type}){value})")
        bits = BITS[type]
        low, high = (0, 2**bits - 1) if type in UNSIGNED else (-2**(bits - 1), 2**(bits - 1) - 1)
        value = self.choose([0, 1, 2, 3, high, low, high // 3, self.random.randint(low, high), self.random.randint(0, 40)])
        return Expr(type, f"(({type}){value})" if value >= 0 else f"(({type})(-{-value}))" if value > -2**63 else
                    f"(({type})(-9223372036854775807 - 1))")

    def index(self, extent, depth):
        """An int32 from 0 to extent - 1, a power of two."""
        return Expr("int32", f"((int32)({{0}}) & {extent - 1})", self.expression("int32", depth - 1))

    def leaf(self, type):
        names = self.variables(type)
        if names and self.chance(0.75):
            return Expr(type, self.choose(names))
        if self.inKernel and type in NUMBERS and self.chance(0.6):
            offset = self.random.randrange(INPUTS)
            return Expr(type, f"in_{type}[(gid + {offset}) & {INPUTS - 1}]", features=("load " + type,))
        return self.literal(type)

    def expression(self, type, depth):
        if depth <= 0:
            return self.leaf(type)
        kinds = [self.leaf, self.cast, self.operation, self.operation, self.operation, self.call]
        if type == "bool":
            kinds = [self.leaf, self.comparison, self.comparison, self.logic, self.cast]
        kind = self.choose(kinds)
        return kind(type) if kind == self.leaf else kind(type, depth)

    def cast(self, type, depth):
        source = self.choose(TYPES)
        if self.inKernel and self.chance(0.2) and type == "float32":
            return Expr(type, f"in_float16[((int32)({{0}})) & {INPUTS - 1}]", self.expression("int32", depth - 1),
                        features=("float16", "load float16"))
        return Expr(type, f"(({type})({{0}}))", self.expression(source, depth - 1), features=(f"cast to {type}",))

    def operation(self, type, depth):
        a, b = self.expression(type, depth - 1), self.expression(type, depth - 1)
        if type in FLOATS:
            op = self.choose(["+", "-", "*", "/", "neg", "sqrt", "fabs", "fma", "half"])
            suffix = "f" if type == "float32" else ""
            if op == "neg":
                return Expr(type, "(-{0})", a, features=("float neg",))
            if op == "half":
                if type == "float64":
                    return Expr(type, "({0} - {1})", a, b, features=("float -",))
                # Through a uint16 and back: the bits of a NaN between are not looked at.
                return Expr(type, "h2f(f2h({0}))", a, features=("h2f", "f2h"))
            if op in ("sqrt", "fabs"):
                return Expr(type, f"{op}{suffix}({{0}})", a, features=(op + suffix,))
            if op == "fma":
                return Expr(type, f"fma{suffix}({{0}}, {{1}}, {{2}})", a, b, self.expression(type, depth - 1),
                            features=("fma" + suffix,))
            return Expr(type, f"({{0}} {op} {{1}})", a, b, features=(f"float {op}",))
        dot = ["dp4a"] if type in ("int32", "uint32") else []
        op = self.choose(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "neg", "~"] + dot)
        if op == "dp4a":
            return Expr(type, f"dp4a_{type[0].replace('i', 's')}32({{0}}, {{1}}, {{2}})", a, b,
                        self.expression(type, depth - 1), features=("dp4a " + type,))
        narrow = f"(({type})" if BITS[type] < 32 else "("
        if op in ("neg", "~"):
            return Expr(type, f"{narrow}({'-' if op == 'neg' else op}{{0}}))", a, features=(f"integer {op}",))
        sign = " signed" if type in SIGNED and op in ("/", "%", ">>") else ""
        return Expr(type, f"{narrow}({{0}} {op} {{1}}))", a, b, features=(f"integer {op}{sign}",))

    def comparison(self, type, depth):
        kind = self.choose(FLOATS if self.chance(0.5) else INTEGERS)
        op = self.choose(["<", "<=", ">", ">=", "==", "!="])
        label = "float " if kind in FLOATS else "integer "
        return Expr("bool", f"({{0}} {op} {{1}})", self.expression(kind, depth - 1), self.expression(kind, depth - 1),
                    features=(label + op,))

    def logic(self, type, depth):
        op = self.choose(["&&", "||", "!"])
        a = self.expression("bool", depth - 1)
        if op == "!":
            return Expr("bool", "(!{0})", a, features=(op,))
        return Expr("bool", f"({{0}} {op} {{1}})", a, self.expression("bool", depth - 1), features=(op,))

    def call(self, type, depth):
        helpers = [helper for helper in self.helpers if helper[2] == type and
                   all(kind in TYPES or self.variables(kind) for kind in helper[1])]
        if not helpers:
            return self.operation(type, depth)
        name, parameters, _ = self.choose(helpers)
        features = ["helper call"] + ["record argument"] * any(kind not in TYPES for kind in parameters)
        values = [self.expression(kind, depth - 1) if kind in TYPES else Expr("record", self.choose(self.variables(kind)))
                  for kind in parameters]
        places = ", ".join(f"{{{i}}}" for i in range(len(parameters)))
        return Expr(type, f"{name}({places})", *values, features=tuple(features))

    # Statements

    def block(self, size, depth):
        self.scopes.append([])
        stmts = [stmt for _ in range(self.random.randint(1, size)) for stmt in self.statement(depth)]
        self.scopes.pop()
        return stmts

    def declare(self, type):
        name = self.fresh("v")
        stmt = Stmt(f"var {name}: {type} = {{0}};", [self.expression(type, 3)], features=("variable",))
        self.scopes[-1].append((name, type))
        return [stmt]

    def assign(self, depth):
        targets = [(name, kind) for scope in self.scopes for name, kind in scope
                   if kind in TYPES and name.startswith("v")]
        if not targets:
            return self.declare(self.choose(TYPES))
        name, kind = self.choose(targets)
        if kind in NUMBERS and self.chance(0.4):
            op = self.choose(["+", "-", "*", "/"] + ([] if kind in FLOATS else ["%", "&", "|", "^", "<<", ">>"]))
            return [Stmt(f"{name} {op}= {{0}};", [self.expression(kind, 2)], features=(f"compound {op}=",))]
        return [Stmt(f"{name} = {{0}};", [self.expression(kind, 3)], features=("assignment",))]

    def branch(self, depth):
        condition = self.expression(self.choose(["bool", "bool", "bool", "int32", "float32"]), 2)
        if self.chance(0.5):
            return [Stmt("if ({0}) {A}", [condition], [self.block(3, depth - 1)], features=("if",))]
        return [Stmt("if ({0}) {A} else {B}", [condition], [self.block(3, depth - 1), self.block(3, depth - 1)],
                     features=("if", "else"))]

    def loop(self, depth):
        name = self.fresh("k")
        label = self.fresh("loop") if self.chance(0.7) else ""
        prefix = f"{label}: " if label else ""
        unroll = self.chance(0.3)
        if unroll:
            prefix = f"@unroll({self.choose([1, 2, 3, 4, 8])}) {prefix}"
        trips = self.random.randint(0, 5)
        features = ["nested loop"] if self.loops else []
        kind = self.choose(["while", "for", "for in", "for in ="])
        self.loops.append((label, kind))
        self.scopes.append([(name, "int32")])
        body = self.block(3, depth - 1)
        self.scopes.pop()
        self.loops.pop()
        features = tuple(features + [kind] + (["label"] if label else []) + (["unroll"] if unroll else []))
        if kind == "while":
            return [Stmt(f"var {name}: int32 = 0;"),
                    Stmt(f"{prefix}while ({name} < {trips}) {{A}}", (), [[Stmt(f"{name} += 1;")] + body],
                         features=features)]
        if kind == "for":
            return [Stmt(f"{prefix}for (var {name}: int32 = {trips}; {name} > 0; {name} -= 1) {{A}}", (), [body],
                         features=features)]
        dots, end = ("..", trips) if kind == "for in" else ("..=", trips - 1)
        return [Stmt(f"{prefix}for {name} in 0{dots}{end} {{A}}", (), [body], features=features)]

    def jump(self, depth):
        if not self.loops:
            return self.assign(depth)
        labels = [label for label, _ in self.loops if label]
        word = self.choose(["break", "continue"])
        features = (word,)
        if labels and self.chance(0.8):
            features = (word, word + " label")
            word += " " + self.choose(labels)
        return [Stmt("if ({0}) {A}", [self.expression("bool", 2)], [[Stmt(word + ";", features=features)]])]

    def record(self, depth):
        if not self.records:
            return self.assign(depth)
        record, fields = self.choose(self.records)
        name = self.fresh("r")
        stmts = [Stmt(f"var {name}: {record};", features=("record",))]
        stmts += [Stmt(f"{name}.{field} = {{0}};", [self.expression(kind, 2)]) for field, kind in fields]
        if self.chance(0.5):
            copy = self.fresh("r")
            stmts += [Stmt(f"var {copy}: {record} = {name};", features=("record copy",))]
            field, kind = self.choose(fields)
            stmts += [Stmt(f"{copy}.{field} = {{0}};", [self.expression(kind, 2)])]
            self.bring(copy, record)
        self.bring(name, record)
        return stmts

    def bring(self, name, record):
        """Into scope: a record, whose fields are set, and they."""
        self.scopes[-1] += [(name, record)] + [(f"{name}.{field}", kind) for field, kind in dict(self.records)[record]]

    def private(self, depth):
        """A store to a private array, and a load of it."""
        if not self.arrays:
            return self.assign(depth)
        name, kind, extent = self.choose(self.arrays)
        target = self.fresh("v")
        stmts = [Stmt(f"{name}[{{0}}] = {{1}};", [self.index(extent, 2), self.expression(kind, 2)],
                      features=("private store",)),
                 Stmt(f"var {target}: {kind} = {name}[{{0}}];", [self.index(extent, 2)], features=("private load",))]
        self.scopes[-1].append((target, kind))
        return stmts

    # Atomics

    def options(self, space, orders=ORDERS):
        """The options of an atomic, as text that follows its arguments, and their features."""
        text, features = "", [f"atomic {space}"]
        if self.chance(0.8):
            order = self.choose(orders)
            text, features = f", order: {order}", features + [f"order {order}"]
        if self.chance(0.4):
            text += f", scope: {'workgroup' if space == 'workgroup' or self.chance(0.5) else 'device'}"
        if self.chance(0.2):
            text += f", space: {space}"
        return text, tuple(features)

    def update(self, depth):
        """An update that others may make at the same time; what was there before is nobody's business."""
        if not self.tallies:
            return self.assign(depth)
        name, kind = self.choose(self.tallies)
        row = self.random.randrange(len(UPDATES))
        op = self.choose(UPDATES[row])
        # Other workgroups take part in what is global.
        space = "global" if name.startswith("tally_") else "workgroup"
        text, features = self.options(space)
        if space == "global":
            text = text.replace("scope: workgroup", "scope: device")
        return [Stmt(f"atomic_fetch_{op}({name}, {row}, {{0}}{text});", [self.expression(kind, 2)],
                     features=features + (f"atomic {op}",))]

    def own(self, depth):
        """Atomics on an element that no other work-item touches: all of their results are known."""
        if not self.inKernel:
            return self.assign(depth)
        kind = self.choose(ATOMIC)
        place = f"own_{kind}, gid"
        stmts = []
        for _ in range(self.random.randint(1, 3)):
            target = self.fresh("v")
            op = self.choose(["load", "store", "exchange", "compare_exchange"] + [op for row in UPDATES for op in row])
            orders = {"load": ["relaxed", "acquire", "seq_cst"], "store": ["relaxed", "release", "seq_cst"]}
            text, features = self.options("global", orders.get(op, ORDERS))
            features += (f"atomic {op}",)
            value = self.expression(kind, 2)
            if op == "store":
                stmts.append(Stmt(f"atomic_store({place}, {{0}}{text});", [value], features=features))
                continue
            if op == "load":
                call, exprs = f"atomic_load({place}{text})", []
            elif op == "compare_exchange":
                call = f"atomic_compare_exchange({place}, {{0}}, {{1}}{text})"
                exprs = [self.choose([self.expression(kind, 1), Expr(kind, f"(({kind})0)")]), value]
            else:
                name = "exchange" if op == "exchange" else f"fetch_{op}"
                call, exprs = f"atomic_{name}({place}, {{0}}{text})", [value]
            stmts.append(Stmt(f"var {target}: {kind} = {call};", exprs, features=features))
            self.scopes[-1].append((target, kind))
        return stmts

    def count(self, _):
        """Workgroup memory that everybody updates in a block of statements; uniform, as `exchange`."""
        kind, name, target = self.choose(ATOMIC), self.fresh("count"), self.fresh("v")
        stmts = [Stmt(f"workgroup var {name}: {kind}[{TALLIES}];", features=("workgroup array",)),
                 Stmt(f"if (lane < {TALLIES}) {{A}}", (), [[Stmt(f"{name}[lane] = {{0}};", [self.expression(kind, 2)])]]),
                 Stmt("barrier();", features=("barrier",))]
        self.tallies.append((name, kind))
        self.scopes.append([])
        body = self.update(0) + [stmt for _ in range(self.random.randint(1, 3)) for stmt in self.statement(2)]
        self.scopes.pop()
        self.tallies.pop()
        stmts += [Stmt("{A}", (), [body]), Stmt("barrier();"),
                  Stmt(f"var {target}: {kind} = {name}[lane & {TALLIES - 1}];"), Stmt("barrier();")]
        self.scopes[-1].append((target, kind))
        return stmts

    # Subgroups

    def collective(self, _):
        """An operation of the subgroup; uniform, as `exchange`."""
        self.usesSubgroups = True
        target, kind = self.fresh("v"), self.choose(LANED)
        family = self.choose(["reduce", "scan", "shuffle", "broadcast", "vote", "ballot"])
        value = self.expression(kind, 3)
        order = f", order: {self.choose(['inner_tree', 'sequential'])}" if kind in FLOATS and self.chance(0.5) else ""
        exprs = [value]
        if family == "reduce":
            call = f"subgroup_reduce_{self.choose(['add', 'min', 'max'])}({{0}}{order})"
        elif family == "scan":
            call = f"subgroup_scan_{self.choose(['inclusive', 'exclusive'])}_add({{0}}{order})"
        elif family == "shuffle":
            call = f"subgroup_shuffle{self.choose(['', '_xor', '_up', '_down'])}({{0}}, {{1}} & 63)"
            exprs.append(self.expression("int32", 2))
        elif family == "broadcast":
            call = f"subgroup_broadcast({{0}}, {self.random.randrange(BLOCK)})"
        elif family == "vote":
            kind, exprs = "bool", [self.expression("bool", 2)]
            call = f"subgroup_{self.choose(['any', 'all'])}({{0}})"
        else:
            kind, exprs = "uint32", [self.expression("bool", 2), self.index(8, 2)]
            call = "subgroup_ballot({0}, {1})"
        self.scopes[-1].append((target, kind))
        return [Stmt(f"var {target}: {kind} = {call};", exprs, features=(f"subgroup {family}",))]

    def statement(self, depth):
        kinds = [lambda d: self.declare(self.choose(TYPES)), self.assign, self.assign, self.record, self.private]
        if self.inKernel and self.chance(0.5):
            kinds += [self.own, self.update] if self.tallies else [self.own]
        if depth > 0:
            kinds += [self.branch, self.loop, self.jump, self.jump] if self.loops else [self.branch, self.loop]
        return self.choose(kinds)(depth)

    def exchange(self, view):
        """Each work-item stores, all meet, each reads another's: uniform, so only at the top level."""
        kind = self.choose(NUMBERS)
        name, target, shift = self.fresh("tile"), self.fresh("v"), self.random.randrange(BLOCK)
        order = self.choose(["acq_rel", "seq_cst", "workgroup, acq_rel", "workgroup, global, seq_cst", ""])
        # What is only brought from memory may be staged by the optimizer.
        value = (Expr(kind, f"in_{kind}[(gid + {shift}) & {INPUTS - 1}]", features=("staged load",)) if self.chance(0.5)
                 else self.expression(kind, 3))
        declaration = f"workgroup var {name}: {kind}*;" if view else f"workgroup var {name}: {kind}[{BLOCK}];"
        stmts = [Stmt(declaration, features=("view" if view else "workgroup array",)),
                 Stmt(f"{name}[lane] = {{0}};", [value]),
                 Stmt(f"barrier({order});", features=("barrier",)),
                 Stmt(f"var {target}: {kind} = {name}[(lane + {shift}) & {BLOCK - 1}];"),
                 Stmt("barrier();")]  # so that nobody stores again before all have read
        self.scopes[-1].append((target, kind))
        return stmts

    def stage(self):
        """Each work-item brings numbers from an input, in one group or two, and reads another's.

        Some do so by plain stores, which no barrier tells apart."""
        kind, transaction = self.choose(NUMBERS), self.choose([4, 8, 16])
        size = BITS[kind] // 8
        count = max(transaction // size, 1) * self.choose([1, 1, 2])
        name, target = self.fresh("tile"), self.fresh("v")
        cache = self.choose(["", ", cache: all", ", cache: global"])
        source = f"(lane + {self.random.randrange(BLOCK)}) * {count} & {INPUTS - 1}"
        copy = Stmt(f"async_copy_workgroup(&{name}[lane * {count}], in_{kind} + ({source}), {count}, "
                    f"transaction: {transaction}{cache});", features=(f"transaction: {transaction}",))
        commit, features = Stmt("async_copy_commit();"), ["async copy"]
        stmts = [Stmt(f"workgroup var {name}: {kind}[{2 * BLOCK * count}];")]
        if self.chance(0.3):
            # A copy that only some make.
            counter = self.fresh("k")
            store = Stmt(f"for {counter} in 0..{count} {{A}}", (),
                         [[Stmt(f"{name}[lane * {count} + {counter}] = in_{kind}[({source}) + {counter}];")]])
            stmts.append(Stmt("if ({0}) {A} else {B}", [self.expression("bool", 2)], [[copy], [store]],
                              features=("async copy of some",)))
        else:
            stmts.append(copy)
        stmts.append(commit)
        second = self.chance(0.5)
        if second:
            features.append("two async groups")
            stmts += [Stmt(f"async_copy_workgroup({name} + (BLOCK + lane) * {count}, in_{kind} + lane * {count} "
                           f"% {INPUTS}, {count}, transaction: {transaction});".replace("BLOCK", str(BLOCK))),
                      commit, Stmt("async_copy_wait(1);")]
            own = self.fresh("v")
            stmts.append(Stmt(f"var {own}: {kind} = {name}[lane * {count} + {self.random.randrange(count)}];"))
            self.scopes[-1].append((own, kind))
            if self.chance(0.5):
                stmts += self.declare(self.choose(TYPES))
        other = f"(lane + {self.random.randrange(BLOCK)} & {BLOCK - 1})" + (f" + {BLOCK}" if second else "")
        stmts += [Stmt("async_copy_wait(0);", features=tuple(features)), Stmt("barrier(workgroup, acq_rel);"),
                  Stmt(f"var {target}: {kind} = {name}[({other}) * {count} + {self.random.randrange(count)}];"),
                  Stmt("barrier();")]
        self.scopes[-1].append((target, kind))
        return stmts

    # Whole programs

    def helper(self):
        name, result = self.fresh("helper"), self.choose(NUMBERS)
        kinds = TYPES + [record for record, _ in self.records] * 3
        parameters = [(self.fresh("p"), self.choose(kinds)) for _ in range(self.random.randint(1, 4))]
        self.scopes = [[(parameter, kind) for parameter, kind in parameters if kind in TYPES]]
        for parameter, kind in parameters:
            if kind not in TYPES:
                self.bring(parameter, kind)
        body = []
        for _ in range(self.random.randint(0, 2)):
            body += self.statement(1)
        if self.chance(0.4):
            body.append(Stmt("if ({0}) {A}", [self.expression("bool", 2)],
                             [[Stmt("return {0};", [self.expression(result, 2)], features=("early return",))]]))
        body.append(Stmt("return {0};", [self.expression(result, 3)]))
        signature = ", ".join(f"{parameter}: {kind}" for parameter, kind in parameters)
        self.helpers.append((name, [kind for _, kind in parameters], result))
        return f"fn {name}({signature}) -> {result}", body, ("helper",)

    def program(self):
        preamble = []
        for _ in range(self.random.randint(0, 2)):
            name = self.fresh("Record")
            fields = [(self.fresh("f"), self.choose(TYPES)) for _ in range(self.random.randint(1, 4))]
            self.records.append((name, fields))
            preamble.append(f"struct {name} {{ " + " ".join(f"{field}: {kind};" for field, kind in fields) + " }\n")
        # The kernel's: every work-item has it.
        self.records.append(("Pack", PACK))
        preamble.append("struct Pack { " + " ".join(f"{field}: {kind};" for field, kind in PACK) + " }\n")
        functions = [self.helper() for _ in range(self.random.randint(0, 3))]

        self.inKernel = True
        self.scopes = [[("gid", "int32"), ("lane", "int32"), ("s", "float32"), ("t", "int64")]]
        self.bring("pack", "Pack")
        body = [Stmt("var lane: int32 = thread.x;"), Stmt(f"var gid: int32 = block.x * block_dim.x + lane;")]
        for _ in range(self.random.randint(0, 2)):
            kind, name, counter = self.choose(NUMBERS), self.fresh("a"), self.fresh("k")
            body += [Stmt(f"private var {name}: {kind}[8];", features=("private array",)),
                     Stmt(f"for {counter} in 0..8 {{A}}", (), [[Stmt(f"{name}[{counter}] = ({kind}){counter};")]])]
            self.arrays.append((name, kind, 8))
        if self.chance(0.7):
            self.tallies = [(f"tally_{kind}", kind) for kind in ATOMIC]
        together = [lambda d: self.exchange(self.chance(0.3)), self.count]
        # The optimizer stages nothing in a kernel with copies of its own.
        if self.chance(0.6):
            together += [lambda d: self.stage()]
        if self.chance(0.7):
            together += [self.collective, self.collective]
        for _ in range(self.random.randint(5, 16)):
            body += self.choose(together)(0) if self.chance(0.35) else self.statement(3)
        for kind in self.random.sample(STORED, 4):
            slot = self.random.randrange(SLOTS)
            value = "float32" if kind == "float16" else kind
            body.append(Stmt(f"out_{kind}[gid * {SLOTS} + {slot}] = {{0}};", [self.expression(value, 4)],
                             features=("store " + kind, kind)))
        pointers = ", ".join([f"{way}_{kind}: {kind}*" for way in ("in", "out") for kind in STORED] +
                             [f"{way}_{kind}: {kind}*" for way in ("own", "tally") for kind in ATOMIC])
        options = f"(subgroup = {BLOCK})" if self.usesSubgroups else ""
        functions.append((f"kernel{options} test({pointers}, s: float32, pack: Pack, t: int64)", body, ()))
        return Program("".join(preamble), functions)


def generate(seed):
    return Generator(seed).program()


def arguments(seed):
    """`--arg` texts for the kernel: inputs by the seed, outputs zero."""
    choice = random.Random(seed)
    names = {"float16": "f16", "float32": "f32", "float64": "f64"}
    texts = []
    for kind in STORED:
        name = names.get(kind, kind[0] + str(BITS[kind]) if kind not in names else "")
        fill = choice.choice(["rand", "special", "nan"]) if kind in names else "rand"
        texts.append(f"{name}[{INPUTS}]={fill}:{choice.randrange(1000)}")
    for kind in STORED:
        name = names.get(kind, kind[0] + str(BITS[kind]) if kind not in names else "")
        texts.append(f"{name}[{ITEMS * SLOTS}]=zeros")
    for count in (ITEMS, TALLIES):
        texts += [f"{kind[0]}{BITS[kind]}[{count}]=rand:{choice.randrange(1000)}" for kind in ATOMIC]
    return texts + ["1.75", "{0.375, -77, true, 200, -1e300}", "-5"]
