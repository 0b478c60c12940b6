"""Slots against quantum computers: types 5 and 6."""

import hashlib

import guardians
import xwing
from samples import FORGED, READER, SMALL, age_identity, bad, draw, flip, plan, put, salted, vectors
from writer import Archive, H, hybrid_slot, recipient_slot, u16

WRONG = "wrong secret"


def hybrid():
    seed, other = draw("hybrid seed", 32), draw("other hybrid seed", 32)
    identity = {"identities": [age_identity(seed, "pq-")]}
    slot = hybrid_slot(5, 3, draw("hybrid randomness", 64), seed)
    vectors.whole(
        "hybrid",
        "A hybrid slot for profile and history, and a passphrase; read with the identity.",
        Archive(plan("hybrid", [salted("hybrid"), slot], **SMALL)),
        reader=identity,
        scopes=(1, 2),
    )
    same = lambda name, description, reader, **facts: vectors.same(
        f"hybrid-{name}", description, "hybrid", reader=reader, **facts
    )
    same("and-passphrase", "The same, with the passphrase too.", identity | READER)
    same("passphrase", "The same, with the passphrase alone.", READER)
    wrong = {"verdict": WRONG, "depth": "open"}
    same("other-identity", "Another hybrid identity.", {"identities": [age_identity(other, "pq-")]}, **wrong)
    same("as-x25519", "The seed, given as an X25519 key.", {"identities": [age_identity(seed)]}, **wrong)
    classical = recipient_slot(3, 7, draw("ephemeral beside hybrid", 32), seed)
    vectors.whole(
        "hybrid-beside-x25519",
        "A slot of type 3 whose private key is a hybrid slot's seed: each is tried with its own kind of identity.",
        Archive(plan("hybrid beside", [salted("hybrid beside"), classical, slot], **SMALL)),
        reader=identity,
        scopes=(1, 2),
    )
    faults(seed, identity, slot)
    shared(seed)


def faults(seed, identity, slot):
    def opening(name, description, verdict, **changes):
        bad(f"hybrid-{name}", description, verdict, "open", base="hybrid", reader=identity, **changes)

    def replaced(name, description, verdict, make):
        other = hybrid_slot(5, 3, draw("hybrid randomness", 64), seed, make=make)
        archive = vectors.archives["hybrid"]
        encoded = other.encode(archive.plan.archive_id, archive.plan.roots)
        opening(name, description, verdict, encoded_slots=lambda s: [s[0], encoded])

    opening(
        "ciphertext",
        "ML-KEM's ciphertext is another: it is rejected implicitly.",
        WRONG,
        encoded_slots=lambda s: [s[0], flip(s[1], 4 + 500)],
    )
    opening(
        "ephemeral",
        "The ephemeral X25519 key is another.",
        WRONG,
        encoded_slots=lambda s: [s[0], flip(s[1], 4 + 1100)],
    )
    opening(
        "commitment",
        "The commitment is another.",
        WRONG,
        encoded_slots=lambda s: [s[0], flip(s[1], 4 + 1120)],
    )
    opening(
        "wrapped",
        "The wrapped keys' tag does not hold.",
        FORGED,
        encoded_slots=lambda s: [s[0], flip(s[1], len(s[1]) - 1)],
    )
    small = {
        "zero": bytes(32),
        "one": b"\1" + bytes(31),
        "order-8": bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
        "p": bytes.fromhex("ed" + "ff" * 30 + "7f"),
    }
    for name, point in small.items():
        opening(
            f"small-order-{name}",
            "The ephemeral X25519 key has small order.",
            FORGED,
            encoded_slots=lambda s, point=point: [s[0], put(s[1], 4 + 1088, point)],
        )
    label = bytes.fromhex("5c2e2f2f5e5c")

    def early(secret, sealed, public):
        private, own, _ = xwing.expand_seed(seed)
        first = xwing.mlkem_decapsulate(private, sealed[:1088])
        second = xwing.x25519(own, sealed[1088:])
        mixed = hashlib.sha3_256(label + first + second + sealed[1088:] + public[1184:]).digest()
        return mixed + H(sealed) + H(public)

    replaced("early-draft", "X-Wing as early drafts have it, with the label in front.", WRONG, early)
    replaced("secret-alone", "The secret without the digests.", WRONG, lambda secret, sealed, public: secret)
    replaced(
        "secret-whole",
        "The encapsulation and the recipient in the place of their digests.",
        WRONG,
        lambda secret, sealed, public: secret + sealed + public,
    )
    replaced(
        "digests-exchanged",
        "The digest of the recipient first.",
        WRONG,
        lambda secret, sealed, public: secret + H(public) + H(sealed),
    )

    def slots(name, description, body, kind=5, mask=1):
        made = bytes([kind, mask]) + u16(len(body)) + body
        bad(
            f"hybrid-slot-{name}",
            description,
            FORGED,
            "structure",
            base="hybrid",
            encoded_slots=lambda s: s + [made],
        )

    keys, rest = draw("a hybrid slot", 2000), bytes(32 + 48)
    slots("short", "A hybrid slot with an encapsulation of 1119 bytes.", keys[:1119] + rest)
    slots("long", "A hybrid slot with an encapsulation of 1121 bytes.", keys[:1121] + rest)
    slots("as-x25519", "A hybrid slot with 32 bytes.", keys[:32] + rest)
    slots("empty", "A hybrid slot without a body.", b"")
    slots("mask-0", "A hybrid slot for no scope.", keys[:1120] + rest, mask=0)
    slots("same", "Two hybrid slots with the same parameters.", slot.parameters + rest)

    def numbers(threshold, count, identifier=1, tags=None):
        tags = count if tags is None else tags
        return keys[:1120] + bytes([threshold, count]) + u16(identifier) + keys[1200 : 1200 + 4 * tags] + rest

    for name, description, body in (
        ("tag-missing", "A tag too few.", numbers(2, 3, tags=2)),
        ("tag-more", "A tag too many.", numbers(2, 3, tags=4)),
        ("threshold-1", "A threshold of 1.", numbers(1, 3)),
        ("threshold-above", "A threshold above the count.", numbers(4, 3)),
        ("count-17", "17 guardians.", numbers(2, 17)),
        ("count-0", "No guardians.", numbers(0, 0)),
        ("identifier", "An identifier of 2^15.", numbers(2, 3, 1 << 15)),
        ("numbers-missing", "No numbers.", keys[:1120] + rest),
        ("key-of-32", "The parameters of a guardians slot of type 4.", keys[:32] + numbers(2, 3)[1120:]),
    ):
        slots(f"guardians-{name}", description, body, kind=6)


