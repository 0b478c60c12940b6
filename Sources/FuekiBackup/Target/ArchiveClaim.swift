internal import FuekiArchive

/// The claim of an unreadable file about the archive that it would be: its first header, or else its name.
///
/// The claim is unverified. Use it only to ask the user.
struct ArchiveClaim: Equatable, Sendable {
  /// The vault, where the header says it.
  let vaultID: VaultID?
  /// The number in the vault's lineage.
  let sequence: UInt64

  /// - Parameters:
  ///   - facts: the first header's, if it is intact.
  ///   - name: the file's name.
  init?(_ facts: HeaderFacts?, name: String) {
    if let facts {
      (vaultID, sequence) = (facts.vaultID, facts.sequence)
      return
    }
    guard let sequence = Self.sequence(inName: name) else { return nil }
    (vaultID, self.sequence) = (nil, sequence)
  }

  /// Returns the number in a name as ``ArchiveName`` makes it: `<label>-<time>-<sequence>-<short id>.fueki`, with any
  /// text before and after it.
  static func sequence(inName name: String) -> UInt64? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    for (time, number) in zip(parts, parts.dropFirst())
    where time.utf8.count == 16 && time.utf8.last == UInt8(ascii: "Z") && time.contains("T")
      && number.utf8.count >= 6 && number.allSatisfy(\.isNumber)
    {
      return UInt64(number)
    }
    return nil
  }
}

extension [TargetEntry] {
  /// The numbers that files claim which lie here and are no intact archives, by vault.
  ///
  /// A file whose name alone has a number counts for the only vault, if there is one.
  func claimedNumbers(of vaults: some Collection<VaultID>) -> [VaultID: Set<UInt64>] {
    let only = vaults.count == 1 ? vaults.first : nil
    var numbers: [VaultID: Set<UInt64>] = [:]
    for entry in self where entry.state != .removed {
      guard let claim = entry.claim, let vault = claim.vaultID ?? only else { continue }
      numbers[vault, default: []].insert(claim.sequence)
    }
    return numbers
  }
}
