"""Vectors with one fault each, in the order of the steps of reading."""

import nacl.bindings as sodium

import frames
from frames import MIB, by_hand, real
from samples import (
    CUT,
    DAMAGED,
    EVERY,
    FORGED,
    HISTORY_PASS,
    LIMIT,
    NEW,
    NOT,
    READER,
    SHORTEST,
    UNTRUSTED,
    cheap,
    draw,
    everything,
    file_part,
    flip,
    integer,
    packed,
    padded_part,
    plan,
    put,
    salted,
    text,
    transaction,
    vectors,
)
from writer import (
    CHUNK,
    H,
    MAGIC,
    PIECE,
    SCOPES,
    Archive,
    Block,
    Entry,
    Section,
    expand,
    framed,
    passphrase_slot,
    record,
    stored,
    u16,
    u32,
    varint,
)


def bad(name, description, verdict, depth, reader=None, base="everything", **changes):
    """An archive with one fault, which shows at the depth."""
    changes.setdefault("keys_of", vectors.archives[base])
    archive = Archive(vectors.archives[base].plan.but(**changes))
    vectors.edited(
        name,
        description,
        base,
        archive,
        verdict=verdict,
        depth=depth,
        reader=READER if reader is None else reader,
    )


def raw(name, description, verdict, content, depth="structure", base="everything", **facts):
    vectors.edited(name, description, base, content, verdict=verdict, depth=depth, reader=READER, **facts)


def step_1():
    b, a = EVERY.bytes, EVERY
    raw("no-bytes", "A file of no bytes: what is left of a magic.", CUT, b"")
    raw("magic-cut", "The first five bytes.", CUT, b[:5])
    raw("other-short", "A file of three other bytes.", NOT, b"abc")
    raw("other-file", "A file that is something else.", NOT, b"SQLite format 3\0" + bytes(1000))
    raw("zeros", "As long as an archive, and all zeros.", NOT, bytes(len(b)))
    both = flip(flip(b, 0), a.header_copy_at)
    raw("both-magics", "Neither header begins with the magic.", NOT, both)
    cuts = {
        "magic-alone": 8,
        "in-prefix": 15,
        "after-prefix": 16,
        "in-fields": 200,
        "before-header-digest": 16 + a.L,
        "after-header": 48 + a.L,
        "in-first-chunk": 48 + a.L + 5000,
        "at-chunk": a.chunk_at(3),
        "before-trailer": a.trailer_at,
        "in-trailer": a.trailer_at + 100,
        "in-trailer-end-magic": a.trailer_at + 255,
        "after-trailer": a.trailer_at + 256,
        "in-leaf-table": a.leaf_at(5) + 3,
        "after-leaf-table": a.header_copy_at,
        "in-header-copy": a.header_copy_at + 77,
        "after-header-copy": a.trailer_copy_at,
        "in-trailer-copy": a.trailer_copy_at + 128,
        "last-byte": len(b) - 1,
    }
    for name, at in cuts.items():
        raw(f"cut-{name}", f"Cut at byte {at}.", CUT, b[:at])
    raw(
        "cut-middle",
        "A whole chunk is missing in the middle: the trailer found announces a longer file.",
        CUT,
        b[: a.chunk_at(5)] + b[a.chunk_at(6) :],
    )
    raw(
        "cut-header-damaged",
        "Cut, and the first header's digest does not hold: nothing shows what it was.",
        DAMAGED,
        flip(b[: a.chunk_at(3)], 30),
    )
    raw(
        "no-trailer-no-end-magic",
        "Both trailers' checks fail and the end magic is gone.",
        CUT,
        flip(flip(b, a.trailer_at + 200), len(b) - 1),
    )
    raw(
        "both-trailers",
        "Both trailers' checks fail; the end magic is there.",
        DAMAGED,
        flip(flip(b, a.trailer_at + 200), a.trailer_copy_at + 200),
    )
    raw("both-headers", "Neither header's digest holds.", DAMAGED, flip(flip(b, 40), a.header_copy_at + 41))

    def copies(name, description, content, *damage, depth="contents"):
        raw(name, description, DAMAGED, content, depth=depth, damage=list(damage), opens=True, facts=True)

    copies("first-header", "The first header is damaged; the copy serves.", flip(b, 60), "first header")
    copies("first-header-magic", "The first header's magic is damaged.", flip(b, 3), "first header")
    copies(
        "first-header-major",
        "The first header's major version is damaged, not newer.",
        flip(b, 8, 2),
        "first header",
    )
    copies("first-header-length", "The first header's L is damaged.", flip(b, 13), "first header")
    copies(
        "first-header-length-large",
        "The first header's L is damaged, and beyond the limit.",
        flip(b, 15, 128),
        "first header",
    )
    copies(
        "first-header-zeros",
        "The first 4096 bytes are zeros; chunks are damaged too.",
        b"\0" * len(a.header) + b[len(a.header) :],
        "first header",
    )
    copies("header-copy", "The header's copy is damaged.", flip(b, a.header_copy_at + 99), "header copy")
    copies("first-trailer", "The first trailer is damaged.", flip(b, a.trailer_at + 50), "first trailer")
    copies(
        "trailer-copy",
        "The trailer's copy is damaged; the first serves.",
        flip(b, a.trailer_copy_at + 130),
        "trailer copy",
    )
    copies(
        "trailer-copy-end-magic",
        "The end magic is damaged; the first trailer serves.",
        flip(b, len(b) - 1),
        "trailer copy",
    )
    copies(
        "header-and-trailer-copies",
        "Both copies are damaged.",
        flip(flip(b, a.trailer_copy_at + 130), a.header_copy_at + 9),
        "header copy",
        "trailer copy",
    )
    copies(
        "first-header-and-first-trailer",
        "Both firsts are damaged.",
        flip(flip(b, 100), a.trailer_at),
        "first header",
        "first trailer",
    )
    raw(
        "first-header-and-trailer-copy",
        "The first header and the trailer's copy: nothing gives L, so nothing serves.",
        DAMAGED,
        flip(flip(b, 100), a.trailer_copy_at),
    )
    other = Archive(everything.but(seals=lambda seals: flip(seals, 0))).trailer
    copies(
        "first-trailer-differs",
        "The first trailer is whole by itself and differs.",
        put(b, a.trailer_at, other),
        "first trailer",
    )

    for name, more in (
        ("one", b"\0"),
        ("many", draw("trailing", 700)),
        ("chunk", bytes(16432)),
        ("trailer", a.trailer),
    ):
        raw(
            f"trailing-{name}",
            "Bytes after a whole archive.",
            DAMAGED,
            b + more,
            depth="contents",
            opens=False,
        )
    raw(
        "reserved-byte",
        "A reserved byte of both trailers is not zero.",
        DAMAGED,
        Archive(everything.but(trailer=lambda t: flip(t, 235))),
        depth="contents",
        opens=False,
    )
    bad(
        "counts-too-many", "The counts announce one chunk more.", CUT, "structure", counts=lambda c: [5, 4, 4]
    )
    bad("counts-too-few", "The counts leave bytes over.", DAMAGED, "structure", counts=lambda c: [4, 4, 3])
    bad(
        "counts-overflow",
        "The counts add up to the right number only modulo 2^64.",
        CUT,
        "structure",
        counts=lambda c: [2**63, 2**63, 12],
    )
    bad(
        "counts-large",
        "A count of 2^63: the file would be longer.",
        CUT,
        "structure",
        counts=lambda c: [2**63, 4, 4],
    )
    bad("count-below-4", "A stream of 3 chunks.", FORGED, "structure", counts=lambda c: [5, 3, 4])
    bad("count-of-zero", "A stream of no chunks.", FORGED, "structure", counts=lambda c: [0, 6, 6])
    bad(
        "count-not-padme",
        "A stream of 17 chunks.",
        FORGED,
        "structure",
        base="many-chunks",
        counts=lambda c: [5, 17, 5],
    )
    bad(
        "counts-moved",
        "A chunk is counted to another stream, by who holds all keys.",
        FORGED,
        "open",
        base="many-chunks",
        counts=lambda c: [4, 18, 5],
    )
    short = Archive(everything.but(keys_of=EVERY, sealed=lambda s, chunks: chunks[:3] if s == 1 else chunks))
    raw("too-short", "An archive of 11 chunks, shorter than any can be.", FORGED, short.bytes)
    bad(
        "header-too-long",
        "L is 65537, and the length confirms it.",
        LIMIT,
        "structure",
        extra_fields=((0x42, bytes(65537 - 6 - SHORTEST)),),
    )
    bad(
        "header-empty",
        "L is 0, and the length confirms it: the required fields are missing.",
        FORGED,
        "structure",
        header_fields=lambda fields: b"",
    )
    bad(
        "header-length-wrong",
        "L is one more than the header's length, in a header whose digest holds.",
        FORGED,
        "structure",
        length=EVERY.L + 1,
    )

    newer = Archive(everything.but(version=(2, 0), keys_of=EVERY))
    raw("newer-major", "A newer major version.", NEW, newer.bytes)
    raw("newer-major-cut", "A newer major version's header, and nothing behind it.", NEW, newer.header)
    raw(
        "newer-major-other-layout",
        "A newer major version with other bytes behind its header.",
        NEW,
        newer.header + draw("future", 1000),
    )
    head = MAGIC + u16(3) + u16(1) + u32(5) + b"other"
    raw("newer-major-small", "A newer major version whose header has another form.", NEW, head + H(head))
    head = MAGIC + u16(2) + u16(0) + u32(65537)
    raw("newer-major-header-too-long", "A newer major version with an L of 65537.", LIMIT, head + bytes(100))
    damaged = flip(newer.bytes, 60)
    raw(
        "newer-major-copy",
        "A newer major version; the first header is damaged, the copy says so.",
        NEW,
        damaged,
    )
    bad("major-zero", "A major version of 0.", FORGED, "structure", version=(0, 0))


