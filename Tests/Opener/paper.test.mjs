// The recovery kit's signer, newest archive and first code, typed into the page: its verdict uses them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { VERDICT_SENTENCES } from "../../Sources/Opener/page/sentences.mjs";
import { load, paperOf } from "../../Sources/Opener/reader/reader.mjs";
import { ENGINES, MODULE, OpenedPage } from "./page.mjs";
import { vector } from "./vector-files.mjs";

const PROGRAM = process.env.FUEKI_PROGRAM;
const SIGNER = "Signer or fingerprint";
const NUMBER = "Number of the newest";
const ID = "Id of the newest";
const CODE = "Or only the text of code 1";
const WELL = VERDICT_SENTENCES.ok[0];

await load(readFileSync(MODULE));

/** Types texts by their labels, with everything else empty, presses Compare, and returns what the page shows. */
async function compare(page, texts) {
  await page.tab.run("document.querySelector('details.paper').open = true");
  for (const label of [SIGNER, NUMBER, ID, CODE]) await page.tab.type(label, texts[label] ?? "");
  // The results are made anew.
  await page.tab.run("document.querySelectorAll('article').forEach((part) => { part.className = 'old'; })");
  await page.tab.press("Compare");
  await page.tab.until("document.querySelector('article:not(.old)') !== null && document.querySelector('article.old') === null");
  return page.tab.text();
}

const canOpen = (text) => text.includes("2. Open it");
const grouped = (hex) => `${hex.slice(0, 56).match(/.{4}/g).join(" ")} [${hex.slice(56, 60)} ${hex.slice(60)}]`.toUpperCase();

