"""Damaged archives, and what a reader brings back of them."""

from samples import (
    CUT,
    DAMAGED,
    EVERY,
    FORGED,
    PASS,
    READER,
    UNTRUSTED,
    everything,
    flip,
    put,
    transaction,
    vectors,
)
from writer import PIECE, SCOPES, Archive, Block, H, Section, framed, stored
from frames import real

SALVAGING = READER | {"salvage": True}


def kept(archive, lost, scopes=(1, 2, 3), proven=True):
    """What a reader says of an archive of which these chunks are lost, as (scope, chunk)."""
    sections, lost_scopes = [], []
    for s in scopes:
        pieces = {i for scope, i in lost if scope == s}
        index = range(archive.index_at[s] // PIECE, archive.counts[s - 1])
        if pieces.intersection(index):
            lost_scopes.append(SCOPES[s])
            continue
        offset = 0
        for section in archive.sections[s]:
            position = records = 0
            good, gaps, in_gap = b"", [], False
            for block in section.blocks:
                touched = range(offset // PIECE, (offset + len(block.stored) - 1) // PIECE + 1)
                offset += len(block.stored)
                if pieces.intersection(touched):
                    if not in_gap:
                        gaps.append({"bytes": [position, position], "after": records})
                    gaps[-1]["bytes"][1] += len(block.plaintext)
                    in_gap = True
                else:
                    good += block.plaintext
                    records += block.records
                    in_gap = False
                position += len(block.plaintext)
            missing = archive.entry(section).records - records
            sections.append({"id": section.id, "lost": missing, "gaps": gaps, "sha256": H(good).hex()})
    return {"proven": proven, "lost_scopes": lost_scopes, "sections": sections}


def damaged(archive, chunks, leaves=()):
    content = archive.bytes
    for s, i in chunks:
        content = flip(content, archive.chunk_at(sum(archive.counts[: s - 1]) + i) + 77 * i)
    for s, i in leaves:
        content = flip(content, archive.leaf_at(sum(archive.counts[: s - 1]) + i))
    return content


def salvage():
    many = vectors.archives["many-chunks"]
    blocks = Archive(
        everything.but(
            sections={
                **everything.sections,
                2: [
                    Section(
                        32,
                        [
                            framed(real, *map(transaction, range(start, start + 10 + start % 7)))
                            for start in range(0, 12000, 20)
                        ],
                    ),
                    Section(33, [stored(b"\x0a\x02\0r")]),
                ],
            }
        )
    )
    vectors.whole("many-blocks", "Six hundred zstd blocks that share chunks.", blocks, reader=READER)

    def case(
        name, description, chunks, leaves=(), base="many-chunks", lost=None, proven=True, reader=SALVAGING
    ):
        archive = vectors.archives[base]
        vectors.edited(
            f"salvage-{name}",
            description,
            base,
            damaged(archive, chunks, leaves),
            verdict=DAMAGED,
            reader=reader,
            salvaged=kept(archive, chunks if lost is None else lost, proven=proven),
        )

    last = many.counts[1] - 1
    case("manifest", "The profile's first chunk: the manifest is lost, and the block behind it.", [(1, 0)])
    case("first-chunk", "The history's first chunk: the block in it is lost.", [(2, 0)])
    case("boundary", "A chunk in which a block ends and the next begins: both are lost.", [(2, 2)])
    case("inner-chunk", "A chunk within one block.", [(2, 6)])
    case("last-block", "A chunk of the last block.", [(2, last - 1)])
    case("two-gaps", "Two chunks with whole blocks between them.", [(2, 0), (2, 9)])
    case("three-gaps", "Three chunks, of which two are neighbours.", [(2, 0), (2, 7), (2, 8), (2, 14)])
    case("index", "The history's last chunk: all of the history is lost.", [(2, last)])
    case("all-indices", "The last chunks of all streams: nothing comes back.", [(1, 4), (2, last), (3, 3)])
    case("fill", "A chunk of fill: nothing is lost.", [(3, 1)])
    case("secrets", "The chunk with the key shares.", [(3, 0)], base="everything")
    case("leaf", "A leaf is damaged, and all chunks are whole.", [], [(2, 3)])
    case(
        "leaf-and-chunk",
        "A leaf and another chunk are damaged: only tags tell which chunks are whole.",
        [(2, 9)],
        [(1, 1)],
        proven=False,
    )
    case(
        "leaf-of-the-chunk",
        "A chunk and its own leaf are damaged.",
        [(2, 9)],
        [(2, 9)],
        proven=False,
    )
    case("blocks-in-a-chunk", "A chunk with many blocks.", [(2, 1)], base="many-blocks")
    case("blocks-in-two-chunks", "Two chunks with many blocks each.", [(2, 0), (2, 2)], base="many-blocks")
    b = many.bytes
    vectors.edited(
        "salvage-first-header",
        "The first header is damaged: its copy serves, and nothing is lost.",
        "many-chunks",
        flip(b, 20),
        verdict=DAMAGED,
        reader=SALVAGING,
        salvaged=kept(many, []),
    )
    vectors.edited(
        "salvage-header-and-chunk",
        "The first header and a chunk are damaged.",
        "many-chunks",
        flip(damaged(many, [(2, 0)]), 20),
        verdict=DAMAGED,
        reader=SALVAGING,
        salvaged=kept(many, [(2, 0)]),
    )
    vectors.edited(
        "salvage-trailing-bytes",
        "Bytes follow the archive.",
        "many-chunks",
        b + b"more",
        verdict=DAMAGED,
        reader=SALVAGING,
        salvaged=kept(many, []),
    )
    vectors.same(
        "salvage-whole", "Nothing is damaged.", "many-chunks", reader=SALVAGING, salvaged=kept(many, [])
    )
    vectors.edited(
        "salvage-incomplete",
        "The end is missing: what leads to the blocks was there.",
        "many-chunks",
        b[: many.trailer_at],
        verdict=CUT,
        depth="structure",
        reader=SALVAGING,
    )
    refused(many)


def refused(many):
    """What a salvage must not let pass."""

    def case(name, description, verdict, base, content, reader=None, **facts):
        vectors.edited(
            f"salvage-{name}",
            description,
            base,
            content,
            verdict=verdict,
            reader=SALVAGING | (reader or {}),
            **facts,
        )

    case(
        "wrong-passphrase",
        "Another passphrase.",
        "wrong secret",
        "many-chunks",
        damaged(many, [(2, 0)]),
        {"passphrases": [PASS + "!"]},
        depth="open",
    )
    seals = Archive(everything.but(keys_of=EVERY, seals=lambda seals: flip(seals, 20)))
    case(
        "seal",
        "A seal is another.",
        FORGED,
        "everything",
        flip(seals.bytes, seals.chunk_at(1)),
        depth="open",
    )
    # The key holder of the history writes other chunks into the file, and can do nothing about the leaf table.
    section = everything.sections[2][0]
    swapped = [Block(b.records, b.plaintext, b.method, b.stored) for b in section.blocks]
    old = section.blocks[2].plaintext
    new = old.replace(b"confirmed", b"cancelled")
    swapped[2] = Block(swapped[2].records, new, 0, new)
    sections = {**everything.sections, 2: [Section(32, swapped), *everything.sections[2][1:]]}
    other = Archive(everything.but(keys_of=EVERY, sections=sections))
    start = EVERY.chunk_at(EVERY.counts[0])
    rewritten = put(EVERY.bytes, start, other.all_chunks[EVERY.counts[0]])
    assert rewritten != EVERY.bytes and len(new) == len(old)
    case(
        "rewritten-chunk",
        "The history's first chunk was written anew by who holds its key, and opens: its leaf shows that it is "
        "not the archive's.",
        DAMAGED,
        "everything",
        rewritten,
        salvaged=kept(EVERY, [(2, 0)]),
    )
    case(
        "rewritten-chunk-and-leaf",
        "The same with the leaf table damaged too, so that only tags tell: the section's digest does not hold.",
        FORGED,
        "everything",
        flip(rewritten, EVERY.leaf_at(9)),
        depth="contents",
    )
    signed = vectors.archives["signed"]
    trusting = lambda key: {"trusted_signers": [key.hex()]}
    chunk = damaged(signed, [(2, 0)])
    case(
        "signed",
        "The trusted signer's signature holds for what is left.",
        DAMAGED,
        "signed",
        chunk,
        trusting(signed.public_key),
        salvaged=kept(signed, [(2, 0)]),
    )
    case(
        "signed-by-another",
        "Another signer is asked for.",
        UNTRUSTED,
        "signed",
        chunk,
        trusting(H(b"another")),
        depth="contents",
    )
    case(
        "signed-leaf-and-chunk",
        "With the leaf table damaged too, nothing ties the chunks to the trusted signature.",
        UNTRUSTED,
        "signed",
        damaged(signed, [(2, 0)], [(1, 1)]),
        trusting(signed.public_key),
        depth="contents",
    )
    altered = Archive(signed.plan.but(keys_of=signed, signature=lambda s: flip(s, 10)))
    case(
        "signature",
        "The signature does not hold.",
        FORGED,
        "signed",
        flip(altered.bytes, altered.chunk_at(4)),
        depth="contents",
    )
