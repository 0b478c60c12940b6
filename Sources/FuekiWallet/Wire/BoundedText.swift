/// Text that comparing costs a bounded amount of work.
///
/// Two texts are compared, and found in a dictionary, with the marks behind each letter in one order. The standard
/// library sorts the marks in time that grows with the square of their number. So text of 100 kB with one letter
/// and many marks would keep a core busy for minutes.
package enum BoundedText {
  /// The most marks that may follow one another.
  ///
  /// Unicode's stream-safe text has 30.
  package static let markLimit = 128

  /// Whether no more marks follow one another than the limit.
  ///
  /// - Parameter bytes: UTF-8; bytes that are none count as letters.
  /// - Returns: false if a letter has more marks.
  package static func isBounded(_ bytes: Span<UInt8>) -> Bool {
    var marks = 0
    var place = 0
    while place < bytes.count {
      guard bytes[place] >= 0xCC else {
        // All marks have two bytes or more, and the first of them is U+0300.
        if bytes[place] & 0xC0 != 0x80 { marks = 0 }
        place += 1
        continue
      }
      let (value, count) = scalar(of: bytes, at: place)
      place += count
      let isMark = value.map { $0.properties.canonicalCombiningClass != .notReordered } ?? false
      marks = isMark ? marks + 1 : 0
      guard marks <= markLimit else { return false }
    }
    return true
  }

  /// Returns the character at a place, and how many bytes it has; nil, and one byte, if it is none.
  private static func scalar(of bytes: Span<UInt8>, at place: Int) -> (Unicode.Scalar?, Int) {
    let first = bytes[place]
    let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard first < 0xF8, place + count <= bytes.count else { return (nil, 1) }
    var value = UInt32(first) & (0x7F >> UInt32(count))
    for next in 1..<count {
      guard bytes[place + next] & 0xC0 == 0x80 else { return (nil, 1) }
      value = value << 6 | UInt32(bytes[place + next] & 0x3F)
    }
    return (Unicode.Scalar(value), count)
  }
}

extension String {
  /// Decodes UTF-8 that is valid and compared with bounded work; nil for other bytes.
  package init?(bounded bytes: some Collection<UInt8>) {
    guard BoundedText.isBounded(Array(bytes).span) else { return nil }
    self.init(validating: bytes, as: UTF8.self)
  }
}
