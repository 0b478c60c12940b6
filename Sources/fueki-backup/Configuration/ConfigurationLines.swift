internal import FuekiSystem

/// The lines of the keys in a TOML text, for messages, because the parser keeps no places.
///
/// It is a scan and no parser: keys that it does not find have no line.
struct ConfigurationLines {
  private var lines: [String: Int] = [:]
  private var counts: [String: Int] = [:]
  private var current = ""

  /// The construct that a line begins in.
  private enum State: Equatable {
    case key
    /// A list that is still open, at this depth.
    case list(Int)
    /// A text in three quotes of this kind, inside a list of this depth.
    case text(Character, Int)
  }

  init(_ text: String) {
    var state = State.key
    // A carriage return and a newline are one character, which is not equal to a newline.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() {
      var rest = line.drop { $0 == " " || $0 == "\t" }
      if state == .key { rest = begin(rest, line: index + 1) }
      state = Self.after(rest, state)
    }
  }

  /// The line of a key, else of its table.
  func line(of key: String?, in table: String, _ index: Int) -> Int? {
    let place = "\(table)[\(index)]"
    return key.flatMap { lines["\(place).\($0)"] } ?? lines[place] ?? lines[".\(table)"]
  }

  /// Returns the line of a key outside of tables, or of a table.
  func line(of key: String) -> Int? { lines[".\(key)"] ?? lines["\(key)[0]"] }

  /// Takes a header or a key from a line's beginning, and returns what follows.
  private mutating func begin(_ line: Substring, line number: Int) -> Substring {
    guard let first = line.first, first != "#" else { return "" }
    guard first != "[" else {
      let name = Self.unquoted(line.drop { $0 == "[" }.prefix { $0 != "]" })
      current = "\(name)[\(counts[name, default: 0])]"
      counts[name, default: 0] += 1
      lines[current] = number
      return ""
    }
    guard let equals = line.firstIndex(of: "=") else { return line }
    lines["\(current).\(Self.unquoted(line[..<equals]))"] = number
    return line[line.index(after: equals)...]
  }

  private static func unquoted(_ name: Substring) -> String {
    String(name.filter { !" \t\"'".contains($0) })
  }

  /// Returns the construct that the next line begins in.
  private static func after(_ rest: Substring, _ state: State) -> State {
    var depth = 0
    var quote: String?
    switch state {
    case .key: break
    case .list(let open): depth = open
    case .text(let mark, let open): (quote, depth) = (String(repeating: mark, count: 3), open)
    }
    var rest = rest
    while let next = rest.first {
      if let mark = quote {
        if rest.hasPrefix(mark) {
          rest = rest.dropFirst(mark.count)
          quote = nil
        } else {
          rest = rest.dropFirst(next == "\\" && mark.hasPrefix("\"") ? 2 : 1)
        }
        continue
      }
      switch next {
      case "#": rest = ""
      case "[": depth += 1
      case "]": depth = max(0, depth - 1)
      case "\"", "'":
        let triple = String(repeating: next, count: 3)
        quote = rest.hasPrefix(triple) ? triple : String(next)
        rest = rest.dropFirst((quote?.count ?? 1) - 1)
      default: break
      }
      rest = rest.dropFirst()
    }
    // A text in one quote ends with its line.
    if let mark = quote?.first, quote?.count == 3 { return .text(mark, depth) }
    return depth > 0 ? .list(depth) : .key
  }
}

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
