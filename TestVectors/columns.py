"""Suite 3: blocks in columns."""

from frames import MIB, WINDOW_8_MIB, by_hand, real
from salvage import SALVAGING, damaged, kept
from samples import (
    DAMAGED,
    READER,
    contact,
    draw,
    file_part,
    integer,
    padded_part,
    plan,
    salted,
    text,
    transaction,
    vectors,
)
from writer import Archive, Block, Section, framed, record, stored, u16, u32, varint

VARINT, EIGHT, PAYLOAD, FOUR = 0, 1, 2, 5
RAW = 0


def key(number, kind):
    return number << 3 | kind


class Form:
    """A column form from its shapes, the raw one left out, and its records, each a shape's number and its values.

    Varints are numbers, or bytes that stand for one that is wrong.
    """

    def __init__(self, shapes, records):
        self.shapes, self.records = [[]] + [list(shape) for shape in shapes], list(records)
        self.columns = {RAW: [[], []]} | {
            tag: [[], []] for tag in sorted({tag for shape in self.shapes for tag in shape})
        }
        for number, values in self.records:
            for tag, value in zip(self.shapes[number] if number else [RAW], values, strict=True):
                lengths, payloads = self.columns[tag]
                if tag == RAW or tag & 7 == PAYLOAD:
                    lengths.append(varint(len(value)))
                    payloads.append(value)
                elif tag & 7 == VARINT:
                    lengths.append(value if isinstance(value, bytes) else varint(value))
                else:
                    payloads.append(value)

    def messages(self):
        for number, values in self.records:
            if number == 0:
                yield values[0]
                continue
            message = b""
            for tag, value in zip(self.shapes[number], values, strict=True):
                if tag & 7 == VARINT:
                    value = value if isinstance(value, bytes) else varint(value)
                elif tag & 7 == PAYLOAD:
                    value = varint(len(value)) + value
                message += varint(tag) + value
            yield message

    def column(self, tag, count=None):
        lengths, payloads = (b"".join(part) for part in self.columns[tag])
        if tag & 7 in (EIGHT, FOUR):
            return payloads
        return u32(len(lengths) if count is None else count) + lengths + payloads

    def encode(
        self, count=None, shape_count=None, shapes=None, numbers=None, columns=None, order=None, behind=b""
    ):
        """Each part can be given, or for columns a function that changes them."""
        encoded = [u16(len(shape)) + b"".join(map(varint, shape)) for shape in self.shapes]
        parts = {tag: self.column(tag) for tag in (order or self.columns)}
        parts = columns(parts) if columns else parts
        return (
            u32(len(self.records) if count is None else count)
            + u16(len(self.shapes) if shape_count is None else shape_count)
            + (b"".join(encoded) if shapes is None else shapes)
            + (b"".join(u16(number) for number, _ in self.records) if numbers is None else numbers)
            + b"".join(parts.values())
            + behind
        )

    def block(self, form=None, frame=by_hand, plaintext=None, records=None):
        plaintext = b"".join(map(record, self.messages())) if plaintext is None else plaintext
        block = Block(
            len(self.records) if records is None else records,
            plaintext,
            2,
            frame(self.encode() if form is None else form),
        )
        assert len(block.stored) < len(block.plaintext), (len(block.stored), len(block.plaintext))
        return block


def of(messages):
    """A form of messages whose fields are varints and payloads, as the samples' are."""
    shapes, records = {}, []
    for message in messages:
        tags, values, at = [], [], 0

        def number():
            nonlocal at
            value = shift = 0
            while True:
                byte = message[at]
                value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
                if byte < 128:
                    return value

        while at < len(message):
            tags.append(number())
            value = number()
            if tags[-1] & 7 == PAYLOAD:
                at += value
                value = message[at - value : at]
            values.append(value)
        records.append((shapes.setdefault(tuple(tags), len(shapes) + 1), values))
    return Form(shapes, records)


ID, SIZE, NAME, RATE, SMALL = key(1, PAYLOAD), key(2, VARINT), key(3, PAYLOAD), key(4, EIGHT), key(5, FOUR)
# A payload that a frame makes short, so that the stored bytes are fewer than the plaintext's.
LONG = b"a" * 3000


def every_kind():
    """All wire types, raw records, several shapes, equal ones, one that is not used, tags twice."""
    shapes = [
        [ID, SIZE, NAME, RATE, SMALL],
        [],
        [ID, SIZE],
        [ID, SIZE],
        [NAME, NAME, ID, NAME],
        [SMALL, RATE, key(2047, VARINT), key(2048, PAYLOAD)],
        [key(9, PAYLOAD), key(10, FOUR)],
    ]
    return Form(
        shapes,
        [
            (1, [b"first", 0, LONG, bytes(8), b"four"]),
            (3, [b"", 127]),
            (0, [b"no message \xff"]),
            (2, []),
            (5, [b"one", b"two", b"three", b""]),
            (4, [b"fourth", 128]),
            (6, [b"\1\2\3\4", b"12345678", 2**64 - 1, b"x" * 200]),
            (0, [b""]),
            (0, [b"\x08\x80\x00"]),
            (0, [b"\x0b\x0c"]),
            (1, [b"last", 2**63, b"y", b"\xff" * 8, b"\0" * 4]),
        ],
    )


