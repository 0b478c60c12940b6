"""Writes Fueki archives from the format page, independently of the program, with room for every kind of fault.

A Plan says what an archive holds. Its hooks, named after what they are given, change one part on the way; all
that is computed later, digests included, follows the change. Each hook takes the part and returns it, changed.

    fields(list of (tag, value))             before the transcript, without the confirmations
    encoded_slots(list of bytes)
    confirmations(bytes)
    header_fields(bytes)                     all fields as encoded
    profile(list of Section)                 the manifest among them
    index(scope, Index)                      the entries that are encoded
    index_bytes(scope, bytes)
    footer(scope, index length, magic)       gives 8 bytes
    fill(scope, bytes)
    plaintext(scope, bytes)
    sealed(scope, list of chunks)
    scope_fields(list of d(s))               gives the manifest's first fields
    count(scope, number)                     of the stream's chunks
    leaves(list), leaf_root(bytes), archive_digest(bytes), signature(bytes), seals(bytes)
    counts(list), trailer(bytes)             before the check field
    behind(list of (tag, value))             the fields behind the confirmations
"""

import hashlib
import hmac
from collections import namedtuple
from dataclasses import dataclass, field, replace

import nacl.bindings as sodium

import xwing

MAGIC = bytes.fromhex("89464b410d0a1a0a")
PIECE, CHUNK, MIB = 16384, 16400, 1 << 20
FLOOR = (65536, 2)
SCOPES = {1: "profile", 2: "history", 3: "secrets"}

Section = namedtuple("Section", "id blocks")
Block = namedtuple("Block", "records plaintext method stored")
Entry = namedtuple("Entry", "id records length digest blocks")


def number(value, size):
    return value.to_bytes(size, "little")


def u16(value):
    return number(value, 2)


def u32(value):
    return number(value, 4)


def u64(value):
    return number(value, 8)


