import FuekiSystem
import TestSupport

/// The exit statuses that a command's man page lists.
enum ExitStatuses {
  static func documented(_ command: String) throws -> Set<Int32> {
    let page = "\(SourceTree.path)/man/fueki-backup-\(command).1"
    let text = String(decoding: try File.open(page).readAll(limit: 1 << 20), as: UTF8.self)
    let lines = text.split(separator: "\n").drop { $0 != ".Sh EXIT STATUS" }.prefix { $0 != ".El" }
    return Set(lines.filter { $0.hasPrefix(".It ") }.compactMap { Int32($0.dropFirst(4)) })
  }
}
