"""Writes the first inputs of each fuzzing target, from the test vectors, the records' schema and texts made here.

What a run finds to be worth keeping, a crash above all, is added to Corpus by hand.
"""

import base64
import io
import json
import pathlib
import re
import sqlite3
import struct
import sys
import zipfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "TestVectors"))

import check  # noqa: E402

SCHEMA = HERE.parents[1] / "Sources/FuekiWallet/Schema/records.proto"
BASES = ["all-slot-types", "everything", "signed", "many-chunks"]
SECTIONS = [
    "Manifest", "Wallet", "Asset", "Contact", "Setting", "KeyShareDescriptor", "Credential", "FilePart",
    "Transaction", "Receipt", "CredentialSharing", "IdTokenSharing", "ChatUser", "ChatThread", "ChatMessage",
    "KeyShare", "PrivateKey", "SecretFile",
]


def write(target, name, content):
    folder = HERE / "Corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def header(name):
    whole = check.content(name, check.load(name))
    return whole[: 16 + struct.unpack("<I", whole[12:16])[0]]


def headers_and_slots():
    for name in ["all-slot-types", "signed", "unknown-slot", "optional-field"]:
        fields = header(name)
        write("header", name, fields)
        place = fields.index(b"\x08\x80")
        count = struct.unpack("<I", fields[place + 2 : place + 6])[0]
        write("slots", name, fields[place + 6 : place + 6 + count])


def archives():
    for name in [
        "both-headers", "both-trailers", "chunk-profile", "chunk-secrets", "cut-after-header", "cut-in-first-chunk",
        "cut-in-prefix", "cut-last-byte", "first-header", "first-trailer-differs", "leaf", "leaf-and-chunk",
        "salvage-index", "salvage-two-gaps", "seal-profile", "signature-altered", "trailing-chunk", "newer-major-small",
        "zeros",
    ]:
        vector = check.load(name)
        edits = b""
        for edit in vector["edits"]:
            insert = bytes.fromhex(edit.get("insert", ""))
            head = struct.pack("<I", edit["offset"])[:3] + struct.pack("<I", edit.get("remove", 0))[:3]
            edits += head + bytes([min(edit.get("repeat", 1), 255), len(insert)]) + insert
        base = BASES.index(vector["base"])
        # Later edits are of what earlier ones left, which for the fuzzer is as good.
        write("archive", name, bytes([base]) + edits)
        write("archive", f"{name}-on-all-slot-types", bytes([0]) + edits)
    for base, name in enumerate(BASES):
        write("archive", name, bytes([base]))
        write("archive", f"{name}-repaired", bytes([base | 12]) + bytes.fromhex("4000000100000101aa"))


def index(sections):
    encoded = struct.pack("<H", len(sections))
    for number, records, blocks in sections:
        total = sum(plaintext for _, _, plaintext in blocks)
        encoded += struct.pack("<HQQ32sI", number, records, total, bytes(32), len(blocks))
        for block in blocks:
            encoded += struct.pack("<BII", *block)
    return encoded


def indices():
    write("index", "profile", b"\x00\x04" + index([(1, 1, [(0, 116, 116)]), (2, 3, [(1, 90, 120), (0, 8, 8)])]))
    write("index", "history", b"\x01\x08" + index([(32, 9, [(1, 70000, 200000)])]))
    write("index", "secrets", b"\x02\x04" + index([(64, 1, [(0, 400, 400)])]))
    write("index", "empty", b"\x01\x04" + index([]))


def varint(number):
    encoded = b""
    while number > 127:
        encoded += bytes([number & 127 | 128])
        number >>= 7
    return encoded + bytes([number])


def content(number, value):
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(messages, name):
    """A message with every field, nested ones too; the texts are such as the rules for records look into."""
    encoded = b""
    texts = {
        "kind": b"tss", "chain_family": b"evm", "chain_id": b"1", "status": b"confirmed", "amount": b"1000",
        "balance": b"25", "fee": b"0.5", "hazards": b"ark",
    }
    for kind, field, number in messages[name]:
        if kind in messages:
            encoded += content(number, message(messages, kind))
        elif kind == "string":
            encoded += content(number, texts.get(field, b"text \xc3\xa9"))
        elif kind == "bytes":
            is_id = field.endswith("id") and name in ["KeyShareDescriptor", "KeyShare", "FilePart"]
            encoded += content(number, bytes(range(16)) if is_id else b"\x03" + bytes(range(20)))
        elif kind == "double":
            encoded += varint(number << 3 | 1) + struct.pack("<d", 1.5)
        else:
            encoded += varint(number << 3) + varint(1 if kind == "bool" else 1234567)
    return encoded


