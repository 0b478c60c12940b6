"""zstd frames: real ones, and ones made by hand from RFC 8878 so that each rule can be broken alone."""

from itertools import groupby

import zstandard

MAGIC = bytes.fromhex("28b52ffd")
MIB = 1 << 20


def real(plaintext):
    """What a writer would store."""
    return zstandard.ZstdCompressor(level=1, write_checksum=False, write_content_size=True).compress(
        plaintext
    )


def block(kind, payload, size, last):
    return (last | kind << 1 | size << 3).to_bytes(3, "little") + payload


def blocks(plaintext, most=1 << 17):
    """Raw and run-length blocks that give the plaintext."""
    pieces, raw = [], b""

    def flush():
        nonlocal raw
        while raw:
            pieces.append((0, raw[:most], len(raw[:most])))
            raw = raw[most:]

    for byte, run in groupby(plaintext):
        count = sum(1 for _ in run)
        if count < 64:
            raw += bytes([byte]) * count
            continue
        flush()
        while count:
            size = min(count, most)
            pieces.append((1, bytes([byte]), size))
            count -= size
    flush()
    if not pieces:
        pieces.append((0, b"", 0))
    return b"".join(
        block(kind, data, size, i == len(pieces) - 1) for i, (kind, data, size) in enumerate(pieces)
    )


def by_hand(
    plaintext,
    size=None,
    window=None,
    checksum=b"",
    dictionary=b"",
    with_size=True,
    reserved=False,
    magic=MAGIC,
):
    """A frame; without a window descriptor it is a single segment. The size is in 8 bytes."""
    size = len(plaintext) if size is None else size
    flag = {0: 0, 1: 1, 2: 2, 4: 3}[len(dictionary)]
    descriptor = (3 << 6 if with_size else 0) | flag | reserved << 3 | bool(checksum) << 2
    if window is None:
        descriptor |= 1 << 5
    header = b"" if window is None else bytes([window])
    header += dictionary + (size.to_bytes(8, "little") if with_size else b"")
    return magic + bytes([descriptor]) + header + blocks(plaintext) + checksum


def skippable(payload):
    return bytes.fromhex("502a4d18") + len(payload).to_bytes(4, "little") + payload


# Window descriptors: (8 + w % 8) << (7 + w // 8) bytes.
WINDOW_1_KIB, WINDOW_8_MIB, WINDOW_9_MIB, WINDOW_16_MIB = 0, 13 << 3, 13 << 3 | 1, 14 << 3


def with_checksum(plaintext):
    return zstandard.ZstdCompressor(level=1, write_checksum=True, write_content_size=True).compress(plaintext)
