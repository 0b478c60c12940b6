// The relative's role: a disk with backups, the recovery kit on paper and two guardians' sheets, one word of which is typed wrong.
// Files are saved, with no program other than the browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { nearest } from "../../Sources/Opener/reader/reader.mjs";
import { ENGINES, OpenedPage } from "./page.mjs";

const PROGRAM = process.env.FUEKI_PROGRAM;
const FILES = { "wallet.txt": "the wallet", "notes.txt": "where the rest is\n" };

/** The owner's part: signed backups for two of three guardians, the kit, and the sheets. */
function owner(folder) {
  const environment = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, XDG_DATA_HOME: folder };
  const run = (...words) => execFileSync(PROGRAM, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: environment });
  const [disk, wallets, sheets] = ["disk", "wallets", "sheets"].map((name) => join(folder, name));
  const key = ["--sign-key", join(folder, "sign.key")];
  const target = ["--target", disk];
  for (const made of [disk, wallets]) mkdirSync(made);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(wallets, name), text);
  run("key", "new-signer", "--quiet", "--no-passphrase", "--output", key[1]);
  run("demo", "--keep", join(folder, "demo"));
  const data = ["--datadir", join(folder, "demo/old-machine/data/fueki")];
  run("guardians", "split", "--threshold", "2", "--count", "3", ...data, "--output", sheets);
  for (let count = 0; count < 2; count += 1) {
    run("create", ...target, ...data, "--from", "store", "--from", `file:${wallets}`, "--include-private-keys", "--accept=synced-keys",
      "--keychain-passphrase-from", `file:${join(folder, "demo/old-machine.key")}`, "--guardians", join(sheets, "guardians.txt"), ...key);
  }
  const kit = run("kit", "print", ...target, ...key);
  return { disk, kit, sheet: (number) => readFileSync(join(sheets, `guardian-${number}.txt`), "utf8") };
}

/** The words of a sheet, copied column by column, with their numbers. */
function wordsOf(sheet) {
  const found = [...sheet.matchAll(/(\d+)\. ([a-z]+)/g)].map(([, number, word]) => [Number(number), word]).sort(([a], [b]) => a - b);
  assert.equal(found.length, 33);
  return found.map(([, word]) => word);
}

const typed = (words) => words.map((word, place) => `${place + 1}. ${word}`).join("\n");

for (const engine of ENGINES) {
  test(`${engine}: a relative saves the files with the kit and two guardians' sheets`, { skip: !PROGRAM }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "opener-"));
    const page = await OpenedPage.start(null, engine);
    try {
      const { disk, kit, sheet } = owner(folder);
      const { tab } = page;
      // All files of the disk, because the relative does not know which is the newest.
      const archives = readdirSync(disk).filter((name) => name.endsWith(".fueki"));
      assert.equal(archives.length, 2);
      await page.choose(...archives.map((name) => join(disk, name)));
      const printed = (pattern) => pattern.exec(kit)[1];
      await tab.run("document.querySelector('details.paper').open = true");
      await tab.type("Signer or fingerprint", printed(/fingerprint +((?:[0-9a-f]{4} ?){8})/));
      await tab.type("Number of the newest", printed(/number \[(\d+)\]/));
      await tab.type("Id of the newest", printed(/its id +([0-9a-f\s]+\[[0-9a-f ]+\])/));
      await tab.press("Compare");
      await tab.until("document.body.innerText.includes('It is the newest archive on the paper.')");
      assert.match(await tab.text(), /It is signed by the signer on the paper\./);

      const [first, third] = [1, 3].map((number) => wordsOf(sheet(number)));
      const wrong = [...first];
      wrong[6] = `${first[6].slice(0, -1)}zz`;
      assert.ok(nearest(wrong[6]).includes(first[6]));
      await tab.type("Guardian 1", typed(wrong));
      await tab.until("document.body.innerText.includes('Word 7')");
      await tab.press(first[6]);
      await tab.until("document.body.innerText.includes('The words of this sheet are right.')");
      assert.match(await page.open(), /One more guardian's words are needed\./);
      await tab.type("Guardian 2", typed(third));
      assert.match(await page.open(), /It is open, and all of its contents are as they were backed up\./);

      assert.match(await tab.text(), /Each wallet's own program opens its files\./);
      const saved = page.unpack(await page.save("Save all original files (ZIP)", "wallet-files.zip"));
      const found = Object.fromEntries(readdirSync(saved, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
        .map((entry) => [entry.name, readFileSync(join(entry.parentPath ?? entry.path, entry.name), "utf8")]));
      assert.deepEqual(found, FILES);
      await tab.until("[...document.querySelectorAll('button')].some((button) => button.textContent === 'Show')");
      assert.deepEqual(tab.log, []);
    } finally {
      await page.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
