"""Messages, valid and not, and files, whole and not: items 4 and 5 of step 9."""

from samples import FORGED, READER, contact, draw, everything, file_part, integer, packed, text, transaction, vectors, wallet
from writer import Archive, Section, stored, varint

BAD_UTF_8 = {
    "byte": b"name \xff",
    "cut": b"name \xe2\x82",
    "overlong": b"\xc0\x80",
    "surrogate": b"\xed\xa0\x80",
    "beyond": b"\xf4\x90\x80\x80",
}


def fixed(number, wire, size):
    return varint(number << 3 | wire) + bytes(range(size))


def case(name, description, section, *messages, verdict=FORGED):
    """The archive with some messages in the place of a section's scope's."""
    scope = 1 if section < 32 else 2 if section < 64 else 3
    archive = Archive(everything.but(sections={**everything.sections, scope: [Section(section, [stored(*messages)])]}))
    vectors.edited(f"messages-{name}", description, "everything", archive, reader=READER, messages=verdict)


def manifest(name, description, field, verdict=FORGED):
    every = lambda d: b"".join(text(i, digest) for i, digest in enumerate(d, 1)) + field
    archive = Archive(everything.but(scope_fields=every))
    vectors.edited(f"messages-manifest-{name}", description, "everything", archive, reader=READER, messages=verdict)


def good(name, description, section, *messages):
    case(name, description, section, *messages, verdict="ok")


def messages():
    texts()
    fields()
    secrets()
    files()


def texts():
    for name, value in BAD_UTF_8.items():
        manifest(f"text-{name}", f"The manifest's label is not UTF-8: {value.hex()}.", text(6, value))
    manifest("nested-text", "The name of a source in the manifest is not UTF-8.", text(8, text(1, b"\xff")))
    manifest("nested-cut", "The report of a source in the manifest is cut.", text(8, text(1, "source")[:-1]))
    manifest(
        "padding",
        "The manifest's padding, and a field that is not known, are not UTF-8.",
        text(14, b"\0\xff") + text(100, b"\xff"),
        "ok",
    )
    case("text", "A contact's notes are not UTF-8.", 4, contact(0), contact(1) + text(6, b"\xff"))
    case("text-first", "A text that is not UTF-8 stands before the one that counts.", 4, text(2, b"\xff") + contact(0))
    case("text-extra", "A text in a record's extra is not UTF-8.", 4, contact(0) + text(15, text(1, b"\xff")))
    case("text-list", "The second descriptor of a wallet is not UTF-8.", 2, wallet(0) + text(8, "a") + text(8, b"\xff"))
    good("text-nul", "A text with U+0000, and one that begins with U+FEFF.", 4, contact(0) + text(6, "\0") + text(2, "\ufeff"))
    good("packed-text", "Packed text of a form that there is not, and one that is not UTF-8.", 4, text(1, b"\x07?") + text(3, b"\0\xff"))
    good("path", "A file's name and place that are not UTF-8.", 8, file_part(0, b"content") + text(3, b"\xff") + text(16, b"\xfe"))
    good("section-unknown", "Messages of a section that is not known are not looked at.", 9, b"\xff", text(1, b"\xff"))


