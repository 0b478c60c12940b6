import { ascii, concat, equal, isZero } from "./bytes.mjs";
import { H, Hash, isSigned, leavesOf } from "./crypto.mjs";
import { SCOPES } from "./index.mjs";
import { archiveDigest, CHUNK, TRAILER } from "./layout.mjs";
import { DAMAGED, require, UNTRUSTED } from "./verdict.mjs";

const AT_ONCE = 256;

/// Step 3, without the signature. Returns the archive digest and, for a salvage, the numbers of the lost chunks: null if
/// only their tags can tell.
export async function checkDigests(file, layout, salvage, progress) {
  const { trailer, counts, damage } = layout;
  const { differing, chunksHold, tableHolds } = await compareLeaves(file, layout, progress);
  const digest = archiveDigest(trailer);
  const what = chunksHold ? "leaf" : "chunk";
  const found = differing.map((j) => `${what} ${placeIn(counts, j)}`);
  if (!chunksHold && !tableHolds) found.push("leaf root");
  if (!equal(digest, trailer.subarray(88, 120))) found.push("archive digest");
  damage.push(...found);
  require(salvage || !found.length, summary(found), DAMAGED);
  return { digest, lost: chunksHold ? new Set() : tableHolds ? new Set(differing) : null };
}

/// A chunk's stream and its number there.
function placeIn(counts, j) {
  let s = 1;
  for (; j >= counts[s - 1]; s++) j -= counts[s - 1];
  return `${SCOPES[s]} ${j}`;
}

/// The first names, and the number of the others.
export function summary(names) {
  const shown = names.slice(0, 8).join(", ");
  return names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
}

/// The chunks whose leaves differ from the table's, and whether the leaf root is that of the chunks or of the table.
async function compareLeaves(file, { trailer, L, N }, progress) {
  const [chunks, table] = [48 + L, 48 + L + N * CHUNK + TRAILER];
  const [ofChunks, ofTable] = [new Hash(), new Hash()];
  const differing = [];
  for (const hash of [ofChunks, ofTable]) hash.add(ascii("fueki/1 leaves"));
  for (let j = 0; j < N; j += AT_ONCE) {
    const count = Math.min(AT_ONCE, N - j);
    const leaves = leavesOf(await file.at(chunks + j * CHUNK, count * CHUNK), count, j);
    const stated = await file.at(table + 32 * j, 32 * count);
    ofChunks.add(leaves);
    ofTable.add(stated);
    for (let i = 0; i < count; i++) {
      if (!equal(leaves.subarray(32 * i, 32 * i + 32), stated.subarray(32 * i, 32 * i + 32))) differing.push(j + i);
    }
    progress?.({ step: "checksums", done: (j + count) * CHUNK, total: N * CHUNK });
  }
  const root = trailer.subarray(56, 88);
  return { differing, chunksHold: equal(ofChunks.end(), root), tableHolds: equal(ofTable.end(), root) };
}

export const FINGERPRINT = 16;

/// The fingerprint by which people compare a signer's key: half of its SHA-256.
export const fingerprint = (signer) => H(signer).subarray(0, FINGERPRINT);

/// Checks the signature of step 3. `trusted` is a list of keys and fingerprints, empty if the caller asks for none.
export function checkSignature({ trailer }, { signer, coversSeals }, trusted, digest, lost) {
  const signature = trailer.subarray(120, 184);
  const message = coversSeals
    ? concat(ascii("fueki/1 signature of seals"), digest, trailer.subarray(184, 232))
    : concat(ascii("fueki/1 signature"), digest);
  const holds = signer !== null && isSigned(signature, message, signer);
  if (trusted.length) {
    const isTrusted = holds && trusted.some((one) => equal(one, signer) || equal(one, fingerprint(signer)));
    require(isTrusted, "none of those asked for", UNTRUSTED);
    require(lost !== null, "nothing ties the chunks to the signature", UNTRUSTED);
  }
  require(signer ? holds : isZero(signature), "the signature");
}
