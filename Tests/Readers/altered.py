"""Archives altered at random from the test vectors, the same ones for a seed.

An alteration may be made in the finished file, or in what keys and digests cover. Of the latter, everything that is computed
from it is made anew, so that a reader gets as far as the alteration.
"""

import itertools
import os
import random
import sys
import tempfile
from collections import namedtuple

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.path.insert(0, os.path.join(ROOT, "TestVectors"))

import check  # noqa: E402
import reader as program  # noqa: E402
from frames import real  # noqa: E402
from writer import CHUNK, MAGIC, PIECE, SCOPES, H, aead, expand, padme, record, u16, u32, u64  # noqa: E402

Case = namedtuple("Case", "name reader content base what")
# The secrets that all three readers take alike.
SECRETS = {"passphrases", "key_file", "identities", "shares", "bases"}
LARGEST = 600_000
NUMBERS = (0, 1, 2, 3, 4, 63, 64, 127, 128, 255, 256, 16384, 65535, 65536, 2**24 + 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1)


def vectors():
    """The vectors that are small and whose secrets all three readers take: name, vector."""
    for name in sorted(os.listdir(check.FOLDER)):
        if not name.endswith(".json"):
            continue
        vector = check.load(name[:-5])
        reader = vector["reader"]
        if set(reader) <= SECRETS and len(reader.get("passphrases", ())) <= 1 and vector["length"] <= LARGEST:
            yield name[:-5], vector


class Source:
    """A vector's bytes, and what is in them if all of it opens."""

    def __init__(self, name, vector):
        self.name, self.reader = name, vector["reader"]
        self.content = check.content(name, vector)
        bases = self.reader.get("bases", ())
        self.base = None
        if bases:
            self.base = check.content(bases[0], check.load(bases[0]))
        opens = vector["verdict"] == "ok" and vector["depth"] == "contents"
        self.is_whole = opens and vector["archive"]["signer"] is None and len(vector["archive"]["scopes"]) == 3
        self._parts = None

    @property
    def parts(self):
        self._parts = self._parts or Parts(self.content, self.reader)
        return self._parts.copy()


