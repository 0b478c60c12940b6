// Compares the reader's schema, section names and words with those of the manual page and of the test vectors.
import { readFileSync } from "node:fs";
import { SCHEMA, SECTIONS, SHARE_WORDS, MESSAGES } from "../../Sources/Opener/reader/reader.mjs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const page = read("man/fueki-archive.5");
// The types that only this reader's schema tells apart.
const PLAIN = { packed: "bytes", path: "bytes", time: "sint64" };

function fieldsOfPage(body) {
  const fields = [];
  let isChoice = false;
  for (const line of body.split("\n")) {
    if (line.includes("oneof")) isChoice = true;
    else if (/^ *}/.test(line)) isChoice = false;
    const found = line.match(/^ *(repeated |optional )?(\w+) (\w+) = (\d+);(.*)$/);
    if (!found) continue;
    const [, mark = "", type, name, number, comment] = found;
    // A field of a message is always optional.
    const isOptional = mark === "optional " || (!mark && /^[A-Z]/.test(type));
    const presence = mark === "repeated " ? "list" : isChoice ? "choice" : isOptional ? "optional" : "always";
    fields.push({ name, number: Number(number), type, presence, isPacked: comment.includes("packed text") });
  }
  return fields.sort((a, b) => a.number - b.number);
}

const schema = page.slice(page.indexOf('syntax = "proto3";'), page.indexOf(".Sh DIFFERENTIAL ARCHIVES"));
const problems = [];
const ofPage = new Map();
for (const [, name, body] of schema.matchAll(/^message (\w+) \{\n([\s\S]*?)^\}/gm)) ofPage.set(name, fieldsOfPage(body));
if ([...ofPage.keys()].sort().join() !== [...SCHEMA.keys()].sort().join()) problems.push("the messages differ");
for (const [name, wanted] of ofPage) {
  const found = SCHEMA.get(name) ?? [];
  const spell = ({ name, number, type, presence }) => `${name}=${number}:${presence}:${PLAIN[type] ?? type}`;
  if (found.map(spell).join(" ") !== wanted.map(spell).join(" ")) problems.push(`the fields of ${name} differ`);
  const packed = (fields, isPacked) => fields.filter(isPacked).map((field) => field.name).join();
  const isPacked = packed(found, ({ type }) => type === "packed") === packed(wanted, (field) => field.isPacked);
  if (!isPacked) problems.push(`the packed texts of ${name} differ`);
}
for (const [, id, name, message] of page.matchAll(/^(\d+) +([a-z-]+) +([A-Z]\w+)$/gm)) {
  if (SECTIONS[id] !== name) problems.push(`section ${id} is ${name}`);
  if (id !== "62" && MESSAGES[id] !== message) problems.push(`section ${id} has ${message}`);
}
if (read("TestVectors/slip39-words.txt").trim().split(/\s+/).join() !== SHARE_WORDS.join()) problems.push("the words differ");
if (ofPage.size < 25 || SHARE_WORDS.length !== 1024) problems.push("the page was not understood");
for (const problem of problems) console.error(problem);
console.log(`${ofPage.size} messages of the page, ${problems.length} problems`);
process.exitCode = problems.length ? 1 : 0;
