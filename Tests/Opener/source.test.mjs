// What the shipped page may contain, and that two builds are the same.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { ROOT } from "./vector-files.mjs";

const OPENER = join(ROOT, "Sources/Opener");
const MODULE = process.env.FUEKI_OPENER_MODULE ?? join(ROOT, ".build/opener/reader.wasm");

// Ways to make markup or code of text, to reach another computer, and to leave something in the browser.
const FORBIDDEN = [
  "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "createContextualFragment", "DOMParser", "setHTML",
  "eval(", "new Function", "import(", "importScripts",
  "fetch", "XMLHttpRequest", "WebSocket", "EventSource", "sendBeacon", "RTCPeerConnection", "WebTransport", "window.open",
  "navigator.serviceWorker", "SharedWorker",
  "localStorage", "sessionStorage", "indexedDB", "document.cookie", "caches.",
  "http:", "https:", "ws://", "wss://",
];

function build(source, output) {
  execFileSync("node", [join(source, "page/build.mjs"), MODULE, output]);
  return readFileSync(output);
}

/** A page with its module taken out: that is data, and its text is arbitrary. */
function withoutModule(text) {
  return text.replace(/(id="module">)[A-Za-z0-9+/=\s]+/, "$1");
}

test("the shipped page holds no word for markup, code from text, the network or storage", () => {
  const folder = mkdtempSync(join(tmpdir(), "opener-"));
  try {
    const text = withoutModule(build(OPENER, join(folder, "open.html")).toString());
    for (const word of FORBIDDEN) assert.ok(!text.includes(word), `the page has ${word}`);
    assert.ok(!/\blocation\s*[.=[]|\.location\b/.test(text), "the page has location");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a page with a forbidden word is found out", () => {
  assert.ok(FORBIDDEN.some((word) => "element.innerHTML = text".includes(word)));
  assert.ok(FORBIDDEN.some((word) => withoutModule('id="module">fetch</script><script>fetch(1)').includes(word)));
});

test("the page has one policy, whose hashes are those of its scripts and its style", () => {
  const folder = mkdtempSync(join(tmpdir(), "opener-"));
  try {
    const text = build(OPENER, join(folder, "open.html")).toString();
    const frame = /srcdoc='([^']*)'/.exec(text)[1].replaceAll("&#39;", "'").replaceAll("&amp;", "&");
    const policies = [text.replace(/srcdoc='[^']*'/, ""), frame].map((page) => /Content-Security-Policy" content="([^"]*)"/.exec(page)[1]);
    assert.equal(policies[0], policies[1]);
    assert.match(policies[0], /^default-src 'none'; /);
    for (const word of ["unsafe-inline", "unsafe-eval'", "http", "*", "data:"]) {
      assert.ok(!policies[0].replace("'wasm-unsafe-eval'", "").includes(word), word);
    }
    const hashes = [];
    for (const page of [text.replace(/srcdoc='[^']*'/, ""), frame]) {
      for (const [, body] of page.matchAll(/<(?:script|style)>([\s\S]*?)<\/(?:script|style)>/g)) {
        hashes.push(`sha256-${createHash("sha256").update(body).digest("base64")}`);
      }
    }
    assert.equal(hashes.length, 4);
    for (const hash of hashes) assert.ok(policies[0].includes(`'${hash}'`), hash);
    assert.ok(!/ on\w+=| style=/.test(text.replace(/<script[\s\S]*?<\/script>/g, "")));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("two builds in two folders give the same bytes, below 400 kB", () => {
  const folder = mkdtempSync(join(tmpdir(), "opener-"));
  try {
    const copy = join(folder, "somewhere/else");
    cpSync(OPENER, copy, { recursive: true });
    const [one, two] = [build(OPENER, join(folder, "one.html")), build(copy, join(folder, "two.html"))];
    assert.ok(one.equals(two));
    assert.ok(one.length < 400_000, `${one.length} bytes`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("every module is below 250 lines and has a first line that says what it is", () => {
  for (const name of readdirSync(join(OPENER, "page")).filter((name) => name.endsWith(".mjs"))) {
    const lines = readFileSync(join(OPENER, "page", name), "utf8").split("\n");
    assert.ok(lines.length <= 251, `${name} has ${lines.length} lines`);
    assert.match(lines[0], /^\/\/ [A-Z]/, name);
  }
});
