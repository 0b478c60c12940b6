/// The reader's interface for the page and the command line.
export { deriveHere } from "./crypto.mjs";
export { decode } from "./decode.mjs";
export { SCOPES, SECTIONS } from "./index.mjs";
export { entries } from "./findings.mjs";
export { compare, inspect, needs, slotName } from "./inspect.mjs";
export { jsonLine, timeText } from "./lines.mjs";
export { load } from "./module.mjs";
export { unlock } from "./opened.mjs";
export { paperOf } from "./paper.mjs";
export { readArchive } from "./report.mjs";
export { MESSAGES, SCHEMA } from "./schema.mjs";
export { gatherSecrets, hasAny, wipe } from "./secrets.mjs";
export { completions, lookAtShare, nearest } from "./share-input.mjs";
export { SHARE_WORDS } from "./share-words.mjs";
export { SLOT_TYPES } from "./slots.mjs";
export { BlobSource, BytesSource } from "./source.mjs";
export { EXIT, InputError, Verdict, VERDICTS } from "./verdict.mjs";
