// Each screen of the page by the rules of axe-core, light and dark: WCAG 2.2, levels A and AA, and best practices.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { OpenedPage } from "./page.mjs";
import { ROOT, vector } from "./vector-files.mjs";

const PASS = "correct horse battery staple";

/** The script that `.ci/setup tests` installs; undefined without it. */
const AXE = (() => {
  const folder = join(ROOT, ".build/python/lib");
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder).map((name) => join(folder, name, "site-packages/axe_playwright_python/axe.min.js")).find((path) => existsSync(path));
})();

/** What axe-core finds wrong with the frame or with the page around it, a line each. */
async function violations(tab, inFrame = true) {
  const wrong = [];
  await tab.run(`(() => { ${readFileSync(AXE, "utf8")}\n})()`, { inFrame });
  for (const value of ["light", "dark"]) {
    await tab.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
    // The heading of the first level is in the page around the frame.
    const rules = JSON.stringify({ "page-has-heading-one": { enabled: !inFrame } });
    const found = await tab.run(`axe.run(document, { iframes: false, resultTypes: ["violations"], rules: ${rules} }).then(({ violations, passes }) => ({
      rules: passes.length,
      lines: violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 200) + ": " + failureSummary)),
    }))`, { inFrame });
    assert.ok(found.rules > 10, `${found.rules} rules applied`);
    wrong.push(...found.lines.map((line) => `${value}: ${line}`));
  }
  return wrong;
}

/** Runs a test with a page in Chromium; `check` fails if the screen that is shown breaks a rule. */
function onScreen(name, body) {
  test(name, { skip: AXE ? false : "axe-core is not installed" }, async () => {
    const page = await OpenedPage.start();
    const check = async (screen, inFrame = true) => assert.deepEqual(await violations(page.tab, inFrame), [], screen);
    try {
      await body(page, page.tab, check);
    } finally {
      await page.end();
    }
  });
}

onScreen("a rule that is broken is found", async (page, tab) => {
  await tab.run("document.body.append(document.createElement('input'))");
  assert.match((await violations(tab)).join("\n"), /light: label: /);
});

onScreen("the page, the choice, the recovery kit's fields and the verdicts", async (page, tab, check) => {
  await check("the page around the frame", false);
  for (const words of ["On Windows, click the address bar", "On macOS, open Terminal", "On Linux, click into the folder"]) {
    assert.ok((await tab.run("document.body.innerText", { inFrame: false })).replaceAll("\n", " ").includes(words), words);
  }
  await check("nothing is chosen");
  await tab.run("document.querySelector('details.paper').open = true");
  await tab.type("Signer or fingerprint", "7");
  await page.chooseVectors("chunk-history", "everything");
  await check("a damaged and a whole archive, and a signer that cannot be compared");
});

onScreen("what opens an archive: a passphrase, a key file, an identity and guardians", async (page, tab, check) => {
  await page.chooseVectors("all-slot-types");
  await check("all kinds of secrets");
  await tab.type("Passphrase", "x");
  await page.open();
  await check("a wrong passphrase");
  const [share] = vector("guardians").reader.shares;
  await page.reload();
  await page.chooseVectors("guardians");
  await tab.type("Guardian 1", share.replace(/^\S+ \S+/, (start) => `${start}x`));
  await tab.until("document.body.innerText.includes('is not in the list of words')");
  await tab.type("Guardian 2", share.slice(0, 2));
  await tab.until("document.querySelectorAll('button.word').length > 1");
  await check("a wrong word, and words to choose from");
});

onScreen("what is in an archive, a key that is shown, and what was saved", async (page, tab, check) => {
  await page.chooseVectors("everything");
  await tab.type("Passphrase", PASS);
  await page.open();
  await check("the contents");
  await tab.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })");
  await tab.until("!document.body.innerText.includes('Reading …')");
  await tab.press("Show");
  await tab.until("document.querySelector('.secret:not([hidden])') !== null");
  await page.save("Save the records as JSON lines (ZIP)", "wallet-records-jsonl.zip");
  await check("all tables and a key");
});

onScreen("hazards, and texts of an archive that are markup", async (page, tab, check) => {
  const path = join(page.folder, "hostile.fueki");
  execFileSync("/usr/bin/python3", [join(ROOT, "Tests/Opener/archives.py"), "hostile", path]);
  await page.choose(path);
  await tab.type("Passphrase", PASS);
  assert.match(await page.open(), /Dangerous when old/);
  await check("a wallet with a hazard");
});
