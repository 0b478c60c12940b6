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

  /// Adds what this machine's state knows of a vault: the folders that earlier runs made for it, and the sources of the
  /// newest archive that was made here.
  ///
  /// - Throws: errors from reading the state.
  public mutating func learn(_ vault: VaultID, from directory: StateDirectory) throws {
    let state = try directory.vault(vault)
    made = Set((state.madeFolders ?? []).filter(MadeFolder.isThere).map(\.pathBytes))
    sources += (state.sources ?? []).compactMap { name in
      name.firstIndex(of: ":").map { CurrentProcess.absolutePath(of: String(name[name.index(after: $0)...])) }
    }
  }

  /// Whether a place is in one of this machine's own sources.
  ///
  /// A home as a whole is none: programs obey files in it.
  func isInSource(_ path: [UInt8], home: String?) -> Bool {
    sources.contains { source in
      guard source != home, source != "/" else { return false }
      let bytes = source.pathBytes
      return path == bytes || path.starts(with: bytes + [UInt8(ascii: "/")])
    }
  }
}

extension LockedState {
  /// Remembers the folders that a plan will make, before any is made, so that an interrupted run can continue.
  ///
  /// - Throws: errors from reading and saving the state.
  public func keepFolders(of plan: PlacePlan, _ vault: VaultID) throws {
    guard !plan.newFolders.isEmpty else { return }
    var state = try directory.vault(vault)
    let all = Set((state.madeFolders ?? []).map(\.pathBytes)).union(plan.newFolders)
    state.madeFolders = Self.texts(all)
    try keep(state, of: vault)
  }

  /// Forgets the folders that are not there after the run: those that a person makes later are not the program's.
  ///
  /// - Throws: errors from reading and saving the state.
  public func forgetMissingFolders(_ vault: VaultID) throws {
    var state = try directory.vault(vault)
    guard let made = state.madeFolders else { return }
    let present = made.filter(MadeFolder.isThere)
    guard present.count != made.count else { return }
    state.madeFolders = present.isEmpty ? nil : present
    try keep(state, of: vault)
  }

  private static func texts(_ paths: Set<[UInt8]>) -> [String] {
    paths.sorted { $0.lexicographicallyPrecedes($1) }.map(PathText.text)
  }
}

/// A folder that a run made.
private enum MadeFolder {
  /// Whether it is there, under its own names or the safe ones that a file system made necessary.
  static func isThere(_ path: String) -> Bool {
    var found = ""
    for name in path.pathBytes.split(separator: UInt8(ascii: "/")).map(Array.init) {
      let names = [name] + PlacedName.safe(name)
      let paths = names.lazy.map { "\(found)/\(PathText.text($0))" }
      guard let next = paths.first(where: { (try? FileStatus.of($0)) != nil }) else { return false }
      found = next
    }
    return true
  }
}
