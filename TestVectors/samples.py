"""What the vectors are made of: messages, secrets, plans, and the archive that most faults are made from."""

import hmac

from frames import MIB, by_hand, real
from vectors import Vectors
from writer import (
    FLOOR,
    H,
    SCOPES,
    Archive,
    Plan,
    Section,
    framed,
    passphrase_slot,
    record,
    seal_share,
    stored,
    u32,
    varint,
)

FORGED, LIMIT, DAMAGED, NEW = "forged or inconsistent", "over limit", "damaged", "too new"
UNTRUSTED, NOT, CUT = "not signed by a trusted signer", "not an archive", "incomplete"
PASS, HISTORY_PASS, PUBLIC_PASS = "correct horse battery staple", "only the history", "no secrets"
READER = {"passphrases": [PASS]}
vectors = Vectors()


def draw(label, count):
    """Bytes that depend on the label alone."""
    output, i = b"", 0
    while len(output) < count:
        output += hmac.digest(b"fueki test vectors 1", label.encode() + u32(i), "sha256")
        i += 1
    return output[:count]


# Messages


def text(number, value):
    value = value if isinstance(value, bytes) else value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def integer(number, value):
    return varint(number << 3) + varint(value)


def packed(value):
    return b"\0" + value.encode()


def wallet(i):
    return (
        text(1, packed(f"wallet-{i}"))
        + text(2, f"Wallet {i}")
        + text(3, "hot")
        + text(4, "evm")
        + text(5, "1")
    )


def contact(i):
    return text(1, packed(f"contact-{i}")) + text(2, f"Contact {i}")


def transaction(i):
    return (
        text(1, packed(f"tx-{i}"))
        + text(2, packed("wallet-0"))
        + text(3, packed(f"hash {i * 7919}"))
        + text(6, str(10**18 + i))
        + text(8, "confirmed")
        + integer(9, 2 * (1795240800000000 + i))
    )


def file_part(i, content, offset=0, total=None):
    return (
        text(1, H(u32(i))[:16])
        + text(2, "keystore")
        + text(3, f"file-{i}")
        + integer(4, offset)
        + integer(5, len(content) if total is None else total)
        + text(6, content)
    )


def padded_part(i, size):
    """A file part of zeros whose record, length included, has exactly this size."""
    count = size
    while len(record(file_part(i, bytes(count)))) > size:
        count -= 1
    assert len(record(file_part(i, bytes(count)))) == size
    return file_part(i, bytes(count))


MANIFEST = text(4, "vectors 1") + integer(5, 1)
SHARES = {draw("share 1", 16): b"first share's secret bytes", draw("share 2", 16): draw("share 2 secret", 32)}


def shares_of(archive_id, roots):
    messages = [
        text(1, name) + text(2, seal_share(archive_id, roots, name, draw("nonce" + name.hex(), 24), secret))
        for name, secret in SHARES.items()
    ]
    return Section(64, [stored(*messages)])


def plan(label, slots, shares=False, **more):
    archive_id = draw(label + " archive id", 32)
    roots = {s: draw(f"{label} root {s}", 32) for s in SCOPES}
    sections = {s: list(more.pop(SCOPES[s], ())) for s in SCOPES}
    if shares:
        sections[3].insert(0, shares_of(archive_id, roots))
    return Plan(archive_id, draw("vault", 16), roots, tuple(slots), sections, MANIFEST, **more)


def salted(label, passphrase=PASS, mask=7, **more):
    return passphrase_slot(passphrase, draw("salt " + label, 16), mask, **more)


def cheap(i, cost=FLOOR, mask=7):
    """A passphrase slot that no passphrase opens, made without paying for it."""
    return passphrase_slot("", draw(f"cheap {i}", 16), mask, cost, cheap=True)


SMALL = {
    "profile": (Section(2, [stored(wallet(0), wallet(1))]),),
    "history": (Section(32, [stored(*map(transaction, range(20)))]),),
}
EVERYTHING = {
    "profile": (
        Section(2, [stored(wallet(0), wallet(1))]),
        Section(4, [framed(real, *map(contact, range(300)))]),
        Section(8, [framed(real, padded_part(0, MIB)), stored(file_part(1, draw("file", 500)))]),
    ),
    "history": (
        Section(
            32,
            [
                framed(real, *map(transaction, range(100))),
                framed(real, *map(transaction, range(100, 250))),
                stored(*map(transaction, range(250, 300))),
            ],
        ),
        Section(33, [stored(text(1, packed("receipt-0")) + text(2, packed("tx-0")))]),
        Section(
            38,
            [
                framed(
                    by_hand,
                    text(1, packed("message")) + text(2, packed("thread")) + text(4, "ha" + "!" * 900),
                )
            ],
        ),
    ),
    "secrets": (
        Section(
            65,
            [
                stored(
                    text(1, draw("key", 16))
                    + text(3, "private-key")
                    + text(4, "main")
                    + text(5, draw("k", 32))
                )
            ],
        ),
        Section(66, [stored(file_part(2, draw("secret file", 300)))]),
    ),
}


def flip(data, at, mask=1):
    return data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :]


def put(data, at, new):
    return data[:at] + new + data[at + len(new) :]


def age_identity(key, kind=""):
    """Bech32, as age writes private keys."""
    return bech32(f"age-secret-key-{kind}", key).upper()


def bech32(hrp, key):
    symbols = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    bits = "".join(f"{byte:08b}" for byte in key)
    bits += "0" * (-len(bits) % 5)
    data = [int(bits[i : i + 5], 2) for i in range(0, len(bits), 5)]

    def polymod(values):
        check = 1
        for value in values:
            top = check >> 25
            check = (check & 0x1FFFFFF) << 5 ^ value
            for i, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
                check ^= generator if top >> i & 1 else 0
        return check

    expanded = [ord(c) >> 5 for c in hrp] + [0] + [ord(c) & 31 for c in hrp]
    check = polymod(expanded + data + [0] * 6) ^ 1
    data += [check >> 5 * (5 - i) & 31 for i in range(6)]
    return hrp + "1" + "".join(symbols[i] for i in data)


everything = plan(
    "everything", [salted("everything")], shares=True, sequence=7, previous=draw("previous", 32), **EVERYTHING
)
EVERY = Archive(everything)
SHORTEST = EVERY.L  # of an unsigned archive with one passphrase slot for all scopes


# Faults


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


def fields_but(**values):
    """A hook: other values for fields, None to drop one, by names like f8003."""
    values = {int(name[1:], 16): value for name, value in values.items()}

    def change(fields):
        changed = [(tag, values.get(tag, value)) for tag, value in fields]
        return [(tag, value) for tag, value in changed if value is not None]

    return change
