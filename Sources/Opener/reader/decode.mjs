import { text, unpackText } from "./packed.mjs";
import { fields } from "./records.mjs";
import { MESSAGES, SCHEMA } from "./schema.mjs";
import { require } from "./verdict.mjs";

const EMPTY = { bool: false, string: "", packed: "" };
const WIRE_TYPES = { double: 1, string: 2, packed: 2, bytes: 2, path: 2 };
const DEPTH = 8;

const wireTypeOf = (type) => (SCHEMA.has(type) ? 2 : (WIRE_TYPES[type] ?? 0));

/// A record's members by their names in the schema; `unknown` has the fields that the schema does not know.
export function decode(id, message) {
  require(id in MESSAGES, `section ${id} is not known`);
  return decodeMessage(MESSAGES[id], message, `section ${id}`, DEPTH);
}

function decodeMessage(name, message, what, depth) {
  require(depth > 0, `${what}: messages too deep in one another`);
  const shape = SCHEMA.get(name);
  const record = {};
  for (const { name, type, presence } of shape) {
    if (presence === "list") record[name] = [];
    else if (presence === "always") record[name] = emptyValue(type);
  }
  const unknown = [];
  for (const field of fields(message)) {
    // A field of another wire type is one that the schema does not know.
    const known = shape.find(({ number, type }) => number === field.number && wireTypeOf(type) === field.wireType);
    if (!known) unknown.push(field);
    else set(record, shape, known, valueOf(known, field, what, depth));
  }
  if (unknown.length) Object.defineProperty(record, "unknown", { value: unknown });
  return record;
}

function set(record, shape, { name, presence }, value) {
  if (presence === "list") record[name].push(value);
  else {
    // The last member of a oneof counts.
    if (presence === "choice") for (const other of shape) if (other.presence === "choice") delete record[other.name];
    record[name] = value;
  }
}

export function emptyValue(type) {
  if (type in EMPTY) return EMPTY[type];
  return type === "bytes" || type === "path" ? new Uint8Array(0) : 0;
}

function valueOf({ name, type }, { value }, what, depth) {
  if (SCHEMA.has(type)) return decodeMessage(type, value, what, depth - 1);
  switch (type) {
    case "string": {
      const found = text(value);
      require(found !== null, `${what}: the field ${name} is not UTF-8`);
      return found;
    }
    case "packed":
      return unpackText(value) ?? { bytes: value.slice() };
    case "bytes":
    case "path":
      return value.slice();
    case "double":
      return new DataView(value.buffer, value.byteOffset, 8).getFloat64(0, true);
    case "bool":
      return value != 0;
    case "uint32":
      return Number(BigInt.asUintN(32, BigInt(value)));
    case "int32":
      return Number(BigInt.asIntN(32, BigInt(value)));
    case "uint64":
      return value;
    default:
      return zigzag(value);
  }
}

/// The number that a sint64 stands for.
function zigzag(value) {
  if (typeof value === "number") return value % 2 ? -(value + 1) / 2 : value / 2;
  const signed = value & 1n ? -((value + 1n) / 2n) : value / 2n;
  return signed >= Number.MIN_SAFE_INTEGER && signed <= Number.MAX_SAFE_INTEGER ? Number(signed) : signed;
}
