import { ascii, MIB, unhex } from "./bytes.mjs";
import { InputError } from "./verdict.mjs";

const LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/// Checks secrets and converts them to the form that slots need. Wipe the result after use.
export function gatherSecrets({ passphrases = [], keyFile = null, identities = [], shares = [], ...more }) {
  if (keyFile && (keyFile.length < 32 || keyFile.length > 64 * MIB)) {
    throw new InputError("key file", "a key file is 32 bytes to 64 MiB");
  }
  const lines = identities.flatMap(keyLines);
  const keys = lines.filter((line) => !line.startsWith("AGE-PLUGIN-")).map(privateKey);
  return {
    passphrases: passphrases.map(normalized),
    keyFile: keyFile?.slice() ?? null,
    identities: keys.filter(({ isHybrid }) => !isHybrid).map(({ key }) => key),
    hybrids: keys.filter(({ isHybrid }) => isHybrid).map(({ key }) => key),
    shares: shares.flatMap(keyLines),
    plugins: lines.filter((line) => line.startsWith("AGE-PLUGIN-")),
    // For tests: a plugin's file key for each slot of type 7, and the key that guardians' shares combine to.
    fileKeys: more.fileKeys ?? [],
    guardiansKey: more.guardiansKey ? privateKey(more.guardiansKey).key : null,
  };
}

export const hasAny = (secrets) => Object.values(secrets).some((value) => value && value.length);

/// Zeros the secrets that the reader holds. Shares are text, which only the garbage collector removes.
export function wipe(secrets) {
  for (const value of Object.values(secrets)) {
    for (const bytes of Array.isArray(value) ? value : [value]) if (bytes instanceof Uint8Array) bytes.fill(0);
    if (Array.isArray(value)) value.length = 0;
  }
  secrets.keyFile = secrets.guardiansKey = null;
}

/// A text's lines without empty ones and comments.
function keyLines(text) {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith("#"));
}

function normalized(passphrase) {
  let text = passphrase;
  try {
    if (text instanceof Uint8Array) text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
  } catch {
    throw new InputError("passphrase", "a passphrase is text in UTF-8");
  }
  const bytes = ascii(text.normalize("NFKC"));
  if (!bytes.length || bytes.length > 1024 || bytes.includes(0)) {
    throw new InputError("passphrase", "a passphrase is 1 to 1024 bytes without U+0000");
  }
  return bytes;
}

/// A private key in hexadecimal or as age writes it, and whether it is the seed of a hybrid one.
function privateKey(text) {
  const plain = text.length === 64 ? unhex(text) : null;
  if (plain) return { key: plain, isHybrid: false };
  const { prefix, data } = bech32(text) ?? {};
  const isHybrid = prefix === "age-secret-key-pq-";
  if (data?.length !== 32 || !(isHybrid || prefix === "age-secret-key-")) {
    throw new InputError("identity", "not an age private key");
  }
  return { key: data, isHybrid };
}

/// The readable part and the bytes of a text in Bech32 without a limit of length; null if it is none.
function bech32(text) {
  const lower = text.toLowerCase();
  if (lower !== text && text.toUpperCase() !== text) return null;
  const split = lower.lastIndexOf("1");
  const prefix = lower.slice(0, Math.max(split, 0));
  const values = [...lower.slice(split + 1)].map((letter) => LETTERS.indexOf(letter));
  if (!prefix || values.length < 6 || values.includes(-1)) return null;
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  let checksum = 1;
  for (const value of [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...values]) {
    const top = checksum >>> 25;
    checksum = ((checksum & 0x1ffffff) << 5) ^ value;
    GENERATORS.forEach((generator, i) => (checksum ^= (top >> i) & 1 ? generator : 0));
  }
  if (checksum !== 1) return null;
  let [held, bits] = [0, 0];
  const data = [];
  for (const value of values.slice(0, -6)) {
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      data.push((held >> bits) & 255);
    }
  }
  return bits < 5 && !(held & ((1 << bits) - 1)) ? { prefix, data: Uint8Array.from(data) } : null;
}
