import { concat, equal } from "./bytes.mjs";
import { aeadOpen, deriveHere, expand, extract, H, x25519, x25519Base, xwing } from "./crypto.mjs";
import { combine } from "./guardians.mjs";
import { SCOPES } from "./index.mjs";
import { scopesOf } from "./slots.mjs";
import { LIMIT, require, WRONG_SECRET } from "./verdict.mjs";

const MEMORY = 2 ** 20;

/// Steps 5 and 6. The PRK of each scope that the secrets open; `report.shares` receives the result for the guardians' shares.
export async function unwrap(header, secrets, { derive = deriveHere, large = false }, report) {
  const tried = header.slots.filter((slot) => hasSecretFor(slot, secrets));
  checkCosts(tried, large);
  const roots = new Map();
  for (const slot of tried) {
    const place = tried.filter((other) => other.type === slot.type).indexOf(slot);
    for await (const { secret, mustOpen } of slotSecrets(slot, place, secrets, header, derive, report)) {
      const parts = ["fueki/1 slot", Uint8Array.of(slot.type, slot.mask), slot.parameters];
      const okm = expand(extract(header.archiveID, secret), parts, 64);
      secret.fill(0);
      const isItsOwn = equal(okm.subarray(32), slot.commitment);
      require(isItsOwn || !mustOpen, "the shares' key does not open their slot");
      if (isItsOwn) addRoots(roots, slot, aeadOpen(okm.subarray(0, 32), new Uint8Array(24), slot.wrapped));
      okm.fill(0);
    }
  }
  const missing = report.shares?.missing;
  const why = missing ? `${missing} more shares are needed` : "no slot's commitment matches";
  require(roots.size, why, WRONG_SECRET);
  const prks = new Map([...roots.keys()].sort().map((s) => [s, extract(header.archiveID, roots.get(s))]));
  for (const root of roots.values()) root.fill(0);
  return prks;
}

function hasSecretFor({ type }, secrets) {
  const hasShares = secrets.guardiansKey || secrets.shares.length;
  const has = {
    1: secrets.passphrases.length,
    2: secrets.passphrases.length && secrets.keyFile,
    3: secrets.identities.length,
    4: hasShares,
    5: secrets.hybrids.length,
    6: hasShares,
    7: secrets.plugins.length,
  };
  return Boolean(has[type]);
}

function checkCosts(tried, large) {
  const derived = tried.filter(({ type }) => type <= 2);
  require(derived.length <= 4, "more than 4 passphrase slots", LIMIT);
  const scale = large ? 4 : 1;
  for (const { memory, passes } of derived) {
    const isAllowed = memory >= 65536 && memory <= scale * MEMORY && passes >= 2 && passes <= 16;
    require(isAllowed, "the cost of a passphrase slot", LIMIT);
  }
  const together = derived.reduce((sum, { memory, passes }) => sum + memory * passes, 0);
  require(together <= 16 * scale * MEMORY, "the slots' cost", LIMIT);
  require(tried.filter(({ type }) => type === 7).length <= 8, "more than 8 plugin slots", LIMIT);
}

/// The slot's secret from each of the caller's secrets; `mustOpen` if it has to open the slot.
async function* slotSecrets(slot, place, secrets, { vault }, derive, report) {
  const { type, sealed } = slot;
  if (type === 7) {
    const secret = secrets.fileKeys[place];
    if (secret?.length === 16) yield { secret: secret.slice() };
  } else if (type <= 2) {
    for (const passphrase of secrets.passphrases) {
      const { memory, passes } = slot;
      const copy = passphrase.slice();
      const key = await derive({ passphrase: copy, salt: slot.salt.slice(), memory, passes });
      // Without a length it was handed over.
      if (copy.length) copy.fill(0);
      require(key.length === 32, "a key derivation that gave no key", LIMIT);
      yield { secret: type === 1 ? key : concat(key, H(secrets.keyFile)) };
    }
  } else {
    for (const { key, mustOpen } of privateKeys(slot, secrets, vault, report)) {
      yield { secret: type >= 5 ? hybridSecret(key, sealed) : x25519Secret(key, sealed), mustOpen };
    }
  }
}

function privateKeys(slot, secrets, vault, report) {
  if (slot.type === 3) return secrets.identities.map((key) => ({ key }));
  if (slot.type === 5) return secrets.hybrids.map((key) => ({ key }));
  const keys = secrets.guardiansKey ? [{ key: secrets.guardiansKey }] : [];
  const combined = secrets.shares.length ? combine(slot, secrets.shares, vault, report) : null;
  // Good shares that combine belong to this slot.
  return combined ? [...keys, { key: combined, mustOpen: true }] : keys;
}

function x25519Secret(key, sealed) {
  const product = x25519(key, sealed);
  require(product, "an ephemeral key of small order");
  return concat(product, sealed, x25519Base(key));
}

function hybridSecret(seed, sealed) {
  const opened = xwing(seed, sealed);
  require(opened, "an ephemeral key of small order");
  return concat(opened.secret, H(sealed), H(opened.publicKey));
}

function addRoots(roots, { mask }, opened) {
  require(opened, "a slot's keys do not open");
  scopesOf(mask).forEach((scope, i) => {
    const root = opened.subarray(32 * i, 32 * i + 32);
    const other = roots.get(scope);
    require(!other || equal(other, root), "two slots give different keys");
    roots.set(scope, root);
  });
}

/// Checks the confirmations, then the seals, of the open scopes.
export function checkKeys(prks, { T, confirmations }, trailer, digest) {
  for (const [s, prk] of prks) {
    const confirmation = expand(prk, ["fueki/1 confirm", Uint8Array.of(s), T], 32);
    require(equal(confirmation, confirmations.subarray(32 * s - 32, 32 * s)), `the confirmation of ${SCOPES[s]}`);
  }
  for (const [s, prk] of prks) {
    const seal = expand(prk, ["fueki/1 seal", Uint8Array.of(s), digest], 16);
    require(equal(seal, trailer.subarray(168 + 16 * s, 184 + 16 * s)), `the seal of ${SCOPES[s]}`);
  }
}
