import { equal, hex, plain, unhex } from "./bytes.mjs";
import { checkChain } from "./chain.mjs";
import { checkDigests, checkSignature, FINGERPRINT, fingerprint, summary } from "./digests.mjs";
import { parseHeader } from "./header.mjs";
import { PIECE, SCOPES } from "./index.mjs";
import { archiveDigest, locate, statedDigest } from "./layout.mjs";
import { SLOT_TYPES } from "./slots.mjs";
import { WindowedSource } from "./source.mjs";
import { DAMAGED, InputError, Verdict } from "./verdict.mjs";

const LARGE = 2 ** 20;

/// Steps 1 to 4, which need no secret. The verdict is a member; only the source's own errors are thrown.
export async function inspect(source, { trustedSigners = [], known = null, salvage = false, progress } = {}) {
  const asked = { trusted: trustedSigners.map(signerOf), newest: known && knownOf(known) };
  const inspection = { verdict: "ok", canUnlock: false, damage: [], salvage };
  const file = new WindowedSource(source);
  try {
    const layout = await locate(file, salvage);
    inspection.damage = layout.damage;
    const header = parseHeader(layout.header, layout.L);
    Object.assign(inspection, { file, layout, header }, facts(layout, header));
    Object.assign(inspection, await checkDigests(file, layout, salvage, progress));
    judge(inspection, asked);
  } catch (error) {
    if (!(error instanceof Verdict)) throw error;
    Object.assign(inspection, { verdict: error.verdict, why: error.why });
  }
  return inspection;
}

/// Judges an inspected archive by other signers and another newest archive, without reading it again.
export function compare(inspection, { trustedSigners = [], known = null } = {}) {
  const asked = { trusted: trustedSigners.map(signerOf), newest: known && knownOf(known) };
  // Without a digest the archive was not read that far.
  if (!inspection.digest) return inspection;
  const compared = { ...inspection, verdict: "ok", why: undefined, canUnlock: false, reported: undefined };
  try {
    judge(compared, asked);
  } catch (error) {
    if (!(error instanceof Verdict)) throw error;
    Object.assign(compared, { verdict: error.verdict, why: error.why });
  }
  return compared;
}

/// The signature of step 3, and step 4.
function judge(inspection, { trusted, newest }) {
  const { layout, header, digest, lost } = inspection;
  checkSignature(layout, header, trusted, digest, lost);
  inspection.reported = newest ? checkChain(header, digest, newest) : [];
  inspection.canUnlock = true;
  if (layout.damage.length) Object.assign(inspection, { verdict: DAMAGED, why: damageText(inspection) });
}

export function damageText({ damage, salvage }) {
  return `${summary(damage)}; ${salvage ? "the rest is salvaged" : "the rest is whole"}`;
}

function facts(layout, header) {
  const { vault, sequence, previous, created, signer, coversSeals, base } = header;
  return {
    archive: statedDigest(layout.trailer),
    vault: hex(vault),
    sequence: plain(sequence),
    previous: hex(previous),
    created,
    signer: signer && hex(signer),
    fingerprint: signer && hex(fingerprint(signer)),
    seals: coversSeals
      ? "covered by the signature"
      : signer
        ? "not covered by the signature"
        : "unsigned: nothing vouches for them",
    slots: header.slots.map(({ type, mask, memory, passes, threshold, count }) => ({
      ...{ type, mask },
      ...(memory !== undefined && { memory, passes }),
      ...(threshold !== undefined && { threshold, count }),
    })),
    scopes: layout.counts.map((count, i) => ({ name: SCOPES[i + 1], bytes: count * PIECE })),
    ...(base && { base: { digest: hex(base.digest), sequence: plain(base.sequence) } }),
  };
}

/// The kinds of secrets that can open the archive, each once.
export function needs({ slots = [] }) {
  const needed = slots.flatMap(({ type, memory }) => {
    const own = { 1: ["passphrase"], 2: ["passphrase", "key file"], 3: ["identity"], 4: ["shares"] }[type];
    const other = { 5: ["identity"], 6: ["shares"], 7: ["plugin"] }[type];
    return [...(own ?? other ?? []), ...(memory > LARGE ? ["large derivation"] : [])];
  });
  return [...new Set(needed)];
}

/// The name of a slot's type.
export const slotName = ({ type }) => SLOT_TYPES[type] ?? `type ${type}`;

function signerOf(text) {
  const bytes = unhex(text);
  if (bytes?.length !== 32 && bytes?.length !== FINGERPRINT) {
    throw new InputError("signer", "a signer is 64 hexadecimal digits, and a fingerprint 32");
  }
  return bytes;
}

/// The newest archive known. Without a digest only the numbers are compared; without a vault it is of the archive's own.
function knownOf({ vault = null, sequence, digest = null }) {
  const [id, bytes] = [vault, digest].map((text) => text !== null && unhex(String(text)));
  const isValid = /^[0-9]+$/.test(String(sequence)) && (!bytes || bytes.length === 32) && (!id || id.length === 16);
  if (!isValid || bytes === null || id === null) throw new InputError("known", "a sequence and a digest of 64 hexadecimal digits");
  return { vault: id || null, sequence: BigInt(sequence), digest: bytes || null };
}

/// Whether a file has a header and a trailer that serve, and this digest. Its chunks are not read.
export async function hasDigest(source, digest) {
  try {
    const { trailer } = await locate(new WindowedSource(source), true);
    return equal(archiveDigest(trailer), digest);
  } catch (error) {
    if (error instanceof Verdict) return false;
    throw error;
  }
}
