"""One per cent new: what `create --differential` writes and what a restore from two files takes, beside full archives.

    differential.py BINARY [--rows 1000000] [--runs 3] [--work DIR]

Reach: 2.5 MB written, half the time of a full create, 200 MiB of memory beside the derivation, and a restore from both files
in 1.1 times the time of one from a full archive. The archives are sealed to a recipient, so that nothing is derived; the
sample's keychain is left out. Where restic and borg are installed, they back up the same store, and what they write is told.
"""

import argparse
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
from types import SimpleNamespace

from contenders import BORG, RESTIC, Others
from growing import add_messages
from measuring import Contender, emptied, measured, race, size

MOST_BYTES = 2_500_000
MOST_TIME = 0.5
MOST_MEMORY = 200 << 20
MOST_RESTORE = 1.1
SMALL = 10_000


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


class Repositories:
    """What else takes the store, and how much each run of it writes."""

    def __init__(self, work, store, environment):
        passphrase = f"{work}/passphrase"
        with open(os.open(passphrase, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write("a passphrase of the benchmark, and of nothing else")
        bench = SimpleNamespace(work=work, passphrase=passphrase, environment=environment)
        others = Others(bench, "store", store)
        self.environment = environment | others.environment
        self.runs = 0
        ways = {
            RESTIC: (["restic", "-q", "init"], ["restic", "-q", "backup", store]),
            BORG: (["borg", "init", "-e", "repokey-blake2"], ["borg", "create", "--compression", "zstd,3"]),
        }
        self.commands = {}
        for name, (begin, command) in ways.items():
            if shutil.which(name):
                others.prepared(begin)()
                self.commands[name] = (command, f"{others.folder}/{name}")
        self.store = store

    def written(self):
        """What each repository has grown by, once the store as it is now is in it too."""
        self.runs += 1
        grown = {}
        for name, (command, folder) in self.commands.items():
            before = size(folder)
            named = [f"::night-{self.runs}", self.store] if name == BORG else []
            measured(command + named, self.environment)
            grown[name] = size(folder) - before
        return grown


class Bench:
    """A wallet, and what is done with it."""

    def __init__(self, options):
        self.binary, self.work, self.rows = os.path.abspath(options.binary), options.work, options.rows
        self.datadir = f"{self.work}/demo/old-machine/data/fueki"
        self.store, self.restored = f"{self.datadir}/wallet.sqlite", f"{self.work}/restored"
        self.identity, self.target = f"{self.work}/identity", f"{self.work}/target"
        emptied(self.work)
        os.makedirs(self.target)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.work, "TMPDIR": self.work,
            "FUEKI_STATE": f"{self.work}/state", "FUEKI_DATADIR": self.datadir,
        }
        for command in (
            ["demo", "--keep", f"{self.work}/demo", "--transactions", str(self.rows)],
            ["key", "new-identity", "--output", self.identity],
        ):
            measured([self.binary, *command], self.environment)
        if self.rows < SMALL:
            # No archive is under 200 KB, and a differential one is at most a quarter of its base.
            add_messages(self.store, SMALL)

    def create(self, kind):
        command = [self.binary, "create", "--target", self.target, "--recipients-file", f"{self.identity}.pub"]
        sample = measured([*command, "--exclude", "secrets", "--json", "-q", kind], self.environment)
        return sample, json.loads(sample.output.splitlines()[-1])

    def restores(self, archives, runs):
        """Restores each of the archives, by name, as often; what is known to be newer is no fault here."""

        def contender(name, archive):
            command = [self.binary, "restore", archive, "--target", self.target, "--datadir", self.restored]
            command += ["--identity", self.identity, "--no-resync", "--accept=older", "--json", "-q"]
            return Contender(name, command, prepare=lambda: shutil.rmtree(self.restored, ignore_errors=True))

        contenders = [contender(name, archive) for name, archive in archives.items()]
        return race("restore", contenders, runs, self.environment)

    def night(self):
        """One per cent more, in a differential archive and in a full one."""
        add_transactions(self.store, max(1, self.rows // 100))
        made = {"differential": self.create("--differential"), "full": self.create("--full")}
        for name, (sample, document) in made.items():
            written, peak = document["bytes"], sample.peak_bytes >> 20
            print(f"{name}: {sample.seconds:.2f} s, {written} bytes, {peak} MiB")
        return made


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("binary")
    arguments.add_argument("--rows", type=int, default=1_000_000)
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--work", default="/var/tmp/fueki-differential")
    options = arguments.parse_args()
    bench = Bench(options)
    repositories = Repositories(bench.work, bench.store, bench.environment)
    bench.create("--full")
    repositories.written()
    nights = []
    for _ in range(options.runs):
        # The full archive of each night is the next one's base.
        nights.append(bench.night())
        for name, written in repositories.written().items():
            print(f"{name}: {written} bytes")
    last = {name: document["archive"] for name, (_, document) in nights[-1].items()}
    restores = bench.restores(last, options.runs)

    most = max(night["differential"][1]["bytes"] for night in nights)
    time = statistics.median(night["differential"][0].seconds / night["full"][0].seconds for night in nights)
    peak = max(night["differential"][0].peak_bytes for night in nights)
    again = restores["differential"].ratio(restores["full"])
    reached = [
        ("bytes written", f"{most}", most <= MOST_BYTES),
        ("of the time of a full create", f"{time:.2f}", time <= MOST_TIME),
        ("MiB of memory", f"{peak >> 20}", peak <= MOST_MEMORY),
        ("of the time of a restore from a full archive", f"{again:.2f}", again <= MOST_RESTORE),
    ]
    for what, value, is_reached in reached:
        print(f"{value} {what}: {'reached' if is_reached else 'FALLS SHORT'}")
    return 0 if all(is_reached for _, _, is_reached in reached) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error}\n{error.stderr}")
