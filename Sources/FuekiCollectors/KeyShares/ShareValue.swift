internal import FuekiCrypto
internal import FuekiWallet

/// A value of a document in JSON or CBOR, with the same members in both.
enum ShareValue {
  case json(GuardedValue)
  case cbor(CBORValue)

  private static let digitLimit = 20_000

  /// Parses a complete document of either format; nil for anything else.
  static func document(_ bytes: borrowing SecretBytes, limit: Int) throws(CryptoError) -> ShareValue? {
    if bytes.withBytes({ $0.firstVisible == UInt8(ascii: "{") }) {
      let copy = try bytes.copied()
      do throws(JSONError) {
        return .json(try GuardedDocument(copy, limit: limit).root)
      } catch {
        return nil
      }
    }
    guard bytes.count <= limit else { return nil }
    return CBORDocument(try bytes.copied()).map { .cbor($0.root) }
  }

  /// The members, in the document's order.
  var members: [(name: String, value: ShareValue)] {
    switch self {
    case .json(let value): value.members.map { ($0.name, .json($0.value)) }
    case .cbor(let value): value.members.map { ($0.name, .cbor($0.value)) }
    }
  }

  /// Returns a member by name; nil if it is missing or `null`.
  func member(_ name: String) -> ShareValue? {
    switch self {
    case .json(let value): value.member(name).flatMap { $0.kind == .null ? nil : .json($0) }
    case .cbor(let value):
      value.members.first { $0.name == name }.flatMap { $0.value.kind == .null ? nil : .cbor($0.value) }
    }
  }

  /// The elements of an array; empty for other values.
  var elements: [ShareValue] {
    switch self {
    case .json(let value): value.elements.map { .json($0) }
    case .cbor(let value): value.kind == .array ? value.children.map { .cbor($0) } : []
    }
  }

  /// A public text.
  var text: String? {
    switch self {
    case .json(let value): value.string
    case .cbor(let value): value.text
    }
  }

  /// A small public number.
  var count: Int? {
    switch self {
    case .json(let value): return value.number.flatMap(UInt16.init).map(Int.init)
    case .cbor(let value):
      guard case .number(let number) = value.kind else { return nil }
      return UInt16(exactly: number).map(Int.init)
    }
  }

  /// Returns a secret's bytes: a byte string, or decoded hexadecimal or base64.
  ///
  /// - Parameter isBase64: whether texts are base64 rather than hexadecimal.
  /// - Returns: nil for any other value.
  /// - Throws: The errors of ``SecretBytes/init(count:)``.
  func secret(isBase64: Bool = false) throws -> SecretBytes? {
    if let inner = member("scalar") ?? member("point") { return try inner.secret(isBase64: isBase64) }
    // The numbers of the library rug state their radix.
    if let value = member("value"), let radix = member("radix")?.count {
      return radix == 10 ? try value.decimal() : radix == 16 ? try value.secret() : nil
    }
    switch self {
    case .json(let value):
      guard let text = try value.secret() else { return nil }
      return try text.bytes.withBytes { try Self.decode($0, isBase64) }
    case .cbor(let value):
      return try value.document.bytes.withBytes { bytes in
        let content = bytes.extracting(value.content)
        return switch value.kind {
        case .bytes: try SecretBytes(copying: content)
        case .text: try Self.decode(content, isBase64)
        case .number, .array, .map, .null, .other: nil
        }
      }
    }
  }

  /// Returns a secret scalar's 32 bytes, big-endian.
  func scalar(isBase64: Bool = false) throws -> SharedSecret? {
    guard let number = try secret(isBase64: isBase64)?.padded(to: Curve.scalarByteCount) else { return nil }
    return SharedSecret(number)
  }

  /// Returns public bytes.
  func bytes(isBase64: Bool = false) -> [UInt8]? {
    do {
      guard let secret = try secret(isBase64: isBase64) else { return nil }
      return secret.withBytes { $0.copied() }
    } catch {
      return nil
    }
  }

  private static func decode(_ text: Span<UInt8>, _ isBase64: Bool) throws -> SecretBytes? {
    guard text.count <= digitLimit else { return nil }
    guard !isBase64 else { return try GuardedEncodings.base64(text) }
    guard !text.count.isMultiple(of: 2) else { return try GuardedEncodings.hex(text) }
    // Numbers are written without leading zeros.
    var padded = try SecretBytes(count: text.count + 1)
    padded.withMutableBytes { bytes in
      bytes[0] = UInt8(ascii: "0")
      bytes.write(text, at: 1)
    }
    return try padded.withBytes { try GuardedEncodings.hex($0) }
  }

  private func decimal() throws -> SecretBytes? {
    guard case .json(let value) = self, let text = try value.secret() else { return nil }
    return try text.bytes.withBytes { try DecimalNumber.secret($0) }
  }
}
