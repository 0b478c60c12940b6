// The page in Chromium: what a person chooses, types, reads and saves. FUEKI_FULL=1 adds every kind of slot and verdict.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { VERDICT_SENTENCES } from "../../Sources/Opener/page/sentences.mjs";
import { VERDICTS } from "../../Sources/Opener/reader/reader.mjs";
import { ENGINES, OpenedPage } from "./page.mjs";
import { ROOT, vector } from "./vector-files.mjs";

const isFull = Boolean(process.env.FUEKI_FULL);
const PASS = "correct horse battery staple";

/** Runs a test with a page of its own in each browser; the page's policy must not have been violated. */
function onPage(name, options, body) {
  for (const engine of options.engines ?? ENGINES) {
    test(`${engine}: ${name}`, { skip: options.skip }, async () => {
      const page = await OpenedPage.start(null, engine, options.changes);
      try {
        await body(page, page.tab);
        assert.deepEqual(page.tab.log, []);
      } finally {
        await page.end();
      }
    });
  }
}

test("every verdict has its sentence", () => {
  for (const verdict of VERDICTS) assert.ok(VERDICT_SENTENCES[verdict], verdict);
  for (const sentences of Object.values(VERDICT_SENTENCES)) {
    assert.ok(!/authentic/i.test(sentences.join(" ")));
    assert.match(sentences[0], /^[A-Z].*\.$/);
  }
});

onPage("a wrong passphrase three times, the right one, what is in it, and the saved records", {}, async (page, tab) => {
  await page.chooseVectors("everything");
  assert.equal(await page.verdict(), "Every byte of this file is as it was written.");
  const facts = await tab.text();
  assert.match(facts, /Number\s+7 of its series/);
  assert.match(facts, /none: it is unsigned/);
  for (const wrong of ["Correct horse battery staple", "correct horse battery stapl", "x"]) {
    await tab.type("Passphrase", wrong);
    assert.match(await page.open(), /This does not open the archive\./);
    assert.ok(!(await tab.text()).includes("3. What is in it"));
  }
  await tab.type("Passphrase", PASS);
  const text = await page.open();
  assert.match(text, /all of its contents are as they were backed up/);
  assert.match(text, /Contacts \(300\)/);
  assert.equal(await tab.run("document.querySelectorAll('input.hidden').length"), 0);
  await tab.run("[...document.querySelectorAll('details')].find((part) => part.textContent.startsWith('Contacts')).open = true");
  await tab.until("document.body.innerText.includes('1 to 25 of 300')");
  await tab.run("[...document.querySelectorAll('details')].find((part) => part.textContent.startsWith('Digests')).open = true");
  const { bundle_checksum: checksum, sections } = vector("everything").archive;
  await tab.until(`document.body.innerText.includes(${JSON.stringify(checksum)})`);
  for (const { sha256 } of sections) assert.ok((await tab.text()).includes(sha256));
  const folder = page.unpack(await page.save("Save the records as JSON lines (ZIP)", "wallet-records-jsonl.zip"));
  assert.equal(readFileSync(join(folder, "contacts.jsonl"), "utf8").trimEnd().split("\n").length, 300);
  // The press that closes forgets all of it.
  await tab.press("Close the archive and forget the keys");
  await tab.until("!document.body.innerText.includes('3. What is in it')");
});

