#!/usr/bin/env python3
"""Checks a Fueki archive, and opens it if given a secret.

Written from man/fueki-archive.5 alone, independently of the program: names and steps are that page's, format
version 1. Needs Python 3.10, pynacl and zstandard; hybrid keys are read with xwing.py beside it. With --output
it also writes each section's records, and the key shares opened, into a directory; the page's schema says what
is in them. Of a differential archive each --base is tried as its base; the history written is then what the two
files come to.

--shares takes the words of guardians, one share a line; slip39-words.txt beside this file has the list of
words. Exit statuses are those of fueki-backup(1). No plugin of age's is run: with an
identity of one, --file-keys says what it would give.
"""
import argparse
import hashlib
import hmac
import json
import os
import sys
import unicodedata
from collections import namedtuple

import nacl.bindings as sodium
import nacl.exceptions
import zstandard

MAGIC, END_MAGIC = bytes.fromhex("89464b410d0a1a0a"), bytes.fromhex("0a1a0a0d414b4689")
PIECE, CHUNK, TRAILER, MIB, TIB = 16384, 16400, 256, 1 << 20, 1 << 40
ENCAPSULATION = 1120
DAMAGED, FORGED, LIMIT, TOO_NEW = "damaged", "forged or inconsistent", "over limit", "too new"
EXIT = {"ok": 0, "wrong secret": 12, "not an archive": 19, DAMAGED: 20, "incomplete": 21, FORGED: 22,
        "not signed by a trusted signer": 23, "older than known": 24, "forked": 25, "base missing": 26, TOO_NEW: 30, LIMIT: 32}
SCOPES = {1: "profile", 2: "history", 3: "secrets"}
SECTIONS = {1: "manifest", 2: "wallets", 3: "assets", 4: "contacts", 5: "settings",
            6: "key-share-descriptors", 7: "credentials", 8: "files", 32: "transactions", 33: "receipts",
            34: "credential-sharing", 35: "id-token-sharing", 36: "users", 37: "threads", 38: "messages",
            62: "changes", 64: "key-shares", 65: "private-keys", 66: "secret-files"}

Layout = namedtuple("Layout", "header trailer L N counts damage")
Header = namedtuple("Header", "fields slots T")
Slot = namedtuple("Slot", "type mask parameters commitment wrapped")
Section = namedtuple("Section", "id records length digest blocks summary")
Opened = namedtuple("Opened", "layout header digest lost streams prks lost_scopes")
Secrets = namedtuple("Secrets", "passphrases key_file identities hybrids guardians_key shares plugins file_keys")


class Verdict(Exception):
    def __init__(self, verdict, why):
        super().__init__(f"{verdict}: {why}")
        self.verdict, self.why = verdict, why


class Lost(Exception):
    """A chunk that is damaged, in a salvage."""


def require(holds, why, verdict=FORGED):
    if not holds:
        raise Verdict(verdict, why)


# Conventions

def u(data):
    return int.from_bytes(data, "little")


def H(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def extract(salt, ikm):
    return hmac.digest(salt, ikm, "sha256")


def expand(prk, info, count):
    output, block, i = b"", b"", 1
    while len(output) < count:
        block = hmac.digest(prk, block + info + bytes([i]), "sha256")
        output, i = output + block, i + 1
    return output[:count]


def aead_open(key, nonce, sealed, additional=b""):
    """The plaintext, or None where the tag does not hold."""
    try:
        return sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, additional, nonce, key)
    except (nacl.exceptions.CryptoError, nacl.exceptions.ValueError):
        return None


def padme(n):
    E = n.bit_length() - 1
    step = 1 << (E - E.bit_length())
    return -(-n // step) * step


class Cursor:
    def __init__(self, data, what):
        self.data, self.at, self.what = data, 0, what

    def bytes(self, count):
        require(self.at + count <= len(self.data), f"{self.what} ends early")
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, count):
        return u(self.bytes(count))

    def varint(self):
        if self.more and self.data[self.at] < 128:  # most are
            self.at += 1
            return self.data[self.at - 1]
        value = 0
        for i in range(10):
            byte = self.number(1)
            value |= (byte & 127) << (7 * i)
            if byte < 128:
                require(value < 1 << 64, f"{self.what}: a varint is too large")
                return value
        raise Verdict(FORGED, f"{self.what}: a varint is too long")

    @property
    def more(self):
        return self.at < len(self.data)


class File:
    def __init__(self, path):
        self.file = open(path, "rb")
        self.length = os.fstat(self.file.fileno()).st_size

    def at(self, offset, count):
        """What the file has of these bytes, none where the offset lies outside it."""
        if not 0 <= offset <= self.length:
            return b""
        self.file.seek(offset)
        return self.file.read(count)


# Step 1: layout

def locate(file, salvage):
    length, start = file.length, file.at(0, 16)
    has_magic = start[:8] == MAGIC
    if length < 8:
        require(not MAGIC.startswith(start), "the file ends in the magic", "incomplete")
    major, L = u(start[8:10]), u(start[12:16])
    cut_off = has_magic and (length < 16 or length < 48 + L)
    good = has_magic and not cut_off and L <= 65536 and H(file.at(0, 16 + L)) == file.at(16 + L, 32)
    require(not (good and major > 1), f"major version {major}; this reader knows 1", TOO_NEW)
    require(length <= TIB, "the file is longer than 1 TiB", LIMIT)
    header_length = 48 + L

    trailer = file.at(length - TRAILER, TRAILER)
    at_end, end = is_whole(trailer), length
    if not at_end:
        trailer, end = search_trailer(file, header_length) if good else (None, length)
    header, fits, copy = None, False, b""
    if trailer:
        counts = [u(trailer[i:i + 8]) for i in (0, 8, 16)]
        N, total = sum(counts), 2 * header_length + sum(counts) * 16432 + 512
        L2, odd = divmod(end - 512 - N * 16432, 2)
        L2, fits = L2 - 48, not odd and L2 >= 48
        copy = file.at(end - 304 - L2, 16) if at_end and fits else b""
        if fits and L2 <= 65536:
            places = [0, end - 304 - L2] if at_end else [0]
            candidates = (file.at(place, 48 + L2) for place in places)
            header = next((h for h in candidates if h[:8] == MAGIC
                           and H(h[:-32]) == h[-32:] == trailer[24:56]), None)
    if not header:
        stated = [u(h[12:16]) for h in (start, copy) if h[:8] == MAGIC]
        too_long = at_end and fits and L2 > 65536 and L2 in stated or has_magic and major > 1 and L > 65536
        require(not too_long, "the header is over 65536 bytes", LIMIT)
        require(has_magic or copy[:8] == MAGIC, "no magic", "not an archive")
        missing = total > length if trailer else file.at(length - 8, 8) != END_MAGIC
        require(not ((good or cut_off) and missing), "the end is missing", "incomplete")
        unfilled = any(file.at(place, 64) == bytes(64) for place in (0, length - 64))
        require(not unfilled, "a part was never filled", "incomplete")
        raise Verdict(DAMAGED, "no header and trailer that are whole and agree")

    damage = []
    chunks_end = 48 + L2 + N * CHUNK
    others = {"header": (0, header), "trailer": (chunks_end, trailer),
              "header copy": (end - 304 - L2, header), "trailer copy": (end - TRAILER, trailer)}
    damage += [name for name, (place, whole) in others.items() if file.at(place, len(whole)) != whole]
    more = [f"{length - end} bytes after the archive"] * (end != length)
    more += ["reserved bytes that are not zero"] * any(trailer[232:240])
    require(salvage or not more, " and ".join(more), DAMAGED)
    damage += more
    require(length >= 198000, "shorter than any archive")
    require(all(n >= 4 and n == padme(n) for n in counts), "a stream's number of chunks")
    return Layout(header, trailer, L2, N, counts, damage)


