#!/usr/bin/env python3
"""Writes the test vectors of the archive format into a new folder, the same ones every time: generate.py FOLDER

Needs Python 3.10, pynacl and zstandard; other versions of zstandard may compress to other, equally good bytes.
"""

import sys

import columns
import differential
import faults_of_columns
import faults_of_contents
import faults_of_keys
import faults_of_messages
import faults_of_structure
import frames
import guardians
import hybrid
import plugins
import partition
import salvage
import seals
import unfilled
from frames import MIB, by_hand, real
from samples import (
    EVERY,
    FORGED,
    HISTORY_PASS,
    PASS,
    PUBLIC_PASS,
    READER,
    SHARES,
    SHORTEST,
    SMALL,
    age_identity,
    cheap,
    contact,
    draw,
    everything,
    file_part,
    flip,
    integer,
    padded_part,
    plan,
    salted,
    text,
    vectors,
)
from writer import (
    PIECE,
    SCOPES,
    Archive,
    Block,
    H,
    Plan,
    Section,
    framed,
    passphrase_slot,
    recipient_slot,
    record,
    seal_share,
    stored,
    u16,
)


def good():
    vectors.whole(
        "everything",
        "Sections in all scopes, stored and zstd blocks, key shares.",
        EVERY,
        reader=READER,
        key_shares=[{"id": name.hex(), "secret": secret.hex()} for name, secret in SHARES.items()],
    )
    vectors.whole(
        "empty",
        "No section but the manifest; a vault's first archive.",
        Archive(plan("empty", [salted("empty")])),
        reader=READER,
    )
    vectors.whole(
        "two-passphrases",
        "Two passphrase slots for the same scopes.",
        Archive(plan("two", [salted("two 1", "first one"), salted("two 2")], **SMALL)),
        reader=READER,
    )
    vectors.same(
        "two-passphrases-other",
        "The same, read with the first slot's passphrase.",
        "two-passphrases",
        reader={"passphrases": ["first one"]},
    )
    partial = Archive(
        plan(
            "partial",
            [
                salted("partial 1", HISTORY_PASS, 2),
                salted("partial 2", PUBLIC_PASS, 3),
                salted("partial 3", mask=4),
            ],
            shares=True,
            **SMALL,
        )
    )
    vectors.whole(
        "partial-masks",
        "Slots for history, for profile and history, and for secrets; read with all "
        "passphrases, whose scopes add up.",
        partial,
        reader={"passphrases": [HISTORY_PASS, PUBLIC_PASS, PASS]},
    )
    for name, passphrase, scopes in (
        ("history", HISTORY_PASS, (2,)),
        ("public", PUBLIC_PASS, (1, 2)),
        ("secrets", PASS, (3,)),
    ):
        vectors.same(
            f"partial-masks-{name}",
            "The same, read with one passphrase.",
            "partial-masks",
            reader={"passphrases": [passphrase]},
            scopes=scopes,
        )
    signed = Archive(plan("signed", [salted("signed")], signer_seed=draw("signer", 32), **SMALL))
    vectors.whole("signed", "A signed archive; nobody asks by whom.", signed, reader=READER)
    vectors.same(
        "signed-trusted",
        "The same, asked for its signer.",
        "signed",
        reader=READER | {"trusted_signers": [H(b"another").hex(), signed.public_key.hex()]},
    )
    vectors.whole(
        "optional-field",
        "A header field that need not be known.",
        Archive(
            plan("optional", [salted("optional")], extra_fields=((0x0001, b""), (0x7FFF, b"future")), **SMALL)
        ),
        reader=READER,
    )
    vectors.whole(
        "longest-header",
        "L is 65536, through a field that need not be known.",
        Archive(plan("longest", [salted("longest")], extra_fields=((0x0042, bytes(65536 - 6 - SHORTEST)),))),
        reader=READER,
    )
    unknown = b"\x09\x05" + u16(5) + b"other"
    vectors.whole(
        "unknown-slot",
        "A slot of an unknown type, with a body of 5 bytes, before a passphrase slot.",
        Archive(
            plan("unknown slot", [salted("unknown slot")], **SMALL).but(
                encoded_slots=lambda slots: [unknown] + slots
            )
        ),
        reader=READER,
    )
    vectors.whole(
        "newer-minor",
        "A newer minor version is read.",
        Archive(plan("minor", [salted("minor")], version=(1, 7), **SMALL)),
        reader=READER,
    )
    vectors.whole(
        "nfkc-passphrase",
        "The passphrase is normalised to NFKC before it is used.",
        Archive(plan("nfkc", [salted("nfkc", "fish Åé 1")], **SMALL)),
        reader={"passphrases": ["\ufb01sh A\u030ae\u0301 \u2460"]},
    )
    other_slots()
    layouts()
    manual()


