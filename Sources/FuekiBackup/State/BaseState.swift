internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiCrypto
public import FuekiSystem

extension StateDirectory {
  private static func baseFile(_ vault: VaultID) -> String { "base-\(vault.hex).table" }

  /// Returns the table of a vault's last full archive, as a base for differential ones.
  ///
  /// - Throws: ``FullNeeded`` if there is none, or it is damaged.
  func baseTable(of vault: VaultID) throws -> BaseTable {
    do {
      let file = try File.open(path + "/" + Self.baseFile(vault), symbolicLinks: .refuse)
      guard let table = try BaseTableFile.read(file) else { throw FullNeeded(reason: .damagedTable) }
      guard !table.sections.allSatisfy(\.value.isEmpty) else { throw FullNeeded(reason: .noHistory) }
      return table
    } catch let error as SystemError where error.isNotFound {
      throw FullNeeded(reason: .noTable)
    }
  }

  fileprivate func keep(baseTable table: BaseTableDraft, of vault: VaultID) throws {
    try write(as: Self.baseFile(vault)) { (give) throws(SystemError) in try table.forEachPiece(give) }
  }

  fileprivate func removeBaseTable(of vault: VaultID) throws {
    let folder = try Directory.open(path)
    let name = Self.baseFile(vault)
    folder.removeAbandoned(of: name)
    guard try folder.contains(name) else { return }
    try folder.remove(name)
    try folder.sync()
  }
}

extension LockedState {
  /// Keeps the file of the table of a full archive that was published, in place of the one before, durably, and where
  /// that archive was found whole.
  func keep(baseTable table: BaseTableDraft, _ note: VaultState.Base, of vault: VaultID) throws {
    try directory.keep(baseTable: table, of: vault)
    try keep(note, of: vault)
  }

  /// Records where and when a vault's base was found intact.
  func keep(_ note: VaultState.Base, of vault: VaultID) throws {
    var state = try directory.vault(vault)
    state.base = note
    try keep(state, of: vault)
  }

  /// Forgets a missing base, and its table.
  func forgetBase(of vault: VaultID) throws {
    var state = try directory.vault(vault)
    try directory.removeBaseTable(of: vault)
    state.base = nil
    try keep(state, of: vault)
  }
}

extension VaultState {
  /// The full archive that the next differential ones are made from.
  public struct Base: Codable, Equatable, Sendable {
    /// Its digest, in hex.
    public let digest: String
    /// When its bytes were last found whole, in seconds since 1970, by the place of the target.
    public var verified: [ExactText: Int64] = [:]
    /// The digest, in hex, of the newest archive that was made from it: a passphrase that opens that one opens it, too.
    var opensAlike: String?
    /// For each of its slots, whether it withstands quantum computers, as known when it was made.
    public var slotsForTheLongTerm: [Bool]?
  }
}