def is_whole(trailer):
    return (len(trailer) == TRAILER and trailer[248:] == END_MAGIC
            and H(b"fueki/1 trailer", trailer[:240])[:8] == trailer[240:248])


def search_trailer(file, header_length):
    for N in range((file.length - 512 - 2 * header_length) // 16432, -1, -1):
        trailer = file.at(header_length + N * CHUNK, TRAILER)
        if is_whole(trailer) and sum(u(trailer[i:i + 8]) for i in (0, 8, 16)) == N:
            return trailer, 2 * header_length + N * 16432 + 512
    return None, file.length


# Step 2: header

KNOWN = {0x8001: 2, 0x8002: 32, 0x8003: 16, 0x8004: 8, 0x8005: 32, 0x8006: 8, 0x8007: 32, 0x8008: None,
         0x8009: 96, 0x800b: 40, 0x800c: 0}


def parse_header(header, L):
    major, minor = u(header[8:10]), u(header[10:12])
    require(major < 2, f"version {major}.{minor}; this reader knows 1.0", TOO_NEW)
    require(major == 1 and u(header[12:16]) == L, "version 0, or another length in the header")
    fields, bound, last, cursor = {}, [], -1, Cursor(header[16:-32], "the header")
    while cursor.more:
        start = cursor.at
        tag = cursor.number(2)
        require(tag > last, "header fields out of order")
        fields[tag] = cursor.bytes(cursor.number(4))
        if tag != 0x8009:
            bound.append(cursor.data[start:cursor.at])
        last = tag
    for tag in fields:
        require(tag < 0x8000 or tag in KNOWN, f"critical field {tag:#06x}", TOO_NEW)
    suite = fields.get(0x8001, b"")
    require(len(suite) != 2 or u(suite) in (1, 3), f"suite {u(suite)}", TOO_NEW)
    for tag, length in KNOWN.items():
        value = fields.get(tag)
        require(value is not None or tag in (0x8007, 0x800b, 0x800c), f"field {tag:#06x} is missing")
        require(value is None or length in (None, len(value)), f"field {tag:#06x} has another length")
    require(0x8007 in fields or 0x800c not in fields, "a signature that covers the seals, and no signer")
    sequence = u(fields[0x8004])
    require(sequence > 1 or sequence == 1 and not any(fields[0x8005]), "sequence and previous")
    base = base_of(fields)
    if base:
        require(1 <= base[1] < sequence and any(base[0]), "the base's sequence or digest")
        before = fields[0x8005]
        fits = before in (bytes(32), base[0]) if base[1] == sequence - 1 else before != base[0]
        require(fits, "base and previous")
    return Header(fields, parse_slots(fields[0x8008]), H(b"fueki/1 transcript", header[:16], *bound))


def base_of(fields):
    """The digest and the sequence of a differential archive's base."""
    value = fields.get(0x800b)
    return value and (value[:32], u(value[32:]))


def parse_slots(data):
    cursor, raw = Cursor(data, "the slots"), []
    while cursor.more:
        require(len(raw) < 32, "more than 32 slots", LIMIT)
        raw.append((cursor.number(1), cursor.number(1), cursor.bytes(cursor.number(2))))
    require(raw and all(1 <= mask <= 7 for _, mask, _ in raw), "no slots, or a slot's mask")
    slots, seen = [], set()
    for kind, mask, body in raw:
        if kind not in (1, 2, 3, 4, 5, 6, 7):
            slots.append(Slot(kind, mask, b"", b"", b""))
            continue
        sealed = 32 if kind in (3, 4) else ENCAPSULATION
        tags = 4 * (body[sealed + 1] if len(body) > sealed + 1 else 0)
        p = {1: 24, 2: 24, 3: sealed, 4: sealed + 4 + tags, 5: sealed, 6: sealed + 4 + tags,
             7: max(0, len(body) - 48 - 32 * mask.bit_count())}[kind]
        require(len(body) == p + 48 + 32 * mask.bit_count(), "a slot's length")
        slot = Slot(kind, mask, body[:p], body[p:p + 32], body[p + 32:])
        if kind in (4, 6):
            threshold, count, identifier, _ = guardian_numbers(slot)
            in_range = 2 <= threshold <= count <= 16 and identifier < 1 << 15
            require(in_range, "a guardians slot's numbers")
        if kind == 7:
            check_stanzas(slot.parameters)
        require(slot.parameters not in seen, "two slots share parameters")
        seen.add(slot.parameters)
        slots.append(slot)
    return slots


def check_stanzas(parameters):
    """What a plugin of age's made, in a slot of type 7."""
    require(len(parameters) <= 16384, "a plugin slot's parameters are too long")
    cursor = Cursor(parameters, "a plugin slot's stanzas")
    stanzas = cursor.number(1)
    require(1 <= stanzas <= 4, "a plugin slot's number of stanzas")
    for _ in range(stanzas):
        count = cursor.number(1)
        require(1 <= count <= 16, "a stanza's number of arguments")
        for _ in range(count):
            argument = cursor.bytes(cursor.number(2))
            require(1 <= len(argument) <= 2048, "an argument's length")
            require(all(0x21 <= byte <= 0x7e for byte in argument), "an argument's bytes")
        length = cursor.number(2)
        require(length <= 4096, "a stanza's body is too long")
        cursor.bytes(length)
    require(not cursor.more, "a plugin slot's parameters go on")


def guardian_numbers(slot):
    """Threshold, count, identifier and tags, behind the ephemeral key or the encapsulation."""
    numbers = slot.parameters[32 if slot.type == 4 else ENCAPSULATION:]
    return numbers[0], numbers[1], u(numbers[2:4]), numbers[4:]


# Step 3: digests and signature

def check_digests(file, layout, salvage):
    """The archive digest and, for a salvage, the chunks that are lost: None if only their tags can tell."""
    chunks, count, trailer = 48 + layout.L, layout.N, layout.trailer
    table = file.at(chunks + count * CHUNK + TRAILER, 32 * count)
    leaves = [H(b"\0", j.to_bytes(8, "little"), file.at(chunks + j * CHUNK, CHUNK)) for j in range(count)]
    differing = [j for j in range(count) if leaves[j] != table[32 * j:32 * j + 32]]
    chunks_hold = H(b"fueki/1 leaves", *leaves) == trailer[56:88]
    table_holds = H(b"fueki/1 leaves", table) == trailer[56:88]
    digest, why = H(b"fueki/1 archive", trailer[:88]), []
    if differing:
        why.append("the leaf table" if chunks_hold else f"chunks {', '.join(map(str, differing))}")
    if not chunks_hold and not table_holds:
        why.append("the leaf table or its root")
    if digest != trailer[88:120]:
        why.append("the archive digest")
    require(salvage or not why, " and ".join(why), DAMAGED)
    layout.damage.extend(why)
    return digest, set() if chunks_hold else set(differing) if table_holds else None


def check_signature(layout, header, trusted, digest, lost):
    signer, signature = header.fields.get(0x8007), layout.trailer[120:184]
    message = b"fueki/1 signature" + digest
    if 0x800c in header.fields:
        message = b"fueki/1 signature of seals" + digest + layout.trailer[184:232]
    holds = signer is not None and is_signed(signature, message, signer)
    if trusted:
        untrusted = "not signed by a trusted signer"
        require(holds and signer in trusted, "none of those asked for", untrusted)
        require(lost is not None, "nothing ties the chunks to the signature", untrusted)
    require(holds if signer else not any(signature), "the signature")


def is_signed(signature, message, key):
    try:
        sodium.crypto_sign_open(signature + message, key)
        return True
    except nacl.exceptions.CryptoError:
        return False


# Step 4: chain

def check_chain(header, digest, known):
    """Compares the archive with the newest one known, and gives what is to be reported all the same."""
    sequence, previous = u(header.fields[0x8004]), header.fields[0x8005]
    require(sequence >= known[0], f"sequence {sequence}; {known[0]} is known", "older than known")
    require(sequence > known[0] or digest == known[1], "another digest than the known one", "forked")
    base = base_of(header.fields)
    require(not base or base[1] != known[0] or base[0] == known[1], "another base than the known one", "forked")
    if sequence > known[0] + 1:
        return ["gap"]
    if sequence == known[0] + 1:
        require(previous in (known[1], bytes(32)), "not made after the known one", "forked")
        return [] if any(previous) else ["previous unknown"]
    return []


# Steps 5 and 6: slots and keys

def slot_secrets(slot, place, secrets, vault, report):
    """What the caller's secrets give for a slot, and whether it has to open it.

    Its place is that among the slots of its type, from 0.
    """
    if slot.type == 7:
        # No plugin is run here: what it would give is given. Without that it gives nothing.
        key = secrets.file_keys[place] if place < len(secrets.file_keys) else b""
        if len(key) == 16:
            yield key, False
        return
    if slot.type in (1, 2):
        cost = u(slot.parameters[20:]), u(slot.parameters[16:20]) * 1024
        for passphrase in secrets.passphrases:
            key = sodium.crypto_pwhash_alg(32, passphrase, slot.parameters[:16], *cost,
                                           sodium.crypto_pwhash_ALG_ARGON2ID13)
            yield key if slot.type == 1 else key + H(secrets.key_file), False
        return
    is_hybrid, has_guardians = slot.type in (5, 6), slot.type in (4, 6)
    sealed = slot.parameters[:ENCAPSULATION if is_hybrid else 32]
    privates = list(secrets.hybrids if is_hybrid else secrets.identities)
    if has_guardians:
        combined = combine(slot, secrets.shares, vault, report) if secrets.shares else None
        privates = [key for key in (secrets.guardians_key, combined) if key]
    for private in privates:
        # Good shares that combine are those of this very slot.
        is_combined = has_guardians and private != secrets.guardians_key
        try:
            # Whether a point is of small order does not depend on what it is multiplied by.
            product = sodium.crypto_scalarmult(private, sealed[-32:])
        except nacl.exceptions.CryptoError:
            raise Verdict(FORGED, "an ephemeral key of small order") from None
        if is_hybrid:
            import xwing
            public = xwing.public_key(private)
            yield xwing.decapsulate(private, sealed) + H(sealed) + H(public), is_combined
        else:
            yield product + sealed + sodium.crypto_scalarmult_base(private), is_combined


# Guardians' shares: SLIP-39 with one group, iteration exponent 1 and an empty passphrase

def combine(slot, shares, vault, report):
    """The private key, or None where good shares are too few; reports what is wrong with the others."""
    threshold, count, identifier, tags = guardian_numbers(slot)
    good, tagged, problems = {}, set(), []
    for place, text in enumerate(shares, 1):
        words = text.lower().split()
        share = parse_share(words)
        if not share:
            problems.append({"place": place, "fault": "not a share"})
            continue
        tag, member = H(b"fueki/1 guardian", vault, " ".join(words).encode())[:4], share["member"]
        carries_tag = member < count and tag == tags[4 * member:][:4]
        if carries_tag:
            tagged.add(member)
        if not carries_tag or share["identifier"] != identifier:
            problems.append({"place": place, "fault": "foreign"})
        elif member in good:
            problems.append({"place": place, "fault": "doubled"})
        else:
            good[member] = share
    # Of several slots, the one that most shares are good for is told.
    if len(good) >= report.get("good", 0):
        report["good"] = len(good)
        report["shares"] = {"missing": max(0, threshold - len(good)), "problems": problems}
    if len(good) < threshold:
        require(len(tagged) < threshold, "the slot's own shares are of several sets")
        return None
    chosen = [good[i] for i in sorted(good)][:threshold]
    # The iteration exponent, group index, group threshold and count less 1, and threshold less 1.
    require({share["numbers"] for share in chosen} == {(1, 0, 0, 0, threshold - 1)}
            and all(len(share["value"]) == 32 for share in chosen), "the shares' own numbers")
    points = [(share["member"], share["value"]) for share in chosen]
    secret, check = interpolate(points, 255), interpolate(points, 254)
    require(hmac.digest(check[4:], secret, "sha256")[:4] == check[:4], "the shares do not combine")
    left, right = secret[:16], secret[16:]
    for i in (3, 2, 1, 0):
        salt = b"shamir" + identifier.to_bytes(2, "big") + right
        key = hashlib.pbkdf2_hmac("sha256", bytes([i]), salt, 5000, 16)
        left, right = right, bytes(a ^ b for a, b in zip(left, key))
    return right + left


def parse_share(words):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "slip39-words.txt")) as source:
        places = {word: i for i, word in enumerate(source.read().split())}
    values = [places.get(word) for word in words]
    if None in values or len(values) < 20 or rs1024(list(b"shamir") + values) != 1:
        return None
    bits = "".join(f"{value:010b}" for value in values[:-3])
    fill, size = (len(bits) - 40) % 16, (len(bits) - 40) // 16 * 2
    if fill > 8 or not 16 <= size <= 64 or "1" in bits[40:40 + fill]:
        return None
    cut = lambda a, b: int(bits[a:b], 2)
    # An extendable share's checksum is over other bytes, and more groups cannot be needed than there are.
    if cut(15, 16) or cut(24, 28) > cut(28, 32):
        return None
    numbers = cut(16, 20), cut(20, 24), cut(24, 28), cut(28, 32), cut(36, 40)
    return {"identifier": cut(0, 15), "numbers": numbers, "member": cut(32, 36),
            "value": int(bits[40 + fill:], 2).to_bytes(size, "big")}


