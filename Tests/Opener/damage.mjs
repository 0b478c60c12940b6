// Changes, cuts and repeats bytes of test vectors at random: the reader ends with a verdict, and never with another error.
// `node Tests/Opener/damage.mjs [ROUNDS [SEED]]`
import { readFileSync } from "node:fs";
import { unpack } from "../../Sources/Opener/reader/blocks.mjs";
import { parseHeader } from "../../Sources/Opener/reader/header.mjs";
import { parseIndex } from "../../Sources/Opener/reader/index.mjs";
import { records } from "../../Sources/Opener/reader/records.mjs";
import { BytesSource, decode, EXIT, inspect, load, readArchive, unlock, Verdict, wipe } from "../../Sources/Opener/reader/reader.mjs";
import { content, names, vector as vectorOf } from "./vector-files.mjs";
import { optionsOf, secretsOf } from "./vectors.mjs";

const MODULE = new URL("../../.build/opener/reader.wasm", import.meta.url);
const [rounds = 300, seed = 1] = process.argv.slice(2).map(Number);
let state = seed;

/// The next number below n, of a linear congruential generator.
function below(n) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
}

/// Most changes are made where a reader makes decisions: in the headers, the trailers and what leads to them.
function placeIn(length) {
  const span = Math.min(length, 1400);
  return [() => below(span), () => length - 1 - below(span), () => below(length)][below(3)]();
}

const CHANGES = [
  (bytes) => bytes.fill(below(256), ...[placeIn(bytes.length)].flatMap((at) => [at, at + 1 + below(4)])),
  (bytes) => {
    const at = placeIn(bytes.length);
    bytes[at] ^= 1 << below(8);
    return bytes;
  },
  (bytes) => bytes.subarray(0, below(bytes.length)),
  (bytes) => bytes.subarray(below(64)),
  (bytes) => Buffer.concat([bytes, bytes.subarray(0, below(2000))]),
  (bytes) => {
    const at = placeIn(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(below(40), below(256)), bytes.subarray(at + below(40))]);
  },
];

async function read(bytes, reader, salvage) {
  const secrets = secretsOf(reader);
  const options = { ...optionsOf(reader), salvage };
  const { report, opened } = await readArchive(new BytesSource(bytes), secrets, options);
  if (report.scopes && ["ok", "damaged"].includes(report.verdict)) {
    await opened.files();
    for (const { id, name } of opened.sections) if (name !== "unknown" && id !== 62) for await (const _ of opened.records(id));
  }
  opened?.close();
  wipe(secrets);
  return report.verdict;
}

function countRecords(bytes) {
  let count = 0;
  for (const _ of records(bytes)) count += 1;
  return count;
}

/// The inputs behind digests and tags: headers, indices, blocks and messages.
async function parts(name, vector) {
  const secrets = secretsOf(vector.reader);
  const inspection = await inspect(new BytesSource(content(name, vector)));
  const opened = await unlock(inspection, secrets, optionsOf(vector.reader));
  const { header, L } = inspection.layout;
  const found = [{ bytes: header, parse: (bytes) => parseHeader(bytes, L) }];
  for (const [s, stream] of opened.streams) {
    const index = await stream.read(stream.indexStart, stream.length - 8 - stream.indexStart);
    found.push({ bytes: index, parse: (bytes) => parseIndex(bytes, s, stream.isDifferential) });
    for await (const { section, block, data } of stream.blocks()) {
      const stored = await stream.read(block.offset, block.stored);
      found.push({ bytes: stored, parse: (bytes) => unpack(block.method, bytes, block.plain) });
      found.push({ bytes: data, parse: countRecords });
      const [first] = records(data);
      found.push({ bytes: first, parse: (bytes) => decode(section.id, bytes) });
    }
  }
  return found;
}

async function parseParts(times) {
  const whole = vectors.filter(([, { verdict, depth, reader }]) => verdict === "ok" && depth === "contents" && !reader.bases);
  const wanted = whole.filter(([name, { length }]) => length < 2 ** 19 && /^(columns|differential|suite|all|zstd|key)/.test(name));
  const [places, outcomes] = [[], { read: 0, refused: 0 }];
  for (const [name, vector] of wanted.slice(0, 60)) {
    try {
      places.push(...(await parts(name, vector)).map((part) => ({ ...part, name })));
    } catch (error) {
      if (!(error instanceof Verdict)) throw error;
    }
  }
  for (let round = 0; round < times; round++) {
    const { name, bytes, parse } = places[below(places.length)];
    let changed = new Uint8Array(bytes);
    for (let i = 0; i <= below(3); i++) if (changed.length) changed = new Uint8Array(CHANGES[below(CHANGES.length)](changed));
    try {
      parse(changed);
      outcomes.read += 1;
    } catch (error) {
      if (!(error instanceof Verdict)) throw new Error(`part of ${name}, round ${round}`, { cause: error });
      outcomes.refused += 1;
    }
  }
  if (!outcomes.read || !outcomes.refused) throw new Error("changed parts all had the same outcome");
  console.log(`${times} changed parts of ${places.length}: ${outcomes.read} read, ${outcomes.refused} refused`);
}

await load(readFileSync(MODULE));
const vectors = names().map((name) => [name, vectorOf(name)]);
const chosen = vectors.filter(([, { reader, length }]) => !reader.large_derivation && length < 2 ** 20);
const counts = {};
for (let round = 0; round < rounds; round++) {
  const [name, vector] = chosen[below(chosen.length)];
  let bytes = content(name, vector);
  for (let i = 0; i <= below(3); i++) bytes = new Uint8Array(CHANGES[below(CHANGES.length)](bytes));
  let verdict;
  try {
    verdict = await read(bytes, vector.reader, below(2) === 1);
  } catch (error) {
    // A checked record can still be no message of the schema.
    if (!(error instanceof Verdict)) throw new Error(`round ${round}, ${name}`, { cause: error });
    verdict = error.verdict;
  }
  if (!(verdict in EXIT)) throw new Error(`round ${round}, ${name}: ${verdict}`);
  counts[verdict] = (counts[verdict] ?? 0) + 1;
}
if (Object.keys(counts).length < 5) throw new Error("too few kinds of verdicts to have tried anything");
console.log(`${rounds} changed archives: ${Object.entries(counts).map(([what, count]) => `${count} ${what}`).join(", ")}`);
await parseParts(20 * rounds);
