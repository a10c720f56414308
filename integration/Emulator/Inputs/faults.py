"""Faults planted in kernels, one each, with the place where a sanitizer must find it.

Every planter takes a kernel and yields plants: the text with one line changed, the kind of the fault and
the lines at one of which it must be reported. Lines keep their numbers. `plants(text, kind)` lists those of a kind.
"""

import dataclasses
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Checker" / "Inputs"))
from ptx_lines import KernelText  # noqa: E402

PLANTERS = {}
ADDRESS = re.compile(r"\[\s*([%\w]+)\s*(?:\+\s*(-?\d+)\s*)?\]")
BITS = {"%r": "b32", "%rd": "b64", "%rs": "b16", "%f": "f32", "%fd": "f64"}


@dataclasses.dataclass
class Plant:
    kind: str
    what: str
    text: str
    #: Line numbers, from 1, at one of which the fault is.
    lines: list
    #: Whether it is a fault in a launch is told by this text: it is one if this returns other words there. A barrier
    #: or an operand may be superfluous. None: it always is one where its line is reached.
    probe: str = None

    def kinds(self):
        """What the fault may be called: threads that never come to a barrier are also a divergence, and what is
        read too early has no value yet."""
        also = {"deadlock": {"barrier divergence"}, "race": {"uninitialised memory"}}
        return {self.kind} | also.get(self.kind, set())


def planter(kind):
    def register(function):
        PLANTERS.setdefault(kind, []).append(function)
        return function
    return register


def size_of(statement):
    """Bytes of one element of a load or store, 0 where they are not told by its type."""
    bits = re.sub(r"\D", "", statement.modifiers[-1]) or "0"
    return int(bits) // 8


def moved(statement, distance):
    """The statement with its memory operand so many bytes further on."""
    operands = list(statement.operands)
    for i, operand in enumerate(operands):
        if match := ADDRESS.fullmatch(operand):
            operands[i] = f"[{match[1]}+{int(match[2] or 0) + distance}]"
            return statement.but(operands=operands)
    return None


def accesses(kernel, space):
    return [s for s in kernel.statements if s.opcode in ("ld", "st") and space in s.modifiers]


def touches_shared(statement):
    return (statement.opcode in ("ldmatrix", "stmatrix", "wgmma") or
            (statement.opcode in ("ld", "st", "atom", "red", "cp") and "shared" in statement.mnemonic))


def between_barriers(kernel, barrier):
    """Lines from 1 on that threads may be at, without a barrier, before or after this one. None if a branch leaves the
    part of the text that was read."""
    if any(s.opcode == "bra" and s.operands[-1] not in kernel.labels for s in kernel.statements):
        return []
    at_line = {s.line: s for s in kernel.statements}
    following = {}
    for s in kernel.statements:
        following[s.line] = [] if s.opcode in ("ret", "exit") and not s.guard else [s.line + 1]
        if s.opcode == "bra":
            following[s.line] = [kernel.labels[s.operands[-1]]] + ([s.line + 1] if s.guard else [])
    preceding = {}
    for line in kernel.body:
        for after in following.get(line, [line + 1]):
            preceding.setdefault(after, []).append(line)
    seen = set()
    for steps in (lambda line: following.get(line, [line + 1]), lambda line: preceding.get(line, [])):
        waiting = list(steps(barrier.line))
        while waiting:
            line = waiting.pop()
            if line in seen or line not in kernel.body or (line in at_line and at_line[line].opcode == "bar"):
                continue
            seen.add(line)
            waiting += steps(line)
    return [line + 1 for line in sorted(seen) if line in at_line and touches_shared(at_line[line])]


def shared_readers(kernel):
    return [s.line + 1 for s in kernel.statements
            if s.opcode in ("ld", "ldmatrix", "wgmma", "atom") and
            ("shared" in s.modifiers or s.opcode in ("ldmatrix", "wgmma"))]


def replace(kernel, statement, text):
    return kernel.with_lines({statement.line: text})


