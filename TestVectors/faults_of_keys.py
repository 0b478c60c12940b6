"""Faults of digests, signatures, the chain, slots and keys: steps 3 to 6."""

import nacl.bindings as sodium

from samples import (
    DAMAGED,
    EVERY,
    FORGED,
    HISTORY_PASS,
    LIMIT,
    READER,
    UNTRUSTED,
    bad,
    cheap,
    draw,
    everything,
    fields_but,
    flip,
    plan,
    raw,
    salted,
    transaction,
    vectors,
)
from writer import H, SCOPES, Archive, Section, passphrase_slot, stored


def step_3():
    b, a = EVERY.bytes, EVERY
    for j, stream, i, at in ((0, "profile", 0, 0), (6, "history", 2, 9000), (11, "secrets", 3, 16399)):
        raw(
            f"chunk-{stream}",
            "A byte of a chunk is damaged.",
            DAMAGED,
            flip(b, a.chunk_at(j) + at),
            depth="checksums",
            damage=[f"chunk {stream} {i}"],
        )
    raw(
        "chunks-exchanged",
        "Two chunks are exchanged.",
        DAMAGED,
        b[: a.chunk_at(4)]
        + b[a.chunk_at(5) : a.chunk_at(6)]
        + b[a.chunk_at(4) : a.chunk_at(5)]
        + b[a.chunk_at(6) :],
        depth="checksums",
        damage=["chunk history 0", "chunk history 1"],
    )
    raw(
        "leaf",
        "A leaf is damaged; its chunk is whole.",
        DAMAGED,
        flip(b, a.leaf_at(7)),
        depth="contents",
        damage=["leaf history 3"],
        opens=False,
    )
    raw(
        "leaf-and-chunk",
        "A leaf and another chunk are damaged.",
        DAMAGED,
        flip(flip(b, a.leaf_at(1)), a.chunk_at(9)),
        depth="checksums",
        damage=["chunk profile 1", "chunk secrets 1", "leaf root"],
    )
    bad(
        "leaf-root",
        "Another leaf root, with the digest over it.",
        DAMAGED,
        "checksums",
        leaf_root=lambda r: flip(r, 0),
    )
    bad(
        "archive-digest",
        "Another archive digest.",
        DAMAGED,
        "checksums",
        archive_digest=lambda d: flip(d, 31),
    )
    bad(
        "trailer-header-digest",
        "Another header digest in both trailers: no header is whole.",
        DAMAGED,
        "structure",
        trailer=lambda t: flip(t, 24),
    )

    def signature(name, description, verdict=FORGED, reader=None, **changes):
        bad(f"signature-{name}", description, verdict, "checksums", base="signed", reader=reader, **changes)

    signature("altered", "A bit of the signature is another.", signature=lambda s: flip(s, 10))
    signature("zeros", "A signer is named, and the signature is zeros.", signature=lambda s: bytes(64))
    other = sodium.crypto_sign_seed_keypair(draw("other signer", 32))[1]
    signed = vectors.archives["signed"]
    by_other = sodium.crypto_sign(b"fueki/1 signature" + signed.digest, other)[:64]
    signature(
        "by-another", "The signature is by another key than the header's.", signature=lambda s: by_other
    )
    bare = sodium.crypto_sign(signed.digest, signed.signing_key)[:64]
    signature("without-label", "The signature is over the archive digest alone.", signature=lambda s: bare)
    order = 2**252 + 27742317777372353535851937790883648493
    malleable = lambda s: s[:32] + (int.from_bytes(s[32:], "little") + order).to_bytes(32, "little")
    signature("s-not-reduced", "S is not below the order.", signature=malleable)
    identity = b"\1" + bytes(31)
    small = {
        "identity": identity,
        "order-8": bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
        "zero": bytes(32),
        "not-canonical": bytes.fromhex("ee" + "ff" * 30 + "7f"),
    }
    for name, key in small.items():
        signature(
            f"small-order-{name}",
            "The signer's key has small order; R is the identity and S is 0.",
            fields=lambda f, key=key: [(tag, key if tag == 0x8007 else value) for tag, value in f],
            signature=lambda s: identity + bytes(32),
        )
    bad(
        "signature-unsigned",
        "No signer is named, and the signature is not zeros.",
        FORGED,
        "checksums",
        signature=lambda s: flip(s, 0),
    )

    trusting = lambda key: READER | {"trusted_signers": [key.hex()]}
    vectors.same(
        "untrusted-unsigned",
        "A signer is asked for, and there is none.",
        "everything",
        reader=trusting(signed.public_key),
        verdict=UNTRUSTED,
        depth="checksums",
    )
    vectors.same(
        "untrusted-another",
        "A signer is asked for, and there is another.",
        "signed",
        reader=trusting(H(b"another")),
        verdict=UNTRUSTED,
        depth="checksums",
    )
    signature(
        "untrusted",
        "The trusted signer's signature fails.",
        UNTRUSTED,
        trusting(signed.public_key),
        signature=lambda s: flip(s, 40),
    )


