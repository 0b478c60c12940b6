/// The settings of a Monero wallet: a JSON object with a binary text.
///
/// The program writes the bytes unchanged and escapes only control characters, quotation marks and
/// backslashes, so the document is not UTF-8 and ordinary parsers refuse it.
struct MoneroSettings {
  private enum Value {
    case text(Range<Int>)
    case number(Range<Int>)
    case other
  }

  private static let memberLimit = 4096
  private static let depthLimit = 16

  private let members: [String: Value]

  /// Parses all bytes; nil unless they are exactly one object.
  init?(_ bytes: Span<UInt8>) {
    var scan = Scan()
    guard let members = scan.object(bytes) else { return nil }
    self.members = members
  }

  /// Returns the range of a text between its quotation marks.
  func text(_ name: String) -> Range<Int>? {
    if case .text(let range)? = members[name] { range } else { nil }
  }

  /// Returns a nonnegative whole number; nil if it is missing.
  func number(_ name: String, in bytes: Span<UInt8>) -> UInt64? {
    guard case .number(let range)? = members[name] else { return nil }
    return UInt64(String(decoding: range.map { bytes[$0] }, as: UTF8.self))
  }

  /// Decodes the escapes in a text.
  ///
  /// - Returns: its length in bytes; nil for an escape that the program never writes.
  static func unescape(_ range: Range<Int>, in bytes: Span<UInt8>, into text: inout MutableSpan<UInt8>)
    -> Int?
  {
    var count = 0
    var place = range.lowerBound
    while place < range.upperBound {
      var byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\\") {
        guard place < range.upperBound, let plain = unescaped(bytes, &place, before: range.upperBound) else {
          return nil
        }
        byte = plain
      }
      guard count < text.count else { return nil }
      text[count] = byte
      count += 1
    }
    return count
  }

  private static func unescaped(_ bytes: Span<UInt8>, _ place: inout Int, before end: Int) -> UInt8? {
    let letter = bytes[place]
    place += 1
    switch letter {
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return letter
    case UInt8(ascii: "u"):
      guard end - place >= 4 else { return nil }
      let digits = String(decoding: (place..<place + 4).map { bytes[$0] }, as: UTF8.self)
      place += 4
      // Only control characters use this escape.
      return UInt16(digits, radix: 16).flatMap { $0 < 0x80 ? UInt8($0) : nil }
    default: return nil
    }
  }

  private struct Scan {
    var place = 0

    mutating func object(_ bytes: Span<UInt8>) -> [String: Value]? {
      guard skip(bytes), next(bytes, "{") else { return nil }
      var members: [String: Value] = [:]
      repeat {
        guard skip(bytes), let name = string(bytes), skip(bytes), next(bytes, ":"), skip(bytes),
          let value = value(bytes, depth: 0), members.count < MoneroSettings.memberLimit
        else { return nil }
        let text = String(decoding: name.map { bytes[$0] }, as: UTF8.self)
        guard members.updateValue(value, forKey: text) == nil else { return nil }
        _ = skip(bytes)
      } while next(bytes, ",")
      guard next(bytes, "}") else { return nil }
      _ = skip(bytes)
      return place == bytes.count ? members : nil
    }

    /// Skips white space.
    ///
    /// - Returns: whether more bytes follow.
    private mutating func skip(_ bytes: Span<UInt8>) -> Bool {
      while place < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[place]) { place += 1 }
      return place < bytes.count
    }

    private mutating func next(_ bytes: Span<UInt8>, _ character: Unicode.Scalar) -> Bool {
      guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
      place += 1
      return true
    }

    private mutating func string(_ bytes: Span<UInt8>) -> Range<Int>? {
      guard next(bytes, "\"") else { return nil }
      let start = place
      while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
        guard bytes[place] >= 0x20 else { return nil }
        place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard place < bytes.count else { return nil }
      place += 1
      return start..<place - 1
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) -> Value? {
      switch bytes[place] {
      case UInt8(ascii: "\""): return string(bytes).map { .text($0) }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        return depth < MoneroSettings.depthLimit && compound(bytes, depth: depth) ? .other : nil
      case UInt8(ascii: "-"), 0x30...0x39:
        let start = place
        while place < bytes.count, Self.isOfNumber(bytes[place]) { place += 1 }
        return .number(start..<place)
      default:
        for word in ["true", "false", "null"] where isNext(bytes, Array(word.utf8)) {
          place += word.utf8.count
          return .other
        }
        return nil
      }
    }

    /// Skips an array or an object.
    private mutating func compound(_ bytes: Span<UInt8>, depth: Int) -> Bool {
      let isObject = bytes[place] == UInt8(ascii: "{")
      let end: Unicode.Scalar = isObject ? "}" : "]"
      place += 1
      guard skip(bytes) else { return false }
      if next(bytes, end) { return true }
      repeat {
        guard skip(bytes) else { return false }
        if isObject {
          guard string(bytes) != nil, skip(bytes), next(bytes, ":"), skip(bytes) else { return false }
        }
        guard value(bytes, depth: depth + 1) != nil else { return false }
        _ = skip(bytes)
      } while next(bytes, ",")
      return next(bytes, end)
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
      0x30...0x39 ~= byte || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }

    private func isNext(_ bytes: Span<UInt8>, _ word: [UInt8]) -> Bool {
      word.count <= bytes.count - place && word.indices.allSatisfy { bytes[place + $0] == word[$0] }
    }
  }
}

