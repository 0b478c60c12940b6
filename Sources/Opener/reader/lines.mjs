import { concat, varint } from "./bytes.mjs";
import { decode } from "./decode.mjs";
import { text } from "./packed.mjs";
import { MESSAGES, SCHEMA } from "./schema.mjs";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// One message as `fueki-backup export` writes it in JSON, without a line end.
export const jsonLine = (id, message) => objectText(MESSAGES[id], decode(id, message));

function objectText(name, record) {
  const members = [];
  for (const field of SCHEMA.get(name)) {
    // A file's bytes are in a file of their own.
    const isLeft = field.name === "extra" || (field.name === "content" && name === "FilePart");
    const value = record[field.name];
    if (isLeft || value === undefined || (field.presence === "list" && !value.length)) continue;
    members.push(memberText(field, value));
  }
  if (record.extra?.length) members.push(memberText({ name: "extra", type: "Extra", presence: "list" }, record.extra));
  if (record.unknown) members.push(`"unknown_fields":"${base64(concat(...record.unknown.map(fieldBytes)))}"`);
  return `{${members.join(",")}}`;
}

function memberText({ name, type, presence }, value) {
  const spelled = presence === "list" ? `[${value.map((one) => valueText(type, one)).join(",")}]` : valueText(type, value);
  return `"${name}":${spelled}`;
}

function valueText(type, value) {
  if (SCHEMA.has(type)) return objectText(type, value);
  if (type === "time") return `"${timeText(value)}"`;
  if (type === "double") return doubleText(value);
  if (type === "bytes") return `"${base64(value)}"`;
  if (type === "path") value = text(value) ?? { bytes: value };
  if (value?.bytes) return `{"bytes":"${base64(value.bytes)}"}`;
  return typeof value === "string" ? quoted(value) : String(value);
}

const ESCAPES = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" };

function quoted(value) {
  const escape = (letter) => ESCAPES[letter] ?? `\\u00${letter.charCodeAt(0).toString(16).padStart(2, "0")}`;
  return `"${value.replace(/["\\\u0000-\u001f]/g, escape)}"`;
}

/// Base64 with padding.
export function base64(bytes) {
  let result = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const group = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    result += DIGITS[group >> 18] + DIGITS[(group >> 12) & 63];
    result += i + 1 < bytes.length ? DIGITS[(group >> 6) & 63] : "=";
    result += i + 2 < bytes.length ? DIGITS[group & 63] : "=";
  }
  return result;
}

/// An instant as ISO 8601 with six digits of fraction; years outside 0 to 9999 have a sign and at least six digits.
export function timeText(microseconds) {
  const instant = BigInt(microseconds);
  const perDay = 86_400_000_000n;
  const rest = ((instant % perDay) + perDay) % perDay;
  const { year, month, day } = civil(Number((instant - rest) / perDay));
  const pad = (value, width) => String(value).padStart(width, "0");
  const date = year >= 0 && year <= 9999 ? pad(year, 4) : `${year < 0 ? "-" : "+"}${pad(Math.abs(year), 6)}`;
  const seconds = Number(rest / 1_000_000n);
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((value) => pad(value, 2));
  return `${date}-${pad(month, 2)}-${pad(day, 2)}T${time.join(":")}.${pad(rest % 1_000_000n, 6)}Z`;
}

/// The date of a day since 1970, in the Gregorian calendar.
function civil(days) {
  const shifted = days + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

function doubleText(value) {
  if (!Number.isFinite(value)) return quoted(Number.isNaN(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
  const size = Math.abs(value);
  if (size && (size < 1e-4 || size >= 2 ** 53)) return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  const digits = Object.is(value, -0) ? "-0" : String(value);
  return digits.includes(".") ? digits : `${digits}.0`;
}

/// A field's bytes as they were, with its key and varints in the fewest bytes.
function fieldBytes({ number, wireType, value }) {
  const key = varint(number * 8 + wireType);
  if (wireType === 0) return concat(key, varintOf(BigInt(value)));
  return wireType === 2 ? concat(key, varint(value.length), value) : concat(key, value);
}

function varintOf(value) {
  const bytes = [];
  for (; value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128);
  return Uint8Array.of(...bytes, Number(value));
}
