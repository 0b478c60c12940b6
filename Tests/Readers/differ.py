#!/usr/bin/env python3
"""Reads altered archives with the three readers, and compares their verdicts.

differ.py [--program PATH] [--cases N | --seconds N] [--seed N] [--keep DIR] [NUMBER ...]

Without a program, the readers in Python and JavaScript are compared. NUMBER is a case of the seed, to read that alone.
README.md beside this says what counts as a disagreement.
"""

import argparse
import collections
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import altered
from altered import ROOT, check, program

BATCH = 20  # archives that the program reads in one run
FORGED = "forged or inconsistent"
FAULTS = {FORGED, "over limit"}
Verdicts = collections.namedtuple("Verdicts", "python javascript program")


class Readers:
    def __init__(self, path):
        self.path = path
        here = os.path.dirname(os.path.abspath(__file__))
        self.node = subprocess.Popen(["node", os.path.join(here, "serve.mjs")], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True)

    def close(self):
        self.node.stdin.close()
        self.node.wait()

    def read(self, cases, folder):
        """Of cases with the same secrets, the verdicts in order, and why."""
        files = [write(case, os.path.join(folder, str(i))) for i, case in enumerate(cases)]
        secrets = cases[0].reader
        arguments = [*check.arguments(secrets | {"bases": []}, folder)]
        program = self.program(secrets, [path for path, _ in files], folder) if self.path else [None] * len(cases)
        for (path, base), found in zip(files, program):
            python, why = self.python([*arguments, *(["--base", base] if base else []), path])
            javascript, why_js = self.javascript({"path": path, "base": base, "reader": secrets})
            yield path, base, Verdicts(python, javascript, found), (why, why_js)

    @staticmethod
    def python(arguments):
        printed, errors, status = check.run(arguments)
        if status not in (0, *range(12, 40)):
            return "crash", errors
        report = json.loads(printed)
        return report["verdict"], report.get("why", "")

    def javascript(self, case):
        self.node.stdin.write(json.dumps(case) + "\n")
        self.node.stdin.flush()
        answer = json.loads(self.node.stdout.readline() or '{"verdict": "crash", "why": "it ended"}')
        return answer["verdict"], answer["why"]

    def program(self, secrets, paths, folder):
        options = ["--depth", "contents" if secrets.keys() - {"bases"} else "checksums"]

        def add(option, data):
            options.extend((option, os.path.join(folder, f"secret {len(options)}")))
            with open(options[-1], "wb") as file:
                file.write(data)
            os.chmod(options[-1], 0o600)

        for passphrase in secrets.get("passphrases", ()):
            add("-p", passphrase.encode())
        for identity in secrets.get("identities", ()):
            add("-i", identity.encode())
        if "key_file" in secrets:
            add("--key-file", bytes.fromhex(secrets["key_file"]))
        for share in secrets.get("shares", ()):
            add("--guardian-shares", share.encode())
        found = self.verify(options, paths, folder)
        # Two archives of one vault and number that are verified together are forked.
        alone = {path: self.verify(options, [path], folder) for path in paths if found.get(path) == "forked"}
        return [alone.get(path, found).get(path, "crash") for path in paths]

    def verify(self, options, paths, folder):
        command = [self.path, "verify", *paths, "--json", *options]
        ended = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                               env={"HOME": folder, "PATH": os.environ["PATH"], "SWIFT_BACKTRACE": "enable=no"})
        try:
            return {entry["path"]: entry["verdict"].replace("-", " ") for entry in json.loads(ended.stdout)["archives"]}
        except (ValueError, KeyError):
            print(f"the program ended with {ended.returncode}: {ended.stdout[-500:]}{ended.stderr[-500:]}", file=sys.stderr)
            return {}


def write(case, folder):
    """The archive's path and that of its base, in a folder of their own: the program looks for the base there."""
    os.makedirs(folder, exist_ok=True)
    paths = []
    for name, content in (("archive", case.content), ("base", case.base)):
        paths.append(os.path.join(folder, name + ".fueki") if content is not None else None)
        if content is not None:
            with open(paths[-1], "wb") as file:
                file.write(content)
    return paths


# What is no disagreement


