// ZIP files, as Python and Info-ZIP read them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { ZipWriter } from "../../Sources/Opener/page/zip.mjs";

/** A ZIP file of members. */
function zip(members) {
  const writer = new ZipWriter();
  const parts = [];
  for (const { name, time, mode, content } of members) {
    writer.begin(name, time, mode);
    for (const bytes of content) writer.add(bytes);
    parts.push(writer.end(), ...content);
  }
  return Buffer.concat([...parts, writer.finish()]);
}

/** What a Python expression makes of a ZIP file `z`. */
function python(bytes, expression) {
  const folder = mkdtempSync(join(tmpdir(), "opener-"));
  try {
    const path = join(folder, "a.zip");
    writeFileSync(path, bytes);
    return inspect(path, expression);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function inspect(path, expression) {
  const program = `import json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint(json.dumps(${expression}))`;
  return JSON.parse(execFileSync("python3", ["-c", program, path], { encoding: "utf8", maxBuffer: 1 << 28 }));
}

const text = (words) => new TextEncoder().encode(words);

test("members come back with their names, times, permissions and bytes", () => {
  const bytes = zip([
    { name: "home/a.txt", time: 1700000001, mode: 0o644, content: [text("hel"), text("lo"), new Uint8Array(0)] },
    { name: "home/é 😀", time: -5, mode: 0o700, content: [] },
    { name: "long", time: 1e12, mode: undefined, content: [Uint8Array.from({ length: 1001 }, (_, i) => i & 255)] },
  ]);
  const found = python(bytes, "[[i.filename, z.read(i).hex(), i.external_attr >> 16, i.extra.hex()] for i in z.infolist()]");
  assert.equal(found[0][0], "home/a.txt");
  assert.equal(Buffer.from(found[0][1], "hex").toString(), "hello");
  assert.equal(found[0][2], 0o100600);
  assert.equal(found[0][3], "555405000101f15365");
  assert.deepEqual([found[1][0], found[1][1], found[1][2]], ["home/é 😀", "", 0o100700]);
  assert.equal(found[2][1].length, 2002);
  assert.equal(found[2][2], 0o100600);
});

test("an empty one is read", () => assert.deepEqual(python(zip([]), "z.namelist()"), []));

test("100,000 members need ZIP64, and are read", () => {
  const content = [text("x")];
  const bytes = zip(Array.from({ length: 100_000 }, (_, i) => ({ name: `f${i}`, time: 1700000000, mode: 0o600, content })));
  assert.equal(python(bytes, "len(z.namelist())"), 100_000);
});

test("sizes and offsets above 4 GiB are read", { skip: !process.env.FUEKI_FULL }, () => {
  const folder = mkdtempSync(join(tmpdir(), "opener-"));
  try {
    const path = join(folder, "large.zip");
    const zeros = new Uint8Array(64 << 20);
    const writer = new ZipWriter();
    writer.begin("large", 1700000000, 0o600);
    for (let count = 0; count < 65; count += 1) writer.add(zeros);
    writeFileSync(path, writer.end());
    // A hole: the disk need not hold the zeros.
    truncateSync(path, statSync(path).size + 65 * zeros.length);
    writer.begin("next", 1700000000, 0o600);
    writer.add(text("after"));
    appendFileSync(path, writer.end());
    appendFileSync(path, text("after"));
    appendFileSync(path, writer.finish());
    assert.deepEqual(inspect(path, "[[i.filename, i.file_size] for i in z.infolist()] + [z.read('next').decode()]"), [
      ["large", 65 * zeros.length], ["next", 5], "after",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