def fields():
    whole = transaction(0)
    case("cut-text", "A record ends in a text.", 32, whole, transaction(1)[:-5] + text(12, "metadata")[:-1])
    case("cut-length", "A record ends in a field's length.", 32, whole + b"\x62\x80")
    case("cut-key", "A record ends in a field's key.", 32, whole + b"\xe2")
    case("cut-value", "A record ends before a field's value.", 32, whole + varint(11 << 3))
    case("cut-fixed-64", "A record ends in a field of 8 bytes.", 32, whole + fixed(100, 1, 7))
    case("cut-fixed-32", "A record ends in a field of 4 bytes.", 32, whole + fixed(100, 5, 3))
    case("cut-nested", "A checkpoint in a wallet ends in a field.", 2, wallet(0) + text(10, text(2, packed("hash"))[:-1]))
    case("length-most", "A field of 2^64 - 1 bytes.", 32, whole + b"\x62" + b"\xff" * 9 + b"\1")
    case("varint-11-bytes", "A number of eleven bytes.", 32, whole + b"\x58" + b"\x80" * 10 + b"\1")
    case("key-0", "A field of the number 0.", 32, whole + b"\2\1x")
    for wire in (3, 4, 6, 7):
        case(f"wire-type-{wire}", f"A field of the wire type {wire}.", 32, whole + bytes([11 << 3 | wire]))
    case("wire-type-3-closed", "A group, with its end.", 32, whole + b"\xa3\x06\xa4\x06")
    good(
        "unknown-fields",
        "Fields that the schema does not know, of every wire type, and the last number that there is.",
        32,
        whole + integer(100, 2**64 - 1) + fixed(101, 1, 8) + text(102, b"\xff") + fixed(103, 5, 4) + text(2**29 - 1, b""),
    )
    good("other-wire-types", "A text as a number, and a number as bytes.", 32, whole + integer(6, 7) + text(10, b"\xff"))
    good("varint-long", "Key, length and number in more bytes than they need.", 32, whole + b"\xe2\x80\0\x81\0a" + b"\x58\x87\x80\0")
    good("repeated", "Fields twice, of which the last counts.", 32, whole + whole)


def secrets():
    key = text(1, draw("key", 16)) + text(3, "private-key") + text(4, "main")
    secret = text(5, draw("k", 32))
    case("key-cut", "A private key's record is cut.", 65, (key + secret)[:-1])
    case("key-text", "A private key's name is not UTF-8.", 65, text(1, draw("key", 16)) + text(4, b"\xff") + secret)
    case("key-id", "A private key's id of 15 bytes.", 65, text(1, draw("key", 15)) + secret)
    case("key-no-id", "A private key without an id.", 65, secret)
    case("key-no-secret", "A private key without a secret.", 65, key)
    good("key-empty-secret", "A private key with a secret of no bytes.", 65, key + text(5, b""))
    case("share-id", "A key share's id of 17 bytes.", 64, text(1, draw("share", 17)) + text(2, bytes(60)))
    good("share-sealed", "A key share without sealed bytes: it does not open, and its record is valid.", 64, text(1, draw("share", 16)))
    case("secret-file-id", "A secret file's id of no bytes.", 66, text(2, "keystore") + text(3, "file"))


def files():
    data = draw("file of parts", 300)
    part = lambda start, end, total=300, content=None: file_part(
        0, data[start:end] if content is None else content, start, total
    )
    for section, kind in ((8, "files"), (66, "secret-files")):
        a, b, c = part(0, 100), part(100, 250), part(250, 300)
        good(f"{kind}-order", "A file's parts in another order.", section, c, a, b)
        good(f"{kind}-repeated", "A file's part occurs again with the same bytes.", section, a, b, b, c)
        case(f"{kind}-first", "A file's first part is missing.", section, b, c)
        case(f"{kind}-middle", "A file's part in the middle is missing.", section, a, c)
        case(f"{kind}-last", "A file's last part is missing.", section, a, b)
        case(f"{kind}-overlap", "Two parts of a file overlap.", section, a, part(99, 250), c)
        case(f"{kind}-other-bytes", "A file's part occurs again with other bytes.", section, a, b, part(100, 250, content=bytes(150)), c)
        case(f"{kind}-total", "A part states another length of its file.", section, a, part(100, 250, 301), c)
        case(f"{kind}-beyond", "A part goes beyond its file.", section, a, b, part(250, 300, content=bytes(51)))
        case(f"{kind}-offset-most", "A part's offset is 2^64 - 1.", section, file_part(0, b"x", 2**64 - 1, 1))
    good("files-empty", "A file of no bytes, and one with a part of no bytes.", 8, file_part(1, b""), part(0, 300), part(300, 300))
    case("files-empty-total", "A file of one byte, with a part of no bytes alone.", 8, file_part(1, b"", 0, 1))
    other = part(0, 100) + text(3, "another")
    case("files-names", "Parts of one id and two names are of two files.", 8, other, part(100, 300))
