// What an open archive holds, for the page: no secret is in it.

import { entries } from "../reader/reader.mjs";
import { worthSentence, hazardsOfKind, hazardSentences } from "./sentences.mjs";

// The manifest, wallets, files, changes to a base, and keys, which have no table of records.
const ELSEWHERE = new Set([1, 2, 8, 62, 64, 65, 66]);

/** Describes an open archive that was checked. */
export async function describeContents(opened, inspection) {
  const manifest = await opened.manifest();
  return {
    scopes: opened.scopes,
    lostScopes: opened.lostScopes ?? [],
    salvaged: opened.salvaged,
    digests: opened.sections,
    result: opened.result ?? null,
    bundleChecksum: opened.bundleChecksum ?? null,
    inspection: { sequence: inspection.sequence, created: inspection.created, archive: inspection.archive },
    manifest: manifest && {
      program: manifest.program, label: manifest.label, device: manifest.device,
      excluded: manifest.sources.flatMap((source) => source.excluded.map(({ what, reason }) => `${source.name}: ${what}: ${reason}`)),
      problems: manifest.problems.slice(0, 20).map(({ problem }) => problem),
      losses: losses(manifest),
    },
    wallets: opened.scopes.includes("profile") ? await describeWallets(opened) : [],
    sections: sections(opened),
    hasFiles: has(opened, 8) || has(opened, 66),
    hasSecretFiles: has(opened, 66),
    hasKeys: has(opened, 64) || has(opened, 65),
  };
}

function has(opened, id) {
  return opened.sections.some((section) => section.id === id);
}

/** The sections with the number of records that the archive and its base together give. */
function sections(opened) {
  const joined = new Map((opened.result ?? []).map(({ id, records }) => [id, records]));
  const own = new Map(opened.sections.map((section) => [section.id, section]));
  const ids = [...new Set([...own.keys(), ...joined.keys()])].sort((a, b) => a - b);
  return ids.filter((id) => !ELSEWHERE.has(id)).map((id) => ({ id, name: own.get(id)?.name ?? null, records: Number(joined.get(id) ?? own.get(id).records) }));
}

/** The wallets that have a record, and the findings on keys and files that belong to none. */
async function describeWallets(opened) {
  const { wallets, others } = await opened.wallets();
  const described = wallets.map(({ record, worth }) => ({
    name: record.name, kind: record.kind, chain: [record.chain_family, record.network || record.chain_id].filter((word) => word).join(" "),
    addresses: [...new Set([record.address, ...record.accounts.map(({ address }) => address)])].filter((text) => text),
    path: record.derivation_path, balance: record.balance ?? null,
    worth: describeWorth(worth),
    hazards: record.hazards.map(hazardSentences),
  }));
  return [...described, ...others.map((finding) => ({
    name: finding.name, kind: finding.kind, chain: "", addresses: [], path: "", balance: null,
    worth: describeWorth(finding), hazards: hazardsOfKind(finding.kind).map(hazardSentences),
  }))];
}

function describeWorth(finding) {
  const known = finding && worthSentence(finding);
  if (!known) return null;
  return { sentence: finding.detail ? `${known[0]}; ${finding.detail}` : known[0], style: known[1] };
}

/** The things that an earlier archive has whole and this one has not, if the owner did not accept that. */
function losses(manifest) {
  return entries(manifest, "losses").filter((loss) => loss.accepted !== true).map(({ kind, name, sequence }) =>
    `${kind} “${name}” is whole only in archive ${sequence}`);
}
