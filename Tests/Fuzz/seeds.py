#!/usr/bin/env python3
"""Writes the inputs that fuzzing begins with: one of each shape, from the test vectors and made by hand."""

import json
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
VECTORS = os.path.join(HERE, "../../TestVectors/archives")
CORPUS = os.path.join(HERE, "Corpus")

# The generator's first multiples on secp256k1: values of the line f(x) = 1 + x at 0, 1, 2 and 3.
POINTS = [
    bytes.fromhex(text)
    for text in (
        "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
        "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
        "02e493dbf1c10d80f3581e4904930b1404cc6c13900ee0758474fa94abe8c4cd13",
    )
]
# The example of the Web3 Secret Storage definition.
KEYSTORE = """{"crypto": {"cipher": "aes-128-ctr", "cipherparams": {"iv": "6087dab2f9fdbbfaddc31a909735c1e6"},
"ciphertext": "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46", "kdf": "pbkdf2",
"kdfparams": {"c": 262144, "dklen": 32, "prf": "hmac-sha256",
"salt": "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd"},
"mac": "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2"},
"id": "3198bc9c-6672-5ab3-d995-4942343ae5b6", "version": 3}"""
# The first two vectors of SLIP-0039.
WORDS = [
    "duckling enlarge academic academic agency result length solution fridge kidney coal piece deal husband erode "
    "duke ajar critical decision keyboard",
    "theory painting academic academic armed sweater year military elder discuss acne wildlife boring employer fused "
    "large satoshi bundle carbon diagnose anatomy hamster leaves tracks paces beyond phantom capital marvel lips "
    "brave detect luck",
]


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(tag, value):
    if isinstance(value, int):
        return varint(tag << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(tag << 3 | 2) + varint(len(value)) + value


def message(fields):
    return b"".join(field(tag, value) for tag, value in fields)


def framed(record):
    return varint(len(record)) + record


def descriptor(party, **changes):
    points = [(12, message([(1, bytes([x])), (2, POINTS[x])])) for x in (1, 2, 3)]
    values = {
        1: bytes([party]) * 16, 3: "gg18-ecdsa", 4: "secp256k1", 5: party - 1, 6: 2, 7: 3, 8: 1, 9: POINTS[0],
        10: POINTS[party], 11: bytes([party]), 13: "scalar", 14: "one",
    }
    values |= {int(tag[1:]): value for tag, value in changes.items()}
    return message([*values.items(), *points])


def headers():
    for name in ("all-slot-types", "signed", "unknown-slot", "optional-field"):
        with open(os.path.join(VECTORS, name + ".fueki"), "rb") as file:
            data = file.read(65536)
        yield name, data[: 16 + struct.unpack("<I", data[12:16])[0]]


def slots():
    for name, header in headers():
        place = 16
        while place < len(header):
            tag, length = struct.unpack("<HI", header[place : place + 6])
            if tag == 0x8008:
                yield name, header[place + 6 : place + 6 + length]
            place += 6 + length


def indices():
    def section(number, *blocks):
        head = struct.pack("<HQQ", number, len(blocks), sum(b[2] for b in blocks)) + bytes(32)
        return head + struct.pack("<I", len(blocks)) + b"".join(struct.pack("<BII", *b) for b in blocks)

    one = (0, 100, 100)
    yield "profile", b"\0" + struct.pack("<H", 2) + section(1, one) + section(2, one, (1, 90, 4000))
    yield "history", b"\1" + struct.pack("<H", 1) + section(32, one, one)
    yield "secrets", b"\2" + struct.pack("<H", 1) + section(64, one)
    yield "nothing", b"\1" + struct.pack("<H", 0)


def records():
    text = b"\0text"
    shapes = {
        0: [(4, "program"), (5, 1), (8, message([(1, "store"), (2, message([(1, 2), (2, 3)])), (4, 1)]))],
        1: [(1, text), (2, "Savings"), (4, "evm"), (5, "1"), (6, b"\1" + bytes(20)), (10, message([(1, 5)]))],
        2: [(1, text), (2, text), (3, "erc20"), (4, b"\1" + bytes(20)), (8, "1.5")],
        3: [(1, text), (3, b"\3" + bytes(20)), (4, "bitcoin"), (5, "bitcoin")],
        4: [(1, "key"), (2, "{}"), (3, 5)],
        8: [(1, text), (2, text), (3, b"\1" + bytes(32)), (6, "-0.1"), (8, "pending"), (9, 7), (14, b"\1")],
        9: [(1, text), (2, text), (3, "21000"), (4, message([(1, text), (2, text), (3, text)]))],
        15: [(1, bytes(16)), (2, bytes(56))],
        16: [(1, bytes(16)), (3, "private-key"), (5, bytes(32)), (6, 1)],
        17: [(1, bytes(16)), (2, "keystore"), (3, "name"), (4, 0), (5, 4), (6, b"data"), (8, 0o600)],
    }
    for place, shape in shapes.items():
        record = framed(message(shape))
        yield str(place), bytes([place]) + record + record
    yield "5", b"\5" + framed(descriptor(1))


def shares():
    def joined(*parts):
        return b"".join(struct.pack(">H", len(part)) + part for part in parts)

    yield "sound", joined(descriptor(1), descriptor(2))
    yield "doubled", joined(descriptor(1), descriptor(1))
    yield "epochs", joined(descriptor(1), descriptor(2, t8=2))
    yield "wrong", joined(descriptor(1, t9=POINTS[3]))
    yield "off", joined(descriptor(3, t10=b"\2" + b"\xff" * 32))
    yield "p256", joined(descriptor(1, t4="p256"))


def files():
    def point(number):
        # Coordinates that are no point do as well: what is fuzzed is the reader.
        return {"Curve": "secp256k1", "Coords": [number, number]}

    share = {"Xi": 3, "ShareID": 2, "Ks": [1, 2, 3], "BigXj": [point(1), point(2), point(3)], "ECDSAPub": point(4)}
    yield "ecdsa", json.dumps(share).encode()
    share["EDDSAPub"] = {"Curve": "ed25519", "Coords": [0, 1]}
    del share["ECDSAPub"]
    yield "eddsa", json.dumps(share).encode()


def main():
    seeds = {
        "header": headers(),
        "slots": slots(),
        "index": indices(),
        "records": records(),
        "shares": shares(),
        "tss-lib": files(),
        "keystore": [("web3", KEYSTORE.encode()), ("v3", KEYSTORE.replace("crypto", "Crypto").encode())],
        "words": [(str(place), words.encode()) for place, words in enumerate(WORDS)],
    }
    for target, inputs in seeds.items():
        folder = os.path.join(CORPUS, target)
        os.makedirs(folder, exist_ok=True)
        for name, data in inputs:
            with open(os.path.join(folder, "seed-" + name), "wb") as file:
                file.write(data)


if __name__ == "__main__":
    main()
