#!/usr/bin/env python3
"""Gives the file that a set of PAR2 files describes another name, as whoever can write beside an archive could.

    par2_names.py NEW-NAME FILE.par2 ...
"""

import hashlib
import struct
import sys

MAGIC = b"PAR2\0PKT"
MAIN, DESCRIPTION, SLICES = (b"PAR 2.0\0" + name.ljust(8, b"\0") for name in (b"Main", b"FileDesc", b"IFSC"))


def packets(data):
    """The type and the body of each packet."""
    place = 0
    while (place := data.find(MAGIC, place)) >= 0:
        (length,) = struct.unpack_from("<Q", data, place + 8)
        yield data[place + 48 : place + 64], data[place + 64 : place + length]
        place += length


def renamed(kind, body, name, ids):
    """A packet's body with the new name, and the file's identity that follows from it."""
    if kind == DESCRIPTION:
        return ids[body[:16]] + body[16:56] + name + b"\0" * (-len(name) % 4)
    if kind == SLICES:
        return ids[body[:16]] + body[16:]
    if kind == MAIN:
        return body[:12] + b"".join(ids[body[at : at + 16]] for at in range(12, len(body), 16))
    return body


def main():
    name = sys.argv[1].encode()
    files = {}
    for path in sys.argv[2:]:
        with open(path, "rb") as file:
            files[path] = list(packets(file.read()))
    every = [packet for found in files.values() for packet in found]
    ids = {body[:16]: hashlib.md5(body[32:56] + name).digest() for kind, body in every if kind == DESCRIPTION}
    main_body = next(renamed(kind, body, name, ids) for kind, body in every if kind == MAIN)
    set_id = hashlib.md5(main_body).digest()
    for path, found in files.items():
        with open(path, "wb") as file:
            for kind, body in found:
                rest = set_id + kind + renamed(kind, body, name, ids)
                file.write(MAGIC + struct.pack("<Q", 32 + len(rest)) + hashlib.md5(rest).digest() + rest)


if __name__ == "__main__":
    main()
