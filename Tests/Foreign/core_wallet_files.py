#!/usr/bin/python3
"""Wallets as Bitcoin Core keeps them, with real keys of a seed that everybody knows.

Usage: core_wallet_files.py DIRECTORY

The curve, BIP-32, BIP-173 and BIP-380 are computed here on their own, so that nothing of the program under test is in the
files. Of the wallets' addresses the expected ones are in addresses.json.
"""
import hashlib
import hmac
import json
import os
import sqlite3
import struct
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)
PASSWORD = "pässword 1".encode()
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return (x, (slope * (a[0] - x) - a[1]) % P)


def point(key):
    result, power = None, G
    while key:
        if key & 1:
            result = add(result, power)
        power = add(power, power)
        key >>= 1
    return bytes([2 + result[1] % 2]) + result[0].to_bytes(32, "big")


def sha256(data):
    return hashlib.sha256(data).digest()


def twice(data):
    return sha256(sha256(data))


def hash160(data):
    return hashlib.new("ripemd160", sha256(data)).digest()


def base58(data):
    data += twice(data)[:4]
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def bech32(part, program):
    bits = "".join(f"{byte:08b}" for byte in program)
    bits += "0" * (-len(bits) % 5)
    values = [0] + [int(bits[i : i + 5], 2) for i in range(0, len(bits), 5)]

    def polymod(values):
        check = 1
        for value in values:
            top = check >> 25
            check = (check & 0x1FFFFFF) << 5 ^ value
            for i, g in enumerate([0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3]):
                check ^= g if top >> i & 1 else 0
        return check

    head = [ord(c) >> 5 for c in part] + [0] + [ord(c) & 31 for c in part]
    check = polymod(head + values + [0] * 6) ^ 1
    values += [check >> 5 * (5 - i) & 31 for i in range(6)]
    return part + "1" + "".join(CHARSET[value] for value in values)


def checksum(text):
    places = (
        "0123456789()[],'/*abcdefgh@:$%{}"
        "IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~"
        "ijklmnopqrstuvwxyzABCDEFGH`#\"\\ "
    )
    check, group, count = 1, 0, 0

    def step(check, value):
        top = check >> 35
        check = (check & 0x7FFFFFFFF) << 5 ^ value
        for i, g in enumerate([0xF5DEE51989, 0xA9FDCA3312, 0x1BAB10E32D, 0x3706B1677A, 0x644D626FFD]):
            check ^= g if top >> i & 1 else 0
        return check

    for character in text:
        place = places.index(character)
        check = step(check, place & 31)
        group, count = group * 3 + (place >> 5), count + 1
        if count == 3:
            check, group, count = step(check, group), 0, 0
    if count:
        check = step(check, group)
    for _ in range(8):
        check = step(check, 0)
    check ^= 1
    return "".join(CHARSET[check >> 5 * (7 - i) & 31] for i in range(8))


class Key:
    def __init__(self, key, code, depth=0, parent=b"\0\0\0\0", number=0):
        self.key, self.code, self.depth, self.parent, self.number = key, code, depth, parent, number
        self.public = point(key)

    @staticmethod
    def of(seed):
        code = hmac.new(b"Bitcoin seed", seed, "sha512").digest()
        return Key(int.from_bytes(code[:32], "big"), code[32:])

    def child(self, number):
        data = b"\0" + self.key.to_bytes(32, "big") if number >> 31 else self.public
        code = hmac.new(self.code, data + struct.pack(">I", number), "sha512").digest()
        key = (int.from_bytes(code[:32], "big") + self.key) % N
        return Key(key, code[32:], self.depth + 1, hash160(self.public)[:4], number)

    def below(self, *numbers):
        key = self
        for number in numbers:
            key = key.child(number)
        return key

    def bare(self, secret=False):
        inside = b"\0" + self.key.to_bytes(32, "big") if secret else self.public
        return bytes([self.depth]) + self.parent + struct.pack(">I", self.number) + self.code + inside

    def text(self, prefix="0488b21e", secret=False):
        return base58(bytes.fromhex(prefix) + self.bare(secret))


def size(count):
    return bytes([count]) if count < 0xFD else b"\xfd" + struct.pack("<H", count)


def counted(data):
    return size(len(data)) + data


def record(kind, rest=b""):
    return counted(kind.encode()) + rest


def der(key, public):
    """As Bitcoin Core writes a key: the curve's parameters stand behind it."""
    parameters = bytes.fromhex("a08185") + bytes(133)
    inside = bytes.fromhex("0201010420") + key.to_bytes(32, "big") + parameters + bytes.fromhex("a124032200") + public
    return bytes.fromhex("3081") + bytes([len(inside)]) + inside


H = 1 << 31
ROOT = Key.of(b"a seed that everybody knows, for tests")
KINDS = [("pkh({})", 44), ("sh(wpkh({}))", 49), ("wpkh({})", 84), ("tr({})", 86)]
MASTER = sha256(b"master")


def encrypted(data, key, vector):
    data += bytes([16 - len(data) % 16]) * (16 - len(data) % 16)
    cipher = Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor()
    return cipher.update(data) + cipher.finalize()


