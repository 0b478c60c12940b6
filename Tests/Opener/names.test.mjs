// Names for saved files, whatever an archive calls them.

import assert from "node:assert/strict";
import test from "node:test";

import { Paths, placeOf, plainName } from "../../Sources/Opener/page/names.mjs";

const bytes = (text) => new TextEncoder().encode(text);
const placed = (place) => placeOf({ source: "keystore", path: bytes("a"), place: bytes(place) }).join("/");
const unplaced = (path, source = "keystore") => placeOf({ source, path: typeof path === "string" ? bytes(path) : path }).join("/");

test("files go below home, root or unplaced, as the native export has them", () => {
  assert.equal(placed("~/.ethereum/keystore/UTC"), "home/.ethereum/keystore/UTC");
  assert.equal(placed("/var/lib/x"), "root/var/lib/x");
  assert.equal(unplaced("wallets/a"), "unplaced/keystore/wallets/a");
});

test("no name leads out of its folder", () => {
  assert.equal(placed("~/../../etc/passwd"), "home/__/__/etc/passwd");
  assert.equal(placed("//../x"), "root/__/x");
  assert.equal(unplaced("/etc/passwd"), "unplaced/keystore/etc/passwd");
  assert.equal(unplaced("a", "../up"), "unplaced/.._up/a");
  assert.equal(unplaced("..\\..\\x"), "unplaced/keystore/.._.._x");
  assert.equal(unplaced(""), "unplaced/keystore/unnamed");
  assert.equal(unplaced("./."), "unplaced/keystore/unnamed");
  assert.equal(unplaced("C:\\x"), "unplaced/keystore/C__x");
});

test("names that Windows reserves or cuts are changed", () => {
  for (const name of ["CON", "con.txt", "Aux", "nul.tar.gz", "COM1", "lpt9.x", "COM¹", "con .txt"]) {
    assert.equal(plainName(name), `_${name}`);
  }
  assert.equal(plainName("console"), "console");
  assert.equal(plainName("a."), "a_");
  assert.equal(plainName("a . "), "a___");
  assert.equal(plainName(" a"), "_a");
  assert.equal(plainName('<>:"|?*'), "_______");
});

test("marks that turn or hide a part of a name are replaced", () => {
  assert.equal(plainName("photo\u202Egnp.exe"), "photo_gnp.exe");
  assert.equal(plainName("a\u200Bb\u2066c\uFEFFd\u0007e\u007Ff\u0085g"), "a_b_c_d_e_f_g");
  assert.equal(unplaced(Uint8Array.of(0x61, 0xff, 0x62)), "unplaced/keystore/a_b");
});

test("long and deep names are cut", () => {
  assert.equal(plainName("x".repeat(500)).length, 120);
  assert.equal([...plainName("😀".repeat(500))].length, 120);
  assert.ok(unplaced(Array(100).fill("d").join("/")).split("/").length <= 18);
});

test("equal names, also in another case or form, get paths of their own", () => {
  const paths = new Paths();
  const names = [["d", "a.txt"], ["d", "a.txt"], ["D", "A.TXT"], ["d", "a~2.txt"], ["d"], ["d", "é"], ["d", "e\u0301".normalize("NFC")]];
  const made = names.map((parts) => paths.add(parts));
  assert.deepEqual(made, ["d/a.txt", "d/a~2.txt", "d/A~3.TXT", "d/a~2~2.txt", "d~2", "d/é", "d/é~2"]);
  assert.equal(new Set(made.map((path) => path.toLowerCase())).size, made.length);
});

test("a folder does not take the name of a file", () => {
  const paths = new Paths();
  assert.equal(paths.add(["a"]), "a");
  assert.equal(paths.add(["a", "b"]), "a~2/b");
  assert.equal(paths.add(["a", "c"]), "a~2/c");
});

test("100,000 files of one name are named in less than quadratic time", () => {
  const paths = new Paths();
  const made = new Set(Array.from({ length: 100_000 }, () => paths.add(["d", "same"])));
  assert.equal(made.size, 100_000);
});
