// Turns the JSON lines of records into comma-separated values (RFC 4180), as `fueki-backup export --format csv` does.

/** The first row. */
export function headerRow(columns) {
  return `${columns.join(",")}\r\n`;
}

/** One line's row. Lists and objects are JSON in one cell. */
export function csvRow(columns, line) {
  const values = members(line);
  return `${columns.map((name) => (values.has(name) ? cell(values.get(name)) : "")).join(",")}\r\n`;
}

/** An object's members as they are written: a number keeps its digits. */
function members(line) {
  const found = new Map();
  let place = 1;
  while (line[place] === '"') {
    const nameEnd = valueEnd(line, place);
    const end = valueEnd(line, nameEnd + 1);
    found.set(line.slice(place + 1, nameEnd - 1), line.slice(nameEnd + 1, end));
    place = end + 1;
  }
  return found;
}

/** Where a value ends: at the comma or bracket that is not in it. */
function valueEnd(line, start) {
  let depth = 0;
  let isInText = false;
  for (let place = start; place < line.length; place += 1) {
    const character = line[place];
    if (isInText) {
      if (character === "\\") place += 1;
      else if (character === '"') {
        isInText = false;
        if (depth === 0) return place + 1;
      }
    } else if (character === '"') isInText = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      if (depth === 0) return place;
      depth -= 1;
    } else if (character === "," && depth === 0) return place;
  }
  return line.length;
}

function cell(value) {
  const text = neutralised(value.startsWith('"') ? JSON.parse(value) : value);
  return text === "" || /[\n\r",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const SIGNS = "=+-@\t\r";
const WIDE_SIGNS = "＝＋－＠";
const SEPARATORS = ";\t\r\n";

/** A cell with an apostrophe before each sign that a spreadsheet would take for a formula. */
function neutralised(text) {
  if (/^-?[0-9]+(\.[0-9]+)?$/.test(text)) return text;
  let safe = "";
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place];
    const begins = place === 0 || SEPARATORS.includes(text[place - 1]);
    const isSign = WIDE_SIGNS.includes(character) ||
      (SIGNS.includes(character) && (place === 0 || !SEPARATORS.includes(character)));
    safe += begins && isSign ? `'${character}` : character;
  }
  return safe;
}