onPage("what is no archive, one that was cut off and one that is damaged", {}, async (page, tab) => {
  const text = join(page.folder, "letter.txt");
  writeFileSync(text, "Dear friend, this is a letter and no archive.");
  await page.choose(text);
  assert.equal(await page.verdict(), "This is not a Fueki archive.");
  assert.ok(!(await tab.text()).includes("2. Open it"));
  await page.reload();
  const cut = join(page.folder, "cut.fueki");
  writeFileSync(cut, readFileSync(join(ROOT, "TestVectors/archives/everything.fueki")).subarray(0, 100_000));
  await page.choose(cut);
  assert.equal(await page.verdict(), "The file ends before the archive does.");
  await page.reload();
  await page.chooseVectors("chunk-history");
  assert.equal(await page.verdict(), "The archive is damaged.");
  await tab.press("Use its intact parts");
  await tab.until("document.body.innerText.includes('2. Open it')");
  await tab.type("Passphrase", PASS);
  assert.match(await page.open(), /Damaged parts are left out/);
  await page.reload();
  await page.chooseVectors("salvage-boundary");
  await tab.press("Use its intact parts");
  await tab.until("document.body.innerText.includes('2. Open it')");
  await tab.type("Passphrase", PASS);
  const [{ lost }] = vector("salvage-boundary").salvaged.sections.filter((section) => section.lost > 0);
  assert.ok((await page.open()).includes(`: ${lost} record${lost === 1 ? "" : "s"} could not be read.`));
});

onPage("an age identity", {}, async (page, tab) => {
  await page.chooseVectors("all-slot-types");
  await tab.type("The line that begins with", vector("all-slot-types-x25519").reader.identities[0]);
  const text = await page.open();
  assert.match(text, /It is open/);
  assert.match(text, /This secret does not open the keys\./);
});

onPage("a passphrase with a key file", { skip: !isFull }, async (page, tab) => {
  const { reader } = vector("all-slot-types-key-file");
  const key = join(page.folder, "key");
  writeFileSync(key, Buffer.from(reader.key_file, "hex"));
  await page.chooseVectors("all-slot-types");
  await tab.type("Passphrase", reader.passphrases[0]);
  assert.match(await page.open(), /This does not open the archive/);
  await tab.type("Passphrase", reader.passphrases[0]);
  await tab.choose("fieldset:first-of-type input[type=file]", [key]);
  assert.match(await page.open(), /It is open/);
});

for (const name of ["guardians", "hybrid-guardians"]) {
  onPage(`${name}: words, one of them mistyped`, { skip: !isFull }, async (page, tab) => {
    const { shares } = vector(name).reader;
    await page.chooseVectors(name);
    await tab.type("Guardian 1", shares[0].replace(/^\S+ \S+/, (start) => `${start}x`));
    await tab.until("document.body.innerText.includes('is not in the list of words')");
    await tab.press(shares[0].split(" ")[1]);
    await tab.until("document.body.innerText.includes('The words of this sheet are right.')");
    assert.match(await page.open(), /One more guardian's words are needed\.|more guardians' words are needed\./);
    for (const [place, words] of shares.entries()) await tab.type(`Guardian ${place + 1}`, words);
    assert.match(await page.open(), /It is open/);
  });
}

onPage("a hybrid identity", { skip: !isFull }, async (page, tab) => {
  await page.chooseVectors("hybrid");
  await tab.type("The line that begins with", vector("hybrid").reader.identities[0]);
  assert.match(await page.open(), /It is open/);
});

onPage("a plugin's slot says which program to use", { skip: !isFull }, async (page, tab) => {
  await page.chooseVectors("plugin");
  assert.match(await tab.text(), /age plugin.*fueki-restore on a computer with Linux/);
});

onPage("a differential archive with and without its base", { skip: !isFull }, async (page, tab) => {
  await page.chooseVectors("differential");
  await tab.type("Passphrase", PASS);
  assert.match(await page.open(), /Its base is not among the chosen files/);
  await page.reload();
  const base = vector("differential").reader.bases[0];
  await page.chooseVectors("differential", base);
  await tab.type("Passphrase", PASS);
  assert.match(await page.open(), /Its history was joined with that of its base/);
});

// One vector for each verdict that a file alone has.
const verdicts = new Map();
for (const name of readdirSync(join(ROOT, "TestVectors/archives")).filter((name) => name.endsWith(".json"))) {
  const said = vector(name.slice(0, -5));
  if (!["structure", "checksums"].includes(said.depth) || said.reader.known || said.reader.trusted_signers || said.reader.salvage) continue;
  if (!verdicts.has(said.verdict)) verdicts.set(said.verdict, name.slice(0, -5));
}

