public import FuekiArchive
public import FuekiWallet
internal import FoundationEssentials

extension UnlockedArchive {
  /// The things of worth in an archive that is open, and those that it says earlier ones have.
  ///
  /// Things in a scope that the secret does not open are not among them.
  ///
  /// - Parameters:
  ///   - manifest: the archive's manifest.
  ///   - note: is called for each original file.
  /// - Returns: the inventory.
  /// - Throws: ``RecordsError``, and what reading throws.
  public func inventory(
    _ manifest: Manifest, noting note: (OriginalFile) -> Void = { _ in }
  ) throws -> Inventory {
    let count = HoldingCount()
    try forEachRecord(of: .wallets) { (wallet: Wallet) in
      count.note(.wallet(id: [UInt8](wallet.id), name: wallet.name))
    }
    try forEachOriginalPart { part, content in
      if part.offset == 0 { note(part.file) }
      count.note(part, content)
    }
    if scopes.contains(.secrets) { try countKeys(count) }
    return Inventory(
      of: VaultState.Link(sequence: facts.sequence, digest: digest),
      present: count.holdings(manifest.findings).whole, absent: manifest.losses)
  }

  private func countKeys(_ count: HoldingCount) throws {
    _ = try readSecretRecords(of: Section.privateKeys.rawValue) { message in
      try count.note(message: message, of: .privateKeys)
    }
    var ids: Set<Data> = []
    _ = try readSecretRecords(of: Section.keyShares.rawValue) { message in
      var reader = WireReader()
      while let field = try reader.next(in: message) {
        if field.number == 1 { ids.insert(Data(try field.bytes(in: message))) }
      }
    }
    try forEachRecord(of: .keyShareDescriptors) { (descriptor: KeyShareDescriptor) in
      if ids.contains(descriptor.id) { count.note(.share(descriptor)) }
    }
  }
}
