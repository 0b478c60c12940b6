// The format's test vectors as files (TestVectors/README.md).

import { createCipheriv, createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const FOLDER = join(ROOT, "TestVectors/archives");

/** What a vector says. */
export function vector(name) {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
}

/** The names of all vectors. */
export const names = () => readdirSync(FOLDER).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5)).sort();

/** Seals a stream's chunks, which are in plain, where they are. */
function seal(bytes, { offset, key, chunks }) {
  for (let i = 0; i < chunks; i += 1) {
    const chunk = bytes.subarray(offset + 16400 * i, offset + 16400 * (i + 1));
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64LE(BigInt(i) + (i === chunks - 1 ? 2n ** 63n : 0n), 4);
    const cipher = createCipheriv("chacha20-poly1305", Buffer.from(key, "hex"), nonce, { authTagLength: 16 });
    chunk.set(cipher.update(chunk.subarray(0, 16384)));
    cipher.final();
    chunk.set(cipher.getAuthTag(), 16384);
  }
}

/** A vector's bytes. */
export function content(name, said = vector(name)) {
  const base = said.sealed ? Buffer.alloc(0) : readFileSync(join(FOLDER, `${said.base ?? name}.fueki`));
  const parts = [];
  let place = 0;
  for (const { offset, remove, insert, repeat = 1 } of said.edits ?? []) {
    const bytes = Buffer.from(insert, "hex");
    parts.push(base.subarray(place, offset), Buffer.alloc(bytes.length * repeat, bytes));
    place = offset + remove;
  }
  const bytes = new Uint8Array(Buffer.concat([...parts, base.subarray(place)]));
  for (const stream of said.sealed ?? []) seal(bytes, stream);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (bytes.length !== said.length || sha256 !== said.sha256) throw new Error(`${name}: other bytes than it states`);
  return bytes;
}

/** Writes a vector's file into a folder, and returns its path. */
export function file(name, folder) {
  const path = join(folder, `${name}.fueki`);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(path)) writeFileSync(path, content(name));
  return path;
}
