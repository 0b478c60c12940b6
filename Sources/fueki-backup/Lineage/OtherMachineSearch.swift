internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Finds archives that another machine made since this machine's last one, for a report, without accepting them.
///
/// The other machine may sign with a key unknown to this one. Then the configured passphrase file shows whether the
/// archive is the user's: it must open it, and be its only key.
struct OtherMachineSearch {
  private let configuration: Configuration
  private let state: StateDirectory

  init(_ configuration: Configuration, _ state: StateDirectory) {
    self.configuration = configuration
    self.state = state
  }

  /// - Parameters:
  ///   - id: the vault's id.
  ///   - entries: the archives in a target.
  ///   - ownerships: their owners, as far as this machine knows.
  /// - Returns: nil if there is none, or none is proved to be the user's.
  func find(_ id: VaultID, among entries: [TargetEntry], _ ownerships: Ownerships) -> OtherMachine? {
    guard let known = try? state.vault(id), known.isLeft != true else { return nil }
    return OtherMachine(since: known, of: id, among: entries) { archive in
      ownerships[archive] == .mine || opens(archive, of: id)
    }
  }

  private func opens(_ archive: StoredArchive, of id: VaultID) -> Bool {
    guard SignerLearning.hasOnlyPassphrase(archive) else { return false }
    return ConfiguredPassphrases(configuration, of: id).opens(archive)
  }
}
