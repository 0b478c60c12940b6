#!/usr/bin/env python3
"""Compares the module's X-Wing with xwing.py of the test vectors, and ML-KEM-768 with the package cryptography where that has it.

Altered ciphertexts are among them, which ML-KEM rejects implicitly.
"""

import hashlib
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "TestVectors"))
import xwing  # noqa: E402

COUNT = 40
READ = """
import { readFileSync } from "node:fs";
import { load } from "./Sources/Opener/reader/reader.mjs";
import { xwing } from "./Sources/Opener/reader/crypto.mjs";
await load(readFileSync(".build/opener/reader.wasm"));
const bytes = (text) => new Uint8Array(Buffer.from(text, "hex"));
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const results = JSON.parse(readFileSync(0)).map(([seed, sealed]) => {
  const opened = xwing(bytes(seed), bytes(sealed));
  return opened && [hex(opened.secret), hex(opened.publicKey)];
});
console.log(JSON.stringify(results));
"""


def cases():
    for i in range(COUNT):
        drawn = hashlib.shake_256(b"cases of the opener %d" % i).digest(128)
        seed, randomness = drawn[:32], drawn[32:96]
        public = xwing.public_key(seed)
        secret, sealed = xwing.encapsulate(public, randomness)
        yield seed, sealed, [secret.hex(), public.hex()]
        altered = bytearray(sealed)
        altered[drawn[96] + 256 * (drawn[97] % 4)] ^= 1 << drawn[98] % 8
        yield seed, bytes(altered), [xwing.decapsulate(seed, bytes(altered)).hex(), public.hex()]
        if i == 0:
            yield seed, sealed[:-32] + bytes(32), None


def compare_with_cryptography():
    try:
        from cryptography.hazmat.primitives.asymmetric import mlkem
    except ImportError:
        return "cryptography has no ML-KEM here"
    for i in range(COUNT):
        drawn = hashlib.shake_256(b"keys of the opener %d" % i).digest(64)
        private = mlkem.MLKEM768PrivateKey.from_seed_bytes(drawn)
        public, (s, own, z) = xwing.mlkem_keys(drawn[:32], drawn[32:])
        assert private.public_key().public_bytes_raw() == public
        secret, sealed = private.public_key().encapsulate()
        assert xwing.mlkem_decapsulate((s, own, z), sealed) == secret
    return f"{COUNT} keys are those of cryptography"


def main():
    wanted = list(cases())
    run = subprocess.run(
        ["node", "--input-type=module", "-e", READ],
        input=json.dumps([[seed.hex(), sealed.hex()] for seed, sealed, _ in wanted]),
        capture_output=True, text=True, check=True, cwd=os.path.join(HERE, "..", ".."),
    )
    found = json.loads(run.stdout)
    differ = [i for i, (_, _, result) in enumerate(wanted) if found[i] != result]
    print(f"{len(wanted)} decapsulations, {len(differ)} differ; {compare_with_cryptography()}")
    return bool(differ)


if __name__ == "__main__":
    sys.exit(main())
