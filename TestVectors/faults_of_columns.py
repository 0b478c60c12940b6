"""Faults in blocks in columns, and in archives of suite 3."""

from columns import (
    FOUR,
    ID,
    LONG,
    NAME,
    PAYLOAD,
    RATE,
    RAW,
    SIZE,
    SMALL,
    VARINT,
    Form,
    every_kind,
    key,
    of,
    padded,
)
from frames import MIB, WINDOW_8_MIB, WINDOW_9_MIB, by_hand, with_checksum
from samples import FORGED, LIMIT, bad, everything, file_part, padded_part
from writer import Section, framed, record, u16, u32, varint


def faults(base):
    def history(name, description, block, verdict=FORGED, depth="contents", section=63, scope=2):
        sections = {**base.sections, scope: [Section(section, [block])]}
        bad(f"columns-{name}", description, verdict, depth, base="columns-one", sections=sections)

    def fault(name, description, verdict=FORGED, make=every_kind, plaintext=None, **changes):
        form = make()
        history(name, description, form.block(form.encode(**changes), plaintext=plaintext), verdict)

    def shape_fault(name, description, tags, make=every_kind):
        """Another last shape, which no record uses; the tags are encoded."""
        form = make()
        shapes = b"".join(u16(len(shape)) + b"".join(map(varint, shape)) for shape in form.shapes)
        fault(name, description, shape_count=len(form.shapes) + 1, shapes=shapes + tags)

    # The head.
    fault("records-0", "No record, where there are eleven.", count=0)
    history(
        "records-none",
        "A column form without records, for a block that has some.",
        Form([], []).block(Form([], []).encode(), plaintext=record(LONG), records=1),
    )
    fault("records-more", "One record more than there are shape numbers and values.", count=12)
    fault("records-fewer", "One record fewer.", count=10)
    fault("records-most", "2^32 - 1 records.", count=2**32 - 1)
    fault("shapes-0", "No shape.", shape_count=0)
    fault("shapes-fewer", "One shape fewer than there are.", shape_count=7)
    fault("shapes-more", "One shape more than there are.", shape_count=9)
    fault("shapes-most", "65,535 shapes.", shape_count=65535)
    many = Form([[]] * 4095 + [[NAME]], [(4096, [LONG * 3])])
    history("shapes-4097", "4097 shapes, all of which are there.", many.block())
    form = every_kind()
    encoded = b"".join(u16(len(shape)) + b"".join(map(varint, shape)) for shape in form.shapes)
    fault("shape-0-tags", "Shape 0 has a tag.", shapes=u16(1) + varint(ID) + encoded[2:])
    history(
        "shape-0-missing",
        "No shape stands for raw records: the first has a tag.",
        Form([[NAME]], [(1, [LONG])]).block(
            Form([[NAME]], [(1, [LONG])]).encode(shape_count=1, shapes=u16(1) + varint(NAME), numbers=u16(0))
        ),
    )
    shape_fault("tags-257", "A shape of 257 tags.", u16(257) + varint(ID) * 257)
    shape_fault("tags-most", "A shape of 65,535 tags.", u16(65535) + varint(ID) * 300)
    shape_fault("field-0", "A field number of 0.", u16(1) + varint(key(0, VARINT)))
    shape_fault("field-over", "A field number of 2^29.", u16(1) + varint(key(2**29, VARINT)))
    shape_fault(
        "field-most-64", "A tag of 2^64 - 6, whose lowest 32 bits are a tag.", u16(1) + varint(2**64 - 6)
    )
    shape_fault("field-65-bits", "A tag of more than 64 bits.", u16(1) + b"\x80" * 9 + b"\2")
    for kind in (3, 4, 6, 7):
        shape_fault(f"wire-type-{kind}", f"A tag of wire type {kind}.", u16(1) + varint(key(3, kind)))
    shape_fault("tag-long", "A tag in a byte more than it takes.", u16(1) + bytes([ID | 128, 0]))
    fault(
        "tag-cut",
        "The form ends in a tag.",
        columns=lambda _: {},
        numbers=b"",
        shapes=u16(0) + u16(1) + b"\x80",
    )
    fault("head-cut", "The form ends behind its head.", columns=lambda _: {}, numbers=b"", shapes=b"")
    history(
        "head-only",
        "The form is five bytes.",
        every_kind().block(every_kind().encode()[:5]),
    )
    numbers = b"".join(u16(number) for number, _ in form.records)
    fault("number-over", "A record of shape 8, where the last is 7.", numbers=u16(8) + numbers[2:])
    fault("number-most", "A record of shape 65,535.", numbers=numbers[:-2] + u16(65535))
    fault("numbers-cut", "The form ends in the shape numbers.", columns=lambda _: {}, numbers=numbers[:-1])
    fault("number-other", "A record of another shape.", numbers=u16(3) + numbers[2:])
    sums = Form([[SIZE] * 256, [NAME]], [(1, [1] * 256)] * 40 + [(2, [LONG])])
    history(
        "tags-sum-over",
        "More tags, over all records, than the block has bytes.",
        sums.block(plaintext=record(LONG) * 3, records=3),
    )

    # Columns.
    def column(name, description, tag, change, make=every_kind):
        fault(
            f"column-{name}",
            description,
            make=make,
            columns=lambda parts: {t: change(part) if t == tag else part for t, part in parts.items()},
        )

    lengths = lambda part: int.from_bytes(part[:4], "little")
    column("missing", "The column of a tag is missing.", key(2047, VARINT), lambda part: b"")
    column(
        "missing-unused",
        "The column of a tag that no record uses is missing.",
        key(9, PAYLOAD),
        lambda part: b"",
    )
    column("raw-missing", "No raw records, and no column for them.", RAW, lambda part: b"", without_raw)
    column("doubled", "The column of a tag stands twice.", ID, lambda part: part * 2)
    fault(
        "column-order",
        "Columns stand in the order of their first use.",
        order=[RAW, ID, SIZE, NAME, SMALL, RATE, *(list(form.columns)[6:])],
    )
    fault("column-raw-last", "The column of raw records is the last.", order=[*list(form.columns)[1:], RAW])
    column(
        "length-more",
        "A column of varints is a byte longer than it says.",
        SIZE,
        lambda part: part + b"\1",
    )
    column(
        "value-left",
        "A value is left in a column.",
        SIZE,
        lambda part: u32(lengths(part) + 1) + part[4:] + b"\1",
    )
    column("value-missing", "A value is missing in a column.", key(2047, VARINT), lambda part: u32(0))
    column(
        "length-fewer",
        "The byte length of a column of varints is one less.",
        SIZE,
        lambda part: u32(lengths(part) - 1) + part[4:],
    )
    column("length-most", "A column of 2^32 - 1 bytes.", SIZE, lambda part: u32(2**32 - 1) + part[4:])
    column(
        "unused-value",
        "A value in the column of a tag that no record uses.",
        key(9, PAYLOAD),
        lambda part: u32(1) + b"\0",
    )
    column("fixed-short", "A value of 8 bytes has 7.", RATE, lambda part: part[:-1])
    column("fixed-left", "A value of 4 bytes is left.", SMALL, lambda part: part + b"four")
    column(
        "unused-fixed",
        "A value in a column of 4 bytes that no record uses.",
        key(10, FOUR),
        lambda part: b"four",
    )
    column(
        "varint-long",
        "A value of 0 in two bytes.",
        SIZE,
        lambda part: u32(lengths(part) + 1) + b"\x80\0" + part[5:],
    )
    column(
        "varint-65-bits",
        "A value of more than 64 bits.",
        key(2047, VARINT),
        lambda part: u32(10) + b"\xff" * 9 + b"\2",
    )
    column(
        "varint-11-bytes",
        "A value of eleven bytes.",
        key(2047, VARINT),
        lambda part: u32(11) + b"\xff" * 10 + b"\1",
    )
    column("varint-cut", "A column of varints ends in one.", key(2047, VARINT), lambda part: u32(1) + b"\x80")
    column(
        "lengths-left",
        "A length is left in a column.",
        ID,
        lambda part: u32(lengths(part) + 1) + part[4 : 4 + lengths(part)] + b"\0" + part[4 + lengths(part) :],
    )
    column(
        "lengths-missing",
        "A length is missing in a column.",
        key(2048, PAYLOAD),
        lambda part: u32(0) + part[6:],
    )
    column("lengths-most", "2^32 - 1 bytes of lengths.", ID, lambda part: u32(2**32 - 1) + part[4:])
    column(
        "length-long",
        "A payload's length of 5 in two bytes.",
        ID,
        lambda part: u32(lengths(part) + 1) + b"\x85\0" + part[5:],
    )
    column(
        "payload-short",
        "A payload is a byte shorter than its length.",
        key(2048, PAYLOAD),
        lambda part: part[:-1],
    )
    column(
        "payload-most",
        "A payload of 2^64 - 1 bytes.",
        key(2048, PAYLOAD),
        lambda part: u32(10) + varint(2**64 - 1) + part[6:],
    )
    column(
        "payload-over",
        "A payload of 2^31 bytes.",
        key(2048, PAYLOAD),
        lambda part: u32(5) + varint(2**31) + part[6:],
    )
    column("payload-left", "A byte is left behind the payloads of a column.", ID, lambda part: part + b"\0")
    column(
        "payloads-wrap",
        "Two payloads that have no bytes together modulo 2^64.",
        NAME,
        lambda part: u32(20) + varint(2**63) * 2,
    )
    column(
        "raw-length-over",
        "A raw record goes beyond the form.",
        RAW,
        lambda part: u32(lengths(part) + 2) + varint(2**20) + part[5:],
    )
    fault("behind", "A byte behind the last column.", behind=b"\0")
    whole = every_kind().encode()
    for name, size in (("last-byte", 1), ("last-column", len(form.column(list(form.columns)[-1])))):
        history(f"cut-{name}", "The form is cut.", every_kind().block(whole[:-size]))

    # Lengths, and what they add up to.
    plaintext = b"".join(map(record, form.messages()))
    fault(
        "plaintext-more",
        "The records are a byte less than the block's plaintext.",
        plaintext=plaintext[:-1] + b"\0\0",
    )
    fault(
        "plaintext-fewer",
        "The records are a byte more than the block's plaintext.",
        plaintext=plaintext[:-1],
    )
    fault("other-content", "Good columns of other records.", plaintext=plaintext.replace(b"three", b"seven"))
    history(
        "two-in-large-block",
        "A block of 1 MiB and a byte with two records.",
        of([padded_part(0, MIB // 2), padded_part(1, MIB // 2 + 1)]).block(),
        section=38,
    )
    twice = Form([[NAME]], [(1, [LONG])])
    small = b"".join(map(record, twice.messages()))
    history(
        "size-over-twice",
        "A content size of a byte more than twice the plaintext.",
        padded(twice, small, 2 * len(small) + 1),
        LIMIT,
    )
    more = Form([[NAME]], [(1, [b"a" * 70000])])
    large = b"".join(map(record, more.messages()))
    history(
        "size-over-65536-more",
        "A content size of 65,537 bytes more than the plaintext.",
        padded(more, large, len(large) + 65537),
        LIMIT,
    )
    huge = of([padded_part(0, 16 * MIB)])
    history(
        "single-segment",
        "A single-segment frame of over 16 MiB, which is its window.",
        huge.block(),
        LIMIT,
        section=38,
    )

    def frame(name, description, make, verdict=FORGED):
        history(f"frame-{name}", description, every_kind().block(frame=make), verdict)

    frame(
        "size-most",
        "A content size of 2^64 - 1, with a small window.",
        lambda f: by_hand(f, size=2**64 - 1, window=WINDOW_8_MIB),
        LIMIT,
    )
    frame("window", "A window of 9 MiB.", lambda f: by_hand(f, window=WINDOW_9_MIB), LIMIT)
    frame(
        "no-size",
        "A frame without its content size.",
        lambda f: by_hand(f, window=WINDOW_8_MIB, with_size=False),
    )
    frame(
        "size-smaller",
        "The content size is a byte less than the form.",
        lambda f: by_hand(f, size=len(f) - 1),
    )
    frame(
        "size-larger",
        "The content size is a byte more than the form.",
        lambda f: by_hand(f, size=len(f) + 1),
    )
    frame("size-0", "A frame without content.", lambda f: by_hand(b""))
    frame("checksum", "A frame with a checksum that holds.", with_checksum)
    frame("two", "Two frames.", lambda f: by_hand(f[:100]) + by_hand(f[100:]))
    frame("plaintext", "A frame of the plaintext, as method 1 has it.", lambda f: by_hand(plaintext))
    bad(
        "columns-not-unpacked",
        "A column form that is marked as a frame of the plaintext.",
        FORGED,
        "contents",
        base="columns-one",
        sections={**base.sections, 2: [Section(63, [form.block()._replace(method=1)])]},
    )

    # Methods.
    def method(name, description, change, s=2):
        def index(scope, entries):
            if scope != s:
                return entries
            blocks = [change(*entries[0].blocks[0]), *entries[0].blocks[1:]]
            return [entries[0]._replace(blocks=blocks), *entries[1:]]

        bad(f"columns-{name}", description, FORGED, "open", base="columns-one", index=index)

    method("not-shorter", "A block of columns as long as its plaintext.", lambda m, a, b: (2, b, b))
    method("method-3", "A block of method 3.", lambda m, a, b: (3, a, b))
    method("method-255", "A block of method 255.", lambda m, a, b: (255, a, b))
    history(
        "secrets",
        "A block of secrets is in columns.",
        of([file_part(0, bytes(3000))]).block(),
        depth="open",
        section=66,
        scope=3,
    )
    bad(
        "columns-in-suite-1",
        "A good block of columns in an archive of suite 1.",
        FORGED,
        "open",
        sections={**everything.sections, 2: [Section(63, [every_kind().block()])]},
    )
    bad(
        "columns-in-suite-1-limit",
        "The same, with a content size over its limit: the method is judged before.",
        FORGED,
        "open",
        sections={
            **everything.sections,
            2: [Section(63, [every_kind().block(frame=lambda f: by_hand(f, size=2**40, window=WINDOW_8_MIB))])],
        },
    )
    bad(
        "frame-single-segment",
        "A frame of the plaintext whose content size, and so its window, is 16 MiB and a byte.",
        LIMIT,
        "contents",
        sections={
            **everything.sections,
            2: [Section(32, [framed(lambda data: by_hand(data, size=16 * MIB + 1), file_part(0, bytes(3000)))])],
        },
    )


def without_raw():
    return Form([[ID, NAME]], [(1, [b"one", LONG]), (1, [b"two", b""])])