def records():
    text = re.sub("//.*", "", SCHEMA.read_text())
    messages = {}
    for name, body in re.findall(r"message (\w+) \{(.*?)\n\}", text, re.S):
        fields = re.findall(r"(?:optional |repeated )?(\w+) (\w+) = (\d+);", body)
        messages[name] = sorted(((kind, field, int(number)) for kind, field, number in fields), key=lambda f: f[2])
    key = bytes(range(16))
    secrets = {
        "PrivateKey": content(1, key) + content(2, b"\x00w") + content(3, b"seed-phrase") + content(4, b"name")
        + content(5, bytes(32)) + b"\x30\x02" + content(9, b"new"),
        "SecretFile": content(1, key) + content(2, b"source") + content(3, b"a/b") + b"\x20\x00\x28\x08"
        + content(6, bytes(8)) + b"\x38\x02\x40\xa4\x03" + content(9, b"f") + content(10, b"\x00a") + content(11, b"k")
        + content(15, content(1, b"x") + b"\x10\x02") + content(40, b"new"),
    }
    # Each kind with a message counts twice: with its own fields, and with later ones.
    for place, name in enumerate(name for name in SECTIONS if name not in secrets):
        encoded = message(messages, name)
        write("record-check", name, bytes([2 * place]) + encoded)
        later = content(31, b"near") + content(200, "d\u00e9j\u00e0".encode()) + content(40, encoded) + content(43, encoded)
        write("record-check", f"{name}-later", bytes([2 * place + 1]) + encoded + later)
    for place, name in enumerate(SECTIONS):
        encoded = secrets.get(name) or message(messages, name)
        framed = varint(len(encoded)) + encoded
        write("records", name, bytes([place]) + framed + (b"\x00" if place == 2 else b""))
    digests = b"".join(content(number, bytes(32)) for number in [1, 2, 3])
    body = b"".join(
        content(number, message(messages, kind)) if kind in messages else b""
        for kind, _, number in messages["Manifest"] if number > 3)
    write("manifest", "whole", digests + body)
    write("manifest", "digests-last", body + digests)
    entries = [
        b"\x08" + bytes([section]) + b"\x10\xac\x02" + content(3, bytes(32)) + content(4, b"\x00a")
        + content(4, b"\x01" + bytes(32)) for section in (32, 33, 61)
    ]
    write("changes", "whole", b"".join(content(1, entry) for entry in entries))
    write("changes", "unknown", content(1, entries[0] + b"\x28\x05") + content(2, b"later"))


def frames():
    raw = b"\x28\xb5\x2f\xfd\x20\x05" + b"\x29\x00\x00hello"
    repeated = b"\x28\xb5\x2f\xfd\x60\x00\x01" + b"\x03\x10\x00a"
    write("frame", "raw", b"\x05\x00\x00" + raw)
    write("frame", "repeated", b"\x00\x02\x00" + repeated)
    write("frame", "window", b"\x05\x00\x00" + b"\x28\xb5\x2f\xfd\x80\x08\x05\x00\x00\x00" + b"\x29\x00\x00hello")
    # What `zstd -1 --no-check` makes of "the quick brown fox ", eight times.
    packed = "28b52ffd20a0dd0000a074686520717569636b2062726f776e20666f7820010012474d26"
    write("frame", "compressed", b"\xa0\x00\x00" + bytes.fromhex(packed))