def wallet(path, *, magic=0xF9BEB4D9, coin=0, page=4096, spelling="'", lock=False, last=False, notes=True,
           names=True, keys=True, flags=1 << 34, wrong_key=False, wrong_note=False, wrong_id=False, many=0,
           next_index=3):
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA page_size = {page}")
    connection.execute(f"PRAGMA application_id = {magic - (1 << 32) if magic >> 31 else magic}")
    connection.execute("CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)")
    rows = []
    prefix = "0488b21e" if coin == 0 else "043587cf"
    for branch, active in [(0, "activeexternalspk"), (1, "activeinternalspk")]:
        for index, (form, purpose) in enumerate(KINDS):
            steps = f"/{purpose}'/{coin}'/0'/{branch}/*"
            text = form.format(ROOT.text(prefix) + steps)
            text += "#" + checksum(text)
            name = sha256(text.encode())
            stored = text
            if spelling == "h":
                stored = form.format(ROOT.text(prefix) + steps.replace("'", "h"))
                stored += "#" + checksum(stored)
            if wrong_id and index == 2:
                name = sha256(name)
            value = counted(stored.encode()) + struct.pack("<Qiii", 1600000000, next_index, 0, 1000)
            rows.append((record("walletdescriptor", name), value))
            rows.append((record(active, bytes([index])), name))
            if notes:
                hardened = ROOT.below(H + purpose, H + coin, H + (7 if wrong_note else 0))
                above = hardened if last else hardened.child(branch)
                kind = "walletdescriptorlhcache" if last else "walletdescriptorcache"
                rows.append((record(kind, name + struct.pack("<I", 0)), counted(above.bare())))
            if not keys:
                continue
            about = name + counted(ROOT.public)
            if lock:
                vector = twice(ROOT.public)[:16]
                rows.append(
                    (record("walletdescriptorckey", about),
                     counted(encrypted(ROOT.key.to_bytes(32, "big"), MASTER, vector))))
            else:
                key = der(ROOT.key + 1 if wrong_key else ROOT.key, ROOT.public)
                rows.append(
                    (record("walletdescriptorkey", about), counted(key) + twice(ROOT.public + key)))
    if lock:
        salt, rounds = b"8 bytes.", 2000
        digest = PASSWORD + salt
        for _ in range(rounds):
            digest = hashlib.sha512(digest).digest()
        value = counted(encrypted(MASTER, digest[:32], digest[32:48])) + counted(salt)
        rows.append((record("mkey", struct.pack("<I", 1)), value + struct.pack("<II", 0, rounds) + counted(b"")))
    if names:
        part = {0xF9BEB4D9: "bc", 0xFABFB5DA: "bcrt", 0xFBC0B6DB: "ltc"}[magic]
        first = bech32(part, hash160(ROOT.below(H + 84, H + coin, H, 0, 0).public)).encode()
        rows.append((record("name", counted(first)), counted("Miete".encode())))
        rows.append((record("purpose", counted(first)), counted(b"receive")))
        other = bech32(part, hash160(b"somebody else's")).encode()
        rows.append((record("name", counted(other)), counted("Bäcker".encode())))
        rows.append((record("purpose", counted(other)), counted(b"send")))
    rows.append((record("flags"), struct.pack("<Q", flags)))
    for number in range(many):
        rows.append((record("tx", sha256(bytes([number]))), bytes([number]) * (number * 997 % 20000)))
    connection.executemany("INSERT INTO main VALUES (?, ?)", rows)
    connection.commit()
    connection.close()


def main(folder):
    def at(name):
        return os.path.join(folder, name)

    wallet(at("plain.dat"))
    wallet(at("new-spelling.dat"), spelling="h", last=True)
    wallet(at("pages-512.dat"), page=512, many=90)
    wallet(at("pages-65536.dat"), page=65536, many=90)
    wallet(at("no-notes.dat"), notes=False)
    wallet(at("regtest.dat"), magic=0xFABFB5DA, coin=1)
    wallet(at("litecoin.dat"), magic=0xFBC0B6DB)
    wallet(at("encrypted.dat"), lock=True)
    wallet(at("encrypted-wrong-note.dat"), lock=True, wrong_note=True)
    wallet(at("no-names.dat"), names=False)
    wallet(at("watch-only.dat"), keys=False, flags=(1 << 34) | (1 << 32))
    wallet(at("keys-missing.dat"), keys=False)
    wallet(at("wrong-key.dat"), wrong_key=True)
    wallet(at("wrong-note.dat"), wrong_note=True)
    wallet(at("wrong-id.dat"), wrong_id=True)
    first = ROOT.below(H + 84, H, H, 0, 0).public
    change = ROOT.below(H + 44, H, H, 1, 0).public
    with open(at("addresses.json"), "w") as file:
        json.dump({
            "bitcoin": bech32("bc", hash160(first)), "litecoin": bech32("ltc", hash160(first)),
            "regtest": bech32("bcrt", hash160(ROOT.below(H + 84, H + 1, H, 0, 0).public)),
            "change": base58(b"\0" + hash160(change)),
            "other": bech32("bc", hash160(b"somebody else's")),
        }, file)


main(sys.argv[1])
