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
