"""Times commands against each other, and says how a time grows with size.

Whole processes, alternating between the contestants so that a slow moment of the machine hits
each of them; the median of each, and their ratio. The clock is the wall's, or the processor time
of a process and its children, which a busy machine disturbs less.
"""

import dataclasses
import math
import os
import statistics
import subprocess
import time


class BenchmarkError(Exception):
    """One line that says why nothing could be measured."""


@dataclasses.dataclass
class Result:
    """A line of the table. `ratio` is the peer's time over ours, or what `what` says it is."""

    what: str
    ours: str
    peer: str
    theirs: str
    ratio: float
    # What the ratio must reach ("at least 80") or not exceed ("at most 1.1"); nothing without a target.
    bound: str = ""
    target: float = None

    @property
    def met(self) -> bool:
        if self.target is None:
            return True
        return self.ratio >= self.target if self.bound == "at least" else self.ratio <= self.target


def seconds_of(command: list, clock: str = "wall") -> float:
    """The time of one process by `clock` (wall or cpu); its output is discarded and it must succeed."""
    devnull = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=devnull)
    _, status, usage = os.wait4(child, 0)
    elapsed = time.perf_counter() - start
    if clock == "cpu":
        elapsed = usage.ru_utime + usage.ru_stime
    if status:
        said = subprocess.run(command, capture_output=True, text=True, check=False)
        reason = (said.stderr or said.stdout).strip().splitlines()
        raise BenchmarkError(f"{' '.join(command)} failed: {reason[0] if reason else 'no message'}")
    return elapsed


def paired_medians(commands: list, runs: int, clock: str = "wall") -> list:
    """The median time of each command over `runs` alternating runs, after one that warms the caches."""
    times = [[] for _ in commands]
    for run in range(runs + 1):
        for index, command in enumerate(commands):
            elapsed = seconds_of(command, clock)
            if run:
                times[index].append(elapsed)
    return [statistics.median(one) for one in times]


def growth_exponent(points: list) -> float:
    """The slope of log(time) over log(size), by least squares."""
    xs = [math.log(size) for size, _ in points]
    ys = [math.log(seconds) for _, seconds in points]
    mean_x, mean_y = statistics.fmean(xs), statistics.fmean(ys)
    return (sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) /
            sum((x - mean_x) ** 2 for x in xs))


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms"
