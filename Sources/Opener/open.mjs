// Checks Fueki archives, and opens them if given a secret: the reader of the page, at a command line.
import { constants } from "node:fs";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EXIT, gatherSecrets, InputError, load, readArchive, SECTIONS, Verdict, wipe } from "./reader/reader.mjs";
import { unhex, varint } from "./reader/bytes.mjs";

const USAGE = `usage: node open.mjs [option ...] FILE ...
  --passphrase-file F         one trailing newline is removed
  --key-file F                with a passphrase, for slots of type 2
  --identity F                private keys, as age writes them or in hexadecimal
  --shares F                  guardians' shares, one a line
  --trusted-signer HEX        a key or its fingerprint: one of these must have signed
  --known SEQUENCE:DIGEST     the vault's newest archive
  --base F                    what may be the base of a differential archive
  --salvage                   of a damaged archive, read what is whole
  --large                     allow key derivation with more than 1 GiB
  --plaintext-limit BYTES     no more than this is read
  --no-messages               check records, but not the messages in them
  --output DIR                write records and key shares to a new directory
  --json                      print JSON
  --module F                  the WebAssembly module`;
const several = { type: "string", multiple: true, default: [] };
const OPTIONS = {
  "passphrase-file": several,
  "key-file": { type: "string" },
  identity: several,
  shares: several,
  "file-keys": several,
  "guardians-key": { type: "string" },
  "trusted-signer": several,
  known: { type: "string" },
  base: several,
  salvage: { type: "boolean", default: false },
  large: { type: "boolean", default: false },
  "plaintext-limit": { type: "string" },
  "no-messages": { type: "boolean", default: false },
  output: { type: "string" },
  json: { type: "boolean", default: false },
  module: { type: "string" },
};

/// A file of the system.
class FileSource {
  static async open(path) {
    const source = new FileSource();
    source.handle = await open(path, "r");
    source.length = (await source.handle.stat()).size;
    return source;
  }

  async read(offset, length) {
    const buffer = new Uint8Array(length);
    let have = 0;
    while (have < length) {
      const { bytesRead } = await this.handle.read(buffer, have, length - have, offset + have);
      if (!bytesRead) break;
      have += bytesRead;
    }
    return buffer.subarray(0, have);
  }
}

async function passphrase(path) {
  const bytes = new Uint8Array(await readFile(path));
  return bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
}

async function secretsOf(options) {
  const texts = (paths) => Promise.all(paths.map((path) => readFile(path, "utf8")));
  const fileKeys = (await texts(options["file-keys"])).flatMap((text) => text.split("\n"));
  return gatherSecrets({
    passphrases: await Promise.all(options["passphrase-file"].map(passphrase)),
    keyFile: options["key-file"] ? new Uint8Array(await readFile(options["key-file"])) : null,
    identities: await texts(options.identity),
    shares: await texts(options.shares),
    fileKeys: fileKeys.filter(Boolean).map((line) => unhex(line.replaceAll("-", ""))),
    guardiansKey: options["guardians-key"] ? (await readFile(options["guardians-key"], "utf8")).trim() : null,
  });
}

function knownOf(text) {
  const [sequence, digest] = text.split(":");
  return { sequence, digest };
}

async function write(opened, directory) {
  await mkdir(directory, { mode: 0o700 });
  const append = async (name, bytes) => {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
    const file = await open(join(directory, name), flags, 0o600);
    await file.appendFile(bytes);
    await file.close();
  };
  const joined = opened.result?.map(({ id }) => id) ?? [];
  const own = opened.sections.map(({ id }) => id).filter((id) => !opened.result || id < 32 || id > 62);
  for (const id of [...own, ...joined]) {
    let parts = [];
    for await (const message of opened.rawRecords(id)) {
      parts.push(varint(message.length), message.slice());
      if (parts.length > 2000) await append(`${id}-${SECTIONS[id] ?? "unknown"}.records`, Buffer.concat(parts.splice(0)));
    }
    if (parts.length || joined.includes(id)) await append(`${id}-${SECTIONS[id] ?? "unknown"}.records`, Buffer.concat(parts));
  }
  for (const { id, secret } of await opened.keyShares()) {
    if (!secret) throw new Verdict("forged or inconsistent", `key share ${id} does not open`);
    await append(`64-${id}.secret`, secret);
  }
}

/// JSON in which numbers beyond 2^53 are numbers.
function json(value) {
  const text = JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `\u0000${one}` : one), 2);
  return text.replace(/"\\u0000(\d+)"/g, "$1");
}

function show(report, path, asJSON) {
  if (asJSON) return console.log(json(report));
  if (path) console.log(`file: ${path}`);
  console.log(`verdict: ${report.verdict}`);
  for (const name of ["why", "archive", "vault", "sequence", "signer", "seals", "bundle_checksum"]) {
    if (report[name]) console.log(`${name}: ${report[name]}`);
  }
  for (const { id, name, records, bytes, sha256 } of report.sections ?? []) {
    console.log(`section ${id} ${name}: ${records} records, ${bytes} bytes, sha256 ${sha256}`);
  }
  for (const scope of report.salvaged?.lost_scopes ?? []) console.log(`lost: all of ${scope}`);
  for (const { id, lost, gaps } of report.salvaged?.sections ?? []) {
    for (const { bytes, after } of gaps) {
      const [from, to] = bytes;
      console.log(`lost: of section ${id}, ${lost} records in all; bytes ${from} to ${to}, after the ${after} records kept before`);
    }
  }
}

async function run(path, options, isAlone) {
  const secrets = await secretsOf(options);
  const { report, opened, isRead } = await readArchive(await FileSource.open(path), secrets, {
    trustedSigners: options["trusted-signer"],
    known: options.known === undefined ? null : knownOf(options.known),
    salvage: options.salvage,
    large: options.large,
    messages: !options["no-messages"],
    plaintextLimit: options["plaintext-limit"] === undefined ? undefined : Number(options["plaintext-limit"]),
    bases: await Promise.all(options.base.map((base) => FileSource.open(base))),
  });
  try {
    if (isRead && options.output) await write(opened, options.output);
  } catch (error) {
    if (!(error instanceof Verdict)) throw error;
    Object.assign(report, { verdict: error.verdict, why: error.why });
  }
  opened?.close();
  wipe(secrets);
  show(report, isAlone ? null : path, options.json);
  return EXIT[report.verdict];
}

async function main() {
  let parsed;
  try {
    parsed = parseArgs({ options: OPTIONS, allowPositionals: true });
    if (!parsed.positionals.length) throw new TypeError("no file");
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    return 64;
  }
  const { values, positionals } = parsed;
  try {
    const module = values.module ?? new URL("../../.build/opener/reader.wasm", import.meta.url);
    await load(new Uint8Array(await readFile(module)));
    let status = 0;
    for (const path of positionals) status = (await run(path, values, positionals.length === 1)) || status;
    return status;
  } catch (error) {
    if (error instanceof InputError) {
      console.error(`open.mjs: ${error.message}`);
      return 64;
    }
    if (error.code === undefined) throw error;
    console.error(`open.mjs: ${error.message}`);
    return error.code === "ENOENT" ? 10 : 1;
  }
}

process.exitCode = await main();
