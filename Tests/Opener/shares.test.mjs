// Checks of a guardian's words while they are typed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import {
  BytesSource, completions, inspect, load, lookAtShare, nearest,
} from "../../Sources/Opener/reader/reader.mjs";
import { content, vector as vectorOf } from "./vector-files.mjs";

await load(readFileSync(new URL("../../.build/opener/reader.wasm", import.meta.url)));
const vector = vectorOf("guardians");
const inspection = await inspect(new BytesSource(content("guardians", vector)));
const [share] = vector.reader.shares;

test("a share of the archive is recognised, however it is typed", () => {
  const seen = lookAtShare(` ${share.toUpperCase().replaceAll(" ", "  ")} `, inspection);
  assert.deepEqual([seen.words.length, seen.unknown, seen.checksum, seen.belongs], [33, [], true, true]);
  assert.equal(typeof seen.member, "number");
});

test("a mistyped word is located, and the right word is suggested", () => {
  const words = share.split(" ");
  const right = words[4];
  words[4] = `${right.slice(0, 2)}q${right.slice(2)}`;
  const seen = lookAtShare(words.join(" "), inspection);
  assert.deepEqual([seen.unknown, seen.checksum, seen.belongs], [[5], undefined, undefined]);
  assert.equal(nearest(words[4])[0], right);
  assert.ok(completions(right.slice(0, 4)).includes(right));
});

test("a wrong word of the list fails the checksum", () => {
  const words = share.split(" ");
  words[10] = words[10] === "academic" ? "acid" : "academic";
  assert.equal(lookAtShare(words.join(" "), inspection).checksum, false);
});

test("words that are still missing are no failure", () => {
  const seen = lookAtShare(share.split(" ").slice(0, 20).join(" "), inspection);
  assert.deepEqual([seen.unknown, seen.checksum], [[], undefined]);
});

test("a share of another vault does not belong", async () => {
  const other = vectorOf("guardians-of-another-vault");
  const foreign = await inspect(new BytesSource(content("guardians-of-another-vault", other)));
  assert.ok(other.reader.shares.some((words) => lookAtShare(words, foreign).belongs === false));
});
