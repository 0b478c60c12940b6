"""One ciphertext that opens under two keys, which XChaCha20-Poly1305 does not rule out.

A storage provider who could serve such ciphertexts would learn, from whether a reader opens them, which of two
passphrases it has; whoever wrote one could show two people two different archives. The commitment and the
confirmation rule both out.
"""

import struct

import nacl.bindings as sodium

from chacha import rounds, stream_key
from samples import FORGED, PASS, draw, plan, salted, vectors
from writer import PIECE, Archive, Section, argon2id, expand, extract, stored, u64

P, BLOCK = 2**130 - 5, 1 << 128
OTHER = "another passphrase for the same slot"


def poly_key(key, nonce):
    """Poly1305's r and s for a key and a nonce of XChaCha20-Poly1305."""
    start, x = rounds(stream_key(key, nonce[:16]), bytes(8) + nonce[16:])
    block = struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(start, x)))
    r = int.from_bytes(block[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    return r, int.from_bytes(block[16:32], "little")


def opening_under_both(ciphertext, one, two, at):
    """The ciphertext with the blocks `at` and `at + 1` changed so that one tag is right for both (key, nonce)."""
    blocks = [ciphertext[i : i + 16] for i in range(0, len(ciphertext), 16)]
    values = [int.from_bytes(b, "little") + BLOCK for b in blocks + [u64(0) + u64(len(ciphertext))]]
    rows, rests = [], []
    for key, nonce in (one, two):
        r, s = poly_key(key, nonce)
        powers = [pow(r, len(values) - i, P) for i in range(len(values))]
        rests.append((sum(v * p for i, (v, p) in enumerate(zip(values, powers)) if i not in (at, at + 1)), s))
        rows.append((powers[at], powers[at + 1]))
    (a, b), (c, d) = rows
    inverse = pow(a * d - b * c, -1, P)
    for number in range(10000):
        tag = int.from_bytes(draw(f"tag {number}", 16), "little")
        for carry in range(16):
            # The sums modulo P that end in the tag, modulo 2^128.
            sums = [
                ((tag - s) % BLOCK + BLOCK * (carry >> 2 * i & 3) - rest) % P
                for i, (rest, s) in enumerate(rests)
            ]
            x = (sums[0] * d - sums[1] * b) * inverse % P
            y = (sums[1] * a - sums[0] * c) * inverse % P
            if BLOCK <= x < 2 * BLOCK and BLOCK <= y < 2 * BLOCK:
                blocks[at : at + 2] = [(x - BLOCK).to_bytes(16, "little"), (y - BLOCK).to_bytes(16, "little")]
                sealed = b"".join(blocks) + tag.to_bytes(16, "little")
                if all(opens(sealed, *pair) for pair in (one, two)):
                    return sealed
    raise AssertionError("no tag is right for both")


def opens(sealed, key, nonce):
    try:
        return sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, b"", nonce, key)
    except Exception:
        return None


def partition():
    slot_of_two()
    chunk_of_two()


def slot_of_two():
    slot = salted("partition")
    archive_id = draw("partition archive id", 32)
    info = b"fueki/1 slot" + bytes([1, 7]) + slot.parameters
    derived = [
        expand(extract(archive_id, argon2id(text.encode(), slot.parameters[:16], 65536, 2)), info, 64)
        for text in (PASS, OTHER)
    ]
    pairs = [(okm[:32], bytes(24)) for okm in derived]
    wrapped = opening_under_both(draw("wrapped by two", 96), *pairs, at=0)
    keys = opens(wrapped, *pairs[0])
    roots = {s: keys[32 * s - 32 : 32 * s] for s in (1, 2, 3)}
    assert opens(wrapped, *pairs[1]) not in (None, keys)
    archive = Archive(plan("partition", [slot]).but(roots=roots))
    assert wrapped in archive.header
    reader = {"passphrases": [PASS]}
    vectors.whole(
        "partition-slot",
        "A slot whose wrapped keys open under the keys that two passphrases give; read with the one whose "
        "commitment it is.",
        archive,
        reader=reader,
    )
    other = {"passphrases": [OTHER]}
    vectors.same(
        "partition-slot-other",
        "The same, read with the other: its commitment differs, and the keys are not tried.",
        "partition-slot",
        reader=other,
        verdict="wrong secret",
        depth="open",
    )
    committed = lambda slots: [slots[0].replace(derived[0][32:], derived[1][32:])]
    vectors.edited(
        "partition-slot-commitment",
        "The same with the other's commitment, which then opens the slot: the keys are not those of the "
        "confirmations.",
        "partition-slot",
        Archive(archive.plan.but(encoded_slots=committed, keys_of=archive)),
        reader=other,
        verdict=FORGED,
        depth="open",
    )


def chunk_of_two():
    root = draw("other history's root", 32)
    slots = [salted("partition chunk"), salted("partition chunk other", OTHER, 2, roots={2: root})]

    def archive(message):
        return Archive(plan("partition chunk", slots, history=(Section(63, [stored(message)]),)))

    message = draw("message of two", 16000)
    draft = archive(message)
    prk = extract(draft.plan.archive_id, root)
    stream = expand(prk, b"fueki/1 stream" + bytes([2]) + draft.T, 48)
    pairs = [(key, prefix + u64(0)) for key, prefix in (draft.keys(2), (stream[:32], stream[32:]))]
    sealed = opening_under_both(draft.chunks[2][0][:PIECE], *pairs, at=100)
    plaintext = opens(sealed, *pairs[0])
    start = draft.plaintexts[2].index(message[:100])
    vectors.whole(
        "partition-chunk",
        "A chunk that opens under the history's key and under another, which the second slot gives; read with "
        "the first.",
        archive(plaintext[start : start + len(message)]),
        reader={"passphrases": [PASS]},
    )
    assert vectors.archives["partition-chunk"].chunks[2][0] == sealed and opens(sealed, *pairs[1])
    vectors.same(
        "partition-chunk-other",
        "The same, read with the second: its key is not that of the confirmation.",
        "partition-chunk",
        reader={"passphrases": [OTHER]},
        verdict=FORGED,
        depth="open",
    )
    vectors.same(
        "partition-chunk-both",
        "The same, read with both: two slots give different keys.",
        "partition-chunk",
        reader={"passphrases": [PASS, OTHER]},
        verdict=FORGED,
        depth="open",
    )
