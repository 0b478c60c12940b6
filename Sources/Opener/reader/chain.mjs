import { equal, isZero } from "./bytes.mjs";
import { require } from "./verdict.mjs";

/// Step 4. Compares the archive with the newest one known, and returns the remarks that are no faults.
export function checkChain({ vault, sequence, previous, base }, digest, known) {
  if (known.vault && !equal(vault, known.vault)) return ["another vault"];
  require(sequence >= known.sequence, `sequence ${sequence}; ${known.sequence} is known`, "older than known");
  const isSame = sequence === known.sequence;
  if (!known.digest) return [];
  require(!isSame || equal(digest, known.digest), "another digest than the known one", "forked");
  const hasKnownBase = base?.sequence === known.sequence;
  require(!hasKnownBase || equal(base.digest, known.digest), "another base than the known one", "forked");
  if (sequence > known.sequence + 1n) return ["gap"];
  if (isSame) return [];
  require(equal(previous, known.digest) || isZero(previous), "not made after the known one", "forked");
  return isZero(previous) ? ["previous unknown"] : [];
}
