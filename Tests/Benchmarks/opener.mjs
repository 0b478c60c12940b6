#!/usr/bin/env node
// What the page that opens archives needs, in each browser: `Tests/Benchmarks/opener.mjs [--work DIR] [--program F] [--only time|memory] [ENGINE ...]`.
//
// It makes its archives with the program, and keeps them in the work folder. It fails beyond the limits below.

import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { randomFillSync } from "node:crypto";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { OpenedPage } from "../Opener/page.mjs";
import { hasWebKit } from "../Opener/webkit.mjs";
import { ROOT } from "../Opener/vector-files.mjs";

const LIMITS = { derive: 10, history: 10, pause: 1, memory: 700 };
const MIB = 1 << 20;
const PASS = "correct horse battery staple";
const { values, positionals } = parseArgs({
  options: {
    work: { type: "string", default: "/var/tmp/opener" }, program: { type: "string", default: join(ROOT, ".build/release/fueki-backup") },
    mebibytes: { type: "string", default: "1024" }, only: { type: "string", default: "time memory" }, transactions: { type: "string", default: "200000" },
  },
  allowPositionals: true,
});
const installed = ["chromium", ...(existsSync("/usr/bin/firefox-esr") ? ["firefox"] : []), ...(hasWebKit ? ["webkit"] : [])];
const engines = positionals.length > 0 ? positionals : installed;
const program = resolve(values.program);
mkdirSync(values.work, { recursive: true });
process.env.FUEKI_OPENER_MODULE ??= join(ROOT, ".build/opener/reader.wasm");

/** The program's home. Each archive has its own, so that none is a loss of another's files. */
let home = join(values.work, "home");

/** Runs the program, and returns the seconds. */
function run(...words) {
  const start = performance.now();
  execFileSync(program, words, {
    stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_DATA_HOME: home },
  });
  return (performance.now() - start) / 1000;
}

const passphrase = join(values.work, "passphrase");
writeFileSync(passphrase, PASS, { mode: 0o600 });

/** The one archive of a folder, which `make` fills if it is not there. */
function archive(name, make) {
  const folder = join(values.work, name);
  if (!existsSync(folder)) {
    home = join(values.work, `home-${name}`);
    mkdirSync(`${folder}.new`, { recursive: true });
    make(`${folder}.new`);
    execFileSync("mv", [`${folder}.new`, folder]);
  }
  return join(folder, readdirSync(folder).find((file) => file.endsWith(".fueki")));
}

const history = archive(`history-${values.transactions}`, (folder) => {
  const demo = join(folder, "demo");
  run("demo", "--keep", demo, "--transactions", values.transactions);
  run("create", "--target", folder, "--datadir", join(demo, "old-machine/data/fueki"), "--from", "store", "--keychain-passphrase-from",
    `file:${join(demo, "old-machine.key")}`, "-p", passphrase, "--unsigned");
});

const originals = archive(`originals-${values.mebibytes}`, (folder) => {
  const wallets = join(folder, "wallets");
  mkdirSync(wallets);
  const block = Buffer.alloc(MIB);
  // Files of 1 to 256 MiB.
  for (let left = Number(values.mebibytes), size = 1; left > 0; size = Math.min(256, size * 2)) {
    const count = Math.min(left, size);
    const file = openSync(join(wallets, `file-${left}`), "w");
    for (let number = 0; number < count; number += 1) writeSync(file, randomFillSync(block));
    closeSync(file);
    left -= count;
  }
  run("create", "--target", folder, "--from", `file:${wallets}`, "--include-private-keys", "--accept=synced-keys",
    "-p", passphrase, "--unsigned");
  rmSync(wallets, { recursive: true });
});

/** The processes that this one has started, with theirs. */
function descendants() {
  const parents = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "latin1"))[1]));
    } catch { /* it has ended */ }
  }
  const isOurs = (id) => parents.has(id) && (parents.get(id) === process.pid || isOurs(parents.get(id)));
  return [...parents.keys()].filter(isOurs);
}

/** The memory of the browser's processes in MiB, shared pages counted once. */
function memory() {
  let total = 0;
  for (const id of descendants()) {
    try {
      total += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "latin1"))[1]);
    } catch { /* it has ended */ }
  }
  return total / 1024;
}

/** Runs something, and returns its seconds and the largest memory beside that before. */
async function watched(own, action) {
  let most = 0;
  const timer = setInterval(() => { most = Math.max(most, memory() - own); }, 400);
  const start = performance.now();
  await action();
  const seconds = (performance.now() - start) / 1000;
  clearInterval(timer);
  return { seconds, most };
}

/** Counts the longest time in which the frame did not come to its turn. */
const watchPauses = `(() => {
  window.longest = 0;
  let last = performance.now();
  (function turn() {
    const now = performance.now();
    window.longest = Math.max(window.longest, now - last);
    last = now;
    setTimeout(turn, 20);
  })();
})()`;

