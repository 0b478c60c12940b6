// Reads archives with the reader in JavaScript, one for each line of standard input, and prints a line of JSON for each.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { BytesSource, load, readArchive, wipe } from "../../Sources/Opener/reader/reader.mjs";
import { optionsOf, secretsOf } from "../Opener/vectors.mjs";

const sourceOf = (path) => new BytesSource(new Uint8Array(readFileSync(path)));

async function answer({ path, base, reader }) {
  const secrets = secretsOf(reader);
  const options = { ...optionsOf({ ...reader, bases: [] }), bases: base ? [sourceOf(base)] : [] };
  try {
    const { report, opened } = await readArchive(sourceOf(path), secrets, options);
    opened?.close();
    return { verdict: report.verdict, why: report.why ?? "" };
  } catch (error) {
    // Nothing in an archive may cause another error than a verdict.
    return { verdict: "crash", why: error.stack };
  } finally {
    wipe(secrets);
  }
}

await load(readFileSync(new URL("../../.build/opener/reader.wasm", import.meta.url)));
for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(await answer(JSON.parse(line))));