onPage("one archive for each verdict that a file alone has", { skip: !isFull }, async (page) => {
  assert.ok(verdicts.size >= 6, [...verdicts.keys()].join(", "));
  for (const [verdict, name] of verdicts) {
    await page.reload();
    await page.chooseVectors(name);
    assert.equal(await page.verdict(), VERDICT_SENTENCES[verdict][0], name);
  }
});

onPage("without JavaScript the page says what to do", { engines: ["chromium"] }, async (page, tab) => {
  await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
  await tab.reload();
  await tab.send("Emulation.setScriptExecutionDisabled", { value: false });
  const text = await tab.run("document.body.innerText", { inFrame: false });
  for (const words of ["JavaScript is off", "Lockdown Mode", "Tor Browser", "iPhone and iPad", "certutil -hashfile open.html SHA256"]) {
    assert.ok(text.includes(words), words);
  }
});

/** An archive of Tests/Opener/archives.py. */
function made(page, kind) {
  const path = join(page.folder, `${kind}.fueki`);
  execFileSync("/usr/bin/python3", [join(ROOT, "Tests/Opener/archives.py"), kind, path]);
  return path;
}

onPage("texts that are markup stay texts, and hostile names become safe ones", {}, async (page, tab) => {
  await page.choose(made(page, "hostile"));
  await tab.type("Passphrase", PASS);
  const text = await page.open();
  assert.ok(text.includes("<img src=http://127.0.0.1:1/x onerror=alert(1)></script><script>alert(2)</script>&amp;<U+202E>gnp.exe"));
  await tab.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })");
  await tab.until("[...document.querySelectorAll('caption')].some((part) => part.textContent === 'Original files') && document.querySelectorAll('td').length > 60");
  assert.equal(await tab.run("document.querySelectorAll('main img, main script').length"), 0);
  const folder = page.unpack(await page.save("Save all original files (ZIP)", "wallet-files.zip"));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.equal(files.length, 22);
  assert.deepEqual(readdirSync(join(folder, "unplaced")), [".._source"]);
  assert.deepEqual(readdirSync(join(folder, "home")).sort(), [
    "A~2", "_CON", "__", "_nul.txt", "a", "back_slash", "end_", "etc", "n_l", "q_______", "x_gnp.exe",
  ]);
  const table = page.unpack(await page.save("Save the records as tables (CSV in a ZIP)", "wallet-records-csv.zip"));
  assert.match(readFileSync(join(table, "contacts.csv"), "utf8"), /'=1\+1;<img/);
});

onPage("many files are saved in parts, with the same names", { changes: { "saving.mjs": (text) => text.replace("256 << 20", "30") } }, async (page, tab) => {
  await page.choose(made(page, "hostile"));
  await tab.type("Passphrase", PASS);
  await page.open();
  await tab.press("Save all original files (ZIP)");
  await tab.until("document.body.innerText.includes('Save part 6 of 6')");
  const found = [];
  for (let part = 1; part <= 6; part += 1) {
    const size = part < 6 ? 28 : 14;
    const path = await page.save(`Save part ${part} of 6 (${size} bytes)`, `wallet-files-${part}-of-6.zip`);
    const folder = page.unpack(path);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.equal(files.length, size / 7);
    found.push(...files.map((entry) => join((entry.parentPath ?? entry.path).slice(folder.length), entry.name)));
  }
  assert.equal(new Set(found).size, 22);
  assert.ok(found.includes("/home/A~2"));
});

