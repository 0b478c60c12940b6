/// A configuration file's text, as `init` writes it.
struct ConfigurationText {
  private(set) var text: String

  /// - Parameter comment: the first lines.
  init(comment: [String]) { text = comment.map { "# \($0)\n" }.joined() }

  mutating func begin(_ table: ConfigurationKey.Table) { text += "\n[[\(table.rawValue)]]\n" }

  /// Adds a key where it has a value.
  mutating func add(_ key: String, _ value: String?) {
    if let value { text += "\(key) = \(ConfigDocument.Value.quoted(value))\n" }
  }

  mutating func add(_ key: String, _ value: UInt32?) {
    if let value { text += "\(key) = \(value)\n" }
  }

  mutating func add(_ key: String, _ values: [String]) {
    guard !values.isEmpty else { return }
    text += "\(key) = [" + values.map(ConfigDocument.Value.quoted).joined(separator: ", ") + "]\n"
  }
}
