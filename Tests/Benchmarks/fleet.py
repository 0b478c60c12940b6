#!/usr/bin/env python3
"""Measures what status takes for a folder with the archives of many vaults.

    fleet.py BINARY [VAULTS] [--keep FOLDER]

Each vault has one small archive, which the program itself makes and signs,
in one folder. Then a machine that knows none of the vaults runs list, status,
and status with a list of all vaults. For each: time, processor time and the
largest resident set. It fails over 60 s or 64 MiB, which are meant for 2,000
vaults. A kept folder is used again if it has the archives.
"""

import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

from measuring import measured

LIMIT_SECONDS = 60
LIMIT_MIB = 64


def environment(root, name):
    return {"PATH": os.environ["PATH"], "HOME": f"{root}/home", "FUEKI_STATE": f"{root}/state-{name}"}


def make(binary, root, number):
    """Makes one vault's archive, with a state of its own, so that each has its own signer."""
    config = f"{root}/config-{number}.toml"
    with open(config, "w") as file:
        file.write(
            f'[[target]]\npath = "{root}/bucket"\nkind = "local"\n[[vault]]\nid = "{number:032x}"\n'
            f'label = "vault{number}"\nfrom = ["file:{root}/source"]\n'
        )
    command = [
        binary, "create", "--config", config, "--recipients-file", f"{root}/reader.pub", "--include-private-keys", "-q",
    ]
    result = subprocess.run(command, env=environment(root, number), capture_output=True, text=True)
    # 3 means that an archive was made, and that something about it is incomplete.
    if result.returncode not in (0, 3):
        sys.exit(f"vault {number}: {result.returncode}\n{result.stderr}")
    shutil.rmtree(f"{root}/state-{number}")
    os.unlink(config)


def prepare(binary, root, count):
    for name in ("home", "bucket", "source"):
        os.makedirs(f"{root}/{name}", mode=0o700, exist_ok=True)
    with open(f"{root}/source/notes.txt", "w") as file:
        file.write("a few bytes\n")
    if not os.path.exists(f"{root}/reader.txt"):
        command = [binary, "key", "new-identity", "--output", f"{root}/reader.txt"]
        subprocess.run(command, env=environment(root, "reader"), check=True, capture_output=True)
        os.rename(f"{root}/reader.txt.pub", f"{root}/reader.pub")
    made = {int(name[len("vault"):].split("-")[0]) for name in os.listdir(f"{root}/bucket") if name.endswith(".fueki")}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda number: make(binary, root, number), [n for n in range(1, count + 1) if n not in made]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("vaults", type=int, nargs="?", default=2000)
    parser.add_argument("--keep", metavar="FOLDER")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    root = os.path.abspath(options.keep) if options.keep else tempfile.mkdtemp(prefix="fleet-")
    try:
        prepare(binary, root, options.vaults)
        watcher = environment(root, "watcher")
        target = ["--target", f"{root}/bucket"]
        expected = f"{root}/expected.toml"
        if os.path.exists(expected):
            os.unlink(expected)
        runs = [
            ("list", ["list", f"{root}/bucket", "--json"]),
            ("status", ["status", *target, "--json"]),
            ("status --write-expected", ["status", *target, "--json", "--write-expected", expected]),
            ("status --expected", ["status", *target, "--json", "--expected", expected, "--problems-only"]),
        ]
        load = os.getloadavg()[0]
        print(f"{options.vaults} vaults, {len(os.listdir(f'{root}/bucket'))} files, load {load:.1f}")
        print("| command | seconds | processor | memory |\n|---|---|---|---|")
        fails = False
        for name, arguments in runs:
            sample = measured([binary, *arguments], watcher)
            mebibytes = sample.peak_bytes / (1 << 20)
            fails |= sample.seconds > LIMIT_SECONDS or mebibytes > LIMIT_MIB
            print(f"| {name} | {sample.seconds:.1f} s | {sample.processor_seconds:.1f} s | {mebibytes:.0f} MiB |", flush=True)
        sys.exit(1 if fails else 0)
    finally:
        if not options.keep:
            shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