onPage("100,000 files are saved, and 200,000 transactions are shown while the page answers", { skip: !isFull }, async (page, tab) => {
  await page.choose(made(page, "many"));
  await tab.type("Passphrase", PASS);
  await page.open();
  const path = await page.save("Save all original files (ZIP)", "wallet-files.zip");
  const script = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n" +
    "print(len(z.namelist()), z.read('unplaced/.._source/folder-7/file-4207').decode())";
  assert.equal(execFileSync("python3", ["-c", script, path], { encoding: "utf8" }), "100000 content of 4207\n");
  await page.reload();
  await page.choose(made(page, "history"));
  await tab.type("Passphrase", PASS);
  assert.match(await page.open(), /Transactions \(200,000\)/);
  await tab.run(`(() => {
    [...document.querySelectorAll("details")].find((part) => part.textContent.startsWith("Transactions")).open = true;
    window.longest = 0;
    let last = performance.now();
    (function turn() {
      const now = performance.now();
      window.longest = Math.max(window.longest, now - last);
      last = now;
      setTimeout(turn, 20);
    })();
  })()`);
  await tab.until("document.body.innerText.includes('1 to 25 of 200,000')");
  await tab.type("Search in: Transactions", "1000000000000123456");
  await tab.until("document.body.innerText.includes('1 to 1 of 1')");
  assert.ok((await tab.run("window.longest")) < 3000);
});

onPage("two exchanged words of a guardian's sheet are reported", { skip: !isFull }, async (page, tab) => {
  const { shares } = vector("guardians").reader;
  await page.chooseVectors("guardians");
  const sheet = (words) => words.split(" ").map((word, place) => `${place + 1}. ${word}`).join("\n");
  const words = shares[0].split(" ");
  const typed = [...words];
  [typed[4], typed[5]] = [words[5], words[4]];
  await tab.type("Guardian 1", sheet(typed.join(" ")));
  await tab.until("document.body.innerText.includes('one word is another one, or two are exchanged')");
  await tab.type("Guardian 1", sheet(shares[0]));
  await tab.until("document.body.innerText.includes('The words of this sheet are right.')");
  for (const [place, share] of shares.entries()) if (place > 0) await tab.type(`Guardian ${place + 1}`, sheet(share));
  assert.match(await page.open(), /It is open/);
  assert.ok((await page.save("Save the records as JSON lines (ZIP)", "wallet-records-jsonl.zip")).endsWith(".zip"));
});

onPage("every control has a name, every step a heading that the keyboard reaches", { engines: ["chromium"] }, async (page, tab) => {
  const unnamed = `[...document.querySelectorAll("input, textarea, button, progress, table, iframe")].filter((part) => {
    const named = part.getAttribute("aria-label") || part.title || part.textContent.trim() || part.caption?.textContent ||
      [...(part.labels ?? [])].some((label) => label.textContent.trim());
    return !named;
  }).map((part) => part.outerHTML)`;
  assert.deepEqual(await tab.run(unnamed, { inFrame: false }), []);
  await page.chooseVectors("all-slot-types");
  assert.deepEqual(await tab.run(unnamed), []);
  await tab.type("Passphrase", PASS);
  // The key Enter opens, as a person expects.
  await tab.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))");
  await tab.until("document.activeElement?.textContent === '3. What is in it'");
  assert.deepEqual(await tab.run(unnamed), []);
  const headings = await tab.run("[...document.querySelectorAll('h1, h2, h3, h4')].map((part) => Number(part.tagName[1]))");
  for (const [place, level] of headings.entries()) assert.ok(place === 0 || level <= headings[place - 1] + 1, headings.join(" "));
  assert.ok((await tab.run("document.querySelectorAll('[role=status], [role=alert]').length")) > 0);
  await tab.send("Emulation.setDeviceMetricsOverride", { width: 400, height: 800, deviceScaleFactor: 1, mobile: false });
  await tab.until("document.documentElement.scrollWidth <= window.innerWidth");
  await tab.until("document.documentElement.scrollWidth <= window.innerWidth", { inFrame: false });
});
