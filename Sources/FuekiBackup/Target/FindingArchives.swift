public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Finds the archive that a person means: a path, a short id, or `latest`.
public struct ArchiveFinder: Sendable {
  /// Where short ids and `latest` are looked up.
  public let targets: [Target]

  /// - Parameter targets: may be empty where only paths are given.
  public init(targets: [Target]) { self.targets = targets }

  /// The path of the archive that `name` means.
  ///
  /// - Throws: ``BackupError/noArchive(name:)``, ``BackupError/ambiguous(name:candidates:)``, or
  ///   ``BackupError/severalVaults(count:)`` where `latest` could mean several people's.
  public func path(of name: String) throws -> String {
    if name == "latest" { return try latest().path }
    if let path = try existingFile(name) { return path }
    let hex = name.lowercased()
    guard hex.count >= 4, hex.allSatisfy(\.isHexDigit) else { throw BackupError.noArchive(name: name) }
    var found: [String: String] = [:]
    for entry in try entries() {
      guard let digest = entry.archive?.statedDigest.hex, digest.hasPrefix(hex) else { continue }
      found[digest] = found[digest] ?? entry.path
    }
    guard found.count <= 1 else {
      throw BackupError.ambiguous(name: name, candidates: found.keys.sorted().map { String($0.prefix(16)) })
    }
    guard let path = found.values.first else { throw BackupError.noArchive(name: name) }
    return path
  }

  /// The archive with the highest sequence of the one vault found in the targets.
  ///
  /// - Throws: ``BackupError/noArchive(name:)``, ``BackupError/severalVaults(count:)``, or
  ///   ``BackupError/forked(sequence:known:)`` where two archives claim that sequence.
  public func latest() throws -> (path: String, archive: StoredArchive) {
    var newest: (path: String, archive: StoredArchive)?
    var vaults: Set<[UInt8]> = []
    var rivals: [UInt64: Set<Digest>] = [:]
    for entry in try entries() {
      guard let archive = entry.archive else { continue }
      vaults.insert(archive.facts.vaultID)
      rivals[archive.facts.sequence, default: []].insert(archive.statedDigest)
      guard archive.facts.sequence > newest?.archive.facts.sequence ?? 0 else { continue }
      newest = (entry.path, archive)
    }
    guard vaults.count <= 1 else { throw BackupError.severalVaults(count: vaults.count) }
    guard let newest else { throw BackupError.noArchive(name: "latest") }
    let sequence = newest.archive.facts.sequence
    guard rivals[sequence]?.count == 1 else {
      throw BackupError.forked(sequence: sequence, known: sequence)
    }
    return newest
  }

  private func entries() throws -> [TargetEntry] { try targets.flatMap { try $0.entries() } }

  private func existingFile(_ path: String) throws -> String? {
    do {
      _ = try File.openRegular(path).size()
      return path
    } catch let error where error.isNotFound {
      return nil
    }
  }
}
