// The module from Debian's sources: a revision that Debian no longer has is replaced by a newer one, altered files by none.
// It needs Debian's servers.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { MODULE } from "./page.mjs";
import { ROOT } from "./vector-files.mjs";

/** Builds the module in a folder of its own, by a changed script. */
function build(change, body) {
  const folder = mkdtempSync(join(tmpdir(), "opener-"));
  try {
    mkdirSync(join(folder, ".ci"));
    symlinkSync(join(ROOT, "Sources"), join(folder, "Sources"));
    const script = join(folder, ".ci/opener");
    copyFileSync(join(ROOT, ".ci/opener"), script);
    const text = readFileSync(script, "utf8");
    assert.notEqual(change(text), text);
    writeFileSync(script, change(text));
    const { status, stderr } = spawnSync(script, ["module"], { encoding: "utf8" });
    const built = join(folder, ".build/opener/reader.wasm");
    body(status, stderr, existsSync(built) ? readFileSync(built) : null);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const options = { skip: !process.env.FUEKI_FULL };

test("a revision that Debian no longer has is replaced by a newer one of the same upstream version", options, () => {
  build((text) => text.replace(/^packages=\('libsodium (\S+) \S+'/m, "packages=('libsodium $1 0~gone'"), (status, said, module) => {
    assert.equal(status, 0, said);
    assert.match(said, /^Debian no longer offers libsodium \S+-0~gone: using \S+$/m);
    // The present revision is the newest one, so the bytes are the same.
    assert.ok(module.equals(readFileSync(MODULE)));
  });
});

test("upstream files other than those of the checksums are not used", options, () => {
  build((text) => text.replace(/^upstream='(.)/m, (_, digit) => `upstream='${digit === "0" ? 1 : 0}`), (status, said, module) => {
    assert.equal(status, 1);
    assert.match(said, /are not those of the checksums/);
    assert.equal(module, null);
  });
});

test("an upstream version that Debian no longer has ends the build", options, () => {
  build((text) => text.replace(/'libsodium \S+ /, "'libsodium 0.0.1 "), (status, said) => {
    assert.equal(status, 1);
    assert.match(said, /Debian no longer offers libsodium 0\.0\.1/);
  });
});
