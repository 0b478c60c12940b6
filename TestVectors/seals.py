"""Signatures that cover the seals, and what is said of those that do not."""

from differential import BASE, TRANSACTIONS, PROFILE, header_field, sections_of, small, summary, with_base
from salvage import SALVAGING, damaged, kept
from samples import (
    DAMAGED,
    FORGED,
    HISTORY_PASS,
    LIMIT,
    NEW,
    PASS,
    READER,
    SMALL,
    UNTRUSTED,
    draw,
    flip,
    plan,
    put,
    salted,
    transaction,
    vectors,
)
from writer import Archive, H, signed_digest, signed_seals

LABEL = b"fueki/1 signature of seals"
SIGNED = {"signer_seed": draw("signer", 32), "covered": b""}
TINY = b"\xc8\x01\0\0"  # a slot of an unknown type


def seals():
    signed = Archive(plan("covered", [salted("covered")], sequence=7, previous=draw("previous", 32), **SMALL, **SIGNED))
    vectors.whole("seals-covered", "The signature covers the seals; nobody asks by whom.", signed, reader=READER)
    trusting = READER | {"trusted_signers": [signed.public_key.hex()]}
    vectors.same("seals-covered-trusted", "The same, asked for its signer.", "seals-covered", reader=trusting)
    vectors.same("seals-covered-no-secret", "The same, without a secret.", "seals-covered", reader={}, depth="checksums")
    vectors.same(
        "seals-covered-another",
        "The same, asked for another signer.",
        "seals-covered",
        reader=READER | {"trusted_signers": [H(b"another").hex()]},
        verdict=UNTRUSTED,
        depth="checksums",
    )
    fields(signed, trusting)
    replaced(signed, trusting)
    signatures(signed, trusting)
    salvages(signed, trusting)
    bases()


def both(name, description, whole, trusting, asked=UNTRUSTED, depth="checksums", base="seals-covered", **changes):
    """A forged archive, and the same where its signer is asked for."""
    changes.setdefault("keys_of", whole)
    archive = Archive(vectors.archives[base].plan.but(**changes))
    vectors.edited(f"seals-{name}", description, base, archive, verdict=FORGED, depth=depth, reader=READER)
    vectors.edited(
        f"seals-{name}-trusted",
        f"{description[:-1]}; its signer is asked for.",
        base,
        archive,
        verdict=asked,
        depth=depth,
        reader=trusting,
    )


def fields(signed, trusting):
    """Step 2: the field by itself."""

    def field(name, description, verdict=FORGED, **changes):
        changes.setdefault("keys_of", signed)
        vectors.edited(
            f"seals-{name}",
            description,
            "seals-covered",
            Archive(signed.plan.but(**changes)),
            verdict=verdict,
            depth="structure",
            reader=READER,
        )

    both("length-1", "The field has one byte.", signed, trusting, FORGED, "structure", covered=b"\1")
    both("length-1-zero", "The field has one byte, of zero.", signed, trusting, FORGED, "structure", covered=b"\0")
    unsigned = {"signer_seed": None, "covered": b""}
    both("without-signer", "The field stands in an archive that names no signer.", signed, trusting, FORGED, "structure", **unsigned)
    both(
        "without-signer-signed",
        "The field stands in an archive that names no signer, and its trailer has the signature.",
        signed,
        trusting,
        FORGED,
        "structure",
        fields=lambda f: [(tag, value) for tag, value in f if tag != 0x8007],
    )
    many = lambda s: s + [TINY] * 32
    field("length-1-33-slots", "The field has one byte, and there are 33 slots.", covered=b"\1", encoded_slots=many)
    field("without-signer-33-slots", "The field without a signer, and 33 slots.", encoded_slots=many, **unsigned)
    field("33-slots", "The field is right, and there are 33 slots.", LIMIT, encoded_slots=many)
    field("twice", "The field stands twice.", behind=lambda f: f + f)
    field("twice-and-unknown", "The field stands twice, before a critical one that is unknown.", behind=lambda f: f + f + [(0xFFFF, b"")])
    base = draw("a base", 32) + (3).to_bytes(8, "little")
    field("before-base", "The field stands before that of the base.", base=base, behind=lambda f: f[::-1])
    field("length-1-and-unknown", "The field has one byte, and a critical one is unknown.", NEW, covered=b"\1", behind=lambda f: f + [(0xFFFF, b"")])
    vectors.edited(
        "seals-field-removed",
        "The field and the signer are removed, by who has no key.",
        "seals-covered",
        Archive(
            signed.plan.but(
                keys_of=signed,
                covered=None,
                signer_seed=None,
                confirmations=lambda c: signed.header[16 + signed.L - 6 - 96 : 16 + signed.L - 6],
                seals=lambda s: signed.trailer[184:232],
            )
        ),
        verdict=FORGED,
        depth="open",
        reader=READER,
    )


