"""Archives that somebody without a secret puts into another's vault, each with a fault that a reader names.

    planted_archives.py VAULT SEQUENCE FAULT FILE

VAULT in hexadecimal; FAULT is "too-new" or "over-limit". Not from the vectors' samples.py: it begins by clearing
the folder of the vectors.
"""

import hashlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "TestVectors"))
sys.dont_write_bytecode = True

from writer import FLOOR, SCOPES, Archive, Plan, passphrase_slot  # noqa: E402


def draw(label, count):
    return hashlib.shake_256(label.encode()).digest(count)


def slot(cost=FLOOR):
    return passphrase_slot("", draw("salt", 16), cost=cost, cheap=True)


vault, sequence, fault, path = sys.argv[1:]
faults = {
    # A critical field that no version has.
    "too-new": {"slots": (slot(),), "extra_fields": ((0x8000, b""),)},
    # A derivation that needs 4 GiB of memory, which a reader does only if it is told to.
    "over-limit": {"slots": (slot((4 << 20, 2)),)},
}
planted = Plan(
    draw("archive", 32),
    bytes.fromhex(vault),
    {s: draw(f"root {s}", 32) for s in SCOPES},
    sequence=int(sequence),
    previous=draw("previous", 32) if int(sequence) > 1 else bytes(32),
    **faults[fault],
)
Path(path).write_bytes(Archive(planted).bytes)