def fields_but(**values):
    """A hook: other values for fields, None to drop one, by names like f8003."""
    values = {int(name[1:], 16): value for name, value in values.items()}

    def change(fields):
        changed = [(tag, values.get(tag, value)) for tag, value in fields]
        return [(tag, value) for tag, value in changed if value is not None]

    return change


def step_2():
    def header(name, description, verdict=FORGED, **changes):
        bad(f"header-{name}", description, verdict, "structure", **changes)

    swap = lambda f: [f[1], f[0]] + f[2:]
    header("order", "The fields suite and archive id are exchanged.", fields=swap)
    header("repeated", "The vault id stands twice.", fields=lambda f: f[:3] + f[2:])
    header(
        "optional-after-critical",
        "A field that need not be known, out of order.",
        fields=lambda f: f[:2] + [(0x0001, b"")] + f[2:],
    )
    header("bytes-behind", "Five bytes behind the last field.", header_fields=lambda h: h + bytes(5))
    header("field-behind", "Confirmations twice.", header_fields=lambda h: h + h[-102:])
    header(
        "field-too-long",
        "The last field's length goes beyond the header.",
        header_fields=lambda h: h[:-100] + u32(97) + h[-96:],
    )
    header(
        "field-length-huge", "A field's length is 2^32 - 1.", header_fields=lambda h: put(h, 2, b"\xff" * 4)
    )
    header(
        "critical-field",
        "An unknown critical field behind the last.",
        NEW,
        header_fields=lambda h: h + u16(0x800A) + u32(3) + b"new",
    )
    header("critical-field-first", "An unknown critical field, 0x8000.", NEW, extra_fields=((0x8000, b""),))
    header(
        "critical-field-before-required",
        "An unknown critical field, where required ones are missing.",
        NEW,
        fields=lambda f: f[:2] + f[5:],
        header_fields=lambda h: h + u16(0xFFFF) + u32(0),
    )
    header("suite-2", "Suite 2.", NEW, fields=fields_but(f8001=u16(2)))
    header("suite-0", "Suite 0.", NEW, fields=fields_but(f8001=u16(0)))
    header(
        "suite-2-before-required",
        "Suite 2, where required fields are missing and others have other lengths.",
        NEW,
        fields=fields_but(f8001=u16(2), f8002=b"?", f8004=None),
    )
    header("suite-length", "A suite of three bytes.", fields=fields_but(f8001=b"\1\0\0"))
    header("suite-2-length", "A suite of four bytes that would be 2.", fields=fields_but(f8001=u32(2)))
    lengths = {0x8002: 31, 0x8003: 17, 0x8004: 4, 0x8005: 0, 0x8006: 9}
    for tag, length in lengths.items():
        header(
            f"length-{tag:04x}",
            f"Field {tag:#06x} has {length} bytes.",
            fields=fields_but(**{f"f{tag:04x}": b"\1" * length}),
        )
    bad(
        "header-length-8007",
        "The signer's key has 33 bytes.",
        FORGED,
        "structure",
        base="signed",
        fields=lambda f: [(tag, value + b"\0" if tag == 0x8007 else value) for tag, value in f],
    )
    header("length-8009", "Confirmations of 95 bytes.", confirmations=lambda c: c[:95])
    for tag in (0x8001, 0x8002, 0x8003, 0x8004, 0x8005, 0x8006, 0x8008):
        header(
            f"missing-{tag:04x}", f"Field {tag:#06x} is missing.", fields=fields_but(**{f"f{tag:04x}": None})
        )
    header("missing-8009", "The confirmations are missing.", header_fields=lambda h: h[:-102])
    header("sequence-0", "Sequence 0.", sequence=0, previous=bytes(32))
    header("first-with-previous", "Sequence 1, and an archive before it.", sequence=1)

    def slots(name, description, change, verdict=FORGED):
        bad(f"slots-{name}", description, verdict, "structure", encoded_slots=change)

    tiny = b"\xc8\x01\0\0"
    slots("none", "No slot.", lambda s: [])
    slots("33", "33 slots.", lambda s: s + [tiny] * 32, LIMIT)
    slots(
        "33-and-mask",
        "33 slots, of which one has no scope: limits are judged first.",
        lambda s: s + [b"\xc8\0\0\0"] + [tiny] * 31,
        LIMIT,
    )
    slots("mask-0", "A slot for no scope.", lambda s: [put(s[0], 1, b"\0")])
    slots("mask-8", "A slot for a scope that there is not.", lambda s: [put(s[0], 1, b"\x08")])
    slots("mask-0-unknown", "A slot of an unknown type for no scope.", lambda s: s + [b"\xc8\0\0\0"])
    slots("cut", "The last slot's body goes beyond the field.", lambda s: [s[0][:-1]])
    slots("cut-head", "Three bytes behind the last slot.", lambda s: s + [b"\1\7\0"])
    slots(
        "type-1-short",
        "A passphrase slot's body is a byte short.",
        lambda s: [s[0][:2] + u16(len(s[0]) - 5) + s[0][4:-1]],
    )
    slots(
        "type-1-long",
        "A passphrase slot's body is a byte too long.",
        lambda s: [s[0][:2] + u16(len(s[0]) - 3) + s[0][4:] + b"\0"],
    )
    slots("type-1-mask", "A passphrase slot's body is that of another mask.", lambda s: [put(s[0], 1, b"\3")])
    slots("type-1-empty", "A passphrase slot without a body.", lambda s: s + [b"\1\7\0\0"])
    slots("same-parameters", "Two slots with the same parameters.", lambda s: [s[0], s[0]])
    keys = draw("a slot", 1000)

    def slot(kind, parameters, mask=1):
        body = parameters + keys[: 32 + 48]
        return bytes([kind, mask]) + u16(len(body)) + body

    def guardians(threshold, count, identifier=1, tags=None):
        return slot(
            4,
            keys[:32]
            + bytes([threshold, count])
            + u16(identifier)
            + keys[: 4 * (count if tags is None else tags)],
        )

    slots("type-2-length", "A slot of type 2 with a salt of 15 bytes.", lambda s: s + [slot(2, keys[:23])])
    slots("type-3-length", "A slot of type 3 with a key of 31 bytes.", lambda s: s + [slot(3, keys[:31])])
    slots("type-4-length", "A guardians slot with a tag too few.", lambda s: s + [guardians(2, 3, tags=2)])
    slots("type-4-long", "A guardians slot with a tag too many.", lambda s: s + [guardians(2, 3, tags=4)])
    slots("type-4-threshold-1", "A threshold of 1.", lambda s: s + [guardians(1, 3)])
    slots("type-4-threshold-above", "A threshold above the count.", lambda s: s + [guardians(4, 3)])
    slots("type-4-count-17", "17 guardians.", lambda s: s + [guardians(2, 17)])
    slots("type-4-count-0", "No guardians.", lambda s: s + [guardians(0, 0)])
    slots("type-4-identifier", "An identifier of 2^15.", lambda s: s + [guardians(2, 3, 1 << 15)])


