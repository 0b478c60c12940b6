internal import FuekiArchive
internal import FuekiCrypto

/// The passphrases in the configured files, which prove without a question that an archive is the user's.
///
/// A file that cannot be read proves nothing.
struct ConfiguredPassphrases {
  private let files: [String]

  /// - Parameters:
  ///   - configuration: the configuration that names the files.
  ///   - vault: the vault that the files are for; nil for those of every vault.
  init(_ configuration: Configuration, of vault: VaultID? = nil) {
    let candidates = configuration.candidates
    let vaults = candidates.filter { settings in
      guard let vault else { return true }
      return configuration.vaultID(of: settings).map { $0 == vault } ?? (candidates.count == 1)
    }
    files = vaults.compactMap(\.passphraseFile)
  }

  /// The passphrases, each in every form that its file may mean.
  var all: [SharedSecret] { files.flatMap { (try? SecretSource.passphrase(inFile: $0).all) ?? [] } }

  /// Returns whether the passphrase of one file opens an archive.
  func opens(_ archive: StoredArchive) -> Bool {
    files.contains { (try? StoredPassphrase(at: $0).opens(archive, keyFiles: [])) == true }
  }
}
