// The third step: what is in the archive, and how it is saved.

import { button, counted, element, facts, section, timeText } from "./elements.mjs";
import { saveSection } from "./save.mjs";
import { table } from "./tables.mjs";

const SCOPE_NAMES = { profile: "wallets, contacts and files", history: "the history", secrets: "the keys" };

const SECTION_TITLES = {
  3: "Assets", 4: "Contacts", 5: "Settings", 6: "Key shares, their public part", 7: "Credentials", 32: "Transactions", 33: "Receipts",
  34: "Credentials shown to others", 35: "Sign-ins", 36: "People in chats", 37: "Chats", 38: "Messages",
};

/** The section that shows an open archive. */
export function contentsSection(work, archive, contents, close) {
  const { manifest } = contents;
  const closed = ["profile", "history", "secrets"].filter((scope) => !contents.scopes.includes(scope));
  const lines = [
    archive.isSalvage
      ? ["It is open. Damaged parts are left out; the rest was checked.", "doubt"]
      : ["It is open, and all of its contents are as they were backed up.", "well"],
    ...closed.map((scope) => [`This secret does not open ${SCOPE_NAMES[scope]}.`, "doubt"]),
    ...(contents.salvaged?.sections ?? []).filter(({ lost }) => Number(lost) > 0).map(({ id, lost }) =>
      [`${SECTION_TITLES[id] ?? nameOf(contents, id)}: ${counted(lost, "record")} could not be read.`, "bad"]),
    ...contents.lostScopes.map((scope) => [`Of ${SCOPE_NAMES[scope] ?? scope} nothing could be read.`, "bad"]),
    contents.base === "joined" ? ["Its history was joined with that of its base.", "well"] : null,
    contents.base === "missing"
      ? ["Its base is not among the chosen files: of the history only the changes since the base are shown.", "doubt"] : null,
  ].filter((line) => line !== null);
  const made = section("3. What is in it",
    ...lines.map(([text, style]) => element("p", { class: style }, text)),
    facts([
      ["Made", timeText(contents.inspection.created)], ["Number", String(contents.inspection.sequence)],
      ["Label", manifest?.label], ["Computer", manifest?.device], ["Made by", manifest?.program],
    ]),
    ...(manifest?.losses ?? []).slice(0, 20).map((text) => element("p", { class: "bad" }, `Missing: ${text}.`)),
    walletList(contents), ...recordTables(work, contents));
  if (contents.hasKeys) made.append(keys(work));
  made.append(saveSection(work, contents));
  if (manifest && manifest.excluded.length + manifest.problems.length > 0) {
    made.append(element("details", {}, element("summary", {}, "What was left out or looked wrong when it was made"),
      element("ul", {}, ...[...manifest.problems, ...manifest.excluded].map((text) => element("li", {}, text)))));
  }
  made.append(digests(contents), button("Close the archive and forget the keys", close));
  return made;
}

function walletList(contents) {
  if (!contents.scopes.includes("profile")) return null;
  const list = element("div", {}, element("h3", {}, `${counted(contents.wallets.length, "wallet")} and other things of worth`));
  for (const wallet of contents.wallets.slice(0, 200)) list.append(walletPart(wallet));
  if (contents.wallets.length > 200) list.append(element("p", {}, `And ${contents.wallets.length - 200} more, which are among the saved records.`));
  return list;
}

function walletPart(wallet) {
  const made = element("article", { "aria-label": wallet.name },
    element("h4", {}, `${wallet.name || "without a name"}`),
    wallet.worth ? element("p", { class: wallet.worth.style }, `Its backup: ${wallet.worth.sentence}`) : null,
    facts([
      ["Kind", wallet.kind], ["Chain", wallet.chain], ["Balance then", wallet.balance], ["Path", wallet.path],
      [wallet.addresses.length > 1 ? "Addresses" : "Address", wallet.addresses.slice(0, 20).join(", ")],
    ]));
  for (const [danger, remedy] of wallet.hazards) {
    made.append(element("p", { class: "notice" }, element("b", { class: "bad" }, "Dangerous when old or running twice: "), `${danger}. What to do: ${remedy}.`));
  }
  return made;
}

function recordTables(work, contents) {
  return contents.sections.filter(({ records }) => records > 0).map(({ id, name, records }) => {
    const title = SECTION_TITLES[id] ?? name ?? `Section ${id}`;
    return folded(`${title} (${records.toLocaleString("en")})`, () => table(work, id, title));
  });
}

function nameOf({ digests: sections }, id) {
  return sections.find((section) => section.id === id)?.name ?? `Section ${id}`;
}

/** The checksum that `fueki-backup show` prints, and the sections' digests, as reader.py prints them. */
function digests({ digests: sections, result, bundleChecksum }) {
  return folded("Digests of the contents", () => facts([
    ["Checksum", bundleChecksum],
    ...sections.map(({ id, name, records, sha256 }) => [`${id} ${name}`, `${counted(records, "record")}, SHA-256 ${sha256}`]),
    ...(result ?? []).map(({ id, records, sha256 }) => [`${id} with its base`, `${counted(records, "record")}, SHA-256 ${sha256}`]),
  ]));
}

/** A part whose contents are made when it is first opened. */
function folded(title, make) {
  const made = element("details", {}, element("summary", {}, title));
  made.addEventListener("toggle", () => { if (made.open && made.children.length === 1) made.append(make()); });
  return made;
}

/** Keys are shown one at a time, after a warning and a press. */
function keys(work) {
  const made = element("div", {}, element("h3", {}, "Seed phrases and keys"),
    element("p", { class: "notice" }, element("b", { class: "bad" }, "Whoever sees a key can take the money. "),
      "Look around before you show one. A key that was shown on a computer with a network should not stay in use: move the money " +
      "to a new wallet soon."));
  made.append(table(work, "keys", "Seed phrases and keys", { title: "Show", make: (index, line) => keyButtons(work, index, line) }));
  return made;
}

function keyButtons(work, index, line) {
  const shown = element("div", { class: "secret", hidden: true });
  const press = button("Show", async () => {
    if (!shown.hidden) {
      shown.hidden = true;
      shown.textContent = "";
      press.textContent = "Show";
      return;
    }
    const { bytes, text } = await work.call("secret", { index });
    shown.textContent = text ?? `in hexadecimal: ${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
    bytes.fill(0);
    shown.hidden = false;
    press.textContent = "Hide";
  }, { "aria-label": `Show ${line[0]}` });
  return element("div", {}, press, shown);
}