def step_3():
    b, a = EVERY.bytes, EVERY
    for j, stream, i, at in ((0, "profile", 0, 0), (6, "history", 2, 9000), (11, "secrets", 3, 16399)):
        raw(
            f"chunk-{stream}",
            "A byte of a chunk is damaged.",
            DAMAGED,
            flip(b, a.chunk_at(j) + at),
            depth="checksums",
            damage=[f"chunk {stream} {i}"],
        )
    raw(
        "chunks-exchanged",
        "Two chunks are exchanged.",
        DAMAGED,
        b[: a.chunk_at(4)]
        + b[a.chunk_at(5) : a.chunk_at(6)]
        + b[a.chunk_at(4) : a.chunk_at(5)]
        + b[a.chunk_at(6) :],
        depth="checksums",
        damage=["chunk history 0", "chunk history 1"],
    )
    raw(
        "leaf",
        "A leaf is damaged; its chunk is whole.",
        DAMAGED,
        flip(b, a.leaf_at(7)),
        depth="contents",
        damage=["leaf history 3"],
        opens=False,
    )
    raw(
        "leaf-and-chunk",
        "A leaf and another chunk are damaged.",
        DAMAGED,
        flip(flip(b, a.leaf_at(1)), a.chunk_at(9)),
        depth="checksums",
        damage=["chunk profile 1", "chunk secrets 1", "leaf root"],
    )
    bad(
        "leaf-root",
        "Another leaf root, with the digest over it.",
        DAMAGED,
        "checksums",
        leaf_root=lambda r: flip(r, 0),
    )
    bad(
        "archive-digest",
        "Another archive digest.",
        DAMAGED,
        "checksums",
        archive_digest=lambda d: flip(d, 31),
    )
    bad(
        "trailer-header-digest",
        "Another header digest in both trailers: no header is whole.",
        DAMAGED,
        "structure",
        trailer=lambda t: flip(t, 24),
    )

    def signature(name, description, verdict=FORGED, reader=None, **changes):
        bad(f"signature-{name}", description, verdict, "checksums", base="signed", reader=reader, **changes)

    signature("altered", "A bit of the signature is another.", signature=lambda s: flip(s, 10))
    signature("zeros", "A signer is named, and the signature is zeros.", signature=lambda s: bytes(64))
    other = sodium.crypto_sign_seed_keypair(draw("other signer", 32))[1]
    signed = vectors.archives["signed"]
    by_other = sodium.crypto_sign(b"fueki/1 signature" + signed.digest, other)[:64]
    signature(
        "by-another", "The signature is by another key than the header's.", signature=lambda s: by_other
    )
    bare = sodium.crypto_sign(signed.digest, signed.signing_key)[:64]
    signature("without-label", "The signature is over the archive digest alone.", signature=lambda s: bare)
    order = 2**252 + 27742317777372353535851937790883648493
    malleable = lambda s: s[:32] + (int.from_bytes(s[32:], "little") + order).to_bytes(32, "little")
    signature("s-not-reduced", "S is not below the order.", signature=malleable)
    identity = b"\1" + bytes(31)
    small = {
        "identity": identity,
        "order-8": bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
        "zero": bytes(32),
        "not-canonical": bytes.fromhex("ee" + "ff" * 30 + "7f"),
    }
    for name, key in small.items():
        signature(
            f"small-order-{name}",
            "The signer's key has small order; R is the identity and S is 0.",
            fields=lambda f, key=key: [(tag, key if tag == 0x8007 else value) for tag, value in f],
            signature=lambda s: identity + bytes(32),
        )
    bad(
        "signature-unsigned",
        "No signer is named, and the signature is not zeros.",
        FORGED,
        "checksums",
        signature=lambda s: flip(s, 0),
    )

    trusting = lambda key: READER | {"trusted_signers": [key.hex()]}
    vectors.same(
        "untrusted-unsigned",
        "A signer is asked for, and there is none.",
        "everything",
        reader=trusting(signed.public_key),
        verdict=UNTRUSTED,
        depth="checksums",
    )
    vectors.same(
        "untrusted-another",
        "A signer is asked for, and there is another.",
        "signed",
        reader=trusting(H(b"another")),
        verdict=UNTRUSTED,
        depth="checksums",
    )
    signature(
        "untrusted",
        "The trusted signer's signature fails.",
        UNTRUSTED,
        trusting(signed.public_key),
        signature=lambda s: flip(s, 40),
    )


