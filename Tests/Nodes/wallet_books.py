#!/usr/bin/env python3
"""A wallet's store as another program sees it, by SQLite alone.

wallet_books.py put STORE    takes wallets (JSON, on standard input) into the store, in place of all that is there;
wallet_books.py read STORE   writes wallets, transactions and assets as one JSON document.

The columns are those of the store's schema; what has no column is protobuf, written here byte by byte.
"""

import hashlib
import json
import sqlite3
import sys


def packed(text):
    """A text in the form that the store keeps ids, hashes and addresses in; see fueki-archive(5)."""
    digits = text[2:] if text.startswith("0x") else text
    is_hex = len(digits) >= 16 and len(digits) % 2 == 0 and set(digits) <= set("0123456789abcdef")
    if not text or not is_hex:
        return b"\0" + text.encode() if text else b""
    return (b"\1" if text.startswith("0x") else b"\2") + bytes.fromhex(digits)


def unpacked(value):
    if not value:
        return ""
    form, rest = value[0], value[1:]
    return rest.decode() if form == 0 else ("0x" if form in (1, 3) else "") + rest.hex()


def varint(number):
    number &= (1 << 64) - 1
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def checkpoint(point):
    text = field(1, point["height"])
    if "hash" in point:
        text += field(2, packed(point["hash"]))
    if "time" in point:
        text += field(3, point["time"] << 1)
    return text


def details(wallet):
    text = b"".join(field(8, d) for d in wallet.get("descriptors", []))
    for number, name in ((10, "birthday"), (11, "synced")):
        if name in wallet:
            text += field(number, checkpoint(wallet[name]))
    for name, index in wallet.get("revealed", {}).items():
        text += field(13, field(1, name) + field(2, index))
    for place, (kind, url) in enumerate(wallet.get("endpoints", [])):
        text += field(16, field(1, kind) + field(2, url) + (field(3, place) if place else b""))
    return text


def put(store, books):
    for table in (
        "receipts unclaimed_receipts transactions assets wallets key_share_descriptors credentials contacts"
    ).split():
        store.execute(f"DELETE FROM {table}")
    for number, wallet in enumerate(books, 1):
        row = {
            "row_id": number,
            "id": packed(wallet["name"] + "'s id"),
            "name": wallet["name"],
            "kind": "watch-only",
            "chain_family": wallet["family"],
            "chain_id": wallet["chain"],
            "address": packed(wallet.get("address", "")),
            "balance": wallet.get("balance"),
            "gap_limit": wallet.get("gap"),
            "details": details(wallet),
        }
        names = ", ".join(row)
        store.execute(f"INSERT INTO wallets ({names}) VALUES ({', '.join('?' * len(row))})", [*row.values()])
        store.executemany(
            """INSERT INTO transactions (wallet_row, id, hash, from_address, to_address, amount, fee, status,
            timestamp, block_number) VALUES (?, ?, ?, ?, ?, '5', '21000', 'confirmed', ?, ?)""",
            history(number, wallet),
        )
    store.commit()


def history(row, wallet):
    """Transactions that no chain has, far below what was synced last."""
    count, top = wallet.get("history", 0), wallet.get("synced", {"height": 0})["height"] - 200
    own, other = packed(wallet.get("address", "")), packed("0x" + "22" * 20)
    for place in range(count):
        digest = hashlib.sha256(b"%d" % place).digest()
        time = (1_600_000_000 + place) * 1_000_000
        yield row, b"\4" + digest[:16], b"\1" + digest, other, own, time, 1 + place * top // count


def read(store):
    store.row_factory = sqlite3.Row
    rows = lambda sql: [dict(row) for row in store.execute(sql)]
    books = {
        "wallets": rows("SELECT name, balance, nonce FROM wallets ORDER BY row_id"),
        "transactions": rows(
            """SELECT w.name AS wallet, t.hash, t.from_address, t.to_address, t.amount, t.fee, t.status,
            t.block_number AS block, t.details, r.success, r.gas_used AS gas FROM transactions t
            JOIN wallets w ON w.row_id = t.wallet_row LEFT JOIN receipts r ON r.row_id = t.row_id
            ORDER BY t.row_id"""
        ),
        "assets": rows(
            """SELECT w.name AS wallet, a.contract, a.symbol, a.decimals, a.balance FROM assets a
            JOIN wallets w ON w.row_id = a.wallet_row ORDER BY a.row_id"""
        ),
    }
    for row in books["transactions"]:
        for name in ("hash", "from_address", "to_address"):
            row[name] = unpacked(row[name])
        # The one thing in the details that is looked for: what a token's transfer is of.
        row["is_token"] = b'{"token":' in (row.pop("details") or b"")
    for row in books["assets"]:
        row["contract"] = unpacked(row["contract"])
    return books


def main():
    store = sqlite3.connect(sys.argv[2])
    if sys.argv[1] == "put":
        put(store, json.load(sys.stdin))
    else:
        json.dump(read(store), sys.stdout)
    store.close()


main()