def shared(seed):
    vault, identifier = draw("vault", 16), 0x2C1B
    key = draw("hybrid guardians' seed", 32)
    given = guardians.shares(key, identifier, 2, 3, "hybrid guardians")
    more = guardians.numbers(identifier, 2, given, vault)
    slot = hybrid_slot(6, 6, draw("hybrid guardians' randomness", 64), key, more)
    old_key, old_identifier = draw("guardians beside hybrid ones", 32), 0x2C1C
    old = guardians.shares(old_key, old_identifier, 3, 4, "guardians beside hybrid ones")
    old_slot = recipient_slot(
        4,
        3,
        draw("ephemeral beside hybrid guardians", 32),
        old_key,
        guardians.numbers(old_identifier, 3, old, vault),
    )
    slots = [salted("hybrid guardians"), old_slot, slot]
    vectors.whole(
        "hybrid-guardians",
        "Hybrid guardians for history and secrets beside guardians of type 4; two of three hybrid shares.",
        Archive(plan("hybrid guardians", slots, **SMALL)),
        reader={"shares": [given[2], given[0]]},
        scopes=(2, 3),
        shares={"missing": 0, "problems": []},
    )

    def case(name, description, reader, **facts):
        vectors.same(f"hybrid-guardians-{name}", description, "hybrid-guardians", reader=reader, **facts)

    case("key", "The seed itself.", {"guardians_key": key.hex()}, scopes=(2, 3))
    case("old", "Shares of the guardians of type 4.", {"shares": old[:3]}, scopes=(1, 2))
    case("both", "Shares of both: their scopes add up.", {"shares": old[1:] + given[:2]})
    wrong = {"verdict": WRONG, "depth": "open"}
    case(
        "one",
        "One of two.",
        {"shares": given[1:2]},
        shares={"missing": 1, "problems": []},
        **wrong,
    )
    case("wrong-key", "Another seed.", {"guardians_key": draw("no seed", 32).hex()}, **wrong)
    case("as-x25519", "The seed as an X25519 key.", {"identities": [age_identity(key)]}, **wrong)

    def forged(name, description, texts, private):
        numbers = guardians.numbers(identifier, 2, texts, vault)
        bad_slot = hybrid_slot(6, 7, draw("hybrid randomness " + name, 64), private, numbers)
        vectors.edited(
            f"hybrid-guardians-{name}",
            description,
            "hybrid-guardians",
            Archive(plan("hybrid guardians", [salted("hybrid guardians"), bad_slot], **SMALL)),
            reader={"shares": texts[:2]},
            verdict=FORGED,
            depth="open",
        )

    no_shares = [guardians.words(identifier, 2, i, draw(f"no hybrid share {i}", 32)) for i in range(3)]
    forged("do-not-combine", "The tags hold, and the shares are no secret's.", no_shares, key)
    forged("another-key", "The shares combine to another seed than the slot's.", given, seed)