def step_4():
    digest, previous = EVERY.digest.hex(), everything.previous.hex()

    def chain(name, description, verdict, sequence, known, base="everything", **facts):
        reader = READER | {"known": {"sequence": sequence, "digest": known}}
        depth = "checksums" if verdict != "ok" else "contents"
        vectors.same(f"chain-{name}", description, base, reader=reader, verdict=verdict, depth=depth, **facts)

    zeros = Archive(plan("zeros", [salted("zeros")], sequence=7))
    vectors.whole(
        "previous-unknown", "Sequence 7; the archive before it was not known.", zeros, reader=READER
    )
    chain("same", "The archive that is known.", "ok", 7, digest)
    chain("next", "The archive after the known one.", "ok", 6, previous)
    chain("gap", "Two archives after the known one.", "ok", 5, H(b"fifth").hex(), reported=["gap"])
    chain(
        "next-of-zeros",
        "The archive after the known one, which does not name it.",
        "ok",
        6,
        previous,
        "previous-unknown",
        reported=["previous unknown"],
    )
    chain("older", "The known archive is newer.", "older than known", 8, H(b"eighth").hex())
    chain("forked-same", "The known sequence with another digest.", "forked", 7, H(b"seventh").hex())
    chain("forked-next", "The known archive is not the one before.", "forked", 6, H(b"sixth").hex())


