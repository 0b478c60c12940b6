"""Faults that show without a key and without reading the chunks: steps 1 and 2."""

from samples import (
    CUT,
    DAMAGED,
    EVERY,
    FORGED,
    LIMIT,
    NEW,
    NOT,
    SHORTEST,
    bad,
    draw,
    everything,
    fields_but,
    flip,
    put,
    raw,
)
from writer import H, MAGIC, Archive, u16, u32


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
