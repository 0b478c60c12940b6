"""One per cent new: what `create --differential` writes, beside what `create --full` does.

    differential.py BINARY [--rows 1000000] [--runs 3] [--work DIR]

Reach: 2.5 MB written, half the time of a full create, 200 MiB of memory beside the derivation. The archives are sealed to a
recipient, so that nothing is derived; the sample's keychain is left out.
"""

import argparse
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys

from measuring import measured

MOST_BYTES = 2_500_000
MOST_TIME = 0.5
MOST_MEMORY = 200 << 20


def add_transactions(path, count):
    """New transactions with their receipts, like those that are there."""

    def columns(table):
        return [row[1] for row in store.execute(f"PRAGMA table_info({table})") if row[1] != "row_id"]

    def fresh(column):
        # The first byte says how the text is packed, and so how many bytes follow.
        return f'CAST(substr("{column}", 1, 1) || randomblob(length("{column}") - 1) AS BLOB)'

    with sqlite3.connect(path) as store:
        last = store.execute("SELECT max(row_id) FROM transactions").fetchone()[0]
        for table in ("transactions", "receipts"):
            names = columns(table)
            values = [fresh(name) if name in ("id", "hash") else f'"{name}"' for name in names]
            quoted = ", ".join(f'"{name}"' for name in names)
            store.execute(
                f"INSERT INTO {table} (row_id, {quoted}) SELECT row_id + ?, {', '.join(values)} FROM {table} "
                "WHERE row_id > ?",
                (count, last - count),
            )
    store.close()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("binary")
    arguments.add_argument("--rows", type=int, default=1_000_000)
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--work", default="/var/tmp/fueki-differential")
    options = arguments.parse_args()
    binary = os.path.abspath(options.binary)
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(f"{options.work}/target")
    environment = {
        "PATH": os.environ["PATH"], "HOME": options.work, "TMPDIR": options.work,
        "FUEKI_STATE": f"{options.work}/state", "FUEKI_DATADIR": f"{options.work}/demo/old-machine/data/fueki",
    }
    subprocess.run(
        [binary, "demo", "--keep", f"{options.work}/demo", "--transactions", str(options.rows)],
        env=environment, check=True, stdout=subprocess.DEVNULL,
    )
    identity = f"{options.work}/identity"
    subprocess.run(
        [binary, "key", "generate", "--recipient", "--output", identity],
        env=environment, check=True, stdout=subprocess.DEVNULL,
    )
    create = [
        binary, "create", "--target", f"{options.work}/target", "--recipients-file", f"{identity}.pub",
        "--exclude", "secrets", "--json", "-q",
    ]
    subprocess.run(create + ["--full"], env=environment, check=True, stdout=subprocess.DEVNULL)
    add_transactions(f"{environment['FUEKI_DATADIR']}/wallet.sqlite", options.rows // 100)
    rounds = []
    for _ in range(options.runs):
        differential = measured(create + ["--differential"], environment)
        full = measured(create + ["--full"], environment)
        # The base has the new ones now: the next round has as many again.
        add_transactions(f"{environment['FUEKI_DATADIR']}/wallet.sqlite", options.rows // 100)
        written = json.loads(differential.output.splitlines()[-1])["bytes"]
        rounds.append((written, differential.seconds / full.seconds, differential.peak_bytes))
        print(
            f"differential {differential.seconds:.2f} s, {written} bytes, {differential.peak_bytes >> 20} MiB; "
            f"full {full.seconds:.2f} s, {full.peak_bytes >> 20} MiB"
        )
    most = max(written for written, _, _ in rounds)
    time = statistics.median(ratio for _, ratio, _ in rounds)
    peak = max(peak for _, _, peak in rounds)
    print(f"{most} bytes, {time:.2f} of the time of a full one, {peak >> 20} MiB")
    return 0 if most <= MOST_BYTES and time <= MOST_TIME and peak <= MOST_MEMORY else 1


if __name__ == "__main__":
    sys.exit(main())
