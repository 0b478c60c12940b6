/// The name of a member of a JSON object, quoted once for all records.
///
/// It has no references to be counted: workers that all counted the same ones would wait for each other.
struct MemberName: ExpressibleByStringLiteral, Sendable {
  private static let capacity = 32

  private let json: InlineArray<32, UInt8>
  private let count: Int

  init(stringLiteral name: StaticString) { self.init("\(name)") }

  /// Quotes a name of the schema's, which has at most 29 bytes.
  init(_ name: String) {
    var quoted: [UInt8] = [UInt8(ascii: "\"")]
    quoted.appendEscaped(name.utf8Span.span)
    quoted += [UInt8(ascii: "\""), UInt8(ascii: ":")]
    precondition(quoted.count <= Self.capacity, "the schema's names are short")
    json = InlineArray { $0 < quoted.count ? quoted[$0] : 0 }
    count = quoted.count
  }

  /// The name itself.
  var text: String { String(decoding: (1..<count - 2).map { json[$0] }, as: UTF8.self) }

  /// Appends the quoted name and the colon.
  func append(to bytes: inout [UInt8]) {
    bytes.append(addingCapacity: count) { output in
      for i in 0..<count { output.append(json[i]) }
    }
  }
}
