// Compares an archive with the recovery kit: the fields for what a person copies from the paper, and the results.

import { button, element, labelled } from "./elements.mjs";

const INPUT_SENTENCES = {
  "signer": "Not compared: a signer has 64 digits and a fingerprint 32. Check what you typed.",
  "number": "Not compared: enter the number of the newest archive in digits.",
  "id": "Not compared: an id has 64 digits. Check what you typed.",
  "code": "Not compared: this is not the text of code 1, or it contains an error.",
};

// Verdicts that only the paper gives.
const REFUSALS = ["not signed by a trusted signer", "older than known", "forked"];

/** Makes the fields, in a part that opens. `compare` is called when a person presses Compare. */
export function paperFields(compare) {
  const field = () => element("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const code = element("textarea", { rows: "3", autocomplete: "off", spellcheck: "false" });
  const fields = { signer: field(), number: field(), id: field(), code };
  const message = element("div", { role: "alert" });
  const made = element("details", { class: "paper" }, element("summary", {}, "Compare the backup with the recovery kit"),
    element("p", {}, "Anyone who could write to the disk could have put a different backup there. Enter what the kit lists under “Which " +
      "archives they are”, as much of it as you can. Copy it from the paper, not from a file next to the backups."),
    labelled("Signer or fingerprint (spaces are optional)", fields.signer),
    labelled("Number of the newest archive", fields.number),
    labelled("Id of the newest archive", fields.id),
    labelled("Or only the text of code 1, scanned from the paper", fields.code),
    button("Compare", () => compare()), message);
  return {
    part: made,
    /** Returns the fields' texts. */
    read: () => Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value])),
    /** Shows which field is wrong. */
    refuse(reason) {
      made.open = true;
      message.replaceChildren(element("p", { class: "bad" }, INPUT_SENTENCES[reason] ?? `It was not compared: ${reason}.`));
    },
    accept() { message.replaceChildren(); },
  };
}

/** The results of the comparison with the paper, as sentences and their classes. */
export function paperSentences({ asked, canUnlock, verdict, sequence, reported = [] }) {
  if (!asked) return [];
  if (REFUSALS.includes(verdict)) return [["To open it anyway, clear the fields of the recovery kit and press Compare.", "fine"]];
  if (!canUnlock) return [];
  const lines = [];
  if (asked.signer) lines.push(["It is signed by the signer on the paper.", "well"]);
  if (asked.number === null) return lines;
  if (reported.includes("another vault")) return [...lines, ["It belongs to a different series of backups than the paper.", "bad"]];
  if (asked.isBase) {
    return [...lines, ["Another chosen archive is based on it, so it may be older than the newest archive on the paper.", "fine"]];
  }
  if (BigInt(sequence) === BigInt(asked.number)) {
    lines.push(asked.hasDigest
      ? ["It is the newest archive on the paper.", "well"]
      : ["It has the number of the newest archive on the paper. Enter the id too, to compare the archive itself.", "doubt"]);
  } else {
    lines.push(["It is newer than the newest archive on the paper.", "well"]);
    if (reported.includes("gap")) lines.push(["Other archives were made in between, so only the numbers were compared.", "fine"]);
    else if (reported.includes("previous unknown")) lines.push(["It does not record which archive came before it.", "fine"]);
    else if (asked.hasDigest) lines.push(["It records that archive as the one before it.", "fine"]);
  }
  return lines;
}