def columns():
    """Forms as they stand in the vectors' generator, with the length of what they give."""
    shapes = [[], [10, 16, 26, 33, 45], [], [10, 16], [26, 26, 10]]
    head = struct.pack("<IH", 7, len(shapes))
    for shape in shapes:
        head += struct.pack("<H", len(shape)) + bytes(shape)
    head += struct.pack("<7H", 1, 3, 0, 2, 4, 1, 0)
    text = b"".join([content(1, b"first"), b"\x10\x00", content(3, b"a" * 90), b"\x21" + bytes(8), b"\x2dfour"])
    records = [
        text, content(1, b"") + b"\x10\x7f", b"\xff", b"", content(3, b"one") + content(3, b"") + content(1, b"x"), text, b"",
    ]
    form = head + struct.pack("<I", 2) + b"\x01\x00" + b"\xff"
    form += struct.pack("<I", 4) + b"\x05\x00\x01\x05" + b"firstxfirst"
    form += struct.pack("<I", 3) + b"\x00\x7f\x00"
    form += struct.pack("<I", 4) + b"\x5a\x03\x00\x5a" + b"a" * 90 + b"one" + b"a" * 90
    form += bytes(16) + b"fourfour"
    block = b"".join(varint(len(record)) + record for record in records)
    write("columns", "all-wire-types", struct.pack("<I", len(block))[:3] + form)
    write("rows", "all-wire-types", block)
    raw = struct.pack("<IHHHH", 2, 1, 0, 0, 0) + struct.pack("<I", 2) + b"\x14\x00" + b"y" * 20
    write("columns", "raw", struct.pack("<I", 22)[:3] + raw)
    repeated = b"".join(varint(len(text)) + text for _ in range(30))
    write("rows", "repeated", repeated)
    write("rows", "not-minimal", repeated + b"\x03\x08\x80\x00" + b"\x01\x08" + b"\x02\x0b\x0c")


def collectors():
    point = {"Curve": "secp256k1", "Coords": [0, 0]}
    points = [
        (0xC6047F9441ED7D6D3045406E95C07CD85C778E4B8CEF3CA7ABAC09B95C709EE5,
         0x1AE168FEA63DC339A3C58419466CEAEEF7F632653266D0E1236431A950CFE52A),
        (0xF9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9,
         0x388F7B0F632DE8140FE337E62A37F3566500A99934C2231B6CB9FD7584B8E672),
    ]
    points = [dict(point, Coords=list(pair)) for pair in points]
    share = {
        "Xi": 2, "ShareID": 11, "Ks": [11, 12], "BigXj": points, "ECDSAPub": points[1], "PaillierSK": {"N": 9 ** 60},
    }
    write("tss-lib", "ecdsa", json.dumps(share).encode())
    y = 46316835694926478169428394003475163141307993866256225615783033603165251855960
    x = 15112221349535400772501151409588531511454012693041857206046113283949847762202
    base = {"Curve": "ed25519", "Coords": [x, y]}
    eddsa = {"Xi": 1, "ShareID": 5, "Ks": [5, 6], "BigXj": [base, base], "EDDSAPub": base}
    write("tss-lib", "eddsa", json.dumps(eddsa).encode())
    write("tss-lib", "not-whole", b'{"Xi":1e5,"ShareID":-0.5,"Ks":[],"BigXj":null,"ECDSAPub":{"Coords":[1,2,3]}')
    crypto = {
        "cipher": "aes-128-ctr", "ciphertext": "1d" * 32, "cipherparams": {"iv": "8d" * 16}, "mac": "6d" * 32,
        "kdf": "scrypt", "kdfparams": {"dklen": 32, "n": 8, "p": 16, "r": 8, "salt": "e5" * 32},
    }
    keystore = {"address": "7e" * 20, "crypto": crypto, "id": "950077c7-71e3-4c44-a4a1-143919141ed4", "version": 3}
    write("keystore", "scrypt", json.dumps(keystore).encode())
    rounds = {"dklen": 32, "c": 262144, "prf": "hmac-sha256", "salt": "e5" * 8}
    pbkdf2 = dict(keystore, crypto=dict(crypto, kdf="pbkdf2", kdfparams=rounds))
    write("keystore", "pbkdf2", json.dumps(pbkdf2).encode())
    write("keystore", "texts", b' {"Crypto":{},"version":"1","a":"\\ud83d\\ude00\\u00e9\\n\xc3\xa9","b":[true,null,-1.5e+3]}')
    wallet = {
        "id": "5E2B6D3C-0A6E-4C55-9E0A-3A5B7C9D1E2F", "name": "one", "blockchain": "ethereum", "address": "0x" + "7e" * 20,
        "derivationPath": "m/44'/60'/0'/0/0", "balance": 1.25, "createdAt": 1700000000.5, "isWatchOnly": False,
    }
    bundle = {
        "version": "1.0", "timestamp": 1700000000.25, "wallets": [wallet, {}, 3], "settings": {"theme": "dark", "n": 1},
        "addressBook": [{"id": "a", "name": "b", "address": "0x" + "7E" * 20, "blockchain": "bitcoin"}],
        "transactionHistory": [{
            "id": "t", "hash": "0x" + "ab" * 32, "fromAddress": "0x" + "7e" * 20, "toAddress": "", "metadata": {"a": [1]}, "amount": "1.5", "status": "confirmed",
            "timestamp": 1700000001, "blockNumber": 18446744073709551616, "gasPrice": "1", "walletId": wallet["id"],
            "receipt": {"gasUsed": "0x5208", "success": True, "logs": [{"address": "0x", "topics": ["0xab"], "data": "0x"}]},
        }],
        "encryptedKeyShares": [{"id": "s", "data": "AAAA"}, "x"], "other": [None],
    }
    write("fueki-app", "bundle", json.dumps(bundle).encode())