def step_5():
    def cost(name, description, slots, verdict=LIMIT, reader=None):
        bad(
            f"cost-{name}",
            description,
            verdict,
            "open",
            encoded_slots=lambda old: old
            + [s.encode(everything.archive_id, everything.roots) for s in slots],
            reader=reader,
        )

    large = READER | {"large_derivation": True}
    GIB = 1 << 20  # in KiB
    cost("memory-below-floor", "65535 KiB of memory.", [cheap(1, (65535, 3))])
    cost("memory-0", "No memory.", [cheap(1, (0, 3))])
    cost("passes-1", "One pass.", [cheap(1, (65536, 1))])
    cost("passes-0", "No pass.", [cheap(1, (65536, 0))])
    cost("passes-17", "17 passes.", [cheap(1, (65536, 17))])
    cost("passes-most", "2^32 - 1 passes.", [cheap(1, (65536, 2**32 - 1))])
    cost("memory-above", "1 GiB and 1 KiB.", [cheap(1, (GIB + 1, 2))])
    cost("memory-most", "2^32 - 1 KiB of memory.", [cheap(1, (2**32 - 1, 2))], reader=large)
    cost(
        "memory-above-4-gib",
        "4 GiB and 1 KiB, where 4 GiB are allowed.",
        [cheap(1, (4 * GIB + 1, 2))],
        reader=large,
    )
    cost("sum", "16 GiB-passes and the first slot's.", [cheap(1, (GIB, 16))])
    cost("sum-of-two", "Two slots, each within the limit.", [cheap(1, (GIB, 8)), cheap(2, (GIB, 8))])
    cost(
        "sum-large",
        "64 GiB-passes and the first slot's, where 4 GiB are allowed.",
        [cheap(1, (4 * GIB, 16))],
        reader=large,
    )
    cost("5-slots", "Five passphrase slots.", [cheap(i) for i in range(1, 5)])
    cost(
        "5-slots-with-key-file",
        "Four passphrase slots and one with a key file, which the caller has.",
        [cheap(i) for i in range(1, 4)]
        + [passphrase_slot("", draw("cheap with key file", 16), 7, key_file=b"", cheap=True)],
        reader=READER | {"key_file": draw("key file", 64).hex()},
    )


def step_6():
    def opening(name, description, verdict=FORGED, **changes):
        bad(name, description, verdict, "open", **changes)

    vectors.same(
        "wrong-passphrase",
        "Another passphrase.",
        "everything",
        reader={"passphrases": ["wrong"]},
        verdict="wrong secret",
        depth="open",
    )
    opening(
        "commitment",
        "The slot's commitment is another.",
        "wrong secret",
        encoded_slots=lambda s: [flip(s[0], 4 + 24)],
    )
    opening("salt", "The slot's salt is another.", "wrong secret", encoded_slots=lambda s: [flip(s[0], 4)])
    opening(
        "archive-id",
        "Another archive id, by who has no key.",
        "wrong secret",
        fields=fields_but(f8002=draw("other id", 32)),
    )
    opening(
        "wrapped", "The wrapped keys' tag does not hold.", encoded_slots=lambda s: [flip(s[0], len(s[0]) - 1)]
    )
    opening(
        "wrapped-keys",
        "The wrapped keys are altered.",
        encoded_slots=lambda s: [flip(s[0], 4 + 24 + 32 + 40)],
    )
    roots = {**everything.roots, 2: draw("other root", 32)}
    disagreeing = salted("disagree", mask=2, roots=roots).encode(everything.archive_id, everything.roots)
    opening(
        "slots-disagree",
        "Two slots give different keys for the history.",
        encoded_slots=lambda s: s + [disagreeing],
    )
    for s, scope in SCOPES.items():
        opening(
            f"confirmation-{scope}",
            "The confirmation is another, by who holds the keys.",
            confirmations=lambda c, s=s: flip(c, 32 * s - 1),
        )
        opening(f"seal-{scope}", "The seal is another.", seals=lambda seals, s=s: flip(seals, 16 * s - 1))
    opening(
        "header-altered",
        "Another time, by who has no key.",
        created=1795240801,
        confirmations=lambda c: EVERY.header[-128:-32],
        seals=lambda s: EVERY.trailer[184:232],
    )
    rewritten = {**everything.sections, 2: [Section(32, [stored(*map(transaction, range(5)))])]}
    key_of_history = lambda seals: EVERY.trailer[184:200] + seals[16:32] + EVERY.trailer[216:232]
    opening(
        "history-rewritten",
        "The history is rewritten by who holds no other scope's key.",
        sections=rewritten,
        seals=key_of_history,
    )
    opening(
        "minor-altered",
        "Another minor version, by who has no key.",
        version=(1, 1),
        confirmations=lambda c: EVERY.header[-128:-32],
    )
    partial = vectors.archives["partial-masks"]
    vectors.edited(
        "unopened-seal",
        "The seal of a scope that is not opened is another: that scope's holders see it.",
        "partial-masks",
        Archive(partial.plan.but(seals=lambda seals: flip(seals, 0))),
        scopes=(2,),
        reader={"passphrases": [HISTORY_PASS]},
    )
    vectors.edited(
        "unopened-confirmation",
        "The confirmation of a scope that is not opened is another.",
        "partial-masks",
        Archive(partial.plan.but(confirmations=lambda c: flip(c, 90))),
        scopes=(2,),
        reader={"passphrases": [HISTORY_PASS]},
    )