class Parts:
    """What an archive is made of."""

    def __init__(self, content, reader):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "archive")
            with open(path, "wb") as file:
                file.write(content)
            arguments = [*check.arguments(reader | {"bases": []}, folder), path]
            options = program.options_of(arguments)
            opened = program.open_archive(program.File(path), program.gather(options), options, {}, [], None, program.TIB)
            header = opened.layout.header
            self.version, self.fields, at = header[8:12], [], 16
            while at < len(header) - 32:
                tag, size = program.u(header[at:at + 2]), program.u(header[at + 2:at + 6])
                self.fields.append((tag, header[at + 6:at + 6 + size]))
                at += 6 + size
            self.prks = opened.prks
            # A section: id, and blocks as (method, stored bytes, plaintext). What its index says follows from these.
            self.sections = {}
            for s, stream in opened.streams.items():
                blocks, at = {}, 0
                for section in stream.sections:
                    for method, stored, plain in section.blocks:
                        data = stream.read(at, stored)
                        blocks.setdefault(section.id, []).append((method, data, program.unpack(method, data, plain)))
                        at += stored
                self.sections[s] = [(section.id, blocks.get(section.id, [])) for section in stream.sections]
        manifest = next(program.records(self.sections[1][0][1][0][2]))
        self.digests = [value for number, value in sorted(x for x in program.fields_of(manifest) if x[0] <= 3)]
        self.hooks = {}

    def copy(self):
        other = object.__new__(Parts)
        other.__dict__ = self.__dict__ | {"sections": {s: list(x) for s, x in self.sections.items()}, "hooks": {}}
        other.fields = list(self.fields)
        return other

    def hook(self, name, value):
        return self.hooks[name](value) if name in self.hooks else value

    def make(self):
        """The archive's bytes."""
        fields = [field for field in self.fields if field[0] != 0x8009]
        encode = lambda fields: b"".join(u16(tag) + u32(len(value)) + value for tag, value in fields)
        L = len(encode(fields)) + 6 + 96
        head = MAGIC + self.version + u32(L)
        T = H(b"fueki/1 transcript", head, encode(fields))
        confirmations = b"".join(expand(self.prks[s], b"fueki/1 confirm" + bytes([s]) + T, 32) for s in SCOPES)
        place = next((i for i, (tag, _) in enumerate(fields) if tag > 0x8009), len(fields))
        fields.insert(place, (0x8009, self.hook("confirmations", confirmations)))
        header = head + encode(fields)
        header += H(header)
        streams = self.streams(T)
        chunks = [chunk for s in SCOPES for chunk in streams[s]]
        leaves = [H(b"\0", u64(j), chunk) for j, chunk in enumerate(chunks)]
        counts = self.hook("counts", [len(streams[s]) for s in SCOPES])
        covered = b"".join(u64(n % 2**64) for n in counts) + header[-32:] + H(b"fueki/1 leaves", *leaves)
        digest = H(b"fueki/1 archive", covered)
        seals = b"".join(expand(self.prks[s], b"fueki/1 seal" + bytes([s]) + digest, 16) for s in SCOPES)
        trailer = self.hook("trailer", covered + digest + bytes(64) + seals + bytes(8))
        trailer += H(b"fueki/1 trailer", trailer)[:8] + MAGIC[::-1]
        return b"".join([header, *chunks, trailer, *leaves, header, trailer])

    def streams(self, T):
        summaries = {s: [self.summary(*section) for section in self.sections[s]] for s in SCOPES}
        digests = []
        for s in SCOPES:
            covered = H(*(summary for (id, _), summary in zip(self.sections[s], summaries[s]) if id != 1))
            digests.append(expand(self.prks[s], b"fueki/1 scope" + bytes([s]) + T + covered, 32))
        if "manifest" not in self.hooks and self.sections[1] and self.sections[1][0][0] == 1:
            self.put_digests(digests)
            summaries[1][0] = self.summary(*self.sections[1][0])
        return {s: self.seal(s, T, summaries[s]) for s in SCOPES}

    def put_digests(self, digests):
        """Puts the scope digests into the manifest, in the place of those that are there."""
        _, _, plain = self.sections[1][0][1][0]
        for old, digest in zip(self.digests, digests):
            plain = plain.replace(old, digest)
        self.sections[1][0] = 1, [(0, plain, plain), *self.sections[1][0][1][1:]]

    def summary(self, id, blocks):
        plain = b"".join(plain for _, _, plain in blocks)
        count = self.hooks.get(("records", id), sum(count_of(plain) for _, _, plain in blocks))
        return u16(id) + u64(count) + u64(len(plain)) + H(plain)

    def seal(self, s, T, summaries):
        index = u16(len(summaries))
        for (_, blocks), summary in zip(self.sections[s], summaries):
            index += summary + u32(len(blocks))
            index += b"".join(bytes([method]) + u32(len(stored)) + u32(len(plain)) for method, stored, plain in blocks)
        index = self.hook(("index", s), index)
        stored = b"".join(stored for _, blocks in self.sections[s] for _, stored, _ in blocks)
        footer = self.hook(("footer", s), u32(len(index)) + b"FKIX")
        count = padme(max(4, -(-(len(stored) + len(index) + len(footer)) // PIECE)))
        count = self.hook(("count", s), count)
        fill = self.hook(("fill", s), bytes(max(0, count * PIECE - len(stored) - len(index) - len(footer))))
        plaintext = (stored + fill + index + footer)[-count * PIECE:]
        keys = expand(self.prks[s], b"fueki/1 stream" + bytes([s]) + T, 48)
        nonce = lambda i: keys[32:] + u64(i + (2**63 if i == count - 1 else 0))
        return [aead(keys[:32], nonce(i), plaintext[i * PIECE:(i + 1) * PIECE]) for i in range(count)]


def count_of(plain):
    """The records of a block, up to the first that is none."""
    count = 0
    try:
        for _ in program.records(plain):
            count += 1
    except program.Verdict:
        pass
    return max(count, 1)


# Alterations of bytes


def altered(random, data):
    """Bytes with one alteration."""
    at = random.randrange(len(data) + 1)
    end = min(len(data), at + random.choice((1, 1, 2, 4, 8, 32, 200)))
    kind = random.randrange(9)
    if kind == 0 and at < len(data):
        return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1:]
    if kind == 1 and at < len(data):
        return data[:at] + bytes([random.choice((0, 1, 0x7F, 0x80, 0xFF))]) + data[at + 1:]
    if kind == 2:
        return data[:at]
    if kind == 3:
        return data[:at] + bytes(end - at) + data[end:]
    if kind == 4:
        return data[:at] + data[end:]
    if kind == 5:
        return data[:end] + data[at:]
    if kind == 6:
        other = random.randrange(len(data) + 1)
        return data[:at] + data[other:other + end - at] + data[end:]
    if kind == 7:
        size = random.choice((1, 2, 4, 8))
        return data[:at] + (random.choice(NUMBERS) % 256**size).to_bytes(size, "little") + data[at + size:]
    return data[:at] + random.randbytes(end - at) + data[at:]


def in_the_file(random, content):
    """One alteration of a finished file, most of them where a reader makes decisions."""
    header = 48 + program.u(content[12:16]) if len(content) > 16 else 0
    N = max(0, (len(content) - 2 * header - 512) // 16432)
    trailer = header + N * CHUNK
    kind = random.randrange(7)
    if kind == 0:
        edges = (0, header, header + CHUNK, trailer, trailer + 256, trailer + 256 + 32 * N, len(content) - 256, len(content))
        at = max(0, random.choice(edges) + random.choice((-64, -1, 0, 1, 64)))
        return content[:at], "cut"
    if kind == 1:
        size = random.choice((63, 64, 65, 256, 300, 20000, len(content) // 2))
        if random.randrange(2):
            return bytes(size) + content[size:], "zeros at the start"
        return content[:-size] + bytes(size), "zeros at the end"
    if kind == 2:
        return content + random.choice((b"\0", bytes(256), content[-256:], content[-header - 256:], content)), "bytes behind"
    if kind == 3 and N > 1:
        i, j = (header + CHUNK * random.randrange(N) for _ in range(2))
        return content[:i] + content[j:j + CHUNK] + content[i + CHUNK:], "a chunk in the place of another"
    places = ((0, header), (trailer, trailer + 256), (trailer + 256, len(content) - header - 256),
              (len(content) - header - 256, len(content) - 256), (len(content) - 256, len(content)), (0, len(content)))
    start, end = random.choice(places)
    if kind == 4:
        return content[:start] + bytes(max(0, end - start)) + content[end:], "a part of zeros"
    return content[:start] + altered(random, content[start:end]) + content[end:], f"bytes {start} to {end}"


# Alterations of what keys and digests cover


def in_a_message(random, parts):
    s, i, j = some_block(random, parts)
    id, blocks = parts.sections[s][i]
    try:
        messages = list(program.records(blocks[j][2]))
    except program.Verdict:
        return None
    place, kind = random.randrange(len(messages)), random.randrange(6)
    if kind == 0:
        messages[place:place] = [random.choice(messages)]
    elif kind == 1 and len(messages) > 1:
        del messages[place]
    elif kind == 2:
        messages[place] += random.choice((b"\x32\1\xff", b"\x7a\2\x0a\5", b"\x0b\x0c", b"\x80\1", b"\xfa\6\1\xff", b"\x0a\0", b"\x18\x81\0"))
    else:
        messages[place] = altered(random, messages[place])
    put_block(parts, s, i, j, 0, b"".join(map(record, messages)))
    return f"a message of section {id}"


def in_records(random, parts):
    s, i, j = some_block(random, parts)
    put_block(parts, s, i, j, 0, altered(random, parts.sections[s][i][1][j][2]))
    return f"records of section {parts.sections[s][i][0]}"


def in_a_frame(random, parts):
    framed = [(s, i, j) for s in (1, 2) for i, (_, blocks) in enumerate(parts.sections[s]) for j, b in enumerate(blocks) if b[0]]
    if not framed:
        return None
    s, i, j = random.choice(framed)
    id, blocks = parts.sections[s][i]
    method, stored, plain = blocks[j]
    if method == 2 and random.randrange(4):
        most = min(2 * len(plain), len(plain) + 65536)
        stored = real(altered(random, program.inflate(stored, 0, most)))
    else:
        start = random.choice((0, len(stored) // 2))
        stored = stored[:start] + altered(random, stored[start:][:12]) + stored[start:][12:]
    changed = list(blocks)
    changed[j] = (method, stored, plain)
    parts.sections[s][i] = id, changed
    return f"a frame of section {id}"


def in_an_index(random, parts):
    s = random.choice((1, 2, 3))
    kind = random.randrange(5)
    if kind == 0:
        id = random.choice([id for s in SCOPES for id, _ in parts.sections[s]])
        parts.hooks["records", id] = random.choice((1, 2, 3, *NUMBERS)) % 2**64
    elif kind == 1:
        parts.hooks["footer", s] = lambda footer: altered(random, footer)
    elif kind == 2:
        parts.hooks["fill", s] = lambda fill: fill[:len(fill) // 3] + b"\1" + fill[len(fill) // 3 + 1:]
    else:
        parts.hooks["index", s] = lambda index: altered(random, index)
    return f"the index of {SCOPES[s]}"


def in_the_header(random, parts):
    i, kind = random.randrange(len(parts.fields)), random.randrange(6)
    tag, value = parts.fields[i]
    # Another archive id would need other keys.
    if tag == 0x8002:
        return None
    if kind == 0:
        del parts.fields[i]
    elif kind == 1:
        parts.fields[i:i] = [parts.fields[i]]
    elif kind == 2:
        parts.fields.append((random.choice((1, 0x7FFF, 0x800A, 0x800B, 0x800C, 0x8010)), random.randbytes(random.choice((0, 4, 40)))))
        parts.fields.sort()
    elif kind == 3:
        parts.version = u16(random.choice((0, 1, 2))) + u16(random.choice((0, 9)))
    else:
        parts.fields[i] = tag, altered(random, value)
    return f"header field {tag:#06x}"


def in_the_trailer(random, parts):
    kind = random.randrange(3)
    if kind == 0:
        place = random.randrange(3)
        change = random.choice((-1, 1, 2**63, -(2**63)))
        parts.hooks["counts"] = lambda counts: [n + change * (i == place) for i, n in enumerate(counts)]
    elif kind == 1:
        parts.hooks["trailer"] = lambda trailer: altered(random, trailer)[:240].ljust(240, b"\0")
    else:
        parts.hooks["confirmations"] = lambda confirmations: altered(random, confirmations)
    return "the trailer"


def some_block(random, parts):
    s = random.choice([s for s in SCOPES if parts.sections[s]])
    i = random.randrange(len(parts.sections[s]))
    return s, i, random.randrange(len(parts.sections[s][i][1]))


def put_block(parts, s, i, j, method, plain):
    id, blocks = parts.sections[s][i]
    parts.sections[s][i] = id, blocks[:j] + [(method, plain, plain)] + blocks[j + 1:]


INSIDE = (in_a_message, in_a_message, in_a_message, in_records, in_a_frame, in_an_index, in_the_header, in_the_trailer)


def cases(seed, sources, numbers=()):
    """The cases of these numbers, or else of all, without end."""
    whole = [source for source in sources if source.is_whole]
    for number in numbers or itertools.count(1):
        chance = random.Random(f"{seed} {number}")
        source = chance.choice(whole if chance.randrange(3) else sources)
        content, base, what = source.content, source.base, []
        if source.is_whole and chance.randrange(4):
            parts = source.parts
            for _ in range(chance.choice((1, 1, 1, 2))):
                what.append(chance.choice(INSIDE)(chance, parts))
            content = parts.make()
        if not any(what) or not chance.randrange(6):
            if base and not chance.randrange(3):
                base, one = in_the_file(chance, base)
                one = "the base: " + one
            else:
                content, one = in_the_file(chance, content)
            what.append(one)
        yield Case(f"{seed}-{number}", source.reader, content, base, f"{source.name}: " + ", ".join(filter(None, what)))
