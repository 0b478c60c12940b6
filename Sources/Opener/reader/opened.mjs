import { equal, hex, TIB } from "./bytes.mjs";
import { checkContents, checkScopes } from "./contents.mjs";
import { aeadOpen, expand } from "./crypto.mjs";
import { decode } from "./decode.mjs";
import { Joined, readChanges } from "./differential.mjs";
import { filesOf } from "./files.mjs";
import { assign } from "./findings.mjs";
import { checkTotal, SCOPES, SECTIONS } from "./index.mjs";
import { damageText, hasDigest, inspect } from "./inspect.mjs";
import { checkKeys, unwrap } from "./keys.mjs";
import { Files } from "./messages.mjs";
import { clearStack } from "./module.mjs";
import { fields, records } from "./records.mjs";
import { Stream } from "./stream.mjs";
import { DAMAGED, Lost, require, Verdict, WRONG_SECRET } from "./verdict.mjs";

/// Steps 5 to 7. The verdict that it throws has the report on the guardians' shares in `shares`.
export async function unlock(inspection, secrets, options = {}) {
  const report = {};
  try {
    const { file, layout, header, digest, lost } = inspection;
    require(inspection.canUnlock, inspection.why, inspection.verdict);
    const prks = await unwrap(header, secrets, options, report);
    checkKeys(prks, header, layout.trailer, digest);
    const opened = new Opened(inspection, secrets, prks, options, report.shares);
    for (const [s, prk] of prks) await opened.add(new Stream(file, layout, header, s, prk, lost));
    const streams = [...opened.streams.values()];
    checkTotal(streams, options.plaintextLimit ?? TIB);
    for (const stream of streams) stream.checkLengths();
    return opened;
  } catch (error) {
    if (error instanceof Verdict && report.shares) error.shares = report.shares;
    throw error;
  } finally {
    clearStack();
  }
}

/// An archive with open scopes.
export class Opened {
  constructor(inspection, secrets, prks, options, shares) {
    Object.assign(this, { inspection, secrets, prks, options, shares });
    this.streams = new Map();
    this.lostScopes = [];
    this.joined = null;
  }

  async add(stream) {
    try {
      await stream.readIndex();
      this.streams.set(stream.scope, stream);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      this.lostScopes.push(SCOPES[stream.scope]);
    }
  }

  get scopes() {
    return [...this.streams.keys()].map((s) => SCOPES[s]);
  }

  get sections() {
    return [...this.streams.values()].flatMap((stream) =>
      stream.sections.map(({ id, records, length, digest }) => {
        const name = SECTIONS[id] ?? "unknown";
        return { id, name, scope: SCOPES[stream.scope], records, bytes: length, sha256: hex(digest) };
      }),
    );
  }

  /// Throws "damaged" if the archive has any damage; called after `check`.
  conclude() {
    require(!this.inspection.damage.length, damageText(this.inspection), DAMAGED);
  }

  /// Steps 8 and 9 of all open streams, without the changes, which `join` reads. With `messages: false` no message is looked at.
  async check({ progress, messages = true, isBase = false } = {}) {
    const files = messages ? new Files() : null;
    const streams = [...this.streams.values()];
    const total = streams.reduce((sum, { blocksEnd }) => sum + blocksEnd, 0);
    let done = 0;
    const advance = (bytes) => progress?.({ step: "contents", done: (done += bytes), total });
    const results = new Map();
    for (const [s, stream] of this.streams) results.set(s, await checkContents(stream, files, advance));
    const manifest = results.get(1)?.manifest;
    if (manifest) {
      this.bundleChecksum = hex(checkScopes(manifest, this.streams, this.prks, this.inspection.header.T));
    }
    // Of a salvage the files that are not whole come back in parts.
    if (!this.inspection.salvage && !isBase) files?.check();
    const sections = [...results.values()].flatMap(({ kept }) =>
      [...kept].map(([id, { lost, gaps, sha256 }]) => ({ id, lost, gaps, sha256 })),
    );
    this.salvaged = { proven: this.inspection.lost !== null, lost_scopes: this.lostScopes, sections };
  }

