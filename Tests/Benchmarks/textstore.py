"""The program's store, once more as wallets usually keep it: hexadecimal text, JSON, UUIDs as keys."""

import json
import os
import sqlite3
import sys
from datetime import datetime, timedelta, timezone

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

SCHEMA = """
CREATE TABLE wallets (id TEXT PRIMARY KEY, name TEXT, kind TEXT, chain_id TEXT, address TEXT);
CREATE TABLE transactions (
  id TEXT PRIMARY KEY, wallet_id TEXT NOT NULL REFERENCES wallets (id) ON DELETE CASCADE, hash TEXT,
  from_address TEXT, to_address TEXT, amount TEXT, fee TEXT, status TEXT, timestamp TEXT,
  block_number INTEGER, nonce INTEGER, gas_price TEXT, gas_limit TEXT, data TEXT, metadata TEXT);
CREATE TABLE receipts (
  id TEXT PRIMARY KEY, transaction_id TEXT NOT NULL REFERENCES transactions (id) ON DELETE CASCADE,
  gas_used TEXT, success INTEGER, logs TEXT);
CREATE INDEX transactions_by_wallet ON transactions (wallet_id, timestamp);
CREATE INDEX transactions_by_hash ON transactions (hash);
CREATE INDEX transactions_by_status ON transactions (status);
CREATE INDEX receipts_by_transaction ON receipts (transaction_id);
"""

WALLETS = "INSERT INTO wallets SELECT text(id), name, kind, chain_id, text(address) FROM old.wallets"

TRANSACTIONS = """
INSERT INTO transactions
SELECT text(t.id), text(coalesce(w.id, t.wallet_id)), text(t.hash), text(t.from_address), text(t.to_address),
  t.amount, t.fee, t.status, iso(t.timestamp), t.block_number, t.nonce, field(t.details, 12),
  field(t.details, 13), '0x' || lower(hex(field_bytes(t.details, 14))), field(t.details, 16)
FROM old.transactions t LEFT JOIN old.wallets w ON w.row_id = t.wallet_row ORDER BY t.row_id
"""

RECEIPTS = """
INSERT INTO receipts
SELECT text(r.id), text(t.id), r.gas_used, r.success, logs(r.logs)
FROM old.receipts r JOIN old.transactions t ON t.row_id = r.row_id ORDER BY r.row_id
"""


def unpacked(packed):
    """The text that a packed one stands for; addresses without the capitals of their checksum."""
    if not packed:
        return packed and ""
    form, payload = packed[0], packed[1:]
    if form == 0:
        return payload.decode()
    digits = payload.hex()
    if form in (1, 3):
        return "0x" + digits
    if form == 2:
        return digits
    text = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
    return text.upper() if form == 4 else text


def fields(message):
    """The fields of a Protocol Buffers message: numbers, and contents as bytes."""
    place = 0

    def varint():
        nonlocal place
        value = shift = 0
        while True:
            byte = message[place]
            place += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    while place < len(message):
        key = varint()
        value = varint()
        if key & 7 == 2:
            place += value
            value = message[place - value : place]
        yield key >> 3, value


def field_bytes(message, number):
    return next((value for found, value in fields(message or b"") if found == number), None)


def field(message, number):
    value = field_bytes(message, number)
    return None if value is None else value.decode()


def iso(microseconds):
    if microseconds is None:
        return None
    return (EPOCH + timedelta(microseconds=microseconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def logs(message):
    """Logs as a node answers with them, less what their transaction says already."""
    entries = []
    for number, log in fields(message or b""):
        if number != 4:
            continue
        entry = {"address": "", "topics": [], "data": "0x"}
        for part, value in fields(log):
            if part == 2:
                entry["topics"].append(unpacked(value))
            elif part == 4:
                entry["logIndex"] = hex(value)
            else:
                entry["address" if part == 1 else "data"] = unpacked(value)
        entry["removed"] = False
        entries.append(entry)
    return json.dumps(entries, separators=(",", ":"))


def make(old, new):
    """Writes the database `new` from the store `old`, in the order in which a wallet would have."""
    if os.path.exists(new):
        os.remove(new)
    with sqlite3.connect(new, isolation_level=None) as database:
        for function, count in ((field, 2), (field_bytes, 2), (iso, 1), (logs, 1)):
            database.create_function(function.__name__, count, function, deterministic=True)
        database.create_function("text", 1, unpacked, deterministic=True)
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA cache_size = -1500000")
        database.executescript(SCHEMA)
        database.execute("ATTACH ? AS old", (old,))
        database.execute("BEGIN")
        for statement in (WALLETS, TRANSACTIONS, RECEIPTS):
            database.execute(statement)
        database.execute("COMMIT")
    database.close()


if __name__ == "__main__":
    make(sys.argv[1], sys.argv[2])