def judge(case, path, base, found):
    """A word for what the verdicts come to; "disagreement" is the one that must not be."""
    if "crash" in found:
        return "disagreement"
    if found.program in (None, found.python) and found.python == found.javascript:
        return "agree"
    if set(found) - {None} == FAULTS and has_two_faults(case):
        return "the first of several faults"
    if set(found) - {None} == {"damaged", FORGED} and found.program != "damaged" and has_a_fault_beside_its_base(case):
        return "the first of several faults"
    if found.python != found.javascript:
        return "disagreement"
    if found.program == "incomplete" and (is_unfilled(path) or base and is_unfilled(base)):
        return "never filled"
    if found.program == "base missing" and found.python == "ok" and not base:
        return "base not here"
    if {found.program, found.python} <= {"ok", "damaged", "base missing", *FAULTS} and has_other_spelling(case, path, base):
        return "spelled otherwise"
    return "disagreement"


def has_a_fault_beside_its_base(case):
    """Whether a base was damaged of an archive that is forged itself, of which the program tells the archive's first."""
    name, _, what = case.what.partition(": ")
    return "the base: " in what and ("," in what or check.load(name)["verdict"] == FORGED)


def has_two_faults(case):
    """Whether an archive was altered in several places, or in a frame, whose header can break two rules at once: a reader may
    meet any first in steps 8 and 9."""
    return "," in case.what or ": a frame of " in case.what


def is_unfilled(path):
    """Whether the file, or each damaged part of it, begins or ends with zeros: the program may say incomplete."""
    file = program.File(path)
    zero_edge = lambda at, size: any(not any(file.at(x, min(64, size))) for x in (at, at + size - min(64, size)))
    if zero_edge(0, file.length):
        return True
    try:
        layout = program.locate(file, True)
    except program.Verdict:
        return False
    L, N, end = layout.L, layout.N, 2 * (48 + layout.L) + layout.N * 16432 + 512
    chunks, table = 48 + L, 48 + L + N * program.CHUNK + 256
    places = {"header": (0, 48 + L), "header copy": (end - 304 - L, 48 + L),
              "trailer": (table - 256, 256), "trailer copy": (end - 256, 256)}
    structural = [zero_edge(*places[name]) for name in layout.damage if name in places]
    if len(structural) != len(layout.damage):
        return False
    if structural and all(structural):
        return True
    differing = []
    for j in range(N):
        chunk, leaf = file.at(chunks + j * program.CHUNK, program.CHUNK), file.at(table + 32 * j, 32)
        if program.H(b"\0", j.to_bytes(8, "little"), chunk) != leaf:
            differing.append(not any(leaf) or zero_edge(chunks + j * program.CHUNK, program.CHUNK))
    return bool(differing) and all(structural + differing)


def has_other_spelling(case, path, base):
    """Whether a message in the archive or its base is spelled as no writer spells it."""
    return any(is_spelled_otherwise(section, message)
               for one in (path, base) if one for section, message in messages_in(one, case.reader))


def messages_in(path, reader):
    with tempfile.TemporaryDirectory() as folder:
        options = program.options_of([*check.arguments(reader | {"bases": []}, folder), path])
        try:
            opened = program.open_archive(program.File(path), program.gather(options), options, {}, [], None, program.TIB)
            for stream in opened.streams.values():
                for section, _, data in stream.blocks():
                    for message in program.records(data):
                        yield section.id, message
        except program.Verdict:
            return


def is_spelled_otherwise(section, message):
    """Whether its varints are not minimal or too long, it has groups or keys that there are not, or, where the program reads
    by hand, fields twice, of another wire type or too large a number."""
    if section not in program.MESSAGES:
        return False
    cursor, seen = program.Cursor(message, "a message"), set()
    shape = program.SCHEMA[program.MESSAGES[section]]
    try:
        while cursor.more:
            start, key = cursor.at, cursor.varint()
            number, wire = key >> 3, key & 7
            if cursor.data[start:cursor.at] != program.varint(key) or not 1 <= number < 1 << 29 or wire not in (0, 1, 2, 5):
                return True
            start = cursor.at
            value = cursor.varint() if wire in (0, 2) else cursor.bytes(8 if wire == 1 else 4)
            if wire in (0, 2) and cursor.data[start:cursor.at] != program.varint(value):
                return True
            content = cursor.bytes(value) if wire == 2 else b""
            inner = shape.get(number) if wire == 2 else None
            if inner and is_spelled_otherwise_within(inner, content):
                return True
            by_hand = section >= 64 or section == 8
            if by_hand and (number in seen and number != 15 or wire != WIRE_TYPES[section].get(number, wire)):
                return True
            if section == 66 and number == 8 and value >> 32:
                return True
            seen.add(number)
    except program.Verdict as error:
        # A varint that is too long or too large, and not one that is cut.
        return "varint" in error.why
    return False