  /// Step 10: joins the history with that of the base, which is one of the sources.
  async join(sources, { progress, messages } = {}) {
    const { base, vault } = this.inspection.header;
    const stream = this.streams.get(2);
    if (!base || !stream) return;
    const { salvage } = this.inspection;
    const changes = await readChanges(stream);
    const bases = changes ? await findBases(sources, base.digest, progress) : [];
    if (!bases.length) {
      const why = `base ${hex(base.digest)}, sequence ${base.sequence}, is not here`;
      require(salvage, why, "base missing");
      return;
    }
    const other = await this.openBase(bases, { base, vault, salvage, progress, messages });
    if (!other.streams.has(2)) return;
    const joined = new Joined(stream, other.streams.get(2), changes);
    await joined.check();
    Object.assign(this, { joined, opposite: other, result: joined.result });
  }

  async openBase(sources, { base, vault, salvage, progress, messages }) {
    try {
      const used = this.sections.reduce((sum, { bytes }) => sum + bytes, 0);
      const plaintextLimit = (this.options.plaintextLimit ?? TIB) - used;
      const options = { ...this.options, plaintextLimit };
      const other = await unlockFirst(sources, this.secrets, options, salvage);
      const { header } = other.inspection;
      const isFull = header.sequence === base.sequence && !header.base;
      require(equal(header.vault, vault) && isFull, "not the base that is stated");
      require(other.prks.has(2), "the base's history does not open", WRONG_SECRET);
      await other.check({ progress, messages, isBase: true });
      if (!salvage) other.conclude();
      return other;
    } catch (error) {
      throw error instanceof Verdict ? new Verdict(error.verdict, `the base: ${error.why}`) : error;
    }
  }

  /// The messages of a section. After `join`, a history section's messages are those of the result.
  async *rawRecords(id) {
    if (this.joined?.changes.has(id)) return yield* this.joined.messages(id);
    if (this.joined && id >= 32 && id <= 62) return;
    const stream = [...this.streams.values()].find(({ sections }) => sections.some((section) => section.id === id));
    for await (const { data } of stream?.blocks(id) ?? []) if (data) yield* records(data);
  }

  async *records(id) {
    for await (const message of this.rawRecords(id)) yield decode(id, message);
  }

  async manifest() {
    for await (const manifest of this.records(1)) return manifest;
    return null;
  }

  /// The wallets, each with its finding, and the findings on things that are no wallet.
  async wallets() {
    const records = [];
    for await (const record of this.records(2)) records.push(record);
    return assign(records, await this.manifest());
  }

  files() {
    return filesOf(this.streams, this.inspection.salvage);
  }

  /// The key shares, each opened with a key of its own.
  async keyShares() {
    const shares = [];
    for await (const message of this.rawRecords(64)) {
      const found = new Map([...fields(message)].filter(({ wireType }) => wireType === 2).map((f) => [f.number, f.value]));
      const [id, sealed] = [found.get(1) ?? new Uint8Array(0), found.get(2) ?? new Uint8Array(0)];
      const key = expand(this.prks.get(3), ["fueki/1 share", id], 32);
      const isWhole = id.length === 16 && sealed.length >= 40;
      const secret = isWhole ? aeadOpen(key, sealed.subarray(0, 24), sealed.subarray(24), id) : null;
      shares.push({ id: hex(id), secret });
    }
    return shares;
  }

  close() {
    this.opposite?.close();
    for (const stream of this.streams.values()) stream.close();
    for (const prk of this.prks.values()) prk.fill(0);
    clearStack();
  }
}

/// The intact files with the base's digest, or else the first file with that digest.
async function findBases(sources, digest, progress) {
  const [same, whole] = [[], []];
  for (const source of sources) {
    if (!(await hasDigest(source, digest))) continue;
    same.push(source);
    const { canUnlock } = await inspect(source, { progress });
    if (canUnlock) whole.push(source);
  }
  return whole.length ? whole : same.slice(0, 1);
}

/// Opens the first file that opens, its seals included; throws the first file's verdict if none does.
async function unlockFirst(sources, secrets, options, salvage) {
  let refusal = null;
  for (const source of sources) {
    try {
      return await unlock(await inspect(source, { salvage }), secrets, options);
    } catch (error) {
      if (!(error instanceof Verdict)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}
