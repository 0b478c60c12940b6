"""Who does what: the commands of fueki-backup, and of what people would pick instead."""

import glob
import os
import shutil
import subprocess

from measuring import Contender, emptied

OURS = "fueki-backup"
AGE = "zstd -T0 | age"
COPY_AGE = ".backup, tar | zstd -3 | age"
RESTIC = "restic"
BORG = "borg"


class Wallet:
    """A data directory of so many transactions, made by the program's own demonstration; `grow` adds to its store."""

    def __init__(self, bench, rows, name=None, grow=None):
        self.root = f"{bench.work}/wallet-{name or rows}"
        self.datadir = f"{self.root}/old-machine/data/fueki"
        self.store = f"{self.datadir}/wallet.sqlite"
        if not os.path.exists(f"{self.root}/complete"):
            shutil.rmtree(self.root, ignore_errors=True)
            bench.run([bench.program, "demo", "--keep", self.root, "--transactions", str(rows)])
            if grow:
                grow(self.store)
            open(f"{self.root}/complete", "w").close()

    @property
    def secret(self):
        return ["-p", f"{self.root}/passphrase"]

    @property
    def keychain(self):
        return ["--keychain-passphrase-from", f"file:{self.root}/old-machine.key"]


class Ours:
    """fueki-backup on one wallet: each create makes its vault's first archive, in an empty target."""

    def __init__(self, bench, wallet, datadir=None, keychain=None):
        self.bench, self.wallet = bench, wallet
        self.datadir, self.keychain = datadir or wallet.datadir, keychain or wallet.keychain
        self.target = f"{bench.work}/target"
        self.restored = f"{bench.work}/restored"

    def start_afresh(self):
        emptied(self.target)
        shutil.rmtree(self.bench.environment["FUEKI_STATE"], ignore_errors=True)

    @property
    def archive(self):
        return glob.glob(f"{self.target}/*.fueki")[0]

    def opened_by_key_file(self):
        """The same wallet, restored with a keychain that a key file opens."""
        folder, key = f"{self.wallet.root}/by-key-file", f"{self.wallet.root}/key-file"
        if not os.path.exists(f"{folder}/wallet.sqlite"):
            with open(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(os.urandom(32))
            command = [self.bench.program, "restore", "latest", "--target", f"{self.wallet.root}/backups"]
            command += ["--datadir", folder, *self.wallet.secret, "--keychain-key-file", key, "--json"]
            self.bench.run(command)
        return Ours(self.bench, self.wallet, folder, ["--keychain-key-file", key])

    def create(self, options=(), name=OURS):
        return self.created([*self.wallet.secret, *options], name)

    def create_to_recipient(self):
        return self.created(["--recipient", self.bench.recipient], f"{OURS}, to a recipient")

    def created(self, options, name):
        command = [self.bench.program, "create", "--target", self.target, "--datadir", self.datadir]
        return Contender(name, [*command, *self.keychain, *options, "--json"], prepare=self.start_afresh)

    def verify(self, depth, name=OURS):
        secret = self.wallet.secret if depth == "contents" else []
        command = [self.bench.program, "verify", self.target, "--depth", depth, *secret, "--json"]
        return Contender(name, command)

    def restore(self, options=(), name=OURS):
        command = [self.bench.program, "restore", "latest", "--target", self.target]
        command += ["--datadir", self.restored, *self.wallet.secret, *self.wallet.keychain, *options]
        return Contender(name, [*command, "--json"], prepare=lambda: shutil.rmtree(self.restored, ignore_errors=True))


class Others:
    """What people would pick instead, on one file; they all take it as it lies, but where a copy is named."""

    def __init__(self, bench, kind, file):
        self.bench, self.kind, self.file = bench, kind, file
        self.folder = f"{bench.work}/others-{kind}"
        emptied(self.folder)
        self.environment = {
            "RESTIC_REPOSITORY": f"{self.folder}/restic",
            "RESTIC_CACHE_DIR": f"{self.folder}/restic-cache",
            "RESTIC_PASSWORD_FILE": bench.passphrase,
            "BORG_REPO": f"{self.folder}/borg",
            "BORG_BASE_DIR": f"{self.folder}/borg-base",
            "BORG_PASSCOMMAND": f"cat {bench.passphrase}",
        }
        self.sealed, self.sealed_copy = f"{self.folder}/sealed.age", f"{self.folder}/sealed-copy.age"
        self.restored = f"{self.folder}/restored"

    def shell(self, name, script, prepare=None):
        settings = [f"{key}={value}" for key, value in self.environment.items()]
        command = ["env", *settings, "bash", "-euo", "pipefail", "-c", script]
        return Contender(f"{name}, {self.kind}", command, prepare=prepare)

    def prepared(self, command, *folders):
        def prepare():
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)
            subprocess.run(
                command, env=self.bench.environment | self.environment, check=True, capture_output=True
            )

        return prepare

    def create(self):
        recipient, copy = self.bench.recipient, f"{self.folder}/copy.sqlite"
        restic, borg = self.environment["RESTIC_REPOSITORY"], self.environment["BORG_REPO"]
        return [
            self.shell(AGE, f"zstd -q -T0 -3 -c '{self.file}' | age -r {recipient} > '{self.sealed}'"),
            self.shell(
                COPY_AGE,
                f"""sqlite3 '{self.file}' ".backup '{copy}'"; """
                f"tar -C '{self.folder}' -c copy.sqlite | zstd -q -3 -c | age -r {recipient} "
                f"> '{self.sealed_copy}'; rm '{copy}'",
            ),
            self.shell(
                RESTIC, f"restic -q backup '{self.file}'", self.prepared(["restic", "-q", "init"], restic)
            ),
            self.shell(
                BORG,
                f"borg create --compression zstd,3 ::wallet '{self.file}'",
                self.prepared(
                    ["borg", "init", "-e", "repokey-blake2"], borg, self.environment["BORG_BASE_DIR"]
                ),
            ),
        ]

    def verify(self):
        return [
            self.shell(RESTIC, "restic -q check --read-data"),
            self.shell(BORG, "borg check --verify-data"),
        ]

    def restore(self):
        def prepare():
            emptied(self.restored)

        identity = self.bench.identity
        return [
            self.shell(
                AGE,
                f"age -d -i '{identity}' '{self.sealed}' | zstd -q -d > '{self.restored}/wallet.sqlite'",
                prepare,
            ),
            self.shell(RESTIC, f"restic -q restore latest --target '{self.restored}'", prepare),
            self.shell(BORG, f"cd '{self.restored}' && borg extract ::wallet", prepare),
        ]


def hashing(file, parts_folder, cores):
    """SHA-256 alone, a part of the file on each core."""
    emptied(parts_folder)
    part = -(-os.path.getsize(file) // cores)
    subprocess.run(["split", "-b", str(part), file, f"{parts_folder}/part-"], check=True)
    script = "for part in *; do openssl dgst -sha256 $part & done; wait"
    return Contender("SHA-256 alone", ["bash", "-c", f"cd '{parts_folder}' && {script}"])
