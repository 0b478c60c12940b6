"""What the box of readers costs: `create --dry-run` of one small wallet with it and without it.

    Tests/Benchmarks/box.py BINARY [--runs N] [--limit MILLISECONDS]

It fails if the median of the difference, run by run, is over the limit, 15 ms, which is meant for a release build.
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time
import subprocess

KEYSTORE = """{"version":3,"id":"a","address":"%s","crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"%s"},
"ciphertext":"%s","kdf":"scrypt","kdfparams":{"n":1024,"r":8,"p":1,"dklen":32,"salt":"%s"},"mac":"%s"}}""" % (
    "00" * 20, "00" * 16, "00" * 32, "00" * 32, "00" * 32)


def seconds(command, environment):
    start = time.monotonic()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--limit", type=float, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ["home", "keys", "target"]:
            (root / name).mkdir(mode=0o700)
        (root / "keys" / "UTC--one").write_text(KEYSTORE)
        environment = dict(os.environ, HOME=str(root / "home"), FUEKI_STATE=str(root / "state"))
        command = [options.binary, "create", "--dry-run", "--target", str(root / "target"), "--from",
                   f"keystore:{root / 'keys'}"]
        pairs = [(seconds(command, environment), seconds(command + ["--no-sandbox"], environment))
                 for _ in range(options.runs)]
    boxed, plain = (statistics.median(side) * 1000 for side in zip(*pairs))
    cost = statistics.median(a - b for a, b in pairs) * 1000
    print(f"in a box {boxed:.1f} ms, without {plain:.1f} ms, the box {cost:.1f} ms (limit {options.limit:g} ms)")
    sys.exit(cost > options.limit)


main()