/** Saves the original files, in as many parts as the page offers. */
async function saveAll({ tab }) {
  const offered = "[...document.querySelectorAll('button')].map(({ textContent }) => textContent).filter((text) => text.startsWith('Save part'))";
  await tab.press("Save all original files (ZIP)");
  await tab.until(`${offered}.length > 0 || document.body.innerText.includes("handed to the browser")`);
  const buttons = await tab.run(offered);
  for (const [place, text] of buttons.entries()) {
    await tab.press(text);
    await tab.downloaded(`wallet-files-${place + 1}-of-${buttons.length}.zip`);
  }
  if (buttons.length === 0) await tab.downloaded("wallet-files.zip");
}

let isWithin = true;

/** Prints a figure with its limit, and a ratio if there is one. */
function say(engine, what, value, unit, limit, ratio = "") {
  isWithin &&= value <= limit;
  const figure = `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
  console.log([engine, what, figure, `${value <= limit ? "within" : "OVER"} ${limit} ${unit}`, ratio].join("\t"));
}

async function measureTime(engine) {
  const argon2 = spawnSync("argon2", ["0123456789abcdef", "-id", "-m", "18", "-t", "3", "-p", "1", "-r"], { input: PASS, encoding: "utf8" });
  if (argon2.status !== 0) throw new Error("argon2 is not installed");
  let start = performance.now();
  spawnSync("argon2", ["0123456789abcdef", "-id", "-m", "18", "-t", "3", "-p", "1", "-r"], { input: PASS });
  const native = (performance.now() - start) / 1000;
  const page = await OpenedPage.start(null, engine);
  try {
    const { tab } = page;
    tab.patience = 600_000;
    const small = archive("small", (folder) => {
      const demo = join(folder, "demo");
      run("demo", "--keep", demo, "--transactions", "10");
      run("create", "--target", folder, "--datadir", join(demo, "old-machine/data/fueki"), "--from", "store", "--keychain-passphrase-from",
        `file:${join(demo, "old-machine.key")}`, "-p", passphrase, "--unsigned");
    });
    await page.choose(small);
    await tab.type("Passphrase", PASS);
    await tab.run(watchPauses);
    start = performance.now();
    await page.open();
    const derived = (performance.now() - start) / 1000;
    say(engine, "derive with 256 MiB and 3 passes", derived, "s", LIMITS.derive, `${(derived / native).toFixed(1)} times argon2`);
    say(engine, "longest pause of the page meanwhile", (await tab.run("window.longest")) / 1000, "s", LIMITS.pause);

    const verify = run("verify", history, "--depth", "contents", "-p", passphrase);
    await page.reload();
    start = performance.now();
    await page.choose(history);
    const read = (performance.now() - start) / 1000;
    await tab.type("Passphrase", PASS);
    await tab.run(watchPauses);
    start = performance.now();
    await page.open();
    const opened = (performance.now() - start) / 1000;
    say(engine, `open and check ${values.transactions} transactions`, read + opened, "s", LIMITS.history,
      `${((read + opened) / verify).toFixed(1)} times verify --depth contents; ${((read + opened - derived) / verify).toFixed(1)} without the derivation`);
    say(engine, "longest pause of the page meanwhile", (await tab.run("window.longest")) / 1000, "s", LIMITS.pause);
  } finally {
    await page.end();
  }
}

async function measureMemory(engine) {
  const large = await OpenedPage.start(null, engine);
  try {
    const { tab } = large;
    tab.patience = 600_000;
    const own = memory();
    const size = statSync(originals).size / MIB;
    const reading = await watched(own, () => large.choose(originals));
    await tab.type("Passphrase", PASS);
    const opening = await watched(own, () => large.open());
    const saving = await watched(own, () => saveAll(large));
    const saved = readdirSync(large.downloads).reduce((sum, name) => sum + statSync(join(large.downloads, name)).size, 0) / MIB;
    if (saved < Number(values.mebibytes)) throw new Error(`${saved} MiB were saved`);
    const speed = (seconds) => `${(size / seconds).toFixed(0)} MiB/s`;
    say(engine, `check ${size.toFixed(0)} MiB of original files`, reading.most, "MiB", LIMITS.memory, speed(reading.seconds));
    say(engine, "open them", opening.most, "MiB", LIMITS.memory, speed(opening.seconds));
    say(engine, "save them", saving.most, "MiB", LIMITS.memory, speed(saving.seconds));
    console.log(`${engine}\tthe browser's own: ${own.toFixed(0)} MiB`);
  } finally {
    await large.end();
  }
}

for (const engine of engines) {
  if (values.only.includes("time")) await measureTime(engine);
  if (values.only.includes("memory")) await measureMemory(engine);
}
process.exitCode = isWithin ? 0 : 1;
