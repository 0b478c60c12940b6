public import FuekiArchive
public import FuekiCrypto
internal import FuekiSystem

/// What is known about the user's own files: those that are no wallet's.
///
/// Only the archive says what they are, and a thief of a signing key can make an archive. They go into a home only from
/// an archive that a thief of the key cannot make alone, or whose signer the user typed, only with the user's consent,
/// and only into folders that were not there before.
public struct OwnFiles: Sendable {
  /// Whether the user agrees to restore them.
  public var isAccepted = false
  /// The signers that the user typed for this run.
  public var typedSigners: Set<Ed25519.PublicKey> = []
  /// The paths of this machine's own sources, from the root and without links.
  public var sources: [String] = []
  /// The folders that earlier runs made, from the root.
  private(set) var made: Set<[UInt8]> = []
  /// Whether the archive is proved by its only key, the passphrase, or by a typed signer.
  public private(set) var isProved = false

  /// Nothing is known.
  public init() {}

  /// Checks what proves an opened archive.
  ///
  /// - Parameters:
  ///   - archive: the archive as stored.
  ///   - isIntact: whether all of it was verified: a damaged archive's signature proves nothing.
  public mutating func prove(_ archive: StoredArchive, isIntact: Bool) {
    let isTyped = isIntact && archive.facts.signer.map(typedSigners.contains) ?? false
    isProved = isTyped || SignerLearning.hasOnlyPassphrase(archive)
  }

  /// Adds what this machine's state knows of an archive's vault: the folders that earlier runs made for it, and the
  /// sources of the newest archive that was made here.
  ///
  /// The folders that were made for another archive count only if this one is proved: a thief of the signing key could
  /// have made both.
  ///
  /// - Throws: errors from reading the state.
  public mutating func learn(of archive: any UnlockedArchive, from directory: StateDirectory) throws {
    let state = try directory.vault(archive.facts.vaultID)
    let all = state.madeFolders.filter { isProved || $0.key == archive.digest.hex }
    made = Set(all.values.joined().filter(MadeFolder.isThere).map(\.pathBytes))
    sources += (state.sources ?? []).compactMap { name in
      name.firstIndex(of: ":").map { CurrentProcess.absolutePath(of: String(name[name.index(after: $0)...])) }
    }
  }

  /// Whether a place is in one of this machine's own sources.
  ///
  /// A home as a whole is none, and neither is what a home is in: programs obey files there.
  func isInSource(_ path: [UInt8], home: String?) -> Bool {
    let path = PathText.text(path)
    return sources.contains { source in
      func has(_ place: String) -> Bool { ExactText(place) == ExactText(source) || place.isBelow(source) }
      return has(path) && !(home.map(has) ?? false)
    }
  }
}

extension LockedState {
  /// Remembers the folders that a plan will make, before any is made, so that an interrupted run can continue.
  ///
  /// - Throws: errors from reading and saving the state.
  public func keepFolders(of plan: PlacePlan, from archive: any UnlockedArchive) throws {
    guard !plan.newFolders.isEmpty else { return }
    var state = try directory.vault(archive.facts.vaultID)
    let made = state.madeFolders[archive.digest.hex] ?? []
    state.madeFolders[archive.digest.hex] = Self.texts(Set(made.map(\.pathBytes)).union(plan.newFolders))
    try keep(state, of: archive.facts.vaultID)
  }

  /// Forgets the folders that are not there after the run: those that a person makes later are not the program's.
  ///
  /// - Throws: errors from reading and saving the state.
  public func forgetMissingFolders(_ vault: VaultID) throws {
    var state = try directory.vault(vault)
    let present = state.madeFolders.mapValues { $0.filter(MadeFolder.isThere) }.filter { !$0.value.isEmpty }
    guard present != state.madeFolders else { return }
    state.madeFolders = present
    try keep(state, of: vault)
  }

  private static func texts(_ paths: Set<[UInt8]>) -> [String] {
    paths.sorted { $0.lexicographicallyPrecedes($1) }.map(PathText.text)
  }
}

/// A folder that a run made.
private enum MadeFolder {
  /// Whether it is there, under its own names or the safe ones that a file system made necessary, and no link is on
  /// the way: the program makes none.
  static func isThere(_ path: String) -> Bool {
    var found = ""
    for name in path.pathBytes.split(separator: UInt8(ascii: "/")).map(Array.init) {
      let names = [name] + PlacedName.safe(name)
      let paths = names.lazy.map { "\(found)/\(PathText.text($0))" }
      let next = paths.first {
        (try? FileStatus.of($0, symbolicLinks: .refuse))?.kind == .directory
      }
      guard let next else { return false }
      found = next
    }
    return true
  }
}
