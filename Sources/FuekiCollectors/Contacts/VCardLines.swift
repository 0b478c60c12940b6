/// The lines of vCards, unfolded and parsed; see RFC 6350, section 3, and RFC 2426 for version 3.0.
struct VCardLine: Equatable, Sendable {
  /// The name in upper case, without its group.
  let name: String
  /// The parameters, with names in upper case.
  let parameters: [String: [String]]
  /// The escaped value.
  let value: String
  /// The whole line, unfolded.
  let source: String

  /// Unfolds a UTF-8 text and passes its lines to `body`, one by one, skipping lines without a colon.
  ///
  /// - Throws: ``ForeignFileError/overLimit(reason:)`` for a line that is too long, and the errors of `body`.
  static func forEach(
    in text: [UInt8], _ body: (VCardLine) throws(ForeignFileError) -> Void
  ) throws(ForeignFileError) {
    let limit = ImportLimits.lineByteCount
    var whole: [UInt8] = []
    // Folding may split a character's bytes, which are complete only at the line's end.
    func give(_ line: [UInt8]) throws(ForeignFileError) {
      if let line = VCardLine(String(decoding: line, as: UTF8.self)) { try body(line) }
    }
    try TextLines.forEachLine(of: text) { (line) throws(ForeignFileError) in
      guard !line.isEmpty else { return }
      if let first = line.first, first == 0x20 || first == 0x09, !whole.isEmpty {
        whole += line.dropFirst()
      } else {
        if !whole.isEmpty { try give(whole) }
        whole = Array(line)
      }
      guard whole.count <= limit else {
        throw ForeignFileError.overLimit(reason: "a line of the vCard is longer than \(limit) bytes")
      }
    }
    if !whole.isEmpty { try give(whole) }
  }

  private init?(_ line: String) {
    var parts: [String] = [""]
    var isQuoted = false
    var value: Substring?
    for index in line.indices {
      let character = line[index]
      if character == "\"" { isQuoted.toggle() }
      if !isQuoted, character == ":" {
        value = line[line.index(after: index)...]
        break
      }
      if !isQuoted, character == ";" {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    guard let value else { return nil }
    source = line
    name = (parts[0].split(separator: ".").last.map(String.init) ?? "").uppercased()
    var parameters: [String: [String]] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let values = (pair.last ?? "").split(separator: ",").map { $0.filter { $0 != "\"" } }
      // Version 2.1 and many cards of version 3.0 have types without a name.
      parameters[pair.count == 2 ? pair[0].uppercased() : "TYPE", default: []] += values
    }
    self.parameters = parameters
    self.value = String(value)
  }

  /// The value as text, without escapes.
  var text: String {
    var text = ""
    var isEscaped = false
    for character in value {
      if isEscaped {
        text.append(character == "n" || character == "N" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        text.append(character)
      }
    }
    return text
  }

  /// The components of a structured value, such as a name's, without escapes.
  var components: [String] {
    var parts: [String] = [""]
    var isEscaped = false
    for character in value {
      if isEscaped {
        parts[parts.count - 1].append(character == "n" || character == "N" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == ";" {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}
