import { hasChecksum, judge, wordsOf } from "./guardians.mjs";
import { SHARE_WORDS } from "./share-words.mjs";

const PLACES = new Map(SHARE_WORDS.map((word, i) => [word, i]));

/// The words that begin with a prefix.
export const completions = (prefix) => SHARE_WORDS.filter((word) => word.startsWith(prefix.toLowerCase()));

/// The words that differ by one or two edits, nearest first, at most 4.
export function nearest(word) {
  const typed = word.toLowerCase();
  return SHARE_WORDS.map((other) => ({ other, edits: edits(typed, other) }))
    .filter(({ edits }) => edits <= 2)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 4)
    .map(({ other }) => other);
}

/// Checks a share's words while they are typed.
export function lookAtShare(text, inspection) {
  const words = wordsOf(text);
  const values = words.map((word) => PLACES.get(word));
  const unknown = values.flatMap((value, i) => (value === undefined ? [i + 1] : []));
  const isComplete = !unknown.length && words.length >= 33;
  const result = { words, unknown, checksum: isComplete ? hasChecksum(values) : undefined };
  if (!result.checksum) return result;
  for (const slot of inspection?.header?.slots ?? []) {
    if (slot.type !== 4 && slot.type !== 6) continue;
    const { share, fault } = judge(slot, words, inspection.header.vault);
    result.member = share?.member;
    result.belongs = !fault;
    if (!fault) break;
  }
  return result;
}

/// Levenshtein's distance.
function edits(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}
