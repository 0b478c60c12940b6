"""How test vectors are put down: whole files, edits of one, or chunks in plain with their keys; each with what a reader must find."""

import json
import os
from itertools import groupby

import nacl.bindings as sodium

from chacha import stream_key
from writer import CHUNK, H, PIECE, SCOPES, u64

DEPTHS = ("structure", "checksums", "open", "contents")
VERDICTS = (
    "ok",
    "not an archive",
    "incomplete",
    "damaged",
    "too new",
    "not signed by a trusted signer",
    "older than known",
    "forked",
    "wrong secret",
    "over limit",
    "forged or inconsistent",
    "base missing",
)


class Vectors:
    """Collects vectors, each name once, until they are written."""

    def __init__(self):
        self.archives, self.vectors = {}, {}

    def write(self, folder):
        """Writes the vectors' files into a new folder."""
        os.makedirs(folder)
        bases = {stored.get("base") for _, stored, _ in self.vectors.values()}
        for name, (first, stored, rest) in self.vectors.items():
            if name in bases:
                with open(os.path.join(folder, name + ".fueki"), "wb") as file:
                    file.write(self.archives[name].bytes)
            elif not stored:
                stored = unsealed(self.archives[name])
            with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
                file.write(json.dumps(first | stored | rest, indent=1, ensure_ascii=False) + "\n")

    def whole(self, name, description, archive, **facts):
        """Keeps an archive, which other vectors may be edits of: then its bytes are a file."""
        self.archives[name] = archive
        self._put(name, description, archive.bytes, {}, archive=archive, **facts)

    def edited(self, name, description, base, content, **facts):
        """A vector that is kept as edits, where the base has the same keys; content is an Archive or bytes."""
        old = archive = self.archives[base]
        if isinstance(content, bytes):
            new = content
        else:
            new, archive = content.bytes, content
        stored = {"base": base, "edits": difference(old.bytes, new)}
        # With other keys, every byte of every chunk differs from the base.
        if new == archive.bytes and sum(len(edit["insert"]) for edit in stored["edits"]) > len(new):
            stored = unsealed(archive)
        else:
            assert made(old.bytes, stored) == new, name
        self._put(name, description, new, stored, archive=archive, **facts)

    def same(self, name, description, base, **facts):
        """Another reader of the same bytes."""
        archive = self.archives[base]
        self._put(name, description, archive.bytes, {"base": base, "edits": []}, archive=archive, **facts)

    def _put(
        self,
        name,
        description,
        content,
        stored,
        verdict="ok",
        depth="contents",
        reader=None,
        archive=None,
        scopes=(1, 2, 3),
        facts=None,
        **more,
    ):
        assert name not in self.vectors, name
        assert verdict in VERDICTS and depth in DEPTHS and more.get("messages", "ok") in VERDICTS, name
        first = {"description": description, "length": len(content), "sha256": H(content).hex()}
        rest = {"reader": reader or {}, "depth": depth, "verdict": verdict} | more
        if facts is None:
            facts = verdict == "ok" and depth == "contents"
        if facts:
            rest["archive"] = describe(archive, scopes)
        self.vectors[name] = first, stored, rest


def describe(archive, scopes):
    """What a reader that opens these scopes must find."""
    plan = archive.plan
    slots = [{"type": slot[0], "mask": slot[1]} for slot in archive.slots]
    sections = []
    for s in scopes:
        for section in archive.sections[s]:
            entry = archive.entry(section)
            sections.append(
                {
                    "id": entry.id,
                    "records": entry.records,
                    "bytes": entry.length,
                    "sha256": entry.digest.hex(),
                }
            )
    return {
        "digest": archive.digest.hex(),
        "minor": plan.version[1],
        "vault": plan.vault_id.hex(),
        "sequence": plan.sequence,
        "previous": plan.previous.hex(),
        "created": plan.created,
        "signer": archive.public_key.hex() if archive.public_key else None,
        "slots": slots,
        "unknown_fields": [tag for tag, _ in plan.extra_fields],
        "chunks": archive.counts,
        "scopes": [SCOPES[s] for s in scopes],
        "bundle_checksum": archive.bundle_checksum.hex() if 1 in scopes else None,
        "sections": sections,
    }


