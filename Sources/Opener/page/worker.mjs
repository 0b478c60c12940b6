// The workers: one for everything that takes long or holds keys, and one for each key derivation. WebAssembly's memory
// never shrinks, so the page ends a worker that derived a key.

import {
  compare, completions, deriveHere, gatherSecrets, inspect, load, lookAtShare, nearest, needs, paperOf, unlock, wipe,
} from "../reader/reader.mjs";
import { connect, moved } from "./calls.mjs";
import { describeContents } from "./contents.mjs";
import { Tables } from "./rows.mjs";
import { partSizes, saveFiles, saveRecords } from "./saving.mjs";

const READ_AHEAD = 4 << 20;
const FACTS = [
  "verdict", "why", "canUnlock", "archive", "vault", "sequence", "previous", "created", "signer", "fingerprint", "seals", "slots",
  "scopes", "base", "damage", "reported",
];

/** Of each file: what it was read as, and that compared with the paper. */
let archives = [];
/** What was typed from the paper. */
let paper = paperOf({});
let opened = null;
let tables = null;
/** When the open archive was made, in seconds since 1970. */
let created = 0;

const page = connect(self, {
  load: (module) => load(module),

  async derive({ module, argument }) {
    await load(module);
    const secret = (await deriveHere(argument)).slice();
    argument.passphrase.fill(0);
    return moved(secret, [secret.buffer]);
  },

  /** Reads files without a secret. */
  async inspect({ lengths }) {
    archives = [];
    for (const [file, length] of lengths.entries()) {
      const source = new PageSource(file, length);
      archives.push({ source, read: await inspect(source, { progress: (state) => report(file, state) }) });
    }
  },

  /** Compares the files with the paper; the answers, in their order. */
  compare(typed) {
    paper = paperOf(typed);
    return archives.map((archive) => compared(archive));
  },

  /** Reads a damaged archive again, to find what is intact. */
  async salvage({ file }) {
    archives[file].read = await inspect(archives[file].source, { salvage: true, progress: (state) => report(file, state) });
    return compared(archives[file]);
  },

  /** Opens an archive, checks all of its contents, and joins it with its base if that is among the files. */
  async open({ file, secrets: given, large }) {
    closeArchive();
    const secrets = gatherSecrets(given);
    const derive = (argument) => page("derive", argument, [argument.passphrase.buffer]);
    let candidate = null;
    try {
      candidate = await unlock(archives[file].inspection, secrets, { derive, large });
      await candidate.check({ progress: (state) => report(file, state) });
      const base = await join(candidate, file, { derive, large });
      tables = new Tables(candidate);
      opened = candidate;
      created = Number(archives[file].inspection.created);
      candidate = null;
      return { ...(await describeContents(opened, archives[file].inspection)), base };
    } finally {
      candidate?.close();
      wipe(secrets);
      for (const value of [...(given.passphrases ?? []), given.keyFile]) {
        if (value instanceof Uint8Array) value.fill(0);
      }
    }
  },

  rows: (query) => tables.rows(query),
  secret: (query) => tables.secret(query),
  completions: (prefix) => completions(prefix).slice(0, 8),
  look({ text, file }) {
    // A sheet numbers its words.
    const typed = text.toLowerCase().split(/[^a-z]+/).filter((word) => word !== "");
    const { words, unknown, checksum, belongs } = lookAtShare(typed.join(" "), archives[file].inspection);
    const word = words[unknown[0] - 1];
    return { count: words.length, checksum, belongs, wrong: word === undefined ? null : { place: unknown[0], word, near: nearest(word) } };
  },

  partSizes: () => partSizes(tables),
  saveFiles: (what) => saveFiles(opened, tables, what, created, page),
  saveRecords: ({ format }) => saveRecords(opened, format, created, page),

  close: closeArchive,
});

/** Judges an archive by the paper. One that another chosen one needs may be older than the newest. */
function compared(archive) {
  const { trustedSigners, known } = paper;
  const isBase = archives.some(({ read }) => read.base && read.base.digest === archive.read.archive);
  archive.inspection = compare(archive.read, { trustedSigners, known: isBase ? null : known });
  const asked = {
    signer: trustedSigners.length > 0, number: known?.sequence ?? null, hasDigest: Boolean(known?.digest), isBase,
  };
  return { ...plain(archive.inspection), asked, needs: archive.inspection.canUnlock ? needs(archive.inspection) : [] };
}

/** Wipes the keys of the open archive. */
function closeArchive() {
  tables?.wipe();
  opened?.close();
  [opened, tables] = [null, null];
}

async function join(candidate, file, options) {
  const { inspection } = archives[file];
  if (!inspection.base || !candidate.scopes.includes("history")) return null;
  const others = archives.filter((_, index) => index !== file).map(({ source }) => source);
  try {
    await candidate.join(others, options);
    // A salvage goes on without its base.
    return candidate.result ? "joined" : "missing";
  } catch (error) {
    if (error.verdict !== "base missing") throw error;
    return "missing";
  }
}

let lastReport = 0;

/** Reports progress a few times a second. */
function report(file, { step, done, total }) {
  const now = performance.now();
  if (now - lastReport < 100 && done !== total) return;
  lastReport = now;
  page("progress", { file, step, done: Number(done), total: Number(total) });
}

/** The facts of an inspection that can be copied to the page. */
function plain(inspection) {
  return Object.fromEntries(FACTS.map((name) => [name, inspection[name]]));
}

/** A file that the page reads: WebKit's workers cannot read one of a page on a disk. */
class PageSource {
  #file;
  #start = 0;
  #bytes = new Uint8Array(0);

  constructor(file, length) {
    this.#file = file;
    this.length = length;
  }

  async read(offset, length) {
    const inside = offset - this.#start;
    if (inside < 0 || inside + length > this.#bytes.length) {
      const wanted = Math.min(this.length - offset, Math.max(length, READ_AHEAD));
      const bytes = wanted > 0 ? await page("read", { file: this.#file, offset, length: wanted }) : new Uint8Array(0);
      [this.#start, this.#bytes] = [offset, bytes];
    }
    const start = offset - this.#start;
    return this.#bytes.slice(start, start + length);
  }
}
