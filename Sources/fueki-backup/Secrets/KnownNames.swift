internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// Names that an acquaintance would try first as a passphrase.
enum KnownNames {
  /// Returns the names of the user, the machine, this program and the vault.
  static func of(_ vault: VaultSettings, label: String? = nil) -> [String] {
    let person = [Account.current, Account.currentFullName, Environment.get("USER")]
    let names = person + [HostName.current, label, vault.label, vault.name?.text, "fueki-backup"]
    return names.compactMap(\.self)
  }

  /// Returns the names of a store's wallets; empty if unreadable.
  static func ofWallets(inStore directory: String) -> [String] {
    guard let store = try? WalletStore.open(directory) else { return [] }
    defer { try? store.close() }
    return (try? store.wallets.all().map(\.name)) ?? []
  }
}