@planter("out of bounds")
def beyond_an_array(kernel):
    for s in accesses(kernel, "global"):
        if changed := moved(s, 1 << 30):
            yield Plant("", "global access 2^30 bytes further", replace(kernel, s, changed.text()), [s.line + 1])


@planter("out of bounds")
def beyond_shared_memory(kernel):
    for s in accesses(kernel, "shared"):
        if changed := moved(s, 1 << 20):
            yield Plant("", "shared access 2^20 bytes further", replace(kernel, s, changed.text()), [s.line + 1])


@planter("misaligned")
def one_byte_on(kernel):
    for s in accesses(kernel, "global") + accesses(kernel, "shared"):
        if size_of(s) > 1 and (changed := moved(s, 1)):
            yield Plant("", "access one byte further", replace(kernel, s, changed.text()), [s.line + 1])


@planter("uninitialised register")
def unset_operand(kernel):
    for s in kernel.statements:
        if s.guard or s.opcode not in ("add", "mul", "fma", "mad", "xor", "or", "max", "sub"):
            continue
        for i, operand in enumerate(s.operands[1:], 1):
            prefix = re.fullmatch(r"(%[a-z]+)\d+", operand)
            if prefix and prefix[1] in BITS:
                operands = s.operands[:i] + ["%unset"] + s.operands[i + 1:]
                bits = BITS[prefix[1]]
                texts = [f"\t{{ .reg .{bits} %unset; {word}{s.but(indent='', operands=operands).text()} }}"
                         for word in ("", f"mov.b{bits[1:]} %unset, 0x{'5a' * (int(bits[1:]) // 8)}; ")]
                yield Plant("", f"operand {operand} unset", replace(kernel, s, texts[0]), [s.line + 1],
                            probe=replace(kernel, s, texts[1]))


@planter("uninitialised memory")
def store_removed(kernel):
    """The first store of the kernel: what later ones leave out may have been written before."""
    for s in kernel.statements:
        if s.mnemonic.startswith("cp.async"):
            return
        if s.opcode == "st" and "shared" in s.modifiers:
            readers = [line for line in shared_readers(kernel) if line > s.line]
            if readers:
                text = replace(kernel, s, "")
                yield Plant("", "first store to shared memory removed", text, readers, probe=text)
            return


@planter("race")
def barrier_removed(kernel):
    for s in kernel.statements:
        if s.opcode == "bar" and kernel.lines[s.line].split()[0].startswith("bar"):
            text, touching = replace(kernel, s, ""), between_barriers(kernel, s)
            if touching:
                yield Plant("", "barrier removed", text, touching, probe=text)


@planter("race")
def all_threads_store(kernel):
    """Every thread stores its number where one stored a result."""
    for s in accesses(kernel, "global"):
        match = ADDRESS.fullmatch(s.operands[0]) if s.opcode == "st" else None
        if match and "v2" not in s.modifiers and "v4" not in s.modifiers:
            parameter = next((line for line in kernel.lines if re.search(r"ld\.param\.[bu]64", line)), None)
            if parameter:
                base = parameter.split()[1].rstrip(",")
                text = (f"\t{{ .reg .b32 %lane; .reg .b64 %base; mov.u32 %lane, %tid.x; "
                        f"ld.param.b64 %base, {parameter.split(',')[1].strip().rstrip(';')}; "
                        f"st.global.b32 [%base], %lane; }}")
                several = (f"\t{{ .reg .pred %several; .reg .b32 %lanes; activemask.b32 %lanes; popc.b32 %lanes, %lanes; "
                           f"setp.gt.u32 %several, %lanes, 1; @%several trap; }} {s.but(indent='').text()}")
                yield Plant("", f"all threads store at {base}", replace(kernel, s, text), [s.line + 1],
                            probe=replace(kernel, s, several))