def H(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def extract(salt, ikm):
    return hmac.digest(salt, ikm, "sha256")


def expand(prk, info, count):
    output, last = b"", b""
    while len(output) < count:
        last = hmac.digest(prk, last + info + bytes([len(output) // 32 + 1]), "sha256")
        output += last
    return output[:count]


def aead(key, nonce, plaintext, additional=b""):
    return sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(plaintext, additional, nonce, key)


def padme(n):
    """PADMÉ of a number of chunks, from 4."""
    e = n.bit_length() - 1
    s = e.bit_length()
    step = 2 ** (e - s)
    return (n + step - 1) // step * step


def varint(value):
    output = b""
    while value > 127:
        output += bytes([value & 127 | 128])
        value >>= 7
    return output + bytes([value])


def record(message):
    return varint(len(message)) + message


def stored(*messages):
    """A block of records as they are."""
    plaintext = b"".join(map(record, messages))
    return Block(len(messages), plaintext, 0, plaintext)


def framed(frame, *messages):
    """A block of records in a zstd frame; frame gives it from the plaintext."""
    plaintext = b"".join(map(record, messages))
    return Block(len(messages), plaintext, 1, frame(plaintext))


# Slots

_derived = {}


def argon2id(passphrase, salt, memory, passes):
    case = passphrase, salt, memory, passes
    if case not in _derived:
        _derived[case] = sodium.crypto_pwhash_alg(
            32, passphrase, salt, passes, memory * 1024, sodium.crypto_pwhash_ALG_ARGON2ID13
        )
    return _derived[case]


@dataclass(frozen=True)
class Slot:
    """A slot to be: secret is what its type makes of the caller's secrets, or a function that gives it."""

    type: int
    mask: int
    parameters: bytes
    secret: object
    roots: dict = None  # others than the archive's

    def encode(self, archive_id, roots):
        roots = self.roots or roots
        secret = self.secret() if callable(self.secret) else self.secret
        info = b"fueki/1 slot" + bytes([self.type, self.mask]) + self.parameters
        okm = expand(extract(archive_id, secret), info, 64)
        keys = b"".join(roots[s] for s in SCOPES if self.mask >> (s - 1) & 1)
        body = self.parameters + okm[32:] + aead(okm[:32], bytes(24), keys)
        return bytes([self.type, self.mask]) + u16(len(body)) + body


def passphrase_slot(passphrase, salt, mask=7, cost=FLOOR, key_file=None, roots=None, cheap=False):
    """Type 1, or type 2 with a key file. A cheap one has a secret that no passphrase gives."""

    def secret():
        first = H(salt) if cheap else argon2id(passphrase.encode(), salt, *cost)
        return first + (H(key_file) if key_file is not None else b"")

    parameters = salt + u32(cost[0]) + u32(cost[1])
    return Slot(1 if key_file is None else 2, mask, parameters, secret, roots)


def recipient_slot(kind, mask, ephemeral_private, recipient_private, more=b""):
    """Type 3, or type 4 with the guardians' numbers in more."""
    ephemeral = sodium.crypto_scalarmult_base(ephemeral_private)
    recipient = sodium.crypto_scalarmult_base(recipient_private)
    product = sodium.crypto_scalarmult(ephemeral_private, recipient)
    return Slot(kind, mask, ephemeral + more, product + ephemeral + recipient)


def hybrid_slot(kind, mask, randomness, seed, more=b"", make=None):
    """Type 5, or type 6 with the guardians' numbers in more; make gives another secret of what type 5 makes its of."""
    public = xwing.public_key(seed)
    secret, sealed = xwing.encapsulate(public, randomness)
    make = make or (lambda secret, sealed, public: secret + H(sealed) + H(public))
    return Slot(kind, mask, sealed + more, make(secret, sealed, public))


def stanza(arguments, body):
    """As a slot of type 7 keeps it; the first argument is its type."""
    encoded = b"".join(u16(len(argument)) + argument.encode() for argument in arguments)
    return bytes([len(arguments)]) + encoded + u16(len(body)) + body


def plugin_slot(mask, stanzas, file_key):
    return Slot(7, mask, bytes([len(stanzas)]) + b"".join(stanzas), file_key)


# Archives


@dataclass(frozen=True)
class Plan:
    archive_id: bytes
    vault_id: bytes
    roots: dict
    slots: tuple
    sections: dict = field(default_factory=dict)  # by scope
    manifest: bytes = b""
    sequence: int = 1
    previous: bytes = bytes(32)
    created: int = 1795240800
    signer_seed: bytes = None
    extra_fields: tuple = ()
    suite: int = 1
    base: bytes = None  # of a differential archive, header field 0x800B
    covered: bytes = None  # header field 0x800C, with which the signature covers the seals
    signed: object = None  # gives what is signed, of digest and seals, if it is to be wrong
    version: tuple = (1, 0)
    length: int = None  # L, if it is to be wrong
    keys_of: object = None  # the Archive whose transcript makes the keys, so that its chunks stay as they are
    hooks: dict = field(default_factory=dict)

    def but(self, **changes):
        """The plan with some parts changed; names that it does not have are hooks."""
        own = {name: changes.pop(name) for name in list(changes) if name in self.__dataclass_fields__}
        return replace(self, hooks={**self.hooks, **changes}, **own)


def signed_digest(digest, seals):
    return b"fueki/1 signature" + digest


def signed_seals(digest, seals):
    return b"fueki/1 signature of seals" + digest + seals


class Archive:
    """The archive that a plan gives, part by part."""

    def __init__(self, plan):
        self.plan = plan
        self.public_key = self.signing_key = None
        if plan.signer_seed:
            self.public_key, self.signing_key = sodium.crypto_sign_seed_keypair(plan.signer_seed)
        self._header()
        self._streams()
        self._end()
        self.bytes = b"".join(self.parts)

    def _hook(self, name, *arguments):
        part = arguments[-1]
        return self.plan.hooks[name](*arguments) if name in self.plan.hooks else part

    def _header(self):
        plan = self.plan
        self.prk = {s: extract(plan.archive_id, root) for s, root in plan.roots.items()}
        self.slots = self._hook(
            "encoded_slots", [slot.encode(plan.archive_id, plan.roots) for slot in plan.slots]
        )
        fields = list(plan.extra_fields) + [
            (0x8001, u16(plan.suite)),
            (0x8002, plan.archive_id),
            (0x8003, plan.vault_id),
            (0x8004, u64(plan.sequence)),
            (0x8005, plan.previous),
            (0x8006, u64(plan.created)),
        ]
        fields += [(0x8007, self.public_key)] if self.public_key else []
        fields = self._hook("fields", fields + [(0x8008, b"".join(self.slots))])
        covered = b"".join(u16(tag) + u32(len(value)) + value for tag, value in fields)
        prefix = MAGIC + u16(plan.version[0]) + u16(plan.version[1])
        # Behind the confirmations, and covered like the fields before them.
        behind = [(0x800B, plan.base), (0x800C, plan.covered)]
        behind = self._hook("behind", [(tag, value) for tag, value in behind if value is not None])
        behind = b"".join(u16(tag) + u32(len(value)) + value for tag, value in behind)
        # The transcript covers L, which is known before the confirmations are.
        L = u32(len(covered) + 6 + 96 + len(behind) if plan.length is None else plan.length)
        self.T = H(b"fueki/1 transcript", prefix + L, covered, behind)
        self.keys_T = plan.keys_of.T if plan.keys_of else self.T
        confirmations = self._hook(
            "confirmations",
            b"".join(expand(self.prk[s], b"fueki/1 confirm" + bytes([s]) + self.T, 32) for s in SCOPES),
        )
        encoded = self._hook("header_fields", covered + u16(0x8009) + u32(len(confirmations)) + confirmations + behind)
        head = prefix + (L if plan.length is not None else u32(len(encoded))) + encoded
        self.header = head + H(head)
        self.L = len(encoded)

    def _streams(self):
        plan = self.plan
        sections = {s: list(plan.sections.get(s, ())) for s in SCOPES}
        self.scope_digests = []
        for s in SCOPES:
            covered = b"".join(self._summary(section) for section in sections[s] if section.id != 1)
            info = b"fueki/1 scope" + bytes([s]) + self.T + H(covered)
            self.scope_digests.append(expand(self.prk[s], info, 32))
        self.bundle_checksum = H(b"fueki/1 bundle", *self.scope_digests)
        first = b"".join(bytes([i << 3 | 2, 32]) + d for i, d in enumerate(self.scope_digests, 1))
        if "scope_fields" in plan.hooks:
            first = plan.hooks["scope_fields"](self.scope_digests)
        manifest = Section(1, [stored(first + plan.manifest)])
        sections[1] = self._hook("profile", [manifest] + sections[1])
        self.sections = sections
        self.plaintexts = {s: self._plaintext(s, sections[s]) for s in SCOPES}
        self.chunks = {s: self._hook("sealed", s, self._seal(s, self.plaintexts[s])) for s in SCOPES}
        self.counts = [len(self.chunks[s]) for s in SCOPES]

    @staticmethod
    def entry(section):
        plaintext = b"".join(block.plaintext for block in section.blocks)
        blocks = [(block.method, len(block.stored), len(block.plaintext)) for block in section.blocks]
        return Entry(
            section.id, sum(block.records for block in section.blocks), len(plaintext), H(plaintext), blocks
        )

    @classmethod
    def _summary(cls, section):
        entry = cls.entry(section)
        return u16(entry.id) + u64(entry.records) + u64(entry.length) + entry.digest

    def _plaintext(self, s, sections):
        entries = self._hook("index", s, [self.entry(section) for section in sections])
        index = u16(len(entries))
        for entry in entries:
            index += u16(entry.id) + u64(entry.records) + u64(entry.length) + entry.digest
            index += u32(len(entry.blocks))
            index += b"".join(bytes([method]) + u32(a) + u32(b) for method, a, b in entry.blocks)
        index = self._hook("index_bytes", s, index)
        footer = u32(len(index)) + b"FKIX"
        if "footer" in self.plan.hooks:
            footer = self.plan.hooks["footer"](s, footer)
        blocks = b"".join(block.stored for section in sections for block in section.blocks)
        needed = -(-(len(blocks) + len(index) + len(footer)) // PIECE)
        count = self._hook("count", s, padme(max(4, needed)))
        fill = self._hook("fill", s, bytes(count * PIECE - len(blocks) - len(index) - len(footer)))
        self.index_at = {**getattr(self, "index_at", {}), s: len(blocks) + len(fill)}
        return self._hook("plaintext", s, blocks + fill + index + footer)

    def keys(self, s):
        stream = expand(self.prk[s], b"fueki/1 stream" + bytes([s]) + self.keys_T, 48)
        return stream[:32], stream[32:]

    def seal(self, s, plaintext, i, last):
        key, prefix = self.keys(s)
        return aead(key, prefix + u64(i + (2**63 if last else 0)), plaintext)

    def _seal(self, s, plaintext):
        count = len(plaintext) // PIECE
        return [self.seal(s, plaintext[i * PIECE : (i + 1) * PIECE], i, i == count - 1) for i in range(count)]

    def _end(self):
        chunks = [chunk for s in SCOPES for chunk in self.chunks[s]]
        self.all_chunks = chunks
        leaves = [H(b"\0", u64(j), chunk) for j, chunk in enumerate(chunks)]
        root = self._hook("leaf_root", H(b"fueki/1 leaves", *leaves))
        leaves = self._hook("leaves", leaves)
        counts = self._hook("counts", self.counts)
        head = b"".join(map(u64, counts)) + self.header[-32:] + root
        self.digest = self._hook("archive_digest", H(b"fueki/1 archive", head))
        seals = b"".join(expand(self.prk[s], b"fueki/1 seal" + bytes([s]) + self.digest, 16) for s in SCOPES)
        signature = bytes(64)
        if self.signing_key:
            signed = self.plan.signed or (signed_digest if self.plan.covered is None else signed_seals)
            signature = sodium.crypto_sign(signed(self.digest, seals), self.signing_key)[:64]
        signature = self._hook("signature", signature)
        seals = self._hook("seals", seals)
        body = self._hook("trailer", head + self.digest + signature + seals + bytes(8))
        self.trailer = body + H(b"fueki/1 trailer", body)[:8] + MAGIC[::-1]
        self.parts = [self.header, *chunks, self.trailer, *leaves, self.header, self.trailer]

    # Where things are, for faults in the finished file.

    def chunk_at(self, j):
        return len(self.header) + j * CHUNK

    @property
    def trailer_at(self):
        return self.chunk_at(len(self.all_chunks))

    def leaf_at(self, j):
        return self.trailer_at + 256 + 32 * j

    @property
    def header_copy_at(self):
        return self.leaf_at(len(self.all_chunks))

    @property
    def trailer_copy_at(self):
        return self.header_copy_at + len(self.header)

    def share_key(self, share_id):
        return expand(self.prk[3], b"fueki/1 share" + share_id, 32)


def seal_share(archive_id, roots, share_id, nonce, secret):
    """A key share's sealed bytes; the key is bound to the archive id and not to the header."""
    key = expand(extract(archive_id, roots[3]), b"fueki/1 share" + share_id, 32)
    return nonce + aead(key, nonce, secret, share_id)
