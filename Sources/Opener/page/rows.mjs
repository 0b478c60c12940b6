// The rows of tables: texts of records, made when a table is first shown, and kept in the worker.

import { jsonLine, MESSAGES } from "../reader/reader.mjs";
import { placeOf } from "./names.mjs";

/** The members that a table shows, by section; other sections show the whole record. */
const COLUMNS = {
  3: ["symbol", "name", "kind", "balance", "contract", "token_id"],
  4: ["name", "address", "chain_family", "chain_id", "notes"],
  5: ["key", "value"],
  6: ["name", "protocol", "curve", "threshold", "total", "encoding"],
  7: ["format", "type", "iss", "credential"],
  32: ["timestamp", "status", "from", "to", "amount", "fee", "hash"],
  33: ["transaction_id", "success", "gas_used"],
  34: ["created_at", "rp", "rp_name", "credential_id"],
  35: ["created_at", "rp", "platform"],
  36: ["name", "email"],
  37: ["title", "created_at"],
  38: ["created_at", "author_id", "text"],
};

const FILE_COLUMNS = ["file", "bytes", "program"];
const KEY_COLUMNS = ["name", "kind"];
const WIDEST = 300;

/** The tables of an open archive. */
export class Tables {
  #opened;
  #tables = new Map();
  #files = null;
  #keys = null;

  constructor(opened) { this.#opened = opened; }

  /** Some rows of a table that have a text: `table` is a section's id, `files` or `keys`. */
  async rows({ table, text, from, count }) {
    const { columns, rows } = await this.#table(table);
    const wanted = text.toLowerCase();
    const found = [];
    let matches = 0;
    for (const [index, row] of rows.entries()) {
      if (wanted !== "" && !row.some((cell) => cell.toLowerCase().includes(wanted))) continue;
      if (matches >= from && found.length < count) found.push({ index, cells: row });
      matches += 1;
    }
    return { columns, rows: found, matches, total: rows.length };
  }

  /** The original files. */
  async files() {
    this.#files ??= await this.#opened.files();
    return this.#files;
  }

  /** A key's bytes, and its text if it is one. */
  async secret({ index }) {
    const { bytes, kind } = (await this.#allKeys())[index];
    return { bytes: bytes.slice(), text: readable(bytes), kind };
  }

  async #table(table) {
    if (!this.#tables.has(table)) this.#tables.set(table, await this.#read(table));
    return this.#tables.get(table);
  }

  async #read(table) {
    if (table === "files") {
      const rows = (await this.files()).map((file) => [placeOf(file).join("/"), String(file.total), programOf(file)]);
      return { columns: FILE_COLUMNS, rows };
    }
    if (table === "keys") {
      return { columns: KEY_COLUMNS, rows: (await this.#allKeys()).map(({ name, kind }) => [name, kind]) };
    }
    return this.#section(table);
  }

  async #section(id) {
    const columns = COLUMNS[id] ?? ["record"];
    const rows = [];
    for await (const message of this.#opened.rawRecords(id)) {
      const line = MESSAGES[id] ? jsonLine(id, message) : hex(message);
      const members = COLUMNS[id] ? JSON.parse(line) : { record: line };
      rows.push(columns.map((name) => cellText(name, members[name])));
    }
    return { columns, rows };
  }

  async #allKeys() {
    if (this.#keys) return this.#keys;
    const keys = [];
    const has = (id) => this.#opened.sections.some((section) => section.id === id);
    if (has(65)) {
      for await (const record of this.#opened.records(65)) {
        keys.push({ name: record.name || "without a name", kind: record.kind, bytes: record.secret.slice() });
      }
    }
    if (has(64)) {
      const named = new Map();
      if (has(6)) for await (const record of this.#opened.records(6)) named.set(hex(record.id), record);
      for (const { id, secret } of await this.#opened.keyShares()) {
        const descriptor = named.get(id);
        const kind = ["key share", descriptor?.protocol].filter((word) => word).join(", ");
        keys.push({ name: descriptor?.name || id, kind: secret ? kind : `${kind}: altered, and cannot be opened`, bytes: secret ?? new Uint8Array(0) });
      }
    }
    this.#keys = keys;
    return keys;
  }

  /** Overwrites the keys that are held here. */
  wipe() { for (const { bytes } of this.#keys ?? []) bytes.fill(0); }
}

function programOf(file) {
  return [file.program || file.source, file.programVersion, file.isSecret ? "(secret)" : ""].filter((word) => word).join(" ");
}

function cellText(name, value) {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const short = name.endsWith("_at") || name === "timestamp" ? text.replace(/\.0+Z$/, "Z").replace("T", " ") : text;
  return short.length > WIDEST ? `${short.slice(0, WIDEST)}…` : short;
}

function readable(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

export function hex(bytes) {
  return typeof bytes === "string" ? bytes : [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
