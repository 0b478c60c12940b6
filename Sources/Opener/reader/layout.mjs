import { ascii, big, equal, hex, integer, isZero, padme, startsWith, TIB } from "./bytes.mjs";
import { H } from "./crypto.mjs";
import { DAMAGED, INCOMPLETE, LIMIT, require, TOO_NEW, Verdict } from "./verdict.mjs";

const MAGIC = Uint8Array.of(0x89, 0x46, 0x4b, 0x41, 0x0d, 0x0a, 0x1a, 0x0a);
const END_MAGIC = Uint8Array.of(0x0a, 0x1a, 0x0a, 0x0d, 0x41, 0x4b, 0x46, 0x89);
export const CHUNK = 16400;
export const TRAILER = 256;
const MOST_HEADER = 65536;
/// No archive begins or ends with as many zeros.
const EDGE = 64;

/// Step 1. Returns the header and the trailer that serve, the numbers of chunks, and what is damaged.
export async function locate(file, salvage) {
  const { length } = file;
  const start = await file.at(0, 16);
  const hasMagic = startsWith(start, MAGIC);
  if (length < 8) require(!startsWith(MAGIC, start), "the file ends in the magic", INCOMPLETE);
  const major = integer(start.subarray(8, 10));
  const L = integer(start.subarray(12, 16));
  const isCutOff = hasMagic && (length < 16 || length < 48 + L);
  const isGood = hasMagic && !isCutOff && L <= MOST_HEADER && isIntact(await file.at(0, 48 + L));
  require(!(isGood && major > 1), `major version ${major}; this reader knows 1`, TOO_NEW);
  require(length <= TIB, "the file is longer than 1 TiB", LIMIT);

  const last = await file.at(length - TRAILER, TRAILER);
  const isAtEnd = isWhole(last);
  const found = isAtEnd ? { trailer: last, end: length } : isGood ? await searchTrailer(file, 48 + L) : null;
  const place = found && placeOf(found, isAtEnd);
  const header = place && (await findHeader(file, found, place, isAtEnd));
  if (!header) throw await refusal(file, { start, hasMagic, isGood, isCutOff, major, L, found, place, isAtEnd });

  const { trailer, end } = found;
  const { N, counts } = place;
  const chunksEnd = header.length + N * CHUNK;
  const damage = [];
  for (const [name, offset, whole] of [
    ["first header", 0, header],
    ["first trailer", chunksEnd, trailer],
    ["header copy", end - 256 - header.length, header],
    ["trailer copy", end - TRAILER, trailer],
  ]) {
    if (!equal(await file.at(offset, whole.length), whole)) damage.push(name);
  }
  const more = [];
  if (end !== length) more.push(`${length - end} bytes after the archive`);
  if (!isZero(trailer.subarray(232, 240))) more.push("reserved bytes that are not zero");
  require(salvage || !more.length, more.join(" and "), DAMAGED);
  damage.push(...more);
  require(length >= 198000, "shorter than any archive");
  require(counts.every((n) => n >= 4 && n === padme(n)), "a stream's number of chunks");
  return { header, trailer, L: header.length - 48, N, counts, damage };
}

const isIntact = (header) => equal(H(header.subarray(0, -32)), header.subarray(-32));

function isWhole(trailer) {
  return (
    trailer.length === TRAILER &&
    equal(trailer.subarray(248), END_MAGIC) &&
    equal(H(ascii("fueki/1 trailer"), trailer.subarray(0, 240)).subarray(0, 8), trailer.subarray(240, 248))
  );
}

const countsOf = (trailer) => [0, 8, 16].map((at) => big(trailer.subarray(at, at + 8)));

const sum = (counts) => counts.reduce((total, count) => total + count, 0n);

async function searchTrailer(file, headerLength) {
  for (let N = Math.floor((file.length - 512 - 2 * headerLength) / 16432); N >= 0; N--) {
    const trailer = (await file.at(headerLength + N * CHUNK, TRAILER)).slice();
    if (isWhole(trailer) && sum(countsOf(trailer)) === BigInt(N)) {
      return { trailer, end: 2 * headerLength + N * 16432 + 512 };
    }
  }
  return null;
}

/// The numbers of chunks, and the header's length that follows from them; null if they do not fit the file.
function placeOf({ trailer, end }) {
  const counts = countsOf(trailer);
  const N = sum(counts);
  const A = BigInt(end) - 512n - N * 16432n;
  if (A < 96n || A % 2n) return { N };
  return { N: Number(N), counts: counts.map(Number), L: Number(A / 2n) - 48 };
}

async function findHeader(file, { trailer, end }, { L }, isAtEnd) {
  if (L === undefined || L > MOST_HEADER) return null;
  for (const offset of isAtEnd ? [0, end - 304 - L] : [0]) {
    const header = (await file.at(offset, 48 + L)).slice();
    const digest = header.subarray(-32);
    if (startsWith(header, MAGIC) && isIntact(header) && equal(digest, trailer.subarray(24, 56))) return header;
  }
  return null;
}

/// The verdict if no header serves.
async function refusal(file, { start, hasMagic, isGood, isCutOff, major, L, found, place, isAtEnd }) {
  const fits = isAtEnd && place.L !== undefined;
  const copy = fits ? await file.at(found.end - 304 - place.L, 16) : start.subarray(0, 0);
  const stated = [start, copy].filter((h) => startsWith(h, MAGIC)).map((h) => integer(h.subarray(12, 16)));
  const isTooLong = fits && place.L > MOST_HEADER && stated.includes(place.L);
  if (isTooLong || (hasMagic && major > 1 && L > MOST_HEADER)) {
    return new Verdict(LIMIT, "the header is over 65536 bytes");
  }
  if (!hasMagic && !startsWith(copy, MAGIC)) return new Verdict("not an archive", "no magic");
  const end = (await file.at(file.length - 8, 8)).slice();
  const isMissing = found
    ? 2n * (48n + BigInt(L)) + BigInt(place.N) * 16432n + 512n > BigInt(file.length)
    : !equal(end, END_MAGIC);
  if ((isGood || isCutOff) && isMissing) return new Verdict(INCOMPLETE, "the end is missing");
  for (const at of [0, file.length - EDGE]) {
    const edge = await file.at(at, EDGE);
    if (edge.length === EDGE && isZero(edge)) return new Verdict(INCOMPLETE, "a part was never filled");
  }
  return new Verdict(DAMAGED, "no header and trailer that are whole and agree");
}

/// The digest that names the archive, from its trailer.
export const archiveDigest = (trailer) => H(ascii("fueki/1 archive"), trailer.subarray(0, 88));

export const statedDigest = (trailer) => hex(trailer.subarray(88, 120));
