internal import FuekiArchive
internal import FuekiSystem

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
