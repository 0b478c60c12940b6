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
