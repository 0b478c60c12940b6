import { ascii, big, Cursor, equal, integer, isZero, plain } from "./bytes.mjs";
import { H } from "./crypto.mjs";
import { parseSlots } from "./slots.mjs";
import { require, TOO_NEW } from "./verdict.mjs";

/// The known fields' lengths; null where they vary.
const KNOWN = new Map([
  [0x8001, 2],
  [0x8002, 32],
  [0x8003, 16],
  [0x8004, 8],
  [0x8005, 32],
  [0x8006, 8],
  [0x8007, 32],
  [0x8008, null],
  [0x8009, 96],
  [0x800b, 40],
  [0x800c, 0],
]);
const OPTIONAL = [0x8007, 0x800b, 0x800c];

/// Step 2. The fields by their meaning, the slots and the transcript T.
export function parseHeader(header, L) {
  const [major, minor] = [integer(header.subarray(8, 10)), integer(header.subarray(10, 12))];
  require(major < 2, `version ${major}.${minor}; this reader knows 1.0`, TOO_NEW);
  require(major === 1 && integer(header.subarray(12, 16)) === L, "version 0, or another length in the header");
  const { fields, bound } = parseFields(header.subarray(16, -32));
  for (const tag of fields.keys()) {
    require(tag < 0x8000 || KNOWN.has(tag), `critical field 0x${tag.toString(16)}`, TOO_NEW);
  }
  const suite = fields.get(0x8001);
  require(suite?.length !== 2 || [1, 3].includes(integer(suite)), `suite ${suite && integer(suite)}`, TOO_NEW);
  for (const [tag, length] of KNOWN) {
    const value = fields.get(tag);
    require(value || OPTIONAL.includes(tag), `field 0x${tag.toString(16)} is missing`);
    require(!value || length === null || length === value.length, `field 0x${tag.toString(16)} has another length`);
  }
  const parsed = {
    minor,
    suite: integer(suite),
    archiveID: fields.get(0x8002),
    vault: fields.get(0x8003),
    sequence: big(fields.get(0x8004)),
    previous: fields.get(0x8005),
    created: plain(big(fields.get(0x8006))),
    signer: fields.get(0x8007) ?? null,
    coversSeals: fields.has(0x800c),
    confirmations: fields.get(0x8009),
    base: baseOf(fields.get(0x800b)),
    unknownFields: [...fields.keys()].filter((tag) => !KNOWN.has(tag)),
    T: H(ascii("fueki/1 transcript"), header.subarray(0, 16), ...bound),
  };
  checkNumbers(parsed);
  return { ...parsed, slots: parseSlots(fields.get(0x8008)) };
}

/// The fields by tag, and the bytes of those that the transcript covers.
function parseFields(bytes) {
  const cursor = new Cursor(bytes, "the header");
  const fields = new Map();
  const bound = [];
  let last = -1;
  while (cursor.more) {
    const start = cursor.at;
    const tag = cursor.number(2);
    require(tag > last, "header fields out of order");
    fields.set(tag, cursor.bytes(cursor.number(4)));
    if (tag !== 0x8009) bound.push(bytes.subarray(start, cursor.at));
    last = tag;
  }
  return { fields, bound };
}

const baseOf = (value) => (value ? { digest: value.subarray(0, 32), sequence: big(value.subarray(32)) } : null);

function checkNumbers({ signer, coversSeals, sequence, previous, base }) {
  require(signer || !coversSeals, "a signature that covers the seals, and no signer");
  require(sequence > 1n || (sequence === 1n && isZero(previous)), "sequence and previous");
  if (!base) return;
  require(base.sequence >= 1n && base.sequence < sequence && !isZero(base.digest), "the base's sequence or digest");
  const isBase = equal(previous, base.digest);
  const isNext = base.sequence === sequence - 1n;
  require(isNext ? isBase || isZero(previous) : !isBase, "base and previous");
}
