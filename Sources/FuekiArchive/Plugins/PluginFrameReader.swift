internal import FuekiCrypto

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
