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

/// Reads a plugin's output stanza by stanza, within the limits of a slot.
final class PluginFrameReader {
  /// The limit of arguments: two more than a stanza has, for the command and an index.
  private static let argumentLimit = PluginStanza.argumentLimit + 2
  private static let lineLimit =
    2 + argumentLimit * (PluginStanza.argumentBytes.upperBound + 1)
  private static let chunkBytes = 4096
  private static let bodyLimit = PluginStanza.bodyBytes.upperBound

  private let channel: any PluginChannel
  private var buffer: SecretBytes
  private var chunk: SecretBytes
  private var filled = 0

  init(_ channel: any PluginChannel) throws(PluginFailure.Fault) {
    self.channel = channel
    do throws(CryptoError) {
      buffer = try SecretBytes(count: Self.lineLimit + Self.chunkBytes)
      chunk = try SecretBytes(count: Self.chunkBytes)
    } catch { throw .outOfMemory }
  }

  /// Waits for the next stanza.
  ///
  /// - Throws: how the plugin ended, if its output is over.
  func next() throws(PluginFailure.Fault) -> PluginFrame {
    let arguments = try line { (line) throws(PluginFailure.Fault) in try Self.arguments(of: line) }
    do {
      var body = try SecretBytes(count: Self.bodyLimit)
      var count = 0
      var isLast = false
      while !isLast {
        let length = try line { (line) throws(PluginFailure.Fault) in
          guard line.count <= PluginBase64.lineCharacters else { throw .broke(.malformed) }
          isLast = line.count < PluginBase64.lineCharacters
          guard count + line.count * 3 / 4 <= Self.bodyLimit else { throw .broke(.tooLong) }
          let decoded = body.withMutableBytes { PluginBase64.decode(line, into: &$0, at: count) }
          guard let decoded else { throw .broke(.malformed) }
          return decoded
        }
        count += length
      }
      return PluginFrame(arguments: arguments, body: SharedSecret(try body.copy(0..<count)))
    } catch let fault as PluginFailure.Fault {
      throw fault
    } catch {
      throw .outOfMemory
    }
  }

  /// Passes the next line, without its end, to `body`.
  private func line<Value>(
    _ body: (Span<UInt8>) throws(PluginFailure.Fault) -> Value
  ) throws(PluginFailure.Fault) -> Value {
    var looked = 0
    while true {
      let (start, end) = (looked, filled)
      let place = buffer.withBytes { bytes in (start..<end).first { bytes[$0] == 0x0a } }
      if let place {
        let value = try buffer.withBytes { (bytes) throws(PluginFailure.Fault) in
          try body(bytes.extracting(0..<place))
        }
        forget(place + 1)
        return value
      }
      looked = filled
      guard filled <= Self.lineLimit else { throw .broke(.tooLong) }
      let count = try chunk.withMutableBytes { (bytes) throws(PluginFailure.Fault) in
        try channel.read(into: &bytes)
      }
      guard count > 0 else { throw channel.finish() }
      buffer.withMutableBytes { target in
        chunk.withBytes { target.write($0.extracting(0..<count), at: end) }
      }
      filled += count
    }
  }

  /// Discards the first `count` bytes and moves the rest to the front.
  private func forget(_ count: Int) {
    let rest = filled - count
    buffer.withMutableBytes { bytes in
      for index in 0..<rest { bytes[index] = bytes[index + count] }
    }
    filled = rest
  }

  private static func arguments(of line: Span<UInt8>) throws(PluginFailure.Fault) -> [[UInt8]] {
    guard line.count > 3, line[0] == 0x2d, line[1] == 0x3e, line[2] == 0x20 else { throw .broke(.malformed) }
    var arguments: [[UInt8]] = [[]]
    for index in 3..<line.count {
      if line[index] == 0x20 {
        arguments.append([])
      } else {
        arguments[arguments.count - 1].append(line[index])
      }
    }
    guard arguments.count <= argumentLimit,
      arguments.allSatisfy({ $0.count <= PluginStanza.argumentBytes.upperBound })
    else { throw .broke(.tooLong) }
    guard arguments.allSatisfy(PluginStanza.isArgument) else { throw .broke(.malformed) }
    return arguments
  }
}
