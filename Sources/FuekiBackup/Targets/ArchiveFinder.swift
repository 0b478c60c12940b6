internal import FuekiCrypto
public import FuekiArchive
public import FuekiSystem

/// Finds an archive by a path, a short id, a number in the vault's lineage, or `latest`.
public struct ArchiveFinder: Sendable {
  /// Where short ids and `latest` are looked up.
  public let targets: [Target]
  /// Returns the vault whose newest archive is `latest` if the targets contain several; nil for no preference.
  private let vault: @Sendable () -> VaultID?
  /// The trusted signers.
  private let trust: Trust
  /// Whether to use the newest intact archive, whatever is above it.
  public var acceptsOlder = false
  /// Whether to prefer the vault that has archives of the user; false if the user has several.
  public var prefersMine = true

  /// - Parameters:
  ///   - targets: may be empty if only paths are given.
  ///   - trust: determines the user's archives.
  ///   - vault: the vault whose newest archive is `latest`. Called only if there are several vaults.
  public init(
    targets: [Target], trust: Trust = Trust(), vault: @escaping @Sendable () -> VaultID? = { nil }
  ) {
    self.targets = targets
    self.trust = trust
    self.vault = vault
  }

  /// The path of the archive that `name` means.
  ///
  /// - Throws: ``FindingError/noArchive(name:)``, ``FindingError/isFolder(path:)``,
  ///   ``FindingError/ambiguous(name:candidates:)``, or ``FindingError/severalVaults(count:)`` where `latest` could mean
  ///   several people's.
  public func path(of name: String) throws -> String {
    if name == "latest" { return try latest().path }
    if let path = try existingFile(name) { return path }
    let number = name.allSatisfy { $0.isASCII && $0.isNumber } ? UInt64(name) : nil
    let hex = name.lowercased()
    guard hex.count >= 4, hex.allSatisfy(\.isHexDigit) else {
      guard let number else { throw FindingError.noArchive(name: name) }
      return try path(ofNumber: number)
    }
    var found: [String: String] = [:]
    for entry in try entries() {
      guard let digest = entry.archive?.statedDigest.hex, digest.hasPrefix(hex) else { continue }
      found[digest] = found[digest] ?? entry.path
    }
    guard found.count <= 1 else {
      throw FindingError.ambiguous(name: name, candidates: found.keys.sorted().map { String($0.prefix(16)) })
    }
    if let path = found.values.first { return path }
    guard let number else { throw FindingError.noArchive(name: name) }
    return try path(ofNumber: number)
  }

  /// The path of the archive that has a number in the lineage of the one vault that is meant, mine before others'.
  private func path(ofNumber number: UInt64) throws -> String {
    let named = try meant(entries(), name: "\(number)").candidates.filter {
      $0.archive.facts.sequence == number
    }
    let digests = Set(named.map(\.archive.statedDigest.hex))
    guard digests.count <= 1 else {
      throw FindingError.ambiguous(
        name: "\(number)", candidates: digests.sorted().map { String($0.prefix(16)) })
    }
    guard let found = named.first else { throw FindingError.noArchive(name: "number \(number)") }
    return found.path
  }

  /// The newest archive of the one vault that is meant.
  public struct Latest: Sendable {
    /// Where it is.
    public let path: String
    /// The archive, of which only the structure was read.
    public let archive: StoredArchive
    /// Its owner: the user, unless no archive found is the user's.
    public let ownership: Ownership
    /// The archives above it that are disregarded: a stranger's, or of unknown owner.
    public let above: [(path: String, ownership: Ownership)]
    /// The archives above it of which no base is here: their history cannot be read.
    public let lacking: [(path: String, base: BaseReference)]
  }

