#!/usr/bin/env python3
"""Runs reader.py on every vector, or on those named, and compares the verdicts."""

import contextlib
import functools
import io
import json
import os
import sys
import tempfile
import traceback

import reader as program
from vectors import made

HERE = os.path.dirname(os.path.abspath(__file__))
# Most vectors have the same passphrase and salt: each derivation is run once.
program.sodium.crypto_pwhash_alg = functools.cache(program.sodium.crypto_pwhash_alg)
FOLDER = os.path.join(HERE, "archives")


def load(name):
    with open(os.path.join(FOLDER, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def content(name, vector):
    """The bytes of a vector."""
    if "sealed" in vector:
        return made(b"", vector)
    with open(os.path.join(FOLDER, vector.get("base", name) + ".fueki"), "rb") as file:
        return made(file.read(), vector)


def arguments(reader, folder):
    def path(name, data):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        return file.name

    yield "--json"
    for i, passphrase in enumerate(reader.get("passphrases", ())):
        yield from ("--passphrase-file", path(f"passphrase {i}", passphrase.encode()))
    if "key_file" in reader:
        yield from ("--key-file", path("key", bytes.fromhex(reader["key_file"])))
    if "identities" in reader:
        yield from ("--identity", path("identity", "\n".join(reader["identities"]).encode()))
    if "plugin" in reader:
        yield from ("--identity", path("plugin", reader["plugin"]["identity"].encode()))
        keys = "\n".join(key or "-" for key in reader["plugin"]["file_keys"])
        yield from ("--file-keys", path("file keys", keys.encode()))
    if "guardians_key" in reader:
        yield from ("--guardians-key", path("guardians", reader["guardians_key"].encode()))
    if "shares" in reader:
        yield from ("--shares", path("shares", "\n".join(reader["shares"]).encode()))
    if "known" in reader:
        yield from ("--known", "{sequence}:{digest}".format(**reader["known"]))
    if "plaintext_limit" in reader:
        yield from ("--plaintext-limit", str(reader["plaintext_limit"]))
    for i, base in enumerate(reader.get("bases", ())):
        yield from ("--base", path(f"base {i}", content(base, load(base))))
    if reader.get("salvage"):
        yield "--salvage"
    for key in reader.get("trusted_signers", ()):
        yield from ("--trusted-signer", key)
    if reader.get("large_derivation"):
        yield "--large"


def run(arguments):
    """What reader.py prints, and its status."""
    printed, errors, status = io.StringIO(), io.StringIO(), 0
    sys.argv = ["reader.py", *arguments]
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        try:
            program.main()
        except SystemExit as end:
            status = end.code
        except Exception:  # as the interpreter would end
            status = 1
            traceback.print_exc()
    return printed.getvalue(), errors.getvalue(), status


def check(name, folder):
    """What differs, or None."""
    vector = load(name)
    reader = vector["reader"]
    path = os.path.join(folder, "archive")
    with open(path, "wb") as file:
        file.write(content(name, vector))
    printed, errors, status = run([*arguments(reader, folder), "--no-messages", path])
    if status not in (0, *range(10, 40)):
        return f"status {status}: {errors[-300:]}"
    found = json.loads(printed)
    if "messages" in vector:
        verdict = json.loads(run([*arguments(reader, folder), path])[0])["verdict"]
        if verdict != vector["messages"]:
            return f"with messages: {verdict}, not {vector['messages']}"
    if found["verdict"] != vector["verdict"]:
        return f"{found['verdict']} ({found.get('why')}), not {vector['verdict']}"
    for key in ("reported", "shares", "salvaged", "result"):
        if key in vector and vector[key] != found.get(key):
            return f"{key}: {found.get(key)}, not {vector[key]}"
    wanted = vector.get("archive", {}) if vector["depth"] == "contents" else {}
    for ours, theirs in (
        ("digest", "archive"),
        ("vault", "vault"),
        ("sequence", "sequence"),
        ("slots", "slots"),
        ("scopes", "scopes"),
        ("signer", "signer"),
    ):
        if ours in wanted and wanted[ours] != found.get(theirs):
            return f"{ours}: {found.get(theirs)}, not {wanted[ours]}"
    sections = [
        {key: section[key] for key in ("id", "records", "bytes", "sha256")}
        for section in found.get("sections", ())
    ]
    if wanted and sections != wanted["sections"]:
        return f"sections: {sections}"
    if wanted.get("bundle_checksum") != found.get("bundle_checksum") and wanted:
        return f"bundle checksum: {found.get('bundle_checksum')}"
    return None


def main():
    names = sys.argv[1:] or sorted(name[:-5] for name in os.listdir(FOLDER) if name.endswith(".json"))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            result = check(name, folder)
            if result:
                failed += 1
                print(f"{name}: {result}")
    print(f"{len(names)} vectors, {failed} differ")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
