internal import FuekiSystem

/// A configuration file's text, as `init` writes it.
struct ConfigurationText {
  private(set) var text: String

  /// - Parameter comment: the first lines.
  init(comment: [String]) { text = comment.map { "# \($0)\n" }.joined() }

  /// Returns a file's text for appending; empty if the file is missing, whose folder is then created.
  static func present(at path: String) throws -> String {
    let parts = PathParts(path)
    guard (try? Directory.open(parts.folder).contains(parts.name)) ?? false else {
      try Directory.makePrivateDirectories(parts.folder)
      return ""
    }
    let text = String(decoding: try File.open(path).readAll(limit: 1 << 20), as: UTF8.self)
    return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
  }

  mutating func begin(_ table: ConfigurationKey.Table) { text += "\n[[\(table.rawValue)]]\n" }

  /// Adds a key if it has a value.
  mutating func add(_ key: String, _ value: String?) {
    if let value { text += "\(key) = \(ConfigDocument.Value.quoted(value))\n" }
  }

  mutating func add(comment: String) { text += "# \(comment)\n" }

  mutating func add(_ key: String, _ value: UInt32?) {
    if let value { text += "\(key) = \(value)\n" }
  }

  mutating func add(_ key: String, _ value: Bool) { text += "\(key) = \(value)\n" }

  mutating func add(_ key: String, _ values: [String]) {
    guard !values.isEmpty else { return }
    text += "\(key) = [" + values.map(ConfigDocument.Value.quoted).joined(separator: ", ") + "]\n"
  }
}
