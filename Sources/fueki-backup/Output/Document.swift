internal import FoundationEssentials

/// The one JSON document that a command prints with `--json`.
package enum Document {
  /// Writes `value` to standard output, keys sorted.
  static func write(_ value: some Encodable) {
    guard let text = text(value) else {
      return StandardOutput.recordUnwritable("the results have no form in JSON")
    }
    StandardOutput.write(text)
  }

  /// Returns `value` as a line of JSON; nil if it has no form in JSON.
  ///
  /// The keys are sorted, and in snake case. The keys of a dictionary are data, and stay as they are.
  package static func text(_ value: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    guard let data = try? encoder.encode(Shielded(value: value)) else { return nil }
    return TerminalText.document(String(decoding: data, as: UTF8.self)) + "\n"
  }

  /// A document, and how well the run was shielded that made it.
  private struct Shielded<Value: Encodable>: Encodable {
    let value: Value

    func encode(to encoder: any Encoder) throws {
      try value.encode(to: encoder)
      try ShieldDocument().encode(to: encoder)
    }
  }
}
