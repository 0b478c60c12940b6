// The format's test vectors as files (TestVectors/README.md).

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const FOLDER = join(ROOT, "TestVectors/archives");

/** What a vector says. */
export function vector(name) {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
}

/** A vector's bytes: those of its file, or of the file it is based on, with its edits. */
export function content(name) {
  const said = vector(name);
  const base = readFileSync(join(FOLDER, `${said.base ?? name}.fueki`));
  const parts = [];
  let place = 0;
  for (const edit of said.edits ?? []) {
    parts.push(base.subarray(place, edit.offset), ...Array(edit.repeat ?? 1).fill(Buffer.from(edit.insert, "hex")));
    place = edit.offset + edit.remove;
  }
  const bytes = Buffer.concat([...parts, base.subarray(place)]);
  if (createHash("sha256").update(bytes).digest("hex") !== said.sha256) throw new Error(`${name}: other bytes than it states`);
  return bytes;
}

/** Writes a vector's file into a folder, and returns its path. */
export function file(name, folder) {
  const path = join(folder, `${name}.fueki`);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(path)) writeFileSync(path, content(name));
  return path;
}
