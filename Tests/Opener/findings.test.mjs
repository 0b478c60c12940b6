// Which finding belongs to which wallet, and the words for findings and hazards: they are those of the program's own tables.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { HAZARD_WORDS, hazardSentences, hazardsOfKind, worthSentence } from "../../Sources/Opener/page/sentences.mjs";
import { assign } from "../../Sources/Opener/reader/findings.mjs";
import { ROOT } from "./vector-files.mjs";

const manifest = (...list) => ({ extra: [{ name: "wallets", json: JSON.stringify(list) }] });
const finding = (name, detail, reason, kind = "store") => ({ kind, name, verdict: "proved", reason, detail });
const reasons = ({ wallets }) => wallets.map(({ worth }) => worth?.reason ?? null);

test("two wallets of one kind and one name get their own findings, in either order", () => {
  const [one, two] = [{ name: "Main", address: "bc1one" }, { name: "Main", address: "bc1two" }];
  const list = manifest(finding("Main", "bc1one", "address"), finding("Main", "bc1two", "group-key"));
  assert.deepEqual(reasons(assign([one, two], list)), ["address", "group-key"]);
  assert.deepEqual(reasons(assign([two, one], list)), ["group-key", "address"]);
  assert.deepEqual(assign([one, two], list).others, []);
});

test("a finding without an address goes to the wallet of its name that has none of its own", () => {
  const records = [{ name: "Main", address: "bc1one" }, { name: "Main", address: "bc1two" }];
  const list = manifest(finding("Main", "", "opened"), finding("Main", "bc1one", "address"));
  assert.deepEqual(reasons(assign(records, list)), ["address", "opened"]);
});

test("a wallet without a name is found by its address", () => {
  assert.deepEqual(reasons(assign([{ name: "", address: "bc1one" }], manifest(finding("bc1one", "", "address")))), ["address"]);
});

test("a wallet without a finding has none, and what is no wallet is left over", () => {
  const { wallets, others } = assign([{ name: "Main", address: "bc1one" }],
    manifest(finding("key.vult", "", "opened", "vultisig"), null, 7, { name: "Main" }));
  assert.equal(wallets[0].worth, null);
  assert.deepEqual(others.map(({ name }) => name), ["key.vult"]);
  assert.deepEqual(reasons(assign([{ name: "Main", address: "" }], { extra: [{ name: "wallets", json: "[" }] })), [null]);
  assert.deepEqual(reasons(assign([{ name: "Main", address: "" }], null)), [null]);
});

/** A source of the program. */
const source = (path) => readFileSync(join(ROOT, "Sources", path), "utf8");

/** The text of a literal, whose parts are joined. */
const literal = (text) => [...text.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join("");

/** The body of the declaration that begins with some words, to the brace that closes it. */
function body(text, start) {
  const from = text.indexOf(start);
  assert.ok(from >= 0, `no ${start}`);
  let depth = 0;
  for (let place = text.indexOf("{", from); place < text.length; place += 1) {
    if (text[place] === "{") depth += 1;
    if (text[place] === "}") depth -= 1;
    if (depth === 0) return text.slice(from, place);
  }
  assert.fail(`${start} does not end`);
}

/** The cases of a Swift enumeration: their names with their codes. */
function codes(text) {
  return Object.fromEntries([...text.matchAll(/^ +case (\w+)(?: = "([^"]*)")?$/gm)].map(([, name, code]) => [name, code ?? name]));
}

/** A switch's texts, by the names of their cases. */
function texts(text) {
  return Object.fromEntries(text.split(/\bcase \./).slice(1).map((part) => {
    const [, name, value] = /^(\w+)[^:]*:([\s\S]*)$/.exec(part);
    return [name, literal(value)];
  }));
}

const findings = source("FuekiSources/Worth/WalletFinding.swift");
const messages = source("fueki-backup/Messages/FindingMessages.swift");

for (const [name, verdict, sentence] of [
  ["Evidence", "proved", (words) => `whole and proved: ${words}`],
  ["Gap", "not-proved", (words, code) => (["work-limit", "reader-failed"].includes(code) ? words : `whole, not proved (${words})`)],
  ["Fault", "faulty", (words) => `NOT SOUND: ${words}`],
]) {
  test(`the page's words for ${verdict} are the program's`, () => {
    const known = Object.entries(codes(body(findings, `public enum ${name}:`)));
    const said = texts(body(messages, `extension WalletFinding.${name} `));
    assert.ok(known.length >= 6);
    for (const [swift, code] of known) assert.equal(worthSentence({ verdict, reason: code })?.[0], sentence(said[swift], code), code);
  });
}

test("the page's words for a backup as a whole are the program's", () => {
  const said = body(messages, "package var sentence");
  for (const [start, verdict, reason, hole] of [
    ["case .proved(let evidence):", "proved", "opened", "\\(evidence.sentence)"],
    ["case .notProved(let gap):", "not-proved", "not-read", "\\(gap.sentence)"],
    ["case .publicPart(nil):", "public-part", "", null],
    ["case .publicPart(let evidence?):", "public-part", "address", "\\(evidence.sentence)"],
    ["case .withoutSeed:", "no-seed", "", null],
    ["case .faulty(let fault):", "faulty", "length", "\\(fault.sentence)"],
  ]) {
    const [before, after = ""] = literal(said.slice(said.indexOf(start)).split("\n")[0]).split(hole ?? "\u0000");
    const [found] = worthSentence({ verdict, reason });
    assert.ok(before.length > 5 && found.startsWith(before) && found.endsWith(after), found);
    if (!hole) assert.equal(found, before);
  }
  assert.equal(worthSentence({ verdict: "proved", reason: "toString" }), null);
  assert.equal(worthSentence({ verdict: "of a later version", reason: "" }), null);
});

test("the page's words for hazards are the program's", () => {
  const wallets = source("FuekiWallet/Records/WalletHazard.swift");
  const known = Object.values(codes(body(wallets, "public enum WalletHazard")));
  const [dangers, remedies] = [texts(body(wallets, "public var danger")), texts(body(wallets, "public var remedy"))];
  assert.ok(known.length >= 3);
  for (const name of known) assert.deepEqual(hazardSentences(name), [dangers[name], remedies[name]]);
  const words = body(wallets, "private var words");
  assert.deepEqual(HAZARD_WORDS, Object.fromEntries(known.map((name) => {
    const [, list] = new RegExp(`case \\.${name}: \\[([^\\]]*)\\]`).exec(words);
    return [name, [...list.matchAll(/"([^"]*)"/g)].map(([, word]) => word)];
  })));
  for (const place of ["Kinds/EIP2335", "Kinds/EIP3076", "Kinds/LND/LNDCollector", "Kinds/CoreLightning"]) {
    const collector = source(`FuekiCollectors/${place}.swift`);
    const [, kind] = /static let kind = "([^"]*)"/.exec(collector);
    const [, hazard] = /hazards: \[\.(\w+)\]/.exec(collector);
    assert.deepEqual(hazardsOfKind(kind), [hazard]);
  }
  assert.deepEqual(hazardsOfKind("eth2-validator"), ["validator"]);
  assert.deepEqual(hazardsOfKind("lnd"), ["lightning"]);
  assert.deepEqual(hazardsOfKind("store"), []);
  assert.match(hazardSentences("toString")[0], /\(toString\)/);
});