def replaced(signed, trusting):
    """Step 3: other seals, and a check field that is right."""
    other = lambda s: bytes(byte ^ 0x55 for byte in s)
    both("replaced", "All seals are others in both trailers.", signed, trusting, seals=other)
    both("replaced-first-byte", "A bit of the profile's seal is another.", signed, trusting, seals=lambda s: flip(s, 0))
    both("replaced-history", "A bit of the history's seal is another.", signed, trusting, seals=lambda s: flip(s, 20))
    both("replaced-last-byte", "A bit of the secrets' seal is another.", signed, trusting, seals=lambda s: flip(s, 47))
    both("exchanged", "Two seals are exchanged.", signed, trusting, seals=lambda s: s[16:32] + s[:16] + s[32:])
    wrong = Archive(signed.plan.but(seals=other))
    vectors.edited("seals-replaced-no-secret", "All seals are others; there is no secret.", "seals-covered", wrong, verdict=FORGED, depth="checksums", reader={})
    vectors.edited(
        "seals-replaced-older",
        "All seals are others, and a newer archive is known: the signature is judged first.",
        "seals-covered",
        wrong,
        verdict=FORGED,
        depth="checksums",
        reader=READER | {"known": {"sequence": 8, "digest": H(b"eighth").hex()}},
    )
    vectors.edited(
        "seals-replaced-and-chunk",
        "All seals are others, and a chunk is damaged: damage is judged first.",
        "seals-covered",
        flip(wrong.bytes, wrong.chunk_at(5) + 9),
        verdict=DAMAGED,
        depth="checksums",
        damage=["chunk history 1"],
        reader=READER,
    )
    vectors.edited(
        "seals-replaced-first-trailer",
        "The seals are others in the first trailer alone: the one at the end serves.",
        "seals-covered",
        put(signed.bytes, signed.trailer_at, wrong.trailer),
        verdict=DAMAGED,
        depth="contents",
        damage=["first trailer"],
        opens=True,
        facts=True,
        reader=READER,
    )
    # Damage to a copy is all that the depth structure sees of it, so it is read as a salvage.
    vectors.edited(
        "seals-replaced-last-trailer",
        "The seals are others in the trailer that serves; the first one is right.",
        "seals-covered",
        put(signed.bytes, signed.trailer_copy_at, wrong.trailer),
        verdict=FORGED,
        depth="checksums",
        reader=SALVAGING,
    )
    partial = Archive(
        plan(
            "covered partial",
            [salted("covered partial 1", HISTORY_PASS, 2), salted("covered partial 2", mask=4)],
            **SMALL,
            **SIGNED,
        )
    )
    vectors.whole(
        "seals-covered-partial",
        "No slot opens the profile; all three seals are signed.",
        partial,
        reader={"passphrases": [HISTORY_PASS]},
        scopes=(2,),
    )
    vectors.edited(
        "seals-replaced-unopened",
        "The seal of a scope that no slot opens is another.",
        "seals-covered-partial",
        Archive(partial.plan.but(seals=lambda s: flip(s, 3))),
        verdict=FORGED,
        depth="checksums",
        reader={"passphrases": [HISTORY_PASS]},
    )


