// Names for saved files: whatever an archive calls them, they are plain names on Windows, macOS and Linux.

const LONGEST = 120;
const DEEPEST = 16;
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;
// Characters that Windows refuses, controls, and marks that change how the rest of a name is shown.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\ufffd]|\p{Cs}/gu;

/** One plain name. */
export function plainName(name) {
  let plain = name.normalize("NFC").replace(UNSAFE, "_").replace(/[. ]+$/u, (end) => "_".repeat(end.length));
  plain = [...plain].slice(0, LONGEST).join("").replace(/^ +/u, (start) => "_".repeat(start.length));
  plain = plain.replace(/[. ]+$/u, (end) => "_".repeat(end.length));
  if (plain === "") return "unnamed";
  const stem = plain.split(".")[0].trimEnd();
  return RESERVED.test(stem) ? `_${plain}` : plain;
}

const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/**
 * The names of the folders, and last that of a file, as `fueki-backup export --format native` arranges them: `home/…` for
 * files of a home directory, `root/…` for those elsewhere, and `unplaced/SOURCE/…` if nobody knows.
 */
export function placeOf(file) {
  const place = file.place === undefined ? "" : text.decode(file.place);
  if (place.startsWith("~/")) return components(["home"], place.slice(2));
  if (place.startsWith("/")) return components(["root"], place);
  return components(["unplaced", plainName(file.source)], text.decode(file.path));
}

function components(top, path) {
  let names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.length > DEEPEST) names = [...names.slice(0, DEEPEST - 1), names.slice(DEEPEST - 1).join("_")];
  if (names.length === 0) names = ["unnamed"];
  return [...top, ...names.map(plainName)];
}

/** Gives every file of a folder tree a path of its own, also on systems that do not tell `A` from `a`. */
export class Paths {
  #taken = new Map();
  #folders = new Map();
  #numbers = new Map();

  /** The path for a file's names. */
  add(names) {
    let folder = "";
    for (const name of names.slice(0, -1)) folder = this.#folder(folder, name);
    return this.#free(folder, names.at(-1), "file");
  }

  #folder(parent, name) {
    const wanted = `${parent}/${name}`;
    if (!this.#folders.has(wanted)) this.#folders.set(wanted, this.#free(parent, name, "folder"));
    return this.#folders.get(wanted);
  }

  #free(folder, name, kind) {
    const wanted = folder === "" ? name : `${folder}/${name}`;
    let number = this.#numbers.get(wanted.toLowerCase()) ?? 1;
    let path = number === 1 ? wanted : numbered(wanted, number);
    for (let other; (other = this.#taken.get(path.toLowerCase())); path = numbered(wanted, number)) {
      if (kind === "folder" && other.kind === "folder") return other.path;
      number += 1;
    }
    if (kind === "file") this.#numbers.set(wanted.toLowerCase(), number);
    this.#taken.set(path.toLowerCase(), { kind, path });
    return path;
  }
}

/** `name~2.txt`: the ending stays, so that programs still know the file. */
function numbered(path, number) {
  const ending = /[^/]\.[^./]*$/.exec(path);
  const place = ending ? ending.index + 1 : path.length;
  return `${path.slice(0, place)}~${number}${path.slice(place)}`;
}
