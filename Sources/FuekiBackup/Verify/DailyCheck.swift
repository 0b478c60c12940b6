public import FuekiArchive
internal import FuekiCrypto
public import FuekiSystem

/// Reads the newest archive of a target once a day, so that damage to it is found while there is something to make a new
/// one of.
public struct DailyCheck {
  private let state: StateDirectory
  private let vault: VaultID
  private let target: Target
  private let now: Int64

  private static let day: Int64 = 86_400

  /// - Parameters:
  ///   - state: remembers verifications.
  ///   - vault: the vault's id.
  ///   - target: contains its archives.
  ///   - now: microseconds since 1970.
  public init(state: StateDirectory, vault: VaultID, target: Target, now: Int64 = SystemClock.now) {
    self.state = state
    self.vault = vault
    self.target = target
    self.now = now / 1_000_000
  }

  /// Returns whether one of an archive's files is intact, by a verification of the last day or by reading it now.
  ///
  /// It records an intact file, and removes the record of a damaged one, so that the next check reads it again.
  ///
  /// - Parameters:
  ///   - files: the archive's files in the target, all of one digest.
  ///   - progress: receives the file being read. An error that it throws ends the work.
  /// - Returns: false if every one is damaged.
  /// - Throws: the reason that a file cannot be read, and errors from `progress`.
  public func isWhole(_ files: [TargetEntry], _ progress: (String) throws -> Void) throws -> Bool {
    guard let archive = files.first?.archive else { return false }
    guard !wasChecked(archive.statedDigest) else { return true }
    for file in files where try file.verifies(progress) {
      try? state.note(
        .verify, target: target.path, vault: vault, archive: archive.statedDigest,
        sequence: archive.facts.sequence, time: now * 1_000_000)
      return true
    }
    return false
  }

  private func wasChecked(_ digest: Digest) -> Bool {
    let notes = (try? state.activity()) ?? []
    return notes.contains { note in
      note.kind == .verify && note.target == target.place && note.vault == vault.hex
        && note.archive == digest.hex && (0..<Self.day).contains(now - note.time)
    }
  }
}
