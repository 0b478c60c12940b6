// The test vectors through the page's own worker, in each browser: all of them with FUEKI_FULL=1, else every twelfth, chosen by
// the number in Tests/seed. Those are left out that need what the page does not offer: a plugin, the guardians' combined key, a limit.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { ENGINES, OpenedPage } from "./page.mjs";
import { content, names, ROOT, vector as vectorOf } from "./vector-files.mjs";
import { canonical, differences } from "./vectors.mjs";

const AT_ONCE = 25;
// Vectors that are older than the rules for messages and files, and break them.
const OLDER = ["block-of-1-mib", "columns"];
const SHARE = process.env.FUEKI_FULL ? 1 : 12;
const first = Number(process.env.FUEKI_SEED ?? readFileSync(join(ROOT, "Tests/seed"), "utf8")) % SHARE;
const source = readFileSync(join(ROOT, "Tests/Opener/worker-vectors.mjs"), "utf8");

const isOffered = ({ reader }) => !reader.plugin && !reader.guardians_key && reader.plaintext_limit === undefined;
const chosen = names().filter((name) => isOffered(vectorOf(name))).filter((_, place) => place % SHARE === first);

/** The vector whose bytes a vector is based on, itself if there is none, and its edits. */
const fileOf = (name) => {
  const { base, edits } = vectorOf(name);
  return base ? { base, edits } : { base: name };
};

/** A vector as a person would give it to the page. */
function taskOf(name) {
  const { reader, archive, key_shares: shares } = vectorOf(name);
  const signers = reader.trusted_signers ?? [];
  return {
    vector: fileOf(name), bases: (reader.bases ?? []).map(fileOf),
    secrets: {
      passphrases: reader.passphrases ?? [], identities: reader.identities ?? [], shares: reader.shares ?? [], keyFile: reader.key_file ?? null,
    },
    // The paper has one signer.
    paper: {
      signer: signers.find((key) => key === archive?.signer) ?? signers[0] ?? "",
      ...(reader.known && { number: String(reader.known.sequence), id: reader.known.digest }),
    },
    salvage: reader.salvage ?? false, large: reader.large_derivation ?? false, shares: Boolean(shares),
  };
}

/** A vector with the verdict of a reader that looks into messages, as the page does. */
function lookedInto(name) {
  const vector = vectorOf(name);
  const verdict = OLDER.includes(name) ? "forged or inconsistent" : (vector.messages ?? vector.verdict);
  if (verdict !== vector.verdict) {
    vector.verdict = verdict;
    delete vector.archive;
  }
  return vector;
}

function* disagreements(name, { report, keys }) {
  const vector = lookedInto(name);
  // The report on the shares is for those who still need some.
  if (!report.shares) delete vector.shares;
  if (report.salvaged === undefined) delete vector.salvaged;
  const expected = vector.key_shares?.map(({ secret }) => secret ?? null);
  delete vector.key_shares;
  yield* differences(vector, report, null);
  if (expected && keys && canonical(keys) !== canonical(expected)) yield `key shares: ${canonical(keys)}`;
}

for (const engine of ENGINES) {
  test(`${engine}: the worker agrees with ${chosen.length} vectors`, { timeout: 900_000 }, async () => {
    const page = await OpenedPage.start(null, engine, { "main.mjs": (text) => text + source });
    const sent = new Set();
    const found = [];
    let opened = 0;
    try {
      await page.tab.until("document.querySelector('#task.ready') !== null");
      for (let number = 0; number * AT_ONCE < chosen.length; number += 1) {
        const some = chosen.slice(number * AT_ONCE, (number + 1) * AT_ONCE);
        const vectors = some.map(taskOf);
        const bases = {};
        for (const { base } of vectors.flatMap((one) => [one.vector, ...one.bases])) {
          if (!sent.has(base)) bases[base] = Buffer.from(content(base)).toString("base64");
          sent.add(base);
        }
        const text = JSON.stringify({ number, bases, vectors });
        await page.tab.run(`(() => {
          const task = document.getElementById("task");
          task.value = ${JSON.stringify(text)};
          task.dispatchEvent(new Event("input"));
        })()`);
        await page.tab.until(`document.getElementById("answer").value.startsWith('{"number":${number},')`, { within: 300_000 });
        const { answers } = JSON.parse(await page.tab.run("document.getElementById('answer').value"));
        for (const [place, answer] of answers.entries()) {
          if (answer.report.sections) opened += 1;
          for (const line of disagreements(some[place], answer)) found.push(`${some[place]}: ${line}`);
        }
      }
    } finally {
      await page.end();
    }
    assert.deepEqual(found, []);
    assert.ok(opened > chosen.length / 10, `${opened} were opened`);
  });
}
