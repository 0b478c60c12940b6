internal import FuekiCrypto
package import FuekiWallet

/// The names of the fields in which two records differ: enough to explain a conflict, without the values.
package enum RecordFields {
  /// Returns the fields whose bytes differ in two encoded records of a section, by ascending number.
  ///
  /// A field unknown to this version appears as its number, an entry of `extra` as its name.
  package static func differing(
    _ a: Span<UInt8>, _ b: Span<UInt8>, in section: Section
  ) throws(WireError) -> [String] {
    let (a, b) = (try digests(a), try digests(b))
    let numbers = Set(a.keys).union(b.keys).filter { a[$0] != b[$0] }
    return numbers.sorted().map { name(of: $0, in: section) }
  }

  /// Returns a digest of each field's raw bytes, with repeated ones together, so that no file's content is kept.
  private static func digests(_ message: Span<UInt8>) throws(WireError) -> [UInt32: [Digest]] {
    var fields: [UInt32: [Digest]] = [:]
    var reader = WireReader()
    while let field = try reader.next(in: message) {
      fields[field.number, default: []].append(SHA256.hash(message.extracting(field.range)))
    }
    return fields
  }

  private static func name(of number: UInt32, in section: Section) -> String {
    if number == RecordKind.extraNumber { return "extra" }
    return section.kind.field(number)?.name ?? "field \(number)"
  }
}
