// Saves through the browser: pieces become one file of many parts, which the browser may keep on the disk.

import { announce, button, bytesText, counted, element, progressBar } from "./elements.mjs";
import { table } from "./tables.mjs";

/** Pieces that arrive in order. A large member's header arrives after its content and is put before it. */
export class Collected {
  #parts = [];
  #member = [];
  #length = 0;

  constructor(onLength) { this.onLength = onLength; }

  add(bytes) { this.#keep(this.#parts, bytes); }

  /** Some of a large member's content. */
  content(bytes) { this.#keep(this.#member, bytes); }

  /** Ends a large member. */
  member(header) {
    this.#parts.push(header, ...this.#member);
    this.#member = [];
  }

  finish(type) { return new Blob(this.#parts, { type }); }

  /** As a Blob, which the browser may keep on the disk. */
  #keep(parts, bytes) {
    parts.push(new Blob([bytes]));
    this.#length += bytes.length;
    this.onLength(this.#length);
  }
}

/** The part of the page that saves files and records. */
export function saveSection(work, contents) {
  const made = element("div", {}, element("h3", {}, "Save"),
    element("p", { class: "notice" },
      element("b", {}, "Saved files go to this browser's folder for downloads, and are not encrypted there. "),
      "Anyone who can read that folder can use what is in them. Delete them, also from the wastebasket, once they are where they belong."));
  if (contents.hasFiles) {
    made.append(element("p", {}, "Each wallet's own program opens its files. Get that program from its maker only, and ask someone you trust if you have " +
      "never used it."));
    if (contents.hasSecretFiles) made.append(element("p", {}, "Some of the original files hold keys in the clear."));
    made.append(button("Save all original files (ZIP)", (press) => saveAll(work, made, press)));
  }
  made.append(
    button("Save the records as JSON lines (ZIP)", () =>
      saveInto(work, made, "wallet-records-jsonl.zip", "application/zip", "saveRecords", { format: "jsonl" })),
    button("Save the records as tables (CSV in a ZIP)", () =>
      saveInto(work, made, "wallet-records-csv.zip", "application/zip", "saveRecords", { format: "csv" })));
  if (contents.hasFiles) {
    const list = element("details", {}, element("summary", {}, "Original files, one by one"));
    list.addEventListener("toggle", () => {
      if (!list.open || list.children.length > 1) return;
      list.append(table(work, "files", "Original files", { title: "Save", make: (index, cells) => button("Save", () =>
        saveInto(work, made, cells[0].split("/").at(-1), "application/octet-stream", "saveFiles", { chosen: index }),
      { "aria-label": `Save ${cells[0]}` }) }));
    });
    made.append(list);
  }
  return made;
}

/** Saves all original files, or offers them in parts if they are too many for one. */
async function saveAll(work, place, press) {
  const sizes = await work.call("partSizes").catch((error) => note(place, `It was not saved: ${error.why ?? error.message}.`, true));
  if (sizes === undefined) return;
  const count = sizes.length;
  if (count <= 1) return saveInto(work, place, "wallet-files.zip", "application/zip", "saveFiles", { part: 0 });
  const total = bytesText(sizes.reduce((sum, size) => sum + size, 0));
  const parts = sizes.map((size, part) => button(`Save part ${part + 1} of ${count} (${bytesText(size)})`, () =>
    saveInto(work, place, `wallet-files-${part + 1}-of-${count}.zip`, "application/zip", "saveFiles", { part })));
  const offer = element("div", {}, element("p", { tabindex: "-1" },
    `The original files are ${total} in all, which is too much for this browser at once. Save them one part after another.`), ...parts);
  press.replaceWith(offer);
  offer.firstChild.focus();
  announce(`${count} parts to save`);
}

let isSaving = false;

/** Collects a file from the worker and lets the browser save it. */
async function saveInto(work, place, name, type, call, argument) {
  if (isSaving) return;
  isSaving = true;
  const bar = progressBar(`Preparing ${name}`);
  place.append(bar.line);
  work.collected = new Collected((length) => bar.say(`Preparing ${name}: ${(length / 1e6).toFixed(0)} MB`));
  try {
    const result = await work.call(call, argument);
    download(name, work.collected.finish(type));
    const left = result.incomplete ?? [];
    const what = call === "saveFiles" ? counted(result.count, "file") : counted(result.count, "record");
    note(place, `${what} handed to the browser as ${name}.` +
      (left.length > 0 ? ` Left out, because parts of them are damaged: ${left.slice(0, 20).join(", ")}.` : ""), left.length > 0);
  } catch (error) {
    note(place, `It was not saved: ${error.why ?? error.message}.`, true);
  } finally {
    work.collected = null;
    isSaving = false;
    bar.end();
  }
}

function note(place, text, isBad) {
  place.append(element("p", { class: isBad ? "bad" : "well", role: "status" }, text));
  announce(text);
}

let last = null;

function download(name, blob) {
  // A download that has begun goes on without its address.
  URL.revokeObjectURL(last);
  const address = URL.createObjectURL(blob);
  last = address;
  const link = element("a", { href: address, download: name });
  link.click();
  // The browser reads the file at its own pace.
  setTimeout(() => URL.revokeObjectURL(address), 600000);
}
