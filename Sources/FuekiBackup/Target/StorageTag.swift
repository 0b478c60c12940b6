package import FuekiSystem
internal import FuekiWallet

/// A storage's own description of a file's version, which is listed without reading the file.
///
/// It is compared only with another one of the same storage.
package struct StorageTag: Hashable, Sendable {
  /// The description in one canonical spelling.
  let text: String
  /// The time of the last change in seconds since 1970, if nothing else shows a change; nil if the storage lists a checksum.
  private let changed: Int64?
  /// How many seconds later another change surely has another time.
  private let margin: Int64

  /// Creates the tag of a file of this machine.
  package init(_ version: FileVersion) {
    let times = [version.modificationTime, version.changeTime].map { "\($0.seconds).\($0.nanoseconds)" }
    text = (["file", "\(version.inode)", "\(version.size)"] + times).joined(separator: " ")
    (changed, margin) = (version.changeTime.seconds, 2)
  }

  /// Creates the tag of a remote's file; nil if the remote lists neither a time nor a checksum.
  ///
  /// An identifier alone is no tag, since some services keep it when a file is replaced.
  init?(_ item: RcloneItem) {
    let time = item.modificationTime.flatMap(Self.time)
    let checksums = (item.checksums ?? [:]).filter { !$0.value.isEmpty }.map { "\($0.key):\($0.value)" }
      .sorted()
    guard item.size >= 0, time != nil || !checksums.isEmpty else { return nil }
    let parts = ["remote", "\(item.size)", time?.text ?? "-", item.identifier ?? "-"]
    text = (parts + checksums).joined(separator: "\n")
    // Servers' clocks differ, and some have seconds only.
    (changed, margin) = (checksums.isEmpty ? time?.seconds : nil, 60)
  }

  /// Returns a time in UTC, whatever the zone in which rclone writes it; nil for rclone's placeholders of unknown times,
  /// which are not later than the start of 2000.
  private static func time(_ text: String) -> (seconds: Int64, text: String)? {
    guard let time = Timestamp(text), time.microseconds > 946_684_800_000_000 else { return nil }
    let seconds = time.microseconds / 1_000_000
    let fraction = text.drop { $0 != "." }.dropFirst().prefix { $0.isNumber }
    return (seconds, "\(seconds).\(fraction)")
  }

  /// Whether a change after the listing would surely leave another tag; `now` is a time before the listing.
  func isSettled(at now: Int64) -> Bool {
    guard let changed else { return true }
    let (age, overflow) = now.subtractingReportingOverflow(changed)
    return !overflow && age > margin
  }
}

/// The facts to list for each file of a target, besides its name and its length.
package enum ListedFacts: Sendable {
  case none
  /// The storage's tag, without checksums.
  case tags
  /// The storage's tag, with the checksums that it keeps.
  case tagsWithChecksums
}

extension ListedFacts {
  /// The options of rclone's listing.
  ///
  /// A bucket has the server's own time in its list, and the time that rclone stored in each file's metadata.
  var options: [String] {
    switch self {
    case .none: ["--no-modtime"]
    case .tags: ["--use-server-modtime"]
    case .tagsWithChecksums: ["--use-server-modtime", "--hash"]
    }
  }
}

extension RcloneStorage {
  /// Whether the remote lists checksums without reading files.
  var listsChecksums: Bool {
    // With a path, rclone asks some servers whether it is a file's.
    guard let features = RcloneStorage(folder: folder.root).features else { return false }
    return features.abilities?.checksumIsSlow == false && !(features.checksums ?? []).isEmpty
  }
}

extension [RcloneItem] {
  /// The files' tags by their paths; a path that is listed twice has none.
  func tags(below folder: RclonePath) -> [String: StorageTag] {
    let listed = Dictionary(grouping: self) { folder.child($0).text }
    return listed.compactMapValues { $0.count == 1 ? $0.first.flatMap { StorageTag($0) } : nil }
  }
}
