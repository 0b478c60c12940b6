"""X-Wing: ML-KEM-768 (FIPS 203) and X25519 together, as draft-connolly-cfrg-xwing-kem combines them.

Written for clarity, from the standard, and with no care for how long anything takes: whoever can measure this
program learns its keys.
"""

import hashlib

import nacl.bindings as sodium
import nacl.exceptions

Q, K, DU, DV = 3329, 3, 10, 4
PUBLIC, CIPHERTEXT = 384 * K + 32, 32 * (DU * K + DV)
ENCAPSULATION = CIPHERTEXT + 32
REVERSED = [int(f"{i:07b}"[::-1], 2) for i in range(128)]
ZETAS = [pow(17, i, Q) for i in REVERSED]


class Invalid(Exception):
    """A public key that is none, or an X25519 product of zeros."""


# Bytes and numbers


def bits_of(data):
    return [byte >> i & 1 for byte in data for i in range(8)]


def encode(width, numbers):
    value = sum(number << width * i for i, number in enumerate(numbers))
    return value.to_bytes(32 * width, "little")


def decode(width, data):
    value, mask = int.from_bytes(data, "little"), (1 << width) - 1
    return [value >> width * i & mask for i in range(256)]


def compress(width, numbers):
    return [((number << width) + Q // 2) // Q % (1 << width) for number in numbers]


def decompress(width, numbers):
    return [(number * Q + (1 << width - 1)) >> width for number in numbers]


def pieces(data, size):
    return [data[i : i + size] for i in range(0, len(data), size)]


# Polynomials


def ntt(f):
    f, i, length = list(f), 1, 128
    while length >= 2:
        for start in range(0, 256, 2 * length):
            for j in range(start, start + length):
                t = ZETAS[i] * f[j + length]
                f[j], f[j + length] = (f[j] + t) % Q, (f[j] - t) % Q
            i += 1
        length //= 2
    return f


def inverse_ntt(f):
    f, i, length = list(f), 127, 2
    while length <= 128:
        for start in range(0, 256, 2 * length):
            for j in range(start, start + length):
                f[j], f[j + length] = (f[j] + f[j + length]) % Q, ZETAS[i] * (f[j + length] - f[j]) % Q
            i -= 1
        length *= 2
    return [value * 3303 % Q for value in f]


def product(f, g):
    h = []
    for i in range(128):
        gamma = pow(17, 2 * REVERSED[i] + 1, Q)
        a, b, c, d = f[2 * i], f[2 * i + 1], g[2 * i], g[2 * i + 1]
        h += [(a * c + b * d * gamma) % Q, (a * d + b * c) % Q]
    return h


def add(*polynomials):
    return [sum(values) % Q for values in zip(*polynomials)]


def dot(f, g):
    return add(*(product(a, b) for a, b in zip(f, g)))


def uniform(seed):
    stream, numbers = hashlib.shake_128(seed).digest(3 * 2048), []
    for a, b, c in pieces(stream, 3):
        numbers += [d for d in (a + 256 * (b % 16), b // 16 + 16 * c) if d < Q]
    assert len(numbers) >= 256
    return numbers[:256]


def matrix(rho):
    return [[uniform(rho + bytes([j, i])) for j in range(K)] for i in range(K)]


def small(seed, n):
    bits = bits_of(hashlib.shake_256(seed + bytes([n])).digest(128))
    return [(sum(four[:2]) - sum(four[2:])) % Q for four in pieces(bits, 4)]


# ML-KEM-768


def mlkem_keys(d, z):
    """The encapsulation key, and all that decapsulation needs."""
    rho_sigma = hashlib.sha3_512(d + bytes([K])).digest()
    rho, sigma = rho_sigma[:32], rho_sigma[32:]
    s = [ntt(small(sigma, n)) for n in range(K)]
    e = [ntt(small(sigma, K + n)) for n in range(K)]
    t = [add(dot(row, s), noise) for row, noise in zip(matrix(rho), e)]
    public = b"".join(encode(12, row) for row in t) + rho
    return public, (s, public, z)


def encrypt(public, message, randomness):
    t = [decode(12, piece) for piece in pieces(public[:-32], 384)]
    a = matrix(public[-32:])
    y = [ntt(small(randomness, n)) for n in range(K)]
    columns = [[a[i][j] for i in range(K)] for j in range(K)]
    u = [add(inverse_ntt(dot(columns[n], y)), small(randomness, K + n)) for n in range(K)]
    v = add(inverse_ntt(dot(t, y)), small(randomness, 2 * K), decompress(1, bits_of(message)))
    return b"".join(encode(DU, compress(DU, row)) for row in u) + encode(DV, compress(DV, v))


def mlkem_encapsulate(public, message):
    """The secret and the ciphertext, with the 32 random bytes given."""
    numbers = [number for piece in pieces(public[:-32], 384) for number in decode(12, piece)]
    if len(public) != PUBLIC or any(number >= Q for number in numbers):
        raise Invalid("not an encapsulation key")
    both = hashlib.sha3_512(message + hashlib.sha3_256(public).digest()).digest()
    return both[:32], encrypt(public, message, both[32:])


def mlkem_decapsulate(private, ciphertext):
    s, public, z = private
    u = [decompress(DU, decode(DU, piece)) for piece in pieces(ciphertext[: 32 * DU * K], 32 * DU)]
    v = decompress(DV, decode(DV, ciphertext[32 * DU * K :]))
    w = add(v, [-value for value in inverse_ntt(dot(s, list(map(ntt, u))))])
    message = encode(1, compress(1, w))
    both = hashlib.sha3_512(message + hashlib.sha3_256(public).digest()).digest()
    if encrypt(public, message, both[32:]) == ciphertext:
        return both[:32]
    return hashlib.shake_256(z + ciphertext).digest(32)


# X-Wing


def x25519(private, public):
    try:
        shared = sodium.crypto_scalarmult(private, public)
    except nacl.exceptions.CryptoError:
        raise Invalid("an X25519 product of zeros") from None
    if not any(shared):
        raise Invalid("an X25519 product of zeros")
    return shared


def expand_seed(seed):
    data = hashlib.shake_256(seed).digest(96)
    public, private = mlkem_keys(data[:32], data[32:64])
    return private, data[64:], public + sodium.crypto_scalarmult_base(data[64:])


def public_key(seed):
    """The 1216 bytes that age writes as age1pq1..."""
    return expand_seed(seed)[2]


def combined(first, second, encapsulation, public):
    label = bytes.fromhex("5c2e2f2f5e5c")
    return hashlib.sha3_256(first + second + encapsulation[-32:] + public[-32:] + label).digest()


def encapsulate(public, randomness):
    """The secret and the 1120-byte encapsulation, with the 64 random bytes given."""
    first, ciphertext = mlkem_encapsulate(public[:-32], randomness[:32])
    encapsulation = ciphertext + sodium.crypto_scalarmult_base(randomness[32:])
    return combined(first, x25519(randomness[32:], public[-32:]), encapsulation, public), encapsulation


def decapsulate(seed, encapsulation):
    private, own, public = expand_seed(seed)
    first = mlkem_decapsulate(private, encapsulation[:CIPHERTEXT])
    return combined(first, x25519(own, encapsulation[-32:]), encapsulation, public)