def other_slots():
    key_file, identity, guardians = draw("key file", 64), draw("identity", 32), draw("guardians", 32)
    tags = b"".join(draw(f"guardian {i}", 4) for i in range(3))
    slots = [
        salted("types 2", "with a key file", 7, key_file=key_file),
        recipient_slot(3, 3, draw("ephemeral 3", 32), identity),
        recipient_slot(4, 6, draw("ephemeral 4", 32), guardians, bytes([2, 3]) + u16(0x1234) + tags),
        salted("types 1", mask=7),
    ]
    vectors.whole(
        "all-slot-types",
        "A slot of every type; read with the passphrase alone.",
        Archive(plan("types", slots, **SMALL)),
        reader=READER,
    )
    readers = (
        ("key-file", {"passphrases": ["with a key file"], "key_file": key_file.hex()}, (1, 2, 3)),
        ("x25519", {"identities": [age_identity(identity)]}, (1, 2)),
        ("guardians", {"guardians_key": guardians.hex()}, (2, 3)),
    )
    for name, reader, scopes in readers:
        vectors.same(
            f"all-slot-types-{name}",
            "The same, read with another secret.",
            "all-slot-types",
            reader=reader,
            scopes=scopes,
        )
    vectors.same(
        "all-slot-types-wrong-key-file",
        "The right passphrase with another key file.",
        "all-slot-types",
        reader={"passphrases": ["with a key file"], "key_file": draw("other", 64).hex()},
        depth="open",
        verdict="wrong secret",
    )
    vectors.same(
        "all-slot-types-wrong-x25519",
        "Another private key.",
        "all-slot-types",
        reader={"identities": [age_identity(draw("other", 32))]},
        depth="open",
        verdict="wrong secret",
    )
    type2 = [
        passphrase_slot("", draw(f"cheap two {i}", 16), 7, (1, 99), key_file=b"", cheap=True)
        for i in range(2)
    ]
    vectors.whole(
        "slots-not-tried",
        "Four passphrase slots, and two with a key file that the caller has not: their "
        "number and cost are not judged.",
        Archive(plan("not tried", [cheap(0), cheap(1), *type2, cheap(2), salted("not tried")])),
        reader=READER,
    )