def foreign():
    # In the order of FuzzTarget.foreignKinds.
    kinds = [
        "unstoppable", "keystore", "tss-lib", "fueki-app", "fueki-vault", "ownd", "electrum", "fueki-share", "bip329",
        "vcard", "csv-contacts", "vultisig", "frost", "cggmp21", "multi-party-sig", "dkls23", "fireblocks", "io.finnet",
        "bitcoin-core", "multisig", "sparrow",
    ]

    def put(kind, name, content):
        write("foreign", name, bytes([kinds.index(kind)]) + content)

    address = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"
    keystore = {
        "type": "bip32", "derivation": "m/84h/0h/0h", "root_fingerprint": "73c5da0a",
        "xpub": "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKs"
        "AYz2oz2AGutZYs",
    }
    electrum = {
        "seed_version": 17, "wallet_type": "standard", "use_encryption": False, "keystore": keystore,
        "labels": {address: "rent"}, "contacts": {}, "addresses": {"receiving": [address], "change": []},
        "transactions": {}, "channels": {},
    }
    put("electrum", "electrum", json.dumps(electrum).encode())
    put(
        "electrum", "electrum-literal",
        b"{'seed_version': 4, 'accounts': {0: ('a', 'b', [], [])}, 'contacts': [], 'seed': u'x', 'n': None, 1L: -2.5}")
    put(
        "electrum", "electrum-patched",
        b'{"seed_version": 59, "wallet_type": "imported", "addresses": {}},\n{"op": "add", "path": "/labels", "value": '
        b'{}},\n{"op": "repl')
    put("electrum", "electrum-bie1", b"QklFMQ" + b"A" * 120)
    shown = {"rp": "r", "accountIndex": 0, "createdAt": "2024-01-01T00:00:00.000Z"}
    claims = [{"claimKey": "k", "claimValue": "v"}, "plain", {"name": "n", "value": "v", "purpose": "p"}]
    backup = {
        "seed": "abandon", "idTokenSharingHistories": [shown],
        "credentialSharingHistories": [shown | {"credentialID": "c", "claims": claims, "rpName": "n"}],
    }
    for method in [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", method) as archive:
            archive.writestr(zipfile.ZipInfo("backup.txt"), json.dumps(backup), method)
        put("ownd", f"ownd-{method}", packed.getvalue())
    text = lambda field, value: bytes([field << 3 | 2, len(value)]) + value
    history = text(1, b"r") + b"\x10\x01" + text(3, b"\x08\x01\x10\x02")
    claims = text(5, text(1, b"k") + text(2, b"v")) + text(5, b"plain")
    verifier = b"".join(text(field, b"h://%d" % field) for field in range(6, 11))
    credential = text(1, b"i") + text(2, b"f") + text(3, b"eyJ") + b"\x28\x01\x38\x01\x40\x02" + text(11, b"{}")
    for name, content in [
        ("sharing", text(1, history + text(4, b"c") + claims + verifier) + text(1, history + verifier[:14])),
        ("id-token", text(1, history)), ("credential", text(1, credential + b"\x60\x01")), ("alone", credential),
    ]:
        write("ownd", name, content)
        put("ownd", f"ownd-{name}", content)
    hash = "f91d0a8a78462bc59398f2c5d7a84fcff491c26ba54c4833478b202796c8aafd"
    labels = [
        {"type": "tx", "ref": hash, "label": "t", "origin": "wpkh([d34db33f/84'/0'/0'])"},
        {"type": "output", "ref": f"{hash}:1", "spendable": False},
    ]
    put("bip329", "labels", "".join(json.dumps(label) + "\n" for label in labels).encode())
    put(
        "vcard", "vcard",
        b"BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann\\, B\r\nNOTE:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1B\r\n eAed\r\n"
        b"item1.X-CRYPTO;TYPE=bitcoin:" + address.encode() + b"\r\nEND:VCARD\r\n")
    keys = [
        "[8188029f/48'/0'/0'/2']xpub6EMVvcTUbaABdaPLaVWE72CjcN72URa5pKK1knrKLz1hKaDwUkgddc3832a8MHEpLyuow7MfjMRomt2iMtw"
        "PH4pWrFLft4JsquHjeZfKsYp",
        "[3bd5c9b0/48'/0'/0'/2']xpub6EbTHAgvzZtVppjLPXia2prt6T2w7DD2VQ8gysgV6ECzmKkA6zt4WR3hX4bgciTDrnaneZoJbA19tYKBMrW"
        "uA89SbgYAdbMNWmtzrgLhqco",
    ]
    descriptor = f"wsh(sortedmulti(2,{keys[0]}/**,{keys[1]}/**))"
    first = "bc1qfagqa83vrv9phj0886rlx6d68zzd7gejtr0ns8xxfeckve27397q6vq47w"
    put("multisig", "bsms", f"BSMS 1.0\n{descriptor}\n/0/*,/1/*\n{first}\n".encode())
    put("multisig", "descriptor", descriptor.replace("**", "<0;1>/*").encode())
    put("multisig", "specter", json.dumps({"label": "x", "blockheight": 1, "descriptor": descriptor}).encode())
    signers = [{"xfp": key[1:9], "bip32Path": "m/48'/0'/0'/2'", "xpub": key[23:]} for key in keys]
    caravan = {
        "name": "x", "addressType": "P2WSH", "network": "mainnet", "extendedPublicKeys": signers,
        "quorum": {"requiredSigners": 2, "totalSigners": 2},
    }
    put("multisig", "caravan", json.dumps(caravan).encode())
    lines = ["Name: x", "Policy: 2 of 2", "Derivation: m/48'/0'/0'/2'", "Format: P2WSH"]
    put("multisig", "coldcard", "\n".join(lines + [f"{key[1:9]}: {key[23:]}" for key in keys]).encode())
    put("multisig", "bed", b"BEB\1\1\2" + bytes(8) + b"\2" + bytes(range(64)) + b"\1" + bytes(12) + b"\x20" + bytes(32))
    put("sparrow", "database", b"H2encrypt\n01234567SPRW1\n" + bytes(8192 - 24))
    database = sqlite3.connect(":memory:")
    database.executescript("PRAGMA page_size = 512; CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)")
    note = lambda kind, rest=b"": bytes([len(kind)]) + kind + rest
    text = f"wpkh({keys[0]}/0/*)".encode()
    database.executemany("INSERT INTO main VALUES (?, ?)", [
        (note(b"walletdescriptor", bytes(32)), bytes([len(text)]) + text + bytes(20)),
        (note(b"walletdescriptorkey", bytes(32) + b"\x21\2" + bytes(32)), b"\x08" + bytes(40)),
        (note(b"mkey", b"\1\0\0\0"), b"\x30" + bytes(48) + b"\x08" + bytes(16) + b"\0"),
        (note(b"name", b"\x02ab"), b"\x01x"), (note(b"flags"), bytes(8)), (note(b"tx", bytes(32)), bytes(3000)),
    ])
    database.commit()
    put("bitcoin-core", "wallet", database.serialize())
    put("bitcoin-core", "legacy", bytes(12) + b"\x62\x31\5\0\x09\0\0\0\0\2\0\0\0\x09" + bytes(6) + b"\1" + bytes(471)
        + bytes(8) + b"\1" + bytes(503))
    put("csv-contacts", "csv", b'\xef\xbb\xbfname,address,note\r\n"A ""B""",' + address.encode() + b',"x\ny"\r\n')
    vault = {
        "version": "1.0.0", "timestamp": 1700000000, "encryptedData": "AAAA", "salt": "AAAA", "checksum": "AA==",
        "metadata": {
            "id": "A", "createdAt": 700000000, "version": "1", "hasBiometric": False,
            "encryptionAlgorithm": "AES-256-GCM",
        },
    }
    put("fueki-vault", "vault", b"FUEK" + json.dumps(vault).encode())
    share = struct.pack(">IIIBH", 1, 2, 3, 1, 32) + bytes(range(32)) + b"\x02" + bytes(32)
    put("fueki-share", "share", share)
    crypto = {
        "cipher": "aes-128-ctr", "cipherparams": {"iv": "00" * 16}, "ciphertext": "AAAA", "kdf": "scrypt",
        "kdfparams": {"dklen": 32, "n": 16384, "p": 4, "r": 8, "salt": "fueki"}, "mac": "00" * 32,
    }
    coins = [{"token_query_id": "bitcoin|native", "coin_name": "Bitcoin", "coin_code": "BTC", "decimals": 8}]
    unstoppable = {
        "crypto": crypto, "enabled_wallets": coins, "id": "x", "type": "mnemonic", "manual_backup": False,
        "file_backup": False, "version": 2, "timestamp": 1700000000,
    }
    put("unstoppable", "unstoppable", json.dumps(unstoppable).encode())
    key_shares(put)


def key_shares(put):
    double, triple = (
        "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
        "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
    )
    one, two = f"{1:064x}", f"{2:064x}"
    header = {"version": 0, "ciphersuite": "FROST-secp256k1-SHA256-v1"}
    package = {
        "header": header, "identifier": one, "signing_share": two, "verifying_share": double, "verifying_key": triple,
        "min_signers": 2,
    }
    put("frost", "frost", json.dumps(package).encode())
    put("frost", "frost-postcard", bytes.fromhex("00eed6b1b1" + one + two + double + triple + "02"))
    client = "00eed6b1b101" + one + double + triple + "0102"
    put("frost", "frost-credentials", f'[group.00]\nkey_package = "{client}"\npublic_key_package = "{client}"\n'.encode())
    core = {
        "curve": "secp256k1", "i": 0, "shared_public_key": triple, "public_shares": [double, triple],
        "vss_setup": {"min_signers": 2, "I": [one, two]}, "x": two,
    }
    put("cggmp21", "cggmp21", json.dumps({"core": core, "aux": {"p": "3", "q": "5", "parties": [{"N": "0f"}] * 2}}).encode())

    def cbor(value):
        if isinstance(value, dict):
            return bytes([0xA0 | len(value)]) + b"".join(cbor(k) + cbor(v) for k, v in value.items())
        if isinstance(value, list):
            return bytes([0x80 | len(value)]) + b"".join(map(cbor, value))
        if isinstance(value, int):
            return bytes([value])
        text, major = (value.encode(), 0x60) if isinstance(value, str) else (value, 0x40)
        return (bytes([major | len(text)]) if len(text) < 24 else bytes([major | 24, len(text)])) + text

    point, number = bytes.fromhex(double), bytes.fromhex(two)
    party = {"ID": "a", "ECDSA": point, "ElGamal": point, "N": b"\x0f", "S": b"\1", "T": b"\1"}
    config = {
        "ID": "a", "Threshold": 0, "ECDSA": number, "ElGamal": number, "P": b"\3", "Q": b"\5", "RID": number,
        "ChainKey": number, "Public": [party, dict(party, ID="b")],
    }
    put("multi-party-sig", "multi-party-sig", cbor(config))
    schnorr = bytes([2, 2, 0]) + bytes(range(129))
    put("dkls23", "dkls23-schnorr", schnorr)

    def field(number, content):
        return bytes([number << 3 | 2, len(content) & 127 | 128, len(content) >> 7]) + content

    entry = field(1, triple.encode() * 4) + field(2, base64.b64encode(schnorr))
    vault = field(1, b"name " * 40) + field(2, (triple * 2).encode()) + field(7, entry) + field(8, b"Server-1" * 20)
    container = bytes([8, 1]) + field(2, base64.b64encode(vault))
    put("vultisig", "vultisig", base64.b64encode(container))
    kit = io.BytesIO()
    with zipfile.ZipFile(kit, "w") as archive:
        archive.writestr(zipfile.ZipInfo("metadata.json"), json.dumps({"keys": {"k": {"publicKey": triple}}}))
        archive.writestr(zipfile.ZipInfo("1_k"), b"a")
        archive.writestr(zipfile.ZipInfo("MOBILE_k"), b"b")
    put("fireblocks", "fireblocks", kit.getvalue())
    sealed = {"ciphertext": "AAAA", "cipherparams": {"iv": "00" * 12, "tag": "00" * 16}, "cipher": "aes-256-gcm", "hash": ""}
    put("io.finnet", "io.finnet", json.dumps({"keyring": {}, "vaults": {"v": {"0": sealed}}}).encode())


def keys():
    guardians = check.load("guardians")["reader"]
    words = [share.encode() for share in guardians["shares"]]
    write("slip39", "one", words[0])
    write("slip39", "two", b"\n".join(words[:2]) + b"\n")
    write("slip39", "capitals", words[0].upper().replace(b" ", b" \t\r "))
    # Identifier, parameters, then sixteen bytes in thirteen words; no exponent, two of two.
    for name, members in [("numbers", [0, 1]), ("other-numbers", [1, 1])]:
        lines = []
        for member in members:
            common, parameters = 77 << 5, member << 4 | 1
            numbers = [common >> 10, common & 1023, parameters >> 10, parameters & 1023] + [member + 3] * 13
            lines.append(b"0" + b"".join(struct.pack(">H", number | 0x4000) for number in numbers))
        write("slip39", name, b"\n".join(lines))
    recipient = b"age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
    identity = b"AGE-SECRET-KEY-1DLK4K98FMREFU36G8X455Y7STE4N0XAKQSR3QL5VM5HKZQY6FJAQ2FYYAX"
    write("guardians", "three", b"fueki-guardians-1 " + recipient + b" 2 321 01020304,05060708,090a0b0c")
    write("age", "recipient", recipient)
    write("age", "identity", b"# created: today\r\n\n" + identity + b"\r\n" + identity)
    write("age", "encrypted", b"age-encryption.org/v1\n")
    write("age", "armoured", b"-----BEGIN AGE ENCRYPTED FILE-----\n")


def masked_checksum(content):
    total = 0xFFFFFFFF
    for byte in content:
        total ^= byte
        for _ in range(8):
            total = total >> 1 ^ (0x82F63B78 if total & 1 else 0)
    total ^= 0xFFFFFFFF
    return ((total >> 15 | total << 17) + 0xA282EAD8) & 0xFFFFFFFF


def wallets():
    zeros = "00" * 32
    keystore = {
        "crypto": {
            "kdf": {"function": "scrypt", "params": {"dklen": 32, "n": 2, "r": 8, "p": 1, "salt": zeros}, "message": ""},
            "checksum": {"function": "sha256", "params": {}, "message": zeros},
            "cipher": {"function": "aes-128-ctr", "params": {"iv": "00" * 16}, "message": zeros},
        },
        "pubkey": "0x8a" + "00" * 47, "path": "m/12381/3600/0/0/0", "uuid": "", "version": 4,
    }
    write("eip2335", "scrypt", json.dumps(keystore).encode())
    keystore["crypto"]["kdf"] = {
        "function": "pbkdf2", "params": {"dklen": 32, "c": 1, "prf": "hmac-sha256", "salt": "07"}, "message": ""}
    write("eip2335", "pbkdf2", json.dumps(keystore).encode())
    record = {
        "metadata": {"interchange_format_version": "5", "genesis_validators_root": "0x" + "ab" * 32},
        "data": [{
            "pubkey": "0x" + "8a" * 48, "signed_blocks": [{"slot": "9", "signing_root": "0x" + zeros}, {"slot": "8"}],
            "signed_attestations": [{"source_epoch": "3", "target_epoch": "4"}, {"source_epoch": "2", "target_epoch": "5"}],
        }],
    }
    write("eip3076", "record", json.dumps(record).encode())
    write("eip3076", "teku", b"---\nlastSignedBlockSlot: 3\nlastSignedAttestationTargetEpoch: 2\n")
    vault = json.dumps({"data": "AAAA", "iv": "AAAA", "salt": "AAAA", "keyMetadata": {"params": {"iterations": 2}}})
    state = {"KeyringController": {"vault": vault}, "PreferencesController": {"identities": {"0x" + "7e" * 20: {"name": "a"}}}}
    text = json.dumps(state)
    write("metamask", "state", text.encode())
    write("metamask", "app", json.dumps({"engine": json.dumps({"backgroundState": state})}).encode())
    write("metamask", "vault", json.dumps({"cipher": "AAAA", "iv": "00" * 16, "salt": "a", "lib": "original"}).encode())
    batch = struct.pack("<QI", 5, 1) + b"\1\4data" + varint(len(text)) + text.encode()
    log = b"\1" + batch
    write("leveldb", "log", b"\0" + struct.pack("<IH", masked_checksum(log), len(batch)) + log)
    entry = b"\0" + bytes([12, 2]) + b"data" + struct.pack("<Q", 5 << 8 | 1) + b"{}"
    block = entry + struct.pack("<II", 0, 1)
    packed = bytes([len(block), (len(block) - 1) << 2]) + block
    first = packed + b"\1" + struct.pack("<I", masked_checksum(packed + b"\1"))
    handle = b"\0" + bytes([len(packed)])
    index = b"\0" + bytes([12, 2]) + entry[3:15] + handle + struct.pack("<II", 0, 1)
    second = index + b"\0" + struct.pack("<I", masked_checksum(index + b"\0"))
    footer = (b"\0\0" + bytes([len(first), len(index)])).ljust(40, b"\0") + struct.pack("<Q", 0xDB4775248B80FB57)
    write("leveldb", "table", b"\1" + first + second + footer)
    write("solana", "list", json.dumps(list(range(64))).encode())
    write("solana", "lines", json.dumps([255] * 64, indent=2).encode())
    point = bytes.fromhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
    chain = bytes.fromhex("06226e46111a0b59caaf126043eb5bbf28c34f3a5e332a1fc7b2b73cf188910f")
    channel = (
        b"\1" + chain + bytes(32) + b"\0\1" + bytes(8) + point + b"\0\0" + bytes(8) + bytes(44) + point * 5 + bytes(33)
        + bytes(8))
    write("lnd", "channel", b"\0" + struct.pack(">IBH", 1, 3, len(channel)) + channel)
    closing = channel + b"\2\0\0\0\1" + bytes(36) + b"\0" + bytes(4) + b"\1" + bytes(8) + b"\0" + bytes(4) + b"\0\2aa"
    write("lnd", "closing", b"\0" + struct.pack(">IBH", 1, 0x83, len(closing)) + closing)


def monero():
    def text(name, value):
        return bytes([len(name)]) + name + b"\x0a" + bytes([len(value) << 2]) + value

    def section(name, count):
        return bytes([len(name)]) + name + b"\x0c" + bytes([count << 2])

    key = bytes(range(32))
    storage = (
        bytes.fromhex("011101010101020101") + b"\x08"
        + b"\x14m_creation_timestamp\x05" + bytes(8)
        + section(b"m_keys", 4) + section(b"m_account_address", 2)
        + text(b"m_spend_public_key", key) + text(b"m_view_public_key", key)
        + text(b"m_encryption_iv", bytes(8)) + text(b"m_spend_secret_key", key) + text(b"m_view_secret_key", key)
    )
    write("monero", "keys", storage)
    lists = storage.replace(b"\x14m_creation_timestamp\x05" + bytes(8), b"\x04list\x8a\x08\x04a\x04b")
    write("monero", "list", lists)
    escapes = {0x22: b'\\"', 0x5C: b"\\\\", 10: b"\\n"}
    data = b"".join(escapes.get(c) or (b"\\u%04X" % c if c < 32 else bytes([c])) for c in storage)
    members = b',"seed_language":"English","watch_only":0,"nettype":1,"refresh_height":5,"encrypted_secret_keys":1'
    write("monero", "settings", b'{"key_data":"' + data + b'"' + members + b"}")
    write("monero", "nested", b'{"a":[1,{"b":null}],"key_data":"\\u0001","x":-1.5e3}')


def plugins():
    for name in ["plugin", "plugin-largest"]:
        fields = header(name)
        place = fields.index(b"\x08\x80") + 6
        # Behind the passphrase's slot, its type, mask and length.
        place += 4 + struct.unpack("<H", fields[place + 2 : place + 4])[0]
        count = struct.unpack("<H", fields[place + 2 : place + 4])[0] - 32 - 16 - 64
        write("stanzas", name, fields[place + 4 : place + 4 + count])
        write("slots", name, fields[place : place + 4 + count + 32 + 16 + 64])
    key = b"AAECAwQFBgcICQoLDA0ODw\n"
    write("plugin", "keys", b"-> file-key 0\n" + key + b"-> file-key 1\n" + key + b"-> done\n\n")
    write("plugin", "stanza", b"-> labels postquantum\n\n-> recipient-stanza 0 type argument\n" + key + b"-> done\n\n")
    write("plugin", "asks", b"-> msg\nSGk\n-> confirm WWVz Tm8\nSGk\n-> request-secret\nUElO\n-> done\n\n")
    write("plugin", "refuses", b"-> grease a b\n" + b"A" * 64 + b"\n\n-> error internal\nbm8\n-> done\n\n")
    write("age", "plugin", b"AGE-PLUGIN-FUEKITEST-1PKC2Q5UKNA4JR2JNF03XUYSMQYQQRX82Y2\n")
    write("age", "plugin-recipient", b"age1fuekitest1pkc2q5ukna4jr2jnf03xuysmqyqqqnymsu")


for make in [
    headers_and_slots, archives, indices, records, frames, columns, collectors, foreign, keys, wallets, monero, plugins
]:
    make()
