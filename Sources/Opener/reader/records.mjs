import { Cursor } from "./bytes.mjs";
import { LARGEST } from "./index.mjs";
import { LIMIT, require, Verdict } from "./verdict.mjs";

/// The messages of a block's records.
export function* records(block) {
  const cursor = new Cursor(block, "a record");
  while (cursor.more) {
    const start = cursor.at;
    const size = cursor.varint();
    const prefix = cursor.at - start;
    require(prefix === 1 || block[cursor.at - 1] !== 0, "a record's length is not minimal");
    require(size <= LARGEST - prefix, "a record over 16 MiB", LIMIT);
    yield cursor.bytes(size);
  }
}

/// A message's fields in order: number, wire type, and the value: bytes in wire types 1, 2 and 5.
export function* fields(message) {
  const cursor = new Cursor(message, "a message");
  while (cursor.more) {
    const key = cursor.varint();
    require(key >= 8 && key < 2 ** 32, "a field's key");
    const wireType = key % 8;
    require([0, 1, 2, 5].includes(wireType), "a message's wire type");
    const number = Math.floor(key / 8);
    if (wireType === 0) yield { number, wireType, value: cursor.varint() };
    else {
      const length = wireType === 2 ? cursor.varint() : wireType === 1 ? 8 : 4;
      yield { number, wireType, value: cursor.bytes(length) };
    }
  }
}

/// The fields with one of these numbers; null if the message is no sequence of fields.
export function wholeFields(message, ...numbers) {
  try {
    const found = [];
    for (const field of fields(message)) if (numbers.includes(field.number)) found.push(field);
    return found;
  } catch (error) {
    if (error instanceof Verdict) return null;
    throw error;
  }
}
