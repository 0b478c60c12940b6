// The second step: what opens the archive. Only what its slots need is asked for.

import { announce, button, element, labelled, progressBar, section } from "./elements.mjs";
import { guardianFields } from "./guardians.mjs";
import { VERDICT_SENTENCES } from "./sentences.mjs";

const KIBIBYTES_PER_GIB = 1048576;
const OTHER_PROGRAM = "Use fueki-backup or fueki-restore on a computer with Linux for that.";

/** The section that asks for secrets; `done` is called with what the archive holds. */
export function secretsSection(work, archive, done) {
  const needs = new Set(archive.needs);
  const isTooLarge = (slot) => (slot.memory ?? 0) > 2 * KIBIBYTES_PER_GIB;
  const large = archive.slots.filter(isTooLarge).length;
  const message = element("div", { role: "alert" });
  const children = [element("p", {}, `Opens: ${archive.name}`)];
  const gathers = [];

  if (needs.has("passphrase") || needs.has("key file")) children.push(passphraseFields(needs, gathers));
  if (needs.has("identity")) children.push(identityFields(gathers));
  if (needs.has("shares")) children.push(guardianFields(work, archive, gathers));
  if (needs.has("plugin")) {
    children.push(element("p", {}, `One way to open it is an age plugin, such as a hardware key. This page cannot use it. ${OTHER_PROGRAM}`));
  }
  if (large > 0) {
    children.push(element("p", {}, `One of its passphrases needs more than 2 GiB of memory, which browsers do not give. ${OTHER_PROGRAM}`));
  }
  if (gathers.length === 0) {
    return section("2. Open it", ...children, element("p", { class: "bad" }, `Nothing that this page knows opens this archive. ${OTHER_PROGRAM}`));
  }

  const press = button("Open", async () => {
    message.replaceChildren();
    const secrets = { passphrases: [], identities: [], shares: [] };
    for (const gather of gathers) await gather(secrets);
    if (secrets.passphrases.length + secrets.identities.length + secrets.shares.length === 0) {
      message.append(element("p", { class: "bad" }, "Type what opens the archive first."));
      return;
    }
    const bar = progressBar("Deriving the key. This takes some seconds");
    work.onProgress = (state) => bar.show(state);
    message.append(bar.line);
    announce("Opening the archive");
    try {
      const useLarge = needs.has("large derivation") && large === 0;
      const bytes = [...secrets.passphrases, secrets.keyFile].filter((part) => part instanceof Uint8Array);
      const contents = await work.call("open", { file: archive.index, secrets, large: useLarge }, bytes.map(({ buffer }) => buffer));
      for (const clear of clears) clear();
      done(contents);
    } catch (error) {
      bar.end();
      message.append(...explain(error));
    }
  }, { class: "main" });
  const clears = gathers.map((gather) => gather.clear).filter((clear) => clear);
  const made = section("2. Open it", ...children, press, message);
  made.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input[type=text]")) press.click();
  });
  return made;
}

/** A field that no browser offers to remember: it is no password field and in no form. */
function secretField(attributes = {}) {
  return element("input", {
    type: "text", class: "hidden", autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: "false", ...attributes,
  });
}

function passphraseFields(needs, gathers) {
  const field = secretField();
  const show = element("input", { type: "checkbox", change: () => field.classList.toggle("hidden", !show.checked) });
  const made = element("fieldset", {}, element("legend", {}, "Passphrase"), labelled("Passphrase", field),
    element("label", { class: "inline" }, show, " Show what I type"));
  let keyFile = null;
  if (needs.has("key file")) {
    keyFile = element("input", { type: "file" });
    const text = needs.has("passphrase") ? "Key file, if the recovery kit lists one" : "Key file. It is needed with the passphrase";
    made.append(labelled(text, keyFile));
  }
  const gather = async (secrets) => {
    if (field.value === "") return;
    // As bytes, which can be wiped; texts cannot.
    secrets.passphrases.push(new TextEncoder().encode(field.value));
    if (keyFile?.files[0]) secrets.keyFile = new Uint8Array(await keyFile.files[0].arrayBuffer());
  };
  gather.clear = () => { field.value = ""; };
  gathers.push(gather);
  return made;
}

function identityFields(gathers) {
  const field = secretField();
  const file = element("input", { type: "file" });
  const gather = async (secrets) => {
    if (field.value.trim() !== "") secrets.identities.push(field.value);
    if (file.files[0]) secrets.identities.push(await file.files[0].text());
  };
  gather.clear = () => { field.value = ""; };
  gathers.push(gather);
  return element("fieldset", {}, element("legend", {}, "Private key (age identity)"),
    labelled("The line that begins with AGE-SECRET-KEY-", field), labelled("Or the file that holds it", file));
}

const INPUT_SENTENCES = {
  "passphrase": "A passphrase has 1 to 1024 bytes.",
  "key file": "A key file has 32 bytes to 64 MiB. This file is another.",
  "identity": "This is no private key as age writes it.",
  "shares": "These words are no share.",
};

const FAULT_SENTENCES = {
  "not a share": "has a wrong word, or words in a wrong order",
  "foreign": "is not of this archive's guardians",
  "doubled": "is the same guardian's as another",
};

/** Why nothing was opened. */
function explain(error) {
  if (error.shares) {
    const { missing, problems } = error.shares;
    const lines = problems.map(({ place, fault }) => `Guardian ${place}: this sheet ${FAULT_SENTENCES[fault] ?? fault}.`);
    if (missing > 0) lines.push(missing === 1 ? "One more guardian's words are needed." : `${missing} more guardians' words are needed.`);
    return lines.map((line) => element("p", { class: "bad" }, line));
  }
  if (error.verdict !== undefined) {
    const [sentence, meaning] = VERDICT_SENTENCES[error.verdict] ?? [error.verdict, null];
    return [
      element("p", { class: "bad verdict" }, sentence),
      element("p", {}, meaning ?? ""),
      error.verdict !== "wrong secret" && error.why ? element("p", { class: "fine" }, `In detail: ${error.why}`) : "",
    ];
  }
  const sentence = INPUT_SENTENCES[error.reason];
  return [element("p", { class: "bad" }, sentence ?? `This browser could not do it: ${error.message}. Close other windows and try again.`)];
}
