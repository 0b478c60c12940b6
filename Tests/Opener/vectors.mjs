// Puts the test vectors through the reader in JavaScript: all but those of a derivation above 2 GiB, which WebAssembly has no
// memory for. `node Tests/Opener/vectors.mjs [NAME ...]`; TestVectors/README.md says what a vector is.
import { readFileSync } from "node:fs";
import {
  BytesSource, deriveHere, gatherSecrets, inspect, load, readArchive, Verdict, wipe,
} from "../../Sources/Opener/reader/reader.mjs";
import { content, names, vector as vectorOf } from "./vector-files.mjs";

const MODULE = new URL("../../.build/opener/reader.wasm", import.meta.url);
const unhex = (text) => new Uint8Array(Buffer.from(text, "hex"));

export function secretsOf(reader) {
  return gatherSecrets({
    passphrases: reader.passphrases ?? [],
    keyFile: reader.key_file === undefined ? null : unhex(reader.key_file),
    identities: [...(reader.identities ?? []), ...(reader.plugin ? [reader.plugin.identity] : [])],
    shares: reader.shares ?? [],
    guardiansKey: reader.guardians_key ?? null,
    fileKeys: reader.plugin?.file_keys.map((key) => unhex(key ?? "")) ?? [],
  });
}

const derived = new Map();

/// Most vectors have the same passphrase and salts; each derivation is run once.
function derive(input) {
  const { passphrase, salt, memory, passes } = input;
  const key = [...[passphrase, salt].map((bytes) => Buffer.from(bytes).toString("hex")), memory, passes].join();
  if (!derived.has(key)) derived.set(key, deriveHere(input));
  // The reader zeros the key that it gets.
  return derived.get(key).then((bytes) => bytes.slice());
}

export const optionsOf = (reader) => ({
  trustedSigners: reader.trusted_signers ?? [],
  known: reader.known ?? null,
  salvage: reader.salvage ?? false,
  large: reader.large_derivation ?? false,
  plaintextLimit: reader.plaintext_limit,
  derive,
  bases: (reader.bases ?? []).map((base) => new BytesSource(content(base))),
});

/// JSON text with sorted members.
export function canonical(value) {
  const sorted = (_, one) =>
    one && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : typeof one === "bigint" ? one.toString() : one;
  return JSON.stringify(value, sorted);
}

/// The differences between a vector and a report.
export function* differences(vector, report, keyShares) {
  const wanted = { verdict: vector.verdict };
  const found = { verdict: report.verdict, reported: report.reported, shares: report.shares };
  for (const key of ["reported", "shares", "salvaged", "result"]) {
    if (key in vector) [wanted[key], found[key]] = [vector[key], report[key]];
  }
  if (vector.damage) [wanted.damage, found.damage] = [vector.damage, report.damage];
  if (vector.archive && vector.depth === "contents") {
    const { digest, vault, sequence, slots, scopes, signer, bundle_checksum, sections } = vector.archive;
    Object.assign(wanted, { archive: digest, vault, sequence, slots, scopes, signer, bundle_checksum, sections });
    for (const key of ["archive", "vault", "sequence", "slots", "scopes", "signer"]) found[key] = report[key];
    found.bundle_checksum = report.bundle_checksum ?? null;
    found.sections = report.sections?.map(({ id, records, bytes, sha256 }) => ({ id, records, bytes, sha256 }));
  }
  if (vector.key_shares && keyShares) {
    wanted.key_shares = vector.key_shares;
    found.key_shares = keyShares;
  }
  for (const key of Object.keys(wanted)) {
    if (canonical(wanted[key]) !== canonical(found[key])) {
      yield `${key}: ${canonical(found[key])} (${report.why ?? ""}), not ${canonical(wanted[key])}`;
    }
  }
}

async function keySharesOf(opened, vector) {
  if (!vector.key_shares || !opened) return null;
  const shares = await opened.keyShares();
  return shares.map(({ id, secret }) =>
    secret ? { id, secret: Buffer.from(secret).toString("hex") } : { id, verdict: "forged or inconsistent" },
  );
}

/// The differences of a vector; none if it agrees.
async function check(name, vector) {
  const secrets = secretsOf(vector.reader);
  const bytes = content(name, vector);
  const options = { ...optionsOf(vector.reader), messages: false };
  const { report, opened } = await readArchive(new BytesSource(bytes), secrets, options);
  const found = [...differences(vector, report, await keySharesOf(opened, vector))];
  opened?.close();
  if (vector.messages) {
    const deeper = await readArchive(new BytesSource(bytes), secrets, optionsOf(vector.reader));
    deeper.opened?.close();
    const { verdict } = deeper.report;
    if (verdict !== vector.messages) found.push(`with messages: ${verdict}, not ${vector.messages}`);
  }
  wipe(secrets);
  // Without a secret the verdict is the same or "ok".
  const { verdict } = await inspect(new BytesSource(bytes), optionsOf(vector.reader));
  const isLess = verdict === vector.verdict || verdict === "ok" || (vector.reader.salvage && verdict === "damaged");
  if (!isLess && !(vector.opens && verdict === "damaged")) found.push(`without a secret: ${verdict}, not ${vector.verdict}`);
  return found;
}

const needsTooMuch = (vector) => vector.reader.large_derivation && vector.verdict === "ok";

async function main() {
  await load(readFileSync(MODULE));
  const chosen = process.argv.slice(2);
  const counts = { vectors: 0, differ: 0, "left out": 0 };
  for (const name of chosen.length ? chosen : names()) {
    const vector = vectorOf(name);
    if (needsTooMuch(vector)) {
      counts["left out"] += 1;
      continue;
    }
    counts.vectors += 1;
    let found;
    try {
      found = await check(name, vector);
    } catch (error) {
      if (error instanceof Verdict) throw error;
      found = [error.stack];
    }
    if (found.length) {
      counts.differ += 1;
      for (const line of found) console.log(`${name}: ${line}`);
    }
  }
  console.log(Object.entries(counts).map(([what, count]) => `${count} ${what}`).join(", "));
  return counts.differ || !counts.vectors ? 1 : 0;
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.exitCode = await main();