def rs1024(values):
    generators = (0xe0e040, 0x1c1c080, 0x3838100, 0x7070200, 0xe0e0009, 0x1c0c2412, 0x38086c24, 0x3090fc48,
                  0x21b1f890, 0x3f3f120)
    checksum = 1
    for value in values:
        top, checksum = checksum >> 20, (checksum & 0xfffff) << 10 ^ value
        for i, generator in enumerate(generators):
            checksum ^= generator * (top >> i & 1)
    return checksum


def times(a, b):
    """The product in GF(256) with the polynomial of Rijndael."""
    product = 0
    for i in range(8):
        product ^= a * (b >> i & 1)
        a = a << 1 ^ (0x11b if a & 128 else 0)
    return product


def interpolate(points, x):
    result = bytes(len(points[0][1]))
    for xi, value in points:
        basis = 1
        for xj, _ in points:
            if xj != xi:
                inverse = next(n for n in range(1, 256) if times(n, xi ^ xj) == 1)
                basis = times(basis, times(x ^ xj, inverse))
        result = bytes(r ^ times(basis, v) for r, v in zip(result, value))
    return result


def unwrap(header, secrets, large, report):
    has = {1: secrets.passphrases, 2: secrets.passphrases and secrets.key_file, 3: secrets.identities,
           4: secrets.guardians_key or secrets.shares, 5: secrets.hybrids,
           6: secrets.guardians_key or secrets.shares, 7: secrets.plugins}
    tried = [slot for slot in header.slots if has.get(slot.type)]
    costs = [(u(s.parameters[16:20]), u(s.parameters[20:])) for s in tried if s.type in (1, 2)]
    require(len(costs) <= 4, "more than 4 passphrase slots", LIMIT)
    most, most_together = (4 * MIB, 64 * MIB) if large else (1 * MIB, 16 * MIB)  # in KiB
    for memory, passes in costs:
        require(65536 <= memory <= most and 2 <= passes <= 16, "the cost of a passphrase slot", LIMIT)
    require(sum(memory * passes for memory, passes in costs) <= most_together, "the slots' cost", LIMIT)
    require(sum(s.type == 7 for s in tried) <= 8, "more than 8 plugin slots", LIMIT)
    keys, archive_id = {}, header.fields[0x8002]
    for slot in tried:
        place = [s for s in tried if s.type == slot.type].index(slot)
        for secret, must_open in slot_secrets(slot, place, secrets, header.fields[0x8003], report):
            info = b"fueki/1 slot" + bytes([slot.type, slot.mask]) + slot.parameters
            okm = expand(extract(archive_id, secret), info, 64)
            if not hmac.compare_digest(okm[32:], slot.commitment):
                require(not must_open, "the shares' key does not open their slot")
                continue
            roots = aead_open(okm[:32], bytes(24), slot.wrapped)
            require(roots, "a slot's keys do not open")
            for i, scope in enumerate(s for s in SCOPES if slot.mask >> (s - 1) & 1):
                root = roots[32 * i:32 * i + 32]
                require(keys.setdefault(scope, root) == root, "two slots give different keys")
    missing = report.get("shares", {}).get("missing")
    require(keys, f"{missing} more shares are needed" if missing else "no slot's commitment matches",
            "wrong secret")
    return {scope: extract(archive_id, keys[scope]) for scope in sorted(keys)}


