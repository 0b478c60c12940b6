"""Files that were never filled: they begin or end with zeros, and no header and trailer serve."""

from samples import CUT, DAMAGED, EVERY, NOT, flip, put, raw

ZEROS = 64  # at an edge, which no archive has


def unfilled():
    b, a = EVERY.bytes, EVERY
    faulty, end = flip(b, 30), len(b)
    assert b[ZEROS - 1] and b[end - ZEROS]

    raw(
        "unfilled-end",
        "Three chunks behind a first header whose digest does not hold, and zeros to the archive's length.",
        CUT,
        faulty[: a.chunk_at(3)] + bytes(end - a.chunk_at(3)),
    )
    raw(
        "unfilled-end-header-whole",
        "Three chunks behind a good header, and zeros to the archive's length.",
        CUT,
        b[: a.chunk_at(3)] + bytes(end - a.chunk_at(3)),
    )
    raw(
        "unfilled-end-64",
        "The first header's digest does not hold, and the last 64 bytes are zeros.",
        CUT,
        faulty[:-ZEROS] + bytes(ZEROS),
    )
    raw(
        "unfilled-end-63",
        "The first header's digest does not hold, and only the last 63 bytes are zeros.",
        DAMAGED,
        faulty[: 1 - ZEROS] + bytes(ZEROS - 1),
    )
    raw(
        "unfilled-end-shorter",
        "The first header's digest does not hold, and zeros end the file before the archive's length.",
        CUT,
        faulty[: a.chunk_at(3)] + bytes(1000),
    )
    raw(
        "unfilled-end-magic",
        "The magic, and zeros to the archive's length: L is 0.",
        CUT,
        b[:8] + bytes(end - 8),
    )
    raw(
        "unfilled-end-header-only",
        "The magic and 64 zeros: a whole header would be shorter.",
        CUT,
        b[:8] + bytes(ZEROS),
    )
    copy = flip(b, a.header_copy_at + 40)
    raw(
        "unfilled-start-64",
        "The copy's digest does not hold, and the first 64 bytes are zeros.",
        CUT,
        put(copy, 0, bytes(ZEROS)),
    )
    raw(
        "unfilled-start-63",
        "The copy's digest does not hold, and only the first 63 bytes are zeros.",
        DAMAGED,
        put(copy, 0, bytes(ZEROS - 1)),
    )
    raw(
        "unfilled-start-no-magic",
        "The first 64 bytes are zeros, and the copy does not begin with the magic.",
        NOT,
        put(flip(b, a.header_copy_at), 0, bytes(ZEROS)),
    )
    raw(
        "unfilled-chunk",
        "A chunk of zeros in an archive whose header and trailer serve.",
        DAMAGED,
        put(b, a.chunk_at(5), bytes(16400)),
        depth="checksums",
        damage=["chunk history 1"],
        opens=False,
    )
