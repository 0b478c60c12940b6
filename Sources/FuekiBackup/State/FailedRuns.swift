internal import FoundationEssentials
internal import FuekiSystem

/// A backup that made no archive, if no later one succeeded.
public struct FailedRun: Codable, Equatable, Sendable {
  /// When it ended, in seconds since 1970.
  public let time: Int64
  /// Its exit status.
  public let status: Int32
  /// The error in words, without a secret.
  public let reason: String

  /// Creates a run's record.
  public init(time: Int64, status: Int32, reason: String) {
    (self.time, self.status, self.reason) = (time, status, reason)
  }
}

extension StateDirectory {
  private static let failures = "failed.json"

  /// Returns the vaults' last backups that failed, by the vaults' names in the configuration.
  ///
  /// A vault without a name has the empty one.
  ///
  /// - Throws: ``StateError/damaged(path:)``, and errors from reading.
  public func failedRuns() throws -> [String: FailedRun] {
    guard let bytes = try read(Self.failures) else { return [:] }
    guard let found = try? JSONDecoder().decode([String: FailedRun].self, from: Data(bytes)),
      found.values.allSatisfy({ Self.times.contains($0.time) })
    else {
      throw StateError.damaged(path: "\(path)/\(Self.failures)")
    }
    return found
  }

  /// Records how a vault's last backup failed, or that it succeeded.
  ///
  /// It takes the lock of the activities, for a moment, because a run that fails may not hold the lock of the backups.
  ///
  /// - Parameters:
  ///   - failure: the failed run; nil after a success.
  ///   - vault: the vault's name in the configuration.
  /// - Throws: ``StateError/locked(owner:)`` if the file stays busy; errors from reading and writing.
  public func note(_ failure: FailedRun?, of vault: String) throws {
    guard try failure != nil || read(Self.failures) != nil else { return }
    let lock = try lockActivity()
    defer { lock.unlock() }
    // An unreadable file is only a memory, so start a new one.
    var all = (try? failedRuns()) ?? [:]
    all[vault] = failure
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    try write([UInt8](try encoder.encode(all)), as: Self.failures)
  }
}
