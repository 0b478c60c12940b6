/// The lines of vCards, unfolded and taken apart; see RFC 6350, section 3, and RFC 2426 for version 3.0.
package struct VCardLine: Equatable, Sendable {
  /// The name in capitals, without its group.
  package let name: String
  /// The parameters, their names in capitals.
  package let parameters: [String: [String]]
  /// The value as it stands, escaped.
  package let value: String

  private static let lengthLimit = 1 << 20

  /// Unfolds a text, which is UTF-8, into its lines; what has no colon is left out.
  ///
  /// - Throws: ``ForeignFileError/overLimit(reason:)`` for a line that is too long.
  package static func all(in text: [UInt8]) throws(ForeignFileError) -> [VCardLine] {
    var lines: [[UInt8]] = []
    for line in TextLines.lines(text) {
      if let first = line.first, first == 0x20 || first == 0x09, !lines.isEmpty {
        lines[lines.count - 1] += line.dropFirst()
        guard lines[lines.count - 1].count <= lengthLimit else {
          throw .overLimit(reason: "a line of the vCard is longer than \(lengthLimit) bytes")
        }
      } else if !line.isEmpty {
        lines.append(Array(line))
      }
    }
    // Folding may part a character's bytes, which are whole again only now.
    return lines.compactMap { VCardLine(String(decoding: $0, as: UTF8.self)) }
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
    name = (parts[0].split(separator: ".").last.map(String.init) ?? "").uppercased()
    var parameters: [String: [String]] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let values = (pair.last ?? "").split(separator: ",").map { $0.filter { $0 != "\"" } }
      // Version 2.1 and many of 3.0 have bare types.
      parameters[pair.count == 2 ? pair[0].uppercased() : "TYPE", default: []] += values
    }
    self.parameters = parameters
    self.value = String(value)
  }

  /// The value as text, without escapes.
  package var text: String {
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

  /// The parts of a structured value, such as a name's, without escapes.
  package var components: [String] {
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