def check_keys(prks, header, trailer, digest):
    for s, prk in prks.items():
        confirm = expand(prk, b"fueki/1 confirm" + bytes([s]) + header.T, 32)
        stated = header.fields[0x8009][32 * s - 32:32 * s]
        require(hmac.compare_digest(confirm, stated), f"the confirmation of {SCOPES[s]}")
    for s, prk in prks.items():
        seal = expand(prk, b"fueki/1 seal" + bytes([s]) + digest, 16)
        require(hmac.compare_digest(seal, trailer[168 + 16 * s:184 + 16 * s]), f"the seal of {SCOPES[s]}")


# Steps 7 to 9: streams

class Stream:
    def __init__(self, file, layout, header, scope, prk, lost):
        keys = expand(prk, b"fueki/1 stream" + bytes([scope]) + header.T, 48)
        self.methods = (1, 2) if u(header.fields[0x8001]) == 3 else (1,)
        self.is_differential = 0x800b in header.fields
        self.key, self.prefix, self.file, self.scope = keys[:32], keys[32:], file, scope
        self.count = layout.counts[scope - 1]
        self.length = self.count * PIECE
        self.first, self.lost = sum(layout.counts[:scope - 1]), lost
        self.start = 48 + layout.L + self.first * CHUNK
        self.sections = self.read_index()

    def piece(self, i):
        if self.lost is not None and self.first + i in self.lost:
            raise Lost
        counter = i + (1 << 63) * (i == self.count - 1)
        plain = aead_open(self.key, self.prefix + counter.to_bytes(8, "little"),
                          self.file.at(self.start + i * CHUNK, CHUNK))
        if plain is None and self.lost is None:
            raise Lost
        require(plain is not None, f"chunk {i} of {SCOPES[self.scope]} does not open")
        return plain

    def read(self, offset, count):
        first = offset // PIECE
        joined = b"".join(self.piece(i) for i in range(first, -(-(offset + count) // PIECE)))
        return joined[offset - first * PIECE:][:count]

    def read_index(self):
        name, end = SCOPES[self.scope], self.piece(self.count - 1)[-8:]
        require(end[4:] == b"FKIX", f"no index in {name}")
        size = u(end[:4])
        require(size <= 16 * MIB, f"the index of {name} is over 16 MiB", LIMIT)
        require(size <= self.length - 8, f"the index of {name} does not fit")
        self.index_start = self.length - 8 - size
        cursor, sections, last = Cursor(self.read(self.index_start, size), f"the index of {name}"), [], 0
        for _ in range(cursor.number(2)):
            summary = cursor.bytes(50)
            section = Section(u(summary[:2]), u(summary[2:10]), u(summary[10:18]), summary[18:], [], summary)
            require(last < section.id and max(1, 32 * self.scope - 32) <= section.id < 32 * self.scope,
                    f"{name}: a section's id")
            require(section.records, f"{name}: a section without records")
            count = cursor.number(4)
            require(count <= (size - cursor.at) // 9, f"{name}: more blocks than the index holds")
            section.blocks.extend((cursor.number(1), cursor.number(4), cursor.number(4)) for _ in range(count))
            sections.append(section)
            last = section.id
        require(not cursor.more, f"the index of {name} goes on")
        largest = max((max(block[1:]) for section in sections for block in section.blocks), default=0)
        require(largest <= 16 * MIB, f"{name}: a block over 16 MiB", LIMIT)
        manifests = [section.records for section in sections if section.id == 1]
        require(manifests == [1] * (self.scope == 1), "not one manifest")
        if self.scope == 2:
            changes = [section.records for section in sections if section.id == 62]
            require(changes == [1] * self.is_differential, "not one record of changes, or one in a full archive")
            here = sum(section.records for section in sections if section.id < 62)
            require(not self.is_differential or here <= MOST_CHANGED, "too many records differ", LIMIT)
        return sections

    def check_lengths(self):
        name = SCOPES[self.scope]
        for section in self.sections:
            blocks = sum(block[2] for block in section.blocks)
            require(section.length == blocks, f"{name}: a section's length")
            for method, stored, plain in section.blocks:
                packed = method in self.methods and stored < plain and self.scope != 3
                require(method == 0 and stored == plain or packed, f"{name}: a block's method or lengths")
        self.blocks_end = sum(block[1] for section in self.sections for block in section.blocks)
        require(self.blocks_end <= self.index_start, f"{name}: the blocks run into the index")
        used = self.blocks_end + self.length - self.index_start
        require(self.count == padme(max(4, -(-used // PIECE))), f"{name}: more chunks than it needs")

    def blocks(self):
        """Each section with the plaintext of each of its blocks, checked; None for one that is lost."""
        offset = 0
        for section in self.sections:
            for method, stored, plain in section.blocks:
                try:
                    data = self.read(offset, stored)
                    yield section, plain, unpack(method, data, plain)
                except Lost:
                    yield section, plain, None
                offset += stored

    def check_contents(self, files):
        """Checks blocks, records, digests and fill, and gives what section 1 holds.

        Messages are checked, and the parts of files added to files, unless that is None.
        """
        digests, manifest = {section.id: hashlib.sha256() for section in self.sections}, b""
        self.kept = {section.id: {"records": 0, "position": 0, "gaps": [], "lost": 0}
                     for section in self.sections}
        for section, plain, data in self.blocks():
            kept = self.kept[section.id]
            start = kept["position"]
            kept["position"] += plain
            if data is None:
                kept["lost"] += 1
                if not kept["gaps"] or kept["gaps"][-1]["bytes"][1] < start:
                    kept["gaps"].append({"bytes": [start, start], "after": kept["records"]})
                kept["gaps"][-1]["bytes"][1] += plain
                continue
            found = list(records(data))
            fits = found and (len(data) <= MIB or len(found) == 1)
            require(fits, f"section {section.id}: a block's records")
            for message in found if files is not None else ():
                check_message(section.id, message)
                files.add(section.id, message)
            kept["records"] += len(found)
            digests[section.id].update(data)
            manifest = found[0] if section.id == 1 else manifest
        for i in range(self.blocks_end // PIECE, self.count):
            start, end = (min(max(at - i * PIECE, 0), PIECE) for at in (self.blocks_end, self.index_start))
            try:
                require(not any(self.piece(i)[start:end]), f"{SCOPES[self.scope]}: fill that is not zero")
            except Lost:
                pass
        for section in self.sections:
            kept, digest = self.kept[section.id], digests[section.id]
            kept["sha256"], lost = digest.hexdigest(), section.records - kept["records"]
            most = sum(gap["bytes"][1] - gap["bytes"][0] for gap in kept["gaps"])
            require(kept["lost"] <= lost <= most, f"section {section.id}: its number of records")
            require(kept["gaps"] or digest.digest() == section.digest, f"section {section.id}: its digest")
        return manifest


def unpack(method, stored, plain):
    """A block's plaintext, which has plain bytes."""
    if method == 0:
        return stored
    if method == 1:
        return inflate(stored, plain, plain)
    return ColumnForm(inflate(stored, 0, min(2 * plain, plain + 65536)), plain).plaintext


def inflate(frame, least, most):
    cursor = Cursor(frame, "a zstd block")
    require(cursor.bytes(4) == b"\x28\xb5\x2f\xfd", "a block is not a zstd frame")
    descriptor = cursor.number(1)
    single = descriptor >> 5 & 1
    require(not descriptor & 7, "a zstd block with a checksum or a dictionary")
    if not single:
        w = cursor.number(1)
        require((8 + w % 8) << (7 + w // 8) <= 8 * MIB, "a zstd block's window", LIMIT)
    width = (single, 2, 4, 8)[descriptor >> 6]
    size = cursor.number(width) + 256 * (width == 2)
    require(width, "a zstd block without its content size")
    require(not single or size <= 16 * MIB, "a zstd block's content, which is its window", LIMIT)
    require(size <= most, "a zstd block's content size", FORGED if least == most else LIMIT)
    require(size >= least, "a zstd block's content size")
    try:
        data = zstandard.ZstdDecompressor().decompress(frame, max_output_size=size, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise Verdict(FORGED, f"a zstd block: {error}") from None
    require(len(data) == size, "a zstd block's length")
    return data


def varint(value):
    output = bytearray()
    while value > 127:
        output.append(value & 127 | 128)
        value >>= 7
    return bytes(output) + bytes([value])


class ColumnForm:
    """A block in columns; column 0 stands for that of raw records."""

    def __init__(self, form, plain):
        self.cursor, self.plain = Cursor(form, "a column form"), plain
        self.read_shapes()
        # The values of each column, in order: for wire type 2 payloads, else as they stand.
        self.columns = {key: self.column(key) for key in sorted(self.counts)}
        require(not self.cursor.more, "a column form goes on")
        self.plaintext = self.make()

    def read_shapes(self):
        cursor = self.cursor
        records, count = cursor.number(4), cursor.number(2)
        require(1 <= records <= self.plain, "a column form's number of records")
        require(1 <= count <= 4096, "a column form's number of shapes")
        self.shapes = [self.shape() for _ in range(count)]
        require(not self.shapes[0], "shape 0 has tags")
        numbers = cursor.bytes(2 * records)
        self.numbers = [u(numbers[i:i + 2]) for i in range(0, 2 * records, 2)]
        require(max(self.numbers) < count, "a record's shape")
        require(sum(len(self.shapes[i]) for i in self.numbers) <= self.plain, "a column form's sum of tags")
        self.counts = {0: self.numbers.count(0)} | {tag: 0 for shape in self.shapes for tag in shape}
        for number in self.numbers:
            for tag in self.shapes[number]:
                self.counts[tag] += 1

    def shape(self):
        count = self.cursor.number(2)
        require(count <= 256, "a shape of more than 256 tags")
        tags = [self.value()[0] for _ in range(count)]
        require(all(1 <= tag >> 3 < 1 << 29 and tag & 7 in (0, 1, 2, 5) for tag in tags), "a shape's tag")
        return tags

    def value(self):
        """A varint, and its bytes."""
        start = self.cursor.at
        number = self.cursor.varint()
        stands = self.cursor.data[start:self.cursor.at]
        require(stands == varint(number), "a varint that is not minimal in a column form")
        return number, stands

    def column(self, key):
        cursor, count = self.cursor, self.counts[key]
        if key & 7 in (1, 5):
            width = 8 if key & 7 == 1 else 4
            data = cursor.bytes(width * count)
            return [data[i:i + width] for i in range(0, len(data), width)]
        length = cursor.number(4)
        end = cursor.at + length
        require(end <= len(cursor.data), "a column goes beyond its form")
        values = [self.value() for _ in range(count)]
        require(cursor.at == end, "a column's byte length")
        if key and key & 7 == 0:
            return [stands for _, stands in values]
        return [cursor.bytes(length) for length, _ in values]

    def make(self):
        columns = {key: iter(values) for key, values in self.columns.items()}
        output = bytearray()
        for number in self.numbers:
            message = bytearray()
            for tag in self.shapes[number]:
                value = next(columns[tag])
                message += varint(tag) + (varint(len(value)) if tag & 7 == 2 else b"") + value
            if number == 0:
                message = next(columns[0])
            output += varint(len(message)) + message
            require(len(output) <= self.plain, "a column form gives too much")
        require(len(output) == self.plain, "a column form gives too little")
        return bytes(output)


def records(block):
    cursor = Cursor(block, "a record")
    while cursor.more:
        start, size = cursor.at, cursor.varint()
        require(cursor.at - start == max(1, -(-size.bit_length() // 7)), "a record's length is not minimal")
        require(cursor.at - start + size <= 16 * MIB, "a record over 16 MiB", LIMIT)
        yield cursor.bytes(size)


def wire_fields(message):
    """A Protocol Buffers message's fields, as (number, wire type, value)."""
    cursor = Cursor(message, "a message")
    while cursor.more:
        key = cursor.varint()
        number, wire = key >> 3, key & 7
        require(1 <= number < 1 << 29 and wire in (0, 1, 2, 5), "a field's key")
        if wire == 0:
            yield number, wire, cursor.varint()
        else:
            yield number, wire, cursor.bytes(cursor.varint() if wire == 2 else 8 if wire == 1 else 4)


def fields_of(message):
    """The fields as (number, value); None for those that are numbers."""
    return ((number, value if wire == 2 else None) for number, wire, value in wire_fields(message))


# Messages and files

# Of each message of the page's schema, the fields that are text, and those that are messages, with their names.
SCHEMA = {
    name: {int(number): inner for number, _, inner in (field.partition("=") for field in fields)}
    for name, *fields in (line.split() for line in """
    Extra 1 4 6
    Checkpoint
    KeychainIndex 1
    Endpoint 1 2
    Account 2 5
    Wallet 2 3 4 5 7 8 9 10=Checkpoint 11=Checkpoint 12=Checkpoint 13=KeychainIndex 15=Extra 16=Endpoint 17=Account 19 24
    Asset 3 5 6 8 9 15=Extra
    Transaction 6 7 8 12 13 15=Extra 16
    Log
    Receipt 3 4=Log 6 15=Extra
    Contact 2 4 5 6 15=Extra
    Setting 1 2 15=Extra
    PartyPoint
    KeyShareDescriptor 3 4 12=PartyPoint 13 14 15=Extra
    KeyShare
    PrivateKey 3 4
    Credential 2 3 4 6 9 10 11 15=Extra
    Claim 1 2 3
    CredentialSharing 2 3 6 7=Claim 8 9 10 11 12 15=Extra
    IdTokenSharing 2 3 15=Extra
    ChatUser 2 3 15=Extra
    ChatThread 3 15=Extra
    ChatMessage 4 15=Extra
    FilePart 2 9 11 15=Extra 17 18
    SectionCount
    Exclusion 1 2
    SourceReport 1 2=SectionCount 3=Exclusion
    RecordProblem 3
    UnknownColumn 1 2 3
    Manifest 4 6 7 8=SourceReport 9 10=UnknownColumn 11=RecordProblem 15=Extra
    """.strip().splitlines())
}
MESSAGES = {1: "Manifest", 2: "Wallet", 3: "Asset", 4: "Contact", 5: "Setting", 6: "KeyShareDescriptor",
            7: "Credential", 8: "FilePart", 32: "Transaction", 33: "Receipt", 34: "CredentialSharing",
            35: "IdTokenSharing", 36: "ChatUser", 37: "ChatThread", 38: "ChatMessage", 64: "KeyShare",
            65: "PrivateKey", 66: "FilePart"}


def check_message(section, message):
    """Step 9's part; of a section that is not known, nothing."""
    if section not in MESSAGES:
        return
    try:
        check_texts(message, SCHEMA[MESSAGES[section]])
    except Verdict as error:
        raise Verdict(FORGED, f"section {section}: {error.why}") from None
    if section >= 64:
        last = {number: value for number, wire, value in wire_fields(message) if wire == 2}
        require(len(last.get(1, b"")) == 16, f"section {section}: an id that has not 16 bytes")
        require(section != 65 or 5 in last, f"section {section}: no secret")


def check_texts(message, shape):
    for number, wire, value in wire_fields(message):
        inner = shape.get(number) if wire == 2 else None
        if inner:
            check_texts(value, SCHEMA[inner])
        elif inner is not None and not value.isascii():
            try:
                value.decode()
            except UnicodeDecodeError:
                raise Verdict(FORGED, "a text that is not UTF-8") from None


class Files:
    """The parts of the original files, as they are met."""

    def __init__(self):
        self.files = {}

    def add(self, section, message):
        if section not in (8, 66):
            return
        part = {1: b"", 2: b"", 3: b"", 4: 0, 5: 0, 6: b""}
        for number, wire, value in wire_fields(message):
            if number in part and wire == (0 if number in (4, 5) else 2):
                part[number] = value
        offset, total, content = part[4], part[5], part[6]
        key = section, part[1], part[2], part[3]
        file = self.files.setdefault(key, {"total": total, "parts": {}, "agree": True})
        digest = len(content), H(content)
        same = not content or file["parts"].setdefault(offset, digest) == digest
        file["agree"] &= same and total == file["total"] and offset + len(content) <= total

    def check(self):
        for (section, *_), file in sorted(self.files.items()):
            end = 0
            for offset, (count, _) in sorted(file["parts"].items()):
                file["agree"] &= offset == end
                end += count
            whole = file["agree"] and end == file["total"]
            require(whole, f"section {section}: a file whose parts are not the whole of it")


# Differential archives

MOST_CHANGED = 4_194_304


def whole_fields(message, number):
    """The fields with this number, as (wire type, value); None where the message is no sequence of fields."""
    try:
        return [(wire, value) for found, wire, value in wire_fields(message) if found == number]
    except Verdict:
        return None


def identity(section, message):
    found = whole_fields(message, 2 if section == 33 else 1)
    if found and found[-1][0] == 2 and found[-1][1]:
        return b"\0" + found[-1][1]
    return b"\1" + H(message)


def set_digest(section, messages):
    label = b"fueki/1 record" + section.to_bytes(2, "little")
    total = sum(u(H(label, message)) for message in messages) % (1 << 256)
    return H(b"fueki/1 set", section.to_bytes(2, "little"), len(messages).to_bytes(8, "little"),
             total.to_bytes(32, "little"))


def parse_changes(message):
    """By section: records, set digest, removed identities."""
    entries, sections = whole_fields(message, 1), {}
    require(entries is not None and all(kind == 2 for kind, _ in entries), "the changes")
    for _, entry in entries:
        parts = [whole_fields(entry, number) for number in (1, 2, 3, 4)]
        require(None not in parts, "an entry of the changes")
        for found, kind, most in zip(parts, (0, 0, 2, 2), (1, 1, 1, len(entry))):
            require(len(found) <= most and all(wire == kind for wire, _ in found), "an entry's fields")
        section, count, digest, removed = ([value for _, value in found] for found in parts)
        require(section and 32 <= section[0] <= 61 and section[0] > max(sections, default=0), "an entry's section")
        require(digest and len(digest[0]) == 32, "an entry's set digest")
        require(all(x[:1] == b"\0" and len(x) > 1 or x[:1] == b"\1" and len(x) == 33 for x in removed),
                "a removed identity that is none")
        require(all(a < b for a, b in zip(removed, removed[1:])), "the removed identities' order")
        sections[section[0]] = (count[0] if count else 0, digest[0], removed)
    return sections


def history(stream):
    """The messages of sections 32 to 61, in order, and of those the sections of which some is lost."""
    messages, lost = {}, set()
    for section, _, data in stream.blocks():
        if 32 <= section.id <= 61:
            found = messages.setdefault(section.id, [])
            found.extend(records(data) if data is not None else ())
            lost |= {section.id} if data is None else set()
    return messages, lost


def read_changes(stream):
    """Step 9's part; None where the record is lost."""
    data = next(data for section, _, data in stream.blocks() if section.id == 62)
    if data is None:
        return None
    changes = parse_changes(next(records(data)))
    here = [section for section in stream.sections if 32 <= section.id <= 61]
    most = sum(section.records for section in here) + sum(len(removed) for _, _, removed in changes.values())
    require(most <= MOST_CHANGED, "too much differs", LIMIT)
    require(all(section.id in changes for section in here), "a section without an entry of changes")
    return changes


def find_bases(paths, digest):
    """The files that are the base and are whole, or else the first that is it."""
    first, whole = None, []
    for path in paths:
        try:
            file = File(path)
            layout = locate(file, True)
        except (OSError, Verdict):
            continue
        if H(b"fueki/1 archive", layout.trailer[:88]) != digest:
            continue
        first = first or file
        try:
            layout = locate(file, False)
            header = parse_header(layout.header, layout.L)
            check_signature(layout, header, [], *check_digests(file, layout, False))
            whole.append(file)
        except Verdict:
            pass
    return whole or [first] * (first is not None)


def open_base(files, secrets, options, plaintext_limit):
    """The first of them that opens, its seals included; where none does, the first one's verdict stands."""
    refusal = None
    for file in files:
        try:
            return open_archive(file, secrets, options, {}, [], None, plaintext_limit)
        except Verdict as error:
            refusal = refusal or error
    raise refusal


def join(opened, secrets, options, report):
    """Step 10: the history that an archive and its base come to, by section."""
    base, stream = base_of(opened.header.fields), opened.streams.get(2)
    if not base or not stream:
        return None
    changes = read_changes(stream)
    files = find_bases(options.base, base[0]) if changes is not None else []
    if not files:
        require(options.salvage, f"base {base[0].hex()}, sequence {base[1]}, is not here", "base missing")
        return None
    used = sum(section.length for one in opened.streams.values() for section in one.sections)
    try:
        other = open_base(files, secrets, options, options.plaintext_limit - used)
        same = other.header.fields[0x8003] == opened.header.fields[0x8003]
        full = u(other.header.fields[0x8004]) == base[1] and 0x800b not in other.header.fields
        require(same and full, "not the base that is stated")
        require(2 in other.prks, "the base's history does not open", "wrong secret")
        check_streams(other, Files() if options.messages else None)
        require(options.salvage or not other.layout.damage, " and ".join(other.layout.damage), DAMAGED)
    except Verdict as error:
        raise Verdict(error.verdict, f"the base: {error.why}") from None
    if 2 not in other.streams:
        return None
    own, lost = history(stream)
    theirs, lost_there = history(other.streams[2])
    require(set(changes) == {x.id for s in (stream, other.streams[2]) for x in s.sections if 32 <= x.id <= 61},
            "an entry of changes without records, or records without one")
    result = {}
    for section, (count, digest, removed) in changes.items():
        mine = {identity(section, message) for message in own.get(section, ())}
        known = [(identity(section, message), message) for message in theirs.get(section, ())]
        whole = section not in lost | lost_there
        require(not mine & set(removed), f"section {section}: a removed identity that stands here")
        require(not whole or set(removed) <= {name for name, _ in known},
                f"section {section}: a removed identity that the base has not")
        kept = [message for name, message in known if name not in mine and name not in removed]
        kept += own.get(section, [])
        require(not whole or len(kept) == count, f"section {section}: its number of records with the base's")
        require(not whole or set_digest(section, kept) == digest, f"section {section}: its set digest")
        result[section] = kept
    report["result"] = [{"id": section, "records": len(kept),
                         "sha256": H(*(varint(len(m)) + m for m in kept)).hex()}
                        for section, kept in result.items()]
    return result


def check_scopes(manifest, streams, prks, T):
    """Checks the scope digests in the manifest, and gives the bundle checksum."""
    fields = list(fields_of(manifest))
    stated = [[value for number, value in fields if number == s] for s in SCOPES]
    require(all(len(found) == 1 and len(found[0] or b"") == 32 for found in stated),
            "the manifest's scope digests")
    for s, stream in streams.items():
        prk = prks[s]
        h = H(*(section.summary for section in stream.sections if section.id != 1))
        d = expand(prk, b"fueki/1 scope" + bytes([s]) + T + h, 32)
        require(hmac.compare_digest(d, stated[s - 1][0]), f"the scope digest of {SCOPES[s]}")
    return H(b"fueki/1 bundle", *(found[0] for found in stated)).hex()


# The whole of it

def open_archive(file, secrets, options, report, trusted, known, plaintext_limit):
    """Steps 1 to 7; without a secret, to 4."""
    layout = locate(file, options.salvage)
    report["damage"] = layout.damage
    header = parse_header(layout.header, layout.L)
    report["archive"] = layout.trailer[88:120].hex()
    report["vault"], report["sequence"] = header.fields[0x8003].hex(), u(header.fields[0x8004])
    report["signer"] = header.fields[0x8007].hex() if 0x8007 in header.fields else None
    report["seals"] = "covered by the signature" if 0x800c in header.fields else \
        "not covered by the signature" if report["signer"] else "unsigned: nothing vouches for them"
    report["slots"] = [{"type": slot.type, "mask": slot.mask} for slot in header.slots]
    base = base_of(header.fields)
    if base:
        report["base"] = {"digest": base[0].hex(), "sequence": base[1]}
    digest, lost = check_digests(file, layout, options.salvage)
    check_signature(layout, header, trusted, digest, lost)
    if known:
        report["reported"] = check_chain(header, digest, known)
    streams, prks, lost_scopes = {}, {}, []
    if any(secrets):
        prks = unwrap(header, secrets, options.large, report)
        check_keys(prks, header, layout.trailer, digest)
        for s, prk in prks.items():
            try:
                streams[s] = Stream(file, layout, header, s, prk, lost)
            except Lost:
                lost_scopes.append(SCOPES[s])
        total = sum(section.length for stream in streams.values() for section in stream.sections)
        require(total <= min(TIB, plaintext_limit), "the sections are too long together", LIMIT)
        for stream in streams.values():
            stream.check_lengths()
    return Opened(layout, header, digest, lost, streams, prks, lost_scopes)


def check_streams(opened, files):
    """Steps 8 and 9; gives the bundle checksum where there is a manifest."""
    manifest = [stream.check_contents(files) for stream in opened.streams.values()][:1]
    if 1 in opened.streams and manifest[0]:
        return check_scopes(manifest[0], opened.streams, opened.prks, opened.header.T)
    return None


def read(file, secrets, options, report):
    opened = open_archive(file, secrets, options, report, options.trusted_signer, options.known,
                          options.plaintext_limit)
    layout, streams = opened.layout, opened.streams
    if any(secrets):
        files = Files() if options.messages else None
        checksum = check_streams(opened, files)
        # Of a salvage the files that are not whole come back in parts.
        if files and not options.salvage:
            files.check()
        if checksum:
            report["bundle_checksum"] = checksum
        report["scopes"] = [SCOPES[s] for s in streams]
        report["sections"] = [{"id": x.id, "name": SECTIONS.get(x.id, "unknown"), "records": x.records,
                               "bytes": x.length, "sha256": x.digest.hex()}
                              for stream in streams.values() for x in stream.sections]
        if options.salvage:
            sections = [{"id": x.id, "lost": x.records - stream.kept[x.id]["records"],
                         "gaps": stream.kept[x.id]["gaps"], "sha256": stream.kept[x.id]["sha256"]}
                        for stream in streams.values() for x in stream.sections]
            report["salvaged"] = {"proven": opened.lost is not None, "lost_scopes": opened.lost_scopes,
                                  "sections": sections}
        result = join(opened, secrets, options, report)
        if options.output:
            extract_sections(streams.values(), result, opened.prks.get(3), options.output)
    rest = "the rest is salvaged" if options.salvage else "the rest is whole"
    require(not layout.damage, f"{' and '.join(layout.damage)}; {rest}", DAMAGED)


def extract_sections(streams, result, secrets_prk, directory):
    def append(name, data):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        with os.fdopen(os.open(os.path.join(directory, name), flags, 0o600), "ab") as out:
            out.write(data)

    os.makedirs(directory, mode=0o700)
    for stream in streams:
        for section, _, data in stream.blocks():
            if data is None or result is not None and 32 <= section.id <= 62:
                continue
            append(f"{section.id}-{SECTIONS.get(section.id, 'unknown')}.records", data)
            for record in records(data) if section.id == 64 else ():
                fields = {number: value for number, value in fields_of(record) if value is not None}
                share, sealed = fields.get(1, b""), fields.get(2, b"")
                key = expand(secrets_prk, b"fueki/1 share" + share, 32)
                secret = aead_open(key, sealed[:24], sealed[24:], share)
                require(len(share) == 16 and secret is not None, f"key share {share.hex()} does not open")
                append(f"64-{share.hex()}.secret", secret)
    for section, messages in (result or {}).items():
        data = b"".join(varint(len(message)) + message for message in messages)
        append(f"{section}-{SECTIONS.get(section, 'unknown')}.records", data)


# The command line

class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(64, f"{self.prog}: {message}\n")


def private_key(text):
    """A private key from hex or from age's Bech32, and whether it is a hybrid one's seed."""
    if len(text) == 64:
        return bytes.fromhex(text), False
    prefix, _, data = text.lower().rpartition("1")
    values = ["qpzry9x8gf2tvdw0s3jn54khce6mua7l".index(c) for c in data]
    checksum = 1
    for value in [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + values:
        top, checksum = checksum >> 25, (checksum & 0x1ffffff) << 5 ^ value
        for i, generator in enumerate((0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3)):
            checksum ^= generator * (top >> i & 1)
    bits = "".join(f"{value:05b}" for value in values[:-6])
    if prefix not in ("age-secret-key-", "age-secret-key-pq-") or checksum != 1 or len(bits) != 260 or "1" in bits[256:]:
        raise ValueError("not an age private key")
    return int(bits[:256], 2).to_bytes(32, "big"), prefix.endswith("pq-")


def gather(options):
    def content(path):
        with open(path, "rb") as source:
            return source.read()

    def lines(paths):
        text = "\n".join(content(path).decode() for path in paths)
        return [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]

    passphrases = []
    for path in options.passphrase_file:
        data = content(path)
        text = (data[:-1] if data.endswith(b"\n") else data).decode()
        passphrases.append(unicodedata.normalize("NFKC", text).encode())
        if not 1 <= len(passphrases[-1]) <= 1024 or b"\0" in passphrases[-1]:
            raise ValueError("a passphrase is 1 to 1024 bytes without U+0000")
    key_file = content(options.key_file) if options.key_file else None
    if key_file is not None and not 32 <= len(key_file) <= 64 * MIB:
        raise ValueError("a key file is 32 bytes to 64 MiB")
    plugins = [line for line in lines(options.identity) if line.startswith("AGE-PLUGIN-")]
    identities = [private_key(line) for line in lines(options.identity) if line not in plugins]
    file_keys = [bytes.fromhex(line.strip("-")) for line in lines(options.file_keys)]
    guardians = [private_key(line) for line in lines(options.guardians_key)]
    classical = [key for key, is_hybrid in identities if not is_hybrid]
    hybrids = [key for key, is_hybrid in identities if is_hybrid]
    combined = guardians[0][0] if guardians else None
    return Secrets(passphrases, key_file, classical, hybrids, combined, lines(options.shares), plugins,
                   file_keys)


def newest(text):
    sequence, digest = text.split(":")
    return int(sequence), bytes.fromhex(digest)


def options_of(arguments=None):
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    several = {"metavar": "F", "action": "append", "default": []}
    parser.add_argument("--passphrase-file", help="one trailing newline is removed", **several)
    parser.add_argument("--key-file", metavar="F", help="with a passphrase, for slots of type 2")
    parser.add_argument("--identity", help="private keys, as age writes them or in hex, or plugins' identities", **several)
    parser.add_argument("--file-keys", help="what a plugin of age's gives for each slot of type 7, in hex or -",
                        **several)
    parser.add_argument("--shares", help="guardians' shares, one a line", **several)
    parser.add_argument("--guardians-key", help="the guardians' combined key, in hex", **several)
    parser.add_argument("--trusted-signer", metavar="HEX", action="append", type=bytes.fromhex, default=[])
    parser.add_argument("--known", metavar="SEQUENCE:DIGEST", type=newest, help="the vault's newest archive")
    parser.add_argument("--large", action="store_true", help="allow key derivation with up to 4 GiB")
    parser.add_argument("--plaintext-limit", metavar="BYTES", type=int, default=TIB)
    parser.add_argument("--base", help="what may be the base of a differential archive", **several)
    parser.add_argument("--salvage", action="store_true", help="of a damaged archive, read what is whole")
    parser.add_argument("--no-messages", dest="messages", action="store_false",
                        help="check records, but not the messages in them, which takes long for millions")
    parser.add_argument("--output", metavar="DIR", help="write records and key shares to a new directory")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    options.parser = parser
    return options


def main():
    options = options_of()
    try:
        secrets = gather(options)
    except (OSError, ValueError) as error:
        options.parser.error(str(error))
    report = {"verdict": "ok"}
    try:
        read(File(options.file), secrets, options, report)
    except Verdict as error:
        report |= {"verdict": error.verdict, "why": error.why}
    except OSError as error:
        print(f"{options.parser.prog}: {error}", file=sys.stderr)
        sys.exit(10 if isinstance(error, FileNotFoundError) else 1)
    show(report, options.json)
    sys.exit(EXIT[report["verdict"]])


def show(report, as_json):
    if as_json:
        print(json.dumps(report, indent=2))
        return
    print(f"verdict: {report['verdict']}")
    for name in ("why", "archive", "vault", "sequence", "signer", "seals", "bundle_checksum"):
        if report.get(name):
            print(f"{name}: {report[name]}")
    for section in report.get("sections", ()):
        print("section {id} {name}: {records} records, {bytes} bytes, sha256 {sha256}".format(**section))
    for scope in report.get("salvaged", {}).get("lost_scopes", ()):
        print(f"lost: all of {scope}")
    for section in report.get("salvaged", {}).get("sections", ()):
        for gap in section["gaps"]:
            print("lost: of section {}, {} records in all; bytes {} to {}, after the {} records kept before"
                  .format(section["id"], section["lost"], *gap["bytes"], gap["after"]))


if __name__ == "__main__":
    main()
