// Guardians' words: typed one sheet at a time, completed, and wrong ones pointed at one by one.

import { button, element, labelled } from "./elements.mjs";

const WORDS = 33;

/** The fields for as many guardians as are needed; another can be added. */
export function guardianFields(work, archive, gathers) {
  const slots = archive.slots.filter(({ threshold }) => threshold !== undefined);
  const threshold = Math.min(...slots.map((slot) => slot.threshold));
  const sheets = [];
  const list = element("div", {});
  const add = () => {
    const sheet = shareField(work, archive, sheets.length + 1);
    sheets.push(sheet);
    list.append(sheet.part);
  };
  for (let count = 0; count < threshold; count += 1) add();
  const gather = (secrets) => {
    secrets.shares.push(...sheets.map(({ field }) => field.value.toLowerCase().split(/[^a-z]+/).filter((word) => word !== "").join(" ")).filter((words) => words !== ""));
  };
  gather.clear = () => { for (const { field } of sheets) field.value = ""; };
  gathers.push(gather);
  return element("fieldset", {}, element("legend", {}, "Guardians' words"),
    element("p", {}, `The words of ${threshold} guardians are needed, each on a sheet of paper with ${WORDS} words. The numbers on the sheets can be left out.`),
    list, button("Another guardian", add));
}

function shareField(work, archive, number) {
  const field = element("textarea", {
    rows: "4", autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: "false",
  });
  const state = element("p", { class: "fine", role: "status" });
  const offers = element("p", { class: "fine" });
  let asked = 0;

  async function look() {
    asked += 1;
    const turn = asked;
    const text = field.value;
    const typed = /([a-z]+)$/i.exec(text)?.[1].toLowerCase() ?? "";
    const finished = text.slice(0, text.length - typed.length);
    const found = await work.call("look", { text: typed === "" ? text : finished, file: archive.index });
    const complete = typed === "" ? null : await work.call("look", { text, file: archive.index });
    const words = typed === "" ? [] : await work.call("completions", typed);
    if (turn !== asked) return;
    const all = complete && complete.count >= WORDS && complete.wrong === null ? complete : found;
    offers.replaceChildren();
    if (all.wrong) {
      state.className = "fine bad";
      state.textContent = `Word ${all.wrong.place}, “${all.wrong.word}”, is not in the list of words.`;
      if (all.wrong.near.length > 0) offers.append("Did you mean: ", ...all.wrong.near.map((word) => choice(word, () => replace(all.wrong.word, word))));
      return;
    }
    state.className = "fine";
    const count = (complete ?? found).count;
    if (count < WORDS || all.count < WORDS) {
      state.textContent = `${count} of ${WORDS} words`;
      if (!words.includes(typed) || words.length > 1) offers.append(...words.filter((word) => word !== typed).map((word) => choice(word, () => finish(typed, word))));
    } else if (all.checksum === false) {
      state.className = "fine bad";
      state.textContent = "Every word is in the list, but together they are no sheet: one word is another one, or two are exchanged.";
    } else if (all.belongs === false) {
      state.className = "fine bad";
      state.textContent = "The words are right, and belong to another backup.";
    } else {
      state.className = "fine well";
      state.textContent = "The words of this sheet are right.";
    }
  }

  function choice(word, action) {
    return element("button", { type: "button", class: "word", click: action }, word);
  }

  function change(text) {
    field.value = text;
    field.focus();
    look();
  }

  const replace = (wrong, right) => change(field.value.replace(new RegExp(`(^|[^a-z])${wrong}(?![a-z])`, "i"), `$1${right}`));
  const finish = (typed, word) => change(`${field.value.slice(0, field.value.length - typed.length)}${word} `);

  field.addEventListener("input", (event) => {
    // Four letters tell every word of the list from all others.
    const started = /([a-z]{4,})[ \n]$/i.exec(field.value);
    if (event.inputType?.startsWith("insert") && started) complete(started[1].toLowerCase());
    else look();
  });

  async function complete(start) {
    const before = field.value;
    const words = await work.call("completions", start);
    if (words.length === 1 && words[0] !== start && field.value === before) {
      field.value = `${before.slice(0, before.length - start.length - 1)}${words[0]}${before.at(-1)}`;
    }
    look();
  }

  return { field, part: element("div", {}, labelled(`Guardian ${number}`, field), state, offers) };
}
