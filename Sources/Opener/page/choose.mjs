// The first step: files are chosen, read and judged.

import { announce, button, bytesText, counted, element, facts, labelled, progressBar, section, shortened, timeText } from "./elements.mjs";
import { VERDICT_SENTENCES } from "./sentences.mjs";

/** The section in which archives are chosen; `opened` is called with the one to open, or null. */
export function chooseSection(work, opened) {
  const field = element("input", { type: "file", multiple: true });
  const results = element("div", {});
  const area = element("div", { class: "drop" },
    labelled("Choose the backup (a .fueki file). Several are fine.", field),
    element("p", { class: "fine" },
      "Or drop files here. If the newest backup says that it needs its base, choose both. Files stay where they are."));
  const made = section("1. Choose the backup", area, results);
  made.classList.add("choose");

  async function take(files) {
    if (files.length === 0) return;
    opened(null);
    field.disabled = true;
    try {
      await judge(work, [...files], results, opened);
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

async function judge(work, files, results, opened) {
  const bar = progressBar("Checking every byte");
  results.replaceChildren(bar.line);
  work.files = files;
  work.onProgress = ({ file, step, done, total }) => {
    bar.show({ step, done, total });
    if (files.length > 1) bar.line.firstChild.textContent = `Checking every byte of ${files[file].name}`;
  };
  work.archives = await work.call("inspect", { lengths: files.map((file) => file.size) });
  work.archives.forEach((archive, index) => Object.assign(archive, { index, name: files[index].name, size: files[index].size }));
  bar.end();
  const order = [...work.archives].sort(byNumber);
  const usable = order.filter(({ canUnlock }) => canUnlock);
  for (const archive of order) results.append(describe(work, archive, usable.length > 1, opened));
  announce(`${counted(files.length, "file")} checked. ${VERDICT_SENTENCES[order[0].verdict]?.[0] ?? order[0].verdict}`);
  if (usable.length > 0) {
    if (usable.length > 1) {
      results.append(element("p", {}, `The newest of them, ${usable[0].name}, is used. The others can be its base.`));
    }
    opened(usable[0]);
  }
}

/** Newest first; files that say no number come last. */
function byNumber(a, b) {
  if (a.canUnlock !== b.canUnlock) return a.canUnlock ? -1 : 1;
  return Number(b.sequence ?? -1) - Number(a.sequence ?? -1) || Number(b.created ?? 0) - Number(a.created ?? 0);
}

/** One file's verdict, and the facts to compare with the paper. */
function describe(work, archive, isOneOfSeveral, opened) {
  const [sentence, meaning] = VERDICT_SENTENCES[archive.verdict] ?? [archive.verdict, null];
  const isWell = archive.verdict === "ok";
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
      ["Digest", archive.archive.slice(0, 12)],
      ["Needs base", archive.base ? `archive ${archive.base.sequence}, ${archive.base.digest.slice(0, 12)}` : null],
    ]));
    made.append(element("p", { class: "fine" }, archive.signer
      ? "The date, the number and the signer are what the file says of itself. Compare the signer with the recovery kit: only " +
        "then do you know who made it."
      : "The date and the number are what the file says of itself. It is unsigned: this page cannot show who made it."));
    for (const report of archive.reported ?? []) made.append(element("p", { class: "fine" }, `Reported: ${report}`));
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
