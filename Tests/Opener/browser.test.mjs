// The page in Chromium: what a person chooses, types, reads and saves. FUEKI_FULL=1 adds every kind of slot and verdict.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { VERDICT_SENTENCES } from "../../Sources/Opener/page/sentences.mjs";
import { VERDICTS } from "../../Sources/Opener/reader/reader.mjs";
import { OpenedPage } from "./page.mjs";
import { ROOT, vector } from "./vector-files.mjs";

const isFull = Boolean(process.env.FUEKI_FULL);
const PASS = "correct horse battery staple";

/** Runs a test with a page of its own, whose policy must not have been violated. */
function onPage(name, options, body) {
  test(name, options, async () => {
    const page = await OpenedPage.start();
    try {
      await body(page, page.tab);
      assert.deepEqual(page.tab.log, []);
    } finally {
      await page.end();
    }
  });
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

onPage("without JavaScript the page says what to do", {}, async (page, tab) => {
  await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
  await tab.reload();
  await tab.send("Emulation.setScriptExecutionDisabled", { value: false });
  const text = await tab.run("document.body.innerText", { inFrame: false });
  for (const words of ["JavaScript is off", "Lockdown Mode", "Tor Browser", "iPhone and iPad", "certutil -hashfile open.html SHA256"]) {
    assert.ok(text.includes(words), words);
  }
});