def until_next(kernel, wait):
    """Lines from 1 on at which shared memory may be touched after a wait and before another one."""
    if any(s.opcode == "bra" and s.operands[-1] not in kernel.labels for s in kernel.statements):
        return []
    at_line = {s.line: s for s in kernel.statements}
    seen, waiting = set(), [wait.line + 1]
    while waiting:
        line = waiting.pop()
        s = at_line.get(line)
        if line in seen or line not in kernel.body or (s and s.mnemonic.startswith("cp.async.wait")):
            continue
        seen.add(line)
        if not s or s.guard or s.opcode not in ("ret", "exit", "bra"):
            waiting.append(line + 1)
        if s and s.opcode == "bra":
            waiting.append(kernel.labels[s.operands[-1]])
    return [line + 1 for line in sorted(seen) if line in at_line and touches_shared(at_line[line])]


@planter("missing wait")
def wait_removed(kernel):
    """The first wait that groups of copies have been committed for: later ones may be superfluous."""
    committed = 0
    for s in kernel.statements:
        committed += s.mnemonic == "cp.async.commit_group"
        if s.mnemonic == "cp.async.wait_group" and committed > int(s.operands[0]):
            readers = [line for line in until_next(kernel, s) if line in shared_readers(kernel)]
            if readers:
                touching = readers[:1] + until_next(kernel, s)
                yield Plant("", "wait removed", replace(kernel, s, ""), touching)
                weaker = s.but(operands=[str(committed)])
                yield Plant("", "wait for a group less", replace(kernel, s, weaker.text()), touching)
            return


@planter("missing wait")
def phase_not_awaited(kernel):
    """The first loop that waits for an mbarrier. The body of the kernel is read as lines: see KernelText."""
    lines = kernel.lines
    at = next((i for i, line in enumerate(lines) if line.strip().startswith("mbarrier.try_wait")), None)
    if at is None or not re.match(r"\s*@!\w+ bra", lines[at + 1]) or not any("cp.async.bulk" in line for line in lines[:at]):
        return
    readers = []
    for i in range(at + 2, len(lines)):
        if lines[i].strip().startswith("mbarrier.try_wait"):
            break
        if re.match(r"\s*(wgmma\.mma_async|ldmatrix|ld\.shared)", lines[i]):
            readers.append(i + 1)
    if readers:
        yield Plant("", "wait for a phase removed", kernel.with_lines({at: "", at + 1: ""}), readers)


@planter("barrier divergence")
def half_at_the_barrier(kernel):
    for s in kernel.statements:
        if s.opcode == "bar" and not s.guard and "warp" not in s.modifiers:
            text = (f"\t{{ .reg .pred %half; .reg .b32 %lane; mov.u32 %lane, %tid.x; setp.lt.u32 %half, %lane, 16; "
                    f"@%half {s.but(indent='').text()} }}")
            yield Plant("", "half a warp at the barrier", replace(kernel, s, text), [s.line + 1])


@planter("deadlock")
def barrier_for_more(kernel):
    for s in kernel.statements:
        if s.opcode == "bar" and not s.guard and len(s.operands) == 1:
            text = "\t{ .reg .b32 %more; mov.u32 %more, %ntid.x; add.u32 %more, %more, 32; bar.sync 7, %more; }"
            yield Plant("", "barrier for a warp more", replace(kernel, s, text), [s.line + 1])


@planter("missing fence")
def fence_removed(kernel):
    """A fence that ordinary stores need: what cp.async or the async proxy itself wrote needs none here."""
    stores = []
    for s in kernel.statements:
        if s.opcode == "stmatrix" or (s.opcode == "st" and "shared" in s.modifiers and not s.guard):
            stores.append(s)
        if s.mnemonic.startswith("fence.proxy.async"):
            readers = [t.line + 1 for t in kernel.statements if t.line > s.line and
                       t.mnemonic.startswith(("cp.async.bulk", "wgmma.mma_async", "cp.reduce.async.bulk"))]
            if stores and readers:
                yield Plant("", "fence removed", replace(kernel, s, ""), readers)
            stores = []


def plants(text, kind):
    kernel = KernelText(text)
    return [dataclasses.replace(plant, kind=kind) for function in PLANTERS[kind] for plant in function(kernel)]
