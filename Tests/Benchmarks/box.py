#!/usr/bin/env python3
"""What the box costs in which create reads the wallets of other programs.

    box.py BINARY [--rows N] [--runs N]

Compares the processor time of runs with and without --no-sandbox, in turn: of a wallet of one key, and of a store of N
transactions with the same wallet next to it. It fails over 15 ms for the first and over 3 % for the second.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

MOST_MILLISECONDS = 15
MOST_PER_CENT = 3
KEYSTORE = """{"version":3,"id":"a","address":"%s","crypto":{"cipher":"aes-128-ctr",
"cipherparams":{"iv":"%s"},"ciphertext":"%s","kdf":"scrypt",
"kdfparams":{"n":1024,"r":8,"p":1,"dklen":32,"salt":"%s"},"mac":"%s"}}"""


def processor_seconds(command, environment):
    """Runs a command; returns what it and its children used."""
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: {process.returncode}\n{errors.decode()}")
    return usage.ru_utime + usage.ru_stime


def compared(command, environment, runs):
    """Returns the medians with and without the box, and that of the differences, run by run."""
    boxed, open_ = [], []
    for _ in range(runs):
        boxed.append(processor_seconds(command, environment))
        open_.append(processor_seconds([*command, "--no-sandbox"], environment))
    difference = statistics.median(one - other for one, other in zip(boxed, open_, strict=True))
    return statistics.median(boxed), statistics.median(open_), difference


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
        environment = {"HOME": folder, "PATH": "/usr/bin:/bin", "TMPDIR": folder}
        for name in ("keys", "target"):
            os.mkdir(f"{folder}/{name}")
        with open(f"{folder}/keys/UTC--one", "w", encoding="ascii") as file:
            file.write(KEYSTORE % ("0" * 40, "0" * 32, "0" * 64, "0" * 64, "0" * 64))
        for name, text in (("pass", "gentle anvil pumice orbit lantern quarry 77"), ("key", os.urandom(32).hex())):
            with open(os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
                file.write(text)
        create = [
            binary, "create", "--target", f"{folder}/target", "--accept=synced-keys", "-q",
            "--from", f"keystore:{folder}/keys", "-p", f"{folder}/pass"]
        boxed, open_, difference = compared([*create, "--dry-run"], environment, options.runs)
        print(f"a wallet of one key: {boxed * 1e3:.1f} ms in the box, {open_ * 1e3:.1f} ms without: "
              f"{difference * 1e3:+.1f} ms")
        fails = difference * 1e3 > MOST_MILLISECONDS
        processor_seconds(
            [binary, "demo", "--keep", f"{folder}/demo", "--transactions", str(options.rows)], environment)
        environment["FUEKI_DATADIR"] = f"{folder}/demo/old-machine/data/fueki"
        boxed, open_, difference = compared(
            [*create, "--from", "store", "--exclude", "secrets", "--full", "--kdf-memory", "64", "--kdf-passes", "2"],
            environment, max(3, options.runs // 3))
        share = 100 * difference / open_
        print(f"{options.rows} transactions and that wallet: {boxed:.2f} s in the box, {open_:.2f} s without: "
              f"{share:+.1f} %")
        sys.exit(1 if fails or share > MOST_PER_CENT else 0)


if __name__ == "__main__":
    main()
