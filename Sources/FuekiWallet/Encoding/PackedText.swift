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
  public static func append(_ text: Span<UInt8>, to output: inout [UInt8]) {
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
  public static func isCanonical(_ packed: Data) -> Bool { isCanonical(packed.span) }

  /// Whether bytes are a packed text in its only valid form.
  public static func isCanonical(_ packed: Span<UInt8>) -> Bool {
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