def signatures(signed, trusting):
    """Step 3: what is signed is something else."""

    def other(name, description, signs):
        both(name, description, signed, trusting, signed=signs)

    other("old-formula", "The signature is over the digest alone, as without the field.", signed_digest)
    other("old-label", "The signature is over digest and seals, with the label of before.", lambda d, s: b"fueki/1 signature" + d + s)
    other("label-alone", "The signature has the new label, and is over the digest alone.", lambda d, s: LABEL + d)
    other("two-seals", "The signature is over the first two seals.", lambda d, s: LABEL + d + s[:32])
    other("reserved-too", "The signature is over the reserved bytes, too.", lambda d, s: LABEL + d + s + bytes(8))
    other("seals-first", "The signature is over the seals and then the digest.", lambda d, s: LABEL + s + d)
    both("signature-altered", "A bit of the signature is another.", signed, trusting, signature=lambda s: flip(s, 10))
    both("signature-zeros", "The signature is zeros.", signed, trusting, signature=lambda s: bytes(64))
    before = vectors.archives["signed"]
    both("new-formula", "The signature covers the seals, and the field is not there.", before, trusting, base="signed", signed=signed_seals)
    wrong = lambda s: flip(s, 3)
    vectors.edited(
        "seals-signed-wrong",
        "A good signature over seals that no key makes.",
        "seals-covered",
        Archive(signed.plan.but(seals=wrong, signed=lambda d, s: signed_seals(d, wrong(s)))),
        verdict=FORGED,
        depth="open",
        reader=trusting,
    )


def salvages(signed, trusting):
    def case(name, description, archive, verdict, reader=READER, edit=lambda content: content, chunks=((2, 0),), **facts):
        vectors.edited(
            f"seals-salvage-{name}",
            description,
            "seals-covered",
            edit(damaged(archive, list(chunks))),
            verdict=verdict,
            reader=reader | {"salvage": True},
            **facts,
        )

    lost = {"salvaged": kept(signed, [(2, 0)])}
    case("signed", "A chunk is damaged; the trusted signer's signature holds for what is left.", signed, DAMAGED, trusting, **lost)
    wrong = Archive(signed.plan.but(seals=lambda s: flip(s, 40)))
    case("replaced", "A chunk is damaged, and a seal is another.", wrong, FORGED)
    case("replaced-trusted", "A chunk is damaged, and a seal is another; the signer is asked for.", wrong, UNTRUSTED, trusting)
    stated = Archive(
        signed.plan.but(
            signature=lambda s: signed.trailer[120:184],
            seals=lambda s: signed.trailer[184:232],
            archive_digest=lambda d: flip(d, 5),
        )
    )
    case("digest", "The trailer states another archive digest: signature and seals hold over the computed one.", stated, DAMAGED, trusting, **lost)


