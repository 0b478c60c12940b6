import { ascii, concat, equal } from "./bytes.mjs";
import { H, hmac, pbkdf2 } from "./crypto.mjs";
import { SHARE_WORDS } from "./share-words.mjs";
import { require } from "./verdict.mjs";

const PLACES = new Map(SHARE_WORDS.map((word, i) => [word, i]));
const GENERATORS = [
  0xe0e040, 0x1c1c080, 0x3838100, 0x7070200, 0xe0e0009, 0x1c0c2412, 0x38086c24, 0x3090fc48, 0x21b1f890, 0x3f3f120,
];

export const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

const tagOf = (vault, words) => H(ascii("fueki/1 guardian"), vault, ascii(words.join(" "))).subarray(0, 4);

/// The guardians' private key from shares of a slot, or null if good ones are too few; reports the faults of the others.
export function combine(slot, shares, vault, report) {
  const { threshold } = slot;
  const good = new Map();
  const tagged = new Set();
  const problems = [];
  shares.forEach((text, i) => {
    const { share, fault, carriesTag } = judge(slot, wordsOf(text), vault);
    if (carriesTag) tagged.add(share.member);
    const found = fault ?? (good.has(share.member) ? "doubled" : null);
    if (found) problems.push({ place: i + 1, fault: found });
    else good.set(share.member, share);
  });
  // Of several slots, report the one that most shares are good for.
  if (good.size >= (report.good ?? 0)) {
    report.good = good.size;
    report.shares = { missing: Math.max(0, threshold - good.size), problems };
  }
  if (good.size < threshold) {
    require(tagged.size < threshold, "the slot's own shares are of several sets");
    return null;
  }
  const chosen = [...good.values()].sort((a, b) => a.member - b.member).slice(0, threshold);
  require(chosen.every((share) => isOfSlot(share, threshold)), "the shares' own numbers");
  return recover(chosen, slot.identifier);
}

/// Judges words as a share of a slot.
export function judge({ count, tags, identifier }, words, vault) {
  const share = parseShare(words);
  if (!share) return { share, fault: "not a share", carriesTag: false };
  const { member } = share;
  const carriesTag = member < count && equal(tagOf(vault, words), tags.subarray(4 * member, 4 * member + 4));
  return { share, fault: carriesTag && share.identifier === identifier ? null : "foreign", carriesTag };
}

function isOfSlot({ exponent, group, groupThreshold, groups, threshold, value }, wanted) {
  const isPlain = exponent === 1 && group === 0 && groupThreshold === 1 && groups === 1;
  return isPlain && threshold === wanted && value.length === 32;
}

function recover(shares, identifier) {
  const encrypted = interpolate(shares, 255);
  const check = interpolate(shares, 254);
  const tag = hmac(check.subarray(4), encrypted).subarray(0, 4);
  require(equal(tag, check.subarray(0, 4)), "the shares do not combine");
  let [l, r] = [encrypted.subarray(0, 16), encrypted.subarray(16)];
  for (const i of [3, 2, 1, 0]) {
    const salt = concat(ascii("shamir"), Uint8Array.of(identifier >> 8, identifier & 255), r);
    const key = pbkdf2(Uint8Array.of(i), salt, 5000);
    [l, r] = [r, l.map((byte, n) => byte ^ key[n])];
  }
  return concat(r, l);
}

/// A share's numbers and value; null if the words are none.
export function parseShare(words) {
  const values = words.map((word) => PLACES.get(word));
  if (values.includes(undefined) || !hasChecksum(values)) return null;
  const bits = values.slice(0, -3).map((value) => value.toString(2).padStart(10, "0")).join("");
  const number = (from, to) => parseInt(bits.slice(from, to), 2);
  const fill = (bits.length - 40) % 16;
  const size = Math.floor((bits.length - 40) / 16) * 2;
  if (fill > 8 || size < 16 || size > 64 || bits.slice(40, 40 + fill).includes("1")) return null;
  const [isExtendable, groupThreshold, groups] = [number(15, 16), number(24, 28) + 1, number(28, 32) + 1];
  if (isExtendable || groupThreshold > groups) return null;
  const value = Uint8Array.from({ length: size }, (_, i) => number(40 + fill + 8 * i, 48 + fill + 8 * i));
  return {
    identifier: number(0, 15),
    exponent: number(16, 20),
    group: number(20, 24),
    groupThreshold,
    groups,
    member: number(32, 36),
    threshold: number(36, 40) + 1,
    value,
  };
}

/// RS1024 over "shamir" and the words' numbers, of which there are at least 20.
export function hasChecksum(values) {
  let checksum = 1;
  for (const value of [...ascii("shamir"), ...values]) {
    const top = checksum >>> 20;
    checksum = ((checksum & 0xfffff) << 10) ^ value;
    GENERATORS.forEach((generator, i) => (checksum ^= (top >> i) & 1 ? generator : 0));
  }
  return values.length >= 20 && checksum === 1;
}

/// The product in GF(256) with the polynomial of Rijndael.
function times(a, b) {
  let product = 0;
  for (let i = 0; i < 8; i++) {
    product ^= a * ((b >> i) & 1);
    a = (a << 1) ^ (a & 128 ? 0x11b : 0);
  }
  return product;
}

/// The inverse, which is the 254th power.
function inverse(a) {
  let power = 1;
  for (let i = 0; i < 254; i++) power = times(power, a);
  return power;
}

function interpolate(shares, x) {
  const result = new Uint8Array(shares[0].value.length);
  for (const { member: own, value } of shares) {
    let basis = 1;
    for (const { member } of shares) {
      if (member !== own) basis = times(basis, times(x ^ member, inverse(own ^ member)));
    }
    value.forEach((byte, i) => (result[i] ^= times(basis, byte)));
  }
  return result;
}