def step_7():
    def at_index(name, description, s, change, verdict=FORGED, depth="open", **more):
        bad(
            f"index-{name}",
            description,
            verdict,
            depth,
            index=lambda scope, entries: change(entries) if scope == s else entries,
            **more,
        )

    def at_bytes(name, description, s, change, verdict=FORGED, depth="open"):
        bad(
            f"index-{name}",
            description,
            verdict,
            depth,
            index_bytes=lambda scope, index: change(index) if scope == s else index,
        )

    def at_footer(name, description, footer, verdict=FORGED, s=2):
        bad(
            f"index-{name}",
            description,
            verdict,
            "open",
            footer=lambda scope, old: footer if scope == s else old,
        )

    def one(place, change):
        """Changes one entry."""
        return lambda entries: [change(entry) if i == place else entry for i, entry in enumerate(entries)]

    def block(place, number, change):
        return one(
            place,
            lambda e: e._replace(blocks=[change(*b) if i == number else b for i, b in enumerate(e.blocks)]),
        )

    for s, scope in SCOPES.items():
        bad(
            f"last-tag-{scope}",
            "The last chunk's tag does not hold, under digests and seals that do.",
            FORGED,
            "open",
            sealed=lambda scope, chunks, s=s: (
                chunks[:-1] + [flip(chunks[-1], CHUNK - 1)] if scope == s else chunks
            ),
        )
    unmarked = lambda s, chunks: (
        chunks[:3] + [EVERY.seal(2, EVERY.plaintexts[2][3 * PIECE :], 3, False)] if s == 2 else chunks
    )
    bad("last-not-marked", "The last chunk is not sealed as the last.", FORGED, "open", sealed=unmarked)
    at_footer("magic", "No FKIX.", u32(2) + b"FKIy")
    at_footer("length-limit", "An index of 16 MiB and a byte.", u32(16 * MIB + 1) + b"FKIX", LIMIT)
    at_footer("length-most", "An index of 2^32 - 1 bytes.", u32(2**32 - 1) + b"FKIX", LIMIT)
    at_footer("length-stream", "An index longer than the stream.", u32(4 * PIECE - 7) + b"FKIX")
    at_footer("length-0", "An index of no bytes.", u32(0) + b"FKIX")
    at_footer("length-1", "An index of one byte.", u32(1) + b"FKIX")
    at_bytes("behind", "A byte behind the last section.", 2, lambda i: i + b"\0")
    at_bytes("count-more", "One section more than there is.", 2, lambda i: u16(4) + i[2:])
    at_bytes("count-fewer", "One section fewer than there is.", 2, lambda i: u16(2) + i[2:])
    at_bytes("blocks-most", "2^32 - 1 blocks.", 2, lambda i: put(i, len(i) - 13, b"\xff" * 4))
    at_bytes("cut", "The index ends in its last block.", 2, lambda i: i[:-1])
    at_index("order", "Sections descend.", 2, lambda e: [e[1], e[0], e[2]])
    at_index("repeated", "A section stands twice.", 2, one(1, lambda e: e._replace(id=32)))
    for s, foreign in ((1, 32), (1, 0), (2, 31), (2, 64), (3, 63), (3, 96)):
        place = {0: 0, 31: 0, 63: 0, 32: 3, 64: 2, 96: 2}[foreign]
        at_index(
            f"id-{foreign}-in-{SCOPES[s]}",
            "A section of another stream.",
            s,
            one(place, lambda e, foreign=foreign: e._replace(id=foreign)),
        )
    at_index("no-records", "A section without records.", 2, one(1, lambda e: e._replace(records=0)))
    empty = Entry(40, 0, 0, H(b""), [])
    at_index("no-blocks", "A section without blocks or records.", 2, lambda e: e + [empty])
    at_index(
        "no-blocks-one-record",
        "A section without blocks that claims a record.",
        2,
        lambda e: e + [empty._replace(records=1)],
        depth="contents",
    )
    at_index(
        "empty-block",
        "A block without bytes.",
        2,
        one(1, lambda e: e._replace(blocks=e.blocks + [(0, 0, 0)])),
        depth="contents",
    )
    at_index("method-2", "A block of method 2.", 2, block(0, 1, lambda m, a, b: (2, a, b)))
    at_index(
        "stored-lengths",
        "A stored block whose lengths differ.",
        2,
        block(1, 0, lambda m, a, b: (0, a, b + 1)),
    )
    at_index(
        "zstd-not-shorter",
        "A zstd block as long as its plaintext.",
        2,
        block(1, 0, lambda m, a, b: (1, a, a)),
    )
    at_index(
        "zstd-longer",
        "A zstd block longer than its plaintext.",
        2,
        block(0, 0, lambda m, a, b: (1, a, a - 1)),
    )
    at_index(
        "block-limit",
        "A block of 16 MiB and a byte.",
        2,
        block(0, 0, lambda m, a, b: (1, a, 16 * MIB + 1)),
        LIMIT,
    )
    at_index(
        "stored-limit",
        "A stored length of 16 MiB and a byte.",
        2,
        block(0, 0, lambda m, a, b: (m, 16 * MIB + 1, b)),
        LIMIT,
    )
    at_index(
        "section-length",
        "A section's length is not its blocks'.",
        2,
        one(0, lambda e: e._replace(length=e.length + 1)),
    )
    at_index(
        "section-length-most",
        "A section of 2^64 - 1 bytes.",
        2,
        one(0, lambda e: e._replace(length=2**64 - 1)),
        LIMIT,
    )
    at_index(
        "sum-of-sections-overflows",
        "Two sections that add up to little modulo 2^64.",
        2,
        lambda e: [e[0]._replace(length=2**63), e[1]._replace(length=2**63), e[2]],
        LIMIT,
    )
    at_index(
        "plaintext-limit",
        "1 TiB and a byte of plaintext.",
        1,
        one(1, lambda e: e._replace(length=2**40 + 1)),
        LIMIT,
    )
    bad(
        "index-beyond",
        "A block goes on into the index.",
        FORGED,
        "open",
        index=lambda s, entries: (
            entries
            if s != 2
            else entries[:-1] + [entries[-1]._replace(length=60000, blocks=[(0, 60000, 60000)])]
        ),
    )
    bad(
        "index-secrets-zstd",
        "A block of secrets is compressed.",
        FORGED,
        "open",
        sections={**everything.sections, 3: [Section(66, [framed(real, file_part(0, bytes(3000)))])]},
    )
    bad(
        "count-too-many",
        "Five chunks for what four hold.",
        FORGED,
        "open",
        sealed=longer_stream(2),
        reader=READER,
    )
    bad("manifest-missing", "No manifest.", FORGED, "open", profile=lambda sections: sections[1:])
    bad(
        "manifest-two-records",
        "A manifest of two records.",
        FORGED,
        "open",
        profile=lambda sections: [
            Section(
                1, [Block(2, sections[0].blocks[0].plaintext * 2, 0, sections[0].blocks[0].plaintext * 2)]
            )
        ]
        + sections[1:],
    )
    total = sum(EVERY.entry(section).length for s in SCOPES for section in EVERY.sections[s])
    vectors.same(
        "plaintext-callers-limit",
        "One byte more than the caller's own limit.",
        "everything",
        reader=READER | {"plaintext_limit": total - 1},
        verdict=LIMIT,
        depth="open",
    )
    vectors.same(
        "plaintext-callers-limit-exact",
        "As much as the caller's own limit.",
        "everything",
        reader=READER | {"plaintext_limit": total},
    )


