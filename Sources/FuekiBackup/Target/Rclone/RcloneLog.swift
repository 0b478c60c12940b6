/// The log of a failed rclone, entry by entry, without dates and times.
///
/// The last entry often only counts the failures (`Failed to delete with 2 errors`), and the reason precedes it.
struct RcloneLog {
  private let entries: [String]

  /// How servers say that they will not, in lower case and without what separates words: a number alone could be a port.
  private static let refusals = [
    "accessdenied", "permissiondenied", "operationnotpermitted", "forbidden", "statuscode:403", "error403",
    // MinIO has no status of its own for a locked version.
    "wormprotected",
  ]

  init(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
    var entries: [Substring] = []
    var isDated = false
    for line in lines {
      let begins = line.first?.isNumber ?? false
      isDated = isDated || begins
      // An entry may go on over lines; what has no date at all is as many entries as lines.
      if begins || !isDated || entries.isEmpty {
        entries.append(line)
      } else {
        entries[entries.count - 1] += " " + line
      }
    }
    self.entries = entries.map { entry in
      guard entry.first?.isNumber ?? false else { return String(entry) }
      return String(entry.drop { $0.isNumber || "/: ".contains($0) })
    }
  }

  /// The last entry; nil if it is empty.
  var last: String? { entries.last.flatMap { $0.isEmpty ? nil : $0 } }

  /// The first entry that reports a refusal by the remote; nil if none does.
  var refusal: String? {
    entries.first { entry in
      let text = entry.lowercased().filter { !" _-".contains($0) }
      return Self.refusals.contains { text.contains($0) }
    }
  }

  /// Whether the remote is not set up.
  var lacksRemote: Bool { entries.contains { $0.contains("didn't find section in config file") } }
}
