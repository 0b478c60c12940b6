"""Running commands, with the time and the memory that each took."""

import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field


@dataclass
class Sample:
    """One run of one command."""

    seconds: float
    processor_seconds: float
    peak_bytes: int
    output: bytes


@dataclass
class Contender:
    """A way to do a task: what is made ready before each run, and the command that is timed."""

    name: str
    command: list
    prepare: callable = None
    after: callable = None
    samples: list = field(default_factory=list)

    @property
    def seconds(self):
        return statistics.median(sample.seconds for sample in self.samples)

    @property
    def processor_seconds(self):
        return statistics.median(sample.processor_seconds for sample in self.samples)

    @property
    def peak_bytes(self):
        return max(sample.peak_bytes for sample in self.samples)

    def ratio(self, other):
        """How many times the other's time this one took: the median of what each round says."""
        pairs = zip(self.samples, other.samples, strict=True)
        return statistics.median(mine.seconds / its.seconds for mine, its in pairs)

    def processor_ratio(self, other):
        return self.processor_seconds / max(other.processor_seconds, 1e-9)


class CommandFailed(Exception):
    pass


def measured(command, environment):
    """Runs a command to its end; it must succeed."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.stdout.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise CommandFailed(f"{command} ended with {process.returncode}:\n{output.decode(errors='replace')}")
    return Sample(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10, output)


def race(title, contenders, runs, environment):
    """Runs every contender in turn, `runs` times and once before that counts for nothing."""
    for number in range(runs + 1):
        for contender in contenders:
            print(f"{title}, run {number} of {runs}: {contender.name}", file=sys.stderr, flush=True)
            if contender.prepare:
                contender.prepare()
            # What an earlier command left to be written must not be paid for by the next one.
            os.sync()
            sample = measured(contender.command, environment)
            if number > 0:
                contender.samples.append(sample)
            if contender.after:
                contender.after()
    return {contender.name: contender for contender in contenders}


def free_port():
    """A port of the loopback device that nothing uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def emptied(folder):
    """Makes a folder that is there and empty."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder, mode=0o700)


def size(path):
    """The bytes of a file, or of all files below a folder."""
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(path) for name in names)
