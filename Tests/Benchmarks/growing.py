"""Rows of other kinds, put straight into a store that the program has made."""

import os
import sqlite3

PART_BYTES = 4 << 20
FILE_BYTES = 16 << 20


def packed_id():
    """A UUID as the store keeps it."""
    return b"\x04" + os.urandom(16)


def add_messages(path, count):
    """Messages of all threads in turn."""
    with sqlite3.connect(path) as store:
        threads = [row for (row,) in store.execute("SELECT row_id FROM threads")]
        authors = [author for (author,) in store.execute("SELECT id FROM users")]
        rows = (
            (
                threads[number % len(threads)],
                packed_id(),
                authors[number % len(authors)],
                f"{os.urandom(24).hex()}: message {number} of many, about what was paid",
                1_700_000_000_000_000 + number * 1_000_000,
            )
            for number in range(count)
        )
        store.executemany(
            "INSERT INTO messages (thread_row, id, author_id, text, created_at) VALUES (?, ?, ?, ?, ?)", rows
        )
    store.close()


def add_files(path, size):
    """Files of 16 MiB, in parts as an import makes them."""
    with sqlite3.connect(path) as store:
        for number in range(size // FILE_BYTES):
            name = os.urandom(16)
            for offset in range(0, FILE_BYTES, PART_BYTES):
                store.execute(
                    "INSERT INTO files (id, source, path, offset, total, content) VALUES (?, ?, ?, ?, ?, ?)",
                    (name, "benchmark", f"file-{number}".encode(), offset, FILE_BYTES, os.urandom(PART_BYTES)),
                )
    store.close()