/// Monero's binary format for a tree of named values; see `portable_storage` in its library epee.
///
/// Only the positions of texts are kept, because they are keys.
package struct PortableStorage {
  /// The two signatures and the version.
  private static let beginning: [UInt8] = [0x01, 0x11, 0x01, 0x01, 0x01, 0x01, 0x02, 0x01, 0x01]
  private static let depthLimit = 16
  private static let fieldLimit = 4096

  /// The range of each text, by names joined with full stops.
  ///
  /// The texts of arrays are omitted.
  package let texts: [String: Range<Int>]

  /// Whether bytes have the format's signatures.
  static func isLikely(_ bytes: Span<UInt8>) -> Bool {
    bytes.count > beginning.count && beginning.indices.allSatisfy { bytes[$0] == beginning[$0] }
  }

  /// Parses all bytes; nil unless they have exactly this format.
  package init?(_ bytes: Span<UInt8>) {
    guard Self.isLikely(bytes) else { return nil }
    var reading = Reading(position: Self.beginning.count)
    guard reading.section(bytes, "", depth: 0), reading.position == bytes.count else { return nil }
    texts = reading.texts
  }

  private struct Reading {
    var position: Int
    var texts: [String: Range<Int>] = [:]
    var fieldCount = 0

    init(position: Int) { self.position = position }

    mutating func take(_ bytes: Span<UInt8>, _ count: Int) -> Range<Int>? {
      guard count >= 0, count <= bytes.count - position else { return nil }
      defer { position += count }
      return position..<position + count
    }

    /// Reads a length, whose two lowest bits state its size in bytes.
    mutating func length(_ bytes: Span<UInt8>) -> Int? {
      guard position < bytes.count, let range = take(bytes, 1 << (bytes[position] & 3)) else { return nil }
      let number = range.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) }
      return Int(exactly: number >> 2)
    }

    mutating func section(_ bytes: Span<UInt8>, _ path: String, depth: Int) -> Bool {
      guard depth < PortableStorage.depthLimit, let count = length(bytes) else { return false }
      for _ in 0..<count {
        fieldCount += 1
        guard fieldCount <= PortableStorage.fieldLimit, let size = take(bytes, 1),
          let name = take(bytes, Int(bytes[size.lowerBound])), !name.isEmpty, let type = take(bytes, 1)
        else { return false }
        let text = String(decoding: name.map { bytes[$0] }, as: UTF8.self)
        let inner = path.isEmpty ? text : "\(path).\(text)"
        guard value(bytes, type: bytes[type.lowerBound], inner, depth: depth) else { return false }
      }
      return true
    }

    private mutating func value(_ bytes: Span<UInt8>, type: UInt8, _ path: String, depth: Int) -> Bool {
      guard type & 0x80 == 0 else {
        guard let count = length(bytes) else { return false }
        // Each element takes at least a byte, so that a false count causes no work.
        guard count <= bytes.count - position else { return false }
        for _ in 0..<count {
          guard element(bytes, type: type & 0x7F, nil, depth: depth) else { return false }
        }
        return true
      }
      return element(bytes, type: type, path, depth: depth)
    }

    private mutating func element(_ bytes: Span<UInt8>, type: UInt8, _ path: String?, depth: Int) -> Bool {
      switch type {
      case 1, 5, 9: return take(bytes, 8) != nil
      case 2, 6: return take(bytes, 4) != nil
      case 3, 7: return take(bytes, 2) != nil
      case 4, 8, 11: return take(bytes, 1) != nil
      case 10:
        guard let count = length(bytes), let range = take(bytes, count) else { return false }
        guard let path else { return true }
        // A duplicate name is ambiguous.
        return texts.updateValue(range, forKey: path) == nil
      case 12: return section(bytes, path ?? "[]", depth: depth + 1)
      default: return false
      }
    }
  }
}
