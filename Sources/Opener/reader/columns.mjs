import { Cursor, varint } from "./bytes.mjs";
import { require } from "./verdict.mjs";

/// The plaintext of a column form; column 0 is that of raw records.
export function fromColumns(form, plain) {
  const cursor = new Cursor(form, "a column form");
  const { shapes, numbers } = readShapes(cursor, plain);
  const counts = countValues(shapes, numbers);
  const columns = new Map();
  for (const key of [...counts.keys()].sort((a, b) => a - b)) columns.set(key, readColumn(cursor, key, counts.get(key)));
  require(!cursor.more, "a column form goes on");
  return write(shapes, numbers, columns, plain);
}

function readShapes(cursor, plain) {
  const [records, count] = [cursor.number(4), cursor.number(2)];
  require(records >= 1 && records <= plain, "a column form's number of records");
  require(count >= 1 && count <= 4096, "a column form's number of shapes");
  const shapes = [];
  for (let i = 0; i < count; i++) shapes.push(readShape(cursor));
  require(!shapes[0].length, "shape 0 has tags");
  const bytes = cursor.bytes(2 * records);
  const numbers = new Uint16Array(records);
  let tags = 0;
  for (let i = 0; i < records; i++) {
    numbers[i] = bytes[2 * i] | (bytes[2 * i + 1] << 8);
    require(numbers[i] < count, "a record's shape");
    tags += shapes[numbers[i]].length;
  }
  require(tags <= plain, "a column form's sum of tags");
  return { shapes, numbers };
}

function readShape(cursor) {
  const count = cursor.number(2);
  require(count <= 256, "a shape of more than 256 tags");
  const tags = [];
  for (let i = 0; i < count; i++) {
    const tag = minimalVarint(cursor);
    const isTag = tag >= 8 && tag < 2 ** 32 && [0, 1, 2, 5].includes(tag % 8);
    require(isTag, "a shape's tag");
    tags.push(tag);
  }
  return tags;
}

function countValues(shapes, numbers) {
  const uses = new Uint32Array(shapes.length);
  for (const number of numbers) uses[number] += 1;
  const counts = new Map([[0, uses[0]]]);
  shapes.forEach((shape, i) => {
    for (const tag of shape) counts.set(tag, (counts.get(tag) ?? 0) + uses[i]);
  });
  return counts;
}

/// A varint in the fewest bytes: a number where that is exact, else a BigInt.
function minimalVarint(cursor) {
  const start = cursor.at;
  const value = cursor.varint();
  require(cursor.at - start === 1 || cursor.data[cursor.at - 1] !== 0, "a varint that is not minimal in a column form");
  return value;
}

/// A column as cursors over its values, which are validated first.
function readColumn(cursor, key, count) {
  const wireType = key & 7;
  if (wireType === 1 || wireType === 5) {
    const width = wireType === 1 ? 8 : 4;
    return { width, values: new Cursor(cursor.bytes(width * count), "a column") };
  }
  const length = cursor.number(4);
  require(length <= cursor.data.length - cursor.at, "a column goes beyond its form");
  const numbers = new Cursor(cursor.bytes(length), "a column");
  let payloads = 0;
  for (let i = 0; i < count; i++) {
    const value = minimalVarint(numbers);
    if (wireType === 2 || !key) {
      require(value <= cursor.data.length - cursor.at - payloads, "a column's payload ends early");
      payloads += value;
    }
  }
  require(!numbers.more, "a column's byte length");
  numbers.at = 0;
  if (wireType === 0 && key) return { values: numbers };
  return { lengths: numbers, payloads: new Cursor(cursor.bytes(payloads), "a column") };
}

const isPayload = (column) => column.lengths !== undefined;

/// The next value as it is in a message, without a payload's length.
function next(column) {
  if (isPayload(column)) return column.payloads.bytes(column.lengths.varint());
  if (column.width) return column.values.bytes(column.width);
  const start = column.values.at;
  column.values.varint();
  return column.values.data.subarray(start, column.values.at);
}

function write(shapes, numbers, columns, plain) {
  const output = new Uint8Array(plain);
  const tags = shapes.map((shape) => shape.map((tag) => ({ bytes: varint(tag), column: columns.get(tag) })));
  let at = 0;
  const put = (bytes) => {
    require(bytes.length <= plain - at, "a column form gives too much");
    output.set(bytes, at);
    at += bytes.length;
  };
  for (const number of numbers) {
    const parts = number === 0 ? [next(columns.get(0))] : [];
    for (const { bytes, column } of tags[number]) {
      const value = next(column);
      parts.push(bytes);
      if (isPayload(column)) parts.push(varint(value.length));
      parts.push(value);
    }
    put(varint(parts.reduce((sum, part) => sum + part.length, 0)));
    parts.forEach(put);
  }
  require(at === plain, "a column form gives too little");
  return output;
}