def step_4():
    digest, previous = EVERY.digest.hex(), everything.previous.hex()

    def chain(name, description, verdict, sequence, known, base="everything", **facts):
        reader = READER | {"known": {"sequence": sequence, "digest": known}}
        depth = "checksums" if verdict != "ok" else "contents"
        vectors.same(f"chain-{name}", description, base, reader=reader, verdict=verdict, depth=depth, **facts)

    zeros = Archive(plan("zeros", [salted("zeros")], sequence=7))
    vectors.whole(
        "previous-unknown", "Sequence 7; the archive before it was not known.", zeros, reader=READER
    )
    chain("same", "The archive that is known.", "ok", 7, digest)
    chain("next", "The archive after the known one.", "ok", 6, previous)
    chain("gap", "Two archives after the known one.", "ok", 5, H(b"fifth").hex(), reported=["gap"])
    chain(
        "next-of-zeros",
        "The archive after the known one, which does not name it.",
        "ok",
        6,
        previous,
        "previous-unknown",
        reported=["previous unknown"],
    )
    chain("older", "The known archive is newer.", "older than known", 8, H(b"eighth").hex())
    chain("forked-same", "The known sequence with another digest.", "forked", 7, H(b"seventh").hex())
    chain("forked-next", "The known archive is not the one before.", "forked", 6, H(b"sixth").hex())


def step_5():
    def cost(name, description, slots, verdict=LIMIT, reader=None):
        bad(
            f"cost-{name}",
            description,
            verdict,
            "open",
            encoded_slots=lambda old: old
            + [s.encode(everything.archive_id, everything.roots) for s in slots],
            reader=reader,
        )

    large = READER | {"large_derivation": True}
    GIB = 1 << 20  # in KiB
    cost("memory-below-floor", "65535 KiB of memory.", [cheap(1, (65535, 3))])
    cost("memory-0", "No memory.", [cheap(1, (0, 3))])
    cost("passes-1", "One pass.", [cheap(1, (65536, 1))])
    cost("passes-0", "No pass.", [cheap(1, (65536, 0))])
    cost("passes-17", "17 passes.", [cheap(1, (65536, 17))])
    cost("passes-most", "2^32 - 1 passes.", [cheap(1, (65536, 2**32 - 1))])
    cost("memory-above", "1 GiB and 1 KiB.", [cheap(1, (GIB + 1, 2))])
    cost("memory-most", "2^32 - 1 KiB of memory.", [cheap(1, (2**32 - 1, 2))], reader=large)
    cost(
        "memory-above-4-gib",
        "4 GiB and 1 KiB, where 4 GiB are allowed.",
        [cheap(1, (4 * GIB + 1, 2))],
        reader=large,
    )
    cost("sum", "16 GiB-passes and the first slot's.", [cheap(1, (GIB, 16))])
    cost("sum-of-two", "Two slots, each within the limit.", [cheap(1, (GIB, 8)), cheap(2, (GIB, 8))])
    cost(
        "sum-large",
        "64 GiB-passes and the first slot's, where 4 GiB are allowed.",
        [cheap(1, (4 * GIB, 16))],
        reader=large,
    )
    cost("5-slots", "Five passphrase slots.", [cheap(i) for i in range(1, 5)])
    cost(
        "5-slots-with-key-file",
        "Four passphrase slots and one with a key file, which the caller has.",
        [cheap(i) for i in range(1, 4)]
        + [passphrase_slot("", draw("cheap with key file", 16), 7, key_file=b"", cheap=True)],
        reader=READER | {"key_file": draw("key file", 64).hex()},
    )


