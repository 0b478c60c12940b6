/// Text as saved by editors and shells: UTF-8 with or without a byte order mark, or UTF-16 with one.
public enum SavedText {
  /// The encoding stated by the first bytes.
  private enum Form {
    case utf8
    case utf8WithMark
    case utf16(isLittleEndian: Bool)

    init(_ bytes: Span<UInt8>) {
      func begins(_ mark: [UInt8]) -> Bool {
        bytes.count >= mark.count && mark.indices.allSatisfy { bytes[$0] == mark[$0] }
      }
      if begins([0xEF, 0xBB, 0xBF]) {
        self = .utf8WithMark
      } else if begins([0xFF, 0xFE]) {
        self = .utf16(isLittleEndian: true)
      } else if begins([0xFE, 0xFF]) {
        self = .utf16(isLittleEndian: false)
      } else {
        self = .utf8
      }
    }
  }

  /// Returns the capacity for a saved text as UTF-8: at most three bytes for each two of UTF-16.
  public static func capacity(for byteCount: Int) -> Int { byteCount + byteCount / 2 }

  /// Converts a saved text to UTF-8 without a byte order mark.
  ///
  /// UTF-8 is copied unchecked.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - text: a buffer with ``capacity(for:)``.
  /// - Returns: the number of bytes written; nil for invalid UTF-16.
  public static func write(_ bytes: Span<UInt8>, asUTF8 text: inout MutableSpan<UInt8>) -> Int? {
    switch Form(bytes) {
    case .utf8: copy(bytes, to: &text)
    case .utf8WithMark: copy(bytes.extracting(3..<bytes.count), to: &text)
    case .utf16(let isLittleEndian): convert(bytes, isLittleEndian, to: &text)
    }
  }

  /// Returns a saved text as UTF-8 without a byte order mark; nil for invalid UTF-16.
  public static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
    var text = [UInt8](repeating: 0, count: capacity(for: bytes.count))
    var output = text.mutableSpan
    guard let count = write(bytes.span, asUTF8: &output) else { return nil }
    return Array(text[..<count])
  }

  private static func copy(_ bytes: Span<UInt8>, to text: inout MutableSpan<UInt8>) -> Int {
    for place in bytes.indices { text[place] = bytes[place] }
    return bytes.count
  }

  private static func convert(
    _ bytes: Span<UInt8>, _ isLittleEndian: Bool, to text: inout MutableSpan<UInt8>
  ) -> Int? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    func unit(_ place: Int) -> UInt32 {
      let (first, second) = (UInt32(bytes[place]), UInt32(bytes[place + 1]))
      return isLittleEndian ? second << 8 | first : first << 8 | second
    }
    var (place, end) = (2, 0)
    while place < bytes.count {
      var scalar = unit(place)
      place += 2
      if 0xD800...0xDBFF ~= scalar {
        guard place < bytes.count, 0xDC00...0xDFFF ~= unit(place) else { return nil }
        scalar = 0x10000 + (scalar & 0x3FF) << 10 + (unit(place) & 0x3FF)
        place += 2
      } else if 0xDC00...0xDFFF ~= scalar {
        return nil
      }
      end = append(scalar, to: &text, at: end)
    }
    return end
  }

  /// Writes a character, and returns the offset after it.
  private static func append(_ scalar: UInt32, to text: inout MutableSpan<UInt8>, at start: Int) -> Int {
    let count = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
    guard count > 1 else {
      text[start] = UInt8(scalar)
      return start + 1
    }
    for place in 0..<count {
      let bits = UInt8(truncatingIfNeeded: scalar >> UInt32(6 * (count - 1 - place)))
      let first = UInt8(truncatingIfNeeded: 0xF00 >> count)
      text[start + place] =
        place == 0 ? first | bits & (0x7F >> UInt8(count)) : 0x80 | bits & 0x3F
    }
    return start + count
  }
}
