import { equal, hex } from "./bytes.mjs";
import { H } from "./crypto.mjs";
import { text } from "./packed.mjs";
import { fields } from "./records.mjs";
import { MESSAGES, SCHEMA } from "./schema.mjs";
import { require, Verdict } from "./verdict.mjs";

/// For each message of the schema, the fields that are text or messages, by number.
const SHAPES = new Map(
  [...SCHEMA].map(([name, shape]) => {
    const judged = shape.filter(({ type }) => type === "string" || SCHEMA.has(type));
    return [name, new Map(judged.map(({ number, type }) => [number, type]))];
  }),
);
const FILES = [8, 66];

/// What is wrong with a section's message; null if it is valid, or the section is not known.
export function fault(section, message) {
  if (!(section in MESSAGES)) return null;
  try {
    scan(message, SHAPES.get(MESSAGES[section]));
    return section < 64 ? null : faultOfSecret(section, message);
  } catch (error) {
    if (error instanceof Verdict) return error.why;
    throw error;
  }
}

function scan(message, shape) {
  for (const { number, wireType, value } of fields(message)) {
    const type = wireType === 2 ? shape.get(number) : undefined;
    if (type === "string") require(isASCII(value) || text(value) !== null, "a text that is not UTF-8");
    else if (type) scan(value, SHAPES.get(type));
  }
}

const isASCII = (bytes) => {
  for (const byte of bytes) if (byte > 127) return false;
  return true;
};

function faultOfSecret(section, message) {
  const last = new Map();
  for (const { number, wireType, value } of fields(message)) if (wireType === 2) last.set(number, value);
  if (last.get(1)?.length !== 16) return "an id that has not 16 bytes";
  return section === 65 && !last.has(5) ? "no secret" : null;
}

/// The parts of the original files, as they are met.
export class Files {
  files = new Map();

  add(section, message) {
    if (!FILES.includes(section)) return;
    const part = { 1: "", 2: "", 3: "", 4: 0, 5: 0, 6: new Uint8Array(0) };
    for (const { number, wireType, value } of fields(message)) {
      if (!(number in part) || wireType !== (number === 4 || number === 5 ? 0 : 2)) continue;
      part[number] = number <= 3 ? hex(value) : value;
    }
    const [offset, total, content] = [part[4], part[5], part[6]];
    const key = [section, part[1], part[2], part[3]].join();
    if (!this.files.has(key)) this.files.set(key, { section, total, parts: new Map(), agree: true });
    const file = this.files.get(key);
    const isInside = BigInt(offset) + BigInt(content.length) <= BigInt(total);
    file.agree &&= isInside && total === file.total;
    if (!content.length) return;
    const [digest, same] = [H(content), file.parts.get(offset)];
    if (!same) file.parts.set(offset, { length: content.length, digest });
    else file.agree &&= same.length === content.length && equal(same.digest, digest);
  }

  /// Throws if the parts of a file are not the whole of it.
  check() {
    for (const section of FILES) {
      for (const file of this.files.values()) {
        require(file.section !== section || isWhole(file), `section ${section}: a file whose parts are not the whole of it`);
      }
    }
  }
}

function isWhole({ total, parts, agree }) {
  let end = 0;
  for (const [offset, { length }] of [...parts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (offset !== end) return false;
    end += length;
  }
  return agree && end === total;
}
