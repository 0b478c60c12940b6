#!/usr/bin/env python3
"""Archives for the page's tests, by the writer of the test vectors: archives.py KIND OUTPUT

hostile    texts that are markup, and names that lead out of a folder or that Windows refuses
many       100,000 original files
history    200,000 transactions
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../TestVectors"))

from frames import MIB, real  # noqa: E402
from writer import SCOPES, Archive, H, Plan, Section, framed, passphrase_slot, u32, varint  # noqa: E402

MARKUP = "<img src=http://127.0.0.1:1/x onerror=alert(1)></script><script>alert(2)</script>&amp;\u202egnp.exe"
NAMES = ["../../up", "/etc/passwd", "CON", "nul.txt", "a", "A", "end.", "x\u202egnp.exe", 'q"<>|?*:', "back\\slash", "n\0l"]


def text(number, value):
    value = value if isinstance(value, bytes) else value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def integer(number, value):
    return varint(number << 3) + varint(value)


def packed(value):
    return b"\0" + value.encode()


def transaction(i):
    names = text(1, packed(f"tx-{i}")) + text(2, packed("wallet-0")) + text(3, packed(f"hash {i * 7919}"))
    return names + text(6, str(10**18 + i)) + text(8, "confirmed") + integer(9, 2 * (1795240800000000 + i))


def part(i, path, content=b"content", place=None):
    message = text(1, H(b"file", u32(i))[:16]) + text(2, "../source") + text(3, path)
    message += integer(4, 0) + integer(5, len(content)) + text(6, content)
    return message + (text(16, place) if place else b"")


def blocks(messages):
    """Blocks of at most 1 MiB."""
    block, size = [], 0
    for message in messages:
        if size + len(message) + 4 > MIB:
            yield framed(real, *block)
            block, size = [], 0
        block.append(message)
        size += len(message) + 4
    yield framed(real, *block)


def hostile():
    wallet = text(1, packed("w")) + text(2, MARKUP) + text(3, MARKUP) + text(4, "evm") + text(6, packed(MARKUP))
    wallet += varint(24 << 3 | 2) + varint(9) + b"lightning"
    note = text(1, packed("c")) + text(2, MARKUP) + text(6, "=1+1;" + MARKUP)
    files = [part(i, name) for i, name in enumerate(NAMES)]
    files += [part(90 + i, name, place=b"~/" + name.encode()) for i, name in enumerate(NAMES)]
    return {"profile": (Section(2, [framed(real, wallet)]), Section(4, [framed(real, note)]), Section(8, [framed(real, *files)]))}


def many():
    files = (part(i, f"folder-{i % 100}/file-{i}", f"content of {i}".encode()) for i in range(100_000))
    return {"profile": (Section(8, list(blocks(files))),)}


def history():
    return {"history": (Section(32, list(blocks(map(transaction, range(200_000))))),)}


def archive(kind):
    sections = {"hostile": hostile, "many": many, "history": history}[kind]()
    roots = {s: H(b"root", kind.encode(), u32(s)) for s in SCOPES}
    slot = passphrase_slot("correct horse battery staple", H(b"salt", kind.encode())[:16])
    return Archive(
        Plan(
            H(b"archive", kind.encode()), bytes(range(16)), roots, (slot,),
            {s: list(sections.get(SCOPES[s], ())) for s in SCOPES}, text(4, "writer.py") + integer(5, 1),
        )
    )


if __name__ == "__main__":
    kind, output = sys.argv[1:]
    with open(output, "wb") as file:
        file.write(archive(kind).bytes)
