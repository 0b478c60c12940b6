internal import FuekiSystem
internal import TOMLKit

/// The contents of a configuration file: every value of a known key and of the right type, with its line.
struct ConfigurationFile {
  /// A value, as its key's kind has it.
  enum Value: Equatable {
    case text(String)
    case texts([String])
    case number(Int)
    case flag(Bool)
  }

  /// One `[[target]]`, `[[vault]]` or another table.
  struct Entry {
    let values: [String: Value]
    let lines: [String: Int]
    let line: Int?
  }

  let path: String
  private(set) var entries: [ConfigurationKey.Table: [Entry]] = [:]
  private let keys: [ConfigurationKey]
  /// The man page that describes it.
  private let manual: String

  private static let byteLimit = 1 << 20
  private static let writingRisk = "add their own key, or commands that run as you"

  /// Reads and checks a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - keys: the keys that it may have.
  ///   - limit: the most bytes that it may have.
  ///   - manual: the man page that describes it.
  ///   - risk: what anyone who can write to the file can do; nil if `check` shows who made it.
  ///   - check: receives the bytes before anything is read from them. An error that it throws refuses the file.
  /// - Throws: ``CommandError/configuration(_:)`` where something in it is not as it has to be.
  init(
    path: String, keys: [ConfigurationKey] = ConfigurationKey.all, limit: Int = byteLimit,
    manual: String = ConfigurationProblem.manual, risk: String? = writingRisk,
    check: ([UInt8]) throws -> Void = { _ in }
  ) throws {
    let file: File
    do {
      file = try File.open(path)
    } catch  where error.isInterrupted {
      throw error
    } catch {
      throw Failure(
        .usage, error.sentence, meaning: "nothing was done",
        hint: "check the name of the file, and who may read it. \(manual) describes it")
    }
    // Anyone who can write it can add a recipient of their own, and a hook that runs as this user.
    if let risk, let hand = try file.foreignHand() {
      throw CommandError.othersCanChange(path: path, hand, risk: risk)
    }
    let bytes = try file.readAll(limit: limit)
    try check(bytes)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError.configuration(
        ConfigurationProblem(path: path, what: "it is not UTF-8", hint: "\(manual) describes the file"))
    }
    try self.init(path: path, text: text, keys: keys, manual: manual)
  }

  init(
    path: String, text: String, keys: [ConfigurationKey] = ConfigurationKey.all,
    manual: String = ConfigurationProblem.manual
  ) throws {
    self.path = path
    self.keys = keys
    self.manual = manual
    let tables = ConfigurationKey.Table.allCases.filter { table in keys.contains { $0.table == table } }
    let lines = ConfigurationLines(text)
    // The parser would end a text there, and read another path or another key.
    if let line = Self.lineWithZero(text) {
      throw CommandError.configuration(
        ConfigurationProblem(
          path: path, line: line, what: "there is a zero in this line, which ends a text for other programs",
          hint: "type the line again"))
    }
    let root: TOMLTable
    do {
      root = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw CommandError.configuration(problem(error, text))
    }
    for name in root.keys {
      guard let table = tables.first(where: { $0.rawValue == name }) else {
        throw unknown(name, nil, tables.map(\.rawValue), lines.line(of: name))
      }
      entries[table] = try self.tables(root[name], table, lines).enumerated().map { index, found in
        try entry(found, table, index, lines)
      }
    }
    withExtendedLifetime(root) {}
  }

  /// Returns the number of the first line with a zero, itself or as an escape; nil if there is none.
  private static func lineWithZero(_ text: String) -> Int? {
    let escapes = ["u0000", "U00000000", "x00"].map { Array($0.utf8) }
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let found = lines.firstIndex { line in
      guard !line.contains(0) else { return true }
      guard line.first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) != UInt8(ascii: "#")
      else { return false }
      var rest = line[...]
      while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
        rest = rest[backslash...].dropFirst()
        guard !escapes.contains(where: { rest.starts(with: $0) }) else { return true }
        rest = rest.dropFirst()
      }
      return false
    }
    return found.map { $0 + 1 }
  }

  /// A line that is no TOML, by its key; its value may be private.
  private func problem(_ error: TOMLParseError, _ text: String) -> ConfigurationProblem {
    let number = error.source.begin.line
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = lines.indices.contains(number - 1) ? lines[number - 1] : ""
    let key = line.prefix { $0 != "=" }.filter { !$0.isWhitespace }
    let isKey =
      line.contains("=") && !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || "_-".contains($0) }
    return ConfigurationProblem(
      path: path, line: number,
      what: isKey ? "the value of \"\(key)\" is not TOML" : "this line is not TOML",
      hint: "text goes in double quotes, as in label = \"wallet\". Numbers, true and false do not. "
        + "See \(manual) for a whole file")
  }

  /// `[[target]]` is a list of tables, and `[target]` the only one.
  private func tables(
    _ value: (any TOMLValueConvertible)?, _ name: ConfigurationKey.Table, _ lines: ConfigurationLines
  ) throws -> [TOMLTable] {
    if let table = value?.table { return [table] }
    let found = value?.array.map { array in array.map(\.table) } ?? [nil]
    let tables = found.compactMap { $0 }
    guard tables.count <= 1 || name.isRepeatable else {
      throw CommandError.configuration(
        ConfigurationProblem(
          path: path, line: lines.line(of: nil, in: name.rawValue, 1),
          what: "there is more than one \(name.header)"))
    }
    guard tables.count == found.count else {
      throw CommandError.configuration(
        ConfigurationProblem(
          path: path, line: lines.line(of: name.rawValue), what: "\"\(name.rawValue)\" is not a table",
          hint: "write \(name.header) on a line of its own"))
    }
    return tables
  }

  private func entry(
    _ table: TOMLTable, _ name: ConfigurationKey.Table, _ index: Int, _ lines: ConfigurationLines
  ) throws -> Entry {
    let known = keys.filter { $0.table == name }
    var values: [String: Value] = [:]
    var places: [String: Int] = [:]
    for key in table.keys {
      let line = lines.line(of: key, in: name.rawValue, index)
      guard let described = known.first(where: { $0.name == key }) else {
        throw unknown(key, name, known.map(\.name), line)
      }
      guard let value = Self.value(table[key], described.kind) else {
        throw CommandError.configuration(
          ConfigurationProblem(
            path: path, line: line,
            what: "\"\(key)\" of \(name.header) must be \(described.kind.sentence)",
            hint: "\(manual) lists every key"))
      }
      values[key] = value
      places[key] = line
    }
    return Entry(values: values, lines: places, line: lines.line(of: nil, in: name.rawValue, index))
  }

  private static func value(_ value: (any TOMLValueConvertible)?, _ kind: ConfigurationKey.Kind) -> Value? {
    switch kind {
    case .text, .privateText, .path: value?.string.flatMap { $0.isEmpty ? nil : .text($0) }
    case .choice(let names): value?.string.flatMap { names.contains($0) ? .text($0) : nil }
    case .number(let range): value?.int.flatMap { range.contains($0) ? .number($0) : nil }
    case .flag: value?.bool.map(Value.flag)
    case .texts: texts(value?.array).map(Value.texts)
    case .choices(let names):
      texts(value?.array).flatMap { texts in texts.allSatisfy(names.contains) ? .texts(texts) : nil }
    case .privateURL: value?.string.flatMap(PrivateURL.init).map { .text($0.text) }
    }
  }

  private static func texts(_ array: TOMLArray?) -> [String]? {
    guard let all = array?.map(\.string) else { return nil }
    let texts = all.compactMap { $0 }.filter { !$0.isEmpty }
    return texts.count == all.count ? texts : nil
  }

  private func unknown(
    _ key: String, _ table: ConfigurationKey.Table?, _ candidates: [String], _ line: Int?
  ) -> CommandError {
    let place =
      table.map { "\($0.header) has no key \"\(key)\"" } ?? "there is no key or table \"\(key)\""
    let hint =
      NearestName.of(key, among: candidates).map { "did you mean \"\($0)\"?" }
      ?? "the known ones are \(candidates.joined(separator: ", "))"
    return .configuration(ConfigurationProblem(path: path, line: line, what: place, hint: hint))
  }
}

extension ConfigurationFile.Value {
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var texts: [String]? { if case .texts(let texts) = self { texts } else { nil } }
  var number: Int? { if case .number(let number) = self { number } else { nil } }
  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
}

/// A problem in a configuration, and its place.
package struct ConfigurationProblem: Equatable {
  let path: String
  var line: Int?
  let what: String
  var hint: String?

  /// The man page that describes the configuration.
  static let manual = "fueki-backup-config(5)"

  package init(path: String, line: Int? = nil, what: String, hint: String? = nil) {
    self.path = path
    self.line = line
    self.what = what
    self.hint = hint
  }
}

/// Finds the name that a user probably meant by a misspelled one.
enum NearestName {
  /// Returns the nearest of the candidates, or nil if none is near.
  static func of(_ typed: String, among candidates: [String]) -> String? {
    let ranked = candidates.map { (name: $0, distance: distance(typed, $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, best.name.count / 3) ? best.name : nil
  }

  /// How many characters have to be put in, left out or changed.
  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.lowercased()), Array(b.lowercased()))
    var row = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in b.enumerated() {
        let change = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(change, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
