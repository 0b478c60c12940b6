"""ChaCha20's block in plain Python, for keys that libsodium keeps to itself."""

import struct


def quarter(x, a, b, c, d):
    rotated = lambda value, n: (value << n | value >> 32 - n) & 0xFFFFFFFF
    for n, i, j, k in ((16, a, b, d), (12, c, d, b), (8, a, b, d), (7, c, d, b)):
        x[i] = (x[i] + x[j]) & 0xFFFFFFFF
        x[k] = rotated(x[k] ^ x[i], n)


def rounds(key, tail):
    x = list(struct.unpack("<4I", b"expand 32-byte k")) + list(struct.unpack("<8I4I", key + tail))
    start = list(x)
    for _ in range(10):
        for i in range(4):
            quarter(x, i, i + 4, i + 8, i + 12)
        for i in range(4):
            quarter(x, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12)
    return start, x


def stream_key(key, prefix):
    """The key with which ChaCha20 does what XChaCha20 does with a key and the nonces that begin with these 16 bytes."""
    _, x = rounds(key, prefix)
    return struct.pack("<8I", *x[:4], *x[12:])
