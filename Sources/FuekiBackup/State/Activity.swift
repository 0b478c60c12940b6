internal import FoundationEssentials
public import FuekiArchive
public import FuekiCrypto
public import FuekiSystem

/// Something that went well with a vault's archives in a target.
public struct Activity: Codable, Equatable, Sendable {
  /// The kind of activity.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// An archive was made.
    case create
    /// The newest archive was found whole.
    case verify
    /// An archive was restored for practice, and nothing differed.
    case drill
    /// Old archives were removed by rule.
    case prune
    /// The paper recovery kit was compared with the current state.
    case kit
  }

  /// The kind of activity.
  public let kind: Kind
  /// The target's folder, from the root.
  public let target: ExactText
  /// The vault's id, in hex.
  public let vault: String
  /// When, in seconds since 1970.
  public let time: Int64
  /// The archive's digest, in hex, if any.
  public let archive: String?
  /// The archive's place in the vault's history.
  public let sequence: UInt64?
  /// An identifier of the target's file system, if archives were written to a folder.
  public let fileSystem: UInt64?
}

extension Activity {
  /// The activities that replace one another have the same.
  fileprivate var place: [ExactText] { [ExactText(kind.rawValue), target, ExactText(vault)] }
}

extension StateDirectory {
  private static let activities = "activity.json"
  /// Further away than any clock goes, in seconds since 1970, so that ages can be reckoned.
  static let times: Range<Int64> = -(1 << 40)..<(1 << 40)

  /// Whether this machine has kept anything yet.
  public var exists: Bool { (try? Directory.open(path)) != nil }

  /// Returns the last activity of each kind, for each target and vault.
  public func activity() throws -> [Activity] {
    guard let bytes = try read(Self.activities) else { return [] }
    guard let found = try? JSONDecoder().decode([Activity].self, from: Data(bytes)),
      found.allSatisfy({ Self.times.contains($0.time) })
    else {
      throw StateError.damaged(path: "\(path)/\(Self.activities)")
    }
    return found
  }

  /// Records an activity in place of the previous one.
  ///
  /// It takes a lock of its own, for a moment, so that a verification need not hold the lock of the backups.
  ///
  /// - Parameters:
  ///   - kind: the kind of activity.
  ///   - target: the folder.
  ///   - vault: the vault's id.
  ///   - archive: the archive's digest, if any.
  ///   - sequence: its place in the vault's history.
  ///   - time: microseconds since 1970.
  /// - Throws: ``StateError/locked(owner:)`` if the file stays busy; errors from reading and writing.
  public func note(
    _ kind: Activity.Kind, target: String, vault: VaultID, archive: Digest? = nil, sequence: UInt64? = nil,
    time: Int64 = SystemClock.now
  ) throws {
    let target = Target(path: target)
    try note([
      Activity(
        kind: kind, target: target.place, vault: vault.hex, time: time / 1_000_000,
        archive: archive?.hex, sequence: sequence,
        fileSystem: kind == .create ? (try? target.fileSystem()) ?? nil : nil)
    ])
  }

  /// Records activities, one of each kind for a vault in a target, in place of the previous ones.
  ///
  /// - Throws: the errors of ``note(_:target:vault:archive:sequence:time:)``.
  func note(_ new: [Activity]) throws {
    let lock = try lockActivity()
    defer { lock.unlock() }
    // An unreadable file is only a memory, so start a new one.
    var all = (try? activity()) ?? []
    let replaced = Set(new.map(\.place))
    all.removeAll { replaced.contains($0.place) }
    all += new
    all.sort { ($0.target, $0.vault, $0.kind.rawValue) < ($1.target, $1.vault, $1.kind.rawValue) }
    try keep(all)
  }

  /// Forgets that a target's newest archive was found whole, because it is damaged now.
  ///
  /// - Throws: ``StateError/locked(owner:)`` if the file stays busy; errors from reading and writing.
  func withdrawVerification(of archive: Digest, target: String, vault: VaultID) throws {
    let lock = try lockActivity()
    defer { lock.unlock() }
    let place = Target(path: target).place
    let all = try activity()
    let rest = all.filter {
      !($0.kind == .verify && $0.target == place && $0.vault == vault.hex && $0.archive == archive.hex)
    }
    if rest != all { try keep(rest) }
  }

  private func keep(_ all: [Activity]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    try write([UInt8](try encoder.encode(all)), as: Self.activities)
  }

  /// Takes a lock that is never held for long.
  ///
  /// - Throws: ``StateError/locked(owner:)`` if it stays busy.
  func lockActivity() throws -> File {
    try Directory.makePrivateDirectories(path)
    let lock = try Directory.open(path).openOrCreateFile("activity.lock")
    let deadline = SystemClock.monotonicSeconds + 5
    while try !lock.tryLockExclusive() {
      guard !Interruption.wasRequested else { throw Interrupted() }
      guard SystemClock.monotonicSeconds < deadline else { throw StateError.locked(owner: nil) }
      SystemClock.sleep(seconds: 0.02)
    }
    return lock
  }
}

extension StateDirectory {
  /// Returns a vault's last drill; nil if there was none.
  ///
  /// - Throws: ``StateError/damaged(path:)`` if the line was changed, or is malformed.
  public func drill(of vault: VaultID) throws -> DrillStatement? {
    let name = Self.drillFile(vault)
    guard let bytes = try read(name) else { return nil }
    guard let statement = DrillStatement(String(decoding: bytes.dropLast(), as: UTF8.self)),
      statement.isAuthentic, statement.vaultID == vault
    else { throw StateError.damaged(path: "\(path)/\(name)") }
    return statement
  }

  /// Saves a drill's result in place of the previous one.
  public func keep(_ drill: DrillStatement) throws {
    let lock = try lockActivity()
    defer { lock.unlock() }
    try write([UInt8]((drill.line + "\n").utf8), as: Self.drillFile(drill.vaultID))
  }

  private static func drillFile(_ vault: VaultID) -> String { "drill-\(vault.hex).txt" }
}

extension BackupReport {
  /// Records in the machine's state that each target has the archive.
  ///
  /// - Throws: errors from writing the state. The archive itself stays in the targets.
  public func note(in state: StateDirectory, vault: VaultID) throws {
    for path in published.paths {
      try state.note(
        .create, target: Target(holding: path).path, vault: vault, archive: published.archive.digest,
        sequence: published.archive.facts.sequence)
    }
  }
}