  /// Finds the newest archive of the user's only vault.
  ///
  /// If no archive is the user's, it finds the newest of the only vault in the targets. If there are several vaults, it
  /// uses the preferred one. Anyone with write access to a target can put archives there, of this vault or of one of
  /// their own. An archive whose base is in none of the targets is skipped.
  ///
  /// - Throws: ``FindingError/noArchive(name:)``, ``FindingError/severalVaults(count:)``,
  ///   ``ArchiveError/baseMissing(_:)`` if no archive has its base here, ``LineageError/forked(sequence:known:)`` if
  ///   two archives claim that sequence, or ``FindingError/unusableNewest(path:verdict:usable:)`` if a file above it is
  ///   damaged or cut short: it might be the newest.
  public func latest() throws -> Latest {
    let entries = try entries()
    let (vault, ofVault, all, ownerships) = try meant(entries, name: "latest")
    let present = Set(ofVault.map(\.archive.computedDigest))
    let candidates = all.filter { $0.archive.facts.base.map { present.contains($0.digest) } ?? true }
    func last(of found: [Found]) -> Found? {
      found.max { $0.archive.facts.sequence < $1.archive.facts.sequence }
    }
    guard let newest = last(of: candidates) else {
      if let base = last(of: all)?.archive.facts.base { throw ArchiveError.baseMissing(base) }
      throw FindingError.noArchive(name: "latest")
    }
    let sequence = newest.archive.facts.sequence
    let rivals = Set(candidates.filter { $0.archive.facts.sequence == sequence }.map(\.archive.statedDigest))
    guard rivals.count == 1 else { throw LineageError.forked(sequence: sequence, known: sequence) }
    try refuseUnusable(entries, above: newest.path, sequence, of: vault)
    let first = candidates.first { $0.archive.statedDigest == newest.archive.statedDigest } ?? newest
    let above = ofVault.filter { $0.archive.facts.sequence > sequence }
    let lacking = all.filter { $0.archive.facts.sequence > sequence }
    let lackingPaths = Set(lacking.map { ExactText($0.path) })
    return Latest(
      path: first.path, archive: first.archive, ownership: ownerships[newest.archive],
      above: above.filter { !lackingPaths.contains(ExactText($0.path)) }.map {
        ($0.path, ownerships[$0.archive])
      },
      lacking: lacking.compactMap { found in found.archive.facts.base.map { (found.path, $0) } })
  }

  private typealias Found = (path: String, archive: StoredArchive)

  /// Returns the selected vault's archives and its candidates: the user's own, or if there are none, those of unknown
  /// owner.
  private func meant(
    _ entries: [TargetEntry], name: String
  ) throws -> (vault: VaultID, all: [Found], candidates: [Found], Ownerships) {
    let found = entries.compactMap { entry in entry.archive.map { (path: entry.path, archive: $0) } }
    let ownerships = try Ownerships(of: found.map(\.archive), trust: trust)
    var vaults = Set(found.map(\.archive.facts.vaultID))
    if vaults.count > 1 {
      if let meant = vault(), vaults.contains(meant) {
        vaults = [meant]
      } else if prefersMine {
        let mine = Set(found.filter { ownerships[$0.archive] == .mine }.map(\.archive.facts.vaultID))
        if !mine.isEmpty { vaults = mine }
      }
    }
    guard vaults.count <= 1 else { throw FindingError.severalVaults(count: vaults.count) }
    guard let vault = vaults.first else {
      for target in targets {
        let own = entries.filter { ExactText(Target(holding: $0.path).path) == ExactText(target.path) }
        if let denied = DeniedArchives(of: own, in: target) { throw FindingError.denied(denied) }
      }
      guard entries.isEmpty, !targets.isEmpty else { throw FindingError.noArchive(name: name) }
      throw FindingError.noArchives(targets: targets.map(\.path))
    }
    let ofVault = found.filter { $0.archive.facts.vaultID == vault }
    let mine = ofVault.filter { ownerships[$0.archive] == .mine }
    // A stranger's archive does not count even if none of the vault's archives is the user's.
    return (
      vault, ofVault, mine.isEmpty ? ofVault.filter { ownerships[$0.archive] == .unknown } : mine, ownerships
    )
  }

