#!/usr/bin/python3
"""Writes the OWND wallet's own files as its programs do: ownd_store_files.py FOLDER

With python3-protobuf and the messages that the two programs declare, and nothing of this program.
"""
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, timestamp_pb2

folder = sys.argv[1]
TEXT, INT32, INT64, MESSAGE = 9, 5, 3, 11
HISTORY = [("rp", 1, TEXT), ("accountIndex", 2, INT32), ("createdAt", 3, ".google.protobuf.Timestamp")]
SHARING = HISTORY + [("credentialID", 4, TEXT), ("claims", 5, [".Claim"])]
CREDENTIAL = [
    ("id", 1, TEXT), ("format", 2, TEXT), ("credential", 3, TEXT), ("cNonce", 4, TEXT), ("cNonceExpiresIn", 5, INT32),
    ("iss", 6, TEXT), ("iat", 7, INT64), ("exp", 8, INT64), ("type", 9, TEXT), ("accessToken", 10, TEXT),
    ("credentialIssuerMetadata", 11, TEXT),
]
SCHEMA = {
    "Claim": [("claimKey", 1, TEXT), ("claimValue", 2, TEXT), ("purpose", 3, TEXT)],
    "Credential": CREDENTIAL, "IdToken": HISTORY,
    "Ios": SHARING + [("logoURL", 6, TEXT), ("rpName", 7, TEXT), ("privacyPolicyURL", 8, TEXT)],
    "Android": SHARING + [("location", 6, TEXT), ("contact", 7, TEXT), ("privacy", 8, TEXT), ("logo", 9, TEXT),
                          ("name", 10, TEXT)],
    "First": HISTORY + [("credentialID", 4, TEXT), ("claims", 5, [TEXT])],
    "Later": [("key", 1, TEXT), ("value", 2, TEXT), ("purpose", 3, TEXT), ("language", 4, TEXT)],
    "LaterShown": HISTORY + [("credentialID", 4, TEXT), ("claims", 5, [".Later"])],
    "Newer": CREDENTIAL + [("policy", 12, TEXT), ("count", 13, INT32)],
}
SCHEMA |= {f"{name}List": [("items", 1, [f".{name}"])] for name in list(SCHEMA)}


def classes():
    file = descriptor_pb2.FileDescriptorProto(
        name="ownd.proto", syntax="proto3", dependency=[timestamp_pb2.DESCRIPTOR.name])
    for name, fields in SCHEMA.items():
        message = file.message_type.add(name=name)
        for field, number, kind in fields:
            made = message.field.add(name=field, number=number, label=3 if isinstance(kind, list) else 1)
            kind = kind[0] if isinstance(kind, list) else kind
            made.type = MESSAGE if isinstance(kind, str) else kind
            if isinstance(kind, str):
                made.type_name = kind
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(timestamp_pb2.DESCRIPTOR.serialized_pb)
    pool.Add(file)
    factory = message_factory.MessageFactory(pool)
    return {name: factory.GetPrototype(pool.FindMessageTypeByName(name)) for name in SCHEMA}


make = classes()


def message(kind, **values):
    made = make[kind]()
    for name, value in values.items():
        if name == "createdAt":
            made.createdAt.seconds, made.createdAt.nanos = value
        elif isinstance(value, list):
            field = getattr(made, name)
            for element in value:
                field.append(make["Claim"](**element) if isinstance(element, dict) else element)
        else:
            setattr(made, name, value)
    return made


def write(name, content):
    with open(f"{folder}/{name}", "wb") as file:
        file.write(content if isinstance(content, bytes) else content.SerializeToString())


def many(*items):
    kind = type(items[0]).DESCRIPTOR.name
    made = make[f"{kind}List"]()
    for item in items:
        made.items.add().CopyFrom(item)
    return made


