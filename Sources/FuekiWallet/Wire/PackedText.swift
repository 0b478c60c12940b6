public import FoundationEssentials

/// A reversible encoding of ids, hashes and addresses, which halves mostly hexadecimal text.
///
/// Empty text is encoded as no bytes; other text as one form byte and a payload. Each text has one encoding,
/// by the first form of this list that fits. Decoding restores the exact UTF-8 bytes, without normalisation:
///
/// | form | text | payload |
/// |---|---|---|
/// | 3 | `0x` and 40 digits, at least one of them a capital, checksummed as ERC-55 says | the address, 20 bytes |
/// | 1 | `0x` and lower-case digits, at least two | the bytes |
/// | 4 | a UUID, its letters capital (or without letters) | 16 bytes |
/// | 5 | a UUID, its letters small, at least one | 16 bytes |
/// | 2 | lower-case digits without prefix, at least 16 | the bytes |
/// | 0 | anything else | its UTF-8 |
///
/// An address without capitals uses form 1 even if its checksum has none either, so that most texts need no
/// hashing.
public enum PackedText {
  /// The relation between a packed text's payload and its text.
  public enum Form: UInt8, CaseIterable, Sendable {
    /// The text's own bytes.
    case utf8 = 0
    /// `0x` and lower-case digits.
    case prefixedHex = 1
    /// Lower-case digits without a prefix.
    case bareHex = 2
    /// `0x` and an address's digits in the case of its checksum.
    case checksummedAddress = 3
    /// A UUID in upper case.
    case upperCaseUUID = 4
    /// A UUID in lower case.
    case lowerCaseUUID = 5
  }

  /// Packs a text in its only valid form.
  public static func pack(_ text: String) -> Data {
    var packed: [UInt8] = []
    append(text.utf8Span.span, to: &packed)
    return Data(packed)
  }

  /// Packs a text, which must be UTF-8, and appends the result.
  static func append(_ text: Span<UInt8>, to output: inout [UInt8]) {
    guard let form = form(of: text) else { return }
    append(text, as: form, to: &output)
  }

  /// Unpacks a text; nil for invalid bytes.
  public static func text(_ packed: Data) -> String? { text(packed.span) }

  /// Unpacks a text; nil for invalid bytes.
  public static func text(_ packed: Span<UInt8>) -> String? {
    if packed.isEmpty { return "" }
    guard let form = Form(rawValue: packed[0]) else { return nil }
    let payload = packed.extracting(1...)
    guard isPayload(payload, of: form) else { return nil }
    if form == .utf8 {
      guard let text = try? UTF8Span(validating: payload) else { return nil }
      return String(copying: text)
    }
    return String(decoding: rebuilt(payload, form), as: UTF8.self)
  }

  /// Whether bytes are a packed text in its only valid form.
  package static func isCanonical(_ packed: Data) -> Bool { isCanonical(packed.span) }

  /// Whether bytes are a packed text in its only valid form.
  static func isCanonical(_ packed: Span<UInt8>) -> Bool {
    if packed.isEmpty { return true }
    guard let form = Form(rawValue: packed[0]) else { return false }
    let payload = packed.extracting(1...)
    guard isPayload(payload, of: form) else { return false }
    guard form != .utf8 else {
      return (try? UTF8Span(validating: payload)) != nil && self.form(of: payload) == .utf8
    }
    return self.form(of: rebuilt(payload, form).span) == form
  }

  private static func isPayload(_ payload: Span<UInt8>, of form: Form) -> Bool {
    switch form {
    case .utf8, .prefixedHex: payload.count >= 1
    case .bareHex: payload.count >= 8
    case .checksummedAddress: payload.count == 20
    case .upperCaseUUID, .lowerCaseUUID: payload.count == 16
    }
  }
}

extension PackedText {
  /// Returns the valid form of a text; nil for empty text.
  package static func form(of text: Span<UInt8>) -> Form? {
    let count = text.count
    guard count > 0 else { return nil }
    if count >= 4, count & 1 == 0, text[0] == 0x30, text[1] == 0x78 {
      let digits = text.extracting(2...)
      if LowerHex.isLower(digits) { return .prefixedHex }
      return count == 42 && LowerHex.isHex(digits) && AddressChecksum.isRight(digits)
        ? .checksummedAddress : .utf8
    }
    if count == 36, let form = uuidForm(text) { return form }
    return count >= 16 && count & 1 == 0 && LowerHex.isLower(text) ? .bareHex : .utf8
  }

  /// Returns the packed length of a text of this form, including the form byte.
  static func packedByteCount(_ textByteCount: Int, _ form: Form) -> Int {
    switch form {
    case .utf8: 1 + textByteCount
    case .prefixedHex: textByteCount / 2
    case .bareHex: 1 + textByteCount / 2
    case .checksummedAddress: 21
    case .upperCaseUUID, .lowerCaseUUID: 17
    }
  }

  /// Packs a text known to have this form, and appends the result.
  package static func append(_ text: Span<UInt8>, as form: Form, to output: inout [UInt8]) {
    output.append(form.rawValue)
    switch form {
    case .utf8: output.append(copying: text)
    case .prefixedHex, .checksummedAddress: LowerHex.decode(text.extracting(2...), to: &output)
    case .bareHex: LowerHex.decode(text, to: &output)
    case .upperCaseUUID, .lowerCaseUUID:
      var start = 0
      for length in uuidGroups {
        LowerHex.decode(text.extracting(start..<(start + length)), to: &output)
        start += length + 1
      }
    }
  }

  /// Unpacks a payload of the right length to the bytes of its text.
  package static func rebuilt(_ payload: Span<UInt8>, _ form: Form) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(2 * payload.count + 4)
    switch form {
    case .utf8: text.append(copying: payload)
    case .bareHex: LowerHex.append(payload, to: &text)
    case .prefixedHex:
      text += [0x30, 0x78]
      LowerHex.append(payload, to: &text)
    case .checksummedAddress:
      text += [0x30, 0x78]
      AddressChecksum.append(payload, to: &text)
    case .upperCaseUUID, .lowerCaseUUID:
      var start = 0
      for length in uuidGroups {
        if start > 0 { text.append(0x2d) }
        LowerHex.append(payload.extracting(start..<(start + length / 2)), to: &text)
        start += length / 2
      }
      if form == .upperCaseUUID {
        for i in text.indices where text[i] >= 0x61 { text[i] -= 0x20 }
      }
    }
    return text
  }

  private static func uuidForm(_ text: Span<UInt8>) -> Form? {
    var hasCapital = false
    var hasSmall = false
    for i in text.indices {
      switch (i, text[i]) {
      case (8, 0x2d), (13, 0x2d), (18, 0x2d), (23, 0x2d): break
      case (8, _), (13, _), (18, _), (23, _): return nil
      case (_, 0x30...0x39): break
      case (_, 0x41...0x46): hasCapital = true
      case (_, 0x61...0x66): hasSmall = true
      default: return nil
      }
    }
    guard hasSmall else { return .upperCaseUUID }
    return hasCapital ? nil : .lowerCaseUUID
  }

  private static let uuidGroups = [8, 4, 4, 4, 12]
}