def layouts():
    """Streams and blocks at the edges of what is allowed."""
    parts = [file_part(i, draw(f"part {i}", 40000)) for i in range(7)]
    vectors.whole(
        "many-chunks",
        "Streams of 5, 18 and 4 chunks; blocks that span chunks.",
        Archive(
            plan(
                "many",
                [salted("many")],
                profile=(Section(8, [stored(file_part(0, draw("part p", 65536)))]),),
                history=(Section(38, [stored(part) for part in parts]),),
            )
        ),
        reader=READER,
    )

    def case(name, description, sections, scope="profile"):
        number = {value: s for s, value in SCOPES.items()}[scope]
        changed = {**everything.sections, number: list(sections)}
        vectors.edited(
            name, description, "everything", Archive(everything.but(sections=changed)), reader=READER
        )

    case("no-profile-sections", "The profile holds nothing but the manifest.", [])
    case("no-history", "The history's stream holds no section.", [], "history")
    case("no-secrets", "The secrets' stream holds no section.", [], "secrets")
    case(
        "unknown-section-profile",
        "Sections 9 and 31 are not known.",
        [Section(9, [framed(real, b"x" * 500)]), Section(31, [stored(b"\0\1\2", b"")])],
    )
    case("unknown-section-history", "Section 63 is not known.", [Section(63, [stored(b"?")])], "history")
    case(
        "unknown-section-secrets",
        "Sections 67 and 95 are not known.",
        [Section(67, [stored(b"?")]), Section(95, [stored(b"?", b"!")])],
        "secrets",
    )
    case("empty-records", "Records with empty messages.", [Section(5, [stored(b"", b"", b"")])])
    case(
        "not-greedy",
        "One block for each record: readers check the bounds, not the greed.",
        [Section(4, [stored(contact(i)) for i in range(40)])],
    )
    case(
        "not-compressed",
        "A block of a million zeros, stored: history would grow, secrets are always stored.",
        [Section(8, [stored(file_part(0, bytes(20000)))])],
    )
    case(
        "block-of-1-mib",
        "Blocks of exactly 1 MiB, of many records and of one.",
        [
            Section(
                8,
                [
                    framed(by_hand, *[padded_part(i, MIB // 64) for i in range(64)]),
                    framed(by_hand, padded_part(9, MIB)),
                ],
            )
        ],
    )
    case(
        "record-of-16-mib",
        "A record that is 16 MiB with its length, in a single-segment frame.",
        [Section(8, [framed(by_hand, padded_part(0, 16 * MIB))])],
    )
    case(
        "single-segment-9-mib",
        "A single-segment frame of 9 MiB: its window is its content.",
        [Section(8, [framed(by_hand, padded_part(0, 9 * MIB))])],
    )
    case(
        "window-8-mib",
        "A window of exactly 8 MiB, for a record of 12 MiB.",
        [
            Section(
                8, [framed(lambda data: by_hand(data, window=frames.WINDOW_8_MIB), padded_part(0, 12 * MIB))]
            )
        ],
    )
    case(
        "window-larger-than-content",
        "A window of 8 MiB for a few bytes.",
        [Section(8, [framed(lambda data: by_hand(data, window=frames.WINDOW_8_MIB), padded_part(0, 2000))])],
    )
    case(
        "index-over-chunks",
        "An index longer than a chunk.",
        [Section(5, [stored(text(1, f"k{i}") + text(2, "0")) for i in range(2500)])],
    )
    fits = PIECE * 4 - 8 - 2 - 54 - 9 - 54 - 9 - len(record(EVERY.sections[1][0].blocks[0].plaintext[1:]))
    case("no-fill", "The blocks end where the index begins.", [Section(8, [stored(padded_part(0, fits))])])
    case(
        "one-byte-of-fill",
        "One byte between blocks and index.",
        [Section(8, [stored(padded_part(0, fits - 1))])],
    )
    orders = lambda d: text(3, d[2]) + text(1, d[0]) + text(6, "between") + text(2, d[1])
    vectors.edited(
        "manifest-any-order",
        "The manifest's fields in another order, as Protocol Buffers allow.",
        "everything",
        Archive(everything.but(scope_fields=orders)),
        reader=READER,
    )
    name = next(iter(SHARES))
    archive = Archive(everything.but(sections=alter_share(name)))
    results = [
        (
            {"id": share.hex(), "verdict": FORGED}
            if share == name
            else {"id": share.hex(), "secret": secret.hex()}
        )
        for share, secret in SHARES.items()
    ]
    vectors.edited(
        "altered-share",
        "A key share's sealed bytes are altered in a stream that is whole: the archive is "
        "good, the share is not.",
        "everything",
        archive,
        reader=READER,
        key_shares=results,
    )


def alter_share(name):
    def change(block):
        at = block.plaintext.index(name) + 16 + 2 + 30
        data = flip(block.plaintext, at)
        return Block(block.records, data, 0, data)

    return {
        s: [
            section._replace(blocks=[change(b) for b in section.blocks]) if section.id == 64 else section
            for section in sections
        ]
        for s, sections in everything.sections.items()
    }


def manual():
    """The archive that the manual page gives to the last byte."""
    roots = {s: bytes([0x11 * s]) * 32 for s in SCOPES}
    archive_id = bytes(range(32))
    share = seal_share(archive_id, roots, b"\xd4" * 16, b"\xe5" * 24, b"secret")
    archive = Archive(
        Plan(
            archive_id,
            bytes(range(0x20, 0x30)),
            roots,
            (passphrase_slot("fueki", b"\xa1" * 16), recipient_slot(3, 3, b"\xb2" * 32, b"\xc3" * 32)),
            {
                1: [Section(5, [stored(text(1, "currency") + text(2, '"EUR"'))])],
                3: [Section(64, [stored(text(1, b"\xd4" * 16) + text(2, share))])],
            },
            text(4, "example") + integer(5, 1),
            signer_seed=b"\x07" * 32,
        )
    )
    vectors.whole(
        "manual-example",
        "The example of fueki-archive(5).",
        archive,
        reader={"passphrases": ["fueki"]},
        key_shares=[{"id": "d4" * 16, "secret": b"secret".hex()}],
    )


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    good()
    faults_of_structure.step_1()
    faults_of_structure.step_2()
    faults_of_keys.step_3()
    faults_of_keys.step_4()
    faults_of_keys.step_5()
    faults_of_keys.step_6()
    faults_of_contents.step_7()
    faults_of_contents.step_8()
    faults_of_contents.step_9()
    guardians.guardians()
    salvage.salvage()
    partition.partition()
    faults_of_columns.faults(columns.columns())
    hybrid.hybrid()
    plugins.plugins()
    differential.differential()
    seals.seals()
    unfilled.unfilled()
    faults_of_messages.messages()
    vectors.write(sys.argv[1])
    print(len(vectors.vectors), "vectors")


if __name__ == "__main__":
    main()
