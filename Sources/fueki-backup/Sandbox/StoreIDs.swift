internal import FuekiArchive
internal import FuekiStore
internal import FuekiSystem

/// The vaults of wallets' stores, found out without a trace in this process.
enum StoreIDs {
  /// Returns the vaults' ids by data directory; a directory without a store has none.
  ///
  /// A child process opens SQLite's connections: they start threads, which would keep the rights that this process is
  /// about to give up.
  static func read(_ directories: [String]) -> [ExactText: VaultID] {
    guard !directories.isEmpty else { return [:] }
    let nothing = [UInt8](repeating: 0, count: VaultID.byteCount + 1)
    // The first byte shows whether an id follows.
    let answer = try? ForkedWork.answer {
      directories.flatMap { directory in
        (try? WalletStore.vaultID(ofStoreIn: directory)).map { [1] + $0.bytes } ?? nothing
      }
    }
    var ids: [ExactText: VaultID] = [:]
    for (index, directory) in directories.enumerated() {
      let entry = (answer ?? []).dropFirst(index * nothing.count).prefix(nothing.count)
      if entry.first == 1 { ids[ExactText(directory)] = VaultID(bytes: Array(entry.dropFirst())) }
    }
    return ids
  }
}
