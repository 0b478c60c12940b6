#!/usr/bin/env python3
"""Measures what one large file of another program takes, on its way out and back.

    originals.py BINARY [MEBIBYTES]

The file is taken (create --from file:), restored into a data directory, put
back, and taken again from the data directory. For each: the most memory that
the program had, and how long it took. The last column is that memory without
one key derivation, which has 64 MiB here; the last run has two of them. It fails where that is over 128 MiB,
or where what came back is not the file.
"""

import filecmp
import os
import shutil
import sys
import tempfile
import time

DERIVATION_MIB = 64
LIMIT_MIB = 128


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


def main():
    binary = os.path.abspath(sys.argv[1])
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    root = tempfile.mkdtemp(prefix="originals-")
    try:
        place = lambda name: os.path.join(root, name)
        for name in ("home/.bitcoin", "new-home", "target", "again"):
            os.makedirs(place(name), 0o700)
        wallet = place("home/.bitcoin/wallet.dat")
        with open(wallet, "wb") as file:
            for _ in range(size):
                file.write(os.urandom(1 << 20))
        secrets = []
        for name, option in (("archive", "--passphrase-from"), ("keychain", "--keychain-passphrase-from")):
            with open(place(name), "w") as file:
                file.write(f"what opens the {name}, and nothing else does")
            os.chmod(place(name), 0o600)
            secrets += [option, "file:" + place(name)]
        quick = ["--kdf-memory", str(DERIVATION_MIB), "--kdf-passes", "2"]
        environment = {"HOME": place("home"), "FUEKI_STATE": place("state"), "FUEKI_DATADIR": place("data"), "PATH": "/usr/bin:/bin"}
        there = {**environment, "HOME": place("new-home")}
        print(f"one file of {size} MiB\n{'':<28} {'memory':>10} {'time':>10} {'beside':>10}")
        peaks = [
            run("create --from file:", binary, ["create", "--from", "file:" + wallet, "--target", place("target"), "--accept=synced-keys", *secrets[:2], *quick], environment),
            run("restore", binary, ["restore", "latest", "--target", place("target"), "--no-resync", "--files", "none", *secrets, *quick], there),
            run("put-back", binary, ["put-back", "--target", place("target"), *secrets[:2]], there),
            run("create", binary, ["create", "--target", place("again"), "--include-private-keys", "--accept=synced-keys", *secrets, *quick], there),
        ]
        if not filecmp.cmp(wallet, place("new-home/.bitcoin/wallet.dat"), shallow=False):
            sys.exit("what came back is not the file")
        if max(peaks) > LIMIT_MIB:
            sys.exit(f"more than {LIMIT_MIB} MiB beside the derivation")
    finally:
        shutil.rmtree(root)


main()
