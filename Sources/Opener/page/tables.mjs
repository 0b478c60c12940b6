// Tables that can be searched, some rows at a time: the rows stay in the worker.

import { button, element, labelled } from "./elements.mjs";

const PAGE = 25;

/** Makes a table of the worker's. An action has the `title` of a last column, and `make(index, cells)` for its cells. */
export function table(work, name, title, action = null) {
  const body = element("tbody");
  const head = element("thead");
  const state = element("p", { class: "fine", role: "status" }, "Reading …");
  const search = element("input", { type: "search", autocomplete: "off", spellcheck: "false" });
  let from = 0;
  let turn = 0;

  async function show() {
    turn += 1;
    const own = turn;
    const found = await work.call("rows", { table: name, text: search.value.trim(), from, count: PAGE });
    if (own !== turn) return;
    const titles = [...found.columns.map((column) => column.replaceAll("_", " ")), ...(action ? [action.title] : [])];
    head.replaceChildren(element("tr", {}, ...titles.map((text) => element("th", { scope: "col" }, text))));
    body.replaceChildren(...found.rows.map(({ index, cells }) => element("tr", {},
      ...cells.map((text) => element("td", {}, text)), action ? element("td", {}, action.make(index, cells)) : null)));
    const last = from + found.rows.length;
    state.textContent = found.matches === 0 ? "Nothing found." : `${from + 1} to ${last} of ${found.matches.toLocaleString("en")}`;
    previous.hidden = from === 0;
    next.hidden = last >= found.matches;
    searching.hidden = found.total <= 10;
  }

  const move = (count) => async () => {
    from = Math.max(0, from + count);
    await show();
  };
  const previous = button("Previous", move(-PAGE), { hidden: true });
  const next = button("Next", move(PAGE), { hidden: true });
  const searching = labelled(`Search in: ${title}`, search);
  search.addEventListener("input", () => {
    from = 0;
    show();
  });
  show().catch((error) => { state.textContent = `This cannot be shown: ${error.why ?? error.message}`; });
  return element("div", {}, searching,
    element("div", { class: "table", role: "group", "aria-label": `Table: ${title}`, tabindex: "0" }, element("table", {}, element("caption", {}, title), head, body)), state, previous, next);
}