def longer_stream(s):
    """A hook: the same stream with a piece of fill more."""

    def change(scope, chunks):
        if scope != s:
            return chunks
        plaintext, at = EVERY.plaintexts[s], EVERY.index_at[s]
        longer = plaintext[: at - 100] + bytes(PIECE) + plaintext[at - 100 :]
        return [EVERY.seal(s, longer[i * PIECE : (i + 1) * PIECE], i, i == 4) for i in range(5)]

    return change


def step_8():
    def history(name, description, block, verdict=FORGED, depth="contents"):
        """The history is one section of one block."""
        bad(name, description, verdict, depth, sections={**everything.sections, 2: [Section(32, [block])]})

    def frame(name, description, make, verdict=FORGED, message=transaction(0) + text(4, packed("a" * 2000))):
        history(f"frame-{name}", description, framed(make, message), verdict)

    middle = lambda s, chunks: [
        flip(chunk, 0) if (s, i) == (2, 0) else chunk for i, chunk in enumerate(chunks)
    ]
    bad(
        "tag",
        "A chunk's tag does not hold, under digests and seals that do.",
        FORGED,
        "contents",
        sealed=middle,
    )
    fill_tag = lambda s, chunks: [
        flip(chunk, 0) if (s, i) == (2, 2) else chunk for i, chunk in enumerate(chunks)
    ]
    bad("tag-of-fill", "The tag of a chunk of fill does not hold.", FORGED, "contents", sealed=fill_tag)
    exchanged = lambda s, chunks: [chunks[1], chunks[0]] + chunks[2:] if s == 2 else chunks
    bad(
        "chunks-exchanged-by-holder",
        "Two chunks are exchanged, under digests and seals that hold.",
        FORGED,
        "contents",
        sealed=exchanged,
    )
    marked = lambda s, chunks: (
        [EVERY.seal(2, EVERY.plaintexts[2][:PIECE], 0, True)] + chunks[1:] if s == 2 else chunks
    )
    bad("first-marked-last", "The first chunk is sealed as the last.", FORGED, "contents", sealed=marked)
    for s, scope in SCOPES.items():
        bad(
            f"fill-{scope}",
            "A byte of fill is not zero.",
            FORGED,
            "contents",
            fill=lambda which, fill, s=s: flip(fill, len(fill) // 2) if which == s else fill,
        )
    bad(
        "fill-last-byte",
        "The last byte of fill is not zero.",
        FORGED,
        "contents",
        fill=lambda which, fill: flip(fill, len(fill) - 1) if which == 2 else fill,
    )

    frame("magic", "Another magic number.", lambda p: by_hand(p, magic=bytes.fromhex("27b52ffd")))
    frame("checksum", "A frame with a checksum that holds.", frames.with_checksum)
    frame("dictionary", "A frame with a dictionary's id.", lambda p: by_hand(p, dictionary=u32(77)))
    frame(
        "dictionary-0", "A frame with a dictionary's id, which is 0.", lambda p: by_hand(p, dictionary=b"\0")
    )
    frame(
        "no-size",
        "A frame without its content size.",
        lambda p: by_hand(p, window=frames.WINDOW_8_MIB, with_size=False),
    )
    frame("reserved-bit", "The reserved bit is set.", lambda p: by_hand(p, reserved=True))
    frame("two", "Two frames.", lambda p: by_hand(p[:100]) + by_hand(p[100:]))
    frame("two-empty", "A frame, and an empty one behind it.", lambda p: by_hand(p) + by_hand(b""))
    frame(
        "skippable-before",
        "A skippable frame before the frame.",
        lambda p: frames.skippable(b"") + by_hand(p),
    )
    frame(
        "skippable-behind",
        "A skippable frame behind the frame.",
        lambda p: by_hand(p) + frames.skippable(b""),
    )
    frame("behind", "A byte behind the frame.", lambda p: by_hand(p) + b"\0")
    frame("cut", "The frame is cut.", lambda p: by_hand(p)[:-1])
    frame("cut-header", "The frame is its magic alone.", lambda p: by_hand(p)[:4])
    frame("cut-magic", "The frame is two bytes.", lambda p: by_hand(p)[:2])
    frame(
        "size-smaller",
        "The content size is a byte less than the plaintext.",
        lambda p: by_hand(p, size=len(p) - 1),
    )
    frame(
        "size-larger",
        "The content size is a byte more than the plaintext.",
        lambda p: by_hand(p, size=len(p) + 1),
    )
    frame(
        "content-shorter", "The content is a byte less than its size.", lambda p: by_hand(p[:-1], size=len(p))
    )
    frame(
        "content-longer",
        "The content is a byte more than its size.",
        lambda p: by_hand(p + b"\0", size=len(p)),
    )
    frame(
        "bomb",
        "16 MiB of content where the size says little.",
        lambda p: by_hand(p + bytes(16 * MIB), size=len(p), window=frames.WINDOW_8_MIB),
    )
    frame(
        "size-most",
        "A content size of 2^64 - 1, with a small window.",
        lambda p: by_hand(p, size=2**64 - 1, window=frames.WINDOW_8_MIB),
    )
    frame("window", "A window of 9 MiB.", lambda p: by_hand(p, window=frames.WINDOW_9_MIB), LIMIT)
    frame(
        "window-16-mib",
        "A window of 16 MiB for a record of 16 MiB.",
        lambda p: by_hand(p, window=frames.WINDOW_16_MIB),
        LIMIT,
        padded_part(0, 16 * MIB),
    )
    frame("window-most", "The largest window there is.", lambda p: by_hand(p, window=255), LIMIT)
    frame("garbage", "A frame header, and garbage.", lambda p: by_hand(p)[:13] + draw("garbage", 40))
    data = record(transaction(0) + text(4, packed("a" * 2000)))
    history(
        "frame-other-content",
        "A good frame of other content.",
        Block(1, data, 1, by_hand(data.replace(b"a" * 9, b"b" * 9, 1))),
    )


def step_9():
    def history(name, description, *blocks, verdict=FORGED, records=None):
        made = [Block(count, data, 0, data) for count, data in blocks]
        bad(
            f"records-{name}",
            description,
            verdict,
            "contents",
            sections={**everything.sections, 2: [Section(32, made)]},
        )

    r = record(transaction(0))
    small = record(b"x")
    history("varint-long", "A length of one byte in two.", (2, r + b"\x81\0x"))
    history("varint-zero-long", "A length of zero in two bytes.", (2, r + b"\x80\0"))
    history("varint-cut", "The block ends in a length.", (2, r + b"\x80"))
    history("varint-11-bytes", "A length of eleven bytes.", (2, r + b"\xff" * 10 + b"\1"))
    history("varint-most", "A length of 2^64 - 1.", (2, r + b"\xff" * 9 + b"\1"), verdict=LIMIT)
    history("beyond", "A record goes beyond its block.", (2, r + b"\3xy"))
    history("over-two-blocks", "A record goes on in the next block.", (1, r[:-4]), (1, r[-4:]))
    history(
        "limit",
        "A record of 16 MiB and a byte, with its length.",
        (2, r + varint(16 * MIB - 3)),
        verdict=LIMIT,
    )
    history("count-more", "One record more than the index says.", (1, r + small))
    history("count-fewer", "One record fewer than the index says.", (3, r + small))
    two = framed(by_hand, padded_part(0, MIB // 2), padded_part(1, MIB // 2 + 1))
    bad(
        "records-two-in-large-block",
        "A block of 1 MiB and a byte with two records.",
        FORGED,
        "contents",
        sections={**everything.sections, 2: [Section(34, [two])]},
    )

    def digest(s, place):
        def change(scope, entries):
            return [
                e._replace(digest=flip(e.digest, 5)) if (scope, i) == (s, place) else e
                for i, e in enumerate(entries)
            ]

        return change

    for s, place in ((1, 0), (1, 2), (2, 1), (3, 1)):
        bad(
            f"section-digest-{SCOPES[s]}-{place}",
            "A section's digest is another's.",
            FORGED,
            "contents",
            index=digest(s, place),
        )

    def manifest(name, description, make):
        bad(f"manifest-{name}", description, FORGED, "contents", scope_fields=make)

    field = lambda number, d: text(number, d[number - 1])
    every = lambda d: field(1, d) + field(2, d) + field(3, d)
    for s, scope in SCOPES.items():
        manifest(
            f"digest-{scope}",
            "A scope digest is another.",
            lambda d, s=s: every([flip(x, 0) if i == s - 1 else x for i, x in enumerate(d)]),
        )
    manifest("digests-exchanged", "Two scope digests are exchanged.", lambda d: every([d[1], d[0], d[2]]))
    manifest("field-missing", "Field 2 is missing.", lambda d: field(1, d) + field(3, d))
    manifest("field-repeated", "Field 1 stands twice.", lambda d: every(d) + field(1, d))
    manifest(
        "field-repeated-behind",
        "Field 3 stands twice, with another value.",
        lambda d: every(d) + text(3, bytes(32)),
    )
    manifest(
        "field-length", "Field 1 has 31 bytes.", lambda d: text(1, d[0][:31]) + field(2, d) + field(3, d)
    )
    manifest("field-type", "Field 1 is an integer.", lambda d: integer(1, 5) + field(2, d) + field(3, d))
    manifest(
        "field-also-integer",
        "Field 1 stands once as bytes, and once as an integer.",
        lambda d: every(d) + integer(1, 5),
    )
    manifest("cut", "The message ends in a field.", lambda d: every(d) + b"\x22\x7f")
    manifest("empty", "The manifest has no fields of its own.", lambda d: b"")

    wrong = lambda d: every(
        [expand(EVERY.prk[s], b"fueki/1 scope" + bytes([s]) + bytes(32) + H(b""), 32) for s in SCOPES]
    )
    manifest("digests-of-another", "Scope digests of another header.", wrong)


STEPS = (step_1, step_2, step_3, step_4, step_5, step_6, step_7, step_8, step_9)
