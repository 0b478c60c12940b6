import { ascii, hex } from "./bytes.mjs";
import { keccak256 } from "./crypto.mjs";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/// Text in UTF-8, or null if the bytes are none.
export function text(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/// Packed text, or null if it is invalid.
export function unpackText(bytes) {
  if (!bytes.length) return "";
  const [form, payload] = [bytes[0], bytes.subarray(1)];
  if (!payload.length) return null;
  if (form === 0) return text(payload);
  if (form === 1) return `0x${hex(payload)}`;
  if (form === 2) return payload.length >= 8 ? hex(payload) : null;
  if (form === 3) return payload.length === 20 ? mixedCase(hex(payload)) : null;
  if (form > 5 || payload.length !== 16) return null;
  const uuid = hex(payload).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  return form === 4 ? uuid.toUpperCase() : uuid;
}

/// The address as EIP-55 writes it.
function mixedCase(digits) {
  const hash = hex(keccak256(ascii(digits)));
  return `0x${[...digits].map((digit, i) => (hash[i] >= "8" ? digit.toUpperCase() : digit)).join("")}`;
}
