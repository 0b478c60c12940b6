// Added to the end of the page's main.mjs by worker.test.mjs: puts test vectors through a worker of the page. The worker is the
// shipped one, and so are the port and the derivation. Tasks arrive in a field, and answers leave in another, because scripts
// of a driver and scripts of a page see each other's values in some engines only.

const contents = new Map();
const derived = new Map();
let chosen = [];

const task = document.createElement("textarea");
const answer = document.createElement("textarea");
Object.assign(task, { id: "task", hidden: true });
Object.assign(answer, { id: "answer", hidden: true });
document.body.append(task, answer);

const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));

/** Most vectors have the same passphrase and salts. Each derivation is run once. */
function deriveOnce(argument) {
  const key = [hexOf(argument.passphrase), hexOf(argument.salt), argument.memory, argument.passes].join();
  if (!derived.has(key)) derived.set(key, derive(argument).then((result) => result.value));
  return derived.get(key).then((bytes) => bytes.slice());
}

const reader = connect(startWorker(), {
  derive: deriveOnce,
  progress() {},
  read({ file, offset, length }) {
    const bytes = chosen[file].slice(offset, offset + length);
    return moved(bytes, [bytes.buffer]);
  },
});

/** The bytes of a base with a vector's edits. */
function edited({ base, edits = [] }) {
  const bytes = contents.get(base);
  const parts = [];
  let place = 0;
  for (const { offset, remove, insert, repeat = 1 } of edits) {
    parts.push(bytes.subarray(place, offset));
    for (let count = 0; count < repeat; count += 1) parts.push(bytesOf(insert));
    place = offset + remove;
  }
  parts.push(bytes.subarray(place));
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

async function keyShares(expected) {
  if (!expected) return null;
  const { rows } = await reader("rows", { table: "keys", text: "", from: 0, count: 1000 });
  const shares = rows.filter(({ cells }) => cells[1].startsWith("key share"));
  return Promise.all(shares.map(async ({ index, cells }) =>
    cells[1].includes("altered") ? null : hexOf((await reader("secret", { index })).bytes)));
}

/** What the page would find out about a vector. */
async function run({ vector, bases, secrets, paper, salvage, large, shares }) {
  chosen = [vector, ...bases].map(edited);
  await reader("inspect", { lengths: chosen.map(({ length }) => length) });
  let [found] = await reader("compare", paper);
  if (salvage) found = await reader("salvage", { file: 0 });
  const report = { ...found, slots: found.slots?.map(({ type, mask }) => ({ type, mask })), scopes: undefined };
  const given = { ...secrets, keyFile: secrets.keyFile === null ? null : bytesOf(secrets.keyFile) };
  if (!found.canUnlock || secrets.passphrases.length + secrets.identities.length + secrets.shares.length === 0) return { report };
  try {
    const open = await reader("open", { file: 0, secrets: given, large });
    Object.assign(report, { scopes: open.scopes, sections: open.digests, salvaged: open.salvaged, bundle_checksum: open.bundleChecksum });
    if (open.result) report.result = open.result;
    // The page shows what there is without the base. A reader says that it is missing.
    if (open.base === "missing" && !salvage) report.verdict = "base missing";
    const keys = await keyShares(shares);
    await reader("close");
    return { report, keys };
  } catch (error) {
    return { report: { ...report, verdict: error.verdict ?? String(error), why: error.why, shares: error.shares } };
  }
}

task.addEventListener("input", async () => {
  const { number, bases, vectors } = JSON.parse(task.value);
  task.value = "";
  for (const [name, text] of Object.entries(bases)) contents.set(name, Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  const answers = [];
  for (const vector of vectors) answers.push(await run(vector).catch((error) => ({ report: { verdict: String(error.stack ?? error) } })));
  answer.value = JSON.stringify({ number, answers }, (_, value) => (typeof value === "bigint" ? value.toString() : value));
});

(async () => {
  await reader("load", await unpacked(document.getElementById("module").textContent));
  task.className = "ready";
})();
