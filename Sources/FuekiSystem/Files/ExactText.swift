/// A text that decides something, compared by its bytes: a path, a name, a label or an id.
///
/// Linux keeps two names apart that Swift's `String` holds for equal: `é` in one and in two code points, `K` and the
/// Kelvin sign. One of two such files, targets or vaults would be taken for the other.
public struct ExactText: Sendable {
  /// The text for display, and for opening what it names.
  public let text: String

  /// Creates the text.
  public init(_ text: String) { self.text = text }

  /// Whether the text has no bytes.
  public var isEmpty: Bool { text.utf8.isEmpty }

  /// Whether the text begins with the bytes of another.
  public func hasPrefix(_ prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }
}

extension ExactText: Hashable {
  /// Compares bytes.
  public static func == (first: ExactText, second: ExactText) -> Bool {
    first.text.utf8.elementsEqual(second.text.utf8)
  }

  /// Hashes bytes, so that many spellings of one text do not collide.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // No UTF-8 has this byte, so it ends the text.
    hasher.combine(0xFF as UInt8)
  }
}

extension ExactText: Comparable {
  /// Orders by bytes.
  public static func < (first: ExactText, second: ExactText) -> Bool {
    first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
  }
}

extension ExactText: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates the text of a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The text itself.
  public var description: String { text }
}

extension ExactText: PathBytes {
  /// The bytes of the path that the text stands for.
  public var pathBytes: [UInt8] { text.pathBytes }
}

extension ExactText: Codable {
  /// Reads a plain string.
  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes a plain string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension ExactText: CodingKeyRepresentable {
  /// The key of an entry in a dictionary.
  ///
  /// A coder compares keys as Swift's texts. So a key with other characters than ASCII has each of their bytes escaped,
  /// behind a mark. The same key without the mark, as earlier versions wrote it, is read as well.
  private struct Key: CodingKey {
    static let mark = "%:"

    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }

    init(_ text: ExactText) {
      guard text.hasPrefix(Self.mark) || !text.text.utf8.allSatisfy(Unicode.ASCII.isASCII) else {
        stringValue = text.text
        return
      }
      stringValue = text.text.utf8.reduce(into: Self.mark) { key, byte in
        key +=
          Unicode.ASCII.isASCII(byte) && byte != UInt8(ascii: "%")
          ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16)
      }
    }
  }

  /// The text as a key.
  public var codingKey: any CodingKey { Key(self) }

  /// Reads a key; nil if an escape in it is malformed.
  public init?(codingKey: some CodingKey) {
    let key = ExactText(codingKey.stringValue)
    guard key.hasPrefix(Key.mark) else {
      self = key
      return
    }
    var bytes: [UInt8] = []
    var rest = key.text.utf8.dropFirst(Key.mark.utf8.count)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Self.digit), let low = rest.popFirst().flatMap(Self.digit)
      else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    self.init(text)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

extension String {
  /// Whether the path is in a folder, at any depth, told by bytes.
  ///
  /// A name may start with a combining mark, which joins the slash before it into one of Swift's characters.
  public func isBelow(_ folder: String) -> Bool {
    let end = folder.utf8.last == UInt8(ascii: "/") ? "" : "/"
    return utf8.count > folder.utf8.count + end.utf8.count && utf8.starts(with: (folder + end).utf8)
  }
}