def step_6():
    def opening(name, description, verdict=FORGED, **changes):
        bad(name, description, verdict, "open", **changes)

    vectors.same(
        "wrong-passphrase",
        "Another passphrase.",
        "everything",
        reader={"passphrases": ["wrong"]},
        verdict="wrong secret",
        depth="open",
    )
    opening(
        "commitment",
        "The slot's commitment is another.",
        "wrong secret",
        encoded_slots=lambda s: [flip(s[0], 4 + 24)],
    )
    opening("salt", "The slot's salt is another.", "wrong secret", encoded_slots=lambda s: [flip(s[0], 4)])
    opening(
        "archive-id",
        "Another archive id, by who has no key.",
        "wrong secret",
        fields=fields_but(f8002=draw("other id", 32)),
    )
    opening(
        "wrapped", "The wrapped keys' tag does not hold.", encoded_slots=lambda s: [flip(s[0], len(s[0]) - 1)]
    )
    opening(
        "wrapped-keys",
        "The wrapped keys are altered.",
        encoded_slots=lambda s: [flip(s[0], 4 + 24 + 32 + 40)],
    )
    roots = {**everything.roots, 2: draw("other root", 32)}
    disagreeing = salted("disagree", mask=2, roots=roots).encode(everything.archive_id, everything.roots)
    opening(
        "slots-disagree",
        "Two slots give different keys for the history.",
        encoded_slots=lambda s: s + [disagreeing],
    )
    for s, scope in SCOPES.items():
        opening(
            f"confirmation-{scope}",
            "The confirmation is another, by who holds the keys.",
            confirmations=lambda c, s=s: flip(c, 32 * s - 1),
        )
        opening(f"seal-{scope}", "The seal is another.", seals=lambda seals, s=s: flip(seals, 16 * s - 1))
    opening(
        "header-altered",
        "Another time, by who has no key.",
        created=1795240801,
        confirmations=lambda c: EVERY.header[-128:-32],
        seals=lambda s: EVERY.trailer[184:232],
    )
    rewritten = {**everything.sections, 2: [Section(32, [stored(*map(transaction, range(5)))])]}
    key_of_history = lambda seals: EVERY.trailer[184:200] + seals[16:32] + EVERY.trailer[216:232]
    opening(
        "history-rewritten",
        "The history is rewritten by who holds no other scope's key.",
        sections=rewritten,
        seals=key_of_history,
    )
    opening(
        "minor-altered",
        "Another minor version, by who has no key.",
        version=(1, 1),
        confirmations=lambda c: EVERY.header[-128:-32],
    )
    partial = vectors.archives["partial-masks"]
    vectors.edited(
        "unopened-seal",
        "The seal of a scope that is not opened is another: that scope's holders see it.",
        "partial-masks",
        Archive(partial.plan.but(seals=lambda seals: flip(seals, 0))),
        scopes=(2,),
        reader={"passphrases": [HISTORY_PASS]},
    )
    vectors.edited(
        "unopened-confirmation",
        "The confirmation of a scope that is not opened is another.",
        "partial-masks",
        Archive(partial.plan.but(confirmations=lambda c: flip(c, 90))),
        scopes=(2,),
        reader={"passphrases": [HISTORY_PASS]},
    )
