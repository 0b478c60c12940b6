internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The vault whose signers a command changes, and where it looks for it.
struct SignedVaultOptions: ParsableArguments {
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions

  /// The vault in the data directory; nil if it is not needed, or has none.
  func ofStore(_ configuration: Configuration) throws -> VaultID? {
    guard configuration.meant?.id == nil else { return nil }
    if let id = try configuration.vault().id { return id }
    return (try? data.path(configuration)).flatMap { StoreIDs.read([$0])[ExactText($0)] }
  }

  /// Returns the configured vault, else that of the store, else the only one in the targets that the keys name.
  func vault(
    _ configuration: Configuration, ofStore: VaultID?, signedBy signers: [Signer]
  ) throws -> VaultID {
    if let id = configuration.meantVaultID ?? ofStore { return id }
    return try onlyVault(in: targets.targets(configuration), signedBy: Set(signers.map(\.publicKey)))
  }

  /// The only vault with an archive that a given key signed, or else the only vault in the targets.
  private func onlyVault(in targets: [Target], signedBy keys: Set<Ed25519.PublicKey>) throws -> VaultID {
    let archives = try targets.flatMap { try $0.entries() }.compactMap(\.archive)
    let signed = archives.filter { $0.isSigned(byOneOf: keys) }
    let found = Set((signed.isEmpty ? archives : signed).map(\.facts.vaultID))
    guard found.count == 1, let id = found.first else {
      throw CommandError.usage("which vault? use --datadir, a --target with its archives alone, or --vault")
    }
    return id
  }

  /// The needs of a command that changes signers.
  ///
  /// - Parameters:
  ///   - archives: the archives that it opens.
  ///   - files: the other files that options name.
  ///   - configuration: the configuration.
  /// - Returns: the needs.
  func needs(
    _ archives: [String] = [], files: [String?], _ configuration: Configuration
  ) -> SandboxNeeds {
    var needs = SandboxNeeds(archives, targets, nil, configuration)
    needs.readable += files.compactMap(\.self)
    needs.keepState()
    return needs
  }
}
