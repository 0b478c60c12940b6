package import FuekiSystem
public import FuekiArchive

/// A file in a target that is an archive, or claims to be one.
public struct TargetEntry: Sendable {
  /// The state of the file, known without reading all of it.
  public enum State: String, Sendable {
    case complete
    case incomplete
    case notDownloaded = "not-downloaded"
    case conflictCopy = "conflict-copy"
    case damaged
    case unreadable
    /// It was listed, and then removed, as `prune` removes archives.
    case removed
  }

  /// The relation of a file to another one of the target.
  public enum Conflict: Hashable, Sendable {
    /// The other one is the same archive.
    case identical(to: String)
    /// The other one has the same digest and other bytes: one of the two is damaged or forged.
    case otherBytes(than: String)
    /// The other one has the same place in the vault's history, and other contents.
    case fork(of: String)
  }

  /// The file's path; of a remote's, `rclone:remote:path/name`.
  public let path: String
  /// The file's name.
  public let name: String
  /// The name's bytes, which need not be text.
  let nameBytes: [UInt8]
  /// The file's length.
  public let byteCount: UInt64
  /// The archive, where its structure holds and the file is no transfer that goes on.
  public let archive: StoredArchive?
  /// The state of the file.
  public internal(set) var state: State
  /// Why it is not complete.
  public let error: ArchiveError?
  /// Another file of the target that is the same archive, or contends with it.
  public internal(set) var conflict: Conflict?
  /// The recovery files next to it.
  public internal(set) var parity: [ParityFile] = []
  /// The user that the file belongs to; nil on a remote, which does not say.
  package var owner: UInt32?
  /// Whether the file belongs to this user or to the folder's owner; true on a remote.
  package var isOwn = true
  /// Whether the file has further names.
  package var hasOtherNames = false
  /// The origin according to its name.
  let origin: SyncedName
  /// The file of a remote from which the archive's structure was read.
  var remoteFile: RcloneFile?
  /// The claim of a file that is no intact archive; nil for an archive.
  let claim: ArchiveClaim?

  /// Nil where the file neither has an archive's magic nor an archive's name; `open` is for the few small reads that
  /// tell.
  init?(
    name: String, nameBytes: [UInt8], path: String, byteCount: UInt64,
    open: () throws(SystemError) -> ArchiveFile
  ) {
    self.name = name
    self.nameBytes = nameBytes
    self.path = path
    self.byteCount = byteCount
    origin = SyncedName(name)
    guard !TemporaryName.isOne(name), !ParityName.isOne(name), !ParityName.isSetAside(name) else {
      return nil
    }
    let reading = Reading(origin, open)
    // The name of a transfer that has ended since the folder was listed.
    if case .partial = origin, reading.isVanished { return nil }
    guard SyncedName.claimsArchive(name) || reading.hasMagic else { return nil }
    (archive, state, error) = (reading.archive, reading.state, reading.error)
    claim = reading.archive == nil ? ArchiveClaim(reading.claimed, name: name) : nil
  }
}

extension TargetEntry {
  /// Whether the file has the name that its archive was published under.
  var hasOwnName: Bool {
    archive.map { ArchiveName.isOwn(name, of: $0.facts, digest: $0.statedDigest) } ?? false
  }

  /// Whether the name is that of an unfinished transfer.
  var isTransfer: Bool {
    if case .partial = origin { true } else { false }
  }

  /// The reason that no byte of the file could be judged; nil if it could be read, or has been removed.
  package var readError: SystemError? {
    guard state == .unreadable, case .unreadable(let found)? = error else { return nil }
    return found
  }
}

/// The facts from the file itself.
private struct Reading {
  var archive: StoredArchive?
  var state: TargetEntry.State
  var error: ArchiveError?
  /// Whether the file is an archive's by its content, whatever is wrong with the rest.
  var hasMagic = false
  /// The first header of a file that is no intact archive.
  var claimed: HeaderFacts?
  /// Whether the file was no longer there.
  var isVanished: Bool { if case .unreadable(let found)? = error { found.isNotFound } else { false } }

  init(_ origin: SyncedName, _ open: () throws(SystemError) -> ArchiveFile) {
    if case .placeholder = origin {
      state = .notDownloaded
      error = .incomplete
      return
    }
    let file: ArchiveFile
    do {
      file = try open()
    } catch let found {
      state = .unreadable
      error = .unreadable(found)
      return
    }
    guard !file.hasNoContents else {
      state = .notDownloaded
      error = .incomplete
      return
    }
    do throws(ArchiveError) {
      let found = try StoredArchive(reading: file, search: .nearTheEnd)
      hasMagic = true
      let damage = found.structuralDamage
      var isUnfilled = found.hasHoles
      if !damage.isEmpty, try found.isUnfilled(damage) { isUnfilled = true }
      if case .partial = origin {
        state = .incomplete
      } else if isUnfilled {
        state = .incomplete
      } else {
        archive = found
        state = damage.isEmpty ? .complete : .damaged
        return
      }
      error = .incomplete
      claimed = found.facts
    } catch let found {
      claimed = file.claimedFacts
      state = Self.state(found, of: file, origin)
      error = state == .incomplete && found != .notAnArchive ? .incomplete : found
      hasMagic = found.saysArchive && ((try? file.byteCount()) ?? 0) >= 8
    }
  }

  private static func state(
    _ error: ArchiveError, of file: ArchiveFile, _ origin: SyncedName
  ) -> TargetEntry.State {
    switch error {
    case .incomplete: return .incomplete
    case .damaged, .notAnArchive, .forged:
      if case .partial = origin { return .incomplete }
      return file.isUnfilled() ? .incomplete : .damaged
    default: return .unreadable
    }
  }
}

extension ArchiveError {
  /// Whether it was found behind an archive's magic.
  fileprivate var saysArchive: Bool {
    switch self {
    case .notAnArchive, .unreadable: false
    default: true
    }
  }
}

extension [Target] {
  /// The archives in the targets that answer, of all vaults.
  ///
  /// - Throws: `Interrupted`, because what an interrupted look does not find may be there.
  public func archives() throws -> [StoredArchive] {
    let found = flatMap { (try? $0.entries()) ?? [] }.compactMap(\.archive)
    guard !Interruption.wasRequested else { throw Interrupted() }
    return found
  }
}

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
