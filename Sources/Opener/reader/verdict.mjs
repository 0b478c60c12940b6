/// The verdicts of fueki-archive(5) with the exit statuses of fueki-backup(1).
export const EXIT = {
  ok: 0,
  "wrong secret": 12,
  "not an archive": 19,
  damaged: 20,
  incomplete: 21,
  "forged or inconsistent": 22,
  "not signed by a trusted signer": 23,
  "older than known": 24,
  forked: 25,
  "base missing": 26,
  "too new": 30,
  "over limit": 32,
};

export const VERDICTS = Object.keys(EXIT).filter((name) => name !== "ok");

export const DAMAGED = "damaged";
export const FORGED = "forged or inconsistent";
export const LIMIT = "over limit";
export const TOO_NEW = "too new";
export const INCOMPLETE = "incomplete";
export const WRONG_SECRET = "wrong secret";
export const UNTRUSTED = "not signed by a trusted signer";

/// The only error that an archive can cause.
export class Verdict extends Error {
  constructor(verdict, why) {
    super(`${verdict}: ${why}`);
    this.name = "Verdict";
    this.verdict = verdict;
    this.why = why;
  }
}

/// Invalid input from a person.
export class InputError extends Error {
  constructor(reason, message) {
    super(message);
    this.name = "InputError";
    this.reason = reason;
  }
}

/// A lost chunk, in a salvage; never leaves the reader.
export class Lost extends Error {}

export function require(holds, why, verdict = FORGED) {
  if (!holds) throw new Verdict(verdict, why);
}
