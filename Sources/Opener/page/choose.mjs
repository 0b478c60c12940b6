// The first step: files are chosen, read and judged.

import { announce, button, bytesText, counted, element, facts, labelled, progressBar, section, shortened, timeText } from "./elements.mjs";
import { paperFields, paperSentences } from "./paper.mjs";
import { VERDICT_SENTENCES } from "./sentences.mjs";

/** The section in which archives are chosen; `opened` is called with the one to open, or null. */
export function chooseSection(work, opened) {
  const field = element("input", { type: "file", multiple: true });
  const results = element("div", {});
  const area = element("div", { class: "drop" },
    labelled("Choose the backup (a .fueki file). Several are fine.", field),
    element("p", { class: "fine" },
      "Or drop files here. If the newest backup says that it needs its base, choose both. Files stay where they are."));
  const paper = paperFields(async () => {
    if (work.archives.length === 0) return paper.accept();
    opened(null);
    await compare(work, paper);
    show(work, results, opened);
  });
  const made = section("1. Choose the backup", area, paper.part, results);
  made.classList.add("choose");

  async function take(files) {
    if (files.length === 0) return;
    opened(null);
    field.disabled = true;
    try {
      await read(work, [...files], results);
      await compare(work, paper);
      show(work, results, opened);
    } catch (error) {
      results.replaceChildren(element("p", { class: "bad", role: "alert" },
        `A file could not be read: ${error.message}. The disk may have been removed.`));
    } finally {
      field.disabled = false;
    }
  }

  field.addEventListener("change", () => take(field.files));
  area.addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("over");
  });
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("over");
    take(event.dataTransfer.files);
  });
  queueMicrotask(() => made.parentElement?.addEventListener("dropped", (event) => take(event.detail)));
  return made;
}

/** Has the worker read every byte of the files. */
async function read(work, files, results) {
  const bar = progressBar("Checking every byte");
  results.replaceChildren(bar.line);
  work.files = files;
  work.onProgress = ({ file, step, done, total }) => {
    bar.show({ step, done, total });
    if (files.length > 1) bar.line.firstChild.textContent = `Checking every byte of ${files[file].name}`;
  };
  work.archives = [];
  await work.call("inspect", { lengths: files.map((file) => file.size) });
  bar.end();
}

/** Compares what was read with what was typed from the paper, if that can be used. */
async function compare(work, paper) {
  const named = (archive, index) => ({ ...archive, index, name: work.files[index].name, size: work.files[index].size });
  try {
    work.archives = (await work.call("compare", paper.read())).map(named);
    paper.accept();
  } catch (error) {
    if (error.reason === undefined) throw error;
    work.archives = (await work.call("compare", {})).map(named);
    paper.refuse(error.reason);
  }
}

/** Shows the verdicts, and goes on with the newest archive that can be opened. */
function show(work, results, opened) {
  results.replaceChildren();
  const order = [...work.archives].sort(byNumber);
  const usable = order.filter(({ canUnlock }) => canUnlock);
  for (const archive of order) results.append(describe(work, archive, usable.length > 1, opened));
  announce(`${counted(order.length, "file")} checked. ${VERDICT_SENTENCES[order[0].verdict]?.[0] ?? order[0].verdict}`);
  if (usable.length > 1) {
    results.append(element("p", {}, `The newest of them, ${usable[0].name}, is used. The others can be its base.`));
  }
  if (usable.length > 0) opened(usable[0]);
}

/** Newest first; files that say no number come last. */
function byNumber(a, b) {
  if (a.canUnlock !== b.canUnlock) return a.canUnlock ? -1 : 1;
  return Number(b.sequence ?? -1) - Number(a.sequence ?? -1) || Number(b.created ?? 0) - Number(a.created ?? 0);
}

/** One file's verdict, and the facts to compare with the paper. */
function describe(work, archive, isOneOfSeveral, opened) {
  const [sentence, meaning] = VERDICT_SENTENCES[archive.verdict] ?? [archive.verdict, null];
  const isWell = archive.verdict === "ok" && !archive.reported?.includes("another vault");
  const made = element("article", { "aria-label": archive.name },
    element("h3", {}, archive.name),
    element("p", { class: `verdict ${isWell ? "well" : "bad"}`, role: isWell ? "status" : "alert" }, sentence),
    meaning ? element("p", {}, meaning) : null,
    !isWell && archive.why ? element("p", { class: "fine" }, `In detail: ${archive.why}`) : null);
  for (const damage of (archive.damage ?? []).slice(0, 10)) made.append(element("p", { class: "fine" }, `Damaged: ${damage}`));
  if (archive.damage?.length > 10) made.append(element("p", { class: "fine" }, `And ${archive.damage.length - 10} more.`));
  if (archive.archive) {
    made.append(facts([
      ["Made", timeText(archive.created)],
      ["Number", `${archive.sequence} of its series`],
      ["Size", bytesText(archive.size)],
      ["Signer", archive.signer ? shortened(archive.signer) : "none: it is unsigned"],
      ["Fingerprint", shortened(archive.fingerprint)],
      ["Id", archive.archive.slice(0, 12)],
      ["Needs base", archive.base ? `archive ${archive.base.sequence}, ${archive.base.digest.slice(0, 12)}` : null],
    ]));
    made.append(element("p", { class: "fine" }, archive.signer
      ? "The date, the number and the signer are what the file says of itself. Only if the signer is the one on the " +
        "recovery kit do you know who made it."
      : "The date and the number are what the file says of itself. It is unsigned: this page cannot show who made it."));
    for (const [text, style] of paperSentences(archive)) made.append(element("p", { class: style }, text));
  }
  if (archive.verdict === "damaged" && !archive.canUnlock && archive.slots) {
    made.append(button("Use its intact parts", async (pressed) => {
      const again = await work.call("salvage", { file: archive.index });
      Object.assign(archive, again, { isSalvage: true });
      pressed.remove();
      if (archive.canUnlock) opened(archive);
    }));
  }
  if (isOneOfSeveral && archive.canUnlock) made.append(button("Open this one", () => opened(archive)));
  return made;
}
