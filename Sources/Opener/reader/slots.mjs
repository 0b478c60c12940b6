import { Cursor, hex, integer, NONE } from "./bytes.mjs";
import { LIMIT, require } from "./verdict.mjs";

/// The names of the slot types.
export const SLOT_TYPES = {
  1: "passphrase",
  2: "passphrase and key file",
  3: "X25519",
  4: "guardians",
  5: "hybrid",
  6: "hybrid guardians",
  7: "age plugin",
};

export const ENCAPSULATION = 1120;

/// Scopes of a mask, ascending.
export const scopesOf = (mask) => [1, 2, 3].filter((s) => mask & (1 << (s - 1)));

/// The slots. Every slot of a known type is checked, tried or not.
export function parseSlots(data) {
  const cursor = new Cursor(data, "the slots");
  const raw = [];
  while (cursor.more) {
    require(raw.length < 32, "more than 32 slots", LIMIT);
    raw.push({ type: cursor.byte(), mask: cursor.byte(), body: cursor.bytes(cursor.number(2)) });
  }
  require(raw.length && raw.every(({ mask }) => mask >= 1 && mask <= 7), "no slots, or a slot's mask");
  const seen = new Set();
  return raw.map(({ type, mask, body }) => {
    if (!(type in SLOT_TYPES)) return { type, mask, parameters: NONE };
    const size = parametersLength(type, mask, body);
    require(body.length === size + 48 + 32 * scopesOf(mask).length, "a slot's length");
    const slot = { type, mask, parameters: body.subarray(0, size) };
    slot.commitment = body.subarray(size, size + 32);
    slot.wrapped = body.subarray(size + 32);
    Object.assign(slot, details(slot));
    const key = hex(slot.parameters);
    require(!seen.has(key), "two slots share parameters");
    seen.add(key);
    return slot;
  });
}

function parametersLength(type, mask, body) {
  if (type <= 2) return 24;
  if (type === 7) return Math.max(0, body.length - 48 - 32 * scopesOf(mask).length);
  const sealed = type <= 4 ? 32 : ENCAPSULATION;
  return type === 3 || type === 5 ? sealed : sealed + 4 + 4 * (body[sealed + 1] ?? 0);
}

function details({ type, parameters }) {
  if (type <= 2) {
    return {
      salt: parameters.subarray(0, 16),
      memory: integer(parameters.subarray(16, 20)),
      passes: integer(parameters.subarray(20)),
    };
  }
  if (type === 7) return checkStanzas(parameters);
  const sealed = parameters.subarray(0, type <= 4 ? 32 : ENCAPSULATION);
  if (type === 3 || type === 5) return { sealed };
  const numbers = parameters.subarray(sealed.length);
  const [threshold, count] = numbers;
  const identifier = integer(numbers.subarray(2, 4));
  const isInRange = threshold >= 2 && threshold <= count && count <= 16 && identifier < 2 ** 15;
  require(isInRange, "a guardians slot's numbers");
  return { sealed, threshold, count, identifier, tags: numbers.subarray(4) };
}

/// Checks the stanzas of an age plugin, in a slot of type 7.
function checkStanzas(parameters) {
  require(parameters.length <= 16384, "a plugin slot's parameters are too long");
  const cursor = new Cursor(parameters, "a plugin slot's stanzas");
  const stanzas = cursor.byte();
  require(stanzas >= 1 && stanzas <= 4, "a plugin slot's number of stanzas");
  for (let i = 0; i < stanzas; i++) {
    const count = cursor.byte();
    require(count >= 1 && count <= 16, "a stanza's number of arguments");
    for (let j = 0; j < count; j++) {
      const argument = cursor.bytes(cursor.number(2));
      require(argument.length >= 1 && argument.length <= 2048, "an argument's length");
      require(argument.every((byte) => byte >= 0x21 && byte <= 0x7e), "an argument's bytes");
    }
    const length = cursor.number(2);
    require(length <= 4096, "a stanza's body is too long");
    cursor.bytes(length);
  }
  require(!cursor.more, "a plugin slot's parameters go on");
}