for (const engine of ENGINES) {
  test(`${engine}: the signer and the newest archive on the paper decide the verdict`, async () => {
    const page = await OpenedPage.start(null, engine);
    try {
      const [stranger, signer] = vector("signed-trusted").reader.trusted_signers;
      await page.chooseVectors("signed-trusted");
      const fingerprint = (await page.tab.text()).replaceAll(/\s+/g, " ").match(/Fingerprint ((?:[0-9a-f]{4} ){7}[0-9a-f]{4})/)[1];
      for (const right of [grouped(signer), signer, fingerprint]) {
        const text = await compare(page, { [SIGNER]: right });
        assert.match(text, /It is signed by the signer on the paper\./);
        assert.ok(canOpen(text));
      }
      const refused = await compare(page, { [SIGNER]: stranger });
      assert.equal(await page.verdict(), VERDICT_SENTENCES["not signed by a trusted signer"][0]);
      assert.ok(!canOpen(refused));
      assert.match(refused, /To open it anyway, clear the fields/);
      const short = await compare(page, { [SIGNER]: signer.slice(1) });
      assert.match(short, /Not compared: a signer has 64 digits/);
      assert.equal(await page.verdict(), WELL);
      assert.ok(!short.includes("It is signed by the signer on the paper."));

      // What was typed first holds for files that are chosen later.
      await compare(page, { [SIGNER]: signer });
      await page.tab.run("document.querySelectorAll('article').forEach((part) => part.remove())");
      await page.chooseVectors("everything");
      assert.equal(await page.verdict(), VERDICT_SENTENCES["not signed by a trusted signer"][0]);

      for (const [name, verdict, words] of [
        ["chain-same", "ok", "It is the newest archive on the paper."],
        ["chain-next", "ok", "It records that archive as the one before it."],
        ["chain-gap", "ok", "Other archives were made in between"],
        ["chain-older", "older than known", "To open it anyway"],
        ["chain-forked-same", "forked", "To open it anyway"],
        ["chain-forked-next", "forked", "To open it anyway"],
      ]) {
        const { sequence, digest } = vector(name).reader.known;
        const text = await compare(page, { [NUMBER]: String(sequence), [ID]: grouped(digest) });
        assert.equal(await page.verdict(), VERDICT_SENTENCES[verdict][0], name);
        assert.ok(text.includes(words), name);
        assert.equal(canOpen(text), verdict === "ok", name);
      }
      assert.match(await compare(page, { [NUMBER]: "7" }), /It has the number of the newest archive on the paper\. Enter the id too/);
      await compare(page, { [NUMBER]: "8" });
      assert.equal(await page.verdict(), VERDICT_SENTENCES["older than known"][0]);
      const { digest } = vector("chain-same").reader.known;
      const vault = (start) => `${start}${vector("everything").archive?.vault.slice(start.length) ?? "0".repeat(32 - start.length)}`;
      assert.match(await compare(page, { [CODE]: `${vault("")}:7:${digest}`.toUpperCase() }), /It is the newest archive on the paper\./);
      const foreign = await compare(page, { [CODE]: `${"f".repeat(32)}:7:${digest}` });
      assert.match(foreign, /It belongs to a different series of backups than the paper\./);
      assert.match(await compare(page, { [CODE]: "code 1" }), /Not compared: this is not the text of code 1/);
      assert.deepEqual(page.tab.log, []);
    } finally {
      await page.end();
    }
  });

  test(`${engine}: a base that another chosen archive needs may be older than the paper says`, async () => {
    const page = await OpenedPage.start(null, engine);
    try {
      await page.chooseVectors("differential", vector("differential").reader.bases[0]);
      const sequence = String(vector("differential").archive.sequence);
      const text = await compare(page, { [NUMBER]: sequence });
      assert.match(text, /It has the number of the newest archive on the paper\./);
      assert.match(text, /Another chosen archive is based on it/);
      assert.equal(await page.tab.run("document.querySelectorAll('.verdict.well').length"), 2);
    } finally {
      await page.end();
    }
  });

  test(`${engine}: the program's checkpoint, fingerprint and number are accepted`, { skip: !PROGRAM }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "opener-"));
    const environment = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, XDG_DATA_HOME: folder };
    const run = (...words) => execFileSync(PROGRAM, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: environment });
    const page = await OpenedPage.start(null, engine);
    try {
      const backups = join(folder, "backups");
      const key = ["--sign-key", join(folder, "sign.key")];
      mkdirSync(backups);
      run("demo", "--keep", join(folder, "demo"));
      run("key", "new-signer", "--quiet", "--no-passphrase", "--output", key[1]);
      run("create", "--target", backups, "--datadir", join(folder, "demo/old-machine/data/fueki"), "--from", "store", "--keychain-passphrase-from",
        `file:${join(folder, "demo/old-machine.key")}`, "-p", join(folder, "demo/passphrase"), ...key);
      const code = run("checkpoint", "export", "--target", backups, ...key);
      const kit = JSON.parse(run("kit", "print", "--json", "--target", backups, "--output", join(folder, "kit"), ...key));
      await page.choose(join(backups, readdirSync(backups).find((name) => name.endsWith(".fueki"))));
      for (const texts of [{ [CODE]: code }, { [CODE]: code.toUpperCase() }, { [CODE]: code, [SIGNER]: kit.fingerprint }]) {
        const text = await compare(page, texts);
        assert.match(text, /It is signed by the signer on the paper\./);
        assert.match(text, /It is the newest archive on the paper\./);
      }
      const altered = code.replace(/ 1 /, " 2 ");
      assert.notEqual(altered, code);
      assert.match(await compare(page, { [CODE]: altered }), /Not compared: this is not the text of code 1, or it contains an error/);
      assert.match(await compare(page, { [CODE]: code, [SIGNER]: "0".repeat(64) }), /Not compared/);
    } finally {
      await page.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

test("what a paper cannot say is refused", () => {
  const reasonOf = (typed) => {
    try {
      paperOf(typed);
      return null;
    } catch (error) {
      return error.reason;
    }
  };
  assert.equal(reasonOf({}), null);
  assert.deepEqual(paperOf({}), { trustedSigners: [], known: null });
  assert.equal(reasonOf({ signer: "g".repeat(64) }), "signer");
  assert.equal(reasonOf({ id: "0".repeat(64) }), "number");
  assert.equal(reasonOf({ number: "-1x" }), "number");
  assert.equal(reasonOf({ number: "1", id: "0".repeat(63) }), "id");
  assert.equal(reasonOf({ code: `${"0".repeat(32)}:1:${"0".repeat(63)}` }), "code");
  assert.equal(reasonOf({ code: `fueki-checkpoint-1 ${"0".repeat(32)} 99999999999999999999 ${"0".repeat(64)} 1 ${"0".repeat(64)} ${"0".repeat(128)}` }), "code");
});
