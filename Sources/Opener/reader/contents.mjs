import { ascii, concat, equal, hex, MIB } from "./bytes.mjs";
import { expand, H, Hash } from "./crypto.mjs";
import { SCOPES } from "./index.mjs";
import { fault } from "./messages.mjs";
import { fields, records } from "./records.mjs";
import { require } from "./verdict.mjs";

/// Steps 8 and 9 of a stream. Returns the manifest, if it has one, and the counts of each section. Messages are checked, and the
/// parts of files added to `files`, unless that is null.
export async function checkContents(stream, files, advance) {
  const kept = new Map();
  let manifest = null;
  for (const section of stream.sections) {
    const found = await checkSection(stream, section, files, advance);
    kept.set(section.id, found);
    if (section.id === 1) manifest = found.first;
  }
  await stream.checkFill();
  return { manifest, kept };
}

async function checkSection(stream, section, files, advance) {
  const kept = { records: 0, gaps: [], first: null };
  const hash = new Hash();
  let [position, lostBlocks] = [0, 0];
  for (const block of section.blocks) {
    const data = await stream.block(block);
    if (data) {
      const count = checkRecords(data, section, kept);
      kept.records += count;
      if (files) checkMessages(data, section, files);
      hash.add(data);
    } else {
      lostBlocks += 1;
      if (kept.gaps.at(-1)?.bytes[1] !== position) kept.gaps.push({ bytes: [position, position], after: kept.records });
      kept.gaps.at(-1).bytes[1] += block.plain;
    }
    position += block.plain;
    advance(block.stored);
  }
  const digest = hash.end();
  kept.sha256 = hex(digest);
  // A count that a number cannot hold exactly exceeds the limit below anyway.
  kept.lost = Number(section.records) - kept.records;
  const most = kept.gaps.reduce((sum, { bytes }) => sum + bytes[1] - bytes[0], 0);
  require(lostBlocks <= kept.lost && kept.lost <= most, `section ${section.id}: its number of records`);
  require(kept.gaps.length || equal(digest, section.digest), `section ${section.id}: its digest`);
  return kept;
}

function checkRecords(data, section, kept) {
  let count = 0;
  for (const message of records(data)) {
    kept.first ??= section.id === 1 ? message.slice() : kept.first;
    count += 1;
  }
  require(count >= 1 && (data.length <= MIB || count === 1), `section ${section.id}: a block's records`);
  return count;
}

function checkMessages(data, section, files) {
  for (const message of records(data)) {
    const why = fault(section.id, message);
    require(!why, `section ${section.id}: ${why}`);
    files.add(section.id, message);
  }
}

/// Checks the scope digests in the manifest, and returns the bundle checksum.
export function checkScopes(manifest, streams, prks, T) {
  const stated = [1, 2, 3].map((s) => [...fields(manifest)].filter(({ number }) => number === s));
  for (const found of stated) {
    const isDigest = found.length === 1 && found[0].wireType === 2 && found[0].value.length === 32;
    require(isDigest, "the manifest's scope digests");
  }
  for (const [s, stream] of streams) {
    const h = H(concat(...stream.sections.filter(({ id }) => id !== 1).map(({ summary }) => summary)));
    const d = expand(prks.get(s), ["fueki/1 scope", Uint8Array.of(s), T, h], 32);
    require(equal(d, stated[s - 1][0].value), `the scope digest of ${SCOPES[s]}`);
  }
  return H(ascii("fueki/1 bundle"), ...stated.map(([{ value }]) => value));
}
