"""Copies an archive's slots and chunks under a header with another number, without any of its secrets.

    copied_slots.py ARCHIVE NUMBER OUTPUT

The copy is unsigned, and its structure is intact: fueki-archive(5).
"""
import hashlib
import struct
import sys

CHUNK, TRAILER, HASH = 16_400, 256, 32
SEQUENCE, PREVIOUS, SIGNER, NAMES = 0x8004, 0x8005, 0x8007, 0x800C


def sha256(data):
    return hashlib.sha256(data).digest()


def main(source, number, output):
    with open(source, "rb") as file:
        archive = file.read()
    length = struct.unpack("<I", archive[12:16])[0]
    fields, place = b"", 16
    while place < 16 + length:
        tag, size = struct.unpack("<HI", archive[place : place + 6])
        value = archive[place + 6 : place + 6 + size]
        place += 6 + size
        if tag == SEQUENCE:
            value = struct.pack("<Q", int(number))
        if tag == PREVIOUS:
            value = bytes(HASH)
        if tag not in (SIGNER, NAMES):
            fields += struct.pack("<HI", tag, len(value)) + value
    trailer = bytearray(archive[-TRAILER:])
    chunks = sum(struct.unpack("<3Q", trailer[:24]))
    body = 48 + length
    leaves_at = body + chunks * CHUNK + TRAILER
    leaves = archive[leaves_at : leaves_at + chunks * HASH]
    covered = archive[:12] + struct.pack("<I", len(fields)) + fields
    header = covered + sha256(covered)
    trailer[24:56] = sha256(covered)
    trailer[56:88] = sha256(b"fueki/1 leaves" + leaves)
    trailer[88:120] = sha256(b"fueki/1 archive" + bytes(trailer[:88]))
    trailer[120:184] = bytes(64)
    trailer[240:248] = sha256(b"fueki/1 trailer" + bytes(trailer[:240]))[:8]
    with open(output, "wb") as file:
        file.write(header + archive[body : body + chunks * CHUNK] + trailer + leaves + header + trailer)


main(*sys.argv[1:])
