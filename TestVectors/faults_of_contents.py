"""Faults in opened streams: steps 7 to 9."""

import frames
from frames import MIB, by_hand, real
from samples import (
    EVERY,
    FORGED,
    LIMIT,
    READER,
    bad,
    draw,
    everything,
    file_part,
    flip,
    integer,
    packed,
    padded_part,
    put,
    text,
    transaction,
    vectors,
)
from writer import CHUNK, H, PIECE, SCOPES, Block, Entry, Section, expand, framed, record, u16, u32, varint


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
    at_bytes(
        "blocks-most-before-sections",
        "2^32 - 1 blocks, and behind the first of them what would be lengths above 16 MiB.",
        2,
        lambda i: put(i, 52, b"\xff" * 4),
    )
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
    bad(
        "index-block-limit-and-behind",
        "A block of 16 MiB and a byte, in an index that goes on: it is none.",
        FORGED,
        "open",
        index=lambda scope, e: block(0, 0, lambda m, a, b: (1, a, 16 * MIB + 1))(e) if scope == 2 else e,
        index_bytes=lambda scope, index: index + b"\0" if scope == 2 else index,
    )
    at_index(
        "method-2-and-plaintext-limit",
        "A block of method 2 in a section of 1 TiB and a byte: methods are judged after the sum.",
        2,
        one(0, lambda e: e._replace(length=2**40 + 1, blocks=[(2, a, b) for _, a, b in e.blocks])),
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
