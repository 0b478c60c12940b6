// Writes ZIP files: stored members, names in UTF-8, times and permissions as extended fields, ZIP64 where it is needed.

const LIMIT32 = 0xffffffff;
const LIMIT16 = 0xffff;

/**
 * A ZIP file in the making. Its members' contents are written elsewhere, in the order of `end` calls: a header stands
 * before a content, and holds its checksum.
 */
export class ZipWriter {
  #directory = [];
  #offset = 0;
  #current = null;

  /** Begins a member; `time` is in seconds since 1970. */
  begin(name, time, mode) {
    this.#current = { name: new TextEncoder().encode(name), time, mode, size: 0, crc: 0xffffffff };
  }

  /** Counts some of the member's content. */
  add(bytes) {
    this.#current.crc = crc32(this.#current.crc, bytes);
    this.#current.size += bytes.length;
  }

  /** Ends the member, and returns the header that stands before its content. */
  end() {
    const member = { ...this.#current, crc: (this.#current.crc ^ 0xffffffff) >>> 0, offset: this.#offset };
    const header = localHeader(member);
    this.#offset += header.length + member.size;
    this.#directory.push(member);
    return header;
  }

  /** Returns the directory, which ends the file. */
  finish() {
    const entries = this.#directory.map(directoryEntry);
    const size = entries.reduce((sum, entry) => sum + entry.length, 0);
    const count = this.#directory.length;
    const end = new Fields();
    if (count >= LIMIT16 || size >= LIMIT32 || this.#offset >= LIMIT32) {
      end.u32(0x06064b50).u64(44).u16(0x032d).u16(45).u32(0).u32(0).u64(count).u64(count).u64(size).u64(this.#offset);
      end.u32(0x07064b50).u32(0).u64(this.#offset + size).u32(1);
    }
    end.u32(0x06054b50).u16(0).u16(0).u16(Math.min(count, LIMIT16)).u16(Math.min(count, LIMIT16));
    end.u32(Math.min(size, LIMIT32)).u32(Math.min(this.#offset, LIMIT32)).u16(0);
    return joined([...entries, end.bytes]);
  }
}

function localHeader(member) {
  const isLarge = member.size >= LIMIT32;
  const extra = timeField(member.time);
  if (isLarge) extra.u16(1).u16(16).u64(member.size).u64(member.size);
  const header = new Fields().u32(0x04034b50);
  common(header, member, isLarge ? LIMIT32 : member.size, isLarge);
  header.u16(member.name.length).u16(extra.length);
  return joined([header.bytes, member.name, extra.bytes]);
}

function directoryEntry(member) {
  const isLarge = member.size >= LIMIT32;
  const isFar = member.offset >= LIMIT32;
  const extra = timeField(member.time);
  if (isLarge || isFar) {
    extra.u16(1).u16((isLarge ? 16 : 0) + (isFar ? 8 : 0));
    if (isLarge) extra.u64(member.size).u64(member.size);
    if (isFar) extra.u64(member.offset);
  }
  const entry = new Fields().u32(0x02014b50).u16(0x032d);
  common(entry, member, isLarge ? LIMIT32 : member.size, isLarge || isFar);
  entry.u16(member.name.length).u16(extra.length).u16(0).u16(0).u16(0);
  // A regular file of Unix, for its owner alone.
  const mode = 0o100400 | ((member.mode ?? 0o600) & 0o700);
  entry.u32(mode * 65536).u32(isFar ? LIMIT32 : member.offset);
  return joined([entry.bytes, member.name, extra.bytes]);
}

function common(fields, member, size, needsZip64) {
  const date = new Date(Math.min(Math.max(member.time, 315619200), 4354732800) * 1000);
  const time = date.getHours() << 11 | date.getMinutes() << 5 | date.getSeconds() >> 1;
  const day = (date.getFullYear() - 1980) << 9 | (date.getMonth() + 1) << 5 | date.getDate();
  // Bit 11: the name is UTF-8.
  fields.u16(needsZip64 ? 45 : 20).u16(0x0800).u16(0).u16(time).u16(day).u32(member.crc).u32(size).u32(size);
}

/** The time in seconds since 1970, which has no zone. */
function timeField(time) {
  const fits = Math.min(Math.max(Math.floor(time), -0x80000000), 0x7fffffff);
  return new Fields().u16(0x5455).u16(5).u8(1).u32(fits >>> 0);
}

/** Little-endian numbers, one after another. */
class Fields {
  #bytes = [];
  get length() { return this.#bytes.length; }
  get bytes() { return Uint8Array.from(this.#bytes); }
  u8(value) { this.#bytes.push(value & 255); return this; }
  u16(value) { return this.u8(value).u8(value >>> 8); }
  u32(value) { return this.u16(value & 0xffff).u16(Math.floor(value / 65536) & 0xffff); }
  u64(value) { return this.u32(value % 4294967296).u32(Math.floor(value / 4294967296)); }
}

/** Bytes one after another. */
export function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    all.set(part, place);
    place += part.length;
  }
  return all;
}

// Four tables: four bytes at a time.
const TABLES = crcTables();

function crcTables() {
  const tables = [0, 1, 2, 3].map(() => new Uint32Array(256));
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    tables[0][byte] = value;
  }
  for (let byte = 0; byte < 256; byte += 1) {
    for (let table = 1; table < 4; table += 1) {
      const before = tables[table - 1][byte];
      tables[table][byte] = (before >>> 8) ^ tables[0][before & 255];
    }
  }
  return tables;
}

function crc32(crc, bytes) {
  const [one, two, three, four] = TABLES;
  let place = 0;
  for (; place + 4 <= bytes.length; place += 4) {
    crc ^= bytes[place] | bytes[place + 1] << 8 | bytes[place + 2] << 16 | bytes[place + 3] << 24;
    crc = four[crc & 255] ^ three[crc >>> 8 & 255] ^ two[crc >>> 16 & 255] ^ one[crc >>> 24];
  }
  for (; place < bytes.length; place += 1) crc = one[(crc ^ bytes[place]) & 255] ^ (crc >>> 8);
  return crc;
}