  /// Refuses a damaged or truncated file above the newest: it has no signature and may be anyone's, so the user must
  /// inspect it.
  private func refuseUnusable(
    _ entries: [TargetEntry], above usable: String, _ sequence: UInt64, of vault: VaultID
  ) throws {
    guard !acceptsOlder else { return }
    let above = entries.first { entry in
      guard let claim = entry.claim, claim.sequence > sequence else { return false }
      return claim.vaultID == nil || claim.vaultID == vault
    }
    guard let above else { return }
    // By its name or its header it is one, whatever its first bytes say.
    let verdict = above.error?.verdict ?? .damaged
    throw FindingError.unusableNewest(
      path: above.path, verdict: verdict == .notAnArchive ? .damaged : verdict, usable: usable)
  }

  private func entries() throws -> [TargetEntry] { try targets.flatMap { try $0.entries() } }

  private func existingFile(_ path: String) throws -> String? {
    do {
      _ = try ArchiveFile.open(at: path)
      return path
    } catch let error as SystemError where error.isNotFound {
      return nil
    } catch let error as SystemError where error.isDirectory {
      throw FindingError.isFolder(path: path)
    }
  }
}

extension ArchiveFile {
  /// Opens an archive by its path: a local file, or `rclone:remote:path`.
  ///
  /// For a remote file it requests only the length. The bytes are fetched when they are read.
  ///
  /// - Parameters:
  ///   - path: where it is.
  ///   - symbolicLinks: the handling of a link in its place.
  /// - Returns: the archive's bytes, still unread.
  /// - Throws: `SystemError` if it is missing or no file; ``TargetError/malformedTarget(path:)``.
  public static func open(
    at path: String, symbolicLinks: File.SymbolicLinks = .follow
  ) throws -> ArchiveFile {
    guard RclonePath.isOne(path) else {
      do {
        return ArchiveFile(try File.openRegular(path, symbolicLinks: symbolicLinks))
      } catch let error where error.isNotFound {
        guard let bytes = Self.untextualPath(path) else { throw error }
        return ArchiveFile(try File.openRegular(bytes, symbolicLinks: symbolicLinks))
      }
    }
    return ArchiveFile(try RcloneFile(RclonePath(path)))
  }

  /// The path of a file whose name is no UTF-8, by the text that it is shown as, and arrives as in an argument; nil
  /// where no one file is shown so.
  private static func untextualPath(_ path: String) -> [UInt8]? {
    guard path.unicodeScalars.contains("\u{FFFD}") else { return nil }
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
    let entries = (try? Directory.open(folder).list()) ?? []
    let shown = entries.filter { $0.text == nil && String(decoding: $0.name, as: UTF8.self) == name }
    guard shown.count == 1 else { return nil }
    return [UInt8]((folder == "/" ? "/" : "\(folder)/").utf8) + shown[0].name
  }
}

extension StoredArchive {
  /// Judges the structure of the archive at a path, or at `rclone:remote:path`.
  ///
  /// - Throws: what ``FuekiArchive/ArchiveFile/open(at:symbolicLinks:)`` throws, and `ArchiveError`.
  public convenience init(at path: String) throws { try self.init(reading: .open(at: path)) }
}

/// An error in finding an archive by the user's name for it.
public enum FindingError: Error, Equatable, Sendable {
  /// No archive of this name is in the targets.
  case noArchive(name: String)
  /// The targets have no archive at all.
  case noArchives(targets: [String])
  /// The archives, or their folder, belong to another user, and this one may not read them.
  case denied(DeniedArchives)
  /// A folder was given instead of an archive.
  case isFolder(path: String)
  /// More than one archive begins with this short id.
  case ambiguous(name: String, candidates: [String])
  /// The target contains several vaults' archives, and none was chosen.
  case severalVaults(count: Int)
  /// An unreadable file may be a newer archive than the user's newest.
  case unusableNewest(path: String, verdict: Verdict, usable: String)
}
