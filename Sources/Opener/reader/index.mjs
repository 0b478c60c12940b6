import { Cursor, MIB, padme, TIB } from "./bytes.mjs";
import { LIMIT, require } from "./verdict.mjs";

export const SCOPES = { 1: "profile", 2: "history", 3: "secrets" };

/// The sections' names; their numbers say which scope they are of.
export const SECTIONS = {
  1: "manifest",
  2: "wallets",
  3: "assets",
  4: "contacts",
  5: "settings",
  6: "key-share-descriptors",
  7: "credentials",
  8: "files",
  32: "transactions",
  33: "receipts",
  34: "credential-sharing",
  35: "id-token-sharing",
  36: "users",
  37: "threads",
  38: "messages",
  62: "changes",
  64: "key-shares",
  65: "private-keys",
  66: "secret-files",
};

export const PIECE = 16384;
export const MOST_CHANGED = 4_194_304;
export const LARGEST = 16 * MIB;

/// Step 7's index: the sections with their blocks, each with its place in the stream.
export function parseIndex(bytes, scope, isDifferential) {
  const name = SCOPES[scope];
  const cursor = new Cursor(bytes, `the index of ${name}`);
  const sections = [];
  let offset = 0;
  let largest = 0;
  for (let left = cursor.number(2), last = 0; left > 0; left--) {
    const summary = cursor.bytes(50);
    const fields = new Cursor(summary, "a section");
    const section = { id: fields.number(2), records: fields.number(8), length: fields.number(8) };
    const { id, records } = section;
    require(id > last && id >= Math.max(1, 32 * scope - 32) && id < 32 * scope, `${name}: a section's id`);
    require(records >= 1, `${name}: a section without records`);
    const count = cursor.number(4);
    require(count <= (bytes.length - cursor.at) / 9, `${name}: more blocks than the index holds`);
    const blocks = [];
    for (let i = 0; i < count; i++) {
      const block = { method: cursor.byte(), stored: cursor.number(4), plain: cursor.number(4), offset };
      largest = Math.max(largest, block.stored, block.plain);
      offset += block.stored;
      blocks.push(block);
    }
    sections.push({ ...section, digest: summary.subarray(18), summary, blocks });
    last = id;
  }
  require(!cursor.more, `the index of ${name} goes on`);
  require(largest <= LARGEST, `${name}: a block over 16 MiB`, LIMIT);
  checkRecords(sections, scope, isDifferential);
  return sections;
}

function checkRecords(sections, scope, isDifferential) {
  const countOf = (id) => sections.find((section) => section.id === id)?.records;
  if (scope === 1) require(countOf(1) === 1, "not one manifest");
  if (scope !== 2) return;
  require(countOf(62) === (isDifferential ? 1 : undefined), "not one record of changes, or one in a full archive");
  const here = sections.filter(({ id }) => id < 62).reduce((sum, { records }) => sum + BigInt(records), 0n);
  require(!isDifferential || here <= MOST_CHANGED, "too many records differ", LIMIT);
}

/// Step 7's limit, over all streams opened.
export function checkTotal(streams, limit) {
  const total = streams.flatMap(({ sections }) => sections).reduce((sum, { length }) => sum + BigInt(length), 0n);
  require(total <= Math.min(TIB, limit), "the sections are too long together", LIMIT);
}

/// Step 7's lengths; returns where the stream's blocks end.
export function checkLengths({ scope, sections, indexStart, length, count, methods }) {
  const name = SCOPES[scope];
  let end = 0;
  for (const section of sections) {
    const sum = section.blocks.reduce((total, { plain }) => total + plain, 0);
    require(section.length === sum, `${name}: a section's length`);
    for (const { method, stored, plain } of section.blocks) {
      const isPacked = methods.includes(method) && stored < plain && scope !== 3;
      require((method === 0 && stored === plain) || isPacked, `${name}: a block's method or lengths`);
      end += stored;
    }
  }
  require(end <= indexStart, `${name}: the blocks run into the index`);
  const used = end + length - indexStart;
  require(count === padme(Math.max(4, Math.ceil(used / PIECE))), `${name}: more chunks than it needs`);
  return end;
}
