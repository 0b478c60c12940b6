/// Findings on the worth of backups, which the manifest keeps in `extra` as JSON.

/// The objects of a JSON array in the manifest's `extra`.
export function entries(manifest, name) {
  const json = manifest?.extra.find((entry) => entry.name === name)?.json;
  try {
    const list = JSON.parse(json ?? "[]");
    return Array.isArray(list) ? list.filter((entry) => typeof entry === "object" && entry !== null) : [];
  } catch {
    return [];
  }
}

/// Gives each wallet the finding on it, or null. The findings that are left are on keys and files without a wallet.
///
/// A finding has the wallet's name, or its address if it has no name, and in `detail` the address of one with a name. Its kind
/// is that of the source. So wallets with the same name are told apart by their addresses, and only then by their order.
export function assign(records, manifest) {
  const others = entries(manifest, "wallets").filter(isFinding);
  const take = (isOf) => {
    const place = others.findIndex(isOf);
    return place < 0 ? null : others.splice(place, 1)[0];
  };
  const wallets = records.map((record) => ({ record, worth: null }));
  const passes = [
    ({ name, address }) => (found) => name && found.name === name && found.detail === address,
    ({ name, address }) => (found) => found.name === (name || address),
  ];
  for (const isOf of passes) for (const wallet of wallets) wallet.worth ??= take(isOf(wallet.record));
  return { wallets, others };
}

function isFinding({ kind, name, verdict }) {
  return [kind, name, verdict].every((text) => typeof text === "string");
}
