public import FuekiArchive
internal import FuekiSystem

/// A file in a target that is an archive, or claims to be one.
public struct TargetEntry: Sendable {
  /// What can be said of the file without reading all of it.
  public enum State: String, Sendable {
    case complete
    case incomplete
    case notDownloaded = "not-downloaded"
    case conflictCopy = "conflict-copy"
    case damaged
    case unreadable
  }

  /// The file's path.
  public let path: String
  /// The file's name.
  public let name: String
  /// The file's length.
  public let byteCount: UInt64
  /// The archive, where its structure holds.
  public let archive: StoredArchive?
  /// What can be said of the file.
  public let state: State
  /// Why it is not complete.
  public let error: ArchiveError?

  /// Nil where the file neither has an archive's magic nor an archive's name.
  init?(_ entry: DirectoryEntry, in directory: borrowing Directory) {
    let name = entry.text ?? String(decoding: entry.name, as: UTF8.self)
    self.name = name
    path = directory.path + "/" + name
    byteCount = (try? directory.status(of: entry.name).size) ?? 0
    guard !TemporaryArchive.isTemporary(name) else { return nil }
    let isNamedSo = name.hasSuffix(ArchiveName.suffix)
    guard !(name.hasPrefix(".") && name.hasSuffix("\(ArchiveName.suffix).icloud")) else {
      archive = nil
      state = .notDownloaded
      error = nil
      return
    }
    do {
      let archive = try StoredArchive(reading: ArchiveFile(try directory.openFile(entry.name)))
      self.archive = archive
      error = nil
      state =
        archive.structuralDamage.isEmpty ? (Self.isConflictCopy(name) ? .conflictCopy : .complete) : .damaged
    } catch let found as ArchiveError {
      guard isNamedSo || found != .notAnArchive else { return nil }
      archive = nil
      error = found
      state =
        switch found {
        case .incomplete: .incomplete
        case .damaged, .notAnArchive, .forged: .damaged
        default: .unreadable
        }
    } catch {
      guard isNamedSo else { return nil }
      archive = nil
      self.error = (error as? SystemError).map(ArchiveError.unreadable)
      state = .unreadable
    }
  }

  /// By creation time in the header, then sequence; what has no header comes last, by name.
  func isNewer(than other: TargetEntry) -> Bool {
    switch (archive?.facts, other.archive?.facts) {
    case (let a?, let b?): (a.created, a.sequence, name) > (b.created, b.sequence, other.name)
    case (_?, nil): true
    case (nil, _?): false
    case (nil, nil): name > other.name
    }
  }

  private static func isConflictCopy(_ name: String) -> Bool {
    name.contains(".sync-conflict-") || name.contains("conflicted copy")
  }
}
