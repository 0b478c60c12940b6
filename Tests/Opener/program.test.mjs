// An archive that the program made, opened by the page: the saved files and records are those that `export` writes.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { ENGINES, OpenedPage } from "./page.mjs";

const PROGRAM = process.env.FUEKI_PROGRAM;
const NAMES = {
  "UTC--2020": "UTC--2020", "CON": "_CON", "photo\u202egnp.exe": "photo_gnp.exe", "back\\slash": "back_slash", "end.": "end_", "A": "A", "a": "a~2",
};

for (const engine of ENGINES) test(`${engine}: originals, JSON lines and tables are those of the program`, { skip: !PROGRAM }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "opener-"));
  const home = join(folder, "home");
  const wallets = join(home, ".wallets");
  const run = (...words) => execFileSync(PROGRAM, words, {
    encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, HOME: home, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, XDG_DATA_HOME: folder },
  });
  const page = await OpenedPage.start(null, engine);
  try {
    const { tab } = page;
    mkdirSync(wallets, { recursive: true });
    for (const [place, name] of Object.keys(NAMES).entries()) {
      writeFileSync(join(wallets, name), `${name} ${place}`);
      utimesSync(join(wallets, name), 1612325106 + place, 1612325106 + place);
    }
    writeFileSync(join(wallets, "large"), Buffer.alloc(3_000_000, "large file"));
    mkdirSync(join(folder, "backups"));
    run("demo", "--keep", join(folder, "demo"));
    const passphrase = join(folder, "demo/passphrase");
    run("create", "--target", join(folder, "backups"), "--datadir", join(folder, "demo/old-machine/data/fueki"), "--from", "store", "--from",
      `file:${wallets}`, "--include-private-keys", "--accept=synced-keys", "--keychain-passphrase-from",
      `file:${join(folder, "demo/old-machine.key")}`, "-p", passphrase, "--unsigned");
    const archive = join(folder, "backups", readdirSync(join(folder, "backups")).find((name) => name.endsWith(".fueki")));
    for (const format of ["jsonl", "csv", "native"]) {
      run("export", archive, "--output", join(folder, format), "--format", format, "-p", passphrase,
        ...(format === "native" ? ["--include-secrets"] : []));
    }

    await page.choose(archive);
    await tab.type("Passphrase", readFileSync(passphrase, "utf8").trimEnd());
    const text = await page.open();
    assert.match(text, /whole and proved: its keys lead to its address/);
    assert.match(text, /public part only: it cannot spend/);
    assert.match(text, /Transactions \(2,000\)/);

    const files = page.unpack(await page.save("Save all original files (ZIP)", "wallet-files.zip"));
    const saved = join(files, "home/.wallets");
    assert.deepEqual(readdirSync(saved).sort(), [...Object.values(NAMES), "large"].sort());
    const contents = (folder) => readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1")).sort();
    assert.deepEqual(contents(saved), contents(join(folder, "native/home/.wallets")));
    for (const [name, safe] of Object.entries(NAMES)) {
      if (name.toLowerCase() !== "a") assert.deepEqual(readFileSync(join(saved, safe)), readFileSync(join(wallets, name)), name);
    }
    const listed = execFileSync("unzip", ["-v", join(page.downloads, "wallet-files.zip")], { encoding: "utf8", env: { ...process.env, TZ: "UTC" } });
    assert.match(listed, /2021-02-03 04:0[56] .*_CON/);

    for (const format of ["jsonl", "csv"]) {
      const label = format === "csv" ? "Save the records as tables (CSV in a ZIP)" : "Save the records as JSON lines (ZIP)";
      const records = page.unpack(await page.save(label, `wallet-records-${format}.zip`));
      const wanted = readdirSync(join(folder, format)).filter((name) => statSync(join(folder, format, name)).isFile() && name.endsWith(format) && name !== `files.${format}`);
      assert.deepEqual(readdirSync(records).sort(), wanted.sort());
      for (const name of wanted) {
        assert.ok(readFileSync(join(records, name)).equals(readFileSync(join(folder, format, name))), name);
      }
    }

    // A key is shown after a press only, and is gone after another.
    assert.equal(await tab.run("[...document.querySelectorAll('.secret')].every((part) => part.hidden && part.textContent === '')"), true);
    await tab.until("[...document.querySelectorAll('button')].some((button) => button.textContent === 'Show')");
    await tab.press("Show");
    await tab.until("document.querySelector('.secret').textContent.length > 10");
    await tab.press("Hide");
    await tab.until("document.querySelector('.secret').textContent === ''");
    assert.deepEqual(tab.log, []);
  } finally {
    await page.end();
    rmSync(folder, { recursive: true, force: true });
  }
});