def made(base, vector):
    """A vector's bytes, from those of the file that it is based on."""
    output, position = [], 0
    for edit in vector.get("edits", ()):
        output += [base[position : edit["offset"]], bytes.fromhex(edit["insert"]) * edit.get("repeat", 1)]
        position = edit["offset"] + edit["remove"]
    content = bytearray(b"".join(output + [base[position:]]))
    for stream in vector.get("sealed", ()):
        key, chunks = bytes.fromhex(stream["key"]), stream["chunks"]
        for i in range(chunks):
            at = stream["offset"] + CHUNK * i
            nonce = bytes(4) + u64(i + (2**63 if i == chunks - 1 else 0))
            plaintext = bytes(content[at : at + PIECE])
            content[at : at + CHUNK] = sodium.crypto_aead_chacha20poly1305_ietf_encrypt(plaintext, b"", nonce, key)
    return bytes(content)


def unsealed(archive):
    """An archive's bytes as insertions into nothing, with the chunks of every stream in plain, and the streams' keys."""
    parts, sealed = [archive.header], []
    for s in SCOPES:
        plaintext, count = archive.plaintexts[s], archive.counts[s - 1]
        sealed.append({"offset": sum(map(len, parts)), "key": stream_key(*archive.keys(s)).hex(), "chunks": count})
        # In the place of each tag are zeros.
        parts += [plaintext[PIECE * i : PIECE * (i + 1)] + bytes(CHUNK - PIECE) for i in range(count)]
    parts.append(archive.bytes[sum(map(len, parts)) :])
    stored = {"edits": replacement(0, 0, b"".join(parts)), "sealed": sealed}
    assert made(b"", stored) == archive.bytes
    return stored


def difference(old, new):
    """Edits that turn one archive's bytes into another's."""
    edits = []
    matches = [(0, 0, len(old))] if len(old) == len(new) else alignment(old, new)
    at_old = at_new = 0
    for start_old, start_new, count in matches + [(len(old), len(new), 0)]:
        if start_old > at_old or start_new > at_new:
            edits += replacement(at_old, start_old - at_old, new[at_new:start_new])
        a, b = old[start_old : start_old + count], new[start_new : start_new + count]
        edits += same_length(a, b, start_old)
        at_old, at_new = start_old + count, start_new + count
    return edits


def alignment(old, new, size=32):
    """Stretches that both have, in order, as (offset in old, offset in new, length)."""
    table = {}
    for i in range(0, len(old) - size + 1, size):
        table.setdefault(old[i : i + size], i)
    matches, at_old, at_new = [], 0, 0
    shared = len(os.path.commonprefix([old, new]))
    if shared:
        matches, at_old, at_new = [(0, 0, shared)], shared, shared
    while at_new < len(new):
        i = table.get(new[at_new : at_new + size], -1)
        # Not as far as the header's copy, which has the same bytes.
        if not at_old <= i < at_old + 100_000:
            at_new += 1
            continue
        back = 0
        while (
            i - back > at_old
            and at_new - back > sum(matches[-1][1:] if matches else (0,))
            and old[i - back - 1] == new[at_new - back - 1]
        ):
            back += 1
        length = len(os.path.commonprefix([old[i:], new[at_new:]]))
        matches.append((i - back, at_new - back, length + back))
        at_old, at_new = i + length, at_new + length
    return matches


def same_length(a, b, offset):
    differing = [i for i in range(len(a)) if a[i] != b[i]] if a != b else []
    edits, start = [], None
    for place, i in enumerate(differing):
        start = i if start is None else start
        follows = differing[place + 1] if place + 1 < len(differing) else None
        # An edit costs about as much room as the hex of 32 bytes.
        if follows is None or follows - i > 32:
            edits += replacement(offset + start, i + 1 - start, b[start : i + 1])
            start = None
    return edits


def replacement(offset, remove, inserted):
    """Edits that put bytes in the place of others, long runs of one byte as repetitions."""
    pieces = []
    for byte, run in groupby(inserted):
        count = len(list(run))
        if count >= 256:
            pieces.append((bytes([byte]), count))
        elif pieces and pieces[-1][1] == 1:
            pieces[-1] = (pieces[-1][0] + bytes([byte]) * count, 1)
        else:
            pieces.append((bytes([byte]) * count, 1))
    edits = [
        {"offset": offset, "remove": 0, "insert": data.hex()} | ({"repeat": count} if count > 1 else {})
        for data, count in pieces or [(b"", 1)]
    ]
    # Only the last of several edits at one place removes what was there.
    edits[-1]["remove"] = remove
    return edits
