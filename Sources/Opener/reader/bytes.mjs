import { require } from "./verdict.mjs";

export const MIB = 2 ** 20;
export const TIB = 2 ** 40;
export const NONE = new Uint8Array(0);

const encoder = new TextEncoder();

/// The bytes of a text in UTF-8.
export const ascii = (text) => encoder.encode(text);

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += DIGITS[byte];
  return text;
}

/// The bytes of a text in hexadecimal, or null if it is none.
export function unhex(text) {
  if (text.length % 2 || !/^[0-9a-fA-F]*$/.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

export function concat(...parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/// Compares in a time that depends on the lengths alone.
export function equal(a, b) {
  if (a.length !== b.length) return false;
  let different = 0;
  for (let i = 0; i < a.length; i++) different |= a[i] ^ b[i];
  return different === 0;
}

export const startsWith = (bytes, prefix) => bytes.length >= prefix.length && prefix.every((byte, i) => byte === bytes[i]);

export const isZero = (bytes) => bytes.every((byte) => byte === 0);

/// A little-endian integer of up to 8 bytes: a number where that is exact, else a BigInt.
export function integer(bytes) {
  let value = 0;
  for (let i = Math.min(bytes.length, 6) - 1; i >= 0; i--) value = value * 256 + bytes[i];
  const high = (bytes[6] ?? 0) + (bytes[7] ?? 0) * 256;
  return high < 32 ? value + high * 2 ** 48 : BigInt(value) + (BigInt(high) << 48n);
}

/// The same as a BigInt.
export const big = (bytes) => BigInt(integer(bytes));

/// A number where that is exact, else the BigInt.
export const plain = (value) => (value <= Number.MAX_SAFE_INTEGER ? Number(value) : value);

export const u16 = (value) => Uint8Array.of(value & 255, value >> 8);

export function u64(value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return bytes;
}

/// A varint in the fewest bytes.
export function varint(value) {
  const bytes = [];
  while (value > 127) {
    bytes.push((value % 128) | 128);
    value = Math.floor(value / 128);
  }
  bytes.push(value);
  return Uint8Array.from(bytes);
}

/// PADMÉ, for n from 4.
export function padme(n) {
  const E = Math.floor(Math.log2(n));
  const S = Math.floor(Math.log2(E)) + 1;
  const step = 2 ** (E - S);
  return Math.ceil(n / step) * step;
}

/// Reads a structure from its start; `what` names it where it ends early.
export class Cursor {
  constructor(data, what) {
    this.data = data;
    this.what = what;
    this.at = 0;
  }

  get more() {
    return this.at < this.data.length;
  }

  bytes(count) {
    require(typeof count === "number" && count <= this.data.length - this.at, `${this.what} ends early`);
    this.at += count;
    return this.data.subarray(this.at - count, this.at);
  }

  number(count) {
    return integer(this.bytes(count));
  }

  byte() {
    require(this.at < this.data.length, `${this.what} ends early`);
    return this.data[this.at++];
  }

  /// A varint: a number where that is exact, else a BigInt.
  varint() {
    let value = 0;
    for (let i = 0; i < 10; i++) {
      const byte = this.byte();
      if (i < 7) value += (byte & 127) * 2 ** (7 * i);
      else {
        if (i === 7) value = BigInt(value);
        value |= BigInt(byte & 127) << BigInt(7 * i);
      }
      if (byte < 128) {
        require(i < 9 || byte < 2, `${this.what}: a varint is too large`);
        return i < 7 ? value : plain(value);
      }
    }
    require(false, `${this.what}: a varint is too long`);
  }
}
