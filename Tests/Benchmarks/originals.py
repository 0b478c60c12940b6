#!/usr/bin/env python3
"""Measures what files of other programs take, on their way out and back.

    originals.py BINARY [MEBIBYTES]
    originals.py BINARY --files NUMBER...

One large file, or so many secret files of 500 bytes, are taken (create --from
file:), drilled, restored into a data directory, put back, exported, and taken
again from the data directory. For each: the most memory that the program had,
and how long it took. The last column is that memory without one key
derivation, which has 64 MiB here; the last run has two of them. It fails where
that is over 128 MiB, or over 1 GiB for many files, or where what came back is
not what was taken.
"""

import filecmp
import os
import shutil
import sys
import tempfile
import time

DERIVATION_MIB = 64
LIMIT_MIB = 128
MANY_LIMIT_MIB = 1024


def run(name, binary, arguments, environment):
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        with open(os.devnull, "w") as null:
            os.dup2(null.fileno(), 1)
            os.dup2(null.fileno(), 2)
        os.execve(binary, [binary, *arguments], environment)
    _, status, usage = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, 3):
        sys.exit(f"{name}: exit status {code}")
    peak = usage.ru_maxrss >> 10
    print(f"{name:<28} {peak:>6} MiB {time.monotonic() - begun:>8.1f} s {max(0, peak - DERIVATION_MIB):>6} MiB", flush=True)
    return peak - DERIVATION_MIB


def write_large(folder, mebibytes):
    with open(os.path.join(folder, "wallet.dat"), "wb") as file:
        for _ in range(mebibytes):
            file.write(os.urandom(1 << 20))


def write_many(folder, count):
    for number in range(count):
        inner = os.path.join(folder, str(number // 500))
        if number % 500 == 0:
            os.makedirs(inner)
        with open(os.path.join(inner, f"{number}.gpg"), "wb") as file:
            file.write(os.urandom(500))


def is_same(one, other):
    for folder, _, names in os.walk(one):
        there = os.path.join(other, os.path.relpath(folder, one))
        if filecmp.cmpfiles(folder, there, names, shallow=False)[1:] != ([], []):
            return False
    return True


def measure(binary, title, limit, write):
    root = tempfile.mkdtemp(prefix="originals-")
    try:
        place = lambda name: os.path.join(root, name)
        for name in ("home/.bitcoin", "new-home", "target", "again"):
            os.makedirs(place(name), 0o700)
        wallets = place("home/.bitcoin")
        write(wallets)
        secrets = []
        for name, option in (("archive", "--passphrase-from"), ("keychain", "--keychain-passphrase-from")):
            with open(place(name), "w") as file:
                file.write(f"what opens the {name}, and nothing else does")
            os.chmod(place(name), 0o600)
            secrets += [option, "file:" + place(name)]
        quick = ["--kdf-memory", str(DERIVATION_MIB), "--kdf-passes", "2"]
        environment = {"HOME": place("home"), "FUEKI_STATE": place("state"), "FUEKI_DATADIR": place("data"), "PATH": "/usr/bin:/bin"}
        there = {**environment, "HOME": place("new-home")}
        print(f"{title}\n{'':<28} {'memory':>10} {'time':>10} {'beside':>10}")
        source = ["--target", place("target")]
        peaks = [
            run("create --from file:", binary, ["create", "--from", "file:" + wallets, *source, "--accept=synced-keys", *secrets[:2], *quick], environment),
            run("drill", binary, ["drill", *source, *secrets[:2]], environment),
            run("restore", binary, ["restore", "latest", *source, "--no-resync", "--files", "none", *secrets, *quick], there),
            run("put-back", binary, ["put-back", "--files", place("back"), *source, *secrets[:2]], there),
            run("export", binary, ["export", "latest", *source, "--format", "native", "--include-secrets", "--output", place("exported"), *secrets[:2]], there),
            run("create", binary, ["create", "--target", place("again"), "--include-private-keys", "--accept=synced-keys", *secrets, *quick], there),
        ]
        if not is_same(wallets, place("back/.bitcoin")):
            sys.exit("what came back is not what was taken")
        if max(peaks) > limit:
            sys.exit(f"more than {limit} MiB beside the derivation")
    finally:
        shutil.rmtree(root)


def main():
    binary = os.path.abspath(sys.argv[1])
    if sys.argv[2:3] == ["--files"]:
        for count in map(int, sys.argv[3:]):
            measure(binary, f"{count} files of 500 bytes", MANY_LIMIT_MIB, lambda folder: write_many(folder, count))
    else:
        size = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
        measure(binary, f"one file of {size} MiB", LIMIT_MIB, lambda folder: write_large(folder, size))


main()
