public import FuekiArchive
public import FuekiWallet
internal import FuekiCrypto

/// A wallet that can lose money when an old or second copy of it is used.
public struct HazardousWallet: Hashable, Sendable {
  /// The record's id, as the record has it.
  public let id: [UInt8]
  /// The owner's name for it, with its network if other wallets have the name too.
  public let name: String
  /// The dangers as its source names them, in its order, each once; also those that this version does not know.
  public let hazards: [String]

  /// Reads the wallet's hazards; nil if it has none.
  public init?(_ wallet: Wallet, among titles: WalletTitles) {
    var hazards: [String] = []
    for hazard in wallet.hazards where !hazard.isEmpty && !hazards.contains(hazard) { hazards.append(hazard) }
    guard !hazards.isEmpty else { return nil }
    id = [UInt8](wallet.id)
    name = titles.title(of: wallet)
    self.hazards = hazards
  }

  /// The id as its source has it, or in hex where it is no packed text.
  public var idText: String { PackedText.text(id.span) ?? Hex.encode(id) }

  /// Returns the hazards that were not confirmed.
  public func unconfirmed(_ confirmed: Set<String>) -> [String] {
    hazards.filter { !confirmed.contains($0) }
  }
}

extension UnlockedArchive {
  /// Finds the selected wallets that are dangerous when old or live twice.
  ///
  /// - Parameters:
  ///   - selection: the sections to restore.
  ///   - wallets: the ids of the wallets to restore; empty for all.
  /// - Returns: the wallets, in the archive's order.
  /// - Throws: ``RecordsError/malformedRecord(section:)``, or errors from reading.
  public func hazardousWallets(
    in selection: SectionSelection, ofWallets wallets: [String] = []
  ) throws -> [HazardousWallet] {
    guard selection.contains(.wallets) else { return [] }
    let all: [Wallet] = try records(of: .wallets)
    let titles = WalletTitles(all)
    return all.filter { $0.isAmong(wallets) }.compactMap { HazardousWallet($0, among: titles) }
  }
}