def is_spelled_otherwise_within(name, message):
    number = next((id for id, of in program.MESSAGES.items() if of == name), None)
    if number is not None:
        return is_spelled_otherwise(number, message)
    program.MESSAGES[-1], before = name, program.MESSAGES.get(-1)
    try:
        return is_spelled_otherwise(-1, message)
    finally:
        program.MESSAGES.pop(-1)
        if before:
            program.MESSAGES[-1] = before


# Of the records that the program reads by hand.
FILE = {1: 2, 2: 2, 3: 2, 4: 0, 5: 0, 6: 2, 7: 0, 8: 0, 9: 2, 10: 2, 11: 2, 15: 2, 16: 2, 17: 2, 18: 2}
WIRE_TYPES = {8: FILE, 64: {1: 2, 2: 2}, 65: {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 0}, 66: FILE}


def check_schema():
    """The table of reader.py is that of the page."""
    with open(os.path.join(ROOT, "man/fueki-archive.5"), encoding="utf-8") as file:
        page = file.read()
    schema = page[page.index('syntax = "proto3";'):page.index(".Sh DIFFERENTIAL ARCHIVES")]
    wanted = {}
    for name, body in re.findall(r"^message (\w+) \{\n(.*?)^\}", schema, re.M | re.S):
        fields = re.findall(r"^ *(?:repeated |optional )?(\w+) \w+ = (\d+);", body, re.M)
        wanted[name] = {int(number): "" if kind == "string" else kind for kind, number in fields
                        if kind == "string" or kind[0].isupper()}
    assert wanted == program.SCHEMA and len(wanted) > 25, "reader.py has another schema than the page"
    sections = {int(id): name for id, name in re.findall(r"^(\d+) +[a-z-]+ +([A-Z]\w+)$", page, re.M) if id != "62"}
    assert sections == program.MESSAGES, "reader.py has other sections than the page"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program")
    parser.add_argument("--cases", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", metavar="DIR", help="where archives of disagreements are kept")
    parser.add_argument("numbers", metavar="NUMBER", type=int, nargs="*")
    options = parser.parse_args()
    check_schema()
    sources = [altered.Source(name, vector) for name, vector in altered.vectors()]
    readers, start = Readers(options.program), time.monotonic()
    cases = altered.cases(options.seed, sources, options.numbers)
    if options.cases is not None:
        cases = itertools.islice(cases, options.cases)
    counts, kinds = collections.Counter(), collections.Counter()
    while options.seconds is None or time.monotonic() - start < options.seconds:
        some = list(itertools.islice(cases, 5 * BATCH))
        if not some:
            break
        groups = collections.defaultdict(list)
        for case in some:
            groups[json.dumps({key: value for key, value in case.reader.items() if key != "bases"})].append(case)
        for group in groups.values():
            for i in range(0, len(group), BATCH):
                read_batch(readers, group[i:i + BATCH], counts, kinds, options)
    readers.close()
    print(f"{sum(counts.values())} altered archives: " + ", ".join(f"{n} {what}" for what, n in counts.most_common()))
    print("verdicts: " + ", ".join(f"{n} {what}" for what, n in kinds.most_common()))
    return 1 if counts["disagreement"] or not counts else 0


def read_batch(readers, batch, counts, kinds, options):
    with tempfile.TemporaryDirectory() as folder:
        for case, (path, base, found, whys) in zip(batch, readers.read(batch, folder)):
            word = judge(case, path, base, found)
            counts[word] += 1
            kinds[found.python] += 1
            if word == "disagreement" or options.numbers:
                print(f"case {case.name} ({word}), {case.what}: {tuple(found)}; {whys}", flush=True)
                if options.keep:
                    write(case, os.path.join(options.keep, case.name))


if __name__ == "__main__":
    sys.exit(main())
