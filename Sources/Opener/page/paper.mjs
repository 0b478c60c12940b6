// What a person types from the recovery kit, so that the verdict says whether the archive is the one on the paper.

import { button, element, labelled } from "./elements.mjs";

const INPUT_SENTENCES = {
  "signer": "The signer on the paper has 64 digits, its fingerprint 32. What was typed has another number of digits.",
  "number": "The number of the newest archive has only digits.",
  "id": "The id on the paper has 64 digits. What was typed has another number of digits.",
  "code": "This is not the text of code 1, or part of it was read wrong.",
};

// Verdicts that only the paper gives.
const REFUSALS = ["not signed by a trusted signer", "older than known", "forked"];

/** The fields for the paper, in a part that opens; `compare` is called when a person presses Compare. */
export function paperFields(compare) {
  const field = () => element("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const code = element("textarea", { rows: "3", autocomplete: "off", spellcheck: "false" });
  const fields = { signer: field(), number: field(), id: field(), code };
  const message = element("div", { role: "alert" });
  const made = element("details", { class: "paper" }, element("summary", {}, "Compare the backup with the recovery kit"),
    element("p", {}, "Anyone who could write to the disk could have put another backup there. Type what the paper says under “Which " +
      "archives they are”, as much of it as you can. Copy it from the paper only, not from a file next to the backups."),
    labelled("Signer or fingerprint. Spaces can be left out", fields.signer),
    labelled("Newest: its number", fields.number),
    labelled("Its id", fields.id),
    labelled("Instead of all these: the text of code 1, if a phone has read it from the paper", fields.code),
    button("Compare", () => compare()), message);
  return {
    part: made,
    /** What was typed, each a text that may be empty. */
    read: () => Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value])),
    /** Says which of it cannot be used. */
    refuse(reason) {
      made.open = true;
      message.replaceChildren(element("p", { class: "bad" }, INPUT_SENTENCES[reason] ?? `It was not compared: ${reason}.`));
    },
    accept() { message.replaceChildren(); },
  };
}

/** What comparing an archive with the paper has shown, as sentences and their classes. */
export function paperSentences({ asked, canUnlock, verdict, sequence, reported = [] }) {
  if (!asked) return [];
  if (REFUSALS.includes(verdict)) return [["To open it all the same, empty the fields for the paper and press Compare.", "fine"]];
  if (!canUnlock) return [];
  const lines = [];
  if (asked.signer) lines.push(["It is signed by the signer on the paper.", "well"]);
  if (asked.number === null) return lines;
  if (reported.includes("another vault")) return [...lines, ["It does not belong to the backups on the paper, but to others.", "bad"]];
  if (asked.isBase) {
    return [...lines, ["Another chosen archive needs it, so it may be older than the newest archive on the paper.", "fine"]];
  }
  if (BigInt(sequence) === BigInt(asked.number)) {
    lines.push(asked.hasDigest
      ? ["It is the archive that the paper calls the newest.", "well"]
      : ["It has the number that the paper calls the newest. Type the id too, to compare the archive itself.", "doubt"]);
  } else {
    lines.push(["It is newer than the archive that the paper calls the newest.", "well"]);
    if (reported.includes("gap")) lines.push(["There were others between the two, so only their numbers were compared.", "fine"]);
    else if (reported.includes("previous unknown")) lines.push(["It does not say which archive was before it.", "fine"]);
    else if (asked.hasDigest) lines.push(["It says itself that it was made directly after that one.", "fine"]);
  }
  return lines;
}
