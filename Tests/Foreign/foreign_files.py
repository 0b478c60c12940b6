#!/usr/bin/python3
"""Writes encrypted backups of the Fueki app and of OWND as their programs do: foreign_files.py FOLDER

An implementation of its own, with python3-cryptography and nothing of this program. The phrases are public test
phrases and must never be given money. The passphrase of all is PASSPHRASE.
"""
import base64
import hashlib
import json
import os
import struct
import sys
import zipfile

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

PASSPHRASE = "pässword 1"
PHRASE = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
ADDRESS = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"
folder = sys.argv[1]


def keccak256(data):
    rate, state = 136, [[0] * 5 for _ in range(5)]
    rotate = lambda v, n: ((v << n) | (v >> (64 - n))) & (2**64 - 1) if n else v
    data += b"\x01" + b"\0" * (rate - len(data) % rate - 1)
    data = data[:-1] + bytes([data[-1] | 0x80])
    for block in range(0, len(data), rate):
        for i in range(rate // 8):
            state[i % 5][i // 5] ^= int.from_bytes(data[block + 8 * i:block + 8 * i + 8], "little")
        lfsr = 1
        for _ in range(24):
            c = [s[0] ^ s[1] ^ s[2] ^ s[3] ^ s[4] for s in state]
            d = [c[x - 1] ^ rotate(c[(x + 1) % 5], 1) for x in range(5)]
            state = [[v ^ d[x] for v in state[x]] for x in range(5)]
            x, y, current = 1, 0, state[1][0]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                current, state[x][y] = state[x][y], rotate(current, (t + 1) * (t + 2) // 2 % 64)
            for y in range(5):
                row = [state[x][y] for x in range(5)]
                for x in range(5):
                    state[x][y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5])
            for j in range(7):
                lfsr = ((lfsr << 1) ^ ((lfsr >> 7) * 0x71)) % 256
                if lfsr & 2:
                    state[0][0] ^= 1 << ((1 << j) - 1)
    return b"".join(state[i % 5][i // 5].to_bytes(8, "little") for i in range(4))


assert keccak256(b"").hex().startswith("c5d2460186f7233c")


def sealed(payload, salt="fueki"):
    key = Scrypt(salt.encode(), 32, 16384, 8, 4).derive(PASSPHRASE.encode())
    iv = os.urandom(16)
    cipher = Cipher(algorithms.AES(key), modes.CTR(iv)).encryptor()
    text = base64.b64encode(cipher.update(payload) + cipher.finalize()).decode()
    return {
        "cipher": "aes-128-ctr", "cipherparams": {"iv": iv.hex()}, "ciphertext": text, "kdf": "scrypt",
        "kdfparams": {"dklen": 32, "n": 16384, "p": 4, "r": 8, "salt": salt},
        "mac": keccak256(key[16:32] + text.encode()).hex(),
    }


def backup(payload, kind="mnemonic", salt="fueki", tokens=()):
    return {
        "crypto": sealed(payload, salt), "enabled_wallets": list(tokens), "id": hashlib.sha512(payload).hexdigest(),
        "type": kind, "manual_backup": True, "file_backup": False, "version": 2, "timestamp": 1763700000,
    }


tokens = [
    {"token_query_id": "ethereum|native", "coin_name": "Ethereum", "coin_code": "ETH", "decimals": 18},
    {"token_query_id": "ethereum|eip20:0xdac17f958d2ee523a2206206994597c13d831ec7", "coin_name": "Tether",
     "coin_code": "USDT", "decimals": 6},
    {"token_query_id": "bitcoin|derived:bip84", "coin_name": "Bitcoin", "coin_code": "BTC", "decimals": 8},
]
contacts = {"contacts": [{"uid": "u1", "name": "Zoë", "addresses": [
    {"blockchain_uid": "ethereum", "address": ADDRESS}, {"blockchain_uid": "bitcoin", "address":
     "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"}]}]}


def write(name, value):
    with open(f"{folder}/{name}", "wb") as file:
        file.write(value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode())


write("unstoppable-full.json", {
    "id": "full", "version": 2, "timestamp": 1763700000, "watchlist": ["bitcoin", "ethereum"],
    "wallets": [
        {"name": "Haupt", "backup": backup((PHRASE + "&nonBip39Compliant@ex@tra").encode(), tokens=tokens)},
        {"name": "Watched", "backup": backup(ADDRESS.encode(), "evm_address", tokens=tokens[:1])},
        {"name": "Key", "backup": backup(bytes(range(1, 33)), "private_key", tokens=tokens[:1])},
    ],
    "contacts": sealed(json.dumps(contacts).encode()), "settings": {"theme_mode": "dark", "limit": 1e30},
})
write("unstoppable-named.json", {"name": "Named", "backup": backup(PHRASE.encode(), salt="unstoppable")})
write("unstoppable-bare.json", backup(PHRASE.encode()))
newer = backup(PHRASE.encode())
newer["version"] = 3
write("unstoppable-newer.json", newer)
costly = backup(PHRASE.encode())
costly["crypto"]["kdfparams"]["n"] = 1 << 30
write("unstoppable-costly.json", costly)


def vault(version="1.0.0", payload=None, checksum=None):
    plain = json.dumps(payload or {
        "mnemonic": PHRASE,
        "accounts": [{"index": 0, "path": "m/44'/60'/0'/0/0", "address": ADDRESS, "name": "Erstes"},
                     {"index": 1, "path": "m/84'/0'/0'/0/0",
                      "address": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"}],
        "settings": {"biometricEnabled": True, "autoLockTimeout": 300.5, "selectedAccount": 0},
    }).encode()
    salt, nonce = os.urandom(32), os.urandom(12)
    key = hashlib.pbkdf2_hmac("sha256", PASSPHRASE.encode(), salt, 100_000)
    text = lambda value: base64.b64encode(value).decode()
    return b"FUEK" + json.dumps({
        "version": version, "timestamp": 1763700000.5,
        "metadata": {"id": "0B7A3E2C-2B0A-4E0A-9D8C-1D7E3C1B2A3F", "createdAt": 785392800, "version": version,
                     "hasBiometric": True, "encryptionAlgorithm": "AES-256-GCM, scrypt"},
        "encryptedData": text(nonce + AESGCM(key).encrypt(nonce, plain, None)), "salt": text(salt),
        "checksum": text(checksum or hashlib.sha256(plain).digest()),
    }).encode()


write("vault.fueki", vault())
write("vault-newer.fueki", vault("2.0.0"))
write("vault-checksum.fueki", vault(checksum=bytes(32)))
write("vault-cloud.fueki", os.urandom(400))
generator = bytes.fromhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
write("share.bin", struct.pack(">IIIBH", 1, 2, 3, 1, 32) + bytes(31) + b"\x05" + generator)


def ownd(name, claims, method=zipfile.ZIP_DEFLATED, entry="backup.txt"):
    content = {
        "seed": "c2VlZCBvZiBPV05E",
        "idTokenSharingHistories": [{"rp": "https://a.example", "accountIndex": 1,
                                     "createdAt": "2026-03-04T05:06:07.089Z"}],
        "credentialSharingHistories": [{
            "rp": "https://b.example", "accountIndex": 0, "createdAt": "2026-03-04T05:06:07.089Z",
            "credentialID": "c1", "claims": claims, "rpName": "B", "privacyPolicyUrl": "https://b.example/p",
            "logoUrl": "https://b.example/l", "more": 1.50}],
    }
    with zipfile.ZipFile(f"{folder}/{name}", "w", method) as archive:
        archive.writestr(entry, json.dumps(content))


ownd("ownd-1.zip", ["given_name", "is_older_than_20"])
ownd("ownd-2.zip", [{"claimKey": "name", "claimValue": "Zoë", "purpose": "age"}], zipfile.ZIP_STORED)
ownd("ownd-android.zip", [{"name": "name", "value": "Zoë", "purpose": None}])
ownd("ownd-other.zip", [], entry="../backup.txt")
with zipfile.ZipFile(f"{folder}/ownd-bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("backup.txt", bytes(80 << 20))