def bases():
    """A differential archive and its base have the field or not, each by itself."""
    rest = {s: m for s, m in BASE.items() if s != 32}
    first = vectors.archives["differential-base"]

    def other_seals(base, change):
        return Archive(base.plan.but(seals=change))

    def with_bases(name, description, archive, bases, verdict="ok", result=None, **more):
        facts = {"result": summary(result)} if verdict == "ok" else {"depth": "contents"}
        vectors.same(f"seals-{name}", description, archive, reader=with_base(*bases, **more), verdict=verdict, **facts)

    everything = {32: TRANSACTIONS + [transaction(60)], **rest}
    # A base whose signature covers nothing: the seals are others, and it does not open.
    vectors.edited(
        "seals-base-uncovered",
        "A base that is not signed, with other seals: found by who opens it.",
        "differential-base",
        other_seals(first, lambda s: bytes(byte ^ 0x55 for byte in s)),
        verdict=FORGED,
        depth="open",
        reader=READER,
    )
    vectors.edited(
        "seals-base-uncovered-history",
        "The base with another seal of the history.",
        "differential-base",
        other_seals(first, lambda s: flip(s, 20)),
        verdict=FORGED,
        depth="open",
        reader=READER,
    )
    vectors.edited(
        "seals-base-uncovered-damaged",
        "The base with a damaged chunk of its history.",
        "differential-base",
        flip(first.bytes, first.chunk_at(first.counts[0]) + 5),
        verdict=DAMAGED,
        depth="checksums",
        reader=READER,
    )
    fake, real, hurt = "seals-base-uncovered", "differential-base", "seals-base-uncovered-damaged"
    archive = "differential-nothing"
    same = {"result": BASE}
    with_bases("base-copy-first", "A copy of the base with other seals, and then the base.", archive, [fake, real], **same)
    with_bases("base-copy-last", "The base, and then a copy with other seals.", archive, [real, fake], **same)
    with_bases("base-copies", "The base behind two copies with other seals and a damaged one.", archive, [fake, hurt, "seals-base-uncovered-history", real], **same)
    with_bases("base-copy-alone", "Of the base only a copy with other seals.", archive, [fake], FORGED)
    with_bases("base-copy-and-damaged", "A copy with other seals, and the base, damaged: the first whose steps 1 to 3 hold.", archive, [hurt, fake], FORGED)
    with_bases("base-copy-salvage", "The same copy first, where what is damaged is salvaged.", archive, [fake, hurt, real], salvage=True, **same)

    history_alone = salted("covered base history", PASS, 2)
    closed = Archive(
        plan(
            "base of history alone",
            [history_alone],
            sequence=4,
            previous=draw("before the base", 32),
            history=sections_of(BASE),
            **PROFILE,
        )
    )
    vectors.whole("seals-base-history", "A base whose slot opens the history alone.", closed, reader=READER, scopes=(2,))
    vectors.edited(
        "seals-base-history-copy",
        "The same with another seal of the profile, which the secret does not open.",
        "seals-base-history",
        other_seals(closed, lambda s: flip(s, 1)),
        reader=READER,
        scopes=(2,),
    )
    of_closed, result = small("of history alone", closed)
    vectors.whole(
        "seals-of-base-history",
        "A seal of the base that the secret does not open is another: that opens.",
        of_closed,
        reader=with_base("seals-base-history-copy", "seals-base-history"),
        result=summary(result),
    )

    covered = Archive(
        plan(
            "covered base",
            [salted("covered base")],
            sequence=4,
            previous=draw("before the base", 32),
            history=sections_of(BASE),
            **PROFILE,
            **SIGNED,
        )
    )
    vectors.whole("seals-base-covered", "A base whose signature covers the seals.", covered, reader=READER)
    vectors.edited(
        "seals-base-covered-copy",
        "The same with other seals: its signature does not hold.",
        "seals-base-covered",
        other_seals(covered, lambda s: flip(s, 17)),
        verdict=FORGED,
        depth="checksums",
        reader={},
    )
    vectors.edited(
        "seals-base-covered-damaged",
        "The same with a damaged chunk of its history.",
        "seals-base-covered",
        flip(covered.bytes, covered.chunk_at(covered.counts[0]) + 5),
        verdict=DAMAGED,
        depth="checksums",
        reader=READER,
    )
    unsigned, result = small("of covered", covered)
    fake, real, hurt = "seals-base-covered-copy", "seals-base-covered", "seals-base-covered-damaged"
    vectors.whole("seals-of-covered", "An unsigned archive; its base's signature covers the seals.", unsigned, reader=with_base(real), result=summary(result))
    archive, same = "seals-of-covered", {"result": result}
    with_bases("of-covered-copy-first", "A copy of the base with other seals, and then the base.", archive, [fake, real], **same)
    with_bases("of-covered-copy-alone", "Of the base only a copy with other seals.", archive, [fake], FORGED)
    with_bases("of-covered-copy-and-damaged", "A copy with other seals, and the base, damaged: steps 1 to 3 hold of neither, and the first one's verdict stands.", archive, [fake, hurt], FORGED)
    with_bases("of-covered-damaged-and-copy", "The same in another order.", archive, [hurt, fake], DAMAGED)
    both_signed, result = small("covered", first, **SIGNED)
    vectors.whole(
        "seals-differential",
        "A differential archive whose signature covers its seals; its base is not signed.",
        both_signed,
        reader=with_base("differential-base") | {"trusted_signers": [both_signed.public_key.hex()]},
        result=summary(result),
    )
    assert result == everything