time = (1772600767, 89000000)
claims = [{"claimKey": "name", "claimValue": "Zoë", "purpose": "age"}, {"claimKey": "age"}]
shown = {"rp": "https://b.example", "accountIndex": 3, "createdAt": time, "credentialID": "c1", "claims": claims}
web = "https://b.example"
android = message("Android", **shown, location="Tokyo", contact=f"{web}/c", privacy=f"{web}/p", logo=f"{web}/l",
                  name="B")
write("credential_sharing_history.pb", many(android, message("Android", rp="r", createdAt=(5, 1))))
write("id_token_sharing_history.pb", many(
    message("IdToken", rp=web, createdAt=time), message("IdToken", rp=web, accountIndex=-1, createdAt=(-1, 0))))
write("first.pb", many(message("First", **shown | {"claims": ["given_name", "is_older_than_20"]})))
write("ios.pb", message("Ios", **shown, logoURL=f"{web}/l", rpName="B", privacyPolicyURL=f"{web}/p"))
write("fork.pb", many(message("Android", **shown, location="Tokyo", contact=f"{web}/p", privacy=f"{web}/l", name="B")))
write("unsure.pb", many(message("Android", **shown, contact=f"{web}/x")))
credential = {
    "id": "2f1b9d5e-0c52-4b1c-9d44-0b8f6f6f2d11", "format": "vc+sd-jwt", "credential": "eyJhbGciOiJFUzI1NiJ9.e30.c2ln~",
    "cNonce": "n", "cNonceExpiresIn": 86400, "iss": "https://issuer.example", "iat": 1772600767, "exp": 1804136767,
    "type": "ParticipationCertificate", "accessToken": "canary-token",
    "credentialIssuerMetadata": '{"credential_issuer": "https://issuer.example"}',
}
write("credentials.pb", many(message("Credential", **credential), message("Credential", credential="eyJ9", exp=-1)))
write("credential.pb", message("Credential", **credential))
write("newer.pb", many(message("Newer", **credential, policy="p", count=-1)))
later = message("LaterShown", rp="r", credentialID="c")
later.claims.add(key="k", value="v", language="ja")
write("newer-claim.pb", many(later))
write("same-id.pb", many(message("Credential", **credential), message("Credential", **credential | {"type": "x"})))
# As the phone keeps them: the nonce's length, the nonce, and what only the phone's key opens.
write("credential_data.pb", bytes([12]) + bytes(range(12)) + bytes(64))

# One fault each; the rest of the file is as it should be.
good = many(android).SerializeToString()
inner = android.SerializeToString()


def listed(item):
    assert len(item) < 1 << 14
    size = bytes([len(item)]) if len(item) < 128 else bytes([len(item) & 127 | 128, len(item) >> 7])
    return b"\x0a" + size + item


write("bad-cut.pb", good[:-1])
write("bad-group.pb", listed(inner + b"\x63"))
write("bad-number.pb", listed(inner + b"\x00\x00"))
write("bad-overlong.pb", listed(inner + b"\x58\x80\x00"))
write("bad-length.pb", listed(inner + b"\x5a\x05ab"))
write("bad-utf8.pb", listed(b"\x0a\x01\xff" + inner[inner.index(b"\x10\x03"):]))
write("bad-twice.pb", listed(inner + b"\x0a\x01r"))
write("bad-type.pb", listed(b"\x0a\x01r\x22\x01c\x30\x01"))
write("bad-index.pb", listed(b"\x0a\x01r\x10\xff\xff\xff\xff\x1f"))
write("bad-time.pb", listed(b"\x0a\x01r\x1a\x06\x10\x80\x94\xeb\xdc\x03"))
write("bad-claim.pb", listed(inner + b"\x2a\x05\x0a\x01k\x18\x01"))
write("bad-nothing.pb", listed(inner) + b"\x0a\x00")
write("bad-mixed.pb", good + many(message("Credential", **credential)).SerializeToString())
write("bad-content.pb", many(message("Credential", **credential | {"credential": ""})))
