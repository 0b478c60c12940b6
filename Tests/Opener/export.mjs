// Compares the records and files that the reader in JavaScript reads with the program's exports, byte for byte.
// `node Tests/Opener/export.mjs ARCHIVE PASSPHRASE-FILE JSONL-EXPORT [NATIVE-EXPORT]`
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BytesSource, gatherSecrets, inspect, jsonLine, load, unlock } from "../../Sources/Opener/reader/reader.mjs";

const MODULE = new URL("../../.build/opener/reader.wasm", import.meta.url);
const sha256 = (parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");

/// A file's line also says where the export has the file.
const withoutPlace = (line) => line.replace(/,"file":"(?:[^"\\]|\\.)*"}$/, "}");

async function compareLines(opened, folder) {
  let count = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
    const { id } = opened.sections.find(({ name }) => `${name}.jsonl` === file);
    const wanted = readFileSync(join(folder, file), "utf8").split("\n").slice(0, -1).map(withoutPlace);
    let place = 0;
    for await (const message of opened.rawRecords(id)) {
      const line = jsonLine(id, message);
      if (line !== wanted[place]) throw new Error(`${file} line ${place + 1}: ${line}\nnot ${wanted[place]}`);
      place += 1;
    }
    if (place !== wanted.length) throw new Error(`${file}: ${place} lines, not ${wanted.length}`);
    count += place;
  }
  return count;
}

/// Every original file by its bytes, in whatever place it is.
async function compareFiles(opened, folder) {
  const wanted = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => sha256([readFileSync(join(entry.parentPath ?? entry.path, entry.name))]));
  const found = [];
  for (const file of await opened.files()) {
    const parts = [];
    for await (const part of file.chunks()) parts.push(part);
    found.push(sha256(parts));
  }
  if (wanted.sort().join() !== found.sort().join()) throw new Error(`${found.length} files, not those of ${folder}`);
  return found.length;
}

const [archive, passphrase, lines, native] = process.argv.slice(2);
await load(readFileSync(MODULE));
const passphrases = [readFileSync(passphrase, "utf8").replace(/\n$/, "")];
const secrets = gatherSecrets({ passphrases });
const opened = await unlock(await inspect(new BytesSource(new Uint8Array(readFileSync(archive)))), secrets);
await opened.check();
const lineCount = await compareLines(opened, lines);
const fileCount = native ? await compareFiles(opened, native) : 0;
if (!lineCount) throw new Error("nothing was compared");
console.log(`${lineCount} lines and ${fileCount} files are those of the program`);
