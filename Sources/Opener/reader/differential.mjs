import { ascii, concat, equal, hex, u16, u64, varint } from "./bytes.mjs";
import { H, Hash } from "./crypto.mjs";
import { MOST_CHANGED } from "./index.mjs";
import { records, wholeFields } from "./records.mjs";
import { LIMIT, require } from "./verdict.mjs";

const isHistory = (id) => id >= 32 && id <= 61;

/// A record's identity.
export function identity(section, message) {
  const found = wholeFields(message, section === 33 ? 2 : 1)?.at(-1);
  const isNamed = found?.wireType === 2 && found.value.length > 0;
  return isNamed ? concat(Uint8Array.of(0), found.value) : concat(Uint8Array.of(1), H(message));
}

/// A text that stands for an identity in a set.
function keyOf(name) {
  return name.length <= 64 ? String.fromCharCode(...name) : `#${String.fromCharCode(...H(name))}`;
}

/// Step 9's part: the changes by section; null if their record is lost.
export async function readChanges(stream) {
  let message = null;
  for await (const { data } of stream.blocks(62)) {
    if (!data) return null;
    [message] = records(data);
  }
  const changes = parseChanges(message);
  const here = stream.sections.filter(({ id }) => isHistory(id));
  let most = here.reduce((sum, section) => sum + section.records, 0);
  for (const { removed } of changes.values()) most += removed.length;
  require(most <= MOST_CHANGED, "too much differs", LIMIT);
  require(here.every(({ id }) => changes.has(id)), "a section without an entry of changes");
  return changes;
}

function parseChanges(message) {
  const entries = wholeFields(message, 1);
  require(entries?.every(({ wireType }) => wireType === 2), "the changes");
  const changes = new Map();
  let last = 31;
  for (const { value: entry } of entries) {
    const found = wholeFields(entry, 1, 2, 3, 4);
    require(found, "an entry of the changes");
    const [section, count, digest, removed] = [1, 2, 3, 4].map((n) => found.filter(({ number }) => number === n));
    const areNumbers = [...section, ...count].every(({ wireType }) => wireType === 0);
    const areBytes = [...digest, ...removed].every(({ wireType }) => wireType === 2);
    const areSingle = [section, count, digest].every(({ length }) => length <= 1);
    require(areNumbers && areBytes && areSingle, "an entry's fields");
    const id = section[0]?.value;
    require(id > last && isHistory(id), "an entry's section");
    require(digest[0]?.value.length === 32, "an entry's set digest");
    const names = removed.map(({ value }) => value);
    require(names.every(isIdentity), "a removed identity that is none");
    require(names.every((name, i) => i === 0 || isBefore(names[i - 1], name)), "the removed identities' order");
    changes.set(id, { records: count[0]?.value ?? 0, digest: digest[0].value, removed: names });
    last = id;
  }
  return changes;
}

const isIdentity = (name) => (name[0] === 0 && name.length > 1) || (name[0] === 1 && name.length === 33);

function isBefore(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] < b[i];
  return a.length < b.length;
}

/// A running set digest, and the digest of the records with their lengths.
class Result {
  constructor(section) {
    this.section = section;
    this.label = concat(ascii("fueki/1 record"), u16(section));
    this.sum = 0n;
    this.count = 0;
    this.hash = new Hash();
  }

  add(message) {
    this.sum += BigInt(`0x${hex(H(this.label, message).reverse())}`);
    this.count += 1;
    this.hash.add(concat(varint(message.length), message));
  }

  end() {
    const sum = Uint8Array.from({ length: 32 }, (_, i) => Number((this.sum >> BigInt(8 * i)) & 255n));
    const set = H(ascii("fueki/1 set"), u16(this.section), u64(this.count), sum);
    return { set, records: this.count, sha256: hex(this.hash.end()) };
  }
}

/// The history that an archive and its base come to.
export class Joined {
  constructor(own, base, changes) {
    Object.assign(this, { own, base, changes, hidden: new Map(), result: [] });
  }

  /// Step 10, section by section.
  async check() {
    const here = [...this.own.sections, ...this.base.sections].map(({ id }) => id).filter(isHistory);
    const isSame = here.every((id) => this.changes.has(id)) && new Set(here).size === this.changes.size;
    require(isSame, "an entry of changes without records, or records without one");
    for (const [id, change] of this.changes) await this.checkSection(id, change);
  }

  async checkSection(id, change) {
    const own = new Set();
    const result = new Result(id);
    const ownLost = await each(this.own, id, (message) => own.add(keyOf(identity(id, message))));
    const removed = new Set(change.removed.map(keyOf));
    const isApart = [...removed].every((name) => !own.has(name));
    this.hidden.set(id, new Set([...own, ...removed]));
    const left = new Set(removed);
    const baseLost = await each(this.base, id, (message) => {
      const name = keyOf(identity(id, message));
      left.delete(name);
      if (!own.has(name) && !removed.has(name)) result.add(message);
    });
    await each(this.own, id, (message) => result.add(message));
    const { set, records, sha256 } = result.end();
    const isWhole = !ownLost && !baseLost;
    require(isApart, `section ${id}: a removed identity that stands here`);
    require(!isWhole || left.size === 0, `section ${id}: a removed identity that the base has not`);
    require(!isWhole || records === change.records, `section ${id}: its number of records with the base's`);
    require(!isWhole || equal(set, change.digest), `section ${id}: its set digest`);
    this.result.push({ id, records, sha256 });
  }

  /// The result's records of a section.
  async *messages(id) {
    const hidden = this.hidden.get(id);
    for await (const { data } of this.base.blocks(id)) {
      for (const message of data ? records(data) : []) if (!hidden.has(keyOf(identity(id, message)))) yield message;
    }
    for await (const { data } of this.own.blocks(id)) if (data) yield* records(data);
  }
}

/// Calls `use` with each record of a section; true if one of its blocks is lost.
async function each(stream, id, use) {
  let isLost = false;
  for await (const { data } of stream.blocks(id)) {
    if (!data) isLost = true;
    else for (const message of records(data)) use(message);
  }
  return isLost;
}
