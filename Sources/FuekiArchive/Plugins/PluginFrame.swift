internal import FuekiCrypto

/// A command or an answer of the age-plugin protocol: a stanza in text.
struct PluginFrame: Sendable {
  /// The first is the command.
  let arguments: [[UInt8]]
  /// Possibly secret: a file key, or the user's input.
  let body: SharedSecret

  var command: String { arguments.first.map { String(decoding: $0, as: UTF8.self) } ?? "" }

  /// The body as text for people, not yet sanitised.
  var text: String {
    body.bytes.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
  }

  var publicBody: [UInt8] { body.bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } } }

  init(arguments: [[UInt8]], body: SharedSecret) {
    self.arguments = arguments
    self.body = body
  }

  init(_ command: StaticString, _ arguments: [[UInt8]] = [], body: [UInt8] = []) throws(CryptoError) {
    self.init(
      arguments: [.label(command)] + arguments, body: SharedSecret(try SecretBytes(copying: body.span)))
  }

  init(_ command: StaticString, _ arguments: [[UInt8]] = [], secret: SharedSecret) {
    self.init(arguments: [.label(command)] + arguments, body: secret)
  }

  /// Returns the stanza in the format of age's header, up to the line end.
  func encoded() throws(CryptoError) -> SharedSecret {
    var head = Array("->".utf8)
    for argument in arguments { head += [0x20] + argument }
    head.append(0x0a)
    var text = try SecretBytes(count: head.count + PluginBase64.encodedCount(body.bytes.count))
    text.withMutableBytes { text in
      text.write(head.span, at: 0)
      body.bytes.withBytes { PluginBase64.encode($0, into: &text, at: head.count) }
    }
    return SharedSecret(text)
  }
}

/// Unpadded Base64 in lines of 64 characters.
///
/// The last line is shorter and may be empty.
enum PluginBase64 {
  static let lineBytes = 48
  static let lineCharacters = 64

  /// Returns the number of characters that encode `count` bytes, including line ends.
  static func encodedCount(_ count: Int) -> Int {
    let (lines, rest) = (count / lineBytes, count % lineBytes)
    return lines * (lineCharacters + 1) + (rest * 4 + 2) / 3 + 1
  }

  static func encode(_ bytes: Span<UInt8>, into text: inout MutableSpan<UInt8>, at start: Int) {
    var (bits, bitCount, place): (UInt32, UInt32, Int) = (0, 0, start)
    for index in bytes.indices {
      bits = bits << 8 & 0xffff | UInt32(bytes[index])
      bitCount += 8
      while bitCount >= 6 {
        bitCount -= 6
        text[place] = character(UInt8(bits >> bitCount & 63))
        place += 1
      }
      if (index + 1) % lineBytes == 0 {
        text[place] = 0x0a
        place += 1
      }
    }
    if bitCount > 0 {
      text[place] = character(UInt8(bits << (6 - bitCount) & 63))
      place += 1
    }
    text[place] = 0x0a
  }

  /// Decodes a line; nil if it is not canonical Base64.
  ///
  /// - Returns: the number of bytes written.
  static func decode(_ line: Span<UInt8>, into bytes: inout MutableSpan<UInt8>, at start: Int) -> Int? {
    guard line.count % 4 != 1 else { return nil }
    var (bits, bitCount, place): (UInt32, UInt32, Int) = (0, 0, start)
    for index in line.indices {
      guard let value = value(line[index]) else { return nil }
      bits = bits << 6 & 0xffff | UInt32(value)
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      guard place < bytes.count else { return nil }
      bytes[place] = UInt8(bits >> bitCount & 0xff)
      place += 1
    }
    return bits & (1 << bitCount - 1) == 0 ? place - start : nil
  }

  private static func character(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: 0x41 + value
    case 26..<52: 0x61 + (value - 26)
    case 52..<62: 0x30 + (value - 52)
    case 62: 0x2b
    default: 0x2f
    }
  }

  private static func value(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x41...0x5a: character - 0x41
    case 0x61...0x7a: character - 0x61 + 26
    case 0x30...0x39: character - 0x30 + 52
    case 0x2b: 62
    case 0x2f: 63
    default: nil
    }
  }
}
