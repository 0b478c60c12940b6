// What an archive's secrets leave behind: nothing in the module's memory, and nothing in the fields of the page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { deriveHere } from "../../Sources/Opener/reader/crypto.mjs";
import { allocate, memory, release } from "../../Sources/Opener/reader/module.mjs";
import { BytesSource, gatherSecrets, inspect, load, unlock, wipe } from "../../Sources/Opener/reader/reader.mjs";
import { ENGINES, MODULE, OpenedPage } from "./page.mjs";
import { content, vector } from "./vector-files.mjs";

const PASS = "correct horse battery staple";
const bytesOf = (text) => new TextEncoder().encode(text);

await load(readFileSync(MODULE));

/** Whether the module's memory holds bytes anywhere. */
const holds = (bytes) => Buffer.from(memory().buffer).includes(Buffer.from(bytes));

/** Opens a vector and reads all of it; returns every secret that came up, as copies, and what the reader was given. */
async function opened(name, given) {
  const seen = {};
  const keep = (what, bytes) => { seen[what] = bytes.slice(); };
  const secrets = gatherSecrets(given);
  const derive = async (argument) => {
    keep("passphrase", argument.passphrase);
    const key = await deriveHere(argument);
    keep("derived key", key);
    return key;
  };
  const archive = await unlock(await inspect(new BytesSource(content(name))), secrets, { derive });
  await archive.check();
  for (const [scope, prk] of archive.prks) keep(`key of scope ${scope}`, prk);
  for (const [scope, { key }] of archive.streams) keep(`key of stream ${scope}`, key);
  for (const [place, { secret }] of (await archive.keyShares()).entries()) if (secret) keep(`key share ${place}`, secret);
  const kept = [...archive.prks.values(), ...[...archive.streams.values()].flatMap(({ key, prefix, recent }) => [key, prefix, recent.plain])];
  const own = [...secrets.passphrases, ...secrets.identities, ...secrets.hybrids];
  for (const [place, key] of own.entries()) keep(`own secret ${place}`, key);
  archive.close();
  wipe(secrets);
  return { seen, kept: [...kept, ...own] };
}

test("what is looked for can be found: bytes that stay in the module's memory", () => {
  const at = allocate(32);
  const mark = Uint8Array.from({ length: 32 }, (_, place) => 7 * place + 1);
  memory().set(mark, at);
  assert.ok(holds(mark));
  memory().fill(0, at, at + 32);
  release(at);
  assert.ok(!holds(mark));
});

for (const [name, given] of [
  ["everything", { passphrases: [PASS] }],
  ["all-slot-types-x25519", { identities: vector("all-slot-types-x25519").reader.identities }],
  ["hybrid", { identities: vector("hybrid").reader.identities }],
  ["guardians", { shares: vector("guardians").reader.shares }],
]) {
  test(`${name}: no secret is left in the module's memory, and the reader's keys are zeros`, async () => {
    const { seen, kept } = await opened(name, given);
    assert.ok(Object.keys(seen).length >= 4, Object.keys(seen).join(", "));
    for (const [what, bytes] of Object.entries(seen)) {
      assert.ok(bytes.length >= 16 && bytes.some((byte) => byte !== 0), what);
      assert.ok(!holds(bytes), `${what} is still there`);
    }
    for (const bytes of kept) assert.ok(bytes.every((byte) => byte === 0));
  });
}

test("a derivation leaves zeros: its last block alone would give the key", async () => {
  const nonzero = () => memory().reduce((count, byte) => count + (byte !== 0), 0);
  await deriveHere({ passphrase: bytesOf(PASS), salt: new Uint8Array(16), memory: 65536, passes: 2 });
  assert.ok(memory().length > 64 << 20);
  assert.ok(nonzero() < 1 << 20, `${nonzero()} bytes`);
});

test("a passphrase that does not open leaves nothing either", async () => {
  const wrong = bytesOf("a passphrase that opens nothing here");
  const secrets = gatherSecrets({ passphrases: [wrong] });
  const inspection = await inspect(new BytesSource(content("everything")));
  await assert.rejects(unlock(inspection, secrets, { derive: deriveHere }), { verdict: "wrong secret" });
  wipe(secrets);
  assert.ok(!holds(wrong));
});

for (const engine of ENGINES) {
  test(`${engine}: the fields are emptied once the archive is open, and what was shown is gone when it is closed`, async () => {
    const page = await OpenedPage.start(null, engine);
    try {
      const { tab } = page;
      await page.chooseVectors("all-slot-types");
      await tab.type("Passphrase", PASS);
      await tab.run("(window.fields = [...document.querySelectorAll('input.hidden')], null)");
      assert.equal(await tab.run("window.fields.filter(({ value }) => value !== '').length"), 1);
      assert.match(await page.open(), /It is open/);
      assert.equal(await tab.run("window.fields.filter(({ value }) => value !== '').length"), 0);
      await tab.press("Close the archive and forget the keys");
      await tab.until("document.body.innerText.includes('2. Open it')");
      assert.equal(await tab.run("[...document.querySelectorAll('input.hidden')].filter(({ value }) => value !== '').length"), 0);
      assert.equal(await tab.run("document.querySelectorAll('.secret, article h4').length"), 0);
    } finally {
      await page.end();
    }
  });
}
