internal import FuekiArchive

extension FuzzTarget {
  /// A header without its digest, with its length field corrected.
  static let header = FuzzTarget("header") { input in
    var bytes = input
    guard bytes.count >= 16 else { return }
    for place in 0..<4 { bytes[12 + place] = UInt8(truncatingIfNeeded: (bytes.count - 16) >> (8 * place)) }
    _ = try Header(decoding: bytes)
    var reader = ByteReader(Array(bytes[16...]))
    let fields = try RawField.all(in: &reader)
    precondition(fields.flatMap(\.encoded) == Array(bytes[16...]), "fields encode to other bytes")
  }
}
