internal import FuekiArchive
internal import FuekiSystem

/// An archive on its way to a remote: removed again unless it is published.
final class RcloneDelivery: Delivery {
  let warnings: [TargetWarning] = []
  private let storage: RcloneStorage
  private let temporary: RclonePath
  private let byteCount: UInt64
  private let features: RcloneFeatures?
  private var archive: IntactArchive?
  private var isPublished = false

  /// The bytes per second of even a slow connection.
  static let leastRate = 16_384.0
  /// The number of attempts to list a new file on a slow remote.
  private static let looks = 5

  init(to storage: RcloneStorage, byteCount: UInt64, machine: String) {
    self.storage = storage
    self.byteCount = byteCount
    temporary = storage.folder.child(TemporaryName.make(for: machine))
    features = storage.features
  }

  deinit {
    guard !isPublished else { return }
    var removal = RcloneCommand("deletefile", on: temporary)
    // A run that was asked to stop leaves nothing behind either.
    removal.isInterruptible = false
    removal.patience = min(removal.patience, 30)
    _ = try? removal.output()
  }

  /// Sends a file of this machine's.
  func upload(_ path: String, idle: () throws -> Void) throws {
    try storage.upload(path, byteCount: byteCount, to: temporary, idle: idle)
  }

  /// Compares the remote's own checksum with the file's, if it has one.
  ///
  /// - Throws: ``TargetError/checksumDiffers(path:kind:)``.
  func compareChecksums(_ path: String) throws {
    guard let kind = features?.bestChecksum, let remote = Self.checksum(kind, of: temporary.place, temporary),
      let local = Self.checksum(kind, of: path, temporary)
    else { return }
    guard remote == local else { throw TargetError.checksumDiffers(path: temporary.text, kind: kind) }
  }

  /// Reads every byte back and compares it with what was sent.
  ///
  /// - Throws: ``TargetError/readBackDiffers(path:)``.
  func readBack(_ archive: IntactArchive, progress: (UInt64) throws -> Void) throws {
    try Self.compare(temporary, with: archive, progress: progress)
    self.archive = archive
  }

  func publish(as name: String) throws -> String {
    let final = storage.folder.child(name)
    let isTaken = SystemError(.alreadyThere, call: "rclone moveto", path: final.text)
    guard try !storage.list().contains(where: { $0.name == name }) else { throw isTaken }
    try storage.rename(temporary, to: final)
    try waitUntilListed(name, final, else: isTaken)
    if let features, !features.renames, let archive {
      // The bytes went through this machine once more, so they are looked at once more.
      try Self.compare(final, with: archive) { _ in }
    }
    isPublished = true
    return final.text
  }

  /// Waits until the remote lists the file under its name, and no more under the other.
  private func waitUntilListed(_ name: String, _ final: RclonePath, else isTaken: SystemError) throws {
    for look in 1...Self.looks {
      let items = try storage.list()
      let isThere = items.contains { $0.name == name && $0.size == Int64(clamping: byteCount) }
      let isLeft = items.contains { storage.folder.child($0.name) == temporary }
      if isThere && !isLeft { return }
      guard look < Self.looks else {
        guard !isLeft else { throw isTaken }
        throw SystemError(
          .failed, call: "rclone moveto", path: final.text,
          explanation: "the remote does not list what was put there")
      }
      guard !Interruption.wasRequested else { throw Interrupted() }
      SystemClock.sleep(seconds: 0.5)
    }
  }

  static func compare(
    _ path: RclonePath, with archive: IntactArchive, progress: (UInt64) throws -> Void
  ) throws {
    var comparison = ByteComparison(with: archive)
    try RcloneCommand("cat", on: path).run { bytes in
      try comparison.take(bytes)
      guard comparison.isEqual else { throw TargetError.readBackDiffers(path: path.text) }
      try progress(comparison.byteCount)
    }
    guard comparison.isWhole else { throw TargetError.readBackDiffers(path: path.text) }
  }

  /// Returns a checksum in hex; nil if there is none.
  private static func checksum(_ kind: String, of place: String, _ subject: RclonePath) -> String? {
    var command = RcloneCommand("hashsum", places: [kind, place], subject: subject)
    command.patience = max(command.patience, 600)
    guard let output = try? command.output(limit: 1 << 16),
      let word = String(decoding: output, as: UTF8.self).split(separator: " ").first,
      word.count >= 8, word.allSatisfy(\.isHexDigit)
    else { return nil }
    return word.lowercased()
  }
}
