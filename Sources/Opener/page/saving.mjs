// Writes original files and records for the page to save: it gets pieces in order, and never all at once.

import { jsonLine, MESSAGES, SCHEMA, SECTIONS } from "../reader/reader.mjs";
import { csvRow, headerRow } from "./csv.mjs";
import { Paths, placeOf } from "./names.mjs";
import { joined, ZipWriter } from "./zip.mjs";

const PIECE = 4 << 20;
/** A browser may keep in its memory what it saves, so many files are saved as several ZIP files. */
const PART = 256 << 20;

/** The manifest, the parts of files, the changes to a base and secrets are no records of an export. */
function isExported(id) {
  return ![1, 8, 62, 64, 65, 66].includes(id);
}

/** Groups files in their order: the part that each is in, and the bytes of each part. A part is larger only with a single file. */
function grouped(files) {
  const sizes = [];
  const parts = files.map(({ total }) => {
    if (sizes.length === 0 || (sizes.at(-1) > 0 && sizes.at(-1) + Number(total) > PART)) sizes.push(0);
    sizes[sizes.length - 1] += Number(total);
    return sizes.length - 1;
  });
  return { parts, sizes };
}

/** The bytes of each part in which the files are saved. */
export async function partSizes(tables) {
  return grouped(await tables.files()).sizes;
}

/**
 * Hands files to the page: one as it is, or those of a part in a ZIP file.
 *
 * @returns the names of files that are not whole, which are left out.
 */
export async function saveFiles(opened, tables, { chosen, part }, created, page) {
  const files = await tables.files();
  if (chosen !== undefined) {
    const file = files[chosen];
    for await (const bytes of file.chunks()) await piece(page, bytes);
    return { incomplete: [], count: 1 };
  }
  const output = new MemberOutput(page);
  const paths = new Paths();
  const incomplete = [];
  const { parts } = grouped(files);
  for (const [place, file] of files.entries()) {
    // A name is the same in whatever part it is.
    const path = paths.add(placeOf(file));
    if (parts[place] !== part) continue;
    if (!file.complete) {
      incomplete.push(path);
      continue;
    }
    output.begin(path, file.modifiedAt === undefined ? created : Math.floor(Number(file.modifiedAt) / 1e6), file.mode);
    for await (const bytes of file.chunks()) await output.add(bytes);
    await output.end();
  }
  await output.finish();
  return { incomplete, count: parts.filter((one) => one === part).length - incomplete.length };
}

/** Hands the records of all sections that have lines to the page, a file for each section in a ZIP file. */
export async function saveRecords(opened, format, created, page) {
  const output = new MemberOutput(page);
  const encoder = new TextEncoder();
  let count = 0;
  const ids = new Set([...opened.sections, ...(opened.result ?? [])].map(({ id }) => id));
  for (const id of [...ids].sort((a, b) => a - b)) {
    if (!MESSAGES[id] || !isExported(id)) continue;
    const columns = columnsOf(id);
    output.begin(`${SECTIONS[id]}.${format}`, created, 0o600);
    let lines = format === "csv" ? [headerRow(columns)] : [];
    let length = 0;
    for await (const message of opened.rawRecords(id)) {
      const line = jsonLine(id, message);
      lines.push(format === "csv" ? csvRow(columns, line) : `${line}\n`);
      length += line.length;
      count += 1;
      if (length < PIECE) continue;
      await output.add(encoder.encode(lines.join("")));
      [lines, length] = [[], 0];
    }
    await output.add(encoder.encode(lines.join("")));
    await output.end();
  }
  await output.finish();
  return { count };
}

/** The members that a record of a section can have, in order. */
function columnsOf(id) {
  const names = SCHEMA.get(MESSAGES[id]).filter(({ name }) => name !== "extra").map(({ name }) => name);
  return [...names, "extra", "unknown_fields"];
}

async function piece(page, bytes, kind = "piece") {
  const copy = bytes.slice();
  await page(kind, copy, [copy.buffer]);
}

/**
 * A ZIP file's members on their way to the page.
 *
 * Small members are gathered here, so that many files are few pieces. A large one's content leaves as it comes, and the page
 * puts the header before it that arrives at its end.
 */
class MemberOutput {
  #zip = new ZipWriter();
  #page;
  #gathered = new Pieces();
  #content = new Pieces();
  #isLarge = false;

  constructor(page) { this.#page = page; }

  begin(path, time, mode) { this.#zip.begin(path, time, mode); }

  async add(bytes) {
    this.#zip.add(bytes);
    this.#content.add(bytes.slice());
    if (this.#content.length < PIECE) return;
    await this.#send(this.#gathered);
    this.#isLarge = true;
    await this.#send(this.#content, "content");
  }

  async end() {
    const header = this.#zip.end();
    if (this.#isLarge) {
      await this.#send(this.#content, "content");
      await this.#page("member", header);
      this.#isLarge = false;
      return;
    }
    this.#gathered.add(header);
    for (const bytes of this.#content.taken()) this.#gathered.add(bytes);
    if (this.#gathered.length >= PIECE) await this.#send(this.#gathered);
  }

  async finish() {
    this.#gathered.add(this.#zip.finish());
    await this.#send(this.#gathered);
  }

  async #send(pieces, kind = "piece") {
    if (pieces.length > 0) await piece(this.#page, joined(pieces.taken()), kind);
  }
}

/** Bytes that wait to be sent. */
class Pieces {
  #parts = [];
  length = 0;

  add(bytes) {
    this.#parts.push(bytes);
    this.length += bytes.length;
  }

  taken() {
    const parts = this.#parts;
    [this.#parts, this.length] = [[], 0];
    return parts;
  }
}
