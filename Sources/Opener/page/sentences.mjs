// The sentences for codes: verdicts of the format, and the worth of a wallet's backup. Worth and hazards are in the program's
// own words; a test compares them with its tables.

/** A verdict's sentence, what it means, and what to do. */
export const VERDICT_SENTENCES = {
  "ok": ["Every byte of this file is as it was written.", null],
  "not an archive": ["This is not a Fueki archive.", "Nothing in it was read."],
  "incomplete": [
    "The file ends before the archive does.",
    "It was cut off, or is still being copied or downloaded. Wait for that to finish, or use another copy.",
  ],
  "damaged": [
    "The archive is damaged.",
    "The damaged part cannot be trusted. Try another copy of the same archive, or the one before it.",
  ],
  "too new": ["This archive was made by a newer version.", "It is not damaged. A newer page or program opens it."],
  "not signed by a trusted signer": [
    "The archive is not signed by a signer that you trust.", "It may have been planted. Use another archive.",
  ],
  "older than known": ["A newer archive of this series is known.", "Look for the newer one before you use this one."],
  "forked": [
    "Another archive has the same number in this series.",
    "Two computers made backups, or one archive was replaced. Compare both before you use one.",
  ],
  "wrong secret": [
    "This does not open the archive.",
    "The archive's list of keys is intact, so this is not damage. For a passphrase, check keyboard layout, capitals and spaces.",
  ],
  "over limit": [
    "A number in the archive is beyond the format's limits.",
    "It was not made by fueki-backup, or was made to exhaust this computer.",
  ],
  "forged or inconsistent": [
    "The archive contradicts itself.",
    "Its checksums are right, so no disk fault did this. Someone made it so. Do not trust this file, and use another archive.",
  ],
  "base missing": [
    "The archive is whole, but its base is missing.",
    "Of the history it holds only the changes since its base. Wallets, files and keys are complete. Choose the base as well.",
  ],
};

const EVIDENCE = {
  "address": "its keys lead to its address",
  "public-key": "its secret leads to its public key",
  "group-key": "its share leads to the group's key, and spends only with other shares",
  "whole-key": "it leads to the key with no other share: it is the whole key",
  "opened": "it opens with its key, from beginning to end",
  "wholeness": "its own checksums and counts are right",
};

const GAPS = {
  "needs-password": "needs its password",
  "wrong-password": "the given password does not open it",
  "needs-seed": "needs the wallet's seed",
  "needs-other-parties": "needs the other parties' files",
  "other-key": "of a different key than the wallet has now",
  "not-read": "kept as a file, not read",
  "work-limit": "kept, not read: it asks for too much work",
  "reader-failed": "kept, not read: the reader of this wallet failed",
  "unknown-scheme": "this program cannot compute its scheme",
  "nothing-to-compare": "there is nothing to compare it with",
};

const FAULTS = {
  "secret-differs": "the secret does not match its public key",
  "ciphertext": "encrypted bytes are in place of the share",
  "foreign-share": "the share belongs to another key",
  "stale-share": "the share is of another epoch than the others, and cannot sign with them",
  "group-differs": "the public shares do not lead to the wallet's key",
  "other-address": "the keys lead to an address that is not the wallet's",
  "checksum": "a checksum is wrong",
  "length": "it ends too early or too late",
  "malformed": "it is not what its name or its beginning says",
  "quorum": "too few keys can ever come together to sign",
  "slashable": "it holds two messages that together get the validator slashed",
  "missing-share": "a chain's key share is missing from it",
  "other-network": "it belongs to a different network than the data next to it",
};

/** What a wallet's backup is worth, and the class of its colour; null for codes that this page does not know. */
export function worthSentence({ verdict, reason }) {
  const known = (table) => (Object.hasOwn(table, reason) ? table[reason] : null);
  if (verdict === "public-part") {
    return ["public part only: it cannot spend" + (known(EVIDENCE) ? ` (${known(EVIDENCE)})` : ""), "doubt"];
  }
  if (verdict === "no-seed") return ["cannot spend: seed left out", "bad"];
  if (verdict === "proved" && known(EVIDENCE)) return [`whole and proved: ${known(EVIDENCE)}`, "well"];
  if (verdict === "not-proved" && (reason === "work-limit" || reason === "reader-failed")) return [GAPS[reason], "doubt"];
  if (verdict === "not-proved" && known(GAPS)) return [`whole, not proved (${known(GAPS)})`, "doubt"];
  if (verdict === "faulty" && known(FAULTS)) return [`NOT SOUND: ${known(FAULTS)}`, "bad"];
  return null;
}

const HAZARDS = {
  lightning: [
    "it has Lightning channels: a node that publishes an old state of a channel forfeits all of the channel's funds",
    "never start the wallet with old channels. LND and Core Lightning: set up a new node from the seed, with the " +
      "newest channel.backup or emergency.recover. Electrum: restore the wallet from its seed words, import the channel " +
      "backups in the Channels tab, and choose Request force-close. The peers then close the channels, and the coins " +
      "come back to the seed's addresses",
  ],
  ark: [
    "it holds coins on Ark: those that were spent, renewed or expired since the backup are gone, and using the old ones can " +
      "lose what replaced them",
    "stop the wallet elsewhere, and synchronise with the Ark server before anything is sent",
  ],
  validator: [
    "it signs for a validator: two that run with the same key are slashed, and so is a validator that has forgotten what it signed",
    "stop the other one for good, take over its slashing protection history, and wait some epochs before it signs",
  ],
};

/** The words in a kind's name that tell of a danger. */
export const HAZARD_WORDS = {
  lightning: ["lightning", "ln", "lnd", "cln", "ldk"], ark: ["ark", "bark"], validator: ["validator", "validators"],
};

/** The names of the dangers of every wallet of a kind. */
export function hazardsOfKind(kind) {
  if (kind === "eip2335" || kind === "eip3076") return ["validator"];
  const words = kind.toLowerCase().split(/[^\p{L}]+/u);
  return Object.keys(HAZARD_WORDS).filter((name) => HAZARD_WORDS[name].some((word) => words.includes(word)));
}

/** What can be lost, and what to do instead. */
export function hazardSentences(name) {
  if (Object.hasOwn(HAZARDS, name)) return HAZARDS[name];
  return [
    `its source calls it dangerous when old or in use twice (${name}); this page knows nothing more about it`,
    "ask someone who knows this wallet before you start it",
  ];
}
