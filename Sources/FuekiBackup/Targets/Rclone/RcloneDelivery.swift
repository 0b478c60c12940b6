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

/// An archive on its way to an append-only remote.
///
/// It is written once, under its final name.
struct RcloneAppendingDelivery: Delivery {
  let warnings: [TargetWarning] = []
  let storage: RcloneStorage
  let archive: IntactArchive
  /// The archive's file on this machine.
  let source: String

  func publish(as name: String) throws -> String {
    let final = storage.folder.child(name)
    guard try !storage.list().contains(where: { $0.name == name }) else {
      throw SystemError(.alreadyThere, call: "rclone copyto", path: final.text)
    }
    try storage.upload(source, byteCount: archive.source.byteCount, to: final) {}
    try RcloneDelivery.compare(final, with: archive) { _ in }
    return final.text
  }
}

extension RcloneStorage {
  /// The one file of a trial; its name has no dot at its beginning, because rclone writes a version's time before the
  /// last one, and does not find its way back from that.
  private static let trialFile = (stem: "fueki-append-only", suffix: ".trial")
  private static let trialBytes: [UInt8] = [7]
  /// On stores that keep versions, a removal only writes a marker, so look at the versions below it.
  private static let withVersions = ["--s3-versions", "--b2-versions"]

  /// Tries whether an append-only remote permits the removal of a worthless file, with every version of it.
  func tryAppending() throws -> TargetTrial {
    TargetTrial(of: try entries(), freeBytes: freeBytes(), retention: try tryRemoving())
  }

  private func tryRemoving() throws -> TargetTrial.Retention {
    // An rclone that does not know of versions refuses the options, and then nothing is known.
    guard let before = try? trialVersions() else { return .unknown }
    let name = Self.trialFile.stem + Self.trialFile.suffix
    if before.isEmpty { try putTrial(name) }
    // One version is enough: where a marker hides it, it is not written again.
    if before.isEmpty || before.contains(name) {
      if let refusal = refusal(of: RcloneCommand("deletefile", on: folder.child(name))) { return refusal }
    }
    guard let left = try? trialVersions() else { return .unknown }
    if left.isEmpty { return .removable }
    let pattern = "/\(Self.trialFile.stem)-v*\(Self.trialFile.suffix)"
    let removal = RcloneCommand(
      "delete", Self.withVersions + ["--max-depth", "1", "--include", pattern], on: folder)
    if let refusal = refusal(of: removal) { return refusal }
    guard let last = try? trialVersions() else { return .unknown }
    return last.isEmpty ? .removable : .unknown
  }

  /// Returns the refusal in a failed removal's output; nil if it succeeded.
  private func refusal(of removal: RcloneCommand) -> TargetTrial.Retention? {
    do throws(SystemError) {
      _ = try removal.output()
      return nil
    } catch {
      // A line that is down refuses nothing.
      return error.isNotPermitted ? .kept : .unknown
    }
  }

  /// The names under which the trial's file is there, versions that a marker hides included.
  private func trialVersions() throws(SystemError) -> [String] {
    let command = RcloneCommand(
      "lsjson", Self.withVersions + ["--files-only", "--no-mimetype", "--no-modtime"], on: folder)
    return try command.document([RcloneItem].self).map(\.name).filter {
      $0.hasPrefix(Self.trialFile.stem) && $0.hasSuffix(Self.trialFile.suffix)
    }
  }

  private func putTrial(_ name: String) throws {
    try Self.withScratchFile(of: Self.trialBytes) { source in
      try upload(source, byteCount: 1, to: folder.child(name)) {}
    }
  }

  /// Sends a file of this machine's.
  func upload(
    _ source: String, byteCount: UInt64, to place: RclonePath, idle: () throws -> Void
  ) throws {
    var command = RcloneCommand(
      "copyto", ["--ignore-times"], places: [source, place.place], subject: place)
    // Newer versions write under another name first and rename; older ones know no such option.
    if isAppendOnly { command.settings = ["RCLONE_INPLACE=true"] }
    // It says nothing until all is there; that the line is dead, rclone notices by itself.
    command.patience = 5 * command.patience + Double(byteCount) / RcloneDelivery.leastRate
    try command.run(output: { _ in }, idle: idle)
  }
}
