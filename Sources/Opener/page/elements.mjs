// Makes elements. Text from an archive becomes text, never markup, and cannot turn the direction of reading.

const TURNING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text with marks and controls that cannot be seen spelled out. */
export function visible(text) {
  return text.replace(TURNING, (mark) => `<U+${mark.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`);
}

/** Makes an element with attributes, listeners (functions) and children (elements or texts; null is left out). */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (typeof value === "boolean") made.toggleAttribute(key, value);
    else if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  const shown = children.filter((child) => child !== null && child !== undefined);
  made.append(...shown.map((child) => (typeof child === "string" ? visible(child) : child)));
  return made;
}

/** A button that cannot be pressed again while its action runs. */
export function button(text, action, attributes = {}) {
  const made = element("button", {
    type: "button", ...attributes,
    click: async () => {
      made.disabled = true;
      try { await action(made); } finally { made.disabled = false; }
    },
  }, text);
  return made;
}

let labels = 0;

/** A field under its label. */
export function labelled(text, field) {
  labels += 1;
  field.id = `field-${labels}`;
  return element("div", {}, element("label", { for: field.id }, text), field);
}

/** A section under a heading. */
export function section(title, ...children) {
  labels += 1;
  const id = `title-${labels}`;
  return element("section", { "aria-labelledby": id }, element("h2", { id, tabindex: "-1" }, title), ...children);
}

/** Facts as names and values; those without a value are left out. */
export function facts(pairs) {
  const list = element("dl");
  for (const [name, value] of pairs) {
    if (value === null || value === undefined || value === "") continue;
    list.append(element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  }
  return list;
}

/** Tells people who do not see the page what happened. */
export function announce(text) {
  document.getElementById("status").textContent = text;
}

/** A bar that shows how far a step is. */
export function progressBar(text) {
  const bar = element("progress", { max: "1", "aria-label": text });
  const words = element("span", {}, text);
  const line = element("p", { hidden: false }, words, bar);
  return {
    line,
    show({ step, done, total }) {
      const names = { checksums: "Checking every byte", contents: "Decrypting and checking the contents", base: "Reading the base" };
      words.textContent = names[step] ?? text;
      if (total > 0) bar.value = Math.min(1, Number(done) / Number(total));
    },
    say(words_) { words.textContent = words_; bar.removeAttribute("value"); },
    end() { line.remove(); },
  };
}

export function bytesText(count) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let value = Number(count);
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** A count with its noun. */
export function counted(count, noun, plural = `${noun}s`) {
  return `${Number(count).toLocaleString("en")} ${Number(count) === 1 ? noun : plural}`;
}

/** A day and a time of this computer's zone. */
export function timeText(seconds) {
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) return "at an unknown time";
  const digits = (number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${digits(date.getMonth() + 1)}-${digits(date.getDate())} ` +
    `${digits(date.getHours())}:${digits(date.getMinutes())}`;
}

/** A digest or key in groups, as the recovery kit prints it. */
export function shortened(hex) {
  return hex === null || hex === undefined ? null : hex.match(/.{1,4}/g).join(" ");
}
