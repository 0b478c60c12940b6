import { inspect } from "./inspect.mjs";
import { unlock } from "./opened.mjs";
import { hasAny } from "./secrets.mjs";
import { Verdict } from "./verdict.mjs";

/// Reads an archive as deep as the secrets allow. Returns the report, the open archive, which the caller closes, and whether
/// all open scopes were read.
export async function readArchive(source, secrets, { bases = [], ...options } = {}) {
  const inspection = await inspect(source, options);
  const report = reportOf(inspection);
  let [opened, isRead] = [null, false];
  if (!inspection.canUnlock || !hasAny(secrets)) return { report, opened, isRead };
  try {
    opened = await unlock(inspection, secrets, options);
    addShares(report, opened.shares);
    await opened.check(options);
    if (opened.bundleChecksum) report.bundle_checksum = opened.bundleChecksum;
    report.scopes = opened.scopes;
    report.sections = opened.sections.map(({ id, name, records, bytes, sha256 }) => ({ id, name, records, bytes, sha256 }));
    if (options.salvage) report.salvaged = opened.salvaged;
    await opened.join(bases, options);
    if (opened.result) report.result = opened.result;
    isRead = true;
  } catch (error) {
    if (!(error instanceof Verdict)) throw error;
    addShares(report, error.shares);
    Object.assign(report, { verdict: error.verdict, why: error.why });
  }
  return { report, opened, isRead };
}

function addShares(report, shares) {
  if (shares) report.shares = shares;
}

function reportOf(inspection) {
  const { verdict, why, damage, archive, vault, sequence, signer, seals, slots, base, reported } = inspection;
  return {
    verdict,
    ...(why && { why }),
    damage,
    ...(archive && { archive, vault, sequence, signer, seals }),
    ...(slots && { slots: slots.map(({ type, mask }) => ({ type, mask })) }),
    ...(base && { base }),
    ...(reported && { reported }),
  };
}