def padded(form, plaintext, size):
    """The form with shapes behind its own that no record uses, so that it has this size."""
    missing = size - len(form.encode())
    shapes = []
    while missing:
        # A shape of n tags of one byte each has n + 2 bytes. Not one byte may be left.
        count = min(missing - 2, 256)
        count -= missing - 2 - count == 1
        shapes.append([form.shapes[1][0]] * count)
        missing -= count + 2
    form.shapes += shapes
    assert len(form.encode()) == size and len(form.shapes) <= 4096
    return form.block(plaintext=plaintext)


def good(base):
    def history(name, description, *blocks, section=63):
        made = {**base.sections, 2: [Section(section, list(blocks))]}
        vectors.edited(
            f"columns-{name}", description, "columns-one", Archive(base.but(sections=made)), reader=READER
        )

    history(
        "all-raw",
        "All records are raw, and no column but theirs is there.",
        Form([], [(0, [LONG]), (0, [b""]), (0, [b"z"])]).block(),
    )
    history(
        "shapes-4096",
        "4096 shapes, the last of which is used.",
        Form([[]] * 4094 + [[NAME]], [(4095, [LONG * 3])]).block(),
    )
    history(
        "tags-256",
        "A shape of 256 tags, all of them the same.",
        Form([[SIZE] * 256, [NAME]], [(1, [7] * 256), (2, [LONG]), (1, list(range(256)))]).block(),
    )
    history(
        "field-most",
        "The greatest field number, in all four wire types.",
        Form(
            [[key(2**29 - 1, kind) for kind in (FOUR, PAYLOAD, EIGHT, VARINT)]],
            [(1, [b"four", LONG, b"12345678", 1])],
        ).block(),
    )
    history(
        "tags-sum",
        "Fields of two bytes each, but for one: as many tags as the block's bytes bear out.",
        Form([[SIZE] * 256, [NAME]], [(1, [1] * 256)] * 20 + [(2, [LONG])]).block(),
    )
    history(
        "one-record-over-1-mib",
        "A block of one record of 1 MiB and a byte.",
        of([padded_part(0, MIB + 1)]).block(),
        section=38,
    )
    history(
        "record-of-16-mib",
        "A record that is 16 MiB with its length; its column form is longer.",
        of([padded_part(0, 16 * MIB)]).block(frame=lambda form: by_hand(form, window=WINDOW_8_MIB)),
        section=38,
    )
    history(
        "lengths-of-all-widths",
        "Records whose lengths take one to four bytes, after one another.",
        *(
            Form([[NAME]], [(1, [b"a" * count]) for count in counts]).block()
            for counts in ([3000, 0, 125, 126, 16380, 16379, 5, 20000], [2**21 + 5])
        ),
    )
    twice = Form([[NAME]], [(1, [LONG])])
    plaintext = b"".join(map(record, twice.messages()))
    history(
        "size-twice",
        "A content size of exactly twice the plaintext.",
        padded(twice, plaintext, 2 * len(plaintext)),
    )
    more = Form([[NAME]], [(1, [b"a" * 70000])])
    plaintext = b"".join(map(record, more.messages()))
    history(
        "size-65536-more",
        "A content size of exactly 65,536 bytes more than the plaintext.",
        padded(more, plaintext, len(plaintext) + 65536),
    )
    history(
        "window-8-mib",
        "A frame with a window of 8 MiB.",
        every_kind().block(frame=lambda form: by_hand(form, window=WINDOW_8_MIB)),
    )
    none = {1: [Section(4, [framed(real, *map(contact, range(30)))])], 2: [], 3: []}
    vectors.edited(
        "columns-none",
        "An archive of suite 3 that has no block in columns.",
        "columns-one",
        Archive(base.but(sections=none)),
        reader=READER,
    )
    archive = vectors.archives["columns"]
    vectors.edited(
        "columns-salvage",
        "The first chunk of the history is damaged; the blocks behind it come back.",
        "columns",
        damaged(archive, [(2, 0)]),
        verdict=DAMAGED,
        reader=SALVAGING,
        salvaged=kept(archive, [(2, 0)]),
    )


def columns():
    """The good ones; gives the plan that faults are made from."""
    base = plan(
        "columns",
        [salted("columns")],
        shares=True,
        suite=3,
        profile=(
            Section(4, [of(map(contact, range(300))).block(frame=real)]),
            Section(8, [framed(real, padded_part(0, MIB)), stored(file_part(1, draw("file", 500)))]),
        ),
        history=(
            Section(
                32,
                [
                    of(map(transaction, range(300))).block(frame=real),
                    framed(real, *map(transaction, range(300, 400))),
                    stored(*map(transaction, range(400, 420))),
                    stored(file_part(2, draw("between", 20000))),
                    of(map(transaction, range(420, 700))).block(frame=real),
                ],
            ),
            Section(
                33,
                [of(text(1, f"receipt-{i}") + integer(4, i * 3) for i in range(200)).block(frame=real)],
            ),
            Section(63, [every_kind().block()]),
        ),
    )
    vectors.whole(
        "columns", "Suite 3, with blocks of all three methods side by side.", Archive(base), reader=READER
    )
    one = plan(
        "columns one", [salted("columns one")], suite=3, history=(Section(63, [every_kind().block()]),)
    )
    vectors.whole(
        "columns-one", "Suite 3, with one block, of every kind of value.", Archive(one), reader=READER
    )
    good(one)
    return one
